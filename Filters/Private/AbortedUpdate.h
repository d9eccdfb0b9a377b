/// @file
/// What else belongs to an update that was aborted, and must not march on.
///
/// ParaView's proxies update one output port after the other, all for the same frame. A writer of a series
/// asks for frame after frame in one call; there an interrupt, which is meant for the script around it, has to end all
/// of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <set>

namespace lapilli
{

class AbortedUpdate
{
public:
  /// @param frame that was asked for through this port
  void add(int port, std::int64_t frame, bool isInterrupt)
  {
    frame_ = frame;
    ports_.insert(port);
    isInterrupted_ = isInterrupted_ || isInterrupt;
    end_ = Clock::now();
  }

  /// Whether a request belongs to the update that was aborted. Where it does not, that is over.
  bool goesOn(int port, std::int64_t frame)
  {
    const bool isOtherPort = frame == frame_ && ports_.count(port) == 0;
    const bool isNextOfSeries = isInterrupted_ && frame != frame_;
    if (frame_ >= 0 && Clock::now() - end_ < (isNextOfSeries ? toNextFrame : toNextPort) &&
        (isOtherPort || isNextOfSeries))
    {
      return true;
    }
    frame_ = -1;
    ports_.clear();
    isInterrupted_ = false;
    return false;
  }

private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds toNextPort{ 1000 };
  static constexpr std::chrono::milliseconds toNextFrame{ 200 };

  std::int64_t frame_ = -1; ///< -1: none was aborted
  std::set<int> ports_;     ///< through which
  bool isInterrupted_ = false;
  Clock::time_point end_;
};

} // namespace lapilli
