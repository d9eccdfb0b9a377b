/// @file
/// How particles move in a step of Granular Flow, and what their motion sums up to.
#pragma once

#include "Air/Drag.h"
#include "Clumps/Clumps.h"
#include "Math/Lanes.h"
#include "Particles/State.h"
#include "Spatial/NeighborList.h"
#include "Terrain/Coverage.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// What acts on a body between its contacts, and on which of its ways it can go. A Real is a double, or
/// several side by side.
struct Kick
{
  Vec3d gravity; ///< [m/s^2]
  bool turns;    ///< whether bodies can rotate
  Air air;

  /// The velocity after a time of gravity, contacts and then air.
  template <class Real>
  HOST_DEVICE Vec3<Real> before(const Vec3<Real>& velocity, const Vec3<Real>& force,
    const Real& inverseMass, const Vec3<Real>& position, const Real& radius, double time) const
  {
    const Vec3<Real> kicked = velocity + accelerated(force, inverseMass, time);
    return air.isThere() ? slowed(kicked, position, radius, inverseMass, time) : kicked;
  }
  /// The same in the opposite order.
  template <class Real>
  HOST_DEVICE Vec3<Real> after(const Vec3<Real>& velocity, const Vec3<Real>& force,
    const Real& inverseMass, const Vec3<Real>& position, const Real& radius, double time) const
  {
    return (air.isThere() ? slowed(velocity, position, radius, inverseMass, time) : velocity) +
           accelerated(force, inverseMass, time);
  }
  /// The spin of a single sphere or disc after a time of contacts.
  template <class Real>
  HOST_DEVICE Vec3<Real> turned(
    const Vec3<Real>& spin, const Vec3<Real>& torque, const Real& inverseInertia, double time) const
  {
    return turns ? spin + (time * inverseInertia) * torque : spin;
  }

private:
  template <class Real>
  HOST_DEVICE Vec3<Real> accelerated(
    const Vec3<Real>& force, const Real& inverseMass, double time) const
  {
    return Real(time) * (gravity.to<Real>() + inverseMass * force);
  }
  HOST_DEVICE Vec3d slowed(const Vec3d& velocity, const Vec3d& position, double radius,
    double inverseMass, double time) const
  {
    return air.slowed(velocity, { position, radius }, inverseMass, time);
  }
#if LAPILLI_LANES > 1
  Vec3<DoubleLanes> slowed(const Vec3<DoubleLanes>& velocity, const Vec3<DoubleLanes>& position,
    const DoubleLanes& radius, const DoubleLanes& inverseMass, double time) const
  {
    using Each = EachLane<double, DoubleLanes>;
    const Each x(position.x), y(position.y), z(position.z), r(radius), m(inverseMass);
    Each vx(velocity.x), vy(velocity.y), vz(velocity.z);
    for (int k = 0; k < kLanes; ++k)
    {
      if (m[k] == 0) // nobody stands in this lane
        continue;
      const Vec3d v =
        slowed(Vec3d{ vx[k], vy[k], vz[k] }, Vec3d{ x[k], y[k], z[k] }, r[k], m[k], time);
      vx.lane[k] = v.x;
      vy.lane[k] = v.y;
      vz.lane[k] = v.z;
    }
    return { loadLanes(vx.lane), loadLanes(vy.lane), loadLanes(vz.lane) };
  }
#endif
};

/// The length of a drift [m], infinite where it is not a number.
HOST_DEVICE inline float wayOf(const Vec3d& drift)
{
  const float way = static_cast<float>(length(drift));
  return way >= 0 ? way : INFINITY;
}

/// Start of a velocity Verlet step: v(t+dt/2) = v + a dt/2, x(t+dt) = x + v(t+dt/2) dt; the same for
/// spins. Air acts between kick and drift, and in FinishKick between drift and kick: a symmetric
/// splitting, of second order (Strang, SIAM J. Numer. Anal. 5 (1968) 506-517). Spheres of clumps
/// are left to MoveClump.
/// Reads force, torque, inverse mass; writes sphere, velocity, spin, motion.
/// @return wayOf() the drift
struct KickAndDrift
{
  ParticleView particles;
  Kick kick;
  double timeStep;
  HOST_DEVICE float operator()(Index i) const
  {
    if (particles.isPart(i))
      return 0;
    const double half = 0.5 * timeStep;
    const Sphere sphere = particles.sphere[i];
    const Vec3d velocity = kick.before(particles.velocity[i], particles.force[i],
      particles.inverseMass[i], sphere.position, sphere.radius, half);
    const Vec3d spin = kick.turned(particles.spin[i], particles.torque[i],
      particles.form.inverseInertia(particles.inverseMass[i], sphere.radius), half);
    particles.velocity[i] = velocity;
    particles.spin[i] = spin;
    particles.sphere[i].position += timeStep * velocity;
    particles.motion[i].velocity = velocity.to<float>();
    particles.motion[i].spin = spin.to<float>();
    return wayOf(timeStep * velocity);
  }
};

