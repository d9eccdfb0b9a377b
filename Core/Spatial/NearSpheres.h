/// @file
/// Spheres near a place, in space that may repeat.
#pragma once

#include "Spatial/CellGrid.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

struct NearSpheres
{
  SphereView
    spheres; ///< as they were sorted, or moved since by less than cells are wide beyond the largest pair
  CellGridView cells;
  Periodicity space;

  /// visit(j, way) for every sphere that may touch one at a place, and some others; `way` leads from the
  /// place to the sphere. A sphere that is near by two images, which no pair is, comes twice.
  template <class Visit>
  HOST_DEVICE void forEachNear(const Vec3d& place, const Visit& visit) const
  {
    if (cells.count == 0)
      return;
    const Vec3d home = space.wrap(place);
    const double reach = 1 / cells.geometry.perMetre;
    const Span x = imagesNeeded(home.x, space.lower.x, space.length.x, reach);
    const Span y = imagesNeeded(home.y, space.lower.y, space.length.y, reach);
    const Span z = imagesNeeded(home.z, space.lower.z, space.length.z, reach);
    for (int a = x.first; a <= x.last; ++a)
    {
      for (int b = y.first; b <= y.last; ++b)
      {
        for (int c = z.first; c <= z.last; ++c)
        {
          const Vec3d image =
            home + Vec3d{ a * space.length.x, b * space.length.y, c * space.length.z };
          if (cells.geometry.isNear(image))
            cells.forEachAround(cells.geometry.key(image),
              [&](Index j) { visit(j, space.wrap(spheres.sphere[j].position) - image); });
        }
      }
    }
  }

  /// Whether a place in the box has neighbours across its sides.
  HOST_DEVICE bool reachesAcross(const Vec3d& home) const
  {
    const double reach = 1 / cells.geometry.perMetre;
    return imagesNeeded(home.x, space.lower.x, space.length.x, reach).any() ||
           imagesNeeded(home.y, space.lower.y, space.length.y, reach).any() ||
           imagesNeeded(home.z, space.lower.z, space.length.z, reach).any();
  }

private:
  struct Span
  {
    int first, last;
    HOST_DEVICE bool any() const { return first != 0 || last != 0; }
  };

  /// Which images of a coordinate are within reach of the box.
  HOST_DEVICE static Span imagesNeeded(double v, double lower, double length, double reach)
  {
    if (!(length > 0))
      return { 0, 0 };
    return { v + reach > lower + length ? -1 : 0, v - reach < lower ? 1 : 0 };
  }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
