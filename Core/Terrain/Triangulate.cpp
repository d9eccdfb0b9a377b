#include "Triangulate.h"

#include "Math/Vec.h"
#include "Terrain/EarClipping.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace lapilli
{
namespace
{

Vec3d pointAt(const std::vector<double>& points, std::int64_t p)
{
  return { points[3 * p], points[3 * p + 1], points[3 * p + 2] };
}

bool isBefore(const Vec3d& p, const Vec3d& q)
{
  return std::tie(p.x, p.y, p.z) < std::tie(q.x, q.y, q.z);
}

/// Whether both triangles left and right of the diagonal a c face the same way.
bool isInside(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d)
{
  return dot(cross(b - a, c - a), cross(c - a, d - a)) > 0;
}

/// The corners in the coordinate plane that faces the polygon best, counter-clockwise there.
std::vector<Point2> flatten(
  const std::vector<double>& points, const std::int64_t* corners, std::size_t count)
{
  Vec3d normal; // Newell's method
  const Vec3d origin = pointAt(points, corners[0]);
  for (std::size_t i = 0; i < count; ++i)
  {
    normal += cross(
      pointAt(points, corners[i]) - origin, pointAt(points, corners[(i + 1) % count]) - origin);
  }
  const double nx = std::abs(normal.x), ny = std::abs(normal.y), nz = std::abs(normal.z);
  std::vector<Point2> flat(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    const Vec3d p = pointAt(points, corners[i]) - origin;
    const Point2 seen = nz >= nx && nz >= ny ? Point2{ p.x, p.y }
                        : nx >= ny           ? Point2{ p.y, p.z }
                                             : Point2{ p.z, p.x };
    const double facing = nz >= nx && nz >= ny ? normal.z : nx >= ny ? normal.x : normal.y;
    flat[i] = facing < 0 ? Point2{ -seen.x, seen.y } : seen;
  }
  return flat;
}

/// Whether corner `at` of the remaining polygon can be cut off: convex, and no other corner inside.
bool isEar(const std::vector<Point2>& flat, const std::vector<std::size_t>& rest, std::size_t at)
{
  const std::size_t n = rest.size();
  const Point2 &a = flat[rest[(at + n - 1) % n]], &b = flat[rest[at]],
               &c = flat[rest[(at + 1) % n]];
  if (!(area(a, b, c) > 0))
  {
    return false;
  }
  for (std::size_t i = 0; i < n; ++i)
  {
    if (i == at || i == (at + 1) % n || i == (at + n - 1) % n)
    {
      continue;
    }
    const Point2& p = flat[rest[i]];
    if (isSame(p, a) || isSame(p, b) || isSame(p, c))
    {
      continue; // of a bridge to a hole, which is there twice; what leads away from it ends inside or does not come in
    }
    if (area(a, b, p) >= 0 && area(b, c, p) >= 0 && area(c, a, p) >= 0)
    {
      return false;
    }
  }
  return true;
}

} // namespace

bool splitsAtFirstCorner(const double (&corners)[12])
{
  const Vec3d p[4] = { { corners[0], corners[1], corners[2] },
    { corners[3], corners[4], corners[5] }, { corners[6], corners[7], corners[8] },
    { corners[9], corners[10], corners[11] } };
  for (int k = 0; k < 4; ++k)
  {
    if (!isFinite(p[k]))
    {
      return k % 2 == 1;
    }
  }
  const bool first = isInside(p[0], p[1], p[2], p[3]);
  const bool second = isInside(p[1], p[2], p[3], p[0]);
  if (first != second)
  {
    return first;
  }
  const double d02 = squaredLength(p[2] - p[0]), d13 = squaredLength(p[3] - p[1]);
  if (d02 != d13)
  {
    return d02 < d13;
  }
  int least = 0;
  for (int k = 1; k < 4; ++k)
  {
    least = isBefore(p[k], p[least]) ? k : least;
  }
  return least % 2 == 0;
}

void triangulateQuadrilateral(const std::vector<double>& points, const std::int64_t* corners,
  std::vector<std::int64_t>& triangles)
{
  double places[12];
  for (int k = 0; k < 4; ++k)
  {
    std::copy_n(points.data() + 3 * corners[k], 3, places + 3 * k);
  }
  const int s = splitsAtFirstCorner(places) ? 0 : 1;
  const std::int64_t a = corners[s], b = corners[s + 1], c = corners[s + 2],
                     d = corners[(s + 3) % 4];
  triangles.insert(triangles.end(), { a, b, c, a, c, d });
}

void triangulatePolygon(const std::vector<double>& points, const std::int64_t* corners,
  std::size_t count, std::vector<std::int64_t>& triangles)
{
  if (count == 4)
  {
    triangulateQuadrilateral(points, corners, triangles);
    return;
  }
  if (count == 3)
  {
    triangles.insert(triangles.end(), corners, corners + 3);
  }
  if (count <= 3)
  {
    return;
  }
  const std::vector<Point2> flat = flatten(points, corners, count);
  constexpr std::size_t many = 100; // beyond, looking at all corners for each ear is slow
  if (count > many)
  {
    for (const std::array<std::uint32_t, 3>& t : clipEars(flat))
    {
      triangles.insert(triangles.end(), { corners[t[0]], corners[t[1]], corners[t[2]] });
    }
    return;
  }
  std::vector<std::size_t> rest(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    rest[i] = i;
  }
  while (rest.size() > 3)
  {
    std::size_t ear = 0;
    while (ear < rest.size() && !isEar(flat, rest, ear))
    {
      ++ear;
    }
    ear = ear < rest.size() ? ear : 1; // crossing or without area: any cut is as good
    const std::size_t n = rest.size();
    triangles.insert(triangles.end(),
      { corners[rest[(ear + n - 1) % n]], corners[rest[ear]], corners[rest[(ear + 1) % n]] });
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  triangles.insert(triangles.end(), { corners[rest[0]], corners[rest[1]], corners[rest[2]] });
}

} // namespace lapilli
