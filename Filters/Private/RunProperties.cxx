#include "RunProperties.h"

#include "Error.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace lapilli
{
namespace
{

double bytes(double megabytes)
{
  return std::min(megabytes, 1e9) * 1e6;
}

template <class... Parts>
std::string sentence(const Parts&... parts)
{
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

} // namespace

void RunProperties::validate() const
{
  if (!(std::isfinite(grid.end) && grid.end >= 0))
  {
    throw InvalidInput(sentence("end time is ", grid.end,
      " s; it must be a number >= 0: choose when the run ends, in seconds"));
  }
  if (!(std::isfinite(grid.interval) && grid.interval > 0))
  {
    throw InvalidInput(sentence("frame interval is ", grid.interval,
      " s; it must be a number > 0: choose the time between two frames, in seconds"));
  }
  if (grid.end / grid.interval > FrameGrid::greatestCount)
  {
    throw InvalidInput(sentence("end time over frame interval is ", grid.end / grid.interval,
      " frames; it must be at most ", FrameGrid::greatestCount,
      ": choose a longer frame interval or an earlier end time"));
  }
  if (!(cacheBudget >= 0))
  {
    throw InvalidInput(sentence("cache budget is ", cacheBudget,
      " MB; it must be >= 0: choose how much memory the frames may take"));
  }
  if (!(cacheFolderLimit >= 0))
  {
    throw InvalidInput(sentence("cache folder limit is ", cacheFolderLimit,
      " MB; it must be >= 0: choose how much disk space the frames of all runs may take"));
  }
  if (device < static_cast<int>(DeviceKind::Auto) || device > static_cast<int>(DeviceKind::Cuda))
  {
    throw InvalidInput(
      sentence("device is ", device, "; it must be 0 (automatic), 1 (CPU) or 2 (CUDA)"));
  }
  if (threads < 0 || threads > 1024)
  {
    throw InvalidInput(sentence(
      "threads is ", threads, "; it must lie in [0, 1024]: 0 takes as many as the machine offers"));
  }
}

std::size_t RunProperties::budget() const
{
  return static_cast<std::size_t>(bytes(cacheBudget));
}

RunSettings RunProperties::settings() const
{
  return { { static_cast<DeviceKind>(device), threads },
    cacheFolder.empty() ? usualCacheFolder() : homeExpanded(cacheFolder),
    static_cast<std::uint64_t>(bytes(cacheFolderLimit)) };
}

std::string RunProperties::processor() const
{
  const CudaAvailability cuda = cudaAvailability();
  const auto kind = static_cast<DeviceKind>(device);
  const bool isGpu = kind == DeviceKind::Cuda || (kind == DeviceKind::Auto && cuda.usable);
  return isGpu ? cuda.reason : "CPU";
}

} // namespace lapilli
