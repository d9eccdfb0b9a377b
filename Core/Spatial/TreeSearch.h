/// @file
/// Searches a tree for the spheres that come nearer to one than the skin.
#pragma once

#include "Spatial/NearSpheres.h"
#include "Spatial/PairRule.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

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
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
