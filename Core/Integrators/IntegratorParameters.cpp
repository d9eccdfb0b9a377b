#include "Integrators/IntegratorParameters.h"

#include "Particles/Refuse.h"

namespace lapilli
{

const char* nameOf(StepLimit limit)
{
  switch (limit)
  {
    case StepLimit::TimeStep:
      return "time step";
    case StepLimit::LongestWay:
      return "longest way";
    case StepLimit::Tolerance:
      return "tolerance";
    case StepLimit::Soundness:
      return "soundness";
  }
  return "";
}

void IntegratorParameters::validate() const
{
  const auto require = [](const char* name, double value, bool holds, const char* limit)
  {
    if (!holds)
      refuse(name, number(value), limit);
  };
  if (method < IntegrationMethod::ForwardEuler || method > IntegrationMethod::AdaptiveRungeKutta4)
    refuse("integration method", std::to_string(static_cast<int>(method)), "be one of the five");
  requirePositive("time step", timeStep);
  require("longest way", longestWay, longestWay > 0, "be above 0; infinity for no limit");
  require("smallest step", smallestStep, smallestStep >= 0 && smallestStep <= timeStep,
    "be 0, for 1e-12 of the time step, or above and no longer than the time step");
  requirePositive("length tolerance", lengthTolerance);
  requirePositive("velocity tolerance", velocityTolerance);
  require("relative tolerance", relativeTolerance,
    relativeTolerance >= 0 && std::isfinite(relativeTolerance), "be finite and not below 0");
  require("safety", safety, safety > 0 && safety < 1, "lie in (0, 1)");
  require("growth limit", growthLimit, growthLimit > 1 && std::isfinite(growthLimit), "be above 1");
  require("shrink limit", shrinkLimit, shrinkLimit > 0 && shrinkLimit < 1, "lie in (0, 1)");
}

} // namespace lapilli
