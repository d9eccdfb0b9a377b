/// @file
/// Axis-aligned box in single precision that holds what it was made for.
#pragma once

#include "Math/Box.h"
#include "Math/Sphere.h"

namespace lapilli
{

struct FloatBox
{
  Vec3f lower, upper; ///< [m]
};

/// A float below a number, by one or two units in the last place. Not a number for what is none, and
/// where a float has no room for it.
HOST_DEVICE inline float roundedDown(double x)
{
  constexpr float unit = 0x1p-23f, smallest = 0x1p-126f; // of a float's last place; a normal float
  const float f = static_cast<float>(x);
  return f - (std::fabs(f) * unit + smallest);
}
HOST_DEVICE inline float roundedUp(double x)
{
  return -roundedDown(-x);
}

HOST_DEVICE inline FloatBox outwardBox(const Vec3d& lower, const Vec3d& upper)
{
  return { { roundedDown(lower.x), roundedDown(lower.y), roundedDown(lower.z) },
    { roundedUp(upper.x), roundedUp(upper.y), roundedUp(upper.z) } };
}
HOST_DEVICE inline FloatBox outwardBox(const Box& box)
{
  return outwardBox(box.lower, box.upper);
}
/// The unit that is lost at least also covers the rounding of position +- reach.
HOST_DEVICE inline FloatBox outwardBox(const Vec3d& position, double reach)
{
  const Vec3d around{ reach, reach, reach };
  return outwardBox(position - around, position + around);
}
HOST_DEVICE inline FloatBox outwardBox(const Sphere& sphere)
{
  return outwardBox(sphere.position, sphere.radius);
}

/// Whether all coordinates are finite and lower does not exceed upper.
HOST_DEVICE inline bool isSound(const FloatBox& box)
{
  constexpr float greatest = 3.402823466e38f;
  const Vec3f &l = box.lower, &u = box.upper;
  return (l.x >= -greatest) & (l.y >= -greatest) & (l.z >= -greatest) & (u.x <= greatest) &
         (u.y <= greatest) & (u.z <= greatest) & (l.x <= u.x) & (l.y <= u.y) & (l.z <= u.z);
}

/// Of any sound box: a sum of its corners might have no room in a float.
HOST_DEVICE inline Vec3f middleOf(const FloatBox& box)
{
  return 0.5f * box.lower + 0.5f * box.upper;
}

/// Boxes that touch overlap.
HOST_DEVICE inline bool overlap(const FloatBox& a, const FloatBox& b)
{
  return (a.lower.x <= b.upper.x) & (a.upper.x >= b.lower.x) & (a.lower.y <= b.upper.y) &
         (a.upper.y >= b.lower.y) & (a.lower.z <= b.upper.z) & (a.upper.z >= b.lower.z);
}

/// The box around both. Of equal zeros the sign is the first one's.
HOST_DEVICE inline FloatBox joined(const FloatBox& a, const FloatBox& b)
{
  const auto smaller = [](float p, float q) { return q < p ? q : p; };
  const auto greater = [](float p, float q) { return q > p ? q : p; };
  return {
    { smaller(a.lower.x, b.lower.x), smaller(a.lower.y, b.lower.y), smaller(a.lower.z, b.lower.z) },
    { greater(a.upper.x, b.upper.x), greater(a.upper.y, b.upper.y), greater(a.upper.z, b.upper.z) }
  };
}

/// 0 inside.
HOST_DEVICE inline double squaredDistance(const FloatBox& box, const Vec3d& p)
{
  const auto beyond = [](double lower, double x, double upper)
  {
    const double below = lower - x, above = x - upper;
    const double out = below > above ? below : above;
    return out < 0 ? 0 : out; // not a number stays none
  };
  return squaredLength(Vec3d{ beyond(box.lower.x, p.x, box.upper.x),
    beyond(box.lower.y, p.y, box.upper.y), beyond(box.lower.z, p.z, box.upper.z) });
}

} // namespace lapilli
