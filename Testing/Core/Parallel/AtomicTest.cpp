// What many do to one number at once: the result is that of one after the other, whatever the threads.
#include "Parallel/Atomic.h"
#include "Math/Random.h"
#include "Parallel/Executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace lapilli;
using namespace lapilli::cpu;

namespace
{

constexpr int kCells = 7; // few, so that threads meet
constexpr int kCount = 200003;

struct Cells
{
  float greatest[kCells], smallest[kCells];
  std::uint32_t small[kCells];
  std::int64_t large[kCells];
};

Cells emptyCells()
{
  Cells cells{};
  std::fill_n(cells.smallest, kCells, INFINITY);
  return cells;
}

/// A place where two meet: each leaves its numbers, and the second adds those of both up.
struct Meeting
{
  std::int64_t left[2][8];
  std::int32_t waiting;
  std::int64_t sum;
};

struct Meet
{
  static constexpr std::int32_t kNobody = -1;
  Meeting* meetings;
  void operator()(Index i) const
  {
    Meeting& meeting = meetings[i % (kCount / 2)]; // so that the two come from threads far apart
    const std::int32_t own = i < kCount / 2 ? 0 : 1;
    if (i >= kCount / 2 * 2)
      return;
    for (std::int64_t& number : meeting.left[own])
      number = i;
    if (exchangeInOrder(&meeting.waiting, own) == kNobody)
      return;
    for (const auto& numbers : meeting.left)
      for (const std::int64_t number : numbers)
        meeting.sum += number;
  }
};

struct Strike
{
  const float* values;
  Cells* cells;
  void operator()(Index i) const
  {
    const int cell = i % kCells;
    atomicMaximum(&cells->greatest[cell], values[i]);
    atomicMinimum(&cells->smallest[cell], values[i]);
    atomicSum(&cells->small[cell], 1u);
    atomicSum(&cells->large[cell], std::int64_t(i) << 20);
  }
};

} // namespace

TEST(AtomicThreads, LeaveWhatOneAfterTheOtherLeaves)
{
  RandomStream random(8, RandomStream::Positions);
  std::vector<float> values;
  for (int i = 0; i < kCount; ++i)
    values.push_back(static_cast<float>(std::pow(10, random.uniform(-40, 30)))); // denormals too
  Cells plain = emptyCells();
  for (int i = 0; i < kCount; ++i)
  {
    const int cell = i % kCells;
    plain.greatest[cell] = std::max(plain.greatest[cell], values[i]);
    plain.smallest[cell] = std::min(plain.smallest[cell], values[i]);
    ++plain.small[cell];
    plain.large[cell] += std::int64_t(i) << 20;
  }
  for (const int threads : { 1, 2, 3, 8 })
  {
    const Executor executor(threads);
    const Executor::ThreadScope scope(executor);
    for (int repeat = 0; repeat < 5; ++repeat)
    {
      Cells cells = emptyCells();
      executor.forEach("test.strike", kCount, Strike{ values.data(), &cells });
      for (int c = 0; c < kCells; ++c)
      {
        EXPECT_EQ(cells.greatest[c], plain.greatest[c]) << threads;
        EXPECT_EQ(cells.smallest[c], plain.smallest[c]) << threads;
        EXPECT_EQ(cells.small[c], plain.small[c]) << threads;
        EXPECT_EQ(cells.large[c], plain.large[c]) << threads;
      }
    }
  }
}

TEST(Atomic, ZeroInfinityAndNegativeSums)
{
  float value = 0;
  atomicMaximum(&value, 0.0f);
  EXPECT_EQ(value, 0);
  atomicMaximum(&value, INFINITY);
  EXPECT_EQ(value, INFINITY);
  atomicMinimum(&value, 3.0f);
  EXPECT_EQ(value, 3);
  atomicMaximum(&value, 2.0f);
  EXPECT_EQ(value, 3);
  std::int64_t sum = 5;
  atomicSum(&sum, std::int64_t(-7));
  EXPECT_EQ(sum, -2);
}

TEST(AtomicThreads, TheSecondOfTwoThatMeetSeesWhatTheFirstLeft)
{
  const Index half = kCount / 2;
  for (const int threads : { 1, 2, 3, 8 })
  {
    const Executor executor(threads);
    const Executor::ThreadScope scope(executor);
    std::vector<Meeting> meetings(half, Meeting{ {}, Meet::kNobody, 0 });
    executor.forEach("test.meet", 2 * half, Meet{ meetings.data() });
    for (Index i = 0; i < half; ++i)
      ASSERT_EQ(meetings[i].sum, 8 * (std::int64_t(i) + i + half)) << i << " " << threads;
  }
}