/// The same for a clump, with its spheres. Rotation by symplectic splitting.
struct MoveClump
{
  ParticleView particles;
  ClumpView clumps;
  Kick kick;
  double timeStep;
  HOST_DEVICE float operator()(Index c) const
  {
    const ClumpKind& kind = clumps.kind[c];
    ClumpMotion& motion = clumps.motion[c];
    const double half = 0.5 * timeStep;
    const ClumpView::Load load = clumps.load(particles, c);
    motion.velocity =
      kick.before(motion.velocity, load.force, 1 / kind.mass, motion.position, kind.radius, half);
    motion.position += timeStep * motion.velocity;
    if (kick.turns)
    {
      motion.momentum += half * load.torque;
      driftRotation(motion.orientation, motion.momentum, kind.inertia, timeStep);
    }
    const Vec3d spin = clumps.spin(c);
    float farthest = 0;
    for (std::int32_t k = 0; k < kind.count; ++k)
    {
      const Index i = clumps.members[kind.firstMember + k];
      const Vec3d arm = clumps.arm(c, k);
      const Vec3d velocity = motion.velocity + cross(spin, arm);
      const Vec3d place = motion.position + arm;
      const float way = wayOf(place - particles.sphere[i].position);
      farthest = way > farthest ? way : farthest;
      particles.sphere[i].position = place;
      particles.velocity[i] = velocity;
      particles.spin[i] = spin;
      particles.motion[i].velocity = velocity.to<float>();
      particles.motion[i].spin = spin.to<float>();
    }
    return farthest;
  }
};

/// Puts particles that crossed a periodic side back into the domain. Writes sphere.
struct WrapIntoDomain
{
  ParticleView particles;
  Periodicity space;
  HOST_DEVICE void operator()(Index i) const
  {
    if (!particles.isPart(i))
      particles.sphere[i].position = space.wrap(particles.sphere[i].position);
  }
};

/// The same for clumps by their centres; some of their spheres may stay outside.
struct WrapClumpIntoDomain
{
  ParticleView particles;
  ClumpView clumps;
  Periodicity space;
  HOST_DEVICE void operator()(Index c) const
  {
    const Vec3d home = space.wrap(clumps.motion[c].position);
    clumps.motion[c].position = home;
    for (std::int32_t k = 0; k < clumps.kind[c].count; ++k)
      particles.sphere[clumps.members[clumps.kind[c].firstMember + k]].position =
        home + clumps.arm(c, k);
  }
};

/// Clumps are lost as a whole, by their centres.
/// Reads sphere; writes lost, a LossReason.
/// @return 1 for who is lost
struct FindLosses
{
  ParticleView particles;
  ClumpView clumps;
  SurfaceMeshView mesh;
  ColumnGridView columns;
  DomainSides domain;
  std::uint8_t* lost;
  HOST_DEVICE float operator()(Index i) const
  {
    Sphere sphere = particles.sphere[i];
    if (particles.isPart(i))
      sphere = clumps.sphere(particles.clump[i]);
    const double radius = sphere.radius;
    const Vec3d p = domain.space.wrap(sphere.position);
    LossReason reason = lossOf(domain, p, radius);
    if (reason == LossReason::None)
      reason = lossOf(mesh, columns, p, radius);
    lost[i] = static_cast<std::uint8_t>(reason);
    return reason == LossReason::None ? 0 : 1;
  }
};

/// Reads sphere; writes listedAt.
struct RememberPlace
{
  ParticleView particles;
  Vec3d* listedAt;
  HOST_DEVICE void operator()(Index i) const { listedAt[i] = particles.sphere[i].position; }
};

/// @return distance from the place at which neighbours were listed [m]
struct WayFromListed
{
  ParticleView particles;
  const Vec3d* listedAt;
  HOST_DEVICE float operator()(Index i) const
  {
    return wayOf(particles.sphere[i].position - listedAt[i]);
  }
};

/// Writes loaded, for new lists.
struct MarkLongRows
{
  ParticleView particles;
  NeighborView rows;
  HOST_DEVICE void operator()(Index i) const
  {
    particles.loaded[i] = rows.longRow[i] >= 0 ? ParticleView::kByLongRow : 0;
  }
};

