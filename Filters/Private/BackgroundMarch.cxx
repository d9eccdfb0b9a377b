#include "BackgroundMarch.h"

#include "Run.h"

#include <utility>

namespace lapilli
{
namespace
{

class UntilStopped : public Monitor
{
public:
  explicit UntilStopped(const std::atomic<bool>& isStopping)
    : isStopping_(isStopping)
  {
  }
  bool onStep(double, std::int64_t) override { return !isStopping_; }

private:
  const std::atomic<bool>& isStopping_;
};

} // namespace

BackgroundMarch::~BackgroundMarch()
{
  this->stop();
}

void BackgroundMarch::start(Run& run, std::int64_t first, std::int64_t last)
{
  this->stop();
  run_ = &run;
  first_ = first;
  last_ = last;
  hasFirst_ = false;
  error_ = nullptr;
  isStopping_ = false;
  isRunning_ = true;
  thread_ = std::thread([this, &run, first, last] { this->march(run, first, last); });
}

void BackgroundMarch::stop()
{
  isStopping_ = true;
  if (thread_.joinable())
  {
    thread_.join();
  }
}

bool BackgroundMarch::leadsTo(std::int64_t index) const
{
  // The run's position tells nothing until the engine has been placed before the first frame.
  return isRunning_ && index <= last_ && (hasFirst_ ? run_->position() < index : index >= first_);
}

void BackgroundMarch::rethrowError()
{
  if (!isRunning_ && error_)
  {
    std::rethrow_exception(std::exchange(error_, nullptr));
  }
}

void BackgroundMarch::march(Run& run, std::int64_t first, std::int64_t last)
{
  try
  {
    UntilStopped monitor(isStopping_);
    run.frame(first, monitor);
    hasFirst_ = true;
    run.frame(last, monitor);
  }
  catch (const Cancelled&)
  {
    // as asked
  }
  catch (const Diverged&)
  {
    // the run keeps its sentence
  }
  catch (...)
  {
    error_ = std::current_exception();
  }
  isRunning_ = false;
}

} // namespace lapilli
