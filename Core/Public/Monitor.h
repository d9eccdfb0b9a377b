/// @file
/// How a running simulation reports to its caller and learns that it should stop.
#pragma once

#include <cstdint>

namespace lapilli
{

/// Called after every step, on a GPU after every few, on the thread that called advanceTo().
class Monitor
{
public:
  virtual ~Monitor() = default;

  /// @param time  simulated time reached [s]
  /// @param steps steps made since the start of the run
  /// @return true to go on; false makes advanceTo() throw Cancelled at this whole step
  virtual bool onStep(double time, std::int64_t steps) = 0;
};

/// Never stops the run.
class SilentMonitor : public Monitor
{
public:
  bool onStep(double, std::int64_t) override { return true; }
};

} // namespace lapilli
