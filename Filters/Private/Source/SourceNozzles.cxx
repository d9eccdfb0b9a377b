#include "SourceNozzles.h"

#include "../PointArrays.h"

#include "ClumpShapes.h"

#include <vtkMath.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lapilli
{
namespace
{

/// Unit vector along a direction of any length: its square need not be a number.
std::array<double, 3> unitAlong(const std::array<double, 3>& direction)
{
  const double greatest =
    std::max({ std::abs(direction[0]), std::abs(direction[1]), std::abs(direction[2]) });
  std::array<double, 3> v{ direction[0] / greatest, direction[1] / greatest,
    direction[2] / greatest };
  const double length = std::hypot(v[0], v[1], v[2]);
  return { v[0] / length, v[1] / length, v[2] / length };
}

} // namespace

std::vector<Pulse> checkedPulses(std::vector<Pulse> pulses, bool isTable)
{
  std::stable_sort(
    pulses.begin(), pulses.end(), [](const Pulse& a, const Pulse& b) { return a.start < b.start; });
  const char* where = isTable ? "a pulse's " : "";
  for (std::size_t i = 0; i < pulses.size(); ++i)
  {
    const Pulse& p = pulses[i];
    if (!(std::isfinite(p.start) && p.start >= 0))
    {
      refuseInput(where, "start is ", p.start, " s; it must be a number >= 0");
    }
    if (!(p.stop > p.start))
    {
      refuseInput(
        where, "stop is ", p.stop, " s; it must be later than the start, ", p.start, " s");
    }
    if (!(std::isfinite(p.rate) && p.rate >= 0))
    {
      refuseInput(where, "rate is ", p.rate,
        "; it must be a number >= 0, in particles or kilograms per second");
    }
    if (!(std::isfinite(p.speed) && p.speed >= 0))
    {
      refuseInput(where, "speed is ", p.speed, " m/s; it must be a number >= 0");
    }
    if (i > 0 && p.start < pulses[i - 1].stop)
    {
      refuseInput("a pulse lasts until ", pulses[i - 1].stop, " s and another starts at ", p.start,
        " s; pulses must not overlap: shorten one");
    }
  }
  return pulses;
}

Seeds nozzlesAt(const Seeds& places, const SeedingParameters& parameters, EmissionArrays& emission)
{
  std::vector<Pulse>& pulses = emission.pulses;
  const std::array<double, 3> direction = unitAlong(emission.direction);
  const double radius = parameters.radiusLaw == RadiusLaw::Constant ? parameters.radius
                        : parameters.radiusLaw == RadiusLaw::Uniform
                          ? 0.5 * (parameters.smallestRadius + parameters.largestRadius)
                          : parameters.medianRadius;
  Seeds nozzles;
  const auto count = static_cast<std::int64_t>(places.count());
  for (Pulse& pulse : pulses)
  {
    pulse.rate /= static_cast<double>(count);
  }
  // Neighbours along a line come far apart in the order of turns.
  auto step = static_cast<std::int64_t>(0.618033988749895 * static_cast<double>(count)) + 1;
  while (std::gcd(step, count) != 1)
  {
    ++step;
  }
  for (std::size_t i = 0; i < places.count(); ++i)
  {
    const std::int64_t turn = static_cast<std::int64_t>(i) * step % count;
    for (const Pulse& pulse : pulses)
    {
      const double* x = &places.positions[3 * i];
      nozzles.add({ x[0], x[1], x[2] },
        { direction[0] * pulse.speed, direction[1] * pulse.speed, direction[2] * pulse.speed },
        radius, parameters.density, parameters.temperature, parameters.sourceId);
      emission.turns.insert(emission.turns.end(), { turn, count });
    }
  }
  return nozzles;
}

std::string nozzleReport(const SeedingReport& placed, const EmissionArrays& emission)
{
  std::ostringstream text;
  text << placed.placed << (placed.placed == 1 ? " nozzle" : " nozzles")
       << (placed.placed > 1 ? ", together" : "");
  for (const Pulse& pulse : emission.pulses)
  {
    text << (&pulse == &emission.pulses.front() ? " " : "; ") << pulse.rate
         << (emission.unit == static_cast<int>(RateUnit::KilogramsPerSecond)
                ? " kg/s"
                : " particles per second")
         << " from " << pulse.start << " s to " << pulse.stop << " s at " << pulse.speed << " m/s";
  }
  text << '.';
  if (placed.besideTerrain > 0)
  {
    text << ' ' << placed.besideTerrain << " of " << placed.asked
         << " lie beside the terrain or over a hole and were left out.";
  }
  if (placed.crowded > 0)
  {
    text << ' ' << placed.crowded
         << " lie nearer to others than their particles are wide, which may have to wait for one "
            "another.";
  }
  return text.str();
}

double extentOfBlock(int blockShape)
{
  const std::vector<std::string> names = standardShapeNames();
  return blockShape < 1 || blockShape > static_cast<int>(names.size())
           ? 1
           : boundingRadiusOf(standardShape(names[static_cast<std::size_t>(blockShape) - 1]));
}

double clearHeight(const Elevation& terrain, const std::array<double, 3>& center,
  const std::array<double, 3>& normal, double discRadius, double radius, double least)
{
  const std::array<double, 3> n = unitAlong(normal);
  const std::array<double, 3> axis =
    std::abs(n[2]) < 0.9 ? std::array<double, 3>{ 0, 0, 1 } : std::array<double, 3>{ 1, 0, 0 };
  std::array<double, 3> u{ axis[1] * n[2] - axis[2] * n[1], axis[2] * n[0] - axis[0] * n[2],
    axis[0] * n[1] - axis[1] * n[0] };
  const double size = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  u = { u[0] / size, u[1] / size, u[2] / size };
  const std::array<double, 3> v{ n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2],
    n[0] * u[1] - n[1] * u[0] };
  constexpr int rings = 8, spokes = 32;
  double height = least;
  for (int ring = 1; ring <= rings; ++ring)
  {
    for (int spoke = 0; spoke < spokes; ++spoke)
    {
      const double angle = 2 * vtkMath::Pi() * spoke / spokes;
      const double a = discRadius * ring / rings * std::cos(angle),
                   b = discRadius * ring / rings * std::sin(angle);
      const auto rest = terrain.restingHeight(
        center[0] + a * u[0] + b * v[0], center[1] + a * u[1] + b * v[1], radius);
      if (rest)
      {
        height = std::max(height, *rest - (a * u[2] + b * v[2]));
      }
    }
  }
  return height;
}

} // namespace lapilli
