/// @file
/// Velocity Verlet, one point at a time.
/// Swope, Andersen, Berens, Wilson, J. Chem. Phys. 76 (1982) 637, doi:10.1063/1.442716.
#pragma once

#include "Integrators/StepPeaks.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// x + dt (v + a dt/2): the drift after half a kick.
HOST_DEVICE inline Vec3d verletDrift(const Vec3d& velocity, const Vec3d& acceleration, double dt)
{
  return dt * (velocity + (0.5 * dt) * acceleration);
}

/// x(t+dt), and in the place of v(t+dt) the prediction v + a dt for forces that depend on it, see
/// Derivative. Writes next.
struct DriftVerlet
{
  PhaseView now;
  const Vec3d* acceleration;
  double timeStep;
  PhaseView next;
  HOST_DEVICE void operator()(Index i) const
  {
    const Vec3d velocity = now.velocity[i], a = acceleration[i];
    next.position[i] = now.position[i] + verletDrift(velocity, a, timeStep);
    next.velocity[i] = velocity + timeStep * a;
  }
};

/// v(t+dt) = v + (a(t) + a(t+dt)) dt/2. Writes next.velocity.
struct FinishVerlet
{
  PhaseView now;
  const Vec3d* acceleration;
  double timeStep;
  PhaseView next;
  const Vec3d* nextAcceleration;
  HOST_DEVICE StepPeaks operator()(Index i) const
  {
    const Vec3d velocity = now.velocity[i], a = acceleration[i], b = nextAcceleration[i];
    next.velocity[i] = velocity + (0.5 * timeStep) * (a + b);
    PointNote note;
    note.reach(verletDrift(velocity, a, timeStep));
    return peaksOf(i, note, next, b);
  }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
