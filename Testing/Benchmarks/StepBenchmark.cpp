// What a step of a dense packing costs, and how much of that must be.
//
// FullRows    forces by full rows, each pair computed twice and summed in a fixed order, as the engine does
// HalfLists   by half lists, each pair once, with an array of forces and torques for each thread that are summed
//             afterwards, as codes do that do not repeat when the threads change; by the same laws
// BytesAlone  reads and writes what a step has to, and computes nothing: the floor
#include "Contacts/HertzMindlin.h"
#include "Contacts/LinearSpring.h"
#include "GranularFlow/PairForces.h"
#include "Packing.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

namespace
{

using namespace lapilli;
using namespace lapilli::cpu;

constexpr double kDiameter = 0.01, kSkin = 0.1 * kDiameter; // [m]
constexpr double kFraction = 0.72; // so dense that as many touch as in a settled box
constexpr double kMass = 1.3e-3;   // [kg]
constexpr float kTimeStep = 2e-5f; // [s]

/// With its lists.
class Packing
{
public:
  Packing(Index count, int threads, bool slips)
    : executor_(threads)
    , scope_(executor_)
    , index_(NeighborSearch::Cells)
    , list_({ slips, false })
  {
    HostParticles particles = packedSpheres(count, kDiameter, kFraction);
    RandomStream random(2, RandomStream::Positions);
    const auto some = [&] { return random.uniform(-0.1, 0.1); };
    for (Vec3d& velocity : particles.velocity)
    {
      velocity.x = some();
      velocity.y = some();
      velocity.z = some();
    }
    particles.mass.assign(particles.sphere.size(), kMass);
    state_.upload(std::move(particles));
    Buffer<std::uint8_t> lost;
    lost.upload(std::vector<std::uint8_t>(static_cast<std::size_t>(count), 0));
    index_.sort(executor_, state_.view().spheres(), lost, kDiameter / 2, kSkin, {});
    state_.reorder(executor_, index_.order());
    list_.build(executor_, state_.view().spheres(), index_, kSkin, {});
    law_.upload({ kLaw, kLaw });
  }

  const Executor& executor() const { return executor_; }
  ParticleView particles() const { return state_.view(); }
  NeighborView rows() const { return list_.view(); }
  NextPlaces next() { return state_.next(); }
  /// On the mean. @param touching only those that touched when forces were last computed
  double neighboursOfOne(bool touching) const
  {
    const NeighborView rows = list_.view();
    double sum = 0;
    for (Index i = 0; i < rows.particles; ++i)
      for (Index k = 0; k < rows.row(i).count; ++k)
        sum += !touching || rows.neighbor[rows.row(i)[k]].touching() ? 1 : 0;
    return sum / rows.particles;
  }
  Offset entries() const { return list_.entries(); }
  PairLaws laws() const { return { law_.data(), 1, nullptr }; }

