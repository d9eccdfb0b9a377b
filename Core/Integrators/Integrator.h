/// @file
/// Moves a phase space step by step, by one of five methods (IntegrationMethod), and lets none go
/// farther in a step than the longest way.
///
///   IntegratorParameters parameters;
///   parameters.method = IntegrationMethod::VelocityVerlet;
///   parameters.timeStep = 1e-3;
///   parameters.longestWay = 0.2 * smallestRadius;
///   Integrator integrator(parameters);
///   while (state.time() < end)
///     integrator.step(executor, state, derivative, end);
///
/// One integrator serves one state. A step allocates nothing once the first was made for as many points,
/// and waits for the device once, for a reduction of everything that decides about it and the next.
#pragma once

#include "Integrators/Derivative.h"
#include "Integrators/IntegratorParameters.h"
#include "Integrators/StepPeaks.h"

namespace lapilli
{

/// Since the start of a run.
struct StepCounts
{
  std::int64_t taken = 0, undone = 0; ///< steps
  std::int64_t evaluations = 0;       ///< of the derivative
};

namespace LAPILLI_BACKEND
{

class Integrator
{
public:
  /// @throws InvalidInput for parameters out of range
  explicit Integrator(const IntegratorParameters& parameters);

  /// One step, to `end` [s] at most. What is left is divided into equal steps no longer than any limit
  /// allows; with error control steps are as long as allowed, and the last two alike. The step that arrives
  /// leaves exactly `end` as time.
  ///
  /// Its length is foreseen from the greatest speed and acceleration; a step in which a point went
  /// farther than the longest way is undone and halved (that happens to Runge and Kutta's alone,
  /// the way of the others is known before).
  /// @return its length [s]; 0 where the state stands at the end
  /// @throws InvalidInput if `end` is before the state's time
  /// @throws Diverged where accelerations are not finite or the step would be shorter than the smallest; the
  ///   state stays as it was before
  double step(const Executor& executor, PhaseSpace& state, Derivative& derivative, double end);

  /// PhaseSpace::reorder() that keeps the accelerations too, so that none need be computed anew.
  void reorder(const Executor& executor, PhaseSpace& state, const Buffer<Index>& order);

  const IntegratorParameters& parameters() const { return parameters_; }
  const StepCounts& counts() const { return counts_; }
  double lastStep() const { return lastStep_; }          ///< [s], 0 before the first
  double smallestStep() const { return smallestTaken_; } ///< [s], since the start, likewise
  StepLimit limitedBy() const { return limitedBy_; }     ///< the last step
  /// At the end of the last step [m/s], [m/s^2].
  double greatestSpeed() const { return peaks_.speed.value; }
  double greatestAcceleration() const { return peaks_.acceleration.value; }
  /// At the present state [m/s^2]; null if the state was changed since the last step.
  const Vec3d* accelerations(const PhaseSpace& state) const
  {
    return knows(state) ? accelerations_.data() : nullptr;
  }

  double bytes() const;

  /// What the next step needs to have the same bits as in a run without a stop.
  void save(CheckpointWriter& writer, const PhaseSpace& state) const;
  /// Takes all or nothing, for the state that was restored before. Whoever must also be sure of both together
  /// restores into new ones and moves them when CheckpointReader::expectEnd() has agreed.
  /// @throws InvalidInput for bytes that are no sound integrator of this method and state
  void restore(CheckpointReader& reader, const PhaseSpace& state);

private:
  struct Run
  {
    const Executor& executor;
    PhaseSpace& state;
    Derivative& derivative;
    double end; ///< [s]
  };
  struct Limit
  {
    double step; ///< [s]
    StepLimit by;
    Index point; ///< whose, -1 for no one's
  };

  bool knows(const PhaseSpace& state) const
  {
    return knowsAccelerations_ && knownVersion_ == state.version();
  }
  void prepare(Index count);
  void evaluate(const Run& run, const PhaseView& at, double time, Buffer<Vec3d>& accelerations);
  /// Accelerations and peaks of the present state, if they are not known.
  void look(const Run& run);
  Limit firstLimit() const;
  double stepWithin(const Run& run, const Limit& limit) const;
  double timeAfter(const Run& run, double timeStep) const;
  /// Computes next_ with its accelerations.
  StepPeaks move(const Run& run, double timeStep);
  StepPeaks moveByEuler(const Run& run, double timeStep);
  StepPeaks moveByVerlet(const Run& run, double timeStep);
  StepPeaks moveByRungeKutta(const Run& run, double timeStep);
  StepPeaks moveByStepDoubling(const Run& run, double timeStep);
  struct Section;
  void moveThrough(const Run& run, const Section& section);
  /// The limit to try instead of a step that must be undone; its own length if it holds.
  Limit verdict(const Run& run, double timeStep, const StepPeaks& reached) const;
  double stepOfError(double timeStep, double error) const;
  void accept(const Run& run, double timeStep, const Limit& limit, const StepPeaks& reached);
  [[noreturn]] void throwDiverged(const Run& run, const Limit& limit) const;

  IntegratorParameters parameters_;

  // Of the state: kept over steps.
  Buffer<Vec3d> accelerations_;
  bool knowsAccelerations_ = false;
  bool knowsPeaks_ = false; ///< no part of a checkpoint, as it follows from the rest
  std::int64_t knownVersion_ = 0;
  StepPeaks peaks_;
  double controlledStep_ = 0; ///< [s], which the last error allows; 0 before the first step

  // Of a step.
  PhaseArrays next_, stage_, full_, middle_;
  Buffer<Vec3d> nextAccelerations_, stageAccelerations_[3];
  Buffer<PointNote> notes_;

  StepCounts counts_;
  double lastStep_ = 0, smallestTaken_ = 0;
  StepLimit limitedBy_ = StepLimit::TimeStep;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
