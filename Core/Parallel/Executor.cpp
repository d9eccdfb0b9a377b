#include "Parallel/Executor.h"

#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_scan.h>

#if defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <thrust/iterator/transform_iterator.h>
#else
#include <omp.h>
#include <thrust/system/omp/memory.h>
#endif

namespace lapilli
{
namespace LAPILLI_BACKEND
{

#if defined(__CUDACC__)

Executor::ThreadScope::ThreadScope(const Executor&)
  : former_(0)
{
}
Executor::ThreadScope::~ThreadScope() = default;

std::string Executor::deviceName() const
{
  int device = 0;
  cudaDeviceProp properties;
  checkCuda(cudaGetDevice(&device), "CUDA device");
  checkCuda(cudaGetDeviceProperties(&properties, device), "CUDA device");
  return std::string("CUDA, ") + properties.name;
}

#else

Executor::ThreadScope::ThreadScope(const Executor& executor)
  : former_(omp_get_max_threads())
{
  if (executor.threads_ > 0)
    omp_set_num_threads(executor.threads_);
}
Executor::ThreadScope::~ThreadScope()
{
  omp_set_num_threads(former_);
}

std::string Executor::deviceName() const
{
  const ThreadScope scope(*this);
  int threads = 1;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  return "CPU, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

#endif

namespace
{

/// Sums in the wide type: a list of pairs outgrows the type of its counts.
struct ToOffset
{
  HOST_DEVICE Offset operator()(Index count) const { return count; }
};

#if !defined(__CUDACC__)
/// body(policy): on one thread where waking others takes longer.
template <class Body>
void withPolicy(std::size_t count, std::size_t serial, const Body& body)
{
  if (count < serial)
    body(thrust::seq);
  else
    body(thrust::omp::par);
}
#endif

} // namespace

Offset Executor::exclusiveScan(
  Label label, const Buffer<Index>& counts, Buffer<Offset>& offsets) const
{
  const std::size_t count = counts.size();
  offsets.resizeDiscarding(count + 1);
  Offset total = 0;
  guarded(label,
    [&]
    {
#if defined(__CUDACC__)
      checkCuda(cudaMemsetAsync(offsets.data(), 0, sizeof(Offset), stream()), "clear");
      const auto wide = thrust::make_transform_iterator(counts.data(), ToOffset{});
      withStorage(
        [&](void* storage, std::size_t& bytes)
        {
          return cub::DeviceScan::InclusiveSum(
            storage, bytes, wide, offsets.data() + 1, static_cast<Index>(count), stream());
        });
#else
      offsets.data()[0] = 0;
      withPolicy(count, kSerial,
        [&](const auto& policy)
        {
          thrust::transform_inclusive_scan(policy, counts.data(), counts.data() + count,
            offsets.data() + 1, ToOffset{}, thrust::plus<Offset>());
        });
#endif
      copyToHost(&total, offsets.data() + count, sizeof(Offset));
    });
  return total;
}

void Executor::exclusiveScan(Label label, Buffer<Index>& counts) const
{
  guarded(label,
    [&]
    {
#if defined(__CUDACC__)
      withStorage(
        [&](void* storage, std::size_t& bytes)
        {
          return cub::DeviceScan::ExclusiveSum(storage, bytes, counts.data(), counts.data(),
            static_cast<Index>(counts.size()), stream());
        });
#else
      withPolicy(counts.size(), kSerial,
        [&](const auto& policy) {
          thrust::exclusive_scan(
            policy, counts.data(), counts.data() + counts.size(), counts.data());
        });
#endif
    });
}

#if defined(__CUDACC__)
template <class Key>
void Executor::sortOnDevice(Buffer<Key>& keys, Buffer<Key>& otherKeys, Buffer<Index>& values) const
{
  const Index count = static_cast<Index>(keys.size());
  otherKeys.resizeDiscarding(keys.size());
  otherValues_.resizeDiscarding(values.size());
  cub::DoubleBuffer<Key> keyBuffers(keys.data(), otherKeys.data());
  cub::DoubleBuffer<Index> valueBuffers(values.data(), otherValues_.data());
  withStorage(
    [&](void* storage, std::size_t& bytes)
    {
      return cub::DeviceRadixSort::SortPairs(storage, bytes, keyBuffers, valueBuffers, count, 0,
        static_cast<int>(8 * sizeof(Key)), stream());
    });
  if (keyBuffers.selector != 0)
    keys.swap(otherKeys);
  if (valueBuffers.selector != 0)
    values.swap(otherValues_);
}
#endif

void Executor::sortByKey(Label label, Buffer<std::uint64_t>& keys, Buffer<Index>& values) const
{
  LAPILLI_ASSERT(keys.size() == values.size());
  guarded(label,
    [&]
    {
#if defined(__CUDACC__)
      sortOnDevice(keys, otherLongKeys_, values);
#else
      withPolicy(keys.size(), kSerial,
        [&](const auto& policy) {
          thrust::stable_sort_by_key(policy, keys.data(), keys.data() + keys.size(), values.data());
        });
#endif
    });
}

void Executor::sortByKey(Label label, Buffer<std::uint32_t>& keys, Buffer<Index>& values) const
{
  LAPILLI_ASSERT(keys.size() == values.size());
  guarded(label,
    [&]
    {
#if defined(__CUDACC__)
      sortOnDevice(keys, otherKeys_, values);
#else
      radixSort_(keys.data(), values.data(), keys.size());
#endif
    });
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
