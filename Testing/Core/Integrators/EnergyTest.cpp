// Energy over a thousand periods, and motion run backward.
#include "Compare.h"
#include "Fields.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

const Spring kSpring{ 1 };

double energyOf(const Vec3d& place, const Vec3d& velocity)
{
  return 0.5 * (squaredLength(place) + squaredLength(velocity));
}

/// The energies of oscillators over those they began with, after whole periods.
struct Spread
{
  double least = INFINITY, greatest = 0;
  void add(const Points& points, const Points& start)
  {
    for (std::size_t i = 0; i < points.places.size(); ++i)
    {
      const double ratio = energyOf(points.places[i], points.velocities[i]) /
                           energyOf(start.places[i], start.velocities[i]);
      least = std::min(least, ratio);
      greatest = std::max(greatest, ratio);
    }
  }
};

Spread spreadOver(IntegrationMethod method, int periods, int stepsPerPeriod)
{
  const Points start = oscillators(kSpring, 0);
  PhaseSpace state = stateOf(start);
  Integrator integrator(stepping(method, 2 * M_PI / stepsPerPeriod));
  Field<Spring> field(kSpring);
  Spread spread;
  for (int k = 1; k <= periods; ++k)
  {
    // At odd times, so that no phase is always looked at.
    march(integrator, state, field, 2 * M_PI * (k + 0.37 * std::sin(k)));
    spread.add(pointsOf(state), start);
  }
  return spread;
}

} // namespace

TEST(IntegratorEnergy, StaysBoundedWithSymplecticSteps)
{
  for (const auto& [method, bound] : { std::pair(IntegrationMethod::SemiImplicitEuler, 0.07),
         std::pair(IntegrationMethod::VelocityVerlet, 0.002) })
  {
    // w dt = 2 pi / 100: the energy swings by w dt for the one and (w dt)^2 / 4 for the other.
    const Spread early = spreadOver(method, 10, 100), late = spreadOver(method, 1000, 100);
    EXPECT_GT(late.least, 1 - bound);
    EXPECT_LT(late.greatest, 1 + bound);
    EXPECT_GT(late.greatest - late.least, 0.2 * bound);
    // No drift: a thousand periods swing as ten do.
    EXPECT_TRUE(agrees(late.greatest - late.least, early.greatest - early.least, 0.1));
  }
}

TEST(IntegratorEnergy, GrowsWithForwardEulerAsPredicted)
{
  const Points start = oscillators(kSpring, 0);
  const int steps = 200 * 1000;
  const double dt = 2 * M_PI / 200;
  Spread spread;
  spread.add(
    marched(stepping(IntegrationMethod::ForwardEuler, dt), kSpring, start, steps * dt), start);
  // Round-off and the times of the steps: each to 1e-16 or so.
  const double predicted = steps * std::log1p(dt * dt);
  EXPECT_GT(predicted, 190);
  EXPECT_TRUE(agrees(std::log(spread.least), predicted, 1e-9));
  EXPECT_TRUE(agrees(std::log(spread.greatest), predicted, 1e-9));
}

TEST(IntegratorEnergy, FallsWithRungeKuttaAsPredicted)
{
  const Points start = oscillators(kSpring, 0);
  const double dt = 2 * M_PI / 20, z2 = dt * dt;
  Spread spread;
  spread.add(
    marched(stepping(IntegrationMethod::RungeKutta4, dt), kSpring, start, 2000 * dt), start);
  // |1 + iz - z^2/2 - i z^3/6 + z^4/24|^2
  const double predicted = 2000 * std::log1p(-z2 * z2 * z2 / 72 * (1 - z2 / 8));
  EXPECT_LT(predicted, -0.02);
  EXPECT_TRUE(agrees(std::log(spread.least), predicted, 1e-9));
  EXPECT_TRUE(agrees(std::log(spread.greatest), predicted, 1e-9));
}

TEST(IntegratorReversal, BringsVerletBackToRoundOff)
{
  const Points start = orbits(0.6, 0);
  const auto thereAndBack = [&](IntegrationMethod method)
  {
    const IntegratorParameters parameters = stepping(method, 2 * M_PI / 400);
    Points there = marched(parameters, Gravity{}, start, 4 * M_PI);
    EXPECT_GT(apart(there, start), 0.1); // the ellipses have turned
    for (Vec3d& velocity : there.velocities)
      velocity = -velocity;
    Points back = marched(parameters, Gravity{}, there, 4 * M_PI);
    for (Vec3d& velocity : back.velocities)
      velocity = -velocity;
    return apart(back, start);
  };
  EXPECT_LT(thereAndBack(IntegrationMethod::VelocityVerlet), 1e-11);
  EXPECT_GT(thereAndBack(IntegrationMethod::SemiImplicitEuler), 1e-4);
}
