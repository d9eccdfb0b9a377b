#include "Integrators/Integrator.h"

#include "Integrators/EulerSteps.h"
#include "Integrators/RungeKutta.h"
#include "Integrators/VelocityVerlet.h"
#include "Particles/Gather.h"
#include "Particles/Refuse.h"

#include <algorithm>
#include <cmath>

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// A step may be longer than its limit by this share of it: a hair more than a whole number of steps is that
/// number, also where the times of many steps have summed up their round-off.
constexpr double kHair = 1e-9;

/// How much of the longest way a foreseen step may use, so that hairs do not make it longer.
constexpr double kForeseen = 1 - 1e-8;

/// c in the way v dt + c a dt^2 that a step can lead from its beginning. For semi-implicit Euler, whose drift
/// follows the whole kick, 1. Forward Euler's drift does not see the acceleration; half of it makes
/// a step that begins at rest no longer than another method's.
double wayOfAcceleration(IntegrationMethod method)
{
  return method == IntegrationMethod::SemiImplicitEuler ? 1 : 0.5;
}

std::string placeOf(const Vec3d& p)
{
  return "(" + number(p.x) + ", " + number(p.y) + ", " + number(p.z) + ")";
}

} // namespace

/// One step of Runge and Kutta, from a state whose accelerations are there.
struct Integrator::Section
{
  PhaseView start;
  const Vec3d* accelerations; ///< at the start
  double time;                ///< [s], at the start
  double timeStep;            ///< [s]
  double endTime;             ///< [s]
  const Vec3d* beginning;     ///< places from which ways are measured; null for those of start
  bool addsToNotes;           ///< to those of the section before
  PhaseView end;
};

Integrator::Integrator(const IntegratorParameters& parameters)
  : parameters_(parameters)
{
  parameters_.validate();
}

double Integrator::step(
  const Executor& executor, PhaseSpace& state, Derivative& derivative, double end)
{
  const double remaining = end - state.time();
  if (!(remaining >= 0) || !std::isfinite(remaining))
    refuse("the end of the step", number(end) + " " + parameters_.timeUnit,
      "be finite and not before the state's time, " + number(state.time()) + " " +
        parameters_.timeUnit);
  if (remaining == 0)
    return 0;
  const Run run{ executor, state, derivative, end };
  prepare(state.count());
  look(run);
  Limit limit = firstLimit();
  for (;;)
  {
    const double timeStep = stepWithin(run, limit);
    const StepPeaks reached = move(run, timeStep);
    const Limit next = verdict(run, timeStep, reached);
    if (next.step == timeStep)
    {
      accept(run, timeStep, limit, reached);
      return timeStep;
    }
    ++counts_.undone;
    limit = next;
  }
}

void Integrator::prepare(Index count)
{
  accelerations_.resizeDiscarding(count);
  nextAccelerations_.resizeDiscarding(count);
  next_.resizeDiscarding(count);
  if (parameters_.method == IntegrationMethod::RungeKutta4 || parameters_.controlsError())
  {
    stage_.resizeDiscarding(count);
    for (Buffer<Vec3d>& accelerations : stageAccelerations_)
      accelerations.resizeDiscarding(count);
    notes_.resizeDiscarding(count);
  }
  if (parameters_.controlsError())
  {
    full_.resizeDiscarding(count);
    middle_.resizeDiscarding(count);
  }
}

void Integrator::evaluate(
  const Run& run, const PhaseView& at, double time, Buffer<Vec3d>& accelerations)
{
  ++counts_.evaluations;
  run.derivative.setAccelerations(run.executor, at, time, accelerations.data());
}

void Integrator::look(const Run& run)
{
  if (knows(run.state) && knowsPeaks_)
    return;
  const PhaseView now = run.state.view();
  if (!knows(run.state))
  {
    knowsAccelerations_ = false;
    evaluate(run, now, run.state.time(), accelerations_);
  }
  peaks_ = run.executor.merged<StepPeaks>(
    "phase.measureState", now.count, MeasureState{ now, accelerations_.data() });
  if (peaks_.unsound >= 0)
    throwDiverged(run, { 0, StepLimit::Soundness, peaks_.unsound });
  knowsAccelerations_ = knowsPeaks_ = true;
  knownVersion_ = run.state.version();
}

