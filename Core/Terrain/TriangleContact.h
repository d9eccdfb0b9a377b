/// @file
/// Where a sphere meets one triangle of a mesh.
///
/// Only local minima of the distance from the centre to the surface are contacts: the foot of a
/// perpendicular on a face, and points of edges and corners in whose Voronoi region the centre
/// lies. A plane cut into triangles, however finely, then has one contact, that of the plane.
/// Closest point on a triangle: Ericson, Real-Time Collision Detection (2005), 5.1.5.
#pragma once

#include "Terrain/SurfaceMesh.h"

namespace lapilli
{

/// The nearest point of a triangle.
struct NearestPoint
{
  Vec3d point;
  enum Feature
  {
    Face,
    Edge,
    Corner
  } feature;
  int which; ///< of the edges or corners
};

HOST_DEVICE inline NearestPoint nearestPoint(
  const SurfaceMeshView& mesh, const MeshTriangle& triangle, const Vec3d& p)
{
  const Vec3d& a = mesh.points[triangle.corner[0]];
  const Vec3d& b = mesh.points[triangle.corner[1]];
  const Vec3d& c = mesh.points[triangle.corner[2]];
  const Vec3d ab = b - a, ac = c - a;
  const Vec3d ap = p - a, bp = p - b, cp = p - c;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0)
    return { a, NearestPoint::Corner, 0 };
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3)
    return { b, NearestPoint::Corner, 1 };
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0)
    return { a + (d1 / (d1 - d3)) * ab, NearestPoint::Edge, 0 };
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6)
    return { c, NearestPoint::Corner, 2 };
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0)
    return { a + (d2 / (d2 - d6)) * ac, NearestPoint::Edge, 2 };
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return { b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b), NearestPoint::Edge, 1 };
  // Inside: the foot of the perpendicular, with the distance taken along the normal, which is exact
  // for slivers too.
  return { p - dot(ap, triangle.normal) * triangle.normal, NearestPoint::Face, 0 };
}

/// In the plane of the triangle beyond an edge, at right angles to the edge, into that triangle; as long as the edge.
HOST_DEVICE inline Vec3d inwards(
  const SurfaceMeshView& mesh, const MeshTriangle& triangle, int edge, const MeshTriangle& other)
{
  const std::int32_t from = triangle.corner[edge], to = triangle.corner[(edge + 1) % 3];
  bool sameWay = false; // with fronts that agree it runs the other way there
  for (int k = 0; k < 3; ++k)
    sameWay = sameWay || (other.corner[k] == from && other.corner[(k + 1) % 3] == to);
  const Vec3d along = mesh.points[to] - mesh.points[from];
  return cross(other.normal, sameWay ? along : -along);
}

/// A local minimum of the distance from a centre to the surface.
struct SurfaceContact
{
  bool found = false;
  double distance = 0; ///< [m], from centre to surface, negative behind the front
  Vec3d outward;       ///< unit, from the surface to its front
  /// Both sides are front, away from rims: distance and outward are those for the side of the centre, but a sphere that
  /// has just come through belongs to the other.
  bool hasTwoFronts = false;

  /// The same minimum for a sphere that belongs to the other side.
  HOST_DEVICE SurfaceContact fromOtherSide() const
  {
    return { found, -distance, -outward, hasTwoFronts };
  }
};

/// @param center  local coordinates
/// @param nearest of nearestPoint()
/// @param reach   [m]; minima farther away are not looked for
HOST_DEVICE inline SurfaceContact touchTriangle(const SurfaceMeshView& mesh, std::int32_t index,
  const Vec3d& center, const NearestPoint& nearest, double reach)
{
  SurfaceContact contact;
  const MeshTriangle& triangle = mesh.triangles[index];
  const Vec3d toCenter = center - nearest.point;
  const double squared = squaredLength(toCenter);
  if (squared >= reach * reach)
    return contact;
  const double distance = std::sqrt(squared);
  // A minimum may be missed by either of two triangles through rounding, never by both: what is
  // found twice coincides and is merged.
  const double slack = 1e-6 * distance;

  double front = 1;
  bool isRim = false;
  if (nearest.feature == NearestPoint::Face)
  {
    front = dot(toCenter, triangle.normal);
  }
  else if (nearest.feature == NearestPoint::Edge)
  {
    if (!(triangle.ownsEdge >> nearest.which & 1))
      return contact;
    // A rim has no inside: what lies beyond it is pushed away from it, also below the sheet.
    isRim = (triangle.rimEdge >> nearest.which & 1) != 0;
    if (!isRim)
    {
      const MeshTriangle& other = mesh.triangles[triangle.beyond[nearest.which]];
      const Vec3d into = inwards(mesh, triangle, nearest.which, other);
      if (dot(toCenter, into) > slack * length(into))
        return contact;
      front = dot(toCenter, triangle.normal + other.normal);
    }
  }
  else
  {
    if (!(triangle.ownsCorner >> nearest.which & 1))
      return contact;
    const std::int32_t corner = triangle.corner[nearest.which];
    for (std::int32_t r = mesh.ringStart[corner]; r < mesh.ringStart[corner + 1]; ++r)
    {
      const Vec3d edge = mesh.points[mesh.ring[r]] - nearest.point;
      if (dot(toCenter, edge) > slack * length(edge))
        return contact;
    }
    isRim = (triangle.rimCorner >> nearest.which & 1) != 0;
    if (!isRim)
      front = dot(toCenter, mesh.pointNormals[corner].to<double>());
  }

  const bool isFront = front >= 0 || triangle.twoSided;
  contact.found = true;
  contact.hasTwoFronts = triangle.twoSided && !isRim;
  contact.distance = isFront ? distance : -distance;
  if (nearest.feature == NearestPoint::Face || squared == 0)
    contact.outward = isFront && front < 0 ? -triangle.normal : triangle.normal;
  else
    contact.outward = (isFront ? 1.0 : -1.0) * normalized(toCenter);
  return contact;
}

