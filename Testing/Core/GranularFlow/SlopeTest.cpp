// Sliding and rolling on planes, whatever triangles they are cut into.
#include "Compare.h"
#include "Runs.h"
#include "Terrains.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kGravity = 9.81;
constexpr double kRadius = 0.5;

GranularFlowParameters sliding(double friction)
{
  GranularFlowParameters parameters;
  parameters.friction = parameters.terrainFriction = friction;
  parameters.greatestSpeed = 10;
  parameters.frameInterval = 0.1;
  return parameters;
}

/// Height of a resting sphere's centre over a plane with the slope dz/dx, measured along z.
double restingHeight(double slope)
{
  return kRadius * std::sqrt(1 + slope * slope);
}

/// Acceleration down the slope between two times of a run that starts from rest, and the spin.
struct Descent
{
  double acceleration = 0; ///< [m/s^2]
  double spinning = 0;     ///< [rad/s^2]
  double aside = 0;        ///< [m]
};

Descent descend(const Scene& scene, const GranularFlowParameters& parameters, const Device& device)
{
  auto run = createGranularFlow(scene, parameters, device);
  advance(*run, 0.5);
  const Snapshot early(*run);
  advance(*run, 2);
  const Snapshot late(*run);
  Descent descent;
  descent.acceleration = (length(late.velocity(0)) - length(early.velocity(0))) / 1.5;
  descent.spinning = (length(late.spin(0)) - length(early.spin(0))) / 1.5;
  descent.aside = late.position(0).y - early.position(0).y;
  return descent;
}

} // namespace

class GranularSlope : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularSlope);

TEST_P(GranularSlope, BlockSlidesAsCoulombSays)
{
  const double angle = M_PI / 6, slope = -std::tan(angle);
  const double expected = kGravity * (std::sin(angle) - 0.3 * std::cos(angle));
  ASSERT_TRUE(agrees(expected, 2.35629, 1e-5));
  // At the origin, and 20 km from it on a map that is as wide.
  for (const double far : { 0.0, 20000.0 })
  {
    GranularFlowParameters parameters = sliding(0.3);
    parameters.rotation = Rotation::Locked;
    Scene scene;
    scene.surfaces.push_back(cutPlane(Cut::Coarse, far + 100, 0, slope));
    scene.seeds.add({ far, far, slope * far + restingHeight(slope) }, { 0, 0, 0 }, kRadius, 2600);
    const Descent descent = descend(scene, parameters, device());
    EXPECT_TRUE(agrees(descent.acceleration, expected, 1e-3)); // the first touch bounces a little
    EXPECT_EQ(descent.spinning, 0);
    EXPECT_NEAR(descent.aside, 0, 1e-6);
    verify("Block on a plane of 30 degrees, mu 0.3" + awayName(far), "2.35629 m/s^2, 0.1 %",
      shown(descent.acceleration, 6) + " m/s^2", "g (sin b - mu cos b)");
  }
}

TEST_P(GranularSlope, BlockSticksBelowTheFrictionAngle)
{
  GranularFlowParameters parameters = sliding(0.6); // 30.96 degrees
  parameters.rotation = Rotation::Locked;
  const double slope = -std::tan(30 * M_PI / 180);
  Scene scene;
  scene.surfaces.push_back(cutPlane(Cut::Coarse, 100, 0, slope));
  scene.seeds.add({ 0, 0, restingHeight(slope) }, { 0, 0, 0 }, kRadius, 2600);
  auto run = march(scene, parameters, device(), 2);
  const Vec3d settled = Snapshot(*run).position(0);
  advance(*run, 12);
  EXPECT_LT(length(Snapshot(*run).velocity(0)), 1e-6);
  EXPECT_LT(length(Snapshot(*run).position(0) - settled), 1e-6); // no creep in ten seconds
  EXPECT_EQ(Snapshot(*run).points.array("at_rest").as<std::uint8_t>()[0], 1);
}

