// Many spheres: a heap carries its weight, a gas keeps its energy; and the smallest scenes.
#include "Compare.h"
#include "Math/Random.h"
#include "Runs.h"
#include "Terrains.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

/// A loose stack in an open box, radii 1:3 if mixed, that will settle.
Scene stack(int side, int layers, double smallest, double largest, std::uint64_t seed)
{
  RandomStream random(seed, RandomStream::Positions);
  Scene scene;
  const double spacing = 2.1 * largest, half = 0.5 * spacing * side;
  scene.surfaces.push_back(
    boxContainer({ -half, -half, 0 }, { half, half, spacing * layers * 2 }, true));
  for (int k = 0; k < layers; ++k)
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i)
        scene.seeds.add({ -half + spacing * (i + 0.5) + random.uniform(-0.04, 0.04) * largest,
                          -half + spacing * (j + 0.5) + random.uniform(-0.04, 0.04) * largest,
                          spacing * (k + 0.5) },
          { 0, 0, 0 }, random.uniform(smallest, largest), 2600);
  return scene;
}

void expectWeightIsCarried(
  const Scene& scene, const Device& device, double settling, const std::string& name)
{
  GranularFlowParameters parameters;
  parameters.restitution = parameters.terrainRestitution = 0.2;
  const double contact = estimateGranularFlow(scene, parameters).contactTime;
  parameters.frameInterval = 40 * contact;
  auto run = createGranularFlow(scene, parameters, device);
  const double frames = std::ceil(settling / parameters.frameInterval);
  advance(*run, frames * parameters.frameInterval);
  const Report report = run->report();
  ASSERT_EQ(report.particles, static_cast<std::int64_t>(scene.seeds.count()));
  const double weight = report.mass * 9.81;
  EXPECT_TRUE(agrees(report.supportForce[2], weight, 0.005)) << name;
  EXPECT_TRUE(agrees(report.supportForce[0], 0, 0.005, weight)) << name;
  EXPECT_TRUE(agrees(report.supportForce[1], 0, 0.005, weight)) << name;
  EXPECT_LT(std::sqrt(2 * report.kineticEnergy / report.mass), 0.01) << name;
  EXPECT_LT(report.greatestOverlap, 2 * parameters.greatestOverlap) << name;
  verify("Support force over weight, " + name, "1, 0.5 %",
    shown(report.supportForce[2] / weight, 6), "balance of forces, mean over 40 contact times");
}

} // namespace

class GranularHeap : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularHeap);

TEST_P(GranularHeap, CarriesItsWeight)
{
  expectWeightIsCarried(stack(5, 6, 0.4, 0.5, 61), device(), 9, "heap of 150 spheres in a box");
}

TEST_P(GranularHeap, OfRadiiOneToThreeCarriesItsWeight)
{
  expectWeightIsCarried(stack(4, 5, 0.17, 0.5, 62), device(), 6, "heap of radii 1 to 3 in a box");
}

TEST_P(GranularHeap, FullOfThousandsCarriesItsWeight)
{
  expectWeightIsCarried(
    stack(15, 20, 0.4, 0.5, 63), device(), 12, "heap of 4,500 spheres in a box");
}

TEST_P(GranularHeap, OfOneOnAnotherPressesWithItsWeightOverItsSurface)
{
  // Three in a tube: the pressure of each is the sum of normal forces over 4 pi r^2.
  GranularFlowParameters parameters;
  parameters.restitution = parameters.terrainRestitution = 0.1;
  parameters.greatestSpeed = 5;
  const double r = 0.5;
  Scene scene;
  scene.surfaces.push_back(planeTerrain(10));
  for (int k = 0; k < 3; ++k)
    scene.seeds.add({ 0, 0, r + 2 * r * k }, { 0, 0, 0 }, r, 2600);
  parameters.rotation = Rotation::Locked;
  auto run = march(scene, parameters, device(), 2);
  const Snapshot now(*run);
  const double weight = now.scalar("mass", 0) * 9.81, area = 4 * M_PI * r * r;
  EXPECT_TRUE(agrees(now.scalar("pressure", 2), weight / area, 1e-3));
  EXPECT_TRUE(agrees(now.scalar("pressure", 1), 3 * weight / area, 1e-3));
  EXPECT_TRUE(agrees(now.scalar("pressure", 0), 5 * weight / area, 1e-3));
  EXPECT_TRUE(agrees(now.scalar("pressure_max", 0), 5 * weight / area, 2e-3));
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(now.points.array("at_rest").as<std::uint8_t>()[k], 1);
}

