#include "GranularFlow.h"

#include "FreeMemory.h"
#include "GranularFlow/GranularFlowPlan.h"
#include "GranularFlow/History.h"
#include "GranularFlow/NozzlePlacement.h"
#include "GranularFlow/PlanePlacement.h"
#include "GranularFlow/SeedPlacement.h"
#include "Math/Random.h"
#include "Particles/Emitter.h"
#include "Particles/Refuse.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace lapilli
{
namespace
{

/// Bytes of the terrain's maps: a cell, its copy on the host and the arrays of a frame.
double estimateMapMemory(const Scene& scene, const GranularFlowParameters& parameters)
{
  constexpr double kPerTriangleAndSource = 2 * sizeof(MapCell) + 8 * sizeof(float);
  std::size_t triangles = 0;
  for (const Surface& surface : scene.surfaces)
    triangles += surface.role == SurfaceRole::Terrain ? surface.triangleCount() : 0;
  return parameters.terrainMaps ? kPerTriangleAndSource * static_cast<double>(triangles) *
                                    static_cast<double>(sourceIdsOf(scene).size())
                                : 0;
}

/// Until when nozzles are counted: the planned end, else the end of the last pulse that ends.
double endOfEmission(const Scene& scene, const GranularFlowParameters& parameters)
{
  double end = parameters.plannedEnd;
  if (end > 0)
    return end;
  for (const Nozzle& nozzle : scene.nozzles)
    for (const Pulse& pulse : nozzle.pulses)
      end = std::max(end, std::isfinite(pulse.stop) ? pulse.stop : pulse.start);
  return end;
}

/// Bytes that a run needs, from the sizes of its arrays at 14 listed neighbours a sphere.
void estimateMemory(GranularFlowPlan& plan, const Scene& scene)
{
  constexpr double kPerSphere = 1300; // with thirty neighbours, slip and rolling
  constexpr double kPerTriangle = 500;
  std::size_t triangles = 0;
  for (const Surface& surface : scene.surfaces)
    triangles += surface.triangleCount();
  const auto spheresOf = [&](std::int32_t shape)
  {
    return shape < 0 ? 1.0
                     : static_cast<double>(scene.shapes[static_cast<std::size_t>(shape)].count());
  };
  const Seeds& seeds = scene.seeds;
  double spheres = seeds.shapes.empty() ? static_cast<double>(seeds.count()) : 0;
  for (const std::int32_t shape : seeds.shapes)
    spheres += spheresOf(shape);
  plan.expectedParticles = static_cast<double>(seeds.count());
  const double end = endOfEmission(scene, plan.parameters);
  for (const Nozzle& nozzle : scene.nozzles)
  {
    const double count = expectedCount(nozzle, end, plan.form);
    plan.expectedParticles += count;
    spheres += count * spheresOf(nozzle.shape);
  }
  plan.memory = kPerSphere * spheres + kPerTriangle * static_cast<double>(triangles) +
                estimateMapMemory(scene, plan.parameters);
}

void checkMemory(const GranularFlowPlan& plan, double mapMemory)
{
  constexpr double kMostParticles = 1e9; // their places in lists are numbers of 31 bits
  if (plan.expectedParticles > kMostParticles)
    throw InvalidInput("the sources give about " + number(std::ceil(plan.expectedParticles)) +
                       " particles; a run can hold 1e9: lower rates or end pulses sooner");
  const double given = plan.parameters.memoryLimit;
  const double limit = given > 0 ? given : availableMemory();
  if (plan.memory <= limit)
    return;
  std::ostringstream text;
  text.precision(10);
  text << std::ceil(plan.expectedParticles) << " particles need about "
       << std::ceil(plan.memory / (1 << 20)) << " MiB; "
       << (given > 0 ? "the memory limit is " : "the machine has free ")
       << std::floor(limit / (1 << 20)) << " MiB: use fewer particles or triangles"
       << (plan.nozzles.empty() ? "" : ", lower the rates")
       << (given > 0 ? ", or raise the limit" : "");
  if (mapMemory > 0.5 * plan.memory)
    text << ", or give several sources one source_id or turn the terrain maps off: the maps of all "
            "sources take "
         << std::ceil(mapMemory / (1 << 20)) << " MiB of it";
  throw InvalidInput(text.str());
}

/// FNV-1a, enough to know one's own checkpoints again.
class Fingerprint
{
public:
  /// With its length: what moves from one array into the next is not the same.
  template <class T>
  void add(const std::vector<T>& values)
  {
    add(static_cast<double>(values.size()));
    addBytes(values.data(), values.size() * sizeof(T));
  }
  void add(double value) { addBytes(&value, sizeof(value)); }
  std::uint64_t value() const { return hash_; }

private:
  void addBytes(const void* bytes, std::size_t count)
  {
    const auto* first = static_cast<const unsigned char*>(bytes);
    for (std::size_t i = 0; i < count; ++i)
      hash_ = (hash_ ^ first[i]) * 1099511628211ull;
  }
  std::uint64_t hash_ = 14695981039346656037ull;
};

void addSources(Fingerprint& print, const Scene& scene)
{
  print.add(scene.seeds.materials);
  print.add(scene.seeds.shapes);
  print.add(scene.seeds.orientations);
  for (const Nozzle& nozzle : scene.nozzles)
  {
    for (const auto& vector : { nozzle.position, nozzle.direction, nozzle.openingNormal })
      for (const double component : vector)
        print.add(component);
    for (const Pulse& pulse : nozzle.pulses)
      for (const double value : { pulse.start, pulse.stop, pulse.rate, pulse.speed })
        print.add(value);
    const RadiusDistribution& radii = nozzle.radii;
    for (const double value : { nozzle.openingRadius, nozzle.spread, radii.radius,
           radii.smallestRadius, radii.largestRadius, radii.medianRadius, radii.radiusSpread,
           nozzle.density, nozzle.temperature, static_cast<double>(radii.radiusLaw),
           static_cast<double>(nozzle.rateUnit), static_cast<double>(nozzle.sourceId),
           static_cast<double>(nozzle.material), static_cast<double>(nozzle.shape) })
      print.add(value);
    print.add(std::vector<std::uint64_t>{ nozzle.randomSeed });
    print.add(std::vector<std::int64_t>{ nozzle.turn, nozzle.turns });
  }
  for (const Material& material : scene.materials)
    for (const double value :
      { static_cast<double>(material.number), material.youngsModulus, material.poissonsRatio })
      print.add(value);
  for (const ClumpShape& shape : scene.shapes)
  {
    print.add(shape.centers);
    print.add(shape.radii);
  }
}

void addParameters(Fingerprint& print, const GranularFlowParameters& p)
{
  for (const double value :
    { p.gravity[0], p.gravity[1], p.gravity[2], static_cast<double>(p.contactLaw),
      static_cast<double>(p.tangentialLaw), p.restitution, p.friction, p.rollingFriction,
      p.cohesion, p.terrainRestitution, p.terrainFriction, p.terrainRollingFriction,
      p.terrainCohesion, p.terrainYoungsModulus, p.terrainPoissonsRatio,
      static_cast<double>(p.rotation), p.greatestOverlap, p.greatestSpeed, p.airDensity,
      static_cast<double>(p.dragLaw), p.dragCoefficient, p.airViscosity, p.stepsPerContact,
      p.rayleighFraction, p.travelPerStep, p.timeStepLimit, p.skin, p.frameInterval, p.restSpeed,
      static_cast<double>(p.neighborSearch), static_cast<double>(p.terrainMaps), p.mapTravel,
      p.depositPorosity, p.overlappingSeedsLimit, static_cast<double>(p.dimensions) })
    print.add(value);
  for (const MaterialPair& pair : p.materialPairs)
    for (const double value : { static_cast<double>(pair.first), static_cast<double>(pair.second),
           pair.restitution, pair.friction, pair.rollingFriction, pair.cohesion })
      print.add(value);
  for (const WindLayer& layer : p.wind)
    for (const double value :
      { layer.height, layer.velocity[0], layer.velocity[1], layer.velocity[2] })
      print.add(value);
}

std::uint64_t fingerprintOf(const Scene& scene, const GranularFlowParameters& p)
{
  Fingerprint print;
  for (const Surface& surface : scene.surfaces)
  {
    print.add(surface.points);
    print.add(surface.triangles);
    print.add(static_cast<double>(surface.role));
    print.add(static_cast<double>(surface.sides));
    print.add(surface.restitution);
    print.add(surface.friction);
    print.add(surface.rollingFriction);
  }
  print.add(static_cast<double>(scene.domain.used));
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    print.add(scene.domain.lower[axis]);
    print.add(scene.domain.upper[axis]);
  }
  for (const DomainSide side : scene.domain.sides)
    print.add(static_cast<double>(side));
  print.add(scene.seeds.positions);
  print.add(scene.seeds.velocities);
  print.add(scene.seeds.radii);
  print.add(scene.seeds.densities);
  print.add(scene.seeds.temperatures);
  print.add(scene.seeds.sourceIds);
  addSources(print, scene);
  addParameters(print, p);
  for (const double value : { static_cast<double>(p.terrainMaps), p.mapTravel, p.depositPorosity })
    print.add(value);
  return print.value();
}

/// The middle of the terrain, or of the seeds without one, snapped to whole kilometres.
Vec3d localOrigin(const Scene& scene)
{
  Box box;
  const auto grow = [&](const std::vector<double>& points)
  {
    for (std::size_t i = 0; i + 2 < points.size(); i += 3)
      if (std::isfinite(points[i]) && std::isfinite(points[i + 1]) && std::isfinite(points[i + 2]))
        box += Vec3d{ points[i], points[i + 1], points[i + 2] };
  };
  for (const Surface& surface : scene.surfaces)
    grow(surface.points);
  if (box.empty() && scene.domain.used)
    for (const auto& corner : { scene.domain.lower, scene.domain.upper })
      grow({ corner.begin(), corner.end() });
  if (box.empty())
  {
    grow(scene.seeds.positions);
    for (const Nozzle& nozzle : scene.nozzles)
      grow({ nozzle.position.begin(), nozzle.position.end() });
  }
  const auto snap = [](double low, double high)
  { return 1000 * std::floor((low + high) / 2000 + 0.5); };
  return { snap(box.lower.x, box.upper.x), snap(box.lower.y, box.upper.y),
    snap(box.lower.z, box.upper.z) };
}

/// The mean of the places of all seeds and nozzles, local.
Vec3d middleOfSources(const Scene& scene, const Vec3d& origin)
{
  Vec3d sum;
  for (std::size_t i = 0; i < scene.seeds.count(); ++i)
  {
    const double* p = &scene.seeds.positions[3 * i];
    sum += Vec3d{ p[0], p[1], p[2] } - origin;
  }
  for (const Nozzle& nozzle : scene.nozzles)
    sum += Vec3d{ nozzle.position[0], nozzle.position[1], nozzle.position[2] } - origin;
  const std::size_t count = scene.seeds.count() + scene.nozzles.size();
  return count > 0 ? (1.0 / static_cast<double>(count)) * sum : sum;
}

std::vector<Loss> noLosses()
{
  std::vector<Loss> losses(6);
  losses[0].reason = "left the map";
  losses[1].reason = "left the domain";
  losses[2].reason = "fell into a hole";
  losses[3].reason = "went through the terrain";
  losses[4].reason = "were placed outside the map";
  losses[5].reason = "were placed below the terrain";
  return losses;
}

/// What contacts need to know of one kind of particle.
struct Grain
{
  double smallestRadius, largestRadius; ///< [m], of the sphere of its volume
  double density;                       ///< [kg/m^3]
  std::int32_t material;                ///< number
  std::int32_t shape;
};

/// visit(grain) for every seed and every nozzle.
template <class Visit>
void forEachGrain(const Scene& scene, const Visit& visit)
{
  const Seeds& seeds = scene.seeds;
  for (std::size_t i = 0; i < seeds.count(); ++i)
    visit(Grain{ seeds.radii[i], seeds.radii[i], seeds.densities[i],
      seeds.materials.empty() ? 0 : seeds.materials[i],
      seeds.shapes.empty() ? -1 : seeds.shapes[i] });
  for (const Nozzle& nozzle : scene.nozzles)
    visit(Grain{ nozzle.radii.smallest(), nozzle.radii.largest(), nozzle.density, nozzle.material,
      nozzle.shape });
}

ClumpBody singleSphere()
{
  ClumpBody sphere;
  sphere.boundingRadius = sphere.largestRadius = sphere.smallestRadius = 1;
  return sphere;
}

void deriveRadii(GranularFlowPlan& plan, const Scene& scene)
{
  plan.smallestRadius = INFINITY;
  plan.largestRadius = plan.largestExtent = 0;
  const ClumpBody sphere = singleSphere();
  forEachGrain(scene,
    [&](const Grain& grain)
    {
      const ClumpBody& body = grain.shape < 0 ? sphere : plan.bodies[grain.shape];
      plan.smallestRadius =
        std::min(plan.smallestRadius, body.smallestRadius * grain.smallestRadius);
      plan.largestRadius = std::max(plan.largestRadius, body.largestRadius * grain.largestRadius);
      plan.largestExtent = std::max(plan.largestExtent, body.boundingRadius * grain.largestRadius);
    });
}

/// The surfaces and the walls of the domain in local coordinates.
void deriveSurroundings(GranularFlowPlan& plan, const Scene& scene)
{
  checkDomain(scene.domain, plan.largestExtent, plan.largestRadius);
  // Particles come back at the next list only, when they have moved by half a skin.
  constexpr double kWidestChosenSkin = 1.5;
  const double skin = std::max(kWidestChosenSkin, plan.parameters.skin) * plan.smallestRadius;
  plan.domain = sidesOf(scene.domain, plan.origin);
  const std::vector<Surface> walls = wallsOf(scene.domain, 4 * plan.largestExtent);
  plan.mesh = buildSurfaceMesh(scene.surfaces, plan.origin, walls);
  if (!scene.surfaces.empty() && plan.mesh.triangles.empty())
    throw InvalidInput(
      "the terrain has no triangles with an area; connect a surface, for instance Terrain Surface");
  checkObstaclesInPeriodicSpace(scene.domain, scene.surfaces, plan.largestExtent + 0.5 * skin);
  plan.obstacles = plan.mesh.objects;
  const auto firstWall = plan.obstacles.end() - plan.mesh.walls;
  checkObstacleNames({ plan.obstacles.begin(), firstWall }, { firstWall, plan.obstacles.end() });
}

void checkRadiiAgainstTerrain(const GranularFlowPlan& plan)
{
  const Box& map = plan.mesh.terrainBounds.empty() ? plan.mesh.bounds : plan.mesh.terrainBounds;
  if (map.empty())
    return;
  const double limit = 0.5 * std::max(map.upper.x - map.lower.x, map.upper.y - map.lower.y);
  if (plan.largestExtent < limit)
    return;
  const auto largest = std::max_element(plan.seeds.radii.begin(), plan.seeds.radii.end());
  std::ostringstream text;
  if (largest != plan.seeds.radii.end() && *largest == plan.largestExtent)
    text << "radius of seed " << largest - plan.seeds.radii.begin();
  else
    text << "the largest radius of a clump or from a nozzle";
  text << " is " << plan.largestExtent << " m; it must be below " << limit
       << " m, half the width of the terrain: check the units of radius and terrain";
  throw InvalidInput(text.str());
}

/// The hardest impact: the fastest seed or wind, or the two that differ most, after falling from the
/// highest seed to the lowest point of the terrain. At least one radius per second, so that a scene at rest has a stiffness too.
void deriveGreatestSpeed(GranularFlowPlan& plan)
{
  // hypot: what diverges later must not overflow here.
  const double gravity = std::hypot(plan.gravity.x, plan.gravity.y, plan.gravity.z);
  const Vec3d down = gravity > 0 ? (1 / gravity) * plan.gravity : Vec3d{};
  double lowest = -Box::kFar;
  for (const Vec3d& p : plan.mesh.points)
    lowest = std::max(lowest, dot(down, p));
  plan.lowestPotential = plan.mesh.points.empty() ? 0 : -gravity * lowest;
  Box velocities;
  double fastest = 0;
  double highest = Box::kFar;
  for (std::size_t i = 0; i < plan.seeds.count(); ++i)
  {
    const double* v = &plan.seeds.velocities[3 * i];
    const double* p = &plan.seeds.positions[3 * i];
    const double height = dot(down, Vec3d{ p[0], p[1], p[2] } - plan.origin);
    velocities += Vec3d{ v[0], v[1], v[2] };
    fastest = std::max(fastest, length(Vec3d{ v[0], v[1], v[2] }));
    highest = std::min(highest, height);
    if (plan.mesh.points.empty())
      lowest = std::max(lowest, height);
  }
  for (const Nozzle& nozzle : plan.nozzles)
  {
    const Vec3d p =
      Vec3d{ nozzle.position[0], nozzle.position[1], nozzle.position[2] } - plan.origin;
    const Vec3d direction = axisOf(nozzle);
    highest = std::min(highest, dot(down, p));
    if (plan.mesh.points.empty())
      lowest = std::max(lowest, dot(down, p));
    for (const Pulse& pulse : nozzle.pulses)
    {
      velocities += pulse.speed * direction;
      // Two from one cone may leave at twice its half angle.
      fastest =
        std::max({ fastest, pulse.speed, 2 * pulse.speed * std::sin(nozzle.spread * M_PI / 180) });
    }
  }
  // Light grains take the speed of the wind.
  if (plan.parameters.airDensity > 0)
  {
    for (const WindLayer& layer : plan.parameters.wind)
    {
      const Vec3d wind{ layer.velocity[0], layer.velocity[1], layer.velocity[2] };
      velocities += wind;
      fastest = std::max(fastest, length(wind));
    }
  }
  if (!velocities.empty())
    fastest = std::max(fastest, length(velocities.upper - velocities.lower));
  const double drop = std::max(0.0, lowest - highest);
  const double derived = std::sqrt(fastest * fastest + 2 * gravity * drop);
  plan.greatestSpeed = plan.parameters.greatestSpeed > 0
                         ? plan.parameters.greatestSpeed
                         : std::max(derived, plan.smallestRadius * 1.0);
}

/// greatestMobility of a body is sampled, so a little too low.
constexpr double kMobilityMargin = 1.05;

/// How much quicker a contact of the quickest body is than that of spheres.
double greatestMobility(const GranularFlowPlan& plan)
{
  double greatest = 1;
  for (const ClumpBody& body : plan.bodies)
    greatest = std::max(greatest, kMobilityMargin * body.greatestMobility);
  return greatest;
}

/// Duration of an elastic impact of two equal spheres after Hertz [s] (Johnson, Contact Mechanics
/// (1985), eq. 11.24): 2.87 (m*^2 / (R* E*^2 v))^(1/5). The two smallest of one kind are the quickest.
double hertzContactTime(double mass, double radius, double youngs, double speed)
{
  const double m = mass / 2, r = radius / 2;
  return 2.87 * std::pow(m * m / (r * youngs * youngs * speed), 0.2);
}

/// Time that a surface wave takes around a sphere [s]; Li, Xu, Thornton, Powder Technol. 160 (2005)
/// 219-228, eq. 16.
double rayleighTimeOf(double radius, double density, const Material& material)
{
  const double nu = material.poissonsRatio;
  const double shear = material.youngsModulus / (2 * (1 + nu));
  return M_PI * radius * std::sqrt(density / shear) / (0.1631 * nu + 0.8766);
}

/// Stiffness and what it allows.
///
/// Linear springs from the greatest overlap: a pair that closes at v overlaps by v/omega0 at most, so
/// omega0 = v/(x r) with r the smallest radius. Every pair then has the same contact time
/// pi/omega0, whatever its masses: k = m* omega0^2 >= m* v^2/(x r)^2.
void deriveContacts(GranularFlowPlan& plan, const Scene& scene)
{
  const GranularFlowParameters& p = plan.parameters;
  plan.materials = makeMaterialTable(scene, p, plan.mesh);
  if (p.tangentialLaw == TangentialLaw::Dashpot &&
      std::any_of(plan.materials.laws.begin(), plan.materials.laws.end(),
        [](const PairLaw& law) { return law.damping == 0 && law.friction > 0; }))
    plan.notes.push_back(
      "friction by a dashpot alone is none where the restitution is 1; lower it, or let "
      "a spring act across contacts");
  plan.contactStepLimitedBy = "contact time";
  if (p.contactLaw == ContactLaw::LinearSpring)
  {
    plan.frequency = plan.greatestSpeed / (p.greatestOverlap * plan.smallestRadius);
    plan.contactTime = M_PI / plan.frequency / std::sqrt(greatestMobility(plan));
    plan.contactStep = plan.contactTime / p.stepsPerContact;
    return;
  }
  plan.contactTime = plan.rayleighTime = INFINITY;
  const MaterialTable& table = plan.materials;
  const ClumpBody sphere = singleSphere();
  forEachGrain(scene,
    [&](const Grain& grain)
    {
      const ClumpBody& body = grain.shape < 0 ? sphere : plan.bodies[grain.shape];
      const double r = body.smallestRadius * grain.smallestRadius;
      const double mass = grain.density * plan.form.volume(grain.smallestRadius) /
                          (kMobilityMargin * body.greatestMobility);
      const std::int32_t own = table.placeOf(grain.material);
      double stiffest = 0;
      for (std::int32_t other = 0; other <= table.count(); ++other)
        stiffest = std::max<double>(stiffest, table.laws[own * (table.count() + 1) + other].youngs);
      plan.contactTime =
        std::min(plan.contactTime, hertzContactTime(mass, r, stiffest, plan.greatestSpeed));
      plan.rayleighTime =
        std::min(plan.rayleighTime, rayleighTimeOf(r, grain.density, table.materials[own]));
    });
  plan.contactStep = plan.contactTime / p.stepsPerContact;
  if (p.rayleighFraction * plan.rayleighTime < plan.contactStep)
  {
    plan.contactStep = p.rayleighFraction * plan.rayleighTime;
    plan.contactStepLimitedBy = "Rayleigh time";
  }
}

/// A look into a column costs as much as all that is in it, one into a tree about as much as kMostInAColumn.
void chooseSearch(GranularFlowPlan& plan)
{
  constexpr double kMostInAColumn = 32;
  const double crowding = plan.columns.crowding();
  if (crowding <= kMostInAColumn)
    return;
  plan.search = SearchStructure::Tree;
  std::ostringstream text;
  text << "contacts with surfaces are looked for in a tree of boxes: " << std::llround(crowding)
       << " triangles lie above one another or close together, where columns would do for "
       << kMostInAColumn;
  plan.notes.push_back(text.str());
}

/// Box around all that particles may lie on or come from.
Box boxOfScene(const GranularFlowPlan& plan)
{
  Box box;
  for (const Vec3d& point : plan.mesh.points)
    box += point;
  const std::vector<double>& at = plan.seeds.positions;
  for (std::size_t k = 0; k < at.size(); k += 3)
    box += Vec3d{ at[k], at[k + 1], at[k + 2] } - plan.origin;
  for (const Nozzle& nozzle : plan.nozzles)
    box += Vec3d{ nozzle.position[0], nozzle.position[1], nozzle.position[2] } - plan.origin;
  return box;
}

/// A cell is as wide as the largest pair. Where radii differ, many small spheres share one; where a scene is wider
/// than cells can be numbered, they must be wider too.
void chooseNeighborSearch(GranularFlowPlan& plan)
{
  // Of spheres that touch their neighbours, few of them large, a step by the tree is the faster from a ratio of 2.8 on
  // with lists made at every step, and of 4 with lists that last (ContactBenchmark, search=cells and search=tree).
  constexpr double kRatioForTree = 3;
  constexpr double kCellsForTree = 2e6; // along an axis; CellGrid numbers 2^21
  const double ratio = plan.largestRadius / plan.smallestRadius;
  const Box box = boxOfScene(plan);
  const Vec3d size = box.empty() ? Vec3d{} : box.upper - box.lower;
  const double across = std::max({ size.x, size.y, size.z }) / (2 * plan.largestRadius);
  std::ostringstream text;
  text << std::setprecision(3);
  const auto decide = [&](NeighborSearch by)
  {
    plan.neighborSearch = by;
    text << (by == NeighborSearch::Tree ? "a tree of boxes" : "cells");
  };
  if (plan.parameters.neighborSearch != NeighborSearch::Auto)
  {
    decide(plan.parameters.neighborSearch);
    text << ", as asked for";
  }
  else if (ratio > kRatioForTree)
  {
    decide(NeighborSearch::Tree);
    text << ": radii differ by a factor of " << ratio << ", more than " << kRatioForTree;
  }
  else if (across > kCellsForTree)
  {
    decide(NeighborSearch::Tree);
    text << ": the scene is " << across << " of the largest particles across, more than "
         << kCellsForTree;
  }
  else
  {
    decide(NeighborSearch::Cells);
    text << ": radii differ by a factor of " << ratio << ", no more than " << kRatioForTree;
  }
  plan.neighborSearchReason = text.str();
}

} // namespace

