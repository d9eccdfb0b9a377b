// A column of spheres collapses on a plane: how far it runs, and how high it stays.
#include "Compare.h"
#include "Math/Random.h"
#include "Runs.h"

#include <algorithm>
#include <numeric>

using namespace lapilli;
using namespace lapilli::test;

namespace
{

// Lengths in diameters, which are 1 m.
constexpr double kWidth = 20, kDepth = 4.02, kRadius = 0.5;
/// Of what has settled: less by the overlap that carries the weight of the column.
constexpr double kSeedRadius = 0.4965;
/// As many as fill twice the width in height: loosely, poured with friction.
constexpr int kCount = 3500;

/// A slice that repeats along y, between walls at x = 0 and, if closed, at x = kWidth.
Domain slice(bool isClosed)
{
  Domain domain;
  domain.used = true;
  domain.lower = { 0, 0, 0 };
  domain.upper = { isClosed ? kWidth : 400, kDepth, 100 };
  domain.sides = { DomainSide::Wall, isClosed ? DomainSide::Wall : DomainSide::Open,
    DomainSide::Periodic, DomainSide::Periodic, DomainSide::Wall, DomainSide::Open };
  return domain;
}

GranularFlowParameters parametersOf(double rollingFriction)
{
  GranularFlowParameters parameters;
  parameters.friction = parameters.terrainFriction = 0.5;
  parameters.rollingFriction = parameters.terrainRollingFriction = rollingFriction;
  parameters.greatestSpeed = 28; // of a fall by the height of the column
  parameters.frameInterval = 0.5;
  parameters.terrainMaps = false;
  parameters.overlappingSeedsLimit = 1;
  return parameters;
}

/// Poured between two walls and left to come to rest.
Seeds settledColumn(const Device& device)
{
  RandomStream random(91, RandomStream::Positions);
  Scene scene;
  scene.domain = slice(true);
  constexpr int kAlong = 18, kAcross = 3;
  for (int k = 0; k < kCount; ++k)
  {
    const int i = k % kAlong, j = k / kAlong % kAcross, layer = k / (kAlong * kAcross);
    scene.seeds.add(
      { (i + 0.5) * kWidth / kAlong + random.uniform(-0.05, 0.05),
        (j + 0.5) * kDepth / kAcross + random.uniform(-0.15, 0.15), 0.55 + 1.02 * layer },
      { random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1) }, kRadius, 2600);
  }
  const auto run = march(scene, parametersOf(0), device, 6);
  EXPECT_EQ(run->report().particles, kCount);
  EXPECT_LT(std::sqrt(2 * run->report().kineticEnergy / run->report().mass), 0.05);
  const Snapshot now(*run);
  Seeds seeds;
  for (std::size_t i = 0; i < now.count(); ++i)
  {
    const Vec3d p = now.position(i);
    seeds.add({ p.x, p.y, p.z }, { 0, 0, 0 }, kSeedRadius, 2600);
  }
  return seeds;
}

struct Heap
{
  double front = 0;  ///< [diameters]
  double height = 0; ///< [diameters]
  int count = 0;
};

/// The largest set of spheres that are linked by gaps below a thirtieth of a diameter.
Heap connectedHeap(const Snapshot& now)
{
  constexpr double kReach = 1.03;
  const int n = static_cast<int>(now.count());
  std::vector<int> order(n), root(n);
  std::iota(order.begin(), order.end(), 0);
  std::iota(root.begin(), root.end(), 0);
  std::sort(order.begin(), order.end(),
    [&](int a, int b) { return now.position(a).x < now.position(b).x; });
  const auto find = [&](int i)
  {
    while (root[i] != i)
      i = root[i] = root[root[i]];
    return i;
  };
  for (int a = 0; a < n; ++a)
  {
    for (int b = a + 1; b < n; ++b)
    {
      Vec3d way = now.position(order[b]) - now.position(order[a]);
      if (way.x > kReach)
        break;
      way.y = std::remainder(way.y, kDepth);
      if (squaredLength(way) < kReach * kReach)
        root[find(order[a])] = find(order[b]);
    }
  }
  std::vector<Heap> heaps(n);
  for (int i = 0; i < n; ++i)
  {
    Heap& heap = heaps[find(i)];
    heap.front = std::max(heap.front, now.position(i).x + kRadius);
    heap.height = std::max(heap.height, now.position(i).z + kRadius);
    ++heap.count;
  }
  return *std::max_element(
    heaps.begin(), heaps.end(), [](const Heap& a, const Heap& b) { return a.count < b.count; });
}

struct Collapse
{
  double height = 0;           ///< of the column, over its width
  double runout = 0, left = 0; ///< (front - width)/width and height/width of the heap
};

Collapse collapse(double rollingFriction, const Device& device)
{
  Scene scene;
  scene.seeds = settledColumn(device);
  Collapse result;
  for (std::size_t k = 2; k < scene.seeds.positions.size(); k += 3)
    result.height = std::max(result.height, (scene.seeds.positions[k] + kRadius) / kWidth);
  scene.domain = slice(false);
  auto run = createGranularFlow(scene, parametersOf(rollingFriction), device);
  // Until what rolls on has come to rest with rolling friction.
  for (int frame = 1; frame <= 5; ++frame)
  {
    advance(*run, 2 * frame);
    const Heap heap = connectedHeap(Snapshot(*run));
    result.runout = heap.front / kWidth - 1;
    result.left = heap.height / kWidth;
    std::printf("%4.1f s: run-out %.3f, height %.3f, %d of %d in the heap, speed %.3f\n",
      2.0 * frame, result.runout, result.left, heap.count, kCount,
      std::sqrt(2 * run->report().kineticEnergy / run->report().mass));
    std::fflush(stdout);
  }
  return result;
}

} // namespace

class GranularColumn : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularColumn);

TEST_P(GranularColumn, FullCollapseWithRollingFrictionIsThatOfSand)
{
  const Collapse reached = collapse(0.3, device());
  EXPECT_TRUE(agrees(reached.height, 2, 0.05));
  EXPECT_TRUE(agrees(reached.runout, 2.84, 0.15));
  EXPECT_TRUE(agrees(reached.left, 1.34, 0.15));
  EXPECT_GT(reached.runout, 2.4);
  EXPECT_LT(reached.runout, 3.6);
  EXPECT_GT(reached.left, 0.8);
  EXPECT_LT(reached.left, 1.7);
  verify(
    "Collapse of a column of aspect 2, friction 0.5, rolling friction 0.3: run-out; height left",
    "2.84; 1.34, 15 %, in the band of sand",
    shown(reached.runout, 3) + "; " + shown(reached.left, 3),
    "LAMMPS; Lube 2005, Lajeunesse 2005: 2.40 to 3.60; 0.8 to 1.7");
}

TEST_P(GranularColumn, FullCollapseWithoutRollingFrictionIsNotThatOfSand)
{
  const Collapse reached = collapse(0, device());
  EXPECT_TRUE(agrees(reached.runout, 5.5, 0.15));
  EXPECT_TRUE(agrees(reached.left, 0.82, 0.15));
  EXPECT_GT(reached.runout, 3.6);
  verify("The same without rolling friction, the negative control: run-out; height left",
    "5.50; 0.82, 15 %, beyond the band of sand",
    shown(reached.runout, 3) + "; " + shown(reached.left, 3), "LAMMPS");
}
