#include "GridFill.h"

#include "Error.h"
#include "Gdal.h"
#include "MemoryRaster.h"

#include <gdal_alg.h>

#include <algorithm>
#include <cmath>

namespace lapilli
{

namespace
{

/// 1 per missing height that can be reached from the grid's edge through missing ones, sides or corners.
std::vector<std::uint8_t> findOutside(const TerrainGrid& grid)
{
  std::vector<std::uint8_t> outside(grid.heights.size(), 0);
  std::vector<std::int64_t> open;
  const auto visit = [&](std::int64_t column, std::int64_t row)
  {
    const std::int64_t cell = row * grid.columns + column;
    if (outside[cell] == 0 && std::isnan(grid.heights[cell]))
    {
      outside[cell] = 1;
      open.push_back(cell);
    }
  };
  for (std::int64_t column = 0; column < grid.columns; ++column)
  {
    visit(column, 0);
    visit(column, grid.rows - 1);
  }
  for (std::int64_t row = 0; row < grid.rows; ++row)
  {
    visit(0, row);
    visit(grid.columns - 1, row);
  }
  while (!open.empty())
  {
    const std::int64_t column = open.back() % grid.columns, row = open.back() / grid.columns;
    open.pop_back();
    for (std::int64_t r = std::max<std::int64_t>(row - 1, 0); r <= std::min(row + 1, grid.rows - 1);
         ++r)
    {
      for (std::int64_t k = std::max<std::int64_t>(column - 1, 0);
           k <= std::min(column + 1, grid.columns - 1); ++k)
      {
        visit(k, r);
      }
    }
  }
  return outside;
}

} // namespace

std::int64_t fillEnclosed(TerrainGrid& grid, int distance)
{
  const std::vector<std::uint8_t> outside = findOutside(grid);
  std::vector<std::uint8_t> known(grid.heights.size());
  std::vector<double> filled =
    grid.heights; // GDAL works in single precision, also on what is known
  bool anyEnclosed = false;
  for (std::size_t cell = 0; cell < filled.size(); ++cell)
  {
    known[cell] = !std::isnan(filled[cell]);
    anyEnclosed = anyEnclosed || (!known[cell] && !outside[cell]);
  }
  if (!anyEnclosed)
  {
    return 0;
  }
  const GdalDataset heights = memoryRaster(grid.columns, grid.rows, filled.data());
  const GdalDataset mask = memoryRaster(grid.columns, grid.rows, known.data());
  GdalErrors errors;
  char* options[] = { const_cast<char*>("TEMP_FILE_DRIVER=MEM"), nullptr };
  if (GDALFillNodata(GDALGetRasterBand(heights.get(), 1), GDALGetRasterBand(mask.get(), 1),
        distance, 0, 0, options, nullptr, nullptr) != CE_None)
  {
    throw Error("the holes were not filled" + errors.inBrackets() + ": turn Fill Holes off");
  }
  std::int64_t count = 0;
  for (std::size_t cell = 0; cell < filled.size(); ++cell)
  {
    if (!outside[cell] && !known[cell] && !std::isnan(filled[cell])) // NaN: beyond the distance
    {
      grid.heights[cell] = filled[cell];
      ++count;
    }
  }
  return count;
}

} // namespace lapilli
