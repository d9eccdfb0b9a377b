#include "RasterGaps.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace lapilli
{
namespace
{

/// What still counts as one grid, of a cell: float32 at 9 million metres rounds to 0.5 m.
constexpr double tolerance = 0.05;

bool areEqual(const std::array<double, 2>& a, const std::array<double, 2>& b, std::int64_t count)
{
  const double length = std::hypot(a[0], a[1]);
  return std::hypot(a[0] - b[0], a[1] - b[1]) * static_cast<double>(count) <= tolerance * length;
}

} // namespace

bool RasterGaps::Placed::covers(std::int64_t i, std::int64_t j) const
{
  return i >= atI && i + 1 < atI + tile.nx && j >= atJ && j + 1 < atJ + tile.ny;
}

std::size_t RasterGaps::place(const RasterTile& tile)
{
  for (std::size_t g = 0; g < grids_.size(); ++g)
  {
    const RasterTile& first = tiles_[grids_[g]].tile;
    if (!areEqual(first.stepI, tile.stepI, std::max(first.nx, tile.nx)) ||
        !areEqual(first.stepJ, tile.stepJ, std::max(first.ny, tile.ny)))
    {
      continue;
    }
    const double x = tile.origin[0] - first.origin[0], y = tile.origin[1] - first.origin[1];
    const double det = first.stepI[0] * first.stepJ[1] - first.stepI[1] * first.stepJ[0];
    const double i = (x * first.stepJ[1] - y * first.stepJ[0]) / det;
    const double j = (first.stepI[0] * y - first.stepI[1] * x) / det;
    constexpr double farthest = 1 << 30;
    if (std::abs(i) < farthest && std::abs(j) < farthest &&
        std::abs(i - std::round(i)) <= tolerance && std::abs(j - std::round(j)) <= tolerance)
    {
      tiles_.push_back({ tile, g, std::llround(i), std::llround(j) });
      return tiles_.size() - 1;
    }
  }
  grids_.push_back(tiles_.size());
  tiles_.push_back({ tile, grids_.size() - 1, 0, 0 });
  return tiles_.size() - 1;
}

void RasterGaps::addSample(std::size_t tile, std::int64_t i, std::int64_t j, std::int64_t point)
{
  const Key key{ tiles_[tile].grid, tiles_[tile].atI + i, tiles_[tile].atJ + j };
  if (point >= 0 && samples_.emplace(key, Sample{ tile, point }).second)
  {
    order_.push_back(key);
  }
}

bool RasterGaps::findSquare(const Key& corner, Square& square) const
{
  constexpr std::int64_t around[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };
  square.count = 0;
  std::size_t first = 0;
  bool several = false;
  for (const auto& step : around)
  {
    const auto found = samples_.find({ corner.grid, corner.i + step[0], corner.j + step[1] });
    if (found == samples_.end())
    {
      continue;
    }
    const Placed& placed = tiles_[found->second.tile];
    if (placed.covers(corner.i, corner.j))
    {
      return false;
    }
    if (square.count == 0)
    {
      first = found->second.tile;
      const bool samplesArePoints = placed.tile.cellsPerRow < placed.tile.nx;
      // A single row or column of points has cells of one dimension.
      const std::int64_t columns = std::max<std::int64_t>(1, placed.tile.cellsPerRow),
                         rows = std::max<std::int64_t>(1, placed.tile.ny - samplesArePoints),
                         i = std::min(found->first.i - placed.atI, columns - 1),
                         j = std::min(found->first.j - placed.atJ, rows - 1);
      square.cell = i + columns * j;
    }
    square.blocks[square.count] = placed.tile.block;
    several |= found->second.tile != first;
    square.points[square.count++] = found->second.point;
  }
  return square.count >= 3 && several;
}

std::vector<RasterGaps::Square> RasterGaps::squares() const
{
  std::vector<Square> squares;
  if (tiles_.size() < 2)
  {
    return squares;
  }
  std::unordered_set<Key, KeyHash> seen;
  for (const Key& sample : order_)
  {
    for (const std::int64_t j : { sample.j - 1, sample.j })
    {
      for (const std::int64_t i : { sample.i - 1, sample.i })
      {
        Square square;
        const Key corner{ sample.grid, i, j };
        if (!tiles_[samples_.at(sample).tile].covers(i, j) && seen.insert(corner).second &&
            this->findSquare(corner, square))
        {
          squares.push_back(square);
        }
      }
    }
  }
  std::stable_sort(squares.begin(), squares.end(),
    [](const Square& a, const Square& b) { return a.blocks[0] < b.blocks[0]; });
  return squares;
}

} // namespace lapilli
