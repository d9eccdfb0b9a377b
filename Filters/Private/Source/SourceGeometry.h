/// @file
/// From the user's data to the surface, lines or map area that seeds are placed on.
///
/// A surface is read as a terrain is (see TerrainInput.h). Lines are those of polygonal data and unstructured grids. A map
/// area is the edges of polygons, triangles, quadrilaterals and strips, and where a block has none of these that of its lines.
/// Composite data may be nested to any depth; empty blocks are passed over, as are hidden cells and those of other kinds.
#pragma once

#include "../LocalFrame.h"

#include "Seeding.h"

#include <memory>

class vtkDataObject;

namespace lapilli
{

/// On the map.
/// @param data null is refused
/// @param shape Surface, Lines or MapArea
/// @param terrain beside which the geometry stands
/// @throws InvalidInput for data without what the shape needs
std::shared_ptr<const SeedGeometry> readSeedGeometry(
  vtkDataObject* data, SeedShape shape, const TerrainFrame& terrain);

/// @throws InvalidInput where there are no data: which shape needs them, and what to do
void requireGeometry(vtkDataObject* data, const char* shape, const char* what);

/// @param points x y z each
void shift(std::vector<double>& points, const MapPoint& by);

} // namespace lapilli