/// The contacts of one sphere with a surface, one per smooth feature: minima whose directions lie
/// within kSmooth of one another are the same bend of the ground, and act as one contact with the
/// mean of their directions, weighted by overlap. No force jumps when a minimum comes or goes.
struct MergedContacts
{
  static constexpr int kMost = 4;
  static constexpr double kSmooth = 0.94; ///< cosine of 20 degrees

  int count = 0;
  Vec3d direction[kMost];       ///< sum of overlap * outward
  double overlap[kMost];        ///< sum of overlaps
  double squared[kMost];        ///< sum of their squares
  double deepest[kMost];        ///< the largest of them
  std::int32_t triangle[kMost]; ///< where it was found

  HOST_DEVICE void add(const Vec3d& outward, double depth, std::int32_t at)
  {
    int best = -1;
    double bestCosine = -2;
    for (int k = 0; k < count; ++k)
    {
      const double cosine = dot(direction[k], outward) / length(direction[k]);
      if (cosine > bestCosine)
      {
        bestCosine = cosine;
        best = k;
      }
    }
    if (count < kMost && bestCosine < kSmooth)
    {
      best = count++;
      direction[best] = {};
      overlap[best] = squared[best] = deepest[best] = 0;
      triangle[best] = at;
    }
    if (depth > deepest[best])
    {
      deepest[best] = depth;
      triangle[best] = at;
    }
    direction[best] += depth * outward;
    overlap[best] += depth;
    squared[best] += depth * depth;
  }

  HOST_DEVICE Vec3d outward(int k) const { return normalized(direction[k]); }
  HOST_DEVICE double depth(int k) const { return squared[k] / overlap[k]; }
};

/// For touchSurface() where nothing is known of the past: who is behind a front came through it, and on a
/// two-sided surface each is on its own side.
struct AsItLies
{
  HOST_DEVICE bool operator()(const SurfaceContact& contact) const { return !contact.hasTwoFronts; }
};

/// Gathers the contacts of a sphere with triangles. A centre behind the surface is pushed back to the front by
/// the nearest minimum alone, of those that `cameThrough(contact)` accepts: a sphere that comes from below,
/// through a hole, must not be drawn through the sheet. Of a two-sided surface it is asked about both sides:
/// `contact` is then as from behind.
template <class CameThrough>
class SurfaceTouching
{
public:
  HOST_DEVICE SurfaceTouching(
    const SurfaceMeshView& mesh, const Vec3d& center, double radius, const CameThrough& cameThrough)
    : mesh_(mesh)
    , center_(center)
    , radius_(radius)
    , cameThrough_(cameThrough)
    , nearestFront_(radius)
  {
  }

  /// A triangle, whichever they are in the same order each time. @param nearest of nearestPoint()
  HOST_DEVICE void add(std::int32_t triangle, const NearestPoint& nearest)
  {
    SurfaceContact contact = touchTriangle(mesh_, triangle, center_, nearest, radius_);
    if (!contact.found)
      return;
    if (contact.hasTwoFronts && cameThrough_(contact.fromOtherSide()))
      contact = contact.fromOtherSide();
    if (contact.distance >= 0)
    {
      contacts_.add(contact.outward, radius_ - contact.distance, triangle);
      nearestFront_ = contact.distance < nearestFront_ ? contact.distance : nearestFront_;
    }
    else if ((!nearestBehind_.found || contact.distance > nearestBehind_.distance) &&
             (contact.hasTwoFronts || cameThrough_(contact)))
    {
      nearestBehind_ = contact;
      behind_ = triangle;
    }
  }

  /// Those of all triangles, when all have been added.
  HOST_DEVICE const MergedContacts& contacts()
  {
    if (nearestBehind_.found && -nearestBehind_.distance < nearestFront_)
    {
      contacts_.count = 0;
      contacts_.add(nearestBehind_.outward, radius_ - nearestBehind_.distance, behind_);
    }
    return contacts_;
  }

private:
  const SurfaceMeshView& mesh_;
  Vec3d center_;
  double radius_;
  const CameThrough& cameThrough_;
  MergedContacts contacts_;
  double nearestFront_;
  SurfaceContact nearestBehind_;
  std::int32_t behind_ = 0;
};

/// Contacts of a sphere with the triangles that `forEach(visit)` names, see SurfaceTouching.
template <class ForEachTriangle, class CameThrough>
HOST_DEVICE MergedContacts touchSurface(const SurfaceMeshView& mesh, const Vec3d& center,
  double radius, const ForEachTriangle& forEach, const CameThrough& cameThrough)
{
  SurfaceTouching<CameThrough> touching(mesh, center, radius, cameThrough);
  forEach([&](std::int32_t triangle)
    { touching.add(triangle, nearestPoint(mesh, mesh.triangles[triangle], center)); });
  return touching.contacts();
}

} // namespace lapilli
