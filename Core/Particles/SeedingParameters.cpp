#include "Seeding.h"

#include "Particles/Refuse.h"

#include <cmath>
#include <string>

namespace lapilli
{
namespace
{

constexpr std::int64_t mostSeeds = 100'000'000;

void requireFinite(const char* name, const std::array<double, 3>& value)
{
  if (!(std::isfinite(value[0]) && std::isfinite(value[1]) && std::isfinite(value[2])))
  {
    refuse(name, "(" + number(value[0]) + ", " + number(value[1]) + ", " + number(value[2]) + ")",
      "be finite");
  }
}

/// [m]; far beyond all maps sums and squares are no numbers.
constexpr double farthest = 1e12;

void requirePlace(const char* name, const std::array<double, 3>& value)
{
  requireFinite(name, value);
  for (const double x : value)
  {
    if (std::abs(x) > farthest)
    {
      refuse(name, "(" + number(value[0]) + ", " + number(value[1]) + ", " + number(value[2]) + ")",
        "lie within " + number(farthest) + " m");
    }
  }
}

} // namespace

void SeedGeometry::validate(SeedShape shape) const
{
  const bool isSurface = shape == SeedShape::Surface;
  const std::vector<std::int64_t>& cells = isSurface ? triangles : segments;
  if (cells.empty())
  {
    refuse(isSurface ? "number of triangles" : "number of line segments", "0", "be at least 1");
  }
  const auto count = static_cast<std::int64_t>(points.size() / 3);
  for (const std::int64_t p : cells)
  {
    if (p < 0 || p >= count)
    {
      refuse("point of a cell", std::to_string(p), "lie in [0, " + std::to_string(count - 1) + "]");
    }
    const double* x = &points[3 * static_cast<std::size_t>(p)];
    requirePlace("point of the geometry", { x[0], x[1], x[2] });
  }
}

void SeedingParameters::validate() const
{
  if (count < 1 || count > mostSeeds)
  {
    refuse(
      "number of seeds", std::to_string(count), "lie in [1, " + std::to_string(mostSeeds) + "]");
  }
  const bool isOwn =
    shape == SeedShape::Surface || shape == SeedShape::Lines || shape == SeedShape::MapArea;
  if (isOwn)
  {
    if (!geometry)
    {
      refuse("geometry", "missing", "be given for a surface, lines and a map area");
    }
    geometry->validate(shape);
  }
  else if (shape == SeedShape::Line)
  {
    requirePlace("start of the line", lineStart);
    requirePlace("end of the line", lineEnd);
  }
  else if (shape == SeedShape::Box)
  {
    requirePlace("corner of the box", boxCorner);
    for (const auto& edge : boxEdges)
    {
      requirePlace("edge of the box", edge);
    }
  }
  else
  {
    requirePlace(shape == SeedShape::Point ? "point" : "centre", center);
  }
  if (shape == SeedShape::Disc)
  {
    requireFinite("normal of the disc", normal);
    if (normal == std::array<double, 3>{ 0, 0, 0 })
    {
      refuse("normal of the disc", "(0, 0, 0)", "have a direction");
    }
  }
  if (shape == SeedShape::Disc || shape == SeedShape::Sphere)
  {
    const char* name = shape == SeedShape::Disc ? "radius of the disc" : "radius of the sphere";
    requirePositive(name, shapeRadius);
    if (shapeRadius > farthest)
    {
      refuse(name, number(shapeRadius), "be at most " + number(farthest) + " m");
    }
  }
  validateParticles();
}

void SeedingParameters::validateParticles() const
{
  validateRadii();
  requirePositive("density", density);
  requirePositive("temperature", temperature);
  requireFinite("velocity", velocity);
  if (!(velocitySpread >= 0) || !std::isfinite(velocitySpread))
  {
    refuse("velocity spread", number(velocitySpread), "be finite and not negative");
  }
}

} // namespace lapilli
