/// @file
/// Single values as field data.
#pragma once

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkStringArray.h>
#include <vtkTypeInt64Array.h>

#include <array>
#include <cstdint>
#include <string>

namespace lapilli
{

inline void addNumber(vtkFieldData* fields, const std::string& name, double value)
{
  vtkNew<vtkDoubleArray> array;
  array->SetName(name.c_str());
  array->InsertNextValue(value);
  fields->AddArray(array);
}

template <std::size_t Components>
void addVector(
  vtkFieldData* fields, const std::string& name, const std::array<double, Components>& value)
{
  vtkNew<vtkDoubleArray> array;
  array->SetName(name.c_str());
  array->SetNumberOfComponents(Components);
  array->InsertNextTuple(value.data());
  fields->AddArray(array);
}

inline void addCount(vtkFieldData* fields, const std::string& name, std::int64_t value)
{
  vtkNew<vtkTypeInt64Array> array;
  array->SetName(name.c_str());
  array->InsertNextValue(value);
  fields->AddArray(array);
}

inline void addText(vtkFieldData* fields, const std::string& name, const std::string& value)
{
  vtkNew<vtkStringArray> array;
  array->SetName(name.c_str());
  array->InsertNextValue(value);
  fields->AddArray(array);
}

} // namespace lapilli