Quatd GranularFlowPlan::orientationOf(std::int32_t shape, std::int64_t id) const
{
  if (shape < 0)
    return {};
  const auto isSeed = static_cast<std::size_t>(id) < seeds.count();
  if (isSeed && !seeds.orientations.empty())
  {
    const double* q = &seeds.orientations[4 * static_cast<std::size_t>(id)];
    return normalised(Quatd{ q[0], q[1], q[2], q[3] }) *
           conjugate(bodies[static_cast<std::size_t>(shape)].principalAxes);
  }
  RandomStream random(0, RandomStream::Orientations, { static_cast<std::uint64_t>(id) });
  const double a = random.uniform(), b = random.uniform(), c = random.uniform();
  return uniformOrientation(a, b, c);
}

GranularFlowPlan deriveGranularFlow(const Scene& scene, const GranularFlowParameters& parameters)
{
  parameters.validate();
  GranularFlowPlan plan;
  plan.form = BodyForm(parameters.dimensions);
  checkNozzles(scene.nozzles, scene.shapes.size(), plan.form);
  checkSeeds(scene, plan.form);
  plan.parameters = parameters;
  plan.gravity =
    plan.form.inPlane(Vec3d{ parameters.gravity[0], parameters.gravity[1], parameters.gravity[2] });
  plan.origin = localOrigin(scene);
  plan.seeds = scene.seeds;
  plan.nozzles = scene.nozzles;
  if (plan.form.isDisc())
    layIntoPlane(plan, scene.domain);
  for (const ClumpShape& shape : scene.shapes)
    plan.bodies.push_back(makeClumpBody(shape));
  plan.losses = noLosses();
  estimateMemory(plan, scene);
  checkMemory(plan, estimateMapMemory(scene, parameters));

  deriveRadii(plan, scene);
  deriveSurroundings(plan, scene);
  checkRadiiAgainstTerrain(plan);
  plan.maps = layoutMaps(scene, plan.mesh, plan.form, plan.localPlane());
  plan.sourcesMiddle = middleOfSources(scene, plan.origin);
  plan.fingerprint = fingerprintOf(scene, parameters);
  deriveGreatestSpeed(plan);
  deriveContacts(plan, scene);
  chooseNeighborSearch(plan);
  return plan;
}

