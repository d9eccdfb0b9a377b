#include "GranularFlow/GranularFlowSolver.h"

#include "GranularFlow/ContactStep.h"
#include "GranularFlow/GroundForces.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <numeric>
#include <sstream>

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// Of the smaller radius: beyond, centres come through the surface and through one another.
constexpr double kOverlapWorthANote = 0.5;

struct EndObstacleStep
{
  TakeObstacleStep take;
  StepTimes step;
  HOST_DEVICE void operator()(Index i) const
  {
    if (step.goesOn())
      take(i, step.ending());
  }
};

/// While particles are due, nozzles are looked at once in so many steps: each look costs new lists.
constexpr int kStepsPerEmission = 16;

PairMemory pairMemoryOf(const GranularFlowPlan& plan)
{
  return { plan.parameters.tangentialLaw == TangentialLaw::Spring, plan.materials.rolls };
}

/// Places by id, and the spheres of one clump in their order.
std::vector<std::size_t> inOrderOfIds(const HostParticles& particles)
{
  std::vector<std::size_t> order(particles.id.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(),
    [&](std::size_t a, std::size_t b)
    {
      return particles.id[a] != particles.id[b]
               ? particles.id[a] < particles.id[b]
               : particles.traits[a].member < particles.traits[b].member;
    });
  return order;
}

