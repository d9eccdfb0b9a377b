#include "Run.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

namespace lapilli
{

Run::Run(RunDescription description, double frameInterval, const Digest& digest)
  : description_(std::move(description))
  , frameInterval_(frameInterval)
  , digest_(digest)
{
}

Run::~Run()
{
  try
  {
    this->keepFrontier();
  }
  catch (const std::exception&)
  {
    // Without memory for it, the run goes on from an earlier checkpoint.
  }
}

void Run::setDevice(const Device& device)
{
  if (device.kind == device_.kind && device.threads == device_.threads)
  {
    return;
  }
  this->releaseEngine();
  device_ = device;
}

void Run::setDisk(const std::string& folder, std::uint64_t limit)
{
  std::pair<std::string, std::uint64_t> settings(folder, limit);
  if (folder.empty() || limit == 0)
  {
    settings = {};
  }
  if (settings == diskSettings_)
  {
    return;
  }
  disk_.reset();
  diskSettings_ = settings;
  if (limit > 0 && !folder.empty())
  {
    constexpr std::size_t leastWaiting = std::size_t(16) << 20; // [bytes]
    disk_ = std::make_unique<DiskCache>(
      folder, limit, std::max(cache_.budget() / 4, leastWaiting), digest_);
    std::vector<Table> tables = disk_->takeTables();
    if (cache_.tables().empty())
    {
      cache_.adoptTables(std::move(tables));
    }
  }
}

void Run::setEnd(double time)
{
  if (description_.estimateMemory && (!end_ || time > *end_))
  {
    estimatedMemory_ = description_.estimateMemory(time);
    end_ = time;
  }
}

void Run::releaseEngine()
{
  this->keepFrontier();
  engine_.reset();
}

std::shared_ptr<const StoredFrame> Run::frame(std::int64_t index, Monitor& monitor)
{
  if (auto held = this->heldFrame(index))
  {
    return held;
  }
  if (lastGoodFrame_ && index > *lastGoodFrame_)
  {
    throw Diverged(divergence_);
  }
  this->placeEngineBefore(index);
  while (position_ < index)
  {
    try
    {
      engine_->advanceTo(this->time(position_ + 1), monitor);
    }
    catch (const Diverged& error)
    {
      lastGoodFrame_ = position_;
      divergence_ = error.what();
      engine_.reset();
      throw;
    }
    catch (const Cancelled&)
    {
      throw; // it stands at a whole step and goes on from there
    }
    catch (...)
    {
      engine_.reset(); // nothing it holds can be trusted
      throw;
    }
    ++position_;
    this->keepFrame();
  }
  return cache_.find(index);
}

/// From memory, else from disk; null if it is on neither.
std::shared_ptr<const StoredFrame> Run::heldFrame(std::int64_t index)
{
  if (auto held = cache_.find(index))
  {
    return held;
  }
  auto stored = disk_ ? disk_->frame(index, cache_.tables()) : nullptr;
  if (stored)
  {
    cache_.adopt(index, stored);
  }
  return stored;
}

std::int64_t Run::lastCheckpointBefore(std::int64_t index)
{
  const std::int64_t inMemory = cache_.checkpointAtOrBefore(index).index;
  return disk_ ? std::max(inMemory, disk_->checkpointAtOrBefore(index)) : inMemory;
}

/// The later one of those in memory and on disk.
StoredCheckpoint Run::checkpointAtOrBefore(std::int64_t index)
{
  StoredCheckpoint found = cache_.checkpointAtOrBefore(index);
  while (disk_ && disk_->checkpointAtOrBefore(index) > found.index)
  {
    const std::int64_t onDisk = disk_->checkpointAtOrBefore(index);
    if (SharedBytes state = disk_->checkpoint(onDisk))
    {
      return { onDisk, std::move(state), true };
    }
  }
  return found;
}

/// Whether marching on leads to the frame: nothing is ever marched backwards.
bool Run::engineCanReach(std::int64_t index) const
{
  return engine_ && position_ <= index && (position_ < index || this->engineStandsOnFrame());
}

/// False after a Cancelled between two frames.
bool Run::engineStandsOnFrame() const
{
  return std::abs(engine_->time() - this->time(position_)) <= 1e-9 * frameInterval_;
}

void Run::placeEngineBefore(std::int64_t index)
{
  if (this->engineCanReach(index) && position_ >= this->lastCheckpointBefore(index))
  {
    if (position_ == index)
    {
      this->keepFrame(); // it stands there, only the frame has been evicted
    }
    return;
  }

  this->keepFrontier();
  const StoredCheckpoint checkpoint = this->checkpointAtOrBefore(index);
  std::unique_ptr<Simulation> engine = std::move(engine_); // lost if anything below throws
  if (!engine || checkpoint.index < 0)
  {
    engine.reset(); // two at a time might not fit
    engine = description_.create(device_);
    position_ = 0;
  }
  if (checkpoint.index >= 0)
  {
    MemorySource source(*checkpoint.bytes);
    CheckpointReader reader(source);
    try
    {
      engine->restore(reader);
    }
    catch (const InvalidInput& error)
    {
      if (!checkpoint.isFromDisk)
      {
        throw;
      }
      disk_->dropCheckpoint(checkpoint.index, error.what());
      return this->placeEngineBefore(index);
    }
    position_ = checkpoint.index;
  }
  engine_ = std::move(engine);
  this->keepFrame();
}

/// Called where the engine stands exactly at frame position_.
void Run::keepFrame()
{
  StoredFrame stored;
  engine_->read(stored.frame);
  stored.report = engine_->report();
  auto shared = cache_.store(position_, std::move(stored));
  if (disk_)
  {
    disk_->keepFrame(position_, std::move(shared), cache_.tables());
  }
  const bool inMemory = cache_.wantsCheckpoint(position_);
  const bool onDisk = disk_ && disk_->wantsCheckpoint(position_);
  if (inMemory || onDisk)
  {
    const SharedBytes state = this->savedState();
    if (inMemory)
    {
      cache_.storeCheckpoint(position_, state);
    }
    if (onDisk)
    {
      disk_->keepCheckpoint(position_, state);
    }
  }
}

void Run::keepFrontier()
{
  if (!engine_ || !this->engineStandsOnFrame())
  {
    return;
  }
  const bool inMemory = cache_.checkpointAtOrBefore(position_).index != position_;
  const bool onDisk = disk_ && disk_->wantsFrontier(position_);
  if (inMemory || onDisk)
  {
    const SharedBytes state = this->savedState();
    cache_.storeFrontier(position_, state);
    if (onDisk)
    {
      disk_->keepFrontier(position_, state);
    }
  }
}

SharedBytes Run::savedState() const
{
  MemorySink sink;
  CheckpointWriter writer(sink);
  engine_->save(writer);
  return std::make_shared<const Bytes>(std::move(sink.bytes));
}

} // namespace lapilli
