/// @file
/// What particles do to the ground, kept for each triangle and each source while a run goes on.
///
///   maps.reset(executor, triangles, sources, particles);
///   maps.carry(executor, order, survivors);                    // after particles were reordered
///   maps.sample(executor, state.view(), surface, time);        // where each one is, how fast, how high
///   AddTerrainForces{ …, maps.view() }                         // impact(), at each contact
///
/// Greatest and smallest values and counts only, so the order of particles and threads does not matter.
#pragma once

#include "Parallel/Atomic.h"
#include "Particles/State.h"
#include "Terrain/Coverage.h"
#include "Terrain/DeviceSurface.h"
#include "Terrain/MapFields.h"

namespace lapilli
{

/// The triangle of role Terrain under a centre: of several above one another the highest that does
/// not lie above the sphere, that is below centre + radius.
/// @param former where the sphere was; it stays there while that triangle covers it and is within two
///               radii of its centre, so that nothing flickers on an edge. -1 for none
/// @return triangle of the mesh, -1 for none
HOST_DEVICE inline std::int32_t triangleUnder(const SurfaceMeshView& mesh,
  const ColumnGridView& columns, const Sphere& sphere, std::int32_t former)
{
  const Vec3d& p = sphere.position;
  double z = 0;
  if (former >= 0 && coversPlace(mesh, mesh.triangles[former], p.x, p.y, z) &&
      std::abs(p.z - z) <= 2 * sphere.radius)
    return former;
  std::int32_t under = -1;
  double highest = 0;
  columns.forEachNear(p.x, p.y, 0.0,
    [&](std::int32_t index)
    {
      const MeshTriangle& triangle = mesh.triangles[index];
      if (triangle.role != static_cast<std::uint8_t>(SurfaceRole::Terrain) ||
          !coversPlace(mesh, triangle, p.x, p.y, z) || z > p.z + sphere.radius)
        return;
      // On an edge of two triangles of one height the former stays the former.
      if (under < 0 || z > highest || (z == highest && index == former))
      {
        under = index;
        highest = z;
      }
    });
  return under;
}

/// Gap between a sphere and the plane of a triangle, at right angles to it [m], >= 0.
HOST_DEVICE inline double gapAbove(
  const SurfaceMeshView& mesh, const MeshTriangle& triangle, const Sphere& sphere)
{
  const double height = dot(sphere.position - mesh.points[triangle.corner[0]], triangle.normal);
  const double gap = (triangle.normal.z < 0 ? -height : height) - sphere.radius;
  return gap > 0 ? gap : 0;
}

/// Rigid bodies of several spheres, as the maps see them: the first sphere of each stands for all.
struct MappedBodies
{
  const std::int32_t* ofSphere =
    nullptr;                            ///< body of each particle, -1 for none; null without bodies
  const Sphere* sphere = nullptr;       ///< per body, of its volume about its centre
  const float* speed = nullptr;         ///< [m/s], of the centre
  const float* kineticEnergy = nullptr; ///< [J], with rotation
};

namespace LAPILLI_BACKEND
{

struct TerrainMapsView
{
  MapCell* cells = nullptr; ///< [slot * triangleCount + triangle]; null: no maps are kept
  Index triangleCount = 0;

  HOST_DEVICE MapCell& cell(std::int32_t slot, std::int32_t triangle) const
  {
    return cells[slot * static_cast<Offset>(triangleCount) + triangle];
  }

  /// Notes the normal force of one contact of particle i over its cross-section [Pa].
  HOST_DEVICE void impact(const SurfaceMeshView& mesh, std::int32_t triangle,
    const ParticleView& particles, Index i, float normalForce, double radius) const
  {
    if (cells == nullptr ||
        mesh.triangles[triangle].role != static_cast<std::uint8_t>(SurfaceRole::Terrain))
      return;
    const float pressure = normalForce / static_cast<float>(particles.form.crossSection(radius));
    if (pressure > 0) // not of what has diverged
      atomicMaximum(&cell(particles.traits[i].sourceSlot, triangle).impactPressure, pressure);
  }
};

class TerrainMaps
{
public:
  /// All cells empty and no particle anywhere yet.
  void reset(const Executor& executor, Index triangles, Index slots, Index particles);

  /// Whether maps are kept; without, every call does nothing.
  bool used() const { return slots_ > 0; }

  /// particle i becomes what order[i] was; what comes from beyond the former ones is new.
  void carry(const Executor& executor, const Buffer<Index>& order, Index count);

  /// Looks where each particle is. Particles beyond the former ones are new.
  void sample(const Executor& executor, const ParticleView& particles, const DeviceSurface& surface,
    double time, const MappedBodies& bodies);

  TerrainMapsView view() const { return { used() ? cells_.data() : nullptr, triangles_ }; }

  /// The arrays of the SurfaceField "terrain"; none where no maps are kept.
  /// @param byId      numbers of the particles by ascending id, the order of sums
  /// @param resting   of each particle: 1 makes it part of the deposit
  /// @param porosity  [0, 1), of the deposit
  SurfaceField field(const MapLayout& layout, const HostParticles& particles,
    const std::vector<std::size_t>& byId, const std::vector<std::uint8_t>& resting,
    double porosity) const;

  double bytes() const;

  void save(CheckpointWriter& writer) const;
  /// Into maps of the same size as those saved.
  void restore(CheckpointReader& reader, Index triangles, Index slots, Index particles);

private:
  void fit(const Executor& executor, Index count); ///< a place for each particle
  Index triangles_ = 0, slots_ = 0;
  Buffer<MapCell> cells_;
  Buffer<std::int32_t> under_, formerUnder_;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