/// [N s], of the largest particle at the greatest speed.
double hardestImpulse(const GranularFlowPlan& plan)
{
  double densest = 0;
  for (const double density : plan.seeds.densities)
    densest = std::max(densest, density);
  for (const Nozzle& nozzle : plan.nozzles)
    densest = std::max(densest, nozzle.density);
  return densest * plan.form.volume(plan.largestExtent) * plan.greatestSpeed;
}

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
  , neighbors_(pairMemoryOf(*plan_))
  , obstacles_(plan_->obstacles.size(), hardestImpulse(*plan_))
  , losses_(plan_->losses)
{
  const Executor::ThreadScope scope(executor_);
  pairLaws_.upload(plan_->materials.laws);
  triangleLaws_.upload(plan_->materials.triangleLaws);
  uploadWind();
  placeParticles();
  refreshNeighbors();
  endStep(0, 0);
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

Kick GranularFlowSolver::kick() const
{
  const GranularFlowParameters& p = plan_->parameters;
  return { plan_->gravity, p.rotation == Rotation::Free,
    { p.airDensity, p.dragLaw, p.dragCoefficient, p.airViscosity,
      { static_cast<std::int32_t>(windHeight_.size()), windHeight_.data(), windVelocity_.data() },
      plan_->form } };
}

void GranularFlowSolver::kickAndDrift()
{
  const float ofSpheres = executor_.maximum(
    "granular.kickAndDrift", state_.count(), KickAndDrift{ particles(), kick(), timeStep_ });
  const float ofClumps = executor_.maximum(
    "granular.moveClump", clumps_.count(), MoveClump{ particles(), clumps(), kick(), timeStep_ });
  addWay(std::max(ofSpheres, ofClumps));
}

void GranularFlowSolver::addWay(double ofDrift)
{
  lastDrift_ = ofDrift;
  way_ += wayOfDrift(ofDrift);
}

/// The longest ways of all steps together are no shorter than the way of any particle: only where they
/// are half a skin long it has to be looked at.
bool GranularFlowSolver::usesUpSkin()
{
  if (way_ > 0.5 * skin_)
    way_ = executor_.maximum(
      "granular.wayFromListed", state_.count(), WayFromListed{ particles(), listedAt_.data() });
  return way_ > 0.5 * skin_;
}

void GranularFlowSolver::advance(double remaining)
{
  if (!hasDrifted_)
  {
    timeStep_ = chooseTimeStep(remaining);
    kickAndDrift();
  }
  hasDrifted_ = false;
  if (!stepLimits().isSaneDrift(lastDrift_))
    throwDiverged();
  const bool endsFrame = timeStep_ == remaining;
  const bool emits = emission_.emitter().nextDueTime() <= time_ + timeStep_ &&
                     (++stepsSinceEmission_ >= kStepsPerEmission || endsFrame);
  const bool refreshes = frameBegins_ || usesUpSkin();
  // A restored run has no cells before its first refresh, in which new particles could look for room.
  if (refreshes)
    refreshNeighbors();
  if (emits && emit(timeStep_))
    refreshNeighbors();

  const bool samples = samplesMaps(endsFrame);
  if (endsFrame || samples || clumps_.count() > 0)
    endStep(timeStep_, 0);
  else
  {
    const double next = chooseTimeStep(frameTime(frame_ + 1) - (time_ + timeStep_));
    hasDrifted_ = stepLimits().allowDriftAhead(greatestSpeed_, timeStep_, next);
    nextTimeStep_ = hasDrifted_ ? next : 0;
    endStep(timeStep_, nextTimeStep_);
  }
  ++steps_;
  frameBegins_ = endsFrame;
  time_ = endsFrame ? frameTime(frame_ + 1) : time_ + timeStep_;
  refuseDiverged();
  if (samples)
    writeMaps();
  if (hasDrifted_)
    timeStep_ = nextTimeStep_;
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
  const StepLimits limits = stepLimits();
  BatchEnd end;
  end.frameEnd = frameTime(frame_ + 1);
  end.nextDue = emission_.emitter().nextDueTime();
  end.halfSkin = 0.5 * skin_;
  end.mapTravel = maps_.used() ? plan_->parameters.mapTravel * plan_->smallestRadius : INFINITY;
  StepControl control;
  control.time = time_;
  control.timeStep = timeStep_;
  control.smallestTimeStep = smallestTimeStep_;
  control.greatestSpeed = greatestSpeed_;
  control.greatestOverlap = greatestOverlap_;
  control.lastDrift = lastDrift_;
  control.way = way_;
  control.unmappedTravel = unmappedTravel_;
  control.steps = steps_;
  StepControl first = control;
  first.begin(limits, end);
  if (!first.goesOn)
    return false;

  const double left = std::ceil((end.frameEnd - time_) / timeStep_);
  const int batch = static_cast<int>(std::min<double>(stepsPerBatch(), left));
  control_.upload({ control });
  for (int step = 0; step < batch; ++step)
  {
    executor_.forEach("granular.beginStep", 1, BeginStep{ control_.data(), limits, end });
    endStepInBatch();
    executor_.forEach("granular.endStep", 1, EndStep{ control_.data(), limits });
    state_.takeNext();
  }
  control = control_.download().front();
  if ((steps_ + batch - control.steps) % 2 != 0)
    state_.takeNext(); // of a step that was not made

  time_ = control.time;
  timeStep_ = control.timeStep;
  nextTimeStep_ = control.nextTimeStep;
  smallestTimeStep_ = control.smallestTimeStep;
  timeStepLimitedBy_ = nameOf(control.limitedBy);
  greatestSpeed_ = control.greatestSpeed;
  greatestOverlap_ = control.greatestOverlap;
  lastDrift_ = control.lastDrift;
  way_ = control.way;
  unmappedTravel_ = control.unmappedTravel;
  steps_ = control.steps;
  refuseDiverged();
  return true;
}

void GranularFlowSolver::refuseDiverged() const
{
  if (!std::isfinite(greatestSpeed_))
    throwDiverged();
  if (hasDrifted_ && lastDrift_ > longestDrift())
    throwDiverged("within one step it became too fast for the next; ");
}

bool GranularFlowSolver::emit(double timeStep)
{
  stepsSinceEmission_ = 0;
  const double end = time_ + timeStep;
  NewBodies bodies(*plan_, clumps_.count());
  emission_.takeDue({ executor_, index_.near(particles().spheres(), plan_->domain.space), surface_,
                      plan_->domain, plan_->gravity, end, end - 0.5 * timeStep },
    bodies);
  if (bodies.particles.id.empty())
    return false;
  for (const Vec3d& velocity : bodies.particles.velocity)
    greatestSpeed_ = std::max(greatestSpeed_, length(velocity));
  state_.append(std::move(bodies.particles));
  clumps_.append(std::move(bodies.clumps));
  clumps_.findMembers(executor_, particles());
  return true;
}

/// The wider the skin, the longer a list lasts and the more pairs it holds that do not touch. Left
/// to us it lasts for about kStepsPerList steps of the fastest particle.
double GranularFlowSolver::chooseSkin() const
{
  constexpr double kStepsPerList = 40;
  const double given = plan_->parameters.skin;
  const double moved = greatestSpeed_ * plan_->contactStep * kStepsPerList;
  const double skin =
    given > 0 ? given * plan_->smallestRadius
              : std::clamp(2 * moved, 0.2 * plan_->smallestRadius, 1.5 * plan_->smallestRadius);
  // Where space repeats a pair must have one nearest image.
  double widest = skin;
  const Vec3d& length = plan_->domain.space.length;
  for (const double period : { length.x, length.y, length.z })
    if (period > 0)
      widest = std::min(widest, 0.49 * period - 2 * plan_->largestRadius);
  return widest;
}

/// New lists. Particles are brought into the order of their cells where a frame begins, where some came or
/// went, and once in so many lists, as they mix slowly.
void GranularFlowSolver::refreshNeighbors()
{
  constexpr int kListsPerOrder = 20;
  skin_ = chooseSkin();
  const ParticleView before = state_.view();
  const Periodicity& space = plan_->domain.space;
  if (space.any())
  {
    executor_.forEach("granular.wrap", before.count, WrapIntoDomain{ before, space });
    executor_.forEach(
      "granular.wrapClump", clumps_.count(), WrapClumpIntoDomain{ before, clumps(), space });
  }
  lost_.resizeDiscarding(before.count);
  const bool anyLost = executor_.maximum("granular.findLosses", before.count,
                         FindLosses{ before, clumps(), surface_.mesh(), surface_.columns(),
                           plan_->domain, lost_.data() }) > 0;
  const bool keepsOrder = !frameBegins_ && !anyLost && before.count == listedCount_ &&
                          ++listsSinceOrder_ < kListsPerOrder;
  if (keepsOrder)
    index_.locate(executor_, before.spheres(), plan_->largestRadius, skin_, space);
  else
    bringIntoOrder();
  listNeighbors();
  const ParticleView particles = state_.view();
  triangles_.build(
    executor_, particles, surface_, keepsOrder ? nullptr : index_.order().data(), skin_);
  listedAt_.resizeDiscarding(particles.count);
  executor_.forEach(
    "granular.rememberPlace", particles.count, RememberPlace{ particles, listedAt_.data() });
  executor_.forEach(
    "granular.markLongRows", particles.count, MarkLongRows{ particles, neighbors_.view() });
  way_ = 0;
  listedCount_ = particles.count;
  ++neighborBuilds_;
}

/// @throws Diverged that names the particle as the user knows it
void GranularFlowSolver::listNeighbors()
{
  try
  {
    neighbors_.build(executor_, particles().spheres(), index_, skin_, plan_->domain.space);
  }
  catch (const RowExploded& exploded)
  {
    const HostParticles particle = state_.download(exploded.particle(), 1);
    const Vec3d p = particle.sphere.front().position + plan_->origin;
    std::ostringstream text;
    text << std::setprecision(10) << "diverged at time " << time_ << " s, step " << steps_
         << ": particle " << particle.id.front() << ", at (" << p.x << ", " << p.y << ", " << p.z
         << ") m, " << exploded.predicate();
    throw Diverged(text.str());
  }
}

void GranularFlowSolver::bringIntoOrder()
{
  listsSinceOrder_ = 0;
  neighbors_.countContacts(executor_, state_.count(), contacts_);
  const Index survivors = index_.sort(
    executor_, state_.view().spheres(), lost_, plan_->largestRadius, skin_, plan_->domain.space);
  index_.evenRows(executor_, contacts_);
  state_.reorder(executor_, index_.order());
  if (survivors < state_.count())
    recordLosses(survivors);
  clumps_.findMembers(executor_, state_.view());
  maps_.carry(executor_, index_.order(), state_.count());
}

ShearRatio GranularFlowSolver::shearRatio() const
{
  return plan_->parameters.rotation == Rotation::Free ? plan_->form.shearRatio() : kWithoutTurning;
}

LinearSpring GranularFlowSolver::linearSpring(float timeStep) const
{
  return { static_cast<float>(plan_->frequency), timeStep, plan_->form.shearRatio().mass };
}

PairLaws GranularFlowSolver::pairLaws() const
{
  return { pairLaws_.data(), plan_->materials.count(), triangleLaws_.data() };
}

void GranularFlowSolver::endStep(double timeStep, double nextTimeStep)
{
  const float dt = static_cast<float>(timeStep);
  if (plan_->parameters.contactLaw == ContactLaw::HertzMindlin)
    endStepBy(HertzMindlin{ dt }, timeStep, nextTimeStep);
  else
    endStepBy(linearSpring(dt), timeStep, nextTimeStep);
  executor_.forEach("obstacles.takeStep", obstacles_.count(),
    EndObstacleStep{ obstacles_.takeStep(), { timeStep } });
}

void GranularFlowSolver::endStepInBatch()
{
  constexpr float kByControl = 0;
  if (plan_->parameters.contactLaw == ContactLaw::HertzMindlin)
    endStepInBatchBy(HertzMindlin{ kByControl });
  else
    endStepInBatchBy(linearSpring(kByControl));
  executor_.forEach("obstacles.takeStep", obstacles_.count(),
    EndObstacleStep{ obstacles_.takeStep(), { 0, 0, control_.data() } });
}

template <class NormalLaw>
PairForces<NormalLaw> GranularFlowSolver::pairForces(const NormalLaw& law) const
{
  return { particles(), neighbors_.view(), law, pairLaws(), clumps(),
    plan_->parameters.rotation == Rotation::Free, shearRatio(), plan_->domain.space };
}

Index GranularFlowSolver::groundGroups() const
{
  return (triangles_.listed() + kPrefetched - 1) / kPrefetched;
}

template <class NormalLaw>
AddGroundForces<NormalLaw> GranularFlowSolver::groundForces(
  const NormalLaw& law, const StepTimes& step)
{
  return { particles(), surface_.mesh(), triangles_.view(surface_), maps_.view(), obstacles_.view(),
    law, pairLaws(), clumps(), plan_->parameters.rotation == Rotation::Free, shearRatio(),
    pairMemoryOf(*plan_), step };
}

template <class NormalLaw>
void GranularFlowSolver::endStepInBatchBy(const NormalLaw& law)
{
  StepControl* const control = control_.data();
  const StepTimes step{ 0, 0, control };
  const PairForces<NormalLaw> pairs = pairForces(law);
  executor_.maximumInto("granular.setLongRowForces", pairs.rows.longCount,
    SetLongRowForces<NormalLaw>{ pairs, step }, &control->overlapOfLongRows);
  executor_.maximumInto(
    "granular.addGroundForces", groundGroups(), groundForces(law, step), &control->overlapOnGround);
  const Index groups = (state_.count() + kLanes - 1) / kLanes;
  executor_.mergedInto("granular.contactStep", groups,
    ContactStep<NormalLaw>{ pairs, kick(), step, state_.next() }, &control->maxima, kLanes);
}

template <class NormalLaw>
void GranularFlowSolver::endStepBy(const NormalLaw& law, double timeStep, double nextTimeStep)
{
  const StepTimes step{ timeStep, nextTimeStep };
  const PairForces<NormalLaw> pairs = pairForces(law);
  const double ofLongRows = executor_.maximum("granular.setLongRowForces", pairs.rows.longCount,
    SetLongRowForces<NormalLaw>{ pairs, step }, kLongRow); // few are worth threads
  const double onGround = executor_.maximum(
    "granular.addGroundForces", groundGroups(), groundForces(law, step), kPrefetched);
  const Index groups = (state_.count() + kLanes - 1) / kLanes;
  const StepMaxima maxima = executor_.merged<StepMaxima>("granular.contactStep", groups,
    ContactStep<NormalLaw>{ pairs, kick(), step, state_.next() }, kLanes);
  greatestOverlap_ = std::max({ greatestOverlap_, ofLongRows, onGround, double(maxima.overlap) });
  greatestSpeed_ = maxima.speed;
  addWay(maxima.way);
  if (nextTimeStep > 0)
    state_.takeNext();
  else
    greatestSpeed_ = std::max(
      greatestSpeed_, static_cast<double>(executor_.maximum("granular.finishClump", clumps_.count(),
                        FinishClump{ particles(), clumps(), kick(), timeStep })));
}

Index GranularFlowSolver::mapSlots() const
{
  return plan_->parameters.terrainMaps && plan_->maps.places > 0
           ? static_cast<Index>(plan_->maps.slotCount())
           : 0;
}

/// At the end of a step, where a particle may have moved far enough, and at the end of each frame: so
/// a run that begins at a frame samples as one that came through it.
bool GranularFlowSolver::samplesMaps(bool endsFrame)
{
  unmappedTravel_ += greatestSpeed_ * timeStep_;
  return maps_.used() &&
         (endsFrame || unmappedTravel_ >= plan_->parameters.mapTravel * plan_->smallestRadius);
}

void GranularFlowSolver::writeMaps()
{
  unmappedTravel_ = 0;
  MappedBodies bodies;
  const Index count = maps_.used() ? clumps_.count() : 0;
  if (count > 0)
  {
    mappedSphere_.resizeDiscarding(count);
    mappedSpeed_.resizeDiscarding(count);
    mappedEnergy_.resizeDiscarding(count);
    executor_.forEach("granular.describeForMaps", count,
      DescribeForMaps{ clumps(), mappedSphere_.data(), mappedSpeed_.data(), mappedEnergy_.data() });
    bodies = { particles().clump, mappedSphere_.data(), mappedSpeed_.data(), mappedEnergy_.data() };
  }
  maps_.sample(executor_, particles(), surface_, time_, bodies);
}

void GranularFlowSolver::recordLosses(Index survivors)
{
  const Index lostCount = state_.count() - survivors;
  const HostParticles gone = state_.download(survivors, lostCount);
  const std::vector<Index> oldPlaces = index_.order().download(survivors, lostCount);
  const std::vector<std::uint8_t> reasons = lost_.download();
  std::vector<std::int32_t> lostClumps;
  for (const std::size_t k : inOrderOfIds(gone))
  {
    Loss& loss = losses_[reasons[static_cast<std::size_t>(oldPlaces[k])] - 1];
    loss.mass += gone.mass[k];
    lostImpulse_ += gone.supportImpulse[k];
    if (gone.traits[k].member > 0)
      continue;
    if (gone.clump[k] >= 0)
      lostClumps.push_back(gone.clump[k]);
    const Vec3d p = gone.sphere[k].position + plan_->origin;
    if (loss.count++ == 0)
      loss.firstPosition = { p.x, p.y, p.z };
    if (loss.firstIds.size() < 10)
      loss.firstIds.push_back(gone.id[k]);
  }
  state_.truncate(survivors);
  clumps_.remove(executor_, particles(), lostClumps);
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
    case LimitedBy::RadiusOverSpeed:
      return "radius over speed";
    case LimitedBy::Given:
      return "given limit";
    case LimitedBy::FrameInterval:
      return "frame interval";
    default:
      return plan_->contactStepLimitedBy.c_str();
  }
}

