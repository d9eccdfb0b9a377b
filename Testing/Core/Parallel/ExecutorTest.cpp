// The door to Thrust: loops, sums, maxima, scans and sorts, for every length and number of threads.
#include "Parallel/Executor.h"
#include "Math/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

using namespace lapilli;
using namespace lapilli::cpu;

namespace
{

const int kLengths[] = { 0, 1, 2, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 5000, 100003 };

struct CountVisit
{
  int* visits;
  void operator()(Index i) const { ++visits[i]; }
};

struct Value
{
  const double* values;
  double operator()(Index i) const { return values[i]; }
};

struct FloatValue
{
  const float* values;
  float operator()(Index i) const { return values[i]; }
};

struct Throw
{
  void operator()(Index i) const
  {
    if (i == 3)
      throw std::runtime_error("of its own");
  }
};

std::vector<double> randomValues(int count)
{
  RandomStream random(5, RandomStream::Positions);
  std::vector<double> values;
  for (int i = 0; i < count; ++i)
    values.push_back(random.normal() * std::pow(10, random.uniform(-8, 8)));
  return values;
}

} // namespace

TEST(ExecutorThreads, VisitEveryIndexOnce)
{
  for (const int threads : { 1, 2, 3 })
  {
    const Executor executor(threads);
    const Executor::ThreadScope scope(executor);
    for (const int length : kLengths)
    {
      std::vector<int> visits(length + 1, 0);
      executor.forEach("test.countVisit", length, CountVisit{ visits.data() });
      EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), length) << threads;
      EXPECT_EQ(visits.back(), 0);
    }
  }
}

TEST(ExecutorThreads, AreAsManyAsAskedAndPutBack)
{
  const Executor outer(2), inner(3);
  EXPECT_EQ(Executor(1).deviceName(), "CPU, 1 thread");
  EXPECT_EQ(inner.deviceName(), "CPU, 3 threads");
  const Executor::ThreadScope scope(outer);
  {
    const Executor::ThreadScope within(inner);
    EXPECT_EQ(Executor(0).deviceName(), "CPU, 3 threads");
  }
  EXPECT_EQ(Executor(0).deviceName(), "CPU, 2 threads");
}

TEST(ExecutorThreads, DoNotChangeABitOfASum)
{
  for (const int length : kLengths)
  {
    const std::vector<double> values = randomValues(length);
    double sums[3];
    for (const int threads : { 1, 2, 3 })
    {
      const Executor executor(threads);
      const Executor::ThreadScope scope(executor);
      sums[threads - 1] = executor.sum<double>("test.sum", length, Value{ values.data() });
    }
    const double plain = std::accumulate(values.begin(), values.end(), 0.0);
    EXPECT_EQ(sums[1], sums[0]) << length;
    EXPECT_EQ(sums[2], sums[0]) << length;
    double scale = 1;
    for (const double value : values)
      scale += std::abs(value);
    EXPECT_NEAR(sums[0], plain, 1e-12 * scale) << length; // round-off of as many additions
  }
}

TEST(ExecutorThreads, FindTheLargest)
{
  for (const int threads : { 1, 3 })
  {
    const Executor executor(threads);
    const Executor::ThreadScope scope(executor);
    for (const int length : kLengths)
    {
      for (const int place : { 0, length / 2, length - 1 })
      {
        if (length == 0)
          continue;
        std::vector<float> values(length, 1.0f);
        values[place] = 7;
        EXPECT_EQ(executor.maximum("test.maximum", length, FloatValue{ values.data() }), 7)
          << length << " " << place;
        values[place] = INFINITY;
        EXPECT_EQ(executor.maximum("test.maximum", length, FloatValue{ values.data() }), INFINITY);
      }
    }
    EXPECT_EQ(executor.maximum("test.maximum", 0, FloatValue{ nullptr }), 0);
    const float negative = -1;
    EXPECT_LE(executor.maximum("test.maximum", 1, FloatValue{ &negative }), 0);
  }
}

TEST(ExecutorThreads, ScanAndSortLikeTheStandardLibrary)
{
  for (const int threads : { 1, 2, 3 })
  {
    const Executor executor(threads);
    const Executor::ThreadScope scope(executor);
    for (const int length : kLengths)
    {
      RandomStream random(6, RandomStream::Positions);
      std::vector<Index> counts, order(length);
      std::vector<std::uint64_t> keys;
      for (int i = 0; i < length; ++i)
      {
        counts.push_back(static_cast<Index>(random.below(50)));
        // Few distinct keys at both ends of the range: ties must keep their order.
        keys.push_back(random.below(2) ? random.below(20) : ~std::uint64_t(0) - random.below(3));
      }
      Buffer<Index> countBuffer;
      countBuffer.upload(counts);
      Buffer<Offset> offsets;
      const Offset total = executor.exclusiveScan("test.scan", countBuffer, offsets);
      const std::vector<Offset> scanned = offsets.download();
      ASSERT_EQ(scanned.size(), counts.size() + 1);
      Offset running = 0;
      for (int i = 0; i < length; ++i)
      {
        EXPECT_EQ(scanned[i], running);
        running += counts[i];
      }
      EXPECT_EQ(total, running);
      EXPECT_EQ(scanned.back(), running);

      std::iota(order.begin(), order.end(), 0);
      Buffer<std::uint64_t> keyBuffer;
      keyBuffer.upload(keys);
      Buffer<Index> orderBuffer;
      orderBuffer.upload(order);
      executor.sortByKey("test.sort", keyBuffer, orderBuffer);
      std::stable_sort(
        order.begin(), order.end(), [&](Index a, Index b) { return keys[a] < keys[b]; });
      EXPECT_EQ(orderBuffer.download(), order) << length;
    }
  }
}

TEST(Executor, ScanOutgrowsTheTypeOfItsCounts)
{
  const Executor executor(1);
  Buffer<Index> counts;
  counts.upload({ 2000000000, 2000000000, 2000000000 });
  Buffer<Offset> offsets;
  EXPECT_EQ(executor.exclusiveScan("test.scan", counts, offsets), 6000000000);
}

TEST(Executor, NamesTheLaunchThatFails)
{
  const Executor executor(1);
  try
  {
    executor.forEach("test.throw", 5, Throw{});
    FAIL() << "threw nothing";
  }
  catch (const BackendError& error)
  {
    EXPECT_STREQ(error.what(), "test.throw: of its own");
  }
}

TEST(Buffer, KeepsGrowsShrinksAndMoves)
{
  Buffer<int> buffer;
  EXPECT_EQ(buffer.size(), 0u);
  EXPECT_TRUE(buffer.download().empty());
  buffer.upload({ 1, 2, 3 });
  EXPECT_EQ(buffer.download(1, 2), (std::vector<int>{ 2, 3 }));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u); // of cache lines
  buffer.shrink(2);
  EXPECT_EQ(buffer.download(), (std::vector<int>{ 1, 2 }));
  const int* place = buffer.data();
  buffer.resizeDiscarding(1);
  EXPECT_EQ(buffer.data(), place); // never gives memory back
  Buffer<int> other(std::move(buffer));
  EXPECT_EQ(other.data(), place);
  EXPECT_EQ(buffer.size(), 0u);
  other.upload({});
  EXPECT_EQ(other.size(), 0u);
}
