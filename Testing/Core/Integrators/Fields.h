/// @file
/// Points in fields of force whose motion is known, and runs of them by every integrator.
#pragma once

#include "Integrators/Integrator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace lapilli
{
namespace test
{

using cpu::Executor;
using cpu::Integrator;
using cpu::PhaseSpace;
using cpu::PhaseView;

constexpr IntegrationMethod kAllMethods[] = { IntegrationMethod::ForwardEuler,
  IntegrationMethod::SemiImplicitEuler, IntegrationMethod::VelocityVerlet,
  IntegrationMethod::RungeKutta4, IntegrationMethod::AdaptiveRungeKutta4 };

inline std::string methodName(const testing::TestParamInfo<IntegrationMethod>& info)
{
  const char* names[] = { "ForwardEuler", "SemiImplicitEuler", "VelocityVerlet", "RungeKutta4",
    "AdaptiveRungeKutta4" };
  return names[static_cast<int>(info.param)];
}

/// A suite of which every case runs with every method.
class ByEveryMethod : public testing::TestWithParam<IntegrationMethod>
{
};

#define LAPILLI_BY_EVERY_METHOD(suite)                                                             \
  INSTANTIATE_TEST_SUITE_P(                                                                        \
    By, suite, testing::ValuesIn(::lapilli::test::kAllMethods), ::lapilli::test::methodName)

/// law(place, velocity, time) for each point.
template <class Law>
class Field : public cpu::Derivative
{
public:
  explicit Field(Law law)
    : law_(law)
  {
  }
  void setAccelerations(
    const Executor& executor, const PhaseView& state, double time, Vec3d* accelerations) override
  {
    executor.forEach("test.field", state.count, Apply{ state, law_, time, accelerations });
  }

private:
  struct Apply
  {
    PhaseView state;
    Law law;
    double time;
    Vec3d* accelerations;
    void operator()(Index i) const
    {
      accelerations[i] = law(state.position[i], state.velocity[i], time);
    }
  };
  Law law_;
};

/// x'' = -w^2 x - 2 damping x', below critical damping.
struct Spring
{
  double frequency;   ///< w [rad/s]
  double damping = 0; ///< [1/s]
  Vec3d operator()(const Vec3d& x, const Vec3d& v, double) const
  {
    return -(frequency * frequency) * x - (2 * damping) * v;
  }
};

/// x'' = -x / |x|^3: orbits of half axis 1 take 2 pi.
struct Gravity
{
  Vec3d centre;
  Vec3d operator()(const Vec3d& x, const Vec3d&, double) const
  {
    const Vec3d away = x - centre;
    return (-1 / (squaredLength(away) * length(away))) * away;
  }
};

struct Points
{
  std::vector<Vec3d> places, velocities;
  void add(const Vec3d& place, const Vec3d& velocity)
  {
    places.push_back(place);
    velocities.push_back(velocity);
  }
};

constexpr int kBodies = 24;

/// Oscillators of different phases at a time.
inline Points oscillators(const Spring& spring, double time)
{
  Points points;
  const double c = spring.damping, w = std::sqrt(spring.frequency * spring.frequency - c * c);
  for (int k = 0; k < kBodies; ++k)
  {
    const double phase = 2 * M_PI * k / kBodies, decay = std::exp(-c * time);
    const auto place = [&](double shift) { return decay * std::cos(w * time + phase + shift); };
    const auto speed = [&](double shift)
    {
      return decay *
             (-w * std::sin(w * time + phase + shift) - c * std::cos(w * time + phase + shift));
    };
    points.add(
      { place(0), 2 * place(1), 0.5 * place(2) }, { speed(0), 2 * speed(1), 0.5 * speed(2) });
  }
  return points;
}

/// Bodies of different phases on ellipses of half axis 1, each in a plane of its own, or all in that of x and y.
enum class Planes
{
  OfTheirOwn,
  OfXAndY
};
inline Points orbits(
  double eccentricity, double time, Planes planes = Planes::OfTheirOwn, const Vec3d& centre = {})
{
  Points points;
  const double minor = std::sqrt(1 - eccentricity * eccentricity);
  for (int k = 0; k < kBodies; ++k)
  {
    const double mean = time + 2 * M_PI * (k + 0.5) / kBodies;
    double e = mean;
    for (int i = 0; i < 100; ++i) // Newton's method for Kepler's equation
      e -= (e - eccentricity * std::sin(e) - mean) / (1 - eccentricity * std::cos(e));
    const double turn = 0.7 * k, tilt = planes == Planes::OfXAndY ? 0 : 0.3 * k;
    const Vec3d p{ std::cos(turn), std::sin(turn), 0 };
    const Vec3d q{ -std::sin(turn) * std::cos(tilt), std::cos(turn) * std::cos(tilt),
      std::sin(tilt) };
    const double rate = 1 / (1 - eccentricity * std::cos(e));
    points.add(centre + (std::cos(e) - eccentricity) * p + minor * std::sin(e) * q,
      (-std::sin(e) * rate) * p + (minor * std::cos(e) * rate) * q);
  }
  return points;
}

inline PhaseSpace stateOf(const Points& points)
{
  PhaseSpace state;
  state.upload(points.places, points.velocities);
  return state;
}

inline Points pointsOf(const PhaseSpace& state)
{
  return { state.positions(), state.velocities() };
}

inline IntegratorParameters stepping(IntegrationMethod method, double timeStep)
{
  IntegratorParameters parameters;
  parameters.method = method;
  parameters.timeStep = timeStep;
  // Steps stay as given, except where a test asks for control.
  parameters.lengthTolerance = parameters.velocityTolerance = 1e6;
  return parameters;
}

inline const Executor kOneThread(1);

inline void march(Integrator& integrator, PhaseSpace& state, cpu::Derivative& field, double end,
  const Executor& executor = kOneThread)
{
  const Executor::ThreadScope scope(executor);
  while (state.time() < end)
    integrator.step(executor, state, field, end);
}

template <class Law>
Points marched(
  const IntegratorParameters& parameters, const Law& law, const Points& points, double end)
{
  PhaseSpace state = stateOf(points);
  Integrator integrator(parameters);
  Field<Law> field(law);
  march(integrator, state, field, end);
  return pointsOf(state);
}

/// The greatest distance of places and of velocities.
inline double apart(const Points& a, const Points& b)
{
  double greatest = a.places.size() == b.places.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < std::min(a.places.size(), b.places.size()); ++i)
    greatest = std::max(
      { greatest, length(a.places[i] - b.places[i]), length(a.velocities[i] - b.velocities[i]) });
  return greatest;
}

inline bool sameBits(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3d)) == 0;
}
inline bool sameBits(const Points& a, const Points& b)
{
  return sameBits(a.places, b.places) && sameBits(a.velocities, b.velocities);
}

} // namespace test
} // namespace lapilli
