// The same bits: for any number of threads, on one processor, in another process, after a stop, shifted.
#include "Children.h"
#include "Compare.h"
#include "GranularFlow/GranularFlowPlan.h"
#include "Math/Random.h"
#include "Runs.h"
#include "SummedSource.h"
#include "Terrains.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <unistd.h>

using namespace lapilli;
using namespace lapilli::test;

namespace
{

/// A thousand steps of 50,000 would take minutes under sanitizers.
constexpr int kMany = kSanitized ? 2000 : 52000;
constexpr int kSome = kSanitized ? 500 : 3000;

/// A heap that is thrown about in an open box with a floor of triangles, all numbers of seeds and points
/// multiples of 1/1024 m.
Scene dyadicScene(const Vec3d& shift)
{
  RandomStream random(21, RandomStream::Positions);
  const auto dyadic = [](double v) { return std::round(v * 1024) / 1024; };
  Scene scene;
  scene.surfaces.push_back(
    moved(gridTerrain(-16, 16, 32, -16, 16, 32,
            [&](double x, double y) { return dyadic(0.5 * std::sin(x) * std::cos(0.7 * y)); }),
      shift.x, shift.y, shift.z));
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 12; ++j)
      for (int i = 0; i < 12; ++i)
        scene.seeds.add(
          { shift.x + dyadic(-13 + 2.25 * i + random.uniform(0, 0.25)),
            shift.y + dyadic(-13 + 2.25 * j + random.uniform(0, 0.25)), shift.z + 2 + 2.25 * k },
          { random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5) },
          random.uniform(0.3, 0.9), 2600);
  return scene;
}

GranularFlowParameters dyadicParameters()
{
  GranularFlowParameters parameters;
  parameters.greatestSpeed = 10;
  parameters.frameInterval = 0.1;
  return parameters;
}

class StopAfter : public Monitor
{
public:
  explicit StopAfter(std::int64_t steps)
    : left_(steps)
  {
  }
  bool onStep(double, std::int64_t) override { return --left_ > 0; }

private:
  std::int64_t left_;
};

} // namespace

TEST(GranularThreads, DoNotChangeABit)
{
  const std::string one = runInChild("", "repeat " + std::to_string(kMany) + " 1");
  const std::string two = runInChild("", "repeat " + std::to_string(kMany) + " 2");
  const std::string three = runInChild("", "repeat " + std::to_string(kMany) + " 3");
  const auto device = [](const std::string& output) { return output.substr(0, output.find('\n')); };
  const auto rest = [](const std::string& output) { return output.substr(output.find('\n') + 1); };
  EXPECT_EQ(device(one), "CPU, 1 thread");
  EXPECT_EQ(device(two), "CPU, 2 threads");
  EXPECT_EQ(device(three), "CPU, 3 threads");
  EXPECT_EQ(rest(two), rest(one));
  EXPECT_EQ(rest(three), rest(one));
  // On one processor, with as many threads as OpenMP then takes, and with two that share it.
  const std::string alone = runInChild("taskset -c 0", "repeat " + std::to_string(kMany) + " 0");
  EXPECT_EQ(device(alone), "CPU, 1 thread");
  EXPECT_EQ(rest(alone), rest(one));
  const std::string shared = runInChild("taskset -c 0", "repeat " + std::to_string(kSome) + " 2");
  EXPECT_EQ(device(shared), "CPU, 2 threads");
  EXPECT_EQ(rest(shared), rest(runInChild("", "repeat " + std::to_string(kSome) + " 1")));
  std::printf("%s", one.c_str());

  // The run is what it claims to be: a thousand steps with many rebuilds, losses of both kinds.
  std::istringstream numbers(rest(one));
  std::string hash, word;
  std::int64_t steps = 0, builds = 0, leftMap = 0, inHole = 0;
  numbers >> hash >> word >> steps >> word >> builds >> word >> leftMap;
  const std::size_t hole = rest(one).find(" fell into a hole");
  ASSERT_NE(hole, std::string::npos);
  inHole = std::atoll(rest(one).substr(rest(one).rfind(' ', hole - 1), hole).c_str());
  EXPECT_GE(steps, 1000);
  EXPECT_GT(leftMap, 0);
  if (!kSanitized) // fewer spheres are larger ones, which take longer
  {
    EXPECT_GE(builds, 20);
    EXPECT_GT(inHole, 0);
  }
  EXPECT_GE(repeatScene(kMany).seeds.count(), kSanitized ? 1800u : 50000u);
  verify("Bits with 1, 2 and 3 threads and on one processor, 50,000 spheres, 1,000 steps",
    "the same",
    rest(one) == rest(two) && rest(one) == rest(three) && rest(one) == rest(alone) ? "the same"
                                                                                   : "differ",
    "promise of the engine");
}

