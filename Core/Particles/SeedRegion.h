/// @file
/// The shape that seeds fill, as random places in it.
#pragma once

#include "Math/Random.h"
#include "Math/Vec.h"
#include "Seeding.h"

#include <functional>
#include <vector>

namespace lapilli
{

/// Draws places in a shape, relative to `origin`.
struct SeedRegion
{
  Vec3d origin;                              ///< [m]
  Vec3d extent;                              ///< [m], of the box around all places
  std::function<Vec3d(RandomStream&)> place; ///< [m], equally likely everywhere in the shape
};

/// The region around a point that holds a loose cluster of all seeds: about a fifth of its volume,
/// or a third of its area on the ground, is filled.
SeedRegion clusterAround(const std::array<double, 3>& center, const std::vector<double>& radii,
  const Elevation* terrain, double growth);

/// Of all shapes but Point, whose region depends on its seeds, and lines, which are paths. It may refer to the parameters.
SeedRegion regionOf(const SeedingParameters& parameters);

inline Vec3d vec(const std::array<double, 3>& a)
{
  return { a[0], a[1], a[2] };
}

} // namespace lapilli
