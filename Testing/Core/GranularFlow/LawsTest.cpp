// The contact laws through whole runs: Hertz-Mindlin, rolling friction, cohesion; at the origin and 20 km away.
#include "Compare.h"
#include "Runs.h"
#include "Terrains.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kGravity = 9.81;
constexpr double kRadius = 0.5;
constexpr double kDensity = 2600;

GranularFlowParameters lawInTheVoid(ContactLaw law, double restitution)
{
  GranularFlowParameters parameters;
  parameters.gravity = { 0, 0, 0 };
  parameters.contactLaw = law;
  parameters.restitution = parameters.terrainRestitution = restitution;
  parameters.friction = parameters.terrainFriction = 0;
  parameters.rayleighFraction = 1; // the contact time decides
  return parameters;
}

/// Chung & Ooi 2011, test 1.
struct ElasticImpact
{
  double overlap = 0, force = 0, time = 0;
};
ElasticImpact collideGlass(const Device& device, double away, double youngs)
{
  GranularFlowParameters parameters = lawInTheVoid(ContactLaw::HertzMindlin, 1);
  parameters.stepsPerContact = 1000;
  parameters.frameInterval = 1e-4;
  const double radius = 0.01, speed = 20, gap = 3e-4;
  Scene scene;
  scene.domain = wideDomain();
  scene.materials.push_back({ 0, youngs, 0.2 });
  scene.seeds.add({ away - radius - gap / 2, away, 0 }, { speed / 2, 0, 0 }, radius, 2800);
  scene.seeds.add({ away + radius + gap / 2, away, 0 }, { -speed / 2, 0, 0 }, radius, 2800);
  auto run = march(scene, parameters, device, 1e-4);
  const Snapshot now(*run);
  ElasticImpact impact;
  impact.overlap = run->report().greatestOverlap * radius;
  impact.force = now.scalar("pressure_max", 0) * 4 * M_PI * radius * radius;
  const double apart = now.position(1).x - now.position(0).x - 2 * radius;
  impact.time = now.time - gap / speed - apart / (now.velocity(1).x - now.velocity(0).x);
  return impact;
}

/// Chung & Ooi 2011, test 4.
struct ObliqueCase
{
  double degrees, tangential, spin, rebound;
};
constexpr ObliqueCase kChungOoi[] = { { 5, 0.948, -19.3, 3.76 }, { 10, 0.687, -213.0, -1.56 },
  { 20, 0.616, -510.6, -7.54 }, { 30, 0.684, -616.5, -3.55 }, { 40, 0.781, -544.8, 11.57 },
  { 60, 0.893, -357.5, 47.79 }, { 80, 0.966, -126.3, 78.70 } };
constexpr double kOxideYoungs = 380e9, kOxidePoisson = 0.23, kOxideDensity = 4000;
constexpr double kOxideFriction = 0.092, kOxideRestitution = 0.98;
constexpr double kOxideRadius = 0.0025, kOxideSpeed = 3.9;

struct Oblique
{
  double tangential, spin, rebound;
};

Oblique impactObliquely(const Device& device, double degrees, double away)
{
  GranularFlowParameters parameters = lawInTheVoid(ContactLaw::HertzMindlin, kOxideRestitution);
  parameters.terrainFriction = kOxideFriction;
  parameters.terrainYoungsModulus = 0;
  parameters.stepsPerContact = 400;
  parameters.frameInterval = 5e-5;
  const double angle = degrees * M_PI / 180;
  const double along = kOxideSpeed * std::sin(angle), into = kOxideSpeed * std::cos(angle);
  Scene scene;
  scene.surfaces.push_back(planeTerrain(away + 1));
  scene.materials.push_back({ 0, kOxideYoungs, kOxidePoisson });
  scene.seeds.add(
    { away, away, kOxideRadius * (1 + 1e-5) }, { along, 0, -into }, kOxideRadius, kOxideDensity);
  auto run = march(scene, parameters, device, 5e-5);
  const Snapshot now(*run);
  // The source's plane of motion: x along, spin about -y.
  const Vec3d v = now.velocity(0);
  const double spin = -now.spin(0).y;
  EXPECT_GT(v.z, 0);
  EXPECT_EQ(now.scalar("pressure", 0), 0);
  return { v.x / along, spin, std::atan2(v.x + kOxideRadius * spin, v.z) * 180 / M_PI };
}

