/// @file
/// What is kept for each triangle of the terrain and each source, and how it becomes the arrays of the
/// SurfaceField "terrain".
#pragma once

#include "Frame.h"
#include "Particles/BodyForm.h"
#include "Terrain/SurfaceMesh.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace lapilli
{

/// What the particles of one source have done to one triangle since the start.
struct MapCell
{
  std::uint32_t passes = 0;     ///< how often one came onto it
  float greatestSpeed = 0;      ///< [m/s]
  float kineticEnergy = 0;      ///< [J], greatest of one particle
  float bounceHeight = 0;       ///< [m]
  float impactPressure = 0;     ///< [Pa]
  float arrivalTime = INFINITY; ///< [s], infinite before
};

/// What lies at rest on one triangle.
struct Deposit
{
  double mass = 0;  ///< [kg]
  double solid = 0; ///< [m^3], without pores

  Deposit& operator+=(const Deposit& b)
  {
    mass += b.mass;
    solid += b.solid;
    return *this;
  }
};

/// Which triangles and sources there are. Cells and deposits are one block of triangles of the mesh
/// for each source: [slot * triangleCount() + triangle].
struct MapLayout
{
  std::vector<std::int32_t> sourceIds; ///< of seeds and nozzles, ascending, each once
  std::vector<std::int32_t> place;     ///< triangle of the mesh -> triangle of the arrays, or -1
  /// [m^2], of each triangle of the mesh; in an upright plane of the part of it under discs of 1 m depth.
  std::vector<double> horizontalArea;
  std::size_t places = 0; ///< length of the arrays

  std::size_t triangleCount() const { return place.size(); }
  std::size_t slotCount() const { return sourceIds.size(); }
  /// The id must be one of sourceIds.
  std::int32_t slotOf(std::int32_t sourceId) const;
};

/// The ids of all sources of a scene, ascending, each once.
std::vector<std::int32_t> sourceIdsOf(const Scene& scene);

/// @param mesh    the surfaces of the scene
/// @param planeAt where the plane of discs crosses its axis, local [m]
MapLayout layoutMaps(
  const Scene& scene, const SurfaceMesh& mesh, const BodyForm& form, double planeAt);

/// The arrays for all sources together and, when there are several, for each of them.
/// @param deposits         of all sources together, per triangle of the mesh
/// @param depositsBySource as the cells; empty with a single source
/// @param porosity         [0, 1), of the deposit
SurfaceField makeTerrainField(const MapLayout& layout, const std::vector<MapCell>& cells,
  const std::vector<Deposit>& deposits, const std::vector<Deposit>& depositsBySource,
  double porosity);

} // namespace lapilli
