#include "GranularFlow/GranularFlowSolver.h"

#include <cmath>
#include <limits>

namespace lapilli
{
namespace LAPILLI_BACKEND
{

void GranularFlowSolver::save(CheckpointWriter& writer) const
{
  if (!onFrameGrid())
    throw InvalidInput("a run can be saved at times of the frame grid only; it stands at " +
                       std::to_string(now_.time) + " s");
  writer.beginSection("granular flow", 4);
  writer.value(plan_->fingerprint);
  writer.value(frame_);
  writer.value(now_.steps);
  writer.value(neighborBuilds_);
  writer.value(now_.timeStep);
  writer.value(now_.smallestTimeStep);
  writer.value(now_.limitedBy);
  writer.value(now_.greatestSpeed);
  writer.value(now_.greatestOverlap);
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
  reader.expectSection("granular flow", 4);
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
  StepControl now;
  now.time = frameTime(frame);
  now.steps = readCount();
  const std::int64_t neighborBuilds = readCount();
  now.timeStep = reader.value<double>();
  now.smallestTimeStep = reader.value<double>();
  now.limitedBy = reader.value<LimitedBy>();
  now.greatestSpeed = reader.value<double>();
  now.greatestOverlap = reader.value<double>();
  const auto lastInterval = reader.value<double>();
  const auto lostImpulse = reader.value<Vec3d>();
  if (!(now.limitedBy >= LimitedBy::Nothing && now.limitedBy <= LimitedBy::FrameInterval))
    throw InvalidInput("the checkpoint does not tell what limits the time step; compute it anew");
  if (!(now.greatestSpeed >= 0) || !std::isfinite(now.greatestSpeed))
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
  NeighborList neighbors(pairMemory(), plan_->mostNeighbors);
  TriangleList triangles;
  ObstacleForces obstacles(plan_->obstacles.size(), hardestImpulse());
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
  now_ = now;
  neighborBuilds_ = neighborBuilds;
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
  frameBegins_ = true;
  hasDrifted_ = false;
  listedAt_.resizeDiscarding(state_.count());
  executor_.forEach(
    "granular.rememberPlace", state_.count(), RememberPlace{ state_.view(), listedAt_.data() });
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
