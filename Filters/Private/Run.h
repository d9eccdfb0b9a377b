/// @file
/// One run of a model as frames that can be asked for in any order and always have the same bits.
///
///   Run run(description, frameInterval, digest);
///   run.use({ device, folder, limit });
///   auto stored = run.frame(40, monitor); // from memory or disk, or marched from the nearest earlier state
///
/// The engine lives on between requests and stands at the farthest frame of the last march, so
/// playing forward costs one interval a frame. Turning back restores the nearest checkpoint; where
/// the run had got to is kept as the frontier.
///
/// Threads: one at a time marches (use, releaseEngine, frame, the destructor). What stands under "at any time" may be
/// asked by another thread meanwhile; nothing there waits for a step.
#pragma once

#include "Cache/DiskCache.h"
#include "Cache/FrameCache.h"
#include "RunDescription.h"

#include <atomic>
#include <mutex>
#include <optional>

namespace lapilli
{

/// Where a run computes and keeps its frames. None of it changes a bit of them.
struct RunSettings
{
  Device device;
  std::string folder;      ///< of frames and checkpoints on disk; empty: none
  std::uint64_t limit = 0; ///< [bytes], of all runs in that folder; 0: nothing is kept there

  bool operator==(const RunSettings& other) const;
  bool operator!=(const RunSettings& other) const { return !(*this == other); }
};

class Run
{
public:
  /// @param digest of all that the run depends on: by it an earlier process' work is found again
  Run(RunDescription description, double frameInterval, const Digest& digest);
  ~Run(); ///< leaves the state reached on disk

  /// Also in the middle of a run.
  void use(const RunSettings& settings);
  const RunSettings& settings() const { return settings_; }

  /// Waits until the frames and the state reached are on disk.
  void flush() noexcept;

  /// Gives the engine's memory back; frames and the state reached stay.
  void releaseEngine();

  /// The frame with this index, computed if it is not in memory. Frames on the way are stored too.
  /// @throws Diverged for every frame after the last good one
  /// @throws Cancelled with all whole frames stored; the next call goes on from the step reached
  /// @throws InvalidInput, BackendError, std::bad_alloc
  std::shared_ptr<const StoredFrame> frame(std::int64_t index, Monitor& monitor);

  /// Looks whether there is memory for the run until a later end than so far [s]; an earlier one needs no more.
  /// By one thread, also while another marches.
  /// @throws InvalidInput if there is not; the run until the end before stays
  void setEnd(double time);
  const RunEstimate& estimate() const { return estimate_; } ///< until that end

  double time(std::int64_t index) const { return static_cast<double>(index) * frameInterval_; }

  // ---- at any time ----

  void setBudget(std::size_t bytes); ///< of memory for frames and checkpoints

  /// Whether the frame is in memory or on disk.
  bool holds(std::int64_t index) const;
  /// The farthest such frame; -1: there is none.
  std::int64_t lastHeld() const;
  /// From memory, else from disk; null if it is on neither.
  std::shared_ptr<const StoredFrame> heldFrame(std::int64_t index);
  /// The last one in memory at or before this frame, and its index; null if there is none.
  std::pair<std::int64_t, std::shared_ptr<const StoredFrame>> lastFrameAtOrBefore(
    std::int64_t index);
  /// A frame's rows are the first ones.
  Table table(std::size_t number) const;

  /// The last frame before the run diverged; none while it has not.
  std::optional<std::int64_t> lastGoodFrame() const;
  std::string divergence() const; ///< its sentence

  /// The last whole frame that the engine has made in its present march; -1 before the first.
  std::int64_t position() const { return position_; }
  /// [s], wall, for an interval between two frames, as measured of late; 0 while nothing has been marched.
  double pace() const { return pace_; }
  /// Whether frames that leave the memory are found on disk, or none until this one has to leave it.
  bool keepsAllUntil(std::int64_t index) const;

  std::size_t bytes() const;                ///< of memory for frames and checkpoints
  std::uint64_t diskBytes() const;          ///< of this run
  std::vector<std::string> takeDiskNotes(); ///< what went wrong there, a sentence each

private:
  std::int64_t lastCheckpointBefore(std::int64_t index);
  StoredCheckpoint checkpointAtOrBefore(std::int64_t index);
  bool engineCanReach(std::int64_t index) const;
  bool engineStandsOnFrame() const;
  std::shared_ptr<const StoredFrame> placeEngineBefore(std::int64_t index);
  void openDisk();
  void keepFrontier();
  void leaveFrontier() noexcept;
  std::shared_ptr<const StoredFrame> keepFrame();
  SharedBytes savedState() const;

  RunDescription description_;
  double frameInterval_; ///< [s]
  Digest digest_;
  RunSettings settings_;
  std::unique_ptr<DiskCache> disk_;
  std::unique_ptr<Simulation> engine_;
  std::atomic<std::int64_t> position_{ -1 }; ///< last frame that the engine has passed or stands at
  std::atomic<double> pace_{ 0 };            ///< [s], wall, a frame
  std::optional<double> end_;                ///< [s], for which memory was estimated
  RunEstimate estimate_;

  mutable std::mutex mutex_; ///< guards all below
  FrameCache cache_;
  std::optional<std::int64_t> lastGoodFrame_;
  std::string divergence_;
};

} // namespace lapilli
