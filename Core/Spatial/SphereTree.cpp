#include "Spatial/SphereTree.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// Reads lost; writes stays.
struct MarkWhoStays
{
  const std::uint8_t* lost;
  Index* stays;
  HOST_DEVICE void operator()(Index i) const { stays[i] = lost[i] ? 0 : 1; }
};

/// Reads lost, start; writes order: those that stay, then those that are lost, each as they were.
struct MoveLostBehind
{
  const std::uint8_t* lost;
  const Offset* start;
  Index survivors;
  Index* order;
  HOST_DEVICE void operator()(Index i) const
  {
    const auto staying = static_cast<Index>(start[i]);
    order[lost[i] ? survivors + i - staying : staying] = i;
  }
};

/// Reads sphere, order; writes boxes.
struct BoxSpheres
{
  SphereView spheres;
  const Index* order; ///< or null: as they are
  Periodicity space;
  FloatBox* boxes;
  HOST_DEVICE void operator()(Index k) const
  {
    const Sphere& sphere = spheres.sphere[order ? order[k] : k];
    boxes[k] = outwardBox(space.wrap(sphere.position), sphere.radius);
  }
};

/// Writes the order along the curve, and behind it those that are lost.
struct ComposeOrder
{
  const Index* ofTree;
  const Index* lostBehind;
  Index survivors;
  Index* order;
  HOST_DEVICE void operator()(Index place) const
  {
    order[place] = lostBehind[place < survivors ? ofTree[place] : place];
  }
};

} // namespace

Index SphereTree::sort(const Executor& executor, const SphereView& spheres,
  const Buffer<std::uint8_t>& lost, const Periodicity& space)
{
  reorders_ = true;
  const Index count = spheres.count;
  lostBehind_.resizeDiscarding(count);
  order_.resizeDiscarding(count);
  executor.forEach("sphereTree.markWhoStays", count, MarkWhoStays{ lost.data(), order_.data() });
  const auto survivors =
    static_cast<Index>(executor.exclusiveScan("sphereTree.scan", order_, start_));
  executor.forEach("sphereTree.moveLostBehind", count,
    MoveLostBehind{ lost.data(), start_.data(), survivors, lostBehind_.data() });
  build(executor, spheres, lostBehind_.data(), survivors, space);
  executor.forEach("sphereTree.composeOrder", count,
    ComposeOrder{ tree_.order().data(), lostBehind_.data(), survivors, order_.data() });
  tree_.renumber(executor);
  return survivors;
}

void SphereTree::locate(
  const Executor& executor, const SphereView& spheres, const Periodicity& space)
{
  reorders_ = false;
  build(executor, spheres, nullptr, spheres.count, space);
}

void SphereTree::build(const Executor& executor, const SphereView& spheres, const Index* order,
  Index count, const Periodicity& space)
{
  boxes_.resizeDiscarding(count);
  executor.forEach(
    "sphereTree.boxSpheres", count, BoxSpheres{ spheres, order, space, boxes_.data() });
  tree_.build(executor, boxes_, axes_);
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
