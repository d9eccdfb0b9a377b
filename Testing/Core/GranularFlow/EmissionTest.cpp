// Particles that come from nozzles while a run goes on: how many, where, and what happens without room.
#include "ClumpShapes.h"
#include "Compare.h"
#include "Runs.h"
#include "Terrains.h"

#include <algorithm>
#include <limits>
#include <map>

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kGravity = 9.81;

double massOf(double radius, double density)
{
  return density * 4 / 3 * M_PI * radius * radius * radius;
}

Nozzle nozzleOf(const std::vector<Pulse>& pulses, double radius)
{
  Nozzle nozzle;
  nozzle.pulses = pulses;
  nozzle.radii.radius = radius;
  return nozzle;
}

/// A fountain over a plane from which part of the particles roll off.
Scene fountain()
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(4));
  Nozzle nozzle = nozzleOf({ { 0, 0.5, 40, 6 }, { 0.75, 1.25, 100, 5 } }, 0.1);
  nozzle.radii.radiusLaw = RadiusLaw::Uniform;
  nozzle.radii.smallestRadius = 0.05;
  nozzle.radii.largestRadius = 0.12;
  nozzle.position = { 0.5, 0, 0.7 };
  nozzle.direction = { 0.3, 0, 1 };
  nozzle.openingRadius = 0.4;
  nozzle.spread = 15;
  scene.nozzles.push_back(nozzle);
  return scene;
}

/// Five nozzles that take turns by mass, with openings that reach below the ground.
Scene fissure()
{
  Scene scene = fountain();
  Nozzle nozzle = scene.nozzles[0];
  nozzle.rateUnit = RateUnit::KilogramsPerSecond;
  nozzle.pulses = { { 0, 0.5, 80, 4 }, { 0.75, 1.25, 150, 5 } };
  nozzle.openingNormal = { 1, 0, 0.2 };
  nozzle.turns = 5;
  scene.nozzles.assign(5, nozzle);
  for (int k = 0; k < 5; ++k)
  {
    scene.nozzles[static_cast<std::size_t>(k)].position = { 0.1 * k, k - 2.0, 0.3 };
    scene.nozzles[static_cast<std::size_t>(k)].turn = 2 * k % 5;
  }
  return scene;
}

GranularFlowParameters parametersOf(double frameInterval)
{
  GranularFlowParameters parameters;
  parameters.frameInterval = frameInterval;
  return parameters;
}

double lostMass(const Report& report)
{
  double mass = 0;
  for (const Loss& loss : report.losses)
    mass += loss.mass;
  return mass;
}

/// A slow nozzle between the terrain and a lid, which has room for few.
Scene blocked()
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(6, [](double x, double) { return -0.5 * x; }));
  Nozzle nozzle = nozzleOf({ { 0, 0.5, 40, 0 } }, 0.2);
  nozzle.position = { -3, 0, 2.1 };
  scene.nozzles.push_back(nozzle);
  return scene;
}

bool hasNote(const Report& report, const std::string& word)
{
  return std::any_of(report.notes.begin(), report.notes.end(),
    [&](const std::string& note) { return note.find(word) != std::string::npos; });
}

std::string refusal(const Scene& scene, const GranularFlowParameters& parameters = {})
{
  return messageOf<InvalidInput>(
    [&] {
      createGranularFlow(scene, parameters, { DeviceKind::Cpu, 1 });
    });
}

} // namespace

class GranularEmission : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularEmission);

