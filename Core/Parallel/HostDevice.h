/// @file
/// Marks a function that runs on the host and, in a CUDA build, on the device.
#pragma once

#if defined(__CUDACC__)
#define HOST_DEVICE __host__ __device__
#else
#define HOST_DEVICE
#endif
