/// @file
/// Which triangles are near a point: by columns over the plane where the surfaces are sheets that lie, by a tree of
/// boxes where they stand, so that many lie above one another.
///
///   double reach = 2;
///   search.forEachNear(point, reach, [&](std::int32_t triangle) { … reach = …; });
#pragma once

#include "Spatial/BvhTraverse.h"
#include "Terrain/ColumnGrid.h"
#include "Terrain/TriangleContact.h"

namespace lapilli
{

enum class SearchStructure
{
  Columns, ///< ColumnGrid
  Tree     ///< LinearBvh
};

struct TriangleSearch
{
  SurfaceMeshView mesh;
  ColumnGridView columns;
  BvhView tree{}; ///< over the triangles; without leaves where columns are used

  HOST_DEVICE bool byTree() const { return tree.count > 0; }

  /// From a point to the plane of a triangle [m], >= 0: no more than to the triangle.
  HOST_DEVICE double heightAbove(std::int32_t index, const Vec3d& point) const
  {
    const MeshTriangle& triangle = mesh.triangles[index];
    return std::fabs(dot(point - mesh.points[triangle.corner[0]], triangle.normal));
  }
  HOST_DEVICE double distanceTo(std::int32_t index, const Vec3d& point) const
  {
    return length(point - nearestPoint(mesh, mesh.triangles[index], point).point);
  }

  /// visit(triangle) for each triangle that comes as near to a point as the reach [m], which visit may shorten
  /// on the way, and for some that do not. With columns a triangle may be visited several times.
  template <class Visit>
  HOST_DEVICE void forEachNear(const Vec3d& point, double& reach, const Visit& visit) const
  {
    if (byTree())
      tree.forEach([&](const FloatBox& box)
        { return squaredDistance(box, point) <= reach * reach * (1 + kRounding); },
        [&](Index place) { visit(tree.order[place]); });
    else
      columns.forEachWithin(point, reach, visit);
  }

private:
  static constexpr double kRounding = 1e-14; ///< more than all roundings of a distance to a box
};

/// The triangles nearest to one sphere, which it can touch while it has not moved too far.
struct NearTriangles
{
  static constexpr int kMost = 12; ///< fills two lines of the cache
  Vec3d place;                     ///< [m], where the sphere was when they were looked for
  float margin;                    ///< [m], a sphere that has moved by less touches no others
  std::int32_t count;              ///< kCrowded: more than there is room for
  std::int32_t triangle[kMost];    ///< ascending
  float clearance[kMost]; ///< [m], no more than was between sphere and triangle at that place

  static constexpr std::int32_t kCrowded = -1;
  /// Of the radius. Where the margin would be less the triangles are looked for in each step.
  static constexpr double kLeastMargin = 1e-3;

  /// Whether a sphere comes as near to any triangle as a margin [m].
  HOST_DEVICE static bool anyWithin(
    const TriangleSearch& search, const Sphere& sphere, double margin)
  {
    bool found = false;
    double reach = sphere.radius + margin;
    search.forEachNear(sphere.position, reach,
      [&](std::int32_t index)
      {
        if (found || search.heightAbove(index, sphere.position) >= reach ||
            search.distanceTo(index, sphere.position) >= reach)
          return;
        found = true;
        reach = 0; // ends the search
      });
    return found;
  }

  /// Looks for them.
  /// @param widest [m], > 0, the margin that is asked for
  HOST_DEVICE void find(const TriangleSearch& search, const Sphere& sphere, double widest)
  {
    place = sphere.position;
    count = 0;
    double reach = sphere.radius + widest;
    search.forEachNear(sphere.position, reach,
      [&](std::int32_t index)
      {
        if (search.heightAbove(index, sphere.position) >= reach || holds(index))
          return;
        const double distance = search.distanceTo(index, sphere.position);
        if (distance < reach)
          insert(index, distance, sphere.radius, reach);
      });
    const double found = (reach - sphere.radius) * (1 - kRounding);
    margin = static_cast<float>(found);
    if (found < kLeastMargin * sphere.radius && found < 0.99 * widest)
    {
      count = kCrowded;
      margin = static_cast<float>(kLeastMargin * sphere.radius);
    }
    sort();
  }

  HOST_DEVICE bool isFor(const Sphere& sphere, double& way) const
  {
    way = length(sphere.position - place) * (1 + kRounding);
    return way < static_cast<double>(margin);
  }

