/// @file
/// Brings an array into another order, and back into its place.
#pragma once

#include "Parallel/Buffer.h"
#include "Parallel/HostDevice.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// Reads source[order[i]], writes target[i].
template <class T>
struct Gather
{
  const Index* order;
  const T* source;
  T* target;
  HOST_DEVICE void operator()(Index i) const { target[i] = source[order[i]]; }
};

/// Reads source[i], writes target[i].
template <class T>
struct Copy
{
  const T* source;
  T* target;
  HOST_DEVICE void operator()(Index i) const { target[i] = source[i]; }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
