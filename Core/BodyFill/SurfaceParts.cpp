#include "BodyFill/SurfaceParts.h"

#include <algorithm>
#include <limits>

namespace lapilli
{
namespace
{

using Number = std::uint32_t;
constexpr Number kNone = std::numeric_limits<Number>::max();

/// Sets that are joined; the lowest member stands for its set.
class Sets
{
public:
  explicit Sets(std::size_t count)
    : parent_(count)
  {
    for (std::size_t i = 0; i < count; ++i)
      parent_[i] = static_cast<Number>(i);
  }
  Number of(Number i)
  {
    while (parent_[i] != i)
      i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(Number i, Number j)
  {
    i = of(i);
    j = of(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }

private:
  std::vector<Number> parent_;
};

} // namespace

double lengthOf(std::uint32_t edge, const std::vector<Vec3d>& points,
  const std::vector<TriangleCorners>& triangles, const SurfaceParts& parts)
{
  const Number h = parts.firstAtEdge[edge];
  return length(points[endOf(triangles, h)] - points[startOf(triangles, h)]);
}

SurfaceParts findParts(std::size_t points, const std::vector<TriangleCorners>& triangles)
{
  SurfaceParts parts;
  const auto halfEdges = static_cast<Number>(3 * triangles.size());
  const auto lower = [&](Number h) { return std::min(startOf(triangles, h), endOf(triangles, h)); };
  const auto upper = [&](Number h) { return std::max(startOf(triangles, h), endOf(triangles, h)); };

  // Half-edges in buckets by their lower point: those of one edge stand in the same.
  std::vector<Number> begin(points + 1, 0), order(halfEdges);
  for (Number h = 0; h < halfEdges; ++h)
    ++begin[lower(h) + 1];
  for (std::size_t p = 0; p < points; ++p)
    begin[p + 1] += begin[p];
  std::vector<Number> next(begin.begin(), begin.end() - 1);
  for (Number h = 0; h < halfEdges; ++h)
    order[next[lower(h)]++] = h;

  parts.edge.resize(halfEdges);
  Sets sets(triangles.size());
  std::vector<Number> disagree; // triangles at an edge along which two run the same way
  for (std::size_t p = 0; p < points; ++p)
  {
    const auto first = order.begin() + begin[p], last = order.begin() + begin[p + 1];
    std::sort(first, last,
      [&](Number g, Number h) { return upper(g) != upper(h) ? upper(g) < upper(h) : g < h; });
    for (auto i = first; i != last;)
    {
      auto j = i;
      while (j != last && upper(*j) == upper(*i))
        parts.edge[*j++] = static_cast<Number>(parts.triangles.size());
      const auto count = static_cast<Number>(j - i);
      parts.triangles.push_back(count);
      parts.firstAtEdge.push_back(*i);
      parts.boundaryEdges += count == 1;
      parts.nonManifoldEdges += count > 2;
      if (count == 2)
      {
        sets.join(i[0] / 3, i[1] / 3);
        if (senseOf(triangles, i[0]) == senseOf(triangles, i[1]))
          disagree.push_back(i[0] / 3);
      }
      i = j;
    }
  }

  parts.part.assign(triangles.size(), kNone);
  for (Number t = 0; t < triangles.size(); ++t)
  {
    const Number first = sets.of(t);
    parts.part[t] = first == t ? parts.partCount++ : parts.part[first];
  }
  parts.agrees.assign(parts.partCount, 1);
  for (const Number t : disagree)
    parts.agrees[parts.part[t]] = 0;
  return parts;
}

} // namespace lapilli
