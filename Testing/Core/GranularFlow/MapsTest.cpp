// What the terrain keeps: passes, speeds, energies, bounces, impacts, arrivals and deposits, counted by hand.
#include "ClumpShapes.h"
#include "Compare.h"
#include "Math/Random.h"
#include "Runs.h"
#include "Terrains.h"

#include <algorithm>
#include <map>

using namespace lapilli;
using namespace lapilli::test;

namespace
{

const char* const kNames[] = { "passes", "greatest_speed", "kinetic_energy", "bounce_height",
  "impact_pressure", "arrival_time", "deposit_mass", "deposit_thickness" };

/// A row of squares 1 m wide along x from -1 to 9, y from -2 to 2, each of two triangles: a path along y
/// = 0.5 from square to square goes through the triangles 2 k (below the diagonal from (k, -2) to (k + 1, 2))
/// and 2 k + 1.
Surface row()
{
  return gridTerrain(-1, 9, 10, -2, 2, 1, flat);
}

GranularFlowParameters slidingParameters()
{
  GranularFlowParameters parameters;
  parameters.friction = 0;
  parameters.terrainFriction = 0;
  parameters.mapTravel = 0.1;
  parameters.greatestSpeed = 2;
  parameters.frameInterval = 0.125;
  return parameters;
}

double massOf(double radius, double density)
{
  return density * 4 / 3 * M_PI * radius * radius * radius;
}

} // namespace

class GranularMaps : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularMaps);

TEST_P(GranularMaps, ASlidingSphereIsCountedOnceOnEachTriangleOfItsPath)
{
  const double radius = 0.125, speed = 2, y = 0.5;
  Scene scene;
  scene.surfaces.push_back(row());
  scene.seeds.add({ -0.75, y, radius }, { speed, 0, 0 }, radius, 2600);
  auto run = march(scene, slidingParameters(), device(), 4);
  const Maps maps(*run);
  // In square k the diagonal is at y = 4 (x - x0) - 2, which the path meets at x0 + 0.625; left of it is
  // the upper triangle, 2 k + 1.
  const double energy = 0.5 * massOf(radius, 2600) * speed * speed;
  for (int square = 0; square < 10; ++square)
  {
    for (const bool isUpper : { true, false })
    {
      const int triangle = 2 * square + (isUpper ? 1 : 0);
      const double begins = square - 1 + (isUpper ? 0 : 0.625);
      const bool isMet = begins < -0.75 + 4 * speed; // 7.25
      EXPECT_EQ(maps.at("passes", triangle), isMet ? 1 : 0) << triangle;
      if (!isMet)
      {
        for (const char* name : kNames)
          EXPECT_EQ(maps.at(name, triangle), std::string(name) == "arrival_time" ? -1 : 0)
            << name << triangle;
        continue;
      }
      // It is seen at most 0.1 radius, and a step, after it came.
      const double arrival = std::max(0.0, (begins + 0.75) / speed);
      const double late = maps.at("arrival_time", triangle) - arrival;
      EXPECT_GE(late, -1e-6) << triangle;
      EXPECT_LE(late, 0.2 * radius / speed + 1e-6) << triangle;
      // At first it settles into its contact, by up to g/omega0 = 0.06 m/s.
      EXPECT_TRUE(agrees(maps.at("greatest_speed", triangle), speed, 5e-4)) << triangle;
      EXPECT_TRUE(agrees(maps.at("kinetic_energy", triangle), energy, 1e-3)) << triangle;
      EXPECT_LT(maps.at("bounce_height", triangle), 1e-6 * radius) << triangle;
    }
  }
  EXPECT_EQ(maps.sum("deposit_mass"), 0); // it moves
  EXPECT_EQ(maps.sum("deposit_thickness"), 0);
  verify("Terrain maps: arrival of a sphere that slides over 17 triangles",
    "within 0.2 radius of its way", HasFailure() ? "later" : "within 0.2 radius", "uniform motion");
}

