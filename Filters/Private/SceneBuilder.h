/// @file
/// From the point data of users to the seeds of a scene, checked: every refusal is one sentence with
/// name, value, limit and remedy.
///
///   SeedDefaults defaults;
///   defaults.radius = 1.5;
///   addSeeds(scene.seeds, vtkDataObject::GetData(info), connection, defaults);
///
/// Accepted: whatever has points of its own (polygonal data, unstructured and structured grids, point
/// sets), and composite data of these, nested to any depth; empty blocks are passed over. Point arrays override the defaults:
/// velocity [m/s, 3], radius [m], density [kg/m^3], temperature [K], source_id [-]; any numeric type.
#pragma once

#include "Scene.h"

#include <array>
#include <string>

class vtkDataObject;

namespace lapilli
{

class Hasher;

struct SeedDefaults
{
  std::array<double, 3> velocity{ 0, 0, 0 }; ///< [m/s]
  double radius = 1;                         ///< [m], > 0
  double density = 2600;                     ///< [kg/m^3], > 0
  double temperature = 293.15;               ///< [K], > 0
};

/// Appends the points of one connection. Where it has no array source_id the seeds get the connection's number.
/// @throws InvalidInput for data without points of its own, arrays of a wrong kind, values that are
///         not finite or not > 0
void addSeeds(Seeds& seeds, vtkDataObject* data, int connection, const SeedDefaults& defaults);

/// The radius that seeds get where nobody gave one: five thousandths of the surfaces' greatest
/// horizontal extent, 4 m on a map of 800 m. [m]; 0 without a surface.
double derivedRadius(const Scene& scene);

/// All bytes of the scene.
void hashScene(const Scene& scene, Hasher& hasher);

} // namespace lapilli