/// The same law integrated finely, in double precision and on its own: symplectic Euler in 200,000 steps.
Oblique integrateObliquely(double degrees)
{
  const double radius = kOxideRadius;
  const double mass = kOxideDensity * 4 / 3 * M_PI * std::pow(radius, 3);
  const double bulk = kOxideYoungs / (1 - kOxidePoisson * kOxidePoisson);
  const double shear = kOxideYoungs / (2 * (2 - kOxidePoisson) * (1 + kOxidePoisson));
  // The clamped linear contact's formula holds in d^(5/4): zeta = alpha / sqrt(5).
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i)
  {
    const double zeta = 0.5 * (low + high), s = std::sqrt(1 - zeta * zeta);
    const double e = std::exp(-zeta / s * (M_PI - std::atan2(2 * zeta * s, s * s - zeta * zeta)));
    (e > kOxideRestitution ? low : high) = zeta;
  }
  const double alpha = std::sqrt(5.0) * low;
  const double angle = degrees * M_PI / 180;
  double vn = kOxideSpeed * std::cos(angle), vt = kOxideSpeed * std::sin(angle), spin = 0;
  const double along = vt;
  double d = 0, spring = 0;
  const double hertz = 4.0 / 3 * bulk * std::sqrt(radius);
  const double time = 3.3 * std::pow(mass / hertz, 0.4) * std::pow(vn, -0.2);
  const double h = time / 200000;
  for (int k = 0; k < 400000; ++k)
  {
    const double former = d;
    d += h * vn;
    if (d <= 0)
      break;
    const double normal = std::max(
      0.0, hertz * std::pow(d, 1.5) + alpha * std::sqrt(mass * hertz) * std::pow(d, 0.25) * vn);
    const double stiffness = 8 * shear * std::sqrt(radius * d);
    const double damping = alpha * std::sqrt(2.0 / 3 * (2.0 / 7 * mass) * stiffness);
    const double arm = radius;
    const double slip = vt + arm * spin; // of the sphere's lowest point
    if (vn > 0)
      spring *= std::sqrt(former / d);
    spring += h * slip;
    double across = stiffness * spring + damping * slip;
    if (std::abs(across) > kOxideFriction * normal)
    {
      across = std::copysign(kOxideFriction * normal, across);
      if (stiffness * std::abs(spring) > kOxideFriction * normal)
        spring = std::copysign(kOxideFriction * normal / stiffness, spring);
    }
    vn -= h * normal / mass;
    vt -= h * across / mass;
    spin -= h * across * arm / (0.4 * mass * radius * radius);
  }
  return { vt / along, spin, std::atan2(vt + radius * spin, -vn) * 180 / M_PI };
}

GranularFlowParameters onGround(ContactLaw law, double friction, double rollingFriction)
{
  GranularFlowParameters parameters;
  parameters.contactLaw = law;
  parameters.friction = parameters.terrainFriction = friction;
  parameters.rollingFriction = parameters.terrainRollingFriction = rollingFriction;
  parameters.greatestSpeed = 5;
  parameters.frameInterval = 0.1;
  return parameters;
}

/// A sphere that touches the plane z = slope x.
Scene sphereOnSlope(double slope, double away, const Vec3d& velocity = {})
{
  Scene scene;
  scene.surfaces.push_back(cutPlane(Cut::Coarse, away + 100, 0, slope));
  scene.seeds.add({ away, away, slope * away + kRadius * std::sqrt(1 + slope * slope) },
    { velocity.x, velocity.y, velocity.z }, kRadius, kDensity);
  return scene;
}

double accelerationOf(Simulation& run, double from, double to)
{
  advance(run, from);
  const double early = length(Snapshot(run).velocity(0));
  advance(run, to);
  return (length(Snapshot(run).velocity(0)) - early) / (to - from);
}

} // namespace

class GranularLaws : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularLaws);