class GranularGas : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularGas);

TEST_P(GranularGas, OfElasticSpheresKeepsItsEnergyAndMomentum)
{
  // In the void, so that momentum is kept too. A few collisions each.
  RandomStream random(71, RandomStream::Velocities);
  Scene scene;
  for (int k = 0; k < 6; ++k)
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i)
        scene.seeds.add({ 1.5 * i, 1.5 * j, 1.5 * k },
          { random.normal() - 0.5 * (i - 2.5), random.normal() - 0.5 * (j - 2.5),
            random.normal() - 0.5 * (k - 2.5) },
          0.5, 1000);
  GranularFlowParameters parameters;
  parameters.gravity = { 0, 0, 0 };
  parameters.restitution = 1;
  parameters.friction = 0;
  auto run = createGranularFlow(scene, parameters, device());
  const Report before = run->report();
  advance(*run, 3);
  const Report after = run->report();
  const Snapshot now(*run);
  int pressed = 0;
  for (std::size_t i = 0; i < now.count(); ++i)
    pressed += length(now.velocity(i) - Vec3d{ scene.seeds.velocities[3 * i],
                                          scene.seeds.velocities[3 * i + 1],
                                          scene.seeds.velocities[3 * i + 2] }) > 0.01;
  EXPECT_GT(pressed, 150);
  EXPECT_TRUE(
    agrees(after.kineticEnergy, before.kineticEnergy, 0.01)); // 0.3 % a collision, either way
  const double scale = std::sqrt(2 * before.kineticEnergy * before.mass);
  for (int k = 0; k < 3; ++k)
    EXPECT_TRUE(agrees(after.momentum[k], before.momentum[k], 1e-10, scale));
}

TEST_P(GranularGas, FullOfTwoThousandElasticSpheresKeepsItsEnergyInABox)
{
  RandomStream random(72, RandomStream::Velocities);
  Scene scene;
  scene.surfaces.push_back(boxContainer({ -10, -10, -10 }, { 10, 10, 10 }, false));
  for (int k = 0; k < 13; ++k)
    for (int j = 0; j < 13; ++j)
      for (int i = 0; i < 12; ++i)
        scene.seeds.add({ -9 + 1.6 * i, -9.1 + 1.5 * j, -9.1 + 1.5 * k },
          { random.normal(), random.normal(), random.normal() }, 0.4, 1000);
  GranularFlowParameters parameters;
  parameters.gravity = { 0, 0, 0 };
  parameters.restitution = parameters.terrainRestitution = 1;
  parameters.friction = parameters.terrainFriction = 0;
  parameters.greatestSpeed = 8;
  auto run = createGranularFlow(scene, parameters, device());
  const Report before = run->report();
  advance(*run, 30); // some thirty collisions a sphere
  const Report after = run->report();
  EXPECT_EQ(after.particles, static_cast<std::int64_t>(scene.seeds.count()));
  EXPECT_TRUE(agrees(after.kineticEnergy, before.kineticEnergy, 0.02));
  // Equal masses: the kurtosis of a velocity component of a Maxwellian is 3.
  const Snapshot now(*run);
  double second = 0, fourth = 0;
  for (std::size_t i = 0; i < now.count(); ++i)
  {
    const Vec3d v = now.velocity(i);
    for (const double c : { v.x, v.y, v.z })
    {
      second += c * c;
      fourth += c * c * c * c;
    }
  }
  const double n = 3.0 * now.count();
  EXPECT_TRUE(agrees(fourth * n / (second * second), 3, 0.09)); // 3 standard errors of sqrt(96/n)/3
  verify("Gas of 2,028 elastic spheres in a box, 30 s: energy", "constant, 2 %",
    shown(100 * (after.kineticEnergy / before.kineticEnergy - 1), 2) + " %", "conservation");
}

