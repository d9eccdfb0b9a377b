/// @file
/// Which of some spheres are neighbours of one, by compact copies, as many at a time as there are lanes.
#pragma once

#include "Parallel/Lanes.h"
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
    , x_(Lanes::all(place.x))
    , y_(Lanes::all(place.y))
    , z_(Lanes::all(place.z))
  {
    // Positions and radii are off by half a unit in the 24th bit, of the extent at most, and each of some ten
    // operations by as much of its result.
    const double margin = extent / (1 << 20);
    const auto radius = static_cast<float>(rule.spheres.sphere[i].radius);
    radius_ = Lanes::all(radius);
    outer_ = Lanes::all(static_cast<float>(rule.skin + margin));
    inner_ = Lanes::all(static_cast<float>(rule.skin - margin));
    // Where the margin is wider than a pair, none is certain.
    anyCertain_ = rule.skin - margin + radius > 0 ? ~Lanes::Mask(0) : 0;
  }

  /// Adds those of the copies slot … last - 1 that are neighbours, Lanes::kCount at most.
  /// @param index whose copies they are
  template <class Row>
  HOST_DEVICE void operator()(
    const SphereCopies& copies, Index slot, Index last, Lanes::Ints index, Row& row) const
  {
    const Lanes::Floats dx = Lanes::load(copies.x + slot) - x_;
    const Lanes::Floats dy = Lanes::load(copies.y + slot) - y_;
    const Lanes::Floats dz = Lanes::load(copies.z + slot) - z_;
    const Lanes::Floats touching = Lanes::load(copies.radius + slot) + radius_;
    const Lanes::Floats squared = dx * dx + dy * dy + dz * dz;
    const Lanes::Floats most = touching + outer_, least = touching + inner_;
    Lanes::Mask found = Lanes::below(squared, most * most) & Lanes::first(last - slot) &
                        Lanes::different(index, Lanes::all(i_));
    const Lanes::Mask certain = Lanes::below(squared, least * least) & anyCertain_;
    if ((found & ~certain) != 0)
      found = Lanes::filter(found,
        [&](int k) { return (certain >> k & 1) != 0 || rule_.areNear(i_, Lanes::at(index, k)); });
    if (rule_.spheres.body)
      found = Lanes::filter(found, [&](int k) { return rule_.canMeet(i_, Lanes::at(index, k)); });
    row.add(index, squared - touching * touching, found);
  }

private:
  const PairRule& rule_;
  Index i_;
  Lanes::Floats x_, y_, z_, radius_, outer_, inner_;
  Lanes::Mask anyCertain_;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
