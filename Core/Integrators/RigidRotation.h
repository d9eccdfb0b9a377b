/// @file
/// Free rotation of a rigid body, by symplectic splitting.
/// Dullweber, Leimkuhler, McLachlan, J. Chem. Phys. 107 (1997) 5840, doi:10.1063/1.474310.
///
/// The state is the orientation (principal axes -> map) and the angular momentum in the map's
/// frame. That frame is the one in which a torque simply adds and free rotation changes nothing:
///
///   L += 0.5 * dt * torque;
///   driftRotation(q, L, inertia, dt);
///   L += 0.5 * dt * torqueAt(q);
#pragma once

#include "Math/Quaternion.h"

namespace lapilli
{

/// Turns a body about one of its own axes, `e`, for the time dt, as if it spun about that one alone.
///
/// tan of the half angle is Padé's h (15 - h^2) / (15 - 6 h^2), wrong by h^7 / 1575 of it: whatever
/// function of that one component of momentum the angle is, the turn remains the exact flow of
/// some kinetic energy. So nothing of symplecticity, reversibility or second order is lost, and
/// host and device agree to the last bit, which sin and cos would not grant.
HOST_DEVICE inline void turnAboutAxis(
  Quatd& q, Vec3d& bodyMomentum, double momentum, double inertia, const Vec3d& e, double dt)
{
  const double h = 0.5 * dt * momentum / inertia, s = h * h;
  const double a = 15 - 6 * s, b = h * (15 - s);
  const double scale = 1 / std::sqrt(a * a + b * b);
  const Quatd turn{ scale * a, scale * b * e.x, scale * b * e.y, scale * b * e.z };
  q = q * turn;
  bodyMomentum = rotateBack(turn, bodyMomentum);
}

/// Rotates a body freely for the time dt: about the principal axes x/2, y/2, z, y/2, x/2.
/// @param q        principal axes -> map, unit; is renormalised
/// @param momentum angular momentum in the map's frame, which stays as it is
/// @param inertia  principal moments, above 0
HOST_DEVICE inline void driftRotation(
  Quatd& q, const Vec3d& momentum, const Vec3d& inertia, double dt)
{
  const Vec3d x{ 1, 0, 0 }, y{ 0, 1, 0 }, z{ 0, 0, 1 };
  Vec3d m = rotateBack(q, momentum);
  turnAboutAxis(q, m, m.x, inertia.x, x, 0.5 * dt);
  turnAboutAxis(q, m, m.y, inertia.y, y, 0.5 * dt);
  turnAboutAxis(q, m, m.z, inertia.z, z, dt);
  turnAboutAxis(q, m, m.y, inertia.y, y, 0.5 * dt);
  turnAboutAxis(q, m, m.x, inertia.x, x, 0.5 * dt);
  q = normalised(q);
}

/// Angular velocity in the map's frame.
HOST_DEVICE inline Vec3d spinOf(const Quatd& q, const Vec3d& momentum, const Vec3d& inertia)
{
  const Vec3d m = rotateBack(q, momentum);
  return rotate(q, Vec3d{ m.x / inertia.x, m.y / inertia.y, m.z / inertia.z });
}

} // namespace lapilli
