// Obstacles and what they bear; domains with walls, open and periodic sides; at the origin and 20 km away.
#include "Compare.h"
#include "Math/Random.h"
#include "Runs.h"
#include "SurfaceRepair.h"
#include "Terrains.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kRadius = 0.5;
const double kMass = 2600 * 4.0 / 3 * M_PI * kRadius * kRadius * kRadius;

Vec3d vectorOf(const std::array<double, 3>& v)
{
  return { v[0], v[1], v[2] };
}

const ObstacleForce& obstacle(const Report& report, const std::string& name)
{
  for (const ObstacleForce& force : report.obstacles)
    if (force.name == name)
      return force;
  throw InvalidInput("there is no obstacle '" + name + "'");
}

Domain boxDomain(const Vec3d& lower, const Vec3d& upper, DomainSide sides)
{
  Domain domain;
  domain.used = true;
  domain.lower = { lower.x, lower.y, lower.z };
  domain.upper = { upper.x, upper.y, upper.z };
  domain.sides.fill(sides);
  return domain;
}

Surface slabAt(double away, double half = 40)
{
  Surface slab = planeTerrain(half);
  slab.role = SurfaceRole::Obstacle;
  slab.name = "slab";
  return moved(slab, away, away, 0);
}

/// Makes the local origin stay at zero.
void widen(Scene& scene)
{
  Surface far = planeTerrain(kFar + 1000, [](double, double) { return -50.0; });
  scene.surfaces.push_back(far);
}

/// Hertz, rolling friction, an obstacle, periodic sides along x and y, a floor and balls of two materials.
Scene mixedScene()
{
  Scene scene;
  scene.domain = boxDomain({ 0, 0, -2 }, { 12, 10, 30 }, DomainSide::Periodic);
  scene.domain.sides[4] = DomainSide::Wall;
  scene.domain.sides[5] = DomainSide::Open;
  Surface block = boxContainer({ 4, 4, -1 }, { 7, 7, 1 }, false);
  for (std::size_t t = 0; t < block.triangles.size(); t += 3)
    std::swap(block.triangles[t], block.triangles[t + 1]); // front outwards
  block.role = SurfaceRole::Obstacle;
  block.name = "block";
  scene.surfaces.push_back(block);
  RandomStream random(61, RandomStream::Positions);
  for (int k = 0; k < 6; ++k)
    for (int j = 0; j < 8; ++j)
      for (int i = 0; i < 10; ++i)
      {
        const double vx = random.uniform(-4, 4), vy = random.uniform(-4, 4);
        scene.seeds.add({ 0.3 + 1.18 * i, 0.3 + 1.2 * j, 2 + 1.2 * k }, { vx, vy, -3 },
          random.uniform(0.35, 0.55), 2600);
        scene.seeds.materials.push_back(i % 2);
      }
  scene.materials = { { 0, 1e8, 0.25 }, { 1, 3e7, 0.3 } };
  return scene;
}

GranularFlowParameters mixedParameters()
{
  GranularFlowParameters parameters;
  parameters.contactLaw = ContactLaw::HertzMindlin;
  parameters.rollingFriction = 0.1;
  parameters.terrainRollingFriction = 0.2;
  parameters.cohesion = 1000;
  parameters.greatestSpeed = 10;
  parameters.airDensity = 1.2;
  parameters.wind = { { 0, { 5, 0, 0 } } };
  parameters.frameInterval = 0.1;
  return parameters;
}

} // namespace

class GranularObstacle : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularObstacle);

TEST_P(GranularObstacle, ReportsTheWeightOfARestingBall)
{
  for (const ContactLaw law : { ContactLaw::LinearSpring, ContactLaw::HertzMindlin })
  {
    for (const double away : { 0.0, kFar })
    {
      GranularFlowParameters parameters;
      parameters.contactLaw = law;
      parameters.greatestSpeed = 3;
      Scene scene;
      scene.surfaces.push_back(slabAt(away));
      widen(scene);
      scene.seeds.add({ away, away, kRadius }, { 0, 0, 0 }, kRadius, 2600);
      auto run = march(scene, parameters, device(), 3);
      const Report report = run->report();
      const ObstacleForce& slab = obstacle(report, "slab");
      EXPECT_TRUE(agrees(vectorOf(slab.force), Vec3d{ 0, 0, -9.81 * kMass }, 1e-4, 9.81 * kMass));
      EXPECT_TRUE(agrees(vectorOf(slab.force), -vectorOf(report.supportForce), 1e-6, 9.81 * kMass));
      EXPECT_GE(slab.greatestForce, length(vectorOf(slab.force)) * (1 - 1e-6));
      verify(std::string("Ball at rest on an obstacle, ") +
               (law == ContactLaw::HertzMindlin ? "Hertz" : "linear") + awayName(away),
        shown(-9.81 * kMass, 6) + " N, 1e-4", shown(slab.force[2], 6) + " N", "weight");
    }
  }
}

