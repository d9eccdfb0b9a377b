/// @file
/// Writing and reading one frame of the cache folder: particles on a slope, positions and six arrays of random motion.
#include "Private/Cache/FrameFile.h"
#include "Private/Cache/RunFolder.h"

#include <benchmark/benchmark.h>

#include <filesystem>
#include <random>
#include <string>

namespace
{

const lapilli::FileKey key{ { 1, 2 }, 7 };

lapilli::StoredFrame frameOf(std::size_t count)
{
  std::mt19937 random(1);
  std::normal_distribution<float> speed(0, 5);
  std::uniform_real_distribution<double> place(0, 1000);
  std::uniform_real_distribution<float> size(0.3f, 0.5f);
  std::vector<float> velocity(3 * count), pressure(count), radius(count), age(count, 12.5f);
  std::vector<std::int64_t> ids(count);
  std::vector<std::int32_t> sources(count, 0);
  lapilli::PointSet points;
  points.name = "particles";
  points.positions.resize(3 * count);
  for (std::size_t i = 0; i < count; ++i)
  {
    ids[i] = static_cast<std::int64_t>(i);
    radius[i] = size(random);
    pressure[i] = i % 4 == 0 ? 1000 * size(random) : 0; // most are in flight
    for (std::size_t k = 0; k < 3; ++k)
    {
      velocity[3 * i + k] = speed(random);
      points.positions[3 * i + k] = (k == 1 ? 9e6 : 3e5) + place(random);
    }
  }
  points.arrays = { { "velocity", 3, "m/s", velocity }, { "pressure", 1, "Pa", pressure },
    { "radius", 1, "m", radius }, { "age", 1, "s", age }, { "particle_id", 1, "", ids },
    { "source_id", 1, "", sources } };
  lapilli::StoredFrame stored;
  stored.frame.pointSets = { points };
  return stored;
}

std::filesystem::path folder()
{
  return std::filesystem::temp_directory_path() / "lapilli benchmark";
}

void count(benchmark::State& state, const lapilli::StoredFrame& frame, std::size_t onDisk)
{
  const auto bytes = static_cast<double>(frame.frame.bytes());
  state.counters["MB"] = bytes * 1e-6;
  state.counters["packed"] = static_cast<double>(onDisk) / bytes;
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

/// Each frame is a new file: one that replaces another is another matter to the file system, which waits for it.
class NewFiles
{
public:
  NewFiles()
    : run_(folder(), key.run)
  {
  }
  ~NewFiles() { std::filesystem::remove_all(run_.path()); }

  void write(benchmark::State& state, const lapilli::Bytes& bytes)
  {
    run_.write("frame" + std::to_string(number_), bytes);
    if (++number_ % 8 == 0)
    {
      state.PauseTiming();
      for (int i = number_ - 8; i < number_; ++i)
      {
        run_.remove("frame" + std::to_string(i));
      }
      state.ResumeTiming();
    }
  }

private:
  lapilli::RunFolder run_;
  int number_ = 0;
};

void WriteFrame(benchmark::State& state)
{
  const lapilli::StoredFrame frame = frameOf(static_cast<std::size_t>(state.range(0)));
  NewFiles files;
  std::size_t size = 0;
  for (auto _ : state)
  {
    const lapilli::Bytes bytes = lapilli::packFrame(key, frame);
    files.write(state, bytes);
    size = bytes.size();
  }
  count(state, frame, size);
}

void ReadFrame(benchmark::State& state)
{
  const lapilli::StoredFrame frame = frameOf(static_cast<std::size_t>(state.range(0)));
  lapilli::RunFolder run(folder(), key.run);
  const lapilli::Bytes bytes = lapilli::packFrame(key, frame);
  run.write("frame", bytes);
  for (auto _ : state)
  {
    benchmark::DoNotOptimize(lapilli::unpackFrame(key, run.read("frame")));
  }
  count(state, frame, bytes.size());
}

/// For comparison: the same bytes as they are.
void WriteRaw(benchmark::State& state)
{
  const lapilli::StoredFrame frame = frameOf(static_cast<std::size_t>(state.range(0)));
  const lapilli::Bytes bytes(frame.frame.bytes(), 1);
  NewFiles files;
  for (auto _ : state)
  {
    files.write(state, bytes);
  }
  count(state, frame, bytes.size());
}

} // namespace

BENCHMARK(WriteFrame)->Arg(100000)->Arg(1000000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(ReadFrame)->Arg(100000)->Arg(1000000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(WriteRaw)->Arg(1000000)->Unit(benchmark::kMillisecond)->UseRealTime();
