/// @file
/// What the host's caches are told ahead. Hints only: nothing depends on them.
#pragma once

#include "Parallel/HostDevice.h"

namespace lapilli
{

/// Asks for what will be read soon. Nothing on a device, where other threads work meanwhile.
template <class T>
HOST_DEVICE inline void prefetch([[maybe_unused]] const T& soon)
{
#if !defined(__CUDA_ARCH__)
  const char* const bytes = reinterpret_cast<const char*>(&soon);
  __builtin_prefetch(bytes);
  __builtin_prefetch(bytes + sizeof(T) - 1);
#endif
}

} // namespace lapilli
