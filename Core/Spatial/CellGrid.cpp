#include "Spatial/CellGrid.h"

#include <algorithm>

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// What one pass over the particles tells: how many stay, and where they are.
struct Extent
{
  Box box;
  Index survivors = 0;
  HOST_DEVICE Extent& operator+=(const Extent& b)
  {
    box += b.box;
    survivors += b.survivors;
    return *this;
  }
};

/// Reads sphere, lost.
struct MeasureExtent
{
  SphereView spheres;
  const std::uint8_t* lost;
  Periodicity space;
  HOST_DEVICE Extent operator()(Index i) const
  {
    Extent extent;
    if (!lost[i])
    {
      extent.box += space.wrap(spheres.sphere[i].position);
      extent.survivors = 1;
    }
    return extent;
  }
};

/// Reads sphere, lost; writes keys, order.
struct MakeKeys
{
  SphereView spheres;
  const std::uint8_t* lost;
  CellGeometry cells;
  Periodicity space;
  std::uint64_t* keys;
  Index* order;
  HOST_DEVICE void operator()(Index i) const
  {
    keys[i] = lost[i] ? ~std::uint64_t(0) : cells.key(space.wrap(spheres.sphere[i].position));
    order[i] = i;
  }
};

/// Reads keys; writes the starts of the columns from the one after particle i - 1's to particle i's.
/// Called for i = count too, for the columns behind the last particle.
struct FindColumnStarts
{
  const std::uint64_t* keys;
  Index count;
  ColumnTable table;
  std::int32_t* start;
  HOST_DEVICE void operator()(Index i) const
  {
    const std::int64_t columns = static_cast<std::int64_t>(table.nx) * table.ny;
    const std::int64_t from = i == 0 ? 0 : table.column(keys[i - 1]) + 1;
    const std::int64_t to = i == count ? columns : table.column(keys[i]);
    for (std::int64_t column = from; column <= to; ++column)
      start[column] = i;
  }
};

} // namespace

Index CellGrid::sort(const Executor& executor, const SphereView& spheres,
  const Buffer<std::uint8_t>& lost, double cellSize, const Periodicity& space)
{
  const auto extent = executor.sum<Extent>(
    "cells.extent", spheres.count, MeasureExtent{ spheres, lost.data(), space });
  survivors_ = extent.survivors;

  const Vec3d size = extent.box.empty() ? Vec3d{} : extent.box.upper - extent.box.lower;
  const double cellsAtMost = (1 << CellGeometry::kBits) - 4;
  cellSize = std::max(cellSize, std::max({ size.x, size.y, size.z }) / cellsAtMost);
  geometry_ = { extent.box.lower, 1 / cellSize, size };

  keys_.resizeDiscarding(spheres.count);
  order_.resizeDiscarding(spheres.count);
  executor.forEach("cells.keys", spheres.count,
    MakeKeys{ spheres, lost.data(), geometry_, space, keys_.data(), order_.data() });
  executor.sortByKey("cells.sort", keys_, order_);
  tabulateColumns(executor);
  return survivors_;
}

void CellGrid::tabulateColumns(const Executor& executor)
{
  table_ = {};
  const std::uint64_t nx = geometry_.number(geometry_.size.x) + 2,
                      ny = geometry_.number(geometry_.size.y) + 2;
  if (nx * ny > 16 * static_cast<std::uint64_t>(survivors_) + 1024)
    return; // the keys are searched whole instead
  columnStart_.resizeDiscarding(nx * ny + 1);
  table_ = { columnStart_.data(), static_cast<std::int32_t>(nx), static_cast<std::int32_t>(ny) };
  executor.forEach("cells.columns", survivors_ + 1,
    FindColumnStarts{ keys_.data(), survivors_, table_, columnStart_.data() });
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
