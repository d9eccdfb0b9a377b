/// @file
/// Whether a particle is still over the terrain, and if not, why.
#pragma once

#include "Terrain/ColumnGrid.h"
#include "Terrain/DomainSides.h"

namespace lapilli
{

/// Why a particle is no longer simulated. The order is that of the report.
enum class LossReason : std::uint8_t
{
  None,
  LeftTheMap,
  LeftTheDomain,
  FellIntoAHole,
  WentThrough,
  SeededOutside,
  SeededBelow
};

/// What lies under and over a point on its vertical.
struct VerticalCover
{
  bool covered = false;
  double lowest = 0;  ///< [m], z of the lowest surface there
  double highest = 0; ///< [m], of the highest
};

/// Whether the vertical through (x, y) meets a triangle, and at which z. A point on an edge belongs to
/// both triangles.
HOST_DEVICE inline bool coversPlace(
  const SurfaceMeshView& mesh, const MeshTriangle& triangle, double x, double y, double& z)
{
  if (triangle.normal.z == 0)
    return false;
  const Vec3d& a = mesh.points[triangle.corner[0]];
  const Vec3d& b = mesh.points[triangle.corner[1]];
  const Vec3d& c = mesh.points[triangle.corner[2]];
  // Sides of the edges in the plane.
  const double ab = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
  const double bc = (c.x - b.x) * (y - b.y) - (c.y - b.y) * (x - b.x);
  const double ca = (a.x - c.x) * (y - c.y) - (a.y - c.y) * (x - c.x);
  if (!((ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0)))
    return false;
  z = a.z - (triangle.normal.x * (x - a.x) + triangle.normal.y * (y - a.y)) / triangle.normal.z;
  return true;
}

/// Surface points with the x, y of p.
HOST_DEVICE inline VerticalCover coverAt(
  const SurfaceMeshView& mesh, const ColumnGridView& columns, double x, double y)
{
  VerticalCover cover;
  columns.forEachNear(x, y, 0.0,
    [&](std::int32_t index)
    {
      const MeshTriangle& triangle = mesh.triangles[index];
      double z = 0;
      if (triangle.role != static_cast<std::uint8_t>(SurfaceRole::Terrain) ||
          !coversPlace(mesh, triangle, x, y, z))
        return;
      cover.lowest = !cover.covered || z < cover.lowest ? z : cover.lowest;
      cover.highest = !cover.covered || z > cover.highest ? z : cover.highest;
      cover.covered = true;
    });
  return cover;
}

/// Whether the vertical through p crosses a triangle, and at which height. On an edge one of its two
/// triangles is crossed.
struct VerticalCrossing
{
  bool found = false;
  double z = 0; ///< [m]
};

HOST_DEVICE inline VerticalCrossing crossVertical(
  const SurfaceMeshView& mesh, const MeshTriangle& triangle, double x, double y)
{
  VerticalCrossing crossing;
  if (triangle.normal.z == 0)
    return crossing;
  // By halves of the plane that are open on one side: each edge counts for the triangle on its left.
  bool inside = false;
  for (int k = 0; k < 3; ++k)
  {
    const Vec3d& a = mesh.points[triangle.corner[k]];
    const Vec3d& b = mesh.points[triangle.corner[(k + 1) % 3]];
    if ((a.y > y) != (b.y > y) && x < a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x))
      inside = !inside;
  }
  const Vec3d& a = mesh.points[triangle.corner[0]];
  crossing.found = inside;
  crossing.z =
    a.z - (triangle.normal.x * (x - a.x) + triangle.normal.y * (y - a.y)) / triangle.normal.z;
  return crossing;
}

/// The nearest point of the rims, seen from above.
struct NearestRim
{
  double height = 0; ///< [m], z there
  bool isHole = false;
};

HOST_DEVICE inline NearestRim nearestRim(const SurfaceMeshView& mesh, const Vec3d& p)
{
  NearestRim nearest;
  double best = Box::kFar;
  for (std::int32_t r = 0; r < mesh.rimCount; ++r)
  {
    const Vec3d along = mesh.rim[r].to - mesh.rim[r].from;
    const double squared = along.x * along.x + along.y * along.y;
    double s =
      squared > 0
        ? ((p.x - mesh.rim[r].from.x) * along.x + (p.y - mesh.rim[r].from.y) * along.y) / squared
        : 0.0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    const Vec3d on = mesh.rim[r].from + s * along;
    const double distance = (p.x - on.x) * (p.x - on.x) + (p.y - on.y) * (p.y - on.y);
    if (distance < best)
    {
      best = distance;
      nearest.height = on.z;
      nearest.isHole = mesh.rim[r].isHole != 0;
    }
  }
  return nearest;
}

/// Outside the box, seen from above, by more than a margin.
HOST_DEVICE inline bool isBeside(const Box& box, const Vec3d& p, double margin)
{
  return p.x < box.lower.x - margin || p.x > box.upper.x + margin || p.y < box.lower.y - margin ||
         p.y > box.upper.y + margin;
}

/// Where a sphere stands with respect to the sides of the domain.
HOST_DEVICE inline LossReason lossOf(const DomainSides& domain, const Vec3d& p, double radius)
{
  if (!domain.contains(p))
    return LossReason::LeftTheDomain;
  return domain.isBehindWall(p, radius) ? LossReason::WentThrough : LossReason::None;
}

/// Where a sphere stands with respect to the surfaces: LossReason::None while it can go on.
/// Over the map's edge it is lost at once; over a hole, or outside a ragged edge within the map's
/// box, once its centre is a radius below the nearest rim.
HOST_DEVICE inline LossReason lossOf(
  const SurfaceMeshView& mesh, const ColumnGridView& columns, const Vec3d& p, double radius)
{
  if (mesh.terrainBounds.empty())
  {
    if (mesh.containerBounds.empty() || !isBeside(mesh.containerBounds, p, 2 * radius))
      return !mesh.containerBounds.empty() && p.z < mesh.containerBounds.lower.z - 2 * radius
               ? LossReason::WentThrough
               : LossReason::None;
    return LossReason::LeftTheMap;
  }
  if (isBeside(mesh.terrainBounds, p, 0))
    return LossReason::LeftTheMap;
  if (p.z > mesh.terrainBounds.upper.z || columns.isCoveredBelow(p, p.z + radius))
    return LossReason::None;
  const VerticalCover cover = coverAt(mesh, columns, p.x, p.y);
  if (cover.covered)
    return p.z < cover.lowest - radius ? LossReason::WentThrough : LossReason::None;
  const NearestRim rim = nearestRim(mesh, p);
  if (p.z >= rim.height - radius)
    return LossReason::None;
  return rim.isHole ? LossReason::FellIntoAHole : LossReason::LeftTheMap;
}

} // namespace lapilli
