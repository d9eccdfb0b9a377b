/// @file
/// The steps of first order, one point at a time.
/// Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), section I.1.
#pragma once

#include "Integrators/StepPeaks.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// x(t+dt) = x + v dt, v(t+dt) = v + a dt. Writes next.
struct ForwardEulerStep
{
  PhaseView now;
  const Vec3d* acceleration;
  double timeStep;
  PhaseView next;
  HOST_DEVICE void operator()(Index i) const
  {
    const Vec3d velocity = now.velocity[i];
    next.position[i] = now.position[i] + timeStep * velocity;
    next.velocity[i] = velocity + timeStep * acceleration[i];
  }
};

/// v(t+dt) = v + a dt, x(t+dt) = x + v(t+dt) dt. Writes next.
struct SemiImplicitEulerStep
{
  PhaseView now;
  const Vec3d* acceleration;
  double timeStep;
  PhaseView next;
  HOST_DEVICE void operator()(Index i) const
  {
    const Vec3d velocity = now.velocity[i] + timeStep * acceleration[i];
    next.position[i] = now.position[i] + timeStep * velocity;
    next.velocity[i] = velocity;
  }
};

/// Reads the velocity that places went by, next and its accelerations.
struct MeasureEuler
{
  const Vec3d* wentBy;
  double timeStep;
  PhaseView next;
  const Vec3d* nextAcceleration;
  HOST_DEVICE StepPeaks operator()(Index i) const
  {
    PointNote note;
    note.reach(timeStep * wentBy[i]);
    return peaksOf(i, note, next, nextAcceleration[i]);
  }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
