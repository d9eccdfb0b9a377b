/// @file
/// What several particles may do to one number at once.
///
/// Only operations whose result does not depend on their order: greatest and smallest values and sums
/// of integers; and an exchange, for the second of two that meet. There is no sum of floating-point numbers here: its
/// last bits would depend on who came first, and a run would not repeat.
///
/// All are relaxed: what else a thread wrote may be seen by others later, or never within a launch. Only
/// exchangeInOrder() orders. It releases what its thread wrote before and acquires what the one wrote whose value it
/// finds: on the host by the compiler's atomics, on a device by PTX's atom.acq_rel.gpu, in the memory model that all
/// chips from Volta on keep, through whatever caches. So of two that meet by one exchange each, the second
/// sees all that the first had written, with plain stores and read by plain loads; a chain of such meetings
/// hands everything on.
#pragma once

#include "Parallel/HostDevice.h"

#include <cstdint>

#if defined(__CUDACC__)
#include <cuda/atomic>
#endif

namespace lapilli
{

#if defined(__CUDA_ARCH__)

// Non-negative floats stand in the order of their bits, read as integers.
HOST_DEVICE inline void atomicMaximum(float* target, float value)
{
  atomicMax(reinterpret_cast<int*>(target), __float_as_int(value));
}
HOST_DEVICE inline void atomicMinimum(float* target, float value)
{
  atomicMin(reinterpret_cast<int*>(target), __float_as_int(value));
}
HOST_DEVICE inline void atomicSum(std::uint32_t* target, std::uint32_t value)
{
  atomicAdd(target, value);
}
HOST_DEVICE inline void atomicSum(std::int64_t* target, std::int64_t value)
{
  atomicAdd(reinterpret_cast<unsigned long long*>(target), static_cast<unsigned long long>(value));
}
HOST_DEVICE inline std::int32_t exchangeInOrder(std::int32_t* target, std::int32_t value)
{
  // Not atomicExch, which orders nothing.
  const ::cuda::atomic_ref<std::int32_t, ::cuda::thread_scope_device> meeting(*target);
  return meeting.exchange(value, ::cuda::std::memory_order_acq_rel);
}
HOST_DEVICE inline std::int32_t atomicIncrement(std::int32_t* target)
{
  return atomicAdd(target, 1);
}
HOST_DEVICE inline void atomicMaximum(std::int32_t* target, std::int32_t value)
{
  atomicMax(target, value);
}
HOST_DEVICE inline std::int32_t atomicRead(const std::int32_t* source)
{
  return *const_cast<const volatile std::int32_t*>(source);
}

#else

namespace atomicDetail
{

/// Puts `value` in the place of all numbers x with isBetter(value, x).
template <class IsBetter>
HOST_DEVICE inline void replaceIf(float* target, float value, const IsBetter& isBetter)
{
  float present;
  __atomic_load(target, &present, __ATOMIC_RELAXED);
  while (isBetter(value, present) && !__atomic_compare_exchange(target, &present, &value, true,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
  {
  }
}

struct IsGreater
{
  HOST_DEVICE bool operator()(float a, float b) const { return a > b; }
};
struct IsLess
{
  HOST_DEVICE bool operator()(float a, float b) const { return a < b; }
};

} // namespace atomicDetail

/// target = max(target, value); both >= 0, not NaN.
HOST_DEVICE inline void atomicMaximum(float* target, float value)
{
  atomicDetail::replaceIf(target, value, atomicDetail::IsGreater{});
}

/// target = min(target, value); both >= 0, not NaN.
HOST_DEVICE inline void atomicMinimum(float* target, float value)
{
  atomicDetail::replaceIf(target, value, atomicDetail::IsLess{});
}

/// target += value
HOST_DEVICE inline void atomicSum(std::uint32_t* target, std::uint32_t value)
{
  __atomic_fetch_add(target, value, __ATOMIC_RELAXED);
}
HOST_DEVICE inline void atomicSum(std::int64_t* target, std::int64_t value)
{
  __atomic_fetch_add(target, value, __ATOMIC_RELAXED);
}

/// Puts value in the place of target and returns what was there. Whoever finds another's value also finds
/// all that the other wrote before it (release and acquire).
HOST_DEVICE inline std::int32_t exchangeInOrder(std::int32_t* target, std::int32_t value)
{
  return __atomic_exchange_n(target, value, __ATOMIC_ACQ_REL);
}

/// target += 1
/// @return what it was; who gets which number depends on who comes first
HOST_DEVICE inline std::int32_t atomicIncrement(std::int32_t* target)
{
  return __atomic_fetch_add(target, 1, __ATOMIC_RELAXED);
}

/// target = max(target, value)
HOST_DEVICE inline void atomicMaximum(std::int32_t* target, std::int32_t value)
{
  std::int32_t present = __atomic_load_n(target, __ATOMIC_RELAXED);
  while (value > present && !__atomic_compare_exchange_n(
                              target, &present, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
  {
  }
}

/// What others may be writing.
HOST_DEVICE inline std::int32_t atomicRead(const std::int32_t* source)
{
  return __atomic_load_n(source, __ATOMIC_RELAXED);
}

#endif

} // namespace lapilli
