// Discs in a plane: impacts, rolling, pressure and stress, energy, and that nothing leaves the plane.
#include "Compare.h"
#include "GranularFlow/GranularFlowPlan.h"
#include "Math/Random.h"
#include "Planes.h"
#include "Terrains.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kRadius = 0.5;
constexpr double kDensity = 2600;
constexpr double kMass = kDensity * M_PI * kRadius * kRadius;
constexpr double kGravity = 9.81;

constexpr DomainSide kOpen = DomainSide::Open, kWall = DomainSide::Wall,
                     kPeriodic = DomainSide::Periodic;

/// Discs that come out of an impact on the floor of a box.
struct Impact
{
  double along = 0, up = 0; ///< [m/s]
  double rolling = 0;       ///< [rad/s], forward
};

Impact onFloor(const PlaneAxes& plane, double along, double down, double restitution,
  double friction, const Device& device)
{
  Scene scene;
  scene.domain = planeDomain(plane, { -50, 0 }, { 50, 100 }, kOpen, kWall);
  addDisc(scene, plane, { 0, 1 }, { along, -down }, kRadius);
  GranularFlowParameters parameters = ofDiscs(plane, 0);
  parameters.terrainRestitution = restitution;
  parameters.terrainFriction = friction;
  parameters.stepsPerContact = 200;
  const auto run = march(scene, parameters, device, 2);
  const Snapshot end(*run);
  return { plane.u(end.velocity(0)), plane.w(end.velocity(0)), plane.rolling(end.spin(0)) };
}

double energyOf(const Report& report)
{
  return report.kineticEnergy + report.rotationalEnergy;
}

/// Discs of several radii in a box of walls, falling aside.
Scene jumble(const PlaneAxes& plane, int side = 6)
{
  Scene scene;
  scene.domain = planeDomain(plane, { 0, 0 }, { 8, 12 }, kWall, kWall);
  RandomStream random(11, RandomStream::Positions);
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i)
      addDisc(scene, plane, { 0.6 + 1.1 * i, 0.6 + 1.1 * j },
        { random.uniform(-3, 3), random.uniform(-3, 3) }, random.uniform(0.2, 0.5));
  return scene;
}

} // namespace

class Discs : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(Discs);

TEST_P(Discs, WeighWhatACylinderOfOneMetreWeighs)
{
  for (const PlaneAxes& plane : kPlanes)
  {
    Scene scene;
    addDisc(scene, plane, { 0, 0 }, { 3, 4 }, kRadius);
    const auto run = createGranularFlow(scene, ofDiscs(plane), device());
    const Snapshot now(*run);
    EXPECT_TRUE(agrees(now.scalar("mass", 0), kMass, 1e-7));
    EXPECT_EQ(now.scalar("density", 0), kDensity);
    EXPECT_TRUE(agrees(now.scalar("kinetic_energy", 0), 12.5 * kMass, 1e-7));
    EXPECT_TRUE(agrees(run->report().mass, kMass, 1e-14));
    const std::string words = std::string("1 discs of 1 m depth in the plane ") + plane.name +
                              " at " + "xyz"[plane.across] + " = 3.25 m, ";
    EXPECT_NE(run->report().summary().find(words), std::string::npos) << run->report().summary();
    EXPECT_TRUE(run->report().notes.empty());
  }
}

TEST_P(Discs, ReboundHeadOnWithTheAskedRestitution)
{
  for (const PlaneAxes& plane : kPlanes)
  {
    for (const double restitution : { 0.2, 0.6, 1.0 })
    {
      // Two of unequal radii, with the momentum of both zero.
      constexpr double kSmall = 0.2, kSpeed = 2;
      const double ratio = kSmall * kSmall / (kRadius * kRadius);
      Scene scene;
      addDisc(scene, plane, { -1, -1 }, { ratio * kSpeed * M_SQRT1_2, ratio * kSpeed * M_SQRT1_2 },
        kRadius);
      addDisc(scene, plane, { 1, 1 }, { -kSpeed * M_SQRT1_2, -kSpeed * M_SQRT1_2 }, kSmall);
      GranularFlowParameters parameters = ofDiscs(plane, 0);
      parameters.restitution = restitution;
      parameters.stepsPerContact = 200;
      const auto run = march(scene, parameters, device(), 2);
      const Snapshot end(*run);
      const double reached = length(end.velocity(1) - end.velocity(0)) / (kSpeed * (1 + ratio));
      EXPECT_TRUE(agrees(reached, restitution, 2e-3));
      EXPECT_TRUE(
        agrees(length(end.velocity(1)), ratio > 0 ? length(end.velocity(0)) / ratio : 0, 1e-5))
        << "masses go with the squares of radii";
      EXPECT_LT(length(end.spin(0)), 1e-12);
      const Impact wall = onFloor(plane, 0, 3, restitution, 0.5, device());
      EXPECT_TRUE(agrees(wall.up / 3, restitution, 2e-3));
      if (plane.dimensions == Dimensions::PlaneXZ && restitution == 0.6)
        verify(
          "Discs of unequal radii head on, restitution 0.6", "0.6, 0.2 %", shown(reached), "asked");
    }
  }
}

