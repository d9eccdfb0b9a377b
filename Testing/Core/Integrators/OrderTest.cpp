// The order of every integrator on smooth problems whose solutions are known.
#include "Compare.h"
#include "Fields.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

/// How often the error halves where steps are halved.
template <class Law>
double orderOf(IntegrationMethod method, const Law& law, const Points& start, const Points& exact,
  double end, int steps)
{
  const auto error = [&](int n)
  { return apart(marched(stepping(method, end / n), law, start, end), exact); };
  const double coarse = error(steps), fine = error(2 * steps);
  EXPECT_GT(fine, 1e-12) << "round-off";
  EXPECT_LT(coarse, 0.1) << "not yet in the regime of its order";
  const double order = std::log2(coarse / fine);
  testing::Test::RecordProperty("order" + std::to_string(static_cast<int>(method)), shown(order));
  return order;
}

struct Case
{
  IntegrationMethod method;
  double order;
  int steps; ///< the coarser, in 2 s
};

// With errors of these steps the next order changes the measured one by at most 0.03 for oscillators, and
// by 0.1 on the ellipse: far from the next whole number.
const Case kCases[] = { { IntegrationMethod::ForwardEuler, 1, 2000 },
  { IntegrationMethod::SemiImplicitEuler, 1, 1000 }, { IntegrationMethod::VelocityVerlet, 2, 200 },
  { IntegrationMethod::RungeKutta4, 4, 60 }, { IntegrationMethod::AdaptiveRungeKutta4, 5, 30 } };

} // namespace

TEST(Order, OfOscillators)
{
  const Spring spring{ 1.7 };
  for (const Case& c : kCases)
  {
    const double order =
      orderOf(c.method, spring, oscillators(spring, 0), oscillators(spring, 2), 2, c.steps);
    EXPECT_TRUE(agrees(order, c.order, 0.03, 1)) << static_cast<int>(c.method);
  }
}

TEST(Order, OfEllipses)
{
  for (const Case& c : kCases)
    EXPECT_TRUE(agrees(orderOf(c.method, Gravity{}, orbits(0.3, 0), orbits(0.3, 2), 2, 2 * c.steps),
      c.order, 0.1, 1))
      << static_cast<int>(c.method);
}

/// Velocity Verlet too: it is given a predicted velocity, see Derivative.
TEST(Order, IsKeptWhereVelocitiesDamp)
{
  const Spring spring{ 1.7, 0.6 };
  for (const Case& c : kCases)
    EXPECT_TRUE(
      agrees(orderOf(c.method, spring, oscillators(spring, 0), oscillators(spring, 2), 2, c.steps),
        c.order, 0.05, 1))
      << static_cast<int>(c.method);
}

TEST(Order, IsKeptWhereForcesChangeWithTime)
{
  // x'' = -cos t, x = cos t + x0.
  const auto force = [](const Vec3d&, const Vec3d&, double t) {
    return Vec3d{ -std::cos(t), 0, 0 };
  };
  Points start, exact;
  start.add({ 1, 0, 0 }, { 0, 0, 0 });
  exact.add({ std::cos(2.), 0, 0 }, { -std::sin(2.), 0, 0 });
  for (const Case& c : kCases)
  {
    // Step doubling makes Boole's rule of Simpson's.
    const double order = c.method == IntegrationMethod::AdaptiveRungeKutta4 ? 6 : c.order;
    const int steps = c.method == IntegrationMethod::AdaptiveRungeKutta4 ? 5 : c.steps / 2;
    EXPECT_TRUE(agrees(orderOf(c.method, force, start, exact, 2, steps), order, 0.03, 1))
      << static_cast<int>(c.method);
  }
}

/// As the header says: damping rate times step below 1.
TEST(Order, OfVerletWithDampingEndsInStabilityOfAdamsAndBashforth)
{
  const auto drag = [](const Vec3d&, const Vec3d& v, double) { return -1.0 * v; };
  Points start;
  start.add({ 0, 0, 0 }, { 1, 0, 0 });
  const auto speedAfter = [&](double step)
  {
    return std::abs(
      marched(stepping(IntegrationMethod::VelocityVerlet, step), drag, start, 200 * step)
        .velocities[0]
        .x);
  };
  EXPECT_LT(speedAfter(0.95), 1e-2);
  EXPECT_GT(speedAfter(1.05), 1e2);
}
