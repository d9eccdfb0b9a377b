/// @file
/// Where a sphere is: centre and radius together, as nearly every reader wants both.
#pragma once

#include "Math/Vec.h"

namespace lapilli
{

struct alignas(32) Sphere
{
  Vec3d position; ///< [m], local
  double radius;  ///< [m]
};

} // namespace lapilli
