/// @file
/// How particles move in a step of Granular Flow, and what their motion sums up to.
#pragma once

#include "Air/Drag.h"
#include "Particles/State.h"
#include "Terrain/Coverage.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// Forces into accelerations.
struct Accelerations
{
  Vec3d gravity; ///< [m/s^2]
  double spins;  ///< 1, or 0 where rotation is locked
  Air air;

  HOST_DEVICE Vec3d linear(const ParticleView& p, Index i) const
  {
    return gravity + p.inverseMass[i] * p.force[i];
  }
  HOST_DEVICE Vec3d angular(const ParticleView& p, Index i) const
  {
    return (spins * p.inverseInertia[i]) * p.torque[i];
  }
  /// What the air leaves of a velocity in a time.
  HOST_DEVICE Vec3d slowed(const ParticleView& p, Index i, const Vec3d& velocity, double time) const
  {
    return air.isThere() ? air.slowed(velocity, p.sphere[i], p.inverseMass[i], time) : velocity;
  }
};

/// Start of a velocity Verlet step: v(t+dt/2) = v + a dt/2, x(t+dt) = x + v(t+dt/2) dt; the same for
/// spins. Air acts between kick and drift, and in FinishKick between drift and kick: a symmetric
/// splitting, of second order (Strang, SIAM J. Numer. Anal. 5 (1968) 506-517).
/// Reads force, torque, inverse mass and inertia; writes sphere, velocity, spin, motion.
/// @return squared distance from the place at which neighbours were listed [m^2]
struct KickAndDrift
{
  ParticleView particles;
  const Vec3d* listedAt;
  Accelerations accelerations;
  double timeStep;
  HOST_DEVICE float operator()(Index i) const
  {
    const double half = 0.5 * timeStep;
    const Vec3d velocity = accelerations.slowed(
      particles, i, particles.velocity[i] + half * accelerations.linear(particles, i), half);
    const Vec3d spin = particles.spin[i] + half * accelerations.angular(particles, i);
    particles.velocity[i] = velocity;
    particles.spin[i] = spin;
    particles.sphere[i].position += timeStep * velocity;
    particles.motion[i].velocity = velocity.to<float>();
    particles.motion[i].spin = spin.to<float>();
    const float moved =
      static_cast<float>(squaredLength(particles.sphere[i].position - listedAt[i]));
    return moved >= 0 ? moved : INFINITY;
  }
};

/// Puts particles that crossed a periodic side back into the domain. Writes sphere.
struct WrapIntoDomain
{
  ParticleView particles;
  Periodicity space;
  HOST_DEVICE void operator()(Index i) const
  {
    particles.sphere[i].position = space.wrap(particles.sphere[i].position);
  }
};

/// Reads sphere; writes lost, a LossReason.
struct FindLosses
{
  ParticleView particles;
  SurfaceMeshView mesh;
  ColumnGridView columns;
  DomainSides domain;
  std::uint8_t* lost;
  HOST_DEVICE void operator()(Index i) const
  {
    const double radius = particles.sphere[i].radius;
    const Vec3d p = domain.space.wrap(particles.sphere[i].position);
    LossReason reason = lossOf(domain, p, radius);
    if (reason == LossReason::None)
      reason = lossOf(mesh, columns, p, radius);
    lost[i] = static_cast<std::uint8_t>(reason);
  }
};

/// Reads sphere; writes listedAt.
struct RememberPlace
{
  ParticleView particles;
  Vec3d* listedAt;
  HOST_DEVICE void operator()(Index i) const { listedAt[i] = particles.sphere[i].position; }
};

/// End of a velocity Verlet step: v(t+dt) = v(t+dt/2) + a(t+dt) dt/2; pressure as the sum of normal
/// forces over the sphere's surface, sum F/(4 pi r^2).
/// Reads force, torque, inverse mass and inertia, sphere; writes velocity, spin, pressure, pressureMax, surfaceSpeed.
/// @return speed [m/s], infinite where it is not a number
struct FinishKick
{
  ParticleView particles;
  Accelerations accelerations;
  double timeStep;
  HOST_DEVICE float operator()(Index i) const
  {
    const double half = 0.5 * timeStep;
    const Vec3d velocity = accelerations.slowed(particles, i, particles.velocity[i], half) +
                           half * accelerations.linear(particles, i);
    const Vec3d spin = particles.spin[i] + half * accelerations.angular(particles, i);
    particles.velocity[i] = velocity;
    particles.spin[i] = spin;

    const float radius = static_cast<float>(particles.sphere[i].radius);
    const float pressure = particles.pressure[i] / (4 * static_cast<float>(M_PI) * radius * radius);
    particles.pressure[i] = pressure;
    if (pressure > particles.pressureMax[i])
      particles.pressureMax[i] = pressure;

    const float speed = length(velocity.to<float>());
    const float surfaceSpeed = speed + radius * length(spin.to<float>());
    if (surfaceSpeed > particles.surfaceSpeed[i])
      particles.surfaceSpeed[i] = surfaceSpeed;
    return surfaceSpeed >= 0 && squaredLength(particles.sphere[i].position) < INFINITY ? speed
                                                                                       : INFINITY;
  }
};

/// Sums over all particles.
struct Totals
{
  double mass = 0, translation = 0, rotation = 0, potential = 0;
  Vec3d momentum, supportImpulse;
  double massAtRest = 0;
  std::int64_t atRest = 0;
  HOST_DEVICE Totals& operator+=(const Totals& b)
  {
    mass += b.mass;
    translation += b.translation;
    rotation += b.rotation;
    potential += b.potential;
    momentum += b.momentum;
    supportImpulse += b.supportImpulse;
    massAtRest += b.massAtRest;
    atRest += b.atRest;
    return *this;
  }
};

/// Reads sphere, velocity, spin, mass, supportImpulse, surfaceSpeed.
struct TotalOf
{
  ParticleView particles;
  Vec3d gravity;
  double lowestPotential;
  double restSpeed; ///< [m/s]
  HOST_DEVICE Totals operator()(Index i) const
  {
    const double m = particles.mass[i];
    const Vec3d v = particles.velocity[i];
    Totals totals;
    totals.mass = m;
    totals.translation = 0.5 * m * squaredLength(v);
    totals.rotation =
      0.5 * inertiaOf(m, particles.sphere[i].radius) * squaredLength(particles.spin[i]);
    totals.potential = m * (-dot(gravity, particles.sphere[i].position) - lowestPotential);
    totals.momentum = m * v;
    totals.supportImpulse = particles.supportImpulse[i];
    const bool rests = particles.surfaceSpeed[i] < restSpeed;
    totals.massAtRest = rests ? m : 0;
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
