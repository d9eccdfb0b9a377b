/// @file
/// Whether particles move in space or in a plane.
#pragma once

namespace lapilli
{

/// In a plane particles are discs: cylinders of 1 m depth at right angles to it, which stand between two smooth
/// panes. Mass is density * pi r^2 * 1 m, the moment of inertia m r^2 / 2; forces, energies and pressures are those
/// of 1 m depth. Nothing moves, pushes or turns out of the plane.
enum class Dimensions
{
  Three,   ///< spheres in space
  PlaneXY, ///< discs in a horizontal plane
  PlaneXZ, ///< discs in an upright plane from west to east
  PlaneYZ  ///< discs in an upright plane from south to north
};

} // namespace lapilli