  static constexpr PairLaw kLaw{ 0.3f, 0.3f, 0, 0, 5.5e6f, 2.1e6f };

private:
  Executor executor_;
  Executor::ThreadScope scope_;
  State state_;
  SphereIndex index_;
  NeighborList list_;
  Buffer<PairLaw> law_;
};

/// By full rows, in lanes.
template <class NormalLaw>
struct SetForces
{
  PairForces<NormalLaw> pairs;
  void operator()(Index group) const
  {
    const Index first = group * kLanes;
    const auto at = [first](int lane) { return first + lane; };
    ParticleLanes own;
    own.loadPlaces(pairs.particles, at);
    own.loadMotions(pairs.particles, at);
    const Offset row = pairs.rows.start[first / kRowLanes] + first % kRowLanes;
    const IntLanes counts = loadLanes(pairs.rows.count + first);
    ContactLoad load;
    for (std::int32_t k = 0; any(counts > IntLanes(k)); ++k)
      pairs.add(own, at, row + k * static_cast<Offset>(kRowLanes), counts > IntLanes(k), load);
    storeVectors(pairs.particles.force + first, load.force);
    storeVectors(pairs.particles.torque + first, load.torque);
  }
};

template <class NormalLaw>
void FullRows(benchmark::State& state, const NormalLaw& law, bool slips)
{
  const auto count = static_cast<Index>(state.range(0)), groups = count / kLanes;
  Packing packing(count, static_cast<int>(state.range(1)), slips);
  const PairForces<NormalLaw> pairs{ packing.particles(), packing.rows(), law, packing.laws(), {},
    true, BodyForm().shearRatio(), {} };
  for (auto _ : state)
    packing.executor().forEach("benchmark.fullRows", groups, SetForces<NormalLaw>{ pairs });
  state.SetItemsProcessed(state.iterations() * count);
  state.counters["neighbours"] = packing.neighboursOfOne(false);
  state.counters["contacts"] = packing.neighboursOfOne(true);
}

/// Reads places, motions, velocities, spins, rows and what is gathered between frames; writes all but the rows.
struct MoveBytes
{
  ParticleView particles;
  NeighborView rows;
  NextPlaces next;
  void operator()(Index chunk) const
  {
    const Index first = chunk * kRowLanes;
    std::uint32_t entries = 0;
    for (Offset e = rows.start[chunk]; e < rows.start[chunk + 1]; ++e)
      entries += rows.neighbor[e].bits;
    const float nothing = entries == 1 ? 1.0f : 0.0f; // so that they are read
    for (Index i = first; i < first + kRowLanes; ++i)
    {
      next.sphere[i] = particles.sphere[i];
      next.motion[i] = particles.motion[i];
      particles.velocity[i].x += nothing;
      particles.spin[i].x += nothing;
      particles.pressureMax[i] += nothing;
      particles.surfaceSpeed[i] += nothing;
    }
  }
};

void BytesAlone(benchmark::State& state)
{
  const auto count = static_cast<Index>(state.range(0));
  Packing packing(count, static_cast<int>(state.range(1)), false);
  const MoveBytes move{ packing.particles(), packing.rows(), packing.next() };
  for (auto _ : state)
    packing.executor().forEach("benchmark.moveBytes", count / kRowLanes, move);
  state.SetItemsProcessed(state.iterations() * count);
  constexpr double kOfParticle = 2 * (sizeof(Sphere) + sizeof(Motion) + 2 * sizeof(Vec3d) + 8);
  const double ofRows = sizeof(Neighbor) * static_cast<double>(packing.entries());
  state.SetBytesProcessed(
    static_cast<std::int64_t>(double(state.iterations()) * (kOfParticle * count + ofRows)));
}

/// A half list in the usual layout, and what its pairs remember.
struct HalfList
{
  explicit HalfList(const NeighborView& rows)
    : start(1, 0)
  {
    for (Index i = 0; i < rows.particles; ++i)
    {
      for (Index k = 0; k < rows.row(i).count; ++k)
        if (const Index j = rows.neighbor[rows.row(i)[k]].index(); j > i)
          other.push_back(j);
      start.push_back(other.size());
    }
    spring.resize(other.size());
    touched.resize(other.size());
  }
  std::vector<std::size_t> start;
  std::vector<Index> other;
  std::vector<Vec3f> spring;
  std::vector<char> touched;
};

struct Load
{
  Vec3d force, torque;
};

/// Sets the forces of the pairs of a part of the particles.
template <class NormalLaw>
struct AddHalf
{
  ParticleView particles;
  HalfList* list;
  NormalLaw law;
  std::vector<std::vector<Load>>* loads; ///< of each thread
  bool slips;
  void operator()(Index thread) const
  {
    std::vector<Load>& load = (*loads)[static_cast<std::size_t>(thread)];
    std::fill(load.begin(), load.end(), Load{});
    const auto threads = static_cast<Index>(loads->size());
    const auto bound = [&](Index part)
    { return static_cast<Index>(static_cast<Offset>(particles.count) * part / threads); };
    for (Index i = bound(thread); i < bound(thread + 1); ++i)
      for (std::size_t e = list->start[i]; e < list->start[i + 1]; ++e)
        add(i, list->other[e], e, load);
  }

private:
  void add(Index i, Index j, std::size_t e, std::vector<Load>& load) const
  {
    const Sphere &a = particles.sphere[i], &b = particles.sphere[j];
    const Vec3d way = b.position - a.position;
    const double reach = double(a.radius) + b.radius, squared = squaredLength(way);
    if (squared >= reach * reach)
    {
      list->touched[e] = 0;
      return;
    }
    const Motion &ofA = particles.motion[i], &ofB = particles.motion[j];
    const auto distance = static_cast<float>(std::sqrt(squared));
    Contact contact{};
    contact.normal = (1 / distance) * way.to<float>();
    contact.overlap =
      static_cast<float>(reach * reach - squared) / (static_cast<float>(reach) + distance);
    contact.isNew = !list->touched[e];
    const auto radiusA = static_cast<float>(a.radius), radiusB = static_cast<float>(b.radius);
    contact.radius = radiusA * radiusB / (radiusA + radiusB);
    const float armA = radiusA - contact.overlap / 2, armB = radiusB - contact.overlap / 2;
    const float mass = ofA.mass * ofB.mass / (ofA.mass + ofB.mass);
    contact.setMasses(mass, 1 / mass, BodyForm().shearRatio());
    const Vec3f relative = ofB.velocity - ofA.velocity;
    contact.approach = -dot(relative, contact.normal);
    contact.slip = relative + contact.approach * contact.normal -
                   cross(armA * ofA.spin + armB * ofB.spin, contact.normal);
    if (contact.isNew)
      list->spring[e] = {};
    const ContactForce acting =
      contactForce(law, Packing::kLaw, contact, slips ? &list->spring[e] : nullptr, nullptr);
    list->touched[e] = 1;
    const Vec3d force = (acting.friction - acting.normal * contact.normal).to<double>();
    const Vec3f turning = cross(contact.normal, acting.friction);
    load[i].force += force;
    load[j].force -= force;
    load[i].torque += (armA * turning).to<double>();
    load[j].torque += (armB * turning).to<double>();
  }
};

struct SumLoads
{
  ParticleView particles;
  const std::vector<std::vector<Load>>* loads;
  void operator()(Index i) const
  {
    Load sum{};
    for (const std::vector<Load>& load : *loads)
    {
      sum.force += load[i].force;
      sum.torque += load[i].torque;
    }
    particles.force[i] = sum.force;
    particles.torque[i] = sum.torque;
  }
};

template <class NormalLaw>
void HalfLists(benchmark::State& state, const NormalLaw& law, bool slips)
{
  const auto count = static_cast<Index>(state.range(0)),
             threads = static_cast<Index>(state.range(1));
  Packing packing(count, threads, slips);
  HalfList list(packing.rows());
  std::vector<std::vector<Load>> loads(threads, std::vector<Load>(count));
  const AddHalf<NormalLaw> addHalf{ packing.particles(), &list, law, &loads, slips };
  for (auto _ : state)
  {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (Index thread = 0; thread < threads; ++thread)
      addHalf(thread);
    packing.executor().forEach(
      "benchmark.sumLoads", count, SumLoads{ packing.particles(), &loads });
  }
  state.SetItemsProcessed(state.iterations() * count);
}

void sizes(benchmark::internal::Benchmark* benchmark)
{
  benchmark->ArgNames({ "count", "threads" })->UseRealTime()->Unit(benchmark::kMillisecond);
  for (const int count : { 100'000, 1'000'000 })
    benchmark->Args({ count, 2 });
}

const LinearSpring kLinear{ 3900, kTimeStep };
const HertzMindlin kHertz{ kTimeStep };

} // namespace

BENCHMARK(BytesAlone)->Apply(sizes);
BENCHMARK_CAPTURE(FullRows, linear, kLinear, false)->Apply(sizes);
BENCHMARK_CAPTURE(HalfLists, linear, kLinear, false)->Apply(sizes);
BENCHMARK_CAPTURE(FullRows, hertz, kHertz, true)->Apply(sizes);
BENCHMARK_CAPTURE(HalfLists, hertz, kHertz, true)->Apply(sizes);
