/// @file
/// As many numbers at once as the processor takes, for loops that no compiler vectorises: those that
/// keep some of what they read. One number at a time for CUDA, where a thread is a lane.
///
///   const Lanes::Mask near = Lanes::below(squared, limit) & Lanes::first(rest);
///   Lanes::compress(index, near, found);
#pragma once

#include "Parallel/HostDevice.h"

#include <cstdint>
#include <cstring>

#if !defined(__CUDACC__) && (defined(__AVX512F__) || defined(__AVX2__))
#include "Parallel/Intrinsics.h"
#endif

namespace lapilli
{

struct Lanes
{
#if defined(__CUDACC__)
  static constexpr int kCount = 1;
  static constexpr int kTogether = 32; // a warp
  static constexpr int kPerCall = 1;
  using Floats = float;
  using Ints = std::int32_t;
#else
  /// Elements that should lie side by side in memory: a multiple of kCount.
  static constexpr int kTogether = 16;
  /// Of these, how many one call of a kernel should take.
  static constexpr int kPerCall = kTogether;
#if defined(__AVX512F__)
  static constexpr int kCount = 16;
#elif defined(__AVX2__)
  static constexpr int kCount = 8;
#else
  static constexpr int kCount = 4;
#endif
  using Floats = float __attribute__((vector_size(kCount * sizeof(float))));
  using Ints = std::int32_t __attribute__((vector_size(kCount * sizeof(std::int32_t))));
#endif
  using Mask = std::uint32_t; ///< a bit per lane

  template <class Values>
  HOST_DEVICE static decltype(auto) at(Values& values, [[maybe_unused]] int k)
  {
#if defined(__CUDACC__)
    return values;
#else
    return values[k];
#endif
  }

  HOST_DEVICE static Floats load(const float* from)
  {
    return loadAs<Floats>(from);
  }
  HOST_DEVICE static Ints load(const std::int32_t* from)
  {
    return loadAs<Ints>(from);
  }
  HOST_DEVICE static void store(Ints values, std::int32_t* to)
  {
    std::memcpy(to, &values, sizeof(values));
  }
  HOST_DEVICE static Floats all(float value)
  {
    return Floats{} + value;
  }
  HOST_DEVICE static Ints all(std::int32_t value)
  {
    return Ints{} + value;
  }
  /// from, from + 1, …
  HOST_DEVICE static Ints countFrom(std::int32_t from)
  {
    Ints values{};
    for (int k = 0; k < kCount; ++k)
      at(values, k) = from + k;
    return values;
  }

  /// The first lanes, `count` >= 0 of them.
  HOST_DEVICE static Mask first(std::int32_t count)
  {
    return count >= kCount ? (Mask(1) << (kCount - 1)) * 2 - 1 : (Mask(1) << count) - 1;
  }

  HOST_DEVICE static Mask below(Floats a, Floats b)
  {
#if !defined(__CUDACC__) && defined(__AVX512F__)
    return bitsOfMask(
      _mm512_cmp_ps_mask(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), _CMP_LT_OQ));
#elif !defined(__CUDACC__) && defined(__AVX2__)
    return static_cast<Mask>(_mm256_movemask_ps(
      _mm256_cmp_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), _CMP_LT_OQ)));
#else
    return collect([&](int k) { return at(a, k) < at(b, k); });
#endif
  }
  HOST_DEVICE static Mask below(Ints a, Ints b)
  {
#if !defined(__CUDACC__) && defined(__AVX512F__)
    return bitsOfMask(
      _mm512_cmplt_epi32_mask(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif !defined(__CUDACC__) && defined(__AVX2__)
    return static_cast<Mask>(_mm256_movemask_ps(_mm256_castsi256_ps(
      _mm256_cmpgt_epi32(reinterpret_cast<__m256i>(b), reinterpret_cast<__m256i>(a)))));
#else
    return collect([&](int k) { return at(a, k) < at(b, k); });
#endif
  }
  HOST_DEVICE static Mask different(Ints a, Ints b)
  {
#if !defined(__CUDACC__) && defined(__AVX512F__)
    return bitsOfMask(
      _mm512_cmpneq_epi32_mask(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#else
    return below(a, b) | below(b, a);
#endif
  }

  /// 1 in the lanes with a < b, else 0.
  HOST_DEVICE static Ints onesBelow(Ints a, Ints b)
  {
#if defined(__CUDACC__)
    return a < b ? 1 : 0;
#else
    return -reinterpret_cast<Ints>(a < b); // which has all bits set where it holds
#endif
  }

  /// Stores the lanes of the mask one after another; writes up to kCount numbers, of which those that
  /// follow mean nothing.
  template <class Values, class T>
  HOST_DEVICE static void compress(Values values, Mask mask, T* to)
  {
    static_assert(sizeof(T) == 4 && sizeof(Values) == kCount * sizeof(T), "lanes of this type");
#if !defined(__CUDACC__) && defined(__AVX512F__)
    _mm512_storeu_si512(to,
      _mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), reinterpret_cast<__m512i>(values)));
#else
    forEach(mask, [&](int k) { *to++ = at(values, k); });
#endif
  }

  HOST_DEVICE static int count(Mask mask)
  {
#if defined(__CUDACC__)
    return static_cast<int>(mask);
#else
    return __builtin_popcount(mask);
#endif
  }

  /// visit(k) for every lane of the mask.
  template <class Visit>
  HOST_DEVICE static void forEach(Mask mask, const Visit& visit)
  {
#if defined(__CUDACC__)
    if (mask)
      visit(0);
#else
    for (; mask != 0; mask &= mask - 1)
      visit(__builtin_ctz(mask));
#endif
  }
  /// The lanes of the mask with keep(k).
  template <class Keep>
  HOST_DEVICE static Mask filter(Mask mask, const Keep& keep)
  {
    Mask kept = 0;
    forEach(mask, [&](int k) { kept |= keep(k) ? Mask(1) << k : 0; });
    return kept;
  }

private:
  template <class Values, class T>
  HOST_DEVICE static Values loadAs(const T* from)
  {
    Values values;
    std::memcpy(&values, from, sizeof(values));
    return values;
  }
  template <class Test>
  HOST_DEVICE static Mask collect(const Test& test)
  {
    Mask mask = 0;
    for (int k = 0; k < kCount; ++k)
      mask |= test(k) ? Mask(1) << k : 0;
    return mask;
  }
};

} // namespace lapilli
