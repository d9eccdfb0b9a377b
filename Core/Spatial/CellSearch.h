/// @file
/// Searches the cells around a sphere for those that come nearer to it than the skin.
#pragma once

#include "Spatial/NearSpheres.h"
#include "Spatial/PairRule.h"

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

  /// In single precision, with a margin on either side in which the spheres themselves are asked.
  template <class Row>
  HOST_DEVICE void searchCopies(Index i, const Vec3d& home, Row& row) const
  {
    const CellGeometry& geometry = near.cells.geometry;
    const SphereCopies& copies = near.cells.copies;
    // Positions and radii are off by half a unit in the 24th bit, of the scene's length at most, and each
    // of some ten operations by as much of its result.
    const double margin = (geometry.longest() + 1 / geometry.perMetre) / (1 << 20);
    const auto radius = static_cast<float>(near.spheres.sphere[i].radius);
    const Vec3f place = (home - geometry.lower).to<float>();
    const Lanes::Floats x = Lanes::all(place.x), y = Lanes::all(place.y), z = Lanes::all(place.z);
    const Lanes::Floats own = Lanes::all(radius);
    const Lanes::Floats outer = Lanes::all(static_cast<float>(rule.skin + margin));
    const Lanes::Floats inner = Lanes::all(static_cast<float>(rule.skin - margin));
    // Where the margin is wider than a pair, none is certain.
    const Lanes::Mask anyCertain = rule.skin - margin + radius > 0 ? ~Lanes::Mask(0) : 0;
    near.cells.forEachRun(geometry.key(home),
      [&](Index first, Index last)
      {
        for (Index slot = first; slot < last && !row.isOverfull(); slot += Lanes::kCount)
        {
          const Lanes::Floats dx = Lanes::load(copies.x + slot) - x;
          const Lanes::Floats dy = Lanes::load(copies.y + slot) - y;
          const Lanes::Floats dz = Lanes::load(copies.z + slot) - z;
          const Lanes::Floats touching = Lanes::load(copies.radius + slot) + own;
          const Lanes::Floats squared = dx * dx + dy * dy + dz * dz;
          const Lanes::Floats most = touching + outer, least = touching + inner;
          const Lanes::Ints index = indices(slot);
          Lanes::Mask found = Lanes::below(squared, most * most) & Lanes::first(last - slot) &
                              Lanes::different(index, Lanes::all(i));
          const Lanes::Mask certain = Lanes::below(squared, least * least) & anyCertain;
          if ((found & ~certain) != 0)
            found = Lanes::filter(found, [&](int k)
              { return (certain >> k & 1) != 0 || rule.areNear(i, Lanes::at(index, k)); });
          if (rule.spheres.body)
            found =
              Lanes::filter(found, [&](int k) { return rule.canMeet(i, Lanes::at(index, k)); });
          row.add(index, squared - touching * touching, found);
        }
      });
  }

  HOST_DEVICE Lanes::Ints indices(Index slot) const
  {
    const Index* index = near.cells.index;
    return index ? Lanes::load(index + slot) : Lanes::countFrom(slot);
  }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
