/// @file
/// The parts of a mesh: triangles joined by edges of exactly two triangles, and whether they agree on a side.
#pragma once

#include "Terrain/RepairMesh.h"

#include <cstdint>
#include <vector>

namespace lapilli
{

/// Parts are numbered by their first triangles.
struct SheetParts
{
  std::vector<std::uint32_t> part;      ///< per triangle
  std::vector<std::uint8_t> turned;     ///< per triangle: wound against the first of its part
  std::vector<std::uint8_t> orientable; ///< per part: `turned` makes all agree
  std::vector<std::uint8_t> closed;     ///< per part: without boundary
  std::vector<std::int64_t> rims;       ///< per part: closed curves of boundary edges
  std::vector<std::uint32_t>
    first; ///< per part: its triangles are order[first[part]] … up to the next
  std::vector<std::uint32_t> order;     ///< triangles by part, ascending; empty: there is one part
  std::vector<std::uint32_t> freeEdges; ///< half-edges without partner, ascending

  std::size_t count() const { return orientable.size(); }
  std::size_t triangle(std::size_t place) const { return order.empty() ? place : order[place]; }
};

/// @param mesh with partners
SheetParts findParts(const RepairMesh& mesh);

} // namespace lapilli
