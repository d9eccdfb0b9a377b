#include "GranularFlow/StartPlaces.h"

#include "Terrain/Coverage.h"
#include "Terrain/TriangleContact.h"

#include <algorithm>
#include <utility>

namespace lapilli
{

StartPlaces::StartPlaces(const GranularFlowPlan& plan)
  : plan_(plan)
{
  for (const MeshTriangle& triangle : plan.mesh.triangles)
  {
    const auto surface = static_cast<std::size_t>(triangle.surface);
    if (surface >= closed_.size())
      closed_.resize(surface + 1, true);
    if (triangle.rimEdge != 0 || triangle.twoSided)
      closed_[surface] = false;
  }
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

// The vertical upward from a point within crosses one of its surfaces an odd number of times.
std::int32_t StartPlaces::obstacleAround(const Vec3d& p) const
{
  if (plan_.obstacles.empty())
    return -1;
  const SurfaceMeshView mesh = plan_.mesh.view();
  std::vector<std::pair<std::int32_t, std::int32_t>> above; // surface, object
  plan_.columns.view().forEachNear(p.x, p.y, 0.0,
    [&](std::int32_t index)
    {
      const MeshTriangle& triangle = mesh.triangles[index];
      if (triangle.object < 0 || !closed_[static_cast<std::size_t>(triangle.surface)])
        return;
      const VerticalCrossing crossing = crossVertical(mesh, triangle, p.x, p.y);
      if (crossing.found && crossing.z > p.z)
        above.emplace_back(triangle.surface, triangle.object);
    });
  std::sort(above.begin(), above.end());
  for (std::size_t k = 0; k < above.size();)
  {
    const std::size_t first = k;
    while (k < above.size() && above[k] == above[first])
      ++k;
    if ((k - first) % 2 == 1)
      return above[first].second;
  }
  return -1;
}

double StartPlaces::depthInSurface(const Vec3d& p, double radius) const
{
  const ColumnGridView columns = plan_.columns.view();
  const MergedContacts contacts = touchSurface(
    plan_.mesh.view(), p, radius,
    [&](const auto& visit) { columns.forEachNear(p.x, p.y, radius, visit); }, AsItLies());
  double deepest = 0;
  for (int k = 0; k < contacts.count; ++k)
    deepest = std::max(deepest, contacts.depth(k));
  return deepest;
}

} // namespace lapilli
