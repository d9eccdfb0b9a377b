/// @file
/// Stable sort of 32-bit keys with 32-bit values on the host.
///
///   RadixSort sort;
///   sort(keys, values, count);
///
/// What costs are the bytes that go through memory. Pairs are dealt once into buckets by the highest bits
/// in which their keys differ, through lines that are written whole; a bucket then fits a core's own
/// cache, where one thread sorts it digit by digit. A bucket that does not fit is dealt again by all.
/// Memory is kept from call to call. The result does not depend on the number of threads: a stable
/// order is unique.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace lapilli
{

class RadixSort
{
public:
  /// Sorts the keys and carries the values along; equal keys keep their order.
  /// @throws std::bad_alloc
  void operator()(std::uint32_t* keys, std::int32_t* values, std::size_t count);

  double bytes() const { return static_cast<double>(capacity_); }

private:
  struct Free
  {
    void operator()(void* memory) const { std::free(memory); }
  };

  std::unique_ptr<unsigned char, Free> memory_;
  std::size_t capacity_ = 0; ///< [bytes]
};

} // namespace lapilli
