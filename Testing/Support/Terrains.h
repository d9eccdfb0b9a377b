/// @file
/// Terrains for tests: the same shape cut into triangles in several ways.
#pragma once

#include "Scene.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace lapilli
{
namespace test
{

/// Height over a place [m].
using Height = std::function<double(double x, double y)>;

/// A place in or out of the map, for holes.
using Kept = std::function<bool(double x, double y)>;

/// A grid over [x0, x1] x [y0, y1] with nx by ny rectangles, each cut into two triangles with the
/// front to +z. Rectangles whose middle is not kept are holes.
inline Surface gridTerrain(double x0, double x1, int nx, double y0, double y1, int ny,
  const Height& height, const Kept& kept = nullptr)
{
  Surface surface;
  for (int j = 0; j <= ny; ++j)
  {
    for (int i = 0; i <= nx; ++i)
    {
      const double x = x0 + (x1 - x0) * i / nx;
      const double y = y0 + (y1 - y0) * j / ny;
      surface.points.insert(surface.points.end(), { x, y, height(x, y) });
    }
  }
  for (int j = 0; j < ny; ++j)
  {
    for (int i = 0; i < nx; ++i)
    {
      if (kept && !kept(x0 + (x1 - x0) * (i + 0.5) / nx, y0 + (y1 - y0) * (j + 0.5) / ny))
        continue;
      const std::int64_t a = i + std::int64_t(nx + 1) * j;
      const std::int64_t b = a + 1, c = a + nx + 1, d = c + 1;
      surface.triangles.insert(surface.triangles.end(), { a, b, d, a, d, c });
    }
  }
  return surface;
}

inline double flat(double, double)
{
  return 0;
}

/// A plane over [-half, half]^2 of two triangles.
inline Surface planeTerrain(double half, const Height& height = flat)
{
  return gridTerrain(-half, half, 1, -half, half, 1, height);
}

/// How a shape is cut.
enum class Cut
{
  Coarse, ///< two triangles
  Fine,   ///< triangles smaller than the spheres
  Sliver  ///< triangles two thousand times longer than wide
};

inline const char* nameOf(Cut cut)
{
  return cut == Cut::Coarse ? "coarse" : cut == Cut::Fine ? "fine" : "sliver";
}

/// The plane z = slope x over [-half, half]^2, cut and then turned about z by an angle [rad]: only
/// the edges turn, the plane does not.
inline Surface cutPlane(Cut cut, double half, double angle, double slope = 0)
{
  const int nx = cut == Cut::Coarse ? 1 : cut == Cut::Fine ? 80 : 2000;
  const int ny = cut == Cut::Fine ? 80 : 1;
  Surface surface = gridTerrain(-half, half, nx, -half, half, ny, flat);
  const double c = std::cos(angle), s = std::sin(angle);
  for (std::size_t i = 0; i < surface.points.size(); i += 3)
  {
    const double x = surface.points[i], y = surface.points[i + 1];
    surface.points[i] = c * x - s * y;
    surface.points[i + 1] = s * x + c * y;
    surface.points[i + 2] = slope * surface.points[i];
  }
  return surface;
}

/// Points at exactly one place become one.
inline Surface withSharedPoints(const Surface& surface)
{
  Surface shared = surface;
  shared.points.clear();
  std::map<std::array<double, 3>, std::int64_t> places;
  for (std::int64_t& corner : shared.triangles)
  {
    const double* p = &surface.points[3 * corner];
    const auto [place, isNew] =
      places.try_emplace({ p[0], p[1], p[2] }, static_cast<std::int64_t>(places.size()));
    if (isNew)
      shared.points.insert(shared.points.end(), p, p + 3);
    corner = place->second;
  }
  return shared;
}

/// A box that is open at the top, or closed, with the fronts inwards, as a container.
inline Surface boxContainer(const std::array<double, 3>& lower, const std::array<double, 3>& upper,
  bool isOpen, int cells = 1)
{
  Surface surface;
  surface.role = SurfaceRole::Container;
  // One square of cells by cells rectangles, from a corner along u and v, its front along u x v.
  const auto face =
    [&](std::array<double, 3> corner, std::array<double, 3> u, std::array<double, 3> v)
  {
    const std::int64_t first = static_cast<std::int64_t>(surface.pointCount());
    for (int j = 0; j <= cells; ++j)
      for (int i = 0; i <= cells; ++i)
        for (int k = 0; k < 3; ++k)
          surface.points.push_back(corner[k] + u[k] * i / cells + v[k] * j / cells);
    for (int j = 0; j < cells; ++j)
    {
      for (int i = 0; i < cells; ++i)
      {
        const std::int64_t a = first + i + std::int64_t(cells + 1) * j;
        const std::int64_t b = a + 1, c = a + cells + 1, d = c + 1;
        surface.triangles.insert(surface.triangles.end(), { a, b, d, a, d, c });
      }
    }
  };
  const double w = upper[0] - lower[0], d = upper[1] - lower[1], h = upper[2] - lower[2];
  face(lower, { w, 0, 0 }, { 0, d, 0 });
  face(lower, { 0, d, 0 }, { 0, 0, h });
  face({ upper[0], lower[1], lower[2] }, { 0, 0, h }, { 0, d, 0 });
  face(lower, { 0, 0, h }, { w, 0, 0 });
  face({ lower[0], upper[1], lower[2] }, { w, 0, 0 }, { 0, 0, h });
  if (!isOpen)
    face({ lower[0], lower[1], upper[2] }, { 0, d, 0 }, { w, 0, 0 });
  return withSharedPoints(surface);
}

/// Adds a vector to all points.
inline Surface moved(Surface surface, double dx, double dy, double dz)
{
  for (std::size_t i = 0; i < surface.points.size(); i += 3)
  {
    surface.points[i] += dx;
    surface.points[i + 1] += dy;
    surface.points[i + 2] += dz;
  }
  return surface;
}

/// The volcano of R's data set: 87 x 61 heights, 10 m apart, read from Data/maunga_whau.asc. Points at
/// the middles of the cells.
inline Surface maungaWhau(const std::string& dataFolder)
{
  std::ifstream file(dataFolder + "/maunga_whau.asc");
  if (!file)
    throw std::runtime_error("cannot read " + dataFolder + "/maunga_whau.asc");
  std::string name;
  double columns = 0, rows = 0, x0 = 0, y0 = 0, size = 0, noData = 0;
  file >> name >> columns >> name >> rows >> name >> x0 >> name >> y0 >> name >> size >> name >>
    noData;
  const int nx = static_cast<int>(columns), ny = static_cast<int>(rows);
  std::vector<double> heights(static_cast<std::size_t>(nx) * ny);
  for (double& z : heights)
    file >> z;
  if (!file)
    throw std::runtime_error("maunga_whau.asc ends too early");
  Surface surface = gridTerrain(x0 + size / 2, x0 + size * (nx - 0.5), nx - 1, y0 + size / 2,
    y0 + size * (ny - 0.5), ny - 1,
    [&](double x, double y)
    {
      const int i = static_cast<int>((x - x0) / size), j = static_cast<int>((y - y0) / size);
      return heights[static_cast<std::size_t>(nx) * (ny - 1 - j) +
                     i]; // the file starts in the north
    });
  return surface;
}

} // namespace test
} // namespace lapilli
