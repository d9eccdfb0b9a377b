#include "GranularFlow/GranularFlowSolver.h"

#include "GranularFlow/ContactStep.h"
#include "GranularFlow/GroundForces.h"

#include <algorithm>

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

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

} // namespace

Kick GranularFlowSolver::kick() const
{
  const GranularFlowParameters& p = plan_->parameters;
  return { plan_->gravity, p.rotation == Rotation::Free,
    { p.airDensity, p.dragLaw, p.dragCoefficient, p.airViscosity,
      { static_cast<std::int32_t>(windHeight_.size()), windHeight_.data(), windVelocity_.data() },
      plan_->form } };
}

PairLaws GranularFlowSolver::pairLaws() const
{
  return { pairLaws_.data(), plan_->materials.count(), triangleLaws_.data() };
}

void GranularFlowSolver::endStep()
{
  now_.prepare();
  control_.upload({ now_ });
  setForcesAndMove();
  now_ = control_.download().front();
  now_.takeMaxima();
  if (now_.nextTimeStep > 0)
    state_.takeNext();
  else
    now_.greatestSpeed = std::max(now_.greatestSpeed,
      static_cast<double>(executor_.maximum("granular.finishClump", clumps_.count(),
        FinishClump{ particles(), clumps(), kick(), now_.timeStep })));
}

void GranularFlowSolver::setForcesAndMove()
{
  constexpr float kByStep = 0; // a law has it from the step
  if (plan_->parameters.contactLaw == ContactLaw::HertzMindlin)
    setForcesAndMoveBy(HertzMindlin{ kByStep });
  else
    setForcesAndMoveBy(
      LinearSpring{ static_cast<float>(plan_->frequency), kByStep, plan_->form.shearRatio().mass });
  executor_.forEach("obstacles.takeStep", obstacles_.count(),
    EndObstacleStep{ obstacles_.takeStep(), { control_.data() } });
}

template <class NormalLaw>
void GranularFlowSolver::setForcesAndMoveBy(const NormalLaw& law)
{
  StepControl* const control = control_.data();
  const StepTimes step{ control };
  const bool turns = plan_->parameters.rotation == Rotation::Free;
  const ShearRatio shear = turns ? plan_->form.shearRatio() : kWithoutTurning;
  const PairForces<NormalLaw> pairs{ particles(), neighbors_.view(), law, pairLaws(), clumps(),
    turns, shear, plan_->domain.space };
  executor_.maximumInto("granular.setLongRowForces", pairs.rows.longCount,
    SetLongRowForces<NormalLaw>{ pairs, step }, &control->overlapOfLongRows,
    kLongRow); // few are worth threads
  const Index ofGround = (triangles_.listed() + kPrefetched - 1) / kPrefetched;
  executor_.maximumInto("granular.addGroundForces", ofGround,
    AddGroundForces<NormalLaw>{ particles(), surface_.mesh(), triangles_.view(surface_),
      maps_.view(), obstacles_.view(), law, pairLaws(), clumps(), turns, shear, pairMemory(),
      step },
    &control->overlapOnGround, kPrefetched);
  const Index groups = (state_.count() + kLanes - 1) / kLanes;
  executor_.mergedInto("granular.contactStep", groups,
    ContactStep<NormalLaw>{ pairs, kick(), step, state_.next() }, &control->maxima, kLanes);
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
