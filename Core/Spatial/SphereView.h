/// @file
/// Spheres as kernels see them.
#pragma once

#include "Math/Sphere.h"
#include "Parallel/Buffer.h"

namespace lapilli
{

/// Spheres in memory of a backend.
struct SphereView
{
  Index count;
  const Sphere* sphere;
  /// Per sphere the rigid body it is a part of, -1 for none; null where there are no bodies. Spheres
  /// of one body are never a pair.
  const std::int32_t* body = nullptr;
};

/// Copies of spheres, where they are relative to a corner, in single precision. kLanes more may be read
/// than there are.
struct SphereCopies
{
  const float *x, *y, *z; ///< [m]
  const float* radius;    ///< [m]
};

} // namespace lapilli
