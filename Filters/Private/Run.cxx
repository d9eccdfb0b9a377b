#include "Run.h"

#include <cmath>
#include <utility>

namespace lapilli
{

Run::Run(RunDescription description, double frameInterval)
  : description_(std::move(description))
  , frameInterval_(frameInterval)
{
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

void Run::releaseEngine()
{
  this->keepFrontier();
  engine_.reset();
}

std::shared_ptr<const StoredFrame> Run::frame(std::int64_t index, Monitor& monitor)
{
  if (auto held = cache_.find(index))
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
  const StoredCheckpoint checkpoint = cache_.checkpointAtOrBefore(index);
  if (this->engineCanReach(index) && position_ >= checkpoint.index)
  {
    if (position_ == index)
    {
      this->keepFrame(); // it stands there, only the frame has been evicted
    }
    return;
  }

  this->keepFrontier();
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
    engine->restore(reader);
    position_ = checkpoint.index;
  }
  engine_ = std::move(engine);
  if (!estimatedMemory_)
  {
    estimatedMemory_ = description_.estimateMemory ? description_.estimateMemory() : 0;
  }
  this->keepFrame();
}

/// Called where the engine stands exactly at frame position_.
void Run::keepFrame()
{
  StoredFrame stored;
  engine_->read(stored.frame);
  stored.report = engine_->report();
  cache_.store(position_, std::move(stored));
  if (cache_.wantsCheckpoint(position_))
  {
    cache_.storeCheckpoint(position_, this->savedState());
  }
}

void Run::keepFrontier()
{
  if (engine_ && this->engineStandsOnFrame() &&
      cache_.checkpointAtOrBefore(position_).index != position_)
  {
    cache_.storeFrontier(position_, this->savedState());
  }
}

std::vector<std::uint8_t> Run::savedState() const
{
  MemorySink sink;
  CheckpointWriter writer(sink);
  engine_->save(writer);
  return std::move(sink.bytes);
}

} // namespace lapilli
