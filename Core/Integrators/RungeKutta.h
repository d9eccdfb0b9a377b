/// @file
/// The classical method of Runge and Kutta for x' = v, v' = a(x, v, t), one point at a time, and its
/// error by step doubling.
/// Press, Teukolsky, Vetterling, Flannery, Numerical Recipes (1992), sections 16.1 and 16.2.
///
/// With the slopes of places written out as velocities, a step h from x, v with a1 there is
///
///   a2 at x + v h/2,             v + a1 h/2, t + h/2
///   a3 at x + (v + a1 h/2) h/2,  v + a2 h/2, t + h/2
///   a4 at x + (v + a2 h/2) h,    v + a3 h,   t + h
///   x + v h + (a1 + a2 + a3) h^2/6,  v + (a1 + 2 a2 + 2 a3 + a4) h/6
#pragma once

#include "Integrators/StepPeaks.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// Writes stage: x + drift (v + bendTime bend), v + kickTime kick.
struct RungeKuttaStage
{
  PhaseView start;
  double drift; ///< [s]
  const Vec3d* bend;
  double bendTime; ///< [s]
  const Vec3d* kick;
  double kickTime; ///< [s]
  PhaseView stage;
  HOST_DEVICE void operator()(Index i) const
  {
    const Vec3d velocity = start.velocity[i];
    stage.position[i] = start.position[i] + drift * (velocity + bendTime * bend[i]);
    stage.velocity[i] = velocity + kickTime * kick[i];
  }
};

/// The accelerations of the four stages.
struct RungeKuttaSlopes
{
  const Vec3d *first, *second, *third, *fourth;
};

/// Writes end and the ways of all stages into notes.
struct RungeKuttaEnd
{
  PhaseView start;
  RungeKuttaSlopes slopes;
  double timeStep;
  const Vec3d* beginning; ///< places from which ways are measured; null for those of start
  bool addsToNotes;       ///< or sets them
  PhaseView end;
  PointNote* notes;
  HOST_DEVICE void operator()(Index i) const
  {
    const double h = timeStep, half = 0.5 * h;
    const Vec3d x = start.position[i], v = start.velocity[i];
    const Vec3d a1 = slopes.first[i], a2 = slopes.second[i], a3 = slopes.third[i],
                a4 = slopes.fourth[i];
    const Vec3d drift = h * v + (h * h / 6) * (a1 + a2 + a3);
    end.position[i] = x + drift;
    end.velocity[i] = v + (h / 6) * (a1 + 2.0 * (a2 + a3) + a4);

    PointNote note = addsToNotes ? notes[i] : PointNote{};
    const Vec3d before = beginning ? x - beginning[i] : Vec3d{};
    note.reach(before + half * v);
    note.meet(a1);
    note.reach(before + half * (v + half * a1));
    note.meet(a2);
    note.reach(before + h * (v + half * a2));
    note.meet(a3);
    note.meet(a4);
    note.reach(before + drift);
    notes[i] = note;
  }
};

/// What a point's step may be wrong by.
struct ErrorAllowance
{
  double length;   ///< [m]
  double velocity; ///< [m/s]
  double relative; ///< of its way in the step, of its speed
};

/// Reads where one full step and two half steps led to. The difference of both is the error, and a
/// fifteenth of it, added, takes the two half steps to fifth order: local extrapolation. What is
/// kept is the extrapolated state; its own error is smaller than the one that is held to the tolerance.
/// Writes the extrapolated state over the two half steps', and notes.
struct ExtrapolateRungeKutta
{
  PhaseView now, full, halves;
  ErrorAllowance allowance;
  PointNote* notes;
  HOST_DEVICE void operator()(Index i) const
  {
    const Vec3d x = now.position[i], v = now.velocity[i];
    const Vec3d x2 = halves.position[i], v2 = halves.velocity[i];
    const Vec3d dx = x2 - full.position[i], dv = v2 - full.velocity[i];
    const Vec3d position = x2 + (1.0 / 15) * dx;
    halves.position[i] = position;
    halves.velocity[i] = v2 + (1.0 / 15) * dv;

    PointNote note = notes[i];
    note.reach(position - x);
    const double before = length(v), after = length(v2);
    const double ofPlace = allowance.length + allowance.relative * length(x2 - x);
    const double ofVelocity =
      allowance.velocity + allowance.relative * (before > after ? before : after);
    const double placeError = length(dx) / ofPlace, velocityError = length(dv) / ofVelocity;
    const double error = placeError > velocityError ? placeError : velocityError;
    if (placeError >= 0 && velocityError >= 0)
      note.error = error;
    else
      note.isSound = false;
    notes[i] = note;
  }
};

/// Reads next with its accelerations and notes.
struct MeasureRungeKutta
{
  PhaseView next;
  const Vec3d* nextAcceleration;
  const PointNote* notes;
  HOST_DEVICE StepPeaks operator()(Index i) const
  {
    return peaksOf(i, notes[i], next, nextAcceleration[i]);
  }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
