#include "LiveView.h"

#include "Run.h"

#include <utility>

namespace lapilli
{
namespace
{

constexpr auto pause = std::chrono::milliseconds(250); // between two pictures

} // namespace

std::optional<LiveView::Newest> LiveView::show(Run& run, std::int64_t index, std::int64_t last)
{
  const bool isSameAgain =
    index == std::exchange(askedFor_, -1) && Clock::now() - answeredAt_ < pause; // other ports
  const bool mayRunAhead = run.keepsAllUntil(last);
  const std::optional<std::int64_t> lastGood = run.lastGoodFrame();
  auto frame = run.heldFrame(index);
  if (!frame && lastGood && index > *lastGood)
  {
    march_.stop();
    return std::nullopt;
  }
  march_.rethrowError();
  if (frame)
  {
    if (mayRunAhead && !lastGood && !march_.isRunning() && !run.holds(last))
    {
      march_.start(run, last, last);
    }
    return Newest(index, std::move(frame));
  }
  if (!std::exchange(isWatched_, false) && !isSameAgain)
  {
    march_.stop();
    return std::nullopt;
  }
  if (!march_.leadsTo(index))
  {
    march_.start(run, index, mayRunAhead ? last : index);
  }
  Newest newest = run.lastFrameAtOrBefore(index);
  if (!newest.second)
  {
    march_.stop();
    return std::nullopt;
  }
  askedFor_ = index;
  shown_ = newest.first;
  answeredAt_ = Clock::now();
  return newest;
}

bool LiveView::hasMore(Run* run)
{
  isWatched_ = true;
  if (!run || askedFor_ < 0 || Clock::now() - toldAt_ < pause)
  {
    return false;
  }
  if (march_.isRunning() && run->lastFrameAtOrBefore(askedFor_).first <= shown_)
  {
    return false;
  }
  toldAt_ = Clock::now();
  return true;
}

} // namespace lapilli
