/// @file
/// The kernels of Granular Flow: what one particle does in each stage of a step.
#pragma once

#include "Contacts/CoulombFriction.h"
#include "Contacts/LinearSpring.h"
#include "Particles/State.h"
#include "Spatial/NeighborList.h"
#include "Terrain/Coverage.h"
#include "Terrain/TerrainMaps.h"
#include "Terrain/TriangleList.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// Forces into accelerations.
struct Accelerations
{
  Vec3d gravity; ///< [m/s^2]
  double spins;  ///< 1, or 0 where rotation is locked

  HOST_DEVICE Vec3d linear(const ParticleView& p, Index i) const
  {
    return gravity + p.inverseMass[i] * p.force[i].to<double>();
  }
  HOST_DEVICE Vec3d angular(const ParticleView& p, Index i) const
  {
    return (spins * p.inverseInertia[i]) * p.torque[i].to<double>();
  }
};

/// Start of a velocity Verlet step: v(t+dt/2) = v + a dt/2, x(t+dt) = x + v(t+dt/2) dt; the same for
/// spins.
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
    const Vec3d velocity =
      particles.velocity[i] + (0.5 * timeStep) * accelerations.linear(particles, i);
    const Vec3d spin = particles.spin[i] + (0.5 * timeStep) * accelerations.angular(particles, i);
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

/// Sets forces and torques of all contacts between particles. A pair is computed in both of its
/// rows, with the lower id as a: the same numbers in the same order, so force and spring agree.
/// Reads sphere, motion, id; writes force, torque, pressure (here the sum of normal forces [N]), rows.
/// @return greatest overlap over the smaller radius
struct SetPairForces
{
  ParticleView particles;
  NeighborView rows;
  LinearSpring normalLaw;
  CoulombFriction friction;

  HOST_DEVICE float operator()(Index i) const
  {
    const Sphere sphere = particles.sphere[i];
    Vec3f force, torque;
    float normalForces = 0;
    float greatest = 0;
    for (Offset e = rows.start[i]; e < rows.start[i + 1]; ++e)
    {
      const Neighbor neighbor = rows.neighbor[e];
      const Index j = neighbor.index();
      const Sphere other = particles.sphere[j];
      const Vec3d between = other.position - sphere.position;
      const double reach = sphere.radius + other.radius;
      const double squared = squaredLength(between);
      if (squared >= reach * reach)
      {
        if (neighbor.touching())
          rows.neighbor[e] = { static_cast<std::uint32_t>(j) };
        continue;
      }
      const bool isNew = !neighbor.touching();
      if (isNew)
        rows.spring[e] = {};
      rows.neighbor[e] = { static_cast<std::uint32_t>(j) | Neighbor::kTouching };

      const bool isA = particles.id[i] < particles.id[j];
      const float sign = isA ? 1.0f : -1.0f;
      const Motion a = particles.motion[isA ? i : j];
      const Motion b = particles.motion[isA ? j : i];
      const double distance = std::sqrt(squared);
      const double overlap = reach - distance;
      const float armA = static_cast<float>((isA ? sphere.radius : other.radius) - 0.5 * overlap);
      const float armB = static_cast<float>((isA ? other.radius : sphere.radius) - 0.5 * overlap);

      Contact contact;
      contact.normal =
        distance > 0 ? ((isA ? 1 : -1) / distance * between).to<float>() : Vec3f{ 0, 0, 1 };
      contact.overlap = static_cast<float>(overlap);
      contact.isNew = isNew;
      contact.mass = a.mass * b.mass / (a.mass + b.mass);
      const Vec3f relative = b.velocity - a.velocity;
      contact.approach = -dot(relative, contact.normal);
      contact.slip = relative + contact.approach * contact.normal -
                     cross(armA * a.spin + armB * b.spin, contact.normal);

      const float normalForce = normalLaw(contact);
      const Vec3f tangential = friction(rows.spring[e], contact, normalForce);
      force += sign * (tangential - normalForce * contact.normal);
      torque += (isA ? armA : armB) * cross(contact.normal, tangential);
      normalForces += normalForce;
      const double smaller = sphere.radius < other.radius ? sphere.radius : other.radius;
      const float fraction = static_cast<float>(overlap / smaller);
      greatest = fraction > greatest ? fraction : greatest;
    }
    particles.force[i] = force;
    particles.torque[i] = torque;
    particles.pressure[i] = normalForces;
    return greatest;
  }
};