TEST_P(Discs, SlideThroughAnObliqueImpactAsCoulombSays)
{
  constexpr double kFriction = 0.1, kRestitution = 0.8, kAlong = 6, kDown = 3;
  const double taken = kFriction * (1 + kRestitution) * kDown;
  for (const PlaneAxes& plane : kPlanes)
  {
    const Impact impact = onFloor(plane, kAlong, kDown, kRestitution, kFriction, device());
    EXPECT_TRUE(agrees(impact.along, kAlong - taken, 1e-3));
    EXPECT_TRUE(agrees(impact.rolling, 2 * taken / kRadius, 5e-3));
    if (plane.dimensions == Dimensions::PlaneXZ)
      verify("Spin of a disc after a sliding oblique impact",
        shown(2 * taken / kRadius) + " rad/s, 0.5 %", shown(impact.rolling) + " rad/s",
        "2 mu (1 + e) V / r");
  }
}

// The effective mass across the contact is a third of the disc's, and its spring a third as stiff: where nothing slides
// the slip is turned round with the normal speed. Of a sphere 3/7 of the speed would be left.
TEST_P(Discs, KeepAThirdOfTheirSpeedInAnElasticImpactWithoutSliding)
{
  constexpr double kAlong = 2, kDown = 3;
  for (const PlaneAxes& plane : kPlanes)
  {
    const Impact impact = onFloor(plane, kAlong, kDown, 1, 10, device());
    EXPECT_TRUE(agrees(impact.along, kAlong / 3, 5e-3));
    EXPECT_TRUE(agrees(impact.rolling, 4.0 / 3 * kAlong / kRadius, 5e-3));
    EXPECT_TRUE(agrees(impact.up, kDown, 1e-3));
    if (plane.dimensions == Dimensions::PlaneXZ)
      verify("Speed along the wall kept by a disc in an elastic impact without sliding",
        "1/3, 0.5 %", shown(impact.along / kAlong), "inertia m r^2 / 2");
  }
}

TEST_P(Discs, RollDownAnInclineAtTwoThirdsOfGravity)
{
  const double angle = M_PI / 6;
  const auto accelerated = [&](const PlaneAxes& plane, double friction, double& spinning)
  {
    // A level floor and gravity that leans: so in every plane.
    Scene scene;
    scene.domain = planeDomain(plane, { -100, 0 }, { 100, 100 }, kOpen, kWall);
    addDisc(scene, plane, { 0, kRadius }, { 0, 0 }, kRadius);
    GranularFlowParameters parameters = ofDiscs(plane);
    parameters.gravity = plane.of(kGravity * std::sin(angle), -kGravity * std::cos(angle), 7);
    parameters.terrainFriction = friction;
    parameters.greatestSpeed = 10;
    const auto run = march(scene, parameters, device(), 0.5);
    const Snapshot early(*run);
    advance(*run, 2);
    const Snapshot late(*run);
    spinning = (plane.rolling(late.spin(0)) - plane.rolling(early.spin(0))) / 1.5;
    return (plane.u(late.velocity(0)) - plane.u(early.velocity(0))) / 1.5;
  };
  const double rolls = 2.0 / 3 * kGravity * std::sin(angle);
  const double slides = kGravity * (std::sin(angle) - 0.1 * std::cos(angle));
  for (const PlaneAxes& plane : kPlanes)
  {
    double spinning = 0;
    // It rolls where mu >= tan b / 3 = 0.1925.
    const double reached = accelerated(plane, 0.2, spinning);
    EXPECT_TRUE(agrees(reached, rolls, 1e-3));
    EXPECT_TRUE(agrees(spinning, rolls / kRadius, 1e-3));
    EXPECT_TRUE(agrees(accelerated(plane, 0.1, spinning), slides, 1e-3));
    EXPECT_TRUE(agrees(spinning, 2 * 0.1 * kGravity * std::cos(angle) / kRadius, 1e-3));
    if (plane.dimensions == Dimensions::PlaneXZ)
      verify("Disc that rolls down 30 degrees, mu 0.2", shown(rolls, 6) + " m/s^2, 0.1 %",
        shown(reached, 6) + " m/s^2", "2/3 g sin b");
  }
}

