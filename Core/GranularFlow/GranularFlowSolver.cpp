#include "GranularFlow/GranularFlowSolver.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// While particles are due, nozzles are looked at once in so many steps: each look costs new lists.
constexpr int kStepsPerEmission = 16;

} // namespace

std::unique_ptr<Simulation> startGranularFlow(
  std::shared_ptr<const GranularFlowPlan> plan, int threads)
{
  return std::make_unique<GranularFlowSolver>(std::move(plan), threads);
}

GranularFlowSolver::GranularFlowSolver(std::shared_ptr<const GranularFlowPlan> plan, int threads)
  : plan_(std::move(plan))
  , executor_(threads)
  , surface_(executor_, plan_->mesh, plan_->columns, plan_->search)
  , state_(!plan_->bodies.empty(), plan_->form)
  , clumps_(plan_->bodies)
  , emission_(*plan_)
  , index_(plan_->neighborSearch, plan_->form.isDisc() ? CurveAxes::Two : CurveAxes::Auto)
  , neighbors_(pairMemory(), plan_->mostNeighbors)
  , obstacles_(plan_->obstacles.size(), hardestImpulse())
  , losses_(plan_->losses)
{
  const Executor::ThreadScope scope(executor_);
  pairLaws_.upload(plan_->materials.laws);
  triangleLaws_.upload(plan_->materials.triangleLaws);
  uploadWind();
  placeParticles();
  refreshNeighbors();
  endStep();
  writeMaps();
  history_.add(measured());
}

void GranularFlowSolver::uploadWind()
{
  std::vector<double> height;
  std::vector<Vec3d> velocity;
  for (const WindLayer& layer : plan_->parameters.wind)
  {
    height.push_back(layer.height - plan_->origin.z);
    velocity.push_back(
      plan_->form.inPlane(Vec3d{ layer.velocity[0], layer.velocity[1], layer.velocity[2] }));
    if (plan_->parameters.airDensity > 0)
      greatestWind_ = std::max(greatestWind_, length(velocity.back()));
  }
  windHeight_.upload(height);
  windVelocity_.upload(velocity);
}

double GranularFlowSolver::hardestImpulse() const
{
  double densest = 0;
  for (const double density : plan_->seeds.densities)
    densest = std::max(densest, density);
  for (const Nozzle& nozzle : plan_->nozzles)
    densest = std::max(densest, nozzle.density);
  return densest * plan_->form.volume(plan_->largestExtent) * plan_->greatestSpeed;
}

void GranularFlowSolver::placeParticles()
{
  NewBodies bodies(*plan_, 0);
  const Seeds& seeds = plan_->seeds;
  for (std::size_t k = 0; k < plan_->placedIds.size(); ++k)
  {
    const auto seed = static_cast<std::size_t>(plan_->placedIds[k]);
    NewBody body;
    body.id = plan_->placedIds[k];
    body.position = plan_->placedAt[k];
    body.velocity = { seeds.velocities[3 * seed], seeds.velocities[3 * seed + 1],
      seeds.velocities[3 * seed + 2] };
    body.radius = seeds.radii[seed];
    body.birth = 0;
    body.density = seeds.densities[seed];
    body.temperature = seeds.temperatures[seed];
    body.sourceId = seeds.sourceIds[seed];
    body.material = seeds.materials.empty() ? 0 : seeds.materials[seed];
    body.shape = plan_->shapeOfSeed(seed);
    body.orientation = plan_->orientationOf(body.shape, body.id);
    bodies.add(body);
  }
  state_.upload(std::move(bodies.particles));
  clumps_.append(std::move(bodies.clumps));
  clumps_.findMembers(executor_, state_.view());
  triangles_.reset(state_.count());
  maps_.reset(executor_, surface_.mesh().triangleCount, mapSlots(), state_.count());
}

void GranularFlowSolver::kickAndDrift()
{
  const float ofSpheres = executor_.maximum(
    "granular.kickAndDrift", state_.count(), KickAndDrift{ particles(), kick(), now_.timeStep });
  const float ofClumps = executor_.maximum("granular.moveClump", clumps_.count(),
    MoveClump{ particles(), clumps(), kick(), now_.timeStep });
  now_.addWay(std::max(ofSpheres, ofClumps));
}

/// The longest ways of all steps together are no shorter than the way of any particle: only where they
/// are half a skin long it has to be looked at.
bool GranularFlowSolver::usesUpSkin()
{
  if (now_.way > 0.5 * skin_)
    now_.way = executor_.maximum(
      "granular.wayFromListed", state_.count(), WayFromListed{ particles(), listedAt_.data() });
  return now_.way > 0.5 * skin_;
}

