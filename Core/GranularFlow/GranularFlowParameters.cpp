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

void validateWind(const std::vector<WindLayer>& wind)
{
  for (std::size_t k = 0; k < wind.size(); ++k)
  {
    const std::string layer = " of wind layer " + std::to_string(k);
    require(std::isfinite(wind[k].height), ("height" + layer).c_str(), wind[k].height,
      "the finite numbers [m]");
    for (const double component : wind[k].velocity)
      require(std::isfinite(component), ("velocity" + layer).c_str(), component,
        "the finite numbers [m/s]");
    if (k > 0 && !(wind[k].height > wind[k - 1].height))
    {
      std::ostringstream text;
      text << "height" << layer << " is " << wind[k].height << " m, after one of "
           << wind[k - 1].height << " m; sort the wind's table by ascending height";
      throw InvalidInput(text.str());
    }
  }
}

void refuseWhatHasNoPlane(const GranularFlowParameters& p)
{
  const int dimensions = static_cast<int>(p.dimensions);
  require(dimensions >= 0 && dimensions <= 3, "dimensions", dimensions,
    "0 to 3, for three dimensions and the planes XY, XZ and YZ");
  if (p.dimensions == Dimensions::Three)
    return;
  if (p.contactLaw == ContactLaw::HertzMindlin)
    throw InvalidInput(
      "contact law is Hertz-Mindlin, which is of spheres, and dimensions are those of "
      "a plane; choose the linear spring, or three dimensions");
  if (p.airDensity > 0 && p.dragLaw == DragLaw::SchillerNaumann)
    throw InvalidInput(
      "drag law is Schiller-Naumann, which is of spheres, and dimensions are those of "
      "a plane; choose a constant coefficient, or three dimensions");
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
  require(between(0, rollingFriction, 2), "rolling friction", rollingFriction, "[0, 2]");
  require(between(0, terrainRollingFriction, 2), "terrain rolling friction", terrainRollingFriction,
    "[0, 2]");
  refuseWhatHasNoPlane(*this);
  require(cohesion >= 0 && cohesion < infinity, "cohesion", cohesion, "[0, infinity) J/m^3");
  require(terrainCohesion >= 0 && terrainCohesion < infinity, "terrain cohesion", terrainCohesion,
    "[0, infinity) J/m^3");
  require(terrainYoungsModulus >= 0 && terrainYoungsModulus < infinity, "terrain Young's modulus",
    terrainYoungsModulus, "[0, infinity) Pa, where 0 is rigid");
  require(terrainPoissonsRatio > -1 && terrainPoissonsRatio < 0.5, "terrain Poisson's ratio",
    terrainPoissonsRatio, "(-1, 0.5)");
  require(airDensity >= 0 && airDensity < infinity, "air density", airDensity,
    "[0, infinity) kg/m^3, where 0 is no air");
  require(between(0, dragCoefficient, 100), "drag coefficient", dragCoefficient, "[0, 100]");
  require(airViscosity > 0 && airViscosity < infinity, "air viscosity", airViscosity,
    "(0, infinity) Pa s");
  validateWind(wind);
  require(
    rayleighFraction > 0 && rayleighFraction <= 1, "Rayleigh fraction", rayleighFraction, "(0, 1]");
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
  require(plannedEnd >= 0 && plannedEnd < infinity, "planned end", plannedEnd, "[0, infinity) s");
}

} // namespace lapilli
