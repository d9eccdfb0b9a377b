/**
 * @class   vtkLapilliParticleSource
 * @brief   seeds for a simulation: rocks on a point, a fissure, a disc, in a sphere or a box
 *
 * Fills a shape with seeds that do not overlap, their centres in the shape. With a terrain on the
 * optional input (any data that Terrain Surface takes) and DropOntoTerrain on, every seed comes down
 * along its vertical until it rests on the highest surface there, its centre one radius from the
 * nearest point of the terrain; seeds that find no free ground are stacked on others, seeds over no terrain are left out and counted; if that are all, it is an error.
 *
 * The same properties give the same seeds, bit for bit, on every platform.
 *
 * Output: vertices on double points. Without a terrain, a shape that is too full is an error that
 * says how many found a place.
 * Point arrays: velocity [m/s, 3] double; radius [m] double; density [kg/m^3] double;
 * temperature [K] double; source_id [-] 32-bit integer.
 * Field data: report string; seeds, beside_terrain, stacked, random_seed [-] 64-bit integers; mass [kg] double.
 */
#ifndef vtkLapilliParticleSource_h
#define vtkLapilliParticleSource_h

#include "LapilliFiltersModule.h" // for export macro
#include "vtkPolyDataAlgorithm.h"

#include <memory> // for std::unique_ptr

class vtkAlgorithmOutput;

