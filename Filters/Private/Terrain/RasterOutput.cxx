#include "RasterOutput.h"

#include "GridMesh.h"

#include <vtkCellArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>

namespace lapilli
{
namespace
{

vtkNew<vtkDoubleArray> elevationOf(vtkIdType count)
{
  vtkNew<vtkDoubleArray> elevation;
  elevation->SetName("elevation");
  elevation->SetNumberOfTuples(count);
  return elevation;
}

} // namespace

void writeTriangles(const GridMesh& mesh, vtkPolyData* output)
{
  const vtkNew<vtkDoubleArray> elevation = elevationOf(mesh.pointCount());
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(mesh.pointCount());
  vtkNew<vtkTypeInt64Array> offsets, corners;
  offsets->SetNumberOfTuples(mesh.triangleCount() + 1);
  corners->SetNumberOfTuples(3 * mesh.triangleCount());
  if (mesh.pointCount() > 0)
  {
    mesh.writePoints(static_cast<double*>(points->GetVoidPointer(0)), elevation->GetPointer(0));
    mesh.writeTriangles(corners->GetPointer(0));
  }
  vtkTypeInt64* offset = offsets->GetPointer(0);
  for (vtkIdType t = 0; t <= mesh.triangleCount(); ++t)
  {
    offset[t] = 3 * t;
  }
  vtkNew<vtkCellArray> triangles;
  triangles->SetData(offsets, corners);
  output->SetPoints(points);
  output->SetPolys(triangles);
  output->GetPointData()->SetScalars(elevation);
}

void placeImage(const TerrainGrid& grid, vtkImageData* image)
{
  const double dx = grid.map.columnLength(), dy = grid.map.rowLength();
  const MapPlace first = grid.map.place(0.5, 0.5);
  const std::array<double, 6>& c = grid.map.c;
  image->SetDimensions(static_cast<int>(grid.columns), static_cast<int>(grid.rows), 1);
  image->SetOrigin(first.x, first.y, 0);
  image->SetSpacing(dx, dy, 1);
  image->SetDirectionMatrix(c[1] / dx, c[2] / dy, 0, c[4] / dx, c[5] / dy, 0, 0, 0, 1);
}

void writeImage(const TerrainGrid& grid, vtkImageData* output)
{
  placeImage(grid, output);
  const auto count = static_cast<vtkIdType>(grid.heights.size());
  const vtkNew<vtkDoubleArray> elevation = elevationOf(count);
  std::copy(grid.heights.begin(), grid.heights.end(), elevation->GetPointer(0));
  output->GetPointData()->SetScalars(elevation);

  vtkNew<vtkUnsignedCharArray> ghosts;
  ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  ghosts->SetNumberOfTuples(count);
  std::transform(grid.heights.begin(), grid.heights.end(), ghosts->GetPointer(0),
    [](double z) -> unsigned char
    { return std::isnan(z) ? vtkDataSetAttributes::HIDDENPOINT : 0; });
  output->GetPointData()->AddArray(ghosts);
}

} // namespace lapilli
