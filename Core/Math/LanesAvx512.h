/// @file
/// Math/Lanes.h for AVX-512: 16 lanes, truths in mask registers.
#pragma once

#include "Math/Select.h"
#include "Parallel/Intrinsics.h"

#include <cstdint>

#define LANE_FUNCTION __attribute__((always_inline)) inline

namespace lapilli
{
namespace LAPILLI_BACKEND
{

constexpr int kLanes = 16;

struct TruthLanes
{
  __mmask16 bits;
};
LANE_FUNCTION TruthLanes operator&(TruthLanes a, TruthLanes b)
{
  return { static_cast<__mmask16>(a.bits & b.bits) };
}
LANE_FUNCTION TruthLanes operator|(TruthLanes a, TruthLanes b)
{
  return { static_cast<__mmask16>(a.bits | b.bits) };
}
LANE_FUNCTION TruthLanes operator!(TruthLanes a)
{
  return { static_cast<__mmask16>(~a.bits) };
}
LANE_FUNCTION bool any(TruthLanes a)
{
  return bitsOfMask(a.bits) != 0;
}
LANE_FUNCTION std::uint32_t bitsOf(TruthLanes a)
{
  return bitsOfMask(a.bits);
}

struct FloatLanes
{
  __m512 v;
  FloatLanes() = default;
  LANE_FUNCTION FloatLanes(__m512 all)
    : v(all)
  {
  }
  LANE_FUNCTION FloatLanes(float each)
    : v(_mm512_set1_ps(each))
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
    return { _mm512_cmp_ps_mask(a.v, b.v, _CMP_LT_OQ) };
  }
  friend LANE_FUNCTION TruthLanes operator>(FloatLanes a, FloatLanes b) { return b < a; }
  friend LANE_FUNCTION TruthLanes operator>=(FloatLanes a, FloatLanes b)
  {
    return { _mm512_cmp_ps_mask(a.v, b.v, _CMP_GE_OQ) };
  }
  friend LANE_FUNCTION TruthLanes operator==(FloatLanes a, FloatLanes b)
  {
    return { _mm512_cmp_ps_mask(a.v, b.v, _CMP_EQ_OQ) };
  }
};

LANE_FUNCTION FloatLanes select(TruthLanes condition, FloatLanes ifTrue, FloatLanes ifFalse)
{
  return _mm512_mask_blend_ps(condition.bits, ifFalse.v, ifTrue.v);
}
LANE_FUNCTION FloatLanes squareRoot(FloatLanes a)
{
  return _mm512_sqrt_ps(a.v);
}
/// The processor's 14 bits and one step of Newton.
LANE_FUNCTION FloatLanes reciprocal(FloatLanes a)
{
  const __m512 guess = _mm512_rcp14_ps(a.v);
  return _mm512_fmadd_ps(guess, _mm512_fnmadd_ps(a.v, guess, _mm512_set1_ps(1)), guess);
}
LANE_FUNCTION FloatLanes inverseSquareRoot(FloatLanes a)
{
  const __m512 guess = _mm512_rsqrt14_ps(a.v);
  const __m512 half = _mm512_mul_ps(_mm512_set1_ps(0.5f), guess);
  const __m512 rest = _mm512_fnmadd_ps(_mm512_mul_ps(a.v, guess), guess, _mm512_set1_ps(1));
  return _mm512_fmadd_ps(half, rest, guess);
}
LANE_FUNCTION FloatLanes positiveRoot(FloatLanes a)
{
  return a * inverseSquareRoot(a);
}
LANE_FUNCTION float largestLane(FloatLanes a)
{
  return _mm512_reduce_max_ps(a.v);
}
LANE_FUNCTION FloatLanes timesPlus(FloatLanes a, FloatLanes b, FloatLanes c)
{
  return _mm512_fmadd_ps(a.v, b.v, c.v);
}
LANE_FUNCTION FloatLanes loadLanes(const float* from)
{
  return _mm512_loadu_ps(from);
}
LANE_FUNCTION void storeLanes(float* to, FloatLanes a)
{
  _mm512_storeu_ps(to, a.v);
}

struct IntLanes
{
  __m512i v;
  IntLanes() = default;
  LANE_FUNCTION IntLanes(__m512i all)
    : v(all)
  {
  }
  LANE_FUNCTION IntLanes(std::int32_t each)
    : v(_mm512_set1_epi32(each))
  {
  }
  friend LANE_FUNCTION TruthLanes operator<(IntLanes a, IntLanes b)
  {
    return { _mm512_cmplt_epi32_mask(a.v, b.v) };
  }
  friend LANE_FUNCTION TruthLanes operator>(IntLanes a, IntLanes b) { return b < a; }
  friend LANE_FUNCTION TruthLanes operator==(IntLanes a, IntLanes b)
  {
    return { _mm512_cmpeq_epi32_mask(a.v, b.v) };
  }
  friend LANE_FUNCTION IntLanes operator+(IntLanes a, IntLanes b)
  {
    return _mm512_add_epi32(a.v, b.v);
  }
  friend LANE_FUNCTION IntLanes operator&(IntLanes a, IntLanes b)
  {
    return _mm512_and_si512(a.v, b.v);
  }
  friend LANE_FUNCTION IntLanes operator|(IntLanes a, IntLanes b)
  {
    return _mm512_or_si512(a.v, b.v);
  }
};
LANE_FUNCTION IntLanes select(TruthLanes condition, IntLanes ifTrue, IntLanes ifFalse)
{
  return _mm512_mask_blend_epi32(condition.bits, ifFalse.v, ifTrue.v);
}
LANE_FUNCTION IntLanes onesWhere(TruthLanes a)
{
  return _mm512_maskz_set1_epi32(a.bits, 1);
}
LANE_FUNCTION IntLanes loadLanes(const std::int32_t* from)
{
  return _mm512_loadu_si512(from);
}
LANE_FUNCTION void storeLanes(std::int32_t* to, IntLanes a)
{
  _mm512_storeu_si512(to, a.v);
}
LANE_FUNCTION IntLanes lanesFrom(std::int32_t first)
{
  const __m512i ascending = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm512_add_epi32(ascending, _mm512_set1_epi32(first));
}

/// Two registers: lanes 0 to 7 and 8 to 15.
struct DoubleLanes
{
  __m512d low, high;
  DoubleLanes() = default;
  LANE_FUNCTION DoubleLanes(__m512d lowHalf, __m512d highHalf)
    : low(lowHalf)
    , high(highHalf)
  {
  }
  LANE_FUNCTION DoubleLanes(double each)
    : low(_mm512_set1_pd(each))
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
  return { _mm512_mask_blend_pd(static_cast<__mmask8>(condition.bits), ifFalse.low, ifTrue.low),
    _mm512_mask_blend_pd(static_cast<__mmask8>(condition.bits >> 8), ifFalse.high, ifTrue.high) };
}
LANE_FUNCTION DoubleLanes roundedToWhole(const DoubleLanes& a)
{
  constexpr int kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
  return { _mm512_roundscale_pd(a.low, kNearest), _mm512_roundscale_pd(a.high, kNearest) };
}
LANE_FUNCTION DoubleLanes timesPlus(
  const DoubleLanes& a, const DoubleLanes& b, const DoubleLanes& c)
{
  return { _mm512_fmadd_pd(a.low, b.low, c.low), _mm512_fmadd_pd(a.high, b.high, c.high) };
}
LANE_FUNCTION DoubleLanes loadLanes(const double* from)
{
  return { _mm512_loadu_pd(from), _mm512_loadu_pd(from + 8) };
}
LANE_FUNCTION void storeLanes(double* to, const DoubleLanes& a)
{
  _mm512_storeu_pd(to, a.low);
  _mm512_storeu_pd(to + 8, a.high);
}
LANE_FUNCTION FloatLanes toFloat(const DoubleLanes& a)
{
  return _mm512_insertf32x8(
    _mm512_castps256_ps512(_mm512_cvtpd_ps(a.low)), _mm512_cvtpd_ps(a.high), 1);
}
LANE_FUNCTION DoubleLanes toDouble(FloatLanes a)
{
  return { _mm512_cvtps_pd(_mm512_castps512_ps256(a.v)),
    _mm512_cvtps_pd(_mm512_extractf32x8_ps(a.v, 1)) };
}

/// Stores the lanes of the bits one after another. Writes kLanes numbers; those that follow mean nothing.
LANE_FUNCTION void storeCompressed(float* to, FloatLanes a, std::uint32_t bits)
{
  storeLanes(to, FloatLanes(_mm512_maskz_compress_ps(static_cast<__mmask16>(bits), a.v)));
}
LANE_FUNCTION void storeCompressed(std::int32_t* to, IntLanes a, std::uint32_t bits)
{
  storeLanes(to, IntLanes(_mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), a.v)));
}

