// The solver's step, which ends one kick and begins the next in one pass, is the velocity Verlet of Core/Integrators.
#include "Compare.h"
#include "GranularFlow/GranularFlowPlan.h"
#include "Integrators/Integrator.h"
#include "Runs.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kDensity = 2600;
constexpr double kRadius[2] = { 0.5, 0.35 };
const Vec3d kPlace[2] = { { -0.6, 0.1, -0.05 }, { 0.6, -0.1, 0.05 } };
const Vec3d kVelocity[2] = { { 1.5, 0.25, 0 }, { -2, 0, 0.5 } };
const Vec3d kGravity{ 0, 0, -9.81 };

double massOf(int i)
{
  return kDensity * 4 * M_PI / 3 * std::pow(kRadius[i], 3);
}

/// Gravity, and a linear spring without damping where the two overlap.
struct Fall
{
  cpu::PhaseView state;
  double stiffness; ///< [N/m]
  Vec3d* accelerations;
  void operator()(Index i) const
  {
    const Vec3d way = state.position[1] - state.position[0];
    const double overlap = kRadius[0] + kRadius[1] - length(way);
    const double force = overlap > 0 ? stiffness * overlap : 0;
    accelerations[i] = kGravity + ((i == 0 ? -1 : 1) * force / massOf(i)) * normalized(way);
  }
};

class FallingPair : public cpu::Derivative
{
public:
  explicit FallingPair(double stiffness)
    : stiffness_(stiffness)
  {
  }
  void setAccelerations(const cpu::Executor& executor, const cpu::PhaseView& state, double,
    Vec3d* accelerations) override
  {
    executor.forEach("test.fall", state.count, Fall{ state, stiffness_, accelerations });
  }

private:
  double stiffness_;
};

/// Of both after a time, in so many steps.
cpu::PhaseSpace marched(IntegrationMethod method, double stiffness, double time, std::int64_t steps)
{
  IntegratorParameters parameters;
  parameters.method = method;
  parameters.timeStep = time / static_cast<double>(steps);
  const cpu::Executor executor(1);
  cpu::Integrator integrator(parameters);
  FallingPair derivative(stiffness);
  cpu::PhaseSpace state;
  state.upload({ kPlace[0], kPlace[1] }, { kVelocity[0], kVelocity[1] });
  while (state.time() < time)
    integrator.step(executor, state, derivative, time);
  EXPECT_EQ(integrator.counts().taken, steps);
  return state;
}

} // namespace

TEST(GranularVerlet, IsThatOfTheIntegrators)
{
  GranularFlowParameters parameters;
  parameters.gravity = { kGravity.x, kGravity.y, kGravity.z };
  parameters.restitution = 1;
  parameters.friction = 0;
  parameters.greatestSpeed = 10;
  parameters.frameInterval = 0.5;
  Scene scene;
  scene.domain = wideDomain();
  for (int i = 0; i < 2; ++i)
    scene.seeds.add({ kPlace[i].x, kPlace[i].y, kPlace[i].z },
      { kVelocity[i].x, kVelocity[i].y, kVelocity[i].z }, kRadius[i], kDensity);
  const auto plan = planGranularFlow(scene, parameters);
  const auto run = cpu::startGranularFlow(plan, 1);
  advance(*run, parameters.frameInterval);
  const Report report = run->report();
  ASSERT_GT(report.greatestOverlap, 1e-3); // they have met
  const Snapshot now(*run);

  const double stiffness =
    plan->frequency * plan->frequency * massOf(0) * massOf(1) / (massOf(0) + massOf(1));
  const auto farthest = [&](IntegrationMethod method)
  {
    const cpu::PhaseSpace state =
      marched(method, stiffness, parameters.frameInterval, report.steps);
    double off = 0;
    for (int i = 0; i < 2; ++i)
      off = std::max(off, length(now.position(i) - state.position(i)));
    return off;
  };
  // Forces are floats: 1e-7 of what the impact turned, about a metre.
  const double byVerlet = farthest(IntegrationMethod::VelocityVerlet);
  EXPECT_LT(byVerlet, 1e-7);
  // Another method of the same order of cost is told apart.
  EXPECT_GT(farthest(IntegrationMethod::SemiImplicitEuler), 1e-4);
  verify(
    "Impact of two falling spheres by the solver's step and by the integrators' velocity Verlet",
    "1e-7 m after " + shown(parameters.frameInterval) + " s", shown(byVerlet) + " m",
    "the same method");
}
