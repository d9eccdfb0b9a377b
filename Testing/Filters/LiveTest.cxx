/// @file
/// Live: requests are served at once with the newest frame while a thread marches, and nothing else differs.
#include "CountingSimulation.h"
#include "Pipelines.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <unistd.h>

using namespace pipelines;

namespace
{

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start)
{
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Twenty frames of half a second, a hundredth of a second of wall time each.
vtkSmartPointer<vtkCountingSimulation> liveRun(double secondsPerStep = 0.001)
{
  auto filter = vtkSmartPointer<vtkCountingSimulation>::New();
  filter->SetFrameInterval(0.5);
  filter->SetEndTime(10);
  filter->LiveOn();
  filter->Work->secondsPerStep = secondsPerStep;
  return filter;
}

std::vector<std::vector<unsigned char>> expectedFrames()
{
  auto filter = liveRun(0);
  filter->LiveOff();
  std::vector<std::vector<unsigned char>> frames;
  for (int i = 0; i <= 20; ++i)
  {
    frames.push_back(bits(outputAt(filter, 0.5 * i)));
  }
  return frames;
}

/// An update of ParaView's window, which also asks all the time whether there is more.
void show(vtkCountingSimulation* filter, double time)
{
  filter->GetNeedsUpdate();
  filter->UpdateTimeStep(time);
}

/// Asks as ParaView's window does, until there is nothing more to show.
/// @return how often there was more; -1 if it did not end
int poll(vtkCountingSimulation* filter, double time)
{
  const auto start = Clock::now();
  int updates = 0;
  while (secondsSince(start) < 20)
  {
    if (filter->GetNeedsUpdate())
    {
      filter->UpdateTimeStep(time);
      ++updates;
    }
    else if (dataTime(filter) == time || !filter->GetLive())
    {
      return updates;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return -1;
}

/// Asks for the end as the window does.
void showUntilAnError(vtkCountingSimulation* filter, const Listener& listener)
{
  const auto start = Clock::now();
  show(filter, 10);
  while (listener.errors.empty() && secondsSince(start) < 20)
  {
    if (filter->GetNeedsUpdate())
    {
      filter->UpdateTimeStep(10);
    }
  }
}

class CacheFolder
{
public:
  CacheFolder()
  {
    std::string name = (std::filesystem::temp_directory_path() / "lapilli-live-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~CacheFolder() { std::filesystem::remove_all(path); }
  std::string path;
};

} // namespace

//------------------------------------------------------------------------------
TEST(Live, ARequestIsServedAtOnceWithTheNewestFrameAndItsTime)
{
  auto filter = liveRun(0.01); // two seconds in all
  Listener listener(filter);
  show(filter, 0);
  EXPECT_EQ(dataTime(filter), 0);
  const auto start = Clock::now();
  show(filter, 10);
  EXPECT_LT(secondsSince(start), 1);
  EXPECT_LT(dataTime(filter), 10);
  EXPECT_EQ(fieldValue(filter->GetOutputDataObject(0), "time"), dataTime(filter));
  EXPECT_GE(poll(filter, 10), 2); // it grew before it was whole
  EXPECT_EQ(dataTime(filter), 10);
  EXPECT_EQ(filter->Work->steps, 200);
  EXPECT_TRUE(listener.errors.empty());
}

TEST(Live, AllFramesHaveTheBitsOfARunWithout)
{
  const auto expected = expectedFrames();
  auto filter = liveRun();
  for (const int i : { 20, 3, 11, 0, 19 })
  {
    show(filter, 0.5 * i);
    ASSERT_GE(poll(filter, 0.5 * i), 0);
    EXPECT_EQ(bits(outputAt(filter, 0.5 * i)), expected[static_cast<std::size_t>(i)]) << i;
  }
  EXPECT_EQ(filter->Work->creations, 1);
  EXPECT_EQ(filter->Work->steps, 200); // nothing twice
}

TEST(Live, WhatIsShownOnTheWayIsAWholeFrame)
{
  const auto expected = expectedFrames();
  auto filter = liveRun(0.004);
  show(filter, 10);
  for (int i = 0; i < 20 && dataTime(filter) < 10; ++i)
  {
    const auto shown = static_cast<std::size_t>(std::lround(dataTime(filter) / 0.5));
    auto* output = vtkPolyData::SafeDownCast(filter->GetOutputDataObject(0));
    ASSERT_EQ(bits(output), expected[shown]) << shown;
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
    filter->Modified();
    show(filter, 10);
  }
  EXPECT_GT(dataTime(filter), 0);
}

TEST(Live, ItRunsAheadToTheEndWhileTheFirstFrameIsShown)
{
  auto filter = liveRun();
  show(filter, 0);
  EXPECT_FALSE(filter->GetNeedsUpdate()); // frame 0 is what was asked for
  const auto start = Clock::now();
  while (filter->GetComputedUntil() < 10 && secondsSince(start) < 20)
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(filter->GetComputedUntil(), 10);
  EXPECT_EQ(filter->GetEstimatedTimeLeft(), 0);
  show(filter, 10);
  EXPECT_EQ(dataTime(filter), 10);
}

TEST(Live, NothingIsAskedForBeforeTheFirstUpdateAndWithout)
{
  auto filter = liveRun();
  EXPECT_FALSE(filter->GetNeedsUpdate());
  filter->LiveOff();
  show(filter, 1);
  EXPECT_EQ(dataTime(filter), 1);
  EXPECT_FALSE(filter->GetNeedsUpdate());
}

TEST(Live, AScriptAndAWriterOfASeriesGetTheFramesTheyAskFor)
{
  const auto expected = expectedFrames();
  auto filter = liveRun();
  for (const int i : { 4, 9, 2, 20 }) // nobody looks
  {
    EXPECT_EQ(bits(outputAt(filter, 0.5 * i)), expected[static_cast<std::size_t>(i)]) << i;
    EXPECT_EQ(dataTime(filter), 0.5 * i);
  }
  auto looked = liveRun(0.01);
  show(looked, 10);
  EXPECT_LT(dataTime(looked), 10);
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  EXPECT_EQ(
    bits(outputAt(looked, 10)), expected[20]); // looks no longer, and asks for the same again
  EXPECT_EQ(dataTime(looked), 10);

  auto saved = liveRun();
  show(saved, 10); // a series is saved from a window that marches: it asks for nothing meanwhile
  EXPECT_LT(dataTime(saved), 10);
  for (int i = 1; i <= 20; ++i)
  {
    EXPECT_EQ(bits(outputAt(saved, 0.5 * i)), expected[static_cast<std::size_t>(i)]) << i;
  }
}

TEST(Live, TheWindowIsToldAFewTimesASecondAtMost)
{
  auto filter = liveRun(0.005); // a second
  show(filter, 10);
  const auto start = Clock::now();
  int told = 0;
  while (dataTime(filter) < 10 && secondsSince(start) < 20)
  {
    if (filter->GetNeedsUpdate())
    {
      ++told;
      show(filter, 10);
    }
  }
  EXPECT_GE(told, 2);
  EXPECT_LE(told, 5 * secondsSince(start) + 1);
}

TEST(Live, SwitchedOffItGoesOnFromTheStepReached)
{
  auto filter = liveRun(0.002);
  show(filter, 10);
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  filter->LiveOff();
  EXPECT_EQ(bits(outputAt(filter, 10)), expectedFrames()[20]);
  EXPECT_EQ(dataTime(filter), 10);
  EXPECT_EQ(filter->Work->steps, 200);
  EXPECT_EQ(filter->Work->creations, 1);
}

TEST(Live, AFilterThatIsDeletedWhileMarchingStopsAtTheNextStep)
{
  std::shared_ptr<CountingWork> work;
  const auto start = Clock::now();
  {
    auto filter = liveRun(0.02);
    work = filter->Work;
    show(filter, 10);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_LT(secondsSince(start), 2); // of four
  const auto steps = work->steps.load();
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_EQ(work->steps, steps);
}

TEST(Live, AChangedPropertyStartsAnewWhileMarching)
{
  auto filter = liveRun(0.002);
  show(filter, 10);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  filter->SetRate(3.8);
  show(filter, 10);
  EXPECT_EQ(filter->GetNumberOfRuns(), 2);
  ASSERT_GE(poll(filter, 10), 0);

  auto other = liveRun(0);
  other->LiveOff();
  other->SetRate(3.8);
  EXPECT_EQ(bits(outputAt(filter, 10)), bits(outputAt(other, 10)));
}

TEST(Live, BadInputWhileMarchingIsToldOnceHoweverOftenTheWindowAsks)
{
  auto filter = liveRun(0.002); // less than half a second
  Listener listener(filter);
  show(filter, 10);
  filter->SetFrameInterval(-1);
  show(filter, 10);
  ASSERT_EQ(listener.errors.size(), 1U);
  const auto start = Clock::now();
  while (secondsSince(start) < 1) // past its end
  {
    if (filter->GetNeedsUpdate())
    {
      show(filter, 10);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(listener.errors.size(), 1U);
  filter->SetFrameInterval(0.5);
  show(filter, 10);
  ASSERT_GE(poll(filter, 10), 0);
  EXPECT_EQ(bits(outputAt(filter, 10)), expectedFrames()[20]);
  EXPECT_EQ(filter->GetNumberOfRuns(), 1);
}

TEST(Live, EndTimeThreadsAndBudgetMayChangeWhileMarching)
{
  const auto expected = expectedFrames();
  auto filter = liveRun(0.002);
  filter->SetEndTime(4);
  show(filter, 4);
  filter->SetEndTime(2);
  show(filter, 2);
  filter->SetEndTime(10);
  show(filter, 10);
  filter->SetThreads(1);
  show(filter, 10);
  filter->SetCacheBudget(0.02);
  show(filter, 10);
  ASSERT_GE(poll(filter, 10), 0);
  EXPECT_EQ(bits(outputAt(filter, 10)), expected[20]);
  EXPECT_EQ(filter->GetNumberOfRuns(), 1);
}

TEST(Live, WithoutMemoryForAllItMarchesNoFartherThanAsked)
{
  const auto expected = expectedFrames();
  auto filter = liveRun(0);
  filter->SetCacheBudget(0); // one frame
  for (const int i : { 4, 2, 9, 0, 20 })
  {
    show(filter, 0.5 * i);
    ASSERT_GE(poll(filter, 0.5 * i), 0);
    EXPECT_EQ(bits(outputAt(filter, 0.5 * i)), expected[static_cast<std::size_t>(i)]) << i;
  }
}

TEST(Live, ADivergenceIsToldOnceAndTheLastGoodFrameShown)
{
  auto filter = liveRun();
  filter->Work->divergesAt = 3.2;
  Listener listener(filter);
  showUntilAnError(filter, listener);
  EXPECT_EQ(dataTime(filter), 3);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_FALSE(filter->GetNeedsUpdate());
  ASSERT_EQ(listener.errors.size(), 1u);
  EXPECT_TRUE(contains(listener.errors[0], "is not a number"));
}

TEST(Live, ExhaustedMemoryIsToldOnceAndAskedForAgainGoesOn)
{
  auto filter = liveRun();
  filter->Work->exhaustsMemoryAt = 3.2;
  Listener listener(filter);
  showUntilAnError(filter, listener);
  ASSERT_EQ(listener.errors.size(), 1u);
  EXPECT_TRUE(contains(listener.errors[0], "memory is exhausted"));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_FALSE(filter->GetNeedsUpdate());

  filter->Work->exhaustsMemoryAt = -1;
  filter->Modified();
  show(filter, 10);
  ASSERT_GE(poll(filter, 10), 0);
  EXPECT_EQ(bits(outputAt(filter, 10)), expectedFrames()[20]);
}

TEST(Live, ComputingAllFramesReachesTheEnd)
{
  for (const bool isLive : { false, true })
  {
    auto filter = liveRun();
    filter->SetLive(isLive);
    show(filter, 1);
    ASSERT_GE(isLive ? poll(filter, 1) : 0, 0);
    filter->ComputeAllFrames();
    show(filter, 1);
    EXPECT_EQ(dataTime(filter), 1);
    const auto start = Clock::now();
    while (isLive && filter->GetComputedUntil() < 10 && secondsSince(start) < 20)
    {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_EQ(filter->GetComputedUntil(), 10);
    EXPECT_EQ(filter->Work->steps, 200);
    filter->Modified();
    show(filter, 1.5);
    EXPECT_EQ(filter->Work->steps, 200); // the button counts once
  }
}

TEST(Live, SeveralFiltersMarchSideBySideIntoOneFolder)
{
  const auto expected = expectedFrames();
  const CacheFolder folder;
  std::vector<vtkSmartPointer<vtkCountingSimulation>> filters;
  for (int i = 0; i < 4; ++i)
  {
    filters.push_back(liveRun());
    filters.back()->SetCacheFolder(folder.path.c_str());
    show(filters.back(), 10);
  }
  for (auto& filter : filters)
  {
    ASSERT_GE(poll(filter, 10), 0);
    EXPECT_EQ(bits(outputAt(filter, 10)), expected[20]);
    EXPECT_EQ(bits(outputAt(filter, 5)), expected[10]);
  }
}

// Any mixture of requests, waits, budgets, folders and switches.
TEST(Live, RandomUseGivesTheBitsOfPlayingForward)
{
  const auto expected = expectedFrames();
  std::mt19937 random(20261130);
  const auto below = [&random](int n)
  { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int sequence = 0; sequence < 40; ++sequence)
  {
    const CacheFolder folder;
    auto filter = liveRun(0.00005);
    filter->SetCacheBudget(below(2) ? 100 : 0.02);
    filter->SetCacheFolder(below(2) ? folder.path.c_str() : "");
    Listener listener(filter);
    for (int request = 0; request < 12; ++request)
    {
      const int index = below(21);
      filter->SetLive(below(4) != 0);
      filter->SetThreads(below(3));
      show(filter, 0.5 * index);
      const auto shown = static_cast<std::size_t>(std::lround(dataTime(filter) / 0.5));
      ASSERT_LE(shown, static_cast<std::size_t>(index));
      ASSERT_EQ(bits(vtkPolyData::SafeDownCast(filter->GetOutputDataObject(0))), expected[shown])
        << sequence << " " << request;
      if (!filter->GetLive() || below(3) == 0)
      {
        ASSERT_GE(poll(filter, 0.5 * index), 0);
        ASSERT_EQ(bits(outputAt(filter, 0.5 * index)), expected[static_cast<std::size_t>(index)])
          << sequence << " " << request;
      }
    }
    EXPECT_TRUE(listener.errors.empty());
    EXPECT_TRUE(listener.warnings.empty());
  }
}