TEST_P(GranularMaps, AreSampledByTravelAndAtEachFrame)
{
  // Two frames only, and a travel that is never reached: the triangles under the sphere at 0, 2 and 4 s.
  Scene scene;
  scene.surfaces.push_back(row());
  scene.seeds.add({ -0.75, 0.5, 0.125 }, { 2, 0, 0 }, 0.125, 2600);
  auto parameters = slidingParameters();
  parameters.frameInterval = 2;
  parameters.mapTravel = 100;
  const Maps maps(*march(scene, parameters, device(), 4));
  EXPECT_EQ(maps.sum("passes"), 3);
  EXPECT_EQ(maps.at("passes", 1), 1);
  EXPECT_EQ(maps.at("arrival_time", 2 * 4 + 1), 2); // x = 3.25
  EXPECT_EQ(maps.at("arrival_time", 2 * 8 + 1), 4); // x = 7.25
  // Every metre, eight of them, and at the start.
  parameters.mapTravel = 8; // of 0.125 m
  EXPECT_EQ(Maps(*march(scene, parameters, device(), 4)).sum("passes"), 9);
}

TEST_P(GranularMaps, KeepTheirPlaceWhenOthersAreReorderedAndRemoved)
{
  // Lanes 1 m wide with one sphere each, a source of its own, in all directions: they never meet, and
  // half of them leave the map. Each leaves what it leaves alone.
  const auto sceneOf = [](int first, int last)
  {
    Scene scene;
    scene.surfaces.push_back(gridTerrain(-10, 10, 20, 0, 24, 24, flat));
    for (int k = first; k < last; ++k)
      scene.seeds.add({ k % 3 * 1.25 - 1, k + 0.375, 0.25 },
        { (k % 2 ? 1 : -1) * (1 + 0.375 * k), 0, 0 }, 0.25, 2600, 293, k);
    return scene;
  };
  auto parameters = slidingParameters();
  parameters.greatestSpeed = 10;
  auto run = march(sceneOf(0, 24), parameters, device(), 2);
  EXPECT_GT(run->report().neighborBuilds, 20);
  EXPECT_GT(lossOf(run->report(), "left the map").count, 8);
  EXPECT_LT(lossOf(run->report(), "left the map").count, 24);
  const Maps all(*run);
  for (int k = 0; k < 24; ++k)
  {
    const Maps one(*march(sceneOf(k, k + 1), parameters, device(), 2));
    // Times of sampling follow the fastest, so single values differ a little; where it was does not.
    const auto& together = all.all("passes_source_" + std::to_string(k));
    EXPECT_EQ(together, one.all("passes")) << k;
    EXPECT_GT(one.sum("passes"), 3);
  }
}

TEST_P(GranularMaps, GoingAwayAndComingBackIsTwoPasses)
{
  // Up a slope and back down: without friction a slope of 1 in 4 from x = 4 on.
  Scene scene;
  scene.surfaces.push_back(
    gridTerrain(-1, 9, 10, -2, 2, 1, [](double x, double) { return x > 4 ? 0.25 * (x - 4) : 0; }));
  scene.seeds.add({ 2.25, 0.5, 0.125 }, { 2, 0, 0 }, 0.125, 2600);
  auto parameters = slidingParameters();
  auto run = march(scene, parameters, device(), 4);
  const Maps maps(*run);
  EXPECT_EQ(maps.at("passes", 2 * 4), 2); // square from x = 3 to 4, lower triangle
  EXPECT_EQ(maps.at("passes", 2 * 4 + 1), 2);
  EXPECT_EQ(
    maps.at("passes", 2 * 3 + 1), 2); // 2.25 is left of the diagonal: the start and the return
  EXPECT_LT(maps.at("arrival_time", 2 * 4), 1);
}

TEST_P(GranularMaps, ARollingSphereHasItsWholeEnergyAndNoBounceOnASlope)
{
  const double slope = 0.5;
  Scene scene;
  scene.surfaces.push_back(
    gridTerrain(-2, 30, 1, -5, 5, 1, [&](double x, double) { return -slope * x; }));
  const double radius = 0.5, up = radius * std::sqrt(1 + slope * slope);
  scene.seeds.add({ 0, 0, up }, { 0, 0, 0 }, radius, 2600);
  GranularFlowParameters parameters;
  parameters.terrainFriction = 0.8;
  parameters.frameInterval = 0.1;
  auto run = march(scene, parameters, device(), 2);
  const Maps maps(*run);
  const Snapshot now(*run);
  EXPECT_GT(now.scalar("kinetic_energy", 0), 1000);
  const double translation =
    0.5 * massOf(radius, 2600) * squaredLength(now.velocity(0)); // 5/7 of all when it rolls
  EXPECT_TRUE(agrees(now.scalar("kinetic_energy", 0), 1.4 * translation, 1e-2));
  // It only gets faster: the greatest is the last, with rotation.
  EXPECT_TRUE(agrees(maps.greatest("kinetic_energy"), now.scalar("kinetic_energy", 0), 1e-6));
  // At right angles to the ground there is no gap; along the vertical there would be 0.06 m.
  EXPECT_LT(maps.greatest("bounce_height"), 1e-3 * radius);
}

