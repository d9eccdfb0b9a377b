/// @file
/// Space that repeats along some axes.
#pragma once

#include "Math/Vec.h"

namespace lapilli
{

struct Periodicity
{
  Vec3d lower;  ///< [m], of the box that repeats
  Vec3d length; ///< [m], of the box; 0 along an axis that does not repeat

  HOST_DEVICE bool any() const { return length.x > 0 || length.y > 0 || length.z > 0; }

  /// The image of a point in the box.
  HOST_DEVICE Vec3d wrap(const Vec3d& p) const
  {
    return { wrap(p.x, lower.x, length.x), wrap(p.y, lower.y, length.y),
      wrap(p.z, lower.z, length.z) };
  }

  /// A way from one point to another, to the nearest image of the other. An odd function: the way back
  /// is the same to the bit.
  template <class Real>
  HOST_DEVICE Vec3<Real> nearest(const Vec3<Real>& way) const
  {
    return { nearest(way.x, length.x), nearest(way.y, length.y), nearest(way.z, length.z) };
  }

private:
  HOST_DEVICE static double wrap(double v, double from, double size)
  {
    if (!(size > 0) || (v >= from && v < from + size))
      return v;
    const double wrapped = v - size * std::floor((v - from) / size);
    return wrapped < from + size ? wrapped : from;
  }
  template <class Real>
  HOST_DEVICE static Real nearest(const Real& way, double size)
  {
    return size > 0 ? way - size * roundedToWhole(way / size) : way;
  }
};

} // namespace lapilli
