/// @file
/// What acts on the points of a phase space: supplied by a model, asked by an Integrator.
///
///   class Springs : public Derivative
///   {
///     void setAccelerations(const Executor& executor, const PhaseView& state, double,
///       Vec3d* accelerations) override
///     {
///       executor.forEach("springs.pull", state.count, Pull{ state, stiffness_, accelerations });
///     }
///   };
#pragma once

#include "Integrators/PhaseSpace.h"

#include <string>

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// One virtual call for all points.
///
/// It may rely on: as many points as the state has, in its order; the places of a step's accepted
/// stages lie no farther from its beginning than the longest way, and times between its
/// beginning and its end.
/// It must not rely on: being asked once for each step, at its end, or in the order of time. Stages of
/// Runge and Kutta lie within the step, and a step may be undone after it was asked: a stage that
/// went too far shows only when the step is measured, as a step waits for the device only once. So
/// it must come back from places that are far off or not even finite, and must give the same bits
/// for the same state and time: what it remembers (lists of neighbours) must not show in them.
///
/// Velocities that it is given: with both Eulers and Runge-Kutta those of the state or stage; with velocity
/// Verlet the predicted v + a dt at the places of the step's end. Prediction, not the half kick
/// v + a dt/2: so forces with damping keep the second order at one evaluation a step, as long as
/// damping rate times step stays below 1 (then it is the method of Adams and Bashforth; half kicks
/// would be stable to 2 and of first order).
/// Groot, Warren, J. Chem. Phys. 107 (1997) 4423, with lambda = 1, doi:10.1063/1.474784.
class Derivative
{
public:
  virtual ~Derivative() = default;

  /// Sets the acceleration [m/s^2] of every point, through the executor, with labels. Only reads the state.
  virtual void setAccelerations(
    const Executor& executor, const PhaseView& state, double time, Vec3d* accelerations) = 0;

  /// How users know a point, for messages.
  virtual std::string nameOf(Index point) const { return "point " + std::to_string(point); }
  /// What is added to places in messages [m].
  virtual Vec3d origin() const { return {}; }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
