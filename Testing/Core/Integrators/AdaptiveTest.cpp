// Runge and Kutta with step doubling: steps follow the error that is allowed.
#include "Compare.h"
#include "Fields.h"
#include "Runs.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

IntegratorParameters controlled(double tolerance, double timeStep = 1)
{
  IntegratorParameters parameters = stepping(IntegrationMethod::AdaptiveRungeKutta4, timeStep);
  parameters.lengthTolerance = parameters.velocityTolerance = tolerance;
  return parameters;
}

/// One body that begins far from the centre of a long ellipse.
Points cometAt(double time, double eccentricity = 0.9)
{
  const Points all = orbits(eccentricity, M_PI * (1 - 1. / kBodies) + time);
  Points one;
  one.add(all.places[0], all.velocities[0]);
  return one;
}

} // namespace

TEST(AdaptiveRungeKutta, TakesSmallStepsNearThePericentre)
{
  PhaseSpace state = stateOf(cometAt(0));
  Integrator integrator(controlled(1e-8));
  Field<Gravity> field{ Gravity{} };
  double nearest = INFINITY, farthest = 0, stepNear = 0, stepFar = 0;
  while (state.time() < 2 * M_PI)
  {
    const double step = integrator.step(kOneThread, state, field, 2 * M_PI);
    const double distance = length(state.position(0));
    if (distance < nearest)
    {
      nearest = distance;
      stepNear = step;
    }
    if (distance > farthest)
    {
      farthest = distance;
      stepFar = step;
    }
  }
  EXPECT_EQ(state.time(), 2 * M_PI);
  EXPECT_LT(nearest, 0.12);
  EXPECT_GT(farthest, 1.85);
  // A free fall over r takes r^1.5: by that the steps may differ by a factor of 80.
  EXPECT_GT(stepFar / stepNear, 15);
  EXPECT_LT(stepFar / stepNear, 160);
  EXPECT_GT(integrator.counts().undone, 0);
  EXPECT_EQ(integrator.counts().evaluations,
    1 + 11 * (integrator.counts().taken + integrator.counts().undone));
  EXPECT_LT(apart(pointsOf(state), cometAt(2 * M_PI)), 1e-4);
  // Equal steps as small as the smallest would be many more.
  EXPECT_LT(integrator.counts().taken, 0.2 * 2 * M_PI / integrator.smallestStep());
}

TEST(AdaptiveRungeKutta, ErrorFollowsTheTolerance)
{
  const auto error = [](double tolerance)
  { return apart(marched(controlled(tolerance), Gravity{}, orbits(0.6, 0), 6), orbits(0.6, 6)); };
  const double coarse = error(1e-6), middle = error(1e-8), fine = error(1e-10);
  EXPECT_GT(coarse / middle, 30);
  EXPECT_LT(coarse / middle, 300);
  EXPECT_GT(middle / fine, 30);
  EXPECT_LT(middle / fine, 300);
  EXPECT_LT(fine, 1e-8);
}

TEST(AdaptiveRungeKutta, EachToleranceRules)
{
  const auto steps = [](const IntegratorParameters& parameters)
  {
    PhaseSpace state = stateOf(orbits(0.6, 0));
    Integrator integrator(parameters);
    Field<Gravity> field{ Gravity{} };
    march(integrator, state, field, 6);
    EXPECT_EQ(integrator.limitedBy() == StepLimit::Tolerance, integrator.counts().taken > 10);
    return integrator.counts().taken;
  };
  IntegratorParameters loose = controlled(1e6);
  EXPECT_EQ(steps(loose), 6);
  IntegratorParameters ofLength = loose, ofVelocity = loose, both = loose,
                       relative = controlled(1e-300);
  ofLength.lengthTolerance = 1e-8;
  ofVelocity.velocityTolerance = 1e-8;
  both.lengthTolerance = both.velocityTolerance = 1e-8;
  relative.relativeTolerance = 1e-7;
  EXPECT_GT(steps(ofLength), 30);
  EXPECT_GT(steps(ofVelocity), steps(ofLength)); // near the centre velocities change the faster
  EXPECT_GE(steps(both), steps(ofVelocity));
  EXPECT_GT(steps(relative), 30);
  EXPECT_LT(steps(relative), 2000);
}

