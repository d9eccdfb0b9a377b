// When a recording of launches may stand for them.
#include "Parallel/Executor.h"

#include "GranularFlow/StepControl.h"

#include <gtest/gtest.h>

#include <vector>

using namespace lapilli;
using namespace lapilli::cpu;

namespace
{

/// Keeps what a sequence appends to a list.
struct FakeGraph
{
  static inline std::vector<int>* list = nullptr;
  static inline bool records = true;
  std::vector<int> recorded;

  template <class Enqueue>
  bool record(const Enqueue& enqueue)
  {
    std::vector<int> before;
    before.swap(*list);
    enqueue();
    before.swap(*list);
    if (records)
      recorded = before;
    return records;
  }
  void launch() const { list->insert(list->end(), recorded.begin(), recorded.end()); }
};

class RepeatedLaunches : public testing::Test
{
protected:
  RepeatedLaunches()
  {
    FakeGraph::list = &list;
    FakeGraph::records = true;
  }
  Enqueued run(int key)
  {
    return launches.run(key, [&] { list.push_back(key); });
  }
  std::vector<int> list;
  Repeated<int, FakeGraph> launches;
};

} // namespace

TEST_F(RepeatedLaunches, AreRecordedTheSecondTimeAndThenNotLookedAt)
{
  EXPECT_EQ(run(1), Enqueued::Plainly);
  EXPECT_EQ(run(1), Enqueued::Recorded);
  EXPECT_EQ(run(1), Enqueued::Again);
  EXPECT_EQ(run(1), Enqueued::Again);
  EXPECT_EQ(list, (std::vector<int>{ 1, 1, 1, 1 }));
}

TEST_F(RepeatedLaunches, AreMadeAnewWhereTheirKeyIsAnother)
{
  for (int k = 0; k < 3; ++k)
    run(1);
  EXPECT_EQ(run(2), Enqueued::Plainly);
  EXPECT_EQ(run(1), Enqueued::Plainly);
  EXPECT_EQ(run(1), Enqueued::Recorded);
  EXPECT_EQ(run(2), Enqueued::Plainly);
  EXPECT_EQ(run(2), Enqueued::Recorded);
  EXPECT_EQ(run(2), Enqueued::Again);
  EXPECT_EQ(list, (std::vector<int>{ 1, 1, 1, 2, 1, 1, 2, 2, 2 }));
}

TEST_F(RepeatedLaunches, ThatCannotBeRecordedAreMadePlainlyAndNotTriedAgain)
{
  FakeGraph::records = false;
  EXPECT_EQ(run(1), Enqueued::Plainly);
  EXPECT_EQ(run(1), Enqueued::Plainly);
  FakeGraph::records = true;
  EXPECT_EQ(run(1), Enqueued::Plainly);
  EXPECT_EQ(list, (std::vector<int>{ 1, 1, 1 }));
}

TEST_F(RepeatedLaunches, OfTheHostItselfAreMadePlainly)
{
  const Executor executor(1);
  Repeated<int> plain;
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(
      executor.repeat("test.repeat", plain, 1, [&] { list.push_back(k); }), Enqueued::Plainly);
  EXPECT_EQ(list, (std::vector<int>{ 0, 1, 2 }));
}

TEST(BatchKey, TellsEveryThingThatLaunchesDependOn)
{
  const Sphere places[2] = {};
  const BatchKey key{ 3, 5, places, 16 };
  EXPECT_TRUE(key == (BatchKey{ 3, 5, places, 16 }));
  EXPECT_FALSE(key == (BatchKey{ 4, 5, places, 16 }));
  EXPECT_FALSE(key == (BatchKey{ 3, 6, places, 16 }));
  EXPECT_FALSE(key == (BatchKey{ 3, 5, places + 1, 16 }));
  EXPECT_FALSE(key == (BatchKey{ 3, 5, places, 15 }));
}

TEST(Allocations, AreCountedWhereABufferGrows)
{
  Buffer<int> buffer;
  const std::int64_t before = allocations();
  buffer.resizeDiscarding(100);
  EXPECT_EQ(allocations(), before + 1);
  buffer.resizeDiscarding(50);
  EXPECT_EQ(allocations(), before + 1);
  buffer.resizeDiscarding(1000);
  EXPECT_EQ(allocations(), before + 2);
}
