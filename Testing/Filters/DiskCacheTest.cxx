/// @file
/// Frames, checkpoints and rows on disk: found again, gone on from, and every way in which a folder can fail.
#include "CountingSimulation.h"
#include "Pipelines.h"

#include "Private/Cache/DiskCache.h"

#include <gtest/gtest.h>

#include <vtkDataSetAttributes.h>
#include <vtkTable.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace pipelines;
namespace fs = std::filesystem;

namespace
{

constexpr double interval = 0.5; // [s]
constexpr int lastFrame = 20;

/// A folder of its own for each test, with a name that wants care, gone afterwards.
class DiskCache : public testing::Test
{
protected:
  void SetUp() override
  {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder = fs::temp_directory_path() /
             ("lapilli " + std::string(test->name()) + " Übung Кэш " + std::to_string(::getpid()));
    fs::remove_all(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  vtkSmartPointer<vtkCountingSimulation> filter(double rate = 3.9) const
  {
    auto made = vtkSmartPointer<vtkCountingSimulation>::New();
    made->SetFrameInterval(interval);
    made->SetEndTime(interval * lastFrame);
    made->SetCacheFolder(folder.c_str());
    made->SetRate(rate);
    return made;
  }

  /// Plays up to a frame and leaves it on disk.
  void leave(int frames = lastFrame, double rate = 3.9) const
  {
    const auto made = this->filter(rate);
    for (int i = 0; i <= frames; ++i)
    {
      made->UpdateTimeStep(interval * i);
    }
  }

  /// Folders of runs.
  std::vector<fs::path> runs() const
  {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder))
    {
      if (entry.path().filename().string().rfind("lapilli-v", 0) == 0)
      {
        found.push_back(entry.path());
      }
    }
    return found;
  }

  fs::path file(const std::string& name) const
  {
    const std::vector<fs::path> all = this->runs();
    EXPECT_EQ(all.size(), 1u);
    return all.front() / name;
  }