TEST(GranularThreads, AreRefusedBeyondTheirRange)
{
  const std::string text = messageOf<InvalidInput>(
    [] {
      createGranularFlow(repeatScene(100), repeatParameters(), { DeviceKind::Cpu, 1025 });
    });
  EXPECT_NE(text.find("threads is 1025"), std::string::npos) << text;
  EXPECT_NE(text.find("[0, 1024]"), std::string::npos) << text;
  messageOf<InvalidInput>(
    [] {
      createGranularFlow(repeatScene(100), repeatParameters(), { DeviceKind::Cpu, -1 });
    });
}

TEST(GranularCheckpoint, GoesOnWithTheSameBitsInAnotherProcess)
{
  auto run = createGranularFlow(repeatScene(kSome), repeatParameters(), { DeviceKind::Cpu, 1 });
  const double middle = 4 * repeatParameters().frameInterval;
  advance(*run, middle);
  const std::string name = testing::TempDir() + "lapilli-checkpoint-" + std::to_string(getpid());
  const std::vector<std::uint8_t> bytes = savedBytes(*run);
  std::ofstream(name, std::ios::binary)
    .write(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  advance(*run, repeatTime());
  const std::string there = runInChild("", "resume " + std::to_string(kSome) + " '" + name + "'");
  std::remove(name.c_str());
  EXPECT_EQ(there.substr(there.find('\n') + 1), fingerprint(*run) + "\n");
  EXPECT_GT(test::lossOf(run->report(), "left the map").count, 0);
  verify("Bits of a run restored from a checkpoint in another process", "the same",
    there.substr(there.find('\n') + 1) == fingerprint(*run) + "\n" ? "the same" : "differ",
    "promise of the engine");
}

namespace
{

/// What a run with so many steps in a batch comes to, and how often its host looked at it.
struct BatchedRun
{
  std::string print;
  std::vector<std::uint8_t> bytes;
  Report report;
  std::int64_t looks = 0;

  BatchedRun(
    const Scene& scene, const GranularFlowParameters& parameters, int stepsPerBatch, double time)
  {
    const std::shared_ptr<GranularFlowPlan> plan = planGranularFlow(scene, parameters);
    plan->stepsPerBatch = stepsPerBatch;
    const std::unique_ptr<Simulation> run = cpu::startGranularFlow(plan, 1);
    CountLooks monitor(looks);
    run->advanceTo(time, monitor);
    print = fingerprint(*run);
    bytes = savedBytes(*run);
    report = run->report();
  }

private:
  class CountLooks : public Monitor
  {
  public:
    explicit CountLooks(std::int64_t& looks)
      : looks_(looks)
    {
    }
    bool onStep(double, std::int64_t) override
    {
      ++looks_;
      return true;
    }

  private:
    std::int64_t& looks_;
  };
};

/// @return what the run with single steps tells
Report expectBatchesChangeNothing(
  const Scene& scene, const GranularFlowParameters& parameters, double time)
{
  const BatchedRun single(scene, parameters, 1, time);
  EXPECT_EQ(single.looks, single.report.steps);
  for (const int size : { 3, 16 })
  {
    const BatchedRun batched(scene, parameters, size, time);
    EXPECT_EQ(batched.print, single.print) << size;
    EXPECT_EQ(batched.bytes, single.bytes) << size;
    EXPECT_EQ(batched.report.smallestTimeStep, single.report.smallestTimeStep);
    EXPECT_EQ(batched.report.timeStepLimitedBy, single.report.timeStepLimitedBy);
    // Or there was nothing to compare.
    EXPECT_LT(batched.looks, 3 * single.looks / 4) << size;
  }
  return single.report;
}

} // namespace

TEST(GranularBatch, OfAnySizeGivesTheSameBits)
{
  GranularFlowParameters parameters = dyadicParameters();
  for (const ContactLaw law : { ContactLaw::LinearSpring, ContactLaw::HertzMindlin })
  {
    parameters.contactLaw = law;
    expectBatchesChangeNothing(dyadicScene({}), parameters, 0.3);
  }
}

TEST(GranularBatch, OfAnySizeGivesTheSameBitsWithLossesAndWithoutMaps)
{
  GranularFlowParameters parameters = repeatParameters();
  parameters.terrainMaps = false;
  expectBatchesChangeNothing(repeatScene(300), parameters, repeatTime());
}

TEST(GranularBatch, OfAnySizeGivesTheSameBitsBetweenWallsAndAfterANozzle)
{
  Scene scene = dyadicScene({});
  scene.domain.used = true;
  scene.domain.lower = { -15, -15, -5 };
  scene.domain.upper = { 15, 15, 30 };
  scene.domain.sides.fill(DomainSide::Wall);
  Nozzle nozzle;
  nozzle.pulses = { { 0, 0.1, 200, 5 } };
  nozzle.radii.radius = 0.4;
  nozzle.openingRadius = 4;
  nozzle.position = { 0, 0, 12 };
  scene.nozzles.push_back(nozzle);
  const Report report = expectBatchesChangeNothing(scene, dyadicParameters(), 0.5);
  EXPECT_GT(report.emitted, 0);
  EXPECT_TRUE(std::any_of(report.obstacles.begin(), report.obstacles.end(),
    [](const ObstacleForce& wall) { return wall.greatestForce > 0; }));
}

class GranularRepeat : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularRepeat);