void GranularFlowSolver::advance(double remaining)
{
  if (!hasDrifted_)
  {
    now_.timeStep = chooseTimeStep(remaining);
    kickAndDrift();
  }
  hasDrifted_ = false;
  if (!stepLimits().isSaneDrift(now_.lastDrift))
    throwDiverged();
  const bool endsFrame = now_.timeStep == remaining;
  const bool emits = emission_.emitter().nextDueTime() <= now_.time + now_.timeStep &&
                     (++stepsSinceEmission_ >= kStepsPerEmission || endsFrame);
  const bool refreshes = frameBegins_ || usesUpSkin();
  // A restored run has no cells before its first refresh, in which new particles could look for room.
  if (refreshes)
    refreshNeighbors();
  if (emits && emit(now_.timeStep))
    refreshNeighbors();

  const bool samples = samplesMaps(endsFrame);
  if (endsFrame || samples || clumps_.count() > 0)
  {
    now_.nextTimeStep = 0;
    endStep();
  }
  else
  {
    const double next = chooseTimeStep(frameTime(frame_ + 1) - (now_.time + now_.timeStep));
    hasDrifted_ = stepLimits().allowDriftAhead(now_.greatestSpeed, now_.timeStep, next);
    now_.nextTimeStep = hasDrifted_ ? next : 0;
    endStep();
  }
  ++now_.steps;
  frameBegins_ = endsFrame;
  now_.time = endsFrame ? frameTime(frame_ + 1) : now_.time + now_.timeStep;
  refuseDiverged();
  if (samples)
    writeMaps();
  if (hasDrifted_)
    now_.timeStep = now_.nextTimeStep;
}

int GranularFlowSolver::stepsPerBatch() const
{
  if (plan_->stepsPerBatch > 0)
    return plan_->stepsPerBatch;
  // Of very many particles a step takes so long that the host, which may be asked to stop, had better look.
  constexpr Index kParticleSteps = 16'000'000;
  return std::clamp(kParticleSteps / std::max(state_.count(), 1), 1, kStepsAhead);
}

bool GranularFlowSolver::advanceBatch()
{
  if (!hasDrifted_ || frameBegins_ || clumps_.count() > 0)
    return false;
  BatchEnd& end = now_.batch;
  end.frameEnd = frameTime(frame_ + 1);
  end.nextDue = emission_.emitter().nextDueTime();
  end.halfSkin = 0.5 * skin_;
  end.mapTravel = maps_.used() ? plan_->parameters.mapTravel * plan_->smallestRadius : INFINITY;
  now_.goesOn = 1;
  StepControl first = now_;
  first.begin(stepLimits());
  if (!first.goesOn)
    return false;

  const double left = std::ceil((end.frameEnd - now_.time) / now_.timeStep);
  const int steps = static_cast<int>(std::min<double>(stepsPerBatch(), left));
  const std::int64_t before = now_.steps;
  control_.upload({ now_ });
  const Sphere* const places = particles().sphere;
  const auto enqueue = [&]
  {
    if (particles().sphere != places)
      state_.takeNext(); // what was begun has been given up
    enqueueSteps(steps);
  };
  // The rest of a frame is another number of steps each time.
  const bool isWhole = steps == stepsPerBatch();
  const BatchKey key{ neighborBuilds_, allocations(), places, steps };
  const bool isAgain =
    isWhole && executor_.repeat("granular.batch", batch_, key, enqueue) == Enqueued::Again;
  if (!isWhole)
    enqueue();
  now_ = control_.download().front();
  const std::int64_t exchanges = isAgain ? 0 : steps;
  if ((exchanges - (now_.steps - before)) % 2 != 0)
    state_.takeNext(); // of a step that was not made, or made without us
  refuseDiverged();
  return true;
}

void GranularFlowSolver::enqueueSteps(int count)
{
  StepControl* const control = control_.data();
  for (int step = 0; step < count; ++step)
  {
    executor_.forEach("granular.beginStep", 1, BeginStep{ control, stepLimits() });
    setForcesAndMove();
    executor_.forEach("granular.endStep", 1, EndStep{ control, stepLimits() });
    state_.takeNext();
  }
}

void GranularFlowSolver::refuseDiverged() const
{
  if (!std::isfinite(now_.greatestSpeed))
    throwDiverged();
  if (hasDrifted_ && now_.lastDrift > longestDrift())
    throwDiverged("within one step it became too fast for the next; ");
}