TEST_P(Discs, ThatSlideOnALevelFloorEndRollingAtTwoThirdsOfTheirSpeed)
{
  Scene scene;
  scene.surfaces.push_back(moved(planeTerrain(200), 0, kAcross, 0));
  addDisc(scene, kPlaneXZ, { 0, kRadius }, { 7, 0 }, kRadius);
  GranularFlowParameters parameters = ofDiscs(kPlaneXZ);
  parameters.terrainFriction = 0.4;
  const auto run = march(scene, parameters, device(), 4);
  EXPECT_TRUE(agrees(Snapshot(*run).velocity(0).x, 14.0 / 3, 1e-3));
  EXPECT_TRUE(agrees(energyOf(run->report()), 0.75 * kMass * std::pow(14.0 / 3, 2), 2e-3));
}

TEST_P(Discs, RestOnASlopeThatRollingFrictionHolds)
{
  // Held where tan b is below the rolling friction.
  for (const double slope : { 0.17, 0.23 })
  {
    Scene scene;
    scene.domain = planeDomain(kPlaneXZ, { -100, 0 }, { 100, 100 }, kOpen, kWall);
    addDisc(scene, kPlaneXZ, { 0, kRadius }, { 0, 0 }, kRadius);
    GranularFlowParameters parameters = ofDiscs(kPlaneXZ);
    const double angle = std::atan(slope);
    parameters.gravity = { kGravity * std::sin(angle), 0, -kGravity * std::cos(angle) };
    parameters.terrainFriction = 1;
    parameters.terrainRollingFriction = 0.2;
    const auto run = march(scene, parameters, device(), 3);
    EXPECT_EQ(length(Snapshot(*run).velocity(0)) < 1e-6, slope < 0.2) << slope;
  }
}

// A column: each is squeezed between what is above and what is below.
TEST_P(Discs, PressureIsTheSumOfNormalForcesOverTheRim)
{
  const auto settled = [&](const GranularFlowParameters& parameters)
  {
    Scene scene;
    scene.surfaces.push_back(moved(planeTerrain(20), 0, kAcross, 0));
    for (int k = 0; k < 3; ++k)
      scene.seeds.add({ 0, kAcross, (2 * k + 1) * kRadius }, { 0, 0, 0 }, kRadius, kDensity);
    return Snapshot(*march(scene, parameters, device(), 4));
  };
  const Snapshot discs = settled(ofDiscs(kPlaneXZ));
  const Snapshot spheres = settled({});
  for (int k = 0; k < 3; ++k)
  {
    const double weights = (2 - k) + (3 - k);
    EXPECT_TRUE(
      agrees(discs.scalar("pressure", k), weights * kMass * kGravity / (2 * M_PI * kRadius), 1e-4));
    EXPECT_TRUE(agrees(spheres.scalar("pressure", k),
      weights * kDensity * 4 / 3 * M_PI * std::pow(kRadius, 3) * kGravity /
        (4 * M_PI * kRadius * kRadius),
      1e-4));
  }
  verify("Pressure of the middle disc of three in a column",
    shown(3 * kMass * kGravity / (2 * M_PI * kRadius), 6) + " Pa, 0.01 %",
    shown(discs.scalar("pressure", 1), 6) + " Pa", "sum F / (2 pi r 1 m)");
}

// Between a floor and a ceiling that press as the lattice does itself. The stress of a body of particles is
// the mean of theirs, each counted with its volume: area fraction times pressure.
TEST_P(Discs, MeanStressOfACompressedLatticeIsThePressureOfItsWalls)
{
  constexpr int kColumns = 12, kRows = 10;
  constexpr double kSqueeze = 2e-7; // of the radius; more would be overlapping seeds
  for (const PlaneAxes& plane : kPlanes)
  {
    const double a = 2 * kRadius * (1 - kSqueeze), row = a * std::sqrt(0.75);
    // A wall is twice as stiff as a pair, and bears sqrt(3) times its force.
    const double gap = kRadius * (1 - std::sqrt(3.0) * kSqueeze);
    const double height = (kRows - 1) * row + 2 * gap;
    Scene scene;
    scene.domain = planeDomain(plane, { 0, 0 }, { kColumns * a, height }, kPeriodic, kWall);
    for (int j = 0; j < kRows; ++j)
      for (int i = 0; i < kColumns; ++i)
        addDisc(scene, plane, { (i + 0.25 + 0.5 * (j % 2)) * a, gap + j * row }, { 0, 0 }, kRadius);
    GranularFlowParameters parameters = ofDiscs(plane, 0);
    parameters.frameInterval = 0.01;
    const auto run = march(scene, parameters, device(), 0.05);
    const Report report = run->report();
    ASSERT_EQ(report.obstacles.size(), 2u);
    const double applied = report.obstacles[1].force[plane.up] / (kColumns * a);
    ASSERT_GT(applied, 0);
    const Snapshot now(*run);
    const double fraction = M_PI * kRadius * kRadius / (a * row);
    for (int i = kColumns; i < (kRows - 1) * kColumns; ++i)
      EXPECT_TRUE(agrees(fraction * now.scalar("pressure", i), applied, 3e-5));
    if (plane.dimensions == Dimensions::PlaneXZ)
      verify("Area fraction times pressure of discs in a compressed lattice, over that of its wall",
        "1, 0.003 %", shown(fraction * now.scalar("pressure", kColumns + 1) / applied, 8),
        "Love-Weber stress");
  }
}

