#include "LocalFrame.h"

#include "ArrayBridge.h"
#include "Error.h"
#include "FieldArrays.h"

#include <vtkBoundingBox.h>
#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkImageData.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkRectilinearGrid.h>
#include <vtkSmartPointer.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace lapilli
{
namespace
{

/// Of one object's own field data.
std::optional<MapPoint> ownOrigin(vtkDataObject* data, const std::string& owner)
{
  vtkFieldData* fields = data->GetFieldData();
  auto* array =
    fields ? vtkDataArray::SafeDownCast(fields->GetAbstractArray(localOriginName)) : nullptr;
  if (!array)
  {
    return {};
  }
  std::ostringstream found;
  found.precision(17);
  const std::vector<double> values = readDoubles(array);
  for (const double& v : values)
  {
    found << (&v == values.data() ? "" : ", ") << v;
  }
  if (values.size() != 3 ||
      !std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
  {
    throw InvalidInput(owner + "'s field data " + localOriginName + " are (" + found.str() +
                       "); they must be three finite numbers, the map coordinates of its origin in "
                       "metres: correct them or leave them out");
  }
  return MapPoint{ values[0], values[1], values[2] };
}

/// Coordinates along one axis, moved, as an array of its own.
vtkSmartPointer<vtkDataArray> moved(vtkDataArray* line, double by)
{
  std::vector<double> values = readDoubles(line);
  for (double& v : values)
  {
    v += by;
  }
  auto result = vtkSmartPointer<vtkDoubleArray>::New();
  result->SetNumberOfTuples(static_cast<vtkIdType>(values.size()));
  std::copy(values.begin(), values.end(), result->GetPointer(0));
  return result;
}

void movePoints(vtkPointSet* set, const MapPoint& by)
{
  vtkPoints* points = set->GetPoints();
  if (!points)
  {
    return;
  }
  auto* own = vtkDoubleArray::SafeDownCast(points->GetData());
  if (own && own->GetReferenceCount() == 1 && points->GetReferenceCount() == 1)
  {
    double* x = own->GetPointer(0);
    for (vtkIdType i = 0; i < own->GetNumberOfValues(); ++i)
    {
      x[i] += by[static_cast<std::size_t>(i % 3)];
    }
    points->Modified();
    return;
  }
  const std::vector<double> places = readPositions(points);
  vtkNew<vtkDoubleArray> coordinates;
  coordinates->SetNumberOfComponents(3);
  coordinates->SetNumberOfTuples(static_cast<vtkIdType>(places.size() / 3));
  double* x = coordinates->GetPointer(0);
  for (std::size_t i = 0; i < places.size(); ++i)
  {
    x[i] = places[i] + by[i % 3];
  }
  vtkNew<vtkPoints> moved;
  moved->SetData(coordinates);
  set->SetPoints(moved);
}

} // namespace

// Blocks before the whole: Group Datasets gives the whole the field data of its first input.
std::optional<MapPoint> localOriginOf(vtkDataObject* data, const std::string& owner)
{
  if (!data)
  {
    return {};
  }
  auto* composite = vtkCompositeDataSet::SafeDownCast(data);
  if (!composite)
  {
    return ownOrigin(data, owner);
  }
  std::optional<MapPoint> origin;
  auto blocks = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
  for (blocks->InitTraversal(); !blocks->IsDoneWithTraversal(); blocks->GoToNextItem())
  {
    const auto ofBlock = ownOrigin(blocks->GetCurrentDataObject(), owner);
    if (ofBlock && origin && *ofBlock != *origin)
    {
      throw InvalidInput(owner +
                         " has blocks with different origins of local coordinates (field data " +
                         localOriginName +
                         "); they must have one: put each of them back to the map with Local "
                         "Coordinates before they are grouped");
    }
    origin = ofBlock ? ofBlock : origin;
  }
  return origin ? origin : ownOrigin(data, owner);
}

std::array<double, 6> boundsOf(vtkDataObject* data)
{
  vtkBoundingBox box;
  if (auto* set = vtkDataSet::SafeDownCast(data))
  {
    if (set->GetNumberOfPoints() > 0)
    {
      box.AddBounds(set->GetBounds());
    }
  }
  else if (auto* composite = vtkCompositeDataSet::SafeDownCast(data))
  {
    auto blocks = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    for (blocks->InitTraversal(); !blocks->IsDoneWithTraversal(); blocks->GoToNextItem())
    {
      box.AddBounds(boundsOf(blocks->GetCurrentDataObject()).data());
    }
  }
  std::array<double, 6> bounds;
  box.GetBounds(bounds.data());
  return bounds;
}

TerrainFrame frameOf(vtkDataObject* terrain, const std::string& owner)
{
  TerrainFrame frame;
  frame.origin = localOriginOf(terrain, owner).value_or(MapPoint{ 0, 0, 0 });
  const std::array<double, 6> bounds = boundsOf(terrain);
  for (std::size_t side = 0; side < 4; ++side)
  {
    frame.bounds[side] = bounds[side] + frame.origin[side / 2];
  }
  return frame;
}

MapPoint originBeside(vtkDataObject* data, const std::string& owner, const TerrainFrame& terrain)
{
  const MapPoint onMap{ 0, 0, 0 };
  if (const auto own = localOriginOf(data, owner))
  {
    return *own;
  }
  if (terrain.origin == onMap)
  {
    return onMap;
  }
  const std::array<double, 6> bounds = boundsOf(data);
  const auto isOver = [&](const MapPoint& origin)
  {
    return bounds[0] + origin[0] <= terrain.bounds[1] &&
           bounds[1] + origin[0] >= terrain.bounds[0] &&
           bounds[2] + origin[1] <= terrain.bounds[3] && bounds[3] + origin[1] >= terrain.bounds[2];
  };
  return !isOver(terrain.origin) && isOver(onMap) ? onMap : terrain.origin;
}

MapPoint automaticOrigin(const double* bounds)
{
  MapPoint origin{ 0, 0, 0 };
  for (std::size_t axis = 0; axis < 2; ++axis)
  {
    const double low = bounds[2 * axis], high = bounds[2 * axis + 1];
    if (low <= high && std::isfinite(low) && std::isfinite(high))
    {
      origin[axis] = 1000 * std::floor(0.001 * (0.5 * low + 0.5 * high));
    }
  }
  return origin;
}

MapPoint outputOrigin(Coordinates coordinates, const MapPoint& own, const double* bounds)
{
  const bool isOnMap = own == MapPoint{ 0, 0, 0 };
  return coordinates == Coordinates::Map                ? MapPoint{ 0, 0, 0 }
         : coordinates == Coordinates::Local && isOnMap ? automaticOrigin(bounds)
                                                        : own;
}

bool moveOrigin(vtkDataSet* data, const MapPoint& from, const MapPoint& to)
{
  const MapPoint by{ from[0] - to[0], from[1] - to[1], from[2] - to[2] };
  const bool moves = by != MapPoint{ 0, 0, 0 };
  if (auto* points = vtkPointSet::SafeDownCast(data))
  {
    if (moves)
    {
      movePoints(points, by);
    }
  }
  else if (auto* image = vtkImageData::SafeDownCast(data))
  {
    const double* o = image->GetOrigin();
    image->SetOrigin(o[0] + by[0], o[1] + by[1], o[2] + by[2]);
  }
  else if (auto* grid = vtkRectilinearGrid::SafeDownCast(data))
  {
    if (moves)
    {
      grid->SetXCoordinates(moved(grid->GetXCoordinates(), by[0]));
      grid->SetYCoordinates(moved(grid->GetYCoordinates(), by[1]));
      grid->SetZCoordinates(moved(grid->GetZCoordinates(), by[2]));
    }
  }
  else
  {
    return false;
  }
  setLocalOrigin(data, to);
  return true;
}

void setLocalOrigin(vtkDataObject* data, const MapPoint& origin)
{
  addVector<3>(data->GetFieldData(), localOriginName, origin);
}

} // namespace lapilli