TEST_P(GranularRepeat, TwoRunsAreTheSameBits)
{
  auto one = march(dyadicScene({}), dyadicParameters(), device(), 0.5);
  auto two = march(dyadicScene({}), dyadicParameters(), device(), 0.5);
  EXPECT_EQ(fingerprint(*one), fingerprint(*two));
}

TEST_P(GranularRepeat, FramesAskedOneByOneOrAtOnceAreTheSameBits)
{
  auto atOnce = march(dyadicScene({}), dyadicParameters(), device(), 0.8);
  auto oneByOne = createGranularFlow(dyadicScene({}), dyadicParameters(), device());
  for (int frame = 1; frame <= 8; ++frame)
  {
    advance(*oneByOne, frame * 0.1);
    static_cast<void>(Snapshot(*oneByOne));
    oneByOne->report();
    savedBytes(*oneByOne);
  }
  EXPECT_EQ(fingerprint(*atOnce), fingerprint(*oneByOne));
  EXPECT_EQ(savedBytes(*atOnce), savedBytes(*oneByOne));
}

TEST_P(GranularRepeat, ACancelledRunGoesOnWithTheSameBits)
{
  auto straight = march(dyadicScene({}), dyadicParameters(), device(), 0.5);
  auto stopped = createGranularFlow(dyadicScene({}), dyadicParameters(), device());
  int stops = 0;
  for (const std::int64_t steps : { 1, 7, 30, 111 })
  {
    try
    {
      StopAfter monitor(steps);
      stopped->advanceTo(0.5, monitor);
    }
    catch (const Cancelled& cancelled)
    {
      ++stops;
      EXPECT_NE(std::string(cancelled.what()).find("stopped at"), std::string::npos);
      EXPECT_NO_THROW(Snapshot{ *stopped });
    }
  }
  EXPECT_EQ(stops, 4);
  advance(*stopped, 0.5);
  EXPECT_EQ(fingerprint(*straight), fingerprint(*stopped));
}

