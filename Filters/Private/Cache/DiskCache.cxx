#include "DiskCache.h"

#include "Error.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <sstream>
#include <utility>

namespace lapilli
{
namespace
{

constexpr const char* rowsName = "rows";
constexpr std::uint64_t leftFree = std::uint64_t(256) << 20; // [bytes]

std::string numbered(const char* what, std::int64_t index)
{
  char name[64];
  std::snprintf(name, sizeof(name), "%s-%08lld", what, static_cast<long long>(index));
  return name;
}

std::string frameName(std::int64_t index)
{
  return numbered("frame", index);
}

std::string checkpointName(std::int64_t index)
{
  return numbered("checkpoint", index);
}

/// @return -1 for another name
std::int64_t indexIn(const std::string& name, const std::string& what)
{
  const std::size_t length = what.size() + 1;
  if (name.size() < length + 8 || name.size() > length + 12 ||
      name.compare(0, length, what + "-") != 0 ||
      name.find_first_not_of("0123456789", length) != std::string::npos)
  {
    return -1;
  }
  return std::stoll(name.substr(length));
}

} // namespace

//------------------------------------------------------------------------------
DiskCache::DiskCache(
  const std::string& folder, std::uint64_t limit, std::size_t waiting, const Digest& run)
  : folderName_(folder)
  , limit_(limit)
  , waitingLimit_(waiting)
  , run_(run)
{
  try
  {
    this->open();
  }
  catch (const std::exception& error)
  {
    folder_.reset();
    this->note(std::string(error.what()) + "; nothing is kept there: choose another cache folder");
    return;
  }
  worker_ = std::thread([this] { this->work(); });
}

DiskCache::~DiskCache()
{
  if (worker_.joinable())
  {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      isEnding_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }
}

void DiskCache::open()
{
  folder_ = std::make_unique<RunFolder>(folderName_, run_);
  std::map<std::int64_t, std::size_t> checkpoints;
  for (const RunFolder::Entry& entry : folder_->entries())
  {
    const std::int64_t frame = indexIn(entry.name, "frame");
    const std::int64_t checkpoint = indexIn(entry.name, "checkpoint");
    if (frame >= 0)
    {
      frames_[frame] = entry.bytes;
    }
    else if (checkpoint >= 0)
    {
      checkpoints[checkpoint] = static_cast<std::size_t>(entry.bytes);
    }
    else if (entry.name == rowsName)
    {
      const auto takeRows = [this](const Bytes& bytes)
      {
        rowsBytes_ = unpackRows(run_, bytes, tables_);
        return static_cast<std::size_t>(rowsBytes_);
      };
      if (!folder_->readWhole(rowsName, takeRows))
      {
        this->note(
          "'" + (folder_->path() / rowsName).string() +
          "' ends in the middle of a row or is damaged; what is missing is computed again");
      }
    }
  }
  plan_.adopt(checkpoints);
  for (const Table& table : tables_)
  {
    rowsQueued_.push_back(table.rows());
  }
  cacheBytes_ = folder_->makeRoom(limit_);
}

//------------------------------------------------------------------------------
bool DiskCache::holds(std::int64_t index)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  return frames_.count(index) > 0;
}

std::int64_t DiskCache::lastFrame()
{
  const std::lock_guard<std::mutex> lock(mutex_);
  return frames_.empty() ? -1 : frames_.rbegin()->first;
}

std::shared_ptr<const StoredFrame> DiskCache::frame(
  std::int64_t index, const std::vector<Table>& tables)
{
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Job& job : jobs_)
    {
      if (job.frame && job.index == index)
      {
        return job.frame;
      }
    }
    if (frames_.count(index) == 0)
    {
      return nullptr;
    }
  }
  try
  {
    StoredFrame stored = unpackFrame({ run_, index }, folder_->read(frameName(index)));
    bool areRowsHeld = stored.tableRows.size() <= tables.size();
    for (std::size_t t = 0; areRowsHeld && t < stored.tableRows.size(); ++t)
    {
      areRowsHeld = stored.tableRows[t] <= tables[t].rows();
    }
    return areRowsHeld ? std::make_shared<const StoredFrame>(std::move(stored)) : nullptr;
  }
  catch (const InvalidInput& error)
  {
    this->dropDamaged(frameName(index), error.what());
  }
  catch (const DiskError& error)
  {
    this->note(std::string(error.what()) + "; it is computed again");
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  frames_.erase(index);
  return nullptr;
}

