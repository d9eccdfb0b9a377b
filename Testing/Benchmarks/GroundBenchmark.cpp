// What the ground costs: a step of spheres that roll down a relief of few and of many triangles, the same
// spheres in a box of walls, and the setting up of a large terrain.
#include "GranularFlow.h"
#include "Math/Random.h"
#include "Terrain/ColumnGrid.h"
#include "Terrain/SurfaceMesh.h"

#include <benchmark/benchmark.h>

#include <sys/resource.h>

#include <cmath>
#include <map>
#include <memory>

namespace
{

using namespace lapilli;

constexpr double kRadius = 0.005, kDensity = 2500; ///< [m], [kg/m^3]
constexpr double kWidth = 1.72, kDepth = 1.20;     ///< [m], of the relief
constexpr double kTimeStep = 2e-5;                 ///< [s]
constexpr int kStepsPerFrame = 40, kStepsBefore = 1000;

/// A cone with a crater and rills, 0.2 m high, as 86 by 60 cells show it.
double relief(double x, double y)
{
  const double p = x - 0.5 * kWidth, q = y - 0.5 * kDepth;
  const double squared = p * p + q * q;
  return 0.2 * std::exp(-squared / 0.2) - 0.08 * std::exp(-squared / 0.016) +
         0.004 * std::sin(40 * p) * std::cos(31 * q);
}

/// 86 refine by 60 refine squares of two triangles, flat between the corners of the coarse ones.
Surface reliefOf(int refine)
{
  constexpr int coarseX = 86, coarseY = 60; ///< cells of the peers' relief
  const int nx = coarseX * refine, ny = coarseY * refine;
  const auto heightAt = [&](int i, int j)
  {
    const int a = std::min(i / refine, coarseX - 1), b = std::min(j / refine, coarseY - 1);
    const double u = double(i) / refine - a, v = double(j) / refine - b;
    const auto corner = [=](int k, int l)
    { return relief(k * kWidth / coarseX, l * kDepth / coarseY); };
    return (1 - u) * ((1 - v) * corner(a, b) + v * corner(a, b + 1)) +
           u * ((1 - v) * corner(a + 1, b) + v * corner(a + 1, b + 1));
  };
  Surface surface;
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i)
      surface.points.insert(
        surface.points.end(), { kWidth * i / nx, kDepth * j / ny, heightAt(i, j) });
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i)
    {
      const std::int64_t a = i + std::int64_t(nx + 1) * j, b = a + 1, c = a + nx + 1, d = c + 1;
      surface.triangles.insert(surface.triangles.end(), { a, b, d, a, d, c });
    }
  return surface;
}

/// Layers of spheres that follow the ground.
void addSpheres(Scene& scene, std::size_t count, double width, double depth, bool onRelief)
{
  RandomStream random(3, RandomStream::Positions);
  constexpr double distance = 2.1 * kRadius;
  for (int layer = 0;; ++layer)
    for (double y = 2.4 * kRadius; y < depth - 2.4 * kRadius; y += distance)
      for (double x = 2.4 * kRadius; x < width - 2.4 * kRadius; x += distance)
      {
        if (scene.seeds.count() == count)
          return;
        double z = 0;
        for (int k = 0; onRelief && k < 9; ++k)
          z = std::max(z, relief(x + (k % 3 - 1) * kRadius, y + (k / 3 - 1) * kRadius));
        z += kRadius * 1.02 + layer * distance * 1.1;
        scene.seeds.add({ x + random.uniform(-1e-4, 1e-4), y + random.uniform(-1e-4, 1e-4), z },
          { 0, 0, 0 }, kRadius, kDensity);
      }
}

enum Ground : std::int64_t
{
  InTheAir, ///< spheres in the air, in the order of those on the relief
  OnRelief,
  InABox
};

Scene makeScene(std::int64_t ground, int refine)
{
  Scene scene;
  scene.domain.used = true;
  scene.domain.sides.fill(DomainSide::Wall);
  scene.domain.sides[4] = scene.domain.sides[5] = DomainSide::Open;
  scene.domain.lower = { 0, 0, -1 };
  if (ground == InABox)
  {
    scene.domain.lower[2] = 0;
    scene.domain.upper = { 0.5, 0.5, 2 };
    scene.domain.sides[4] = DomainSide::Wall;
    addSpheres(scene, 100000, 0.5, 0.5, false);
    return scene;
  }
  scene.domain.upper = { kWidth, kDepth, 2 };
  if (ground == OnRelief)
    scene.surfaces.push_back(reliefOf(refine));
  addSpheres(scene, 100000, kWidth, kDepth, true);
  return scene;
}

