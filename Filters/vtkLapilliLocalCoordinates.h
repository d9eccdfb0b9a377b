/**
 * @class   vtkLapilliLocalCoordinates
 * @brief   to coordinates relative to an origin nearby, and back to the map
 *
 * Views, Point Gaussian and glyphs compute in single precision, which steps by 0.5 m at a northing of 5,000,000 m and by 1 m at
 * 9,000,000 m, so that particles jitter. Relative to an origin nearby they do not. Every output carries its origin as field data, and Lapilli's
 * filters understand it: a local terrain and local sources, or one of them, give the same simulation as on the map.
 *
 * Input port 0: points, polygons, grids, images, and composite data of these. Points become double. Tables, graphs and other data
 * without coordinates are passed on, with one warning.
 *
 * Output port 0: the same type, moved. All arrays stay: velocities and heights do not change.
 * Field data: local_origin [m, 3] double, the map coordinates of the output's origin, zeros on the map. Map coordinates are the
 * output's plus this. The way there and back leaves the same bits where coordinates are double and the origin is in whole kilometres.
 */
#ifndef vtkLapilliLocalCoordinates_h
#define vtkLapilliLocalCoordinates_h

#include "LapilliFiltersModule.h" // for export macro
#include "vtkPassInputTypeAlgorithm.h"

#include <array> // for std::array

class LAPILLIFILTERS_EXPORT vtkLapilliLocalCoordinates : public vtkPassInputTypeAlgorithm
{
public:
  static vtkLapilliLocalCoordinates* New();
  vtkTypeMacro(vtkLapilliLocalCoordinates, vtkPassInputTypeAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum Directions
  {
    TO_LOCAL = 0,
    TO_MAP = 1 ///< by the origin in the input's field data; input without one is on the map already
  };

  ///@{
  /**
   * Which way. Default is TO_LOCAL.
   */
  vtkSetClampMacro(Direction, int, TO_LOCAL, TO_MAP);
  vtkGetMacro(Direction, int);
  ///@}

  ///@{
  /**
   * Whether the origin is found: that of an input that is local already, else the middle of the first data that
   * come, rounded down to whole kilometres, with z = 0. It stays the same over all time steps, until the
   * middle lies more than 100 km from it or this is set. With several processes only process 0 may find it: where others
   * have points on the map, which no simulation of Lapilli hands out, the origin must be given. Default is on.
   */
  void SetAutomaticOrigin(bool automatic);
  vtkGetMacro(AutomaticOrigin, bool);
  vtkBooleanMacro(AutomaticOrigin, bool);
  ///@}

  ///@{
  /**
   * Map coordinates of the origin [m], finite, if it is not found: for data that shall share one. Default is (0, 0, 0).
   */
  vtkSetVector3Macro(Origin, double);
  vtkGetVector3Macro(Origin, double);
  ///@}

  /**
   * Map coordinates of the last output's origin [m].
   */
  vtkGetVector3Macro(OriginUsed, double);

protected:
  vtkLapilliLocalCoordinates() = default;
  ~vtkLapilliLocalCoordinates() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  int Direction = TO_LOCAL;
  bool AutomaticOrigin = true;
  double Origin[3] = { 0, 0, 0 };
  double OriginUsed[3] = { 0, 0, 0 };

private:
  vtkLapilliLocalCoordinates(const vtkLapilliLocalCoordinates&) = delete;
  void operator=(const vtkLapilliLocalCoordinates&) = delete;

  std::array<double, 3> FindOrigin(const double* bounds, const std::array<double, 3>& own);

  bool IsFound = false;
  double FoundOrigin[3] = { 0, 0, 0 };
};

#endif