double GranularFlowSolver::chooseTimeStep(double remaining)
{
  const StepLimits::Choice choice = stepLimits().choose(greatestSpeed_, remaining);
  const double timeStep = choice.timeStep;
  timeStepLimitedBy_ = nameOf(choice.by);
  smallestTimeStep_ = smallestTimeStep_ > 0 ? std::min(smallestTimeStep_, timeStep) : timeStep;
  // Also where the steps would only just move the time: they would be beyond counting.
  const double end = frameTime(frame_ + 1);
  if (!(end + timeStep > end))
  {
    std::ostringstream cause;
    cause << "the next step, limited by " << timeStepLimitedBy_ << ", is " << timeStep
          << " s, too short to move the time; ";
    throwDiverged(
      cause.str(), timeStepLimitedBy_ == std::string("given limit")
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
  text << "diverged at time " << time_ << " s, step " << steps_ << ": " << cause;
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
  if (!(std::abs(time - frames * interval) <= 1e-9 * interval) || time < time_ - 1e-9 * interval ||
      frames > kMostFrames)
  {
    std::ostringstream text;
    text << "time is " << time << " s; it must be a whole multiple of the frame interval, "
         << interval << " s, and not before " << time_ << " s";
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
      advance(frameTime(frame_ + 1) - time_);
    if (frameBegins_)
    {
      ++frame_;
      lastInterval_ = interval;
      history_.add(measured());
    }
    if (!monitor.onStep(time_, steps_))
      throw Cancelled("the run was stopped at " + std::to_string(time_) + " s");
  }
}

void GranularFlowSolver::read(Frame& frame) const
{
  const HostParticles particles = state_.download();
  const std::size_t n = particles.id.size();
  const std::vector<std::size_t> byId = inOrderOfIds(particles);
  const HostClumps clumps = clumps_.download();

  PointSet points;
  points.name = "particles";
  points.positions.resize(3 * n);
  const auto add =
    [&](const char* name, const char* unit, int components, auto zero, const auto& value)
  {
    std::vector<decltype(zero)> values(n * components);
    for (std::size_t k = 0; k < n; ++k)
      value(byId[k], &values[k * components]);
    points.arrays.push_back({ name, components, unit, std::move(values) });
  };
  for (std::size_t k = 0; k < n; ++k)
  {
    const Vec3d p = particles.sphere[byId[k]].position + plan_->origin;
    points.positions[3 * k] = p.x;
    points.positions[3 * k + 1] = p.y;
    points.positions[3 * k + 2] = p.z;
  }
  const auto store = [](const Vec3d& v, auto* out)
  {
    out[0] = static_cast<float>(v.x);
    out[1] = static_cast<float>(v.y);
    out[2] = static_cast<float>(v.z);
  };
  const auto narrow = [](double v) { return static_cast<float>(v); };
  add("velocity", "m/s", 3, 0.0f,
    [&](std::size_t i, float* out) { store(particles.velocity[i], out); });
  add("angular_velocity", "rad/s", 3, 0.0f,
    [&](std::size_t i, float* out) { store(particles.spin[i], out); });
  add("pressure", "Pa", 1, 0.0f, [&](std::size_t i, float* out) { *out = particles.pressure[i]; });
  add("pressure_max", "Pa", 1, 0.0f,
    [&](std::size_t i, float* out) { *out = particles.pressureMax[i]; });
  add("radius", "m", 1, 0.0f,
    [&](std::size_t i, float* out) { *out = narrow(particles.sphere[i].radius); });
  add("mass", "kg", 1, 0.0f, [&](std::size_t i, float* out) { *out = narrow(particles.mass[i]); });
  add("density", "kg/m^3", 1, 0.0f,
    [&](std::size_t i, float* out) { *out = particles.traits[i].density; });
  add("temperature", "K", 1, 0.0f,
    [&](std::size_t i, float* out) { *out = particles.traits[i].temperature; });
  add("kinetic_energy", "J", 1, 0.0f,
    [&](std::size_t i, float* out)
    {
      const std::int32_t c = particles.clump[i];
      const double m = particles.mass[i];
      const double energy =
        c < 0 ? 0.5 * m * squaredLength(particles.velocity[i]) +
                  0.5 * plan_->form.inertia(m, particles.sphere[i].radius) *
                    squaredLength(particles.spin[i])
              : kineticEnergyOf(clumps.kind[c], clumps.motion[c]) / particles.traits[i].members;
      *out = narrow(energy);
    });
  add("age", "s", 1, 0.0f,
    [&](std::size_t i, float* out) { *out = narrow(time_ - particles.traits[i].birth); });
  add("particle_id", "", 1, std::int64_t(0),
    [&](std::size_t i, std::int64_t* out) { *out = particles.id[i]; });
  add("source_id", "", 1, std::int32_t(0),
    [&](std::size_t i, std::int32_t* out) { *out = particles.traits[i].sourceId; });
  const std::vector<std::uint8_t> resting = particles.resting(plan_->parameters.restSpeed);
  add("at_rest", "", 1, std::uint8_t(0),
    [&](std::size_t i, std::uint8_t* out) { *out = resting[i]; });
  if (!plan_->bodies.empty())
  {
    add("clump_sphere", "", 1, std::int32_t(0),
      [&](std::size_t i, std::int32_t* out) { *out = particles.traits[i].member; });
    add("orientation", "", 4, 0.0f,
      [&](std::size_t i, float* out)
      {
        const std::int32_t c = particles.clump[i];
        const Quatd q =
          c < 0 ? Quatd{}
                : plan_->givenOrientation(clumps.kind[c].shape, clumps.motion[c].orientation);
        out[0] = narrow(q.w);
        out[1] = narrow(q.x);
        out[2] = narrow(q.y);
        out[3] = narrow(q.z);
      });
  }
  frame.time = time_;
  frame.pointSets.assign(1, std::move(points));
  frame.surfaceFields.assign(
    1, maps_.field(plan_->maps, particles, byId, resting, plan_->parameters.depositPorosity));
  frame.tables.assign(1, history_.table());
}

void GranularFlowSolver::save(CheckpointWriter& writer) const
{
  if (!onFrameGrid())
    throw InvalidInput("a run can be saved at times of the frame grid only; it stands at " +
                       std::to_string(time_) + " s");
  writer.beginSection("granular flow", 3);
  writer.value(plan_->fingerprint);
  writer.value(frame_);
  writer.value(steps_);
  writer.value(neighborBuilds_);
  writer.value(timeStep_);
  writer.value(smallestTimeStep_);
  writer.array(std::vector<char>(timeStepLimitedBy_.begin(), timeStepLimitedBy_.end()));
  writer.value(greatestSpeed_);
  writer.value(greatestOverlap_);
  writer.value(lastInterval_);
  writer.value(lostImpulse_);
  for (const Loss& loss : losses_)
  {
    writer.value(loss.count);
    writer.value(loss.mass);
    writer.array(loss.firstIds);
    writer.value(loss.firstPosition);
  }
  state_.save(writer);
  clumps_.save(writer);
  emission_.save(writer);
  neighbors_.save(writer);
  triangles_.save(writer);
  obstacles_.save(writer);
  maps_.save(writer);
  history_.save(writer);
  writer.end();
}

void GranularFlowSolver::refuseForeign(const HostParticles& particles) const
{
  for (const Traits& traits : particles.traits)
    if (traits.sourceSlot != plan_->maps.slotOf(traits.sourceId) ||
        static_cast<std::size_t>(traits.sourceSlot) >= plan_->maps.slotCount() ||
        traits.material < 0 || traits.material >= plan_->materials.count())
      throw InvalidInput("the checkpoint names source " + std::to_string(traits.sourceId) +
                         ", which the run does not have; compute it anew");
  constexpr double kSlack = 1e-6;
  for (const Sphere& sphere : particles.sphere)
    if (sphere.radius < plan_->smallestRadius * (1 - kSlack) ||
        sphere.radius > plan_->largestRadius * (1 + kSlack))
      throw InvalidInput("the checkpoint holds a sphere with a radius of " +
                         std::to_string(sphere.radius) +
                         " m, which the run does not have; compute it anew");
}

void GranularFlowSolver::restore(CheckpointReader& reader)
{
  const Executor::ThreadScope scope(executor_);
  reader.expectSection("granular flow", 3);
  if (reader.value<std::uint64_t>() != plan_->fingerprint)
    throw InvalidInput("the checkpoint belongs to a run with another terrain, other seeds or "
                       "parameters; compute it anew");
  // All is read before anything is taken over: bytes that are refused leave the run as it was.
  const auto frame = reader.value<std::int64_t>();
  if (frame < 0)
    throw InvalidInput("the checkpoint is of a time before the start; compute it anew");
  const auto readCount = [&reader]
  {
    constexpr std::int64_t kMost = std::int64_t(1) << 53;
    const auto count = reader.value<std::int64_t>();
    if (count < 0 || count > kMost)
      throw InvalidInput("the checkpoint has counted to " + std::to_string(count) +
                         ", which no run does; compute it anew");
    return count;
  };
  const std::int64_t steps = readCount();
  const std::int64_t neighborBuilds = readCount();
  const auto timeStep = reader.value<double>();
  const auto smallestTimeStep = reader.value<double>();
  const std::vector<char> limitedBy = reader.array<char>(100);
  const auto greatestSpeed = reader.value<double>();
  const auto greatestOverlap = reader.value<double>();
  const auto lastInterval = reader.value<double>();
  const auto lostImpulse = reader.value<Vec3d>();
  if (!(greatestSpeed >= 0) || !std::isfinite(greatestSpeed))
    throw InvalidInput("the checkpoint tells no greatest speed; compute it anew");
  std::vector<Loss> losses = losses_;
  for (Loss& loss : losses)
  {
    loss.count = readCount();
    loss.mass = reader.value<double>();
    loss.firstIds = reader.array<std::int64_t>(10);
    loss.firstPosition = reader.value<std::array<double, 3>>();
  }
  State state(!plan_->bodies.empty(), plan_->form);
  Clumps clumps(plan_->bodies);
  Emission emission(*plan_);
  NeighborList neighbors(pairMemoryOf(*plan_));
  TriangleList triangles;
  ObstacleForces obstacles(plan_->obstacles.size(), hardestImpulse(*plan_));
  TerrainMaps maps;
  History history = history_;
  constexpr std::uint64_t kMostSpheres = std::numeric_limits<Index>::max();
  state.restore(reader, kMostSpheres);
  clumps.restore(reader, state.download());
  emission.restore(reader);
  neighbors.restore(reader, state.count());
  triangles.restore(reader, state.count());
  obstacles.restore(reader);
  maps.restore(reader, surface_.mesh().triangleCount, mapSlots(), state.count());
  history.restore(reader, static_cast<std::uint64_t>(frame) + 1);
  reader.expectEnd();
  refuseForeign(state.download());

  frame_ = frame;
  steps_ = steps;
  neighborBuilds_ = neighborBuilds;
  timeStep_ = timeStep;
  smallestTimeStep_ = smallestTimeStep;
  timeStepLimitedBy_.assign(limitedBy.begin(), limitedBy.end());
  greatestSpeed_ = greatestSpeed;
  greatestOverlap_ = greatestOverlap;
  lastInterval_ = lastInterval;
  lostImpulse_ = lostImpulse;
  losses_ = std::move(losses);
  state_ = std::move(state);
  clumps_ = std::move(clumps);
  clumps_.findMembers(executor_, particles());
  emission_.takeOver(std::move(emission));
  stepsSinceEmission_ = 0;
  neighbors_ = std::move(neighbors);
  triangles_ = std::move(triangles);
  obstacles_ = std::move(obstacles);
  maps_ = std::move(maps);
  history_ = std::move(history);
  unmappedTravel_ = 0;
  time_ = frameTime(frame_);
  frameBegins_ = true;
  hasDrifted_ = false;
  listedAt_.resizeDiscarding(state_.count());
  executor_.forEach(
    "granular.rememberPlace", state_.count(), RememberPlace{ state_.view(), listedAt_.data() });
  way_ = 0;
}

Report GranularFlowSolver::report() const
{
  const Executor::ThreadScope scope(executor_);
  Report report = measured();
  report.model = "Granular Flow";
  report.version = LAPILLI_VERSION;
  report.device = executor_.deviceName();
  report.notes = plan_->notes;
  emission_.addNotes(report.notes);
  if (greatestOverlap_ > kOverlapWorthANote)
  {
    // Without numbers that change: it is one note of the run, not one of each frame.
    std::ostringstream text;
    text << "contacts are too soft: made for impacts of " << plan_->greatestSpeed
         << " m/s (greatest speed), they let rocks sink deeper than half a radius into others or "
            "the terrain, and perhaps through it; "
         << (plan_->parameters.contactLaw == ContactLaw::HertzMindlin
                ? "raise Young's modulus of the sources and the terrain"
                : "raise the greatest speed or lower the greatest overlap");
    report.notes.push_back(text.str());
  }
  return report;
}

Report GranularFlowSolver::measured() const
{
  Report report;
  report.time = time_;
  report.steps = steps_;
  report.timeStep = timeStep_;
  report.smallestTimeStep = smallestTimeStep_;
  report.timeStepLimitedBy = timeStepLimitedBy_;
  report.neighborBuilds = neighborBuilds_;
  report.neighborSearch = plan_->neighborSearchReason;
  report.losses = losses_;
  report.greatestSpeed = greatestSpeed_;
  report.greatestOverlap = greatestOverlap_;
  report.memory = surface_.bytes() + state_.bytes() + clumps_.bytes() + index_.bytes() +
                  neighbors_.bytes() + triangles_.bytes() + obstacles_.bytes() + maps_.bytes() +
                  static_cast<double>(lost_.bytes() + contacts_.bytes() + listedAt_.bytes());

  Totals totals = executor_.sum<Totals>("granular.totals", state_.count(),
    TotalOf{ particles(), plan_->gravity, plan_->lowestPotential, plan_->parameters.restSpeed });
  totals += executor_.sum<Totals>("granular.totalsOfClumps", clumps_.count(),
    TotalOfClump{
      particles(), clumps(), plan_->gravity, plan_->lowestPotential, plan_->parameters.restSpeed });
  report.particles = totals.bodies;
  report.particleForm = plan_->particleForm;
  report.mass = totals.mass;
  report.particlesAtRest = totals.atRest;
  report.massAtRest = totals.massAtRest;
  report.frontDistance = executor_.maximum("granular.frontDistance", state_.count(),
    DistanceFromSources{ state_.view(), plan_->sourcesMiddle });
  const std::vector<ObstacleLoad> loads = obstacles_.loads();
  for (std::size_t k = 0; k < loads.size(); ++k)
  {
    const Vec3d force = lastInterval_ > 0 ? (1 / lastInterval_) * loads[k].impulse : Vec3d{};
    const Vec3d total = loads[k].total;
    report.obstacles.push_back({ plan_->obstacles[k], { force.x, force.y, force.z },
      loads[k].greatestForce, { total.x, total.y, total.z } });
  }
  report.emitted = emission_.emitter().emitted();
  report.massEmitted = emission_.emitter().massEmitted();
  report.waiting = emission_.waiting(time_);
  report.massIn = totals.mass;
  for (const LossReason reason : { LossReason::LeftTheMap, LossReason::LeftTheDomain,
         LossReason::FellIntoAHole, LossReason::WentThrough })
    report.massIn += losses_[static_cast<int>(reason) - 1].mass;
  report.kineticEnergy = totals.translation;
  report.rotationalEnergy = totals.rotation;
  report.potentialEnergy = totals.potential;
  report.momentum = { totals.momentum.x, totals.momentum.y, totals.momentum.z };
  if (lastInterval_ > 0)
  {
    const Vec3d support = (1 / lastInterval_) * (totals.supportImpulse + lostImpulse_);
    report.supportForce = { support.x, support.y, support.z };
  }
  return report;
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