/// The end of a step for a clump, with its spheres, whose loads are set.
/// Writes velocity, spin, surfaceSpeed.
/// @return greatest speed of a sphere's centre [m/s], infinite where it is not a number
struct FinishClump
{
  ParticleView particles;
  ClumpView clumps;
  Kick kick;
  double timeStep;
  HOST_DEVICE float operator()(Index c) const
  {
    const ClumpKind& kind = clumps.kind[c];
    ClumpMotion& motion = clumps.motion[c];
    const double half = 0.5 * timeStep;
    const ClumpView::Load load = clumps.load(particles, c);
    motion.velocity =
      kick.after(motion.velocity, load.force, 1 / kind.mass, motion.position, kind.radius, half);
    if (kick.turns)
      motion.momentum += half * load.torque;
    const Vec3d spin = clumps.spin(c);
    float fastest = 0;
    for (std::int32_t k = 0; k < kind.count; ++k)
    {
      const Index i = clumps.members[kind.firstMember + k];
      particles.velocity[i] = motion.velocity + cross(spin, clumps.arm(c, k));
      particles.spin[i] = spin;
      const float speed = noteSpeed(particles, i);
      fastest = speed > fastest ? speed : fastest;
    }
    return fastest;
  }

private:
  /// Keeps the greatest speed of the surface. @return speed of the centre [m/s]
  HOST_DEVICE static float noteSpeed(const ParticleView& particles, Index i)
  {
    const float speed = length(particles.velocity[i].to<float>());
    const float surfaceSpeed = speed + static_cast<float>(particles.sphere[i].radius) *
                                         length(particles.spin[i].to<float>());
    if (surfaceSpeed > particles.surfaceSpeed[i])
      particles.surfaceSpeed[i] = surfaceSpeed;
    return surfaceSpeed >= 0 && squaredLength(particles.sphere[i].position) < INFINITY ? speed
                                                                                       : INFINITY;
  }
};

/// Writes what the maps of the terrain need to know of a clump.
struct DescribeForMaps
{
  ClumpView clumps;
  Sphere* sphere;
  float* speed;
  float* kineticEnergy;
  HOST_DEVICE void operator()(Index c) const
  {
    sphere[c] = clumps.sphere(c);
    speed[c] = static_cast<float>(length(clumps.motion[c].velocity));
    kineticEnergy[c] = static_cast<float>(kineticEnergyOf(clumps.kind[c], clumps.motion[c]));
  }
};

/// Sums over all particles.
struct Totals
{
  double mass = 0, translation = 0, rotation = 0, potential = 0;
  Vec3d momentum, supportImpulse;
  double massAtRest = 0;
  std::int64_t bodies = 0, atRest = 0;
  HOST_DEVICE Totals& operator+=(const Totals& b)
  {
    mass += b.mass;
    translation += b.translation;
    rotation += b.rotation;
    potential += b.potential;
    momentum += b.momentum;
    supportImpulse += b.supportImpulse;
    massAtRest += b.massAtRest;
    bodies += b.bodies;
    atRest += b.atRest;
    return *this;
  }
};

/// What every particle adds, and a sphere of a clump for its part.
/// Reads sphere, velocity, spin, mass, supportImpulse, surfaceSpeed, pressure, pressureMax.
struct TotalOf
{
  ParticleView particles;
  Vec3d gravity;
  double lowestPotential;
  double restSpeed; ///< [m/s]
  HOST_DEVICE Totals operator()(Index i) const
  {
    Totals totals;
    totals.supportImpulse = particles.supportImpulse[i];
    if (particles.isPart(i))
      return totals;
    const double m = particles.mass[i];
    const Vec3d v = particles.velocity[i];
    totals.bodies = 1;
    totals.mass = m;
    totals.translation = 0.5 * m * squaredLength(v);
    totals.rotation = 0.5 * particles.form.inertia(m, particles.sphere[i].radius) *
                      squaredLength(particles.spin[i]);
    totals.potential = m * (-dot(gravity, particles.sphere[i].position) - lowestPotential);
    totals.momentum = m * v;
    const bool rests = particles.isSlow(i, restSpeed) && particles.hasTouched(i);
    totals.massAtRest = rests ? m : 0;
    totals.atRest = rests ? 1 : 0;
    return totals;
  }
};

/// What every clump adds beyond the parts of its spheres. It rests if all of them are slow and
/// one has touched something.
struct TotalOfClump
{
  ParticleView particles;
  ClumpView clumps;
  Vec3d gravity;
  double lowestPotential;
  double restSpeed; ///< [m/s]
  HOST_DEVICE Totals operator()(Index c) const
  {
    const ClumpKind& kind = clumps.kind[c];
    const ClumpMotion& motion = clumps.motion[c];
    Totals totals;
    totals.bodies = 1;
    totals.mass = kind.mass;
    totals.translation = 0.5 * kind.mass * squaredLength(motion.velocity);
    totals.rotation = 0.5 * dot(clumps.spin(c), motion.momentum);
    totals.potential = kind.mass * (-dot(gravity, motion.position) - lowestPotential);
    totals.momentum = kind.mass * motion.velocity;
    bool isSlow = true, hasTouched = false;
    for (std::int32_t k = 0; k < kind.count; ++k)
    {
      const Index member = clumps.members[kind.firstMember + k];
      isSlow = isSlow && particles.isSlow(member, restSpeed);
      hasTouched = hasTouched || particles.hasTouched(member);
    }
    const bool rests = isSlow && hasTouched;
    totals.massAtRest = rests ? kind.mass : 0;
    totals.atRest = rests ? 1 : 0;
    return totals;
  }
};

/// Reads sphere.
/// @return horizontal distance from the middle of the sources [m]
struct DistanceFromSources
{
  ParticleView particles;
  Vec3d middle;
  HOST_DEVICE float operator()(Index i) const
  {
    const Vec3d away = particles.sphere[i].position - middle;
    return static_cast<float>(std::sqrt(away.x * away.x + away.y * away.y));
  }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
