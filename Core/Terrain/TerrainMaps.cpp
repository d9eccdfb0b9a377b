#include "Terrain/TerrainMaps.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// Writes cells.
struct EmptyCells
{
  MapCell* cells;
  HOST_DEVICE void operator()(Index i) const { cells[i] = MapCell{}; }
};

/// Reads the former places; writes under. Without an order the particles stay where they are.
struct CarryUnder
{
  const Index* order; ///< or null
  const std::int32_t* former;
  Index formerCount;
  std::int32_t* under;
  HOST_DEVICE void operator()(Index i) const
  {
    const Index old = order ? order[i] : i;
    under[i] = old < formerCount ? former[old] : -1;
  }
};

/// Reads sphere, velocity, spin, mass, traits; writes under, maps.
struct SampleMaps
{
  ParticleView particles;
  SurfaceMeshView mesh;
  ColumnGridView columns;
  TerrainMapsView maps;
  MappedBodies bodies;
  std::int32_t* under;
  float time;
  HOST_DEVICE void operator()(Index i) const
  {
    const Sphere sphere = particles.sphere[i];
    const std::int32_t former = under[i];
    const std::int32_t triangle = triangleUnder(mesh, columns, sphere, former);
    under[i] = triangle; // of each sphere, for what it deposits
    if (triangle < 0 || particles.traits[i].member > 0)
      return;
    MapCell& cell = maps.cell(particles.traits[i].sourceSlot, triangle);
    if (triangle != former)
    {
      atomicSum(&cell.passes, 1u);
      atomicMinimum(&cell.arrivalTime, time);
    }
    if (particles.isPart(i))
    {
      const std::int32_t body = bodies.ofSphere[i];
      note(cell, triangle, bodies.sphere[body], bodies.speed[body], bodies.kineticEnergy[body]);
      return;
    }
    const double m = particles.mass[i];
    const double squaredSpeed = squaredLength(particles.velocity[i]);
    const double energy = 0.5 * (m * squaredSpeed + particles.form.inertia(m, sphere.radius) *
                                                      squaredLength(particles.spin[i]));
    note(cell, triangle, sphere, static_cast<float>(std::sqrt(squaredSpeed)),
      static_cast<float>(energy));
  }

private:
  HOST_DEVICE void note(
    MapCell& cell, std::int32_t triangle, const Sphere& sphere, float speed, float energy) const
  {
    atomicMaximum(&cell.greatestSpeed, speed);
    atomicMaximum(&cell.kineticEnergy, energy);
    atomicMaximum(
      &cell.bounceHeight, static_cast<float>(gapAbove(mesh, mesh.triangles[triangle], sphere)));
  }
};

} // namespace

void TerrainMaps::reset(const Executor& executor, Index triangles, Index slots, Index particles)
{
  triangles_ = triangles;
  slots_ = slots;
  cells_.resizeDiscarding(static_cast<std::size_t>(triangles) * slots);
  // A launch for each source: all cells together may be more than an Index counts.
  for (Index slot = 0; slot < slots; ++slot)
    executor.forEach("maps.emptyCells", triangles,
      EmptyCells{ cells_.data() + slot * static_cast<Offset>(triangles) });
  under_.resizeDiscarding(0);
  if (used())
    fit(executor, particles);
}

void TerrainMaps::fit(const Executor& executor, Index count)
{
  const Index former = static_cast<Index>(under_.size());
  if (count <= former)
    return under_.shrink(count);
  under_.swap(formerUnder_);
  under_.resizeDiscarding(count);
  executor.forEach(
    "maps.extendUnder", count, CarryUnder{ nullptr, formerUnder_.data(), former, under_.data() });
}

void TerrainMaps::carry(const Executor& executor, const Buffer<Index>& order, Index count)
{
  if (!used())
    return;
  under_.swap(formerUnder_);
  under_.resizeDiscarding(count);
  executor.forEach("maps.carryUnder", count,
    CarryUnder{
      order.data(), formerUnder_.data(), static_cast<Index>(formerUnder_.size()), under_.data() });
}

void TerrainMaps::sample(const Executor& executor, const ParticleView& particles,
  const DeviceSurface& surface, double time, const MappedBodies& bodies)
{
  if (!used())
    return;
  fit(executor, particles.count);
  executor.forEach("maps.sample", particles.count,
    SampleMaps{ particles, surface.mesh(), surface.columns(), view(), bodies, under_.data(),
      static_cast<float>(time) });
}

SurfaceField TerrainMaps::field(const MapLayout& layout, const HostParticles& particles,
  const std::vector<std::size_t>& byId, const std::vector<std::uint8_t>& resting,
  double porosity) const
{
  if (!used())
    return { "terrain", {} };
  const std::vector<std::int32_t> under = under_.download();
  const std::size_t triangles = layout.triangleCount();
  std::vector<Deposit> deposits(triangles);
  std::vector<Deposit> bySource(slots_ > 1 ? triangles * slots_ : 0);
  for (const std::size_t i : byId)
  {
    // What came since the last look is nowhere yet.
    if (i >= under.size() || under[i] < 0 || !resting[i])
      continue;
    const Traits& traits = particles.traits[i];
    const Deposit deposit{ particles.mass[i], particles.mass[i] / traits.density };
    deposits[under[i]] += deposit;
    if (!bySource.empty())
      bySource[traits.sourceSlot * triangles + under[i]] += deposit;
  }
  return makeTerrainField(layout, cells_.download(), deposits, bySource, porosity);
}

double TerrainMaps::bytes() const
{
  return static_cast<double>(cells_.bytes() + under_.bytes() + formerUnder_.bytes());
}

void TerrainMaps::save(CheckpointWriter& writer) const
{
  writer.beginSection("terrain maps", 1);
  writer.array(cells_.download());
  writer.array(under_.download());
}

void TerrainMaps::restore(CheckpointReader& reader, Index triangles, Index slots, Index particles)
{
  reader.expectSection("terrain maps", 1);
  const std::size_t cellCount = static_cast<std::size_t>(triangles) * slots;
  const std::size_t underCount = slots > 0 ? particles : 0;
  const auto cells = reader.array<MapCell>(cellCount);
  const auto under = reader.array<std::int32_t>(underCount);
  bool isSound = cells.size() == cellCount && under.size() == underCount;
  for (const std::int32_t triangle : under)
    isSound = isSound && triangle >= -1 && triangle < triangles;
  if (!isSound)
    throw InvalidInput("the checkpoint's terrain maps contradict themselves; compute it anew");
  triangles_ = triangles;
  slots_ = slots;
  cells_.upload(cells);
  under_.upload(under);
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
