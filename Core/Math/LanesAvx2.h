/// @file
/// Math/Lanes.h for AVX2: 8 lanes, truths as registers of ones and zeros.
#pragma once

#include "Math/Select.h"
#include "Parallel/Intrinsics.h"

#include <cstdint>

#define LANE_FUNCTION __attribute__((always_inline)) inline

namespace lapilli
{
namespace LAPILLI_BACKEND
{

constexpr int kLanes = 8;

struct TruthLanes
{
  __m256 bits;
};
LANE_FUNCTION TruthLanes operator&(TruthLanes a, TruthLanes b)
{
  return { _mm256_and_ps(a.bits, b.bits) };
}
LANE_FUNCTION TruthLanes operator|(TruthLanes a, TruthLanes b)
{
  return { _mm256_or_ps(a.bits, b.bits) };
}
LANE_FUNCTION TruthLanes operator!(TruthLanes a)
{
  return { _mm256_xor_ps(a.bits, _mm256_castsi256_ps(_mm256_set1_epi32(-1))) };
}
LANE_FUNCTION bool any(TruthLanes a)
{
  return _mm256_movemask_ps(a.bits) != 0;
}
LANE_FUNCTION std::uint32_t bitsOf(TruthLanes a)
{
  return static_cast<std::uint32_t>(_mm256_movemask_ps(a.bits));
}

struct FloatLanes
{
  __m256 v;
  FloatLanes() = default;
  LANE_FUNCTION FloatLanes(__m256 all)
    : v(all)
  {
  }
  LANE_FUNCTION FloatLanes(float each)
    : v(_mm256_set1_ps(each))
  {
  }
  LANE_FUNCTION FloatLanes& operator+=(FloatLanes b) { return *this = v + b.v; }
  LANE_FUNCTION FloatLanes& operator-=(FloatLanes b) { return *this = v - b.v; }
  LANE_FUNCTION FloatLanes& operator*=(FloatLanes b) { return *this = v * b.v; }