TEST_P(GranularGas, FullOfRandomObliqueImpactsHasTheAskedRestitutionOnAverage)
{
  RandomStream random(73, RandomStream::Velocities);
  double mean = 0;
  int impacts = 0;
  for (int trial = 0; trial < 400; ++trial)
  {
    Scene scene;
    Vec3d n = normalized(Vec3d{ random.normal(), random.normal(), random.normal() });
    const Vec3d v{ random.normal(), random.normal(), random.normal() };
    const double approach = -dot(v, n);
    if (approach < 0.3)
      continue;
    const Vec3d p = (1.05 + random.uniform(0, 0.02)) * n;
    scene.seeds.add({ 0, 0, 0 }, { 0, 0, 0 }, 0.5, 1000);
    scene.seeds.add({ p.x, p.y, p.z }, { v.x, v.y, v.z }, 0.5, 1000);
    GranularFlowParameters parameters;
    parameters.gravity = { 0, 0, 0 };
    parameters.friction = 0;
    parameters.restitution = 0.6;
    parameters.greatestOverlap = 0.005; // the normal hardly turns during the contact
    auto run = march(scene, parameters, device(), 1);
    const Snapshot now(*run);
    // Along the line of the impulse, which is what the first sphere has got.
    const double impulse = length(now.velocity(0));
    if (impulse == 0)
      continue; // passed by
    n = (-1 / impulse) * now.velocity(0);
    mean += dot(now.velocity(1) - now.velocity(0), n) / -dot(v, n);
    ++impacts;
  }
  mean /= impacts;
  EXPECT_GT(impacts, 100);
  EXPECT_TRUE(agrees(mean, 0.6, 0.015));
  verify("Restitution of random oblique impacts, mean of " + std::to_string(impacts), "0.6, 1.5 %",
    shown(mean), "parameter");
}

class GranularEdge : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularEdge);

TEST_P(GranularEdge, WithNoParticlesLeftTheFrameKeepsItsArrays)
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(2));
  scene.seeds.add({ 1, 0, 0.5 }, { 20, 0, 0 }, 0.5, 2600);
  scene.seeds.add({ -1, 0, 0.5 }, { -20, 0, 0 }, 0.5, 2600);
  auto run = createGranularFlow(scene, {}, device());
  const Snapshot before(*run);
  advance(*run, 1);
  const Snapshot after(*run);
  EXPECT_EQ(after.count(), 0u);
  ASSERT_EQ(after.points.arrays.size(), before.points.arrays.size());
  for (std::size_t k = 0; k < before.points.arrays.size(); ++k)
  {
    EXPECT_EQ(after.points.arrays[k].name, before.points.arrays[k].name);
    EXPECT_EQ(after.points.arrays[k].components, before.points.arrays[k].components);
    EXPECT_EQ(after.points.arrays[k].values.index(), before.points.arrays[k].values.index());
    EXPECT_EQ(
      std::visit([](const auto& values) { return values.size(); }, after.points.arrays[k].values),
      0u);
  }
  EXPECT_EQ(test::lossOf(run->report(), "left the map").count, 2);
  EXPECT_EQ(run->report().particles, 0);
  // And goes on, is saved and restored.
  const auto bytes = savedBytes(*run);
  advance(*run, 3);
  auto other = createGranularFlow(scene, {}, device());
  restoreBytes(*other, bytes);
  advance(*other, 3);
  EXPECT_EQ(hashOf(*other), hashOf(*run));
  EXPECT_EQ(other->report().steps, run->report().steps);
}