TEST_P(GranularSlope, SphereRollsWhereFrictionSuffices)
{
  // mu >= (2/7) tan b = 0.165 at 30 degrees.
  const double angle = M_PI / 6, slope = -std::tan(angle);
  for (const double mu : { 0.17, 0.3, 1.0 })
  {
    for (const double far : { 0.0, 20000.0 })
    {
      Scene scene;
      scene.surfaces.push_back(cutPlane(Cut::Coarse, far + 100, 0, slope));
      scene.seeds.add({ far, far, slope * far + restingHeight(slope) }, { 0, 0, 0 }, kRadius, 2600);
      const Descent descent = descend(scene, sliding(mu), device());
      EXPECT_TRUE(agrees(descent.acceleration, 3.50357, 1e-3)) << mu << " " << far;
      EXPECT_TRUE(agrees(descent.spinning, 3.50357 / kRadius, 1e-3)) << mu << " " << far;
      EXPECT_NEAR(descent.aside, 0, 1e-6);
      if (mu == 0.3)
        verify("Sphere that rolls down 30 degrees, mu 0.3" + awayName(far), "3.50357 m/s^2, 0.1 %",
          shown(descent.acceleration, 6) + " m/s^2", "5/7 g sin b");
    }
  }
}

TEST_P(GranularSlope, SphereSlidesAndSpinsWhereFrictionFallsShort)
{
  // a = g (sin b - mu cos b), spin 5/2 mu g cos b / r.
  const double angle = M_PI / 6, slope = -std::tan(angle), mu = 0.1;
  Scene scene;
  scene.surfaces.push_back(cutPlane(Cut::Coarse, 100, 0, slope));
  scene.seeds.add({ 0, 0, restingHeight(slope) }, { 0, 0, 0 }, kRadius, 2600);
  const Descent descent = descend(scene, sliding(mu), device());
  const double acceleration = kGravity * (std::sin(angle) - mu * std::cos(angle));
  const double spinning = 2.5 * mu * kGravity * std::cos(angle) / kRadius;
  EXPECT_TRUE(agrees(descent.acceleration, acceleration, 1e-3));
  EXPECT_TRUE(agrees(descent.spinning, spinning, 1e-3));
  verify("Sphere that slides down 30 degrees, mu 0.1: spin", shown(spinning, 5) + " rad/s^2, 0.1 %",
    shown(descent.spinning, 5) + " rad/s^2", "5/2 mu g cos b / r");
}

TEST_P(GranularSlope, SlidingSphereEndsRollingAtFiveSeventhsOfItsSpeed)
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(200));
  scene.seeds.add({ 0, 0, kRadius }, { 7, 0, 0 }, kRadius, 2600);
  auto run = march(scene, sliding(0.4), device(), 4);
  const Snapshot now(*run);
  EXPECT_TRUE(agrees(now.velocity(0).x, 5, 1e-3));
  EXPECT_TRUE(agrees(now.spin(0).y, 5 / kRadius, 1e-3));
  verify("Sphere that starts sliding ends rolling", "5/7 of its speed, 0.1 %",
    shown(now.velocity(0).x / 7, 5), "angular momentum about the ground");
}

