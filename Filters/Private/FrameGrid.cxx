#include "FrameGrid.h"

#include <cmath>

namespace lapilli
{

std::int64_t FrameGrid::last() const
{
  const double intervals = std::floor(end / interval + 1e-9);
  return intervals > 0 && intervals <= greatestCount ? static_cast<std::int64_t>(intervals) : 0;
}

std::int64_t FrameGrid::at(double time) const
{
  const std::int64_t lastFrame = this->last();
  const double index = std::floor(time / interval + 1e-9);
  if (!(index > 0)) // also not a number
  {
    return 0;
  }
  return index < static_cast<double>(lastFrame) ? static_cast<std::int64_t>(index) : lastFrame;
}

std::vector<double> FrameGrid::times() const
{
  std::vector<double> all(static_cast<std::size_t>(this->last()) + 1);
  for (std::size_t i = 1; i < all.size(); ++i)
  {
    all[i] = this->time(static_cast<std::int64_t>(i));
  }
  return all;
}

} // namespace lapilli
