/// @file
/// Points and cells that are there and do not count: blanked, or refined by a finer block.
#pragma once

#include <vtkType.h>

#include <cstddef>
#include <cstdint>
#include <vector>

class vtkDataSet;

namespace lapilli
{

/// One flag a point or cell, 0 for what counts; empty if none is marked.
std::vector<unsigned char> hiddenPoints(vtkDataSet* data);
std::vector<unsigned char> hiddenCells(vtkDataSet* data);

inline bool isHidden(const std::vector<unsigned char>& flags, std::int64_t i)
{
  return !flags.empty() && flags[static_cast<std::size_t>(i)] != 0;
}

/// Whether one of some points is hidden.
bool touchesHidden(
  const std::vector<unsigned char>& hidden, const vtkTypeInt64* corners, std::size_t count);

} // namespace lapilli