TEST_P(GranularMaps, ABounceReachesTheHeightAndThePressureOfItsImpact)
{
  const double radius = 0.25, drop = 1, restitution = 0.6;
  Scene scene;
  scene.surfaces.push_back(planeTerrain(4));
  scene.seeds.add({ 1, -1, radius + drop }, { 0, 0, 0 }, radius, 2600);
  GranularFlowParameters parameters;
  parameters.terrainRestitution = restitution;
  parameters.mapTravel = 0.1;
  parameters.frameInterval = 0.01;
  auto run = createGranularFlow(scene, parameters, device());
  // The first drop is a gap of its own.
  EXPECT_TRUE(agrees(Maps(*run).greatest("bounce_height"), drop, 1e-6));
  double pressure = 0;
  for (int frame = 1; frame <= 60; ++frame)
  {
    advance(*run, 0.01 * frame);
    pressure = std::max(pressure, Snapshot(*run).scalar("pressure_max", 0));
  }
  const Maps maps(*run);
  EXPECT_TRUE(agrees(maps.greatest("bounce_height"), drop, 1e-6));
  // sum F/(4 pi r^2) of one contact is a quarter of F/(pi r^2).
  EXPECT_TRUE(agrees(maps.greatest("impact_pressure"), 4 * pressure, 1e-6));
  EXPECT_TRUE(agrees(maps.greatest("greatest_speed"), std::sqrt(2 * 9.81 * drop), 0.03));

  // Thrown down hard from close by, the rebound is higher than the start: e^2 of the drop that the speed stands for.
  scene.seeds.velocities = { 0, 0, -6 };
  scene.seeds.positions = { 1, -1, radius + 0.05 };
  auto thrown = march(scene, parameters, device(), 1);
  const double height = restitution * restitution * (36 / (2 * 9.81) + 0.05);
  const Maps rebound(*thrown);
  EXPECT_TRUE(agrees(rebound.greatest("bounce_height"), height, 0.02));
  verify("Terrain maps: bounce height, e^2 h", shown(height) + " m, 2 %",
    shown(rebound.greatest("bounce_height")) + " m", "energy");
  verify("Terrain maps: impact pressure over greatest pressure of the sphere", "4",
    shown(maps.greatest("impact_pressure") / pressure), "cross-section over surface");
}

TEST_P(GranularMaps, OfTwoSourcesAreTheirsAndTogetherTheTotal)
{
  Scene scene;
  scene.surfaces.push_back(row());
  scene.seeds.add({ 0.25, 0.5, 0.125 }, { 2, 0, 0 }, 0.125, 2600, 293, 7);
  scene.seeds.add({ 5.25, -1, 0.25 }, { -1, 0, 0 }, 0.25, 2600, 293, -3);
  scene.seeds.add({ 8.5, 1, 0.25 }, { 0, 0, 0 }, 0.25, 2600, 293, -3); // rests
  auto run = march(scene, slidingParameters(), device(), 2);
  const Maps maps(*run);
  ASSERT_EQ(maps.field.arrays.size(), 24u);
  for (const std::string name : kNames)
  {
    const auto& total = maps.all(name);
    const auto& a = maps.all(name + "_source_-3");
    const auto& b = maps.all(name + "_source_7");
    ASSERT_EQ(total.size(), 20u);
    ASSERT_EQ(a.size(), 20u);
    bool differ = false;
    for (std::size_t t = 0; t < total.size(); ++t)
    {
      differ = differ || a[t] != b[t];
      float expected = std::max(a[t], b[t]);
      if (name == "passes")
        expected = a[t] + b[t];
      if (name == "arrival_time")
        expected = a[t] < 0 ? b[t] : b[t] < 0 ? a[t] : std::min(a[t], b[t]);
      EXPECT_EQ(total[t], expected) << name << t;
    }
    EXPECT_TRUE(differ || name == "bounce_height") << name;
  }
  // Alone each of them leaves the same.
  Scene alone = scene;
  alone.seeds = {};
  alone.seeds.add({ 0.25, 0.5, 0.125 }, { 2, 0, 0 }, 0.125, 2600, 293, 7);
  auto parameters = slidingParameters();
  const Maps only(*march(alone, parameters, device(), 2));
  EXPECT_EQ(only.field.arrays.size(), 8u);
  EXPECT_EQ(only.all("passes"), maps.all("passes_source_7"));
  EXPECT_NE(only.all("passes"), maps.all("passes"));
}

