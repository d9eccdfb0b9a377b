/// @file
/// Data sets as a series of choices: of every type that ParaView hands out, with arrays of every kind, and with the
/// faults that damaged files and careless scripts give them.
#pragma once

#include "Choices.h"

#include <vtkBitArray.h>
#include <vtkDataArray.h>
#include <vtkDataObject.h>
#include <vtkDataSetAttributes.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkSOADataArrayTemplate.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>

#include <algorithm>

namespace lapilli
{
namespace fuzz
{

inline vtkSmartPointer<vtkDataArray> emptyArray(Choices& choices)
{
  switch (choices.upTo(9))
  {
    case 5:
      return vtkSmartPointer<vtkSOADataArrayTemplate<double>>::New();
    case 6:
      return vtkSmartPointer<vtkBitArray>::New();
    default:
      return vtkSmartPointer<vtkDataArray>::Take(
        vtkDataArray::CreateDataArray(choices.among({ VTK_DOUBLE, VTK_FLOAT, VTK_INT,
          VTK_UNSIGNED_CHAR, VTK_LONG_LONG, VTK_UNSIGNED_LONG_LONG, VTK_SHORT, VTK_ID_TYPE })));
  }
}

/// A value that the array's type can hold.
inline double fitting(vtkDataArray* array, double value)
{
  if (array->GetDataType() == VTK_DOUBLE)
    return value;
  if (array->GetDataType() == VTK_FLOAT)
    return static_cast<double>(
      std::isfinite(value) ? static_cast<float>(std::clamp(value, -3e38, 3e38)) : value);
  const double least = array->GetDataTypeMin(), most = array->GetDataTypeMax();
  // The greatest whole numbers of 64 bits are no doubles.
  return std::isnan(value) ? 0
                           : std::trunc(std::clamp(value, least, most - (most > 1e18 ? 4096 : 0)));
}

/// Numbers, or rarely texts, mostly as many as there are places for them.
inline void addArray(
  Choices& choices, vtkDataSetAttributes* to, const char* name, vtkIdType places, int components)
{
  const int width = choices.rarely(12) ? 1 + choices.upTo(8) : components;
  const vtkIdType count =
    choices.rarely(24) ? std::max<vtkIdType>(0, places + choices.upTo(2) - 1) : places;
  if (choices.rarely(32))
  {
    vtkNew<vtkStringArray> texts;
    texts->SetName(name);
    texts->SetNumberOfComponents(width);
    texts->SetNumberOfTuples(count);
    to->AddArray(texts);
    return;
  }
  const auto array = emptyArray(choices);
  array->SetName(name);
  array->SetNumberOfComponents(width);
  array->SetNumberOfTuples(count);
  const bool isEven = choices.rarely(3); // one value throughout
  const double value = choices.number();
  for (vtkIdType i = 0; i < count; ++i)
    for (int c = 0; c < width; ++c)
      array->SetComponent(i, c, fitting(array, isEven ? value : choices.number()));
  to->AddArray(array);
}

inline void addArrays(Choices& choices, vtkDataSetAttributes* to, vtkIdType places,
  std::initializer_list<std::pair<const char*, int>> known)
{
  for (int k = choices.upTo(5); k > 0; --k)
  {
    const auto [name, components] = choices.among(known);
    addArray(choices, to, name, places, components);
  }
}

inline vtkSmartPointer<vtkPoints> somePoints(Choices& choices, vtkIdType count)
{
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetDataType(choices.among({ VTK_DOUBLE, VTK_FLOAT }));
  points->SetNumberOfPoints(count);
  for (vtkIdType i = 0; i < count; ++i)
    for (int c = 0; c < 3; ++c)
      points->GetData()->SetComponent(i, c, fitting(points->GetData(), choices.number()));
  return points;
}

} // namespace fuzz
} // namespace lapilli