TEST_P(GranularEmission, CountsAndMassAreExactAtEveryFrame)
{
  const Scene scene = fountain();
  auto run = createGranularFlow(scene, parametersOf(0.0625), device());
  double worst = 0;
  for (int frame = 0; frame <= 48; ++frame)
  {
    const double t = 0.0625 * frame;
    advance(*run, t);
    const double asked = 40 * std::min(t, 0.5) + 100 * std::clamp(t - 0.75, 0.0, 0.5) + 1e-9;
    const Report report = run->report();
    EXPECT_EQ(report.emitted + report.waiting, static_cast<std::int64_t>(asked)) << t;
    EXPECT_EQ(report.waiting, 0) << t;
    std::int64_t lost = 0;
    for (const Loss& loss : report.losses)
      lost += loss.count;
    EXPECT_EQ(report.particles + lost, report.emitted) << t;
    const double scale = std::max(1.0, report.massEmitted);
    EXPECT_TRUE(agrees(report.massIn, report.massEmitted, 1e-12, scale)) << t;
    EXPECT_TRUE(agrees(report.mass + lostMass(report), report.massEmitted, 1e-12, scale)) << t;
    worst = std::max(worst, std::abs(report.mass + lostMass(report) - report.massEmitted) / scale);
    if (frame == 48)
    {
      EXPECT_EQ(report.emitted, 70);
      EXPECT_GT(lost, 0);
    }
  }
  verify("Mass emitted less that present and lost, at every frame of a fountain", "0, 1e-12",
    shown(worst, 2), "balance of mass");
}

TEST_P(GranularEmission, ParticlesFlyFromTheirTimeOnByTheClosedForm)
{
  // 1,000 a second in steps of about 5 ms: several due within one step, so they must not meet: a wide opening.
  Scene scene;
  Nozzle nozzle = nozzleOf({ { 0.1, 0.4, 1000, 20 } }, 0.02);
  nozzle.position = { 1, 2, 3 };
  nozzle.direction = { 1, 0, 1 };
  nozzle.openingRadius = 20;
  scene.nozzles.push_back(nozzle);
  GranularFlowParameters parameters = parametersOf(0.25);
  parameters.travelPerStep = 0.5;
  auto run = march(scene, parameters, device(), 1);
  const Snapshot now(*run);
  ASSERT_EQ(now.count(), 300u);
  const Vec3d axis = normalized(Vec3d{ 1, 0, 1 });
  double worst = 0;
  for (std::size_t i = 0; i < now.count(); ++i)
  {
    const double age = 1 - (0.1 + (i + 1) / 1000.0);
    EXPECT_EQ(now.id(i), static_cast<std::int64_t>(i));
    EXPECT_TRUE(agrees(now.scalar("age", i), age, 1e-6));
    const Vec3d velocity = 20.0 * axis - Vec3d{ 0, 0, kGravity * age };
    EXPECT_TRUE(agrees(now.velocity(i), velocity, 1e-6, 20));
    // Back along the flight: the place of birth lies in the plane of the opening.
    const Vec3d birth =
      now.position(i) - age * 20 * axis + Vec3d{ 0, 0, 0.5 * kGravity * age * age };
    const Vec3d off = birth - Vec3d{ 1, 2, 3 };
    EXPECT_LT(std::abs(dot(off, axis)), 1e-6 * 20 * age + 1e-9) << i;
    EXPECT_LE(length(off), 20 + 1e-6) << i;
    worst = std::max(worst, std::abs(dot(off, axis)));
  }
  EXPECT_LT(run->report().greatestOverlap, 1e-6);
  verify("Emitted particles traced back to the plane of their opening, ages 0.6 to 0.9 s",
    "0 m, 1e-6 of the way", shown(worst, 2) + " m", "parabola from the time they were due");
}