  fs::path folder;
};

std::vector<std::vector<unsigned char>> play(vtkCountingSimulation* filter)
{
  std::vector<std::vector<unsigned char>> frames;
  for (int i = 0; i <= lastFrame; ++i)
  {
    frames.push_back(bits(outputAt(filter, interval * i)));
  }
  return frames;
}

/// Without a disk.
std::vector<std::vector<unsigned char>> expected(double rate = 3.9)
{
  vtkNew<vtkCountingSimulation> filter;
  filter->SetFrameInterval(interval);
  filter->SetEndTime(interval * lastFrame);
  filter->SetCacheFolderLimit(0);
  filter->SetRate(rate);
  return play(filter);
}

std::string bytesOf(const fs::path& path)
{
  std::ifstream file(path, std::ios::binary);
  return { std::istreambuf_iterator<char>(file), {} };
}

void overwrite(const fs::path& path, const std::string& bytes)
{
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

lapilli::StoredFrame richFrame()
{
  std::mt19937 random(5);
  lapilli::StoredFrame stored;
  stored.frame.time = 0.75;
  lapilli::PointSet points;
  points.name = "particles";
  const std::size_t count = 5000;
  std::vector<float> velocity(3 * count);
  std::generate(
    velocity.begin(), velocity.end(), [&] { return static_cast<float>(random()) * 1e-6f - 2000; });
  std::vector<std::int64_t> ids(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    ids[i] = static_cast<std::int64_t>(i) << 20;
    points.positions.insert(points.positions.end(), { 9e6 + random() * 1e-7, 0.1, -0.0 });
  }
  points.arrays = { { "velocity", 3, "m/s", velocity }, { "particle_id", 1, "", ids },
    { "source_id", 1, "", std::vector<std::int32_t>(count, -3) },
    { "at_rest", 1, "", std::vector<std::uint8_t>(count, 1) },
    { "odd", 1, "", std::vector<double>(count, 1e308) } };
  std::get<std::vector<double>>(points.arrays.back().values)[0] = std::nan("");
  stored.frame.pointSets = { points };
  stored.frame.surfaceFields = { { "terrain", { { "passes", 1, "", std::vector<float>(7, 2) } } } };
  stored.frame.tables = { { "history", {} } };
  stored.tableRows = { 3 };
  stored.report.model = "Granular Flow";
  stored.report.obstacles = { { "wall – Übung", { 1, 2, 3 }, 4, { 5, 6, 7 } } };
  stored.report.losses = { { "left the map", 2, 5.0, { 7, 8 }, { 1, 2, 3 } } };
  stored.report.notes = { "one", "" };
  stored.report.frontDistance = 12.5;
  return stored;
}

/// Ends the test's child process without the parent's tidying up.
template <class Body>
pid_t inAnotherProcess(const Body& body)
{
  const pid_t child = ::fork();
  if (child == 0)
  {
    body();
    ::_exit(testing::Test::HasFailure() ? 1 : 0);
  }
  return child;
}

int statusOf(pid_t child)
{
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

} // namespace

//------------------------------------------------------------------------------
TEST(FrameFile, ComesBackWithEveryBit)
{
  const lapilli::FileKey key{ { 1, 2 }, 42 };
  const lapilli::StoredFrame before = richFrame();
  const lapilli::Bytes bytes = lapilli::packFrame(key, before);
  const lapilli::StoredFrame after = lapilli::unpackFrame(key, bytes);
  EXPECT_EQ(lapilli::packFrame(key, after), bytes);
  EXPECT_EQ(after.frame.time, 0.75);
  EXPECT_EQ(after.frame.pointSet("particles").array("velocity").as<float>(),
    before.frame.pointSet("particles").array("velocity").as<float>());
  EXPECT_EQ(after.frame.pointSet("particles").array("velocity").unit, "m/s");
  EXPECT_TRUE(std::isnan(after.frame.pointSet("particles").array("odd").as<double>()[0]));
  EXPECT_EQ(after.report.obstacles.at(0).name, "wall – Übung");
  EXPECT_EQ(after.report.obstacles.at(0).impulse, (std::array<double, 3>{ 5, 6, 7 }));
  EXPECT_EQ(after.report.losses.at(0).firstIds, (std::vector<std::int64_t>{ 7, 8 }));
  EXPECT_EQ(after.report.notes, before.report.notes);
  EXPECT_EQ(after.report.frontDistance, 12.5);
  EXPECT_LT(bytes.size(), before.frame.bytes() * 3 / 4); // it is compressed

  lapilli::Bytes state(100001);
  std::mt19937 random(1);
  std::generate(state.begin(), state.end(), [&] { return static_cast<std::uint8_t>(random()); });
  EXPECT_EQ(lapilli::unpackCheckpoint(key, lapilli::packCheckpoint(key, state)), state);
  EXPECT_EQ(lapilli::unpackCheckpoint(key, lapilli::packCheckpoint(key, {})), lapilli::Bytes());
}

TEST(FrameFile, IsRefusedIfAnythingIsWrong)
{
  const lapilli::FileKey key{ { 1, 2 }, 42 };
  const lapilli::Bytes bytes = lapilli::packFrame(key, richFrame());
  EXPECT_THROW(lapilli::unpackFrame({ { 1, 3 }, 42 }, bytes), lapilli::InvalidInput);
  EXPECT_THROW(lapilli::unpackFrame({ { 1, 2 }, 43 }, bytes), lapilli::InvalidInput);
  EXPECT_THROW(lapilli::unpackCheckpoint(key, bytes), lapilli::InvalidInput);
  EXPECT_THROW(lapilli::unpackFrame(key, {}), lapilli::InvalidInput);
  std::mt19937 random(3);
  for (int k = 0; k < 3000; ++k)
  {
    lapilli::Bytes damaged = bytes;
    const std::size_t place = k < 400 ? static_cast<std::size_t>(k) / 2 : random() % bytes.size();
    if (k % 2)
    {
      damaged.resize(place);
    }
    else
    {
      damaged[place] ^= static_cast<std::uint8_t>(1u << (random() % 8));
    }
    // The padding behind the name's end is the one place that tells nothing.
    if (k % 2 || place < 14 || place >= 32)
    {
      EXPECT_THROW(lapilli::unpackFrame(key, damaged), lapilli::InvalidInput) << k << " " << place;
    }
  }
  lapilli::Bytes longer = bytes;
  longer.push_back(0);
  EXPECT_THROW(lapilli::unpackFrame(key, longer), lapilli::InvalidInput);
}

TEST(FrameFile, IsRefusedIfItsArraysContradictOneAnother)
{
  const lapilli::FileKey key{ { 1, 2 }, 42 };
  const auto change = [&](const auto& make)
  {
    lapilli::StoredFrame frame = richFrame();
    make(frame, frame.frame.pointSets[0]);
    return lapilli::packFrame(key, frame); // with the right checksum
  };
  using Stored = lapilli::StoredFrame;
  using Points = lapilli::PointSet;
  const lapilli::Bytes bad[] = {
    change([](Stored&, Points& points) { points.positions.pop_back(); }),
    change([](Stored&, Points& points) { points.positions.clear(); }),
    change([](Stored&, Points& points) { points.arrays[0].components = 0; }),
    change([](Stored&, Points& points) { points.arrays[0].components = -3; }),
    change([](Stored&, Points& points) { points.arrays[3].components = 2; }),
    change([](Stored& stored, Points&) { stored.tableRows.push_back(1); }),
    change(
      [](Stored& stored, Points&) {
        stored.frame.surfaceFields[0].arrays.push_back({ "x", 1, "", std::vector<float>(6) });
      }),
    change(
      [](Stored& stored, Points&)
      {
        stored.frame.tables[0].columns = { { "a", 1, "", std::vector<float>(6) },
          { "b", 1, "", std::vector<float>(5) } };
      }),
  };
  for (const lapilli::Bytes& bytes : bad)
  {
    EXPECT_THROW(lapilli::unpackFrame(key, bytes), lapilli::InvalidInput) << &bytes - bad;
  }
  EXPECT_NO_THROW(lapilli::unpackFrame(key, change([](Stored&, Points&) {})));
}

//------------------------------------------------------------------------------
TEST_F(DiskCache, AFinishedRunIsFoundAgain)
{
  this->leave();
  const auto filter = this->filter();
  Listener listener(filter);
  EXPECT_EQ(play(filter), expected());
  EXPECT_EQ(filter->Work->creations, 0); // no engine at all
  EXPECT_EQ(filter->Work->steps, 0);
  EXPECT_GT(filter->GetCacheFolderUsed(), 0);
  EXPECT_TRUE(listener.errors.empty() && listener.warnings.empty());

  // The other ports and the report too.
  filter->UpdateTimeStep(interval * 12);
  auto* log = vtkTable::SafeDownCast(filter->GetOutputDataObject(2));
  ASSERT_EQ(log->GetNumberOfRows(), 13);
  EXPECT_EQ(log->GetValueByName(12, "frame").ToInt(), 12);
  auto* ground = vtkPolyData::SafeDownCast(filter->GetOutputDataObject(1));
  EXPECT_EQ(ground->GetNumberOfCells(), 1);
  EXPECT_EQ(fieldValue(filter->GetOutputDataObject(0), "lost_particles"), 3);
}

TEST_F(DiskCache, AHalfFinishedRunGoesOnFromItsEnd)
{
  this->leave(11);
  const auto filter = this->filter();
  const auto frames = play(filter);
  EXPECT_EQ(frames, expected());
  EXPECT_EQ(filter->Work->creations, 1);
  EXPECT_EQ(filter->Work->restores, 1);
  EXPECT_EQ(filter->Work->steps, (lastFrame - 11) * filter->Work->stepsPerFrame);
}

TEST_F(DiskCache, AnotherRunIsAnother)
{
  this->leave();
  const auto filter = this->filter(3.8);
  EXPECT_EQ(play(filter), expected(3.8));
  EXPECT_EQ(filter->Work->creations, 1);
  EXPECT_EQ(this->runs().size(), 2u);
}

TEST_F(DiskCache, WhatHasLeftTheMemoryIsReadBack)
{
  const auto filter = this->filter();
  filter->SetCacheBudget(0);
  const auto forward = play(filter);
  const std::int64_t steps = filter->Work->steps;
  for (int i = lastFrame; i >= 0; --i)
  {
    EXPECT_EQ(bits(outputAt(filter, interval * i)), forward[static_cast<std::size_t>(i)]);
  }
  EXPECT_EQ(filter->Work->steps, steps);
}

TEST_F(DiskCache, LimitZeroAndAnEmptyUsualFolderKeepNothing)
{
  const auto filter = this->filter();
  filter->SetCacheFolderLimit(0);
  filter->UpdateTimeStep(interval);
  EXPECT_FALSE(fs::exists(folder));
  ASSERT_STREQ(std::getenv("LAPILLI_CACHE_FOLDER"), ""); // as CTest starts all tests
  EXPECT_EQ(lapilli::usualCacheFolder(), "");
  ::setenv("LAPILLI_CACHE_FOLDER", folder.c_str(), 1);
  EXPECT_EQ(lapilli::usualCacheFolder(), folder.string());
  filter->SetCacheFolder("");
  filter->SetCacheFolderLimit(100);
  filter->UpdateTimeStep(interval * 2);
  EXPECT_TRUE(fs::exists(folder));
  ::unsetenv("LAPILLI_CACHE_FOLDER");
  ::setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(lapilli::usualCacheFolder(), "/somewhere/lapilli");
  ::unsetenv("XDG_CACHE_HOME");
  ::setenv("HOME", "/home/me", 1);
  EXPECT_EQ(lapilli::usualCacheFolder(), "/home/me/.cache/lapilli");
  ::unsetenv("HOME");
  EXPECT_EQ(lapilli::usualCacheFolder(), "");
}

//------------------------------------------------------------------------------
// Faults: the run has the same bits, and one warning says what was wrong and where.

TEST_F(DiskCache, DamagedForeignOlderAndCutFilesAreComputedAgain)
{
  const auto frames = expected();
  this->leave();
  const std::string good = bytesOf(this->file("frame-00000003"));
  std::string flipped = good, older = good;
  flipped[good.size() / 2] = static_cast<char>(flipped[good.size() / 2] ^ 4);
  older[32] = 0; // the version
  const std::vector<std::pair<const char*, std::string>> faults = {
    { "cut", good.substr(0, good.size() / 2) }, { "empty", "" }, { "flipped", flipped },
    { "older", older }, { "of another frame", bytesOf(this->file("frame-00000004")) },
    { "foreign", std::string(100000, 'x') }
  };
  for (const auto& [name, bytes] : faults)
  {
    overwrite(this->file("frame-00000003"), bytes);
    overwrite(this->file("checkpoint-00000008"), bytes);
    {
      const auto filter = this->filter();
      Listener listener(filter);
      EXPECT_EQ(play(filter), frames) << name;
      ASSERT_EQ(listener.warnings.size(), 1u) << name;
      EXPECT_TRUE(contains(listener.warnings[0], "frame-00000003")) << name;
      EXPECT_TRUE(contains(listener.warnings[0], "computed again")) << name;
      EXPECT_TRUE(listener.errors.empty());
      EXPECT_LE(filter->Work->steps, 3 * filter->Work->stepsPerFrame) << name;
    }
    EXPECT_EQ(bytesOf(this->file("frame-00000003")), good) << name; // it is whole again
  }
}

TEST_F(DiskCache, ADamagedCheckpointIsPassedOver)
{
  this->leave(18);
  for (const char* name : { "checkpoint-00000018", "checkpoint-00000016" })
  {
    overwrite(this->file(name), "no checkpoint");
  }
  const auto filter = this->filter();
  Listener listener(filter);
  EXPECT_EQ(bits(outputAt(filter, interval * lastFrame)), expected().back());
  EXPECT_EQ(filter->Work->steps, (lastFrame - 8) * filter->Work->stepsPerFrame); // from frame 8
  ASSERT_EQ(listener.warnings.size(), 1u);
  EXPECT_TRUE(contains(listener.warnings[0], "checkpoint-00000016"));
}

TEST_F(DiskCache, DamagedRowsAreComputedAgain)
{
  this->leave();
  const std::string good = bytesOf(this->file("rows"));
  for (const std::size_t kept :
    { good.size() - 3, good.size() / 2, std::size_t(5), std::size_t(0) })
  {
    overwrite(this->file("rows"), good.substr(0, kept));
    const auto filter = this->filter();
    Listener listener(filter);
    EXPECT_EQ(play(filter), expected());
    EXPECT_EQ(listener.warnings.size(), kept > 0 ? 1u : 0u);
    auto* log = vtkTable::SafeDownCast(filter->GetOutputDataObject(2));
    ASSERT_EQ(log->GetNumberOfRows(), lastFrame + 1) << kept;
    for (int row = 0; row <= lastFrame; ++row)
    {
      EXPECT_EQ(log->GetValueByName(row, "frame").ToInt(), row) << kept;
    }
  }
  const auto filter = this->filter();
  EXPECT_EQ(play(filter), expected());
  EXPECT_EQ(filter->Work->steps, 0); // all whole again
}

TEST_F(DiskCache, AProcessThatIsKilledWhileItWritesLeavesWholeFramesOnly)
{
  const auto frames = expected();
  for (int attempt = 0; attempt < 12; ++attempt)
  {
    fs::remove_all(folder);
    const pid_t child = inAnotherProcess(
      [&]
      {
        const auto filter = this->filter();
        filter->Work->secondsPerStep = 1e-5;
        play(filter);
        ::pause();
      });
    ::usleep(static_cast<useconds_t>(3000 * attempt));
    ::kill(child, SIGKILL);
    EXPECT_TRUE(WIFSIGNALED(statusOf(child)));

    const auto filter = this->filter();
    Listener listener(filter);
    EXPECT_EQ(play(filter), frames) << attempt;
    EXPECT_TRUE(listener.errors.empty());
    for (const std::string& warning : listener.warnings) // at most a row cut short
    {
      EXPECT_TRUE(contains(warning, "rows'")) << warning;
    }
  }
}

TEST_F(DiskCache, AFullDiskIsToldOnce)
{
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 1000; // [bytes] a file, less than a frame has
  {
    const auto filter = this->filter();
    Listener listener(filter);
    ::setrlimit(RLIMIT_FSIZE, &small);
    const auto frames = play(filter);
    filter->GetCacheFolderUsed();
    ::usleep(50000); // the thread's last writes
    filter->UpdateTimeStep(0);
    ::setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(frames, expected());
    ASSERT_EQ(listener.warnings.size(), 1u);
    EXPECT_TRUE(contains(listener.warnings[0], "cannot write"));
    EXPECT_TRUE(contains(listener.warnings[0], "make room"));
    EXPECT_TRUE(listener.errors.empty());
  }
  const auto filter = this->filter(); // and later it works again
  EXPECT_EQ(play(filter), expected());
}

TEST_F(DiskCache, AFolderThatCannotBeMadeIsToldOnce)
{
  overwrite(folder, "a file in its place");
  const auto filter = this->filter();
  Listener listener(filter);
  EXPECT_EQ(play(filter), expected());
  ASSERT_EQ(listener.warnings.size(), 1u);
  EXPECT_TRUE(contains(listener.warnings[0], "cannot make the folder"));
  EXPECT_TRUE(contains(listener.warnings[0], "choose another cache folder"));
  EXPECT_TRUE(listener.errors.empty());
}

TEST_F(DiskCache, AReadOnlyFolderIsToldOnce)
{
  const auto frames = expected();
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms(0555));
  const pid_t child = inAnotherProcess(
    [&]
    {
      if (::geteuid() == 0)
      {
        ASSERT_EQ(::setuid(65534), 0); // who may write anywhere is no test
      }
      const auto filter = this->filter();
      Listener listener(filter);
      EXPECT_EQ(play(filter), frames);
      ASSERT_EQ(listener.warnings.size(), 1u);
      EXPECT_TRUE(contains(listener.warnings[0], "cannot make the folder"));
      EXPECT_TRUE(listener.errors.empty());
    });
  EXPECT_EQ(statusOf(child), 0);
  fs::permissions(folder, fs::perms::owner_all);
}

TEST_F(DiskCache, AFolderThatIsRemovedIsMadeAnew)
{
  {
    const auto filter = this->filter();
    Listener listener(filter);
    filter->UpdateTimeStep(interval * 9);
    const fs::path away =
      folder.string() + " away"; // at once, while something may be written there
    fs::rename(folder, away);
    fs::remove_all(away);
    EXPECT_EQ(play(filter), expected());
    EXPECT_TRUE(listener.errors.empty());
  }
  EXPECT_TRUE(fs::exists(this->file("frame-00000020")));
  const auto filter = this->filter();
  EXPECT_EQ(play(filter), expected());
}

//------------------------------------------------------------------------------
TEST_F(DiskCache, TwoFiltersShareAFolder)
{
  const auto frames = expected();
  const auto one = this->filter(), other = this->filter();
  Listener listener(one), otherListener(other);
  for (std::size_t i = 0; i <= lastFrame; ++i)
  {
    EXPECT_EQ(bits(outputAt(one, interval * static_cast<double>(i))), frames[i]);
    EXPECT_EQ(
      bits(outputAt(other, interval * static_cast<double>(lastFrame - i))), frames[lastFrame - i]);
  }
  EXPECT_TRUE(listener.warnings.empty() && otherListener.warnings.empty());
}

TEST_F(DiskCache, ProcessesThatWriteTheSameRunAtOnceDoNotHarmIt)
{
  const auto frames = expected();
  std::vector<pid_t> children;
  for (int k = 0; k < 4; ++k)
  {
    children.push_back(inAnotherProcess(
      [&]
      {
        const auto filter = this->filter();
        filter->Work->secondsPerStep = 1e-5;
        Listener listener(filter);
        EXPECT_EQ(play(filter), frames);
        EXPECT_TRUE(listener.warnings.empty());
      }));
  }
  for (const pid_t child : children)
  {
    EXPECT_EQ(statusOf(child), 0);
  }
  const auto filter = this->filter();
  Listener listener(filter);
  EXPECT_EQ(play(filter), frames);
  EXPECT_EQ(filter->Work->steps, 0);
  EXPECT_TRUE(listener.warnings.empty());
}

//------------------------------------------------------------------------------
TEST_F(DiskCache, RunsThatNobodyUsesGoFirst)
{
  this->leave(lastFrame, 3.5);
  overwrite(folder / "letter.txt", "not ours");
  fs::create_directories(folder / "lapilli-notes");
  overwrite(folder / "lapilli-notes" / "a", "not ours either");
  std::uintmax_t one = 0;
  for (const auto& entry : fs::directory_iterator(this->runs().front()))
  {
    one += entry.file_size();
  }
  const auto used = this->filter(3.6);
  used->UpdateTimeStep(interval * lastFrame);
  for (const double rate : { 3.7, 3.8, 3.85 })
  {
    ::usleep(20000); // file times
    const auto filter = this->filter(rate);
    filter->SetCacheFolderLimit(3.3 * static_cast<double>(one) * 1e-6);
    Listener listener(filter);
    play(filter);
    EXPECT_TRUE(listener.errors.empty());
  }
  // Of five runs the oldest two that nobody used are gone; what is not a run has stayed.
  EXPECT_EQ(bytesOf(folder / "letter.txt"), "not ours");
  EXPECT_TRUE(fs::exists(folder / "lapilli-notes" / "a"));
  const auto again = this->filter(3.6);
  play(again);
  EXPECT_EQ(again->Work->creations, 0);
  const auto gone = this->filter(3.5);
  gone->UpdateTimeStep(0);
  EXPECT_EQ(gone->Work->creations, 1);
}

TEST_F(DiskCache, ARunThatIsLargerThanTheLimitKeepsItsBeginningAndCheckpoints)
{
  this->leave();
  double all = 0, checkpoints = 0;
  for (const auto& entry : fs::directory_iterator(this->runs().front()))
  {
    const auto size = static_cast<double>(entry.file_size());
    all += size;
    checkpoints += contains(entry.path().filename().string(), "checkpoint") ? size : 0;
  }
  fs::remove_all(folder);
  const double limit = std::max(0.5 * all, 4.1 * checkpoints);
  {
    const auto filter = this->filter();
    filter->SetCacheFolderLimit(limit * 1e-6);
    Listener listener(filter);
    EXPECT_EQ(play(filter), expected());
    ::usleep(50000); // the thread's last writes
    filter->UpdateTimeStep(0);
    EXPECT_TRUE(listener.errors.empty());
    if (0.5 * all > 4.1 * checkpoints)
    {
      ASSERT_EQ(listener.warnings.size(), 1u);
      EXPECT_TRUE(contains(listener.warnings[0], "has reached its limit"));
    }
  }
  double now = 0;
  for (const auto& entry : fs::directory_iterator(this->runs().front()))
  {
    now += static_cast<double>(entry.file_size());
  }
  EXPECT_LE(now, 1.1 * limit);
  EXPECT_TRUE(fs::exists(this->file("frame-00000001")));
  EXPECT_TRUE(fs::exists(this->file("checkpoint-00000016")));
}
