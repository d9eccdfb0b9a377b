// Shapes filled with seeds, with every law of radii, also dropped onto a terrain.
#include "Target.h"

#include "Choices.h"

#include "Error.h"
#include "Seeding.h"

#include <array>
#include <cmath>

namespace lapilli
{
namespace
{

using fuzz::Bytes;
using fuzz::Choices;

void choose(Choices& choices, std::array<double, 3>& vector)
{
  for (double& component : vector)
    component = choices.number();
}

SeedingParameters parameters(Choices& choices)
{
  SeedingParameters p;
  p.shape = choices.among(
    { SeedShape::Point, SeedShape::Line, SeedShape::Disc, SeedShape::Sphere, SeedShape::Box });
  p.count = choices.rarely(16) ? static_cast<std::int64_t>(choices.byte()) - 10 : choices.upTo(40);
  p.crowding = choices.flag() ? Crowding::Apart : Crowding::Overlap;
  p.radiusLaw = choices.among({ RadiusLaw::Constant, RadiusLaw::Uniform, RadiusLaw::LogNormal });
  std::array<double, 3>* const vectors[] = { &p.center, &p.normal, &p.lineStart, &p.lineEnd,
    &p.boxCorner, &p.boxEdges[0], &p.boxEdges[1], &p.boxEdges[2], &p.velocity };
  for (int k = choices.upTo(4); k > 0; --k)
    choose(choices, *vectors[choices.byte() % (sizeof(vectors) / sizeof(*vectors))]);
  double* const numbers[] = { &p.radius, &p.smallestRadius, &p.largestRadius, &p.medianRadius,
    &p.radiusSpread, &p.shapeRadius, &p.density, &p.temperature, &p.velocitySpread };
  for (int k = choices.upTo(5); k > 0; --k)
    *numbers[choices.byte() % (sizeof(numbers) / sizeof(*numbers))] = choices.number();
  p.randomSeed = choices.byte();
  return p;
}

Surface terrain(Choices& choices)
{
  Surface surface;
  for (int k = 0; k < 4; ++k)
  {
    const double x = k % 2 == 0 ? -50 : 50, y = k < 2 ? -50 : 50;
    const double z = choices.number();
    surface.points.insert(surface.points.end(), { x, y, std::isfinite(z) ? z : 0 });
  }
  surface.triangles = { 0, 1, 3, 0, 3, 2 };
  return surface;
}

} // namespace

std::vector<Bytes> fuzz::seeds()
{
  return randomSeeds(20, 48, 150, 7);
}

} // namespace lapilli

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace lapilli;
  fuzz::Choices choices(data, size);
  const SeedingParameters chosen = parameters(choices);
  try
  {
    if (choices.flag())
    {
      const Elevation elevation(terrain(choices));
      placeSeeds(chosen, &elevation);
    }
    else
    {
      const Seeding seeding = placeSeeds(chosen);
      fuzz::require(seeding.report.placed == static_cast<std::int64_t>(seeding.seeds.count()),
        "the report counts the seeds");
      for (const double x : seeding.seeds.positions)
        fuzz::require(std::isfinite(x), "seeds have a place");
    }
  }
  catch (const InvalidInput&)
  {
  }
  return 0;
}
