#include "Run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <utility>

namespace lapilli
{
namespace
{

using Lock = std::lock_guard<std::mutex>;

constexpr double newestShare = 0.3; // of the newest frame in the pace

double secondsNow()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

bool RunSettings::operator==(const RunSettings& other) const
{
  return device.kind == other.device.kind && device.threads == other.device.threads &&
         folder == other.folder && limit == other.limit;
}

Run::Run(RunDescription description, double frameInterval, const Digest& digest)
  : description_(std::move(description))
  , frameInterval_(frameInterval)
  , digest_(digest)
{
}

Run::~Run()
{
  this->leaveFrontier();
}

/// Without memory for it, the run goes on from an earlier checkpoint.
void Run::leaveFrontier() noexcept
{
  try
  {
    this->keepFrontier();
  }
  catch (const std::exception&)
  {
  }
}

void Run::use(const RunSettings& settings)
{
  if (settings == settings_)
  {
    return;
  }
  const bool isOtherDevice = settings.device.kind != settings_.device.kind ||
                             settings.device.threads != settings_.device.threads;
  const bool isOtherDisk = settings.folder != settings_.folder || settings.limit != settings_.limit;
  if (isOtherDevice)
  {
    this->releaseEngine();
  }
  settings_ = settings;
  if (isOtherDisk)
  {
    this->openDisk();
  }
}

void Run::openDisk()
{
  disk_.reset();
  if (settings_.limit == 0 || settings_.folder.empty())
  {
    return;
  }
  constexpr std::size_t leastWaiting = std::size_t(16) << 20; // [bytes]
  const Lock lock(mutex_);
  disk_ = std::make_unique<DiskCache>(
    settings_.folder, settings_.limit, std::max(cache_.budget() / 4, leastWaiting), digest_);
  std::vector<Table> tables = disk_->takeTables();
  if (cache_.tables().empty())
  {
    cache_.adoptTables(std::move(tables));
  }
}

void Run::setEnd(double time)
{
  if (description_.estimate && (!end_ || time > *end_))
  {
    estimate_ = description_.estimate(time);
    end_ = time;
  }
}

void Run::flush() noexcept
{
  this->leaveFrontier();
  if (disk_)
  {
    disk_->flush();
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
  if (const auto last = this->lastGoodFrame(); last && index > *last)
  {
    throw Diverged(this->divergence());
  }
  std::shared_ptr<const StoredFrame> newest = this->placeEngineBefore(index);
  while (position_ < index)
  {
    const double start = secondsNow();
    try
    {
      engine_->advanceTo(this->time(position_ + 1), monitor);
    }
    catch (const Diverged& error)
    {
      engine_.reset();
      const Lock lock(mutex_);
      lastGoodFrame_ = position_;
      divergence_ = error.what();
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
    newest = this->keepFrame();
    const double took = secondsNow() - start;
    pace_ = pace_ > 0 ? (1 - newestShare) * pace_ + newestShare * took : took;
  }
  return newest;
}

std::shared_ptr<const StoredFrame> Run::heldFrame(std::int64_t index)
{
  const Lock lock(mutex_);
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

std::pair<std::int64_t, std::shared_ptr<const StoredFrame>> Run::lastFrameAtOrBefore(
  std::int64_t index)
{
  const Lock lock(mutex_);
  const std::int64_t held = cache_.atOrBefore(index);
  return { held, held < 0 ? nullptr : cache_.find(held) };
}

std::int64_t Run::lastCheckpointBefore(std::int64_t index)
{
  const Lock lock(mutex_);
  const std::int64_t inMemory = cache_.checkpointAtOrBefore(index).index;
  return disk_ ? std::max(inMemory, disk_->checkpointAtOrBefore(index)) : inMemory;
}

/// The later one of those in memory and on disk.
StoredCheckpoint Run::checkpointAtOrBefore(std::int64_t index)
{
  StoredCheckpoint found;
  {
    const Lock lock(mutex_);
    found = cache_.checkpointAtOrBefore(index);
  }
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

/// @return the frame at which it stands, if it has been kept just now
std::shared_ptr<const StoredFrame> Run::placeEngineBefore(std::int64_t index)
{
  if (this->engineCanReach(index) && position_ >= this->lastCheckpointBefore(index))
  {
    // Where it stands there, only the frame has been evicted.
    return position_ == index ? this->keepFrame() : nullptr;
  }

  this->keepFrontier();
  const StoredCheckpoint checkpoint = this->checkpointAtOrBefore(index);
  std::unique_ptr<Simulation> engine = std::move(engine_); // lost if anything below throws
  if (!engine || checkpoint.index < 0)
  {
    engine.reset(); // two at a time might not fit
    engine = description_.create(settings_.device);
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
  return this->keepFrame();
}

/// Called where the engine stands exactly at frame position_.
std::shared_ptr<const StoredFrame> Run::keepFrame()
{
  StoredFrame stored;
  engine_->read(stored.frame);
  stored.report = engine_->report();
  std::shared_ptr<const StoredFrame> shared;
  bool inMemory = false;
  {
    const Lock lock(mutex_);
    shared = cache_.store(position_, std::move(stored));
    if (disk_)
    {
      disk_->keepFrame(position_, shared, cache_.tables());
    }
    inMemory = cache_.wantsCheckpoint(position_);
  }
  const bool onDisk = disk_ && disk_->wantsCheckpoint(position_);
  if (inMemory || onDisk)
  {
    const SharedBytes state = this->savedState();
    if (inMemory)
    {
      const Lock lock(mutex_);
      cache_.storeCheckpoint(position_, state);
    }
    if (onDisk)
    {
      disk_->keepCheckpoint(position_, state);
    }
  }
  return shared;
}

void Run::keepFrontier()
{
  if (!engine_ || !this->engineStandsOnFrame())
  {
    return;
  }
  bool inMemory = false;
  {
    const Lock lock(mutex_);
    inMemory = cache_.checkpointAtOrBefore(position_).index != position_;
  }
  const bool onDisk = disk_ && disk_->wantsFrontier(position_);
  if (inMemory || onDisk)
  {
    const SharedBytes state = this->savedState();
    {
      const Lock lock(mutex_);
      cache_.storeFrontier(position_, state);
    }
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

//------------------------------------------------------------------------------
void Run::setBudget(std::size_t bytes)
{
  const Lock lock(mutex_);
  cache_.setBudget(bytes);
}

bool Run::holds(std::int64_t index) const
{
  const Lock lock(mutex_);
  return cache_.atOrBefore(index) == index || (disk_ && disk_->holds(index));
}

std::int64_t Run::lastHeld() const
{
  const Lock lock(mutex_);
  const std::int64_t inMemory = cache_.atOrBefore(std::numeric_limits<std::int64_t>::max());
  return disk_ ? std::max(inMemory, disk_->lastFrame()) : inMemory;
}

Table Run::table(std::size_t number) const
{
  const Lock lock(mutex_);
  return cache_.table(number);
}

std::optional<std::int64_t> Run::lastGoodFrame() const
{
  const Lock lock(mutex_);
  return lastGoodFrame_;
}

std::string Run::divergence() const
{
  const Lock lock(mutex_);
  return divergence_;
}

bool Run::keepsAllUntil(std::int64_t index) const
{
  const Lock lock(mutex_);
  const double frames = std::max<double>(1, static_cast<double>(cache_.frameCount()));
  const double each = static_cast<double>(cache_.bytes()) / frames;
  return disk_ || each * static_cast<double>(index + 1) <= static_cast<double>(cache_.budget());
}

std::size_t Run::bytes() const
{
  const Lock lock(mutex_);
  return cache_.bytes();
}

std::uint64_t Run::diskBytes() const
{
  return disk_ ? disk_->bytes() : 0;
}

std::vector<std::string> Run::takeDiskNotes()
{
  return disk_ ? disk_->takeNotes() : std::vector<std::string>();
}

} // namespace lapilli
