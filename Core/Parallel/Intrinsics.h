/// @file
/// The processor's own vector functions.
#pragma once

// GCC 12 takes operands that some of these functions leave undefined on purpose for mistakes.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <cstdint>

#if defined(__AVX512F__)
namespace lapilli
{

/// The lanes of a mask as bits 0 to 15. By hand: where masks live on the stack, GCC 12 with the address sanitizer
/// leaves what it likes in the bits above.
inline std::uint32_t bitsOfMask(__mmask16 mask)
{
  std::uint32_t bits;
  asm("kmovw %1, %0" : "=r"(bits) : "k"(mask));
  return bits;
}

} // namespace lapilli
#endif
