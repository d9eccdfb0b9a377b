/// @file
/// Forces of all that stands still: terrain, containers, obstacles, walls.
#pragma once

#include "Clumps/Clumps.h"
#include "Contacts/ContactForce.h"
#include "Particles/State.h"
#include "Spatial/NeighborList.h"
#include "Terrain/ObstacleForces.h"
#include "Terrain/TerrainMaps.h"
#include "Terrain/TriangleList.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// Sets forces and torques of the ground, which is b, or adds them to those of a long row.
/// Reads sphere, motion, triangles; writes force, torque, pressure, loaded, supportImpulse, memory, touching,
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
  bool turns; ///< whether bodies can rotate
  PairMemory remembers;
  double timeStep;

  /// Of the radius. A step travels half of it at most.
  static constexpr double kOverlapFromBehind = 0.75;

  /// @param k number among the particles that are near triangles
  HOST_DEVICE float operator()(Index k) const
  {
    const Index i = triangles.listed[k];
    const Sphere sphere = particles.sphere[i];
    const MergedContacts contacts = contactsOf(i, sphere);
    const auto byLongRow =
      static_cast<std::uint8_t>(particles.loaded[i] & ParticleView::kByLongRow);
    if (contacts.count == 0)
    {
      triangles.touching[i] = 0;
      particles.loaded[i] = byLongRow;
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
    for (int c = 0; c < contacts.count; ++c)
    {
      const double overlap = contacts.depth(c);
      Contact contact;
      contact.normal = (-contacts.outward(c)).to<float>();
      contact.overlap = static_cast<float>(overlap);
      contact.radius = radius;
      contact.setMasses(a.mass, 1 / a.mass, turns ? kShearMassRatio : 1);
      if (particles.isPart(i))
      {
        const Vec3d direction = contact.normal.to<double>();
        const Mobility own =
          clumps.mobility(particles, i, sphere.radius * direction, direction, turns);
        contact.setMobility(own.normal, own.across);
      }
      contact.inertia = rollingInertia(a.mass, radius);
      contact.approach = dot(a.velocity, contact.normal);
      contact.slip =
        contact.approach * contact.normal - a.velocity - cross(radius * a.spin, contact.normal);
      contact.rolling = dot(a.spin, contact.normal) * contact.normal - a.spin;

      const int known = former.find(contact.normal);
      contact.isNew = known < 0;
      if (!contact.isNew)
        memory.take(c, former, known);
      memory.normal[c] = contact.normal;
      // No step is so long that a sphere from the front sinks in so deep at once: its centre has just
      // come through from behind. Its overlap would be energy out of nothing.
      if (contact.isNew && overlap > kOverlapFromBehind * sphere.radius)
        memory.passage[c] = SurfaceMemory::FromBehind;
      if (memory.passage[c] == SurfaceMemory::FromBehind)
        continue;
      const std::int32_t triangle = contacts.triangle[c];
      const bool isBehind = overlap > sphere.radius;
      memory.passage[c] = isBehind && mesh.triangles[triangle].twoSided ? SurfaceMemory::Through
                                                                        : SurfaceMemory::None;
      const ContactForce acting = contactForce(normalLaw, laws.onGround(a.material, triangle),
        contact, remembers.slips ? &memory.spring[c] : nullptr,
        remembers.rolls ? &memory.angle[c] : nullptr);
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
    particles.force[i] = byLongRow ? particles.force[i] + force : force;
    particles.torque[i] = byLongRow ? particles.torque[i] + torque : torque;
    particles.pressure[i] = byLongRow ? particles.pressure[i] + normalForces : normalForces;
    particles.loaded[i] = byLongRow | ParticleView::kByGround;
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
