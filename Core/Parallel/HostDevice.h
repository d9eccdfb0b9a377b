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

/// How many floats a vector of the processor holds, as far as kernels use them; 1 for CUDA's threads.
#if defined(__CUDACC__)
#define LAPILLI_LANES 1
#elif defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define LAPILLI_LANES 16
#elif defined(__AVX2__) && defined(__FMA__)
#define LAPILLI_LANES 8
#else
#define LAPILLI_LANES 1
#endif

namespace lapilli
{

/// Elements that should lie side by side in memory: a warp of CUDA, or the widest vector. And of these, how many a
/// call of a kernel should take.
#if defined(__CUDACC__)
constexpr int kLanesSideBySide = 32;
constexpr int kLanesPerCall = 1;
#else
constexpr int kLanesSideBySide = 16;
constexpr int kLanesPerCall = kLanesSideBySide;
#endif

} // namespace lapilli
