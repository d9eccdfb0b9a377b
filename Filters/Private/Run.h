/// @file
/// One run of a model as frames that can be asked for in any order and always have the same bits.
///
///   Run run(description, frameInterval);
///   run.setDevice(device);
///   auto stored = run.frame(40, monitor); // from memory, or marched from the nearest earlier state
///
/// The engine lives on between requests and stands at the farthest frame of the last march, so
/// playing forward costs one interval a frame. Turning back restores the nearest checkpoint; where
/// the run had got to is kept as the frontier.
#pragma once

#include "FrameCache.h"
#include "RunDescription.h"

#include <optional>

namespace lapilli
{

class Run
{
public:
  Run(RunDescription description, double frameInterval);

  FrameCache& cache() { return cache_; }
  const FrameCache& cache() const { return cache_; }

  /// Where further steps are made; also in the middle of a run, without another bit.
  void setDevice(const Device& device);

  /// Gives the engine's memory back; frames and the state reached stay.
  void releaseEngine();

  /// The frame with this index, computed if it is not in memory. Frames on the way are stored too.
  /// @throws Diverged for every frame after the last good one
  /// @throws Cancelled with all whole frames stored; the next call goes on from the step reached
  /// @throws InvalidInput, BackendError, std::bad_alloc
  std::shared_ptr<const StoredFrame> frame(std::int64_t index, Monitor& monitor);

  /// The last frame before the run diverged; none while it has not.
  std::optional<std::int64_t> lastGoodFrame() const { return lastGoodFrame_; }

  /// The last whole frame that the engine has made in its present march.
  std::int64_t position() const { return position_; }

  double time(std::int64_t index) const { return static_cast<double>(index) * frameInterval_; }

  /// [bytes], as estimated by the engine before the run; 0 before the first frame.
  double estimatedMemory() const { return estimatedMemory_.value_or(0); }

private:
  bool engineCanReach(std::int64_t index) const;
  bool engineStandsOnFrame() const;
  void placeEngineBefore(std::int64_t index);
  void keepFrontier();
  void keepFrame();
  std::vector<std::uint8_t> savedState() const;

  RunDescription description_;
  double frameInterval_; ///< [s]
  Device device_;
  FrameCache cache_;
  std::unique_ptr<Simulation> engine_;
  std::int64_t position_ = -1; ///< last frame that the engine has passed or stands at
  std::optional<std::int64_t> lastGoodFrame_;
  std::string divergence_;
  std::optional<double> estimatedMemory_; ///< [bytes]
};

} // namespace lapilli
