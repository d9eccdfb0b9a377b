/// @file
/// Fills a shape with seeds that do not overlap, for t = 0 of a simulation.
///
///   SeedingParameters parameters;
///   parameters.shape = SeedShape::Disc;
///   parameters.count = 1000;
///   parameters.shapeRadius = 50;
///   Seeding rocks = placeSeeds(parameters);           // where the shape is
///   Seeding onSlope = placeSeeds(parameters, &elevation); // dropped onto the terrain
///
/// Surface rests its seeds on its own triangles, as on a terrain, unless it is given one. Lines are one hard-rod line
/// from the first to the last, on a terrain by their length on the map; round a bend seeds are kept apart too. A map area
/// without a terrain lies at the mean height of its corners.
///
/// The centres lie in the shape; spheres may reach beyond it by their radius. Places are random:
/// on a line with all orders of gaps equally likely (the one-dimensional gas of hard rods), in the
/// other shapes one after another, the largest first, each at the first free place of many tried
/// (random sequential adsorption). With equal radii that ends near 38 % of the volume of a box or
/// sphere and 55 % of the area of a disc (Feder, J. Theor. Biol. 87 (1980) 237; Talbot, Schaaf,
/// Tarjus, Mol. Phys. 73 (1991) 1397), and the last places are not found: count on 29 % and 45 %.
/// Neighbours keep a gap of a millionth of their radii.
///
/// The same parameters give the same bits on every platform.
#pragma once

#include "Elevation.h"
#include "Scene.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lapilli
{

enum class SeedShape
{
  Point, ///< one seed at the point; several as a small cluster around it, the largest in the middle
  Line,  ///< a fissure from `lineStart` to `lineEnd`
  Disc,  ///< around `center`, at right angles to `normal`
  Sphere, ///< the ball around `center`
  Box,    ///< spanned from `boxCorner` by three edges
  Surface, ///< the triangles of `geometry`, as far as they can be seen from above; the seeds rest on them
  Lines,  ///< the segments of `geometry`, joined where two end at one point, one line after another
  MapArea ///< inside the segments of `geometry`, seen from above
};

/// What a shape of the user's own is made of. Points at one place need not be shared.
struct SeedGeometry
{
  std::vector<double> points;          ///< [m], x y z per point
  std::vector<std::int64_t> triangles; ///< of Surface: three point numbers each, any winding
  /// Of Lines and MapArea: two point numbers each. Around an area they are closed rings in any order, and inside is
  /// where a ray crosses an odd number of them: a ring in a ring is a hole. Rings may touch themselves and others.
  std::vector<std::int64_t> segments;

  /// @throws InvalidInput without what the shape needs, and for points that are not finite or beyond 1e12 m
  void validate(SeedShape shape) const;
};

/// What becomes of one that finds no place of its own.
enum class Crowding
{
  Apart,  ///< it is stacked on others on a terrain, else it is an error: for seeds
  Overlap ///< it stands where it is, near others: for nozzles
};

struct SeedingParameters : RadiusDistribution
{
  SeedShape shape = SeedShape::Disc;
  std::int64_t count = 1000; ///< [1, 100 million]
  Crowding crowding = Crowding::Apart;

  std::array<double, 3> center{ 0, 0, 0 };    ///< [m], of Point, Disc and Sphere
  std::array<double, 3> normal{ 0, 0, 1 };    ///< of Disc, not zero, any length
  double shapeRadius = 10;                    ///< [m], of Disc and Sphere, > 0
  std::array<double, 3> lineStart{ 0, 0, 0 }; ///< [m]
  std::array<double, 3> lineEnd{ 100, 0, 0 }; ///< [m]
  std::array<double, 3> boxCorner{ 0, 0, 0 }; ///< [m]
  std::array<std::array<double, 3>, 3> boxEdges{ { { 10, 0, 0 }, { 0, 10, 0 },
    { 0, 0, 10 } } };                           ///< [m], from the corner, finite
  std::shared_ptr<const SeedGeometry> geometry; ///< of Surface, Lines and MapArea

  double density = 2600;       ///< [kg/m^3], > 0
  double temperature = 293.15; ///< [K], > 0

  std::array<double, 3> velocity{ 0, 0, 0 }; ///< [m/s], mean
  /// [m/s], >= 0, root mean square of the length of the random part of the velocity: its three
  /// components are independent normal numbers with standard deviation velocitySpread / sqrt(3).
  double velocitySpread = 0;

  std::int32_t sourceId = 0; ///< given to every seed
  std::uint64_t randomSeed = 1;

  /// @throws InvalidInput with name, value and range of the first field that is outside; fields
  ///         that the shape and the law do not use are not looked at
  void validate() const;
  void validateParticles() const; ///< radii, density, temperature and velocity alone
};

struct SeedingReport
{
  std::int64_t asked = 0;
  std::int64_t placed = 0;
  std::int64_t besideTerrain =
    0;                       ///< dropped onto no terrain (beside the map, over a hole): not placed
  std::int64_t crowded = 0;  ///< with Crowding::Overlap: nearer to others than their radii
  std::int64_t stacked = 0;  ///< dropped onto other seeds, because the ground was taken
  double mass = 0;           ///< [kg], of those placed
  double smallestRadius = 0; ///< [m]
  double largestRadius = 0;  ///< [m]

  std::string text() const; ///< one or two sentences
};

struct Seeding
{
  Seeds seeds; ///< the largest first, except along a line
  SeedingReport report;
};

/// @param terrain if given, every seed comes down (or up) along its vertical until it rests on the
///        highest surface there, its centre one radius from the nearest point of the terrain, or on
///        seeds placed before it. No shape is then too full: seeds that find no free ground are
///        stacked.
/// @throws InvalidInput also when the shape is too full; the text says how many found a place
Seeding placeSeeds(const SeedingParameters& parameters, const Elevation* terrain = nullptr);

/// Seeds at places found otherwise, as by fillBodies(): radii and velocities are drawn, shape, count and source id do
/// not matter. Nobody looks for overlaps.
/// @param positions [m], x y z per seed
/// @param sourceIds one per seed
Seeding seedsAt(const SeedingParameters& parameters, const std::vector<double>& positions,
  const std::vector<std::int32_t>& sourceIds);

} // namespace lapilli
