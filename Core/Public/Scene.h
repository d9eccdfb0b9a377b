/// @file
/// What a simulation acts on: surfaces, particles that are there, particles that come, the box around it
/// all. Input coordinates, double precision, SI units.
#pragma once

#include "RadiusDistribution.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lapilli
{

/// What a surface is to the particles.
enum class SurfaceRole
{
  Terrain, ///< one-sided open sheet: what is below is below, particles that leave its map are lost
  Container, ///< particles are inside; what leaves its box at a side or below is lost
  Obstacle   ///< a body in the way, whose force is reported; nothing is lost at its edge
};

/// Which sides of a surface stop particles.
enum class SurfaceSides
{
  One, ///< the front only; a particle behind it is pushed out to the front
  Two  ///< both, for surfaces that have no consistent front, and for sheets in the way; a
       ///< particle that is pressed through is pushed back to where it came from
};

/// Triangles with their front to the side of the particles (counter-clockwise seen from there).
/// Points that coincide must be shared: edges are recognised by their point numbers.
struct Surface
{
  std::vector<double> points;          ///< [m], x y z per point
  std::vector<std::int64_t> triangles; ///< three point numbers each
  SurfaceRole role = SurfaceRole::Terrain;
  SurfaceSides sides = SurfaceSides::One;
  /// In reports; an obstacle without one is "obstacle 0", …. Obstacles of one name are one, with one force.
  std::string name;

  /// What single triangles have instead of their pair of materials: empty, or one value per
  /// triangle. kNotGiven leaves the pair's value, else the ranges are those of MaterialPair.
  std::vector<double> restitution, friction, rollingFriction;
  static constexpr double kNotGiven = -1;

  std::size_t pointCount() const { return points.size() / 3; }
  std::size_t triangleCount() const { return triangles.size() / 3; }
};

/// Elasticity of what particles are made of, for contacts after Hertz.
struct Material
{
  std::int32_t number = 0;     ///< what seeds, nozzles and pairs call it, >= 0
  double youngsModulus = 5e9;  ///< [Pa], > 0
  double poissonsRatio = 0.25; ///< (-1, 0.5)
};

/// Particles present at t = 0. Vectors have one entry (velocity and position three, orientation four)
/// per seed; those marked optional may be empty.
struct Seeds
{
  std::vector<double> positions;       ///< [m], x y z per seed: the centre of mass
  std::vector<double> velocities;      ///< [m/s], x y z per seed
  std::vector<double> radii;           ///< [m], > 0; of a clump: of the sphere of its volume
  std::vector<double> densities;       ///< [kg/m^3], > 0
  std::vector<double> temperatures;    ///< [K], > 0; carried along
  std::vector<std::int32_t> sourceIds; ///< which source the seed came from
  std::vector<std::int32_t> materials; ///< optional: Material::number; else 0
  std::vector<std::int32_t> shapes; ///< optional: index in Scene::shapes, -1 a sphere; else spheres
  /// Optional: unit quaternion w x y z per seed, from the shape's axes to those of the map; else every clump is
  /// turned at random, by its number.
  std::vector<double> orientations;

  std::size_t count() const { return radii.size(); }

  /// Appends one seed, a sphere of material 0. Optional vectors stay as they are.
  void add(const std::array<double, 3>& position, const std::array<double, 3>& velocity,
    double radius, double density, double temperature = 293.15, std::int32_t sourceId = 0);
};

/// A time in which a nozzle emits.
struct Pulse
{
  double start = 0; ///< [s], >= 0
  double stop = 1;  ///< [s], > start; may be infinite
  double rate = 10; ///< [1/s] or [kg/s], >= 0, see Nozzle::rateUnit
  double speed = 0; ///< [m/s], >= 0, along the nozzle's direction
};

enum class RateUnit
{
  ParticlesPerSecond,
  KilogramsPerSecond
};

/// Where particles come from while the run goes on. How many have come by a time follows from the
/// pulses alone: by number, the whole part of the integral of the rate; by mass, as many as keep
/// the mass that has come at or below that integral. Where there is no room for the next
/// particle it waits, also beyond the end of its pulse, and the report says for how long.
///
/// Nozzles may take turns, so that together they give what one nozzle with the sum of their rates does:
/// of its particles number 0, 1, 2, … each of `turns` nozzles lets out those with the numbers turn,
/// turn + turns, turn + 2 turns, … They must have the same pulses, radii, density and randomSeed. One that
/// is blocked holds back its own particles alone.
struct Nozzle
{
  std::array<double, 3> position{ 0, 0, 0 };  ///< [m]
  std::array<double, 3> direction{ 0, 0, 1 }; ///< not zero, any length
  double openingRadius = 0;                   ///< [m], >= 0; centres start anywhere in this disc
  std::array<double, 3> openingNormal{ 0, 0, 0 }; ///< of the disc, any length; 0: the direction
  double spread = 0;         ///< [degrees], [0, 90]: half the angle of the cone of directions
  std::vector<Pulse> pulses; ///< in order of time, without overlap
  RateUnit rateUnit = RateUnit::ParticlesPerSecond;

  RadiusDistribution radii;
  double density = 2600;       ///< [kg/m^3], > 0
  double temperature = 293.15; ///< [K], > 0
  std::int32_t sourceId = 0;
  std::int32_t material = 0; ///< Material::number
  std::int32_t shape = -1;   ///< index in Scene::shapes, -1 a sphere
  std::uint64_t randomSeed = 1;
  std::int64_t turn = 0;  ///< [0, turns)
  std::int64_t turns = 1; ///< >= 1; how many nozzles take turns
};

/// A rigid block as a clump of spheres, which may overlap one another. Only its proportions
/// count: it is scaled to the volume of a sphere of the particle's radius.
struct ClumpShape
{
  std::string name;            ///< "bar", in reports
  std::vector<double> centers; ///< x y z per sphere
  std::vector<double> radii;   ///< > 0; 1 to 1000 spheres

  std::size_t count() const { return radii.size(); }
};

/// What happens at one side of the domain.
enum class DomainSide
{
  Open,    ///< particles leave and are counted
  Wall,    ///< a flat wall with the terrain's contact properties, whose force is reported
  Periodic ///< particles come back at the opposite side, which must be periodic too
};

/// An upright box around everything that moves. Without one there is no limit but the terrain's map.
struct Domain
{
  bool used = false;
  std::array<double, 3> lower{ 0, 0, 0 }; ///< [m]
  std::array<double, 3> upper{ 0, 0, 0 }; ///< [m], above lower
  /// x lower, x upper, y lower, y upper, z lower, z upper. Across a periodic axis the box must be
  /// wider than four of the largest diameters; between two walls the largest sphere must have room.
  std::array<DomainSide, 6> sides{ DomainSide::Open, DomainSide::Open, DomainSide::Open,
    DomainSide::Open, DomainSide::Open, DomainSide::Open };
};

struct Scene
{
  std::vector<Surface> surfaces; ///< may be empty: flight in the void
  Seeds seeds;
  std::vector<Nozzle> nozzles;
  std::vector<Material> materials; ///< those not listed are Material{}
  std::vector<ClumpShape> shapes;
  Domain domain;
};

} // namespace lapilli
