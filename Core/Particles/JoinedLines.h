/// @file
/// Segments in the order in which a pen would draw them: those of Slice and Feature Edges come in any.
#pragma once

#include <cstdint>
#include <vector>

namespace lapilli
{

/// Number of each point such that points at exactly the same place have the same one, the first's.
/// @param points x y z per point
/// @param onMap  whether x and y alone count
std::vector<std::int64_t> sharedPoints(const std::vector<double>& points, bool onMap);

/// The segments, joined where exactly two end at the same point, each chain from one of its ends; a closed one from its
/// first segment. Chains come in the order of their first segments, and are directed as those are. Segments without
/// length are left out.
/// @param points   x y z per point
/// @param segments two point numbers each
std::vector<std::int64_t> joinedLines(
  const std::vector<double>& points, const std::vector<std::int64_t>& segments);

} // namespace lapilli