TEST_P(GranularObstacle, BearsTheChangeOfMomentumOfAnImpact)
{
  for (const ContactLaw law : { ContactLaw::LinearSpring, ContactLaw::HertzMindlin })
  {
    for (const double away : { 0.0, kFar })
    {
      GranularFlowParameters parameters;
      parameters.contactLaw = law;
      parameters.gravity = { 0, 0, 0 };
      parameters.frameInterval = 0.5;
      Scene scene;
      scene.surfaces.push_back(slabAt(away));
      widen(scene);
      scene.seeds.add({ away, away, 1 }, { 3, 1, -5 }, kRadius, 2600);
      auto run = createGranularFlow(scene, parameters, device());
      const Vec3d before = vectorOf(run->report().momentum);
      advance(*run, 0.5);
      const Report report = run->report();
      const Vec3d given = before - vectorOf(report.momentum);
      const ObstacleForce& slab = obstacle(report, "slab");
      EXPECT_TRUE(agrees(vectorOf(slab.impulse), given, 1e-5, length(given)));
      EXPECT_TRUE(agrees(0.5 * vectorOf(slab.force), given, 1e-5, length(given)));
      EXPECT_GT(slab.greatestForce, 2 * length(vectorOf(slab.force))); // contacts are short
      EXPECT_GT(length(given), kMass * 5);
      verify(std::string("Impulse on an obstacle, ") +
               (law == ContactLaw::HertzMindlin ? "Hertz" : "linear") + awayName(away),
        "change of momentum, 1e-5",
        shown(length(vectorOf(slab.impulse) - given) / length(given), 2) + " relative",
        "action equals reaction");
    }
  }
}

TEST_P(GranularObstacle, AllTogetherBearWhatSupportsTheParticles)
{
  auto run = march(mixedScene(), mixedParameters(), device(), 1);
  const Report report = run->report();
  Vec3d sum;
  double scale = 0;
  for (const ObstacleForce& one : report.obstacles)
  {
    sum += vectorOf(one.force);
    scale += length(vectorOf(one.force));
  }
  EXPECT_EQ(report.obstacles.size(), 2u);
  EXPECT_GT(obstacle(report, "block").greatestForce, 0);
  EXPECT_TRUE(agrees(sum, -vectorOf(report.supportForce), 1e-6, scale));
}

/// A sheet at x = 0 from below the ground up, over |y| <= 5, its cells as small as the balls, as a user's extruded
/// line: no front.
Surface sheetAcross(double away)
{
  Surface sheet = gridTerrain(-5, 5, 10, -5, 5, 10, flat);
  for (std::size_t i = 0; i < sheet.points.size(); i += 3)
  {
    sheet.points[i + 2] = sheet.points[i];
    sheet.points[i] = 0;
  }
  sheet.role = SurfaceRole::Obstacle;
  const SurfaceRepair repair = repairSurface(sheet);
  Surface repaired = separateTwoSided(repair.surface, repair.twoSided).at(0);
  repaired.name = "sheet";
  return moved(repaired, away, away, 0);
}

