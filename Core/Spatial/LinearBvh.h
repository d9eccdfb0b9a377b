/// @file
/// Tree of boxes over primitives of any kind, built in parallel along the Z-curve: spheres of mixed radii,
/// triangles, whatever has a box.
///
///   LinearBvh tree;
///   tree.build(executor, boxes);
///   executor.forEach("room.kernel", tree.view().count, Kernel{ tree.view(), … });
///
/// The tree is that of T. Karras, HPG 2012 (33-37): the binary radix tree of the sorted keys. Hierarchy and boxes
/// are made in one pass from the leaves up, as by C. Apetrei, CGVC 2014 (41-44): of the two halves of a node
/// the one that is finished second goes on with both. What results depends on the keys alone, not on who was second.
#pragma once

#include "Parallel/Executor.h"
#include "Spatial/BvhTraverse.h"
#include "Spatial/MortonCode.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

class LinearBvh
{
public:
  /// Above this share of keys that equal their neighbour's, keys within their cells tell them apart first.
  static constexpr double kEqualKeys = 0.25;

  /// Builds a tree over boxes [m]. Memory is kept; nothing is allocated where their number repeats. The host waits twice:
  /// for the box around all, and for how many keys are equal.
  /// @throws InvalidInput that names the first box with a coordinate that is infinite or not a number, or
  ///         with lower above upper; the tree is then empty
  void build(
    const Executor& executor, const Buffer<FloatBox>& boxes, CurveAxes axes = CurveAxes::Auto);

  /// Puts other boxes of the same primitives into the tree as it is: right for any, and as good as a new tree while
  /// they have not moved by more than their size.
  /// @throws InvalidInput as build(), and for another number of boxes
  void refit(const Executor& executor, const Buffer<FloatBox>& boxes);

  /// order()[place] = primitive, along the Z-curve.
  const Buffer<Index>& order() const { return order_; }

  /// Takes note that primitives were moved into the tree's order: primitive and place are then the same.
  void renumber(const Executor& executor);

  BvhView view() const { return { nodes_.data(), order_.data(), root_.data(), count_ }; }
  double bytes() const
  {
    return static_cast<double>(keys_.bytes() + order_.bytes() + nodes_.bytes() + root_.bytes());
  }

private:
  /// The box around all; that of nothing is inside out.
  FloatBox surveyed(const Executor& executor, const Buffer<FloatBox>& boxes);
  void sortFiner(const Executor& executor, const Buffer<FloatBox>& boxes, const MortonCells& cells);
  void join(const Executor& executor, const Buffer<FloatBox>& boxes);

  Buffer<std::uint32_t> keys_;
  Buffer<Index> order_;
  Buffer<BvhNode> nodes_;
  Buffer<Index> root_;
  Index count_ = 0;
  Index atRest_ = 0; ///< so many nodes have nobody waiting
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
