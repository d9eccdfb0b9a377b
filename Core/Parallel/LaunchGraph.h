/// @file
/// A sequence of launches as one: a graph of CUDA, recorded once and launched again as long as kernels, memory and
/// counts are the same.
///
/// A launch costs the host some microseconds, a graph of a hundred launches hardly more than one. So it pays where
/// kernels are done faster than the host launches them: up to some ten thousand particles. With very many particles
/// it costs nothing.
#pragma once

#include "Error.h"
#include "Parallel/Buffer.h"

#if defined(__CUDACC__)
#include <cuda_runtime_api.h>
#endif

namespace lapilli
{
namespace LAPILLI_BACKEND
{

class LaunchGraph
{
public:
  LaunchGraph() = default;
  ~LaunchGraph();
  LaunchGraph(const LaunchGraph&) = delete;
  LaunchGraph& operator=(const LaunchGraph&) = delete;

  /// Takes the launches of enqueue() instead of what was recorded before; nothing is carried out. There are none on the
  /// host itself.
  /// @return whether it could; not if enqueue() waits for a result or takes memory
  template <class Enqueue>
  bool record(const Enqueue& enqueue)
  {
    if (!begin())
      return false;
    const std::int64_t before = allocations();
    bool isWhole = true;
    try
    {
      enqueue();
    }
    catch (const BackendError&)
    {
      isWhole = false; // done plainly it will tell why, if that is not the recording
    }
    catch (...)
    {
      end(false);
      throw;
    }
    return end(isWhole && allocations() == before);
  }

  /// Enqueues what was recorded. @throws BackendError
  void launch() const;

private:
  bool begin();
  bool end(bool keeps);

#if defined(__CUDACC__)
  cudaGraphExec_t graph_ = nullptr;
#endif
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
