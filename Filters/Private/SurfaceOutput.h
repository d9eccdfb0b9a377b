/// @file
/// From the engine's surface to polygonal data.
#pragma once

#include "TerrainInput.h"

#include <string>

class vtkPolyData;

namespace lapilli
{

/// The report in words: what the surface is, where heights came from, what was dropped.
std::string describe(const TerrainInput& terrain);

/// Triangles, point array elevation, cell arrays, and the report as field data.
void writeSurface(const TerrainInput& terrain, const std::string& report, vtkPolyData* output);

} // namespace lapilli
