/// @file
/// Point arrays of users' data by name, checked: every refusal is one sentence with name, value, limit
/// and remedy.
#pragma once

#include "Error.h"

#include <vtkDataArray.h>
#include <vtkPointSet.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace lapilli
{

template <class... Parts>
[[noreturn]] void refuseInput(const Parts&... parts)
{
  std::ostringstream text;
  (text << ... << parts);
  throw InvalidInput(text.str());
}

/// One data set with points, and how to call it in a message.
struct PointBlock
{
  vtkPointSet* data;
  std::string name; ///< "source 1", "source 1, block 3"
};

/// Calls `use` for every data set with points of a connection; empty ones are passed over.
/// @throws InvalidInput for data without points of their own
void forEachPointBlock(
  vtkDataObject* data, const std::string& name, const std::function<void(const PointBlock&)>& use);

/// A named point array, or null where it is absent.
/// @param components 0: any number
vtkDataArray* findPointArray(const PointBlock& block, const char* name, int components);

/// Refuses the block where a value does not pass: how many, and the first point.
template <class Test>
void checkValues(const PointBlock& block, const std::vector<double>& values, int components,
  const char* what, const char* limit, Test passes)
{
  if (std::all_of(values.begin(), values.end(), passes))
  {
    return;
  }
  const std::size_t points = values.size() / static_cast<std::size_t>(components);
  std::size_t bad = 0;
  std::size_t firstPoint = 0;
  double firstValue = 0;
  for (std::size_t i = 0; i < points; ++i)
  {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i) * components;
    const auto wrong = std::find_if_not(begin, begin + components, passes);
    if (wrong != begin + components && bad++ == 0)
    {
      firstPoint = i;
      firstValue = *wrong;
    }
  }
  refuseInput(block.name, ": ", what, " of ", bad, " of ", points, " points ", limit,
    ", the first is point ", firstPoint, " with ", firstValue,
    ": remove or correct these points (Threshold, Calculator)");
}

inline bool isFinite(double v)
{
  return std::isfinite(v);
}

inline bool isPositive(double v)
{
  return std::isfinite(v) && v > 0;
}

inline bool isNotNegative(double v)
{
  return std::isfinite(v) && v >= 0;
}

} // namespace lapilli
