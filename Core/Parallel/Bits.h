/// @file
/// The bits of a mask, such as bitsOf() truths of lanes (Math/Lanes.h).
#pragma once

#include "Parallel/HostDevice.h"

#include <cstdint>

namespace lapilli
{

/// visit(k) for each bit k that is set, ascending.
template <class Visit>
HOST_DEVICE void forEachBit(std::uint32_t bits, const Visit& visit)
{
  for (; bits != 0; bits &= bits - 1)
  {
#if defined(__CUDA_ARCH__)
    visit(__ffs(static_cast<int>(bits)) - 1);
#else
    visit(__builtin_ctz(bits));
#endif
  }
}

/// The bits k of those that are set for which keep(k) is true.
template <class Keep>
HOST_DEVICE std::uint32_t keepBits(std::uint32_t bits, const Keep& keep)
{
  std::uint32_t kept = 0;
  forEachBit(bits, [&](int k) { kept |= keep(k) ? std::uint32_t(1) << k : 0; });
  return kept;
}

HOST_DEVICE inline int countBits(std::uint32_t bits)
{
#if defined(__CUDA_ARCH__)
  return __popc(bits);
#else
  return __builtin_popcount(bits);
#endif
}

} // namespace lapilli
