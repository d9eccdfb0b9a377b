#include "Parallel/CacheHints.h"

#include <fstream>

namespace lapilli
{
namespace
{

std::size_t askSystem()
{
  // Not sysconf(), which adds up those of a whole machine. The size reads "32768K".
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
  std::size_t size = 0;
  char unit = 0;
  if (!(file >> size >> unit) || size == 0 || (unit != 'K' && unit != 'M'))
    return std::size_t(32) << 20; // as many have
  return size << (unit == 'K' ? 10 : 20);
}

} // namespace

std::size_t lastCacheBytes()
{
  static const std::size_t bytes = askSystem();
  return bytes;
}

} // namespace lapilli
