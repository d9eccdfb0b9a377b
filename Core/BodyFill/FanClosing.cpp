#include "BodyFill/FanClosing.h"

#include "Math/TriangleMeasures.h"

#include <algorithm>

namespace lapilli
{
namespace
{

Fan fanOver(std::vector<std::uint32_t> curve, const std::vector<Vec3d>& points)
{
  Fan fan;
  fan.curve = std::move(curve);
  const std::size_t count = fan.curve.size();
  const auto point = [&](std::size_t i) -> const Vec3d& { return points[fan.curve[i % count]]; };
  // About the first point: far from the origin the middle keeps its digits.
  Vec3d sum;
  double around = 0;
  for (std::size_t i = 0; i < count; ++i)
  {
    const double size = length(point(i + 1) - point(i));
    sum += size * 0.5 * ((point(i) - point(0)) + (point(i + 1) - point(0)));
    around += size;
  }
  fan.middle = point(0) + (around > 0 ? 1 / around : 0.0) * sum;
  for (std::size_t i = 0; i < count; ++i)
    fan.area += 0.5 * length(areaVector(fan.middle, point(i), point(i + 1)));
  return fan;
}

} // namespace

FanClosing::FanClosing(const std::vector<Vec3d>& points)
  : points_(points)
  , next_(points.size(), 0)
  , onCurve_(points.size(), -1)
{
}

std::vector<Fan> FanClosing::close(std::vector<std::pair<std::uint32_t, std::uint32_t>>& boundary)
{
  std::vector<Fan> fans;
  std::sort(boundary.begin(), boundary.end());
  const auto count = static_cast<std::uint32_t>(boundary.size());
  for (std::uint32_t i = count; i-- > 0;)
    next_[boundary[i].first] = i;
  std::vector<std::uint32_t> path;
  for (std::uint32_t i = 0; i < count; ++i)
  {
    const std::uint32_t start = boundary[i].first;
    if (next_[start] > i) // walked before
      continue;
    path.assign(1, start);
    onCurve_[start] = 0;
    for (std::uint32_t at = start; next_[at] < count && boundary[next_[at]].first == at;)
    {
      const std::uint32_t to = boundary[next_[at]++].second;
      if (onCurve_[to] < 0)
      {
        onCurve_[to] = static_cast<std::int32_t>(path.size());
        path.push_back(to);
      }
      else
      {
        const auto closing = path.begin() + onCurve_[to];
        for (auto p = closing + 1; p != path.end(); ++p)
          onCurve_[*p] = -1;
        fans.push_back(fanOver({ closing, path.end() }, points_));
        path.erase(closing + 1, path.end());
      }
      at = to;
    }
    for (const std::uint32_t p : path)
      onCurve_[p] = -1;
  }
  return fans;
}

double sixfoldVolume(const Fan& fan, const std::vector<Vec3d>& points, const Vec3d& about)
{
  double sum = 0;
  for (std::size_t i = 0; i < fan.curve.size(); ++i)
  {
    const Vec3d& from = points[fan.curve[i]];
    const Vec3d& to = points[fan.curve[(i + 1) % fan.curve.size()]];
    sum += dot(areaVector(fan.middle, to, from), fan.middle - about);
  }
  return sum;
}

} // namespace lapilli