void DiskCache::keepFrame(
  std::int64_t index, std::shared_ptr<const StoredFrame> frame, const std::vector<Table>& tables)
{
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!folder_ || isFull_)
    {
      return; // rows without their frames are of no use
    }
  }
  Job job;
  job.index = index;
  rowsQueued_.resize(std::max(rowsQueued_.size(), frame->tableRows.size()));
  for (std::size_t t = 0; t < frame->tableRows.size(); ++t)
  {
    const std::uint64_t from = std::min<std::uint64_t>(rowsQueued_[t], frame->tableRows[t]);
    job.rows.firstRow.push_back(from);
    job.rows.tables.push_back(
      rowsOf(tables[t], static_cast<std::size_t>(from), frame->tableRows[t]));
    rowsQueued_[t] = std::max<std::uint64_t>(rowsQueued_[t], frame->tableRows[t]);
  }
  job.bytes = frame->frame.bytes();
  job.frame = std::move(frame);
  this->queue(std::move(job));
}

//------------------------------------------------------------------------------
bool DiskCache::wantsCheckpoint(std::int64_t index)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  return folder_ && plan_.wants(index);
}

void DiskCache::keepCheckpoint(std::int64_t index, SharedBytes state)
{
  Job job;
  job.index = index;
  job.bytes = state->size();
  job.state = std::move(state);
  this->queue(std::move(job));
}

bool DiskCache::wantsFrontier(std::int64_t index)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  return folder_ && !plan_.holds(index) && plan_.wantsFrontier(index);
}

void DiskCache::keepFrontier(std::int64_t index, SharedBytes state)
{
  Job job;
  job.index = index;
  job.bytes = state->size();
  job.state = std::move(state);
  job.isFrontier = true;
  this->queue(std::move(job));
}

std::int64_t DiskCache::checkpointAtOrBefore(std::int64_t index)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  return plan_.atOrBefore(index);
}

SharedBytes DiskCache::checkpoint(std::int64_t index)
{
  try
  {
    return std::make_shared<const Bytes>(
      unpackCheckpoint({ run_, index }, folder_->read(checkpointName(index))));
  }
  catch (const InvalidInput& error)
  {
    this->dropCheckpoint(index, error.what());
  }
  catch (const DiskError& error)
  {
    this->note(std::string(error.what()) + "; an earlier one is taken");
    const std::lock_guard<std::mutex> lock(mutex_);
    plan_.erase(index);
  }
  return nullptr;
}

void DiskCache::dropCheckpoint(std::int64_t index, const std::string& why)
{
  this->dropDamaged(checkpointName(index), why);
  const std::lock_guard<std::mutex> lock(mutex_);
  plan_.erase(index);
}

