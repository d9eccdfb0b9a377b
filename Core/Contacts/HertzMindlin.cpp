#include "Contacts/HertzMindlin.h"

#include <algorithm>

namespace lapilli
{
namespace
{

/// Hardly bouncing contacts end after ever longer times; nobody can tell 0.001 from less.
constexpr double kLeastRestitution = 0.001;

} // namespace

// The motion x'' = -x^(3/2) - alpha x^(1/4) x' from x = 0, x' = 1, in which stiffness, mass and speed are
// scaled away, up to where the force would pull; by the classical Runge-Kutta method.
double hertzRestitutionOfDamping(double damping)
{
  struct Motion
  {
    double x, v;
  };
  const auto force = [damping](const Motion& m)
  {
    const double root = std::sqrt(std::sqrt(std::max(m.x, 0.0)));
    return -std::max(m.x, 0.0) * root * root - damping * root * m.v;
  };
  const auto moved = [&](const Motion& m, const Motion& rate, double h) {
    return Motion{ m.x + h * rate.x, m.v + h * rate.v };
  };
  const auto rate = [&](const Motion& m) { return Motion{ m.v, force(m) }; };

  Motion m{ 0, 1 };
  double h = 1e-3;
  double former = 0;
  for (int step = 0; step < 10000000; ++step)
  {
    const Motion a = rate(m), b = rate(moved(m, a, h / 2)), c = rate(moved(m, b, h / 2)),
                 d = rate(moved(m, c, h));
    const Motion next{ m.x + h / 6 * (a.x + 2 * b.x + 2 * c.x + d.x),
      m.v + h / 6 * (a.v + 2 * b.v + 2 * c.v + d.v) };
    const double now = force(next);
    if (next.v < 0 && now >= 0)
    {
      // The force is zero here: linear between the two steps.
      const double share = former < 0 ? former / (former - now) : 0;
      return -(m.v + share * (next.v - m.v));
    }
    former = now;
    m = next;
    // A strongly damped contact creeps back: its steps grow with the time it takes.
    h = m.v < 0 ? std::min(1e-3 * std::max(1.0, step * 1e-3), 0.01 / (1 + damping)) : 1e-3;
  }
  return 0;
}

double hertzDampingForRestitution(double restitution)
{
  const double asked = std::max(restitution, kLeastRestitution);
  if (asked >= 1)
    return 0;
  double low = 0, high = 1;
  while (hertzRestitutionOfDamping(high) > asked)
    high *= 2;
  // Restitution is smooth in alpha: regula falsi in its logarithm (Illinois) takes about ten rounds.
  double atLow = 0 - std::log(asked),
         atHigh = std::log(hertzRestitutionOfDamping(high)) - std::log(asked);
  int side = 0;
  for (int i = 0; i < 100 && high - low > 1e-12 * high; ++i)
  {
    const double middle = (low * atHigh - high * atLow) / (atHigh - atLow);
    const double at = std::log(hertzRestitutionOfDamping(middle)) - std::log(asked);
    if (std::abs(at) < 1e-11)
      return middle;
    if (at > 0)
    {
      low = middle;
      atLow = at;
      atHigh = side == 1 ? atHigh / 2 : atHigh;
      side = 1;
    }
    else
    {
      high = middle;
      atHigh = at;
      atLow = side == -1 ? atLow / 2 : atLow;
      side = -1;
    }
  }
  return 0.5 * (low + high);
}

} // namespace lapilli
