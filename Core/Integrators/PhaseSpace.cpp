#include "Integrators/PhaseSpace.h"

#include "Particles/Gather.h"
#include "Particles/Refuse.h"

#include <algorithm>
#include <cmath>

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

void requireSameLength(const std::vector<Vec3d>& positions, const std::vector<Vec3d>& velocities)
{
  if (positions.size() != velocities.size())
    refuse("the number of velocities", std::to_string(velocities.size()),
      "be that of the positions, " + std::to_string(positions.size()));
}

bool areFinite(const std::vector<Vec3d>& values)
{
  return std::all_of(values.begin(), values.end(), [](const Vec3d& v) { return isFinite(v); });
}

} // namespace

void PhaseSpace::upload(const std::vector<Vec3d>& positions, const std::vector<Vec3d>& velocities)
{
  requireSameLength(positions, velocities);
  arrays_.position.upload(positions);
  arrays_.velocity.upload(velocities);
  markChanged();
}

void PhaseSpace::append(const std::vector<Vec3d>& positions, const std::vector<Vec3d>& velocities)
{
  requireSameLength(positions, velocities);
  arrays_.position.append(positions);
  arrays_.velocity.append(velocities);
  markChanged();
}

void PhaseSpace::truncate(Index count)
{
  arrays_.position.shrink(static_cast<std::size_t>(count));
  arrays_.velocity.shrink(static_cast<std::size_t>(count));
  markChanged();
}

void PhaseSpace::reorder(const Executor& executor, const Buffer<Index>& order)
{
  LAPILLI_ASSERT(static_cast<Index>(order.size()) == count());
  scratch_.resizeDiscarding(count());
  executor.forEach("phase.reorderPlaces", count(),
    Gather<Vec3d>{ order.data(), arrays_.position.data(), scratch_.position.data() });
  executor.forEach("phase.reorderVelocities", count(),
    Gather<Vec3d>{ order.data(), arrays_.velocity.data(), scratch_.velocity.data() });
  arrays_.swap(scratch_);
  markChanged();
}

void PhaseSpace::setTime(double time)
{
  if (!std::isfinite(time))
    refuse("time", number(time), "be finite");
  time_ = time;
  markChanged();
}

void PhaseSpace::take(PhaseArrays& next, double time)
{
  LAPILLI_ASSERT(next.view().count == count());
  arrays_.swap(next);
  time_ = time;
}

void PhaseSpace::save(CheckpointWriter& writer) const
{
  writer.beginSection("phase space", 1);
  writer.value(time_);
  writer.array(positions());
  writer.array(velocities());
}

void PhaseSpace::restore(CheckpointReader& reader, std::uint64_t limit)
{
  reader.expectSection("phase space", 1);
  const double time = reader.value<double>();
  const auto positions = reader.array<Vec3d>(limit);
  const auto velocities = reader.array<Vec3d>(positions.size());
  if (velocities.size() != positions.size() || !std::isfinite(time) || !areFinite(positions) ||
      !areFinite(velocities))
    throw InvalidInput(
      "the checkpoint holds points without a place, a velocity or a time; compute it anew");
  upload(positions, velocities);
  time_ = time;
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
