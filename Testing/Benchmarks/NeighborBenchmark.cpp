// Building neighbour lists of a dense packing of equal spheres, 8 to 9 neighbours each within a skin of a
// tenth of the diameter, by cells and by a tree: with the particles put into a new order each time, and left in
// the one they have. Between builds all move a little, and a share of the pairs has a history.
#include "Packing.h"
#include "Spatial/NeighborList.h"

#include <benchmark/benchmark.h>

#include <vector>

namespace
{

using namespace lapilli;
using namespace lapilli::cpu;

constexpr double kDiameter = 1;
constexpr double kSkin = 0.1 * kDiameter;
constexpr double kFraction = 0.62; // as spheres settle

/// With its lists.
class Packing
{
public:
  Packing(NeighborSearch by, Index count, int threads)
    : index_(by)
    , executor_(threads)
    , scope_(executor_)
  {
    state_.upload(packedSpheres(count, kDiameter, kFraction));
    lost_.upload(std::vector<std::uint8_t>(static_cast<std::size_t>(count), 0));
    sortAndBuild();
    touch();
  }

  void sortAndBuild()
  {
    index_.sort(executor_, state_.view().spheres(), lost_, kDiameter / 2, kSkin, {});
    state_.reorder(executor_, index_.order());
    build();
  }
  void locateAndBuild()
  {
    locate();
    build();
  }
  void locate() { index_.locate(executor_, state_.view().spheres(), kDiameter / 2, kSkin, {}); }

  double neighbors() const
  {
    const NeighborView rows = list_.view();
    double sum = 0;
    for (Index i = 0; i < rows.particles; ++i)
      sum += rows.row(i).count;
    return sum / rows.particles;
  }
  double bytes() const { return (list_.bytes() + index_.bytes()) / state_.count(); }

private:
  void build() { list_.build(executor_, state_.view().spheres(), index_, kSkin, {}); }

  /// Gives the pairs that overlap a history.
  void touch()
  {
    const NeighborView rows = list_.view();
    const SphereView spheres = state_.view().spheres();
    for (Index i = 0; i < rows.particles; ++i)
      for (Index k = 0; k < rows.row(i).count; ++k)
      {
        Neighbor& neighbor = rows.neighbor[rows.row(i)[k]];
        const auto& other = spheres.sphere[neighbor.index()];
        if (length(other.position - spheres.sphere[i].position) < kDiameter)
        {
          neighbor.bits |= Neighbor::kTouching;
          NeighborView::write(rows.spring, rows.row(i)[k], { 1, 2, 3 });
        }
      }
  }

  SphereIndex index_;
  Executor executor_;
  Executor::ThreadScope scope_;
  State state_;
  NeighborList list_;
  Buffer<std::uint8_t> lost_;
};

template <class Work>
void measure(benchmark::State& state, const Work& work)
{
  const auto count = static_cast<Index>(state.range(0));
  Packing packing(state.range(2) == 0 ? NeighborSearch::Cells : NeighborSearch::Tree, count,
    static_cast<int>(state.range(1)));
  for (auto _ : state)
    work(packing);
  state.counters["particles"] =
    benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["neighbors"] = packing.neighbors();
  state.counters["bytes"] = packing.bytes();
}

void Reordered(benchmark::State& state)
{
  measure(state, [](Packing& packing) { packing.sortAndBuild(); });
}
void InPlace(benchmark::State& state)
{
  measure(state, [](Packing& packing) { packing.locateAndBuild(); });
}
void IndexAlone(benchmark::State& state)
{
  measure(state, [](Packing& packing) { packing.locate(); });
}

void sizes(benchmark::internal::Benchmark* benchmark)
{
  benchmark->ArgNames({ "count", "threads", "tree" })->UseRealTime()->Unit(benchmark::kMillisecond);
  for (const int count : { 100'000, 1'000'000 })
    for (const int threads : { 1, 2 })
      for (const int tree : { 0, 1 })
        benchmark->Args({ count, threads, tree });
}

} // namespace

BENCHMARK(Reordered)->Apply(sizes);
BENCHMARK(InPlace)->Apply(sizes);
BENCHMARK(IndexAlone)->Apply(sizes);
