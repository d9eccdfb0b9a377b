// Steps and their ends, what is kept over them, and bad input.
#include "Compare.h"
#include "Fields.h"
#include "Runs.h"

#include <limits>

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class EveryIntegrator : public ByEveryMethod
{
};

std::string refusalOf(double IntegratorParameters::*field, double value)
{
  IntegratorParameters parameters = stepping(IntegrationMethod::AdaptiveRungeKutta4, 1);
  parameters.*field = value;
  return messageOf<InvalidInput>([&] { Integrator integrator(parameters); });
}

std::int64_t evaluationsPerStep(IntegrationMethod method)
{
  return method == IntegrationMethod::RungeKutta4           ? 4
         : method == IntegrationMethod::AdaptiveRungeKutta4 ? 11
                                                            : 1;
}

} // namespace

TEST_P(EveryIntegrator, TakesEqualStepsToTheEnd)
{
  PhaseSpace state = stateOf(oscillators(Spring{ 1 }, 0));
  Integrator integrator(stepping(GetParam(), 0.3));
  Field field(Spring{ 1 });
  for (const double end : { 0.9, 1.9, 2.0 })
  {
    const double start = state.time();
    const int steps = static_cast<int>(std::ceil((end - start) / 0.3 - 1e-9));
    for (int k = 0; k < steps; ++k)
    {
      EXPECT_LT(state.time(), end);
      const double step = integrator.step(kOneThread, state, field, end);
      if (GetParam() != IntegrationMethod::AdaptiveRungeKutta4)
      {
        EXPECT_TRUE(agrees(step, (end - start) / steps, 1e-12));
      }
      EXPECT_LE(step, 0.3 * (1 + 1e-9));
      EXPECT_EQ(integrator.lastStep(), step);
    }
    EXPECT_EQ(state.time(), end);
  }
}

TEST_P(EveryIntegrator, StandsWhereNothingRemains)
{
  PhaseSpace state = stateOf(oscillators(Spring{ 1 }, 0));
  const Points start = pointsOf(state);
  Integrator integrator(stepping(GetParam(), 0.3));
  Field field(Spring{ 1 });
  EXPECT_EQ(integrator.step(kOneThread, state, field, 0), 0);
  EXPECT_TRUE(sameBits(pointsOf(state), start));
  EXPECT_EQ(integrator.counts().evaluations, 0);
  for (const double end : { -1., kNaN, double(INFINITY) })
    EXPECT_NE(messageOf<InvalidInput>([&] { integrator.step(kOneThread, state, field, end); })
                .find("the end of the step is "),
      std::string::npos);
}

TEST_P(EveryIntegrator, WorksForNoneAndForOne)
{
  Field field(Spring{ 1 });
  PhaseSpace none;
  Integrator ofNone(stepping(GetParam(), 0.25));
  march(ofNone, none, field, 1);
  EXPECT_EQ(none.time(), 1);
  EXPECT_EQ(none.count(), 0);
  EXPECT_EQ(ofNone.greatestSpeed(), 0);

  Points one;
  one.add({ 1, 0, 0 }, { 0, 0, 0 });
  const Points reached = marched(stepping(GetParam(), 1e-3), Spring{ 1 }, one, 1);
  EXPECT_TRUE(agrees(reached.places[0].x, std::cos(1.), 1e-3));
}

