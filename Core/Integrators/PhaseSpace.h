/// @file
/// Points with places and velocities, as structure of arrays: the state that an Integrator moves.
///
///   PhaseSpace state;
///   state.upload(positions, velocities);
///   while (state.time() < end)
///     integrator.step(executor, state, derivative, end);
///
/// All is double. A problem in two dimensions keeps z = 0 in places, velocities and accelerations:
/// every integrator leaves it exactly 0.
#pragma once

#include "Checkpoint.h"
#include "Math/Vec.h"
#include "Parallel/Executor.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// Holds until the next step, upload, append or reorder: a step swaps the arrays for others.
struct PhaseView
{
  Index count;
  Vec3d* position; ///< [m]
  Vec3d* velocity; ///< [m/s]
};

/// The memory behind a view.
struct PhaseArrays
{
  Buffer<Vec3d> position, velocity;

  PhaseView view() const
  {
    return { static_cast<Index>(position.size()), position.data(), velocity.data() };
  }
  void resizeDiscarding(Index count)
  {
    position.resizeDiscarding(static_cast<std::size_t>(count));
    velocity.resizeDiscarding(static_cast<std::size_t>(count));
  }
  void swap(PhaseArrays& other) noexcept
  {
    position.swap(other.position);
    velocity.swap(other.velocity);
  }
  double bytes() const { return static_cast<double>(position.bytes() + velocity.bytes()); }
};

class PhaseSpace
{
public:
  /// @throws InvalidInput if there are not as many velocities as positions
  void upload(const std::vector<Vec3d>& positions, const std::vector<Vec3d>& velocities);
  /// More points, behind the others. @throws InvalidInput likewise
  void append(const std::vector<Vec3d>& positions, const std::vector<Vec3d>& velocities);
  /// Forgets the points from `count` on.
  void truncate(Index count);
  /// Point i becomes what order[i] was; see also Integrator::reorder().
  void reorder(const Executor& executor, const Buffer<Index>& order);
  /// @throws InvalidInput if it is not finite
  void setTime(double time);

  Index count() const { return arrays_.view().count; }
  double time() const { return time_; } ///< [s]
  PhaseView view() const { return arrays_.view(); }
  std::vector<Vec3d> positions() const { return arrays_.position.download(); }
  std::vector<Vec3d> velocities() const { return arrays_.velocity.download(); }
  Vec3d position(Index i) const { return arrays_.position.download(i, 1)[0]; }
  Vec3d velocity(Index i) const { return arrays_.velocity.download(i, 1)[0]; }

  /// To be called by whoever wrote through a view, or changed what the forces depend on: an Integrator
  /// then forgets the accelerations that it has kept. What stands above does so itself.
  void markChanged() { ++version_; }
  /// Another number after each change that is not a step.
  std::int64_t version() const { return version_; }

  /// For integrators: makes the arrays the present, at a time, and gives the former for them.
  void take(PhaseArrays& next, double time);

  double bytes() const { return arrays_.bytes() + scratch_.bytes(); }

  void save(CheckpointWriter& writer) const;
  /// Takes all or nothing. @param limit the largest count that makes sense
  /// @throws InvalidInput for bytes that are no sound state
  void restore(CheckpointReader& reader, std::uint64_t limit);

private:
  PhaseArrays arrays_;
  PhaseArrays scratch_; ///< of reorder()
  double time_ = 0;
  std::int64_t version_ = 0;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
