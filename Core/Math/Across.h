/// @file
/// Directions across another.
#pragma once

#include "Math/Vec.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lapilli
{

/// Unit vector along a direction of any length, whose square may be no number; zero for zero. The
/// scale is a power of two, so that others are rounded as normalized() does.
inline Vec3d unitAlong(const Vec3d& direction)
{
  const double greatest =
    std::max({ std::abs(direction.x), std::abs(direction.y), std::abs(direction.z) });
  if (!(greatest > 0))
    return {};
  const int power = -std::ilogb(greatest);
  return normalized(Vec3d{ std::ldexp(direction.x, power), std::ldexp(direction.y, power),
    std::ldexp(direction.z, power) });
}

/// Two unit vectors at right angles to a direction of any length and each other.
inline std::pair<Vec3d, Vec3d> acrossDirections(const Vec3d& direction)
{
  const Vec3d n = unitAlong(direction);
  const Vec3d axis = std::abs(n.z) < 0.9 ? Vec3d{ 0, 0, 1 } : Vec3d{ 1, 0, 0 };
  const Vec3d u = normalized(cross(axis, n));
  return { u, cross(n, u) };
}

} // namespace lapilli