/// Records of four doubles, at(lane) for each lane, as four rows of lanes.
template <class At>
LANE_FUNCTION void loadFourDoubles(const At& at, DoubleLanes (&row)[4])
{
  const auto half = [&](int first, __m512d(&out)[4])
  {
    const auto pair = [&](int k)
    {
      return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(at(first + k))),
        _mm256_loadu_pd(at(first + k + 2)), 1);
    };
    const __m512d a = pair(0), b = pair(1), c = pair(4), d = pair(5);
    const __m512d evenLow = _mm512_unpacklo_pd(a, b), oddLow = _mm512_unpackhi_pd(a, b);
    const __m512d evenHigh = _mm512_unpacklo_pd(c, d), oddHigh = _mm512_unpackhi_pd(c, d);
    out[0] = _mm512_shuffle_f64x2(evenLow, evenHigh, 0x88);
    out[1] = _mm512_shuffle_f64x2(oddLow, oddHigh, 0x88);
    out[2] = _mm512_shuffle_f64x2(evenLow, evenHigh, 0xDD);
    out[3] = _mm512_shuffle_f64x2(oddLow, oddHigh, 0xDD);
  };
  __m512d low[4], high[4];
  half(0, low);
  half(8, high);
  for (int k = 0; k < 4; ++k)
    row[k] = { low[k], high[k] };
}

