#include "SurfaceOutput.h"

#include "FieldArrays.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>

namespace lapilli
{

std::string describe(const TerrainInput& terrain)
{
  std::string text = terrain.report.text();
  if (terrain.missingHeights > 0)
  {
    text += " " + std::to_string(terrain.missingHeights) +
            (terrain.missingHeights == 1 ? " height is" : " heights are") +
            " blanked or not finite.";
  }
  for (const std::string& note : terrain.notes)
  {
    text += " " + note;
  }
  for (const std::string& warning : terrain.warnings)
  {
    text += " " + warning;
  }
  return text;
}

void writeSurface(const TerrainInput& terrain, const std::string& report, vtkPolyData* output)
{
  const Surface& surface = terrain.surface;
  const auto pointCount = static_cast<vtkIdType>(surface.pointCount());
  const auto triangleCount = static_cast<vtkIdType>(surface.triangleCount());

  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(pointCount);
  vtkNew<vtkDoubleArray> elevation;
  elevation->SetName("elevation");
  elevation->SetNumberOfTuples(pointCount);
  if (pointCount > 0)
  {
    std::copy(surface.points.begin(), surface.points.end(),
      static_cast<double*>(points->GetVoidPointer(0)));
    double* heights = elevation->GetPointer(0);
    for (vtkIdType p = 0; p < pointCount; ++p)
    {
      heights[p] = surface.points[3 * p + 2];
    }
  }
  output->SetPoints(points);
  output->GetPointData()->SetScalars(elevation);

  vtkNew<vtkTypeInt64Array> offsets, corners;
  offsets->SetNumberOfTuples(triangleCount + 1);
  for (vtkIdType t = 0; t <= triangleCount; ++t)
  {
    offsets->GetPointer(0)[t] = 3 * t;
  }
  corners->SetNumberOfTuples(3 * triangleCount);
  std::copy(surface.triangles.begin(), surface.triangles.end(), corners->GetPointer(0));
  vtkNew<vtkCellArray> triangles;
  triangles->SetData(offsets, corners);
  output->SetPolys(triangles);

  if (terrain.cellData)
  {
    output->GetCellData()->ShallowCopy(terrain.cellData);
  }
  const SurfaceRepairReport& counts = terrain.report;
  if (counts.twoSidedComponents > 0)
  {
    vtkNew<vtkUnsignedCharArray> twoSided;
    twoSided->SetName("two_sided");
    twoSided->SetNumberOfTuples(triangleCount);
    std::copy(terrain.twoSided.begin(), terrain.twoSided.end(), twoSided->GetPointer(0));
    output->GetCellData()->AddArray(twoSided);
  }

  vtkFieldData* fields = output->GetFieldData();
  addText(fields, "report", report);
  addCount(fields, "triangles", counts.triangles);
  addCount(fields, "dropped_triangles", counts.droppedTriangles());
  addCount(fields, "flipped_triangles", counts.flippedTriangles);
  addCount(fields, "merged_points", counts.mergedPoints);
  addCount(fields, "degenerate_triangles", counts.degenerateTriangles);
  addCount(fields, "duplicate_triangles", counts.duplicateTriangles);
  addCount(fields, "closed_seams", counts.closedSeams);
  addCount(fields, "snapped_points", counts.snappedPoints);
  addNumber(fields, "largest_snap", counts.largestSnap);
  addNumber(fields, "open_seam_length", counts.openSeamLength);
  addCount(fields, "holes", counts.holes);
  addCount(fields, "parts", counts.components);
  addCount(fields, "closed_parts", counts.closedComponents);
  addCount(fields, "two_sided_parts", counts.twoSidedComponents);
  addCount(fields, "non_manifold_edges", counts.nonManifoldEdges);
  addCount(fields, "boundary_edges", counts.boundaryEdges);
  addCount(fields, "missing_heights", terrain.missingHeights);
  addCount(fields, "single_valued", counts.singleValued);
}

} // namespace lapilli