TEST_P(Discs, KeepMomentumAndEnergy)
{
  for (const PlaneAxes& plane : kPlanes)
  {
    for (const bool elastic : { true, false })
    {
      Scene scene = jumble(plane);
      scene.domain = {};
      for (std::size_t i = 0; i < scene.seeds.count(); ++i) // inward
        for (const std::size_t axis : { plane.along, plane.up })
          scene.seeds.velocities[3 * i + axis] -= scene.seeds.positions[3 * i + axis] - 3.5;
      GranularFlowParameters parameters = ofDiscs(plane, 0);
      parameters.restitution = elastic ? 1 : 0.5;
      parameters.friction = elastic ? 0 : 0.5;
      parameters.greatestOverlap = 0.02;
      const auto run = createGranularFlow(scene, parameters, device());
      const Report before = run->report();
      advance(*run, 3);
      const Report after = run->report();
      const double scale = before.mass * before.greatestSpeed;
      for (int k = 0; k < 3; ++k)
        EXPECT_TRUE(agrees(after.momentum[k], before.momentum[k], 1e-12, scale));
      if (elastic)
        EXPECT_TRUE(agrees(energyOf(after), energyOf(before), 1e-3));
      else
        EXPECT_LT(energyOf(after), 0.9 * energyOf(before));
    }
  }
}

TEST_P(Discs, AngularMomentumOfAPairWithFrictionIsKept)
{
  for (const PlaneAxes& plane : kPlanes)
  {
    Scene scene;
    addDisc(scene, plane, { -1, -0.2 }, { 2, 0 }, kRadius);
    addDisc(scene, plane, { 1, 0.1 }, { -2, 0.5 }, 0.7 * kRadius);
    const auto run = createGranularFlow(scene, ofDiscs(plane, 0), device());
    const auto momentum = [&]
    {
      const Snapshot now(*run);
      double sum = 0;
      for (std::size_t i = 0; i < 2; ++i)
      {
        const double m = now.scalar("mass", i), r = now.scalar("radius", i);
        sum += m * plane.out(cross(now.position(i), now.velocity(i))) +
               0.5 * m * r * r * plane.out(now.spin(i));
      }
      return sum;
    };
    const double before = momentum();
    advance(*run, 2);
    EXPECT_GT(length(Snapshot(*run).spin(0)), 0.1);
    EXPECT_TRUE(
      agrees(momentum(), before, 1e-5, kMass * 2 * kRadius)); // arrays are single precision
  }
}

namespace
{

/// Of a bumpy terrain, whose normals lean every way [m].
double bumpHeight(double x, double y)
{
  return 0.7 * std::sin(1.1 * x) + 0.6 * std::cos(0.9 * y) - 2;
}

/// Under the discs.
Surface bumps(const PlaneAxes& plane)
{
  const double x = plane.along == 0 ? 0 : kAcross, y = plane.along == 1 ? 0 : kAcross;
  return gridTerrain(x - 20, x + 20, 40, y - 20, y + 20, 40, bumpHeight);
}

void expectInPlane(const Simulation& run, const PlaneAxes& plane)
{
  const Snapshot now(run);
  bool isIn = true;
  for (std::size_t i = 0; i < now.count(); ++i)
  {
    const Vec3d x = now.position(i), v = now.velocity(i), s = now.spin(i);
    isIn =
      isIn && plane.out(x) == kAcross && plane.out(v) == 0 && plane.u(s) == 0 && plane.w(s) == 0;
  }
  EXPECT_TRUE(isIn) << plane.name;
  const Report report = run.report();
  EXPECT_EQ(report.momentum[plane.across], 0);
  EXPECT_EQ(report.supportForce[plane.across], 0);
  for (const auto& obstacle : report.obstacles)
    EXPECT_EQ(obstacle.force[plane.across], 0);
}

} // namespace

