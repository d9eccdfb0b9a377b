/// @file
/// Scenes of discs, written once for every plane.
#pragma once

#include "Runs.h"

#include <array>

namespace lapilli
{
namespace test
{

/// The axes of a plane: along, up, and across it.
struct PlaneAxes
{
  Dimensions dimensions;
  const char* name;
  std::size_t along, up, across;

  /// A place or vector by its parts along, up and across.
  std::array<double, 3> of(double u, double w, double out = 0) const
  {
    std::array<double, 3> v{};
    v[along] = u;
    v[up] = w;
    v[across] = out;
    return v;
  }
  double u(const Vec3d& v) const { return part(v, along); }
  double w(const Vec3d& v) const { return part(v, up); }
  double out(const Vec3d& v) const { return part(v, across); }
  /// Of a spin that rolls a disc forward on what is below it.
  double rolling(const Vec3d& spin) const
  {
    return (dimensions == Dimensions::PlaneXZ ? 1 : -1) * out(spin);
  }

private:
  static double part(const Vec3d& v, std::size_t axis)
  {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
  }
};

constexpr PlaneAxes kPlaneXY{ Dimensions::PlaneXY, "XY", 0, 1, 2 };
constexpr PlaneAxes kPlaneXZ{ Dimensions::PlaneXZ, "XZ", 0, 2, 1 };
constexpr PlaneAxes kPlaneYZ{ Dimensions::PlaneYZ, "YZ", 1, 2, 0 };
constexpr PlaneAxes kPlanes[] = { kPlaneXY, kPlaneXZ, kPlaneYZ };

constexpr double kAcross = 3.25; ///< [m], where the planes of these scenes are

/// A box in the plane, with the same at all sides of an axis; open and wide across.
inline Domain planeDomain(const PlaneAxes& plane, const std::array<double, 2>& lower,
  const std::array<double, 2>& upper, DomainSide sidesAlong, DomainSide sidesUp)
{
  Domain domain;
  domain.used = true;
  domain.lower = plane.of(lower[0], lower[1], kAcross - 100);
  domain.upper = plane.of(upper[0], upper[1], kAcross + 100);
  for (std::size_t end = 0; end < 2; ++end)
  {
    domain.sides[2 * plane.along + end] = sidesAlong;
    domain.sides[2 * plane.up + end] = sidesUp;
  }
  return domain;
}

inline void addDisc(Scene& scene, const PlaneAxes& plane, std::array<double, 2> at,
  std::array<double, 2> velocity, double radius, double density = 2600)
{
  scene.seeds.add(
    plane.of(at[0], at[1], kAcross), plane.of(velocity[0], velocity[1]), radius, density);
}

/// Gravity downward in the plane.
inline GranularFlowParameters ofDiscs(const PlaneAxes& plane, double gravity = 9.81)
{
  GranularFlowParameters parameters;
  parameters.dimensions = plane.dimensions;
  parameters.gravity = plane.of(0, -gravity);
  return parameters;
}

} // namespace test
} // namespace lapilli
