#include "Terrain/TriangleList.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// Calls visit(triangle) for the triangles that a sphere can reach by moving through the skin.
template <class Visit>
HOST_DEVICE void forEachReachable(const SurfaceMeshView& mesh, const ColumnGridView& columns,
  const Sphere& sphere, double skin, const Visit& visit)
{
  const double reach = sphere.radius + skin;
  columns.forEachNear(sphere.position.x, sphere.position.y, reach,
    [&](std::int32_t index)
    {
      const MeshTriangle& triangle = mesh.triangles[index];
      const double height = dot(sphere.position - mesh.points[triangle.corner[0]], triangle.normal);
      if (height > reach || height < -reach)
        return;
      const NearestPoint nearest = nearestPoint(mesh, triangle, sphere.position);
      if (squaredLength(sphere.position - nearest.point) < reach * reach)
        visit(index);
    });
}

/// Reads sphere; writes counts.
struct CountTriangles
{
  ParticleView particles;
  SurfaceMeshView mesh;
  ColumnGridView columns;
  double skin;
  Index* counts;
  HOST_DEVICE void operator()(Index i) const
  {
    Index found = 0;
    forEachReachable(mesh, columns, particles.sphere[i], skin, [&](std::int32_t) { ++found; });
    counts[i] = found;
  }
};

/// Writes counts, 1 where there is one.
struct MarkListed
{
  Index* counts;
  HOST_DEVICE void operator()(Index i) const { counts[i] = counts[i] > 0 ? 1 : 0; }
};

/// Writes listed; who has no triangle near touches none.
struct FillListed
{
  const Offset* start;
  Index* listed;
  std::uint8_t* touching;
  HOST_DEVICE void operator()(Index i) const
  {
    if (start[i + 1] > start[i])
      listed[start[i]] = i;
    else
      touching[i] = 0;
  }
};

/// Reads sphere, start; writes triangle.
struct FillTriangles
{
  ParticleView particles;
  SurfaceMeshView mesh;
  ColumnGridView columns;
  double skin;
  const Offset* start;
  std::int32_t* triangle;
  HOST_DEVICE void operator()(Index i) const
  {
    Offset next = start[i];
    forEachReachable(mesh, columns, particles.sphere[i], skin,
      [&](std::int32_t index) { triangle[next++] = index; });
  }
};

/// Reads the former memories; writes memory, touching.
struct CarryMemory
{
  const Index* order;
  Index formerCount;
  const SurfaceMemory* former;
  const std::uint8_t* formerTouching;
  SurfaceMemory* memory;
  std::uint8_t* touching;
  HOST_DEVICE void operator()(Index i) const
  {
    const Index old = order[i];
    touching[i] = old < formerCount ? formerTouching[old] : 0;
    if (touching[i])
      memory[i] = former[old];
  }
};

/// Writes touching.
struct ForgetAll
{
  std::uint8_t* touching;
  HOST_DEVICE void operator()(Index i) const { touching[i] = 0; }
};

} // namespace

void TriangleList::reset(const Executor& executor, Index count)
{
  memory_.resizeDiscarding(count);
  touching_.resizeDiscarding(count);
  executor.forEach("triangles.forgetAll", count, ForgetAll{ touching_.data() });
}

void TriangleList::carry(const Executor& executor, const Buffer<Index>& order, Index count)
{
  memory_.swap(formerMemory_);
  touching_.swap(formerTouching_);
  memory_.resizeDiscarding(count);
  touching_.resizeDiscarding(count);
  executor.forEach("triangles.carryMemory", count,
    CarryMemory{ order.data(), static_cast<Index>(formerTouching_.size()), formerMemory_.data(),
      formerTouching_.data(), memory_.data(), touching_.data() });
}

void TriangleList::build(const Executor& executor, const ParticleView& particles,
  const DeviceSurface& surface, double skin)
{
  const Index count = particles.count;
  counts_.resizeDiscarding(count);
  executor.forEach("triangles.count", count,
    CountTriangles{ particles, surface.mesh(), surface.columns(), skin, counts_.data() });
  const Offset total = executor.exclusiveScan("triangles.scan", counts_, start_);
  triangle_.resizeDiscarding(total);
  executor.forEach("triangles.fill", count,
    FillTriangles{
      particles, surface.mesh(), surface.columns(), skin, start_.data(), triangle_.data() });

  executor.forEach("triangles.markListed", count, MarkListed{ counts_.data() });
  listed_.resizeDiscarding(executor.exclusiveScan("triangles.scanListed", counts_, listedStart_));
  executor.forEach("triangles.fillListed", count,
    FillListed{ listedStart_.data(), listed_.data(), touching_.data() });
}

double TriangleList::bytes() const
{
  return static_cast<double>(counts_.bytes() + listed_.bytes() + listedStart_.bytes() +
                             start_.bytes() + triangle_.bytes() + memory_.bytes() +
                             formerMemory_.bytes() + touching_.bytes() + formerTouching_.bytes());
}

void TriangleList::save(CheckpointWriter& writer) const
{
  const std::vector<std::uint8_t> touching = touching_.download();
  const std::vector<SurfaceMemory> memory = memory_.download();
  std::vector<SurfaceMemory> inUse;
  for (std::size_t i = 0; i < touching.size(); ++i)
    if (touching[i])
      inUse.push_back(memory[i]);
  writer.beginSection("terrain contacts", 3);
  writer.array(touching);
  writer.array(inUse);
}

void TriangleList::restore(CheckpointReader& reader, Index particles)
{
  reader.expectSection("terrain contacts", 3);
  const auto touching = reader.array<std::uint8_t>(particles);
  const auto inUse = reader.array<SurfaceMemory>(particles);
  std::vector<SurfaceMemory> memory(touching.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < touching.size(); ++i)
    if (touching[i] && next < inUse.size())
      memory[i] = inUse[next++];
    else if (touching[i])
      ++next;
  if (touching.size() != static_cast<std::size_t>(particles) || next != inUse.size())
    throw InvalidInput("the checkpoint's terrain contacts contradict themselves; compute it anew");
  touching_.upload(touching);
  memory_.upload(memory);
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
