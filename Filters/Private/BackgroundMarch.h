/// @file
/// Marches a run on a thread of its own, which touches no VTK object.
///
///   BackgroundMarch march;
///   march.start(run, 12, 200);   // frame 12 first, then all until 200
///   run.heldFrame(3);            // what Run allows at any time
///   march.stop();                // at the next step; all whole frames are kept
///
/// While it marches, the run must live and nobody else may march it.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>

namespace lapilli
{

class Run;

class BackgroundMarch
{
public:
  BackgroundMarch() = default;
  ~BackgroundMarch();
  BackgroundMarch(const BackgroundMarch&) = delete;
  BackgroundMarch& operator=(const BackgroundMarch&) = delete;

  /// Stops what it did before.
  void start(Run& run, std::int64_t first, std::int64_t last);
  /// Waits for the step under way.
  void stop();

  bool isRunning() const { return isRunning_; }
  /// Whether it is on its way to this frame.
  bool leadsTo(std::int64_t index) const;
  /// Throws what has ended the march, once. A divergence does not count: the run tells it.
  void rethrowError();

private:
  void march(Run& run, std::int64_t first, std::int64_t last);

  const Run* run_ = nullptr;
  std::int64_t first_ = -1;
  std::int64_t last_ = -1;
  std::atomic<bool> hasFirst_{ false };
  std::atomic<bool> isStopping_{ false };
  std::atomic<bool> isRunning_{ false };
  std::exception_ptr error_; ///< written by the thread before isRunning_ turns false
  std::thread thread_;
};

} // namespace lapilli
