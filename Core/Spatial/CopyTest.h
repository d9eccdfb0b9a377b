/// @file
/// Which of some spheres are neighbours of one, by compact copies, as many at a time as there are lanes.
#pragma once

#include "Math/Lanes.h"
#include "Spatial/PairRule.h"
#include "Spatial/SphereView.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// In single precision, with a margin on either side in which the spheres themselves are asked.
class CopyTest
{
public:
  /// @param place  of sphere i, relative to the copies' corner [m]
  /// @param extent [m] no coordinate of a copy or of the place is larger
  HOST_DEVICE CopyTest(const PairRule& rule, Index i, const Vec3f& place, double extent)
    : rule_(rule)
    , i_(i)
    , x_(place.x)
    , y_(place.y)
    , z_(place.z)
  {
    // Positions and radii are off by half a unit in the 24th bit, of the extent at most, and each of some ten
    // operations by as much of its result.
    const double margin = extent / (1 << 20);
    const auto radius = static_cast<float>(rule.spheres.sphere[i].radius);
    radius_ = radius;
    outer_ = static_cast<float>(rule.skin + margin);
    inner_ = static_cast<float>(rule.skin - margin);
    // Where the margin is wider than a pair, none is certain.
    anyCertain_ = rule.skin - margin + radius > 0 ? ~std::uint32_t(0) : 0;
  }

  /// Adds those of the copies slot … last - 1 that are neighbours, kLanes at most.
  /// @param index whose copies they are
  template <class Row>
  HOST_DEVICE void operator()(
    const SphereCopies& copies, Index slot, Index last, IntLanes index, Row& row) const
  {
    const FloatLanes dx = loadLanes(copies.x + slot) - x_;
    const FloatLanes dy = loadLanes(copies.y + slot) - y_;
    const FloatLanes dz = loadLanes(copies.z + slot) - z_;
    const FloatLanes touching = loadLanes(copies.radius + slot) + radius_;
    const FloatLanes squared = dx * dx + dy * dy + dz * dz;
    const FloatLanes most = touching + outer_, least = touching + inner_;
    std::uint32_t found = bitsOf(
      (squared < most * most) & (lanesFrom(slot) < IntLanes(last)) & !(index == IntLanes(i_)));
    const std::uint32_t certain = bitsOf(squared < least * least) & anyCertain_;
    if ((found & ~certain) != 0)
    {
      const EachLane<Index, IntLanes> j(index);
      found =
        keepBits(found, [&](int k) { return (certain >> k & 1) != 0 || rule_.areNear(i_, j[k]); });
    }
    if (rule_.spheres.body)
    {
      const EachLane<Index, IntLanes> j(index);
      found = keepBits(found, [&](int k) { return rule_.canMeet(i_, j[k]); });
    }
    row.add(index, squared - touching * touching, found);
  }

private:
  const PairRule& rule_;
  Index i_;
  FloatLanes x_, y_, z_, radius_, outer_, inner_;
  std::uint32_t anyCertain_;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
