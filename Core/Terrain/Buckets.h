/// @file
/// Numbers sorted into few buckets by all threads: count, scan, fill.
#pragma once

#include "LargePages.h"
#include "Parallel/HostLoop.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lapilli
{

/// Items 0 … n-1: those of bucket b are order[begin[b]] … order[begin[b + 1] - 1], ascending.
class Buckets
{
public:
  /// @param buckets  at most some thousands: each is a place that is written to at the same time
  /// @param bucketOf of an item, in [0, buckets); asked twice
  template <class BucketOf>
  Buckets(std::size_t items, std::size_t buckets, const BucketOf& bucketOf)
    : begin(buckets + 1, 0)
  {
    resizeLarge(order, items);
    constexpr std::size_t mostParts = 64;
    const std::size_t part = std::max<std::size_t>(1 << 14, (items + mostParts - 1) / mostParts);
    const std::size_t parts = (items + part - 1) / part;
    std::vector<std::uint32_t> place(parts * buckets, 0); // per part and bucket: count, then next
    forEachHostBlock(items, part,
      [&](std::size_t first, std::size_t last)
      {
        std::uint32_t* count = &place[first / part * buckets];
        for (std::size_t i = first; i < last; ++i)
        {
          ++count[bucketOf(i)];
        }
      });
    std::uint32_t sum = 0;
    for (std::size_t b = 0; b < buckets; ++b)
    {
      for (std::size_t p = 0; p < parts; ++p)
      {
        const std::uint32_t count = place[p * buckets + b];
        place[p * buckets + b] = sum;
        sum += count;
      }
      begin[b + 1] = sum;
    }
    forEachHostBlock(items, part,
      [&](std::size_t first, std::size_t last)
      {
        std::uint32_t* next = &place[first / part * buckets];
        for (std::size_t i = first; i < last; ++i)
        {
          order[next[bucketOf(i)]++] = static_cast<std::uint32_t>(i);
        }
      });
  }

  std::size_t count() const { return begin.size() - 1; }

  std::vector<std::uint32_t> begin, order;
};

} // namespace lapilli
