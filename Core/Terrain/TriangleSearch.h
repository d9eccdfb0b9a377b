/// @file
/// Which triangles are near a point: by columns over the plane where the surfaces are sheets that lie, by a tree of
/// boxes where they stand, so that many lie above one another.
///
///   double reach = 2;
///   search.forEachNear(point, reach, [&](std::int32_t triangle) { … reach = …; });
#pragma once

#include "Math/Lanes.h"
#include "Parallel/Bits.h"
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

namespace LAPILLI_BACKEND
{

/// The triangles nearest to one sphere, which it can touch while it has not moved too far.
///
/// A triangle is convex: it lies behind the plane through its nearest point, across the way from there to the
/// centre. That plane tells, without a look at the triangle, at which places of the sphere they cannot touch.
struct NearTriangles
{
  static constexpr int kMost = 16;
  Vec3d place;                  ///< [m], where the sphere was when they were looked for
  float margin;                 ///< [m], a sphere that has moved by less touches no others
  std::int32_t count;           ///< kCrowded: more than there is room for
  std::int32_t triangle[kMost]; ///< ascending
  float away[3][kMost];         ///< x, y, z of the unit vector from triangle to sphere; or zero
  float clearance[kMost]; ///< [m], no more than between the sphere, at that place, and the plane

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
    constexpr std::int32_t places = 64; // of the triangles looked at last, by their numbers
    std::int32_t lookedAt[places];
    for (std::int32_t& index : lookedAt)
      index = -1;
    Found found;
    double reach = sphere.radius + widest;
    search.forEachNear(sphere.position, reach,
      [&](std::int32_t index)
      {
        std::int32_t& former = lookedAt[index & (places - 1)];
        if (former == index)
          return;
        former = index;
        if (search.heightAbove(index, sphere.position) >= reach || found.holds(index))
          return;
        const Vec3d point =
          nearestPoint(search.mesh, search.mesh.triangles[index], sphere.position).point;
        const double distance = length(sphere.position - point);
        if (distance < reach)
          found.insert(index, point, distance, reach);
      });
    place = sphere.position;
    count = found.count;
    const double wide = (reach - sphere.radius) * (1 - kRounding);
    margin = static_cast<float>(wide);
    if (wide < kLeastMargin * sphere.radius && wide < 0.99 * widest)
    {
      count = kCrowded;
      margin = static_cast<float>(kLeastMargin * sphere.radius);
    }
    for (std::int32_t k = 0; k < kMost; ++k)
    {
      triangle[k] = 0;
      clearance[k] = 0;
      away[0][k] = away[1][k] = away[2][k] = 0;
    }
    for (std::int32_t k = 0; k < count; ++k)
    {
      const std::int32_t at = found.rank(k);
      triangle[at] = found.triangle[k];
      setPlane(at, sphere, found.point[k]);
    }
  }

  HOST_DEVICE bool isCrowded() const { return count == kCrowded; }

  /// Whether a sphere has not moved by more than the margin.
  HOST_DEVICE bool isFor(const Sphere& sphere) const
  {
    return wayOf(sphere) < static_cast<double>(margin);
  }

  /// Whether a sphere, which they are for, may come as near to a triangle as another margin [m].
  HOST_DEVICE bool mayReach(const Sphere& sphere, double other) const
  {
    return wayOf(sphere) + other > static_cast<double>(margin) || isCrowded() ||
           openAt(sphere.position, static_cast<float>(other)) != 0;
  }

  /// Bit k: triangle k may come as near as a distance [m] to the sphere, which has moved to this position.
  HOST_DEVICE std::uint32_t openAt(const Vec3d& position, float distance) const
  {
    const Vec3f moved = (position - place).to<float>();
    std::uint32_t open = 0;
    for (int k = 0; k < kMost; k += kLanes)
    {
      const Vec3<FloatLanes> normal{ loadLanes(away[0] + k), loadLanes(away[1] + k),
        loadLanes(away[2] + k) };
      const Vec3<FloatLanes> way{ moved.x, moved.y, moved.z };
      const FloatLanes gap = dot(normal, way) + loadLanes(clearance + k);
      open |= bitsOf((lanesFrom(k) < IntLanes(count)) & !(gap > FloatLanes(distance))) << k;
    }
    return open;
  }

