/// @file
/// The bits of a mask one by one.
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

} // namespace lapilli
