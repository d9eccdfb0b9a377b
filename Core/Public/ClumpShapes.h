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

/// Radius of the sphere about its centre of mass that holds a block of the volume of a sphere of radius 1.
/// Throws InvalidInput for a shape without spheres, or with values that are not those of spheres.
double boundingRadiusOf(const ClumpShape& shape);

} // namespace lapilli
