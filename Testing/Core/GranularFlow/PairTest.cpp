// Two spheres, and one sphere against a plane: restitution, momentum, angular momentum.
#include "Compare.h"
#include "Math/Random.h"
#include "Runs.h"
#include "Terrains.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kRadius = 0.5;
constexpr double kDensity = 2600;

GranularFlowParameters inTheVoid(double restitution)
{
  GranularFlowParameters parameters;
  parameters.gravity = { 0, 0, 0 };
  parameters.restitution = parameters.terrainRestitution = restitution;
  parameters.friction = parameters.terrainFriction = 0;
  parameters.frameInterval = 0.01;
  return parameters;
}

/// Spin and orbital angular momentum about the origin.
Vec3d angularMomentum(const Snapshot& now)
{
  Vec3d total;
  for (std::size_t i = 0; i < now.count(); ++i)
  {
    const double m = now.scalar("mass", i), r = now.scalar("radius", i);
    total += m * cross(now.position(i), now.velocity(i)) + (0.4 * m * r * r) * now.spin(i);
  }
  return total;
}

} // namespace

class GranularPair : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularPair);

TEST_P(GranularPair, MomentumOfEqualSpheresIsZeroToTheBit)
{
  GranularFlowParameters parameters = inTheVoid(0.4);
  parameters.friction = 0.5;
  Scene scene;
  scene.seeds.add({ -0.75, 0.125, -0.25 }, { 3, 0.5, 0.25 }, kRadius, kDensity);
  scene.seeds.add({ 0.75, -0.125, 0.25 }, { -3, -0.5, -0.25 }, kRadius, kDensity);
  auto run = createGranularFlow(scene, parameters, device());
  double worst = 0;
  bool met = false;
  for (int frame = 1; frame <= 60; ++frame)
  {
    advance(*run, frame * parameters.frameInterval);
    const Report report = run->report();
    for (const double component : report.momentum)
      worst = std::max(worst, std::abs(component));
    const Snapshot now(*run);
    EXPECT_EQ(squaredLength(now.velocity(0) + now.velocity(1)), 0);
    EXPECT_EQ(squaredLength(now.position(0) + now.position(1)), 0);
    EXPECT_EQ(squaredLength(now.spin(0) - now.spin(1)), 0); // turned by one and the same friction
    EXPECT_EQ(now.scalar("pressure", 0), now.scalar("pressure", 1));
    met = met || now.scalar("pressure_max", 0) > 0;
  }
  EXPECT_TRUE(met);
  EXPECT_GT(length(Snapshot(*run).spin(0)), 0.01);
  EXPECT_EQ(worst, 0);
  verify("Momentum of two equal spheres in an oblique impact with friction", "0 to the bit",
    shown(worst) + " kg m/s", "action equals reaction");
}

TEST_P(GranularPair, MomentumAndAngularMomentumAreConserved)
{
  // Oblique, with spins from friction, unequal spheres: both are kept to the rounding of float forces.
  RandomStream random(3, RandomStream::Velocities);
  double worstMomentum = 0, worstAngular = 0;
  for (int trial = 0; trial < 12; ++trial)
  {
    GranularFlowParameters parameters = inTheVoid(random.uniform(0.1, 1));
    parameters.friction = random.uniform(0.05, 1);
    Scene scene;
    const double ratio = random.uniform(0.35, 1);
    const Vec3d offset{ 0, random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4) };
    scene.seeds.add({ -1.2, 0, 0 }, { 4, random.uniform(-0.3, 0.3), 0 }, kRadius, kDensity);
    scene.seeds.add({ 0.3, offset.y, offset.z }, { -4, 0, 0 }, ratio * kRadius, kDensity);
    auto run = createGranularFlow(scene, parameters, device());
    const Vec3d before = angularMomentum(Snapshot(*run));
    const auto momentumBefore = run->report().momentum;
    advance(*run, 0.3);
    const Snapshot after(*run);
    const auto momentumAfter = run->report().momentum;
    EXPECT_GT(length(after.spin(0)), 0);
    const double scale = after.scalar("mass", 0) * 4 * kRadius; // m v r of the larger
    worstAngular = std::max(worstAngular, length(angularMomentum(after) - before) / scale);
    for (int k = 0; k < 3; ++k)
      worstMomentum = std::max(worstMomentum,
        std::abs(momentumAfter[k] - momentumBefore[k]) / (after.scalar("mass", 0) * 4));
  }
  EXPECT_LT(worstMomentum, 1e-12);
  // Arrays of the frame are float: 6e-8 of each of a dozen terms.
  EXPECT_LT(worstAngular, 1e-6);
  verify("Momentum of oblique impacts with friction, over m v", "1e-12", shown(worstMomentum, 2),
    "conservation");
  verify("Angular momentum with spin of oblique impacts with friction, over m v r", "1e-6",
    shown(worstAngular, 2), "conservation");
}