std::shared_ptr<GranularFlowPlan> planGranularFlow(
  const Scene& scene, const GranularFlowParameters& parameters)
{
  auto plan = std::make_shared<GranularFlowPlan>(deriveGranularFlow(scene, parameters));
  plan->columns = ColumnGrid(plan->mesh);
  chooseSearch(*plan);
  checkNozzlePlaces(*plan);
  placeSeeds(*plan, scene.domain);
  return plan;
}

GranularFlowEstimate estimateGranularFlow(
  const Scene& scene, const GranularFlowParameters& parameters)
{
  const GranularFlowPlan plan = deriveGranularFlow(scene, parameters);
  GranularFlowEstimate estimate;
  estimate.greatestSpeed = plan.greatestSpeed;
  estimate.contactTime = plan.contactTime;
  estimate.memory = plan.memory;
  estimate.particles = static_cast<std::int64_t>(plan.expectedParticles);
  estimate.timeStep = plan.contactStep;
  estimate.timeStepLimitedBy = plan.contactStepLimitedBy;
  estimate.rayleighTime = plan.rayleighTime;
  const double travel = parameters.travelPerStep * plan.smallestRadius / plan.greatestSpeed;
  if (travel < estimate.timeStep)
  {
    estimate.timeStep = travel;
    estimate.timeStepLimitedBy = "radius over speed";
  }
  if (parameters.timeStepLimit > 0 && parameters.timeStepLimit < estimate.timeStep)
  {
    estimate.timeStep = parameters.timeStepLimit;
    estimate.timeStepLimitedBy = "given limit";
  }
  if (parameters.frameInterval < estimate.timeStep)
  {
    estimate.timeStep = parameters.frameInterval;
    estimate.timeStepLimitedBy = "frame interval";
  }
  return estimate;
}

