/// @file
/// Spheres near a place, in space that may repeat.
#pragma once

#include "Spatial/BvhTraverse.h"
#include "Spatial/CellGrid.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

struct NearSpheres
{
  SphereView spheres; ///< as they were sorted, or moved since by less than half a skin each
  CellGridView cells; ///< empty where there is a tree
  BvhView tree;       ///< without leaves where there are cells
  Periodicity space;
  double reach; ///< [m], of the largest pair, skin included

  /// visit(j, way) for every sphere that may touch one at a place, and some others; `way` leads from the
  /// place to the sphere. A sphere that is near by two images, which no pair is, comes twice.
  template <class Visit>
  HOST_DEVICE void forEachNear(const Vec3d& place, const Visit& visit) const
  {
    if (tree.count > 0)
      forEachInTree(place, reach, visit);
    else if (cells.count > 0)
      forEachImage(space.wrap(place),
        [&](const Vec3d& image)
        {
          if (cells.geometry.isNear(image))
            cells.forEachAround(
              cells.geometry.key(image), [&](Index j) { visit(j, wayTo(j, image)); });
        });
  }

  /// The same for spheres whose surface, where they were sorted, comes into a cube around a place.
  /// @param halfWidth [m], of the cube; at most the reach
  template <class Visit>
  HOST_DEVICE void forEachInTree(const Vec3d& place, double halfWidth, const Visit& visit) const
  {
    forEachImage(space.wrap(place),
      [&](const Vec3d& image)
      {
        tree.forEachOverlap(outwardBox(image, halfWidth),
          [&](Index leaf)
          {
            const Index j = tree.order[leaf];
            visit(j, wayTo(j, image));
          });
      });
  }

  /// Whether a place in the box has neighbours across its sides.
  HOST_DEVICE bool reachesAcross(const Vec3d& home) const
  {
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

  HOST_DEVICE Vec3d wayTo(Index j, const Vec3d& image) const
  {
    return space.wrap(spheres.sphere[j].position) - image;
  }

  /// visit(image) for a place in the box and those of its images that come within reach of it.
  template <class Visit>
  HOST_DEVICE void forEachImage(const Vec3d& home, const Visit& visit) const
  {
    const Span x = imagesNeeded(home.x, space.lower.x, space.length.x, reach);
    const Span y = imagesNeeded(home.y, space.lower.y, space.length.y, reach);
    const Span z = imagesNeeded(home.z, space.lower.z, space.length.z, reach);
    for (int a = x.first; a <= x.last; ++a)
      for (int b = y.first; b <= y.last; ++b)
        for (int c = z.first; c <= z.last; ++c)
          visit(home + Vec3d{ a * space.length.x, b * space.length.y, c * space.length.z });
  }

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
