#include "MapGrid.h"

#include "ArrayCopy.h"
#include "Error.h"

#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkRectilinearGrid.h>

namespace lapilli
{

MapGrid mapGridOf(const std::string& owner, vtkDataSet* data)
{
  MapGrid grid;
  if (auto* rectilinear = vtkRectilinearGrid::SafeDownCast(data))
  {
    rectilinear->GetDimensions(grid.dimensions);
    grid.x = copyValues<double>(rectilinear->GetXCoordinates());
    grid.y = copyValues<double>(rectilinear->GetYCoordinates());
    const std::size_t lines[2] = { grid.x.size(), grid.y.size() };
    for (int axis = 0; axis < 2; ++axis)
    {
      if (lines[axis] != static_cast<std::size_t>(grid.dimensions[axis]))
      {
        throw InvalidInput(owner + " is a rectilinear grid with " + std::to_string(lines[axis]) +
                           (axis == 0 ? " x" : " y") + " coordinates and " +
                           std::to_string(grid.dimensions[axis]) +
                           " points along that axis; it must have one for each: write it anew");
      }
    }
    return grid;
  }
  auto* image = static_cast<vtkImageData*>(data);
  image->GetDimensions(grid.dimensions);
  const int* extent = image->GetExtent();
  const double* spacing = image->GetSpacing();
  const double* direction = image->GetDirectionMatrix()->GetData();
  for (int axis = 0; axis < 2; ++axis)
  {
    grid.stepI[axis] = direction[3 * axis] * spacing[0];
    grid.stepJ[axis] = direction[3 * axis + 1] * spacing[1];
    grid.origin[axis] = image->GetOrigin()[axis] + extent[0] * grid.stepI[axis] +
                        extent[2] * grid.stepJ[axis] +
                        extent[4] * direction[3 * axis + 2] * spacing[2];
  }
  return grid;
}

} // namespace lapilli
