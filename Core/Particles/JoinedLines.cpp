#include "Particles/JoinedLines.h"

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>

namespace lapilli
{

std::vector<std::int64_t> sharedPoints(const std::vector<double>& points, bool onMap)
{
  const auto place = [&points, onMap](std::int64_t p)
  {
    const double* x = &points[3 * static_cast<std::size_t>(p)];
    return std::array<double, 3>{ x[0], x[1], onMap ? 0 : x[2] };
  };
  std::vector<std::int64_t> order(points.size() / 3), shared(order.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
    [&place](std::int64_t a, std::int64_t b) { return place(a) < place(b); });
  for (std::size_t i = 0; i < order.size(); ++i)
  {
    const bool isSame = i > 0 && place(order[i]) == place(order[i - 1]);
    shared[order[i]] = isSame ? shared[order[i - 1]] : order[i];
  }
  return shared;
}

namespace
{

/// Which segments end at a point: as many as there are, but no more than two by number.
struct Ends
{
  std::int64_t count = 0;
  std::int64_t segment[2] = { -1, -1 };
};

} // namespace

std::vector<std::int64_t> joinedLines(
  const std::vector<double>& points, const std::vector<std::int64_t>& segments)
{
  const std::vector<std::int64_t> shared = sharedPoints(points, false);
  const auto end = [&](std::int64_t segment, int which)
  { return shared[segments[2 * static_cast<std::size_t>(segment) + which]]; };
  const auto segmentCount = static_cast<std::int64_t>(segments.size() / 2);
  std::vector<Ends> endsAt(shared.size());
  std::vector<bool> isUsed(segmentCount, false);
  for (std::int64_t s = 0; s < segmentCount; ++s)
  {
    isUsed[s] = end(s, 0) == end(s, 1);
    for (int which = 0; which < 2 && !isUsed[s]; ++which)
    {
      Ends& ends = endsAt[end(s, which)];
      if (ends.count < 2)
      {
        ends.segment[ends.count] = s;
      }
      ++ends.count;
    }
  }

  // The chain's points; it grows at its end, then at its beginning.
  const auto next = [&](std::int64_t point)
  {
    const Ends& ends = endsAt[point];
    for (int i = 0; i < 2 && ends.count == 2; ++i)
    {
      const std::int64_t s = ends.segment[i];
      if (!isUsed[s])
      {
        isUsed[s] = true;
        return end(s, 0) == point ? end(s, 1) : end(s, 0);
      }
    }
    return std::int64_t(-1);
  };
  std::vector<std::int64_t> joined;
  joined.reserve(segments.size());
  for (std::int64_t s = 0; s < segmentCount; ++s)
  {
    if (isUsed[s])
    {
      continue;
    }
    isUsed[s] = true;
    std::deque<std::int64_t> chain{ end(s, 0), end(s, 1) };
    for (std::int64_t p = next(chain.back()); p >= 0; p = next(p))
    {
      chain.push_back(p);
    }
    for (std::int64_t p = next(chain.front()); p >= 0; p = next(p))
    {
      chain.push_front(p);
    }
    for (std::size_t i = 0; i + 1 < chain.size(); ++i)
    {
      joined.insert(joined.end(), { chain[i], chain[i + 1] });
    }
  }
  return joined;
}

} // namespace lapilli