TEST_P(GranularMaps, TheDepositIsAllThatRests)
{
  // A grid of 10 by 10 m; some rest, others slide on, and several lie on one triangle.
  Scene scene;
  scene.surfaces.push_back(gridTerrain(-20, 20, 4, -20, 20, 4, flat));
  RandomStream random(3, RandomStream::Positions);
  std::map<int, double> mass;
  double resting = 0, solid = 0;
  for (int k = 0; k < 40; ++k)
  {
    const double x = -19 + 4 * (k % 8) + random.uniform(0, 1);
    const double y = -19 + 8 * (k / 8) + random.uniform(0, 1);
    const double r = random.uniform(0.1, 0.5), density = random.uniform(1000, 3000);
    const bool moves = k % 5 == 0;
    scene.seeds.add({ x, y, r }, { 0, moves ? 1.0 : 0.0, 0 }, r, density, 293, k % 2);
    if (moves)
      continue;
    const int i = static_cast<int>((x + 20) / 10), j = static_cast<int>((y + 20) / 10);
    const double u = (x + 20) / 10 - i, v = (y + 20) / 10 - j;
    mass[2 * (i + 4 * j) + (v > u ? 1 : 0)] += massOf(r, density);
    resting += massOf(r, density);
    solid += massOf(r, 1);
  }
  auto parameters = slidingParameters();
  parameters.depositPorosity = 0.25;
  auto run = march(scene, parameters, device(), 0.5);
  const Maps maps(*run);
  for (std::size_t t = 0; t < 32; ++t)
    EXPECT_EQ(static_cast<float>(maps.at("deposit_mass", t)),
      mass.count(t) ? static_cast<float>(mass[t]) : 0.0f)
      << t;
  const Report report = run->report();
  EXPECT_EQ(report.particlesAtRest, 32);
  EXPECT_TRUE(agrees(report.massAtRest, resting, 1e-14));
  EXPECT_TRUE(agrees(maps.sum("deposit_mass"), resting, 1e-6)); // of floats
  // Volume with pores over 50 m^2, summed over triangles.
  EXPECT_TRUE(agrees(maps.sum("deposit_thickness") * 50, solid / 0.75, 1e-6));
  EXPECT_LT(maps.sum("deposit_mass"), 0.95 * report.mass); // some move
  verify("Terrain maps: sum of deposit_mass over mass at rest", "1",
    shown(maps.sum("deposit_mass") / report.massAtRest, 8), "bookkeeping");
}

TEST_P(GranularMaps, WhatFliesIsNoDeposit)
{
  // Slow since the last frame, but in the air: at the top of its way, and without gravity.
  for (const double gravity : { 9.81, 0.0 })
  {
    Scene scene;
    scene.surfaces.push_back(planeTerrain(10));
    scene.seeds.add({ 1, 2, 5 }, { 0, 0, gravity * 0.1 }, 0.25, 2600);
    scene.seeds.add({ 5, 2, 0.25 }, { 0, 0, 0 }, 0.25, 2600);
    auto parameters = slidingParameters();
    parameters.gravity = { 0, 0, -gravity };
    parameters.frameInterval = 1.0 / 512;
    const auto run = march(scene, parameters, device(), 51 * parameters.frameInterval);
    const Snapshot now(*run);
    EXPECT_LT(length(now.velocity(0)), 0.01);
    EXPECT_EQ(now.points.array("at_rest").as<std::uint8_t>()[0], 0);
    EXPECT_EQ(now.points.array("at_rest").as<std::uint8_t>()[1], gravity > 0 ? 1 : 0);
    EXPECT_EQ(run->report().particlesAtRest, gravity > 0 ? 1 : 0);
    EXPECT_TRUE(agrees(Maps(*run).sum("deposit_mass"), run->report().massAtRest, 1e-6, 1));
  }
}

