#include "ArrayBridge.h"

#include "Scene.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTable.h>
#include <vtkTypeInt32Array.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

namespace lapilli
{
namespace
{

template <class VtkArray, class T>
vtkSmartPointer<VtkArray> filled(const std::vector<T>& values, int components, std::size_t tuples)
{
  static_assert(sizeof(typename VtkArray::ValueType) == sizeof(T), "the bytes are copied");
  auto array = vtkSmartPointer<VtkArray>::New();
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(static_cast<vtkIdType>(tuples));
  if (tuples > 0)
  {
    std::memcpy(array->GetPointer(0), values.data(), tuples * components * sizeof(T));
  }
  return array;
}

template <class VtkArray, class T>
vtkSmartPointer<VtkArray> filled(const std::vector<T>& values, int components)
{
  return filled<VtkArray>(values, components, values.size() / components);
}

struct ToVtk
{
  int components;
  std::size_t most = std::numeric_limits<std::size_t>::max(); ///< tuples

  template <class VtkArray, class T>
  vtkSmartPointer<VtkArray> filled(const std::vector<T>& v, int) const
  {
    return lapilli::filled<VtkArray>(v, components, std::min(most, v.size() / components));
  }

  using Result = vtkSmartPointer<vtkDataArray>;
  Result operator()(const std::vector<float>& v) const
  {
    return filled<vtkFloatArray>(v, components);
  }
  Result operator()(const std::vector<double>& v) const
  {
    return filled<vtkDoubleArray>(v, components);
  }
  Result operator()(const std::vector<std::int32_t>& v) const
  {
    return filled<vtkTypeInt32Array>(v, components);
  }
  Result operator()(const std::vector<std::int64_t>& v) const
  {
    return filled<vtkTypeInt64Array>(v, components);
  }
  Result operator()(const std::vector<std::uint8_t>& v) const
  {
    return filled<vtkUnsignedCharArray>(v, components);
  }
};

template <class T>
std::vector<T> readAs(vtkDataArray* array)
{
  std::vector<T> values(static_cast<std::size_t>(array->GetNumberOfValues()));
  if (values.empty())
  {
    return values;
  }
  vtkSmartPointer<vtkDataArray> plain = array;
  if (!array->HasStandardMemoryLayout() || array->GetDataType() == VTK_BIT)
  {
    plain = vtkSmartPointer<
      vtkDoubleArray>::New(); // structure of arrays, computed values, single bits, …
    plain->DeepCopy(array);
  }
  const void* source = plain->GetVoidPointer(0);
  switch (plain->GetDataType())
  {
    vtkTemplateMacro(std::transform(static_cast<const VTK_TT*>(source),
      static_cast<const VTK_TT*>(source) + values.size(), values.begin(),
      [](VTK_TT v) { return static_cast<T>(v); }));
  }
  return values;
}

vtkSmartPointer<vtkCellArray> oneVertexEach(vtkIdType count)
{
  vtkNew<vtkIdTypeArray> offsets;
  offsets->SetNumberOfTuples(count + 1);
  std::iota(offsets->GetPointer(0), offsets->GetPointer(0) + count + 1, vtkIdType(0));
  vtkNew<vtkIdTypeArray> connectivity;
  connectivity->SetNumberOfTuples(count);
  std::iota(connectivity->GetPointer(0), connectivity->GetPointer(0) + count, vtkIdType(0));
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  cells->SetData(offsets, connectivity);
  return cells;
}

} // namespace

vtkSmartPointer<vtkDataArray> toVtk(const Array& array)
{
  auto result = std::visit(ToVtk{ array.components }, array.values);
  result->SetName(array.name.c_str());
  if (!array.unit.empty())
  {
    result->GetInformation()->Set(vtkDataArray::UNITS_LABEL(), array.unit.c_str());
  }
  return result;
}

void toPolyData(const PointSet& set, vtkPolyData* output)
{
  vtkNew<vtkPoints> points;
  points->SetData(filled<vtkDoubleArray>(set.positions, 3));
  output->SetPoints(points);
  output->SetVerts(oneVertexEach(points->GetNumberOfPoints()));
  for (const Array& array : set.arrays)
  {
    output->GetPointData()->AddArray(toVtk(array));
  }
  output->GetPointData()->SetActiveVectors("velocity");
  output->GetPointData()->SetActiveScalars(
    "velocity"); // what a view colours by until told otherwise
}

vtkSmartPointer<vtkPolyData> toPolyData(const std::vector<const Surface*>& surfaces)
{
  std::size_t pointCount = 0, triangleCount = 0;
  for (const Surface* surface : surfaces)
  {
    pointCount += surface->pointCount();
    triangleCount += surface->triangleCount();
  }
  vtkNew<vtkDoubleArray> coordinates;
  coordinates->SetNumberOfComponents(3);
  coordinates->SetNumberOfTuples(static_cast<vtkIdType>(pointCount));
  vtkNew<vtkIdTypeArray> offsets, corners;
  offsets->SetNumberOfTuples(static_cast<vtkIdType>(triangleCount) + 1);
  corners->SetNumberOfTuples(3 * static_cast<vtkIdType>(triangleCount));
  for (std::size_t t = 0; t <= triangleCount; ++t)
  {
    offsets->GetPointer(0)[t] = static_cast<vtkIdType>(3 * t);
  }
  double* x = coordinates->GetPointer(0);
  vtkIdType* corner = corners->GetPointer(0);
  vtkIdType firstPoint = 0;
  for (const Surface* surface : surfaces)
  {
    x = std::copy(surface->points.begin(), surface->points.end(), x);
    corner = std::transform(surface->triangles.begin(), surface->triangles.end(), corner,
      [firstPoint](std::int64_t p) { return firstPoint + static_cast<vtkIdType>(p); });
    firstPoint += static_cast<vtkIdType>(surface->pointCount());
  }
  vtkNew<vtkPoints> points;
  points->SetData(coordinates);
  vtkNew<vtkCellArray> triangles;
  triangles->SetData(offsets, corners);
  auto result = vtkSmartPointer<vtkPolyData>::New();
  result->SetPoints(points);
  result->SetPolys(triangles);
  return result;
}

void addCellArrays(const SurfaceField& field, vtkPolyData* output)
{
  for (const Array& array : field.arrays)
  {
    auto values = toVtk(array);
    if (values->GetNumberOfTuples() == output->GetNumberOfCells())
    {
      output->GetCellData()->AddArray(values);
    }
  }
}

void toTable(const Table& table, std::size_t rows, vtkTable* output)
{
  for (const Array& column : table.columns)
  {
    auto values = std::visit(ToVtk{ column.components, rows }, column.values);
    values->SetName(column.name.c_str());
    output->AddColumn(values);
  }
}

std::vector<double> readDoubles(vtkDataArray* array)
{
  return readAs<double>(array);
}

std::vector<std::int64_t> readInt64s(vtkDataArray* array)
{
  return readAs<std::int64_t>(array);
}

std::vector<double> readPositions(vtkPoints* points)
{
  return points ? readAs<double>(points->GetData()) : std::vector<double>{};
}

} // namespace lapilli