TEST_P(GranularLaws, ElasticPairFollowsHertz)
{
  for (const double away : { 0.0, kFar })
  {
    const ElasticImpact reached = collideGlass(device(), away, 48e9);
    EXPECT_TRUE(agrees(reached.overlap, 274.113e-6, 1e-3)) << away;
    EXPECT_TRUE(agrees(reached.force, 10696.9, 1e-3)) << away;
    EXPECT_TRUE(agrees(reached.time, 40.3395e-6, 1e-3)) << away;
    verify("Elastic Hertz pair of glass: overlap, force, contact time" + awayName(away),
      "274.113 um, 10.6969 kN, 40.3395 us; 0.1 %",
      shown(1e6 * reached.overlap, 6) + " um, " + shown(1e-3 * reached.force, 6) + " kN, " +
        shown(1e6 * reached.time, 6) + " us",
      "Chung & Ooi 2011, test 1");
  }
  const ElasticImpact stiffer = collideGlass(device(), 0, 1.02 * 48e9);
  EXPECT_FALSE(agrees(stiffer.overlap, 274.113e-6, 1e-3));
  EXPECT_FALSE(agrees(stiffer.force, 10696.9, 1e-3));
  EXPECT_FALSE(agrees(stiffer.time, 40.3395e-6, 1e-3));
}

TEST_P(GranularLaws, ObliqueImpactsFollowChungAndOoi)
{
  for (const ObliqueCase& c : kChungOoi)
  {
    const double angle = c.degrees * M_PI / 180;
    for (const double away : { 0.0, kFar })
    {
      const Oblique reached = impactObliquely(device(), c.degrees, away);
      const std::string name = shown(c.degrees) + " degrees" + awayName(away);
      const double kept =
        -2.5 * kOxideSpeed * std::sin(angle) * (1 - reached.tangential) / kOxideRadius;
      EXPECT_TRUE(agrees(reached.spin, kept, 1e-3)) << name;
      double tangential = 1 - kOxideFriction * (1 + kOxideRestitution) / std::tan(angle);
      double spin = -2.5 * kOxideFriction * (1 + kOxideRestitution) * kOxideSpeed *
                    std::cos(angle) / kOxideRadius;
      double bar = 0.01;
      if (c.degrees < 30)
      {
        const Oblique fine = integrateObliquely(c.degrees);
        tangential = fine.tangential;
        spin = fine.spin;
        bar = 0.005;
      }
      EXPECT_TRUE(agrees(reached.tangential, tangential, bar)) << name;
      EXPECT_TRUE(agrees(reached.spin, spin, bar)) << name;
      EXPECT_NEAR(reached.tangential, c.tangential, 0.09) << name;
      EXPECT_NEAR(reached.spin, c.spin, 30) << name;
      EXPECT_NEAR(reached.rebound, c.rebound, 1.6) << name;
      verify("Oblique impact on a rigid wall at " + name + ": e_t, spin, rebound angle",
        shown(tangential, 4) + ", " + shown(spin, 5) + " rad/s, " + shown(100 * bar) +
          " %; table " + shown(c.tangential) + ", " + shown(c.spin) + ", " + shown(c.rebound),
        shown(reached.tangential, 4) + ", " + shown(reached.spin, 5) + " rad/s, " +
          shown(reached.rebound, 4) + " degrees",
        "Chung & Ooi 2011, test 4; closed form, below 30 degrees a fine integration");
    }
  }
}

TEST_P(GranularLaws, BlockSlidesUnderHertzAsCoulombSays)
{
  const double angle = M_PI / 6, slope = -std::tan(angle);
  for (const double away : { 0.0, kFar })
  {
    GranularFlowParameters parameters = onGround(ContactLaw::HertzMindlin, 0.3, 0);
    parameters.rotation = Rotation::Locked;
    auto run = createGranularFlow(sphereOnSlope(slope, away), parameters, device());
    const double reached = accelerationOf(*run, 0.5, 1.5);
    EXPECT_TRUE(agrees(reached, 2.35629, 1e-3));
    verify("Hertz: block on a plane of 30 degrees, mu 0.3" + awayName(away), "2.35629 m/s^2, 0.1 %",
      shown(reached, 6) + " m/s^2", "g (sin b - mu cos b)");
  }
}