TEST_P(EveryIntegrator, KeepsTheAccelerationsOfAStepsEnd)
{
  PhaseSpace state = stateOf(oscillators(Spring{ 1 }, 0));
  Integrator integrator(stepping(GetParam(), 0.1));
  Field field(Spring{ 1 });
  EXPECT_EQ(integrator.accelerations(state), nullptr);
  auto evaluations = [&, former = std::int64_t(0)]() mutable
  {
    integrator.step(kOneThread, state, field, 1e3);
    const std::int64_t now = integrator.counts().evaluations, more = now - former;
    former = now;
    return more;
  };
  const std::int64_t perStep = evaluationsPerStep(GetParam());
  EXPECT_EQ(evaluations(), perStep + 1);
  EXPECT_EQ(evaluations(), perStep);
  EXPECT_EQ(evaluations(), perStep);
  ASSERT_NE(integrator.accelerations(state), nullptr);
  EXPECT_TRUE(agrees(integrator.accelerations(state)[3], -state.position(3), 1e-15, 1));
  EXPECT_TRUE(agrees(
    integrator.greatestAcceleration(),
    [&]
    {
      double greatest = 0;
      for (const Vec3d& place : state.positions())
        greatest = std::max(greatest, length(place));
      return greatest;
    }(),
    1e-14));

  // Written through a view: forgotten once it is said.
  state.view().position[3] = { 5, 0, 0 };
  EXPECT_EQ(evaluations(), perStep);
  state.view().position[3] = { 5, 0, 0 };
  state.markChanged();
  EXPECT_EQ(integrator.accelerations(state), nullptr);
  EXPECT_EQ(evaluations(), perStep + 1);
  // All others say so themselves.
  state.truncate(20);
  EXPECT_EQ(evaluations(), perStep + 1);
  state.append({ { 1, 2, 3 } }, { { 0, 0, 0 } });
  EXPECT_EQ(state.count(), 21);
  EXPECT_EQ(evaluations(), perStep + 1);
  state.setTime(7);
  EXPECT_EQ(evaluations(), perStep + 1);
  EXPECT_EQ(evaluations(), perStep);
}

TEST_P(EveryIntegrator, AllocatesInTheFirstStepAlone)
{
  PhaseSpace state = stateOf(orbits(0.3, 0));
  Integrator integrator(stepping(GetParam(), 0.01));
  Field<Gravity> field{ Gravity{} };
  const auto step = [&] { integrator.step(kOneThread, state, field, 1); };
  step();
  const double bytes = integrator.bytes() + state.bytes();
  const Vec3d* const first = state.view().position;
  step();
  const Vec3d* const second = state.view().position;
  EXPECT_NE(first, second);
  for (int k = 0; k < 20; ++k)
  {
    step();
    EXPECT_EQ(state.view().position, k % 2 == 0 ? first : second);
  }
  EXPECT_EQ(integrator.bytes() + state.bytes(), bytes);
}

TEST_P(EveryIntegrator, GivesTheSameInAnyOrderOfPoints)
{
  const IntegratorParameters parameters = stepping(GetParam(), 0.01);
  Field<Gravity> field{ Gravity{} };
  PhaseSpace plain = stateOf(orbits(0.3, 0)), mixed = stateOf(orbits(0.3, 0));
  Integrator first(parameters), second(parameters);
  march(first, plain, field, 0.1);
  march(second, mixed, field, 0.1);
  std::vector<Index> order;
  for (Index i = 0; i < kBodies; ++i)
    order.push_back((7 * i + 3) % kBodies);
  cpu::Buffer<Index> onDevice;
  onDevice.upload(order);
  second.reorder(kOneThread, mixed, onDevice);
  march(first, plain, field, 0.2);
  march(second, mixed, field, 0.2);
  for (Index i = 0; i < kBodies; ++i)
  {
    EXPECT_EQ(length(mixed.position(i) - plain.position(order[i])), 0);
    EXPECT_EQ(length(mixed.velocity(i) - plain.velocity(order[i])), 0);
  }
  EXPECT_EQ(first.counts().evaluations, second.counts().evaluations);
}

TEST_P(EveryIntegrator, LeavesTheSecondDimensionAlone)
{
  const Points reached =
    marched(stepping(GetParam(), 0.01), Gravity{}, orbits(0.3, 0, Planes::OfXAndY), 3);
  EXPECT_GT(apart(reached, orbits(0.3, 0, Planes::OfXAndY)), 0.5);
  for (int i = 0; i < kBodies; ++i)
  {
    EXPECT_EQ(reached.places[i].z, 0);
    EXPECT_EQ(reached.velocities[i].z, 0);
  }
}