/// Adds forces and torques of the terrain. The terrain is b and stands still.
/// Reads sphere, motion, traits, triangles; writes force, torque, pressure, supportImpulse, memory, touching, maps.
/// @return greatest overlap over the radius
struct AddTerrainForces
{
  ParticleView particles;
  SurfaceMeshView mesh;
  TriangleListView triangles;
  TerrainMapsView maps;
  LinearSpring normalLaw;
  CoulombFriction friction;
  double timeStep;

  /// Of the radius. A step travels half of it at most.
  static constexpr double kOverlapFromBehind = 0.75;

  HOST_DEVICE float operator()(Index i) const
  {
    const Offset first = triangles.start[i], last = triangles.start[i + 1];
    MergedContacts contacts;
    const Sphere sphere = particles.sphere[i];
    if (first < last)
    {
      // Who is behind the surface and came through it touched the same spot one step ago, as a step
      // is shorter than the radius.
      const bool touched = triangles.touching[i] != 0;
      contacts = touchSurface(
        mesh, sphere.position, sphere.radius,
        [&](const auto& visit)
        {
          for (Offset k = first; k < last; ++k)
            visit(triangles.triangle[k]);
        },
        [&](const Vec3d& outward)
        {
          Vec3f spring;
          std::uint8_t fromBehind;
          return touched &&
                 triangles.memory[i].recall((-outward).to<float>(), spring, fromBehind) &&
                 !fromBehind;
        });
    }
    if (contacts.count == 0)
    {
      triangles.touching[i] = 0;
      return 0;
    }

    const SurfaceMemory former = triangles.touching[i] ? triangles.memory[i] : SurfaceMemory{};
    SurfaceMemory memory{};
    const Motion a = particles.motion[i];
    Vec3f force, torque;
    float normalForces = 0;
    double greatest = 0;
    for (int k = 0; k < contacts.count; ++k)
    {
      const double overlap = contacts.depth(k);
      const float arm = static_cast<float>(sphere.radius - overlap);
      Contact contact;
      contact.normal = (-contacts.outward(k)).to<float>();
      contact.overlap = static_cast<float>(overlap);
      contact.mass = a.mass;
      contact.approach = dot(a.velocity, contact.normal);
      contact.slip =
        contact.approach * contact.normal - a.velocity - cross(arm * a.spin, contact.normal);

      memory.normal[k] = contact.normal;
      contact.isNew = !former.recall(contact.normal, memory.spring[k], memory.fromBehind[k]);
      // No step is so long that a sphere from the front sinks in so deep at once: its centre has just
      // come through from behind. Its overlap would be energy out of nothing.
      if (contact.isNew && overlap > kOverlapFromBehind * sphere.radius)
        memory.fromBehind[k] = 1;
      if (memory.fromBehind[k])
        continue;
      const float normalForce = normalLaw(contact);
      const Vec3f tangential = friction(memory.spring[k], contact, normalForce);
      force += tangential - normalForce * contact.normal;
      torque += arm * cross(contact.normal, tangential);
      normalForces += normalForce;
      maps.impact(mesh, contacts.triangle[k], particles.traits[i].sourceSlot, normalForce,
        static_cast<float>(sphere.radius));
      greatest = overlap > greatest ? overlap : greatest;
    }
    triangles.memory[i] = memory;
    triangles.touching[i] = 1;
    particles.force[i] += force;
    particles.torque[i] += torque;
    particles.pressure[i] += normalForces;
    particles.supportImpulse[i] += timeStep * force.to<double>();
    return static_cast<float>(greatest / sphere.radius);
  }
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
    const Vec3d velocity =
      particles.velocity[i] + (0.5 * timeStep) * accelerations.linear(particles, i);
    const Vec3d spin = particles.spin[i] + (0.5 * timeStep) * accelerations.angular(particles, i);
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
