#include "Parallel/HostLoop.h"

#include <algorithm>
#include <exception>

namespace lapilli
{

void forEachHostBlock(
  std::size_t count, std::size_t size, const std::function<void(std::size_t, std::size_t)>& body)
{
  const auto blocks = static_cast<std::ptrdiff_t>((count + size - 1) / size);
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic) if (blocks > 1)
  for (std::ptrdiff_t block = 0; block < blocks; ++block)
  {
    try
    {
      const std::size_t begin = static_cast<std::size_t>(block) * size;
      body(begin, std::min(count, begin + size));
    }
    catch (...)
    {
#pragma omp critical(lapilli_host_loop)
      failure = failure ? failure : std::current_exception();
    }
  }
  if (failure)
  {
    std::rethrow_exception(failure);
  }
}

} // namespace lapilli
