/// @file
/// Which spheres are neighbours.
///
/// A search is what builds a list's rows by this rule: search(i, row) calls row.add() for every neighbour of sphere i,
/// once, and gives up where row.isOverfull(); search.ofGroup(first, last, rows) does so for spheres that stand side by
/// side.
#pragma once

#include "Math/Periodicity.h"
#include "Spatial/SphereView.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// Which spheres are neighbours, and which of them are the nearest.
struct PairRule
{
  SphereView spheres;
  Periodicity space;
  double skin; ///< [m]

  HOST_DEVICE bool canMeet(Index i, Index j) const
  {
    const std::int32_t* body = spheres.body;
    return j != i && (!body || body[i] < 0 || body[i] != body[j]);
  }
  HOST_DEVICE double reach(Index i, Index j) const
  {
    return static_cast<double>(spheres.sphere[i].radius) + spheres.sphere[j].radius + skin;
  }
  HOST_DEVICE Vec3d way(Index i, Index j) const
  {
    const Vec3d between = spheres.sphere[j].position - spheres.sphere[i].position;
    return space.any() ? space.nearest(between) : between;
  }
  HOST_DEVICE bool areNear(Index i, Index j) const
  {
    const double limit = reach(i, j);
    return squaredLength(way(i, j)) < limit * limit;
  }
  /// [m^2], by which rows are sorted: distance^2 - (r_i + r_j)^2. Below 0 for those that touch.
  HOST_DEVICE float remoteness(Index i, Index j) const
  {
    const double touching = reach(i, j) - skin;
    return static_cast<float>(squaredLength(way(i, j)) - touching * touching);
  }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
