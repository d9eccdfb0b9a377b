// Bodies of a few triangles, sound, broken or of any points, and small lakes, filled with any lattice.
#include "Target.h"

#include "Bodies.h"
#include "Choices.h"

#include "BodyFill.h"
#include "Error.h"
#include "LakeFill.h"

#include <algorithm>
#include <cmath>

namespace lapilli
{
namespace
{

using fuzz::Bytes;
using fuzz::Choices;

Surface bodySurface(Choices& choices)
{
  Surface surface;
  for (int parts = choices.upTo(2); parts >= 0; --parts)
  {
    const double at = choices.upTo(6), half = 1 + choices.upTo(3);
    test::append(surface, test::box({ at - half, -half, -half }, { at + half, half, half }));
  }
  for (int k = choices.upTo(4); k > 0; --k) // move a coordinate
    surface.points[choices.byte() % surface.points.size()] = choices.number();
  for (int k = choices.upTo(3); k > 0; --k)
    test::addPoint(surface, { choices.number(), choices.number(), choices.number() });
  for (int k = choices.upTo(4); k > 0; --k) // put another corner
    surface.triangles[choices.byte() % surface.triangles.size()] =
      static_cast<std::int64_t>(choices.byte() % surface.pointCount());
  for (int k = choices.upTo(2); k > 0 && surface.triangles.size() > 3; --k)
    surface = test::withoutTriangle(surface, choices.byte() % surface.triangleCount());
  if (choices.flag())
    surface = test::soup(surface, choices.byte());
  if (choices.rarely(32))
    surface.triangles[choices.byte() % surface.triangles.size()] = choices.byte() - 100;
  if (choices.rarely(16))
    for (double& x : surface.points)
      x += 9e6;
  return surface;
}

/// How many places a box around all may have.
double mostPlaces(const std::vector<Body>& bodies, double spacing)
{
  double places = 0;
  for (const Body& body : bodies)
  {
    double own = 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      double lower = 0, upper = 0;
      for (std::size_t i = axis; i < body.surface.points.size(); i += 3)
      {
        lower = i == axis ? body.surface.points[i] : std::min(lower, body.surface.points[i]);
        upper = i == axis ? body.surface.points[i] : std::max(upper, body.surface.points[i]);
      }
      own *= 2 * (upper - lower) / spacing + 1;
    }
    places += own;
  }
  return places;
}

/// What takes long is left to the benchmarks; far more than any memory is welcome.
bool takesLong(double places)
{
  return places > 2e5 && places < 1e16;
}

void fillSomeBodies(Choices& choices)
{
  std::vector<Body> bodies;
  for (int k = choices.upTo(2); k >= 0; --k)
    bodies.push_back({ bodySurface(choices), k == 0 ? "" : "block" });
  BodyFillParameters parameters;
  parameters.spacing = choices.flag() ? 0.5 + choices.upTo(7) : choices.number();
  parameters.lattice = choices.flag() ? Lattice::Cubic : Lattice::FaceCentered;
  if (choices.flag())
    parameters.clearance = choices.number();
  if (choices.flag())
    parameters.level = choices.number();
  parameters.largestLeak = choices.flag() ? 1 : choices.number();
  if (takesLong(mostPlaces(bodies, parameters.spacing)))
    return;
  const BodyFill fill = fillBodies(bodies, parameters);
  std::int64_t count = 0;
  for (const BodyReport& report : fill.reports)
  {
    count += report.particles;
    fuzz::require(report.leakArea <= parameters.largestLeak * report.area, "leaks are limited");
    fuzz::require(
      std::isfinite(report.meshVolume) && report.meshVolume > 0, "bodies have a volume");
    fuzz::require(!report.text().empty(), "reports have a text");
  }
  fuzz::require(count > 0 && static_cast<std::size_t>(count) == fill.count() &&
                  fill.positions.size() == 3 * fill.count(),
    "the reports count the places");
  for (std::size_t i = 0; i < fill.positions.size(); ++i)
  {
    fuzz::require(std::isfinite(fill.positions[i]), "places are places");
    fuzz::require(i % 3 != 2 || !parameters.level || fill.positions[i] <= *parameters.level,
      "nothing is above the level");
  }
}

void fillALake(Choices& choices)
{
  Surface surface;
  for (int k = 0; k < 16; ++k)
  {
    const double z = choices.number();
    test::addPoint(surface, { 10.0 * (k % 4), 10.0 * (k / 4), std::isfinite(z) ? z : 0 });
  }
  for (std::int64_t k = 0; k < 11; ++k)
    if (k % 4 != 3)
      for (const std::int64_t corner : { k, k + 1, k + 5, k, k + 5, k + 4 })
        surface.triangles.push_back(corner);
  if (choices.rarely(8))
    surface = test::withoutTriangle(surface, choices.byte() % surface.triangleCount());
  LakeFillParameters parameters;
  parameters.place = choices.flag() ? std::array<double, 2>{ 15, 14 }
                                    : std::array<double, 2>{ choices.number(), choices.number() };
  parameters.level = choices.number();
  parameters.spacing = choices.flag() ? 0.5 + choices.upTo(7) : choices.number();
  parameters.lattice = choices.flag() ? Lattice::Cubic : Lattice::FaceCentered;
  if (choices.flag())
    parameters.clearance = choices.number();
  const Elevation terrain(surface);
  const double lowest = *std::min_element(surface.points.begin(), surface.points.end());
  const double pitch = parameters.spacing / 2;
  if (takesLong(900 / (pitch * pitch) * std::max(1.0, (parameters.level - lowest) / pitch)))
    return;
  if (30 / pitch > 1000) // the flood itself takes long, and counts memory as it goes
    return;
  const LakeFill lake = fillLake(terrain, parameters);
  fuzz::require(lake.count() > 0 && lake.report.volume > 0, "a lake has water");
  for (std::size_t i = 2; i < lake.positions.size(); i += 3)
    fuzz::require(lake.positions[i] <= parameters.level, "nothing is above the level");
}

} // namespace

std::vector<Bytes> fuzz::seeds()
{
  return randomSeeds(60, 200, 200, 11);
}

} // namespace lapilli

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace lapilli;
  fuzz::Choices choices(data, size);
  try
  {
    if (choices.byte() % 4 != 0)
      fillSomeBodies(choices);
    else
      fillALake(choices);
  }
  catch (const InvalidInput&)
  {
  }
  return 0;
}
