/// @file
/// One run of a model as frames that can be asked for in any order and always have the same bits.
///
///   Run run(description, frameInterval, digest);
///   run.setDevice(device);
///   run.setDisk(folder, limit);
///   auto stored = run.frame(40, monitor); // from memory or disk, or marched from the nearest earlier state
///
/// The engine lives on between requests and stands at the farthest frame of the last march, so
/// playing forward costs one interval a frame. Turning back restores the nearest checkpoint; where
/// the run had got to is kept as the frontier.
#pragma once

#include "Cache/DiskCache.h"
#include "Cache/FrameCache.h"
#include "RunDescription.h"

#include <optional>
#include <utility>

namespace lapilli
{

class Run
{
public:
  /// @param digest of all that the run depends on: by it an earlier process' work is found again
  Run(RunDescription description, double frameInterval, const Digest& digest);
  ~Run(); ///< leaves the state reached on disk

  FrameCache& cache() { return cache_; }
  const FrameCache& cache() const { return cache_; }

  /// Where further steps are made; also in the middle of a run, without another bit.
  void setDevice(const Device& device);

  /// Where frames and checkpoints are kept on disk, and how much all runs there may take [bytes]; nowhere where
  /// either is empty.
  void setDisk(const std::string& folder, std::uint64_t limit);
  DiskCache* disk() { return disk_.get(); }

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

  /// Looks whether there is memory for the run until a later end than so far [s]; an earlier one needs no more.
  /// @throws InvalidInput if there is not; the run until the end before stays
  void setEnd(double time);

  /// [bytes], of the engine, as estimated for the run until its end.
  double estimatedMemory() const { return estimatedMemory_; }

private:
  std::shared_ptr<const StoredFrame> heldFrame(std::int64_t index);
  std::int64_t lastCheckpointBefore(std::int64_t index);
  StoredCheckpoint checkpointAtOrBefore(std::int64_t index);
  bool engineCanReach(std::int64_t index) const;
  bool engineStandsOnFrame() const;
  void placeEngineBefore(std::int64_t index);
  void keepFrontier();
  void keepFrame();
  SharedBytes savedState() const;

  RunDescription description_;
  double frameInterval_; ///< [s]
  Digest digest_;
  Device device_;
  FrameCache cache_;
  std::unique_ptr<DiskCache> disk_;
  std::pair<std::string, std::uint64_t> diskSettings_;
  std::unique_ptr<Simulation> engine_;
  std::int64_t position_ = -1; ///< last frame that the engine has passed or stands at
  std::optional<std::int64_t> lastGoodFrame_;
  std::string divergence_;
  std::optional<double> end_;  ///< [s], for which memory was estimated
  double estimatedMemory_ = 0; ///< [bytes]
};

} // namespace lapilli