TEST_P(GranularMaps, ThicknessIsOverTheHorizontalArea)
{
  // The triangle has 40 m^2, seen from above 32 m^2.
  const double slope = 0.75;
  Scene scene;
  scene.surfaces.push_back(
    gridTerrain(-4, 4, 1, -4, 4, 1, [&](double x, double) { return slope * x; }));
  const double radius = 0.5;
  scene.seeds.add({ 1, -2, 0.75 + radius * 1.25 }, { 0, 0, 0 }, radius, 2600);
  auto parameters = slidingParameters();
  parameters.restSpeed = 100; // all count as resting
  const Maps maps(*march(scene, parameters, device(), 0.125));
  const double expected = 4.0 / 3 * M_PI * 0.125 / 0.6 / 32;
  EXPECT_TRUE(agrees(maps.at("deposit_thickness", 0), expected, 1e-6));
  EXPECT_EQ(maps.at("deposit_thickness", 1), 0);
}

TEST_P(GranularMaps, TheHighestSurfaceBelowTheSphereIsTheOneItIsOn)
{
  // A bridge 3 m over a plain: one sphere on it, one below, one high above, one falls past its edge.
  Scene scene;
  scene.surfaces.push_back(planeTerrain(10));
  scene.surfaces.push_back(moved(gridTerrain(-2, 2, 1, -10, 10, 1, flat), 0, 0, 3));
  scene.seeds.add({ 1, -2, 0.25 }, { 0, 0, 0 }, 0.25, 2600, 293, 0);   // on the plain, below
  scene.seeds.add({ 1, -5, 3.25 }, { 0, 0, 0 }, 0.25, 2600, 293, 1);   // on the bridge
  scene.seeds.add({ 1, -8, 8 }, { 0, 0, 0 }, 0.25, 2600, 293, 2);      // above the bridge
  scene.seeds.add({ 1.8, -3, 3.25 }, { 2, 0, 0 }, 0.25, 2600, 293, 3); // leaves it
  auto parameters = slidingParameters();
  parameters.greatestSpeed = 10;
  auto run = march(scene, parameters, device(), 0.5);
  const Maps maps(*run);
  const auto on = [&](int source)
  {
    std::vector<int> passed;
    for (int t = 0; t < 4; ++t)
      if (maps.at("passes_source_" + std::to_string(source), t) > 0)
        passed.push_back(t);
    return passed;
  };
  EXPECT_EQ(on(0), (std::vector<int>{ 0 }));
  EXPECT_EQ(on(1), (std::vector<int>{ 2 }));
  EXPECT_EQ(on(2), (std::vector<int>{ 2 }));
  EXPECT_EQ(on(3), (std::vector<int>{ 0, 2 }));
  EXPECT_GT(maps.at("bounce_height_source_3", 0), 1); // falls onto the plain
  EXPECT_TRUE(agrees(maps.at("bounce_height_source_2", 2), 4.75, 1e-5));
}

