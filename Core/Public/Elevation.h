/// @file
/// Heights of a surface: what lies over or under a place of the map, and where a sphere rests.
///
///   Elevation elevation(surface);
///   if (auto top = elevation.highest(x, y))
///     std::cout << "the ground is at " << top->z << " m\n";
///   if (auto z = elevation.restingHeight(x, y, radius))
///     seeds.add({ x, y, *z }, …);
///
/// Vertical triangles have no height over a place of the map; they count for spheres. Both sides of
/// a triangle count alike. Queries are const and may run on several threads at once.
#pragma once

#include "Scene.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace lapilli
{

class Elevation
{
public:
  struct Hit
  {
    double z = 0;                            ///< [m]
    std::int64_t triangle = 0;               ///< of the surface
    std::array<double, 3> normal{ 0, 0, 1 }; ///< unit, the side with z > 0
  };

  /// @throws InvalidInput for point numbers out of range or coordinates that are not finite
  explicit Elevation(const Surface& surface);
  ~Elevation();
  Elevation(Elevation&&) noexcept;
  Elevation& operator=(Elevation&&) noexcept;

  /// The highest point of the surface on the vertical through (x, y) [m]; nothing beside the map
  /// and over holes. On an edge or a point between triangles there is always a hit.
  std::optional<Hit> highest(double x, double y) const;

  /// The highest point at or below z.
  std::optional<Hit> highestBelow(double x, double y, double z) const;

  /// The lowest point at or above z.
  std::optional<Hit> lowestAbove(double x, double y, double z) const;

  /// Height of the centre of a sphere that comes down from above along the vertical through (x, y)
  /// when it touches the surface: its distance from the surface, measured to the nearest point, is
  /// the radius, and nothing of the surface is inside. Nothing if there is no surface under the
  /// centre, even if the sphere would touch one beside.
  /// @param radius [m], >= 0
  std::optional<double> restingHeight(double x, double y, double radius) const;

  /// Distance from a point to the nearest point of the surface [m], or `reach` if that is farther.
  double distance(const std::array<double, 3>& position, double reach) const;

private:
  struct Private;
  std::unique_ptr<const Private> private_;
};

} // namespace lapilli
