/// @file
/// VTK arrays in bulk to and from vectors: one virtual call an array, none a value.
#pragma once

#include <vtkDataArray.h>
#include <vtkSetGet.h>

#include <cstdint>
#include <vector>

namespace lapilli
{

/// All values of an array, tuple after tuple; empty for null.
template <class To>
std::vector<To> copyValues(vtkDataArray* array)
{
  std::vector<To> values;
  if (!array)
  {
    return values;
  }
  const vtkIdType count = array->GetNumberOfTuples() * array->GetNumberOfComponents();
  values.resize(static_cast<std::size_t>(count));
  switch (array->GetDataType())
  {
    vtkTemplateMacro({
      const auto* from = static_cast<const VTK_TT*>(array->GetVoidPointer(0));
      for (vtkIdType i = 0; i < count; ++i)
      {
        values[i] = static_cast<To>(from[i]);
      }
    });
    default: // bits
      for (vtkIdType i = 0; i < count; ++i)
      {
        values[i] = static_cast<To>(array->GetComponent(i / array->GetNumberOfComponents(),
          static_cast<int>(i % array->GetNumberOfComponents())));
      }
  }
  return values;
}

} // namespace lapilli
