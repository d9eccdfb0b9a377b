#include "Parallel/Buffer.h"

#include "Error.h"
#include "LargePages.h"
#include "Parallel/Stream.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{
std::atomic<std::int64_t> allocationCount{ 0 };
} // namespace

std::int64_t allocations() noexcept
{
  return allocationCount;
}

#if defined(__CUDACC__)

namespace
{

/// Stream and memory of the device that is current when they are first asked for. Until the process ends: buffers may
/// live as long.
class StreamOfDevice
{
public:
  StreamOfDevice()
  {
    int device = 0, hasPools = 0;
    checkCuda(cudaGetDevice(&device), "CUDA device");
    checkCuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream of CUDA");
    checkCuda(
      cudaDeviceGetAttribute(&hasPools, cudaDevAttrMemoryPoolsSupported, device), "CUDA device");
    if (!hasPools)
      return;
    // A pool of our own: the device's default one is other libraries' too.
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = { cudaMemLocationTypeDevice, device };
    checkCuda(cudaMemPoolCreate(&pool_, &properties), "memory pool of CUDA");
    std::uint64_t keepAll = std::numeric_limits<std::uint64_t>::max();
    checkCuda(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keepAll),
      "memory pool of CUDA");
  }

  cudaStream_t stream() const { return stream_; }

  cudaError_t allocate(void** memory, std::size_t bytes)
  {
    const cudaError_t status =
      pool_ ? cudaMallocFromPoolAsync(memory, bytes, pool_, stream_) : cudaMalloc(memory, bytes);
    if (status == cudaSuccess)
      ++blocks_;
    else
      cudaGetLastError(); // or the next launch would report it once more
    return status;
  }

  void release(void* memory) noexcept
  {
    if (!pool_)
    {
      cudaFree(memory); // waits for the device
      return;
    }
    cudaFreeAsync(memory, stream_);
    // The last run has ended: others may need the device's memory.
    if (--blocks_ == 0 && cudaStreamSynchronize(stream_) == cudaSuccess)
      cudaMemPoolTrimTo(pool_, 0);
  }

private:
  cudaStream_t stream_ = nullptr;
  cudaMemPool_t pool_ = nullptr; ///< null on a device without
  std::atomic<std::int64_t> blocks_{ 0 };
};

StreamOfDevice& streamOfDevice()
{
  static auto* const only = new StreamOfDevice;
  return *only;
}

} // namespace

void checkCuda(cudaError_t status, const char* what)
{
  if (status != cudaSuccess)
    throw BackendError(std::string(what) + ": " + cudaGetErrorString(status));
}

cudaStream_t stream()
{
  return streamOfDevice().stream();
}

void waitForStream(const char* what)
{
  checkCuda(cudaStreamSynchronize(stream()), what);
}

void* allocateBytes(std::size_t bytes)
{
  ++allocationCount;
  void* memory = nullptr;
  const cudaError_t status = streamOfDevice().allocate(&memory, bytes);
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
  if (memory != nullptr)
    streamOfDevice().release(memory);
}
void copyToDevice(void* target, const void* source, std::size_t bytes)
{
  if (bytes == 0)
    return;
  const char* const what = "copy to the CUDA device";
  checkCuda(cudaMemcpyAsync(target, source, bytes, cudaMemcpyHostToDevice, stream()), what);
  waitForStream(what); // the source may be gone afterwards
}
void copyToHost(void* target, const void* source, std::size_t bytes)
{
  if (bytes == 0)
    return;
  const char* const what = "copy from the CUDA device";
  checkCuda(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToHost, stream()), what);
  waitForStream(what);
}
void copyOnDevice(void* target, const void* source, std::size_t bytes)
{
  if (bytes == 0)
    return;
  checkCuda(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, stream()),
    "copy on the CUDA device");
}

#else

namespace
{
constexpr std::size_t kCacheLine = 64;
}

void* allocateBytes(std::size_t bytes)
{
  ++allocationCount;
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

#endif

} // namespace LAPILLI_BACKEND
} // namespace lapilli
