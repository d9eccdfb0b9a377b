/// @file
/// Large arrays on large pages: the first touch of an array of hundreds of megabytes otherwise costs as much as
/// the work on it.
///
///   resizeLarge(triangles, 60000000);
#pragma once

#include <cstddef>
#include <vector>

namespace lapilli
{

/// Asks the system for large pages where the memory has not been touched yet. Nothing happens for less than some
/// of them, and where there are none (Linux has them).
void preferLargePages(void* memory, std::size_t bytes) noexcept;

/// What reserve() does.
template <class T>
void reserveLarge(std::vector<T>& values, std::size_t count)
{
  if (count > values.capacity())
  {
    values.reserve(count);
    preferLargePages(values.data() + values.size(), (count - values.size()) * sizeof(T));
  }
}

/// What resize() does.
template <class T>
void resizeLarge(std::vector<T>& values, std::size_t count)
{
  reserveLarge(values, count);
  values.resize(count);
}

} // namespace lapilli
