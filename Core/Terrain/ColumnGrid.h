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

/// Raw pointers to the columns, on host or device.
struct ColumnGridView
{
  double x0 = 0, y0 = 0; ///< [m], corner of column (0, 0)
  double perMetre = 0;   ///< [1/m], columns per metre
  std::int32_t nx = 0, ny = 0;
  const std::int64_t* start = nullptr;       ///< nx * ny + 1
  const std::int32_t* triangles = nullptr;   ///< ascending within a column
  const std::int32_t* firstColumn = nullptr; ///< of each triangle: x + nx y of its first column

  /// 0 also for what is no number.
  HOST_DEVICE static std::int32_t clampTo(double v, std::int32_t n)
  {
    return v >= n ? n - 1 : v > 0 ? static_cast<std::int32_t>(v) : 0;
  }
  HOST_DEVICE std::int32_t columnX(double x) const { return clampTo((x - x0) * perMetre, nx); }
  HOST_DEVICE std::int32_t columnY(double y) const { return clampTo((y - y0) * perMetre, ny); }

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

private:
  ColumnGridView shape_;
  std::vector<std::int64_t> start_;
  std::vector<std::int32_t> triangles_;
  std::vector<std::int32_t> firstColumn_;
};

} // namespace lapilli