TEST_P(Discs, NeverLeaveTheirPlaneByABit)
{
  for (const PlaneAxes& plane : kPlanes)
  {
    Scene scene = jumble(plane);
    if (plane.dimensions != Dimensions::PlaneXY)
    {
      scene.surfaces.push_back(bumps(plane));
      scene.domain = {};
    }
    GranularFlowParameters parameters = ofDiscs(plane);
    parameters.gravity = plane.of(1, -9, 5);
    parameters.rollingFriction = parameters.terrainRollingFriction = 0.1;
    parameters.airDensity = 1.2;
    const auto wind = plane.of(3, 1, 20);
    parameters.wind = { { 0, wind }, { 10, plane.of(4, 0, -9) } };
    const auto run = createGranularFlow(scene, parameters, device());
    double spun = 0;
    for (int frame = 1; frame <= 20; ++frame)
    {
      advance(*run, frame * parameters.frameInterval);
      expectInPlane(*run, plane);
      const Snapshot now(*run);
      for (std::size_t i = 0; i < now.count(); ++i)
        spun = std::max(spun, length(now.spin(i)));
    }
    EXPECT_GT(spun, 1);
    EXPECT_EQ(run->report().particles, 36);
  }
}

// Nothing tells a direction then but the plane itself. Seeds at one place are refused, so the plan is changed.
TEST(DiscsAtOnePlace, ArePushedApartWithinThePlane)
{
  for (const PlaneAxes& plane : kPlanes)
  {
    Scene scene;
    addDisc(scene, plane, { 0, 0 }, { 1, 0 }, kRadius);
    addDisc(scene, plane, { 3, 3 }, { 1, 0 }, kRadius);
    const auto plan = planGranularFlow(scene, ofDiscs(plane, 0));
    plan->placedAt[1] = plan->placedAt[0];
    const auto run = cpu::startGranularFlow(plan, 1);
    advance(*run, 1);
    expectInPlane(*run, plane);
    const Snapshot now(*run);
    EXPECT_GT(length(now.position(1) - now.position(0)), 2 * kRadius);
  }
}

// Another plane renames the axes; where sums of products are rounded otherwise, collisions make more of it.
TEST_P(Discs, MoveTheSameWayInEveryPlane)
{
  std::vector<Snapshot> ends;
  std::vector<Report> reports;
  for (const PlaneAxes& plane : kPlanes)
  {
    GranularFlowParameters parameters = ofDiscs(plane);
    parameters.rollingFriction = parameters.terrainRollingFriction = 0.1;
    parameters.airDensity = 1.2;
    parameters.wind = { { 0, plane.of(8, 0) } };
    const auto run = march(jumble(plane), parameters, device(), 0.3);
    ends.emplace_back(*run);
    reports.push_back(run->report());
  }
  EXPECT_GT(reports[0].rotationalEnergy, 1);
  for (int p = 1; p < 3; ++p)
  {
    for (std::size_t i = 0; i < ends[0].count(); ++i)
    {
      const PlaneAxes &a = kPlanes[0], &b = kPlanes[p];
      EXPECT_TRUE(agrees(b.u(ends[p].position(i)), a.u(ends[0].position(i)), 1e-6, kRadius));
      EXPECT_TRUE(agrees(b.w(ends[p].position(i)), a.w(ends[0].position(i)), 1e-6, kRadius));
      EXPECT_TRUE(agrees(b.rolling(ends[p].spin(i)), a.rolling(ends[0].spin(i)), 1e-4, 1));
      EXPECT_TRUE(
        agrees(ends[p].scalar("pressure_max", i), ends[0].scalar("pressure_max", i), 1e-3, 1e5));
    }
    EXPECT_EQ(reports[p].steps, reports[0].steps);
  }
}

// z = a x + b (y - y0): between panes, what counts of the terrain is its section; it presses harder as it leans.
TEST_P(Discs, SlideOnTerrainThatLeansAcrossAsOnItsSection)
{
  for (const double lean : { 0.0, 0.5, -2.0 })
  {
    const double slope = -0.4;
    Scene scene;
    scene.surfaces.push_back(
      planeTerrain(300, [&](double x, double y) { return slope * x + lean * (y - kAcross); }));
    const double height = kRadius * std::sqrt(1 + slope * slope + lean * lean);
    addDisc(scene, kPlaneXZ, { 0, height }, { 0, 0 }, kRadius);
    GranularFlowParameters parameters = ofDiscs(kPlaneXZ);
    parameters.terrainFriction = 0;
    parameters.terrainRestitution = 0.1;
    parameters.greatestSpeed = 10;
    const auto run = march(scene, parameters, device(), 1);
    const Vec3d early = Snapshot(*run).velocity(0);
    advance(*run, 3);
    const Snapshot late(*run);
    EXPECT_TRUE(agrees(
      (length(late.velocity(0)) - length(early)) / 2, kGravity * 0.4 / std::sqrt(1.16), 1e-4))
      << lean;
    EXPECT_TRUE(agrees(late.velocity(0).z / late.velocity(0).x, slope, 1e-4));
    // The normal force N holds the weight across the section with its part in the plane.
    const double inPlane = std::sqrt((1 + slope * slope) / (1 + slope * slope + lean * lean));
    const double normal = kMass * kGravity / std::sqrt(1 + slope * slope) / inPlane;
    EXPECT_TRUE(agrees(late.scalar("pressure", 0), normal / (2 * M_PI * kRadius), 1e-3)) << lean;
    expectInPlane(*run, kPlaneXZ);
  }
}