TEST_P(GranularMaps, FollowTheInputOrderOfTerrainAloneWithTrianglesThatWereDropped)
{
  Surface holed = gridTerrain(-4, 4, 2, -4, 4, 2, flat);
  holed.triangles.insert(holed.triangles.begin() + 6, { 0, 0, 1 }); // no area; number 2
  Surface obstacle = moved(gridTerrain(-1, 1, 1, -1, 1, 1, flat), 0, 0, -50);
  obstacle.role = SurfaceRole::Obstacle;
  Scene scene;
  scene.surfaces = { obstacle, holed, moved(planeTerrain(1), 0, 0, 6) };
  scene.seeds.add({ 3, -0.5, 0.25 }, { 0, 0, 0 }, 0.25, 2600);
  scene.seeds.add({ 0.5, -0.25, 6.25 }, { 0, 0, 0 }, 0.25, 2600);
  const Maps maps(*march(scene, slidingParameters(), device(), 0.125));
  const std::vector<float> expected{ 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
  // (3, -0.5) lies in the square i = 1, j = 0, above its diagonal y = x - 4: its second triangle, 3 + 1.
  EXPECT_EQ(maps.all("passes"), expected);
  EXPECT_EQ(maps.at("arrival_time", 2), -1);
  EXPECT_EQ(maps.at("arrival_time", 4), 0);
}

TEST_P(GranularMaps, SwitchedOffHaveNoArraysAndTouchNoParticle)
{
  const Scene scene = [&]
  {
    Scene s;
    s.surfaces.push_back(gridTerrain(-10, 10, 20, -10, 10, 20,
      [](double x, double y) { return 0.3 * std::sin(x) * std::cos(y); }));
    RandomStream random(9, RandomStream::Positions);
    for (int k = 0; k < 100; ++k)
      s.seeds.add({ -8 + 1.6 * (k % 10), -8 + 1.6 * (k / 10), 1.5 },
        { random.uniform(-6, 6), random.uniform(-6, 6), 0 }, random.uniform(0.2, 0.5), 2600);
    return s;
  }();
  GranularFlowParameters parameters;
  parameters.frameInterval = 0.1;
  auto with = march(scene, parameters, device(), 1);
  parameters.terrainMaps = false;
  auto without = march(scene, parameters, device(), 1);
  const Snapshot a(*with), b(*without);
  EXPECT_LT(a.count(), 100u); // some left
  EXPECT_TRUE(a.points.positions == b.points.positions);
  for (const Array& array : a.points.arrays)
    EXPECT_TRUE(array.values == b.points.array(array.name).values) << array.name;
  EXPECT_EQ(Maps(*with).field.arrays.size(), 8u);
  EXPECT_TRUE(Maps(*without).field.arrays.empty());
  EXPECT_LT(without->report().memory, with->report().memory);
  // Without terrain there is nothing to keep either.
  Scene flight;
  flight.seeds.add({ 0, 0, 0 }, { 1, 0, 0 }, 0.5, 2600);
  EXPECT_TRUE(Maps(*march(flight, {}, device(), 0.1)).field.arrays.empty());
}

TEST_P(GranularMaps, AreTheSameBitsFarAwayAndAfterARestart)
{
  const auto sceneAt = [](double dx, double dy)
  {
    Scene scene;
    scene.surfaces.push_back(
      moved(gridTerrain(-8, 8, 16, -8, 8, 16,
              [](double x, double y) { return std::round(256 * std::sin(x) * y) / 4096; }),
        dx, dy, 0));
    RandomStream random(10, RandomStream::Positions);
    for (int k = 0; k < 64; ++k)
      scene.seeds.add({ dx - 7 + 1.875 * (k % 8), dy - 7 + 1.875 * (k / 8), 2 },
        { random.uniform(-6, 6), random.uniform(-6, 6), -3 }, random.uniform(0.25, 0.5), 2600, 293,
        k % 3);
    return scene;
  };
  GranularFlowParameters parameters;
  parameters.frameInterval = 0.125;
  auto here = march(sceneAt(0, 0), parameters, device(), 1);
  const Maps a(*here), b(*march(sceneAt(20000, -20000), parameters, device(), 1));
  ASSERT_EQ(a.field.arrays.size(), 32u);
  for (const Array& array : a.field.arrays)
    EXPECT_TRUE(array.values == b.field.array(array.name).values) << array.name;
  EXPECT_GT(a.sum("passes"), 200);
  EXPECT_GT(a.greatest("impact_pressure"), 0);

  auto half = march(sceneAt(0, 0), parameters, device(), 0.5);
  auto other = createGranularFlow(sceneAt(0, 0), parameters, device());
  restoreBytes(*other, savedBytes(*half));
  for (int frame = 5; frame <= 8; ++frame)
    advance(*other, 0.125 * frame);
  const Maps c(*other);
  for (const Array& array : a.field.arrays)
    EXPECT_TRUE(array.values == c.field.array(array.name).values) << array.name;
  EXPECT_EQ(savedBytes(*other), savedBytes(*here));
}

TEST(GranularMapsInput, RangesAreNamed)
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(4));
  scene.seeds.add({ 0, 0, 1 }, { 0, 0, 0 }, 0.5, 2600);
  const auto refusal = [&](auto field, double value)
  {
    GranularFlowParameters parameters;
    parameters.*field = value;
    return messageOf<InvalidInput>([&] { createGranularFlow(scene, parameters, Device{}); });
  };
  using P = GranularFlowParameters;
  EXPECT_EQ(refusal(&P::mapTravel, 0), "map travel is 0; it must lie in [0.1, 100]");
  EXPECT_EQ(refusal(&P::mapTravel, 101), "map travel is 101; it must lie in [0.1, 100]");
  EXPECT_NE(refusal(&P::mapTravel, NAN).find("nan"), std::string::npos);
  EXPECT_EQ(refusal(&P::depositPorosity, 1), "deposit porosity is 1; it must lie in [0, 0.95]");
  EXPECT_NE(refusal(&P::depositPorosity, NAN).find("nan"), std::string::npos);
}

