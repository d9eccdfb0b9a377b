#include "ArrayBridge.h"

#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkIdTypeArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeInt32Array.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace lapilli
{
namespace
{

template <class VtkArray, class T>
vtkSmartPointer<VtkArray> filled(const std::vector<T>& values, int components)
{
  static_assert(sizeof(typename VtkArray::ValueType) == sizeof(T), "the bytes are copied");
  auto array = vtkSmartPointer<VtkArray>::New();
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(static_cast<vtkIdType>(values.size()) / components);
  if (!values.empty())
  {
    std::memcpy(array->GetPointer(0), values.data(), values.size() * sizeof(T));
  }
  return array;
}

struct ToVtk
{
  int components;

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
  if (!array->HasStandardMemoryLayout())
  {
    plain = vtkSmartPointer<vtkDoubleArray>::New(); // structure of arrays, computed values, …
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

std::vector<double> readDoubles(vtkDataArray* array)
{
  return readAs<double>(array);
}

std::vector<std::int32_t> readInt32s(vtkDataArray* array)
{
  return readAs<std::int32_t>(array);
}

std::vector<double> readPositions(vtkPoints* points)
{
  return points ? readAs<double>(points->GetData()) : std::vector<double>{};
}

} // namespace lapilli
