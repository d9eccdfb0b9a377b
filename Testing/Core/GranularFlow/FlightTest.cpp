// Spheres that meet nothing: flight in vacuum, at the origin, far from it and in the smallest steps.
#include "Compare.h"
#include "Runs.h"
#include "Terrains.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kGravity = 9.81;

GranularFlowParameters flight(double frameInterval)
{
  GranularFlowParameters parameters;
  parameters.frameInterval = frameInterval;
  return parameters;
}

} // namespace

class GranularFlight : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularFlight);

TEST_P(GranularFlight, FollowsTheParabola)
{
  // 100 m/s: range and apex are reached at known times, which are made the frame.
  struct Case
  {
    double degrees, range, apex;
  };
  for (const Case& c :
    { Case{ 45, 1019.368, 254.842 }, Case{ 60, 882.799, 382.263 }, Case{ 75, 509.684, 475.542 } })
  {
    const double angle = c.degrees * M_PI / 180;
    const double along = 100 * std::cos(angle), up = 100 * std::sin(angle);
    const double toApex = up / kGravity;
    Scene scene;
    scene.seeds.add({ 12, -3, 100 }, { along, 0, up }, 0.5, 2600);
    auto run = createGranularFlow(scene, flight(toApex), device());
    advance(*run, toApex);
    const Vec3d top = Snapshot(*run).position(0);
    advance(*run, 2 * toApex);
    const Vec3d end = Snapshot(*run).position(0);
    const double apex = top.z - 100, range = end.x - 12;
    EXPECT_TRUE(agrees(apex, c.apex, 1e-6)) << c.degrees; // the table has six digits
    EXPECT_TRUE(agrees(range, c.range, 1e-6)) << c.degrees;
    EXPECT_TRUE(agrees(end.z, 100, 1e-9, c.apex));
    EXPECT_EQ(end.y, -3);
    verify("Flight in vacuum, 100 m/s at " + shown(c.degrees) + " degrees",
      "range " + shown(c.range, 7) + " m, apex " + shown(c.apex, 6) + " m, 1e-6",
      shown(range, 7) + " m, " + shown(apex, 6) + " m", "closed form");
  }
}

TEST_P(GranularFlight, KeepsItsDigitsInStepsOfAMicrosecond)
{
  // A float position does not move at 800 m by 1e-5 m; a float velocity takes g dt with an error of
  // percents. 50,000 steps, also 20 km from the local origin and at 9,085,000 m.
  for (const double shift : { 0.0, 9085000.0 })
  {
    GranularFlowParameters parameters = flight(kSanitized ? 0.01 : 0.05);
    parameters.timeStepLimit = 1e-6;
    Scene scene;
    // A wide map, so that the local origin is in its middle.
    scene.surfaces.push_back(moved(planeTerrain(32000), shift, shift, -5000));
    scene.seeds.add({ shift + 20000, shift + 800, 0 }, { 10, 0, 0 }, 0.5, 2600);
    scene.seeds.add({ shift + 0.5, shift - 20000, 0 }, { -10, 7, 3 }, 0.5, 2600);
    auto run = march(scene, parameters, device(), parameters.frameInterval);
    const double t = parameters.frameInterval;
    const Snapshot now(*run);
    EXPECT_GE(run->report().steps, static_cast<std::int64_t>(t / 1.01e-6));
    EXPECT_EQ(run->report().timeStepLimitedBy, "given limit");
    const double fallen = -0.5 * kGravity * t * t;
    // Scale: the distance flown and fallen. The map coordinates themselves resolve 2e-9 m at 9,085 km.
    EXPECT_TRUE(agrees(now.position(0).x - (shift + 20000), 10 * t, 1e-6));
    EXPECT_EQ(now.position(0).y, shift + 800);
    EXPECT_TRUE(agrees(now.position(0).z, fallen, 1e-6));
    EXPECT_TRUE(agrees(now.velocity(0).z, -kGravity * t, 1e-6));
    EXPECT_TRUE(agrees(now.position(1).x - (shift + 0.5), -10 * t, 1e-6));
    EXPECT_TRUE(agrees(now.position(1).y - (shift - 20000), 7 * t, 1e-6));
    EXPECT_TRUE(agrees(now.position(1).z, 3 * t + fallen, 1e-6));
    verify("Flight in steps of 1e-6 s, 10 m/s, 20 km from the origin" +
             std::string(shift > 0 ? ", map at 9,085 km" : ""),
      "distance and fall 1e-6",
      shown(std::max(std::abs((now.position(0).x - (shift + 20000)) / (10 * t) - 1),
              std::abs(now.position(0).z / fallen - 1)),
        2),
      "closed form");
  }
}

