/// @file
/// What the host's caches are told ahead, hints on which nothing depends; and what was written past them.
#pragma once

#include "Parallel/HostDevice.h"

#include <cstddef>

namespace lapilli
{

/// For so many elements a kernel asks for all data, from anywhere in memory, before it works on the first; one
/// where other threads work while a thread waits.
#if defined(__CUDACC__)
constexpr int kPrefetched = 1;
#else
constexpr int kPrefetched = 64;
#endif

/// Asks for what will be read soon. Nothing on a device, where other threads work meanwhile.
template <class T>
HOST_DEVICE inline void prefetch([[maybe_unused]] const T& soon)
{
#if !defined(__CUDA_ARCH__)
  const char* const bytes = reinterpret_cast<const char*>(&soon);
#if defined(__GNUC__)
  asm volatile("" : : "r"(bytes)); // a function that does nothing but ask would be left out
#endif
  __builtin_prefetch(bytes);
  __builtin_prefetch(bytes + sizeof(T) - 1);
#endif
}

/// The same for the elements first … first + count - 1.
template <class T>
HOST_DEVICE inline void prefetchAll([[maybe_unused]] const T* first, [[maybe_unused]] int count)
{
#if !defined(__CUDA_ARCH__)
  constexpr std::size_t line = 64;
  const char* const bytes = reinterpret_cast<const char*>(first);
#if defined(__GNUC__)
  asm volatile("" : : "r"(bytes));
#endif
  for (std::size_t at = 0; at < count * sizeof(T); at += line)
    __builtin_prefetch(bytes + at);
#endif
}

/// What this thread wrote past the caches (streamRecords(), Math/Lanes.h) others see from here on, as they see all else:
/// the processor keeps no order of it by itself (Intel's manual, volume 1, 10.4.6.2).
HOST_DEVICE inline void finishStreams()
{
#if !defined(__CUDA_ARCH__) && defined(__SSE2__)
  __builtin_ia32_sfence();
#endif
}

/// Of the largest cache of the host, which its cores share [bytes].
std::size_t lastCacheBytes();

} // namespace lapilli