TEST_P(GranularObstacle, ASheetStopsWhoComesFromEitherSide)
{
  for (const ContactLaw law : { ContactLaw::LinearSpring, ContactLaw::HertzMindlin })
    for (const double away : { 0.0, kFar })
      for (const double side : { -1.0, 1.0 })
      {
        GranularFlowParameters parameters;
        parameters.contactLaw = law;
        parameters.gravity = { 0, 0, 0 };
        parameters.terrainRestitution = 0.8;
        parameters.friction = parameters.terrainFriction = 0;
        parameters.stepsPerContact = 60;
        Scene scene;
        scene.surfaces.push_back(sheetAcross(away));
        widen(scene);
        scene.materials = { { 0, 1e8, 0.25 } };
        // Onto a face, an edge between two cells and a corner of four.
        for (const double y : { -3.7, 0.0, 3.0 })
          scene.seeds.add({ away + 1.5 * side, away + y, y == 0 ? 0.3 : 0.0 }, { -6 * side, 0, 0 },
            kRadius, 2600);
        auto run = march(scene, parameters, device(), 0.5);
        const Snapshot now(*run);
        for (std::size_t i = 0; i < 3; ++i)
        {
          EXPECT_GT(side * (now.position(i).x - away), kRadius) << i << awayName(away);
          EXPECT_TRUE(agrees(now.velocity(i), Vec3d{ 6 * 0.8 * side, 0, 0 }, 0.03, 6)) << i;
        }
        const double given = 3 * kMass * 6 * 1.8;
        const ObstacleForce sheet = obstacle(run->report(), "sheet");
        EXPECT_TRUE(agrees(sheet.impulse[0], -side * given, 0.03));
        if (side > 0)
          verify(std::string("Impulse of three balls on the back of a sheet, ") +
                   (law == ContactLaw::HertzMindlin ? "Hertz" : "linear") + awayName(away),
            shown(-given, 5) + " N s, 3 %", shown(sheet.impulse[0], 5) + " N s", "momentum");
      }
}

TEST_P(GranularObstacle, ASheetPushesBackWhoseCentreIsPressedThrough)
{
  for (const double away : { 0.0, kFar })
    for (const double side : { -1.0, 1.0 })
    {
      // Springs for a tenth of the speed: overlap up to 0.6 diameters.
      GranularFlowParameters parameters;
      parameters.gravity = { 0, 0, 0 };
      parameters.terrainRestitution = parameters.restitution = 1;
      parameters.terrainFriction = 0.5;
      parameters.greatestSpeed = 1;
      parameters.greatestOverlap = 0.1;
      Scene scene;
      scene.surfaces.push_back(sheetAcross(away));
      widen(scene);
      for (const double y : { -3.7, 0.0, 3.0 })
        scene.seeds.add(
          { away + 1.5 * side, away + y, y == 0 ? 0.3 : 0.0 }, { -12 * side, 0, 0 }, kRadius, 2600);
      auto run = march(scene, parameters, device(), 0.5);
      EXPECT_GT(run->report().greatestOverlap, 1.1);
      EXPECT_LT(run->report().greatestOverlap, 1.5);
      const Snapshot now(*run);
      for (std::size_t i = 0; i < 3; ++i)
      {
        EXPECT_GT(side * (now.position(i).x - away), kRadius) << i << awayName(away);
        EXPECT_TRUE(agrees(now.velocity(i).x, 12 * side, 0.05)) << i << awayName(away);
      }
    }
}

TEST_P(GranularObstacle, ABallRestsBetweenTwoSheetsThatFaceOneAnother)
{
  for (const double away : { 0.0, kFar })
  {
    // A gap that narrows downwards, its sheets 10 degrees off the vertical: neither takes the ball for one that came
    // through the other.
    Scene scene;
    const double tangent = std::tan(10 * M_PI / 180);
    for (const double side : { -1.0, 1.0 })
    {
      Surface sheet = gridTerrain(-3, 3, 1, 0, 6, 1, flat);
      for (std::size_t i = 0; i < sheet.points.size(); i += 3)
      {
        sheet.points[i + 2] = sheet.points[i + 1];
        sheet.points[i + 1] = sheet.points[i];
        sheet.points[i] = side * tangent * sheet.points[i + 2];
      }
      sheet.role = SurfaceRole::Obstacle;
      sheet.sides = SurfaceSides::Two;
      sheet.name = side < 0 ? "left" : "right";
      scene.surfaces.push_back(moved(sheet, away, away, 0));
    }
    widen(scene);
    scene.seeds.add({ away + 0.02, away, 3.5 }, { 0, 0, -1 }, kRadius, 2600);
    GranularFlowParameters parameters;
    parameters.terrainFriction = 0;
    parameters.terrainRestitution = 0.3;
    parameters.greatestSpeed = 30; // wedged in, it presses six times its weight to the sides
    auto run = march(scene, parameters, device(), 4);
    const Snapshot now(*run);
    const double height = kRadius / std::sin(10 * M_PI / 180);
    EXPECT_NEAR(now.position(0).z, height, 0.05) << awayName(away);
    EXPECT_TRUE(agrees(
      vectorOf(run->report().supportForce), Vec3d{ 0, 0, 9.81 * kMass }, 0.01, 9.81 * kMass));
    EXPECT_LT(obstacle(run->report(), "left").force[0], -9.81 * kMass);
    EXPECT_GT(obstacle(run->report(), "right").force[0], 9.81 * kMass);
  }
}

