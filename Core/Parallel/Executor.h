/// @file
/// The one door to Thrust. Every launch carries a label that names it in errors; kernels are named
/// functors over views of raw pointers.
///
///   executor.forEach("granular.drift", count, Drift{ view, timeStep });
///
/// Promised: the same bits on one backend whatever the number of threads. Sums are taken over
/// fixed blocks and then in order; maxima do not depend on order; sorts are stable.
///
/// On CUDA a launch returns before it is carried out; who reads a result waits for it. A kernel that fails is reported
/// at the next such wait, under the label of the launch that waited.
#pragma once

#include "Error.h"
#include "Parallel/Buffer.h"
#include "Parallel/CacheHints.h"
#include "Parallel/HostDevice.h"
#include "Parallel/Repeated.h"
#include "Parallel/Stream.h"

#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#if defined(__CUDACC__)
#include <cub/device/device_reduce.cuh>
#include <thrust/system/cuda/execution_policy.h>
#else
#include "Parallel/RadixSort.h"

#include <thrust/system/omp/execution_policy.h>
#endif

#include <new>
#include <string>
#include <vector>

namespace lapilli
{
namespace LAPILLI_BACKEND
{

#if defined(THRUST_CUB_WRAPPED_NAMESPACE)
namespace thrust = THRUST_CUB_WRAPPED_NAMESPACE::thrust;
#endif
#if defined(__CUDACC__)
namespace cub = THRUST_CUB_WRAPPED_NAMESPACE::cub;
#endif

/// The name of a launch: a string literal, so that a launch without one does not compile.
struct Label
{
  template <std::size_t N>
  constexpr Label(const char (&literal)[N])
    : text(literal)
  {
  }
  const char* text;
};

/// Sums `map(i)` over one block of the index range, for Executor::sum.
template <class Value, class Map>
struct SumBlock
{
  static constexpr Index kSize = 1024;
  Map map;
  Value* partial;
  Index count;
  HOST_DEVICE void operator()(Index block) const
  {
    const Index first = block * kSize;
    const Index last = count - first < kSize ? count : first + kSize;
    Value total = map(first);
    for (Index i = first + 1; i < last; ++i)
      total += map(i);
    partial[block] = total;
  }
};

/// Merges `map(i)` of one block of the index range, for Executor::merged.
template <class Value, class Map>
struct MergeBlock
{
  Map map;
  Value* partial;
  Index count;
  Index size; ///< of a block
  HOST_DEVICE void operator()(Index block) const
  {
    const Index first = block * size;
    const Index last = count - first < size ? count : first + size;
    Value merged{};
    for (Index i = first; i < last; ++i)
      merged += map(i);
    partial[block] = merged;
    finishStreams();
  }
};

/// a += b as a function. Not inside Executor: no kernel of CUDA takes a private type.
struct Merge
{
  template <class Value>
  HOST_DEVICE Value operator()(Value a, const Value& b) const
  {
    return a += b;
  }
};

/// The largest number from 0 on, as a value for Executor::merged.
struct Largest
{
  float value = 0;
  HOST_DEVICE Largest& operator+=(const Largest& b)
  {
    value = b.value > value ? b.value : value;
    return *this;
  }
};
template <class Map>
struct LargestOf
{
  Map map;
  HOST_DEVICE Largest operator()(Index i) const { return { map(i) }; }
};

/// So many elements a range has at most, for Executor::forEachRange: a thread of the host makes use of
/// what it did for the neighbours; on a device each element has its thread.
#if defined(__CUDACC__)
constexpr Index kRange = 1;
#else
constexpr Index kRange = 512;
#endif

template <class Kernel>
struct EachRange
{
  Kernel kernel;
  Index count;
  HOST_DEVICE void operator()(Index range) const
  {
    const Index first = range * kRange;
    kernel(first, count - first < kRange ? count : first + kRange);
  }
};

/// Kernels that may take all 255 registers on a device: what they would spill costs more than fewer threads at once.
template <class Kernel>
constexpr bool kTakesAllRegisters = false;
template <class Value, class Map>
constexpr bool kTakesAllRegisters<MergeBlock<Value, Map>> = kTakesAllRegisters<Map>;
template <class Map>
constexpr bool kTakesAllRegisters<LargestOf<Map>> = kTakesAllRegisters<Map>;

#if defined(__CUDACC__)
/// A thread for each call of a large map, in blocks that leave 255 registers to a thread. With Thrust's kernel, where a
/// thread makes two calls, those that meet every pair spill theirs. Kernels are read where their arguments stand: one
/// whose address is taken would be copied into the local memory of each thread.
constexpr int kThreadsOfBlock = 128;

template <class Kernel>
__global__ void __launch_bounds__(kThreadsOfBlock, kTakesAllRegisters<Kernel> ? 1 : 0)
  runEach(Index count, const __grid_constant__ Kernel kernel)
{
  const Index i = static_cast<Index>(blockIdx.x * kThreadsOfBlock + threadIdx.x);
  if (i < count)
    kernel(i);
}
#endif

/// So many steps of a solver are enqueued at once where nothing has to be looked at in between; on the host itself
/// nothing is gained by it.
#if defined(__CUDACC__)
constexpr int kStepsAhead = 16;
#else
constexpr int kStepsAhead = 1;
#endif

class Executor
{
public:
  /// @param threads OpenMP threads for the launches inside a ThreadScope; 0 = OpenMP's own choice
  explicit Executor(int threads)
    : threads_(threads)
  {
  }

