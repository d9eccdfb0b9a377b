/// @file
/// A granular run before it starts: checked, in local coordinates, with all that follows from the
/// parameters. Made once on the host, then handed to the solver of a backend.
#pragma once

#include "Clumps/ClumpBody.h"
#include "GranularFlow.h"
#include "GranularFlow/MaterialTable.h"
#include "Math/Vec.h"
#include "Particles/BodyForm.h"
#include "Terrain/ColumnGrid.h"
#include "Terrain/DomainSides.h"
#include "Terrain/MapFields.h"
#include "Terrain/TriangleSearch.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lapilli
{

struct GranularFlowPlan
{
  GranularFlowParameters parameters;
  BodyForm form;
  double planeAt = 0;       ///< [m], of discs: where their plane crosses its axis
  std::string particleForm; ///< the report's words for discs
  Vec3d gravity;            ///< [m/s^2]; of discs, in their plane
  Vec3d origin;             ///< [m], of the local coordinates, whole kilometres

  DomainSides domain;
  SurfaceMesh mesh; ///< the scene's surfaces, then the walls of the domain
  ColumnGrid columns;
  SearchStructure search = SearchStructure::Columns; ///< of contacts with the mesh
  NeighborSearch neighborSearch =
    NeighborSearch::Cells;            ///< of contacts between particles: Cells or Tree
  std::string neighborSearchReason;   ///< the report's line
  std::vector<std::string> obstacles; ///< names, by MeshTriangle::object
  double lowestPotential = 0;         ///< [J/kg], -gravity . x at the lowest point of the surfaces
  MapLayout maps;                     ///< of the SurfaceField "terrain", and the sources' slots
  Vec3d sourcesMiddle;                ///< [m], local, mean of the places of seeds and nozzles

  /// Everything a particle keeps for life, by particle_id.
  Seeds seeds;                         ///< all that were given, at their given places
  std::vector<std::int64_t> placedIds; ///< those that take part
  std::vector<Vec3d> placedAt;         ///< [m], local, where they start
  std::vector<Nozzle> nozzles;
  std::vector<std::uint8_t>
    nozzleHasRoom; ///< by nozzle; 0 where a surface leaves none, of which a note tells
  std::vector<ClumpBody> bodies; ///< by shape of the scene
  std::vector<Loss> losses;      ///< one for each LossReason but None, seeds dropped included
  std::vector<std::string> notes;

  double smallestRadius = 0, largestRadius = 0; ///< [m], of spheres, also of those of clumps
  double largestExtent = 0;                     ///< [m], of what holds a whole particle
  double greatestSpeed = 0;                     ///< [m/s]
  MaterialTable materials;
  double frequency =
    0; ///< omega0 [1/s] of every contact of linear springs: stiffness = m* omega0^2
  double contactTime = 0;           ///< [s], the shortest at the greatest speed
  double rayleighTime = 0;          ///< [s], the shortest; 0 for linear springs
  double contactStep = 0;           ///< [s], what contacts allow
  std::string contactStepLimitedBy; ///< "contact time" or "Rayleigh time"
  int stepsPerBatch = 0; ///< enqueued at once, where they may be; 0: as the backend likes
  /// Of all particles together, before the run is given up.
  std::int64_t mostNeighbors = std::int64_t(1) << 31;
  double memory = 0;             ///< [bytes], estimated
  double expectedParticles = 0;  ///< seeds, and what nozzles give until the planned end
  std::uint64_t fingerprint = 0; ///< of scene and parameters, to know a checkpoint again

  /// Where the plane of discs crosses its axis, local [m].
  double localPlane() const { return planeAt - form.outOfPlane(origin); }
  /// Radius of a sphere that holds a whole particle, in radii.
  double extentOf(std::int32_t shape) const
  {
    return shape < 0 ? 1 : bodies[static_cast<std::size_t>(shape)].boundingRadius;
  }
  /// Principal axes -> map; given as the shape's own axes -> map, or any turn, by the number of the particle.
  Quatd orientationOf(std::int32_t shape, std::int64_t id) const;
  /// Back from principal axes -> map to the shape's own axes -> map.
  Quatd givenOrientation(std::int32_t shape, const Quatd& orientation) const
  {
    return orientation * bodies[static_cast<std::size_t>(shape)].principalAxes;
  }
  std::int32_t shapeOfSeed(std::size_t seed) const
  {
    return seeds.shapes.empty() ? -1 : seeds.shapes[seed];
  }
};

/// Checks scene and parameters and derives the numbers, without placing the seeds.
/// @throws InvalidInput
GranularFlowPlan deriveGranularFlow(const Scene& scene, const GranularFlowParameters& parameters);

/// deriveGranularFlow() and the placed seeds.
/// @throws InvalidInput
std::shared_ptr<GranularFlowPlan> planGranularFlow(
  const Scene& scene, const GranularFlowParameters& parameters);

namespace cpu
{
std::unique_ptr<Simulation> startGranularFlow(
  std::shared_ptr<const GranularFlowPlan> plan, int threads);
}
namespace cuda
{
std::unique_ptr<Simulation> startGranularFlow(
  std::shared_ptr<const GranularFlowPlan> plan, int threads);
}

} // namespace lapilli
