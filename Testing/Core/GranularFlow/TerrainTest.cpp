// Spheres on bends of the ground, at edges and rims, at speed, and over real terrain.
#include "Compare.h"
#include "Math/Random.h"
#include "Runs.h"
#include "Terrains.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kRadius = 0.5;

GranularFlowParameters elastic(double frameInterval)
{
  GranularFlowParameters parameters;
  parameters.restitution = parameters.terrainRestitution = 1;
  parameters.friction = parameters.terrainFriction = 0;
  parameters.frameInterval = frameInterval;
  return parameters;
}

/// A V along y with walls of a slope.
Height groove(double slope)
{
  return [slope](double x, double) { return slope * std::abs(x); };
}

Height ridge(double slope)
{
  return [slope](double x, double) { return -slope * std::abs(x); };
}

} // namespace

class GranularTerrain : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularTerrain);

TEST_P(GranularTerrain, GrooveCarriesASphereOnBothWalls)
{
  // Rests at r / cos(wall) over the bottom, for steep and shallow grooves, cut coarse and fine.
  for (const double slope : { 3.0, 1.0, 0.5, 0.2, 0.1, 0.02 })
  {
    for (const int cells : { 2, 40 })
    {
      GranularFlowParameters parameters;
      parameters.greatestSpeed = 30; // stiff: the overlap at rest is a few micrometres
      parameters.terrainRestitution = 0.2;
      // Dropped beside the middle it rolls to and fro in a shallow groove, as nothing brakes rolling.
      const bool isSteep = slope > 0.15;
      Scene scene;
      scene.surfaces.push_back(gridTerrain(-4, 4, cells, -4, 4, cells, groove(slope)));
      const double height = kRadius * std::sqrt(1 + slope * slope);
      scene.seeds.add(
        { isSteep ? 0.01 : 0, 0.123, height + (isSteep ? 0.05 : 0) }, { 0, 0, 0 }, kRadius, 2600);
      auto run = march(scene, parameters, device(), 6);
      const Snapshot now(*run);
      EXPECT_LT(length(now.velocity(0)), 1e-3) << slope << " " << cells;
      EXPECT_TRUE(agrees(now.position(0).z, height, 1e-3)) << slope << " " << cells;
      EXPECT_NEAR(now.position(0).x, 0, 0.01 + 1e-3) << slope << " " << cells;
      const Report report = run->report();
      EXPECT_TRUE(agrees(report.supportForce[2], report.mass * 9.81, 5e-3))
        << slope << " " << cells;
    }
  }
}

TEST_P(GranularTerrain, RollsAlongAGrooveAtConstantSpeed)
{
  // Along the bottom of a groove and of a round trough, whatever the triangles.
  for (const int cells : { 2, 50 })
  {
    for (const double slope : { 1.0, 0.15 })
    {
      GranularFlowParameters parameters;
      parameters.greatestSpeed = 10;
      Scene scene;
      scene.surfaces.push_back(gridTerrain(-5, 5, cells, -20, 20, 2 * cells, groove(slope)));
      scene.seeds.add(
        { 0, -15, kRadius * std::sqrt(1 + slope * slope) }, { 0, 6, 0 }, kRadius, 2600);
      auto run = march(scene, parameters, device(), 1.5);
      const Snapshot early(*run);
      advance(*run, 4.5);
      const Snapshot late(*run);
      EXPECT_TRUE(agrees(late.velocity(0).y, early.velocity(0).y, 1e-3)) << slope << " " << cells;
      EXPECT_NEAR(late.position(0).x, 0, 1e-3) << slope << " " << cells;
      EXPECT_GT(late.velocity(0).y, 3);
    }
  }
}

