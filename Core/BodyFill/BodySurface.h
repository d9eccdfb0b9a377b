/// @file
/// A body's triangles made ready to be filled: repaired, turned outward, holes closed by fans.
#pragma once

#include "BodyFill.h"
#include "BodyFill/TriangleTree.h"

#include <vector>

namespace lapilli
{

struct BodySurface
{
  Vec3d origin;              ///< [m] whole kilometres; everything else is relative to it
  std::vector<Vec3d> points; ///< [m] with the middles of the fans
  std::vector<TriangleCorners> triangles; ///< fronts outward
  std::vector<TriangleCorners> fans;      ///< together with the triangles they are closed
  Box box;                                ///< [m] of both
  Box fanBox;                             ///< [m] empty without fans
};

/// Fills in what the report says of the surface: all but volume and counts of places.
/// @throws InvalidInput as fillBodies()
BodySurface prepareBody(const Body& body, const BodyFillParameters& parameters, BodyReport& report);

} // namespace lapilli
