/// @file
/// Closed bodies filled with a million particles: spheres of 80 thousand and 1.3 million triangles, sound and with one
/// triangle in a thousand missing; with and without a clearance.
///
///   BodyFillBenchmark --benchmark_out=body_fill.csv --benchmark_out_format=csv
/// Arguments: halvings of an icosahedron (20 * 4^n triangles), threads. items_per_second are particles. The brute force
/// sums the solid angles of all triangles at each place, for a small sphere: what the rows save.
#include "Bodies.h"

#include "BodyFill.h"
#include "Math/TriangleMeasures.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <omp.h>

using namespace lapilli;

namespace
{

constexpr double kParticles = 1e6, kRadius = 1000; // [m]

/// Distance of nearest neighbours with which so many particles fill the sphere, face-centred [m].
double spacingFor(double particles)
{
  const double volume = 4 * std::acos(-1.0) / 3 * kRadius * kRadius * kRadius;
  return std::cbrt(std::sqrt(2.0) * volume / particles);
}

void fill(benchmark::State& state, bool hasHoles, double clearance)
{
  std::vector<Body> bodies(1);
  bodies[0].surface =
    test::sphere({ 500000, 9085000, -3000 }, kRadius, static_cast<int>(state.range(0)));
  std::vector<std::int64_t>& triangles = bodies[0].surface.triangles;
  if (hasHoles)
  {
    std::size_t kept = 0;
    for (std::size_t t = 0; t < triangles.size() / 3; ++t)
      for (int k = 0; k < 3 && t % 1000 != 0; ++k)
        triangles[kept++] = triangles[3 * t + k];
    triangles.resize(kept);
  }
  BodyFillParameters parameters;
  parameters.spacing = spacingFor(kParticles);
  parameters.clearance = clearance * parameters.spacing;
  omp_set_num_threads(static_cast<int>(state.range(1)));
  std::size_t particles = 0;
  for ([[maybe_unused]] auto _ : state)
    particles = fillBodies(bodies, parameters).count();
  state.counters["triangles"] = static_cast<double>(triangles.size() / 3);
  state.counters["particles"] = static_cast<double>(particles);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(particles));
}

void bruteForce(benchmark::State& state)
{
  const Surface surface = test::sphere({ 0, 0, 0 }, kRadius, static_cast<int>(state.range(0)));
  const auto corner = [&](std::size_t i)
  {
    const double* x = &surface.points[3 * surface.triangles[i]];
    return Vec3d{ x[0], x[1], x[2] };
  };
  constexpr int kPlaces = 20; // along each axis, across the sphere's box
  std::int64_t particles = 0;
  for ([[maybe_unused]] auto _ : state)
  {
    for (int i = 0; i < kPlaces * kPlaces * kPlaces; ++i)
    {
      const Vec3d place{ kRadius * (2.0 * (i % kPlaces) / kPlaces - 1),
        kRadius * (2.0 * (i / kPlaces % kPlaces) / kPlaces - 1),
        kRadius * (2.0 * (i / kPlaces / kPlaces) / kPlaces - 1) };
      double angle = 0;
      for (std::size_t c = 0; c < surface.triangles.size(); c += 3)
        angle += solidAngle(place, corner(c), corner(c + 1), corner(c + 2));
      particles += angle > 2 * std::acos(-1.0);
    }
  }
  state.counters["triangles"] = static_cast<double>(surface.triangleCount());
  state.SetItemsProcessed(particles);
}

BENCHMARK_CAPTURE(fill, closed, false, 0.0)
  ->ArgsProduct({ { 6, 8 }, { 1, 2 } })
  ->Unit(benchmark::kMillisecond)
  ->UseRealTime();
BENCHMARK_CAPTURE(fill, clearance, false, 0.5)
  ->ArgsProduct({ { 6, 8 }, { 1, 2 } })
  ->Unit(benchmark::kMillisecond)
  ->UseRealTime();
BENCHMARK_CAPTURE(fill, holes, true, 0.5)
  ->ArgsProduct({ { 6, 8 }, { 1, 2 } })
  ->Unit(benchmark::kMillisecond)
  ->UseRealTime();
BENCHMARK(bruteForce)->Arg(3)->Unit(benchmark::kMillisecond);

} // namespace
