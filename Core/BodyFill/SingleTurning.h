/// @file
/// Turns triangles one by one, where their winding cannot agree (a Moebius band): the side from which more rays leave the
/// body after an even number of crossings is the front.
/// K. Takayama, A. Jacobson, L. Kavan, O. Sorkine-Hornung, J. Comput. Graph. Tech. 3(4) (2014) 53-63.
#pragma once

#include "BodyFill/SurfaceParts.h"

#include <cstdint>
#include <vector>

namespace lapilli
{

/// @param single triangles to be turned
/// @param sign   per triangle: 1 as it is, -1 turned, 0 left out; written for those, read of the others
void turnSingleTriangles(const std::vector<Vec3d>& points,
  const std::vector<TriangleCorners>& triangles, const SurfaceParts& parts,
  const std::vector<std::uint32_t>& single, std::vector<std::int8_t>& sign);

} // namespace lapilli
