// Neighbours by cells and by a tree: which of them a run takes, and that both give the same physics.
#include "ClumpShapes.h"
#include "Math/Random.h"
#include "Runs.h"
#include "Terrains.h"

#include <cmath>

using namespace lapilli;
using namespace lapilli::test;

namespace
{

/// Spheres that start apart above a floor and fall into one another.
Scene rain(double smallest, double largest, double halfOfFloor = 20)
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(halfOfFloor));
  RandomStream random(4, RandomStream::Positions);
  constexpr int kSide = 8;
  for (int k = 0; k < kSide; ++k)
    for (int j = 0; j < kSide; ++j)
      for (int i = 0; i < kSide; ++i)
      {
        const double radius = (i + j + k) % 5 == 0 ? largest : smallest;
        const double gap = 2.05 * largest;
        scene.seeds.add({ gap * i, gap * j, gap * (k + 0.6) },
          { random.uniform(-1, 1), random.uniform(-1, 1), -1.0 - k }, radius, 2600);
      }
  return scene;
}

std::array<DomainSide, 6> periodicAcross()
{
  return { DomainSide::Periodic, DomainSide::Periodic, DomainSide::Periodic, DomainSide::Periodic,
    DomainSide::Open, DomainSide::Open };
}

GranularFlowParameters parametersBy(NeighborSearch by)
{
  GranularFlowParameters parameters;
  parameters.neighborSearch = by;
  return parameters;
}

std::string choiceFor(const Scene& scene, NeighborSearch by)
{
  const auto run = createGranularFlow(scene, parametersBy(by), { DeviceKind::Cpu, 1 });
  const Report report = run->report();
  EXPECT_NE(report.summary().find("from " + report.neighborSearch), std::string::npos);
  return report.neighborSearch;
}

} // namespace

TEST(NeighborSearching, AutoTakesCellsForRadiiThatAreNearlyEqualAndATreeForOthers)
{
  constexpr auto kAuto = NeighborSearch::Auto;
  EXPECT_EQ(
    choiceFor(rain(0.1, 0.25), kAuto), "cells: radii differ by a factor of 2.5, no more than 3");
  EXPECT_EQ(choiceFor(rain(0.02, 0.2), kAuto),
    "a tree of boxes: radii differ by a factor of 10, more than 3");
}

TEST(NeighborSearching, AutoTakesATreeForAVeryWideScene)
{
  EXPECT_EQ(choiceFor(rain(0.01, 0.01, 50000), NeighborSearch::Auto),
    "a tree of boxes: the scene is 5e+06 of the largest particles across, more than 2e+06");
}

TEST(NeighborSearching, IsWhatWasAskedFor)
{
  EXPECT_EQ(choiceFor(rain(0.02, 0.2), NeighborSearch::Cells), "cells, as asked for");
  EXPECT_EQ(choiceFor(rain(0.2, 0.2), NeighborSearch::Tree), "a tree of boxes, as asked for");
}

// Sums of forces may be taken in another order, so the last bits differ, and collisions make more of that.
TEST(NeighborSearching, DoesNotChangeThePhysics)
{
  for (const bool repeats : { false, true })
    for (const double smallest : { 0.2, 0.03 })
    {
      Scene scene = rain(smallest, 0.2);
      if (repeats) // the domain cuts through the particles
        scene.domain = { true, { 0, 0, -1 }, { 0.41 * 8, 0.41 * 8, 9 }, periodicAcross() };
      std::vector<Snapshot> ends;
      for (const NeighborSearch by : { NeighborSearch::Cells, NeighborSearch::Tree })
      {
        const auto run = createGranularFlow(scene, parametersBy(by), { DeviceKind::Cpu, 1 });
        advance(*run, 0.1);
        EXPECT_GT(run->report().neighborBuilds, 2);
        ends.emplace_back(*run);
      }
      ASSERT_EQ(ends[0].count(), ends[1].count());
      double farthest = 0;
      bool turns = false;
      for (std::size_t i = 0; i < ends[0].count(); ++i)
      {
        farthest = std::max(farthest, length(ends[0].position(i) - ends[1].position(i)));
        turns = turns || length(ends[0].spin(i)) > 1;
      }
      EXPECT_TRUE(turns);
      EXPECT_LT(farthest, 1e-9);
    }
}

// New particles look for room among those that are there.
TEST(NeighborSearching, ByATreeLetsNoParticleOutIntoAnother)
{
  for (const NeighborSearch by : { NeighborSearch::Cells, NeighborSearch::Tree })
  {
    Scene scene;
    scene.surfaces.push_back(planeTerrain(4));
    Nozzle nozzle;
    nozzle.pulses = { { 0, 1, 400, 1 } };
    nozzle.radii.radiusLaw = RadiusLaw::Uniform;
    nozzle.radii.smallestRadius = 0.02;
    nozzle.radii.largestRadius = 0.12;
    nozzle.position = { 0, 0, 0.5 };
    nozzle.openingRadius = 0.3;
    scene.nozzles.push_back(nozzle);
    const auto run = createGranularFlow(scene, parametersBy(by), { DeviceKind::Cpu, 1 });
    advance(*run, 1);
    const Report report = run->report();
    EXPECT_GT(report.emitted, 20);
    EXPECT_GT(report.emitted + report.waiting, 390);
    EXPECT_LT(report.greatestOverlap, 0.25);
  }
}

namespace
{

/// Radii of 1:10, blocks, and a nozzle, in a domain that repeats.
Scene medley()
{
  Scene scene = rain(0.02, 0.2);
  scene.domain = { true, { 0, 0, -1 }, { 4, 4, 9 }, periodicAcross() };
  scene.shapes.push_back(standardShape("bar"));
  scene.seeds.shapes.assign(scene.seeds.count(), -1);
  for (std::size_t k = 0; k < scene.seeds.count(); k += 7)
    scene.seeds.shapes[k] = 0;
  Nozzle nozzle;
  nozzle.pulses = { { 0, 1, 400, 4 } };
  nozzle.radii.radius = 0.03;
  nozzle.position = { 1, 1, 6 };
  nozzle.openingRadius = 0.4;
  scene.nozzles.push_back(nozzle);
  return scene;
}

} // namespace

TEST(NeighborSearchingThreads, DoNotChangeABitOfARunByATree)
{
  std::vector<std::uint64_t> hashes;
  for (const int threads : { 1, 2, 3 })
  {
    const auto run = createGranularFlow(
      medley(), parametersBy(NeighborSearch::Tree), { DeviceKind::Cpu, threads });
    advance(*run, 0.1);
    EXPECT_GT(run->report().emitted, 20);
    hashes.push_back(hashOf(*run));
  }
  EXPECT_EQ(hashes[1], hashes[0]);
  EXPECT_EQ(hashes[2], hashes[0]);
}

TEST(NeighborSearching, ByATreeARestoredRunGoesOnWithTheSameBits)
{
  const auto start = []
  {
    return createGranularFlow(medley(), parametersBy(NeighborSearch::Tree), { DeviceKind::Cpu, 1 });
  };
  const auto run = start();
  advance(*run, 0.1);
  const std::vector<std::uint8_t> bytes = savedBytes(*run);
  advance(*run, 0.2);
  const auto other = start();
  restoreBytes(*other, bytes);
  advance(*other, 0.2);
  EXPECT_EQ(hashOf(*other), hashOf(*run));
}
