/// @file
/// A tree of boxes as kernels see it, and the ways through it.
///
///   view.forEachOverlap(box, [&](Index place) { … view.order[place] … });
///
/// Leaves stand in a row, in the order of the Z-curve; a leaf is known by its place there, `order` tells which
/// primitive that is. The inner node whose left half ends with leaf k is number k (C. Apetrei, CGVC 2014). So the
/// way on from a subtree that ends with leaf k is the right half of node k, and a walk through the tree needs neither
/// stack nor parents: nothing can overflow, and no subtree is dropped.
#pragma once

#include "Math/FloatBox.h"
#include "Parallel/Buffer.h"

#include <limits>

namespace lapilli
{

/// One line of the cache: both halves with their boxes.
struct alignas(64) BvhNode
{
  FloatBox leftBox, rightBox;
  Index left, right; ///< >= 0: number of an inner node; < 0: ~place of a leaf
  Index last;        ///< the last leaf below
  Index waiting;     ///< first or last leaf of the half that was there first; see kNobody
  static constexpr Index kNobody = -1;
};

/// The leaf with the smallest value, and that value.
struct BvhNearest
{
  Index place = -1; ///< < 0: none is below the limit
  double value = 0;
};

struct BvhView
{
  const BvhNode* nodes; ///< count - 1; one for a single leaf
  const Index* order;   ///< order[place] = primitive
  const Index* root;
  Index count; ///< of leaves

  /// visit(place) for every leaf whose box overlaps a box, places ascending.
  template <class Visit>
  HOST_DEVICE void forEachOverlap(const FloatBox& box, const Visit& visit) const
  {
    forEach([&](const FloatBox& other) { return overlap(box, other); }, visit);
  }

  /// visit(place) for every leaf behind a place whose box overlaps that leaf's: over all places, each pair is met once.
  template <class Visit>
  HOST_DEVICE void forEachPairOf(Index place, const Visit& visit) const
  {
    forEachOverlapBehind(place, boxOf(place), visit);
  }

  /// The same with another box, as a wider one.
  template <class Visit>
  HOST_DEVICE void forEachOverlapBehind(Index place, const FloatBox& box, const Visit& visit) const
  {
    if (place < count - 1)
      walk(
        place, Half::Right, [&](const FloatBox& other) { return overlap(box, other); }, visit);
  }

  /// A leaf's own box: the leaf is a half of the node before or behind it.
  HOST_DEVICE FloatBox boxOf(Index place) const
  {
    const bool isLeft = place == 0 || (place < count - 1 && nodes[place].left == ~place);
    return isLeft ? nodes[place].leftBox : nodes[place - 1].rightBox;
  }

  /// visit(place) for every leaf whose box comes as near to a point as a reach [m], >= 0, and perhaps one that is
  /// farther by a rounding.
  template <class Visit>
  HOST_DEVICE void forEachWithin(const Vec3d& point, double reach, const Visit& visit) const
  {
    const double squaredReach = reach * reach * (1 + kRounding);
    forEach(
      [&](const FloatBox& box) { return squaredDistance(box, point) <= squaredReach; }, visit);
  }

  /// visit(place) for every leaf whose box holds a point.
  template <class Visit>
  HOST_DEVICE void forEachAt(const Vec3d& point, const Visit& visit) const
  {
    forEachWithin(point, 0, visit);
  }

  /// visit(place) for every leaf that may meet.
  /// @param meets whether anything in a box may meet
  template <class Meets, class Visit>
  HOST_DEVICE void forEach(const Meets& meets, const Visit& visit) const
  {
    if (count > 1)
      walk(*root, Half::Left, meets, visit);
    else if (count == 1 && meets(nodes[0].leftBox))
      visit(0);
  }

  /// The primitive nearest to a point.
  /// @param squaredReach    [m^2] only those that are nearer
  /// @param squaredDistance (place) [m^2] from the point to a primitive
  template <class SquaredDistance>
  HOST_DEVICE BvhNearest nearest(
    const Vec3d& point, double squaredReach, const SquaredDistance& squaredDistanceTo) const
  {
    return smallest(
      squaredReach, [&](const FloatBox& box) { return squaredDistance(box, point); },
      squaredDistanceTo);
  }