TEST_P(GranularObstacle, SurfacesOfOneNameAreOne)
{
  for (const double away : { 0.0, kFar })
  {
    // What a body and a sheet in one connection become.
    Scene scene;
    scene.surfaces.push_back(slabAt(away, 5));
    scene.surfaces.push_back(moved(slabAt(away, 5), 20, 0, 0));
    scene.surfaces[1].sides = SurfaceSides::Two;
    widen(scene);
    scene.domain =
      boxDomain({ away - 9, away - 9, -60 }, { away + 40, away + 9, 9 }, DomainSide::Wall);
    scene.seeds.add({ away, away, kRadius }, { 0, 0, 0 }, kRadius, 2600);
    scene.seeds.add({ away + 20, away, kRadius }, { 0, 0, 0 }, kRadius, 2600);
    GranularFlowParameters parameters;
    parameters.greatestSpeed = 3;
    const Report report = march(scene, parameters, device(), 3)->report();
    ASSERT_EQ(report.obstacles.size(), 7u);
    EXPECT_EQ(report.obstacles[0].name, "slab");
    EXPECT_EQ(report.obstacles[1].name, "wall x lower");
    EXPECT_TRUE(agrees(report.obstacles[0].force[2], -2 * 9.81 * kMass, 1e-4));
  }
}

class GranularDomain : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularDomain);

TEST_P(GranularDomain, BallInABoxOfWallsKeepsItsEnergyAndIsReportedByWall)
{
  for (const ContactLaw law : { ContactLaw::LinearSpring, ContactLaw::HertzMindlin })
  {
    for (const double away : { 0.0, kFar })
    {
      GranularFlowParameters parameters;
      parameters.contactLaw = law;
      parameters.gravity = { 0, 0, 0 };
      parameters.terrainRestitution = 1;
      parameters.terrainFriction = 0;
      parameters.stepsPerContact = 100;
      parameters.frameInterval = 1;
      Scene scene;
      scene.domain =
        boxDomain({ away - 2, away - 2, -2 }, { away + 2, away + 2, 2 }, DomainSide::Wall);
      scene.seeds.add({ away + 0.1, away - 0.2, 0.3 }, { 3, 4.1, -5.3 }, kRadius, 2600);
      auto run = createGranularFlow(scene, parameters, device());
      const double before = run->report().kineticEnergy;
      advance(*run, 10);
      const Report report = run->report();
      EXPECT_EQ(report.particles, 1);
      EXPECT_TRUE(agrees(report.kineticEnergy, before, 1e-2)); // forty impacts
      ASSERT_EQ(report.obstacles.size(), 6u);
      const char* names[] = { "wall x lower", "wall x upper", "wall y lower", "wall y upper",
        "wall z lower", "wall z upper" };
      const double v[] = { 3, 4.1, 5.3 };
      for (int side = 0; side < 6; ++side)
      {
        EXPECT_EQ(report.obstacles[side].name, names[side]);
        // 3 m from wall to wall: an impact of 2 m v each 6 m.
        const double impacts = 10 * v[side / 2] / 6;
        const double given = report.obstacles[side].impulse[side / 2] * (side % 2 ? 1 : -1);
        EXPECT_TRUE(agrees(given / (2 * kMass * v[side / 2]), impacts, 1.2, 1.0)) << side;
      }
    }
  }
}

