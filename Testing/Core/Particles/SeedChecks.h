/// @file
/// What the tests of seeds share: a relief, and whether seeds overlap.
#pragma once

#include "Seeding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

namespace seed_checks
{

using lapilli::Seeds;
using lapilli::Surface;

/// (n + 1)^2 points `spacing` apart from (x0, y0), two triangles a square.
inline Surface relief(
  int n, double spacing, double x0, double y0, const std::function<double(double, double)>& z)
{
  Surface surface;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i)
      surface.points.insert(surface.points.end(),
        { x0 + i * spacing, y0 + j * spacing, z(x0 + i * spacing, y0 + j * spacing) });
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
    {
      const std::int64_t a = i + (n + 1) * j;
      for (const std::int64_t corner : { a, a + 1, a + n + 2, a, a + n + 2, a + n + 1 })
        surface.triangles.push_back(corner);
    }
  return surface;
}

inline double hills(double x, double y)
{
  return 20 * std::sin(0.07 * x) * std::cos(0.05 * y) + 0.3 * x;
}

inline std::array<double, 3> position(const Seeds& seeds, std::size_t i)
{
  return { seeds.positions[3 * i], seeds.positions[3 * i + 1], seeds.positions[3 * i + 2] };
}

/// Greatest overlap of two seeds over the sum of their radii; negative if all are apart.
/// By cells of the largest diameter, independently of the code under test.
inline double greatestOverlap(const Seeds& seeds)
{
  double greatest = -1e300, largest = 0;
  for (const double r : seeds.radii)
    largest = std::max(largest, r);
  std::map<std::tuple<long, long, long>, std::vector<std::size_t>> cells;
  const auto cellOf = [&](const std::array<double, 3>& p)
  {
    return std::make_tuple(std::lround(p[0] / (2 * largest)), std::lround(p[1] / (2 * largest)),
      std::lround(p[2] / (2 * largest)));
  };
  for (std::size_t i = 0; i < seeds.count(); ++i)
    cells[cellOf(position(seeds, i))].push_back(i);
  for (std::size_t i = 0; i < seeds.count(); ++i)
  {
    const auto p = position(seeds, i);
    const auto [cx, cy, cz] = cellOf(p);
    for (long dx = -1; dx <= 1; ++dx)
      for (long dy = -1; dy <= 1; ++dy)
        for (long dz = -1; dz <= 1; ++dz)
        {
          const auto found = cells.find({ cx + dx, cy + dy, cz + dz });
          if (found == cells.end())
            continue;
          for (const std::size_t j : found->second)
          {
            if (j <= i)
              continue;
            const auto q = position(seeds, j);
            const double sum = seeds.radii[i] + seeds.radii[j];
            const double distance =
              std::sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                        (p[2] - q[2]) * (p[2] - q[2]));
            greatest = std::max(greatest, (sum - distance) / sum);
          }
        }
  }
  return greatest;
}

} // namespace seed_checks