  /// Sets the number of threads for its lifetime and puts the former number back.
  class ThreadScope
  {
  public:
    explicit ThreadScope(const Executor& executor);
    ~ThreadScope();
    ThreadScope(const ThreadScope&) = delete;
    ThreadScope& operator=(const ThreadScope&) = delete;

  private:
    int former_;
  };

  /// "CPU, 2 threads": counted in a parallel region, not assumed.
  std::string deviceName() const;

  /// kernel(i) for i = 0 … count - 1, in any order.
  template <class Kernel>
  void forEach(Label label, Index count, const Kernel& kernel) const
  {
    if (count > 0)
      guarded(label, [&] { launch(count, kernel); });
  }

  /// kernel(first, last) for the ranges [first, last) that make up 0 … count - 1, in any order.
  template <class Kernel>
  void forEachRange(Label label, Index count, const Kernel& kernel) const
  {
    if (count > 0)
      guarded(label,
        [&] {
          launch((count - 1) / kRange + 1, EachRange<Kernel>{ kernel, count }, kRange);
        });
  }

  /// The launches of enqueue(), which has neither to wait nor to take new memory, once more: see Repeated.
  template <class Key, class Enqueue>
  Enqueued repeat(
    Label label, Repeated<Key>& launches, const Key& key, const Enqueue& enqueue) const
  {
    Enqueued result{};
    guarded(label, [&] { result = launches.run(key, enqueue); });
    return result;
  }

  /// map(0), map(1), … merged by +=, which must not depend on order: maxima, counts. Value's default is that
  /// of nothing.
  /// @param elementsPerCall how many particles a call of map works on
  template <class Value, class Map>
  Value merged(Label label, Index count, const Map& map, Index elementsPerCall = 1) const
  {
    Value result{};
    if (count == 0)
      return result;
#if defined(__CUDACC__)
    result_.resizeDiscarding(sizeof(Value));
    auto* const onDevice = reinterpret_cast<Value*>(result_.data());
    mergedInto(label, count, map, onDevice, elementsPerCall);
    guarded(label, [&] { copyToHost(&result, onDevice, sizeof(Value)); });
#else
    mergedInto(label, count, map, &result, elementsPerCall);
#endif
    return result;
  }

  /// The same into memory of the backend, without waiting. Of nothing, nothing is written.
  template <class Value, class Map>
  void mergedInto(
    Label label, Index count, const Map& map, Value* result, Index elementsPerCall = 1) const
  {
    if (count == 0)
      return;
    guarded(label,
      [&]
      {
#if defined(__CUDACC__)
        const Index size = 1; // a thread a call
#else
        const Index size = elementsPerCall < 256 ? 256 / elementsPerCall : 1;
#endif
        const Index blocks = (count + size - 1) / size;
        Value* const partial = scratchFor<Value>(blocks);
        const MergeBlock<Value, Map> mergeBlock{ map, partial, count, size };
#if defined(__CUDACC__)
        runEach<<<(blocks - 1) / kThreadsOfBlock + 1, kThreadsOfBlock, 0, stream()>>>(
          blocks, mergeBlock);
        checkCuda(cudaGetLastError(), "launch");
        withStorage(
          [&](void* storage, std::size_t& bytes)
          {
            return cub::DeviceReduce::Reduce(
              storage, bytes, partial, result, blocks, Merge{}, Value{}, stream());
          });
#else
        launch(blocks, mergeBlock, size * elementsPerCall);
        Value merged{};
        for (Index block = 0; block < blocks; ++block)
          merged += partial[block];
        *result = merged;
#endif
      });
  }

  /// The largest of map(0) … map(count - 1) and 0. NaN must be mapped to infinity by the map, which
  /// may also write what it computes.
  /// @param elementsPerCall as of merged()
  template <class Map>
  float maximum(Label label, Index count, const Map& map, Index elementsPerCall = 1) const
  {
    return merged<Largest>(label, count, LargestOf<Map>{ map }, elementsPerCall).value;
  }