bool GranularFlowSolver::emit(double timeStep)
{
  stepsSinceEmission_ = 0;
  const double end = now_.time + timeStep;
  NewBodies bodies(*plan_, clumps_.count());
  emission_.takeDue({ executor_, index_.near(particles().spheres(), plan_->domain.space), surface_,
                      plan_->domain, plan_->gravity, end, end - 0.5 * timeStep },
    bodies);
  if (bodies.particles.id.empty())
    return false;
  for (const Vec3d& velocity : bodies.particles.velocity)
    now_.greatestSpeed = std::max(now_.greatestSpeed, length(velocity));
  state_.append(std::move(bodies.particles));
  clumps_.append(std::move(bodies.clumps));
  clumps_.findMembers(executor_, particles());
  return true;
}

StepLimits GranularFlowSolver::stepLimits() const
{
  const GranularFlowParameters& p = plan_->parameters;
  return { plan_->contactStep, longestDrift(), p.timeStepLimit, p.frameInterval,
    length(plan_->gravity), greatestWind_ };
}

const char* GranularFlowSolver::nameOf(LimitedBy limit) const
{
  switch (limit)
  {
    case LimitedBy::Contacts:
      return plan_->contactStepLimitedBy.c_str();
    case LimitedBy::RadiusOverSpeed:
      return "radius over speed";
    case LimitedBy::Given:
      return "given limit";
    case LimitedBy::FrameInterval:
      return "frame interval";
    case LimitedBy::Nothing:
      break;
  }
  return "";
}

double GranularFlowSolver::chooseTimeStep(double remaining)
{
  const StepLimits::Choice choice = stepLimits().choose(now_.greatestSpeed, remaining);
  const double timeStep = choice.timeStep;
  now_.take(choice);
  // Also where the steps would only just move the time: they would be beyond counting.
  const double end = frameTime(frame_ + 1);
  if (!(end + timeStep > end))
  {
    std::ostringstream cause;
    cause << "the next step, limited by " << nameOf(choice.by) << ", is " << timeStep
          << " s, too short to move the time; ";
    throwDiverged(
      cause.str(), choice.by == LimitedBy::Given
                     ? "raise the time step limit"
                     : "check gravity, velocities, heights and radii, or lower the greatest speed");
  }
  return timeStep;
}

void GranularFlowSolver::throwDiverged(const std::string& cause, const char* advice) const
{
  const HostParticles particles = state_.download();
  Index worst = 0;
  for (Index i = 0; i < state_.count(); ++i)
  {
    const double speed = length(particles.velocity[i]);
    if (!std::isfinite(speed) || !std::isfinite(squaredLength(particles.sphere[i].position)))
    {
      worst = i;
      break;
    }
    worst = speed > length(particles.velocity[worst]) ? i : worst;
  }
  std::ostringstream text;
  text << "diverged at time " << now_.time << " s, step " << now_.steps << ": " << cause;
  if (state_.count() > 0)
    text << "particle " << particles.id[worst] << " moves at " << length(particles.velocity[worst])
         << " m/s; ";
  text << advice;
  throw Diverged(text.str());
}

void GranularFlowSolver::advanceTo(double time, Monitor& monitor)
{
  const double interval = plan_->parameters.frameInterval;
  const double frames = std::round(time / interval);
  constexpr double kMostFrames = 9e15; // beyond, doubles do not count one by one
  if (!(std::abs(time - frames * interval) <= 1e-9 * interval) ||
      time < now_.time - 1e-9 * interval || frames > kMostFrames)
  {
    std::ostringstream text;
    text << "time is " << time << " s; it must be a whole multiple of the frame interval, "
         << interval << " s, and not before " << now_.time << " s";
    throw InvalidInput(text.str());
  }
  const Executor::ThreadScope scope(executor_);
  while (frame_ < static_cast<std::int64_t>(frames))
  {
    if (frameBegins_)
    {
      state_.resetAccumulators(executor_);
      obstacles_.beginFrame(executor_);
      lostImpulse_ = {};
    }
    if (stepsPerBatch() == 1 || !advanceBatch())
      advance(frameTime(frame_ + 1) - now_.time);
    if (frameBegins_)
    {
      ++frame_;
      lastInterval_ = interval;
      history_.add(measured());
    }
    if (!monitor.onStep(now_.time, now_.steps))
      throw Cancelled("the run was stopped at " + std::to_string(now_.time) + " s");
  }
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