//------------------------------------------------------------------------------
void DiskCache::queue(Job job)
{
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const bool isKnown = job.frame ? frames_.count(job.index) > 0 : plan_.holds(job.index);
    const bool isTooMuch = waiting_ > 0 && waiting_ + job.bytes > waitingLimit_;
    // Rows are small and go in any case: frames without theirs are lost.
    if (isStopped_ || isKnown || isTooMuch || (job.frame && isFull_))
    {
      job.frame.reset();
      job.state.reset();
      job.bytes = 0;
    }
    waiting_ += job.bytes;
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

void DiskCache::work()
{
  std::unique_lock<std::mutex> lock(mutex_);
  while (true)
  {
    changed_.wait(lock, [this] { return isEnding_ || !jobs_.empty(); });
    if (jobs_.empty())
    {
      return;
    }
    // It stays in the queue while it is being written: frame() finds it there.
    const Job job = jobs_.front();
    lock.unlock();
    try
    {
      this->write(job);
    }
    catch (const std::exception& error)
    {
      this->stop(error.what());
    }
    lock.lock();
    jobs_.pop_front();
    waiting_ -= job.bytes;
    changed_.notify_all();
  }
}

void DiskCache::write(const Job& job)
{
  if (this->isStopped())
  {
    return;
  }
  const bool addsRows = std::any_of(job.rows.tables.begin(), job.rows.tables.end(),
    [](const Table& table) { return table.rows() > 0; });
  if (addsRows)
  {
    const Bytes bytes = packRows({ run_, job.index }, job.rows);
    folder_->append(rowsName, bytes);
    const std::lock_guard<std::mutex> lock(mutex_);
    rowsBytes_ += bytes.size();
    cacheBytes_ += bytes.size();
  }
  if (job.frame)
  {
    this->writeFrame(job);
  }
  if (job.state)
  {
    this->writeCheckpoint(job);
  }
}

void DiskCache::writeFrame(const Job& job)
{
  const Bytes bytes = packFrame({ run_, job.index }, *job.frame);
  std::uint64_t reserved = limit_ / 4;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    reserved -= std::min<std::uint64_t>(reserved, plan_.bytes());
  }
  const bool hasRoom = this->hasRoomFor(bytes.size(), reserved);
  if (hasRoom)
  {
    folder_->write(frameName(job.index), bytes);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  isFull_ = !hasRoom;
  if (hasRoom)
  {
    frames_[job.index] = bytes.size();
    cacheBytes_ += bytes.size();
  }
}

void DiskCache::writeCheckpoint(const Job& job)
{
  const Bytes bytes = packCheckpoint({ run_, job.index }, *job.state);
  const std::size_t share = this->checkpointShare();
  if (bytes.size() > share)
  {
    return;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    this->erase(plan_.thin(share - bytes.size()));
  }
  if (this->hasRoomFor(bytes.size(), 0))
  {
    folder_->write(checkpointName(job.index), bytes);
    const std::lock_guard<std::mutex> lock(mutex_);
    cacheBytes_ += bytes.size();
    this->erase(job.isFrontier ? plan_.addFrontier(job.index, bytes.size(), share)
                               : plan_.add(job.index, bytes.size(), share));
  }
}

/// A quarter of the limit, but not much more than the frames take: they hold the history from the start, and would
/// grow with the square of a run's length.
std::size_t DiskCache::checkpointShare()
{
  constexpr std::uint64_t least = std::uint64_t(64) << 20; // [bytes]
  const std::lock_guard<std::mutex> lock(mutex_);
  std::uint64_t frames = 0;
  for (const auto& [index, size] : frames_)
  {
    frames += size;
  }
  return static_cast<std::size_t>(std::min(limit_ / 4, std::max(least, frames)));
}

/// With the lock held, of checkpoints that the plan has given up.
void DiskCache::erase(const CheckpointPlan::Indices& indices)
{
  for (const std::int64_t index : indices)
  {
    cacheBytes_ -= folder_->remove(checkpointName(index));
  }
}

/// By the worker alone.
bool DiskCache::hasRoomFor(std::uint64_t bytes, std::uint64_t reserved)
{
  std::uint64_t taken = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    taken = cacheBytes_;
  }
  const std::uint64_t needed = bytes + reserved;
  if (taken + needed > limit_)
  {
    taken = folder_->makeRoom(limit_ > needed ? limit_ - needed : 0);
    const std::lock_guard<std::mutex> lock(mutex_);
    cacheBytes_ = taken;
  }
  if (taken + needed > limit_)
  {
    std::ostringstream text;
    text << "the cache folder '" << folderName_ << "' has reached its limit of " << limit_ / 1000000
         << " MB; what it does not hold is computed again when it has left the memory: raise the "
            "limit";
    this->note(text.str());
    return false;
  }
  if (folder_->freeSpace() < leftFree + bytes)
  {
    this->stop("the disk of the cache folder '" + folderName_ + "' has less than 256 MB left");
    return false;
  }
  return true;
}

void DiskCache::stop(const std::string& why)
{
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    isStopped_ = true;
  }
  this->note(
    why + "; nothing more is kept there, and what it does not hold is computed again: make room, "
          "or choose another cache folder");
}

bool DiskCache::isStopped()
{
  const std::lock_guard<std::mutex> lock(mutex_);
  return isStopped_;
}

//------------------------------------------------------------------------------
void DiskCache::dropDamaged(const std::string& name, const std::string& why)
{
  this->note("'" + (folder_->path() / name).string() + "' cannot be used (" + why +
             "); it is removed and computed again");
  folder_->remove(name);
}

void DiskCache::note(const std::string& text)
{
  const std::lock_guard<std::mutex> lock(mutex_);
  if (noted_.insert(text).second)
  {
    notes_.push_back(text);
  }
}

void DiskCache::flush()
{
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return jobs_.empty(); });
}

std::uint64_t DiskCache::bytes()
{
  const std::lock_guard<std::mutex> lock(mutex_);
  std::uint64_t bytes = rowsBytes_ + plan_.bytes();
  for (const auto& [index, size] : frames_)
  {
    bytes += size;
  }
  return bytes;
}

std::vector<std::string> DiskCache::takeNotes()
{
  const std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(notes_, {});
}

} // namespace lapilli