  /// Whether a sphere that has moved by `way` may come as near to a triangle as a margin [m].
  HOST_DEVICE bool mayReach(double way, double other) const
  {
    const double reach = way + other;
    bool found = reach > static_cast<double>(margin) || count == kCrowded;
    for (std::int32_t k = 0; k < count; ++k)
      found |= static_cast<double>(clearance[k]) <= reach;
    return found;
  }

  /// visit(triangle) for each whose distance from a sphere that has moved by `way` is below its radius, ascending.
  /// Where many had to be looked at they are measured from the sphere's new place from now on.
  template <class Visit>
  HOST_DEVICE void forEach(
    const TriangleSearch& search, const Sphere& sphere, double way, const Visit& visit)
  {
    if (count == kCrowded)
    {
      visitAll(search, sphere, visit);
      return;
    }
    const float moved = static_cast<float>(way);
    std::int32_t open = 0;
    for (std::int32_t k = 0; k < count; ++k)
      open += clearance[k] <= moved ? 1 : 0;
    constexpr std::int32_t few = 2;
    const bool measures = open > few;
    for (std::int32_t k = 0; k < count; ++k)
    {
      if (clearance[k] <= moved)
      {
        const double distance = search.distanceTo(triangle[k], sphere.position);
        if (distance < sphere.radius)
          visit(triangle[k]);
        if (measures)
          clearance[k] = clearanceAt(distance, sphere.radius);
      }
      else if (measures)
        clearance[k] = less(clearance[k], moved);
    }
    if (measures)
    {
      place = sphere.position;
      margin = less(margin, moved);
    }
  }

private:
  static constexpr double kRounding = 1e-6;

  HOST_DEVICE static float clearanceAt(double distance, double radius)
  {
    return static_cast<float>(distance - radius - kRounding * (distance + radius));
  }
  /// What is left of a length at least, also after the rounding.
  HOST_DEVICE static float less(float length, float way)
  {
    constexpr float rounding = 2e-7f;
    return length - way - rounding * std::fabs(length);
  }

  HOST_DEVICE bool holds(std::int32_t index) const
  {
    bool found = false;
    for (std::int32_t k = 0; k < count; ++k)
      found |= triangle[k] == index;
    return found;
  }

  /// The farthest makes room. @param reach becomes the distance of the farthest where there is no more
  HOST_DEVICE void insert(std::int32_t index, double distance, double radius, double& reach)
  {
    std::int32_t at = count;
    if (count < kMost)
      ++count;
    else
      at = farthest();
    triangle[at] = index;
    clearance[at] = clearanceAt(distance, radius);
    if (count == kMost)
      reach = clearance[farthest()] + radius;
  }

  HOST_DEVICE std::int32_t farthest() const
  {
    std::int32_t found = 0;
    for (std::int32_t k = 1; k < kMost; ++k)
      found = clearance[k] > clearance[found] ? k : found;
    return found;
  }

  HOST_DEVICE void sort()
  {
    for (std::int32_t k = 1; k < count; ++k)
      for (std::int32_t m = k; m > 0 && triangle[m - 1] > triangle[m]; --m)
      {
        const std::int32_t index = triangle[m];
        const float at = clearance[m];
        triangle[m] = triangle[m - 1];
        clearance[m] = clearance[m - 1];
        triangle[m - 1] = index;
        clearance[m - 1] = at;
      }
  }

  /// Triangles nearer than the radius, in groups that ascend: what a sphere feels must not depend on how they were found.
  template <class Visit>
  HOST_DEVICE static void visitAll(
    const TriangleSearch& search, const Sphere& sphere, const Visit& visit)
  {
    constexpr int groupSize = 64;
    std::int32_t group[groupSize], last = -1;
    int size;
    do
    {
      size = 0;
      double reach = sphere.radius;
      search.forEachNear(sphere.position, reach,
        [&](std::int32_t index)
        {
          if (index <= last || (size == groupSize && index >= group[size - 1]) ||
              search.distanceTo(index, sphere.position) >= reach)
            return;
          int at = size;
          while (at > 0 && group[at - 1] > index)
            --at;
          if (at > 0 && group[at - 1] == index)
            return;
          size += size < groupSize ? 1 : 0;
          for (int k = size - 1; k > at; --k)
            group[k] = group[k - 1];
          group[at] = index;
        });
      for (int k = 0; k < size; ++k)
        visit(group[k]);
      last = size > 0 ? group[size - 1] : last;
    } while (size == groupSize);
  }
};

} // namespace lapilli
