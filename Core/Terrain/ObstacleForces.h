/// @file
/// What particles exert on obstacles and on the walls of the domain.
///
/// Impulses are summed as whole numbers of a small quantum, so that the sums do not depend on the order
/// in which particles come, and repeat to the bit.
#pragma once

#include "Checkpoint.h"
#include "Math/Vec.h"
#include "Parallel/Atomic.h"
#include "Parallel/Executor.h"

namespace lapilli
{

/// What one obstacle has borne.
struct ObstacleLoad
{
  Vec3d impulse; ///< [N s], since the last frame
  Vec3d total;   ///< [N s], since the start
  double greatestForce =
    0; ///< [N], magnitude of the sum over all particles in one step, since the last frame
};

namespace LAPILLI_BACKEND
{

/// For kernels: adds what a particle does in one step.
struct ObstacleForcesView
{
  std::int64_t* sums; ///< three per obstacle, in quanta
  double perQuantum;  ///< [1/(N s)]

  HOST_DEVICE void add(std::int32_t obstacle, const Vec3d& impulse) const
  {
    std::int64_t* sum = sums + 3 * static_cast<std::int64_t>(obstacle);
    atomicSum(sum, quantaIn(impulse.x));
    atomicSum(sum + 1, quantaIn(impulse.y));
    atomicSum(sum + 2, quantaIn(impulse.z));
  }

private:
  /// 2^36 for the hardest impact; what is millions of times harder has diverged, and counts nothing.
  HOST_DEVICE std::int64_t quantaIn(double impulse) const
  {
    constexpr double kMost = static_cast<double>(std::int64_t(1) << 60);
    const double quanta = std::rint(impulse * perQuantum);
    return quanta > -kMost && quanta < kMost ? static_cast<std::int64_t>(quanta) : 0;
  }
};

/// Turns what was added in a step into loads. Reads and clears the sums; writes loads.
struct TakeObstacleStep
{
  ObstacleForcesView forces;
  ObstacleLoad* loads;

  /// @param timeStep [s]
  HOST_DEVICE void operator()(Index i, double timeStep) const
  {
    std::int64_t* sum = forces.sums + 3 * static_cast<std::int64_t>(i);
    const Vec3d impulse{ static_cast<double>(sum[0]) / forces.perQuantum,
      static_cast<double>(sum[1]) / forces.perQuantum,
      static_cast<double>(sum[2]) / forces.perQuantum };
    sum[0] = sum[1] = sum[2] = 0;
    ObstacleLoad& load = loads[i];
    load.impulse += impulse;
    load.total += impulse;
    const double force = timeStep > 0 ? length(impulse) / timeStep : 0;
    load.greatestForce = force > load.greatestForce ? force : load.greatestForce;
  }
};

class ObstacleForces
{
public:
  /// @param impulse [N s], what a single hard impact gives; the quantum is 2^-36 of it
  ObstacleForces(std::size_t count, double impulse);

  ObstacleForcesView view() const { return { sums_.data(), perQuantum_ }; }

  void beginFrame(const Executor& executor);
  Index count() const { return count_; }
  TakeObstacleStep takeStep() const { return { view(), loads_.data() }; }

  std::vector<ObstacleLoad> loads() const { return loads_.download(); }
  double bytes() const { return static_cast<double>(sums_.bytes() + loads_.bytes()); }

  /// At a time of the frame grid.
  void save(CheckpointWriter& writer) const;
  void restore(CheckpointReader& reader);

private:
  Index count_;
  double perQuantum_;
  Buffer<std::int64_t> sums_;
  Buffer<ObstacleLoad> loads_;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
