#include "Seeding.h"

#include "Error.h"
#include "FreeMemory.h"
#include "Particles/DrawRadius.h"
#include "Particles/GroundPlacer.h"
#include "Particles/Refuse.h"
#include "Particles/SeedPath.h"
#include "Particles/SeedRegion.h"
#include "Particles/SeedSurface.h"
#include "Particles/SeedWriter.h"
#include "Particles/SpherePacking.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

namespace lapilli
{
namespace
{

/// A shape is too full when this many random places for one seed are all taken: free ones are
/// then less than about a thousandth of it.
constexpr int mostTries = 3000;

const char* nameOf(SeedShape shape)
{
  switch (shape)
  {
    case SeedShape::Point:
      return "point";
    case SeedShape::Line:
      return "line";
    case SeedShape::Disc:
      return "disc";
    case SeedShape::Sphere:
      return "sphere";
    case SeedShape::Box:
      return "box";
    case SeedShape::Surface:
      return "surface";
    case SeedShape::Lines:
      return "lines";
    case SeedShape::MapArea:
      return "map area";
  }
  return "shape";
}

[[noreturn]] void refuseTooFull(SeedShape shape, std::int64_t placed, std::int64_t asked)
{
  throw InvalidInput("the " + std::string(nameOf(shape)) +
                     (shape == SeedShape::Lines ? " are" : " is") +
                     " too full: " + std::to_string(placed) + " of " + std::to_string(asked) +
                     " seeds found a place without overlap; make the " + nameOf(shape) +
                     " larger, or ask for fewer or smaller seeds");
}

/// Beyond what is free the machine would end the program rather than refuse.
void refuseMoreThanMemory(std::int64_t count)
{
  constexpr double bytesPerSeed = 250; // radius, place in the packing, the seed and a copy of it
  const double needed = bytesPerSeed * static_cast<double>(count), available = availableMemory();
  if (needed > available)
  {
    throw InvalidInput("number of seeds is " + std::to_string(count) + "; they need about " +
                       number(std::ceil(needed / (1 << 20))) + " MiB, the machine has " +
                       number(std::floor(available / (1 << 20))) + " MiB free: ask for fewer");
  }
}

std::vector<double> drawRadii(const SeedingParameters& parameters, std::int64_t count)
{
  RandomStream random(parameters.randomSeed, RandomStream::Radii);
  std::vector<double> radii(count);
  for (double& radius : radii)
  {
    radius = drawRadius(parameters, random);
  }
  return radii;
}

/// Finds a place for each radius in turn by random trial. A cluster around a point grows until all fit;
/// its first seed is the point.
void fillShape(const SeedingParameters& parameters, const std::vector<double>& radii,
  SeedWriter& writer, SeedingReport& report)
{
  const bool mayOverlap = parameters.crowding == Crowding::Overlap;
  const bool cluster = parameters.shape == SeedShape::Point;
  double growth = 1;
  SeedRegion shape =
    cluster ? clusterAround(parameters.center, radii, nullptr, growth) : regionOf(parameters);
  SpherePacking packing(radii, shape.extent);
  RandomStream random(parameters.randomSeed, RandomStream::Positions);

  for (std::size_t i = 0; i < radii.size(); ++i)
  {
    Vec3d place = cluster && i == 0 ? Vec3d{} : shape.place(random);
    for (int tries = 1; !packing.isFree(place, radii[i]); ++tries)
    {
      // Once one has found no place in many tries, each other gets one.
      if (mayOverlap && (report.crowded > 0 || tries == mostTries))
      {
        ++report.crowded;
        break;
      }
      if (tries % mostTries == 0)
      {
        if (!cluster)
        {
          refuseTooFull(parameters.shape, static_cast<std::int64_t>(i), parameters.count);
        }
        growth *= 1.1;
        shape = clusterAround(parameters.center, radii, nullptr, growth);
      }
      place = shape.place(random);
    }
    if (report.crowded == 0)
    {
      packing.add(place, radii[i]);
    }
    writer.write(shape.origin + place, radii[i]);
  }
}

bool isPath(SeedShape shape)
{
  return shape == SeedShape::Line || shape == SeedShape::Lines;
}

void dropShape(const SeedingParameters& parameters, std::vector<double>& radii,
  const Elevation& terrain, SeedWriter& writer, SeedingReport& report)
{
  const bool cluster = parameters.shape == SeedShape::Point;
  const SeedRegion region =
    cluster ? clusterAround(parameters.center, radii, &terrain, 1) : regionOf(parameters);
  RandomStream random(parameters.randomSeed, RandomStream::Positions);
  const double widest = 2 * radii.front(); // [m]
  GroundPlacer placer(terrain, radii, region,
    (region.extent.x + widest) * (region.extent.y + widest), parameters.crowding);
  for (std::size_t i = 0; i < radii.size(); ++i)
  {
    const auto place = [&](int attempt)
    { return cluster && i == 0 && attempt == 0 ? Vec3d{} : region.place(random); };
    placer.put(radii[i], place, triesOnGround, writer, report);
  }
}

void dropPath(const SeedingParameters& parameters, std::vector<double>& radii,
  const Elevation& terrain, SeedWriter& writer, SeedingReport& report)
{
  const SeedPath path(parameters, parameters.shape == SeedShape::Lines);
  const SeedRegion region{ path.origin(), path.extent(),
    [&path](RandomStream& random) { return path.at(random.uniform() * path.length()); } };
  RandomStream random(parameters.randomSeed, RandomStream::Positions);
  const double widest = 2 * radii.front(); // [m]
  std::int64_t fitting = 0;
  std::vector<double> shuffled = radii;
  const std::vector<Vec3d> places =
    placesAlongPath(path, parameters.crowding, shuffled, random, fitting);
  if (!places.empty())
  {
    radii = shuffled;
  }
  GroundPlacer placer(
    terrain, radii, region, (path.length() + widest) * widest, parameters.crowding);
  for (std::size_t i = 0; i < radii.size(); ++i)
  {
    const auto place = [&](int) { return places.empty() ? region.place(random) : places[i]; };
    placer.put(radii[i], place, places.empty() ? triesOnGround : 1, writer, report);
  }
}

void fillPath(const SeedingParameters& parameters, std::vector<double>& radii, SeedWriter& writer,
  SeedingReport& report)
{
  const SeedPath path(parameters, false);
  RandomStream random(parameters.randomSeed, RandomStream::Positions);
  std::int64_t fitting = 0;
  const std::vector<Vec3d> places =
    placesAlongPath(path, parameters.crowding, radii, random, fitting);
  if (places.empty())
  {
    refuseTooFull(parameters.shape, fitting, parameters.count);
  }
  for (std::size_t i = 0; i < radii.size(); ++i)
  {
    writer.write(path.origin() + places[i], radii[i]);
  }
  report.crowded = fitting < parameters.count ? parameters.count : 0;
}

/// Before places are looked for: to fill a shape with what has no size or no end takes for ever.
void requireMass(const SeedingParameters& parameters, const std::vector<double>& radii)
{
  double all = 0;
  for (const double radius : radii)
  {
    all += massOf(parameters.density, radius);
  }
  const auto [smallest, largest] = std::minmax_element(radii.begin(), radii.end());
  const double least = massOf(parameters.density, *smallest);
  if (!(least > 0) || !std::isfinite(all))
  {
    refuse("mass of the seeds", number(least > 0 ? all : least) + " kg",
      "be finite and above 0: choose another radius, " + number(least > 0 ? *largest : *smallest) +
        " m, or density, " + number(parameters.density) + " kg/m^3");
  }
}

} // namespace

Seeding placeSeeds(const SeedingParameters& parameters, const Elevation* terrain)
{
  parameters.validate();
  refuseMoreThanMemory(parameters.count);
  Seeding seeding;
  SeedingReport& report = seeding.report;
  report.asked = parameters.count;

  std::vector<double> radii = drawRadii(parameters, parameters.count);
  std::sort(radii.begin(), radii.end(), std::greater<double>()); // the largest find places first
  requireMass(parameters, radii);
  SeedWriter writer(parameters, seeding);
  std::optional<Elevation> own;
  if (parameters.shape == SeedShape::Surface && !terrain)
  {
    terrain = &own.emplace(surfaceOf(*parameters.geometry));
  }
  const bool alongPath = isPath(parameters.shape);
  if (terrain)
  {
    (alongPath ? dropPath : dropShape)(parameters, radii, *terrain, writer, report);
  }
  else if (alongPath)
  {
    fillPath(parameters, radii, writer, report);
  }
  else
  {
    fillShape(parameters, radii, writer, report);
  }
  return seeding;
}

Seeding seedsAt(const SeedingParameters& parameters, const std::vector<double>& positions,
  const std::vector<std::int32_t>& sourceIds)
{
  parameters.validateParticles();
  Seeding seeding;
  SeedingReport& report = seeding.report;
  report.asked = static_cast<std::int64_t>(sourceIds.size());
  if (sourceIds.empty())
  {
    return seeding;
  }
  refuseMoreThanMemory(report.asked);
  const std::vector<double> radii = drawRadii(parameters, report.asked);
  requireMass(parameters, radii);
  SeedWriter writer(parameters, seeding);
  for (std::size_t i = 0; i < radii.size(); ++i)
  {
    const double* x = &positions[3 * i];
    writer.write({ x[0], x[1], x[2] }, radii[i], sourceIds[i]);
  }
  return seeding;
}

std::string SeedingReport::text() const
{
  std::ostringstream out;
  out << placed << (placed == 1 ? " seed" : " seeds");
  if (placed > 0)
  {
    out.precision(4);
    out << ", " << mass << " kg, radius " << smallestRadius;
    if (largestRadius > smallestRadius)
    {
      out << " to " << largestRadius;
    }
    out << " m";
  }
  out << '.';
  if (besideTerrain > 0)
  {
    out << ' ' << besideTerrain << " of " << asked
        << " lie beside the terrain or over a hole and were left out.";
  }
  if (crowded > 0)
  {
    out << ' ' << crowded << " found no place of their own and overlap others.";
  }
  if (stacked > 0)
  {
    out << ' ' << stacked << " found no free ground and were stacked on others.";
  }
  return out.str();
}

} // namespace lapilli