GranularFlowParameters makeParameters(std::int64_t hertz)
{
  GranularFlowParameters parameters;
  parameters.contactLaw = hertz ? ContactLaw::HertzMindlin : ContactLaw::LinearSpring;
  parameters.tangentialLaw = hertz ? TangentialLaw::Spring : TangentialLaw::Dashpot;
  parameters.greatestSpeed = 1;
  const double mass = kDensity * 4 / 3 * M_PI * std::pow(kRadius, 3) / 2;
  parameters.greatestOverlap = 1 / (std::sqrt(1e4 / mass) * kRadius);
  parameters.restitution = parameters.terrainRestitution = 0.5;
  parameters.friction = parameters.terrainFriction = 0.3;
  parameters.terrainYoungsModulus = 1e7;
  parameters.terrainPoissonsRatio = 0.3;
  parameters.stepsPerContact = 8;
  parameters.rayleighFraction = 1;
  parameters.travelPerStep = 0.5;
  parameters.timeStepLimit = kTimeStep;
  parameters.skin = 0.2;
  parameters.terrainMaps = false;
  parameters.frameInterval = kStepsPerFrame * kTimeStep;
  return parameters;
}

/// When the lowest spheres lie and roll. A thread for each core.
void Step(benchmark::State& state)
{
  Scene scene = makeScene(state.range(0), static_cast<int>(state.range(1)));
  scene.materials.push_back({ 0, 1e7, 0.3 });
  const GranularFlowParameters parameters = makeParameters(state.range(2));
  const auto run = createGranularFlow(scene, parameters, { DeviceKind::Cpu, 0 });
  scene = {};
  SilentMonitor monitor;
  int frame = kStepsBefore / kStepsPerFrame;
  run->advanceTo(frame * parameters.frameInterval, monitor);
  const Report before = run->report();
  for (auto _ : state)
  {
    ++frame;
    run->advanceTo(frame * parameters.frameInterval, monitor);
  }
  const Report after = run->report();
  const auto steps = static_cast<double>(after.steps - before.steps);
  state.counters["particle-steps/s"] =
    benchmark::Counter(steps * static_cast<double>(after.particles), benchmark::Counter::kIsRate);
  state.counters["lists/step"] =
    static_cast<double>(after.neighborBuilds - before.neighborBuilds) / steps;
  state.counters["engine MiB"] = after.memory / (1 << 20);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak MiB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

void SetUp(benchmark::State& state)
{
  const std::vector<Surface> surfaces{ reliefOf(static_cast<int>(state.range(0))) };
  std::size_t triangles = 0;
  for (auto _ : state)
  {
    const SurfaceMesh mesh = buildSurfaceMesh(surfaces, {});
    const ColumnGrid columns(mesh);
    triangles = mesh.triangles.size();
    benchmark::DoNotOptimize(columns.view());
  }
  state.counters["triangles/s"] = benchmark::Counter(
    static_cast<double>(triangles), benchmark::Counter::kIsIterationInvariantRate);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak bytes/triangle"] =
    static_cast<double>(usage.ru_maxrss) * 1024 / static_cast<double>(triangles);
}

/// From a scene to a run at t = 0, with 100,000 spheres.
void Start(benchmark::State& state)
{
  Scene scene = makeScene(OnRelief, static_cast<int>(state.range(0)));
  scene.materials.push_back({ 0, 1e7, 0.3 });
  const GranularFlowParameters parameters = makeParameters(0);
  for (auto _ : state)
    benchmark::DoNotOptimize(createGranularFlow(scene, parameters, { DeviceKind::Cpu, 0 }));
  state.counters["triangles"] = static_cast<double>(scene.surfaces[0].triangleCount());
}

} // namespace

BENCHMARK(Step)
  ->ArgNames({ "ground", "refine", "hertz" })
  ->Args({ InTheAir, 1, 0 })
  ->Args({ OnRelief, 1, 0 })
  ->Args({ OnRelief, 10, 0 })
  ->Args({ OnRelief, 1, 1 })
  ->Args({ OnRelief, 10, 1 })
  ->Args({ InABox, 1, 0 })
  ->Unit(benchmark::kMillisecond)
  ->Iterations(5)
  ->UseRealTime()
  ->MeasureProcessCPUTime();
BENCHMARK(Start)
  ->ArgName("refine")
  ->Arg(10)
  ->Arg(32)
  ->Unit(benchmark::kMillisecond)
  ->UseRealTime()
  ->Iterations(1)
  ->MeasureProcessCPUTime();
BENCHMARK(SetUp)
  ->ArgName("refine")
  ->Arg(10)
  ->Arg(31)
  ->Unit(benchmark::kMillisecond)
  ->UseRealTime()
  ->Iterations(1);
