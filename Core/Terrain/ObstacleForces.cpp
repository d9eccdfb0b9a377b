#include "Terrain/ObstacleForces.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// Writes loads, for the frame that begins.
struct BeginFrame
{
  ObstacleLoad* loads;
  HOST_DEVICE void operator()(Index i) const
  {
    loads[i].impulse = {};
    loads[i].greatestForce = 0;
  }
};

} // namespace

ObstacleForces::ObstacleForces(std::size_t count, double impulse)
  : count_(static_cast<Index>(count))
  , perQuantum_(std::ldexp(1.0, 36) / impulse)
{
  sums_.upload(std::vector<std::int64_t>(3 * count, 0));
  loads_.upload(std::vector<ObstacleLoad>(count));
}

void ObstacleForces::beginFrame(const Executor& executor)
{
  executor.forEach("obstacles.beginFrame", count_, BeginFrame{ loads_.data() });
}

void ObstacleForces::save(CheckpointWriter& writer) const
{
  writer.beginSection("obstacles", 1);
  writer.array(loads());
}

void ObstacleForces::restore(CheckpointReader& reader)
{
  reader.expectSection("obstacles", 1);
  const auto loads = reader.array<ObstacleLoad>(static_cast<std::uint64_t>(count_));
  if (loads.size() != static_cast<std::size_t>(count_))
    throw InvalidInput("the checkpoint holds other obstacles; compute it anew");
  loads_.upload(loads);
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
