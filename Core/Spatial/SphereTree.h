/// @file
/// Spheres in a tree of boxes along the Z-curve. For radii that differ, and for scenes far wider than what is in
/// them: a small sphere meets few boxes however large others are.
///
/// Offers what CellGrid offers: an order, and a view for searches.
#pragma once

#include "Math/Periodicity.h"
#include "Spatial/LinearBvh.h"
#include "Spatial/SphereView.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

class SphereTree
{
public:
  explicit SphereTree(CurveAxes axes)
    : axes_(axes)
  {
  }

  /// Finds the order of the spheres along the curve. The caller must put them into it before the view is used.
  /// @param lost  per sphere: not 0 moves it behind all others, and out of the tree
  /// @param space where it repeats, the tree holds the images in its box
  /// @return how many spheres are not lost
  /// @throws InvalidInput for a sphere that is not at a finite place
  Index sort(const Executor& executor, const SphereView& spheres, const Buffer<std::uint8_t>& lost,
    const Periodicity& space);

  /// Makes a tree of the spheres and leaves them in the order in which they are. None is lost.
  void locate(const Executor& executor, const SphereView& spheres, const Periodicity& space);

  /// Whether the spheres were to be put into order().
  bool reorders() const { return reorders_; }
  /// order()[place] = place among the spheres when they were sorted.
  const Buffer<Index>& order() const { return order_; }
  /// A leaf is a sphere's box; view().order names the sphere.
  BvhView view() const { return tree_.view(); }
  double bytes() const
  {
    return static_cast<double>(
             order_.bytes() + lostBehind_.bytes() + start_.bytes() + boxes_.bytes()) +
           tree_.bytes();
  }

private:
  /// @param order of the spheres that are to be in the tree; null for all as they are
  void build(const Executor& executor, const SphereView& spheres, const Index* order, Index count,
    const Periodicity& space);

  Buffer<Index> order_;
  Buffer<Index> lostBehind_; ///< the former order, but for those that are lost
  Buffer<Offset> start_;     ///< by sphere: how many before it are not lost
  Buffer<FloatBox> boxes_;
  LinearBvh tree_;
  CurveAxes axes_;
  bool reorders_ = true;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