Integrator::Limit Integrator::firstLimit() const
{
  Limit limit{ parameters_.timeStep, StepLimit::TimeStep, -1 };
  if (controlledStep_ > 0 && controlledStep_ < limit.step)
    limit = { controlledStep_, StepLimit::Tolerance, -1 };
  const double way = kForeseen * parameters_.longestWay;
  if (!std::isfinite(way))
    return limit;
  // The root of v dt + c a dt^2 = way, without a difference of large numbers.
  const double v = peaks_.speed.value;
  const double a = wayOfAcceleration(parameters_.method) * peaks_.acceleration.value;
  const double step = 2 * way / (v + std::sqrt(v * v + 4 * a * way));
  if (step < limit.step)
    limit = { step, StepLimit::LongestWay,
      v >= a * step ? peaks_.speed.point : peaks_.acceleration.point };
  return limit;
}

double Integrator::stepWithin(const Run& run, const Limit& limit) const
{
  // Also where steps would only just move the time: they would be beyond counting.
  if (limit.step < parameters_.leastStep() || !(run.end + limit.step > run.end))
    throwDiverged(run, limit);
  const double remaining = run.end - run.state.time();
  const double steps = remaining / limit.step;
  double timeStep = remaining / std::max(1.0, std::ceil((1 - kHair) * steps));
  if (parameters_.controlsError() && steps >= 2)
    timeStep = limit.step;
  if (!(run.state.time() + timeStep > run.state.time()))
    throwDiverged(run, { timeStep, limit.by, limit.point });
  return timeStep;
}

double Integrator::timeAfter(const Run& run, double timeStep) const
{
  const double time = run.state.time();
  return timeStep == run.end - time ? run.end : time + timeStep;
}

StepPeaks Integrator::move(const Run& run, double timeStep)
{
  switch (parameters_.method)
  {
    case IntegrationMethod::VelocityVerlet:
      return moveByVerlet(run, timeStep);
    case IntegrationMethod::RungeKutta4:
      return moveByRungeKutta(run, timeStep);
    case IntegrationMethod::AdaptiveRungeKutta4:
      return moveByStepDoubling(run, timeStep);
    default:
      return moveByEuler(run, timeStep);
  }
}

StepPeaks Integrator::moveByEuler(const Run& run, double timeStep)
{
  const PhaseView now = run.state.view(), next = next_.view();
  const Vec3d* wentBy = now.velocity;
  if (parameters_.method == IntegrationMethod::ForwardEuler)
    run.executor.forEach("phase.forwardEuler", now.count,
      ForwardEulerStep{ now, accelerations_.data(), timeStep, next });
  else
  {
    run.executor.forEach("phase.semiImplicitEuler", now.count,
      SemiImplicitEulerStep{ now, accelerations_.data(), timeStep, next });
    wentBy = next.velocity;
  }
  evaluate(run, next, timeAfter(run, timeStep), nextAccelerations_);
  return run.executor.merged<StepPeaks>("phase.measureEuler", now.count,
    MeasureEuler{ wentBy, timeStep, next, nextAccelerations_.data() });
}

StepPeaks Integrator::moveByVerlet(const Run& run, double timeStep)
{
  const PhaseView now = run.state.view(), next = next_.view();
  run.executor.forEach(
    "phase.driftVerlet", now.count, DriftVerlet{ now, accelerations_.data(), timeStep, next });
  evaluate(run, next, timeAfter(run, timeStep), nextAccelerations_);
  return run.executor.merged<StepPeaks>("phase.finishVerlet", now.count,
    FinishVerlet{ now, accelerations_.data(), timeStep, next, nextAccelerations_.data() });
}

void Integrator::moveThrough(const Run& run, const Section& section)
{
  const PhaseView stage = stage_.view();
  const Index count = section.start.count;
  const double h = section.timeStep, half = 0.5 * h, middle = section.time + half;
  const Vec3d *const a1 = section.accelerations, *const a2 = stageAccelerations_[0].data(),
                     *const a3 = stageAccelerations_[1].data(),
                     *const a4 = stageAccelerations_[2].data();

  run.executor.forEach(
    "phase.secondStage", count, RungeKuttaStage{ section.start, half, a1, 0, a1, half, stage });
  evaluate(run, stage, middle, stageAccelerations_[0]);
  run.executor.forEach(
    "phase.thirdStage", count, RungeKuttaStage{ section.start, half, a1, half, a2, half, stage });
  evaluate(run, stage, middle, stageAccelerations_[1]);
  run.executor.forEach(
    "phase.fourthStage", count, RungeKuttaStage{ section.start, h, a2, half, a3, h, stage });
  evaluate(run, stage, section.endTime, stageAccelerations_[2]);
  run.executor.forEach("phase.endRungeKutta", count,
    RungeKuttaEnd{ section.start, { a1, a2, a3, a4 }, h, section.beginning, section.addsToNotes,
      section.end, notes_.data() });
}

