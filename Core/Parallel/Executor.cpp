#include "Parallel/Executor.h"

#include "LargePages.h"

#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_scan.h>

#if defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>
#include <cuda_runtime.h>
#else
#include <omp.h>
#include <thrust/system/omp/memory.h>

#include <cstdlib>
#include <cstring>
#endif

namespace lapilli
{
namespace LAPILLI_BACKEND
{

#if defined(__CUDACC__)

namespace
{
void check(cudaError_t status, const char* what)
{
  if (status != cudaSuccess)
    throw BackendError(std::string(what) + ": " + cudaGetErrorString(status));
}
} // namespace

void* allocateBytes(std::size_t bytes)
{
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status != cudaSuccess)
    throw BackendError("cannot allocate " + std::to_string(bytes >> 20) +
                       " MiB on the CUDA device: " + cudaGetErrorString(status) +
                       "; use fewer particles or the CPU");
  return memory;
}
bool isHostMemory() noexcept
{
  return false;
}
void releaseBytes(void* memory) noexcept
{
  cudaFree(memory);
}
void copyToDevice(void* target, const void* source, std::size_t bytes)
{
  check(cudaMemcpy(target, source, bytes, cudaMemcpyHostToDevice), "copy to the CUDA device");
}
void copyToHost(void* target, const void* source, std::size_t bytes)
{
  check(cudaMemcpy(target, source, bytes, cudaMemcpyDeviceToHost), "copy from the CUDA device");
}
void copyOnDevice(void* target, const void* source, std::size_t bytes)
{
  check(cudaMemcpy(target, source, bytes, cudaMemcpyDeviceToDevice), "copy on the CUDA device");
}

Executor::ThreadScope::ThreadScope(const Executor&)
  : former_(0)
{
}
Executor::ThreadScope::~ThreadScope() = default;

std::string Executor::deviceName() const
{
  int device = 0;
  cudaDeviceProp properties;
  check(cudaGetDevice(&device), "CUDA device");
  check(cudaGetDeviceProperties(&properties, device), "CUDA device");
  return std::string("CUDA, ") + properties.name;
}

#else

namespace
{
constexpr std::size_t kCacheLine = 64;
}

void* allocateBytes(std::size_t bytes)
{
  const std::size_t rounded = (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
  void* memory = std::aligned_alloc(kCacheLine, rounded > 0 ? rounded : kCacheLine);
  if (!memory)
    throw BackendError(
      "cannot allocate " + std::to_string(bytes >> 20) + " MiB; use fewer particles or triangles");
  preferLargePages(memory, rounded);
  return memory;
}
bool isHostMemory() noexcept
{
  return true;
}
void releaseBytes(void* memory) noexcept
{
  std::free(memory);
}
void copyToDevice(void* target, const void* source, std::size_t bytes)
{
  if (bytes > 0)
    std::memcpy(target, source, bytes);
}
void copyToHost(void* target, const void* source, std::size_t bytes)
{
  if (bytes > 0)
    std::memcpy(target, source, bytes);
}
void copyOnDevice(void* target, const void* source, std::size_t bytes)
{
  copyToHost(target, source, bytes);
}

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
/// body(policy): on one thread where waking others takes longer.
template <class Body>
void withPolicy(
  [[maybe_unused]] std::size_t count, [[maybe_unused]] std::size_t serial, const Body& body)
{
#if defined(__CUDACC__)
  body(thrust::device);
#else
  if (count < serial)
    body(thrust::seq);
  else
    body(thrust::omp::par);
#endif
}

/// Sums in the wide type: a list of pairs outgrows the type of its counts.
struct ToOffset
{
  HOST_DEVICE Offset operator()(Index count) const { return count; }
};
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
      const Offset zero = 0;
      copyToDevice(offsets.data(), &zero, sizeof(Offset));
      withPolicy(count, kSerial,
        [&](const auto& policy)
        {
          thrust::transform_inclusive_scan(policy, counts.data(), counts.data() + count,
            offsets.data() + 1, ToOffset{}, thrust::plus<Offset>());
        });
      copyToHost(&total, offsets.data() + count, sizeof(Offset));
    });
  return total;
}

void Executor::exclusiveScan(Label label, Buffer<Index>& counts) const
{
  guarded(label,
    [&]
    {
      withPolicy(counts.size(), kSerial,
        [&](const auto& policy) {
          thrust::exclusive_scan(
            policy, counts.data(), counts.data() + counts.size(), counts.data());
        });
    });
}

void Executor::sortByKey(Label label, Buffer<std::uint64_t>& keys, Buffer<Index>& values) const
{
  LAPILLI_ASSERT(keys.size() == values.size());
  guarded(label,
    [&]
    {
      withPolicy(keys.size(), kSerial,
        [&](const auto& policy) {
          thrust::stable_sort_by_key(policy, keys.data(), keys.data() + keys.size(), values.data());
        });
    });
}

void Executor::sortByKey(Label label, Buffer<std::uint32_t>& keys, Buffer<Index>& values) const
{
  LAPILLI_ASSERT(keys.size() == values.size());
  guarded(label,
    [&]
    {
#if defined(__CUDACC__)
      namespace cub = THRUST_CUB_WRAPPED_NAMESPACE::cub;
      const Index count = static_cast<Index>(keys.size());
      otherKeys_.resizeDiscarding(count);
      otherValues_.resizeDiscarding(count);
      cub::DoubleBuffer<std::uint32_t> keyBuffers(keys.data(), otherKeys_.data());
      cub::DoubleBuffer<Index> valueBuffers(values.data(), otherValues_.data());
      std::size_t bytes = 0;
      check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keyBuffers, valueBuffers, count),
        "size of the sort's storage");
      scratch_.resizeDiscarding(bytes);
      check(
        cub::DeviceRadixSort::SortPairs(scratch_.data(), bytes, keyBuffers, valueBuffers, count),
        "sort");
      if (keyBuffers.selector != 0)
        keys.swap(otherKeys_);
      if (valueBuffers.selector != 0)
        values.swap(otherValues_);
#else
      radixSort_(keys.data(), values.data(), keys.size());
#endif
    });
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
