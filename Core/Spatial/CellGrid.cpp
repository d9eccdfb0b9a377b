#include "Spatial/CellGrid.h"

#include "Math/Lanes.h"
#include "Parallel/Atomic.h"
#include "Parallel/Fill.h"
#include "Spatial/EvenRows.h"
#include "Spatial/HeapSort.h"

#include <algorithm>
#include <array>

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
  const std::uint8_t* lost; ///< or null
  Periodicity space;
  HOST_DEVICE Extent operator()(Index i) const
  {
    Extent extent;
    if (!lost || !lost[i])
    {
      extent.box += space.wrap(spheres.sphere[i].position);
      extent.survivors = 1;
    }
    return extent;
  }
};

/// Reads sphere, lost; writes the cell of each, its rank there and how many each cell holds. Ranks
/// depend on who comes first; OrderCell mends that.
struct CountCells
{
  SphereView spheres;
  const std::uint8_t* lost; ///< or null
  CellGeometry cells;
  Periodicity space;
  Index lostCell;
  Index* cell;
  Index* rank;
  Index* counts;
  HOST_DEVICE void operator()(Index i) const
  {
    cell[i] = lost && lost[i]
                ? lostCell
                : static_cast<Index>(cells.key(space.wrap(spheres.sphere[i].position)));
    rank[i] = atomicIncrement(counts + cell[i]);
  }
};

/// Reads cell, rank, start; writes order.
struct PlaceIntoCells
{
  const Index* cell;
  const Index* rank;
  const Index* start;
  Index* order;
  HOST_DEVICE void operator()(Index i) const { order[start[cell[i]] + rank[i]] = i; }
};

/// Reads sphere, order; writes the compact copies.
struct CopySphere
{
  SphereView spheres;
  const Index* order;
  Periodicity space;
  Vec3d lower;
  float *x, *y, *z, *radius;
  HOST_DEVICE void operator()(Index slot) const
  {
    const auto& sphere = spheres.sphere[order[slot]];
    const Vec3f p = (space.wrap(sphere.position) - lower).to<float>();
    x[slot] = p.x;
    y[slot] = p.y;
    z[slot] = p.z;
    radius[slot] = static_cast<float>(sphere.radius);
  }
};

/// Reads start; sorts each cell's part of order by number and writes the copies of its spheres.
struct OrderCell
{
  const Index* start;
  Index* order;
  CopySphere copy;
  HOST_DEVICE void operator()(Index cell) const
  {
    const Index first = start[cell], last = start[cell + 1];
    bool isSorted = true;
    for (Index slot = first + 1; slot < last; ++slot)
      isSorted = isSorted && order[slot - 1] < order[slot];
    if (!isSorted)
      heapSort(order + first, last - first, [](Index a, Index b) { return a < b; });
    for (Index slot = first; slot < last; ++slot)
      copy(slot);
  }
};

/// Reads sphere, lost; writes keys, order.
struct MakeKeys
{
  SphereView spheres;
  const std::uint8_t* lost; ///< or null
  CellGeometry cells;
  Periodicity space;
  std::uint64_t* keys;
  Index* order;
  HOST_DEVICE void operator()(Index i) const
  {
    keys[i] =
      lost && lost[i] ? ~std::uint64_t(0) : cells.key(space.wrap(spheres.sphere[i].position));
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

/// Numbers cells for a table of all: slowest along the longest axis, so that what lies near stays near in
/// memory, and fastest along the next, so that runs are whole.
/// @return how many numbers there are
double numberCells(CellGeometry& cells)
{
  struct Axis
  {
    double size;
    std::uint64_t* stride;
  };
  std::array<Axis, 3> axes{ Axis{ cells.size.x, &cells.strideX },
    Axis{ cells.size.y, &cells.strideY }, Axis{ cells.size.z, &cells.strideZ } };
  std::stable_sort(
    axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.size > b.size; });
  const Axis &slow = axes[0], &fast = axes[1], &middle = axes[2];
  const auto along = [&cells](const Axis& axis) { return cells.number(axis.size, axis.size); };
  // One empty cell between rows and one empty row between planes do for both of their neighbours.
  const std::uint64_t row = along(fast) + 1;
  const bool hasRows = along(middle) > 1, hasPlanes = along(slow) > 1;
  const std::uint64_t plane = hasRows ? (along(middle) + 1) * row : row;
  *fast.stride = 1;
  *middle.stride = row;
  *slow.stride = plane;
  cells.middle = hasRows ? row : 0;
  cells.slow = hasPlanes ? plane : 0;
  // In floating point: a wide scene has more than any integer holds.
  const auto inCells = [](std::uint64_t n) { return static_cast<double>(n); };
  const double planes = hasPlanes ? inCells(along(slow)) + 1 : 1;
  const double rows = hasRows ? inCells(along(middle)) + 1 : 1;
  return planes * (hasRows ? rows * inCells(row) : inCells(row)) + rows * inCells(row) +
         inCells(along(fast)) + 3;
}

/// Numbers cells where no table holds all: along z, then y, then x. An axis along which there is one cell only,
/// as in a flat scene, comes between, so that runs lie along one that has more.
void numberWideScene(CellGeometry& cells)
{
  struct Axis
  {
    double size;
    std::uint64_t* stride;
  };
  Axis slow{ cells.size.x, &cells.strideX }, middle{ cells.size.y, &cells.strideY },
    fast{ cells.size.z, &cells.strideZ };
  const auto isOneCell = [&cells](const Axis& axis)
  { return cells.number(axis.size, axis.size) == 1; };
  if (isOneCell(fast))
    std::swap(middle, fast);
  if (isOneCell(slow))
    std::swap(slow, middle);
  *fast.stride = 1;
  *middle.stride = ColumnTable::kY;
  *slow.stride = ColumnTable::kX;
  cells.middle = isOneCell(middle) ? 0 : ColumnTable::kY;
  cells.slow = isOneCell(slow) ? 0 : ColumnTable::kX;
}

/// More cells than this for each particle are not tabulated.
constexpr double kCellsPerParticle = 4;

} // namespace

