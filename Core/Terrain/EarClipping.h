/// @file
/// Polygons of many corners to triangles.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace lapilli
{

struct Point2
{
  double x, y;
};

inline bool isSame(const Point2& p, const Point2& q)
{
  return p.x == q.x && p.y == q.y;
}

/// Twice the area, positive counter-clockwise.
inline double area(const Point2& a, const Point2& b, const Point2& c)
{
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The corners minus two triangles of a polygon that winds counter-clockwise, by clipping ears on a walk around it. Only
/// reflex corners can be inside an ear of a simple polygon, and these are looked up in a grid: near n log n steps for
/// what is mapped, n^2 for the worst. A bridge to a hole, whose corners are there twice, does not count as inside. Where no ear is left (a polygon that crosses itself) any corner is cut off.
std::vector<std::array<std::uint32_t, 3>> clipEars(const std::vector<Point2>& polygon);

} // namespace lapilli