TEST_P(GranularEmission, TwoSourcesHaveTheirOwnMaterialsNumbersAndMaps)
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(5));
  scene.materials = { { 0, 5e9, 0.25 }, { 4, 1e9, 0.3 } };
  Nozzle a = nozzleOf({ { 0, 1, 5, 1 } }, 0.1), b = nozzleOf({ { 0, 1, 10, 1 } }, 0.15);
  a.position = { -2, 0, 2 };
  a.sourceId = 3;
  a.temperature = 900;
  a.density = 2000;
  a.direction = { 1, 0, 0 };
  b.position = { 2, 0, 2 };
  b.sourceId = 8;
  b.material = 4;
  b.direction = { -1, 0, 0 };
  b.openingRadius = 0.5;
  scene.nozzles = { a, b };
  GranularFlowParameters parameters = parametersOf(0.5);
  // Material 4 bounces, 0 does not.
  parameters.materialPairs = { { 0, 0, 0.1, 0.5, 0, 0 }, { 0, 4, 0.1, 0.5, 0, 0 },
    { 4, 4, 0.9, 0.1, 0, 0 }, { 0, MaterialPair::kTerrain, 0.05, 0.5, 0, 0 },
    { 4, MaterialPair::kTerrain, 0.9, 0.1, 0, 0 } };
  auto run = march(scene, parameters, device(), 1.5);
  Frame frame;
  run->read(frame);
  const Snapshot now(*run);
  ASSERT_EQ(now.count(), 15u);
  const auto& sources = now.points.array("source_id").as<std::int32_t>();
  int ofA = 0;
  double highA = 0, highB = 0;
  for (std::size_t i = 0; i < now.count(); ++i)
  {
    const bool isA = sources[i] == 3;
    EXPECT_TRUE(isA || sources[i] == 8);
    ofA += isA;
    EXPECT_EQ(now.scalar("temperature", i), isA ? 900.0f : 293.15f);
    EXPECT_EQ(now.scalar("density", i), isA ? 2000 : 2600);
    EXPECT_TRUE(agrees(now.scalar("radius", i), isA ? 0.1 : 0.15, 1e-6));
    if (now.scalar("age", i) > 0.9)
      (isA ? highA : highB) = std::max(isA ? highA : highB, now.position(i).z);
  }
  EXPECT_EQ(ofA, 5);
  EXPECT_LT(highA, 0.4);
  EXPECT_GT(highB, 0.5);
  const SurfaceField& field = frame.surfaceField("terrain");
  const auto sum = [&](const char* name)
  {
    double total = 0;
    for (const float v : field.array(name).as<float>())
      total += v;
    return total;
  };
  EXPECT_GE(sum("passes_source_3"), 5);
  EXPECT_GE(sum("passes_source_8"), 10);
  EXPECT_EQ(sum("passes_source_3") + sum("passes_source_8"), sum("passes"));
}

TEST_P(GranularEmission, NumbersFollowTheSeedsAndRiseWithTheAge)
{
  Scene scene = fountain();
  for (int k = 0; k < 7; ++k)
    scene.seeds.add({ -2 + 0.3 * k, 2, 0.12 }, { 0, 0, 0 }, 0.12, 2600);
  auto run = createGranularFlow(scene, parametersOf(0.25), device());
  std::vector<float> radiusById(200, 0);
  for (int frame = 1; frame <= 6; ++frame)
  {
    advance(*run, 0.25 * frame);
    const Snapshot now(*run);
    double age = kForever;
    for (std::size_t i = 0; i < now.count(); ++i)
    {
      const std::int64_t id = now.id(i);
      ASSERT_LT(id, 77);
      if (id < 7)
      {
        EXPECT_EQ(now.scalar("age", i), static_cast<float>(now.time));
        continue;
      }
      EXPECT_LT(now.scalar("age", i), age);
      age = now.scalar("age", i);
      float& radius = radiusById[static_cast<std::size_t>(id)];
      EXPECT_TRUE(radius == 0 || radius == now.points.array("radius").as<float>()[i]);
      radius = now.points.array("radius").as<float>()[i];
    }
  }
  EXPECT_EQ(run->report().emitted, 70);
}

