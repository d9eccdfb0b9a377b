/// @file
/// Which triangles of a mesh must be turned, by propagation within a part and by what the part is.
#pragma once

#include "Scene.h"
#include "Terrain/SheetParts.h"

#include <cstdint>
#include <vector>

namespace lapilli
{

struct Orientation
{
  std::vector<std::uint8_t> flipped;  ///< per triangle: 1 where it must be turned
  std::vector<std::uint8_t> twoSided; ///< per triangle: 1 in two-sided parts
  std::int64_t flippedTriangles = 0;
  std::int64_t nonOrientableParts = 0, twoSidedParts = 0;
  /// Every part has a side, and every triangle, turned, faces up: its normal rises by more than 1e-9.
  bool facesUp = false;
};

/// @param parts its `turned` becomes `flipped`
Orientation orient(const RepairMesh& mesh, SheetParts& parts, SurfaceRole role);

} // namespace lapilli
