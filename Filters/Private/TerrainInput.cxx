#include "TerrainInput.h"

#include "CellArrays.h"
#include "Error.h"
#include "HeightFactor.h"
#include "TerrainPieces.h"
#include "TileGaps.h"

#include <vtkDataObject.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace lapilli
{

namespace
{

struct Extent
{
  double low[3] = { 1e300, 1e300, 1e300 }, high[3] = { -1e300, -1e300, -1e300 };
};

/// Of the finite coordinates. More than twice the way around the Earth is no place: float32 at 1e8 m knows 8 m.
/// @throws InvalidInput for such
Extent checkedExtent(const Surface& surface, const std::string& owner)
{
  constexpr double farthest = 1e8; // [m]
  Extent extent;
  for (std::size_t p = 0; p < surface.pointCount(); ++p)
  {
    const double* x = &surface.points[3 * p];
    for (int axis = 0; axis < 3; ++axis)
    {
      if (!std::isfinite(x[axis]))
      {
        continue;
      }
      if (std::abs(x[axis]) > farthest)
      {
        std::ostringstream text;
        text << owner << "'s point " << p << " is at (" << x[0] << ", " << x[1] << ", " << x[2]
             << ") m; coordinates must be within " << farthest
             << " m of 0: mark what stands for no data as such (Threshold), or correct the unit";
        throw InvalidInput(text.str());
      }
      extent.low[axis] = std::min(extent.low[axis], x[axis]);
      extent.high[axis] = std::max(extent.high[axis], x[axis]);
    }
  }
  return extent;
}

/// A sentence if the map seems to be in degrees, with heights in metres.
void noteDegrees(const Extent& extent, std::vector<std::string>& notes)
{
  const double *low = extent.low, *high = extent.high;
  const bool onGlobe = low[0] >= -180 && high[0] <= 360 && low[1] >= -90 && high[1] <= 90;
  if (onGlobe && high[2] - low[2] > 3 * std::max(high[0] - low[0], high[1] - low[1]))
  {
    notes.push_back(
      "The relief is more than three times as high as the map is wide: if x and y are "
      "degrees, project the map to metres first (UTM, for instance).");
  }
}

std::string remedyFor(const TerrainOptions& options)
{
  return options.owner == TerrainOptions().owner
           ? "connect a surface, a grid or an image with heights"
           : "connect a body or a surface with polygons, or take it out of the connections";
}

/// With the seams of the options.
TerrainInput readPieces(vtkDataObject* data, const TerrainOptions& options)
{
  if (!std::isfinite(options.verticalScale) || options.verticalScale == 0)
  {
    std::ostringstream text;
    text << "vertical scale is " << options.verticalScale << "; it must be finite and not 0";
    throw InvalidInput(text.str());
  }
  if (std::isnan(options.seamTolerance))
  {
    throw InvalidInput(
      "seam tolerance is not a number; it must be a length in metres, 0 for tiles that "
      "meet exactly, or negative for automatic");
  }
  if (!data)
  {
    throw InvalidInput(options.owner + " is missing; " + remedyFor(options));
  }
  TerrainPieces pieces(options);
  pieces.surface.role = options.role;
  if (const std::string scaled = describeVerticalScale(options.owner, options.verticalScale);
      !scaled.empty())
  {
    pieces.warnings.push_back(scaled);
  }
  pieces.add(data);
  const std::int64_t filledSeams = options.seamTolerance == 0 ? 0 : pieces.fillGaps();
  const MapPoint origin = originBeside(data, options.owner, options.terrain);
  if (origin != MapPoint{ 0, 0, 0 })
  {
    for (std::size_t i = 0; i < pieces.surface.points.size(); ++i)
    {
      pieces.surface.points[i] += origin[i % 3];
    }
  }
  const Extent extent = checkedExtent(pieces.surface, options.owner);

  SeamOptions seams;
  seams.tolerance = options.seamTolerance;
  for (const TerrainBlock& block : pieces.blocks)
  {
    seams.tiles.push_back(block.firstTriangle);
  }
  SurfaceRepair repair = repairSurface(std::move(pieces.surface), seams);
  repair.report.closedSeams += filledSeams;
  if (repair.report.triangles == 0)
  {
    std::string text = options.owner + " has no triangles left";
    if (repair.report.inputTriangles > 0)
    {
      text +=
        " of " + std::to_string(repair.report.inputTriangles) + " (" + repair.report.text() + ")";
    }
    else if (pieces.missingHeights > 0)
    {
      text += " (" + std::to_string(pieces.missingHeights) + " heights are blanked or not finite)";
    }
    throw InvalidInput(text + "; it must have at least 1: " + remedyFor(options));
  }
  TerrainInput terrain;
  terrain.surface = std::move(repair.surface);
  terrain.twoSided = std::move(repair.twoSided);
  terrain.origin = origin;
  terrain.report = repair.report;
  terrain.missingHeights = pieces.missingHeights;
  terrain.notes = pieces.notes;
  terrain.warnings = pieces.warnings;
  noteDegrees(extent, terrain.notes);
  const std::string gap = tileGapWarning(data, options.owner);
  if (!gap.empty())
  {
    terrain.warnings.push_back(gap);
  }
  terrain.cellData = carryCellArrays(pieces, repair.inputTriangle, terrain.notes);
  return terrain;
}

std::int64_t trianglesFacingDown(const Surface& surface)
{
  std::int64_t down = 0;
  for (std::size_t t = 0; t < surface.triangleCount(); ++t)
  {
    const double* a = &surface.points[3 * surface.triangles[3 * t]];
    const double* b = &surface.points[3 * surface.triangles[3 * t + 1]];
    const double* c = &surface.points[3 * surface.triangles[3 * t + 2]];
    down += (b[0] - a[0]) * (c[1] - a[1]) < (b[1] - a[1]) * (c[0] - a[0]);
  }
  return down;
}

} // namespace

// Where tiles overlap, what seems a seam may join the border of one to the inside of the other, and turn it over.
TerrainInput readTerrain(vtkDataObject* data, const TerrainOptions& options)
{
  TerrainInput terrain = readPieces(data, options);
  const SurfaceRepairReport& report = terrain.report;
  if (report.singleValued || (report.closedSeams == 0 && report.snappedPoints == 0))
  {
    return terrain;
  }
  const std::int64_t down = trianglesFacingDown(terrain.surface);
  if (down == 0)
  {
    return terrain;
  }
  TerrainOptions exact = options;
  exact.seamTolerance = 0;
  TerrainInput apart = readPieces(data, exact);
  const std::int64_t turned = down - trianglesFacingDown(apart.surface);
  if (turned <= 0)
  {
    return terrain;
  }
  apart.warnings.push_back(
    "The tiles of the " + options.owner +
    " overlap, or are rougher at their borders than the seam tolerance: closing their seams would "
    "turn " +
    std::to_string(turned) + (turned == 1 ? " triangle" : " triangles") +
    " over, so they were left open; cut tiles at their common border, or set a smaller "
    "Seam Tolerance in a Terrain Surface (0: none is closed).");
  return apart;
}

Surface readTerrain(vtkDataObject* data, const TerrainOptions& options, SurfaceRepairReport& report)
{
  TerrainInput terrain = readTerrain(data, options);
  report = terrain.report;
  return std::move(terrain.surface);
}

} // namespace lapilli