TEST_P(GranularEmission, ABlockedNozzleWaitsSaysSoAndGivesAllInTheEnd)
{
  auto run = createGranularFlow(blocked(), parametersOf(0.25), device());
  bool hasWaited = false;
  for (int frame = 1; frame <= 40; ++frame)
  {
    advance(*run, 0.25 * frame);
    const Report report = run->report();
    EXPECT_EQ(report.emitted + report.waiting, frame == 1 ? 10 : 20) << frame;
    hasWaited = hasWaited || report.waiting > 0;
    EXPECT_EQ(hasNote(report, "nozzle 0 is blocked"), hasWaited);
    if (report.waiting == 0)
      break;
  }
  EXPECT_TRUE(hasWaited);
  EXPECT_EQ(run->report().emitted, 20);
  EXPECT_EQ(run->report().waiting, 0);
  // From rest one after the other: contacts are those of falling, not of being put into one another.
  EXPECT_LT(run->report().greatestOverlap, 0.1);
  // Without a way out none comes.
  Scene closed = blocked();
  Surface lid = moved(planeTerrain(6, [](double x, double) { return -0.5 * x; }), 0, 0, 0.9);
  lid.role = SurfaceRole::Obstacle;
  lid.sides = SurfaceSides::Two;
  closed.surfaces.push_back(lid);
  closed.nozzles[0].position[2] = 1.95;
  closed.nozzles[0].radii.radius = 0.45;
  auto stuck = march(closed, parametersOf(0.25), device(), 1);
  EXPECT_EQ(stuck->report().emitted, 0);
  EXPECT_EQ(stuck->report().waiting, 20);
  EXPECT_EQ(stuck->report().particles, 0);
  EXPECT_TRUE(hasNote(stuck->report(), "blocked"));
}

TEST_P(GranularEmission, NoneComesFromBelowTheTerrainOrWithinAnObstacle)
{
  // An opening upright on the ground, with its lower part below it and a house in its way.
  Scene scene;
  scene.surfaces.push_back(planeTerrain(8));
  Surface house = boxContainer({ -0.5, 1, -0.5 }, { 2, 3, 5 }, false);
  for (std::size_t k = 0; k < house.triangles.size(); k += 3)
    std::swap(house.triangles[k], house.triangles[k + 1]);
  house.role = SurfaceRole::Obstacle;
  scene.surfaces.push_back(house);
  Nozzle nozzle = nozzleOf({ { 0, 1, 100, 1 } }, 0.05);
  nozzle.position = { 0, 0, 1.5 };
  nozzle.direction = { 1, 0, 0 };
  nozzle.openingRadius = 3;
  scene.nozzles.push_back(nozzle);
  GranularFlowParameters parameters = parametersOf(0.0625);
  auto run = createGranularFlow(scene, parameters, device());
  EXPECT_TRUE(hasNote(run->report(), "nozzle 0 at (0, 0, 1.5) reaches "));
  for (int frame = 1; frame <= 16; ++frame)
  {
    advance(*run, 0.0625 * frame);
    const Snapshot now(*run);
    for (std::size_t i = 0; i < now.count(); ++i)
    {
      const Vec3d p = now.position(i);
      EXPECT_GT(p.z, 0);
      EXPECT_FALSE(p.x > -0.5 && p.x < 2 && p.y > 1 && p.y < 3 && p.z < 5) << p.y << " " << p.z;
    }
  }
  const Report report = run->report();
  EXPECT_GE(report.emitted, 99);
  EXPECT_EQ(test::lossOf(report, "went through the terrain").count, 0);
}

TEST_P(GranularEmission, NozzlesThatTakeTurnsGiveTheMassThatIsDue)
{
  auto run = createGranularFlow(fissure(), parametersOf(0.25), device());
  const double largest = massOf(0.12, 2600);
  for (int frame = 1; frame <= 8; ++frame)
  {
    const double t = 0.25 * frame;
    advance(*run, t);
    const double due = 5 * (80 * std::min(t, 0.5) + 150 * std::clamp(t - 0.75, 0.0, 0.5));
    const Report report = run->report();
    EXPECT_LE(report.massEmitted, due * (1 + 1e-9)) << t;
    if (report.waiting == 0)
    {
      EXPECT_GT(report.massEmitted, due - largest) << t;
    }
  }
  EXPECT_EQ(run->report().waiting, 0);
  EXPECT_EQ(test::lossOf(run->report(), "went through the terrain").count, 0);
}

