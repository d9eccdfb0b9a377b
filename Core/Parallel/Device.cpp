#include "Device.h"

#include "FreeMemory.h"

#include <fstream>
#include <string>
#include <unistd.h>

#if defined(LAPILLI_WITH_CUDA)
#include <cuda_runtime_api.h>
#endif

namespace lapilli
{

CudaAvailability cudaAvailability()
{
#if defined(LAPILLI_WITH_CUDA)
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess)
    return { false,
      std::string("no CUDA device can be used (") + cudaGetErrorString(status) + ")" };
  if (count == 0)
    return { false, "this machine has no CUDA device" };
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess)
    return { false, "the CUDA device does not answer" };
  return { true, properties.name };
#else
  return { false, "this build has no CUDA backend" };
#endif
}

double availableMemory()
{
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  double kilobytes = 0;
  while (file >> name >> kilobytes)
  {
    if (name == "MemAvailable:")
      return 1024 * kilobytes;
    std::getline(file, unit);
  }
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

} // namespace lapilli
