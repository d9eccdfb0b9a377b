/// @file
/// Three numbers with the arithmetic of a vector, on host and device.
#pragma once

#include "Math/Select.h"

#include <cmath>

namespace lapilli
{

template <class T>
struct Vec3
{
  T x = 0, y = 0, z = 0;

  HOST_DEVICE Vec3& operator+=(const Vec3& b)
  {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
  HOST_DEVICE Vec3& operator-=(const Vec3& b)
  {
    x -= b.x;
    y -= b.y;
    z -= b.z;
    return *this;
  }
  HOST_DEVICE Vec3& operator*=(T s)
  {
    x *= s;
    y *= s;
    z *= s;
    return *this;
  }

  /// The same vector in another precision.
  template <class U>
  HOST_DEVICE Vec3<U> to() const
  {
    return { static_cast<U>(x), static_cast<U>(y), static_cast<U>(z) };
  }
};

using Vec3d = Vec3<double>;
using Vec3f = Vec3<float>;

template <class T>
HOST_DEVICE Vec3<T> operator+(Vec3<T> a, const Vec3<T>& b)
{
  return a += b;
}
template <class T>
HOST_DEVICE Vec3<T> operator-(Vec3<T> a, const Vec3<T>& b)
{
  return a -= b;
}
template <class T>
HOST_DEVICE Vec3<T> operator-(const Vec3<T>& a)
{
  return { -a.x, -a.y, -a.z };
}
template <class T>
HOST_DEVICE Vec3<T> operator*(T s, Vec3<T> a)
{
  return a *= s;
}
template <class T>
HOST_DEVICE T dot(const Vec3<T>& a, const Vec3<T>& b)
{
  return timesPlus(a.z, b.z, timesPlus(a.y, b.y, a.x * b.x));
}
template <class T>
HOST_DEVICE Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b)
{
  return { timesPlus(a.y, b.z, -(a.z * b.y)), timesPlus(a.z, b.x, -(a.x * b.z)),
    timesPlus(a.x, b.y, -(a.y * b.x)) };
}
template <class T>
HOST_DEVICE T squaredLength(const Vec3<T>& a)
{
  return dot(a, a);
}
template <class T>
HOST_DEVICE T length(const Vec3<T>& a)
{
  return squareRoot(dot(a, a));
}
/// select() of vectors.
template <class Truth, class T>
HOST_DEVICE Vec3<T> choose(const Truth& condition, const Vec3<T>& ifTrue, const Vec3<T>& ifFalse)
{
  return { select(condition, ifTrue.x, ifFalse.x), select(condition, ifTrue.y, ifFalse.y),
    select(condition, ifTrue.z, ifFalse.z) };
}
template <class T>
HOST_DEVICE bool isFinite(const Vec3<T>& a)
{
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}
/// Unit vector; the zero vector stays zero.
template <class T>
HOST_DEVICE Vec3<T> normalized(const Vec3<T>& a)
{
  const T l = length(a);
  return l > 0 ? (1 / l) * a : Vec3<T>{};
}

} // namespace lapilli
