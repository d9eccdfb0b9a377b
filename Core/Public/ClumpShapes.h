/// @file
/// Ready-made shapes of blocks.
///
///   scene.shapes.push_back(lapilli::standardShape("cube"));
#pragma once

#include "Scene.h"

#include <string>
#include <vector>

namespace lapilli
{

/// The names that standardShape() knows.
std::vector<std::string> standardShapeNames();

/// disc      a round plate three times as wide as thick, across z
/// bar       four times as long as thick, along x
/// cube      with rounded edges and faces that are flat within a twelfth of its edge
/// tetrapod  four arms to the corners of a tetrahedron
///
/// Throws InvalidInput for any other name.
ClumpShape standardShape(const std::string& name);

} // namespace lapilli
