/// @file
/// Searches a tree for the spheres that come nearer to one than the skin.
///
/// Spheres that stand side by side are near one another: they go through the tree together, and each then looks
/// at what all of them have met.
#pragma once

#include "Math/Box.h"
#include "Math/Select.h"
#include "Spatial/CopyTest.h"
#include "Spatial/NearSpheres.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// What a group has met, with places relative to its middle.
class Candidates
{
public:
  static constexpr Index kMost = 256;

  HOST_DEVICE bool isFull() const { return count_ == kMost; }
  HOST_DEVICE Index count() const { return count_; }
  HOST_DEVICE void clear() { count_ = 0; }
  HOST_DEVICE void add(Index j, const Vec3f& place, float radius)
  {
    x_[count_] = place.x;
    y_[count_] = place.y;
    z_[count_] = place.z;
    radius_[count_] = radius;
    index_[count_++] = j;
  }
  HOST_DEVICE SphereCopies copies() const { return { x_, y_, z_, radius_ }; }
  HOST_DEVICE IntLanes indices(Index slot) const { return loadLanes(index_ + slot); }

private:
  static constexpr Index kRoom = kMost + kLanes;
  Index count_ = 0;
  float x_[kRoom], y_[kRoom], z_[kRoom], radius_[kRoom];
  Index index_[kRoom];
};

struct TreeSearch
{
  NearSpheres near;
  PairRule rule;

  template <class Row>
  HOST_DEVICE void operator()(Index i, Row& row) const
  {
    const Sphere self = near.spheres.sphere[i];
    near.forEachInTree(self.position, self.radius + rule.skin,
      [&](Index j, const Vec3d& way)
      {
        const double touching = self.radius + near.spheres.sphere[j].radius;
        const double limit = touching + rule.skin, squared = squaredLength(way);
        if (squared < limit * limit && rule.canMeet(i, j) && !row.isOverfull())
          row.add(j, static_cast<float>(squared - touching * touching));
      });
  }

  template <class Row>
  HOST_DEVICE void ofGroup(Index first, Index last, Row* rows) const
  {
    if constexpr (kLanesPerCall > 1)
    {
      Box around;
      if (last - first > 1)
      {
        if (isCompact(first, last, around))
          return together(first, last, around, rows);
        const Index middle = first + (last - first) / 2; // the curve jumps here
        ofGroup(first, middle, rows);
        return ofGroup(middle, last, rows + (middle - first));
      }
    }
    (*this)(first, *rows);
  }

private:
  /// Whether going together pays: spheres of like size, in a box not much larger than theirs together, away from
  /// sides beyond which space repeats.
  /// @param around receives the box in which their neighbours' surfaces are
  HOST_DEVICE bool isCompact(Index first, Index last, Box& around) const
  {
    double smallest = Box::kFar, largest = 0, together = 0;
    for (Index i = first; i < last; ++i)
    {
      const double radius = near.spheres.sphere[i].radius, width = radius + rule.skin;
      const Vec3d home = near.space.wrap(near.spheres.sphere[i].position);
      if (near.space.any() && near.reachesAcross(home))
        return false;
      around += home - Vec3d{ width, width, width };
      around += home + Vec3d{ width, width, width };
      smallest = radius < smallest ? radius : smallest;
      largest = radius > largest ? radius : largest;
      together += 8 * width * width * width;
    }
    const Vec3d size = around.upper - around.lower;
    return largest <= 4 * smallest && size.x * size.y * size.z <= 4 * together;
  }

  template <class Row>
  HOST_DEVICE void together(Index first, Index last, const Box& around, Row* rows) const
  {
    const Vec3d middle = 0.5 * (around.lower + around.upper), half = around.upper - middle;
    const double farthest = larger(larger(half.x, half.y), half.z);
    double extent = farthest;
    Candidates met;
    const auto look = [&]
    {
      for (Index i = first; i < last; ++i)
      {
        Row& row = rows[i - first];
        const Vec3d home = near.space.wrap(near.spheres.sphere[i].position);
        const CopyTest test(rule, i, (home - middle).to<float>(), extent);
        for (Index slot = 0; slot < met.count() && !row.isOverfull(); slot += kLanes)
          test(met.copies(), slot, met.count(), met.indices(slot), row);
      }
      met.clear();
    };
    near.tree.forEachOverlap(outwardBox(around),
      [&](Index leaf)
      {
        if (met.isFull())
          look();
        const Index j = near.tree.order[leaf];
        const Sphere& sphere = near.spheres.sphere[j];
        const Vec3d place = near.space.wrap(sphere.position) - middle;
        met.add(j, place.to<float>(), static_cast<float>(sphere.radius));
        extent = larger(extent, farthest + sphere.radius); // their boxes overlap
      });
    look();
  }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