StepPeaks Integrator::moveByRungeKutta(const Run& run, double timeStep)
{
  const PhaseView now = run.state.view(), next = next_.view();
  const double time = run.state.time(), endTime = timeAfter(run, timeStep);
  moveThrough(run, { now, accelerations_.data(), time, timeStep, endTime, nullptr, false, next });
  evaluate(run, next, endTime, nextAccelerations_);
  return run.executor.merged<StepPeaks>("phase.measureRungeKutta", now.count,
    MeasureRungeKutta{ next, nextAccelerations_.data(), notes_.data() });
}

StepPeaks Integrator::moveByStepDoubling(const Run& run, double timeStep)
{
  const PhaseView now = run.state.view(), next = next_.view();
  const PhaseView full = full_.view(), middle = middle_.view();
  const double time = run.state.time(), endTime = timeAfter(run, timeStep);
  const double half = 0.5 * timeStep, middleTime = time + half;
  const Vec3d* const a = accelerations_.data();

  moveThrough(run, { now, a, time, timeStep, endTime, nullptr, false, full });
  moveThrough(run, { now, a, time, half, middleTime, nullptr, true, middle });
  evaluate(run, middle, middleTime, nextAccelerations_); // the end's come later
  moveThrough(run,
    { middle, nextAccelerations_.data(), middleTime, half, endTime, now.position, true, next });
  run.executor.forEach("phase.extrapolate", now.count,
    ExtrapolateRungeKutta{ now, full, next,
      { parameters_.lengthTolerance, parameters_.velocityTolerance, parameters_.relativeTolerance },
      notes_.data() });
  evaluate(run, next, endTime, nextAccelerations_);
  return run.executor.merged<StepPeaks>("phase.measureStepDoubling", now.count,
    MeasureRungeKutta{ next, nextAccelerations_.data(), notes_.data() });
}

Integrator::Limit Integrator::verdict(
  const Run& run, double timeStep, const StepPeaks& reached) const
{
  // First the way: who went too far may well have met what is not finite.
  if (reached.way.value > parameters_.longestWay)
    return { 0.5 * timeStep, StepLimit::LongestWay, reached.way.point };
  if (reached.unsound >= 0)
  {
    const Limit shorter{ parameters_.shrinkLimit * timeStep, StepLimit::Soundness,
      reached.unsound };
    if (!parameters_.controlsError())
      throwDiverged(run, shorter);
    return shorter;
  }
  if (parameters_.controlsError() && reached.error.value > 1)
    return { stepOfError(timeStep, reached.error.value), StepLimit::Tolerance,
      reached.error.point };
  return { timeStep, StepLimit::TimeStep, -1 };
}

/// Numerical Recipes (16.2.10): the error of a step goes with the fifth power of its length, where it is held
/// to a share of the way with the fourth; the safer of both is taken.
double Integrator::stepOfError(double timeStep, double error) const
{
  const double factor =
    error > 0 ? parameters_.safety * std::pow(error, error > 1 ? -0.25 : -0.2) : INFINITY;
  return timeStep * std::clamp(factor, parameters_.shrinkLimit, parameters_.growthLimit);
}

void Integrator::accept(
  const Run& run, double timeStep, const Limit& limit, const StepPeaks& reached)
{
  if (parameters_.controlsError())
  {
    const double allowed = stepOfError(timeStep, reached.error.value);
    // What is shorter only to arrive at the end says nothing against the length that it was allowed.
    controlledStep_ =
      std::max({ parameters_.leastStep(), allowed, timeStep < limit.step ? limit.step : 0.0 });
  }
  run.state.take(next_, timeAfter(run, timeStep));
  accelerations_.swap(nextAccelerations_);
  peaks_ = reached;
  ++counts_.taken;
  lastStep_ = timeStep;
  smallestTaken_ = smallestTaken_ > 0 ? std::min(smallestTaken_, timeStep) : timeStep;
  limitedBy_ = limit.by;
}

