// None goes farther in a step, or in a stage of one, than the longest way.
#include "Compare.h"
#include "Fields.h"
#include "Runs.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

/// Notes how far from the step's beginning each evaluation is.
template <class Law>
class Watched : public Field<Law>
{
public:
  using Field<Law>::Field;
  void setAccelerations(
    const Executor& executor, const PhaseView& state, double time, Vec3d* accelerations) override
  {
    double farthest = 0;
    for (Index i = 0; i < state.count; ++i)
      farthest = std::max(farthest, length(state.position[i] - beginning[i]));
    farthestOfCalls.push_back(farthest);
    Field<Law>::setAccelerations(executor, state, time, accelerations);
  }
  std::vector<Vec3d> beginning;
  std::vector<double> farthestOfCalls;
};

std::size_t evaluationsOf(IntegrationMethod method)
{
  return method == IntegrationMethod::RungeKutta4           ? 4
         : method == IntegrationMethod::AdaptiveRungeKutta4 ? 11
                                                            : 1;
}

constexpr double kWay = 0.1;

/// Marches and looks at every step that was kept, with its stages.
template <class Law>
double farthestStep(Integrator& integrator, PhaseSpace& state, const Law& law, double end)
{
  Watched<Law> field(law);
  const std::size_t evaluations = evaluationsOf(integrator.parameters().method);
  double farthest = 0;
  while (state.time() < end)
  {
    field.beginning = state.positions();
    field.farthestOfCalls.clear();
    integrator.step(kOneThread, state, field, end);
    const std::vector<Vec3d> places = state.positions();
    for (std::size_t i = 0; i < places.size(); ++i)
      farthest = std::max(farthest, length(places[i] - field.beginning[i]));
    const std::vector<double>& calls = field.farthestOfCalls;
    EXPECT_GE(calls.size(), evaluations);
    for (std::size_t k = calls.size() - evaluations; k < calls.size(); ++k)
      farthest = std::max(farthest, calls[k]);
  }
  return farthest;
}

IntegratorParameters limited(IntegrationMethod method, double timeStep)
{
  IntegratorParameters parameters = stepping(method, timeStep);
  parameters.longestWay = kWay;
  return parameters;
}

const auto kNoForce = [](const Vec3d&, const Vec3d&, double) { return Vec3d{}; };

class LongestWay : public ByEveryMethod
{
};

} // namespace

TEST_P(LongestWay, HoldsForAFastBody)
{
  Points points;
  points.add({ 0, 0, 0 }, { 0, 0, 0 });
  points.add({ 1, 2, 3 }, { 600, 0, -800 });
  PhaseSpace state = stateOf(points);
  Integrator integrator(limited(GetParam(), 1));
  const double farthest = farthestStep(integrator, state, kNoForce, 0.01);
  EXPECT_LE(farthest, kWay * (1 + 1e-12));
  EXPECT_GT(farthest, 0.98 * kWay); // and no shorter than it must
  EXPECT_EQ(integrator.limitedBy(), StepLimit::LongestWay);
  EXPECT_EQ(integrator.counts().undone, 0);
  EXPECT_TRUE(agrees(integrator.counts().taken, 101, 1, 1)); // 10 m
  EXPECT_TRUE(agrees(state.position(1), Vec3d{ 7, 2, -5 }, 1e-12, 10));

  PhaseSpace free = stateOf(points);
  Integrator without(stepping(GetParam(), 1));
  EXPECT_GT(farthestStep(without, free, kNoForce, 0.01), 9.9);
}

TEST_P(LongestWay, HoldsForAGreatAccelerationFromRest)
{
  const auto push = [](const Vec3d&, const Vec3d&, double) { return Vec3d{ 0, 0, 1e6 }; };
  Points points;
  points.add({ 0, 0, 0 }, { 0, 0, 0 });
  PhaseSpace state = stateOf(points);
  Integrator integrator(limited(GetParam(), 1));
  const double farthest = farthestStep(integrator, state, push, 0.005);
  EXPECT_LE(farthest, kWay * (1 + 1e-12));
  EXPECT_GT(farthest, 0.9 * kWay);
  EXPECT_EQ(integrator.counts().undone, 0);
  EXPECT_TRUE(agrees(state.position(0).z, 12.5, 0.1)); // a t^2 / 2, to a percent by the first order
  EXPECT_TRUE(agrees(state.velocity(0).z, 5000, 1e-9));
}

/// A force that begins within a step is not foreseen by Runge and Kutta.
TEST_P(LongestWay, HoldsWhereAForceBeginsWithinTheStep)
{
  const auto wall = [](const Vec3d& x, const Vec3d&, double) {
    return Vec3d{ x.x > 0.03 ? -1e6 : 0, 0, 0 };
  };
  Points points;
  points.add({ 0, 0, 0 }, { 1, 0, 0 });
  PhaseSpace state = stateOf(points);
  Integrator integrator(limited(GetParam(), 1));
  EXPECT_LE(farthestStep(integrator, state, wall, 0.3), kWay * (1 + 1e-12));
  const bool foresees = evaluationsOf(GetParam()) == 1;
  EXPECT_EQ(integrator.counts().undone > 0, !foresees);
  EXPECT_LT(state.velocity(0).x, 0); // it was turned back
}

