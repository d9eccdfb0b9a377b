/// @file
/// Sort in place by one thread, without recursion, for kernels.
#pragma once

#include "Parallel/HostDevice.h"

namespace lapilli
{

/// Sorts `count` elements (Williams, Commun. ACM 7 (1964) 347-348). Equal elements lose their order.
template <class T, class Size, class IsLess>
HOST_DEVICE void heapSort(T* elements, Size count, const IsLess& isLess)
{
  const auto sink = [&](Size place, Size end)
  {
    const T moving = elements[place];
    for (Size child = 2 * place + 1; child < end; child = 2 * place + 1)
    {
      if (child + 1 < end && isLess(elements[child], elements[child + 1]))
        ++child;
      if (!isLess(moving, elements[child]))
        break;
      elements[place] = elements[child];
      place = child;
    }
    elements[place] = moving;
  };
  for (Size place = count / 2; place-- > 0;)
    sink(place, count);
  for (Size end = count; end-- > 1;)
  {
    const T largest = elements[0];
    elements[0] = elements[end];
    elements[end] = largest;
    sink(0, end);
  }
}

} // namespace lapilli
