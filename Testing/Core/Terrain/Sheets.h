/// @file
/// Sheets, bodies and what is asked of them, for tests of surfaces.
#pragma once

#include "Scene.h"

#include <cmath>
#include <cstdint>
#include <functional>

namespace sheets
{

using lapilli::Surface;

inline void addPoint(Surface& surface, double x, double y, double z)
{
  surface.points.insert(surface.points.end(), { x, y, z });
}

inline void addTriangle(Surface& surface, std::int64_t a, std::int64_t b, std::int64_t c)
{
  surface.triangles.insert(surface.triangles.end(), { a, b, c });
}

using Relief = std::function<double(double, double)>;

/// n x m squares of a size, two triangles each, facing +z, from a corner on.
inline Surface sheet(int n, int m, const Relief& z, double size = 1, double x0 = 0, double y0 = 0)
{
  Surface surface;
  for (int j = 0; j <= m; ++j)
    for (int i = 0; i <= n; ++i)
      addPoint(surface, x0 + size * i, y0 + size * j, z(x0 + size * i, y0 + size * j));
  for (int j = 0; j < m; ++j)
    for (int i = 0; i < n; ++i)
    {
      const std::int64_t a = i + (n + 1) * j;
      addTriangle(surface, a, a + 1, a + n + 2);
      addTriangle(surface, a, a + n + 2, a + n + 1);
    }
  return surface;
}

inline double rough(double x, double y)
{
  return std::sin(1.3 * x) + std::cos(2.1 * y);
}

/// @return number of the first triangle of what was appended
inline std::size_t append(Surface& to, const Surface& from)
{
  const std::size_t first = to.triangleCount();
  const auto offset = static_cast<std::int64_t>(to.pointCount());
  to.points.insert(to.points.end(), from.points.begin(), from.points.end());
  for (const std::int64_t corner : from.triangles)
    to.triangles.push_back(corner + offset);
  return first;
}

/// The cube from a corner on, outward.
inline Surface cube(double x0, double size)
{
  Surface surface;
  for (int p = 0; p < 8; ++p)
    addPoint(surface, x0 + size * (p & 1), x0 + size * (p >> 1 & 1), x0 + size * (p >> 2));
  const int quads[6][4] = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 },
    { 0, 4, 6, 2 }, { 1, 3, 7, 5 } };
  for (const auto& q : quads)
  {
    addTriangle(surface, q[0], q[1], q[2]);
    addTriangle(surface, q[0], q[2], q[3]);
  }
  return surface;
}

} // namespace sheets
