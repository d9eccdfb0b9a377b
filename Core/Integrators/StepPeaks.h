/// @file
/// What one reduction tells of a step: the greatest of everything that decides about it, and whose it is.
#pragma once

#include "Integrators/PhaseSpace.h"

namespace lapilli
{

/// The greatest of numbers from 0 on, and the first point that has it: the same in any order.
struct Peak
{
  double value = 0; ///< never NaN
  std::int32_t point = -1;

  HOST_DEVICE Peak& operator+=(const Peak& b)
  {
    const bool comesFirst = b.point >= 0 && (point < 0 || b.point < point);
    if (b.value > value || (b.value == value && comesFirst))
      *this = b;
    return *this;
  }
};

struct StepPeaks
{
  Peak way;                  ///< [m], from the step's beginning
  Peak speed;                ///< [m/s], at its end
  Peak acceleration;         ///< [m/s^2], at its end
  Peak error;                ///< over what is allowed
  std::int32_t unsound = -1; ///< the first point with a number that is not finite

  HOST_DEVICE StepPeaks& operator+=(const StepPeaks& b)
  {
    way += b.way;
    speed += b.speed;
    acceleration += b.acceleration;
    error += b.error;
    if (unsound < 0 || (b.unsound >= 0 && b.unsound < unsound))
      unsound = b.unsound;
    return *this;
  }
};

namespace LAPILLI_BACKEND
{

/// What a step did to one point.
struct PointNote
{
  double way = 0;      ///< [m], the farthest from where it stood, as long as it was sound
  double error = 0;    ///< over what is allowed
  bool isSound = true; ///< whether its accelerations were finite

  HOST_DEVICE void reach(const Vec3d& fromBeginning)
  {
    const double distance = length(fromBeginning);
    if (isSound && !(distance <= way))
      way = distance > way ? distance : INFINITY; // what is no number overflowed
  }
  HOST_DEVICE void meet(const Vec3d& acceleration) { isSound = isSound && isFinite(acceleration); }
};

/// Of one point at the end of a step, with the acceleration there.
HOST_DEVICE inline StepPeaks peaksOf(
  Index i, const PointNote& note, const PhaseView& end, const Vec3d& acceleration)
{
  StepPeaks peaks;
  peaks.way = { note.way, i };
  peaks.error = { note.error, i };
  const Vec3d velocity = end.velocity[i];
  if (note.isSound && isFinite(end.position[i]) && isFinite(velocity) && isFinite(acceleration))
  {
    peaks.speed = { length(velocity), i };
    peaks.acceleration = { length(acceleration), i };
  }
  else
    peaks.unsound = i;
  return peaks;
}

/// Reads a state that no step has led to, with its accelerations.
struct MeasureState
{
  PhaseView state;
  const Vec3d* acceleration;
  HOST_DEVICE StepPeaks operator()(Index i) const { return peaksOf(i, {}, state, acceleration[i]); }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