TEST_P(EveryIntegrator, NamesThePointWhoseForceIsNotFinite)
{
  for (const double bad : { kNaN, double(INFINITY) })
  {
    const auto force = [bad](const Vec3d& x, const Vec3d&, double time) {
      return Vec3d{ time > 0.35 && x.y == 2 ? bad : 0, 0, 0 };
    };
    Points points;
    points.add({ 0, 0, 0 }, { 0, 0, 0 });
    points.add({ 1, 2, 3 }, { 1, 0, 0 });
    points.add({ 4, 2, 3 }, { 1, 0, 0 });
    PhaseSpace state = stateOf(points);
    IntegratorParameters parameters = stepping(GetParam(), 0.1);
    parameters.longestWay = 0.2;
    Integrator integrator(parameters);
    Field field(force);
    const std::string text = messageOf<Diverged>([&] { march(integrator, state, field, 1); });
    const bool seeks = GetParam() == IntegrationMethod::AdaptiveRungeKutta4;
    EXPECT_NE(text.find(seeks ? "point 1 at (1.35, 2, 3) m has a place, a velocity or an "
                                "acceleration that is not finite; check the forces there"
                              : "diverged at time 0.3 s, step 3: point 1 at (1.3, 2, 3) m has a "
                                "place, a velocity or an acceleration that is not finite; check "
                                "the forces there"),
      std::string::npos)
      << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
    // What it stands at is the last sound state.
    EXPECT_TRUE(agrees(state.time(), seeks ? 0.35 : 0.3, 1e-6));
    EXPECT_TRUE(agrees(state.position(1), Vec3d{ 1 + state.time(), 2, 3 }, 1e-12, 1));
  }
}

TEST_P(EveryIntegrator, NamesThePointThatBeginsWithoutAPlace)
{
  for (const double bad : { kNaN, double(INFINITY) })
  {
    Points points;
    points.add({ 0, 0, 0 }, { 0, 0, 0 });
    points.add({ 1, 0, 0 }, { 0, bad, 0 });
    PhaseSpace state = stateOf(points);
    Integrator integrator(stepping(GetParam(), 0.1));
    Field field([](const Vec3d&, const Vec3d&, double) { return Vec3d{}; });
    EXPECT_NE(messageOf<Diverged>([&] { integrator.step(kOneThread, state, field, 1); })
                .find("point 1 at (1, 0, 0) m has a place, a velocity or"),
      std::string::npos);
    // Mended, it goes on.
    state.upload(points.places, { {}, {} });
    EXPECT_EQ(integrator.step(kOneThread, state, field, 0.05), 0.05);
  }
}

