/// @file
/// How long steps are, and steps that follow one another without the host.
///
/// A host that reads after each step how fast the fastest particle is keeps a device waiting. Plain steps, in which
/// nothing but contacts has to be looked at, are therefore enqueued several at a time. The numbers that decide about the
/// next one stand in the device's memory (StepControl); where a step would not be a plain one, or a number tells that
/// the run has diverged, the rest of the batch does nothing, and the host goes on from there by single steps.
#pragma once

#include "Math/Select.h"
#include "Math/Sphere.h"
#include "Parallel/Executor.h"

#include <cmath>
#include <cstdint>

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// What a time step is limited by.
enum class LimitedBy : std::int32_t
{
  Nothing, ///< before the first step
  Contacts,
  RadiusOverSpeed,
  Given,
  FrameInterval
};

/// What one step tells about all particles.
struct StepMaxima
{
  float overlap = 0; ///< over the smaller radius
  float speed = 0;   ///< [m/s], at the end of the step; infinite where it is not a number
  float way = 0;     ///< [m], the longest drift; infinite likewise

  HOST_DEVICE StepMaxima& operator+=(const StepMaxima& b)
  {
    overlap = larger(overlap, b.overlap);
    speed = larger(speed, b.speed);
    way = larger(way, b.way);
    return *this;
  }
};

/// A drift [m] as it adds up to the way of a particle: a bound, also after the rounding to a float.
HOST_DEVICE inline double wayOfDrift(double drift)
{
  constexpr double kRounding = 1 + 1e-6;
  return kRounding * drift;
}

/// What bounds the steps of a whole run.
struct StepLimits
{
  double contactStep = 0;   ///< [s]
  double longestDrift = 0;  ///< [m], of a particle in one step
  double given = 0;         ///< [s]; 0: none
  double frameInterval = 0; ///< [s]
  double gravity = 0;       ///< [m/s^2], its magnitude
  double greatestWind = 0;  ///< [m/s], which dust takes on within a step

  struct Choice
  {
    double timeStep; ///< [s]
    LimitedBy by;
  };

  /// Equal steps to the next time of the frame grid.
  /// @param remaining [s], until then
  HOST_DEVICE Choice choose(double greatestSpeed, double remaining) const
  {
    double limit = contactStep;
    LimitedBy by = LimitedBy::Contacts;
    const auto consider = [&](double step, LimitedBy name)
    {
      if (step < limit)
      {
        limit = step;
        by = name;
      }
    };
    if (greatestSpeed > 0)
      consider(longestDrift / greatestSpeed, LimitedBy::RadiusOverSpeed);
    if (given > 0)
      consider(given, LimitedBy::Given);
    consider(frameInterval, LimitedBy::FrameInterval);

    const double steps =
      std::ceil(remaining / limit - 1e-9); // a hair more than a whole number is that number
    return { remaining / (steps > 1 ? steps : 1), by };
  }

  /// Whether the drift of the next step may be made before the speed at the end of this one is known: only where
  /// it is far from too fast.
  HOST_DEVICE bool allowDriftAhead(double greatestSpeed, double timeStep, double nextTimeStep) const
  {
    const double fastest = greatestSpeed < greatestWind ? greatestWind : greatestSpeed;
    const double gained = gravity * (timeStep + nextTimeStep);
    return (fastest + gained) * nextTimeStep < 0.5 * longestDrift;
  }

  /// Whether a drift is one at all, and not the end of a run that has diverged.
  HOST_DEVICE bool isSaneDrift(double way) const
  {
    constexpr double kBeyondAll = 1e12; // of the longest drift: no place to look for it
    return way < kBeyondAll * longestDrift;
  }
};

/// What ends a batch of plain steps. Not among the arguments of kernels, which are recorded.
struct BatchEnd
{
  double frameEnd = 0;  ///< [s], time of the next frame
  double nextDue = 0;   ///< [s], when the next particle comes
  double halfSkin = 0;  ///< [m], way until lists may be used up
  double mapTravel = 0; ///< [m], way until maps have to be sampled; infinite without maps
};