TEST_P(GranularDomain, OpenSidesLoseWithAReason)
{
  for (const double away : { 0.0, kFar })
  {
    GranularFlowParameters parameters;
    parameters.gravity = { 0, 0, 0 };
    Scene scene;
    scene.domain =
      boxDomain({ away - 2, away - 2, -2 }, { away + 2, away + 2, 2 }, DomainSide::Wall);
    scene.domain.sides[1] = DomainSide::Open;
    scene.seeds.add({ away, away, 0 }, { 5, 0, 0 }, kRadius, 2600);
    scene.seeds.add({ away, away + 1.2, 0 }, { -5, 0, 0 }, kRadius, 2600);
    auto run = march(scene, parameters, device(), 0.6);
    const Report report = run->report();
    EXPECT_EQ(test::lossOf(report, "left the domain").count, 1);
    EXPECT_EQ(test::lossOf(report, "left the domain").firstIds, std::vector<std::int64_t>{ 0 });
    EXPECT_EQ(report.particles, 1);
    EXPECT_EQ(Snapshot(*run).id(0), 1);
  }
}

TEST_P(GranularDomain, BallThatCrossesAPeriodicSideReturns)
{
  for (const double away : { 0.0, kFar })
  {
    GranularFlowParameters parameters;
    parameters.gravity = { 0, 0, 0 };
    Scene scene;
    scene.domain = boxDomain({ away, away, 0 }, { away + 8, away + 8, 8 }, DomainSide::Periodic);
    scene.seeds.add({ away + 1, away + 1, 1 }, { 3, -2, 1 }, kRadius, 2600);
    auto run = march(scene, parameters, device(), 10);
    const Snapshot now(*run);
    ASSERT_EQ(now.count(), 1u);
    const Vec3d p = now.position(0);
    const auto offBy = [](double reached, double expected)
    { return std::abs(std::remainder(reached - expected, 8)); };
    EXPECT_LT(offBy(p.x, away + 31), 1e-9);
    EXPECT_LT(offBy(p.y, away - 19), 1e-9);
    EXPECT_LT(offBy(p.z, 11), 1e-9);
    for (const double inBox : { p.x - away, p.y - away, p.z })
    {
      EXPECT_GE(inBox, -kRadius); // wrapped when neighbours are listed
      EXPECT_LE(inBox, 8 + kRadius);
    }
    EXPECT_EQ(now.velocity(0).x, 3);
  }
}

TEST_P(GranularDomain, BallsCollideAcrossAPeriodicSideAsInTheMiddle)
{
  for (const ContactLaw law : { ContactLaw::LinearSpring, ContactLaw::HertzMindlin })
  {
    for (const double away : { 0.0, kFar })
    {
      GranularFlowParameters parameters;
      parameters.contactLaw = law;
      parameters.gravity = { 0, 0, 0 };
      parameters.rollingFriction = 0.1;
      Vec3d middle[2], across[2];
      Vec3d speeds[2], spins[2];
      for (const bool isAcross : { false, true })
      {
        Scene scene;
        scene.domain = boxDomain(
          { away - 16, away - 16, -16 }, { away + 16, away + 16, 16 }, DomainSide::Periodic);
        const double at = isAcross ? 16 : 0;
        scene.seeds.add({ away + at - 1, away + 0.25, 0 }, { 3, 0, 0.5 }, kRadius, 2600);
        scene.seeds.add({ away - at + 1, away, 0.125 }, { -3, 0.5, 0 }, kRadius, 2600);
        auto run = march(scene, parameters, device(), 0.5);
        const Snapshot now(*run);
        for (int i = 0; i < 2; ++i)
        {
          (isAcross ? across : middle)[i] = now.position(i);
          if (!isAcross)
          {
            speeds[i] = now.velocity(i);
            spins[i] = now.spin(i);
            EXPECT_GT(length(spins[i]), 0.01);
          }
          else
          {
            EXPECT_TRUE(agrees(now.velocity(i), speeds[i], 1e-6, 3)); // forces are float
            EXPECT_TRUE(agrees(now.spin(i), spins[i], 1e-6, 6));
          }
        }
      }
      for (int i = 0; i < 2; ++i)
      {
        Vec3d shift = across[i] - middle[i];
        shift.x = std::remainder(shift.x - 16, 32);
        EXPECT_LT(length(shift), away > 0 ? 1e-6 : 1e-12)
          << away; // coordinates resolve 4e-12 there
      }
      if (away == 0)
        verify(std::string("Collision across a periodic side and in the middle, ") +
                 (law == ContactLaw::HertzMindlin ? "Hertz" : "linear") + ": places",
          "the same, 1e-12 m",
          shown(std::abs(std::remainder(across[0].x - middle[0].x - 16, 32)), 2) + " m", "shift");
    }
  }
}