TEST_P(GranularTerrain, SwingsThroughARoundTroughAsASphereShould)
{
  // Without friction: a pendulum of length R - r. Facets of a tenth of the radius.
  const double trough = 5;
  GranularFlowParameters parameters = elastic(0.01);
  parameters.greatestSpeed = 10;
  Scene scene;
  scene.surfaces.push_back(gridTerrain(-4, 4, 160, -2, 2, 4,
    [&](double x, double) { return trough - std::sqrt(trough * trough - x * x); }));
  const double length = trough - kRadius, start = 0.05; // [rad], small
  scene.seeds.add({ length * std::sin(start), 0.1, trough - length * std::cos(start) }, { 0, 0, 0 },
    kRadius, 2600);
  auto run = createGranularFlow(scene, parameters, device());
  double period = -1, former = 1;
  for (int frame = 1; frame < 600; ++frame)
  {
    advance(*run, frame * parameters.frameInterval);
    const double speed = Snapshot(*run).velocity(0).x;
    if (former < 0 && speed >= 0 && frame > 20) // turns on the far side: half a period
    {
      period = 2 * (frame - speed / (speed - former)) * parameters.frameInterval;
      break;
    }
    former = speed;
  }
  const double expected = 2 * M_PI * std::sqrt(length / 9.81) * (1 + start * start / 16);
  EXPECT_TRUE(agrees(period, expected, 0.03)); // the first touch, and chords in place of arcs
  verify("Sphere swinging in a round trough without friction: period", shown(expected) + " s, 3 %",
    shown(period) + " s", "pendulum of length R - r");
}

TEST_P(GranularTerrain, ElasticBouncesKeepTheEnergyOnEveryBend)
{
  // No friction, restitution one: whatever bend is hit, the energy must come back and never grow. Drops at
  // many places across grooves and ridges. Where the walls of a groove turn by less than 20 degrees the
  // two minima act as one contact with a mean direction, which is not the gradient of an energy: an
  // impact that goes over from one wall to the other may lose, most near 20 degrees.
  struct Case
  {
    const char* name;
    Height height;
    double greatestLoss;
  };
  for (const Case& c :
    { Case{ "plane", flat, 0.003 }, Case{ "ridge of 90 degrees", ridge(1), 0.003 },
      Case{ "shallow ridge", ridge(0.1), 0.003 }, Case{ "groove of 90 degrees", groove(1), 0.003 },
      Case{ "groove of 127 degrees", groove(0.5), 0.003 },
      Case{ "groove of 169 degrees", groove(0.1), 0.02 },
      Case{ "groove of 161 degrees", groove(0.167), 0.06 } })
  {
    GranularFlowParameters parameters = elastic(0.4);
    parameters.greatestSpeed = 10;
    parameters.stepsPerContact = 60;
    Scene scene;
    scene.surfaces.push_back(gridTerrain(-60, 60, 2, -60, 60, 2, c.height));
    const int n = 61;
    for (int i = 0; i < n; ++i)
    {
      const double x = -0.6 + 1.2 * i / (n - 1);
      const double y = -45 + 1.5 * i;
      scene.seeds.add({ x, y, c.height(x, y) + 3 }, { 0, 0, -5 }, kRadius, 2600);
    }
    auto run = createGranularFlow(scene, parameters, device());
    const Snapshot before(*run);
    advance(*run, 1.2);
    const Snapshot after(*run);
    ASSERT_EQ(after.count(), before.count()) << c.name;
    double gain = 0, loss = 0;
    for (std::size_t i = 0; i < after.count(); ++i)
    {
      const auto energy = [&](const Snapshot& s)
      { return 0.5 * squaredLength(s.velocity(i)) + 9.81 * s.position(i).z; };
      if (after.scalar("pressure", i) > 0)
        continue; // in touch
      const double impact = 0.5 * 25 + 9.81 * 3;
      const double change = (energy(after) - energy(before)) / impact;
      gain = std::max(gain, change);
      loss = std::max(loss, -change);
    }
    EXPECT_LT(gain, 0.003) << c.name; // phases of up to three impacts at 60 steps a contact
    EXPECT_LT(loss, c.greatestLoss) << c.name;
    verify(std::string("Elastic bounces on a ") + c.name + ": energy",
      "gain 0.3 %, loss " + shown(100 * c.greatestLoss) + " %",
      "gain " + shown(100 * gain, 2) + " %, loss " + shown(100 * loss, 2) + " %", "conservation");
  }
}

