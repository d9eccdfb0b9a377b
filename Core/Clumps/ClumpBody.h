/// @file
/// A clump's mass properties: those of the union of its spheres, of uniform density.
///
///   const ClumpBody body = makeClumpBody(standardShape("bar"));
///   const Vec3d moments = (mass * radius * radius) * body.inertia;
#pragma once

#include "Math/Quaternion.h"
#include "Scene.h"

#include <vector>

namespace lapilli
{

/// All lengths are in units of the radius of the sphere that has the clump's volume.
struct ClumpBody
{
  std::vector<Vec3d> centers; ///< in the principal frame, about the centre of mass
  std::vector<double> radii;
  Vec3d inertia;             ///< principal moments per mass and radius^2
  Quatd principalAxes;       ///< shape frame -> principal frame
  Vec3d centerOfMass;        ///< in the shape's frame and units
  double scale = 1;          ///< from the shape's units to these
  double boundingRadius = 0; ///< about the centre of mass
  double largestRadius = 0, smallestRadius = 0;
  /// How much quicker the quickest contact of the surface is than that of a sphere of the same mass
  /// without rotation: the greatest m (1/m + (r x n).I^-1 (r x n)), which is 1 for a sphere.
  double greatestMobility = 1;
};

/// Volume and moments are right within 2e-4. Moments that agree within 1e-4 are taken as equal, and
/// the axes between them are those nearest to the shape's own.
/// Throws InvalidInput for a shape without spheres, with more than 1000, or with values that are
/// not those of spheres.
ClumpBody makeClumpBody(const ClumpShape& shape);

} // namespace lapilli
