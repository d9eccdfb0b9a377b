/// @file
/// What the processes of an MPI job tell one another about one request of one filter.
///
/// Process 0 simulates; the others hand out no particles, but they must take its decisions: a filter downstream that
/// works together over all processes waits for ever where one process has aborted and another has not. And an
/// abort that reaches any process ends the march of process 0.
///
///   link.begin(frame);                                        // every process
///   link.isAbortAsked()                                       // process 0, at every step
///   link.tell(outcome)                                        // process 0, whatever has happened
///   link.hear([&] { return filter->GetAbortExecute(); })      // the others
///
/// No process waits for ever for one that does not come, say because its file could not be read: process 0
/// never waits, and the others give up where it has not begun the request in time. Once it has, its outcome
/// comes in any case.
#pragma once

#include "LocalFrame.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lapilli
{

/// How process 0 has served a request.
struct Outcome
{
  bool isAborted = false;
  double time = 0;                 ///< [s], of the frame that it hands out
  MapPoint origin{ 0, 0, 0 };      ///< of the coordinates that it hands out
  std::vector<std::uint8_t> frame; ///< without particles, packed; empty: there is no run
};

class ProcessLink
{
public:
  /// Of the global controller. Filters are made in the same order in all processes.
  ProcessLink();
  ~ProcessLink();
  ProcessLink(const ProcessLink&) = delete;
  ProcessLink& operator=(const ProcessLink&) = delete;

  bool isAlone() const;
  bool isSimulating() const; ///< process 0

  /// @param frame asked for, the same in all processes
  void begin(std::int64_t frame);

  bool isAbortAsked();
  void tell(const Outcome& outcome);

  /// @param wantsAbort asked all the while; passed on once
  /// @return none where process 0 has not come within a minute
  std::optional<Outcome> hear(const std::function<bool()>& wantsAbort);

private:
  class Messages;
  std::unique_ptr<Messages> messages_; ///< null: there is one process
  std::int64_t frame_ = -1;
};

} // namespace lapilli