TEST_P(GranularPair, SlidingImpactFollowsCoulomb)
{
  // Sliding throughout, which needs tan(angle) > 7/2 mu (1 + e): the tangential impulse is mu times the
  // normal one, the spin 5/2 of it over r. Closed form of Chung & Ooi 2011, test 4, for a wall.
  struct Case
  {
    double restitution, friction, degrees;
  };
  for (const Case& c : { Case{ 0.98, 0.092, 40 }, Case{ 0.98, 0.092, 60 }, Case{ 0.98, 0.092, 80 },
         Case{ 0.4, 0.3, 62 }, Case{ 0.4, 0.6, 76 }, Case{ 0.1, 0.3, 55 }, Case{ 0.1, 0.6, 70 } })
  {
    GranularFlowParameters parameters = inTheVoid(c.restitution);
    parameters.terrainFriction = c.friction;
    parameters.greatestOverlap = 0.01; // the arm of friction is the radius less the overlap
    parameters.frameInterval = 0.05;
    const double speed = 4, angle = c.degrees * M_PI / 180;
    const double normal = speed * std::cos(angle), along = speed * std::sin(angle);
    double tangential = 0, spin = 0, rebound = 0;
    const int phases = 8;
    for (int phase = 0; phase < phases; ++phase)
    {
      Scene scene;
      scene.surfaces.push_back(planeTerrain(50));
      scene.seeds.add(
        { -10, 3, kRadius + 0.1 + 0.004 * phase }, { along, 0, -normal }, kRadius, kDensity);
      auto run = march(scene, parameters, device(), 0.5);
      const Snapshot now(*run);
      tangential += now.velocity(0).x / along / phases;
      spin += now.spin(0).y / phases;
      rebound += now.velocity(0).z / normal / phases;
    }
    // With the rebound reached: friction alone is judged.
    const double impulse = c.friction * (1 + rebound) * normal;
    const std::string name = "mu " + shown(c.friction) + ", e " + shown(c.restitution) + ", " +
                             shown(c.degrees) + " degrees";
    EXPECT_TRUE(agrees(tangential, 1 - impulse / along, 0.01)) << name;
    EXPECT_TRUE(agrees(spin, 2.5 * impulse / kRadius, 0.01)) << name;
    verify("Sliding impact on a plane, " + name + ": spin after",
      shown(2.5 * impulse / kRadius) + " rad/s, 1 %", shown(spin) + " rad/s",
      "Chung & Ooi 2011, test 4, closed form");
  }
}

TEST_P(GranularPair, OfTwoAtRestInTheVoidStays)
{
  GranularFlowParameters parameters = inTheVoid(0.4);
  Scene scene;
  scene.seeds.add({ 0, 0, 0 }, { 0, 0, 0 }, kRadius, kDensity);
  scene.seeds.add({ 1, 0, 0 }, { 0, 0, 0 }, kRadius, kDensity); // exactly at touch
  auto run = march(scene, parameters, device(), 1);
  EXPECT_EQ(run->report().kineticEnergy, 0);
  EXPECT_EQ(Snapshot(*run).position(1).x, 1);
}
