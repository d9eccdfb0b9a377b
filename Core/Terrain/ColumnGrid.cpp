#include "Terrain/ColumnGrid.h"

#include "Math/FloatBox.h"
#include "Terrain/Buckets.h"

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

  fill(mesh, triangleCount);
  resizeLarge(heights_, start_.size() - 1);
  forEachOnHost(heights_.size(), 1 << 14,
    [&](std::size_t column)
    {
      Box box;
      int upward = 0, downward = 0;
      bool isPlain = true;
      for (std::int64_t k = start_[column]; k < start_[column + 1]; ++k)
      {
        const MeshTriangle& triangle = mesh.triangles[triangles_[k]];
        for (const std::int32_t corner : triangle.corner)
          box += mesh.points[corner];
        if (triangle.role != static_cast<std::uint8_t>(SurfaceRole::Terrain))
          continue;
        (triangle.normal.z > 0 ? upward : downward) += 1;
        isPlain = isPlain && triangle.normal.z != 0 && triangle.rimCorner == 0;
      }
      if (!box.empty())
        heights_[column] = { roundedDown(box.lower.z), roundedUp(box.upper.z),
          isPlain && (upward > 0) != (downward > 0) ? 1 : 0 };
    });
}

/// By bands of rows, each of which one thread counts and fills: triangles in the band where they begin, and
/// those that reach into it from an earlier one.
void ColumnGrid::fill(const SurfaceMesh& mesh, std::int32_t triangleCount)
{
  const std::int64_t nx = shape_.nx, total = nx * shape_.ny;
  constexpr std::int32_t mostBands = 256;
  const std::int32_t rows = (shape_.ny + mostBands - 1) / mostBands;
  const auto bandOf = [rows](std::int32_t row) { return static_cast<std::size_t>(row / rows); };
  const std::size_t bands = bandOf(shape_.ny - 1) + 1;
  resizeLarge(firstColumn_, static_cast<std::size_t>(triangleCount));
  forEachOnHost(firstColumn_.size(), 1 << 14,
    [&](std::size_t t)
    {
      const ColumnRange range = columnsOf(mesh, shape_, static_cast<std::int32_t>(t));
      firstColumn_[t] = range.i0 + shape_.nx * range.j0;
    });
  const Buckets begins(
    firstColumn_.size(), bands, [&](std::size_t t) { return bandOf(firstColumn_[t] / shape_.nx); });

  std::vector<std::vector<std::vector<std::int32_t>>> handed(
    bands); // from each band, to later ones
  forEachHostBlock(bands, 1,
    [&](std::size_t band, std::size_t)
    {
      for (std::uint32_t k = begins.begin[band]; k < begins.begin[band + 1]; ++k)
      {
        const auto t = static_cast<std::int32_t>(begins.order[k]);
        const std::size_t last = bandOf(columnsOf(mesh, shape_, t).j1);
        if (handed[band].size() < last - band)
          handed[band].resize(last - band);
        for (std::size_t other = band + 1; other <= last; ++other)
          handed[band][other - band - 1].push_back(t);
      }
    });
  const auto forEachEntry = [&](std::size_t band, const auto& visit)
  {
    const auto firstRow = static_cast<std::int32_t>(band) * rows;
    const auto visitColumns = [&](std::int32_t t)
    {
      const ColumnRange range = columnsOf(mesh, shape_, t);
      for (std::int32_t j = std::max(range.j0, firstRow);
           j <= std::min(range.j1, firstRow + rows - 1); ++j)
        for (std::int32_t i = range.i0; i <= range.i1; ++i)
          visit(i + nx * j, t);
    };
    for (std::size_t from = 0; from < band; ++from)
      if (band - from <= handed[from].size())
        for (const std::int32_t t : handed[from][band - from - 1])
          visitColumns(t);
    for (std::uint32_t k = begins.begin[band]; k < begins.begin[band + 1]; ++k)
      visitColumns(static_cast<std::int32_t>(begins.order[k]));
  };

  resizeLarge(start_, static_cast<std::size_t>(total) + 1);
  forEachHostBlock(bands, 1,
    [&](std::size_t band, std::size_t)
    { forEachEntry(band, [&](std::int64_t column, std::int32_t) { ++start_[column + 1]; }); });
  for (std::int64_t column = 0; column < total; ++column)
    start_[column + 1] += start_[column];
  resizeLarge(triangles_, static_cast<std::size_t>(start_.back()));
  forEachHostBlock(bands, 1,
    [&](std::size_t band, std::size_t)
    {
      const std::int64_t first = nx * rows * static_cast<std::int64_t>(band);
      const std::int64_t last = std::min(total, first + nx * rows);
      std::vector<std::int64_t> next(start_.begin() + first, start_.begin() + last);
      forEachEntry(
        band, [&](std::int64_t column, std::int32_t t) { triangles_[next[column - first]++] = t; });
      for (std::int64_t column = first; column < last; ++column)
        std::sort(triangles_.begin() + start_[column], triangles_.begin() + start_[column + 1]);
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
