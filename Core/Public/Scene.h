/// @file
/// What a simulation acts on: the terrain and the particles that enter it. Input coordinates,
/// double precision, SI units.
#pragma once

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
  Obstacle   ///< a body in the way; nothing is lost at the map's edge
};

/// Which sides of a surface stop particles.
enum class SurfaceSides
{
  One, ///< the front only; a particle behind it is pushed out to the front
  Two  ///< both, for surfaces that have no consistent front
};

/// Triangles with their front to the side of the particles (counter-clockwise seen from there).
/// Points that coincide must be shared: edges are recognised by their point numbers.
struct Surface
{
  std::vector<double> points;          ///< [m], x y z per point
  std::vector<std::int64_t> triangles; ///< three point numbers each
  SurfaceRole role = SurfaceRole::Terrain;
  SurfaceSides sides = SurfaceSides::One;

  std::size_t pointCount() const { return points.size() / 3; }
  std::size_t triangleCount() const { return triangles.size() / 3; }
};

/// Particles present at t = 0. All vectors have one entry (velocity and position three) per seed.
struct Seeds
{
  std::vector<double> positions;       ///< [m], x y z per seed
  std::vector<double> velocities;      ///< [m/s], x y z per seed
  std::vector<double> radii;           ///< [m], > 0
  std::vector<double> densities;       ///< [kg/m^3], > 0
  std::vector<double> temperatures;    ///< [K], > 0; carried along
  std::vector<std::int32_t> sourceIds; ///< which source the seed came from

  std::size_t count() const { return radii.size(); }

  /// Appends one seed.
  void add(const std::array<double, 3>& position, const std::array<double, 3>& velocity,
    double radius, double density, double temperature = 293.15, std::int32_t sourceId = 0);
};

struct Scene
{
  std::vector<Surface> surfaces; ///< may be empty: flight in the void
  Seeds seeds;
};

} // namespace lapilli
