/// @file
/// Axis-aligned box; grows by points, starts empty.
#pragma once

#include "Math/Vec.h"

namespace lapilli
{

struct Box
{
  Vec3d lower{ kFar, kFar, kFar };
  Vec3d upper{ -kFar, -kFar, -kFar };

  static constexpr double kFar = 1e300;

  HOST_DEVICE bool empty() const { return lower.x > upper.x; }

  HOST_DEVICE Box& operator+=(const Vec3d& p)
  {
    lower = { p.x < lower.x ? p.x : lower.x, p.y < lower.y ? p.y : lower.y,
      p.z < lower.z ? p.z : lower.z };
    upper = { p.x > upper.x ? p.x : upper.x, p.y > upper.y ? p.y : upper.y,
      p.z > upper.z ? p.z : upper.z };
    return *this;
  }
  HOST_DEVICE Box& operator+=(const Box& b)
  {
    if (!b.empty())
    {
      *this += b.lower;
      *this += b.upper;
    }
    return *this;
  }
};

} // namespace lapilli