std::unique_ptr<Simulation> createGranularFlow(
  const Scene& scene, const GranularFlowParameters& parameters, const Device& device)
{
  if (device.threads < 0 || device.threads > 1024)
    throw InvalidInput("threads is " + std::to_string(device.threads) +
                       "; it must lie in [0, 1024], where 0 takes all");
  [[maybe_unused]] CudaAvailability cuda;
  if (device.kind != DeviceKind::Cpu)
    cuda = cudaAvailability();
  if (device.kind == DeviceKind::Cuda && !cuda.usable)
    throw BackendError(
      "device is Cuda but " + cuda.reason + "; choose the automatic device or the CPU");

  const std::shared_ptr<GranularFlowPlan> plan = planGranularFlow(scene, parameters);
  const std::vector<std::string> unusual = unusualIn(scene, parameters);
  plan->notes.insert(plan->notes.begin(), unusual.begin(), unusual.end());
  if (!parameters.wind.empty() && parameters.airDensity == 0)
    plan->notes.push_back("the wind does nothing while the air density is 0 kg/m^3; set it, to 1.2 "
                          "near sea level");
#if defined(LAPILLI_WITH_CUDA)
  if (cuda.usable)
    return cuda::startGranularFlow(plan, device.threads);
#endif
  if (device.kind == DeviceKind::Auto)
    plan->notes.push_back("runs on the CPU: " + cuda.reason);
  return cpu::startGranularFlow(plan, device.threads);
}

} // namespace lapilli