TEST_P(GranularRepeat, SavingBetweenFramesIsRefused)
{
  auto run = createGranularFlow(dyadicScene({}), dyadicParameters(), device());
  StopAfter monitor(3);
  EXPECT_THROW(run->advanceTo(0.5, monitor), Cancelled);
  const std::string text = messageOf<InvalidInput>([&] { savedBytes(*run); });
  EXPECT_NE(text.find("frame grid"), std::string::npos) << text;
}

TEST_P(GranularRepeat, ARestoredRunGoesOnWithTheSameBits)
{
  auto run = march(dyadicScene({}), dyadicParameters(), device(), 0.4);
  const std::vector<std::uint8_t> bytes = savedBytes(*run);
  const std::string then = fingerprint(*run);
  advance(*run, 0.9);
  auto other = createGranularFlow(dyadicScene({}), dyadicParameters(), device());
  restoreBytes(*other, bytes);
  EXPECT_EQ(fingerprint(*other), then);
  EXPECT_EQ(other->time(), 0.4);
  EXPECT_EQ(savedBytes(*other), bytes);
  advance(*other, 0.9);
  EXPECT_EQ(fingerprint(*other), fingerprint(*run));
  // And back in time, in the run itself.
  restoreBytes(*run, bytes);
  advance(*run, 0.9);
  EXPECT_EQ(fingerprint(*other), fingerprint(*run));
}

TEST_P(GranularRepeat, CheckpointOfTheStartIsTheStart)
{
  auto run = createGranularFlow(dyadicScene({}), dyadicParameters(), device());
  const std::vector<std::uint8_t> bytes = savedBytes(*run);
  advance(*run, 0.3);
  auto other = createGranularFlow(dyadicScene({}), dyadicParameters(), device());
  restoreBytes(*other, bytes);
  advance(*other, 0.3);
  EXPECT_EQ(fingerprint(*other), fingerprint(*run));
}

TEST_P(GranularRepeat, ForeignBytesAreRefused)
{
  auto run = march(dyadicScene({}), dyadicParameters(), device(), 0.1);
  const std::vector<std::uint8_t> bytes = savedBytes(*run);
  const auto refused = [&](Simulation& taker, const std::vector<std::uint8_t>& given)
  { return messageOf<InvalidInput>([&] { restoreBytes(taker, given); }); };
  EXPECT_NE(refused(*run, {}).find("checkpoint"), std::string::npos);
  EXPECT_NE(
    refused(*run, std::vector<std::uint8_t>(100000, 0)).find("checkpoint"), std::string::npos);
  EXPECT_NE(
    refused(*run, std::vector<std::uint8_t>(100000, 255)).find("checkpoint"), std::string::npos);
  // Of other parameters, seeds and terrain.
  GranularFlowParameters parameters = dyadicParameters();
  parameters.friction = 0.51;
  EXPECT_NE(
    refused(*createGranularFlow(dyadicScene({}), parameters, device()), bytes).find("parameters"),
    std::string::npos);
  Scene scene = dyadicScene({});
  scene.seeds.velocities[0] += 1;
  EXPECT_NE(refused(*createGranularFlow(scene, dyadicParameters(), device()), bytes).find("seeds"),
    std::string::npos);
  scene = dyadicScene({});
  scene.surfaces[0].points[2] += 1;
  EXPECT_NE(
    refused(*createGranularFlow(scene, dyadicParameters(), device()), bytes).find("terrain"),
    std::string::npos);
  // Of the same values in another array.
  std::vector<double> values(dyadicScene({}).surfaces[0].triangleCount(), 0.5);
  scene = dyadicScene({});
  scene.surfaces[0].restitution = values;
  auto first = march(scene, dyadicParameters(), device(), 0.1);
  scene.surfaces[0].friction.swap(scene.surfaces[0].restitution);
  EXPECT_NE(refused(*createGranularFlow(scene, dyadicParameters(), device()), savedBytes(*first))
              .find("terrain"),
    std::string::npos);
}

