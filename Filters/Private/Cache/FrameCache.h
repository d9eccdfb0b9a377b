/// @file
/// Frames of one run in memory under a budget, and sparse checkpoints from which evicted frames are
/// computed again with the same bits.
///
/// Rows of a table never change, so frames are stored without theirs: each table is kept once, as long as it
/// was seen, and a frame knows how many of the rows are its own.
///
/// Frames go least recently used first; the one stored last always stays. Checkpoints may take up to
/// a quarter of the budget, spread as CheckpointPlan says.
#pragma once

#include "CheckpointPlan.h"

#include "Frame.h"
#include "Report.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <vector>

namespace lapilli
{

struct StoredFrame
{
  Frame frame; ///< its tables have names and no columns
  Report report;
  std::vector<std::size_t> tableRows; ///< of each table
};

using SharedBytes = std::shared_ptr<const std::vector<std::uint8_t>>;

struct StoredCheckpoint
{
  std::int64_t index = -1; ///< frame at which it was saved; -1: there is none
  SharedBytes bytes;
  bool isFromDisk = false;
};

class FrameCache
{
public:
  /// Evicts at once if the new budget is smaller.
  void setBudget(std::size_t bytes);

  /// Null if the frame is not held.
  std::shared_ptr<const StoredFrame> find(std::int64_t index);
  /// The last frame held at or before this one; -1: there is none.
  std::int64_t atOrBefore(std::int64_t index) const;
  /// Takes the rows out of the frame's tables.
  std::shared_ptr<const StoredFrame> store(std::int64_t index, StoredFrame frame);
  /// A frame whose rows are all held already.
  void adopt(std::int64_t index, std::shared_ptr<const StoredFrame> frame);

  /// The table with this number of a frame: its first `tableRows` rows are the frame's.
  const Table& table(std::size_t number) const { return tables_.at(number); }
  const std::vector<Table>& tables() const { return tables_; }
  /// Rows that an earlier process has left.
  void adoptTables(std::vector<Table> tables);

  /// Whether a checkpoint at this frame would be kept for its place in the run.
  bool wantsCheckpoint(std::int64_t index) const { return plan_.wants(index); }
  void storeCheckpoint(std::int64_t index, SharedBytes bytes);
  /// Replaces the frontier before it, unless that one is farther.
  void storeFrontier(std::int64_t index, SharedBytes bytes);
  /// The last one at or before the frame.
  StoredCheckpoint checkpointAtOrBefore(std::int64_t index) const;

  std::size_t bytes() const { return frameBytes_ + tableBytes_ + plan_.bytes(); }
  std::size_t budget() const { return budget_; }
  std::size_t frameCount() const { return frames_.size(); }
  std::size_t checkpointCount() const { return plan_.count(); }

private:
  struct Entry
  {
    std::shared_ptr<const StoredFrame> frame;
    std::size_t bytes = 0;
    std::list<std::int64_t>::iterator use; ///< its place in uses_
  };

  void takeTables(StoredFrame& frame);
  void countTables();
  void evictFrames();
  void eraseCheckpoints(const CheckpointPlan::Indices& indices);

  std::map<std::int64_t, Entry> frames_;
  std::list<std::int64_t> uses_; ///< frame indices, most recently used first
  CheckpointPlan plan_;
  std::map<std::int64_t, SharedBytes> checkpoints_;
  std::size_t budget_ = std::size_t(1) << 30;
  std::vector<Table> tables_; ///< with the most rows that were seen
  std::size_t frameBytes_ = 0;
  std::size_t tableBytes_ = 0;
};

} // namespace lapilli