TEST_P(GranularTerrain, RollsOverAConvexEdge)
{
  // From a flat over an edge of 15 degrees down: keeps touching at low speed (v^2 < g r cos) and gains
  // what it falls, 10/7 g h.
  const double slope = std::tan(15 * M_PI / 180);
  for (const int cells : { 2, 64 })
  {
    GranularFlowParameters parameters;
    parameters.greatestSpeed = 10;
    Scene scene;
    scene.surfaces.push_back(gridTerrain(
      -12, 12, cells, -4, 4, cells, [&](double x, double) { return x > 0 ? -slope * x : 0; }));
    scene.seeds.add({ -4, 0.1, kRadius }, { 1.4, 0, 0 }, kRadius, 2600); // ends rolling at 1
    auto run = march(scene, parameters, device(), 3);
    const Snapshot early(*run);
    ASSERT_LT(early.position(0).x, -0.2);
    advance(*run, 6.5);
    const Snapshot late(*run);
    ASSERT_GT(late.position(0).x, 2);
    ASSERT_LT(late.position(0).x, 11);
    const double fall = early.position(0).z - late.position(0).z;
    const double gained = squaredLength(late.velocity(0)) - squaredLength(early.velocity(0));
    EXPECT_TRUE(agrees(gained, 10.0 / 7 * 9.81 * fall, 0.01)) << cells;
    EXPECT_NEAR(late.position(0).y, 0.1, 1e-3);
  }
}

TEST_P(GranularTerrain, NothingPassesAtTheGreatestSpeedTheStepAllows)
{
  // Onto faces, edges, corners and slivers, straight down and grazing, with the coarsest step and
  // the softest contact that the parameters allow.
  RandomStream random(5, RandomStream::Positions);
  for (const Cut cut : { Cut::Coarse, Cut::Fine, Cut::Sliver })
  {
    for (const double radius : { 0.5, 0.02 })
    {
      for (const double grazing : { 0.0, 0.5, 1.0, 1.4 })
      {
        GranularFlowParameters parameters;
        parameters.gravity = { 0, 0, 0 };
        parameters.travelPerStep = 0.5;
        parameters.stepsPerContact = 8;
        parameters.greatestOverlap = 0.3;
        parameters.friction = parameters.terrainFriction = 0;
        parameters.terrainRestitution = 1;
        const double speed = 200;
        // Down, four contact times, and still over the map.
        parameters.frameInterval =
          0.1 / (speed * std::cos(grazing)) + 4 * M_PI * 0.3 * radius / speed;
        // All fly alike, so that they do not meet.
        Scene scene;
        scene.surfaces.push_back(cutPlane(cut, 40, 0.3));
        for (int i = 0; i < 144; ++i)
        {
          const double x = -18 + 3.0 * (i % 12), y = -18 + 3.0 * (i / 12);
          scene.seeds.add(
            { x + random.uniform(-0.9, 0.9), y + random.uniform(-0.9, 0.9), 0.1 + radius },
            { 0, speed * std::sin(grazing), -speed * std::cos(grazing) }, radius, 2600);
        }
        auto run = march(scene, parameters, device(), parameters.frameInterval);
        const Report report = run->report();
        const std::string name =
          std::string(nameOf(cut)) + ", radius " + shown(radius) + ", grazing " + shown(grazing);
        EXPECT_EQ(test::lossOf(report, "went through the terrain").count, 0) << name;
        EXPECT_EQ(report.particles, 144) << name;
        const Snapshot now(*run);
        for (std::size_t i = 0; i < now.count(); ++i)
          EXPECT_GT(now.velocity(i).z, 0) << name << " " << i;
      }
    }
  }
}

TEST_P(GranularTerrain, WhoComesThroughASheetFromBelowGainsNothing)
{
  // Thrown up from between two sheets: through the upper one, and only half through it.
  for (const auto& [rise, rest] : { std::pair{ 30.0, 20.0 }, std::pair{ 10.2, 0.0 } })
  {
    Scene scene;
    scene.surfaces.push_back(planeTerrain(20));
    scene.surfaces.push_back(moved(planeTerrain(20), 0, 0, 20));
    scene.seeds.add({ 1, 2, 10 }, { 0, 0, std::sqrt(2 * 9.81 * rise) }, kRadius, 2600);
    auto run = createGranularFlow(scene, {}, device());
    const auto energy = [&] { return run->report().kineticEnergy + run->report().potentialEnergy; };
    const double before = energy();
    for (int frame = 1; frame <= 120; ++frame)
    {
      advance(*run, 0.1 * frame);
      ASSERT_LT(energy(), before * (1 + 1e-4)) << rise << " " << frame;
    }
    EXPECT_NEAR(Snapshot(*run).position(0).z, rest + kRadius, 0.01) << rise;
  }
}

