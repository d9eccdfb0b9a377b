/// @file
/// From the point data of users to the seeds, nozzles, materials and shapes of a scene, checked: every refusal
/// is one sentence with name, value, limit and remedy.
///
///   SeedDefaults defaults;
///   defaults.radius = 1.5;
///   SourceReader reader(scene, defaults, ownShapes);
///   reader.add(vtkDataObject::GetData(info), connection);
///   reader.finish();
///
/// Accepted: whatever has points of its own (polygonal data, unstructured and structured grids, point
/// sets), and composite data of these, nested to any depth; empty blocks are passed over. Point arrays override the defaults:
/// velocity [m/s, 3], radius [m], density [kg/m^3], temperature [K], source_id [-], material [-], youngs_modulus
/// [Pa], poissons_ratio [-], shape [-: 0 a sphere, 1 disc, 2 bar, 3 cube, 4 tetrapod, 5 and above own shapes]; any
/// numeric type. A point is a seed, or a nozzle where it has the arrays of NozzleArrays.h.
#pragma once

#include "LocalFrame.h"

#include "Scene.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

class vtkDataObject;

namespace lapilli
{

class Hasher;
struct PointBlock;

struct SeedDefaults
{
  std::array<double, 3> velocity{ 0, 0, 0 }; ///< [m/s]
  double radius = 1;                         ///< [m], > 0
  double density = 2600;                     ///< [kg/m^3], > 0
  double temperature = 293.15;               ///< [K], > 0
  double youngsModulus = 5e9;                ///< [Pa], > 0
  double poissonsRatio = 0.25;               ///< (-1, 0.5)
};

/// A shape of the user's: points with the array radius [m].
/// @throws InvalidInput for data without points or that array, and radii that are not > 0
ClumpShape readShape(vtkDataObject* data, int connection);

class SourceReader
{
public:
  /// @param terrain beside which the sources stand
  SourceReader(Scene& scene, const SeedDefaults& defaults, std::vector<ClumpShape> ownShapes,
    const TerrainFrame& terrain = {});

  /// Appends the points of one connection, on the map: local coordinates (see LocalFrame.h) are put back. Where it has no array source_id they get the connection's number.
  /// @throws InvalidInput for data without points of its own, arrays of a wrong kind, values out of range
  void add(vtkDataObject* data, int connection);

  /// To be called last: the materials and shapes that are in use.
  void finish();

private:
  struct KnownMaterial
  {
    Material material;
    std::string where; ///< "source 0, point 7"
  };

  void addBlock(const PointBlock& block, int connection, const MapPoint& origin);
  void know(const PointBlock& block, std::size_t point, const Material& material);

  Scene& scene_;
  SeedDefaults defaults_;
  std::vector<ClumpShape> ownShapes_;
  TerrainFrame terrain_;
  std::map<std::int32_t, KnownMaterial> materials_;
};

/// The radius that seeds get where nobody gave one: five thousandths of the map's greater extent, 4 m on a map of 800 m. [m]
/// @param bounds x, x, y, y
double derivedRadius(const std::array<double, 4>& bounds);

/// x, x, y, y around the surfaces on the map [m]; zeros without a surface.
std::array<double, 4> mapBounds(const std::vector<Surface>& surfaces);

/// All bytes of the scene.
void hashScene(const Scene& scene, Hasher& hasher);

} // namespace lapilli
