/// @file
/// Comparisons that fail on both sides, and the lines from which the README's table is made.
#pragma once

#include "Math/Vec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <iomanip>
#include <string>

namespace lapilli
{
namespace test
{

/// Whether `reached` lies within tolerance * scale of `expected`, on either side; NaN does not.
inline testing::AssertionResult agrees(
  double reached, double expected, double tolerance, double scale)
{
  const double error = std::abs(reached - expected) / scale;
  if (scale > 0 && error <= tolerance)
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << std::setprecision(10) << reached << " differs from " << expected << " by " << error
         << " of the scale " << scale << "; allowed is " << tolerance;
}

/// Relative to the expected value itself, which must not be zero.
inline testing::AssertionResult agrees(double reached, double expected, double tolerance)
{
  return agrees(reached, expected, tolerance, std::abs(expected));
}

/// Distance of two vectors, relative to a stated scale.
inline testing::AssertionResult agrees(
  const Vec3d& reached, const Vec3d& expected, double tolerance, double scale)
{
  const double error = length(reached - expected) / scale;
  if (scale > 0 && error <= tolerance)
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << std::setprecision(10) << "(" << reached.x << ", " << reached.y << ", " << reached.z
         << ") differs from (" << expected.x << ", " << expected.y << ", " << expected.z << ") by "
         << error << " of the scale " << scale << "; allowed is " << tolerance;
}

/// A number as it should stand in a table.
inline std::string shown(double value, int digits = 4)
{
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

/// Laws are measured at the origin and this far from it [m].
constexpr double kFar = 20000;

/// For the name of a law that is measured at the origin and far from it.
inline std::string awayName(double away)
{
  return away > 0 ? ", 20 km from the origin" : "";
}

/// Prints one measured law for the README's verification table.
/// @param asked   what the source says, with its tolerance
/// @param reached what came out
inline void verify(const std::string& name, const std::string& asked, const std::string& reached,
  const std::string& source)
{
  std::printf("VERIFY|%s|%s|%s|%s\n", name.c_str(), asked.c_str(), reached.c_str(), source.c_str());
  std::fflush(stdout);
}

} // namespace test
} // namespace lapilli
