/// @file
/// Whether a surface that faces up has one height over each place of the map.
#pragma once

#include "Terrain/RepairMesh.h"

#include <cstdint>
#include <vector>

namespace lapilli
{

/// Seen from above, triangles that all face up turn the same way, so how many of them lie over a place is how often
/// their common border winds around it: the border alone decides, whatever lies inside, for all parts together.
/// It is swept along y from corner to corner. Between two neighbouring y a crossing of border edges shows as a change of
/// their order, so the winding along the middle is that of the whole strip.
///
/// Proved, up to 1e-9 of the map's extent: overlaps narrower than that are not seen.
/// @param border  half-edges without partner
/// @param flipped per triangle: it is wound the other way
/// @return false also where the border is so long and ragged that the sweep would take more than some seconds
bool isSingleSheet(const RepairMesh& mesh, const std::vector<std::uint32_t>& border,
  const std::vector<std::uint8_t>& flipped);

} // namespace lapilli
