#include "GranularFlow.h"

#include "Contacts/LinearSpring.h"
#include "GranularFlow/GranularFlowPlan.h"
#include "GranularFlow/SeedPlacement.h"
#include "Parallel/Memory.h"

#include <algorithm>
#include <cmath>
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

/// Bytes that a run needs, from the sizes of its arrays at 14 listed neighbours a particle.
double estimateMemory(const Scene& scene, const GranularFlowParameters& parameters)
{
  constexpr double kPerParticle = 1650;
  constexpr double kPerTriangle = 500;
  std::size_t triangles = 0;
  for (const Surface& surface : scene.surfaces)
    triangles += surface.triangleCount();
  return kPerParticle * static_cast<double>(scene.seeds.count()) +
         kPerTriangle * static_cast<double>(triangles) + estimateMapMemory(scene, parameters);
}

void checkMemory(const GranularFlowPlan& plan, double mapMemory)
{
  const double given = plan.parameters.memoryLimit;
  const double limit = given > 0 ? given : availableMemory();
  if (plan.memory <= limit)
    return;
  std::ostringstream text;
  text << plan.seeds.count() << " particles need about " << std::ceil(plan.memory / (1 << 20))
       << " MiB; " << (given > 0 ? "the memory limit is " : "the machine has free ")
       << std::floor(limit / (1 << 20)) << " MiB: use fewer particles or triangles"
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
  template <class T>
  void add(const std::vector<T>& values)
  {
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

std::uint64_t fingerprintOf(const Scene& scene, const GranularFlowParameters& p)
{
  Fingerprint print;
  for (const Surface& surface : scene.surfaces)
  {
    print.add(surface.points);
    print.add(surface.triangles);
    print.add(static_cast<double>(surface.role));
    print.add(static_cast<double>(surface.sides));
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
  for (const double value : { p.gravity[0], p.gravity[1], p.gravity[2], p.restitution, p.friction,
         p.terrainRestitution, p.terrainFriction, static_cast<double>(p.rotation),
         p.greatestOverlap, p.greatestSpeed, p.stepsPerContact, p.travelPerStep, p.timeStepLimit,
         p.skin, p.frameInterval, p.restSpeed, p.overlappingSeedsLimit })
    print.add(value);
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
    grow(scene.seeds.positions);
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

void deriveRadii(GranularFlowPlan& plan)
{
  const auto [smallest, largest] =
    std::minmax_element(plan.seeds.radii.begin(), plan.seeds.radii.end());
  plan.smallestRadius = *smallest;
  plan.largestRadius = *largest;
}

/// The surfaces and the walls of the domain in local coordinates.
void deriveSurroundings(GranularFlowPlan& plan, const Scene& scene)
{
  checkDomain(scene.domain, plan.largestRadius);
  plan.domain = sidesOf(scene.domain, plan.origin);
  const std::vector<Surface> walls = wallsOf(scene.domain, 4 * plan.largestRadius);
  plan.mesh = buildSurfaceMesh(scene.surfaces, plan.origin, walls);
  if (!scene.surfaces.empty() && plan.mesh.triangles.empty())
    throw InvalidInput(
      "the terrain has no triangles with an area; connect a surface, for instance Terrain Surface");
  for (const std::vector<Surface>* list : { &scene.surfaces, &walls })
    for (const Surface& surface : *list)
      if (surface.role == SurfaceRole::Obstacle)
        plan.obstacles.push_back(surface.name.empty()
                                   ? "obstacle " + std::to_string(plan.obstacles.size())
                                   : surface.name);
}

void checkRadiiAgainstTerrain(const GranularFlowPlan& plan)
{
  const Box& map = plan.mesh.terrainBounds.empty() ? plan.mesh.bounds : plan.mesh.terrainBounds;
  if (map.empty())
    return;
  const double limit = 0.5 * std::max(map.upper.x - map.lower.x, map.upper.y - map.lower.y);
  if (plan.largestRadius < limit)
    return;
  const auto largest = std::max_element(plan.seeds.radii.begin(), plan.seeds.radii.end());
  std::ostringstream text;
  text << "radius of seed " << largest - plan.seeds.radii.begin() << " is " << plan.largestRadius
       << " m; it must be below " << limit
       << " m, half the width of the terrain: check the units of radius and terrain";
  throw InvalidInput(text.str());
}

/// The hardest impact: the fastest seed, or the two seeds that differ most, after falling from the
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
  fastest = std::max(fastest, length(velocities.upper - velocities.lower));
  const double drop = std::max(0.0, lowest - highest);
  const double derived = std::sqrt(fastest * fastest + 2 * gravity * drop);
  plan.greatestSpeed = plan.parameters.greatestSpeed > 0
                         ? plan.parameters.greatestSpeed
                         : std::max(derived, plan.smallestRadius * 1.0);
}

/// Stiffness from the greatest overlap: a pair that closes at v overlaps by v/omega0 at most, so
/// omega0 = v/(x r) with r the smallest radius. Every pair then has the same contact time
/// pi/omega0, whatever its masses: k = m* omega0^2 >= m* v^2/(x r)^2.
void deriveContacts(GranularFlowPlan& plan)
{
  const GranularFlowParameters& p = plan.parameters;
  plan.frequency = plan.greatestSpeed / (p.greatestOverlap * plan.smallestRadius);
  plan.dampingRatio = dampingForRestitution(p.restitution);
  plan.terrainDampingRatio = dampingForRestitution(p.terrainRestitution);
  plan.contactTime = M_PI / plan.frequency;

  plan.contactStep = plan.contactTime / p.stepsPerContact;
}

} // namespace

GranularFlowPlan deriveGranularFlow(const Scene& scene, const GranularFlowParameters& parameters)
{
  parameters.validate();
  checkSeeds(scene.seeds);
  GranularFlowPlan plan;
  plan.parameters = parameters;
  plan.gravity = { parameters.gravity[0], parameters.gravity[1], parameters.gravity[2] };
  plan.origin = localOrigin(scene);
  plan.seeds = scene.seeds;
  plan.losses = noLosses();
  plan.memory = estimateMemory(scene, parameters);
  checkMemory(plan, estimateMapMemory(scene, parameters));

  deriveRadii(plan);
  deriveSurroundings(plan, scene);
  checkRadiiAgainstTerrain(plan);
  plan.maps = layoutMaps(scene, plan.mesh);
  plan.sourcesMiddle = middleOfSources(scene, plan.origin);
  plan.fingerprint = fingerprintOf(scene, parameters);
  deriveGreatestSpeed(plan);
  deriveContacts(plan);
  return plan;
}

std::shared_ptr<GranularFlowPlan> planGranularFlow(
  const Scene& scene, const GranularFlowParameters& parameters)
{
  auto plan = std::make_shared<GranularFlowPlan>(deriveGranularFlow(scene, parameters));
  plan->columns = ColumnGrid(plan->mesh);
  placeSeeds(*plan);
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
  estimate.timeStep = plan.contactStep;
  estimate.timeStepLimitedBy = "contact time";
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
#if defined(LAPILLI_WITH_CUDA)
  if (cuda.usable)
    return cuda::startGranularFlow(plan, device.threads);
#endif
  if (device.kind == DeviceKind::Auto)
    plan->notes.push_back("runs on the CPU: " + cuda.reason);
  return cpu::startGranularFlow(plan, device.threads);
}

} // namespace lapilli