/// A push that leads a stage too far and the step's end not: at the middle of a step, and at the middle of its
/// second half, which step doubling alone looks at.
TEST_P(LongestWay, HoldsForStagesThatGoFartherThanTheStep)
{
  const bool doubles = GetParam() == IntegrationMethod::AdaptiveRungeKutta4;
  for (const auto& [time, push] : { std::pair(0.05, 3.), std::pair(0.075, 12.) })
  {
    const auto pulse = [time = time, push = push](const Vec3d&, const Vec3d&, double t) {
      return Vec3d{ std::abs(t - time) < 0.002 ? push : 0, 0, 0 };
    };
    Points points;
    points.add({ 0, 0, 0 }, { 0.88, 0, 0 }); // 0.088 in a step
    PhaseSpace state = stateOf(points);
    Integrator integrator(limited(GetParam(), 0.1));
    EXPECT_LE(farthestStep(integrator, state, pulse, 0.1), kWay * (1 + 1e-12));
    const bool meets = evaluationsOf(GetParam()) > 1 && (time == 0.05 || doubles);
    EXPECT_EQ(integrator.counts().undone > 0, meets) << time;
  }
}

TEST_P(LongestWay, LeavesSlowBodiesAlone)
{
  Points points;
  points.add({ 0, 0, 0 }, { 0.1, 0, 0 });
  PhaseSpace state = stateOf(points);
  Integrator integrator(limited(GetParam(), 0.25));
  EXPECT_LT(farthestStep(integrator, state, kNoForce, 1), 0.03);
  EXPECT_EQ(integrator.counts().taken, 4);
  EXPECT_EQ(integrator.limitedBy(), StepLimit::TimeStep);
}

TEST_P(LongestWay, EndsWhereNoStepIsShortEnough)
{
  const auto explode = [](const Vec3d& x, const Vec3d&, double) {
    return Vec3d{ x.y > 1 ? 1e120 : 0, 0, 0 };
  };
  Points points;
  points.add({ 0, 0, 0 }, { 0, 0, 0 });
  points.add({ 1, 2, 3 }, { 0, 0, 0 });
  points.add({ 4, 2, 3 }, { 0, 0, 0 }); // of equals the first is named
  Field field(explode);
  {
    PhaseSpace state = stateOf(points);
    Integrator integrator(limited(GetParam(), 1));
    const std::string text =
      messageOf<Diverged>([&] { integrator.step(kOneThread, state, field, 1); });
    EXPECT_EQ(text,
      "diverged at time 0 s, step 0: point 1 at (1, 2, 3) m moves at 0 m/s under 1e+120 m/s^2; to "
      "stay within the longest way, 0.1 m, the step would be " +
        std::string(GetParam() == IntegrationMethod::SemiImplicitEuler ? "3.16227764e-61"
                                                                       : "4.47213593e-61") +
        " s, below the smallest, 1e-12 s; check forces and velocities, or raise the longest way");
    EXPECT_TRUE(sameBits(pointsOf(state), points));
    EXPECT_EQ(state.time(), 0);
  }
  {
    // A speed whose square is beyond numbers.
    points.velocities[0] = { 0, -1e200, 0 };
    PhaseSpace state = stateOf(points);
    Integrator integrator(limited(GetParam(), 1));
    Field none(kNoForce);
    EXPECT_NE(messageOf<Diverged>([&] { integrator.step(kOneThread, state, none, 1); })
                .find("point 0 at (0, 0, 0) m"),
      std::string::npos);
  }
}

/// The point that is named is the one that it is now.
TEST_P(LongestWay, KnowsWhoIsTheFastestAfterAReorder)
{
  const auto push = [](const Vec3d& x, const Vec3d&, double) { return Vec3d{ 0.1 * x.y, 0, 0 }; };
  Points points;
  points.add({ 0, 0, 0 }, { 0, 0, 0 });
  points.add({ 0, 1, 0 }, { 1.9, 0, 0 });
  PhaseSpace state = stateOf(points);
  IntegratorParameters parameters = limited(GetParam(), 1);
  parameters.smallestStep = 0.05; // at 2 m/s
  Integrator integrator(parameters);
  Field field(push);
  cpu::Buffer<Index> swapped;
  swapped.upload({ 1, 0 });
  int fastest = 1;
  std::string text;
  while (text.empty() && state.time() < 5)
  {
    integrator.reorder(kOneThread, state, swapped);
    fastest = 1 - fastest;
    try
    {
      integrator.step(kOneThread, state, field, 5);
    }
    catch (const Diverged& error)
    {
      text = error.what();
    }
  }
  EXPECT_GT(integrator.counts().taken, 5);
  EXPECT_NE(text.find("point " + std::to_string(fastest) + " at ("), std::string::npos) << text;
}

LAPILLI_BY_EVERY_METHOD(LongestWay);
