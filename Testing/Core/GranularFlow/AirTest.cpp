// Drag and wind through whole runs; at the origin and 20 km away.
#include "Compare.h"
#include "Runs.h"
#include "Terrains.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kGravity = 9.81;
constexpr double kAirDensity = 1.225;

Domain wideDomain(double middleZ = 0)
{
  Domain domain;
  domain.used = true;
  domain.lower = { -2 * kFar, -2 * kFar, middleZ - 2 * kFar };
  domain.upper = { 2 * kFar, 2 * kFar, middleZ + 2 * kFar };
  return domain;
}

GranularFlowParameters inAir(double frameInterval)
{
  GranularFlowParameters parameters;
  parameters.airDensity = kAirDensity;
  parameters.frameInterval = frameInterval;
  parameters.travelPerStep = 0.5;
  return parameters;
}

Scene oneBall(double diameter, double away, const Vec3d& velocity, double z = 0)
{
  Scene scene;
  scene.domain = wideDomain();
  scene.seeds.add({ away, away, z }, { velocity.x, velocity.y, velocity.z }, diameter / 2, 2500);
  return scene;
}

/// Where the ball comes down to its height again, on the cubic between two frames.
double rangeOf(Simulation& run, double frameInterval, double away)
{
  Vec3d former;
  for (int frame = 1; frame < 10000; ++frame)
  {
    advance(run, frame * frameInterval);
    const Snapshot now(run);
    const Vec3d p = now.position(0);
    if (frame > 10 && p.z <= 0)
      return former.x + (p.x - former.x) * former.z / (former.z - p.z) - away;
    former = p;
  }
  return -1;
}

} // namespace

class GranularAir : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularAir);

TEST_P(GranularAir, FlightWithQuadraticDragHasTheTabulatedRange)
{
  struct Case
  {
    double coefficient, diameter, range;
  };
  const double along = 100 / std::sqrt(2.0);
  for (const Case& c : { Case{ 1, 0.1, 312.35 }, Case{ 1, 0.5, 664.24 }, Case{ 1, 1, 797.41 },
         Case{ 0.5, 0.3, 702.48 } })
  {
    for (const double away : { 0.0, kFar })
    {
      GranularFlowParameters parameters = inAir(0.02);
      parameters.dragCoefficient = c.coefficient;
      auto run =
        createGranularFlow(oneBall(c.diameter, away, { along, 0, along }), parameters, device());
      const double range = rangeOf(*run, 0.02, away);
      EXPECT_TRUE(agrees(range, c.range, 1e-3)) << c.diameter << " " << away;
      verify("Flight with drag, 100 m/s at 45 degrees, C_d " + shown(c.coefficient) +
               ", diameter " + shown(c.diameter) + " m" + awayName(away),
        shown(c.range, 5) + " m, 0.1 %", shown(range, 5) + " m", "computed, rho 2500, air 1.225");
    }
  }
  // Without air it flies 1019 m.
  GranularFlowParameters still = inAir(0.02);
  still.airDensity = 0;
  auto run = createGranularFlow(oneBall(1, 0, { along, 0, along }), still, device());
  EXPECT_FALSE(agrees(rangeOf(*run, 0.02, 0), 797.41, 0.2));
}

TEST_P(GranularAir, SchillerNaumannFollowsAFineIntegration)
{
  const double radius = 0.002, density = 2500, viscosity = 1.8e-5, end = 2;
  const double mass = density * 4 / 3 * M_PI * radius * radius * radius;
  struct Flight
  {
    double x = 0, z = 0, u = 20, w = 20;
  };
  const auto rate = [&](const Flight& f)
  {
    const double speed = std::hypot(f.u, f.w);
    const double reynolds = 2 * kAirDensity * speed * radius / viscosity;
    const double coefficient =
      reynolds > 1000 ? 0.44 : 24 / reynolds * (1 + 0.15 * std::pow(reynolds, 0.687));
    const double k = 0.5 * kAirDensity * coefficient * M_PI * radius * radius * speed / mass;
    return Flight{ f.u, f.w, -k * f.u, -k * f.w - kGravity };
  };
  const auto plus = [](const Flight& f, const Flight& r, double h) {
    return Flight{ f.x + h * r.x, f.z + h * r.z, f.u + h * r.u, f.w + h * r.w };
  };
  Flight f;
  const int steps = 20000;
  const double h = end / steps;
  for (int k = 0; k < steps; ++k)
  {
    const Flight a = rate(f), b = rate(plus(f, a, h / 2)), c = rate(plus(f, b, h / 2)),
                 d = rate(plus(f, c, h));
    f = plus(plus(plus(plus(f, a, h / 6), b, h / 3), c, h / 3), d, h / 6);
  }
  for (const double away : { 0.0, kFar })
  {
    GranularFlowParameters parameters = inAir(end);
    parameters.dragLaw = DragLaw::SchillerNaumann;
    auto run = march(oneBall(2 * radius, away, { 20, 0, 20 }), parameters, device(), end);
    const Snapshot now(*run);
    const double path = std::hypot(f.x, f.z);
    EXPECT_TRUE(agrees(now.position(0), Vec3d{ away + f.x, away, f.z }, 1e-3, path));
    EXPECT_TRUE(agrees(now.velocity(0), Vec3d{ f.u, 0, f.w }, 1e-3, std::hypot(f.u, f.w)));
    verify(
      std::string("Flight of a lapillus of 4 mm after Schiller & Naumann, 2 s") + awayName(away),
      "(" + shown(f.x, 5) + ", " + shown(f.z, 5) + ") m, 0.1 % of the way",
      "(" + shown(now.position(0).x - away, 5) + ", " + shown(now.position(0).z, 5) + ") m",
      "fine Runge-Kutta integration");
  }
}