TEST_P(GranularSlope, SlidingMassesStopOnTheEnergyLine)
{
  // Down a slope of 20 degrees and out on a flat, rotation locked, from four heights: the line from start
  // to stop falls by mu. Restitution zero would lose the normal part of the speed at a sharp bend; a wide
  // round one loses next to nothing.
  const double mu = 0.2, bend = 40; // [m], radius of the bend
  const double angle = 20 * M_PI / 180;
  const double a = bend * std::sin(angle); // slope for x < -a, circle up to 0, flat beyond, no kink
  const auto profile = [&](double x)
  {
    if (x >= 0)
      return 0.0;
    if (x > -a)
      return bend - std::sqrt(bend * bend - x * x);
    return bend * (1 - std::cos(angle)) - (x + a) * std::tan(angle);
  };
  const double starts[] = { -110, -80, -60, -40 };
  /// In the bend a mass presses harder than its weight (v^2 / R), so the line is a little steeper than mu.
  const auto stopOf = [&](double start)
  {
    // Speed at the bend from the straight part: g sin - mu g cos over its length.
    double speed2 =
      2 * kGravity * (std::sin(angle) - mu * std::cos(angle)) * (-a - start) / std::cos(angle);
    // d(v^2)/d(angle) = -2 mu (v^2 + g R cos) + 2 g R sin, integrated through the bend.
    const int pieces = 20000;
    for (int k = 0; k < pieces; ++k)
    {
      const double b = angle * (1 - (k + 0.5) / pieces), db = angle / pieces;
      speed2 += db * (2 * kGravity * bend * std::sin(b) -
                       2 * mu * (speed2 + kGravity * bend * std::cos(b)));
    }
    return speed2 / (2 * mu * kGravity);
  };

  GranularFlowParameters parameters = sliding(mu);
  parameters.rotation = Rotation::Locked;
  parameters.restitution = parameters.terrainRestitution = 0.1;
  parameters.frameInterval = 1;
  const double radius = 0.25, cell = 0.5;
  for (const double far : { 0.0, 20000.0 })
  {
    // One mass in each of four lanes, 5 m wide.
    Scene scene;
    scene.surfaces.push_back(gridTerrain(far - 120, far + 200, 640, far - 10, far + 10, 4,
      [&](double x, double) { return profile(x - far); }));
    const double slope = std::tan(angle);
    for (int lane = 0; lane < 4; ++lane)
      scene.seeds.add({ far + starts[lane], far - 7.5 + 5 * lane,
                        profile(starts[lane]) + radius * std::sqrt(1 + slope * slope) },
        { 0, 0, 0 }, radius, 2600);
    const auto run = march(scene, parameters, device(), 40);
    const Snapshot now(*run);
    ASSERT_EQ(now.count(), 4u);
    const Maps maps(*run);
    EXPECT_TRUE(agrees(maps.sum("deposit_mass"), run->report().massAtRest, 1e-6));
    EXPECT_TRUE(agrees(run->report().massAtRest, run->report().mass, 1e-12));

    double worstStop = 0, worstSlope = 0, worstDeposit = 0;
    for (int lane = 0; lane < 4; ++lane)
    {
      // Where the deposit lies: the middle of the grid cells that hold it, along x.
      double mass = 0, moment = 0;
      for (int t = 0; t < 2 * 640; ++t)
      {
        const double held = maps.at("deposit_mass", 2 * 640 * lane + t);
        mass += held;
        moment += held * (-120 + cell * (t / 2 + 0.5));
      }
      const double deposit = moment / mass;
      const double path = stopOf(starts[lane]) - starts[lane];
      double stop = 0; // of the mass in this lane; frames may hold them in another order
      for (std::size_t i = 0; i < now.count(); ++i)
        if (now.id(i) == lane)
          stop = now.position(i).x - far;
      EXPECT_TRUE(agrees(stop, stopOf(starts[lane]), 0.01, path)) // half-metre facets in the bend
        << starts[lane] << " " << far;
      EXPECT_NEAR(deposit, stop, 0.5 * cell + 1e-3) << starts[lane] << " " << far;
      const double lineToStop = (profile(starts[lane]) - profile(stop)) / (stop - starts[lane]);
      const double lineToDeposit =
        (profile(starts[lane]) - profile(deposit)) / (deposit - starts[lane]);
      const double expected = profile(starts[lane]) / path;
      EXPECT_TRUE(agrees(lineToStop, expected, 0.01)) << starts[lane] << " " << far;
      EXPECT_TRUE(agrees(lineToDeposit, lineToStop, 0.5 * cell / path + 1e-4)) << starts[lane];
      EXPECT_GT(lineToStop, mu); // for the press in the bend
      EXPECT_LT(lineToStop, 1.1 * mu);
      worstStop = std::max(worstStop, std::abs(stop - stopOf(starts[lane])) / path);
      worstSlope = std::max(worstSlope, std::abs(lineToStop / expected - 1));
      worstDeposit = std::max(worstDeposit, std::abs(deposit - stop));
    }
    verify("Four sliding masses: distance run out on the flat" + awayName(far), "1 % of the path",
      shown(100 * worstStop, 2) + " %", "Coulomb's law along slope, bend and flat");
    verify("Four sliding masses: slope of the energy line" + awayName(far),
      "mu, and what the bend adds: 1 %", shown(100 * worstSlope, 2) + " %",
      "Coulomb's law along slope, bend and flat");
    verify("Four sliding masses: the maps' deposit from where they stopped" + awayName(far),
      "half a cell, 0.25 m", shown(worstDeposit, 2) + " m", "bookkeeping");
  }
}

