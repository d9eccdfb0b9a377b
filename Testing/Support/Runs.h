/// @file
/// Runs of Granular Flow for tests: on every device, with what they reached read back.
#pragma once

#include "GranularFlow.h"
#include "Math/Vec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace lapilli
{
namespace test
{

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true; ///< ten times slower
#else
constexpr bool kSanitized = false;
#endif

/// The devices that this build can use on this machine.
inline std::vector<DeviceKind> usableDevices()
{
  std::vector<DeviceKind> devices{ DeviceKind::Cpu };
  if (cudaAvailability().usable)
    devices.push_back(DeviceKind::Cuda);
  return devices;
}

/// A suite of which every case runs on every device. On the CPU with one thread: most runs are small,
/// and CTest runs several at once; what several threads do has its own cases.
class OnEveryDevice : public testing::TestWithParam<DeviceKind>
{
public:
  Device device() const { return { GetParam(), 1 }; }
};

inline std::string deviceName(const testing::TestParamInfo<DeviceKind>& info)
{
  return info.param == DeviceKind::Cpu ? "Cpu" : "Cuda";
}

#define LAPILLI_ON_EVERY_DEVICE(suite)                                                             \
  INSTANTIATE_TEST_SUITE_P(                                                                        \
    On, suite, testing::ValuesIn(::lapilli::test::usableDevices()), ::lapilli::test::deviceName)

/// The present state of a run, with short names.
struct Snapshot
{
  explicit Snapshot(const Simulation& run)
  {
    Frame frame;
    run.read(frame);
    time = frame.time;
    points = frame.pointSet("particles");
  }

  std::size_t count() const { return points.count(); }
  Vec3d position(std::size_t i) const
  {
    return { points.positions[3 * i], points.positions[3 * i + 1], points.positions[3 * i + 2] };
  }
  Vec3d velocity(std::size_t i) const { return vector("velocity", i); }
  Vec3d spin(std::size_t i) const { return vector("angular_velocity", i); }
  double scalar(const char* name, std::size_t i) const { return points.array(name).as<float>()[i]; }
  std::int64_t id(std::size_t i) const { return points.array("particle_id").as<std::int64_t>()[i]; }

  Vec3d vector(const char* name, std::size_t i) const
  {
    const std::vector<float>& values = points.array(name).as<float>();
    return { values[3 * i], values[3 * i + 1], values[3 * i + 2] };
  }

  double time = 0;
  PointSet points;
};

/// The present terrain maps, with short names.
struct Maps
{
  explicit Maps(const Simulation& run)
  {
    Frame frame;
    run.read(frame);
    field = frame.surfaceField("terrain");
  }
  const std::vector<float>& all(const std::string& name) const
  {
    return field.array(name).as<float>();
  }
  double at(const std::string& name, std::size_t triangle) const { return all(name)[triangle]; }
  double sum(const std::string& name) const
  {
    double total = 0;
    for (const float value : all(name))
      total += value;
    return total;
  }
  double greatest(const std::string& name) const
  {
    return *std::max_element(all(name).begin(), all(name).end());
  }
  SurfaceField field;
};

/// Mixes all positions and arrays of the present state, those of the terrain and the history too: equal for
/// equal bits alone.
inline std::uint64_t hashOf(const Simulation& run)
{
  Frame frame;
  run.read(frame);
  std::uint64_t hash = 14695981039346656037ull;
  const auto add = [&](const auto& values)
  {
    const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
    for (std::size_t k = 0; k < values.size() * sizeof(values[0]); ++k)
      hash = (hash ^ bytes[k]) * 1099511628211ull;
  };
  for (const PointSet& points : frame.pointSets)
  {
    add(points.positions);
    for (const Array& array : points.arrays)
      std::visit(add, array.values);
  }
  for (const SurfaceField& field : frame.surfaceFields)
    for (const Array& array : field.arrays)
      std::visit(add, array.values);
  for (const Table& table : frame.tables)
    for (const Array& column : table.columns)
      std::visit(add, column.values);
  return hash;
}

inline void advance(Simulation& run, double time)
{
  SilentMonitor monitor;
  run.advanceTo(time, monitor);
}

inline const char* nameOf(ContactLaw law)
{
  return law == ContactLaw::HertzMindlin ? "Hertz-Mindlin" : "linear springs";
}

inline const char* nameOf(TangentialLaw law)
{
  return law == TangentialLaw::Dashpot ? "dashpot" : "spring";
}

/// A domain that holds all and stops nothing: its middle makes the local origin.
inline Domain wideDomain()
{
  Domain domain;
  domain.used = true;
  domain.lower = { -4e4, -4e4, -4e4 };
  domain.upper = { 4e4, 4e4, 4e4 };
  return domain;
}

/// Creates a run and marches to `time`, which must lie on the grid of frames.
inline std::unique_ptr<Simulation> march(
  const Scene& scene, const GranularFlowParameters& parameters, const Device& device, double time)
{
  auto run = createGranularFlow(scene, parameters, device);
  advance(*run, time);
  return run;
}

inline const Loss& lossOf(const Report& report, const std::string& reason)
{
  for (const Loss& loss : report.losses)
    if (loss.reason == reason)
      return loss;
  throw InvalidInput("the report knows no loss '" + reason + "'");
}

inline std::vector<std::uint8_t> savedBytes(const Simulation& run)
{
  MemorySink sink;
  CheckpointWriter writer(sink);
  run.save(writer);
  return sink.bytes;
}

inline void restoreBytes(Simulation& run, const std::vector<std::uint8_t>& bytes)
{
  MemorySource source(bytes);
  CheckpointReader reader(source);
  run.restore(reader);
}

/// The text of the exception of a given type that `body` throws; empty with a failure if it does not.
template <class Exception, class Body>
std::string messageOf(const Body& body)
{
  try
  {
    body();
  }
  catch (const Exception& error)
  {
    return error.what();
  }
  catch (const std::exception& error)
  {
    ADD_FAILURE() << "threw something else: " << error.what();
    return {};
  }
  ADD_FAILURE() << "threw nothing";
  return {};
}

} // namespace test
} // namespace lapilli
