/// @file
/// The triangles of a surface while it is repaired: flat arrays of 32-bit numbers. Half-edges are numbered
/// 3 t + k, from corner k of triangle t to corner k + 1.
#pragma once

#include "Math/Vec.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace lapilli
{

struct RepairMesh
{
  using Number = std::uint32_t;

  /// What a half-edge has instead of a partner, and what a point that is not finite has instead of a number.
  static constexpr Number kNone = std::numeric_limits<Number>::max();
  /// What a half-edge has that is the only one of its edge; kNone: its edge has three or more.
  static constexpr Number kBoundary = kNone - 1;
  /// Items of one block of a loop: a pass over one is some ten microseconds.
  static constexpr std::size_t kBlock = 1 << 15;

  const double* coordinates = nullptr; ///< x y z per point of the input
  std::size_t points = 0;
  std::vector<Number> corners; ///< three per triangle, merged
  std::vector<Number> source;  ///< per triangle: its number in the input; empty: its own
  std::vector<Number> partner; ///< per half-edge: the other of its edge, kBoundary or kNone

  std::size_t triangles() const { return corners.size() / 3; }
  std::size_t sourceOf(std::size_t triangle) const
  {
    return source.empty() ? triangle : source[triangle];
  }

  Vec3d point(Number p) const
  {
    const double* x = coordinates + 3 * static_cast<std::size_t>(p);
    return { x[0], x[1], x[2] };
  }
  Vec3d corner(std::size_t triangle, int k) const { return point(corners[3 * triangle + k]); }

  Number start(std::size_t halfEdge) const { return corners[halfEdge]; }
  Number end(std::size_t halfEdge) const { return corners[next(halfEdge)]; }
  /// The corner that does not lie on it.
  Number opposite(std::size_t halfEdge) const { return corners[next(next(halfEdge))]; }
  bool hasPartner(std::size_t halfEdge) const { return partner[halfEdge] < kBoundary; }
  static std::size_t next(std::size_t halfEdge)
  {
    return halfEdge % 3 == 2 ? halfEdge - 2 : halfEdge + 1;
  }

  /// Normal times twice the area.
  Vec3d areaVector(std::size_t t) const
  {
    const Vec3d a = corner(t, 0);
    return cross(corner(t, 1) - a, corner(t, 2) - a);
  }

  /// Keeps the triangles that are marked, in their order, and forgets the partners.
  void keepOnly(const std::vector<std::uint8_t>& keep)
  {
    if (source.empty())
    {
      source.resize(keep.size());
      std::iota(source.begin(), source.end(), Number(0));
    }
    std::size_t kept = 0;
    for (std::size_t t = 0; t < keep.size(); ++t)
    {
      if (keep[t])
      {
        std::copy_n(&corners[3 * t], 3, &corners[3 * kept]);
        source[kept++] = source[t];
      }
    }
    corners.resize(3 * kept);
    source.resize(kept);
    partner.clear();
  }
};

} // namespace lapilli
