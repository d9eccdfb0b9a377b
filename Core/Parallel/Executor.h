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

/// Largest `map(i)` of one block of the index range, for Executor::maximum.
template <class Map>
struct MaximumBlock
{
#if defined(__CUDACC__)
  static constexpr Index kSize = 1; // a thread an element; the reduction is Thrust's
#else
  static constexpr Index kSize = 256;
#endif
  Map map;
  float* partial;
  Index count;
  HOST_DEVICE void operator()(Index block) const
  {
    const Index first = block * kSize;
    const Index last = count - first < kSize ? count : first + kSize;
    float largest = map(first);
    for (Index i = first + 1; i < last; ++i)
    {
      const float value = map(i);
      largest = value > largest ? value : largest;
    }
    partial[block] = largest;
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

  /// The largest of map(0) … map(count - 1) and 0. NaN must be mapped to infinity by the map, which
  /// may also write what it computes.
  template <class Map>
  float maximum(Label label, Index count, const Map& map) const
  {
    float largest = 0;
    if (count == 0)
      return largest;
    guarded(label,
      [&]
      {
        using Block = MaximumBlock<Map>;
        const Index blocks = (count + Block::kSize - 1) / Block::kSize;
        maxima_.resizeDiscarding(blocks);
        launch(blocks, Block{ map, maxima_.data(), count }, Block::kSize);
#if defined(__CUDACC__)
        const auto& policy = thrust::device;
#else
      const auto& policy = thrust::seq;
#endif
        largest = thrust::reduce(
          policy, maxima_.data(), maxima_.data() + blocks, 0.0f, thrust::maximum<float>());
      });
    return largest;
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
  mutable Buffer<float> maxima_;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