TEST_P(Discs, ReboundFromTerrainThatLeansAcrossWithTheAskedRestitution)
{
  for (const double lean : { 0.5, 2.0 })
    for (const double restitution : { 0.3, 0.8 })
    {
      Scene scene;
      scene.surfaces.push_back(
        planeTerrain(50, [&](double, double y) { return lean * (y - kAcross); }));
      addDisc(scene, kPlaneXZ, { 0, kRadius * std::sqrt(1 + lean * lean) + 1 }, { 1, -3 }, kRadius);
      GranularFlowParameters parameters = ofDiscs(kPlaneXZ, 0);
      parameters.terrainFriction = 0;
      parameters.terrainRestitution = restitution;
      parameters.stepsPerContact = 200;
      const auto run = march(scene, parameters, device(), 2);
      EXPECT_TRUE(agrees(Snapshot(*run).velocity(0).z, 3 * restitution, 3e-3)) << lean;
      EXPECT_TRUE(agrees(Snapshot(*run).velocity(0).x, 1, 1e-6));
    }
}

TEST_P(Discs, WithFrictionOnLeaningTerrainGainNoEnergy)
{
  for (const PlaneAxes& plane : { kPlaneXZ, kPlaneYZ })
  {
    Scene scene = jumble(plane);
    scene.domain = {};
    scene.surfaces.push_back(bumps(plane));
    GranularFlowParameters parameters = ofDiscs(plane);
    parameters.restitution = parameters.terrainRestitution = 1;
    parameters.frameInterval = 0.05;
    const auto run = createGranularFlow(scene, parameters, device());
    const double before = energyOf(run->report()) + run->report().potentialEnergy;
    double most = 0;
    for (int frame = 1; frame <= 40; ++frame)
    {
      advance(*run, frame * parameters.frameInterval);
      most = std::max(most, energyOf(run->report()) + run->report().potentialEnergy);
    }
    EXPECT_LT(most, 1.002 * before);
  }
}

// A wall along the plane is a pane: it neither holds nor presses.
TEST_P(Discs, AreNotTouchedByAWallAlongTheirPlane)
{
  Scene scene;
  scene.domain = planeDomain(kPlaneXZ, { -50, 0 }, { 50, 50 }, kOpen, kWall);
  scene.domain.lower[1] = kAcross - 0.3;
  scene.domain.upper[1] = kAcross + 5;
  scene.domain.sides[2] = scene.domain.sides[3] = kWall;
  addDisc(scene, kPlaneXZ, { 0, 20 }, { 1, 0 }, kRadius);
  const auto run = march(scene, ofDiscs(kPlaneXZ), device(), 1);
  const Snapshot now(*run);
  EXPECT_TRUE(agrees(now.velocity(0).x, 1, 1e-7));
  EXPECT_TRUE(agrees(now.velocity(0).z, -kGravity, 1e-6));
  EXPECT_EQ(now.position(0).y, kAcross);
  EXPECT_EQ(now.scalar("pressure_max", 0), 0);
}

// v' = -k v^2 with k = 1/2 rho Cd 2 r / (density pi r^2).
TEST_P(Discs, AreSlowedByTheAirOnTheirCrossSection)
{
  Scene scene;
  addDisc(scene, kPlaneXZ, { 0, 0 }, { 30, 40 }, kRadius, 100);
  GranularFlowParameters parameters = ofDiscs(kPlaneXZ, 0);
  parameters.airDensity = 1.2;
  parameters.dragCoefficient = 0.8;
  const double rate = 0.5 * 1.2 * 0.8 * 2 / (100 * M_PI * kRadius);
  const auto run = march(scene, parameters, device(), 10);
  const double expected = 50 / (1 + 50 * rate * 10);
  EXPECT_TRUE(agrees(length(Snapshot(*run).velocity(0)), expected, 1e-5));
  verify("Disc in still air, 50 m/s, after 10 s", shown(expected, 6) + " m/s, 0.001 %",
    shown(length(Snapshot(*run).velocity(0)), 6) + " m/s", "drag on 2 r 1 m");
}

