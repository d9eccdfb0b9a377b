/// @file
/// Decides for every triangle of a body which way it faces, so that the generalised winding number is 1 inside: see
/// Core/Public/BodyFill.h for the rules.
#pragma once

#include "BodyFill/SurfaceParts.h"

#include <cstdint>
#include <vector>

namespace lapilli
{

struct PartTurning
{
  std::vector<std::int8_t> sign; ///< per triangle: 1 as it is, -1 turned, 0 left out
  std::int64_t cavities = 0;     ///< parts that are turned inward
  std::int64_t sheets = 0;       ///< parts that are left out
  bool hasVolume = false;        ///< at least one part encloses something
};

PartTurning turnParts(const std::vector<Vec3d>& points,
  const std::vector<TriangleCorners>& triangles, const SurfaceParts& parts);

} // namespace lapilli
