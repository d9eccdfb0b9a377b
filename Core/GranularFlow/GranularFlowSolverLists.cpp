#include "GranularFlow/GranularFlowSolver.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// The wider the skin, the longer a list lasts and the more pairs it holds that do not touch. Left
/// to us it lasts for about kStepsPerList steps of the fastest particle.
double GranularFlowSolver::chooseSkin() const
{
  constexpr double kStepsPerList = 40;
  const double given = plan_->parameters.skin;
  const double moved = now_.greatestSpeed * plan_->contactStep * kStepsPerList;
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
  now_.way = 0;
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
    text << std::setprecision(10) << "diverged at time " << now_.time << " s, step " << now_.steps
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

void GranularFlowSolver::recordLosses(Index survivors)
{
  const Index lostCount = state_.count() - survivors;
  const HostParticles gone = state_.download(survivors, lostCount);
  const std::vector<Index> oldPlaces = index_.order().download(survivors, lostCount);
  const std::vector<std::uint8_t> reasons = lost_.download();
  std::vector<std::int32_t> lostClumps;
  for (const std::size_t k : gone.inOrderOfIds())
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

} // namespace LAPILLI_BACKEND
} // namespace lapilli
