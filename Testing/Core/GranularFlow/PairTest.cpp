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

/// What came out of impacts that begin at many phases of the step.
struct Rebounds
{
  double mean = 0;
  double lowest = 2, highest = 0;

  void add(double rebound, int of)
  {
    mean += rebound / of;
    lowest = std::min(lowest, rebound);
    highest = std::max(highest, rebound);
  }
};

/// Marches frame by frame until the relative speed along x has turned, at most 200 frames.
double reboundOfPair(
  const Scene& scene, const GranularFlowParameters& parameters, const Device& device, double speed)
{
  auto run = createGranularFlow(scene, parameters, device);
  for (int frame = 1; frame <= 200; ++frame)
  {
    advance(*run, frame * parameters.frameInterval);
    const Snapshot now(*run);
    const double apart = now.velocity(1).x - now.velocity(0).x;
    if (apart > 0 && now.scalar("pressure", 0) == 0)
      return apart / speed;
  }
  return -1;
}

Rebounds pairRebounds(
  double restitution, double speed, int phases, const Device& device, double ratio = 1)
{
  Rebounds rebounds;
  GranularFlowParameters parameters = inTheVoid(restitution);
  // The gap is what varies: up to two steps of travel. The frame interval must outlast the contact.
  const double contact = M_PI * parameters.greatestOverlap * std::min(1.0, ratio) * kRadius / speed;
  parameters.frameInterval = 8 * contact;
  for (int phase = 0; phase < phases; ++phase)
  {
    Scene scene;
    const double gap =
      (20 + 2 * (phase + 0.5) / phases) * speed * contact / parameters.stepsPerContact;
    scene.seeds.add({ 0, 0, 0 }, { speed / 2, 0, 0 }, kRadius, kDensity);
    scene.seeds.add(
      { kRadius * (1 + ratio) + gap, 0, 0 }, { -speed / 2, 0, 0 }, ratio * kRadius, kDensity);
    rebounds.add(reboundOfPair(scene, parameters, device, speed), phases);
  }
  return rebounds;
}

Rebounds planeRebounds(double restitution, double speed, int phases, const Device& device)
{
  Rebounds rebounds;
  GranularFlowParameters parameters = inTheVoid(restitution);
  parameters.greatestSpeed = speed;
  const double contact = M_PI * parameters.greatestOverlap * kRadius / speed;
  parameters.frameInterval = 8 * contact;
  for (int phase = 0; phase < phases; ++phase)
  {
    Scene scene;
    scene.surfaces.push_back(planeTerrain(50));
    const double gap =
      (20 + 2 * (phase + 0.5) / phases) * speed * contact / parameters.stepsPerContact;
    scene.seeds.add({ 3, 7, kRadius + gap }, { 0, 0, -speed }, kRadius, kDensity);
    auto run = createGranularFlow(scene, parameters, device);
    double rebound = -1;
    for (int frame = 1; frame <= 200 && rebound < 0; ++frame)
    {
      advance(*run, frame * parameters.frameInterval);
      const Snapshot now(*run);
      if (now.velocity(0).z > 0 && now.scalar("pressure", 0) == 0)
        rebound = now.velocity(0).z / speed;
    }
    rebounds.add(rebound, phases);
  }
  return rebounds;
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

TEST_P(GranularPair, ReboundsWithTheAskedRestitution)
{
  for (const double asked : { 0.1, 0.5, 0.9 })
  {
    for (const double speed : { 0.3, 5.0, 80.0 })
    {
      const Rebounds pair = pairRebounds(asked, speed, 24, device());
      const Rebounds plane = planeRebounds(asked, speed, 24, device());
      // The time of touch within the step is not resolved: a few 0.1 % at 20 steps per contact.
      EXPECT_TRUE(agrees(pair.mean, asked, 0.015)) << asked << " at " << speed << " m/s";
      EXPECT_TRUE(agrees(plane.mean, asked, 0.015)) << asked << " at " << speed << " m/s, plane";
      EXPECT_NEAR(pair.lowest, asked, 0.007) << speed;
      EXPECT_NEAR(pair.highest, asked, 0.007) << speed;
      EXPECT_NEAR(plane.lowest, asked, 0.007) << speed;
      EXPECT_NEAR(plane.highest, asked, 0.007) << speed;
      verify(
        "Head-on restitution " + shown(asked) + " at " + shown(speed) + " m/s, mean of 24 phases",
        shown(asked) + ", 1.5 % (each phase 0.007)",
        "pair " + shown(pair.mean) + " (" + shown(pair.lowest) + " to " + shown(pair.highest) +
          "), plane " + shown(plane.mean) + " (" + shown(plane.lowest) + " to " +
          shown(plane.highest) + ")",
        "parameter");
    }
  }
}

TEST_P(GranularPair, ReboundsWithNearlyNothingIfSoAsked)
{
  for (const double asked : { 0.05, 0.01, 1e-3, 1e-6 })
  {
    const Rebounds pair = pairRebounds(asked, 5, 8, device());
    const Rebounds plane = planeRebounds(asked, 5, 8, device());
    EXPECT_NEAR(pair.mean, asked, 0.01);
    EXPECT_NEAR(plane.mean, asked, 0.01);
    EXPECT_LE(std::max(pair.highest, plane.highest), asked + 0.015);
  }
}

TEST_P(GranularPair, ElasticReboundKeepsTheSpeed)
{
  const Rebounds pair = pairRebounds(1, 10, 16, device());
  EXPECT_NEAR(pair.lowest, 1, 3e-3); // phase of the touch within a step
  EXPECT_NEAR(pair.highest, 1, 3e-3);
  EXPECT_NEAR(pair.mean, 1, 1e-3);
}

TEST_P(GranularPair, OfUnequalRadiiReboundsWithTheAskedRestitution)
{
  const Rebounds pair = pairRebounds(0.5, 10, 16, device(), 1.0 / 3);
  EXPECT_TRUE(agrees(pair.mean, 0.5, 0.015));
}

TEST_P(GranularPair, RestitutionConvergesWithTheStep)
{
  // The scatter over the phases falls at least with the step.
  double scatter[2];
  for (int level = 0; level < 2; ++level)
  {
    Rebounds rebounds;
    GranularFlowParameters parameters = inTheVoid(0.5);
    parameters.stepsPerContact = level == 0 ? 10 : 40;
    const double speed = 5, contact = M_PI * parameters.greatestOverlap * kRadius / speed;
    parameters.frameInterval = 8 * contact;
    for (int phase = 0; phase < 16; ++phase)
    {
      Scene scene;
      const double gap = (20 + phase / 16.0) * speed * contact / parameters.stepsPerContact;
      scene.seeds.add({ 0, 0, 0 }, { speed / 2, 0, 0 }, kRadius, kDensity);
      scene.seeds.add({ 2 * kRadius + gap, 0, 0 }, { -speed / 2, 0, 0 }, kRadius, kDensity);
      rebounds.add(reboundOfPair(scene, parameters, device(), speed), 16);
    }
    scatter[level] = std::max(std::abs(rebounds.highest - 0.5), std::abs(rebounds.lowest - 0.5));
  }
  EXPECT_LT(scatter[1], scatter[0] / 4);
}

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
