/**
 * @class   vtkLapilliTerrainSurface
 * @brief   a terrain of any kind as clean, oriented triangles
 *
 * Turns what ParaView users have as terrain into the surface that Lapilli's simulations act on, and
 * says what was dropped: polygonal data with polygons and strips, unstructured and structured
 * grids, image data, uniform and rectilinear grids as height fields, and composite data of any of
 * these, nested to any depth.
 *
 * Heights of images and rectilinear grids come from ElevationArray. Point heights stay where they are.
 * Cell heights stand at the cells' centres, which become the points: the map ends half a cell
 * inside the grid's edge, and a blanked cell (or one without a finite height) leaves a hole, never a
 * cliff. Other data keep their own z, except flat ones with an array called Elevation, elevation or z;
 * see HeightSource.
 *
 * Coincident points are merged; triangles that are not finite, without area or twice there are
 * dropped; holes stay. Sheets are turned to +z, closed bodies outward (inward in the role
 * Container); other sheets agree across their edges. Parts for which that is impossible are two-sided, and in the
 * role Obstacle all that are not closed around a volume.
 *
 * Output: triangles with double points in the input's coordinates.
 * Point array: elevation [m] double, the z.
 * Cell arrays: all of the input's, one tuple a triangle; on a height field with cell heights
 * those of the cell at the triangle's first corner. Where only some blocks of composite data have a
 * real-valued array, the others hold NaN. two_sided (uint8, 1 where both sides are front) is added only if some are.
 * Field data: report string; triangles, dropped_triangles, degenerate_triangles, duplicate_triangles,
 * flipped_triangles, merged_points, closed_seams, snapped_points, holes, parts, closed_parts, two_sided_parts,
 * non_manifold_edges, boundary_edges, missing_heights, single_valued [-] 64-bit integers; largest_snap,
 * open_seam_length [m] double; one tuple each. single_valued is 1 if proved: every triangle faces up, and no two
 * of all parts lie over one place of the map, but for overlaps narrower than 1e-9 of its extent.
 *
 * Heights that are a multiple of an array Elevation, elevation or z, as after Warp By Scalar, and a VerticalScale that is
 * no unit of length, are a warning that names the factor.
 *
 * With several processes the first reads the whole input; the others hand out nothing.
 */
#ifndef vtkLapilliTerrainSurface_h
#define vtkLapilliTerrainSurface_h

#include "LapilliFiltersModule.h" // for export macro
#include "vtkPolyDataAlgorithm.h"

#include <memory> // for std::unique_ptr

