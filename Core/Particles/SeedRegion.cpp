#include "Particles/SeedRegion.h"

#include "Math/Across.h"
#include "Particles/MapArea.h"
#include "Particles/SeedSurface.h"

#include <cmath>
#include <memory>

namespace lapilli
{
namespace
{

/// A random point of the unit ball, of the unit disc if `flat`.
Vec3d inUnitBall(RandomStream& random, bool flat)
{
  Vec3d p;
  do
  {
    p = { random.uniform(-1, 1), random.uniform(-1, 1), flat ? 0 : random.uniform(-1, 1) };
  } while (squaredLength(p) > 1);
  return p;
}

SeedRegion ballAround(const std::array<double, 3>& center, double radius, bool flat)
{
  return { vec(center), { 2 * radius, 2 * radius, flat ? 0 : 2 * radius },
    [radius, flat](RandomStream& random) { return radius * inUnitBall(random, flat); } };
}

SeedRegion discOf(const SeedingParameters& parameters)
{
  const auto [u, v] = acrossDirections(vec(parameters.normal));
  const double radius = parameters.shapeRadius;
  const Vec3d extent{ 2 * radius * std::sqrt(u.x * u.x + v.x * v.x),
    2 * radius * std::sqrt(u.y * u.y + v.y * v.y), 2 * radius * std::sqrt(u.z * u.z + v.z * v.z) };
  return { vec(parameters.center), extent,
    [radius, u = u, v = v](RandomStream& random)
    {
      const Vec3d p = inUnitBall(random, true);
      return radius * (p.x * u + p.y * v);
    } };
}

SeedRegion boxOf(const SeedingParameters& parameters)
{
  const Vec3d a = vec(parameters.boxEdges[0]), b = vec(parameters.boxEdges[1]),
              c = vec(parameters.boxEdges[2]);
  const Vec3d extent{ std::abs(a.x) + std::abs(b.x) + std::abs(c.x),
    std::abs(a.y) + std::abs(b.y) + std::abs(c.y), std::abs(a.z) + std::abs(b.z) + std::abs(c.z) };
  return { vec(parameters.boxCorner), extent,
    [a, b, c](RandomStream& random)
    {
      const double s = random.uniform(), t = random.uniform();
      return s * a + t * b + random.uniform() * c;
    } };
}

} // namespace

SeedRegion clusterAround(const std::array<double, 3>& center, const std::vector<double>& radii,
  const Elevation* terrain, double growth)
{
  double sum = 0;
  for (const double r : radii)
  {
    sum += terrain ? r * r : r * r * r;
  }
  const double size = terrain ? std::sqrt(sum / 0.35) : std::cbrt(sum / 0.2);
  return ballAround(center, growth * size, terrain != nullptr);
}

SeedRegion regionOf(const SeedingParameters& parameters)
{
  switch (parameters.shape)
  {
    case SeedShape::Sphere:
      return ballAround(parameters.center, parameters.shapeRadius, false);
    case SeedShape::Disc:
      return discOf(parameters);
    case SeedShape::Surface:
    {
      const auto surface = std::make_shared<const SeedSurface>(*parameters.geometry);
      return { surface->origin(), surface->extent(),
        [surface](RandomStream& random) { return surface->place(random); } };
    }
    case SeedShape::MapArea:
    {
      const auto area = std::make_shared<const MapArea>(*parameters.geometry);
      return { area->origin(), area->extent(),
        [area](RandomStream& random) { return area->place(random); } };
    }
    default:
      return boxOf(parameters);
  }
}

} // namespace lapilli
