// The same bits with any number of threads, and after a stop.
#include "Fields.h"
#include "Runs.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr int kMany = 5003; ///< more than one thread's share

/// Damped motion in a field that differs from point to point.
struct Uneven
{
  Vec3d operator()(const Vec3d& x, const Vec3d& v, double time) const
  {
    return (-1 - 0.3 * std::sin(x.y)) * x + Vec3d{ 0, 0, std::cos(time) } - (0.1 * length(v)) * v;
  }
};

Points manyPoints()
{
  Points points;
  for (int i = 0; i < kMany; ++i)
    points.add(
      { std::sin(1. * i), std::cos(3. * i), 0.001 * i }, { std::cos(2. * i), 0, std::sin(5. * i) });
  return points;
}

IntegratorParameters lively(IntegrationMethod method)
{
  IntegratorParameters parameters = stepping(method, 0.1);
  parameters.longestWay = 0.3;
  parameters.lengthTolerance = parameters.velocityTolerance = 1e-7;
  return parameters;
}

class IntegratorThreads : public ByEveryMethod
{
};
class IntegratorCheckpoint : public ByEveryMethod
{
};

std::vector<std::uint8_t> saved(const PhaseSpace& state, const Integrator& integrator)
{
  MemorySink sink;
  CheckpointWriter writer(sink);
  state.save(writer);
  integrator.save(writer, state);
  writer.end();
  return sink.bytes;
}

struct Restored
{
  Restored(IntegrationMethod method, const std::vector<std::uint8_t>& bytes)
    : integrator(lively(method))
  {
    MemorySource source(bytes);
    CheckpointReader reader(source);
    state.restore(reader, kMany);
    integrator.restore(reader, state);
    reader.expectEnd();
  }
  PhaseSpace state;
  Integrator integrator;
};

} // namespace

TEST_P(IntegratorThreads, DoNotChangeABit)
{
  std::vector<std::uint8_t> bytes[3];
  for (const int threads : { 1, 2, 3 })
  {
    const Executor executor(threads);
    PhaseSpace state = stateOf(manyPoints());
    Integrator integrator(lively(GetParam()));
    Field<Uneven> field{ Uneven{} };
    march(integrator, state, field, 1, executor);
    EXPECT_GT(integrator.counts().taken, 9);
    bytes[threads - 1] = saved(state, integrator);
  }
  EXPECT_EQ(bytes[0], bytes[1]);
  EXPECT_EQ(bytes[0], bytes[2]);
}

LAPILLI_BY_EVERY_METHOD(IntegratorThreads);

TEST_P(IntegratorCheckpoint, GoesOnAsIfThereHadBeenNoStop)
{
  Field<Uneven> field{ Uneven{} };
  PhaseSpace state = stateOf(orbits(0.3, 0));
  Integrator integrator(lively(GetParam()));
  const auto compare = [&](double end)
  {
    Restored run(GetParam(), saved(state, integrator));
    EXPECT_EQ(run.state.time(), state.time());
    EXPECT_TRUE(sameBits(pointsOf(run.state), pointsOf(state)));
    march(integrator, state, field, end);
    march(run.integrator, run.state, field, end);
    EXPECT_TRUE(sameBits(pointsOf(run.state), pointsOf(state)));
    EXPECT_EQ(saved(run.state, run.integrator), saved(state, integrator));
  };
  compare(0.7); // from a state that no step has led to
  EXPECT_GT(integrator.counts().taken, 2);
  for (int k = 0; k < 3; ++k) // in the middle of a frame
    integrator.step(kOneThread, state, field, 2);
  compare(2);
  state.view().velocity[2] = { 0, 0, 0.5 };
  state.markChanged();
  compare(3);

  PhaseSpace none;
  Integrator ofNone(lively(GetParam()));
  EXPECT_EQ(Restored(GetParam(), saved(none, ofNone)).state.count(), 0);
}