/// Records of eight floats, at(lane) for each lane, as eight rows of lanes.
template <class At>
LANE_FUNCTION void loadEightFloats(const At& at, FloatLanes (&row)[8])
{
  const auto half = [&](int first, __m512(&out)[4])
  {
    const auto pair = [&](int k)
    {
      return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(at(first + k))),
        _mm256_loadu_ps(at(first + k + 4)), 1);
    };
    const __m512 a = pair(0), b = pair(1), c = pair(2), d = pair(3);
    const __m512d ab = _mm512_castps_pd(_mm512_unpacklo_ps(a, b)),
                  cd = _mm512_castps_pd(_mm512_unpacklo_ps(c, d)),
                  abHigh = _mm512_castps_pd(_mm512_unpackhi_ps(a, b)),
                  cdHigh = _mm512_castps_pd(_mm512_unpackhi_ps(c, d));
    out[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(ab, cd));
    out[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(ab, cd));
    out[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(abHigh, cdHigh));
    out[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(abHigh, cdHigh));
  };
  __m512 low[4], high[4];
  half(0, low);
  half(8, high);
  for (int k = 0; k < 4; ++k)
  {
    row[k] = _mm512_shuffle_f32x4(low[k], high[k], 0x88);
    row[k + 4] = _mm512_shuffle_f32x4(low[k], high[k], 0xDD);
  }
}

/// Rows of components as records that follow one another.
/// put(address, eight doubles) for the memory from `to` on.
template <class Put>
LANE_FUNCTION void putRecords(double* to, const DoubleLanes (&row)[4], const Put& put)
{
  const auto half = [&put](double* out, __m512d x, __m512d y, __m512d z, __m512d w)
  {
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    // Records k and k + 2, k + 1 and k + 3.
    const auto putFour = [&](int k, __m512d a, __m512d b)
    {
      put(out + 4 * k, _mm512_shuffle_f64x2(a, b, 0x44));
      put(out + 4 * (k + 2), _mm512_shuffle_f64x2(a, b, 0xee));
    };
    const __m512d even = _mm512_unpacklo_pd(x, y), odd = _mm512_unpackhi_pd(x, y);
    const __m512d evenRest = _mm512_unpacklo_pd(z, w), oddRest = _mm512_unpackhi_pd(z, w);
    putFour(0, _mm512_permutex2var_pd(even, first, evenRest),
      _mm512_permutex2var_pd(odd, first, oddRest));
    putFour(4, _mm512_permutex2var_pd(even, second, evenRest),
      _mm512_permutex2var_pd(odd, second, oddRest));
  };
  half(to, row[0].low, row[1].low, row[2].low, row[3].low);
  half(to + 32, row[0].high, row[1].high, row[2].high, row[3].high);
}
LANE_FUNCTION void storeRecords(double* to, const DoubleLanes (&row)[4])
{
  putRecords(to, row, [](double* at, __m512d v) { _mm512_storeu_pd(at, v); });
}
LANE_FUNCTION void streamRecords(double* to, const DoubleLanes (&row)[4])
{
  putRecords(to, row, [](double* at, __m512d v) { _mm512_stream_pd(at, v); });
}

