/// @file
/// A run that one thread marches while another asks it, under the thread sanitizer. VTK and OpenMP are not
/// instrumented, so this is the run and its caches alone, on a model without either.
#include "../CountingEngine.h"

#include "Private/BackgroundMarch.h"
#include "Private/Run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <stdlib.h>

using lapilli::BackgroundMarch;
using lapilli::Device;
using lapilli::DeviceKind;
using lapilli::RunDescription;
using lapilli::RunEstimate;
using lapilli::SilentMonitor;

namespace
{

constexpr double interval = 0.5; // [s]
constexpr std::int64_t last = 40;

class CacheFolder
{
public:
  CacheFolder()
  {
    std::string name = (std::filesystem::temp_directory_path() / "lapilli-threads-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~CacheFolder() { std::filesystem::remove_all(path); }
  std::string path;
};

RunDescription description(const std::shared_ptr<CountingWork>& work)
{
  RunDescription run;
  run.create = [work](const Device&)
  { return std::make_unique<CountingEngine>(work, interval, 3.9); };
  run.estimate = [](double end) { return RunEstimate{ 1e6, 100 * end }; };
  return run;
}

/// Everything that a filter asks while its run is marched.
void ask(lapilli::Run& run, std::mt19937& random)
{
  const auto index = static_cast<std::int64_t>(random() % (last + 1));
  run.setBudget(random() % 2 ? std::size_t(1) << 20 : 20000);
  run.setEnd(interval * static_cast<double>(index));
  const auto held = run.heldFrame(index);
  const auto [at, frame] = run.lastFrameAtOrBefore(index);
  EXPECT_LE(at, index);
  if (held)
  {
    EXPECT_EQ(held->frame.time, run.time(index));
    EXPECT_GE(run.table(0).rows(), held->tableRows[0]);
  }
  EXPECT_LE(run.position(), last);
  run.holds(index);
  run.lastHeld();
  run.keepsAllUntil(last);
  run.lastGoodFrame();
  run.divergence();
  run.pace();
  run.bytes();
  run.diskBytes();
  run.takeDiskNotes();
}

} // namespace

//------------------------------------------------------------------------------
TEST(RunThreads, AskedWhileItIsMarched)
{
  const CacheFolder folder;
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round)
  {
    const auto work = std::make_shared<CountingWork>();
    work->secondsPerStep = 1e-5;
    lapilli::Run run(description(work), interval, { 1, static_cast<std::uint64_t>(round / 2) });
    run.use({ { DeviceKind::Cpu, 1 }, round % 3 ? folder.path : std::string(), 100000000 });
    BackgroundMarch march;
    for (int turn = 0; turn < 10; ++turn)
    {
      const auto first = static_cast<std::int64_t>(random() % (last + 1));
      march.start(run, first, last);
      for (int i = 0; i < 50 && march.isRunning(); ++i)
      {
        ask(run, random);
        march.leadsTo(first);
      }
      if (random() % 2)
      {
        march.stop();
      }
    }
    march.stop();
    march.rethrowError();
    SilentMonitor silent;
    EXPECT_EQ(run.frame(last, silent)->frame.time, run.time(last));
  }
}

TEST(RunThreads, ADivergenceIsSeenByTheOther)
{
  const auto work = std::make_shared<CountingWork>();
  work->divergesAt = 7.2;
  lapilli::Run run(description(work), interval, { 2, 2 });
  BackgroundMarch march;
  march.start(run, last, last);
  std::mt19937 random(2);
  while (march.isRunning())
  {
    ask(run, random);
  }
  EXPECT_EQ(run.lastGoodFrame(), 14);
  EXPECT_NE(run.divergence(), "");
  march.rethrowError(); // the run has told it
}

TEST(RunThreads, AnotherErrorComesOnce)
{
  const auto work = std::make_shared<CountingWork>();
  work->exhaustsMemoryAt = 7.2;
  lapilli::Run run(description(work), interval, { 3, 3 });
  BackgroundMarch march;
  march.start(run, last, last);
  while (march.isRunning())
  {
    std::this_thread::yield();
  }
  EXPECT_THROW(march.rethrowError(), std::bad_alloc);
  EXPECT_NO_THROW(march.rethrowError());
}