class LAPILLIFILTERS_EXPORT vtkLapilliTerrainSurface : public vtkPolyDataAlgorithm
{
public:
  static vtkLapilliTerrainSurface* New();
  vtkTypeMacro(vtkLapilliTerrainSurface, vtkPolyDataAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Name of the point or cell array with the heights [m, times VerticalScale]. Empty or "(automatic)": an array
   * called Elevation, elevation or z (in any case of letters); else the active scalars; else the only
   * array with one component. Data without the named array are refused, unless heights are coordinates. Default is empty.
   */
  vtkSetStringMacro(ElevationArray);
  vtkGetStringMacro(ElevationArray);
  ///@}

  enum HeightSources
  {
    HEIGHTS_AUTOMATIC = 0,   ///< z, but the array where all z are equal and it has a known name
    HEIGHTS_COORDINATES = 1, ///< z
    HEIGHTS_ARRAY = 2        ///< the array, also for surfaces that are already three-dimensional
  };

  ///@{
  /**
   * Where data sets with points of their own take their heights from. Images and rectilinear grids
   * always take the array. Default is HEIGHTS_AUTOMATIC.
   */
  vtkSetClampMacro(HeightSource, int, HEIGHTS_AUTOMATIC, HEIGHTS_ARRAY);
  vtkGetMacro(HeightSource, int);
  ///@}

  ///@{
  /**
   * Heights are multiplied by this [-]: 0.3048 for feet, more than 1 exaggerates. Must be finite and not 0.
   * Default is 1.
   */
  vtkSetMacro(VerticalScale, double);
  vtkGetMacro(VerticalScale, double);
  ///@}

  ///@{
  /**
   * How far apart border points of different tiles may be to become one, and how far from another tile's border edge a
   * point may be to divide it [m]. Tiles are the blocks of composite data; of a single data set with a value > 0 its
   * parts. Negative: automatic, a twentieth of the shortest border edge at the points (1.5 m on a map of 30 m); in
   * any case at most half of it. With any value but 0 gaps of one cell between aligned image tiles are filled. 0: tiles
   * are joined only where their points coincide. Points inside a tile stay where they are, and no two of a tile
   * become one. Where closing the seams would turn triangles over, as where tiles overlap, none is closed, with a warning. Default
   * is -1.
   */
  vtkSetMacro(SeamTolerance, double);
  vtkGetMacro(SeamTolerance, double);
  ///@}

  enum Roles
  {
    TERRAIN = 0,   ///< one-sided sheet that particles fall on
    CONTAINER = 1, ///< particles are inside
    OBSTACLE = 2   ///< a body in the way, or a sheet, which is two-sided
  };

  ///@{
  /**
   * What the surface is to the particles; decides whether closed bodies face outward or inward. Default is TERRAIN.
   */
  vtkSetClampMacro(Role, int, TERRAIN, OBSTACLE);
  vtkGetMacro(Role, int);
  ///@}

  enum CoordinatesType
  {
    COORDINATES_AS_INPUT = 0,
    COORDINATES_MAP = 1,
    COORDINATES_LOCAL =
      2 ///< relative to the input's origin, or to its middle in whole kilometres where it is on the map
  };

  ///@{
  /**
   * Coordinates of the output, see CoordinatesType: its field data local_origin [m, 3] are the map coordinates of its origin, zeros on
   * the map. Default is COORDINATES_AS_INPUT.
   */
  vtkSetClampMacro(Coordinates, int, COORDINATES_AS_INPUT, COORDINATES_LOCAL);
  vtkGetMacro(Coordinates, int);
  ///@}

  ///@{
  /**
   * What the last execution found and did; zero and empty before. Numbers without a unit are counts.
   */
  vtkIdType GetNumberOfTriangles();
  vtkIdType GetDroppedTriangles();
  vtkIdType GetDegenerateTriangles(); ///< of those dropped, without area
  vtkIdType GetDuplicateTriangles();  ///< of those dropped, twice there
  vtkIdType GetFlippedTriangles();
  vtkIdType GetMergedPoints();
  vtkIdType GetHoles();
  vtkIdType GetParts();
  vtkIdType GetClosedParts();
  vtkIdType GetTwoSidedParts();
  vtkIdType GetNonManifoldEdges();
  vtkIdType GetBoundaryEdges();
  vtkIdType GetClosedSeams();   ///< pairs of tiles that were joined
  vtkIdType GetSnappedPoints(); ///< put onto a point of another tile
  double GetLargestSnap();      ///< [m], how far
  double GetOpenSeamLength();   ///< [m], of border edges along another tile, not joined to it
  vtkIdType GetMissingHeights();
  int GetSingleValued();   ///< 1: one height over each place of the map, of all parts together
  const char* GetReport(); ///< the same in words
  ///@}

protected:
  vtkLapilliTerrainSurface();
  ~vtkLapilliTerrainSurface() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  char* ElevationArray = nullptr;
  int HeightSource = HEIGHTS_AUTOMATIC;
  double VerticalScale = 1;
  double SeamTolerance = -1;
  int Role = TERRAIN;
  int Coordinates = COORDINATES_AS_INPUT;

private:
  vtkLapilliTerrainSurface(const vtkLapilliTerrainSurface&) = delete;
  void operator=(const vtkLapilliTerrainSurface&) = delete;

  struct Result;
  std::unique_ptr<Result> Last;
};

#endif
