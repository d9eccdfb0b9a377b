/// @file
/// Loops of the setting up, which runs on the host whatever the backend.
///
///   forEachHostBlock(points, 1 << 16, [&](std::size_t begin, std::size_t end) { … });
///
/// Blocks do not depend on the number of threads: whoever writes one result a block, and joins them in
/// order, gets the same bits with any.
#pragma once

#include <cstddef>
#include <functional>

namespace lapilli
{

/// body(begin, end) for [0, size), [size, 2 size), … up to count, in any order and at the same time. What a
/// body throws is thrown here, once all have ended.
/// @param size > 0
void forEachHostBlock(
  std::size_t count, std::size_t size, const std::function<void(std::size_t, std::size_t)>& body);

/// body(i) for i = 0 … count - 1, in any order and at the same time, `size` of them in a block.
template <class Body>
void forEachOnHost(std::size_t count, std::size_t size, const Body& body)
{
  forEachHostBlock(count, size,
    [&](std::size_t begin, std::size_t end)
    {
      for (std::size_t i = begin; i < end; ++i)
      {
        body(i);
      }
    });
}

} // namespace lapilli