TEST(GranularMapsInput, TooManySourcesForTheMemoryAreRefusedWithTheRemedy)
{
  Scene scene;
  scene.surfaces.push_back(gridTerrain(-100, 100, 100, -100, 100, 100, flat));
  for (int k = 0; k < 100; ++k)
    scene.seeds.add({ -90.0 + k, 0, 1 }, { 0, 0, 0 }, 0.25, 2600, 293, k);
  GranularFlowParameters parameters;
  parameters.memoryLimit = 100e6;
  const std::string text =
    messageOf<InvalidInput>([&] { createGranularFlow(scene, parameters, Device{}); });
  EXPECT_NE(text.find("turn the terrain maps off"), std::string::npos) << text;
  parameters.terrainMaps = false;
  EXPECT_NO_THROW(createGranularFlow(scene, parameters, Device{}));
}

TEST(GranularMapsThreads, DoNotChangeABit)
{
  // Many on few triangles, so that threads meet; above the count from which loops are shared.
  Scene scene;
  scene.surfaces.push_back(gridTerrain(
    -40, 40, 3, -40, 40, 3, [](double x, double y) { return 0.3 * std::sin(x) * std::cos(y); }));
  RandomStream random(12, RandomStream::Positions);
  for (int k = 0; k < 3600; ++k)
    scene.seeds.add({ -38 + 1.25 * (k % 60), -38 + 1.25 * (k / 60), 1.5 },
      { random.uniform(-6, 6), random.uniform(-6, 6), 0 }, random.uniform(0.2, 0.5), 2600, 293,
      k % 2);
  GranularFlowParameters parameters;
  parameters.frameInterval = 0.05;
  std::vector<std::uint8_t> one;
  for (const int threads : { 1, 2, 3 })
  {
    auto run = march(scene, parameters, { DeviceKind::Cpu, threads }, 0.2);
    EXPECT_GT(Maps(*run).sum("passes"), 3600);
    if (threads == 1)
      one = savedBytes(*run);
    EXPECT_TRUE(savedBytes(*run) == one) << threads;
  }
}

// A bar of five spheres flies over the ground.
TEST_P(GranularMaps, CountAClumpOnceWithTheEnergyOfTheWhole)
{
  const double radius = 0.25, density = 2600, speed = 2;
  const double half = 0.5 * massOf(radius, density);
  Scene scene;
  scene.surfaces.push_back(gridTerrain(-4, 4, 1, -4, 4, 1, flat));
  scene.shapes.push_back(standardShape("bar"));
  scene.seeds.add({ -2, 1, 3 }, { speed, 0, 0 }, radius, density);
  scene.seeds.shapes = { 0 };
  scene.seeds.orientations = { 1, 0, 0, 0 };
  GranularFlowParameters parameters = slidingParameters();
  parameters.gravity = { 0, 0, 0 };
  auto run = march(scene, parameters, device(), 2);
  const Maps maps(*run);
  EXPECT_EQ(maps.sum("passes"), 2); // it starts on one triangle and crosses the diagonal
  EXPECT_TRUE(agrees(maps.greatest("greatest_speed"), speed, 1e-6));
  EXPECT_TRUE(agrees(maps.greatest("kinetic_energy"), half * speed * speed, 1e-6));
  EXPECT_TRUE(agrees(maps.greatest("bounce_height"), 3 - radius, 1e-6));
  EXPECT_EQ(maps.greatest("impact_pressure"), 0);
}
