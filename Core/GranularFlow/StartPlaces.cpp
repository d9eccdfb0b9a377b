#include "GranularFlow/StartPlaces.h"

#include "Terrain/Coverage.h"
#include "Terrain/TriangleContact.h"

#include <algorithm>

namespace lapilli
{

StartPlaces::StartPlaces(const GranularFlowPlan& plan)
  : plan_(plan)
  , closed_(plan.obstacles.size(), true)
{
  for (const MeshTriangle& triangle : plan.mesh.triangles)
    if (triangle.object >= 0 && triangle.rimEdge != 0)
      closed_[static_cast<std::size_t>(triangle.object)] = false;
}

const char* StartPlaces::faultAt(const Vec3d& p) const
{
  if (!plan_.domain.contains(p) || plan_.domain.isBehindWall(p, 0))
    return "outside the domain";
  const SurfaceMeshView mesh = plan_.mesh.view();
  if (!mesh.terrainBounds.empty())
  {
    const VerticalCover cover = coverAt(mesh, plan_.columns.view(), p.x, p.y);
    if (!cover.covered)
      return "outside the terrain's map";
    if (p.z < cover.lowest)
      return "below the terrain";
  }
  return obstacleAround(p) >= 0 ? "inside an obstacle" : nullptr;
}

bool StartPlaces::isBuried(const Vec3d& p) const
{
  const SurfaceMeshView mesh = plan_.mesh.view();
  if (!mesh.terrainBounds.empty())
  {
    const VerticalCover cover = coverAt(mesh, plan_.columns.view(), p.x, p.y);
    if (cover.covered && p.z < cover.lowest)
      return true;
  }
  return obstacleAround(p) >= 0;
}

// The vertical upward from a point within crosses the obstacle an odd number of times.
std::int32_t StartPlaces::obstacleAround(const Vec3d& p) const
{
  if (closed_.empty())
    return -1;
  const SurfaceMeshView mesh = plan_.mesh.view();
  std::vector<std::int32_t> above;
  plan_.columns.view().forEachNear(p.x, p.y, 0.0,
    [&](std::int32_t index)
    {
      const MeshTriangle& triangle = mesh.triangles[index];
      if (triangle.object < 0 || !closed_[static_cast<std::size_t>(triangle.object)])
        return;
      const VerticalCrossing crossing = crossVertical(mesh, triangle, p.x, p.y);
      if (crossing.found && crossing.z > p.z)
        above.push_back(triangle.object);
    });
  std::sort(above.begin(), above.end());
  for (std::size_t k = 0; k < above.size();)
  {
    const std::size_t first = k;
    while (k < above.size() && above[k] == above[first])
      ++k;
    if ((k - first) % 2 == 1)
      return above[first];
  }
  return -1;
}

double StartPlaces::depthInSurface(const Vec3d& p, double radius) const
{
  const ColumnGridView columns = plan_.columns.view();
  const MergedContacts contacts = touchSurface(
    plan_.mesh.view(), p, radius,
    [&](const auto& visit) { columns.forEachNear(p.x, p.y, radius, visit); },
    [](const Vec3d&) { return true; });
  double deepest = 0;
  for (int k = 0; k < contacts.count; ++k)
    deepest = std::max(deepest, contacts.depth(k));
  return deepest;
}

} // namespace lapilli
