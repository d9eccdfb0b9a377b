/// @file
/// Tiles of a raster that were triangulated one by one: each ends half a cell inside its edge, so rocks fall between them.
#pragma once

#include <string>

class vtkDataObject;

namespace lapilli
{

/// A sentence where two blocks that Terrain Reader made as triangles (known by the field data cell_size) stand one cell apart, else
/// nothing. Looks at up to a thousand such blocks.
std::string tileGapWarning(vtkDataObject* data, const std::string& owner);

} // namespace lapilli