TEST_P(GranularTerrain, WhoRollsThroughAWallFromItsBackGainsNothing)
{
  for (const double direction : { 1.0, -1.0 })
  {
    Scene scene;
    scene.surfaces.push_back(planeTerrain(20));
    Surface wall; // faces +x
    wall.points = { 0, -9, -3, 0, 9, -3, 0, 9, 6, 0, -9, 6 };
    wall.triangles = { 0, 1, 2, 0, 2, 3 };
    scene.surfaces.push_back(wall);
    GranularFlowParameters parameters;
    parameters.greatestSpeed = 10;
    scene.seeds.add({ -4 * direction, 0.3, kRadius }, { 5 * direction, 0, 0 }, kRadius, 2600);
    auto run = createGranularFlow(scene, parameters, device());
    for (int frame = 1; frame <= 20; ++frame)
    {
      advance(*run, 0.1 * frame);
      ASSERT_LT(length(Snapshot(*run).velocity(0)), 5 * (1 + 1e-4)) << direction << " " << frame;
    }
    // From the back it goes on, from the front it is thrown back.
    EXPECT_GT(Snapshot(*run).position(0).x, kRadius) << direction;
  }
}

TEST_P(GranularTerrain, NothingPassesThroughMaungaWhau)
{
  // Fired at random places from above and from the side; nothing may fall through.
  for (const double shift : { 0.0, 9085000.0 })
  {
    GranularFlowParameters parameters;
    parameters.frameInterval = 0.1;
    parameters.terrainRestitution = 0.5;
    parameters.greatestOverlap = 0.2; // soft and coarse
    parameters.stepsPerContact = 8;
    parameters.travelPerStep = 0.5;
    Scene scene;
    const Surface terrain = maungaWhau(LAPILLI_DATA);
    scene.surfaces.push_back(moved(terrain, shift, -shift, 0));
    RandomStream random(9, RandomStream::Positions);
    const int n = kSanitized ? 150 : 1000;
    for (int i = 0; i < n; ++i)
    {
      const double x = random.uniform(150, 720), y = random.uniform(150, 460);
      scene.seeds.add({ shift + x, -shift + y, 230 + random.uniform(0, 200) },
        { random.uniform(-60, 60), random.uniform(-60, 60), -random.uniform(0, 100) },
        random.uniform(1, 3), 2600);
    }
    auto run = march(scene, parameters, device(), 4);
    const Report report = run->report();
    EXPECT_EQ(test::lossOf(report, "went through the terrain").count, 0);
    EXPECT_EQ(test::lossOf(report, "fell into a hole").count, 0);
    EXPECT_GT(report.particles, n / 2);
    std::int64_t lost = 0;
    for (const Loss& loss : report.losses)
      lost += loss.count;
    EXPECT_EQ(lost + report.particles, n);
    EXPECT_LT(report.greatestOverlap, 0.4);
    if (shift == 0)
      verify("Spheres fired at Maunga Whau that went through", "0 of " + std::to_string(n),
        std::to_string(test::lossOf(report, "went through the terrain").count),
        "one-sided terrain");
  }
}

