/// @file
/// The times at which a run has frames: 0, interval, 2 interval, … up to its end.
#pragma once

#include <cstdint>
#include <vector>

namespace lapilli
{

struct FrameGrid
{
  double end = 0;      ///< [s], >= 0
  double interval = 1; ///< [s], > 0

  static constexpr double greatestCount = 1e6;

  /// Index of the last frame; 0 where end and interval make no sense.
  std::int64_t last() const;
  /// The last frame at or before a time; within 1e-9 of the interval counts as at it. Out of range is the nearest.
  std::int64_t at(double time) const;
  double time(std::int64_t index) const { return static_cast<double>(index) * interval; }
  std::vector<double> times() const;
};

} // namespace lapilli