  /// Whether triangle k is nearer than the radius, and where. What is not is measured from this place from now on.
  HOST_DEVICE bool touches(
    const SurfaceMeshView& mesh, const Sphere& sphere, int k, NearestPoint& nearest)
  {
    nearest = nearestPoint(mesh, mesh.triangles[triangle[k]], sphere.position);
    if (squaredLength(sphere.position - nearest.point) < sphere.radius * sphere.radius)
      return true;
    setPlane(k, sphere, nearest.point);
    return false;
  }

  /// visit(triangle) for each whose distance from a sphere is below its radius, ascending. The sphere is one that they
  /// are for, or for which they were just looked for.
  template <class Visit>
  HOST_DEVICE void forEach(const TriangleSearch& search, const Sphere& sphere, const Visit& visit)
  {
    if (isCrowded())
    {
      visitAll(search, sphere, visit);
      return;
    }
    forEachBit(openAt(sphere.position, 0),
      [&](int k)
      {
        NearestPoint nearest;
        if (touches(search.mesh, sphere, k, nearest))
          visit(triangle[k]);
      });
  }

private:
  static constexpr double kRounding = 1e-6;

  /// [m], since they were looked for; not less.
  HOST_DEVICE double wayOf(const Sphere& sphere) const
  {
    return length(sphere.position - place) * (1 + kRounding);
  }

  /// The nearest so far, in the order of the search.
  struct Found
  {
    std::int32_t count = 0;
    std::int32_t triangle[kMost];
    Vec3d point[kMost];     ///< the nearest
    double distance[kMost]; ///< [m], from the centre to it

    HOST_DEVICE bool holds(std::int32_t index) const
    {
      bool is = false;
      for (std::int32_t k = 0; k < count; ++k)
        is |= triangle[k] == index;
      return is;
    }
    /// The farthest makes room. @param reach becomes the distance of the farthest where there is no more
    HOST_DEVICE void insert(std::int32_t index, const Vec3d& at, double away, double& reach)
    {
      const std::int32_t place = count < kMost ? count++ : farthest();
      triangle[place] = index;
      point[place] = at;
      distance[place] = away;
      if (count == kMost)
        reach = distance[farthest()];
    }
    HOST_DEVICE std::int32_t farthest() const
    {
      std::int32_t far = 0;
      for (std::int32_t k = 1; k < kMost; ++k)
        far = distance[k] > distance[far] ? k : far;
      return far;
    }
    /// How many have lower numbers.
    HOST_DEVICE std::int32_t rank(std::int32_t k) const
    {
      std::int32_t lower = 0;
      for (std::int32_t m = 0; m < count; ++m)
        lower += triangle[m] < triangle[k] ? 1 : 0;
      return lower;
    }
  };

  /// The plane of triangle k by its nearest point; none where the centre is so near that its direction is lost.
  HOST_DEVICE void setPlane(std::int32_t k, const Sphere& sphere, const Vec3d& nearest)
  {
    constexpr double least = 1e-3; // of the radius
    const Vec3d to = sphere.position - nearest;
    const double distance = length(to);
    const Vec3d unit = distance > least * sphere.radius ? (1 / distance) * to : Vec3d{};
    const double gap = distance > least * sphere.radius ? distance - sphere.radius : -sphere.radius;
    away[0][k] = static_cast<float>(unit.x);
    away[1][k] = static_cast<float>(unit.y);
    away[2][k] = static_cast<float>(unit.z);
    // More than the roundings here and in openAt().
    const double rounding = kRounding * (distance + sphere.radius + static_cast<double>(margin));
    clearance[k] = static_cast<float>(gap - dot(unit, sphere.position - place) - rounding);
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

} // namespace LAPILLI_BACKEND
} // namespace lapilli