TEST_P(Discs, LeaveDepositsAndImpactsByTheLengthOfTheGroundUnderThem)
{
  // Cells of 1 m, cut by the plane into parts of 0.25 and 0.75 m.
  for (const PlaneAxes& plane : { kPlaneXZ, kPlaneYZ })
  {
    Scene scene;
    scene.surfaces.push_back(gridTerrain(-8, 8, 16, -8, 8, 16, flat));
    for (int i = -3; i <= 3; ++i)
      addDisc(scene, plane, { i + 0.5, 1 }, { 0, 0 }, 0.4);
    GranularFlowParameters parameters = ofDiscs(plane);
    parameters.depositPorosity = 0.2;
    const auto run = march(scene, parameters, device(), 3);
    ASSERT_EQ(run->report().particlesAtRest, 7);
    const Maps maps(*run);
    EXPECT_TRUE(agrees(maps.sum("deposit_mass"), run->report().mass, 1e-6));
    double area = 0;
    for (std::size_t t = 0; t < maps.all("deposit_thickness").size(); ++t)
    {
      // Of a cell's two triangles the first is below the diagonal.
      const double length = (t % 2 == 0) == (plane.along == 0) ? 0.75 : 0.25;
      area += maps.at("deposit_thickness", t) * length;
    }
    EXPECT_TRUE(agrees(area, 7 * M_PI * 0.16 / 0.8, 1e-6));
    // Each touches at one point, of which one array has the force over the rim, the other over the diameter.
    const Snapshot now(*run);
    EXPECT_GT(maps.greatest("impact_pressure"), M_PI * now.scalar("pressure", 0));
    Scene drop = scene;
    drop.seeds = {};
    addDisc(drop, plane, { 0.4, 1 }, { 0, 0 }, 0.4);
    parameters.frameInterval = 10;
    const auto once = march(drop, parameters, device(), 10);
    EXPECT_TRUE(agrees(Maps(*once).greatest("impact_pressure"),
      M_PI * Snapshot(*once).scalar("pressure_max", 0), 1e-6));
  }
}

TEST_P(Discs, ComeFromNozzlesWithinThePlane)
{
  for (const PlaneAxes& plane : kPlanes)
  {
    for (const RateUnit unit : { RateUnit::ParticlesPerSecond, RateUnit::KilogramsPerSecond })
    {
      Scene scene;
      Nozzle nozzle;
      nozzle.position = plane.of(1, 2, kAcross);
      nozzle.direction = plane.of(1, 3);
      nozzle.openingRadius = 0.5;
      nozzle.spread = 20;
      nozzle.rateUnit = unit;
      nozzle.radii.radiusLaw = RadiusLaw::Uniform;
      nozzle.radii.smallestRadius = 0.01;
      nozzle.radii.largestRadius = 0.03;
      // Mean area: pi (a^2 + a b + b^2) / 3.
      const double meanMass = 2600 * M_PI * (0.0001 + 0.0003 + 0.0009) / 3;
      nozzle.pulses = { { 0, 1, unit == RateUnit::ParticlesPerSecond ? 300 : 300 * meanMass, 5 } };
      scene.nozzles.push_back(nozzle);
      GranularFlowParameters parameters = ofDiscs(plane, 0);
      EXPECT_NEAR(estimateGranularFlow(scene, parameters).particles, 300, 1);
      const auto run = march(scene, parameters, device(), 1.1);
      expectInPlane(*run, plane);
      const Report report = run->report();
      EXPECT_NEAR(report.emitted, 300, unit == RateUnit::ParticlesPerSecond ? 0 : 30);
      EXPECT_TRUE(agrees(report.massEmitted, 300 * meanMass, 0.1));
      const Snapshot now(*run);
      double mass = 0, left = 0, right = 0, widest = 0;
      for (std::size_t i = 0; i < now.count(); ++i)
      {
        const double r = now.scalar("radius", i);
        mass += now.scalar("mass", i);
        EXPECT_TRUE(agrees(now.scalar("mass", i), 2600 * M_PI * r * r, 1e-6));
        const Vec3d v = now.velocity(i);
        const double angle = std::atan2(plane.u(v), plane.w(v)) - std::atan2(1, 3);
        widest = std::max(widest, std::abs(angle));
        (angle < 0 ? left : right) += 1;
      }
      EXPECT_TRUE(agrees(mass, report.massEmitted, 1e-6));
      EXPECT_TRUE(agrees(left / right, 1, 0.4));
      EXPECT_GT(widest, 0.9 * 20 * M_PI / 180);
    }
  }
}

