#include "GranularFlow.h"

#include <cmath>
#include <sstream>

namespace lapilli
{
namespace
{

/// "restitution is 1.2; it must lie in (0, 1]"
void require(bool holds, const char* name, double value, const char* range)
{
  if (holds)
    return;
  std::ostringstream text;
  text << name << " is " << value << "; it must lie in " << range;
  throw InvalidInput(text.str());
}

} // namespace

void GranularFlowParameters::validate() const
{
  // Written so that NaN fails every one of them.
  const auto between = [](double low, double value, double high)
  { return value >= low && value <= high; };
  const double infinity = INFINITY;
  for (const double component : gravity)
    require(std::isfinite(component), "gravity", component, "the finite numbers [m/s^2]");
  require(restitution > 0 && restitution <= 1, "restitution", restitution, "(0, 1]");
  require(between(0, friction, 10), "friction", friction, "[0, 10]");
  require(terrainRestitution > 0 && terrainRestitution <= 1, "terrain restitution",
    terrainRestitution, "(0, 1]");
  require(between(0, terrainFriction, 10), "terrain friction", terrainFriction, "[0, 10]");
  require(
    between(1e-4, greatestOverlap, 0.3), "greatest overlap", greatestOverlap, "[0.0001, 0.3]");
  require(greatestSpeed >= 0 && greatestSpeed < infinity, "greatest speed", greatestSpeed,
    "[0, infinity) m/s, where 0 derives it");
  require(between(8, stepsPerContact, 1000), "steps per contact", stepsPerContact, "[8, 1000]");
  require(travelPerStep > 0 && travelPerStep <= 0.5, "travel per step", travelPerStep, "(0, 0.5]");
  require(timeStepLimit >= 0 && timeStepLimit < infinity, "time step limit", timeStepLimit,
    "[0, infinity) s, where 0 is no limit");
  require(
    skin == 0 || between(0.01, skin, 4), "skin", skin, "[0.01, 4], or be 0 to be chosen by speed");
  require(frameInterval > 0 && frameInterval < infinity, "frame interval", frameInterval,
    "(0, infinity) s");
  require(restSpeed >= 0 && restSpeed < infinity, "rest speed", restSpeed, "[0, infinity) m/s");
  require(between(0.1, mapTravel, 100), "map travel", mapTravel, "[0.1, 100]");
  require(between(0, depositPorosity, 0.95), "deposit porosity", depositPorosity, "[0, 0.95]");
  require(between(0, overlappingSeedsLimit, 1), "overlapping seeds limit", overlappingSeedsLimit,
    "[0, 1]");
  require(memoryLimit >= 0 && memoryLimit < infinity, "memory limit", memoryLimit,
    "[0, infinity) bytes, where 0 is what the machine has free");
}

} // namespace lapilli