TEST_P(GranularEdge, FrameHasTheArraysThatAreDocumented)
{
  Scene scene;
  scene.seeds.add({ 1, 2, 3 }, { 4, 5, 6 }, 0.5, 2600, 350, 7);
  auto run = createGranularFlow(scene, {}, device());
  const Snapshot now(*run);
  EXPECT_EQ(now.vector("velocity", 0).y, 5);
  EXPECT_EQ(length(now.spin(0)), 0);
  EXPECT_EQ(now.scalar("pressure", 0), 0);
  EXPECT_EQ(now.scalar("pressure_max", 0), 0);
  EXPECT_EQ(now.scalar("radius", 0), 0.5);
  EXPECT_TRUE(agrees(now.scalar("mass", 0), 2600 * 4.0 / 3 * M_PI * 0.125, 1e-6));
  EXPECT_EQ(now.scalar("density", 0), 2600);
  EXPECT_EQ(now.scalar("temperature", 0), 350);
  EXPECT_TRUE(agrees(now.scalar("kinetic_energy", 0), 0.5 * now.scalar("mass", 0) * 77, 1e-6));
  EXPECT_EQ(now.scalar("age", 0), 0);
  EXPECT_EQ(now.id(0), 0);
  EXPECT_EQ(now.points.array("source_id").as<std::int32_t>()[0], 7);
  EXPECT_EQ(now.points.array("at_rest").as<std::uint8_t>()[0], 0);
  EXPECT_THROW(now.points.array("colour"), InvalidInput);
  advance(*run, 0.5);
  EXPECT_EQ(Snapshot(*run).scalar("age", 0), 0.5);
}

TEST_P(GranularEdge, AHardKnockShowsInTheGreatestPressureAfterItIsOver)
{
  GranularFlowParameters parameters;
  parameters.frameInterval = 1;
  Scene scene;
  scene.surfaces.push_back(planeTerrain(10));
  scene.seeds.add({ 0, 0, 2 }, { 0, 0, -3 }, 0.5, 2600);
  parameters.terrainRestitution = 0.8;
  auto run = march(scene, parameters, device(), 1);
  const Snapshot now(*run);
  ASSERT_EQ(now.scalar("pressure", 0), 0);
  EXPECT_GT(now.scalar("pressure_max", 0), 1e4);
}

TEST_P(GranularEdge, MixedRadiiOneToThreeMeetEachOther)
{
  // The largest meets the smallest in every direction; the cells are those of the largest.
  for (const Vec3d& n :
    { Vec3d{ 1, 0, 0 }, Vec3d{ 0, -1, 0 }, Vec3d{ 0, 0, 1 }, Vec3d{ -1, -1, -1 } })
  {
    const Vec3d v = 3.0 * normalized(n);
    const Vec3d p = -2.5 * normalized(n);
    GranularFlowParameters parameters;
    parameters.gravity = { 0, 0, 0 };
    Scene scene;
    scene.seeds.add({ 0, 0, 0 }, { 0, 0, 0 }, 1.5, 1000);
    scene.seeds.add({ p.x, p.y, p.z }, { v.x, v.y, v.z }, 0.5, 1000);
    auto run = march(scene, parameters, device(), 1);
    EXPECT_LT(dot(Snapshot(*run).velocity(1), normalized(n)), 0);
    EXPECT_GT(dot(Snapshot(*run).velocity(0), normalized(n)), 0);
  }
}

TEST_P(GranularEdge, FarApartSeedsStillMeetTheirNeighbours)
{
  // A scene so wide that its cells would outgrow their keys: cells are made larger.
  GranularFlowParameters parameters;
  parameters.gravity = { 0, 0, 0 };
  Scene scene;
  scene.seeds.add({ 0, 0, 0 }, { 1, 0, 0 }, 0.25, 1000);
  scene.seeds.add({ 1, 0, 0 }, { -1, 0, 0 }, 0.25, 1000);
  scene.seeds.add({ 3e6, -3e6, 3e6 }, { 0, 0, 0 }, 0.25, 1000);
  scene.seeds.add({ 3e6, -3e6 + 1, 3e6 }, { 0, -2, 0 }, 0.25, 1000);
  auto run = march(scene, parameters, device(), 1);
  const Snapshot now(*run);
  EXPECT_LT(now.velocity(0).x, 0);
  EXPECT_GT(now.velocity(1).x, 0);
  EXPECT_LT(now.velocity(2).y, 0);
}

TEST_P(GranularEdge, SummaryNamesWhatARunDid)
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(2));
  scene.seeds.add({ 1, 0, 0.5 }, { 20, 0, 0 }, 0.5, 2600);
  scene.seeds.add({ 0, 0, 0.5 }, { 0, 0, 0 }, 0.5, 2600);
  auto run = march(scene, {}, device(), 1);
  const std::string text = run->report().summary();
  for (const char* word :
    { "Granular Flow", "steps", "limited by", "left the map", "kinetic energy", "MiB" })
    EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
}
