#include "TerrainPieces.h"

#include "ArrayCopy.h"
#include "Error.h"
#include "HiddenCells.h"
#include "MapGrid.h"
#include "TerrainHeights.h"

#include <vtkDataSet.h>
#include <vtkRectilinearGrid.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace lapilli
{
namespace
{

std::string kindOf(vtkDataObject* data)
{
  return vtkRectilinearGrid::SafeDownCast(data) ? "a rectilinear grid" : "an image";
}

} // namespace

void TerrainPieces::addHeightField(vtkDataSet* data)
{
  const MapGrid grid = mapGridOf(options_.owner, data);
  if (grid.dimensions[2] != 1)
  {
    throw InvalidInput(
      options_.owner + " is a volume, " + kindOf(data) + " of " +
      std::to_string(grid.dimensions[0]) + " x " + std::to_string(grid.dimensions[1]) + " x " +
      std::to_string(grid.dimensions[2]) +
      " points; a height field must have 1 layer in z: use a Slice or a Contour of it");
  }
  const Heights heights = findHeights(options_, data);
  this->noteHeights(heights);

  // Samples: the points, or the cells' centres.
  const std::int64_t nx = grid.dimensions[0] - heights.onCells;
  const std::int64_t ny = grid.dimensions[1] - heights.onCells;
  const ArrayValues<double> values(heights.array);
  const std::vector<unsigned char> hiddenCell = hiddenCells(data);
  const std::vector<unsigned char> hiddenSample = heights.onCells ? hiddenCell : hiddenPoints(data);
  std::vector<std::int64_t> number(values.size(), -1);
  const double offset = heights.onCells ? 0.5 : 0;
  this->reserve(2 * values.size(), values.size());
  for (std::int64_t j = 0; j < ny; ++j)
  {
    for (std::int64_t i = 0; i < nx; ++i)
    {
      const std::int64_t sample = i + nx * j;
      if (isHidden(hiddenSample, sample) || !std::isfinite(values[sample]))
      {
        ++missingHeights;
        continue;
      }
      double xy[2];
      grid.place(static_cast<double>(i) + offset, static_cast<double>(j) + offset, xy);
      number[sample] = static_cast<std::int64_t>(surface.pointCount());
      surface.points.insert(
        surface.points.end(), { xy[0], xy[1], options_.verticalScale * values[sample] });
    }
  }

  for (std::int64_t j = 0; j + 1 < ny; ++j)
  {
    for (std::int64_t i = 0; i + 1 < nx; ++i)
    {
      const std::int64_t sample = i + nx * j; // also the cell, if the samples are cells
      const std::int64_t cellNumber = heights.onCells ? sample : i + (nx - 1) * j;
      if (!heights.onCells && isHidden(hiddenCell, cellNumber))
      {
        continue;
      }
      vtkTypeInt64 corners[4];
      std::size_t count = 0;
      for (const std::int64_t s : { sample, sample + 1, sample + nx + 1, sample + nx })
      {
        corners[count] = number[s];
        count += number[s] >= 0;
      }
      this->addCell(corners, count, 0, cellNumber);
    }
  }

  if (grid.x.empty()) // an image
  {
    RasterTile tile;
    double next[2];
    grid.place(offset, offset, tile.origin.data());
    grid.place(offset + 1, offset, next);
    tile.stepI = { next[0] - tile.origin[0], next[1] - tile.origin[1] };
    grid.place(offset, offset + 1, next);
    tile.stepJ = { next[0] - tile.origin[0], next[1] - tile.origin[1] };
    tile.nx = nx;
    tile.ny = ny;
    tile.cellsPerRow = heights.onCells ? nx : nx - 1;
    tile.block = blocks.size() - 1;
    gaps_.add(tile, [&](std::int64_t i, std::int64_t j) { return number[i + nx * j]; });
  }
}

std::int64_t TerrainPieces::fillGaps()
{
  std::set<std::pair<std::size_t, std::size_t>> seams;
  std::size_t block = blocks.size();
  const std::vector<RasterGaps::Square> squares = gaps_.squares();
  for (const RasterGaps::Square& square : squares)
  {
    if (block != square.blocks[0])
    {
      block = square.blocks[0];
      blocks.push_back({ blocks[block].cellData, cell.size(), surface.pointCount() });
    }
    vtkTypeInt64 corners[4];
    std::copy_n(square.points, square.count, corners);
    this->addCell(corners, square.count, 0, square.cell);
    for (std::size_t k = 1; k < square.count; ++k)
    {
      if (square.blocks[k] != block)
      {
        seams.emplace(std::min(block, square.blocks[k]), std::max(block, square.blocks[k]));
      }
    }
  }
  if (!squares.empty())
  {
    notes.push_back("Gaps of one cell between tiles of a raster were filled with " +
                    std::to_string(squares.size()) + (squares.size() == 1 ? " cell." : " cells."));
  }
  return static_cast<std::int64_t>(seams.size());
}

} // namespace lapilli
