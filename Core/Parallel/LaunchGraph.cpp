#include "Parallel/LaunchGraph.h"

#include "Parallel/Stream.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

#if defined(__CUDACC__)

LaunchGraph::~LaunchGraph()
{
  if (graph_ != nullptr)
    cudaGraphExecDestroy(graph_);
}

bool LaunchGraph::begin()
{
  const bool hasBegun =
    cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal) == cudaSuccess;
  if (!hasBegun)
    cudaGetLastError(); // or the next launch would report it
  return hasBegun;
}

bool LaunchGraph::end(bool keeps)
{
  cudaGraph_t recorded = nullptr;
  bool isReady = cudaStreamEndCapture(stream(), &recorded) == cudaSuccess && keeps;
  if (isReady && graph_ != nullptr)
  {
    // The same kernels with other arguments take the place of the former.
    cudaGraphExecUpdateResultInfo what{};
    if (cudaGraphExecUpdate(graph_, recorded, &what) != cudaSuccess)
    {
      cudaGraphExecDestroy(graph_);
      graph_ = nullptr;
    }
  }
  if (isReady && graph_ == nullptr)
    isReady = cudaGraphInstantiate(&graph_, recorded, 0) == cudaSuccess;
  if (recorded != nullptr)
    cudaGraphDestroy(recorded);
  cudaGetLastError(); // or the next launch would report it
  return isReady;
}

void LaunchGraph::launch() const
{
  checkCuda(cudaGraphLaunch(graph_, stream()), "launch of a graph");
}

#else

LaunchGraph::~LaunchGraph() = default;

bool LaunchGraph::begin()
{
  return false;
}
bool LaunchGraph::end(bool)
{
  return false;
}
void LaunchGraph::launch() const {}

#endif

} // namespace LAPILLI_BACKEND
} // namespace lapilli
