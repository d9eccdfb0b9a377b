/// @file
/// From the coordinates of a raster's file to those of a terrain in metres.
#pragma once

#include "Gdal.h"
#include "TerrainGrid.h"

#include <functional>

namespace lapilli
{

/// The grid that a raster gets in another system: from the north down, square cells, about as many of them.
/// Without heights.
TerrainGrid suggestGrid(
  std::int64_t columns, std::int64_t rows, const AffineMap& map, const Crs& from, const Crs& to);

/// Fills the heights of `target` by bilinear resampling; NaN is missing in both.
/// @param goOn called with a fraction of 0 to 1; false stops
void warp(TerrainGrid& source, const Crs& from, TerrainGrid& target, const Crs& to,
  const std::function<bool(double)>& goOn);

} // namespace lapilli
