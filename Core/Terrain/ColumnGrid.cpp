#include "Terrain/ColumnGrid.h"

#include "Math/FloatBox.h"
#include "Parallel/HostLoop.h"

#include <algorithm>
#include <cmath>

namespace lapilli
{
namespace
{

/// Columns that the triangle's box covers.
struct ColumnRange
{
  std::int32_t i0, i1, j0, j1;
};

ColumnRange columnsOf(const SurfaceMesh& mesh, const ColumnGridView& grid, std::int32_t triangle)
{
  Box box;
  for (const std::int32_t corner : mesh.triangles[triangle].corner)
    box += mesh.points[corner];
  return { grid.columnX(box.lower.x), grid.columnX(box.upper.x), grid.columnY(box.lower.y),
    grid.columnY(box.upper.y) };
}

} // namespace

ColumnGrid::ColumnGrid(const SurfaceMesh& mesh)
{
  const std::int32_t triangleCount = static_cast<std::int32_t>(mesh.triangles.size());
  if (triangleCount == 0)
    return;

  // About one column for two triangles, so that a column holds a handful.
  const double width = mesh.bounds.upper.x - mesh.bounds.lower.x;
  const double depth = mesh.bounds.upper.y - mesh.bounds.lower.y;
  const double columns = std::max(1.0, 0.5 * triangleCount);
  const double longest = std::max({ width, depth, 1e-9 });
  const double size = std::max(std::sqrt(width * depth / columns), longest / columns);
  shape_.x0 = mesh.bounds.lower.x;
  shape_.y0 = mesh.bounds.lower.y;
  shape_.perMetre = 1 / size;
  shape_.nx = static_cast<std::int32_t>(width / size) + 1;
  shape_.ny = static_cast<std::int32_t>(depth / size) + 1;

  const std::int64_t total = static_cast<std::int64_t>(shape_.nx) * shape_.ny;
  const auto forEachColumn = [&](std::int32_t triangle, auto&& visit)
  {
    const ColumnRange range = columnsOf(mesh, shape_, triangle);
    for (std::int32_t j = range.j0; j <= range.j1; ++j)
      for (std::int32_t i = range.i0; i <= range.i1; ++i)
        visit(i + static_cast<std::int64_t>(shape_.nx) * j);
  };
  start_.assign(total + 1, 0);
  firstColumn_.resize(triangleCount);
  for (std::int32_t t = 0; t < triangleCount; ++t)
  {
    const ColumnRange range = columnsOf(mesh, shape_, t);
    firstColumn_[t] = range.i0 + shape_.nx * range.j0;
    forEachColumn(t, [&](std::int64_t column) { ++start_[column + 1]; });
  }
  for (std::int64_t column = 0; column < total; ++column)
    start_[column + 1] += start_[column];
  triangles_.resize(start_.back());
  std::vector<std::int64_t> next(start_.begin(), start_.end() - 1);
  for (std::int32_t t = 0; t < triangleCount; ++t)
    forEachColumn(t, [&](std::int64_t column) { triangles_[next[column]++] = t; });

  heights_.resize(total);
  forEachOnHost(heights_.size(), 1 << 14,
    [&](std::size_t column)
    {
      Box box;
      for (std::int64_t k = start_[column]; k < start_[column + 1]; ++k)
        for (const std::int32_t corner : mesh.triangles[triangles_[k]].corner)
          box += mesh.points[corner];
      if (!box.empty())
        heights_[column] = { roundedDown(box.lower.z), roundedUp(box.upper.z) };
    });
}

double ColumnGrid::crowding() const
{
  double squares = 0;
  for (std::size_t column = 0; column + 1 < start_.size(); ++column)
  {
    const auto triangles = static_cast<double>(start_[column + 1] - start_[column]);
    squares += triangles * triangles;
  }
  return triangles_.empty() ? 0 : squares / static_cast<double>(triangles_.size());
}

ColumnGridView ColumnGrid::view() const
{
  ColumnGridView v = shape_;
  v.start = start_.data();
  v.triangles = triangles_.data();
  v.firstColumn = firstColumn_.data();
  v.heights = heights_.data();
  return v;
}

} // namespace lapilli
