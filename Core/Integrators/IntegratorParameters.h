/// @file
/// The choice of an integrator and of its steps.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace lapilli
{

/// | method              | order | evaluations a step | keeps the energy of an oscillation     |
/// |---------------------|-------|--------------------|----------------------------------------|
/// | ForwardEuler        | 1     | 1                  | no: grows by 1 + w^2 dt^2 in each step |
/// | SemiImplicitEuler   | 1     | 1                  | yes, for equal steps, w dt < 2         |
/// | VelocityVerlet      | 2     | 1                  | yes, likewise; and runs backward       |
/// | RungeKutta4         | 4     | 4                  | no: falls by (w dt)^6 / 72             |
/// | AdaptiveRungeKutta4 | 5     | 11                 | to its tolerance                       |
///
/// One evaluation more where a run begins, and after PhaseSpace::markChanged(): all keep the accelerations
/// of a step's end for the next.
enum class IntegrationMethod
{
  ForwardEuler,       ///< x += v dt, v += a dt
  SemiImplicitEuler,  ///< v += a dt, then x += v dt
  VelocityVerlet,     ///< half a kick, drift, half a kick
  RungeKutta4,        ///< the classical one of fourth order
  AdaptiveRungeKutta4 ///< the same with step doubling, local extrapolation and error control
};

/// What limits the length of steps.
enum class StepLimit : std::uint8_t
{
  TimeStep,   ///< the one given
  LongestWay, ///< of the fastest or hardest accelerated point
  Tolerance,  ///< of the error
  Soundness   ///< numbers that were not finite in a longer step
};

/// "time step", "longest way", "tolerance", "soundness"
const char* nameOf(StepLimit limit);

/// In units of the model: metres and seconds, if the names below do not say otherwise.
struct IntegratorParameters
{
  IntegrationMethod method = IntegrationMethod::VelocityVerlet;

  double timeStep = 0; ///< [s], > 0: the longest step, and the first trial of error control

  /// [m], > 0, a fraction of the smallest radius: none goes farther in a step or in a stage of one, so
  /// none goes through another. Infinite: no such rule.
  double longestWay = std::numeric_limits<double>::infinity();

  /// [s], >= 0: a step that would have to be shorter ends the run as Diverged. 0: 1e-12 of timeStep.
  double smallestStep = 0;

  // Of AdaptiveRungeKutta4: the error that a point may gain in one step, as the difference of one
  // full step and two half steps. The full allowance is the absolute one and the relative one together.
  double lengthTolerance = 1e-6;   ///< [m], > 0
  double velocityTolerance = 1e-6; ///< [m/s], > 0
  double relativeTolerance = 0;    ///< >= 0, of a point's way in the step and of its speed
  double safety = 0.9;             ///< in (0, 1), of the step that the error allows
  double growthLimit = 5;          ///< > 1, of a step over the one before
  double shrinkLimit = 0.1;        ///< in (0, 1), likewise

  std::string lengthUnit = "m", timeUnit = "s"; ///< for messages

  double leastStep() const { return smallestStep > 0 ? smallestStep : 1e-12 * timeStep; } ///< [s]
  bool controlsError() const { return method == IntegrationMethod::AdaptiveRungeKutta4; }

  /// @throws InvalidInput naming field, value and range
  void validate() const;
};

} // namespace lapilli
