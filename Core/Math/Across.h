/// @file
/// Directions across another.
#pragma once

#include "Math/Vec.h"

#include <utility>

namespace lapilli
{

/// Two unit vectors at right angles to a direction and each other.
inline std::pair<Vec3d, Vec3d> acrossDirections(const Vec3d& direction)
{
  const Vec3d n = normalized(direction);
  const Vec3d axis = std::abs(n.z) < 0.9 ? Vec3d{ 0, 0, 1 } : Vec3d{ 1, 0, 0 };
  const Vec3d u = normalized(cross(axis, n));
  return { u, cross(n, u) };
}

} // namespace lapilli