class LAPILLIFILTERS_EXPORT vtkLapilliParticleSource : public vtkPolyDataAlgorithm
{
public:
  static vtkLapilliParticleSource* New();
  vtkTypeMacro(vtkLapilliParticleSource, vtkPolyDataAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Connects the terrain, or nothing with null. The form with a port number, which is not looked
   * at, is the server manager's: its input stands at number 1 there, so that scripts do not connect
   * the active source to it by themselves.
   */
  void SetTerrainConnection(vtkAlgorithmOutput* terrain);
  void SetTerrainConnection(int port, vtkAlgorithmOutput* terrain);
  ///@}

  ///@{
  /**
   * Whether seeds are dropped onto the terrain, if one is connected. Default is on.
   */
  vtkSetMacro(DropOntoTerrain, bool);
  vtkGetMacro(DropOntoTerrain, bool);
  vtkBooleanMacro(DropOntoTerrain, bool);
  ///@}

  enum Shapes
  {
    POINT =
      0, ///< one seed at Point, several as a small cluster around it, the largest in the middle
    LINE = 1,   ///< from LineStart to LineEnd
    DISC = 2,   ///< DiscRadius around DiscCenter, at right angles to DiscNormal
    SPHERE = 3, ///< SphereRadius around SphereCenter
    BOX = 4     ///< BoxScale from the corner BoxPosition, turned by BoxRotation
  };

  ///@{
  /**
   * Shape that is filled. Default is DISC.
   */
  vtkSetClampMacro(Shape, int, POINT, BOX);
  vtkGetMacro(Shape, int);
  ///@}

  ///@{
  /**
   * Seeds asked for [-], 1 to 100 million. Default is 1000.
   */
  vtkSetMacro(NumberOfSeeds, vtkIdType);
  vtkGetMacro(NumberOfSeeds, vtkIdType);
  ///@}

  ///@{
  /**
   * The point [m]. Default is the origin.
   */
  vtkSetVector3Macro(Point, double);
  vtkGetVector3Macro(Point, double);
  ///@}

  ///@{
  /**
   * Ends of the line [m]. Default is from the origin to (100, 0, 0).
   */
  vtkSetVector3Macro(LineStart, double);
  vtkGetVector3Macro(LineStart, double);
  vtkSetVector3Macro(LineEnd, double);
  vtkGetVector3Macro(LineEnd, double);
  ///@}

  ///@{
  /**
   * Centre [m], direction at right angles [any length but 0] and radius [m, > 0] of the disc. Default is 30 m
   * around the origin, horizontal.
   */
  vtkSetVector3Macro(DiscCenter, double);
  vtkGetVector3Macro(DiscCenter, double);
  vtkSetVector3Macro(DiscNormal, double);
  vtkGetVector3Macro(DiscNormal, double);
  vtkSetMacro(DiscRadius, double);
  vtkGetMacro(DiscRadius, double);
  ///@}

  ///@{
  /**
   * Centre [m] and radius [m, > 0] of the sphere. Default is 10 m around the origin.
   */
  vtkSetVector3Macro(SphereCenter, double);
  vtkGetVector3Macro(SphereCenter, double);
  vtkSetMacro(SphereRadius, double);
  vtkGetMacro(SphereRadius, double);
  ///@}

  ///@{
  /**
   * The box as ParaView's box widget gives it: a corner [m], angles about x, y and z [degrees], turned
   * in the order z, x, y about the corner, and lengths of the edges [m]. Default is 10 m each way
   * from the origin.
   */
  vtkSetVector3Macro(BoxPosition, double);
  vtkGetVector3Macro(BoxPosition, double);
  vtkSetVector3Macro(BoxRotation, double);
  vtkGetVector3Macro(BoxRotation, double);
  vtkSetVector3Macro(BoxScale, double);
  vtkGetVector3Macro(BoxScale, double);
  ///@}

  enum RadiusLaws
  {
    CONSTANT = 0,  ///< Radius
    UNIFORM = 1,   ///< equally likely between SmallestRadius and LargestRadius, by number
    LOG_NORMAL = 2 ///< MedianRadius and RadiusSpread, by number, drawn again outside the cut-offs
  };

  ///@{
  /**
   * How radii are distributed. Default is CONSTANT.
   */
  vtkSetClampMacro(RadiusLaw, int, CONSTANT, LOG_NORMAL);
  vtkGetMacro(RadiusLaw, int);
  ///@}

  ///@{
  /**
   * Radius of all seeds [m], > 0. Default is 0.5.
   */
  vtkSetMacro(Radius, double);
  vtkGetMacro(Radius, double);
  ///@}

  ///@{
  /**
   * Bounds of the uniform law [m], > 0. Defaults are 0.3 and 0.7.
   */
  vtkSetMacro(SmallestRadius, double);
  vtkGetMacro(SmallestRadius, double);
  vtkSetMacro(LargestRadius, double);
  vtkGetMacro(LargestRadius, double);
  ///@}

  ///@{
  /**
   * Log-normal law: median [m], > 0, and geometric standard deviation [-], 1 to 5, the exponential of the standard
   * deviation of ln(radius). Radii outside median / spread^3 to median spread^3 are drawn again.
   * Defaults are 0.5 and 1.3.
   */
  vtkSetMacro(MedianRadius, double);
  vtkGetMacro(MedianRadius, double);
  vtkSetMacro(RadiusSpread, double);
  vtkGetMacro(RadiusSpread, double);
  ///@}

  ///@{
  /**
   * Density [kg/m^3], > 0. Default is 2600.
   */
  vtkSetMacro(Density, double);
  vtkGetMacro(Density, double);
  ///@}

  ///@{
  /**
   * Temperature [K], > 0. Default is 293.15.
   */
  vtkSetMacro(Temperature, double);
  vtkGetMacro(Temperature, double);
  ///@}

  ///@{
  /**
   * Mean velocity [m/s]. Default is zero.
   */
  vtkSetVector3Macro(Velocity, double);
  vtkGetVector3Macro(Velocity, double);
  ///@}

  ///@{
  /**
   * Root mean square of the length of the random part of the velocity [m/s], >= 0; it has no
   * preferred direction, and each component is normal with standard deviation VelocitySpread / sqrt(3). Default is 0.
   */
  vtkSetMacro(VelocitySpread, double);
  vtkGetMacro(VelocitySpread, double);
  ///@}

  ///@{
  /**
   * Given to every seed as source_id [-]. Default is 0.
   */
  vtkSetMacro(SourceId, int);
  vtkGetMacro(SourceId, int);
  ///@}

  ///@{
  /**
   * Same random seed, same particles [-]. Default is 1.
   */
  vtkSetMacro(RandomSeed, int);
  vtkGetMacro(RandomSeed, int);
  ///@}

  ///@{
  /**
   * What the last execution did; zero and empty before.
   */
  vtkIdType GetSeedsPlaced();
  vtkIdType GetSeedsBesideTerrain();
  vtkIdType GetSeedsStacked();
  double GetMass(); ///< [kg]
  const char* GetReport();
  ///@}

protected:
  vtkLapilliParticleSource();
  ~vtkLapilliParticleSource() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  bool DropOntoTerrain = true;
  int Shape = DISC;
  vtkIdType NumberOfSeeds = 1000;
  double Point[3] = { 0, 0, 0 };
  double LineStart[3] = { 0, 0, 0 };
  double LineEnd[3] = { 100, 0, 0 };
  double DiscCenter[3] = { 0, 0, 0 };
  double DiscNormal[3] = { 0, 0, 1 };
  double DiscRadius = 30;
  double SphereCenter[3] = { 0, 0, 0 };
  double SphereRadius = 10;
  double BoxPosition[3] = { 0, 0, 0 };
  double BoxRotation[3] = { 0, 0, 0 };
  double BoxScale[3] = { 10, 10, 10 };
  int RadiusLaw = CONSTANT;
  double Radius = 0.5;
  double SmallestRadius = 0.3;
  double LargestRadius = 0.7;
  double MedianRadius = 0.5;
  double RadiusSpread = 1.3;
  double Density = 2600;
  double Temperature = 293.15;
  double Velocity[3] = { 0, 0, 0 };
  double VelocitySpread = 0;
  int SourceId = 0;
  int RandomSeed = 1;

private:
  vtkLapilliParticleSource(const vtkLapilliParticleSource&) = delete;
  void operator=(const vtkLapilliParticleSource&) = delete;

  struct Private;
  std::unique_ptr<Private> Internal;
};

#endif
