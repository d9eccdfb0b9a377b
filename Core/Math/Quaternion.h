/// @file
/// Orientation of a body as a unit quaternion, on host and device.
///
///   const Quatd q = about({ 0, 0, 1 }, 0.5 * pi); // a quarter turn, counterclockwise from above
///   rotate(q, Vec3d{ 1, 0, 0 });                  // (0, 1, 0)
#pragma once

#include "Math/Vec.h"

#include <cmath>

namespace lapilli
{

/// w + x i + y j + z k; the default turns nothing.
struct Quatd
{
  double w = 1, x = 0, y = 0, z = 0;
};

/// Turns by b first, then by a.
HOST_DEVICE inline Quatd operator*(const Quatd& a, const Quatd& b)
{
  return { a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w };
}

/// The opposite turn, of a unit quaternion.
HOST_DEVICE inline Quatd conjugate(const Quatd& q)
{
  return { q.w, -q.x, -q.y, -q.z };
}

HOST_DEVICE inline double squaredLength(const Quatd& q)
{
  return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

/// Of unit length; the zero quaternion, which is no turn, becomes the identity.
HOST_DEVICE inline Quatd normalised(const Quatd& q)
{
  const double squared = squaredLength(q);
  if (!(squared > 0))
    return {};
  const double s = 1 / std::sqrt(squared);
  return { s * q.w, s * q.x, s * q.y, s * q.z };
}

/// From the body's frame to the map's.
HOST_DEVICE inline Vec3d rotate(const Quatd& q, const Vec3d& v)
{
  const Vec3d axis{ q.x, q.y, q.z };
  const Vec3d t = 2.0 * cross(axis, v);
  return v + q.w * t + cross(axis, t);
}

/// From the map's frame to the body's.
HOST_DEVICE inline Vec3d rotateBack(const Quatd& q, const Vec3d& v)
{
  return rotate(conjugate(q), v);
}

/// The turn by `angle` [rad] about `axis`, right-handed. The axis needs no unit length; a zero one
/// gives the identity.
HOST_DEVICE inline Quatd about(const Vec3d& axis, double angle)
{
  const Vec3d n = normalized(axis);
  if (!(squaredLength(n) > 0))
    return {};
  const Vec3d v = std::sin(0.5 * angle) * n;
  return { std::cos(0.5 * angle), v.x, v.y, v.z };
}

/// Cosine and sine of a share of a full turn in [0, 1), to a few units in the last place, by
/// operations that IEEE 754 rounds exactly: the same on every platform, unlike std::cos.
HOST_DEVICE inline void onCircle(double turn, double& cosine, double& sine)
{
  const int quarter = static_cast<int>(4 * turn + 0.5);
  const double a = 6.2831853071795864769 * (turn - 0.25 * quarter); // |a| <= pi / 4
  const double s = a * a;
  double c = 1, d = 1; // Taylor, to 1e-17
  for (int k = 16; k >= 2; k -= 2)
  {
    c = 1 - s / (k * (k - 1)) * c;
    d = 1 - s / (k * (k + 1)) * d;
  }
  d *= a;
  switch (quarter & 3)
  {
    case 0:
      cosine = c;
      sine = d;
      break;
    case 1:
      cosine = -d;
      sine = c;
      break;
    case 2:
      cosine = -c;
      sine = -d;
      break;
    default:
      cosine = d;
      sine = -c;
      break;
  }
}

/// One of all orientations, each as likely, from three independent numbers in [0, 1).
/// Shoemake, Graphics Gems III (1992) 124.
HOST_DEVICE inline Quatd uniformOrientation(double u1, double u2, double u3)
{
  double c2, s2, c3, s3;
  onCircle(u2, c2, s2);
  onCircle(u3, c3, s3);
  const double a = std::sqrt(1 - u1), b = std::sqrt(u1);
  return { b * c3, a * s2, a * c2, b * s3 };
}

} // namespace lapilli