TEST_P(GranularRepeat, TruncatedBytesAreRefused)
{
  auto run = march(dyadicScene({}), dyadicParameters(), device(), 0.5);
  const std::vector<std::uint8_t> bytes = savedBytes(*run);
  auto taker = createGranularFlow(dyadicScene({}), dyadicParameters(), device());
  RandomStream random(1, RandomStream::Positions);
  for (int k = 0; k < 300; ++k)
  {
    // Every length up to 200, then random ones, the last byte missing too.
    const std::size_t length = k < 200    ? k
                               : k == 200 ? bytes.size() - 1
                                          : random.below(bytes.size());
    const std::vector<std::uint8_t> part(bytes.begin(), bytes.begin() + length);
    EXPECT_THROW(restoreBytes(*taker, part), InvalidInput) << length;
  }
  // The one that failed takes sound bytes still.
  restoreBytes(*taker, bytes);
  advance(*taker, 0.6);
  advance(*run, 0.6);
  EXPECT_EQ(fingerprint(*taker), fingerprint(*run));
}

TEST_P(GranularRepeat, WhatARunCannotGoOnWithIsRefusedWhateverTheChecksumSays)
{
  auto run = march(dyadicScene({}), dyadicParameters(), device(), 0.1);
  auto taker = createGranularFlow(dyadicScene({}), dyadicParameters(), device());
  std::vector<std::uint8_t> bytes = savedBytes(*run);
  bytes.resize(bytes.size() - sizeof(std::uint64_t));
  const auto restore = [&](const std::vector<std::uint8_t>& changed)
  {
    SummedSource source(changed);
    CheckpointReader reader(source);
    taker->restore(reader);
  };
  const auto refused = [&](std::size_t place, auto value)
  {
    std::vector<std::uint8_t> changed = bytes;
    std::memcpy(changed.data() + place, &value, sizeof(value));
    return messageOf<InvalidInput>([&] { restore(changed); });
  };
  constexpr std::size_t kHead = 32 + 4, kFrame = kHead + 8, kLimitedBy = kFrame + 5 * 8;
  const std::size_t greatestSpeed = kLimitedBy + sizeof(std::int32_t);
  const std::string section = "particles";
  const auto particles = static_cast<std::size_t>(
    std::search(bytes.begin(), bytes.end(), section.begin(), section.end()) - bytes.begin());
  const std::size_t position = particles + kHead + 8, radius = position + 3 * sizeof(double);

  EXPECT_NE(refused(kFrame, std::int64_t(-2)).find("before the start"), std::string::npos);
  EXPECT_NE(refused(kFrame + 16, ~std::uint64_t(0) >> 1).find("has counted to"), std::string::npos);
  for (const std::int32_t unknown : { -1, 5 })
    EXPECT_NE(refused(kLimitedBy, unknown).find("what limits the time step"), std::string::npos);
  EXPECT_NE(refused(greatestSpeed, std::nan("")).find("greatest speed"), std::string::npos);
  EXPECT_NE(refused(position, std::nan("")).find("without a place"), std::string::npos);
  EXPECT_NE(refused(position, INFINITY + 0.0).find("without a place"), std::string::npos);
  EXPECT_NE(refused(radius, 0.0).find("without a place"), std::string::npos);
  EXPECT_NE(refused(radius, 1e6).find("radius of 1000000"), std::string::npos);
  EXPECT_NE(refused(position - 8, std::uint64_t(1) << 40).find("announces"), std::string::npos);
  EXPECT_EQ(taker->time(), 0);
  restore(bytes);
  EXPECT_EQ(fingerprint(*taker), fingerprint(*run));
}

TEST_P(GranularRepeat, BytesWithAFlippedBitAreRefused)
{
  auto run = march(dyadicScene({}), dyadicParameters(), device(), 0.5);
  const std::vector<std::uint8_t> bytes = savedBytes(*run);
  auto taker = createGranularFlow(dyadicScene({}), dyadicParameters(), device());
  RandomStream random(2, RandomStream::Positions);
  for (int k = 0; k < (kSanitized ? 400 : 2000); ++k)
  {
    std::vector<std::uint8_t> flipped = bytes;
    // The first bytes are names, versions and lengths.
    const std::size_t place = k < 800 ? random.below(400) : random.below(bytes.size());
    flipped[place] ^= std::uint8_t(1) << random.below(8);
    EXPECT_THROW(restoreBytes(*taker, flipped), InvalidInput) << place << " of " << bytes.size();
  }
  // What was refused left the run as it was: at its start.
  EXPECT_EQ(taker->time(), 0);
  advance(*taker, 0.5);
  EXPECT_EQ(fingerprint(*taker), fingerprint(*run));
}

