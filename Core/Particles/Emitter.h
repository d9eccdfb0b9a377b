/// @file
/// Nozzles as queues of particles that are due.
///
///   Emitter emitter(scene.nozzles, origin);
///   for (int nozzle = 0; nozzle < emitter.count(); ++nozzle)
///     while (emitter.dueTime(nozzle) <= time && hasRoom(emitter.head(nozzle, 0)))
///       emitter.pop(nozzle);
///
/// What comes, and when, follows from the nozzle and the number of the particle alone, so the state is a count
/// and a sum for each nozzle, and nothing depends on how often it is asked. Nozzles that take turns share
/// the sequence of radii; who comes when in it does not depend on which of them are blocked.
#pragma once

#include "Checkpoint.h"
#include "Math/Vec.h"
#include "Particles/BodyForm.h"
#include "Scene.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace lapilli
{

/// @throws InvalidInput with nozzle, name, value and limit of the first that is out of range
void checkNozzles(
  const std::vector<Nozzle>& nozzles, std::size_t shapeCount, const BodyForm& form = {});

/// Unit vector; a direction may have any length.
Vec3d axisOf(const Nozzle& nozzle);

/// Two unit vectors that span the opening; of discs, in whose plane it is a slit, the second is zero.
std::pair<Vec3d, Vec3d> openingOf(const Nozzle& nozzle, const BodyForm& form = {});

/// How many particles a nozzle gives until a time, for an estimate of memory; by mass it takes the
/// mean volume of the radii.
double expectedCount(const Nozzle& nozzle, double until, const BodyForm& form = {});

/// One that is due, as it leaves the nozzle.
struct EmittedParticle
{
  double dueTime; ///< [s]
  double radius;  ///< [m]
  double mass;    ///< [kg]
  Vec3d position; ///< [m], local
  Vec3d velocity; ///< [m/s]
};

class Emitter
{
public:
  /// @param nozzles of discs: with places and directions in the plane
  /// @param origin  of the local coordinates
  Emitter(std::vector<Nozzle> nozzles, const Vec3d& origin, const BodyForm& form = {});

  int count() const { return static_cast<int>(nozzles_.size()); }
  const Nozzle& nozzle(int n) const { return nozzles_[static_cast<std::size_t>(n)]; }

  /// Of the next particle of a nozzle [s]; infinite where nothing more comes.
  double dueTime(int n) const { return queues_[static_cast<std::size_t>(n)].dueTime; }
  double nextDueTime() const; ///< of all nozzles [s]

  /// The next particle of a nozzle, which is due some time. Another try has another place in the
  /// opening and another direction in the cone.
  EmittedParticle head(int n, int attempt) const;
  void pop(int n);

  std::int64_t emitted(int n) const { return queues_[static_cast<std::size_t>(n)].emitted; }
  std::int64_t emitted() const;
  double massEmitted() const; ///< [kg]
  /// Due and still here.
  std::int64_t waiting(int n, double time) const;

  /// A nozzle was blocked for a time [s].
  void noteBlocked(int n, double duration)
  {
    queues_[static_cast<std::size_t>(n)].blockedTime += duration;
  }
  double blockedTime(int n) const { return queues_[static_cast<std::size_t>(n)].blockedTime; }

  void save(CheckpointWriter& writer) const;
  /// @throws InvalidInput if it holds other nozzles
  void restore(CheckpointReader& reader);

private:
  struct Queue
  {
    std::int64_t emitted = 0;
    double mass = 0;        ///< [kg], emitted
    double blockedTime = 0; ///< [s]
    double nextRadius = 0;  ///< [m]
    double dueTime = 0;     ///< [s]
    double speed = 0;       ///< [m/s]
  };
  /// Radii in the order in which they come, of nozzles that take turns by mass.
  struct Sequence
  {
    std::vector<double> massBefore; ///< [kg], of all that come before one
  };
  void prepareNext(std::size_t n);
  /// Of the next particle among those of all nozzles that take turns.
  std::int64_t nextInSequence(std::size_t n) const
  {
    return nozzles_[n].turn + queues_[n].emitted * nozzles_[n].turns;
  }
  double radiusOf(std::size_t n, std::int64_t number) const;
  /// [kg], of all that come before the next particle of a nozzle.
  double massBeforeNext(std::size_t n) const;
  void shareSequences();

  std::vector<Nozzle> nozzles_;
  Vec3d origin_;
  BodyForm form_;
  std::vector<Queue> queues_;
  std::vector<std::shared_ptr<Sequence>> sequences_; ///< by nozzle; null where none is needed
};

} // namespace lapilli