TEST_P(GranularEmission, NothingOverlapsWhereItComesOut)
{
  // Fast enough to make room one by one: a column of spheres that follow each other at 2.2 radii.
  Scene scene;
  Nozzle nozzle = nozzleOf({ { 0, 1, 2 / 0.22, 2 } }, 0.1);
  scene.nozzles.push_back(nozzle);
  GranularFlowParameters parameters = parametersOf(0.25);
  parameters.gravity = { 0, 0, 0 };
  auto run = march(scene, parameters, device(), 2);
  EXPECT_EQ(run->report().emitted, 9);
  EXPECT_EQ(run->report().greatestOverlap, 0);
  EXPECT_FALSE(hasNote(run->report(), "blocked"));
  const Snapshot now(*run);
  for (std::size_t i = 1; i < now.count(); ++i)
    EXPECT_TRUE(agrees(length(now.position(i) - now.position(i - 1)), 0.22, 1e-6));
  // At 1.8 radii they wait for one another.
  scene.nozzles[0].pulses[0].rate = 2 / 0.18;
  auto dense = march(scene, parameters, device(), 2);
  EXPECT_EQ(dense->report().emitted, 11);
  EXPECT_LT(dense->report().greatestOverlap, 1e-5);
  EXPECT_TRUE(hasNote(dense->report(), "blocked"));
}

TEST_P(GranularEmission, AnEmptyRunHasNoParticlesUntilTheFirstComes)
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(5));
  Nozzle nozzle = nozzleOf({ { 1, 2, 4, 1 } }, 0.1);
  nozzle.position = { 0, 0, 1 };
  scene.nozzles.push_back(nozzle);
  auto run = createGranularFlow(scene, parametersOf(0.25), device());
  EXPECT_EQ(Snapshot(*run).count(), 0u);
  advance(*run, 1);
  EXPECT_EQ(Snapshot(*run).count(), 0u);
  EXPECT_EQ(run->report().particles, 0);
  EXPECT_EQ(run->report().massIn, 0);
  advance(*run, 1.25);
  EXPECT_EQ(Snapshot(*run).count(), 1u);
  EXPECT_EQ(Snapshot(*run).scalar("age", 0), 0);
  EXPECT_EQ(Snapshot(*run).position(0).z, 1);
  advance(*run, 5);
  EXPECT_EQ(run->report().emitted, 4);
}

TEST_P(GranularEmission, FramesAskedOneByOneOrAtOnceAreTheSameBits)
{
  for (const Scene& scene : { fountain(), blocked(), fissure() })
  {
    auto atOnce = march(scene, parametersOf(0.125), device(), 1.5);
    auto oneByOne = createGranularFlow(scene, parametersOf(0.125), device());
    for (int frame = 1; frame <= 12; ++frame)
    {
      advance(*oneByOne, 0.125 * frame);
      savedBytes(*oneByOne);
    }
    EXPECT_EQ(hashOf(*atOnce), hashOf(*oneByOne));
    EXPECT_EQ(savedBytes(*atOnce), savedBytes(*oneByOne));
  }
}

