#include "FrameCache.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lapilli
{

void FrameCache::setBudget(std::size_t bytes)
{
  budget_ = bytes;
  this->eraseCheckpoints(plan_.thin(budget_ / 4));
  this->evictFrames();
}

std::shared_ptr<const StoredFrame> FrameCache::find(std::int64_t index)
{
  const auto entry = frames_.find(index);
  if (entry == frames_.end())
  {
    return nullptr;
  }
  uses_.splice(uses_.begin(), uses_, entry->second.use);
  return entry->second.frame;
}

std::int64_t FrameCache::atOrBefore(std::int64_t index) const
{
  const auto after = frames_.upper_bound(index);
  return after == frames_.begin() ? -1 : std::prev(after)->first;
}

std::shared_ptr<const StoredFrame> FrameCache::store(std::int64_t index, StoredFrame frame)
{
  if (auto held = this->find(index))
  {
    return held; // the same bits: a run does not depend on when it is asked
  }
  this->takeTables(frame);
  auto shared = std::make_shared<const StoredFrame>(std::move(frame));
  this->adopt(index, shared);
  return shared;
}

void FrameCache::adopt(std::int64_t index, std::shared_ptr<const StoredFrame> frame)
{
  Entry entry;
  entry.bytes = sizeof(StoredFrame) + frame->frame.bytes();
  entry.frame = std::move(frame);
  entry.use = uses_.insert(uses_.begin(), index);
  frameBytes_ += entry.bytes;
  frames_.emplace(index, std::move(entry));
  this->evictFrames();
}

void FrameCache::takeTables(StoredFrame& stored)
{
  std::vector<Table>& tables = stored.frame.tables;
  tables_.resize(std::max(tables_.size(), tables.size()));
  for (std::size_t i = 0; i < tables.size(); ++i)
  {
    const std::size_t rows = tables[i].rows();
    stored.tableRows.push_back(rows);
    if (rows > tables_[i].rows() || tables_[i].columns.empty())
    {
      tables_[i] = tables[i];
    }
    tables[i].columns.clear();
  }
  this->countTables();
}

void FrameCache::adoptTables(std::vector<Table> tables)
{
  tables_ = std::move(tables);
  this->countTables();
  this->evictFrames();
}

void FrameCache::countTables()
{
  Frame all;
  all.tables.swap(tables_);
  tableBytes_ = all.bytes();
  all.tables.swap(tables_);
}

void FrameCache::evictFrames()
{
  while (frames_.size() > 1 && this->bytes() > budget_)
  {
    const auto victim = frames_.find(uses_.back());
    frameBytes_ -= victim->second.bytes;
    frames_.erase(victim);
    uses_.pop_back();
  }
}

void FrameCache::storeCheckpoint(std::int64_t index, SharedBytes bytes)
{
  const std::size_t size = bytes->size();
  checkpoints_.emplace(index, std::move(bytes));
  this->eraseCheckpoints(plan_.add(index, size, budget_ / 4));
  this->evictFrames();
}

void FrameCache::storeFrontier(std::int64_t index, SharedBytes bytes)
{
  if (plan_.wantsFrontier(index))
  {
    const std::size_t size = bytes->size();
    checkpoints_.emplace(index, std::move(bytes));
    this->eraseCheckpoints(plan_.addFrontier(index, size, budget_ / 4));
    this->evictFrames();
  }
}

StoredCheckpoint FrameCache::checkpointAtOrBefore(std::int64_t index) const
{
  const std::int64_t found = plan_.atOrBefore(index);
  return found < 0 ? StoredCheckpoint() : StoredCheckpoint{ found, checkpoints_.at(found), false };
}

void FrameCache::eraseCheckpoints(const CheckpointPlan::Indices& indices)
{
  for (const std::int64_t index : indices)
  {
    checkpoints_.erase(index);
  }
}

} // namespace lapilli