TEST_P(GranularTerrain, LetsParticlesOutAtTheEdgeAndThroughHolesAndCountsThem)
{
  GranularFlowParameters parameters;
  parameters.frameInterval = 0.1;
  parameters.terrainRestitution = 0.3;
  Scene scene;
  // 20 x 20 with a hole of 4 x 4 in the middle.
  scene.surfaces.push_back(gridTerrain(-10, 10, 20, -10, 10, 20, flat,
    [](double x, double y) { return std::abs(x) > 2 || std::abs(y) > 2; }));
  scene.seeds.add({ 8, 5, 0.2 }, { 5, 0, 0 }, 0.2, 2600);      // over the edge
  scene.seeds.add({ 5, -8, 0.2 }, { 0, -5, 0 }, 0.2, 2600);    // over another
  scene.seeds.add({ 2.5, 0, 0.2 }, { -0.5, 0, 0 }, 0.2, 2600); // into the hole, slowly
  scene.seeds.add({ -6, 6, 0.2 }, { 0, 0, 0 }, 0.2, 2600);     // stays
  auto run = createGranularFlow(scene, parameters, device());
  advance(*run, 5);
  const Report report = run->report();
  EXPECT_EQ(report.particles, 1);
  EXPECT_EQ(test::lossOf(report, "left the map").count, 2);
  EXPECT_EQ(test::lossOf(report, "fell into a hole").count, 1);
  EXPECT_EQ(test::lossOf(report, "went through the terrain").count, 0);
  EXPECT_EQ(test::lossOf(report, "fell into a hole").firstIds, std::vector<std::int64_t>{ 2 });
  EXPECT_EQ(test::lossOf(report, "left the map").firstIds, (std::vector<std::int64_t>{ 0, 1 }));
  EXPECT_TRUE(agrees(report.massIn, 4 * report.mass, 1e-12));
  EXPECT_EQ(Snapshot(*run).id(0), 3);
}

TEST_P(GranularTerrain, RimOfAHoleDoesNotThrow)
{
  // Spheres meet the far rim of a hole with their centre above, at and below the sheet. A rim has
  // no inside: they may be turned back or let down, never be thrown out faster than they came. They
  // fall by 1.2 m on the way over the hole.
  GranularFlowParameters parameters;
  parameters.frameInterval = 0.02;
  parameters.greatestSpeed = 30;
  Scene scene;
  scene.surfaces.push_back(
    gridTerrain(-20, 20, 20, -200, 200, 2, flat, [](double x, double) { return std::abs(x) > 2; }));
  const int n = 60;
  for (int i = 0; i < n; ++i)
    scene.seeds.add({ -3, -150 + 5.0 * i, 1.85 - 0.02 * i }, { 10, 0, 0 }, kRadius, 2600);
  auto run = createGranularFlow(scene, parameters, device());
  double fastest = 0;
  for (int frame = 1; frame <= 50; ++frame)
  {
    advance(*run, frame * parameters.frameInterval);
    const Snapshot now(*run);
    for (std::size_t i = 0; i < now.count(); ++i)
      fastest = std::max(fastest, length(now.velocity(i)));
  }
  // 10 m/s and what they fall in a second.
  EXPECT_LT(fastest, std::sqrt(100 + 9.81 * 9.81) * 1.02);
}

TEST_P(GranularTerrain, CrowdFallsThroughANarrowHoleQuietly)
{
  GranularFlowParameters parameters;
  parameters.frameInterval = 0.05;
  parameters.greatestSpeed = 15;
  Scene scene;
  scene.surfaces.push_back(gridTerrain(
    -8, 8, 32, -8, 8, 32, [](double x, double y) { return 0.5 * std::sqrt(x * x + y * y); },
    [](double x, double y) { return x * x + y * y > 1.2 * 1.2; }));
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 10; ++j)
      for (int k = 0; k < (kSanitized ? 1 : 3); ++k)
        scene.seeds.add({ -3.2 + 0.7 * i, -3.2 + 0.7 * j, 3.5 + 0.7 * k }, { 0, 0, 0 }, 0.3, 2600);
  auto run = createGranularFlow(scene, parameters, device());
  double fastest = 0;
  for (int frame = 1; frame <= 80; ++frame)
  {
    advance(*run, frame * parameters.frameInterval);
    fastest = std::max(fastest, run->report().greatestSpeed);
  }
  EXPECT_GT(test::lossOf(run->report(), "fell into a hole").count, 10);
  EXPECT_EQ(test::lossOf(run->report(), "went through the terrain").count, 0);
  EXPECT_LT(fastest, std::sqrt(2 * 9.81 * 7)); // the whole height of the heap
}
