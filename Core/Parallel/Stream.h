/// @file
/// The one stream of the CUDA backend. All work and all memory is taken and given back in its order: what is
/// freed may at once be given to whatever comes behind, and nobody waits but a host that reads a result.
#pragma once

#if defined(__CUDACC__)
#include "Parallel/Buffer.h"

#include <cuda_runtime_api.h>

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// @throws BackendError that says what failed and why
void checkCuda(cudaError_t status, const char* what);

/// @throws BackendError if the device does not answer
cudaStream_t stream();

/// Until all that is in the stream has been done. What failed on its way there is told here: a launch returns before it
/// is carried out.
/// @throws BackendError
void waitForStream(const char* what);

} // namespace LAPILLI_BACKEND
} // namespace lapilli
#endif
