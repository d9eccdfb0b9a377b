/// @file
/// Marks a function that runs on the host and, in a CUDA build, on the device.
#pragma once

#if defined(__CUDACC__)
#define HOST_DEVICE __host__ __device__
#else
#define HOST_DEVICE
#endif

/// Marks a kernel that the compiler shall make one piece with all it calls, so that lanes stay in registers.
#if defined(__GNUC__) && !defined(__CUDACC__)
#define ONE_PIECE __attribute__((flatten))
#else
#define ONE_PIECE
#endif