/// The numbers of a run that change from step to step, the solver's own and in a batch the device's.
struct StepControl
{
  double time = 0;     ///< [s]
  double timeStep = 0; ///< [s], of the step at hand; 0 for the start, when nothing has moved yet
  /// [s]; 0 if particles stay where they are at the end of the step at hand.
  double nextTimeStep = 0;
  double smallestTimeStep = 0; ///< [s]; 0 before the first step
  double greatestSpeed = 0;    ///< [m/s], at the end of the last step
  double greatestOverlap = 0;  ///< over the smaller radius, since the start
  double lastDrift = 0;        ///< [m], the longest of the last drift
  double way = 0;              ///< [m], at most, of a particle from where neighbours were listed
  double unmappedTravel = 0;   ///< [m], of the fastest particle since the maps were sampled
  std::int64_t steps = 0;
  LimitedBy limitedBy = LimitedBy::Nothing;
  std::int32_t goesOn = 1; ///< whether kernels have work to do

  BatchEnd batch;

  // Of the step at hand.
  Largest overlapOfLongRows, overlapOnGround;
  StepMaxima maxima;

  HOST_DEVICE void take(const StepLimits::Choice& choice)
  {
    limitedBy = choice.by;
    smallestTimeStep = smallestTimeStep > 0 && smallestTimeStep < choice.timeStep ? smallestTimeStep
                                                                                  : choice.timeStep;
  }

  /// Lets kernels work on the step at hand.
  HOST_DEVICE void prepare()
  {
    overlapOfLongRows = overlapOnGround = {};
    maxima = {};
    goesOn = 1;
  }

  /// Decides whether the step at hand is a plain one, and how long the next will be. Particles have drifted: they stand
  /// where the step at hand leads.
  HOST_DEVICE void begin(const StepLimits& limits)
  {
    if (!goesOn)
      return;
    goesOn = 0;
    const double end = time + timeStep, travel = unmappedTravel + greatestSpeed * timeStep;
    if (!limits.isSaneDrift(lastDrift) || timeStep == batch.frameEnd - time ||
        batch.nextDue <= end || way > batch.halfSkin || travel >= batch.mapTravel)
      return;
    const StepLimits::Choice next = limits.choose(greatestSpeed, batch.frameEnd - end);
    if (!(batch.frameEnd + next.timeStep > batch.frameEnd) ||
        !limits.allowDriftAhead(greatestSpeed, timeStep, next.timeStep))
      return;
    unmappedTravel = travel;
    nextTimeStep = next.timeStep;
    take(next);
    prepare();
  }

  /// Takes in what the kernels have told.
  HOST_DEVICE void takeMaxima()
  {
    for (const double overlap : { overlapOfLongRows.value, overlapOnGround.value, maxima.overlap })
      greatestOverlap = overlap > greatestOverlap ? overlap : greatestOverlap;
    greatestSpeed = maxima.speed;
    addWay(maxima.way);
  }

  /// Ends the step, and the batch where the run has diverged.
  HOST_DEVICE void end(const StepLimits& limits)
  {
    if (!goesOn)
      return;
    takeMaxima();
    time += timeStep;
    ++steps;
    if (!(greatestSpeed < INFINITY) || lastDrift > limits.longestDrift)
      goesOn = 0;
    else
      timeStep = nextTimeStep;
  }

  HOST_DEVICE void addWay(double ofDrift)
  {
    lastDrift = ofDrift;
    way += wayOfDrift(ofDrift);
  }
};

/// What the launches of a batch depend on beside what is the same for a whole run: kernels read and write the same
/// places, as many of them, only while all of it is the same.
struct BatchKey
{
  /// How often they were made; particles change their places and number with them.
  std::int64_t lists = 0;
  std::int64_t allocations = 0;   ///< of all memory
  const Sphere* places = nullptr; ///< present ones: each step exchanges two copies
  std::int32_t steps = 0;

  bool operator==(const BatchKey& b) const
  {
    return lists == b.lists && allocations == b.allocations && places == b.places &&
           steps == b.steps;
  }
};

/// The lengths of the step at hand, for its kernels.
struct StepTimes
{
  const StepControl* control;

  HOST_DEVICE bool goesOn() const { return control->goesOn; }
  HOST_DEVICE double ending() const { return control->timeStep; }        ///< [s]
  HOST_DEVICE double beginning() const { return control->nextTimeStep; } ///< [s], see StepControl
};

/// Updates control.
struct BeginStep
{
  StepControl* control;
  StepLimits limits;
  HOST_DEVICE void operator()(Index) const { control->begin(limits); }
};

/// Updates control.
struct EndStep
{
  StepControl* control;
  StepLimits limits;
  HOST_DEVICE void operator()(Index) const { control->end(limits); }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
