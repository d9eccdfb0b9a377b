#include "Terrain/MapFields.h"

#include <algorithm>
#include <string>

namespace lapilli
{
namespace
{

/// Adds one array with value(triangle of the mesh) at each triangle's place.
template <class Value>
void append(SurfaceField& field, const MapLayout& layout, const std::string& name, const char* unit,
  float empty, const Value& value)
{
  std::vector<float> values(layout.places, empty);
  for (std::size_t t = 0; t < layout.triangleCount(); ++t)
    if (layout.place[t] >= 0)
      values[layout.place[t]] = static_cast<float>(value(t));
  field.arrays.push_back({ name, 1, unit, std::move(values) });
}

/// All arrays of one block of triangles.
void appendArrays(SurfaceField& field, const MapLayout& layout, const std::string& suffix,
  const MapCell* cells, const Deposit* deposits, double porosity)
{
  const auto add = [&](const char* name, const char* unit, float empty, const auto& value)
  { append(field, layout, name + suffix, unit, empty, value); };
  add("passes", "", 0, [&](std::size_t t) { return cells[t].passes; });
  add("greatest_speed", "m/s", 0, [&](std::size_t t) { return cells[t].greatestSpeed; });
  add("kinetic_energy", "J", 0, [&](std::size_t t) { return cells[t].kineticEnergy; });
  add("bounce_height", "m", 0, [&](std::size_t t) { return cells[t].bounceHeight; });
  add("impact_pressure", "Pa", 0, [&](std::size_t t) { return cells[t].impactPressure; });
  add("arrival_time", "s", -1,
    [&](std::size_t t) { return cells[t].arrivalTime < INFINITY ? cells[t].arrivalTime : -1; });
  add("deposit_mass", "kg", 0, [&](std::size_t t) { return deposits[t].mass; });
  add("deposit_thickness", "m", 0,
    [&](std::size_t t)
    {
      const double area = layout.horizontalArea[t];
      return area > 0 ? deposits[t].solid / (1 - porosity) / area : 0;
    });
}

/// Horizontal length of the part of a triangle that lies in an upright plane [m].
double lengthInPlane(const Vec3d (&corner)[3], const BodyForm& form, double planeAt)
{
  double first = INFINITY, last = -INFINITY; // along the plane
  for (int k = 0; k < 3; ++k)
  {
    const Vec3d &a = corner[k], &b = corner[(k + 1) % 3];
    const double from = form.outOfPlane(a) - planeAt, to = form.outOfPlane(b) - planeAt;
    if (from * to > 0)
      continue;
    const auto along = [&](const Vec3d& p) { return form.axisAcross() == 0 ? p.y : p.x; };
    const double at = from == to ? 0 : from / (from - to);
    for (const double part : { at, from == to ? 1 : at })
    {
      const double place = along(a + part * (b - a));
      first = std::min(first, place);
      last = std::max(last, place);
    }
  }
  return last > first ? last - first : 0;
}

} // namespace

std::int32_t MapLayout::slotOf(std::int32_t sourceId) const
{
  return static_cast<std::int32_t>(
    std::lower_bound(sourceIds.begin(), sourceIds.end(), sourceId) - sourceIds.begin());
}

std::vector<std::int32_t> sourceIdsOf(const Scene& scene)
{
  std::vector<std::int32_t> ids = scene.seeds.sourceIds;
  for (const Nozzle& nozzle : scene.nozzles)
    ids.push_back(nozzle.sourceId);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

MapLayout layoutMaps(
  const Scene& scene, const SurfaceMesh& mesh, const BodyForm& form, double planeAt)
{
  MapLayout layout;
  layout.sourceIds = sourceIdsOf(scene);
  // Input triangles of the scene before each surface, and those of them that the arrays have.
  std::vector<std::size_t> firstInput, firstPlace;
  std::size_t inputs = 0;
  for (const Surface& surface : scene.surfaces)
  {
    firstInput.push_back(inputs);
    firstPlace.push_back(layout.places);
    inputs += surface.triangleCount();
    layout.places += surface.role == SurfaceRole::Terrain ? surface.triangleCount() : 0;
  }
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k)
  {
    const MeshTriangle& triangle = mesh.triangles[k];
    const bool isTerrain = triangle.role == static_cast<std::uint8_t>(SurfaceRole::Terrain);
    layout.place.push_back(
      isTerrain ? static_cast<std::int32_t>(
                    firstPlace[triangle.surface] + mesh.inputs[k] - firstInput[triangle.surface])
                : -1);
    const Vec3d corner[3] = { mesh.points[triangle.corner[0]], mesh.points[triangle.corner[1]],
      mesh.points[triangle.corner[2]] };
    layout.horizontalArea.push_back(
      form.isDisc() && form.movesUpright()
        ? BodyForm::kDepth * lengthInPlane(corner, form, planeAt)
        : 0.5 * std::abs(cross(corner[1] - corner[0], corner[2] - corner[0]).z));
  }
  return layout;
}

SurfaceField makeTerrainField(const MapLayout& layout, const std::vector<MapCell>& cells,
  const std::vector<Deposit>& deposits, const std::vector<Deposit>& depositsBySource,
  double porosity)
{
  const std::size_t triangles = layout.triangleCount(), slots = layout.slotCount();
  std::vector<MapCell> total(triangles);
  for (std::size_t k = 0; k < cells.size(); ++k)
  {
    MapCell& sum = total[k % triangles];
    const MapCell& cell = cells[k];
    sum.passes += cell.passes;
    sum.greatestSpeed = std::max(sum.greatestSpeed, cell.greatestSpeed);
    sum.kineticEnergy = std::max(sum.kineticEnergy, cell.kineticEnergy);
    sum.bounceHeight = std::max(sum.bounceHeight, cell.bounceHeight);
    sum.impactPressure = std::max(sum.impactPressure, cell.impactPressure);
    sum.arrivalTime = std::min(sum.arrivalTime, cell.arrivalTime);
  }
  SurfaceField field;
  field.name = "terrain";
  appendArrays(field, layout, "", total.data(), deposits.data(), porosity);
  for (std::size_t slot = 0; slots > 1 && slot < slots; ++slot)
    appendArrays(field, layout, "_source_" + std::to_string(layout.sourceIds[slot]),
      &cells[slot * triangles], &depositsBySource[slot * triangles], porosity);
  return field;
}

} // namespace lapilli
