/// @file
/// Which points of a surface are at the same place.
#pragma once

#include <cstdint>
#include <vector>

namespace lapilli
{

struct PointMerge
{
  /// Per point the first at its place, RepairMesh::kNone where it is not finite. Empty: each is the only
  /// one at its place, and all are finite.
  std::vector<std::uint32_t> first;
  double largest = 0; ///< [m], magnitude of the largest finite coordinate of a finite point

  std::int64_t merged = 0;          ///< points with an earlier one at their place
  std::int64_t nonFinite = 0;       ///< points that are NaN or infinite
  std::int64_t firstNonFinite = -1; ///< number of the first of them, -1 for none

  std::uint32_t of(std::size_t point) const
  {
    return first.empty() ? static_cast<std::uint32_t>(point) : first[point];
  }
};

/// Coordinates are compared exactly; -0 is 0.
/// @param points x y z per point
PointMerge mergePoints(const std::vector<double>& points);

} // namespace lapilli
