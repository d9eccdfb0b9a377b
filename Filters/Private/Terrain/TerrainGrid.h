/// @file
/// Heights on a regular grid, before they are triangles or an image.
#pragma once

#include "AffineMap.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace lapilli
{

struct TerrainGrid
{
  std::int64_t columns = 0, rows = 0;
  AffineMap map;               ///< of cells; heights stand at their centres
  std::vector<double> heights; ///< [m], row after row; missing ones are NaN

  static constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

  double cellArea() const { return std::abs(map.determinant()); }

  /// Turns the order of columns and rows, not the terrain: columns go to +x (or, on a grid turned by a right angle, to
  /// either y), and rows to their left, so that cells wind upward.
  void setUpright();
};

} // namespace lapilli
