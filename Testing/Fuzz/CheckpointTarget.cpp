// The checkpoint reader with every room of the engine behind it: what is accepted must also run on.
#include "Target.h"

#include "Checkpoint.h"
#include "ClumpShapes.h"
#include "GranularFlow.h"
#include "SummedSource.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>

namespace lapilli
{
namespace
{

using fuzz::Bytes;

/// The kinds of run whose checkpoints are read; the first byte of the input chooses.
constexpr int kRuns = 3;

/// A slope of eight triangles with a step of 1 m in it.
Surface slope()
{
  Surface surface;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      surface.points.insert(surface.points.end(), { 4.0 * i, 4.0 * j, i == 1 ? 1.0 : 0.5 * j });
  for (std::int64_t j = 0; j < 2; ++j)
    for (std::int64_t i = 0; i < 2; ++i)
    {
      const std::int64_t k = 3 * j + i;
      surface.triangles.insert(surface.triangles.end(), { k, k + 1, k + 4, k, k + 4, k + 3 });
    }
  return surface;
}

std::unique_ptr<Simulation> start(int kind)
{
  Scene scene;
  scene.surfaces.push_back(slope());
  GranularFlowParameters parameters;
  parameters.frameInterval = 0.05;
  parameters.greatestSpeed = 5;
  parameters.memoryLimit = 1e9;
  for (int k = 0; k < 3; ++k)
    scene.seeds.add({ 1.5 + 1.4 * k, 1.5 + 2 * k, 2.6 }, { 1, 0, -3 }, 0.5, 2600, 293.15, k % 2);
  if (kind >= 1) // Hertz, clumps, nozzles
  {
    parameters.contactLaw = ContactLaw::HertzMindlin;
    parameters.rollingFriction = parameters.terrainRollingFriction = 0.1;
    parameters.terrainYoungsModulus = 1e6;
    scene.materials.push_back({ 0, 1e6, 0.25 });
    scene.shapes = { standardShape("bar") };
    scene.seeds.shapes = { -1, 0, 0 };
    Nozzle nozzle;
    nozzle.position = { 4, 6, 5 };
    nozzle.pulses = { { 0, INFINITY, 40, 2 } };
    nozzle.radii.radius = 0.3;
    scene.nozzles = { nozzle };
  }
  if (kind >= 2) // an obstacle, walls and periodic sides, air
  {
    Surface wall;
    wall.points = { 6, 2, 0, 6, 8, 0, 6, 8, 4 };
    wall.triangles = { 0, 1, 2 };
    wall.role = SurfaceRole::Obstacle;
    wall.sides = SurfaceSides::Two;
    scene.surfaces.push_back(wall);
    scene.domain.used = true;
    scene.domain.lower = { 0, 0, -1 };
    scene.domain.upper = { 8, 10, 20 };
    scene.domain.sides = { DomainSide::Wall, DomainSide::Open, DomainSide::Periodic,
      DomainSide::Periodic, DomainSide::Open, DomainSide::Open };
    parameters.airDensity = 1.2;
  }
  return createGranularFlow(scene, parameters, { DeviceKind::Cpu, 1 });
}

Bytes saved(const Simulation& run)
{
  MemorySink sink;
  CheckpointWriter writer(sink);
  run.save(writer);
  return sink.bytes;
}

/// Name, version and fingerprint of the first section: a checkpoint of another run is refused by them at once.
constexpr std::size_t kHead = 32 + 4 + 8;
constexpr std::size_t kSum = 8;

class FewSteps : public Monitor
{
public:
  bool onStep(double, std::int64_t) override { return --left_ > 0; }

private:
  int left_ = 12;
};

struct Subject
{
  std::unique_ptr<Simulation> run; ///< at its start; null: to be created
  Bytes before;
};

} // namespace

std::vector<Bytes> fuzz::seeds()
{
  std::vector<Bytes> seeds;
  for (int kind = 0; kind < kRuns; ++kind)
  {
    const auto run = start(kind);
    SilentMonitor monitor;
    for (const double time : { 0.0, 0.05, 0.3, 0.6 })
    {
      run->advanceTo(time, monitor);
      const Bytes all = saved(*run);
      Bytes seed{ static_cast<std::uint8_t>(kind) };
      seed.insert(seed.end(), all.begin() + kHead, all.end() - kSum);
      seeds.push_back(std::move(seed));
    }
  }
  return seeds;
}

} // namespace lapilli

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace lapilli;
  if (size == 0)
    return 0;
  static std::array<Subject, kRuns> subjects;
  const int kind = data[0] % kRuns;
  Subject& subject = subjects[static_cast<std::size_t>(kind)];
  if (!subject.run)
  {
    subject.run = start(kind);
    subject.before = saved(*subject.run);
  }
  Bytes bytes(subject.before.begin(), subject.before.begin() + kHead);
  bytes.insert(bytes.end(), data + 1, data + size);
  test::SummedSource source(std::move(bytes));
  CheckpointReader reader(source);
  try
  {
    subject.run->restore(reader);
  }
  catch (const InvalidInput&)
  {
    fuzz::require(
      saved(*subject.run) == subject.before, "a refused checkpoint leaves the run as it was");
    return 0;
  }
  Simulation& run = *subject.run;
  Frame frame;
  run.read(frame);
  run.report();
  saved(run);
  try
  {
    FewSteps monitor;
    run.advanceTo(run.time() + 0.05, monitor);
    run.read(frame);
    run.report();
  }
  catch (const Cancelled&)
  {
  }
  catch (const Diverged&) // what is in the state may fly apart
  {
    subject.run.reset();
    return 0;
  }
  MemorySource start(subject.before);
  CheckpointReader again(start);
  run.restore(again);
  return 0;
}
