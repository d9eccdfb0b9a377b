/// @file
/// One sentence for a value that is outside its range: name, value, limit.
#pragma once

#include "Error.h"

#include <cmath>
#include <sstream>
#include <string>

namespace lapilli
{

inline std::string number(double value)
{
  std::ostringstream out;
  out.precision(9);
  out << value;
  return out.str();
}

[[noreturn]] inline void refuse(
  const std::string& name, const std::string& value, const std::string& limit)
{
  throw InvalidInput(name + " is " + value + "; it must " + limit);
}

inline void requirePositive(const std::string& name, double value)
{
  if (!(value > 0) || !std::isfinite(value))
    refuse(name, number(value), "be finite and above 0");
}

} // namespace lapilli