Index CellGrid::sort(const Executor& executor, const SphereView& spheres,
  const Buffer<std::uint8_t>& lost, double cellSize, const Periodicity& space)
{
  reorders_ = true;
  fill(executor, spheres, lost.data(), cellSize, space);
  return survivors_;
}

void CellGrid::locate(
  const Executor& executor, const SphereView& spheres, double cellSize, const Periodicity& space)
{
  reorders_ = false;
  fill(executor, spheres, nullptr, cellSize, space);
}

void CellGrid::evenRows(const Executor& executor, const Buffer<Index>& lengths)
{
  place_.resizeDiscarding(copyStride_);
  executor.forEach("cells.evenRows", (survivors_ + EvenWindow::kSize - 1) / EvenWindow::kSize,
    EvenWindow{ lengths.data(), survivors_, order_.data(), place_.data() });
  hasEvenRows_ = true;
}

CellGridView CellGrid::view() const
{
  const Index* index = reorders_ ? (hasEvenRows_ ? place_.data() : nullptr) : order_.data();
  return { survivors_, index, isDense_ ? cellStart_.data() : nullptr,
    isDense_ ? nullptr : keys_.data(), table_, geometry_,
    { copies(0), copies(1), copies(2), copies(3) } };
}

void CellGrid::fill(const Executor& executor, const SphereView& spheres, const std::uint8_t* lost,
  double cellSize, const Periodicity& space)
{
  const auto extent =
    executor.sum<Extent>("cells.extent", spheres.count, MeasureExtent{ spheres, lost, space });
  survivors_ = extent.survivors;
  hasEvenRows_ = false;

  const Vec3d size = extent.box.empty() ? Vec3d{} : extent.box.upper - extent.box.lower;
  const double cellsAtMost = static_cast<double>(ColumnTable::kY) - 4;
  cellSize = std::max(cellSize, std::max({ size.x, size.y, size.z }) / cellsAtMost);
  geometry_ = { extent.box.lower, 1 / cellSize, size, 0, 0, 0, 0, 0 };

  copyStride_ = static_cast<std::size_t>(spheres.count) + kLanes;
  order_.resizeDiscarding(copyStride_);
  order_.shrink(spheres.count);
  copies_.resizeDiscarding(4 * copyStride_);
  CellGeometry dense = geometry_;
  const double cells = numberCells(dense);
  isDense_ = cells <= kCellsPerParticle * survivors_ + 1024;
  if (isDense_)
  {
    geometry_ = dense;
    sortDense(executor, spheres, lost, space, static_cast<Index>(cells));
  }
  else
  {
    numberWideScene(geometry_);
    sortSparse(executor, spheres, lost, space);
  }
}

void CellGrid::sortDense(const Executor& executor, const SphereView& spheres,
  const std::uint8_t* lost, const Periodicity& space, Index cells)
{
  table_ = {};
  cell_.resizeDiscarding(spheres.count);
  rank_.resizeDiscarding(spheres.count);
  cellStart_.resizeDiscarding(static_cast<std::size_t>(cells) + 2); // one for those that are lost
  executor.forEach("cells.clear", cells + 2, Fill<Index>{ cellStart_.data(), 0 });
  executor.forEach("cells.count", spheres.count,
    CountCells{
      spheres, lost, geometry_, space, cells, cell_.data(), rank_.data(), cellStart_.data() });
  executor.exclusiveScan("cells.scan", cellStart_);
  executor.forEach("cells.place", spheres.count,
    PlaceIntoCells{ cell_.data(), rank_.data(), cellStart_.data(), order_.data() });
  executor.forEach("cells.order", cells + 1,
    OrderCell{ cellStart_.data(), order_.data(),
      { spheres, order_.data(), space, geometry_.lower, copies(0), copies(1), copies(2),
        copies(3) } });
}

void CellGrid::sortSparse(const Executor& executor, const SphereView& spheres,
  const std::uint8_t* lost, const Periodicity& space)
{
  keys_.resizeDiscarding(spheres.count);
  executor.forEach("cells.keys", spheres.count,
    MakeKeys{ spheres, lost, geometry_, space, keys_.data(), order_.data() });
  executor.sortByKey("cells.sort", keys_, order_);
  tabulateColumns(executor);
  executor.forEach("cells.copy", spheres.count,
    CopySphere{
      spheres, order_.data(), space, geometry_.lower, copies(0), copies(1), copies(2), copies(3) });
}

void CellGrid::tabulateColumns(const Executor& executor)
{
  table_ = {};
  // The last cell of all, by its numbers along the slow and the middle axis.
  const std::uint64_t last = geometry_.key(geometry_.lower + geometry_.size);
  const std::uint64_t nx = last / ColumnTable::kX + 2,
                      ny = last / ColumnTable::kY % ColumnTable::kY + 2;
  if (nx * ny > 16 * static_cast<std::uint64_t>(survivors_) + 1024)
    return; // the keys are searched whole instead
  columnStart_.resizeDiscarding(nx * ny + 1);
  table_ = { columnStart_.data(), static_cast<std::int32_t>(nx), static_cast<std::int32_t>(ny) };
  executor.forEach("cells.columns", survivors_ + 1,
    FindColumnStarts{ keys_.data(), survivors_, table_, columnStart_.data() });
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