  friend LANE_FUNCTION FloatLanes operator+(FloatLanes a, FloatLanes b) { return a.v + b.v; }
  friend LANE_FUNCTION FloatLanes operator-(FloatLanes a, FloatLanes b) { return a.v - b.v; }
  friend LANE_FUNCTION FloatLanes operator*(FloatLanes a, FloatLanes b) { return a.v * b.v; }
  friend LANE_FUNCTION FloatLanes operator/(FloatLanes a, FloatLanes b) { return a.v / b.v; }
  friend LANE_FUNCTION FloatLanes operator-(FloatLanes a) { return -a.v; }
  friend LANE_FUNCTION TruthLanes operator<(FloatLanes a, FloatLanes b)
  {
    return { _mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ) };
  }
  friend LANE_FUNCTION TruthLanes operator>(FloatLanes a, FloatLanes b) { return b < a; }
  friend LANE_FUNCTION TruthLanes operator>=(FloatLanes a, FloatLanes b)
  {
    return { _mm256_cmp_ps(a.v, b.v, _CMP_GE_OQ) };
  }
  friend LANE_FUNCTION TruthLanes operator==(FloatLanes a, FloatLanes b)
  {
    return { _mm256_cmp_ps(a.v, b.v, _CMP_EQ_OQ) };
  }
};

LANE_FUNCTION FloatLanes select(TruthLanes condition, FloatLanes ifTrue, FloatLanes ifFalse)
{
  return _mm256_blendv_ps(ifFalse.v, ifTrue.v, condition.bits);
}
LANE_FUNCTION FloatLanes squareRoot(FloatLanes a)
{
  return _mm256_sqrt_ps(a.v);
}
/// The processor's 12 bits and two steps of Newton.
LANE_FUNCTION FloatLanes reciprocal(FloatLanes a)
{
  __m256 guess = _mm256_rcp_ps(a.v);
  for (int step = 0; step < 2; ++step)
    guess = _mm256_fmadd_ps(guess, _mm256_fnmadd_ps(a.v, guess, _mm256_set1_ps(1)), guess);
  return guess;
}
LANE_FUNCTION FloatLanes inverseSquareRoot(FloatLanes a)
{
  __m256 guess = _mm256_rsqrt_ps(a.v);
  for (int step = 0; step < 2; ++step)
  {
    const __m256 half = _mm256_mul_ps(_mm256_set1_ps(0.5f), guess);
    const __m256 rest = _mm256_fnmadd_ps(_mm256_mul_ps(a.v, guess), guess, _mm256_set1_ps(1));
    guess = _mm256_fmadd_ps(half, rest, guess);
  }
  return guess;
}
LANE_FUNCTION FloatLanes positiveRoot(FloatLanes a)
{
  return a * inverseSquareRoot(a);
}
LANE_FUNCTION float largestLane(FloatLanes a)
{
  alignas(32) float lanes[kLanes];
  _mm256_store_ps(lanes, a.v);
  float largest = lanes[0];
  for (int k = 1; k < kLanes; ++k)
    largest = lanes[k] > largest ? lanes[k] : largest;
  return largest;
}
LANE_FUNCTION FloatLanes timesPlus(FloatLanes a, FloatLanes b, FloatLanes c)
{
  return _mm256_fmadd_ps(a.v, b.v, c.v);
}
LANE_FUNCTION FloatLanes loadLanes(const float* from)
{
  return _mm256_loadu_ps(from);
}
LANE_FUNCTION void storeLanes(float* to, FloatLanes a)
{
  _mm256_storeu_ps(to, a.v);
}

struct IntLanes
{
  __m256i v;
  IntLanes() = default;
  LANE_FUNCTION IntLanes(__m256i all)
    : v(all)
  {
  }
  LANE_FUNCTION IntLanes(std::int32_t each)
    : v(_mm256_set1_epi32(each))
  {
  }
  friend LANE_FUNCTION TruthLanes operator<(IntLanes a, IntLanes b)
  {
    return { _mm256_castsi256_ps(_mm256_cmpgt_epi32(b.v, a.v)) };
  }
  friend LANE_FUNCTION TruthLanes operator>(IntLanes a, IntLanes b) { return b < a; }
  friend LANE_FUNCTION TruthLanes operator==(IntLanes a, IntLanes b)
  {
    return { _mm256_castsi256_ps(_mm256_cmpeq_epi32(a.v, b.v)) };
  }
  friend LANE_FUNCTION IntLanes operator+(IntLanes a, IntLanes b)
  {
    return _mm256_add_epi32(a.v, b.v);
  }
  friend LANE_FUNCTION IntLanes operator&(IntLanes a, IntLanes b)
  {
    return _mm256_and_si256(a.v, b.v);
  }
  friend LANE_FUNCTION IntLanes operator|(IntLanes a, IntLanes b)
  {
    return _mm256_or_si256(a.v, b.v);
  }
};
LANE_FUNCTION IntLanes select(TruthLanes condition, IntLanes ifTrue, IntLanes ifFalse)
{
  return _mm256_blendv_epi8(ifFalse.v, ifTrue.v, _mm256_castps_si256(condition.bits));
}
LANE_FUNCTION IntLanes onesWhere(TruthLanes a)
{
  return _mm256_srli_epi32(_mm256_castps_si256(a.bits), 31);
}
LANE_FUNCTION IntLanes loadLanes(const std::int32_t* from)
{
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
LANE_FUNCTION void storeLanes(std::int32_t* to, IntLanes a)
{
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), a.v);
}
LANE_FUNCTION IntLanes lanesFrom(std::int32_t first)
{
  const __m256i ascending = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_add_epi32(ascending, _mm256_set1_epi32(first));
}

/// Two registers: lanes 0 to 3 and 4 to 7.
struct DoubleLanes
{
  __m256d low, high;
  DoubleLanes() = default;
  LANE_FUNCTION DoubleLanes(__m256d lowHalf, __m256d highHalf)
    : low(lowHalf)
    , high(highHalf)
  {
  }
  LANE_FUNCTION DoubleLanes(double each)
    : low(_mm256_set1_pd(each))
    , high(low)
  {
  }
  LANE_FUNCTION DoubleLanes& operator+=(const DoubleLanes& b)
  {
    return *this = { low + b.low, high + b.high };
  }
  LANE_FUNCTION DoubleLanes& operator-=(const DoubleLanes& b)
  {
    return *this = { low - b.low, high - b.high };
  }
  LANE_FUNCTION DoubleLanes& operator*=(const DoubleLanes& b)
  {
    return *this = { low * b.low, high * b.high };
  }

