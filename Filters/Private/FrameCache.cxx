#include "FrameCache.h"

#include <algorithm>
#include <utility>

namespace lapilli
{

void FrameCache::setBudget(std::size_t bytes)
{
  budget_ = bytes;
  this->thinCheckpoints();
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

std::shared_ptr<const StoredFrame> FrameCache::store(std::int64_t index, StoredFrame frame)
{
  if (auto held = this->find(index))
  {
    return held; // the same bits: a run does not depend on when it is asked
  }
  this->takeTables(frame);
  Entry entry;
  entry.bytes = sizeof(StoredFrame) + frame.frame.bytes();
  entry.frame = std::make_shared<const StoredFrame>(std::move(frame));
  entry.use = uses_.insert(uses_.begin(), index);
  frameBytes_ += entry.bytes;
  auto result = entry.frame;
  frames_.emplace(index, std::move(entry));
  this->evictFrames();
  return result;
}

void FrameCache::takeTables(StoredFrame& stored)
{
  std::vector<Table>& tables = stored.frame.tables;
  tables_.resize(std::max(tables_.size(), tables.size()));
  tableBytes_ = 0;
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

bool FrameCache::wantsCheckpoint(std::int64_t index) const
{
  return index % stride_ == 0 && checkpoints_.count(index) == 0;
}

void FrameCache::storeCheckpoint(std::int64_t index, std::vector<std::uint8_t> bytes)
{
  if (checkpoints_.count(index) > 0)
  {
    return;
  }
  checkpointBytes_ += bytes.size();
  checkpoints_.emplace(index, std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes)));
  this->thinCheckpoints();
  this->evictFrames();
}

void FrameCache::storeFrontier(std::int64_t index, std::vector<std::uint8_t> bytes)
{
  const std::int64_t before = frontier_;
  if (index < before && checkpoints_.count(before) > 0)
  {
    return; // the run has been farther
  }
  frontier_ = index;
  if (before >= 0 && before != index && before % stride_ != 0)
  {
    this->eraseCheckpoint(before);
  }
  this->storeCheckpoint(index, std::move(bytes));
}

StoredCheckpoint FrameCache::checkpointAtOrBefore(std::int64_t index) const
{
  auto next = checkpoints_.upper_bound(index);
  if (next == checkpoints_.begin())
  {
    return {};
  }
  --next;
  return { next->first, next->second };
}

void FrameCache::thinCheckpoints()
{
  const std::size_t share = budget_ / 4;
  // First by place, then frontier and start.
  while (checkpointBytes_ > share && checkpoints_.size() > 2)
  {
    stride_ *= 2;
    for (auto checkpoint = checkpoints_.begin(); checkpoint != checkpoints_.end();)
    {
      const std::int64_t index = checkpoint->first;
      ++checkpoint;
      if (index % stride_ != 0 && index != frontier_)
      {
        this->eraseCheckpoint(index);
      }
    }
  }
  while (checkpointBytes_ > share && !checkpoints_.empty())
  {
    this->eraseCheckpoint(checkpoints_.begin()->first);
  }
}

void FrameCache::eraseCheckpoint(std::int64_t index)
{
  const auto checkpoint = checkpoints_.find(index);
  if (checkpoint != checkpoints_.end())
  {
    checkpointBytes_ -= checkpoint->second->size();
    checkpoints_.erase(checkpoint);
  }
}

void FrameCache::clear()
{
  frames_.clear();
  uses_.clear();
  checkpoints_.clear();
  stride_ = firstStride;
  frontier_ = -1;
  tables_.clear();
  frameBytes_ = 0;
  tableBytes_ = 0;
  checkpointBytes_ = 0;
}

} // namespace lapilli