TEST_P(Discs, ThatOverlapOneAnotherOrTheTerrainArePushedApartWithinThePlane)
{
  for (const PlaneAxes& plane : kPlanes)
  {
    const bool isUpright = plane.dimensions != Dimensions::PlaneXY;
    Scene scene;
    if (isUpright)
      scene.surfaces.push_back(bumps(plane));
    for (int i = 0; i < 8; ++i)
    {
      const double u = 0.7 * i - 3;
      const double ground = !isUpright         ? 0
                            : plane.along == 0 ? bumpHeight(u, kAcross)
                                               : bumpHeight(kAcross, u);
      addDisc(scene, plane, { u, ground + 0.3 + 0.3 * (i % 2) }, { 0, 0 }, 0.4);
    }
    GranularFlowParameters parameters = ofDiscs(plane);
    parameters.overlappingSeedsLimit = 1;
    const auto run = createGranularFlow(scene, parameters, device());
    expectInPlane(*run, plane);
    const Report report = run->report();
    EXPECT_EQ(report.notes.size(), isUpright ? 2u : 1u); // of the terrain, of one another
    EXPECT_LT(report.greatestOverlap, 1e-5);
    EXPECT_EQ(report.particles, 8);
  }
}

namespace
{

/// A bed that falls onto bumps, with a nozzle beside it.
Scene flowing(double smallest)
{
  Scene scene;
  scene.surfaces.push_back(bumps(kPlaneXZ));
  RandomStream random(5, RandomStream::Positions);
  for (int j = 0; j < 12; ++j)
    for (int i = 0; i < 25; ++i)
      addDisc(scene, kPlaneXZ, { 0.22 * i - 3, 0.22 * j }, { random.uniform(-1, 1), 0 },
        (i + j) % 5 == 0 ? 0.1 : smallest);
  Nozzle nozzle;
  nozzle.position = { -5, kAcross, 2 };
  nozzle.direction = { 1, 0, 0.2 };
  nozzle.openingRadius = 0.3;
  nozzle.spread = 10;
  nozzle.radii.radius = smallest;
  nozzle.pulses = { { 0, 2, 200, 4 } };
  scene.nozzles.push_back(nozzle);
  return scene;
}

GranularFlowParameters flowingBy(NeighborSearch by)
{
  GranularFlowParameters parameters = ofDiscs(kPlaneXZ);
  parameters.rollingFriction = 0.05;
  parameters.neighborSearch = by;
  return parameters;
}

} // namespace

TEST(DiscsThreads, DoNotChangeABit)
{
  for (const NeighborSearch by : { NeighborSearch::Cells, NeighborSearch::Tree })
  {
    std::vector<std::uint64_t> hashes;
    for (const int threads : { 1, 2, 3 })
      hashes.push_back(
        hashOf(*march(flowing(0.08), flowingBy(by), { DeviceKind::Cpu, threads }, 0.5)));
    EXPECT_EQ(hashes[1], hashes[0]);
    EXPECT_EQ(hashes[2], hashes[0]);
  }
}

TEST_P(Discs, GoOnFromACheckpointWithTheSameBits)
{
  for (const NeighborSearch by : { NeighborSearch::Cells, NeighborSearch::Tree })
  {
    const auto start = [&] { return createGranularFlow(flowing(0.03), flowingBy(by), device()); };
    const auto run = start();
    advance(*run, 0.2);
    const std::vector<std::uint8_t> bytes = savedBytes(*run);
    advance(*run, 0.4);
    const auto other = start();
    restoreBytes(*other, bytes);
    advance(*other, 0.4);
    EXPECT_EQ(hashOf(*other), hashOf(*run));
  }
}

TEST_P(Discs, DoNotGoOnFromACheckpointOfSpheres)
{
  GranularFlowParameters parameters = flowingBy(NeighborSearch::Auto);
  const auto discs = createGranularFlow(flowing(0.08), parameters, device());
  parameters.dimensions = Dimensions::Three;
  const auto spheres = createGranularFlow(flowing(0.08), parameters, device());
  messageOf<InvalidInput>([&] { restoreBytes(*discs, savedBytes(*spheres)); });
}

TEST_P(Discs, AreFoundAlikeByCellsAndByATree)
{
  for (const double smallest : { 0.08, 0.02 })
  {
    std::vector<Snapshot> ends;
    for (const NeighborSearch by : { NeighborSearch::Cells, NeighborSearch::Tree })
      ends.emplace_back(*march(flowing(smallest), flowingBy(by), device(), 0.1));
    ASSERT_EQ(ends[0].count(), ends[1].count());
    double farthest = 0;
    for (std::size_t i = 0; i < ends[0].count(); ++i)
      farthest = std::max(farthest, length(ends[0].position(i) - ends[1].position(i)));
    EXPECT_LT(farthest, 1e-8);
  }
}