  friend LANE_FUNCTION DoubleLanes operator+(const DoubleLanes& a, const DoubleLanes& b)
  {
    return { a.low + b.low, a.high + b.high };
  }
  friend LANE_FUNCTION DoubleLanes operator-(const DoubleLanes& a, const DoubleLanes& b)
  {
    return { a.low - b.low, a.high - b.high };
  }
  friend LANE_FUNCTION DoubleLanes operator*(const DoubleLanes& a, const DoubleLanes& b)
  {
    return { a.low * b.low, a.high * b.high };
  }
  friend LANE_FUNCTION DoubleLanes operator-(const DoubleLanes& a) { return { -a.low, -a.high }; }
  friend LANE_FUNCTION DoubleLanes operator/(const DoubleLanes& a, const DoubleLanes& b)
  {
    return { a.low / b.low, a.high / b.high };
  }
};
LANE_FUNCTION DoubleLanes select(
  TruthLanes condition, const DoubleLanes& ifTrue, const DoubleLanes& ifFalse)
{
  const auto widened = [](__m128 bits)
  { return _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm_castps_si128(bits))); };
  const __m256d low = widened(_mm256_castps256_ps128(condition.bits)),
                high = widened(_mm256_extractf128_ps(condition.bits, 1));
  return { _mm256_blendv_pd(ifFalse.low, ifTrue.low, low),
    _mm256_blendv_pd(ifFalse.high, ifTrue.high, high) };
}
LANE_FUNCTION DoubleLanes roundedToWhole(const DoubleLanes& a)
{
  constexpr int kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
  return { _mm256_round_pd(a.low, kNearest), _mm256_round_pd(a.high, kNearest) };
}
LANE_FUNCTION DoubleLanes timesPlus(
  const DoubleLanes& a, const DoubleLanes& b, const DoubleLanes& c)
{
  return { _mm256_fmadd_pd(a.low, b.low, c.low), _mm256_fmadd_pd(a.high, b.high, c.high) };
}
LANE_FUNCTION DoubleLanes loadLanes(const double* from)
{
  return { _mm256_loadu_pd(from), _mm256_loadu_pd(from + 4) };
}
LANE_FUNCTION void storeLanes(double* to, const DoubleLanes& a)
{
  _mm256_storeu_pd(to, a.low);
  _mm256_storeu_pd(to + 4, a.high);
}
LANE_FUNCTION FloatLanes toFloat(const DoubleLanes& a)
{
  return _mm256_set_m128(_mm256_cvtpd_ps(a.high), _mm256_cvtpd_ps(a.low));
}
LANE_FUNCTION DoubleLanes toDouble(FloatLanes a)
{
  return { _mm256_cvtps_pd(_mm256_castps256_ps128(a.v)),
    _mm256_cvtps_pd(_mm256_extractf128_ps(a.v, 1)) };
}

/// Records of four doubles, at(lane) for each lane, as four rows of lanes.
template <class At>
LANE_FUNCTION void loadFourDoubles(const At& at, DoubleLanes (&row)[4])
{
  const auto half = [&](int first, __m256d(&out)[4])
  {
    const auto record = [&](int k) { return _mm256_loadu_pd(at(first + k)); };
    const __m256d a = record(0), b = record(1), c = record(2), d = record(3);
    const __m256d even = _mm256_unpacklo_pd(a, b), odd = _mm256_unpackhi_pd(a, b);
    const __m256d evenRest = _mm256_unpacklo_pd(c, d), oddRest = _mm256_unpackhi_pd(c, d);
    out[0] = _mm256_permute2f128_pd(even, evenRest, 0x20);
    out[1] = _mm256_permute2f128_pd(odd, oddRest, 0x20);
    out[2] = _mm256_permute2f128_pd(even, evenRest, 0x31);
    out[3] = _mm256_permute2f128_pd(odd, oddRest, 0x31);
  };
  __m256d low[4], high[4];
  half(0, low);
  half(4, high);
  for (int k = 0; k < 4; ++k)
    row[k] = { low[k], high[k] };
}

/// Rows become columns.
LANE_FUNCTION void transpose(__m256 (&r)[8])
{
  __m256 pairs[8], fours[8];
  for (int k = 0; k < 8; k += 2)
  {
    pairs[k] = _mm256_unpacklo_ps(r[k], r[k + 1]);
    pairs[k + 1] = _mm256_unpackhi_ps(r[k], r[k + 1]);
  }
  for (int k = 0; k < 8; k += 4)
  {
    fours[k] = _mm256_shuffle_ps(pairs[k], pairs[k + 2], 0x44);
    fours[k + 1] = _mm256_shuffle_ps(pairs[k], pairs[k + 2], 0xEE);
    fours[k + 2] = _mm256_shuffle_ps(pairs[k + 1], pairs[k + 3], 0x44);
    fours[k + 3] = _mm256_shuffle_ps(pairs[k + 1], pairs[k + 3], 0xEE);
  }
  for (int k = 0; k < 4; ++k)
  {
    r[k] = _mm256_permute2f128_ps(fours[k], fours[k + 4], 0x20);
    r[k + 4] = _mm256_permute2f128_ps(fours[k], fours[k + 4], 0x31);
  }
}