TEST_P(GranularDomain, PeriodicGasKeepsMomentumAndEnergy)
{
  for (const ContactLaw law : { ContactLaw::LinearSpring, ContactLaw::HertzMindlin })
  {
    for (const double away : { 0.0, kFar })
    {
      GranularFlowParameters parameters;
      parameters.contactLaw = law;
      parameters.gravity = { 0, 0, 0 };
      parameters.restitution = 1;
      parameters.friction = 0;
      parameters.stepsPerContact = 60;
      parameters.greatestSpeed = 10;
      parameters.frameInterval = 0.5;
      Scene scene;
      scene.domain = boxDomain({ away, away, 0 }, { away + 9, away + 9, 9 }, DomainSide::Periodic);
      scene.materials = { { 0, 1e8, 0.25 } };
      RandomStream random(71, RandomStream::Velocities);
      double scale = 0;
      for (int k = 0; k < 216; ++k)
      {
        const double x = random.uniform(-3, 3), y = random.uniform(-3, 3),
                     z = random.uniform(-3, 3);
        scene.seeds.add(
          { away + 0.6 + 1.5 * (k % 6), away + 0.6 + 1.5 * (k / 6 % 6), 0.6 + 1.5 * (k / 36) },
          { x, y, z }, kRadius, 2600);
        scale += kMass * std::sqrt(x * x + y * y + z * z);
      }
      auto run = createGranularFlow(scene, parameters, device());
      const Report before = run->report();
      advance(*run, 2);
      const Report after = run->report();
      const double momentum = length(vectorOf(after.momentum) - vectorOf(before.momentum)) / scale;
      EXPECT_EQ(after.particles, 216);
      EXPECT_LT(momentum, 1e-12);
      EXPECT_TRUE(agrees(after.kineticEnergy, before.kineticEnergy, 0.02))
        << away; // part is elastic
      // It has been a gas: no one flies as it began.
      const Snapshot now(*run);
      int turned = 0;
      for (std::size_t i = 0; i < now.count(); ++i)
        turned += std::abs(now.velocity(i).x - scene.seeds.velocities[3 * i]) > 0.1 ? 1 : 0;
      EXPECT_GT(turned, 180);
      verify(std::string("Periodic gas of 216 elastic spheres, ") +
               (law == ContactLaw::HertzMindlin ? "Hertz" : "linear") + awayName(away) +
               ": momentum, energy",
        "kept, 1e-12 and 2 %",
        shown(momentum, 2) + ", " +
          shown(100 * (after.kineticEnergy / before.kineticEnergy - 1), 2) + " %",
        "conservation");
    }
  }
}

TEST_P(GranularDomain, ARestoredRunOfAllLawsGoesOnWithTheSameBits)
{
  auto run = march(mixedScene(), mixedParameters(), device(), 0.6);
  const std::vector<std::uint8_t> bytes = savedBytes(*run);
  advance(*run, 1);
  auto other = createGranularFlow(mixedScene(), mixedParameters(), device());
  restoreBytes(*other, bytes);
  EXPECT_EQ(savedBytes(*other), bytes);
  advance(*other, 1);
  EXPECT_EQ(hashOf(*run), hashOf(*other));
  // Other laws are another run.
  GranularFlowParameters without = mixedParameters();
  without.rollingFriction = 0.3;
  auto foreign = createGranularFlow(mixedScene(), without, device());
  messageOf<InvalidInput>([&] { restoreBytes(*foreign, bytes); });
}

TEST(GranularLawsThreads, DoNotChangeABit)
{
  std::uint64_t hash[3];
  for (int threads = 1; threads <= 3; ++threads)
  {
    auto run = march(mixedScene(), mixedParameters(), { DeviceKind::Cpu, threads }, 0.8);
    hash[threads - 1] = hashOf(*run);
    EXPECT_GT(obstacle(run->report(), "block").greatestForce, 0);
    EXPECT_GT(obstacle(run->report(), "wall z lower").greatestForce, 0);
  }
  EXPECT_EQ(hash[0], hash[1]);
  EXPECT_EQ(hash[0], hash[2]);
  verify(
    "Bits with 1, 2 and 3 threads: Hertz, rolling friction, cohesion, drag, obstacles, periodic",
    "the same", hash[0] == hash[1] && hash[0] == hash[2] ? "the same" : "differ",
    "promise of the engine");
}