TEST_P(GranularAir, FallEndsAtTheTerminalSpeed)
{
  // Quadratic: v^2 = 8/3 r g rho_p / (C_d rho).
  const double radius = 0.005;
  const double terminal = std::sqrt(8.0 / 3 * radius * kGravity * 2500 / kAirDensity);
  for (const double away : { 0.0, kFar })
  {
    auto run = march(oneBall(2 * radius, away, {}), inAir(1), device(), 20);
    EXPECT_TRUE(agrees(-Snapshot(*run).velocity(0).z, terminal, 1e-4));
  }
  verify("Terminal speed of a ball of 10 mm", shown(terminal, 5) + " m/s, 1e-4",
    shown(-Snapshot(*march(oneBall(2 * radius, 0, {}), inAir(1), device(), 20)).velocity(0).z, 5) +
      " m/s",
    "weight equals drag");
  // Dust after Stokes, at a Reynolds number of 0.005.
  GranularFlowParameters dust = inAir(0.1);
  dust.dragLaw = DragLaw::SchillerNaumann;
  dust.travelPerStep = 0.1;
  dust.greatestSpeed = 1e-4; // contacts shall not shorten the step
  const double fine = 5e-6;
  const double stokes = 2.0 / 9 * fine * fine * kGravity * 2500 / dust.airViscosity;
  auto run = march(oneBall(2 * fine, 0, {}), dust, device(), 0.1);
  EXPECT_TRUE(agrees(-Snapshot(*run).velocity(0).z, stokes, 0.01));
}

TEST_P(GranularAir, WindCarriesALightGrainByItsHeight)
{
  for (const double z : { 0.0, 5300.0 })
  {
    for (const double away : { 0.0, kFar })
    {
      GranularFlowParameters parameters = inAir(1);
      parameters.gravity = { 0, 0, 0 };
      parameters.dragLaw = DragLaw::SchillerNaumann;
      parameters.wind = { { z, { 2, 0, 0 } }, { z + 10, { 4, -2, 0 } } };
      Scene scene;
      scene.domain = wideDomain(z);
      for (const double height : { -5.0, 5.0, 15.0 })
        scene.seeds.add({ away, away + 30 * height, z + height }, { 0, 0, 0 }, 5e-5, 10);
      auto run = march(scene, parameters, device(), 1);
      const Snapshot now(*run);
      EXPECT_TRUE(agrees(now.velocity(0), Vec3d{ 2, 0, 0 }, 1e-4, 2)) << z << " " << away;
      EXPECT_TRUE(agrees(now.velocity(1), Vec3d{ 3, -1, 0 }, 1e-4, 2)) << z << " " << away;
      EXPECT_TRUE(agrees(now.velocity(2), Vec3d{ 4, -2, 0 }, 1e-4, 2)) << z << " " << away;
    }
  }
}

TEST_P(GranularAir, OffIsTheSameBitsAsWithout)
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(50));
  for (int i = 0; i < 5; ++i)
    scene.seeds.add({ 1.1 * i, 0, 3 }, { 1, 0.5, 0 }, 0.5, 2600);
  GranularFlowParameters off;
  off.dragCoefficient = 7;
  off.dragLaw = DragLaw::SchillerNaumann;
  off.wind = { { 0, { 20, 0, 0 } } };
  EXPECT_EQ(hashOf(*march(scene, off, device(), 1)), hashOf(*march(scene, {}, device(), 1)));
  off.airDensity = 1;
  EXPECT_NE(hashOf(*march(scene, off, device(), 1)), hashOf(*march(scene, {}, device(), 1)));
}
