/// @file
/// Seeds inside closed bodies and in a lake, on a lattice.
#pragma once

#include "SourceNames.h"

#include "../LocalFrame.h"

#include "BodyFill.h"
#include "Elevation.h"
#include "Seeding.h"

#include <array>
#include <optional>

class vtkDataObject;
class vtkFieldData;

namespace lapilli
{

struct BodySeedParameters
{
  double spacing =
    0; ///< [m] >= 0; 0: twice the largest radius and a millionth, so that spheres just do not touch
  Lattice lattice = Lattice::FaceCentered;
  std::optional<double>
    clearance;                 ///< [m] >= 0 of centres from the surface; none: the largest radius
  std::optional<double> level; ///< [m]; a lake must have it
  std::array<double, 2> lakePlace{ 0, 0 }; ///< [m] x y in the lake
  double extent = 1; ///< [-] of the particles, in radii: what holds a whole block
};

/// A row of the table of bodies.
struct FilledBody
{
  std::string name;
  std::int32_t sourceId = 0;
  std::int64_t particles = 0;
  double volume = 0;     ///< [m^3], of the places inside, up to the level
  double meshVolume = 0; ///< [m^3], of the mesh, up to the level
  double leakArea = 0;   ///< [m^2]
};

struct BodySeeds
{
  Seeding seeding;
  std::vector<FilledBody> bodies;
  std::string text; ///< a few sentences

  FilledBody total() const; ///< of all bodies
};

/// The blocks of composite data as bodies: each block of a multi-block and each partitioned data set of a collection is
/// one, with its name after those of the blocks it is in, separated by '/'; one without a name has its number in its block, or
/// is "body 0", … where none of them has a name. The pieces of one partitioned data set are one body. Blocks without polygons are
/// passed over. Other data are one body. All are on the map.
/// @param terrain beside which the geometry stands
/// @throws InvalidInput for no data, and where there is no polygon
std::vector<Body> readBodies(vtkDataObject* data, const TerrainFrame& terrain);

/// Each body gets the source id of the parameters plus its number.
/// @throws InvalidInput also for radii of more than half the spacing
BodySeeds seedsInBodies(const std::vector<Body>& bodies, const SeedingParameters& parameters,
  const BodySeedParameters& body);

BodySeeds seedsInLake(
  const Elevation* terrain, const SeedingParameters& parameters, const BodySeedParameters& lake);

/// One tuple a body: body_name, body_source_id, body_particles, body_volume, body_mesh_volume, body_leak_area.
void writeBodyTable(const std::vector<FilledBody>& bodies, vtkFieldData* fields);

} // namespace lapilli
