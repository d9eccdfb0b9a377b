/// @file
/// Live: what there is of a run is shown at once, while a thread marches on.
///
///   LiveView live;
///   if (auto newest = live.show(run, index, last)) …   // at every request
///   if (live.hasMore(&run)) …                          // whenever the window asks
#pragma once

#include "BackgroundMarch.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace lapilli
{

class Run;
struct StoredFrame;

class LiveView
{
public:
  using Newest = std::pair<std::int64_t, std::shared_ptr<const StoredFrame>>;

  /// The frame, or the newest one before it while the thread marches there, and on to the last one where all frames
  /// are kept.
  /// @return none where the caller has to march, and the thread has stopped: nobody has asked hasMore() since an earlier
  ///         frame was handed out, so this is a script or a writer of a series, which wants the frame itself (the
  ///         other ports of one update do not count); or the run has diverged; or its memory holds no frame
  /// @throws what has ended the thread's march, once
  std::optional<Newest> show(Run& run, std::int64_t index, std::int64_t last);

  /// Whether there is more to show than was shown last; true a few times a second at most.
  /// @param run null as long as there is none
  bool hasMore(Run* run);

  /// Whether an earlier frame was shown last than the one asked for.
  bool isBehind() const { return askedFor_ >= 0; }

  /// A request that has failed: until the next one there is nothing more, or the window would have it fail again and again.
  void showNothing() { askedFor_ = -1; }

  /// The run may be marched by others afterwards.
  void stop() { march_.stop(); }

private:
  using Clock = std::chrono::steady_clock;

  BackgroundMarch march_;
  std::int64_t askedFor_ = -1;   ///< by the last request, if it got an earlier frame; else -1
  std::int64_t shown_ = -1;      ///< by that request
  bool isWatched_ = false;       ///< asked whether there is more, since
  Clock::time_point answeredAt_; ///< that request
  Clock::time_point toldAt_;
};

} // namespace lapilli
