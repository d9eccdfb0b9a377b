/// @file
/// From a raster that is read to VTK's data.
#pragma once

class vtkImageData;
class vtkPolyData;

namespace lapilli
{

class GridMesh;
struct TerrainGrid;

void writeTriangles(const GridMesh& mesh, vtkPolyData* output);

/// Dimensions, origin, spacing and direction of the image.
/// @param grid upright, at right angles
void placeImage(const TerrainGrid& grid, vtkImageData* image);

void writeImage(const TerrainGrid& grid, vtkImageData* output);

} // namespace lapilli
