/// @file
/// From whatever ParaView users have as terrain to the surface that the engine simulates on.
///
///   lapilli::TerrainOptions options;              // defaults are right for a Terrain Surface
///   lapilli::TerrainInput terrain = lapilli::readTerrain(vtkDataObject::GetData(info), options);
///   for (lapilli::Surface& part : terrain.surfaces()) scene.surfaces.push_back(std::move(part));
///   vtkDataArray* friction = terrain.cellData->GetArray("friction"); // one value per triangle, or null
///
/// Accepted: polygonal data (polygons, strips), unstructured and structured grids (surface cells as
/// they are, the outer faces of volume cells), image data, uniform and rectilinear grids as height
/// fields, and composite data of any of these, nested to any depth. Points, lines and empty blocks
/// are passed over.
///
/// Heights. Images and rectilinear grids take them from an array: the one that is named; else one
/// called Elevation, elevation or z (letters' case does not matter); else the active scalars; else
/// the only array with one component. Point heights stay where they are. Cell heights stand at
/// the cells' centres, which become the points: the map ends half a cell inside the grid's edge; a
/// square of four centres gives two triangles, one with a missing corner gives one, so a blanked cell is a hole
/// and never a cliff. Missing are blanked cells and points (vtkGhostType) and heights that are not
/// finite. Other data sets have their own z and keep it, except that a flat one with such a named
/// array is raised by it (see HeightSource).
///
/// Local coordinates (see LocalFrame.h) are put back on the map.
///
/// Blocks are tiles: their seams are closed as SeamOptions say (SurfaceRepair.h). Tiles of one raster with heights at
/// their cells' centres end half a cell short of one another; where steps and places agree to a twentieth of a
/// cell the gap of one cell between their outermost samples is filled, unless the tolerance is 0.
///
/// Quadrilaterals are split along the shorter diagonal, so that the same terrain gives the same
/// triangles from every type of data.
#pragma once

#include "LocalFrame.h"

#include "SurfaceRepair.h"

#include <vtkCellData.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>

#include <string>
#include <vector>

class vtkDataObject;

namespace lapilli
{

/// Where the z of data sets with their own points comes from.
enum class HeightSource
{
  Automatic, ///< coordinates; the array where all z are equal and a named array is there
  Coordinates,
  Array ///< z = array times the vertical scale, also for surfaces that are already three-dimensional
};

struct TerrainOptions
{
  std::string elevationArray; ///< point or cell array; empty: found as described above
  HeightSource heightSource = HeightSource::Automatic;
  double verticalScale = 1; ///< [-], z = scale times height, finite and not 0
  double seamTolerance =
    -1; ///< [m], see SeamOptions; negative: automatic, 0: tiles meet exactly or not at all, as they do with
  ///< a warning where closing seams would turn triangles over
  SurfaceRole role = SurfaceRole::Terrain;
  std::string owner = "terrain"; ///< what messages call it, such as "obstacle 0"
  TerrainFrame terrain; ///< beside which the data stand, if they are not the terrain themselves
};

struct TerrainInput
{
  Surface surface;
  std::vector<std::uint8_t> twoSided; ///< per triangle: 1 in two-sided components

  /// For Scene::surfaces: `surface`, in two parts where only some of it is two-sided.
  std::vector<Surface> surfaces() const { return separateTwoSided(surface, twoSided); }

  /// One tuple per triangle of every cell array. Where only some blocks of a composite have a
  /// real-valued array the others hold NaN, which means "not given", and -1 (Surface::kNotGiven) in restitution, friction and
  /// rolling_friction; other incomplete arrays are
  /// left out with a note.
  vtkSmartPointer<vtkCellData> cellData;

  MapPoint origin{ 0, 0,
    0 }; ///< of the local coordinates that the data came in; `surface` is on the map
  SurfaceRepairReport report;
  std::int64_t missingHeights = 0; ///< samples of height fields that are blanked or not finite
  std::vector<std::string> notes;  ///< one sentence each: array chosen, arrays left out
  std::vector<std::string>
    warnings; ///< one sentence each: what makes the physics wrong, such as exaggerated heights
};

/// @throws InvalidInput with a sentence for the user: null or unusable data, no triangles left, no
///         or several candidate arrays of heights, a bad scale
TerrainInput readTerrain(vtkDataObject* data, const TerrainOptions& options = {});

/// The same, surface and report only.
Surface readTerrain(
  vtkDataObject* data, const TerrainOptions& options, SurfaceRepairReport& report);

} // namespace lapilli
