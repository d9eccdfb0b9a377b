/// @file
/// The middle of a step in one pass over the particles: forces of pairs, the second half of the kick, and
/// where nothing has to look at the particles in between, the first half of the next one and the drift.
///
/// Velocity Verlet (Swope et al., J. Chem. Phys. 76 (1982) 637) in this order touches the state once a
/// step. Places and motions after the drift go to a second copy, as others still read the first.
#pragma once

#include "GranularFlow/Motion.h"
#include "GranularFlow/PairForces.h"
#include "GranularFlow/StepControl.h"
#include "Parallel/CacheHints.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// Works on particles kLanes * group … kLanes * group + kLanes - 1. Loads of ground and long rows are
/// there already where `loaded` says so. Spheres of clumps get their load, and FinishClump moves them.
/// Reads sphere, motion, force, torque, pressure, loaded, inverse mass and inertia; updates the rows, velocity,
/// spin, pressureMax, surfaceSpeed; writes force, torque and pressure, or next.
template <class NormalLaw>
struct ContactStep
{
  PairForces<NormalLaw> pairs;
  Kick kick;
  StepTimes step;
  NextPlaces next;

  ONE_PIECE HOST_DEVICE StepMaxima operator()(Index group) const
  {
    if (!step.goesOn())
      return {};
    const double timeStep = step.ending(), nextTimeStep = step.beginning();
    const PairForces<NormalLaw> pairs =
      this->pairs.during(timeStep); // so that no store can change it
    const ParticleView& particles = pairs.particles;
    const Index first = group * kLanes;
    const auto at = [first](int lane) { return first + lane; };
    const TruthLanes exists = lanesFrom(first) < IntLanes(particles.count);
    ParticleLanes own;
    own.loadPlaces(particles, at);
    own.loadMotions(particles, at);

    const NeighborView& rows = pairs.rows;
    if (rows.ahead > 0 && first + rows.ahead + kLanes <= particles.count)
    {
      prefetchAll(particles.sphere + first + rows.ahead, kLanes);
      prefetchAll(particles.motion + first + rows.ahead, kLanes);
    }
    ContactLoad load;
    const Offset row = rows.start[first / kRowLanes] + first % kRowLanes;
    const IntLanes counts = loadLanes(rows.count + first);
    for (std::int32_t k = 0;; ++k)
    {
      const TruthLanes active = exists & (counts > IntLanes(k));
      if (!any(active))
        break;
      pairs.add(own, at, row + k * static_cast<Offset>(kRowLanes), active, load);
    }
    addOthers(first, load);

    const FloatLanes radius = toFloat(own.radius);
    const FloatLanes pressure = load.normalForces / particles.form.surface(radius);
    storeLanes(
      particles.pressureMax + first, larger(loadLanes(particles.pressureMax + first), pressure));
    const bool goesOn = nextTimeStep > 0;
    if (!goesOn)
    {
      storeVectors(particles.force + first, load.force);
      storeVectors(particles.torque + first, load.torque);
      storeLanes(particles.pressure + first, pressure);
    }

    const DoubleLanes inverseMass =
                        select(exists, loadLanes(particles.inverseMass + first), DoubleLanes(0.0)),
                      inverseInertia = particles.form.inverseInertia(inverseMass, own.radius);
    const Vec3<DoubleLanes> before = loadVectors(particles.velocity + first),
                            spinBefore = loadVectors(particles.spin + first);
    Vec3<DoubleLanes> velocity =
      kick.after(before, load.force, inverseMass, own.position, own.radius, 0.5 * timeStep);
    Vec3<DoubleLanes> spin = kick.turned(spinBefore, load.torque, inverseInertia, 0.5 * timeStep);
    TruthLanes moves = exists;
    if (particles.hasClumps)
    {
      moves = exists & (loadLanes(particles.clump + first) < IntLanes(0));
      velocity = choose(moves, velocity, before);
      spin = choose(moves, spin, spinBefore);
    }

    StepMaxima maxima;
    // A pair stands in both rows: that of the smaller one counts.
    maxima.overlap = largestLane(select(exists, load.greatestOverlap / radius, FloatLanes(0.0f)));
    const FloatLanes speed = length(toFloat(velocity)), none = 0.0f;
    const FloatLanes surfaceSpeed = speed + radius * length(toFloat(spin));
    const FloatLanes fastest = loadLanes(particles.surfaceSpeed + first);
    storeLanes(particles.surfaceSpeed + first,
      select(moves & (surfaceSpeed > fastest), surfaceSpeed, fastest));
    // No number where a place is none, or beyond those that a float can tell.
    const FloatLanes isSomewhere = 0.0f * toFloat(squaredLength(own.position));
    maxima.speed = largestLane(select(moves, orInfinite(speed, surfaceSpeed + isSomewhere), none));

    if (goesOn)
    {
      velocity = kick.before(
        velocity, load.force, inverseMass, own.position, own.radius, 0.5 * nextTimeStep);
      spin = kick.turned(spin, load.torque, inverseInertia, 0.5 * nextTimeStep);
      own.position += DoubleLanes(nextTimeStep) * velocity;
      own.velocity = toFloat(velocity);
      own.spin = toFloat(spin);
      storeNext(first, own);
      const FloatLanes way = static_cast<float>(nextTimeStep) * length(own.velocity);
      maxima.way = largestLane(select(exists, orInfinite(way, way), none));
    }
    storeVectors(particles.velocity + first, velocity);
    storeVectors(particles.spin + first, spin);
    return maxima;
  }

private:
  /// @return value, infinite in the lanes in which `check` is not a number
  HOST_DEVICE static FloatLanes orInfinite(const FloatLanes& value, const FloatLanes& check)
  {
    return select(check >= FloatLanes(0.0f), value, FloatLanes(INFINITY));
  }

  /// What ground and long rows have done.
  HOST_DEVICE void addOthers(Index first, ContactLoad& load) const
  {
    const ParticleView& particles = pairs.particles;
    const IntLanes flags =
      ofEachLane<std::int32_t>([&](int lane) { return particles.loaded[first + lane]; });
    const TruthLanes loaded = flags > IntLanes(0);
    if (!any(loaded))
      return;
    const Vec3<DoubleLanes> nothing{ 0.0, 0.0, 0.0 };
    load.force += choose(loaded, loadVectors(particles.force + first), nothing);
    load.torque += choose(loaded, loadVectors(particles.torque + first), nothing);
    load.normalForces += select(loaded, loadLanes(particles.pressure + first), FloatLanes(0.0f));
  }

  HOST_DEVICE void storeNext(Index first, const ParticleLanes& own) const
  {
    const DoubleLanes place[4] = { own.position.x, own.position.y, own.position.z, own.radius };
    const FloatLanes motion[8] = { own.velocity.x, own.velocity.y, own.velocity.z, own.mass,
      own.spin.x, own.spin.y, own.spin.z, own.material };
    if (next.pastCaches)
    {
      streamRecords(&next.sphere[first].position.x, place);
      streamRecords(&next.motion[first].velocity.x, motion);
      return;
    }
    storeRecords(&next.sphere[first].position.x, place);
    storeRecords(&next.motion[first].velocity.x, motion);
  }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
