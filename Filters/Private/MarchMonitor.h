/// @file
/// Progress, abort and the announcement of a long march, once per step of the engine.
///
/// The progress text tells the simulated time and the seconds to go. A march that will take more than
/// ten seconds is announced once, with its estimate, in ParaView's output window.
#pragma once

#include "Monitor.h"

#include <chrono>

class vtkAlgorithm;

namespace lapilli
{

class ProcessLink;

class MarchMonitor : public Monitor
{
public:
  /// @param target simulated time at which the march ends [s]
  MarchMonitor(vtkAlgorithm* filter, ProcessLink& processes, double target);

  bool onStep(double time, std::int64_t steps) override;

private:
  using Clock = std::chrono::steady_clock;

  void tell(double time, double done);

  vtkAlgorithm* filter_;
  ProcessLink& processes_;
  double target_;    ///< [s], simulated
  double begin_ = 0; ///< [s], simulated, after the first step
  bool begun_ = false;
  Clock::time_point start_; ///< wall, after the first step
  double nextText_ = 0.5;   ///< [s], wall
  bool announced_ = false;
};

} // namespace lapilli
