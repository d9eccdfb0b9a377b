/// @file
/// Rasters with heights at their cells' centres, cut into tiles, end half a cell short of one another: the gaps of one
/// cell between them.
///
///   gaps.add(tile); …
///   for (const RasterGaps::Square& square : gaps.squares()) …
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lapilli
{

/// The samples of one raster.
struct RasterTile
{
  std::array<double, 2> origin, stepI,
    stepJ;                      ///< [m], place of sample (0, 0) and the way to the next ones
  std::int64_t nx = 0, ny = 0;  ///< samples
  std::int64_t cellsPerRow = 0; ///< nx, or nx - 1 where the samples are points
  std::size_t block = 0;
};

class RasterGaps
{
public:
  /// A square between samples of several tiles, around as the squares within a tile.
  struct Square
  {
    std::int64_t points[4] = {}; ///< those that are there
    std::size_t blocks[4] = {};  ///< of them
    std::size_t count = 0;       ///< 3 or 4
    std::int64_t cell = 0;       ///< of the first, or the one beside it
  };

  /// @param pointOf (i, j) -> number of the sample's point, -1 where it is missing
  template <class PointOf>
  void add(const RasterTile& tile, const PointOf& pointOf)
  {
    const std::size_t number = this->place(tile);
    for (std::int64_t j = 0; j < tile.ny; ++j)
    {
      const bool wholeRow = j == 0 || j + 1 == tile.ny;
      for (std::int64_t i = 0; i < tile.nx; i += wholeRow || tile.nx == 1 ? 1 : tile.nx - 1)
      {
        this->addSample(number, i, j, pointOf(i, j));
      }
    }
  }

  /// Squares of which no tile has all corners in its range, by block. Tiles belong together where their steps are equal
  /// and their samples are on one grid, to a twentieth of a cell.
  std::vector<Square> squares() const;

private:
  struct Placed
  {
    RasterTile tile;
    std::size_t grid;      ///< the tiles on one grid
    std::int64_t atI, atJ; ///< of sample (0, 0) on it
    bool covers(std::int64_t i, std::int64_t j) const;
  };
  struct Key
  {
    std::size_t grid;
    std::int64_t i, j;
    bool operator==(const Key& b) const { return grid == b.grid && i == b.i && j == b.j; }
  };
  struct KeyHash
  {
    std::size_t operator()(const Key& key) const
    {
      return ((key.grid * 0x9e3779b97f4a7c15u) ^ static_cast<std::size_t>(key.i)) *
               0xbf58476d1ce4e5b9u ^
             static_cast<std::size_t>(key.j) * 0x94d049bb133111ebu;
    }
  };
  struct Sample
  {
    std::size_t tile;
    std::int64_t point;
  };

  std::size_t place(const RasterTile& tile);
  void addSample(std::size_t tile, std::int64_t i, std::int64_t j, std::int64_t point);
  bool findSquare(const Key& corner, Square& square) const;

  std::vector<Placed> tiles_;
  std::vector<std::size_t> grids_; ///< the first tile of each
  std::vector<Key> order_;         ///< samples as they came
  std::unordered_map<Key, Sample, KeyHash> samples_;
};

} // namespace lapilli