  /// The same into memory of the backend, without waiting. Of nothing, nothing is written.
  template <class Map>
  void maximumInto(
    Label label, Index count, const Map& map, Largest* result, Index elementsPerCall = 1) const
  {
    mergedInto(label, count, LargestOf<Map>{ map }, result, elementsPerCall);
  }

  /// The sum of map(0) … map(count - 1), over fixed blocks and then in order. Value needs += and a
  /// default that means nothing.
  template <class Value, class Map>
  Value sum(Label label, Index count, const Map& map) const
  {
    Value total{};
    if (count == 0)
      return total;
    guarded(label,
      [&]
      {
        using Block = SumBlock<Value, Map>;
        const Index blocks = (count + Block::kSize - 1) / Block::kSize;
        Value* const partial = scratchFor<Value>(blocks);
        launch(blocks, Block{ map, partial, count }, Block::kSize);
        std::vector<Value> inOrder(static_cast<std::size_t>(blocks));
        copyToHost(inOrder.data(), partial, inOrder.size() * sizeof(Value));
        for (const Value& value : inOrder)
          total += value;
      });
    return total;
  }

  /// offsets[i] = counts[0] + … + counts[i - 1] for i = 0 … count; returns the total.
  Offset exclusiveScan(Label label, const Buffer<Index>& counts, Buffer<Offset>& offsets) const;

  /// The same in the place of the counts, whose sum must fit.
  void exclusiveScan(Label label, Buffer<Index>& counts) const;

  /// Sorts keys and carries the values along; equal keys keep their order.
  void sortByKey(Label label, Buffer<std::uint64_t>& keys, Buffer<Index>& values) const;
  /// The same for short keys, in memory that is kept from call to call.
  void sortByKey(Label label, Buffer<std::uint32_t>& keys, Buffer<Index>& values) const;

private:
  /// Fewer elements than this are not worth waking threads for; on a busy machine a thread that is
  /// waited for costs a thousand times what it saves.
  static constexpr Index kSerial = 2048;

  /// Memory that is kept from launch to launch.
  template <class Value>
  Value* scratchFor(Index count) const
  {
    static_assert(std::is_trivially_copyable<Value>::value, "moved as bytes");
    scratch_.resizeDiscarding(static_cast<std::size_t>(count) * sizeof(Value));
    return reinterpret_cast<Value*>(scratch_.data());
  }

#if defined(__CUDACC__)
  /// algorithm(storage, bytes) of CUB: asked for the size of its storage, then carried out in memory that is kept.
  template <class Algorithm>
  void withStorage(const Algorithm& algorithm) const
  {
    std::size_t bytes = 0;
    checkCuda(algorithm(nullptr, bytes), "size of storage");
    storage_.resizeDiscarding(bytes);
    checkCuda(algorithm(storage_.data(), bytes), "launch");
  }

  template <class Key>
  void sortOnDevice(Buffer<Key>& keys, Buffer<Key>& otherKeys, Buffer<Index>& values) const;
#endif

  template <class Kernel>
  void launch(Index count, const Kernel& kernel, [[maybe_unused]] Index elementsPerCall = 1) const
  {
    const auto first = thrust::make_counting_iterator<Index>(0);
#if defined(__CUDACC__)
    thrust::for_each_n(thrust::cuda::par_nosync.on(stream()), first, count, kernel);
#else
    if (count * static_cast<Offset>(elementsPerCall) < kSerial)
      thrust::for_each_n(thrust::seq, first, count, kernel);
    else
      thrust::for_each_n(thrust::omp::par, first, count, kernel);
#endif
  }

  template <class Body>
  static void guarded(Label label, const Body& body)
  {
#if defined(__GNUC__)
    // A launch that cannot throw would lose its label, and a test compares the labels of the backends.
    asm volatile("" : : "r"(label.text));
#endif
    try
    {
      body();
    }
    catch (const BackendError& failure)
    {
      throw BackendError(std::string(label.text) + ": " + failure.what());
    }
    catch (const Error&)
    {
      throw;
    }
    catch (const std::bad_alloc&)
    {
      throw BackendError(
        std::string(label.text) + ": out of memory; use fewer particles or triangles");
    }
    catch (const std::exception& failure)
    {
      throw BackendError(std::string(label.text) + ": " + failure.what());
    }
  }

  int threads_;
  mutable Buffer<unsigned char> scratch_;
#if defined(__CUDACC__)
  mutable Buffer<unsigned char> storage_, result_; ///< of CUB's algorithms, and what they leave
  mutable Buffer<std::uint32_t> otherKeys_;        ///< of the sort, as are the next two
  mutable Buffer<std::uint64_t> otherLongKeys_;
  mutable Buffer<Index> otherValues_;
#else
  mutable RadixSort radixSort_;
#endif
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