TEST_P(GranularEmission, GoesOnFromACheckpointWithTheSameBits)
{
  // In the middle of a pulse, between two, while blocked, before the first.
  for (const Scene& scene : { fountain(), blocked(), fissure() })
  {
    for (const double middle : { 0.0, 0.125, 0.375, 0.625, 1.0 })
    {
      auto run = march(scene, parametersOf(0.125), device(), middle);
      const std::vector<std::uint8_t> bytes = savedBytes(*run);
      auto other = createGranularFlow(scene, parametersOf(0.125), device());
      restoreBytes(*other, bytes);
      EXPECT_EQ(savedBytes(*other), bytes);
      EXPECT_EQ(other->report().emitted, run->report().emitted);
      EXPECT_EQ(other->report().waiting, run->report().waiting);
      for (const double time : { middle + 0.125, 2.0 })
      {
        advance(*run, time);
        advance(*other, time);
        EXPECT_EQ(hashOf(*run), hashOf(*other)) << middle << " to " << time;
        EXPECT_EQ(savedBytes(*run), savedBytes(*other)) << middle << " to " << time;
      }
      // Back in time in a run that has others by now.
      restoreBytes(*other, bytes);
      advance(*other, 2);
      EXPECT_EQ(hashOf(*run), hashOf(*other)) << middle;
    }
  }
}

TEST_P(GranularEmission, WorksAcrossPeriodicSidesAndLosesAtOpenOnes)
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(10));
  scene.domain.used = true;
  scene.domain.lower = { -2, -1, -1 };
  scene.domain.upper = { 2, 1, 5 };
  scene.domain.sides[2] = scene.domain.sides[3] = DomainSide::Periodic;
  Nozzle nozzle = nozzleOf({ { 0, 2, 50, 3 } }, 0.05);
  nozzle.position = { 0, 0.9, 1 };
  nozzle.direction = { 0.5, 1, 0 };
  nozzle.openingRadius = 0.4; // reaches over the side
  scene.nozzles.push_back(nozzle);
  auto run = createGranularFlow(scene, parametersOf(0.25), device());
  for (int frame = 1; frame <= 16; ++frame)
  {
    advance(*run, 0.25 * frame);
    const Snapshot now(*run);
    for (std::size_t i = 0; i < now.count(); ++i)
      ASSERT_LE(std::abs(now.position(i).y), 1 + 0.1);
  }
  const Report report = run->report();
  EXPECT_EQ(report.emitted, 100);
  const Loss& gone = test::lossOf(report, "left the domain");
  EXPECT_GT(gone.count, 10);
  EXPECT_EQ(gone.count + report.particles, 100);
  EXPECT_TRUE(agrees(gone.mass, gone.count * massOf(0.05, 2600), 1e-12));
  EXPECT_TRUE(agrees(report.massIn, report.massEmitted, 1e-12));
  EXPECT_LT(report.greatestOverlap, 0.3);
}

TEST_P(GranularEmission, ClumpsComeWholeAndInTheirNumber)
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(6));
  scene.shapes = { standardShape("bar"), standardShape("cube") };
  Nozzle bars = nozzleOf({ { 0, 1, 8, 2 } }, 0.15), spheres = nozzleOf({ { 0, 1, 8, 2 } }, 0.1);
  bars.shape = 0;
  bars.position = { -1, 0, 2 };
  bars.openingRadius = 0.5;
  spheres.position = { 1.5, 0, 2 };
  scene.nozzles = { bars, spheres };
  scene.seeds.add({ 0, 3, 1 }, { 0, 0, 0 }, 0.2, 2600);
  scene.seeds.shapes = { 1 };
  auto run = march(scene, parametersOf(0.25), device(), 2);
  const Report report = run->report();
  EXPECT_EQ(report.particles, 17);
  EXPECT_EQ(report.emitted, 16);
  const std::size_t cube = scene.shapes[1].count();
  const Snapshot now(*run);
  EXPECT_EQ(now.count(), 8 + 8 * 5 + cube);
  std::map<std::int64_t, std::size_t> spheresOf;
  for (std::size_t i = 0; i < now.count(); ++i)
    ++spheresOf[now.id(i)];
  EXPECT_EQ(spheresOf.size(), 17u);
  EXPECT_EQ(spheresOf.at(0), cube);
  EXPECT_TRUE(agrees(report.massEmitted, 8 * (massOf(0.15, 2600) + massOf(0.1, 2600)), 1e-12));
  EXPECT_TRUE(agrees(report.massIn, report.massEmitted + massOf(0.2, 2600), 1e-12));
  auto other = createGranularFlow(scene, parametersOf(0.25), device());
  auto middle = march(scene, parametersOf(0.25), device(), 0.5);
  restoreBytes(*other, savedBytes(*middle));
  advance(*other, 2);
  EXPECT_EQ(hashOf(*other), hashOf(*run));
}

