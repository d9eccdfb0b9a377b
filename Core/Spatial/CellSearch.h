/// @file
/// Searches the cells around a sphere for those that come nearer to it than the skin.
#pragma once

#include "Spatial/CopyTest.h"
#include "Spatial/NearSpheres.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

struct CellSearch
{
  NearSpheres near;
  PairRule rule;

  template <class Row>
  HOST_DEVICE void operator()(Index i, Row& row) const
  {
    const Vec3d home = near.space.wrap(near.spheres.sphere[i].position);
    if (near.space.any() && near.reachesAcross(home))
      searchImages(i, row);
    else
      searchCopies(i, home, row);
  }

  template <class Row>
  HOST_DEVICE void ofGroup(Index first, Index last, Row* rows) const
  {
    for (Index i = first; i < last; ++i)
      (*this)(i, rows[i - first]);
  }

private:
  template <class Row>
  HOST_DEVICE void searchImages(Index i, Row& row) const
  {
    near.forEachNear(near.spheres.sphere[i].position,
      [&](Index j, const Vec3d& way)
      {
        const double limit = rule.reach(i, j), touching = limit - rule.skin;
        if (rule.canMeet(i, j) && squaredLength(way) < limit * limit)
          row.add(j, static_cast<float>(squaredLength(way) - touching * touching));
      });
  }

  template <class Row>
  HOST_DEVICE void searchCopies(Index i, const Vec3d& home, Row& row) const
  {
    const CellGeometry& geometry = near.cells.geometry;
    const CopyTest test(
      rule, i, (home - geometry.lower).to<float>(), geometry.longest() + 1 / geometry.perMetre);
    near.cells.forEachRun(geometry.key(home),
      [&](Index first, Index last)
      {
        for (Index slot = first; slot < last && !row.isOverfull(); slot += kLanes)
          test(near.cells.copies, slot, last, indices(slot), row);
      });
  }

  HOST_DEVICE IntLanes indices(Index slot) const
  {
    const Index* index = near.cells.index;
    return index ? loadLanes(index + slot) : lanesFrom(slot);
  }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
