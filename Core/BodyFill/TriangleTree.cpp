#include "BodyFill/TriangleTree.h"

#include "Math/TriangleMeasures.h"

#include <algorithm>
#include <utility>

namespace lapilli
{
namespace
{

constexpr std::uint32_t kMostInLeaf = 6;
constexpr int kMostDepth = 64;

/// 21 bits apart by two zeros.
std::uint64_t spread(std::uint64_t bits)
{
  bits = (bits | bits << 32) & 0x1f00000000ffffu;
  bits = (bits | bits << 16) & 0x1f0000ff0000ffu;
  bits = (bits | bits << 8) & 0x100f00f00f00f00fu;
  bits = (bits | bits << 4) & 0x10c30c30c30c30c3u;
  return (bits | bits << 2) & 0x1249249249249249u;
}

/// Place on the Morton curve through a box.
struct MortonCurve
{
  Vec3d lower, scale;

  explicit MortonCurve(const Box& box)
    : lower(box.lower)
    , scale{ perExtent(box.upper.x - box.lower.x), perExtent(box.upper.y - box.lower.y),
      perExtent(box.upper.z - box.lower.z) }
  {
  }
  std::uint64_t operator()(const Vec3d& p) const
  {
    return spread(cell((p.x - lower.x) * scale.x)) | spread(cell((p.y - lower.y) * scale.y)) << 1 |
           spread(cell((p.z - lower.z) * scale.z)) << 2;
  }

private:
  static constexpr double kMost = 0x1fffff;
  static double perExtent(double extent) { return extent > 0 ? kMost / extent : 0; }
  static std::uint64_t cell(double x)
  {
    return static_cast<std::uint64_t>(std::clamp(x, 0.0, kMost)); // 0 also for what is no number
  }
};

double squaredDistance(const Box& box, const Vec3d& p)
{
  const Vec3d away{ std::max({ box.lower.x - p.x, 0.0, p.x - box.upper.x }),
    std::max({ box.lower.y - p.y, 0.0, p.y - box.upper.y }),
    std::max({ box.lower.z - p.z, 0.0, p.z - box.upper.z }) };
  return squaredLength(away);
}

/// Slabs: Kay, Kajiya, SIGGRAPH 1986, 269-278.
bool meets(const Box& box, const Vec3d& origin, const Vec3d& perDirection)
{
  double from = 0, to = Box::kFar;
  const auto cut = [&](double lower, double upper, double start, double perUnit)
  {
    const double s = (lower - start) * perUnit, t = (upper - start) * perUnit;
    from = std::max(from, std::min(s, t));
    to = std::min(to, std::max(s, t));
  };
  cut(box.lower.x, box.upper.x, origin.x, perDirection.x);
  cut(box.lower.y, box.upper.y, origin.y, perDirection.y);
  cut(box.lower.z, box.upper.z, origin.z, perDirection.z);
  return from <= to;
}

/// T. Moeller, B. Trumbore, J. Graphics Tools 2(1) (1997) 21-28.
bool crosses(const PlainTriangle& t, const Vec3d& origin, const Vec3d& direction)
{
  const Vec3d ab = t.b - t.a, ac = t.c - t.a;
  const Vec3d p = cross(direction, ac);
  const double det = dot(ab, p);
  if (det == 0)
    return false;
  const Vec3d s = origin - t.a;
  const double u = dot(s, p) / det;
  const Vec3d q = cross(s, ab);
  const double v = dot(direction, q) / det;
  return u >= 0 && v >= 0 && u + v <= 1 && dot(ac, q) / det > 0;
}

} // namespace

TriangleTree::TriangleTree(
  const std::vector<Vec3d>& points, const std::vector<TriangleCorners>& triangles)
{
  const auto count = static_cast<std::uint32_t>(triangles.size());
  if (count == 0)
    return;
  const auto corners = [&](std::uint32_t t)
  {
    return PlainTriangle{ points[triangles[t][0]], points[triangles[t][1]],
      points[triangles[t][2]] };
  };
  const auto middle = [&](const PlainTriangle& t) { return 1.0 / 3 * (t.a + t.b + t.c); };
  Box all;
  for (std::uint32_t t = 0; t < count; ++t)
    all += middle(corners(t));
  const MortonCurve curve(all);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order(count);
  for (std::uint32_t t = 0; t < count; ++t)
    order[t] = { curve(middle(corners(t))), t };
  std::sort(order.begin(), order.end());

  triangles_.reserve(count);
  number_.reserve(count);
  for (const auto& entry : order)
  {
    triangles_.push_back(corners(entry.second));
    number_.push_back(entry.second);
  }
  while (std::uint64_t(leaves_) * kMostInLeaf < count)
    leaves_ *= 2;
  boxes_.resize(2 * std::size_t(leaves_));
  for (std::uint32_t node = 2 * leaves_ - 1; node >= 1; --node)
  {
    Box& box = boxes_[node];
    if (node < leaves_)
    {
      box += boxes_[2 * node];
      box += boxes_[2 * node + 1];
      continue;
    }
    for (std::uint32_t i = begin(node); i < end(node); ++i)
    {
      box += triangles_[i].a;
      box += triangles_[i].b;
      box += triangles_[i].c;
    }
  }
}

double TriangleTree::distance(const Vec3d& p, double reach, double slack) const
{
  if (empty())
    return reach;
  double best = reach * reach;
  const double prune = slack * slack;
  struct Entry
  {
    std::uint32_t node;
    double square;
  };
  Entry stack[kMostDepth];
  int size = 0;
  stack[size++] = { 1, squaredDistance(boxes_[1], p) };
  while (size > 0)
  {
    const Entry entry = stack[--size];
    if (!(entry.square * prune < best))
      continue;
    if (entry.node >= leaves_)
    {
      for (std::uint32_t i = begin(entry.node); i < end(entry.node); ++i)
      {
        const PlainTriangle& t = triangles_[i];
        best = std::min(best, squaredLength(p - nearestOnTriangle(p, t.a, t.b, t.c)));
      }
      continue;
    }
    Entry near{ 2 * entry.node, squaredDistance(boxes_[2 * entry.node], p) };
    Entry far{ 2 * entry.node + 1, squaredDistance(boxes_[2 * entry.node + 1], p) };
    if (far.square < near.square)
      std::swap(near, far);
    stack[size++] = far;
    stack[size++] = near;
  }
  return std::min(reach, std::sqrt(best));
}

int TriangleTree::crossings(
  const Vec3d& origin, const Vec3d& direction, std::uint32_t without) const
{
  if (empty())
    return 0;
  const Vec3d perDirection{ 1 / direction.x, 1 / direction.y, 1 / direction.z };
  int count = 0;
  std::uint32_t stack[kMostDepth];
  int size = 0;
  stack[size++] = 1;
  while (size > 0)
  {
    const std::uint32_t node = stack[--size];
    if (!meets(boxes_[node], origin, perDirection))
      continue;
    if (node < leaves_)
    {
      stack[size++] = 2 * node;
      stack[size++] = 2 * node + 1;
      continue;
    }
    for (std::uint32_t i = begin(node); i < end(node); ++i)
      count += number_[i] != without && crosses(triangles_[i], origin, direction);
  }
  return count;
}

RowDistance::Answer RowDistance::operator()(const Vec3d& place, std::int64_t m, std::int64_t most)
{
  constexpr double kSlack = 1.5; // from the middle of a sphere all its triangles are nearest
  const double reach = atMost_ + static_cast<double>(m - known_) * step_;
  atMost_ = tree_.distance(place, reach, kSlack);
  known_ = m;
  double atLeast = atMost_ / kSlack;
  if (atLeast < limit_ && atMost_ >= limit_)
    atLeast = atMost_ = tree_.distance(place, atMost_);
  const bool isFar = atLeast >= limit_;
  const double alike = isFar ? std::floor((atLeast - limit_) / step_) + 1
                             : std::max(1.0, std::ceil((limit_ - atMost_) / step_));
  return { isFar, static_cast<std::int64_t>(std::min(alike, static_cast<double>(most))) };
}

} // namespace lapilli
