/// @file
/// ParaView's proxies update one output port after the other. An abort must reach the others, or the march that
/// one of them has aborted would be taken up by the next.
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
  void add(int port, std::int64_t frame)
  {
    frame_ = frame;
    ports_.insert(port);
    end_ = Clock::now();
  }

  /// Whether a request belongs to the update that was aborted. Where it does not, that is over.
  bool goesOnThrough(int port, std::int64_t frame)
  {
    if (frame == frame_ && ports_.count(port) == 0 && Clock::now() - end_ < longestPause)
    {
      return true;
    }
    frame_ = -1;
    ports_.clear();
    return false;
  }

private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto longestPause = std::chrono::seconds(1); // from one port to the next

  std::int64_t frame_ = -1; ///< -1: none was aborted
  std::set<int> ports_;     ///< through which
  Clock::time_point end_;
};

} // namespace lapilli
