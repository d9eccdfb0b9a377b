/// @file
/// Triangles binned in columns over the horizontal plane: which may lie near a point?
///
///   ColumnGrid grid(mesh.view());
///   grid.view().forEachNear(x, y, reach, [&](std::int32_t triangle) { … });
#pragma once

#include "Terrain/SurfaceMesh.h"

#include <cstdint>
#include <vector>

namespace lapilli
{

/// From the lowest to the highest point of the triangles in a column [m].
struct ColumnHeights
{
  float lower, upper;
  std::int32_t isWhole; ///< 1: terrain without a rim or a fold covers every place of the column
};

/// Raw pointers to the columns, on host or device.
struct ColumnGridView
{
  double x0 = 0, y0 = 0; ///< [m], corner of column (0, 0)
  double perMetre = 0;   ///< [1/m], columns per metre
  std::int32_t nx = 0, ny = 0;
  const std::int64_t* start = nullptr;       ///< nx * ny + 1
  const std::int32_t* triangles = nullptr;   ///< ascending within a column
  const std::int32_t* firstColumn = nullptr; ///< of each triangle: x + nx y of its first column
  const ColumnHeights* heights = nullptr;    ///< of each column

  /// 0 also for what is no number.
  HOST_DEVICE static std::int32_t clampTo(double v, std::int32_t n)
  {
    return v >= n ? n - 1 : v > 0 ? static_cast<std::int32_t>(v) : 0;
  }
  HOST_DEVICE std::int32_t columnX(double x) const { return clampTo((x - x0) * perMetre, nx); }
  HOST_DEVICE std::int32_t columnY(double y) const { return clampTo((y - y0) * perMetre, ny); }

  /// Whether terrain covers a place and none of it is higher than z [m]; false also where a look at the triangles
  /// would have to tell.
  HOST_DEVICE bool isCoveredBelow(const Vec3d& place, double z) const
  {
    if (nx == 0)
      return false;
    const ColumnHeights& column =
      heights[columnX(place.x) + static_cast<std::int64_t>(nx) * columnY(place.y)];
    return column.isWhole != 0 && z >= column.upper;
  }

  /// visit(triangle) once for each triangle that has a column within `reach` of (x, y), and perhaps
  /// for some others.
  template <class Visit>
  HOST_DEVICE void forEachNear(double x, double y, double reach, const Visit& visit) const
  {
    if (nx == 0)
      return;
    const std::int32_t i0 = columnX(x - reach), i1 = columnX(x + reach);
    const std::int32_t j0 = columnY(y - reach), j1 = columnY(y + reach);
    for (std::int32_t j = j0; j <= j1; ++j)
    {
      for (std::int32_t i = i0; i <= i1; ++i)
      {
        const std::int64_t column = i + static_cast<std::int64_t>(nx) * j;
        for (std::int64_t k = start[column]; k < start[column + 1]; ++k)
        {
          // A triangle in several of the columns is visited in the first of them only: the lower
          // corner of the overlap of its columns with the block asked for.
          const std::int32_t triangle = triangles[k];
          const std::int32_t fi = firstColumn[triangle] % nx, fj = firstColumn[triangle] / nx;
          if (i == (fi > i0 ? fi : i0) && j == (fj > j0 ? fj : j0))
            visit(triangle);
        }
      }
    }
  }

  /// visit(triangle) for each triangle that comes as near to a point as the reach [m], which visit may shorten, and
  /// for some others; for one in several columns up to once in each. Near columns come first.
  template <class Visit>
  HOST_DEVICE void forEachWithin(const Vec3d& p, double& reach, const Visit& visit) const
  {
    if (nx == 0)
      return;
    const std::int32_t i0 = columnX(p.x - reach), i1 = columnX(p.x + reach);
    const std::int32_t j0 = columnY(p.y - reach), j1 = columnY(p.y + reach);
    const double column = 1 / perMetre;
    const std::int32_t i = columnX(p.x), j = columnY(p.y);
    forEachOutwards(j, j0, j1,
      [&](std::int32_t row)
      {
        const double dy = beyond(p.y - y0 - row * column, column);
        if (dy > reach)
          return;
        forEachOutwards(i, i0, i1,
          [&](std::int32_t at)
          {
            const std::int64_t c = at + static_cast<std::int64_t>(nx) * row;
            const double dx = beyond(p.x - x0 - at * column, column);
            const double below = heights[c].lower - p.z, above = p.z - heights[c].upper;
            const double dz = below > above ? below : above;
            if (dx * dx + dy * dy + (dz > 0 ? dz * dz : 0) > reach * reach)
              return;
            for (std::int64_t k = start[c]; k < start[c + 1]; ++k)
              visit(triangles[k]);
          });
      });
  }

private:
  /// Way from a place to the column [0, width], 0 within, never too long by a rounding.
  HOST_DEVICE static double beyond(double place, double width)
  {
    constexpr double margin = 1e-6;
    const double after = place - (1 + margin) * width, before = -margin * width - place;
    return after > 0 ? after : before > 0 ? before : 0;
  }

  /// visit(k) for first … last, from a middle between them outwards.
  template <class Visit>
  HOST_DEVICE static void forEachOutwards(
    std::int32_t middle, std::int32_t first, std::int32_t last, const Visit& visit)
  {
    visit(middle);
    for (std::int32_t way = 1; middle - way >= first || middle + way <= last; ++way)
    {
      if (middle + way <= last)
        visit(middle + way);
      if (middle - way >= first)
        visit(middle - way);
    }
  }
};

class ColumnGrid
{
public:
  ColumnGrid() = default;
  explicit ColumnGrid(const SurfaceMesh& mesh);

  ColumnGridView view() const;

  const std::vector<std::int64_t>& start() const { return start_; }
  const std::vector<std::int32_t>& triangles() const { return triangles_; }
  const std::vector<std::int32_t>& firstColumn() const { return firstColumn_; }
  const std::vector<ColumnHeights>& heights() const { return heights_; }

  /// How many triangles share a column, the mean over the columns of all triangles: below ten for a sheet that lies,
  /// many where surfaces stand.
  double crowding() const;

private:
  void fill(const SurfaceMesh& mesh, std::int32_t triangleCount);

  ColumnGridView shape_;
  std::vector<std::int64_t> start_;
  std::vector<std::int32_t> triangles_;
  std::vector<std::int32_t> firstColumn_;
  std::vector<ColumnHeights> heights_;
};

} // namespace lapilli
