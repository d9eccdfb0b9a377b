/// @file
/// The solver of Granular Flow on one backend.
#pragma once

#include "Clumps/Clumps.h"
#include "Contacts/PairLaw.h"
#include "GranularFlow/Emission.h"
#include "GranularFlow/GranularFlowPlan.h"
#include "GranularFlow/History.h"
#include "GranularFlow/Motion.h"
#include "GranularFlow/StepControl.h"
#include "Particles/State.h"
#include "Spatial/NeighborList.h"
#include "Terrain/DeviceSurface.h"
#include "Terrain/ObstacleForces.h"
#include "Terrain/TerrainMaps.h"
#include "Terrain/TriangleList.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

class GranularFlowSolver : public Simulation
{
public:
  GranularFlowSolver(std::shared_ptr<const GranularFlowPlan> plan, int threads);

  double time() const override { return now_.time; }
  void advanceTo(double time, Monitor& monitor) override;
  void read(Frame& frame) const override;
  void save(CheckpointWriter& writer) const override;
  void restore(CheckpointReader& reader) override;
  Report report() const override;

private:
  void uploadWind();
  void placeParticles();
  /// One step of velocity Verlet. @param remaining [s], to the end of the frame
  void advance(double remaining);
  /// Several plain steps, at most to before the end of the frame. @return whether there was any
  bool advanceBatch();
  void enqueueSteps(int count);
  void kickAndDrift();
  bool usesUpSkin();
  /// Lets particles in that have come by the end of this step.
  /// @return whether there were any; lists must then be made anew
  bool emit(double timeStep);
  ParticleView particles() const { return state_.view(); }
  ClumpView clumps() const { return clumps_.view(state_.view()); }
  Kick kick() const;
  void refreshNeighbors();
  void bringIntoOrder();
  void listNeighbors();
  /// One step that the host looks at: setForcesAndMove() from now_ and back.
  void endStep();
  /// Forces of all contacts and the rest of the kick; the next step's kick and drift too, if that is longer than 0.
  /// Reads and tells by the control.
  void setForcesAndMove();
  template <class NormalLaw>
  void setForcesAndMoveBy(const NormalLaw& law);
  void recordLosses(Index survivors);
  Index mapSlots() const;           ///< sources with maps; 0 for no maps
  bool samplesMaps(bool endsFrame); ///< whether it is time
  void writeMaps();
  Report measured() const; ///< the numbers of the report, without its texts
  PairLaws pairLaws() const;
  PairMemory pairMemory() const
  {
    return { plan_->parameters.tangentialLaw == TangentialLaw::Spring, plan_->materials.rolls };
  }
  double hardestImpulse() const; ///< [N s], of the largest particle at the greatest speed

  double chooseSkin() const;
  double chooseTimeStep(double remaining);
  StepLimits stepLimits() const;
  const char* nameOf(LimitedBy limit) const;
  int stepsPerBatch() const;
  /// [m], of a particle in one step: none goes through another or through the ground.
  double longestDrift() const { return plan_->parameters.travelPerStep * plan_->smallestRadius; }
  /// @throws InvalidInput for particles that are not of this run
  void refuseForeign(const HostParticles& particles) const;
  /// @throws Diverged where a step has told so
  void refuseDiverged() const;
  [[noreturn]] void throwDiverged(const std::string& cause = {},
    const char* advice = "check gravity and velocities, or lower the greatest overlap or the time "
                         "step limit") const;
  double frameTime(std::int64_t frame) const
  {
    return static_cast<double>(frame) * plan_->parameters.frameInterval;
  }
  bool onFrameGrid() const { return now_.time == frameTime(frame_); }

  std::shared_ptr<const GranularFlowPlan> plan_;
  Executor executor_;
  DeviceSurface surface_;
  Buffer<PairLaw> pairLaws_;
  Buffer<TriangleLaw> triangleLaws_;
  Buffer<double> windHeight_;
  Buffer<Vec3d> windVelocity_;
  double greatestWind_ = 0; ///< [m/s], which dust takes on within a step
  State state_;
  Clumps clumps_;
  Emission emission_;
  SphereIndex index_;
  NeighborList neighbors_;
  Buffer<StepControl> control_; ///< now_, for kernels
  Repeated<BatchKey> batch_;
  TriangleList triangles_;
  ObstacleForces obstacles_;
  TerrainMaps maps_;
  Buffer<Sphere> mappedSphere_; ///< of each clump, as are the next two
  Buffer<float> mappedSpeed_, mappedEnergy_;
  Buffer<std::uint8_t> lost_;
  Buffer<Index> contacts_; ///< of each particle, when they were last brought into order
  Buffer<Vec3d> listedAt_;

  StepControl now_;        ///< where the run stands
  std::int64_t frame_ = 0; ///< the last one passed
  std::int64_t neighborBuilds_ = 0;
  int stepsSinceEmission_ = 0;
  int listsSinceOrder_ = 0;
  Index listedCount_ = 0;   ///< particles of the present lists
  bool frameBegins_ = true; ///< the next step is the first of a frame interval
  double skin_ = 0;         ///< [m], of the present lists
  bool hasDrifted_ = false; ///< whether the particles stand where the next step leads
  double lastInterval_ = 0; ///< [s], over which supportImpulse was gathered
  Vec3d lostImpulse_;       ///< [N s], gathered by particles lost since the last frame
  std::vector<Loss> losses_;
  History history_;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