TEST_P(GranularSlope, CutsDoNotShowInTheTrackOfARollingSphere)
{
  // Rolls 24 m over plane, fine and sliver triangles whose edges lie at 0 to 90 degrees to the track.
  double worstSpeed = 0, worstAside = 0;
  for (const Cut cut : { Cut::Coarse, Cut::Fine, Cut::Sliver })
  {
    for (const double degrees : { 0.0, 7.0, 22.5, 45.0, 63.0, 90.0 })
    {
      Scene scene;
      scene.surfaces.push_back(cutPlane(cut, 20, degrees * M_PI / 180));
      const double speed = 8;
      scene.seeds.add({ -12.01, 0.137, kRadius }, { speed, 0, 0 }, kRadius, 2600);
      GranularFlowParameters parameters = sliding(0.5);
      auto run = march(scene, parameters, device(), 1.2); // rolls from 0.5 s on
      const Snapshot early(*run);
      advance(*run, 3.2);
      const Snapshot late(*run);
      const double change = length(late.velocity(0)) / length(early.velocity(0)) - 1;
      const double aside = late.position(0).y - 0.137;
      EXPECT_TRUE(agrees(late.velocity(0).x, speed * 5 / 7, 1e-3)) << nameOf(cut) << " " << degrees;
      EXPECT_NEAR(change, 0, 1e-3) << nameOf(cut) << " " << degrees;
      EXPECT_NEAR(aside, 0, 1e-3 * 12) << nameOf(cut) << " " << degrees;
      EXPECT_NEAR(late.position(0).z, kRadius, 1e-3);
      worstSpeed = std::max(worstSpeed, std::abs(change));
      worstAside = std::max(worstAside, std::abs(aside));
    }
  }
  verify("Sphere rolling over coarse, fine and sliver triangles at 0 to 90 degrees: speed",
    "constant, 0.1 %", shown(100 * worstSpeed, 2) + " %", "a plane has no edges");
  verify("Sphere rolling over coarse, fine and sliver triangles at 0 to 90 degrees: aside in 12 m",
    "0, 12 mm", shown(1000 * worstAside, 2) + " mm", "a plane has no edges");
}

TEST_P(GranularSlope, CutsDoNotShowInTheReboundFromAPlane)
{
  // Head-on impacts onto faces, edges and corners of the same plane.
  for (const Cut cut : { Cut::Coarse, Cut::Fine, Cut::Sliver })
  {
    Scene scene;
    scene.surfaces.push_back(cutPlane(cut, 20, 0));
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j < 9; ++j)
        scene.seeds.add(
          { -8 + 2 * i + 0.03125 * j, -8 + 2 * j + 0.03125 * i, 1 }, { 0, 0, -5 }, kRadius, 2600);
    GranularFlowParameters parameters = sliding(0.5);
    parameters.gravity = { 0, 0, 0 };
    parameters.terrainRestitution = 0.7;
    auto run = march(scene, parameters, device(), 0.3);
    const Snapshot now(*run);
    for (std::size_t i = 0; i < now.count(); ++i)
    {
      EXPECT_TRUE(agrees(now.velocity(i).z, 3.5, 0.01)) << nameOf(cut) << " " << i;
      EXPECT_TRUE(agrees(now.velocity(i), now.velocity(0), 1e-4, 3.5)) << nameOf(cut) << " " << i;
      EXPECT_LT(length(now.spin(i)), 1e-3) << nameOf(cut) << " " << i;
    }
  }
}
