// The host's sort of short keys against the standard library's, for every kind of keys.
#include "Parallel/RadixSort.h"
#include "Math/Random.h"
#include "Parallel/Executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

using namespace lapilli;
using namespace lapilli::cpu;

namespace
{

/// Around the borders at which the sort changes its way: insertion, digits, buckets, buckets of buckets.
const std::size_t kCounts[] = { 0, 1, 2, 3, 47, 48, 49, 2047, 2048, 2049, 8191, 8192, 8193, 32768,
  32769, 65537, 300007 };

struct Kind
{
  const char* name;
  std::function<std::uint32_t(RandomStream& random, std::size_t i)> key;
};

const Kind kKinds[] = {
  { "random", [](RandomStream& random, std::size_t) { return std::uint32_t(random.bits()); } },
  { "equal", [](RandomStream&, std::size_t) { return 0xfedcba98u; } },
  { "two", [](RandomStream& random, std::size_t) { return random.below(2) ? 5u : 7u; } },
  { "ends", [](RandomStream& random, std::size_t) { return random.below(2) ? 0u : 0xffffffffu; } },
  { "ascending", [](RandomStream&, std::size_t i) { return std::uint32_t(11 * i); } },
  { "descending", [](RandomStream&, std::size_t i) { return ~std::uint32_t(11 * i); } },
  { "highest bits",
    [](RandomStream& random, std::size_t) { return std::uint32_t(random.bits()) << 27; } },
  { "lowest bits",
    [](RandomStream& random, std::size_t) { return std::uint32_t(random.bits()) >> 27; } },
  { "one far off", [](RandomStream& random, std::size_t i)
    { return i == 1 ? 0x80000000u : std::uint32_t(random.below(1000)); } },
  { "crowded", [](RandomStream& random, std::size_t)
    { return std::uint32_t(random.bits()) >> random.below(32); } },
};

void expectSorted(const Kind& kind, std::size_t count, RadixSort& sort)
{
  RandomStream random(count, RandomStream::Positions);
  std::vector<std::uint32_t> keys(count);
  for (std::size_t i = 0; i < count; ++i)
    keys[i] = kind.key(random, i);
  std::vector<std::int32_t> order(count), sortedOrder(count);
  std::iota(order.begin(), order.end(), -7); // any values, negative ones too
  std::iota(sortedOrder.begin(), sortedOrder.end(), -7);
  std::stable_sort(sortedOrder.begin(), sortedOrder.end(),
    [&](std::int32_t a, std::int32_t b) { return keys[a + 7] < keys[b + 7]; });
  std::vector<std::uint32_t> sortedKeys = keys;
  std::stable_sort(sortedKeys.begin(), sortedKeys.end());
  sort(keys.data(), order.data(), count);
  EXPECT_TRUE(keys == sortedKeys) << kind.name << ", " << count;
  EXPECT_TRUE(order == sortedOrder) << kind.name << ", " << count;
}

} // namespace

TEST(RadixSortThreads, SortLikeTheStandardLibrary)
{
  for (const int threads : { 1, 2, 3, 7 })
  {
    const Executor executor(threads);
    const Executor::ThreadScope scope(executor);
    RadixSort sort;
    for (const Kind& kind : kKinds)
      for (const std::size_t count : kCounts)
        expectSorted(kind, count, sort);
  }
}

TEST(RadixSortThreads, MayBecomeMoreFromCallToCall)
{
  RadixSort sort;
  for (const int threads : { 1, 3, 2, 5 })
  {
    const Executor executor(threads);
    const Executor::ThreadScope scope(executor);
    expectSorted(kKinds[0], 100003, sort);
  }
}

TEST(RadixSort, KeepsItsMemory)
{
  RadixSort sort;
  EXPECT_EQ(sort.bytes(), 0);
  expectSorted(kKinds[0], 100003, sort);
  const double bytes = sort.bytes();
  EXPECT_GE(bytes, 100003 * 16.0);
  expectSorted(kKinds[0], 100003, sort);
  expectSorted(kKinds[0], 50, sort);
  EXPECT_EQ(sort.bytes(), bytes);
}

TEST(ExecutorThreads, SortShortKeysLikeTheStandardLibrary)
{
  for (const int threads : { 1, 2, 3 })
  {
    const Executor executor(threads);
    const Executor::ThreadScope scope(executor);
    for (const int count : { 0, 1, 100, 100003 })
    {
      RandomStream random(8, RandomStream::Positions);
      std::vector<std::uint32_t> keys;
      for (int i = 0; i < count; ++i)
        keys.push_back(static_cast<std::uint32_t>(random.below(5000)) << 15);
      std::vector<Index> order(count);
      std::iota(order.begin(), order.end(), 0);
      Buffer<std::uint32_t> keyBuffer;
      keyBuffer.upload(keys);
      Buffer<Index> orderBuffer;
      orderBuffer.upload(order);
      executor.sortByKey("test.sort", keyBuffer, orderBuffer);
      std::stable_sort(
        order.begin(), order.end(), [&](Index a, Index b) { return keys[a] < keys[b]; });
      EXPECT_EQ(orderBuffer.download(), order) << count;
      std::sort(keys.begin(), keys.end());
      EXPECT_EQ(keyBuffer.download(), keys) << count;
    }
  }
}
