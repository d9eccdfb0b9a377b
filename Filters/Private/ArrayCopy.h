/// @file
/// VTK arrays in bulk to and from vectors: one virtual call an array, none a value.
#pragma once

#include <vtkAOSDataArrayTemplate.h>
#include <vtkDataArray.h>
#include <vtkSetGet.h>

#include <cstddef>
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

/// Appends all values of an array, tuple after tuple; nothing for null.
template <class To>
void appendValues(std::vector<To>& values, vtkDataArray* array)
{
  if (!array)
  {
    return;
  }
  const vtkIdType count = array->GetNumberOfTuples() * array->GetNumberOfComponents();
  switch (array->GetDataType())
  {
    vtkTemplateMacro({
      const auto* from = static_cast<const VTK_TT*>(array->GetVoidPointer(0));
      values.insert(values.end(), from, from + count);
    });
    default: // bits
    {
      const std::vector<To> copied = copyValues<To>(array);
      values.insert(values.end(), copied.begin(), copied.end());
    }
  }
}

/// The same without a copy where the array holds such values one after another.
template <class T>
class ArrayValues
{
public:
  ArrayValues() = default;

  /// @param array null is none; must outlive this
  explicit ArrayValues(vtkDataArray* array)
  {
    if (auto* plain = vtkAOSDataArrayTemplate<T>::FastDownCast(array))
    {
      begin_ = plain->GetPointer(0);
      size_ = static_cast<std::size_t>(plain->GetNumberOfValues());
      return;
    }
    own_ = copyValues<T>(array);
    begin_ = own_.data();
    size_ = own_.size();
  }
  ArrayValues(ArrayValues&&) = default; // moved vectors keep their place
  ArrayValues& operator=(ArrayValues&&) = default;

  const T* begin() const { return begin_; }
  const T* end() const { return begin_ + size_; }
  std::size_t size() const { return size_; }
  T operator[](std::size_t i) const { return begin_[i]; }

private:
  std::vector<T> own_;
  const T* begin_ = nullptr;
  std::size_t size_ = 0;
};

} // namespace lapilli