TEST_P(GranularRepeat, AShiftByKilometresShiftsTheResultToTheBit)
{
  auto here = march(dyadicScene({}), dyadicParameters(), device(), 1);
  for (const Vec3d& shift : { Vec3d{ 9085000, -604000, 3000 }, Vec3d{ 20000, 20000, 0 } })
  {
    auto there = march(dyadicScene(shift), dyadicParameters(), device(), 1);
    const Snapshot a(*here), b(*there);
    ASSERT_EQ(a.count(), b.count());
    for (std::size_t i = 0; i < a.count(); ++i)
    {
      const Vec3d expected = a.position(i) + shift; // rounded once, as the engine does
      EXPECT_EQ(squaredLength(b.position(i) - expected), 0) << i;
    }
    for (const Array& array : a.points.arrays)
      EXPECT_TRUE(array.values == b.points.array(array.name).values) << array.name;
  }
  verify("Terrain and sources shifted by 9,085,000 m: particles", "the same bits, shifted",
    HasFailure() ? "differ" : "the same bits, shifted", "local coordinates");
}

TEST_P(GranularRepeat, FarFromTheLocalOriginTheResultIsTheSameToRoundOff)
{
  // The same scene 20 km from the local origin, by a wide flat around it: coordinates there resolve
  // 4e-12 m. A few impacts enlarge that; the time is short enough for 1e-6 m.
  const auto sceneAt = [](double far)
  {
    Scene scene;
    scene.surfaces.push_back(gridTerrain(-30000, 30000, 3, -30000, 30000, 3, flat));
    RandomStream random(31, RandomStream::Positions);
    for (int i = 0; i < 20; ++i)
      scene.seeds.add({ far + 3.0 * i, far + random.uniform(-1, 1), 1.0 },
        { random.uniform(-3, 3), 1, -2 }, 0.5, 2600);
    return scene;
  };
  const auto parameters = dyadicParameters();
  auto here = march(sceneAt(0), parameters, device(), 1);
  auto there = march(sceneAt(20000), parameters, device(), 1);
  const Snapshot a(*here), b(*there);
  ASSERT_EQ(a.count(), 20u);
  ASSERT_EQ(b.count(), 20u);
  for (std::size_t i = 0; i < a.count(); ++i)
  {
    EXPECT_TRUE(agrees(b.position(i) - Vec3d{ 20000, 20000, 0 }, a.position(i), 1e-6, 1.0)) << i;
    EXPECT_TRUE(agrees(b.velocity(i), a.velocity(i), 1e-5, 1.0)) << i;
    EXPECT_TRUE(agrees(b.spin(i), a.spin(i), 1e-5, 1.0)) << i;
  }
}

