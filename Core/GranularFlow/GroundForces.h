/// @file
/// Forces of all that stands still: terrain, containers, obstacles, walls.
#pragma once

#include "Clumps/Clumps.h"
#include "Contacts/ContactForce.h"
#include "Particles/State.h"
#include "Terrain/ObstacleForces.h"
#include "Terrain/TerrainMaps.h"
#include "Terrain/TriangleList.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// Adds forces and torques of the ground, which is b.
/// Reads sphere, motion, triangles; writes force, torque, pressure, supportImpulse, memory, touching,
/// maps, obstacles.
/// @return greatest overlap over the radius
template <class NormalLaw>
struct AddGroundForces
{
  ParticleView particles;
  SurfaceMeshView mesh;
  TriangleListView triangles;
  TerrainMapsView maps;
  ObstacleForcesView obstacles;
  NormalLaw normalLaw;
  PairLaws laws;
  ClumpView clumps;
  bool turns;   ///< whether bodies can rotate
  bool springs; ///< whether friction remembers the slip
  bool rolls;   ///< whether there is rolling friction
  double timeStep;

  /// Of the radius. A step travels half of it at most.
  static constexpr double kOverlapFromBehind = 0.75;

  HOST_DEVICE float operator()(Index i) const
  {
    const Sphere sphere = particles.sphere[i];
    const MergedContacts contacts = contactsOf(i, sphere);
    if (contacts.count == 0)
    {
      triangles.touching[i] = 0;
      return 0;
    }

    const SurfaceMemory former = triangles.touching[i] ? triangles.memory[i] : SurfaceMemory{};
    SurfaceMemory memory{};
    const Motion a = particles.motion[i];
    // The arm of friction too: the overlap stands for a deformation that is far smaller in nature, and must
    // not make a ball roll as a smaller one would. Pairs need the shorter arm to keep angular momentum.
    const float radius = static_cast<float>(sphere.radius);
    Vec3d force, torque;
    float normalForces = 0;
    double greatest = 0;
    for (int k = 0; k < contacts.count; ++k)
    {
      const double overlap = contacts.depth(k);
      Contact contact;
      contact.normal = (-contacts.outward(k)).to<float>();
      contact.overlap = static_cast<float>(overlap);
      contact.radius = radius;
      contact.mass = contact.normalMass = a.mass;
      contact.shearMass = (turns ? kShearMassRatio : 1) * a.mass;
      if (particles.isPart(i))
      {
        const Vec3d direction = contact.normal.to<double>();
        const Mobility own =
          clumps.mobility(particles, i, sphere.radius * direction, direction, turns);
        contact.normalMass = 1 / own.normal;
        contact.shearMass = 1 / own.across;
      }
      contact.inertia = rollingInertia(a.mass, radius);
      contact.approach = dot(a.velocity, contact.normal);
      contact.slip =
        contact.approach * contact.normal - a.velocity - cross(radius * a.spin, contact.normal);
      contact.rolling = dot(a.spin, contact.normal) * contact.normal - a.spin;

      const int known = former.find(contact.normal);
      contact.isNew = known < 0;
      if (!contact.isNew)
        memory.take(k, former, known);
      memory.normal[k] = contact.normal;
      // No step is so long that a sphere from the front sinks in so deep at once: its centre has just
      // come through from behind. Its overlap would be energy out of nothing.
      if (contact.isNew && overlap > kOverlapFromBehind * sphere.radius)
        memory.passage[k] = SurfaceMemory::FromBehind;
      if (memory.passage[k] == SurfaceMemory::FromBehind)
        continue;
      const std::int32_t triangle = contacts.triangle[k];
      const bool isBehind = overlap > sphere.radius;
      memory.passage[k] = isBehind && mesh.triangles[triangle].twoSided ? SurfaceMemory::Through
                                                                        : SurfaceMemory::None;
      const ContactForce acting = contactForce(normalLaw, laws.onGround(a.material, triangle),
        contact, springs ? &memory.spring[k] : nullptr, rolls ? &memory.angle[k] : nullptr);
      const Vec3d ofContact = (acting.friction - acting.normal * contact.normal).to<double>();
      force += ofContact;
      torque += (radius * cross(contact.normal, acting.friction) + acting.rolling).to<double>();
      normalForces += acting.normal;
      maps.impact(mesh, triangle, particles.traits[i].sourceSlot, acting.normal, radius);
      if (mesh.triangles[triangle].object >= 0)
        obstacles.add(mesh.triangles[triangle].object, -timeStep * ofContact);
      greatest = overlap > greatest ? overlap : greatest;
    }
    triangles.memory[i] = memory;
    triangles.touching[i] = 1;
    particles.force[i] += force;
    particles.torque[i] += torque;
    particles.pressure[i] += normalForces;
    particles.supportImpulse[i] += timeStep * force;
    return static_cast<float>(greatest / sphere.radius);
  }

private:
  HOST_DEVICE MergedContacts contactsOf(Index i, const Sphere& sphere) const
  {
    const Offset first = triangles.start[i], last = triangles.start[i + 1];
    if (first == last)
      return {};
    // Who is behind the surface and came through it touched the same spot one step ago, as a step
    // is shorter than the radius.
    const bool touched = triangles.touching[i] != 0;
    return touchSurface(
      mesh, sphere.position, sphere.radius,
      [&](const auto& visit)
      {
        for (Offset k = first; k < last; ++k)
          visit(triangles.triangle[k]);
      },
      [&](const SurfaceContact& contact)
      {
        const SurfaceMemory& memory = triangles.memory[i];
        const int known = touched ? memory.find((-contact.outward).to<float>()) : -1;
        if (known < 0 || memory.passage[known] == SurfaceMemory::FromBehind)
          return false;
        // On two-sided surfaces that touch is not enough: it may be that of another sheet, if the sphere lies
        // between two. The step just made must have led through this one, unless an earlier one did.
        return !contact.hasTwoFronts || memory.passage[known] == SurfaceMemory::Through ||
               contact.distance >
                 timeStep * dot(particles.motion[i].velocity.to<double>(), contact.outward);
      });
  }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