  /// The first primitive that a ray meets.
  /// @param direction of any length, which is the unit of the way
  /// @param limit     only those that are met before; may be infinite
  /// @param wayTo     (place) along the ray, >= 0, to where it meets a primitive; infinite if it does not
  template <class WayTo>
  HOST_DEVICE BvhNearest firstHit(
    const Vec3d& origin, const Vec3d& direction, double limit, const WayTo& wayTo) const
  {
    const Vec3d slowness{ inverse(direction.x), inverse(direction.y), inverse(direction.z) };
    return smallest(
      limit < kFarthest ? limit : kFarthest,
      [&](const FloatBox& box) { return entry(box, origin, slowness); }, wayTo);
  }

private:
  enum class Half
  {
    Left,
    Right
  };

  static constexpr double kRounding = 1e-14; ///< more than all roundings of a distance to a box
  static constexpr double kFarthest = 1e280;

  /// A path from the root has no more inner nodes: below each, keys agree in one bit more, of the 32 of a key and
  /// the 32 of an index that tells equal keys apart.
  static constexpr int kDeepest = 64;

  template <class Meets, class Visit>
  HOST_DEVICE void walk(Index number, Half half, const Meets& meets, const Visit& visit) const
  {
    for (;;)
    {
      const BvhNode& node = nodes[number];
      if (half == Half::Left && meets(node.leftBox))
      {
        if (node.left >= 0)
        {
          number = node.left;
          continue;
        }
        visit(~node.left);
      }
      if (meets(node.rightBox))
      {
        if (node.right >= 0)
        {
          number = node.right;
          half = Half::Left;
          continue;
        }
        visit(~node.right);
      }
      if (node.last == count - 1)
        return;
      number = node.last;
      half = Half::Right;
    }
  }

  /// The leaf with the smallest value below a limit; nearer halves first.
  /// @param bound a box' value, below that of any leaf in it but for roundings
  template <class Bound, class Value>
  HOST_DEVICE BvhNearest smallest(double limit, const Bound& bound, const Value& value) const
  {
    struct Part
    {
      Index link;
      double bound;
    };
    BvhNearest best;
    best.value = limit;
    if (count == 0)
      return best;
    Part waiting[kDeepest]; // one half at most of each node on the path from the root
    int size = 0;
    Part part{ count == 1 ? ~Index(0) : *root, 0 };
    for (;;)
    {
      if (part.link < 0)
      {
        const double v = value(~part.link);
        if (v < best.value)
          best = { ~part.link, v };
      }
      else
      {
        const BvhNode& node = nodes[part.link];
        Part near{ node.left, bound(node.leftBox) * (1 - kRounding) };
        Part far{ node.right, bound(node.rightBox) * (1 - kRounding) };
        if (far.bound < near.bound)
        {
          const Part swapped = near;
          near = far;
          far = swapped;
        }
        if (far.bound < best.value)
          waiting[size++] = far;
        if (near.bound < best.value)
        {
          part = near;
          continue;
        }
      }
      do
      {
        if (size == 0)
          return best;
        part = waiting[--size];
      } while (!(part.bound < best.value));
    }
  }

  HOST_DEVICE static double inverse(double d)
  {
    constexpr double least = 1e-290; // along such an axis the ray stands still
    return std::fabs(d) > least ? 1 / d : std::copysign(1 / least, d);
  }

  /// Way along a ray to a box, 0 from inside; infinite if it misses the box.
  HOST_DEVICE static double entry(const FloatBox& box, const Vec3d& origin, const Vec3d& slowness)
  {
    double in = 0, out = kFarthest;
    const auto cut = [&](double lower, double upper, double start, double slow)
    {
      const double a = (lower - start) * slow, b = (upper - start) * slow;
      const double first = a < b ? a : b, second = a < b ? b : a;
      in = first > in ? first : in;
      out = second < out ? second : out;
    };
    cut(box.lower.x, box.upper.x, origin.x, slowness.x);
    cut(box.lower.y, box.upper.y, origin.y, slowness.y);
    cut(box.lower.z, box.upper.z, origin.z, slowness.z);
    return in <= out * (1 + kRounding) ? in : std::numeric_limits<double>::infinity();
  }
};

} // namespace lapilli
