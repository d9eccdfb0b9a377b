/// @file
/// Lets particles out of their nozzles where there is room.
#pragma once

#include "GranularFlow/Bodies.h"
#include "GranularFlow/StartPlaces.h"
#include "Particles/Emitter.h"
#include "Spatial/NearSpheres.h"
#include "Terrain/DeviceSurface.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// A moment in the middle of a step, and what stands where.
struct EmissionScene
{
  const Executor& executor;
  NearSpheres present;
  const DeviceSurface& surface;
  const DomainSides& domain;
  Vec3d gravity;
  double time;     ///< [s], of the positions
  double kickTime; ///< [s], of the velocities, which are half a step behind
};

class Emission
{
public:
  explicit Emission(const GranularFlowPlan& plan)
    : plan_(plan)
    , places_(plan)
    , emitter_(plan.nozzles, plan.origin, plan.form)
  {
  }

  const Emitter& emitter() const { return emitter_; }

  /// Takes out all that is due and has room. One that waited leaves when there is room, all others
  /// are where they have flown since they were due.
  /// @param bodies receives them
  void takeDue(const EmissionScene& scene, NewBodies& bodies);

  /// One sentence for each source with nozzles that were ever blocked.
  void addNotes(std::vector<std::string>& notes) const;
  std::int64_t waiting(double time) const;

  void save(CheckpointWriter& writer) const;
  void restore(CheckpointReader& reader);
  /// The state of another of the same plan.
  void takeOver(Emission other)
  {
    emitter_ = std::move(other.emitter_);
    lastTime_ = other.lastTime_;
  }

private:
  struct Candidate
  {
    int nozzle;
    NewBody body;
    bool isAtFault; ///< starts or stands where no particle may be
  };
  Candidate candidate(const EmissionScene& scene, int nozzle, int attempt) const;
  std::vector<std::uint8_t> findBlocked(
    const EmissionScene& scene, const std::vector<Candidate>& candidates);

  const GranularFlowPlan& plan_;
  StartPlaces places_;
  Emitter emitter_;
  double lastTime_ = 0; ///< [s], of the last look
  Buffer<Sphere> spheres_;
  Buffer<Index> first_;
  Buffer<std::uint8_t> blocked_;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
