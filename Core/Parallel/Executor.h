/// @file
/// The one door to Thrust. Every launch carries a label that names it in errors; kernels are named
/// functors over views of raw pointers.
///
///   executor.forEach("granular.drift", count, Drift{ view, timeStep });
///
/// Promised: the same bits on one backend whatever the number of threads. Sums are taken over
/// fixed blocks and then in order; maxima do not depend on order; sorts are stable.
#pragma once

#include "Error.h"
#include "Parallel/Buffer.h"
#include "Parallel/HostDevice.h"

#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#if !defined(__CUDACC__)
#include "Parallel/RadixSort.h"

#include <thrust/system/omp/execution_policy.h>
#endif

#include <new>
#include <string>

namespace lapilli
{
namespace LAPILLI_BACKEND
{

#if defined(THRUST_CUB_WRAPPED_NAMESPACE)
namespace thrust = THRUST_CUB_WRAPPED_NAMESPACE::thrust;
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

  /// map(0), map(1), … merged by +=, which must not depend on order: maxima, counts. Value's default is that
  /// of nothing.
  /// @param elementsPerCall how many particles a call of map works on
  template <class Value, class Map>
  Value merged(Label label, Index count, const Map& map, Index elementsPerCall = 1) const
  {
    Value result{};
    if (count == 0)
      return result;
    guarded(label,
      [&]
      {
#if defined(__CUDACC__)
        const Index size = 1; // a thread a call; the reduction is Thrust's
#else
        const Index size = elementsPerCall < 256 ? 256 / elementsPerCall : 1;
#endif
        const Index blocks = (count + size - 1) / size;
        scratch_.resizeDiscarding(blocks * sizeof(Value));
        auto* const partial = reinterpret_cast<Value*>(scratch_.data());
        launch(blocks, MergeBlock<Value, Map>{ map, partial, count, size }, size * elementsPerCall);
#if defined(__CUDACC__)
        result = thrust::reduce(thrust::device, partial, partial + blocks, Value{}, Merge{});
#else
        for (Index block = 0; block < blocks; ++block)
          result += partial[block];
#endif
      });
    return result;
  }

  /// The largest of map(0) … map(count - 1) and 0. NaN must be mapped to infinity by the map, which
  /// may also write what it computes.
  /// @param elementsPerCall as of merged()
  template <class Map>
  float maximum(Label label, Index count, const Map& map, Index elementsPerCall = 1) const
  {
    return merged<Largest>(label, count, LargestOf<Map>{ map }, elementsPerCall).value;
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
        Buffer<Value> partial;
        partial.resizeDiscarding(blocks);
        launch(blocks, Block{ map, partial.data(), count }, Block::kSize);
        for (const Value& value : partial.download())
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

  template <class Kernel>
  void launch(Index count, const Kernel& kernel, [[maybe_unused]] Index elementsPerCall = 1) const
  {
    const auto first = thrust::make_counting_iterator<Index>(0);
#if defined(__CUDACC__)
    thrust::for_each_n(thrust::device, first, count, kernel);
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
  mutable Buffer<std::uint32_t> otherKeys_; ///< of the sort
  mutable Buffer<Index> otherValues_;
#else
  mutable RadixSort radixSort_;
#endif
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