TEST(GranularEmissionThreads, DoNotChangeABit)
{
  for (const Scene& scene : { fountain(), blocked(), fissure() })
  {
    std::vector<std::uint64_t> hashes;
    for (const int threads : { 1, 2, 3 })
      hashes.push_back(
        hashOf(*march(scene, parametersOf(0.125), { DeviceKind::Cpu, threads }, 1.5)));
    EXPECT_EQ(hashes[1], hashes[0]);
    EXPECT_EQ(hashes[2], hashes[0]);
  }
}

TEST(GranularEmissionInput, NozzlesThatCannotWorkAreRefused)
{
  Scene scene = fountain();
  scene.nozzles.push_back(scene.nozzles[0]);
  const auto place = [&](double x, double y, double z)
  {
    Scene there = scene;
    there.nozzles[1].position = { x, y, z };
    return there;
  };
  const std::string below = refusal(place(0, 0, -0.1)), outside = refusal(place(4.1, 0, 1));
  EXPECT_NE(below.find("nozzle 1 at (0, 0, -0.1) lies below the terrain"), std::string::npos)
    << below;
  EXPECT_NE(outside.find("nozzle 1"), std::string::npos) << outside;
  EXPECT_NE(outside.find("outside the terrain's map"), std::string::npos) << outside;
  Scene inBox = place(2, 2, 1);
  Surface box = boxContainer({ 1, 1, 0.5 }, { 3, 3, 2 }, false);
  for (std::size_t k = 0; k < box.triangles.size(); k += 3)
    std::swap(box.triangles[k], box.triangles[k + 1]);
  box.role = SurfaceRole::Obstacle;
  box.name = "house";
  inBox.surfaces.push_back(box);
  EXPECT_NE(refusal(inBox).find("inside an obstacle"), std::string::npos);
  Scene inDomain = place(2, 2, 1);
  inDomain.domain.used = true;
  inDomain.domain.lower = { -1, -1, -1 };
  inDomain.domain.upper = { 1, 1, 5 };
  EXPECT_NE(refusal(inDomain).find("outside the domain"), std::string::npos);
  // And bad numbers by the check of the nozzle.
  Scene bad = scene;
  bad.nozzles[1].spread = 91;
  EXPECT_NE(refusal(bad).find("spread of nozzle 1 is 91"), std::string::npos);
}

TEST(GranularEmissionInput, ASourceIsToldOnceThatItsNozzlesHaveNoRoom)
{
  // On the ground, where the largest reaches half into it.
  Scene scene;
  scene.surfaces.push_back(planeTerrain(5));
  for (int k = 0; k < 4; ++k)
  {
    scene.nozzles.push_back(nozzleOf({ { 0, 1, 5, 1 } }, 0.3));
    scene.nozzles.back().position = { 2.0 * k - 3, 0, 0 };
    scene.nozzles.back().sourceId = 6;
  }
  const auto notesOf = [](const Scene& of)
  {
    const auto run = march(of, parametersOf(0.25), { DeviceKind::Cpu, 1 }, 0.5);
    return run->report();
  };
  const Report report = notesOf(scene);
  EXPECT_EQ(report.emitted, 0);
  EXPECT_EQ(std::count_if(report.notes.begin(), report.notes.end(),
              [](const std::string& n) { return n.find("nozzle") != std::string::npos; }),
    1);
  EXPECT_TRUE(hasNote(report, "4 nozzles of source 6 are blocked by a surface"));
  EXPECT_TRUE(hasNote(report, "raise the source by 0.3 m"));
  scene.nozzles.resize(1);
  EXPECT_TRUE(hasNote(notesOf(scene), "nozzle 0 at (-3, 0, 0) is blocked by a surface"));
  scene.nozzles[0].position[2] = 0.3 * (1 + 1e-9);
  const Report raised = notesOf(scene);
  EXPECT_GT(raised.emitted, 0);
  EXPECT_FALSE(hasNote(raised, "by a surface"));
  // Four in the same place are in one another's way, which is one note too.
  scene.nozzles[0].position[2] = 1;
  scene.nozzles[0].pulses[0].speed = 0;
  scene.nozzles.resize(4, scene.nozzles[0]);
  const Report crowd = notesOf(scene);
  EXPECT_TRUE(hasNote(crowd, "nozzles of source 6, first nozzle"));
  EXPECT_TRUE(hasNote(crowd, "blocked at times"));
}