TEST_P(GranularFlight, WithoutGravityIsStraightInEveryDirection)
{
  GranularFlowParameters parameters = flight(0.1);
  parameters.gravity = { 0, 0, 0 };
  Scene scene;
  int n = 0;
  for (const double x : { -7.0, 0.0, 7.0 })
    for (const double y : { -7.0, 0.0, 7.0 })
      for (const double z : { -7.0, 0.0, 7.0 })
        scene.seeds.add({ 10.0 * n++, 0, 0 }, { x, y, z }, 0.1, 1000);
  auto run = march(scene, parameters, device(), 1);
  const Snapshot now(*run);
  ASSERT_EQ(now.count(), scene.seeds.count());
  for (std::size_t i = 0; i < now.count(); ++i)
  {
    const double* v = &scene.seeds.velocities[3 * i];
    const Vec3d expected = Vec3d{ 10.0 * i, 0, 0 } + Vec3d{ v[0], v[1], v[2] };
    EXPECT_TRUE(agrees(now.position(i), expected, 1e-12, 270)); // sums of a thousand products
  }
}

TEST_P(GranularFlight, StepFollowsTheFastest)
{
  // Falls ever faster: the contact's stiffness was chosen for the given speed, the step must shrink.
  GranularFlowParameters parameters = flight(1);
  parameters.greatestSpeed = 1;
  Scene scene;
  scene.seeds.add({ 0, 0, 0 }, { 0, 0, -1 }, 0.1, 1000);
  auto run = march(scene, parameters, device(), 5);
  const Report report = run->report();
  EXPECT_EQ(report.timeStepLimitedBy, "radius over speed");
  EXPECT_LE(report.timeStep * report.greatestSpeed, parameters.travelPerStep * 0.1 * 1.0001);
  EXPECT_TRUE(agrees(Snapshot(*run).position(0).z, -5 - 0.5 * kGravity * 25, 1e-9));
}

TEST_P(GranularFlight, GravityPointsWhereItIsAsked)
{
  for (const auto& g : { std::array<double, 3>{ 9.81, 0, 0 }, { 0, -9.81, 0 }, { 1, 2, -3 } })
  {
    GranularFlowParameters parameters = flight(1);
    parameters.gravity = g;
    Scene scene;
    scene.seeds.add({ 0, 0, 0 }, { 0, 0, 0 }, 0.5, 2600);
    auto run = march(scene, parameters, device(), 2);
    EXPECT_TRUE(
      agrees(Snapshot(*run).position(0), Vec3d{ 2 * g[0], 2 * g[1], 2 * g[2] }, 1e-9, 20));
  }
}

TEST_P(GranularFlight, KeepsItsEnergy)
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(5000));
  scene.seeds.add({ 0, 0, 2000 }, { 30, 10, 50 }, 0.5, 2600);
  auto run = createGranularFlow(scene, flight(1), device());
  const Report before = run->report();
  advance(*run, 20);
  const Report after = run->report();
  EXPECT_TRUE(agrees(before.potentialEnergy, before.mass * kGravity * 2000, 1e-12));
  EXPECT_TRUE(agrees(after.kineticEnergy + after.potentialEnergy,
    before.kineticEnergy + before.potentialEnergy, 1e-10));
}