TEST_P(GranularLaws, SphereRollsUnderHertzWhereFrictionSuffices)
{
  const double slope = -std::tan(M_PI / 6);
  for (const double away : { 0.0, kFar })
  {
    auto run = createGranularFlow(
      sphereOnSlope(slope, away), onGround(ContactLaw::HertzMindlin, 0.3, 0), device());
    const double reached = accelerationOf(*run, 0.5, 1.5);
    EXPECT_TRUE(agrees(reached, 3.50357, 1e-3));
    const Snapshot now(*run);
    EXPECT_TRUE(agrees(length(now.spin(0)) * kRadius, length(now.velocity(0)), 1e-3));
    verify("Hertz: sphere that rolls down 30 degrees, mu 0.3" + awayName(away),
      "3.50357 m/s^2, 0.1 %", shown(reached, 6) + " m/s^2", "5/7 g sin b");
  }
}

TEST_P(GranularLaws, RollingBallStopsAfterTheClosedFormDistance)
{
  const double rolling = 0.1;
  for (const ContactLaw law : { ContactLaw::LinearSpring, ContactLaw::HertzMindlin })
  {
    for (const double away : { 0.0, kFar })
    {
      auto run = createGranularFlow(
        sphereOnSlope(0, away, { 3, 0, 0 }), onGround(law, 0.6, rolling), device());
      advance(*run, 0.5); // slides at first
      const Snapshot early(*run);
      const double speed = early.velocity(0).x;
      EXPECT_TRUE(agrees(early.spin(0).y * kRadius, speed, 2e-3));
      advance(*run, 10);
      const Snapshot late(*run);
      const double expected = speed * speed / (2 * 5.0 / 7 * rolling * kGravity);
      const double reached = late.position(0).x - early.position(0).x;
      EXPECT_TRUE(agrees(reached, expected, 5e-3)) << nameOf(law) << awayName(away);
      EXPECT_LT(length(late.velocity(0)), 1e-6);
      EXPECT_LT(length(late.spin(0)), 1e-6);
      EXPECT_EQ(late.points.array("at_rest").as<std::uint8_t>()[0], 1);
      verify(std::string("Rolling friction 0.1, ") + nameOf(law) + ": ball on a flat stops after" +
               awayName(away),
        shown(expected, 5) + " m, 0.5 %", shown(reached, 5) + " m", "v^2 / (2 5/7 mu_r g)");
    }
  }
  // Without it the ball rolls on.
  auto run = march(
    sphereOnSlope(0, 0, { 3, 0, 0 }), onGround(ContactLaw::LinearSpring, 0.6, 0), device(), 5);
  EXPECT_TRUE(agrees(Snapshot(*run).velocity(0).x, 3 * 5.0 / 7, 1e-3));
}

TEST_P(GranularLaws, RollingFrictionHoldsOnASlopeUpToItsAngle)
{
  const double rolling = 0.3;
  for (const ContactLaw law : { ContactLaw::LinearSpring, ContactLaw::HertzMindlin })
  {
    for (const double away : { 0.0, kFar })
    {
      auto held = march(sphereOnSlope(-0.28, away), onGround(law, 1, rolling), device(), 1);
      const Vec3d settled = Snapshot(*held).position(0);
      advance(*held, 3);
      EXPECT_LT(length(Snapshot(*held).velocity(0)), 1e-5) << nameOf(law) << awayName(away);
      EXPECT_LT(length(Snapshot(*held).position(0) - settled), 1e-5) << nameOf(law);

      const double slope = 0.45, angle = std::atan(slope);
      auto rolls =
        createGranularFlow(sphereOnSlope(-slope, away), onGround(law, 1, rolling), device());
      const double reached = accelerationOf(*rolls, 0.5, 2);
      const double expected = 5.0 / 7 * kGravity * (std::sin(angle) - rolling * std::cos(angle));
      EXPECT_TRUE(agrees(reached, expected, 5e-3)) << nameOf(law) << awayName(away);
      verify(std::string("Rolling friction 0.3, ") + nameOf(law) +
               ": ball on slopes of 0.28 and 0.45" + awayName(away),
        "at rest, " + shown(expected) + " m/s^2 (0.5 %)",
        shown(length(Snapshot(*held).velocity(0)), 2) + " m/s, " + shown(reached) + " m/s^2",
        "5/7 g (sin b - mu_r cos b)");
    }
  }
}

