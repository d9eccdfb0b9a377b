/// @file
/// The sides of a domain as the engine uses them: open ones as limits, walls as surfaces, periodic ones
/// as space that repeats.
#pragma once

#include "Math/Box.h"
#include "Math/Periodicity.h"
#include "Scene.h"

#include <vector>

namespace lapilli
{

/// The box in local coordinates; infinite where there is no domain.
struct DomainSides
{
  Box box{ { -Box::kFar, -Box::kFar, -Box::kFar }, { Box::kFar, Box::kFar, Box::kFar } };
  Box walls = box; ///< with infinite coordinates on all sides that are no walls
  Periodicity space;

  HOST_DEVICE bool contains(const Vec3d& p) const
  {
    return p.x >= box.lower.x && p.x <= box.upper.x && p.y >= box.lower.y && p.y <= box.upper.y &&
           p.z >= box.lower.z && p.z <= box.upper.z;
  }
  /// Whether a centre is so far behind a wall that it must have come through.
  HOST_DEVICE bool isBehindWall(const Vec3d& p, double radius) const
  {
    return p.x < walls.lower.x - radius || p.x > walls.upper.x + radius ||
           p.y < walls.lower.y - radius || p.y > walls.upper.y + radius ||
           p.z < walls.lower.z - radius || p.z > walls.upper.z + radius;
  }
};

/// @param largestExtent of a whole particle [m]
/// @param largestRadius of a sphere [m], also of those of clumps
/// @throws InvalidInput with one sentence for corners that are not finite or in the wrong order, a
///         periodic side without its opposite, a periodic axis too short for the particles, walls that
///         leave the largest sphere no room
void checkDomain(const Domain& domain, double largestExtent, double largestRadius);

/// Obstacles are not repeated across periodic sides. So each part of one must stay away from both sides of a periodic
/// axis, or reach beyond both, as a bar along that axis does.
/// @param reach [m], how far from a side a particle may touch something beyond it
/// @throws InvalidInput with one sentence
void checkObstaclesInPeriodicSpace(
  const Domain& domain, const std::vector<Surface>& surfaces, double reach);

DomainSides sidesOf(const Domain& domain, const Vec3d& origin);

/// The walls with their fronts inward, named "wall x lower", …; wider than the box by a margin, so that
/// no particle inside meets their rims.
std::vector<Surface> wallsOf(const Domain& domain, double margin);

} // namespace lapilli
