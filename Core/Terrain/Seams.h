/// @file
/// Closes what is open between tiles of one surface: border points that nearly coincide, and borders on which one
/// tile has more points than the other.
#pragma once

#include "Terrain/EdgePairing.h"
#include "Terrain/RepairMesh.h"

#include <cstdint>
#include <vector>

namespace lapilli
{

struct SeamCounts
{
  std::int64_t closed = 0;    ///< pairs of tiles between which something was joined
  std::int64_t snapped = 0;   ///< border points put onto one of another tile
  std::int64_t flattened = 0; ///< triangles of which two corners became one; gone
  std::int64_t split = 0;     ///< border edges divided at points of another tile
  double largestSnap = 0;     ///< [m], how far a point was put
  double openLength =
    0; ///< [m], of border edges that run along another tile, and are not joined to it
};

/// Works on border points and border edges alone; the points inside the tiles stay where they are.
/// @param mesh      with partners, which are set anew where something was joined
/// @param edges     of the mesh, counted anew then
/// @param tileOf    per triangle of the input
/// @param tolerance [m], > 0; negative: automatic, see SeamOptions
SeamCounts closeSeams(
  RepairMesh& mesh, EdgeCounts& edges, const std::vector<std::uint32_t>& tileOf, double tolerance);

} // namespace lapilli