TEST_P(GranularLaws, CohesiveBallHangsUntilItIsTooHeavy)
{
  // From the lower side of a rigid slab; the pull-off force is a multiple of the weight, with a dashpot
  // strong enough that the contact depends on the step.
  const double radius = 0.1, youngs = 1e7, poisson = 0.25;
  const double weight = kDensity * 4 / 3 * M_PI * std::pow(radius, 3) * kGravity;
  const double effective = youngs / (1 - poisson * poisson);
  for (const auto& [away, stepsPerContact] :
    { std::pair{ 0.0, 20.0 }, { 0.0, 100.0 }, { kFar, 20.0 } })
  {
    for (const double strength : { 1.02, 0.98 })
    {
      GranularFlowParameters parameters;
      parameters.contactLaw = ContactLaw::HertzMindlin;
      parameters.terrainYoungsModulus = 0;
      parameters.terrainRestitution = 0.1;
      parameters.stepsPerContact = stepsPerContact;
      parameters.greatestSpeed = 2;
      parameters.terrainCohesion = std::cbrt(
        12 * strength * weight * effective * effective / (std::pow(M_PI, 3) * radius * radius));
      Scene scene;
      scene.materials.push_back({ 0, youngs, poisson });
      Surface slab = planeTerrain(away + 10);
      std::swap(slab.triangles[1], slab.triangles[2]);
      std::swap(slab.triangles[4], slab.triangles[5]);
      slab.role = SurfaceRole::Obstacle;
      scene.surfaces.push_back(slab);
      scene.seeds.add({ away, away, -radius - 1e-3 }, { 0, 0, 0.5 }, radius, kDensity);
      auto run = march(scene, parameters, device(), 1);
      const Vec3d early = Snapshot(*run).position(0);
      advance(*run, 2);
      const Snapshot now(*run);
      if (strength < 1)
      {
        EXPECT_LT(now.position(0).z, -1)
          << awayName(away); // it lets go slowly, by 2 % of its weight
        continue;
      }
      EXPECT_LT(length(now.velocity(0)), 1e-4) << awayName(away);
      EXPECT_LT(length(now.position(0) - early), 1e-5);
      // What holds it counts as a negative pressure, and the slab bears the weight.
      const double held = -now.scalar("pressure", 0) * 4 * M_PI * radius * radius;
      EXPECT_TRUE(agrees(held, weight, 1e-3));
      EXPECT_TRUE(agrees(run->report().obstacles.at(0).force[2], -weight, 1e-3));
      verify("Cohesive ball under a slab, pull-off 1.02 and 0.98 of its weight, " +
               shown(stepsPerContact) + " steps a contact" + awayName(away),
        "hangs with its weight of " + shown(weight) + " N (0.1 %); falls",
        "hangs with " + shown(held) + " N; falls", "pi^3 c^3 R^2 / (12 E*^2)");
    }
  }
}

TEST_P(GranularLaws, ElasticFrictionalImpactsLoseEnergyOnly)
{
  // Pairs that meet with offsets from head-on to grazing, e 1.
  for (const ContactLaw law : { ContactLaw::LinearSpring, ContactLaw::HertzMindlin })
  {
    for (const auto& [friction, away] : { std::pair{ 0.1, 0.0 }, { 0.5, 0.0 }, { 5.0, 0.0 },
           { 0.1, kFar }, { 0.5, kFar }, { 5.0, kFar } })
    {
      for (const double offset : { 0.05, 0.3, 0.6, 0.9 })
      {
        GranularFlowParameters parameters = lawInTheVoid(law, 1);
        parameters.friction = friction;
        parameters.stepsPerContact = 100;
        parameters.frameInterval = 0.5;
        Scene scene;
        scene.domain = wideDomain();
        scene.seeds.add({ away - 1, away, 0 }, { 3, 0, 0 }, kRadius, kDensity);
        scene.seeds.add({ away + 1, away + offset, 0 }, { -3, 0, 0 }, kRadius, kDensity);
        auto run = createGranularFlow(scene, parameters, device());
        const double before = run->report().kineticEnergy;
        advance(*run, 1);
        const double after = run->report().kineticEnergy + run->report().rotationalEnergy;
        EXPECT_LT(after, before * (1 + 1e-3))
          << nameOf(law) << " " << friction << " " << offset << awayName(away);
        EXPECT_GT(after, before * 0.3);
        EXPECT_GT(run->report().rotationalEnergy, 0);
      }
    }
  }
}
