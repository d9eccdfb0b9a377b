// Where the ranges come from stands in each row; "experience" is our own, with this engine and its tests.
#include "GranularFlow.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

namespace lapilli
{
namespace
{

const UsualRange& rangeOf(const char* name)
{
  const std::vector<UsualRange>& all = usualGranularFlow();
  return *std::find_if(all.begin(), all.end(),
    [=](const UsualRange& range) { return std::strcmp(range.name, name) == 0; });
}

/// The least and the greatest of what it has seen.
struct Extent
{
  double least = INFINITY;
  double greatest = -INFINITY;

  void see(double value)
  {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
};

class Notes
{
public:
  void look(const char* name, double value, const std::string& owner = "")
  {
    const UsualRange& range = rangeOf(name);
    if (!range.holds(value))
      sentences_.push_back(range.note(value, owner));
  }

  void look(const char* name, const Extent& extent, const std::string& owner)
  {
    const UsualRange& range = rangeOf(name);
    if (extent.least < range.least)
      look(name, extent.least, owner);
    if (extent.greatest > range.greatest)
      look(name, extent.greatest, owner);
  }

  std::vector<std::string> take() { return std::move(sentences_); }

private:
  std::vector<std::string> sentences_;
};

double length(const double* vector)
{
  return std::hypot(vector[0], vector[1], vector[2]);
}

void lookAtSources(const Scene& scene, bool isHertz, Notes& notes)
{
  Extent radii, densities, temperatures, speeds;
  const Seeds& seeds = scene.seeds;
  for (std::size_t i = 0; i < seeds.count(); ++i)
  {
    radii.see(seeds.radii[i]);
    densities.see(seeds.densities[i]);
    temperatures.see(seeds.temperatures[i]);
    speeds.see(length(&seeds.velocities[3 * i]));
  }
  for (const Nozzle& nozzle : scene.nozzles)
  {
    radii.see(nozzle.radii.smallest());
    radii.see(nozzle.radii.largest());
    densities.see(nozzle.density);
    temperatures.see(nozzle.temperature);
    for (const Pulse& pulse : nozzle.pulses)
      speeds.see(pulse.speed);
  }
  notes.look("radius", radii, "a rock");
  notes.look("density", densities, "a rock");
  notes.look("temperature", temperatures, "a rock");
  notes.look("speed", speeds, "a rock");
  if (!isHertz)
    return;
  for (const Material& material : scene.materials)
  {
    const std::string owner = "material " + std::to_string(material.number);
    notes.look("Young's modulus", material.youngsModulus, owner);
    notes.look("Poisson's ratio", material.poissonsRatio, owner);
  }
}

void lookAtContacts(const GranularFlowParameters& p, bool isHertz, Notes& notes)
{
  for (const MaterialPair& pair : p.materialPairs)
  {
    const std::string owner =
      "materials " + std::to_string(pair.first) + " and " + std::to_string(pair.second);
    notes.look("restitution", pair.restitution, owner);
    notes.look("friction", pair.friction, owner);
    notes.look("rolling friction", pair.rollingFriction, owner);
  }
  if (p.materialPairs.empty())
  {
    notes.look("restitution", p.restitution);
    notes.look("friction", p.friction);
    notes.look("rolling friction", p.rollingFriction);
    notes.look("restitution", p.terrainRestitution, "the terrain");
    notes.look("friction", p.terrainFriction, "the terrain");
    notes.look("rolling friction", p.terrainRollingFriction, "the terrain");
  }
  if (isHertz && p.terrainYoungsModulus > 0) // 0 is rigid
  {
    notes.look("Young's modulus", p.terrainYoungsModulus, "the terrain");
    notes.look("Poisson's ratio", p.terrainPoissonsRatio, "the terrain");
  }
}

void lookAtAir(const GranularFlowParameters& p, Notes& notes)
{
  if (p.airDensity == 0) // no drag
    return;
  notes.look("air density", p.airDensity);
  if (p.dragLaw == DragLaw::ConstantCoefficient)
    notes.look("drag coefficient", p.dragCoefficient);
  else
    notes.look("air viscosity", p.airViscosity);
  for (const WindLayer& layer : p.wind)
    notes.look("wind", length(layer.velocity.data()));
}

} // namespace

const std::vector<UsualRange>& usualGranularFlow()
{
  constexpr double infinity = INFINITY;
  static const std::vector<UsualRange> ranges{
    { "radius", "m", 1e-3, 50, "steps become very short; is it in metres?",
      "one rock is a hill; is it in metres?", "experience" },
    { "density", "kg/m^3", 300, 8000, "lighter than pumice; is it in kg/m^3?",
      "heavier than iron; is it in kg/m^3?", "floating pumice, iron meteorites" },
    { "temperature", "K", 100, 1800, "colder than any ground; is it in kelvin?",
      "hotter than any lava; is it in kelvin?",
      "ground of the outer planets' moons, komatiite lava" },
    { "speed", "m/s", 0, 1000, "", "faster than volcanic bombs; steps become very short",
      "ejecta of explosive eruptions stay below some 600 m/s" },
    { "restitution", "", 0.05, 0.95, "rocks stop dead, and stiff contacts need short steps",
      "rocks hardly come to rest",
      "impacts of rock on rock: Imre, Raebsamen, Springman, Computers & Geosciences 34 (2008) "
      "339-350" },
    { "friction", "", 0.05, 1.5, "slopes do not hold rocks",
      "rocks hold on slopes beyond 56 degrees",
      "rock on rock 0.6 to 0.85: Byerlee, Pure and Applied Geophysics 116 (1978) 615-626; below, "
      "ice" },
    { "rolling friction", "", 0, 1, "", "rocks hold on slopes beyond 45 degrees without rolling",
      "experience" },
    { "Young's modulus", "Pa", 1e6, 1e11, "rocks sink deep into one another",
      "stiffer than any rock; steps become very short",
      "from moduli that are lowered for speed to the stiffest rocks" },
    { "Poisson's ratio", "", 0, 0.45, "no rock does that", "as of rubber", "rocks: 0.05 to 0.4" },
    { "gravity", "m/s^2", 0.1, 30, "rocks fly on; is it in m/s^2?", "is it in m/s^2?",
      "large asteroids to Jupiter" },
    { "air density", "kg/m^3", 1e-3, 100, "it has next to no drag",
      "a liquid's: rocks have neither buoyancy nor added mass", "from Mars to Venus" },
    { "drag coefficient", "", 0.05, 5, "less than a streamlined body has", "more than any body has",
      "bodies from a wing to a parachute" },
    { "air viscosity", "Pa s", 5e-6, 1e-4, "less than any gas has", "more than any gas has",
      "gases from 100 to 2000 K" },
    { "wind", "m/s", 0, 100, "", "stronger than any storm; is it in m/s?", "tropical cyclones" },
    { "Rayleigh fraction", "", 0, 0.4, "", "contacts may gain energy", "experience" },
    { "steps per contact", "", 10, infinity, "rebounds become inexact", "", "experience" },
    { "travel per step", "of the smallest radius", 0, 0.25, "",
      "rocks may be deep in one another before they notice", "experience" },
    { "time step limit", "s", 1e-7, infinity, "the run takes very many steps", "", "experience" },
    { "frame interval", "s", 1e-4, 60, "the run has very many frames",
      "rocks pass far between two frames", "experience" },
  };
  return ranges;
}

std::string UsualRange::note(double value, const std::string& owner) const
{
  std::ostringstream text;
  const std::string of = *unit == '\0' ? "" : " " + std::string(unit);
  text << name << (owner.empty() ? "" : " of " + owner) << " is " << value << of << ", "
       << (value < least ? "below" : "above") << " the usual ";
  if (std::isinf(greatest))
    text << least << of << " and more";
  else if (least == 0)
    text << "0 to " << greatest << of;
  else
    text << least << " to " << greatest << of;
  text << ": " << (value < least ? below : above);
  return text.str();
}

std::vector<std::string> unusualIn(const Scene& scene, const GranularFlowParameters& parameters)
{
  const bool isHertz = parameters.contactLaw == ContactLaw::HertzMindlin;
  Notes notes;
  lookAtSources(scene, isHertz, notes);
  lookAtContacts(parameters, isHertz, notes);
  notes.look("gravity", length(parameters.gravity.data()));
  lookAtAir(parameters, notes);
  if (isHertz)
    notes.look("Rayleigh fraction", parameters.rayleighFraction);
  notes.look("steps per contact", parameters.stepsPerContact);
  notes.look("travel per step", parameters.travelPerStep);
  if (parameters.timeStepLimit > 0) // 0 is no limit
    notes.look("time step limit", parameters.timeStepLimit);
  notes.look("frame interval", parameters.frameInterval);
  return notes.take();
}

} // namespace lapilli