/// Beyond all numbers, with no way that would limit it.
TEST_P(EveryIntegrator, EndsInOneSentenceWhereMotionOverflows)
{
  const auto explode = [](const Vec3d& x, const Vec3d&, double) { return 1e200 * x; };
  PhaseSpace state = stateOf(oscillators(Spring{ 1 }, 0));
  Integrator integrator(stepping(GetParam(), 0.1));
  Field field(explode);
  const std::string text = messageOf<Diverged>([&] { march(integrator, state, field, 100); });
  EXPECT_EQ(text.find("diverged at time "), 0u) << text;
  EXPECT_NE(text.find(": point "), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
  for (const Vec3d& place : state.positions())
    EXPECT_TRUE(isFinite(place));
}

TEST_P(EveryIntegrator, SaysWhereItsStepCannotMoveTheTime)
{
  PhaseSpace state = stateOf(oscillators(Spring{ 1 }, 0));
  state.setTime(1e16);
  Integrator integrator(stepping(GetParam(), 0.1));
  Field field(Spring{ 1 });
  EXPECT_EQ(messageOf<Diverged>([&] { integrator.step(kOneThread, state, field, 1e16 + 100); }),
    "diverged at time 1e+16 s, step 0: the time step is 0.1 s, too short to move the time; raise "
    "it");
}

LAPILLI_BY_EVERY_METHOD(EveryIntegrator);

TEST(Integrator, UsesTheModelsNamesPlacesAndUnits)
{
  class Ions : public Field<Spring>
  {
  public:
    using Field<Spring>::Field;
    std::string nameOf(Index point) const override { return "ion " + std::to_string(70 + point); }
    Vec3d origin() const override { return { 1000, 0, 0 }; }
  };
  Points points;
  points.add({ 1, 0, 0 }, { kNaN, 0, 0 });
  PhaseSpace state = stateOf(points);
  IntegratorParameters parameters = stepping(IntegrationMethod::VelocityVerlet, 1);
  parameters.lengthUnit = "angstrom";
  parameters.timeUnit = "fs";
  Integrator integrator(parameters);
  Ions field(Spring{ 1 });
  EXPECT_EQ(messageOf<Diverged>([&] { integrator.step(kOneThread, state, field, 1); })
              .find("diverged at time 0 fs, step 0: ion 70 at (1001, 0, 0) angstrom has a place"),
    0u);
}

TEST(Integrator, RefusesParametersOutOfRange)
{
  using P = IntegratorParameters;
  const double inf = INFINITY;
  EXPECT_EQ(refusalOf(&P::timeStep, 0), "time step is 0; it must be finite and above 0");
  EXPECT_EQ(refusalOf(&P::timeStep, inf), "time step is inf; it must be finite and above 0");
  EXPECT_EQ(
    refusalOf(&P::longestWay, 0), "longest way is 0; it must be above 0; infinity for no limit");
  EXPECT_EQ(refusalOf(&P::longestWay, kNaN),
    "longest way is nan; it must be above 0; infinity for no limit");
  EXPECT_NE(
    refusalOf(&P::smallestStep, -1).find("smallest step is -1; it must "), std::string::npos);
  EXPECT_NE(refusalOf(&P::smallestStep, 2).find("no longer than the time step"), std::string::npos);
  EXPECT_EQ(
    refusalOf(&P::lengthTolerance, 0), "length tolerance is 0; it must be finite and above 0");
  EXPECT_EQ(refusalOf(&P::velocityTolerance, -1),
    "velocity tolerance is -1; it must be finite and above 0");
  EXPECT_EQ(refusalOf(&P::relativeTolerance, kNaN),
    "relative tolerance is nan; it must be finite and not below 0");
  EXPECT_EQ(refusalOf(&P::safety, 1), "safety is 1; it must lie in (0, 1)");
  EXPECT_EQ(refusalOf(&P::growthLimit, 1), "growth limit is 1; it must be above 1");
  EXPECT_EQ(refusalOf(&P::shrinkLimit, 0), "shrink limit is 0; it must lie in (0, 1)");
  IntegratorParameters foreign = stepping(static_cast<IntegrationMethod>(7), 1);
  EXPECT_EQ(messageOf<InvalidInput>([&] { Integrator integrator(foreign); }),
    "integration method is 7; it must be one of the five");
}

TEST(PhaseSpace, RefusesVelocitiesThatAreNotThoseOfItsPoints)
{
  PhaseSpace state;
  EXPECT_EQ(messageOf<InvalidInput>(
              [&] {
                state.upload({ {}, {} }, { {} });
              }),
    "the number of velocities is 1; it must be that of the positions, 2");
  EXPECT_EQ(state.count(), 0);
  EXPECT_EQ(messageOf<InvalidInput>([&] { state.append({}, { {} }); }),
    "the number of velocities is 1; it must be that of the positions, 0");
  EXPECT_EQ(
    messageOf<InvalidInput>([&] { state.setTime(kNaN); }), "time is nan; it must be finite");
}