/// Records of eight floats, at(lane) for each lane, as eight rows of lanes.
template <class At>
LANE_FUNCTION void loadEightFloats(const At& at, FloatLanes (&row)[8])
{
  __m256 records[8];
  for (int k = 0; k < 8; ++k)
    records[k] = _mm256_loadu_ps(at(k));
  transpose(records);
  for (int k = 0; k < 8; ++k)
    row[k] = records[k];
}

/// put(address, four doubles) for the memory from `to` on.
template <class Put>
LANE_FUNCTION void putRecords(double* to, const DoubleLanes (&row)[4], const Put& put)
{
  const auto half = [&put](double* out, __m256d x, __m256d y, __m256d z, __m256d w)
  {
    const __m256d even = _mm256_permute2f128_pd(x, z, 0x20),
                  odd = _mm256_permute2f128_pd(y, w, 0x20);
    const __m256d evenRest = _mm256_permute2f128_pd(x, z, 0x31),
                  oddRest = _mm256_permute2f128_pd(y, w, 0x31);
    put(out, _mm256_unpacklo_pd(even, odd));
    put(out + 4, _mm256_unpackhi_pd(even, odd));
    put(out + 8, _mm256_unpacklo_pd(evenRest, oddRest));
    put(out + 12, _mm256_unpackhi_pd(evenRest, oddRest));
  };
  half(to, row[0].low, row[1].low, row[2].low, row[3].low);
  half(to + 16, row[0].high, row[1].high, row[2].high, row[3].high);
}
LANE_FUNCTION void storeRecords(double* to, const DoubleLanes (&row)[4])
{
  putRecords(to, row, [](double* at, __m256d v) { _mm256_storeu_pd(at, v); });
}
LANE_FUNCTION void streamRecords(double* to, const DoubleLanes (&row)[4])
{
  putRecords(to, row, [](double* at, __m256d v) { _mm256_stream_pd(at, v); });
}

/// put(address, eight floats) for the memory from `to` on.
template <class Put>
LANE_FUNCTION void putRecords(float* to, const FloatLanes (&row)[8], const Put& put)
{
  __m256 records[8];
  for (int k = 0; k < 8; ++k)
    records[k] = row[k].v;
  transpose(records);
  for (int k = 0; k < 8; ++k)
    put(to + 8 * k, records[k]);
}
LANE_FUNCTION void storeRecords(float* to, const FloatLanes (&row)[8])
{
  putRecords(to, row, [](float* at, __m256 v) { _mm256_storeu_ps(at, v); });
}
LANE_FUNCTION void streamRecords(float* to, const FloatLanes (&row)[8])
{
  putRecords(to, row, [](float* at, __m256 v) { _mm256_stream_ps(at, v); });
}

/// Vectors that follow one another, as rows of their components.
LANE_FUNCTION void loadRecords(const double* from, DoubleLanes (&row)[3])
{
  const auto half = [](const double* in, __m256d(&out)[3])
  {
    const __m256d a = _mm256_loadu_pd(in), b = _mm256_loadu_pd(in + 4), c = _mm256_loadu_pd(in + 8);
    const __m256d xy = _mm256_blend_pd(a, b, 0b1100);      // x0 y0 x2 y2
    const __m256d zx = _mm256_permute2f128_pd(a, c, 0x21); // z0 x1 z2 x3
    const __m256d yz = _mm256_blend_pd(b, c, 0b1100);      // y1 z1 y3 z3
    out[0] = _mm256_shuffle_pd(xy, zx, 0b1010);
    out[1] = _mm256_shuffle_pd(xy, yz, 0b0101);
    out[2] = _mm256_shuffle_pd(zx, yz, 0b1010);
  };
  __m256d low[3], high[3];
  half(from, low);
  half(from + 12, high);
  for (int k = 0; k < 3; ++k)
    row[k] = { low[k], high[k] };
}
LANE_FUNCTION void storeRecords(double* to, const DoubleLanes (&row)[3])
{
  const auto half = [](double* out, __m256d x, __m256d y, __m256d z)
  {
    const __m256d xy = _mm256_unpacklo_pd(x, y), zx = _mm256_shuffle_pd(z, x, 0b1010),
                  yz = _mm256_unpackhi_pd(y, z);
    _mm256_storeu_pd(out, _mm256_permute2f128_pd(xy, zx, 0x20));
    _mm256_storeu_pd(out + 4, _mm256_blend_pd(yz, xy, 0b1100));
    _mm256_storeu_pd(out + 8, _mm256_permute2f128_pd(zx, yz, 0x31));
  };
  half(to, row[0].low, row[1].low, row[2].low);
  half(to + 12, row[0].high, row[1].high, row[2].high);
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
