/// @file
/// Where a simulation runs.
#pragma once

#include <string>

namespace lapilli
{

enum class DeviceKind
{
  Auto, ///< CUDA where a device can be used, else the CPU with one line in the report
  Cpu,  ///< OpenMP threads
  Cuda  ///< an NVIDIA device; an error that says why if there is none
};

struct Device
{
  DeviceKind kind = DeviceKind::Auto;
  int threads = 0; ///< OpenMP threads on the CPU; 0 = as many as OpenMP would take; range [0, 1024]
};

/// Whether a CUDA device can be used by this build on this machine.
struct CudaAvailability
{
  bool usable = false;
  std::string reason; ///< name of the device, or a sentence why there is none
};

CudaAvailability cudaAvailability();

/// A name for the sources of this engine and the way they were compiled: only where it is the same does
/// a run that another process has left go on with the same bits.
const char* engineIdentity();

} // namespace lapilli