TEST(GranularEmissionInput, AnOpeningMostlyOfNoUseIsRefused)
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(5));
  scene.nozzles.push_back(nozzleOf({ { 0, 1, 5, 1 } }, 0.1));
  Nozzle& nozzle = scene.nozzles[0];
  nozzle.position = { 0, 0, 1 };
  nozzle.openingRadius = 1000;
  EXPECT_NE(
    refusal(scene).find("opening radius of nozzle 0 at (0, 0, 1) is 1000 m, and 99 % of the "
                        "opening lies outside the terrain's map; at most 90 %"),
    std::string::npos)
    << refusal(scene);
  // A flat one is well above the ground, whatever the direction; upright half of it would be below.
  nozzle.direction = { 1, 0, -1 };
  nozzle.openingRadius = 4;
  nozzle.openingNormal = { 0, 0, 1 };
  EXPECT_NO_THROW(createGranularFlow(scene, {}, { DeviceKind::Cpu, 1 }));
  nozzle.openingNormal = { 1, 0, 0 };
  const auto notes = createGranularFlow(scene, {}, { DeviceKind::Cpu, 1 })->report();
  EXPECT_TRUE(hasNote(notes, "nozzle 0 at (0, 0, 1) reaches below the terrain with 3"));
}

TEST(GranularEmissionInput, WhatWouldFillTheMemoryIsRefusedBeforehand)
{
  Scene scene = fountain();
  GranularFlowParameters parameters;
  const double few = estimateGranularFlow(scene, parameters).memory;
  EXPECT_EQ(estimateGranularFlow(scene, parameters).particles, 70);
  // Up to the planned end alone.
  parameters.plannedEnd = 0.25;
  EXPECT_EQ(estimateGranularFlow(scene, parameters).particles, 10);
  EXPECT_TRUE(agrees(few - estimateGranularFlow(scene, parameters).memory, 60 * 1300.0, 0.01));
  // A pulse without end counts up to the planned end.
  scene.nozzles[0].pulses = { { 0, kForever, 1e6, 5 } };
  parameters.plannedEnd = 100;
  parameters.memoryLimit = 1e15;
  EXPECT_EQ(estimateGranularFlow(scene, parameters).particles, 100000000);
  parameters.memoryLimit = 1e9;
  const std::string text = refusal(scene, parameters);
  EXPECT_NE(text.find("100000000 particles need about"), std::string::npos) << text;
  EXPECT_NE(text.find("lower the rates"), std::string::npos) << text;
  parameters.memoryLimit = 0;
  scene.nozzles[0].pulses[0].rate = 1e12;
  EXPECT_NE(refusal(scene, parameters).find("1e9"), std::string::npos);
  // Planned shorter it goes, and bits do not depend on the plan.
  scene = fountain();
  parameters = {};
  auto one = march(scene, parameters, { DeviceKind::Cpu, 1 }, 0.5);
  parameters.plannedEnd = 0.1;
  auto two = march(scene, parameters, { DeviceKind::Cpu, 1 }, 0.5);
  EXPECT_EQ(hashOf(*one), hashOf(*two));
}
