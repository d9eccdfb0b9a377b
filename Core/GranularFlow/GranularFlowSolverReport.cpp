#include "GranularFlow/GranularFlowSolver.h"

#include <sstream>

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// Of the smaller radius: beyond, centres come through the surface and through one another.
constexpr double kOverlapWorthANote = 0.5;

} // namespace

Report GranularFlowSolver::report() const
{
  const Executor::ThreadScope scope(executor_);
  Report report = measured();
  report.model = "Granular Flow";
  report.version = LAPILLI_VERSION;
  report.device = executor_.deviceName();
  report.notes = plan_->notes;
  emission_.addNotes(report.notes);
  if (now_.greatestOverlap > kOverlapWorthANote)
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
  report.time = now_.time;
  report.steps = now_.steps;
  report.timeStep = now_.timeStep;
  report.smallestTimeStep = now_.smallestTimeStep;
  report.timeStepLimitedBy = nameOf(now_.limitedBy);
  report.neighborBuilds = neighborBuilds_;
  report.neighborSearch = plan_->neighborSearchReason;
  report.losses = losses_;
  report.greatestSpeed = now_.greatestSpeed;
  report.greatestOverlap = now_.greatestOverlap;
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
  report.waiting = emission_.waiting(now_.time);
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
