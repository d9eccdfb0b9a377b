/// @file
/// Numbers of several particles side by side, as the processor's vector registers hold them: 16 with
/// AVX-512, 8 with AVX2, else one, which is also what a thread of CUDA works on. A kernel written with these
/// types, with select() in place of branches and & | ! for truths, is one source for all.
///
///   const FloatLanes speed = squareRoot(dot(v, v));
///   if (any(speed > limit)) …
///
/// Sums, products, quotients and squareRoot() are rounded as IEEE 754 asks; reciprocal(), inverseSquareRoot()
/// and positiveRoot() are within 2 units in the last place, for normal numbers above 0.
#pragma once

#include "Math/Select.h"
#include "Math/Vec.h"
#include "Parallel/Bits.h"
#include "Parallel/HostDevice.h"

#include <cstdint>

#if LAPILLI_LANES == 16
#include "Math/LanesAvx512.h"
#elif LAPILLI_LANES == 8
#include "Math/LanesAvx2.h"
#else

namespace lapilli
{
namespace LAPILLI_BACKEND
{

constexpr int kLanes = 1;
using FloatLanes = float;
using DoubleLanes = double;
using IntLanes = std::int32_t;
using TruthLanes = bool;

HOST_DEVICE inline float toFloat(double v)
{
  return static_cast<float>(v);
}
HOST_DEVICE inline double toDouble(float v)
{
  return v;
}
HOST_DEVICE inline float largestLane(float v)
{
  return v;
}
/// A bit for each lane.
HOST_DEVICE inline std::uint32_t bitsOf(bool v)
{
  return v ? 1 : 0;
}
/// 1 in the lanes where it is true, else 0.
HOST_DEVICE inline std::int32_t onesWhere(bool v)
{
  return v ? 1 : 0;
}
template <class T>
HOST_DEVICE T loadLanes(const T* from)
{
  return *from;
}
template <class T>
HOST_DEVICE void storeLanes(T* to, T v)
{
  *to = v;
}
/// The numbers of the lanes: first, first + 1, …
HOST_DEVICE inline std::int32_t lanesFrom(std::int32_t first)
{
  return first;
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
#endif

namespace lapilli
{
namespace LAPILLI_BACKEND
{

HOST_DEVICE inline Vec3<FloatLanes> toFloat(const Vec3<DoubleLanes>& v)
{
  return { toFloat(v.x), toFloat(v.y), toFloat(v.z) };
}
HOST_DEVICE inline Vec3<DoubleLanes> toDouble(const Vec3<FloatLanes>& v)
{
  return { toDouble(v.x), toDouble(v.y), toDouble(v.z) };
}

/// value(lane) for each lane, for what has no vector form.
template <class T, class Value>
HOST_DEVICE auto ofEachLane(const Value& value)
{
  alignas(64) T lanes[kLanes];
  for (int k = 0; k < kLanes; ++k)
    lanes[k] = value(k);
  return loadLanes(lanes);
}

/// The lanes one by one.
template <class T, class Lanes>
struct EachLane
{
  alignas(64) T lane[kLanes];
  HOST_DEVICE explicit EachLane(const Lanes& all) { storeLanes(lane, all); }
  HOST_DEVICE T operator[](int k) const { return lane[k]; }
};

#if LAPILLI_LANES > 1
inline FloatLanes cubeRoot(FloatLanes v)
{
  const EachLane<float, FloatLanes> each(v);
  return ofEachLane<float>([&](int k) { return std::cbrt(each[k]); });
}
#endif

#if LAPILLI_LANES < 16

/// Stores the lanes of the bits one after another. Writes up to kLanes numbers; those that follow mean nothing.
template <class T, class Lanes>
HOST_DEVICE void storeCompressed(T* to, const Lanes& v, std::uint32_t bits)
{
  const EachLane<T, Lanes> each(v);
  forEachBit(bits, [&](int k) { *to++ = each[k]; });
}

#endif

#if LAPILLI_LANES == 1

/// Records of four doubles, at(lane) for each lane, as four rows of lanes.
template <class At>
HOST_DEVICE void loadFourDoubles(const At& at, DoubleLanes (&row)[4])
{
  for (int c = 0; c < 4; ++c)
    row[c] = ofEachLane<double>([&](int k) { return at(k)[c]; });
}
/// Records of eight floats, at(lane) for each lane, as eight rows of lanes.
template <class At>
HOST_DEVICE void loadEightFloats(const At& at, FloatLanes (&row)[8])
{
  for (int c = 0; c < 8; ++c)
    row[c] = ofEachLane<float>([&](int k) { return at(k)[c]; });
}
/// Records of `count` numbers, that follow one another, as rows of their components.
template <class T, class Lanes, int count>
HOST_DEVICE void loadRecords(const T* from, Lanes (&row)[count])
{
  for (int c = 0; c < count; ++c)
    row[c] = ofEachLane<T>([&](int k) { return from[count * k + c]; });
}
template <class T, class Lanes, int count>
HOST_DEVICE void storeRecords(T* to, const Lanes (&row)[count])
{
  for (int c = 0; c < count; ++c)
  {
    const EachLane<T, Lanes> each(row[c]);
    for (int k = 0; k < kLanes; ++k)
      to[count * k + c] = each[k];
  }
}
/// The same past the caches, where the processor can: for what is not read again before they are full. At multiples of
/// 64 bytes. finishStreams() lets other threads see it, as Executor::merged does at the end of its blocks.
template <class T, class Lanes, int count>
HOST_DEVICE void streamRecords(T* to, const Lanes (&row)[count])
{
  storeRecords(to, row);
}

#endif

/// Vectors that follow one another.
HOST_DEVICE inline Vec3<DoubleLanes> loadVectors(const Vec3d* from)
{
  DoubleLanes row[3];
  loadRecords(&from->x, row);
  return { row[0], row[1], row[2] };
}
HOST_DEVICE inline void storeVectors(Vec3d* to, const Vec3<DoubleLanes>& v)
{
  const DoubleLanes row[3] = { v.x, v.y, v.z };
  storeRecords(&to->x, row);
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
