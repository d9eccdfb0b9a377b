#include "BodyFill/WindingNumber.h"

#include "Math/TriangleMeasures.h"

#include <algorithm>

namespace lapilli
{
namespace
{

constexpr double kFourPi = 4 * 3.14159265358979323846;
constexpr int kMostDepth = 64;

double farthestCorner(const Box& box, const Vec3d& p)
{
  const Vec3d away{ std::max(p.x - box.lower.x, box.upper.x - p.x),
    std::max(p.y - box.lower.y, box.upper.y - p.y),
    std::max(p.z - box.lower.z, box.upper.z - p.z) };
  return length(away);
}

} // namespace

WindingNumber::WindingNumber(
  const std::vector<Vec3d>& points, const std::vector<TriangleCorners>& triangles, double accuracy)
  : tree_(points, triangles)
{
  if (tree_.empty())
    return;
  const std::uint32_t leaves = tree_.firstLeaf();
  groups_.resize(2 * std::size_t(leaves));
  std::vector<double> size(groups_.size(), 0); // [m^2] twice the area
  for (std::uint32_t node = 2 * leaves - 1; node >= 1; --node)
  {
    Group& group = groups_[node];
    group = {};
    if (node < leaves)
    {
      const std::uint32_t children[] = { 2 * node, 2 * node + 1 };
      for (const std::uint32_t child : children)
      {
        size[node] += size[child];
        group.area += groups_[child].area;
        group.middle += size[child] * groups_[child].middle;
      }
      group.middle = size[node] > 0 ? 1 / size[node] * group.middle : groups_[2 * node].middle;
      for (const std::uint32_t child : children)
      {
        // Moments about the child's middle, shifted.
        const Group& part = groups_[child];
        const Vec3d shift = part.middle - group.middle;
        group.moment[0] += part.moment[0] + part.area.x * shift;
        group.moment[1] += part.moment[1] + part.area.y * shift;
        group.moment[2] += part.moment[2] + part.area.z * shift;
      }
    }
    else
    {
      for (std::uint32_t i = tree_.begin(node); i < tree_.end(node); ++i)
      {
        const PlainTriangle& t = tree_.triangle(i);
        const Vec3d area = 0.5 * areaVector(t.a, t.b, t.c);
        size[node] += 2 * length(area);
        group.area += area;
        group.middle += 2 * length(area) / 3 * (t.a + t.b + t.c);
      }
      group.middle =
        size[node] > 0 ? 1 / size[node] * group.middle : tree_.triangle(tree_.begin(node)).a;
      for (std::uint32_t i = tree_.begin(node); i < tree_.end(node); ++i)
      {
        const PlainTriangle& t = tree_.triangle(i);
        const Vec3d area = 0.5 * areaVector(t.a, t.b, t.c);
        const Vec3d arm = 1.0 / 3 * (t.a + t.b + t.c) - group.middle;
        group.moment[0] += area.x * arm;
        group.moment[1] += area.y * arm;
        group.moment[2] += area.z * arm;
      }
    }
    const double reach = accuracy * farthestCorner(tree_.box(node), group.middle);
    group.reach = reach * reach;
  }
}

double WindingNumber::operator()(const Vec3d& q) const
{
  if (tree_.empty())
    return 0;
  double angle = 0; // [sr]
  std::uint32_t stack[kMostDepth];
  int size = 0;
  stack[size++] = 1;
  while (size > 0)
  {
    const std::uint32_t node = stack[--size];
    const Group& group = groups_[node];
    const Vec3d d = group.middle - q;
    const double square = squaredLength(d);
    if (square > group.reach)
    {
      // Integral of n . f over the triangles with f(x) = (x - q) / |x - q|^3, expanded about the middle.
      const double distance = std::sqrt(square), cube = square * distance;
      const Vec3d md{ dot(group.moment[0], d), dot(group.moment[1], d), dot(group.moment[2], d) };
      const double trace = group.moment[0].x + group.moment[1].y + group.moment[2].z;
      angle += (dot(group.area, d) + trace - 3 * dot(d, md) / square) / cube;
    }
    else if (node < tree_.firstLeaf())
    {
      stack[size++] = 2 * node;
      stack[size++] = 2 * node + 1;
    }
    else
    {
      for (std::uint32_t i = tree_.begin(node); i < tree_.end(node); ++i)
      {
        const PlainTriangle& t = tree_.triangle(i);
        angle += solidAngle(q, t.a, t.b, t.c);
      }
    }
  }
  return angle / kFourPi;
}

} // namespace lapilli
