/// @file
/// How the engine finds particles that are near one another. It changes the speed of a run, not its physics.
#pragma once

namespace lapilli
{

enum class NeighborSearch
{
  Auto,  ///< by the radii and the width of the scene; the report tells which, and why
  Cells, ///< a grid of cubes as wide as the largest pair: fastest for radii that are nearly equal
  Tree   ///< a linear bounding volume hierarchy: for radii that differ, and for very wide scenes
};

} // namespace lapilli
