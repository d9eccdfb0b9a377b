#include "SceneBuilder.h"

#include "ArrayBridge.h"
#include "Hash.h"
#include "NozzleArrays.h"
#include "PointArrays.h"

#include "ClumpShapes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lapilli
{
namespace
{

constexpr const char* standardShapes[] = { "disc", "bar", "cube", "tetrapod" };
constexpr std::int32_t firstOwnShape = 5;

/// An array's values, or the default for each point.
template <class Test>
std::vector<double> scalars(const PointBlock& block, const char* name, double defaultValue,
  std::size_t count, const char* limit, Test passes)
{
  vtkDataArray* array = findPointArray(block, name, 1);
  if (!array)
  {
    return std::vector<double>(count, defaultValue);
  }
  std::vector<double> values = readDoubles(array);
  checkValues(block, values, 1, name, limit, passes);
  return values;
}

bool isWholeAndNotNegative(double v)
{
  return v >= 0 && v <= std::numeric_limits<std::int32_t>::max() && v == std::floor(v);
}

bool isWhole(double v)
{
  return std::abs(v) <= std::numeric_limits<std::int32_t>::max() && v == std::floor(v);
}

} // namespace

ClumpShape readShape(vtkDataObject* data, int connection)
{
  ClumpShape shape;
  shape.name = "own " + std::to_string(connection);
  const std::string name = "shape " + std::to_string(connection);
  forEachPointBlock(data, name,
    [&shape](const PointBlock& block)
    {
      const std::vector<double> centers = readPositions(block.data->GetPoints());
      checkValues(block, centers, 3, "coordinates", "are not finite", isFinite);
      vtkDataArray* array = findPointArray(block, "radius", 1);
      if (!array)
      {
        refuseInput(block.name, " has no point array radius; it must have one, a radius in metres "
                                "for each sphere: add it (Calculator)");
      }
      const std::vector<double> radii = readDoubles(array);
      checkValues(block, radii, 1, "radius", "must be > 0", isPositive);
      shape.centers.insert(shape.centers.end(), centers.begin(), centers.end());
      shape.radii.insert(shape.radii.end(), radii.begin(), radii.end());
    });
  constexpr std::size_t most = 1000;
  if (shape.radii.empty() || shape.radii.size() > most)
  {
    refuseInput(name, " has ", shape.radii.size(), " spheres; it must have 1 to ", most,
      ": connect points with the array radius to the input Shapes");
  }
  return shape;
}

SourceReader::SourceReader(Scene& scene, const SeedDefaults& defaults,
  std::vector<ClumpShape> ownShapes, const TerrainFrame& terrain)
  : scene_(scene)
  , defaults_(defaults)
  , ownShapes_(std::move(ownShapes))
  , terrain_(terrain)
{
}

void SourceReader::add(vtkDataObject* data, int connection)
{
  const std::string name = "source " + std::to_string(connection);
  const MapPoint origin = originBeside(data, name, terrain_);
  forEachPointBlock(
    data, name, [&](const PointBlock& block) { this->addBlock(block, connection, origin); });
}

void SourceReader::addBlock(const PointBlock& block, int connection, const MapPoint& origin)
{
  const std::vector<double> positions = readPositions(block.data->GetPoints());
  checkValues(block, positions, 3, "coordinates", "are not finite", isFinite);
  const std::size_t count = positions.size() / 3;

  std::vector<double> velocities;
  if (vtkDataArray* array = findPointArray(block, "velocity", 3))
  {
    velocities = readDoubles(array);
    checkValues(block, velocities, 3, "velocity", "is not finite", isFinite);
  }
  const auto scalar = [&](const char* name, double defaultValue)
  { return scalars(block, name, defaultValue, count, "must be > 0", isPositive); };
  const std::vector<double> radii = scalar("radius", defaults_.radius);
  const std::vector<double> densities = scalar("density", defaults_.density);
  const std::vector<double> temperatures = scalar("temperature", defaults_.temperature);
  const std::vector<double> moduli = scalar("youngs_modulus", defaults_.youngsModulus);
  const std::vector<double> ratios = scalars(block, "poissons_ratio", defaults_.poissonsRatio,
    count, "must be greater than -1 and less than 0.5", [](double v) { return v > -1 && v < 0.5; });
  const std::vector<double> materials =
    scalars(block, "material", 0, count, "must be a whole number >= 0", isWholeAndNotNegative);
  const std::vector<double> shapes =
    scalars(block, "shape", 0, count, "must be a whole number >= 0", isWholeAndNotNegative);
  const std::vector<double> ids = scalars(block, "source_id", connection, count,
    "must be a whole number of at most 2147483647 in magnitude", isWhole);
  const auto shapeCount = static_cast<double>(firstOwnShape + ownShapes_.size());
  const auto unknown =
    std::find_if(shapes.begin(), shapes.end(), [&](double s) { return s >= shapeCount; });
  if (unknown != shapes.end())
  {
    refuseInput(block.name, ": shape of point ", unknown - shapes.begin(), " is ", *unknown,
      "; it must be at most ", shapeCount - 1,
      ": 0 a sphere, 1 disc, 2 bar, 3 cube, 4 tetrapod, and from 5 on the ", ownShapes_.size(),
      " connections of the input Shapes");
  }

  NozzleArrays nozzles(block);
  Seeds& seeds = scene_.seeds;
  for (std::size_t i = 0; i < count; ++i)
  {
    const MapPoint position{ positions[3 * i] + origin[0], positions[3 * i + 1] + origin[1],
      positions[3 * i + 2] + origin[2] };
    const std::array<double, 3> velocity =
      velocities.empty()
        ? defaults_.velocity
        : std::array<double, 3>{ velocities[3 * i], velocities[3 * i + 1], velocities[3 * i + 2] };
    const auto material = static_cast<std::int32_t>(materials[i]);
    const auto shape = static_cast<std::int32_t>(shapes[i]);
    this->know(block, i, { material, moduli[i], ratios[i] });
    if (nozzles.isNozzle(i))
    {
      Nozzle nozzle;
      nozzle.position = position;
      nozzle.radii.radius = radii[i];
      nozzle.density = densities[i];
      nozzle.temperature = temperatures[i];
      nozzle.sourceId = static_cast<std::int32_t>(ids[i]);
      nozzle.material = material;
      nozzle.shape = shape;
      nozzles.add(scene_.nozzles, i, nozzle, velocity);
      continue;
    }
    seeds.positions.insert(seeds.positions.end(), position.begin(), position.end());
    seeds.velocities.insert(seeds.velocities.end(), velocity.begin(), velocity.end());
    seeds.radii.push_back(radii[i]);
    seeds.densities.push_back(densities[i]);
    seeds.temperatures.push_back(temperatures[i]);
    seeds.sourceIds.push_back(static_cast<std::int32_t>(ids[i]));
    seeds.materials.push_back(material);
    seeds.shapes.push_back(shape);
  }
}

void SourceReader::know(const PointBlock& block, std::size_t point, const Material& material)
{
  const auto found = materials_.find(material.number);
  if (found == materials_.end())
  {
    materials_[material.number] = { material, block.name + ", point " + std::to_string(point) };
    return;
  }
  const Material& known = found->second.material;
  if (known.youngsModulus != material.youngsModulus ||
      known.poissonsRatio != material.poissonsRatio)
  {
    refuseInput("material ", material.number, " has Young's modulus ", known.youngsModulus,
      " Pa and Poisson's ratio ", known.poissonsRatio, " at ", found->second.where, ", but ",
      material.youngsModulus, " Pa and ", material.poissonsRatio, " at ", block.name, ", point ",
      point, "; a material must have one of each: give the sources different material numbers");
  }
}

void SourceReader::finish()
{
  Seeds& seeds = scene_.seeds;
  for (const auto& [number, known] : materials_)
  {
    scene_.materials.push_back(known.material);
  }
  if (std::all_of(
        seeds.materials.begin(), seeds.materials.end(), [](std::int32_t m) { return m == 0; }))
  {
    seeds.materials.clear();
  }

  std::map<std::int32_t, std::int32_t> indexOf; // a shape's number -> in the scene
  for (const std::int32_t s : seeds.shapes)
  {
    indexOf[s] = -1;
  }
  for (const Nozzle& nozzle : scene_.nozzles)
  {
    indexOf[nozzle.shape] = -1;
  }
  for (auto& [shape, index] : indexOf)
  {
    if (shape > 0)
    {
      index = static_cast<std::int32_t>(scene_.shapes.size());
      scene_.shapes.push_back(shape < firstOwnShape
                                ? standardShape(standardShapes[shape - 1])
                                : ownShapes_[static_cast<std::size_t>(shape - firstOwnShape)]);
    }
  }
  for (std::int32_t& s : seeds.shapes)
  {
    s = indexOf[s];
  }
  for (Nozzle& nozzle : scene_.nozzles)
  {
    nozzle.shape = indexOf[nozzle.shape];
  }
  if (std::all_of(seeds.shapes.begin(), seeds.shapes.end(), [](std::int32_t s) { return s == -1; }))
  {
    seeds.shapes.clear();
  }
}

double derivedRadius(const std::array<double, 4>& bounds)
{
  return 0.005 * std::max(bounds[1] - bounds[0], bounds[3] - bounds[2]);
}

std::array<double, 4> mapBounds(const std::vector<Surface>& surfaces)
{
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double low[2] = { infinity, infinity };
  double high[2] = { -infinity, -infinity };
  for (const Surface& surface : surfaces)
  {
    for (std::size_t i = 0; i < surface.pointCount(); ++i)
    {
      for (std::size_t axis = 0; axis < 2; ++axis)
      {
        const double v = surface.points[3 * i + axis];
        low[axis] = std::min(low[axis], v);
        high[axis] = std::max(high[axis], v);
      }
    }
  }
  return low[0] <= high[0] ? std::array<double, 4>{ low[0], high[0], low[1], high[1] }
                           : std::array<double, 4>{ 0, 0, 0, 0 };
}

void hashScene(const Scene& scene, Hasher& hasher)
{
  const auto values = [&hasher](const auto&... v) { (hasher.value(v), ...); };
  const auto vector = [&values](const std::array<double, 3>& v) { values(v[0], v[1], v[2]); };
  const auto length = [&hasher](std::size_t count)
  { hasher.value(static_cast<std::uint64_t>(count)); };

  length(scene.surfaces.size());
  for (const Surface& surface : scene.surfaces)
  {
    hasher.array(surface.points);
    hasher.array(surface.triangles);
    values(surface.role, surface.sides);
    hasher.text(surface.name);
    hasher.array(surface.restitution);
    hasher.array(surface.friction);
    hasher.array(surface.rollingFriction);
  }
  hasher.array(scene.seeds.positions);
  hasher.array(scene.seeds.velocities);
  hasher.array(scene.seeds.radii);
  hasher.array(scene.seeds.densities);
  hasher.array(scene.seeds.temperatures);
  hasher.array(scene.seeds.sourceIds);
  hasher.array(scene.seeds.materials);
  hasher.array(scene.seeds.shapes);
  hasher.array(scene.seeds.orientations);
  length(scene.nozzles.size());
  for (const Nozzle& n : scene.nozzles)
  {
    vector(n.position);
    vector(n.direction);
    vector(n.openingNormal);
    values(n.openingRadius, n.spread, n.rateUnit, n.radii.radiusLaw, n.radii.radius,
      n.radii.smallestRadius, n.radii.largestRadius, n.radii.medianRadius, n.radii.radiusSpread,
      n.density, n.temperature, n.sourceId, n.material, n.shape, n.randomSeed, n.turn, n.turns);
    length(n.pulses.size());
    for (const Pulse& p : n.pulses)
    {
      values(p.start, p.stop, p.rate, p.speed);
    }
  }
  length(scene.materials.size());
  for (const Material& m : scene.materials)
  {
    values(m.number, m.youngsModulus, m.poissonsRatio);
  }
  length(scene.shapes.size());
  for (const ClumpShape& shape : scene.shapes)
  {
    hasher.text(shape.name);
    hasher.array(shape.centers);
    hasher.array(shape.radii);
  }
  hasher.value(scene.domain.used);
  if (scene.domain.used)
  {
    vector(scene.domain.lower);
    vector(scene.domain.upper);
    for (const DomainSide side : scene.domain.sides)
    {
      hasher.value(side);
    }
  }
}

} // namespace lapilli
