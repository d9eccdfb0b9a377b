/// @file
/// Frames, checkpoints and rows of tables of one run on disk, written behind the run's back.
///
///   DiskCache disk("/data/cache", limit, digest);   // what an earlier process has left is there at once
///   disk.keepFrame(12, frame, tables);              // returns at once, a thread writes
///   if (auto stored = disk.frame(12)) …
///
/// Nothing here ever stops a run: a folder that cannot be written to, a full disk, a damaged file are told once in
/// takeNotes(), and what is not on disk is computed. Frames that come faster than the disk takes them are not
/// written, as soon as those that wait take more than their share of the memory.
///
/// Room. All runs in the folder together stay below a limit: other runs that nobody uses go first, least recently
/// used first; then no more frames are written, while checkpoints have a quarter of the limit for themselves.
/// The last 256 MB of a file system are left free.
#pragma once

#include "CheckpointPlan.h"
#include "FrameFile.h"
#include "RunFolder.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace lapilli
{

class DiskCache
{
public:
  /// @param limit   [bytes], of all runs in the folder
  /// @param waiting [bytes], of frames and checkpoints that wait to be written
  DiskCache(const std::string& folder, std::uint64_t limit, std::size_t waiting, const Digest& run);
  /// Writes what still waits.
  ~DiskCache();
  DiskCache(const DiskCache&) = delete;
  DiskCache& operator=(const DiskCache&) = delete;

  /// The rows that an earlier process has left, to be taken over once.
  std::vector<Table> takeTables() { return std::move(tables_); }

  bool holds(std::int64_t index);
  std::int64_t lastFrame(); ///< on disk; -1: there is none
  /// Null if the frame is not on disk or damaged, or if it has more rows than `tables` holds.
  std::shared_ptr<const StoredFrame> frame(std::int64_t index, const std::vector<Table>& tables);
  void keepFrame(
    std::int64_t index, std::shared_ptr<const StoredFrame> frame, const std::vector<Table>& tables);

  bool wantsCheckpoint(std::int64_t index);
  void keepCheckpoint(std::int64_t index, SharedBytes state);
  bool wantsFrontier(std::int64_t index);
  void keepFrontier(std::int64_t index, SharedBytes state);
  /// The frame of the last one at or before this frame; -1: there is none.
  std::int64_t checkpointAtOrBefore(std::int64_t index);
  /// Null if it turns out to be damaged, and then it is gone.
  SharedBytes checkpoint(std::int64_t index);
  /// One of which the engine can make nothing.
  void dropCheckpoint(std::int64_t index, const std::string& why);

  void flush(); ///< waits until all that was to be kept is written

  std::uint64_t bytes(); ///< of this run, on disk
  std::vector<std::string>
  takeNotes(); ///< what went wrong since they were last taken, a sentence each

private:
  struct Job
  {
    std::int64_t index = 0;
    std::shared_ptr<const StoredFrame> frame;
    SharedBytes state;
    RowsRecord rows; ///< with a frame
    std::size_t bytes = 0;
    bool isFrontier = false;
  };

  void open();
  void queue(Job job);
  void work();
  void write(const Job& job);
  void writeFrame(const Job& job);
  void writeCheckpoint(const Job& job);
  void erase(const CheckpointPlan::Indices& indices);
  std::size_t checkpointShare();
  bool hasRoomFor(std::uint64_t bytes, std::uint64_t reserved);
  void stop(const std::string& why);
  bool isStopped();
  void dropDamaged(const std::string& name, const std::string& why);
  void note(const std::string& text);

  const std::string folderName_;
  const std::uint64_t limit_;
  const std::size_t waitingLimit_;
  const Digest run_;
  std::unique_ptr<RunFolder> folder_; ///< null: it cannot be used
  std::vector<Table> tables_;
  std::vector<std::uint64_t> rowsQueued_; ///< of each table, by the run's thread alone

  std::mutex mutex_; ///< guards all below
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::size_t waiting_ = 0; ///< [bytes], of jobs_ and of the one that is being written
  bool isEnding_ = false;
  bool isFull_ = false;                          ///< for frames; checkpoints have room of their own
  bool isStopped_ = false;                       ///< nothing can be written
  std::map<std::int64_t, std::uint64_t> frames_; ///< [bytes], on disk
  CheckpointPlan plan_;                          ///< on disk
  std::uint64_t rowsBytes_ = 0;
  std::uint64_t cacheBytes_ = 0; ///< of all runs, as last seen
  std::vector<std::string> notes_;
  std::set<std::string> noted_;

  std::thread worker_; // last: it uses the others
};

} // namespace lapilli
