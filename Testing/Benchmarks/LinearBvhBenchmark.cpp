// The tree of boxes: building, refitting, finding pairs; and the sort of its keys beside Thrust's.
#include "Math/Random.h"
#include "Spatial/LinearBvh.h"

#include <benchmark/benchmark.h>
#include <thrust/sort.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace
{

using namespace lapilli;
using namespace lapilli::cpu;

enum Shape : std::int64_t
{
  Uniform, ///< spheres anywhere in a cube, two neighbours each
  Relief   ///< three layers of spheres on a mountain
};

std::vector<FloatBox> someBoxes(Index count, std::int64_t shape)
{
  RandomStream random(1, RandomStream::Positions);
  std::vector<FloatBox> boxes;
  boxes.reserve(count);
  const double side = shape == Uniform ? std::cbrt(count) : std::sqrt(count / 3.0);
  for (Index i = 0; i < count; ++i)
  {
    Vec3d place{ random.uniform(0, side), random.uniform(0, side), random.uniform(0, 1) };
    if (shape == Uniform)
      place.z *= side;
    else
    {
      const Vec3d p = (1 / side) * place - Vec3d{ 0.4, 0.5, 0 };
      place.z = 3 * place.z + 0.3 * side / (1 + 20 * (p.x * p.x + p.y * p.y));
    }
    boxes.push_back(outwardBox(place, 0.4));
  }
  return boxes;
}

/// What all cases have in common: boxes, and the number of threads.
class Bench
{
public:
  explicit Bench(benchmark::State& state)
    : executor(static_cast<int>(state.range(2)))
    , scope(executor)
  {
    boxes.upload(someBoxes(static_cast<Index>(state.range(0)), state.range(1)));
    tree.build(executor, boxes);
  }

  Executor executor;
  Executor::ThreadScope scope;
  Buffer<FloatBox> boxes;
  LinearBvh tree;
};

void countRate(benchmark::State& state, const char* what)
{
  state.counters[what] = benchmark::Counter(
    static_cast<double>(state.range(0)), benchmark::Counter::kIsIterationInvariantRate);
}

void Build(benchmark::State& state)
{
  Bench bench(state);
  for (auto _ : state)
    bench.tree.build(bench.executor, bench.boxes);
  countRate(state, "boxes/s");
}

void Refit(benchmark::State& state)
{
  Bench bench(state);
  for (auto _ : state)
    bench.tree.refit(bench.executor, bench.boxes);
  countRate(state, "boxes/s");
}

struct CountPairs
{
  BvhView tree;
  Index* counts;
  void operator()(Index place) const
  {
    Index found = 0;
    tree.forEachPairOf(place, [&](Index) { ++found; });
    counts[place] = found;
  }
};

void Pairs(benchmark::State& state)
{
  Bench bench(state);
  Buffer<Index> counts;
  counts.resizeDiscarding(bench.boxes.size());
  const Index count = static_cast<Index>(bench.boxes.size());
  for (auto _ : state)
    bench.executor.forEach(
      "benchmark.countPairs", count, CountPairs{ bench.tree.view(), counts.data() });
  countRate(state, "boxes/s");
  const std::vector<Index> found = counts.download();
  state.counters["pairs a box"] =
    std::accumulate(found.begin(), found.end(), 0.0) / static_cast<double>(count);
}

/// Sorts keys as they are along the curve, from their unsorted state again and again.
template <class Sort>
void sortKeys(benchmark::State& state, const Sort& sort)
{
  const Executor executor(static_cast<int>(state.range(2)));
  const Executor::ThreadScope scope(executor);
  FloatBox scene;
  const std::vector<FloatBox> boxes = someBoxes(static_cast<Index>(state.range(0)), state.range(1));
  scene = boxes.front();
  for (const FloatBox& box : boxes)
    scene = joined(scene, box);
  const MortonCells cells(scene, CurveAxes::Auto);
  std::vector<std::uint32_t> keys;
  for (const FloatBox& box : boxes)
    keys.push_back(cells.key(middleOf(box)));
  std::vector<Index> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  Buffer<std::uint32_t> sortedKeys;
  Buffer<Index> values;
  for (auto _ : state)
  {
    state.PauseTiming();
    sortedKeys.upload(keys);
    values.upload(order);
    state.ResumeTiming();
    sort(executor, sortedKeys, values);
  }
  countRate(state, "keys/s");
}

void Sort(benchmark::State& state)
{
  sortKeys(state, [](const Executor& executor, Buffer<std::uint32_t>& keys, Buffer<Index>& values)
    { executor.sortByKey("benchmark.sort", keys, values); });
}

void SortByThrust(benchmark::State& state)
{
  sortKeys(state,
    [](const Executor&, Buffer<std::uint32_t>& keys, Buffer<Index>& values)
    {
      cpu::thrust::stable_sort_by_key(
        cpu::thrust::omp::par, keys.data(), keys.data() + keys.size(), values.data());
    });
}

void everyCase(benchmark::internal::Benchmark* benchmark)
{
  benchmark->ArgNames({ "boxes", "relief", "threads" })->Unit(benchmark::kMillisecond);
  benchmark->UseRealTime()->MeasureProcessCPUTime();
  for (const std::int64_t boxes : { 1 << 17, 2000000 })
    for (const std::int64_t shape : { Uniform, Relief })
      for (const std::int64_t threads : { 1, 2 })
        benchmark->Args({ boxes, shape, threads });
}

} // namespace

BENCHMARK(Build)->Apply(everyCase);
BENCHMARK(Refit)->Apply(everyCase);
BENCHMARK(Pairs)->Apply(everyCase);
BENCHMARK(Sort)->Apply(everyCase);
BENCHMARK(SortByThrust)->Apply(everyCase);