/// put(address, sixteen floats) for the memory from `to` on.
template <class Put>
LANE_FUNCTION void putRecords(float* to, const FloatLanes (&row)[8], const Put& put)
{
  // Within each quarter of the lanes four records come of four rows; then quarters are put together.
  const auto quarters = [](const FloatLanes* r, __m512(&out)[4])
  {
    const __m512d ab = _mm512_castps_pd(_mm512_unpacklo_ps(r[0].v, r[1].v)),
                  cd = _mm512_castps_pd(_mm512_unpacklo_ps(r[2].v, r[3].v)),
                  abHigh = _mm512_castps_pd(_mm512_unpackhi_ps(r[0].v, r[1].v)),
                  cdHigh = _mm512_castps_pd(_mm512_unpackhi_ps(r[2].v, r[3].v));
    out[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(ab, cd));
    out[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(ab, cd));
    out[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(abHigh, cdHigh));
    out[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(abHigh, cdHigh));
  };
  __m512 front[4], back[4];
  quarters(row, front);
  quarters(row + 4, back);
  const __m512i lower = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
  const __m512i upper =
    _mm512_setr_epi32(8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
  // Of records k and k + 4, k + 8 and k + 12.
  __m512 low[4], high[4];
  for (int k = 0; k < 4; ++k)
  {
    low[k] = _mm512_permutex2var_ps(front[k], lower, back[k]);
    high[k] = _mm512_permutex2var_ps(front[k], upper, back[k]);
  }
  for (int k = 0; k < 4; k += 2)
  {
    put(to + 8 * k, _mm512_shuffle_f32x4(low[k], low[k + 1], 0x44));
    put(to + 8 * (k + 4), _mm512_shuffle_f32x4(low[k], low[k + 1], 0xee));
    put(to + 8 * (k + 8), _mm512_shuffle_f32x4(high[k], high[k + 1], 0x44));
    put(to + 8 * (k + 12), _mm512_shuffle_f32x4(high[k], high[k + 1], 0xee));
  }
}
LANE_FUNCTION void storeRecords(float* to, const FloatLanes (&row)[8])
{
  putRecords(to, row, [](float* at, __m512 v) { _mm512_storeu_ps(at, v); });
}
LANE_FUNCTION void streamRecords(float* to, const FloatLanes (&row)[8])
{
  putRecords(to, row, [](float* at, __m512 v) { _mm512_stream_ps(at, v); });
}

/// Vectors that follow one another, as rows of their components.
LANE_FUNCTION void loadRecords(const double* from, DoubleLanes (&row)[3])
{
  const auto half = [](const double* in, __m512d(&out)[3])
  {
    const __m512d a = _mm512_loadu_pd(in), b = _mm512_loadu_pd(in + 8),
                  c = _mm512_loadu_pd(in + 16);
    const __m512d x = _mm512_permutex2var_pd(a, _mm512_setr_epi64(0, 3, 6, 9, 12, 15, 0, 0), b);
    const __m512d y = _mm512_permutex2var_pd(a, _mm512_setr_epi64(1, 4, 7, 10, 13, 0, 0, 0), b);
    const __m512d z = _mm512_permutex2var_pd(a, _mm512_setr_epi64(2, 5, 8, 11, 14, 0, 0, 0), b);
    out[0] = _mm512_permutex2var_pd(x, _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 10, 13), c);
    out[1] = _mm512_permutex2var_pd(y, _mm512_setr_epi64(0, 1, 2, 3, 4, 8, 11, 14), c);
    out[2] = _mm512_permutex2var_pd(z, _mm512_setr_epi64(0, 1, 2, 3, 4, 9, 12, 15), c);
  };
  __m512d low[3], high[3];
  half(from, low);
  half(from + 24, high);
  for (int k = 0; k < 3; ++k)
    row[k] = { low[k], high[k] };
}

/// The reverse of loadRecords().
LANE_FUNCTION void storeRecords(double* to, const DoubleLanes (&row)[3])
{
  const auto half = [](double* out, __m512d x, __m512d y, __m512d z)
  {
    const __m512d a = _mm512_permutex2var_pd(x, _mm512_setr_epi64(0, 8, 0, 1, 9, 0, 2, 10), y);
    const __m512d b = _mm512_permutex2var_pd(x, _mm512_setr_epi64(0, 3, 11, 0, 4, 12, 0, 5), y);
    const __m512d c = _mm512_permutex2var_pd(x, _mm512_setr_epi64(13, 0, 6, 14, 0, 7, 15, 0), y);
    _mm512_storeu_pd(out, _mm512_permutex2var_pd(a, _mm512_setr_epi64(0, 1, 8, 3, 4, 9, 6, 7), z));
    _mm512_storeu_pd(
      out + 8, _mm512_permutex2var_pd(b, _mm512_setr_epi64(10, 1, 2, 11, 4, 5, 12, 7), z));
    _mm512_storeu_pd(
      out + 16, _mm512_permutex2var_pd(c, _mm512_setr_epi64(0, 13, 2, 3, 14, 5, 6, 15), z));
  };
  half(to, row[0].low, row[1].low, row[2].low);
  half(to + 24, row[0].high, row[1].high, row[2].high);
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