void Integrator::throwDiverged(const Run& run, const Limit& limit) const
{
  const std::string& s = parameters_.timeUnit;
  const std::string& m = parameters_.lengthUnit;
  std::string text = "diverged at time " + number(run.state.time()) + " " + s + ", step " +
                     std::to_string(counts_.taken) + ": ";
  if (limit.point >= 0)
    text += run.derivative.nameOf(limit.point) + " at " +
            placeOf(run.state.position(limit.point) + run.derivative.origin()) + " " + m + " ";
  const double least = parameters_.leastStep();
  const std::string tooShort =
    number(limit.step) + " " + s +
    (limit.step < least ? ", below the smallest, " + number(least) + " " + s
                        : ", too short to move the time");
  switch (limit.by)
  {
    case StepLimit::Soundness:
      text += "has a place, a velocity or an acceleration that is not finite; check the forces "
              "there: points that coincide, or have left where forces are defined";
      break;
    case StepLimit::LongestWay:
      text += "moves at " + number(length(run.state.velocity(limit.point))) + " " + m + "/" + s +
              " under " + number(length(accelerations_.download(limit.point, 1)[0])) + " " + m +
              "/" + s + "^2; to stay within the longest way, " + number(parameters_.longestWay) +
              " " + m + ", the step would be " + tooShort +
              "; check forces and velocities, or raise the longest way";
      break;
    case StepLimit::Tolerance:
      text += limit.point >= 0 ? "misses its tolerance; " : "";
      text +=
        "the step would be " + tooShort + "; raise the tolerances, or check the forces for jumps";
      break;
    case StepLimit::TimeStep:
      text += "the time step is " + tooShort + "; raise it";
      break;
  }
  throw Diverged(text);
}

void Integrator::reorder(const Executor& executor, PhaseSpace& state, const Buffer<Index>& order)
{
  const bool known = knows(state);
  state.reorder(executor, order);
  if (!known)
    return;
  nextAccelerations_.resizeDiscarding(state.count());
  executor.forEach("phase.reorderAccelerations", state.count(),
    Gather<Vec3d>{ order.data(), accelerations_.data(), nextAccelerations_.data() });
  accelerations_.swap(nextAccelerations_);
  knownVersion_ = state.version();
  knowsPeaks_ = false; // whose they are has changed
}

double Integrator::bytes() const
{
  double total =
    next_.bytes() + stage_.bytes() + full_.bytes() + middle_.bytes() +
    static_cast<double>(accelerations_.bytes() + nextAccelerations_.bytes() + notes_.bytes());
  for (const Buffer<Vec3d>& accelerations : stageAccelerations_)
    total += static_cast<double>(accelerations.bytes());
  return total;
}

void Integrator::save(CheckpointWriter& writer, const PhaseSpace& state) const
{
  writer.beginSection("integrator", 1);
  writer.value(static_cast<std::uint8_t>(parameters_.method));
  writer.value(static_cast<std::uint8_t>(limitedBy_));
  writer.value(static_cast<std::uint8_t>(knows(state)));
  writer.array(knows(state) ? accelerations_.download() : std::vector<Vec3d>());
  writer.value(controlledStep_);
  writer.value(lastStep_);
  writer.value(smallestTaken_);
  writer.value(counts_);
}

void Integrator::restore(CheckpointReader& reader, const PhaseSpace& state)
{
  reader.expectSection("integrator", 1);
  const auto method = reader.value<std::uint8_t>();
  const auto limitedBy = reader.value<std::uint8_t>();
  const auto known = reader.value<std::uint8_t>();
  const std::uint64_t count = static_cast<std::uint64_t>(state.count());
  const auto accelerations = reader.array<Vec3d>(count);
  const auto controlledStep = reader.value<double>();
  const auto lastStep = reader.value<double>();
  const auto smallestTaken = reader.value<double>();
  const auto counts = reader.value<StepCounts>();

  if (method != static_cast<std::uint8_t>(parameters_.method))
    throw InvalidInput("the checkpoint was made with another integration method; compute it anew");
  const auto isLength = [](double step) { return step >= 0 && std::isfinite(step); };
  const bool isSound = limitedBy <= static_cast<std::uint8_t>(StepLimit::Soundness) && known <= 1 &&
                       accelerations.size() == (known ? count : 0) &&
                       std::all_of(accelerations.begin(), accelerations.end(),
                         [](const Vec3d& a) { return isFinite(a); }) &&
                       isLength(controlledStep) &&
                       (controlledStep == 0 || parameters_.controlsError()) && isLength(lastStep) &&
                       isLength(smallestTaken) && counts.taken >= 0 && counts.undone >= 0 &&
                       counts.evaluations >= 0;
  if (!isSound)
    throw InvalidInput("the checkpoint's integrator contradicts itself; compute it anew");

  accelerations_.upload(accelerations);
  knowsAccelerations_ = known == 1;
  knowsPeaks_ = false;
  knownVersion_ = state.version();
  controlledStep_ = controlledStep;
  lastStep_ = lastStep;
  smallestTaken_ = smallestTaken;
  counts_ = counts;
  limitedBy_ = static_cast<StepLimit>(limitedBy);
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
