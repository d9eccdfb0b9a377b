/// @file
/// Closed bodies for tests, fronts outward, and what makes them worse.
#pragma once

#include "Scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace lapilli
{
namespace test
{

using Place = std::array<double, 3>;

inline std::int64_t addPoint(Surface& surface, const Place& p)
{
  surface.points.insert(surface.points.end(), p.begin(), p.end());
  return static_cast<std::int64_t>(surface.pointCount()) - 1;
}

/// The triangles of another surface behind those that are there; points are not shared.
inline void append(Surface& surface, const Surface& other)
{
  const auto offset = static_cast<std::int64_t>(surface.pointCount());
  surface.points.insert(surface.points.end(), other.points.begin(), other.points.end());
  for (const std::int64_t corner : other.triangles)
    surface.triangles.push_back(corner + offset);
}

/// A box of twelve triangles.
inline Surface box(const Place& lower, const Place& upper)
{
  Surface surface;
  for (int p = 0; p < 8; ++p)
    addPoint(surface,
      { (p & 1 ? upper : lower)[0], (p & 2 ? upper : lower)[1], (p & 4 ? upper : lower)[2] });
  const int quads[6][4] = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 },
    { 0, 4, 6, 2 }, { 1, 3, 7, 5 } };
  for (const auto& q : quads)
    for (const int corner : { q[0], q[1], q[2], q[0], q[2], q[3] })
      surface.triangles.push_back(corner);
  return surface;
}

/// A sphere of 20 * 4^levels triangles: an icosahedron, halved again and again.
inline Surface sphere(const Place& center, double radius, int levels)
{
  const double t = (1 + std::sqrt(5.0)) / 2;
  std::vector<Place> points = { { -1, t, 0 }, { 1, t, 0 }, { -1, -t, 0 }, { 1, -t, 0 },
    { 0, -1, t }, { 0, 1, t }, { 0, -1, -t }, { 0, 1, -t }, { t, 0, -1 }, { t, 0, 1 },
    { -t, 0, -1 }, { -t, 0, 1 } };
  std::vector<std::int64_t> triangles = { 0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9,
    5, 11, 4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3, 9, 4, 3, 4, 2, 3, 2, 6, 3, 6, 8, 3, 8, 9, 4, 9, 5, 2,
    4, 11, 6, 2, 10, 8, 6, 7, 9, 8, 1 };
  for (int level = 0; level < levels; ++level)
  {
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> middles;
    const auto middle = [&](std::int64_t a, std::int64_t b)
    {
      const auto [entry, isNew] = middles.try_emplace(
        { std::min(a, b), std::max(a, b) }, static_cast<std::int64_t>(points.size()));
      if (isNew)
        points.push_back({ points[a][0] + points[b][0], points[a][1] + points[b][1],
          points[a][2] + points[b][2] });
      Place& p = points[entry->second];
      const double size = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
      if (isNew)
        for (double& x : p)
          x *= std::sqrt(1 + t * t) / size;
      return entry->second;
    };
    std::vector<std::int64_t> finer;
    for (std::size_t i = 0; i < triangles.size(); i += 3)
    {
      const std::int64_t a = triangles[i], b = triangles[i + 1], c = triangles[i + 2];
      const std::int64_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      for (const std::int64_t corner : { a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca })
        finer.push_back(corner);
    }
    triangles = std::move(finer);
  }
  Surface surface;
  for (const Place& p : points)
    addPoint(surface, { center[0] + radius * (p[0] / std::sqrt(1 + t * t)),
                        center[1] + radius * (p[1] / std::sqrt(1 + t * t)),
                        center[2] + radius * (p[2] / std::sqrt(1 + t * t)) });
  surface.triangles = std::move(triangles);
  return surface;
}

/// Around the z axis, of 2 * around * across triangles.
inline Surface torus(double ringRadius, double tubeRadius, int around, int across)
{
  const double turn = 2 * std::acos(-1.0);
  Surface surface;
  for (int i = 0; i < around; ++i)
  {
    for (int j = 0; j < across; ++j)
    {
      const double a = turn * i / around, b = turn * j / across;
      const double r = ringRadius + tubeRadius * std::cos(b);
      addPoint(surface, { r * std::cos(a), r * std::sin(a), tubeRadius * std::sin(b) });
    }
  }
  const auto point = [&](int i, int j) { return i % around * across + j % across; };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j)
      for (const int corner : { point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j),
             point(i + 1, j + 1), point(i, j + 1) })
        surface.triangles.push_back(corner);
  return surface;
}

/// Takes one triangle out.
inline Surface withoutTriangle(Surface surface, std::size_t triangle)
{
  surface.triangles.erase(surface.triangles.begin() + 3 * static_cast<std::ptrdiff_t>(triangle),
    surface.triangles.begin() + 3 * static_cast<std::ptrdiff_t>(triangle) + 3);
  return surface;
}

/// Each triangle with points of its own, in any order, wound either way.
inline Surface soup(const Surface& surface, unsigned seed = 1)
{
  std::mt19937 random(seed);
  std::vector<std::size_t> order(surface.triangleCount());
  for (std::size_t t = 0; t < order.size(); ++t)
    order[t] = t;
  for (std::size_t t = order.size(); t > 1; --t)
    std::swap(order[t - 1], order[random() % t]);
  Surface result;
  for (const std::size_t t : order)
  {
    std::array<std::int64_t, 3> corners{};
    for (int k = 0; k < 3; ++k)
    {
      const double* p = &surface.points[3 * surface.triangles[3 * t + k]];
      corners[k] = addPoint(result, { p[0], p[1], p[2] });
    }
    if (random() % 2 == 0)
      std::swap(corners[1], corners[2]);
    result.triangles.insert(result.triangles.end(), corners.begin(), corners.end());
  }
  return result;
}

} // namespace test
} // namespace lapilli