TEST_P(IntegratorCheckpoint, RefusesBytesThatAreNotItsOwn)
{
  Field<Uneven> field{ Uneven{} };
  PhaseSpace state = stateOf(orbits(0.3, 0));
  Integrator integrator(lively(GetParam()));
  march(integrator, state, field, 0.5);
  const std::vector<std::uint8_t> bytes = saved(state, integrator);

  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THROW(
      Restored(GetParam(), std::vector<std::uint8_t>(bytes.begin(), bytes.begin() + length)),
      InvalidInput)
      << length;
  for (std::size_t k = 0; k < bytes.size(); ++k)
    for (const int bit : { 0, 3, 7 })
    {
      std::vector<std::uint8_t> damaged = bytes;
      damaged[k] ^= static_cast<std::uint8_t>(1 << bit);
      EXPECT_THROW(Restored(GetParam(), damaged), InvalidInput) << k;
    }
  for (const IntegrationMethod other : kAllMethods)
  {
    if (other == GetParam())
      continue;
    EXPECT_NE(
      messageOf<InvalidInput>([&] { Restored(other, bytes); }).find("another integration method"),
      std::string::npos);
  }
}

/// Without the checksum's help: numbers that no run leaves behind.
TEST_P(IntegratorCheckpoint, TakesNothingOverFromWhatItRefuses)
{
  Field<Uneven> field{ Uneven{} };
  PhaseSpace state = stateOf(orbits(0.3, 0));
  Integrator integrator(lively(GetParam()));
  march(integrator, state, field, 0.5);
  const std::vector<std::uint8_t> bytes = saved(state, integrator);
  const auto overwritten = [&](std::size_t place, const auto& value)
  {
    std::vector<std::uint8_t> damaged = bytes;
    std::memcpy(damaged.data() + place, &value, sizeof value);
    return damaged;
  };
  const std::size_t head = 36, array = 8 + kBodies * sizeof(Vec3d);
  const std::size_t ofIntegrator = head + 8 + 2 * array;
  const std::size_t accelerations = ofIntegrator + head + 3, steps = accelerations + array;
  const std::vector<std::vector<std::uint8_t>> ofState{ overwritten(head, NAN * 1.0),
    overwritten(head + 16 + 5 * sizeof(double), double(INFINITY)),
    overwritten(head + 8, std::uint64_t(kBodies - 1)), overwritten(head + 8, ~std::uint64_t(0)),
    overwritten(head + 8 + array + 8, double(NAN)) };
  const std::vector<std::vector<std::uint8_t>> ofSteps{ overwritten(
                                                          ofIntegrator + head, std::uint8_t(9)),
    overwritten(ofIntegrator + head + 1, std::uint8_t(4)),
    overwritten(ofIntegrator + head + 2, std::uint8_t(2)),
    overwritten(ofIntegrator + head + 2, std::uint8_t(0)),
    overwritten(accelerations, std::uint64_t(kBodies - 2)),
    overwritten(accelerations + 8, double(NAN)), overwritten(steps, -1.0),
    overwritten(steps, double(INFINITY)), overwritten(steps + 8, double(NAN)),
    overwritten(steps + 16, -1.0), overwritten(steps + 24, std::int64_t(-1)),
    overwritten(steps + 32, std::int64_t(-1)), overwritten(steps + 40, std::int64_t(-1)) };

  for (const auto& damaged : ofState)
  {
    MemorySource source(damaged);
    CheckpointReader reader(source);
    EXPECT_THROW(state.restore(reader, kMany), InvalidInput);
    EXPECT_EQ(saved(state, integrator), bytes);
  }
  for (const auto& damaged : ofSteps)
  {
    MemorySource source(damaged);
    CheckpointReader reader(source);
    PhaseSpace other;
    other.restore(reader, kMany); // still sound
    EXPECT_THROW(integrator.restore(reader, other), InvalidInput);
    EXPECT_EQ(saved(state, integrator), bytes);
  }
  MemorySource source(bytes);
  CheckpointReader reader(source);
  EXPECT_THROW(state.restore(reader, kBodies - 1), InvalidInput);
}

LAPILLI_BY_EVERY_METHOD(IntegratorCheckpoint);
