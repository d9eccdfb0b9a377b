/// @file
/// Which half-edges are one edge, and which triangles are there twice.
#pragma once

#include "Terrain/RepairMesh.h"

#include <cstdint>

namespace lapilli
{

struct EdgeCounts
{
  std::int64_t boundary = 0;           ///< edges of one triangle
  std::int64_t nonManifold = 0;        ///< edges of three or more
  std::int64_t duplicateTriangles = 0; ///< dropped, same points as an earlier one, however wound
};

/// Drops what is there twice and sets the partners of the rest.
/// @param mesh triangles with three different corners
EdgeCounts pairEdges(RepairMesh& mesh);

} // namespace lapilli