/// Places are measured by the way in the step, not from the origin.
TEST(AdaptiveRungeKutta, DoesNotDependOnTheOrigin)
{
  const auto steps = [](const Vec3d& centre)
  {
    IntegratorParameters parameters = controlled(1e-9);
    parameters.velocityTolerance = 1e6;
    parameters.relativeTolerance = 1e-7;
    PhaseSpace state = stateOf(orbits(0.6, 0, Planes::OfTheirOwn, centre));
    Integrator integrator(parameters);
    Field<Gravity> field(Gravity{ centre });
    march(integrator, state, field, 6);
    return static_cast<double>(integrator.counts().taken);
  };
  EXPECT_TRUE(agrees(steps({ kFar, -kFar, 3 }), steps({}), 0.02));
}

TEST(AdaptiveRungeKutta, ArrivesExactlyAndKeepsItsPace)
{
  PhaseSpace state = stateOf(orbits(0.1, 0));
  Integrator integrator(controlled(1e-8));
  Field<Gravity> field{ Gravity{} };
  for (int k = 0; k < 100; ++k)
    integrator.step(kOneThread, state, field, 1e9);
  const double pace = integrator.lastStep();
  EXPECT_GT(pace, 0.01);
  // Frames that divide steps: a tiny rest does not make the next steps tiny.
  const double end = state.time() + 2.000001 * pace;
  double shortest = INFINITY;
  while (state.time() < end)
    shortest = std::min(shortest, integrator.step(kOneThread, state, field, end));
  EXPECT_EQ(state.time(), end);
  EXPECT_GT(shortest, 0.4 * pace);
  const double hair = end + 1e-9;
  EXPECT_TRUE(agrees(integrator.step(kOneThread, state, field, hair), 1e-9, 1e-5));
  EXPECT_EQ(state.time(), hair);
  EXPECT_GT(integrator.step(kOneThread, state, field, 1e9), 0.8 * pace);
}

TEST(AdaptiveRungeKutta, SaysWhatNoStepCanReach)
{
  for (const double least : { 0.0, 1e-4 })
  {
    IntegratorParameters parameters = controlled(1e-300, 0.5);
    parameters.smallestStep = least;
    PhaseSpace state = stateOf(orbits(0.6, 0));
    const Points start = pointsOf(state);
    Integrator integrator(parameters);
    Field<Gravity> field{ Gravity{} };
    const std::string text =
      messageOf<Diverged>([&] { integrator.step(kOneThread, state, field, 6); });
    EXPECT_EQ(text.find("diverged at time 0 s, step 0: point "), 0u) << text;
    EXPECT_NE(text.find(least > 0 ? " m misses its tolerance; the step would be "
                                  : " s, below the smallest, 5e-13 s; raise the tolerances, or "
                                    "check the forces for jumps"),
      std::string::npos)
      << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_TRUE(sameBits(pointsOf(state), start));
    EXPECT_GT(integrator.counts().undone, 2);
  }
}

TEST(AdaptiveRungeKutta, TriesShorterStepsWhereForcesAreNotDefined)
{
  // Fine up to x = 1, which the first trial oversteps and the run does not.
  const auto edge = [](const Vec3d& x, const Vec3d& v, double) {
    return Vec3d{ x.x > 1 ? NAN : -10 * v.x, 0, 0 };
  };
  Points points;
  points.add({ 0, 0, 0 }, { 9, 0, 0 }); // comes to rest at 0.9
  PhaseSpace state = stateOf(points);
  Integrator integrator(controlled(1e-6));
  Field field(edge);
  march(integrator, state, field, 3);
  EXPECT_GT(integrator.counts().undone, 0);
  EXPECT_TRUE(agrees(state.position(0).x, 0.9, 1e-5));

  points.velocities[0].x = 12; // goes beyond
  PhaseSpace lost = stateOf(points);
  Integrator other(controlled(1e-6));
  const std::string text = messageOf<Diverged>([&] { march(other, lost, field, 3); });
  EXPECT_NE(
    text.find(
      "point 0 at (1, 0, 0) m has a place, a velocity or an acceleration that is not finite"),
    std::string::npos)
    << text;
  EXPECT_TRUE(agrees(lost.position(0).x, 1, 1e-6));
}
