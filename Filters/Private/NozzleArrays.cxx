#include "NozzleArrays.h"

#include "ArrayBridge.h"

#include <vtkPointData.h>

#include <limits>

namespace lapilli
{
namespace
{

constexpr double infinity = std::numeric_limits<double>::infinity();

bool sameDistribution(const RadiusDistribution& a, const RadiusDistribution& b)
{
  return a.radiusLaw == b.radiusLaw && a.radius == b.radius &&
         a.smallestRadius == b.smallestRadius && a.largestRadius == b.largestRadius &&
         a.medianRadius == b.medianRadius && a.radiusSpread == b.radiusSpread;
}

bool sameButPulses(const Nozzle& a, const Nozzle& b)
{
  return a.position == b.position && a.direction == b.direction &&
         a.openingNormal == b.openingNormal && a.openingRadius == b.openingRadius &&
         a.spread == b.spread && a.rateUnit == b.rateUnit && sameDistribution(a.radii, b.radii) &&
         a.density == b.density && a.temperature == b.temperature && a.sourceId == b.sourceId &&
         a.material == b.material && a.shape == b.shape && a.randomSeed == b.randomSeed &&
         a.turn == b.turn && a.turns == b.turns;
}

} // namespace

std::vector<double> NozzleArrays::read(const char* name, int components) const
{
  vtkDataArray* array = findPointArray(block_, name, components);
  return array ? readDoubles(array) : std::vector<double>();
}

std::vector<std::int64_t> NozzleArrays::readWhole(const char* name, int components) const
{
  vtkDataArray* array = findPointArray(block_, name, components);
  if (!array)
  {
    return {};
  }
  // Calculators hand whole numbers out as floating-point ones, up to which these are exact.
  const bool isExact = array->GetDataType() != VTK_FLOAT && array->GetDataType() != VTK_DOUBLE &&
                       array->HasStandardMemoryLayout();
  if (!isExact)
  {
    constexpr double most = 9007199254740992;
    checkValues(block_, readDoubles(array), components, name,
      "must be a whole number of at most 9007199254740992 in magnitude",
      [](double v) { return std::abs(v) <= most && v == std::floor(v); });
  }
  return readInt64s(array);
}

NozzleArrays::NozzleArrays(const PointBlock& block)
  : block_(block)
{
  rates_ = this->read("emission_rate", 1);
  starts_ = this->read("emission_start", 1);
  stops_ = this->read("emission_stop", 1);
  speeds_ = this->read("emission_speed", 1);
  pulses_ = this->read("emission_pulses", 0);
  units_ = this->read("emission_rate_unit", 1);
  if (vtkDataArray* array = findPointArray(block, "emission_pulses", 0))
  {
    pulseComponents_ = static_cast<std::size_t>(array->GetNumberOfComponents());
    if (pulseComponents_ % 4 != 0)
    {
      refuseInput(block.name, ": array emission_pulses has ", pulseComponents_,
        " components; it must have four for each pulse: start, stop, rate, speed");
    }
  }
  checkValues(block, units_, 1, "emission_rate_unit",
    "must be -1 (a seed), 0 (particles per second) or 1 (kilograms per second)",
    [](double v) { return v == -1 || v == 0 || v == 1; });
  if (rates_.empty() && pulses_.empty())
  {
    for (const auto* given : { &starts_, &stops_, &speeds_ })
    {
      if (!given->empty())
      {
        refuseInput(block.name, ": array ",
          given == &starts_  ? "emission_start"
          : given == &stops_ ? "emission_stop"
                             : "emission_speed",
          " is there, but neither emission_rate nor emission_pulses; a nozzle must have a rate: "
          "add one of "
          "them, or leave the array out");
      }
    }
    const auto nozzle = std::find_if(units_.begin(), units_.end(), [](double v) { return v >= 0; });
    if (nozzle != units_.end())
    {
      refuseInput(block.name, ": point ", nozzle - units_.begin(), " has emission_rate_unit ",
        *nozzle, ", but there is neither emission_rate nor emission_pulses: add one of them");
    }
    return;
  }

  directions_ = this->read("emission_direction", 3);
  openings_ = this->read("emission_opening_radius", 1);
  normals_ = this->read("emission_opening_normal", 3);
  spreads_ = this->read("emission_spread", 1);
  laws_ = this->read("emission_radius_law", 1);
  radii_ = this->read("emission_radius_parameters", 5);
  seeds_ = this->readWhole("random_seed", 1);
  turns_ = this->readWhole("emission_turn", 2);
  for (std::size_t i = 0; i + 1 < turns_.size(); i += 2)
  {
    // Points that are seeds have 0, 0.
    if (!(turns_[i] == 0 && turns_[i + 1] == 0) &&
        !(turns_[i] >= 0 && turns_[i] < turns_[i + 1] && turns_[i + 1] <= 1'000'000'000))
    {
      refuseInput(block.name, ": emission_turn of point ", i / 2, " is (", turns_[i], ", ",
        turns_[i + 1],
        "); it must be the number of the nozzle, from 0, and how many take turns, up to 1e9: "
        "correct it, or leave the array out");
    }
  }
  checkValues(block, rates_, 1, "emission_rate", "must be a number >= 0", isNotNegative);
  checkValues(block, starts_, 1, "emission_start", "must be a number >= 0", isNotNegative);
  checkValues(block, speeds_, 1, "emission_speed", "must be a number >= 0", isNotNegative);
  checkValues(block, directions_, 3, "emission_direction", "is not finite", isFinite);
  checkValues(block, normals_, 3, "emission_opening_normal", "is not finite", isFinite);
  checkValues(
    block, openings_, 1, "emission_opening_radius", "must be a number >= 0", isNotNegative);
  checkValues(block, spreads_, 1, "emission_spread", "must lie in [0, 90] degrees",
    [](double v) { return v >= 0 && v <= 90; });
  checkValues(block, laws_, 1, "emission_radius_law",
    "must be 0 (constant), 1 (uniform) or 2 (log-normal)",
    [](double v) { return v == 0 || v == 1 || v == 2; });
  if (laws_.empty() != radii_.empty())
  {
    refuseInput(block.name, ": array ",
      laws_.empty() ? "emission_radius_parameters" : "emission_radius_law", " is there, but not ",
      laws_.empty() ? "emission_radius_law" : "emission_radius_parameters",
      "; both must be: add it, or leave both out");
  }
}

bool NozzleArrays::isNozzle(std::size_t point) const
{
  return units_.empty() ? !rates_.empty() || !pulses_.empty() : units_[point] >= 0;
}

std::vector<Pulse> NozzleArrays::pulsesOf(std::size_t point, double speed) const
{
  std::vector<Pulse> pulses;
  if (pulses_.empty())
  {
    pulses.push_back(
      { starts_.empty() ? 0 : starts_[point], stops_.empty() ? infinity : stops_[point],
        rates_[point], speeds_.empty() ? speed : speeds_[point] });
  }
  for (std::size_t c = 0; c < pulseComponents_; c += 4)
  {
    const double* p = &pulses_[point * pulseComponents_ + c];
    if (!std::isnan(p[0]) && p[1] != 0)
    {
      pulses.push_back({ p[0], p[1], p[2], p[3] });
    }
  }
  std::sort(
    pulses.begin(), pulses.end(), [](const Pulse& a, const Pulse& b) { return a.start < b.start; });
  if (pulses.empty())
  {
    refuseInput(block_.name, ": point ", point,
      " is a nozzle, and none of its emission_pulses is used (stop above 0); a nozzle must have "
      "one: correct it, or "
      "remove the point");
  }
  for (std::size_t i = 0; i < pulses.size(); ++i)
  {
    const Pulse& p = pulses[i];
    if (!(isNotNegative(p.start) && p.stop > p.start))
    {
      refuseInput(block_.name, ": point ", point, " emits from ", p.start, " s to ", p.stop,
        " s; the start must be >= 0 and the stop later: correct emission_start and emission_stop");
    }
    if (!isNotNegative(p.rate) || !isNotNegative(p.speed))
    {
      refuseInput(block_.name, ": point ", point, " emits at the rate ", p.rate, " and speed ",
        p.speed, " m/s; both must be numbers >= 0: correct them");
    }
    if (i > 0 && p.start < pulses[i - 1].stop)
    {
      refuseInput(block_.name, ": point ", point, " has a pulse until ", pulses[i - 1].stop,
        " s and another from ", p.start, " s; pulses of a nozzle must not overlap: shorten one");
    }
  }
  return pulses;
}

void NozzleArrays::add(std::vector<Nozzle>& nozzles, std::size_t point, Nozzle nozzle,
  const std::array<double, 3>& velocity)
{
  const double speed = std::hypot(velocity[0], velocity[1], velocity[2]);
  if (!directions_.empty())
  {
    nozzle.direction = { directions_[3 * point], directions_[3 * point + 1],
      directions_[3 * point + 2] };
    if (nozzle.direction == std::array<double, 3>{ 0, 0, 0 })
    {
      refuseInput(block_.name, ": emission_direction of point ", point,
        " is (0, 0, 0); it must have a direction, of any length: correct it");
    }
  }
  else if (speed > 0)
  {
    nozzle.direction = velocity;
  }
  if (!normals_.empty())
  {
    nozzle.openingNormal = { normals_[3 * point], normals_[3 * point + 1],
      normals_[3 * point + 2] };
  }
  nozzle.openingRadius = openings_.empty() ? 0 : openings_[point];
  nozzle.spread = spreads_.empty() ? 0 : spreads_[point];
  nozzle.rateUnit = !units_.empty() && units_[point] == 1 ? RateUnit::KilogramsPerSecond
                                                          : RateUnit::ParticlesPerSecond;
  if (!laws_.empty())
  {
    const double* r = &radii_[5 * point];
    nozzle.radii.radiusLaw = static_cast<RadiusLaw>(static_cast<int>(laws_[point]));
    nozzle.radii.radius = r[0];
    nozzle.radii.smallestRadius = r[1];
    nozzle.radii.largestRadius = r[2];
    nozzle.radii.medianRadius = r[3];
    nozzle.radii.radiusSpread = r[4];
    try
    {
      nozzle.radii.validateRadii();
    }
    catch (const InvalidInput& error)
    {
      refuseInput(block_.name, ": point ", point, " emits, but its ", error.what());
    }
  }
  nozzle.randomSeed =
    seeds_.empty() ? nozzles.size() + 1 : static_cast<std::uint64_t>(seeds_[point]);
  if (!turns_.empty() && turns_[2 * point + 1] > 0)
  {
    nozzle.turn = turns_[2 * point];
    nozzle.turns = turns_[2 * point + 1];
  }
  nozzle.pulses = this->pulsesOf(point, speed);

  const bool follows = lastPoint_ > 0 && lastPoint_ == point && !seeds_.empty() &&
                       sameButPulses(nozzles.back(), nozzle) &&
                       nozzles.back().pulses.back().stop <= nozzle.pulses.front().start;
  lastPoint_ = point + 1;
  if (follows)
  {
    auto& pulses = nozzles.back().pulses;
    pulses.insert(pulses.end(), nozzle.pulses.begin(), nozzle.pulses.end());
    return;
  }
  nozzles.push_back(std::move(nozzle));
}

} // namespace lapilli
