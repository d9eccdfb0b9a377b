#include "BodyFill/PlaceRules.h"

#include "Error.h"
#include "FreeMemory.h"
#include "Particles/Refuse.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lapilli
{
namespace
{

constexpr double kMebi = 1 << 20;

/// Bytes that the fill holds at its greatest: a position and a number per place; runs and crossings per row.
constexpr double kBytesPerPlace = 32, kBytesPerRow = 200;

/// Beyond this many pitches from the origin places are off by more than 1e-4 of the pitch.
constexpr double kMostPitches = 1e12;

/// To so many digits, not above the value.
double roundedDown(double value, int digits)
{
  const double unit = std::pow(10, std::floor(std::log10(value)) - digits + 1);
  return std::floor(value / unit) * unit;
}

double roundedUp(double value, int digits)
{
  const double unit = std::pow(10, std::floor(std::log10(value)) - digits + 1);
  return std::ceil(value / unit) * unit;
}

struct Need
{
  double places, bytes, mostRows;
};

Need needOf(const std::vector<const BodySurface*>& bodies, const std::vector<BodyReport>& reports,
  const BodyFillParameters& parameters, double spacing)
{
  const RowLattice lattice(parameters.lattice, spacing);
  Need need{ 0, 0, 0 };
  double rows = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b)
  {
    const double volume = reports[b].volumeToLevel.value_or(reports[b].meshVolume);
    need.places += std::max(0.0, volume) / lattice.cellVolume;
    const double own = rowsAcross(*bodies[b], lattice, parameters);
    rows += own;
    need.mostRows = std::max(need.mostRows, own);
  }
  need.bytes = kBytesPerPlace * need.places + kBytesPerRow * rows;
  return need;
}

/// Largest distance from the origin along an axis [m].
double farthest(const std::vector<const BodySurface*>& bodies)
{
  double most = 0;
  for (const BodySurface* body : bodies)
  {
    const Vec3d a = body->box.lower + body->origin, b = body->box.upper + body->origin;
    for (const double x : { a.x, a.y, a.z, b.x, b.y, b.z })
      most = std::max(most, std::abs(x));
  }
  return most;
}

} // namespace

void requireLevel(
  const std::vector<const BodySurface*>& bodies, const BodyFillParameters& parameters)
{
  if (!parameters.level)
    return;
  double lowest = std::numeric_limits<double>::infinity();
  for (const BodySurface* body : bodies)
    lowest = std::min(lowest, body->box.lower.z + body->origin.z);
  if (*parameters.level < lowest)
  {
    refuse("level", number(*parameters.level) + " m",
      "lie above the lowest point of a body, " + number(lowest) + " m: raise it");
  }
}

void requireMemory(const std::vector<const BodySurface*>& bodies,
  const std::vector<BodyReport>& reports, const BodyFillParameters& parameters)
{
  const double spacing = parameters.spacing, away = farthest(bodies);
  const double finest = RowLattice(parameters.lattice, 1).pitch; // pitch over spacing
  if (away > kMostPitches * finest * spacing)
  {
    refuse("spacing", number(spacing) + " m",
      "be at least " + number(roundedUp(away / (kMostPitches * finest), 2)) + " m for bodies " +
        number(roundedUp(away, 3)) +
        " m from the origin, where numbers do not tell nearer places apart");
  }
  const double available = availableMemory();
  const auto fits = [&](const Need& need)
  { return need.bytes <= available && need.mostRows < std::numeric_limits<std::int32_t>::max(); };
  const Need need = needOf(bodies, reports, parameters, spacing);
  if (fits(need))
    return;
  double wider = spacing;
  while (!fits(needOf(bodies, reports, parameters, wider)))
    wider *= 1.02;
  throw InvalidInput("spacing is " + number(spacing) + " m; that gives about " +
                     number(roundedUp(need.places, 2)) + " places, which need " +
                     number(std::ceil(need.bytes / kMebi)) + " MiB, and the machine has " +
                     number(std::floor(available / kMebi)) +
                     " MiB free: " + number(roundedUp(wider, 2)) + " m would do");
}

void refuseSpacing(
  const std::vector<const BodySurface*>& bodies, const BodyFillParameters& parameters)
{
  double largest = 0;
  for (const BodySurface* body : bodies)
  {
    const Vec3d extent = body->box.upper - body->box.lower;
    largest = std::max({ largest, extent.x, extent.y, extent.z });
  }
  // From the largest spacing at which a place may be inside, down in small steps.
  constexpr int kTries = 60;
  double spacing = std::min(parameters.spacing, 2 * largest);
  std::string remedy = "choose a smaller one";
  for (int i = 0; i < kTries; ++i)
  {
    spacing = roundedDown(0.95 * spacing, 3);
    std::int64_t count = 0;
    const RowLattice lattice(parameters.lattice, spacing);
    for (const BodySurface* body : bodies)
      count += placesInside(*body, lattice, parameters).placeCount();
    if (count > 0)
    {
      remedy = number(spacing) + " m gives " + std::to_string(count);
      break;
    }
  }
  throw InvalidInput(
    "spacing is " + number(parameters.spacing) + " m; no place of the lattice lies inside " +
    (bodies.size() == 1 ? "the body" : "a body") + (parameters.level ? " up to the level" : "") +
    ", the largest of which is " + number(roundedUp(largest, 3)) + " m wide: " + remedy);
}

void refuseClearance(
  const std::vector<const BodySurface*>& bodies, const BodyFillParameters& parameters)
{
  const RowLattice lattice(parameters.lattice, parameters.spacing);
  double most = 0;
  for (const BodySurface* body : bodies)
  {
    const LatticeRows inside = placesInside(*body, lattice, parameters);
    const TriangleTree tree(body->points, body->triangles);
    for (std::int32_t row = 0; row < inside.rowCount(); ++row)
    {
      const RowPlaces place(lattice, inside.j(row), inside.k(row), body->origin);
      for (const Run* run = inside.begin(row); run != inside.end(row); ++run)
        for (std::int64_t m = run->first; m < run->last; ++m)
          most = std::max(most, tree.distance(place(m), parameters.clearance));
    }
  }
  throw InvalidInput(
    "clearance is " + number(parameters.clearance) +
    " m; no place of the lattice keeps that far from the surface: " +
    (most > 0 ? "at most " + number(roundedDown(most, 3)) + " m leaves some" : "choose 0"));
}

} // namespace lapilli
