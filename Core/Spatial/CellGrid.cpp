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
  ParticleView particles;
  const std::uint8_t* lost;
  HOST_DEVICE Extent operator()(Index i) const
  {
    Extent extent;
    if (!lost[i])
    {
      extent.box += particles.sphere[i].position;
      extent.survivors = 1;
    }
    return extent;
  }
};

/// Reads sphere, lost; writes keys, order.
struct MakeKeys
{
  ParticleView particles;
  const std::uint8_t* lost;
  CellGeometry cells;
  std::uint64_t* keys;
  Index* order;
  HOST_DEVICE void operator()(Index i) const
  {
    keys[i] = lost[i] ? ~std::uint64_t(0) : cells.key(particles.sphere[i].position);
    order[i] = i;
  }
};

} // namespace

Index CellGrid::sort(const Executor& executor, const ParticleView& particles,
  const Buffer<std::uint8_t>& lost, double cellSize)
{
  const auto extent =
    executor.sum<Extent>("cells.extent", particles.count, MeasureExtent{ particles, lost.data() });
  survivors_ = extent.survivors;

  const Vec3d size = extent.box.empty() ? Vec3d{} : extent.box.upper - extent.box.lower;
  const double cellsAtMost = (1 << CellGeometry::kBits) - 4;
  cellSize = std::max(cellSize, std::max({ size.x, size.y, size.z }) / cellsAtMost);
  const CellGeometry cells{ extent.box.lower, 1 / cellSize };

  keys_.resizeDiscarding(particles.count);
  order_.resizeDiscarding(particles.count);
  executor.forEach("cells.keys", particles.count,
    MakeKeys{ particles, lost.data(), cells, keys_.data(), order_.data() });
  executor.sortByKey("cells.sort", keys_, order_);
  return survivors_;
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
