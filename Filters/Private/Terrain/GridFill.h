/// @file
/// Heights where there are none.
#pragma once

#include "TerrainGrid.h"

namespace lapilli
{

/// Fills missing heights that are enclosed by others, up to so many cells from them, by interpolation; beyond the edge of the
/// data that would be extrapolation.
/// @return how many
std::int64_t fillEnclosed(TerrainGrid& grid, int distance);

} // namespace lapilli
