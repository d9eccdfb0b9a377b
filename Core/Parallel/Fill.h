/// @file
/// One value for all elements, as a kernel.
#pragma once

#include "Parallel/Buffer.h"
#include "Parallel/HostDevice.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// Writes values.
template <class T>
struct Fill
{
  T* values;
  T value;
  HOST_DEVICE void operator()(Index i) const { values[i] = value; }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