namespace
{

/// Sixty spheres thrown about in a closed box with rough walls, for half a second: each meets another one or a
/// wall a few times. Sums run in another order in a turned scene, so that the last bits of the float forces
/// (1e-7) differ; an impact enlarges a difference by up to ten.
struct Turned
{
  Vec3d (*turn)(const Vec3d&);
  bool isReflection;
};

Scene boxScene(const Turned& turned, bool isReversed = false)
{
  Scene scene;
  Surface box = boxContainer({ -3, -3, -3 }, { 3, 3, 3 }, false, 2);
  for (std::size_t i = 0; i < box.points.size(); i += 3)
  {
    const Vec3d p = turned.turn({ box.points[i], box.points[i + 1], box.points[i + 2] });
    box.points[i] = p.x;
    box.points[i + 1] = p.y;
    box.points[i + 2] = p.z;
  }
  if (turned.isReflection)
    for (std::size_t t = 0; t < box.triangles.size(); t += 3)
      std::swap(box.triangles[t], box.triangles[t + 1]);
  scene.surfaces.push_back(box);
  RandomStream random(41, RandomStream::Positions);
  Seeds seeds;
  for (int k = 0; k < 60; ++k)
  {
    const Vec3d p =
      turned.turn({ -2.2 + 1.1 * (k % 5), -2.2 + 1.1 * (k / 5 % 4), -2.2 + 1.4 * (k / 20) });
    const double vx = random.uniform(-4, 4), vy = random.uniform(-4, 4), vz = random.uniform(-4, 4);
    const Vec3d v = turned.turn({ vx, vy, vz });
    seeds.add({ p.x, p.y, p.z }, { v.x, v.y, v.z }, random.uniform(0.25, 0.5), 2600);
  }
  if (!isReversed)
    scene.seeds = seeds;
  else
    for (int k = 59; k >= 0; --k)
      scene.seeds.add(
        { seeds.positions[3 * k], seeds.positions[3 * k + 1], seeds.positions[3 * k + 2] },
        { seeds.velocities[3 * k], seeds.velocities[3 * k + 1], seeds.velocities[3 * k + 2] },
        seeds.radii[k], 2600);
  return scene;
}

Vec3d same(const Vec3d& v)
{
  return v;
}

} // namespace

TEST_P(GranularRepeat, TurningOrReflectingTheSceneTurnsTheResult)
{
  const auto parametersFor = [](const Turned& turned)
  {
    GranularFlowParameters parameters = dyadicParameters();
    const Vec3d gravity = turned.turn({ 0, 0, -9.81 });
    parameters.gravity = { gravity.x, gravity.y, gravity.z };
    return parameters;
  };
  const Turned identity{ same, false };
  auto here = march(boxScene(identity), parametersFor(identity), device(), 0.5);
  const Snapshot a(*here);
  double met = 0;
  for (std::size_t i = 0; i < a.count(); ++i)
    met += length(a.spin(i)) > 0 ? 1 : 0;
  EXPECT_GT(met, 40);
  const Turned aboutZ{ [](const Vec3d& v) { return Vec3d{ -v.y, v.x, v.z }; }, false };
  const Turned aboutX{ [](const Vec3d& v) { return Vec3d{ v.x, -v.z, v.y }; }, false };
  const Turned aboutY{ [](const Vec3d& v) { return Vec3d{ v.z, v.y, -v.x }; }, false };
  const Turned mirrored{ [](const Vec3d& v) { return Vec3d{ -v.x, v.y, v.z }; }, true };
  for (const Turned& turned : { aboutZ, aboutX, aboutY, mirrored })
  {
    auto there = march(boxScene(turned), parametersFor(turned), device(), 0.5);
    const Snapshot b(*there);
    ASSERT_EQ(b.count(), a.count());
    for (std::size_t i = 0; i < a.count(); ++i)
    {
      EXPECT_TRUE(agrees(b.position(i), turned.turn(a.position(i)), 1e-4, 1.0)) << i;
      EXPECT_TRUE(agrees(b.velocity(i), turned.turn(a.velocity(i)), 1e-3, 4.0)) << i;
      const double sign = turned.isReflection ? -1 : 1; // spin is a pseudovector
      EXPECT_TRUE(agrees(b.spin(i), sign * turned.turn(a.spin(i)), 1e-3, 8.0)) << i;
    }
  }
}

TEST_P(GranularRepeat, RenumberingTheSeedsRenumbersTheResult)
{
  const Turned identity{ same, false };
  auto here = march(boxScene(identity), dyadicParameters(), device(), 0.5);
  auto there = march(boxScene(identity, true), dyadicParameters(), device(), 0.5);
  const Snapshot a(*here), b(*there);
  ASSERT_EQ(b.count(), a.count());
  for (std::size_t i = 0; i < a.count(); ++i)
  {
    EXPECT_TRUE(agrees(b.position(59 - i), a.position(i), 1e-4, 1.0)) << i;
    EXPECT_TRUE(agrees(b.velocity(59 - i), a.velocity(i), 1e-3, 4.0)) << i;
  }
}
