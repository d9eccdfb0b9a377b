/// @file
/// Forces of all that stands still: terrain, containers, obstacles, walls.
#pragma once

#include "Clumps/Clumps.h"
#include "Contacts/ContactForce.h"
#include "GranularFlow/StepControl.h"
#include "Parallel/Bits.h"
#include "Parallel/CacheHints.h"
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
/// Reads sphere, motion; updates triangles; writes force, torque, pressure, loaded, supportImpulse, maps, obstacles.
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
  bool turns;       ///< whether bodies can rotate
  ShearRatio shear; ///< of bodies that turn, or do not
  PairMemory remembers;
  StepTimes step;

  /// Of the radius. A step travels half of it at most.
  static constexpr double kOverlapFromBehind = 0.75;

  /// Square of the part in its plane of the normal of what moves a disc. What lies nearly along the plane only
  /// presses it against a pane, as if it were one itself.
  static constexpr float kLeastInPlane = 1e-4f;

  /// Of the particles near triangles numbers kPrefetched * group … + kPrefetched - 1. All triangles that they
  /// may touch are asked for before the first is looked at: they lie anywhere in memory.
  HOST_DEVICE float operator()(Index group) const
  {
    if (!step.goesOn())
      return 0;
    const Index first = group * kPrefetched;
    const int count = triangles.count - first < kPrefetched ? triangles.count - first : kPrefetched;
    std::uint32_t open[kPrefetched];
    for (int k = 0; k < count; ++k)
    {
      const Sphere& sphere = particles.sphere[triangles.listed[first + k]];
      const NearTriangles& near = triangles.nearOf(first + k, sphere);
      open[k] = near.openAt(sphere.position, 0);
      forEachBit(open[k], [&](int t) { prefetch(mesh.triangles[near.triangle[t]]); });
    }
    for (int k = 0; k < count; ++k)
      forEachBit(open[k],
        [&](int t)
        {
          const MeshTriangle& triangle = mesh.triangles[triangles.near[first + k].triangle[t]];
          for (const std::int32_t corner : triangle.corner)
            prefetch(mesh.points[corner]);
        });
    float greatest = 0;
    for (int k = 0; k < count; ++k)
      greatest = larger(addTo(first + k, open[k]), greatest);
    return greatest;
  }

private:
  /// @param k    number among the particles that are near triangles
  /// @param open of its triangles, see NearTriangles
  HOST_DEVICE float addTo(Index k, std::uint32_t open) const
  {
    const Index i = triangles.listed[k];
    const Sphere sphere = particles.sphere[i];
    const MergedContacts contacts = contactsOf(k, i, sphere, open);
    const auto byLongRow =
      static_cast<std::uint8_t>(particles.loaded[i] & ParticleView::kByLongRow);
    if (contacts.count == 0)
    {
      triangles.touching[k] = 0;
      particles.loaded[i] = byLongRow;
      return 0;
    }

    SurfaceMemory& memory = triangles.memory[k];
    const int touched = triangles.touching[k];
    SurfaceTouch present[MergedContacts::kMost];
    const Motion a = particles.motion[i];
    Load load;
    for (int c = 0; c < contacts.count; ++c)
    {
      SurfaceTouch& touch = present[c];
      touch = {};
      touch.normal = (-contacts.outward(c)).to<float>();
      const int known = memory.find(touch.normal, touched);
      if (known >= 0)
      {
        touch.passage = memory.touch[known].passage;
        if (remembers.slips)
          touch.spring = memory.touch[known].spring;
        if (remembers.rolls)
          touch.angle = memory.touch[known].angle;
      }
      add(i, sphere, a, contacts, c, known < 0, touch, load);
    }
    for (int c = 0; c < contacts.count; ++c)
      memory.touch[c] = present[c];
    triangles.touching[k] = static_cast<std::uint8_t>(contacts.count);
    particles.force[i] = byLongRow ? particles.force[i] + load.force : load.force;
    particles.torque[i] = byLongRow ? particles.torque[i] + load.torque : load.torque;
    particles.pressure[i] =
      byLongRow ? particles.pressure[i] + load.normalForces : load.normalForces;
    particles.loaded[i] = byLongRow | ParticleView::kByGround;
    particles.supportImpulse[i] += step.ending() * load.force;
    return static_cast<float>(load.greatestOverlap / sphere.radius);
  }

  /// What contacts do to one sphere together.
  struct Load
  {
    Vec3d force, torque;        ///< [N], [N m]
    float normalForces = 0;     ///< [N], their sum
    double greatestOverlap = 0; ///< [m]
  };

  /// Adds contact c. Updates what is remembered of it.
  HOST_DEVICE void add(Index i, const Sphere& sphere, const Motion& a,
    const MergedContacts& contacts, int c, bool isNew, SurfaceTouch& touch, Load& load) const
  {
    const double overlap = contacts.depth(c);
    // No step is so long that a sphere from the front sinks in so deep at once: its centre has just
    // come through from behind. Its overlap would be energy out of nothing.
    if (isNew && overlap > kOverlapFromBehind * sphere.radius)
      touch.passage = SurfaceTouch::FromBehind;
    if (touch.passage == SurfaceTouch::FromBehind)
      return;
    const std::int32_t triangle = contacts.triangle[c];
    const MeshTriangle& surface = mesh.triangles[triangle];
    touch.passage =
      overlap > sphere.radius && surface.twoSided ? SurfaceTouch::Through : SurfaceTouch::None;

    // The arm of friction too: the overlap stands for a deformation that is far smaller in nature, and must
    // not make a ball roll as a smaller one would. Pairs need the shorter arm to keep angular momentum.
    const float radius = static_cast<float>(sphere.radius);
    Contact contact;
    contact.normal = touch.normal;
    contact.isNew = isNew;
    contact.overlap = static_cast<float>(overlap);
    contact.radius = radius;
    contact.setMasses(a.mass, 1 / a.mass, shear);
    // Between panes a normal that leans out of the plane moves more mass. Slip along the plane turns the disc about
    // its axis by the normal's part in the plane; slip that leaves the plane moves no less mass than that.
    const BodyForm& form = particles.form;
    const float inPlane = squaredLength(form.inPlane(contact.normal));
    if (form.isDisc() && inPlane < kLeastInPlane)
      return;
    if (form.outOfPlane(contact.normal.to<double>()) != 0)
      contact.setMobility(inPlane / a.mass, (1 + inPlane * (shear.mobility - 1)) / a.mass);
    if (particles.isPart(i))
    {
      const Vec3d direction = contact.normal.to<double>();
      const Mobility own =
        clumps.mobility(particles, i, sphere.radius * direction, direction, turns);
      contact.setMobility(own.normal, own.across);
    }
    contact.inertia = form.rollingInertia(a.mass, radius);
    contact.approach = dot(a.velocity, contact.normal);
    contact.slip =
      contact.approach * contact.normal - a.velocity - cross(radius * a.spin, contact.normal);
    contact.rolling = dot(a.spin, contact.normal) * contact.normal - a.spin;

    NormalLaw law = normalLaw;
    law.timeStep = static_cast<float>(step.ending());
    const ContactForce acting = contactForce(law, laws.onGround(a.material, triangle), contact,
      remembers.slips ? &touch.spring : nullptr, remembers.rolls ? &touch.angle : nullptr);
    const Vec3d ofContact =
      form.inPlane((acting.friction - acting.normal * contact.normal).to<double>());
    load.force += ofContact;
    load.torque += form.aboutNormal(
      (radius * cross(contact.normal, acting.friction) + acting.rolling).to<double>());
    load.normalForces += acting.normal;
    load.greatestOverlap = overlap > load.greatestOverlap ? overlap : load.greatestOverlap;
    maps.impact(mesh, triangle, particles, i, acting.normal, sphere.radius);
    if (surface.object >= 0)
      obstacles.add(surface.object, -step.ending() * ofContact);
  }

  HOST_DEVICE MergedContacts contactsOf(
    Index k, Index i, const Sphere& sphere, std::uint32_t open) const
  {
    NearTriangles& near = triangles.near[k];
    // Who is behind the surface and came through it touched the same spot one step ago, as a step
    // is shorter than the radius.
    const int touched = triangles.touching[k];
    const auto cameThrough = [&](const SurfaceContact& contact)
    {
      const SurfaceMemory& memory = triangles.memory[k];
      const int known = memory.find((-contact.outward).to<float>(), touched);
      if (known < 0 || memory.touch[known].passage == SurfaceTouch::FromBehind)
        return false;
      // On two-sided surfaces that touch is not enough: it may be that of another sheet, if the sphere lies
      // between two. The step just made must have led through this one, unless an earlier one did.
      return !contact.hasTwoFronts || memory.touch[known].passage == SurfaceTouch::Through ||
             contact.distance >
               step.ending() * dot(particles.motion[i].velocity.to<double>(), contact.outward);
    };
    if (near.isCrowded())
      return touchSurface(
        mesh, sphere.position, sphere.radius,
        [&](const auto& visit) { near.forEach(triangles.search, sphere, visit); }, cameThrough);
    SurfaceTouching touching(mesh, sphere.position, sphere.radius, cameThrough);
    forEachBit(open,
      [&](int t)
      {
        NearestPoint nearest;
        if (near.touches(mesh, sphere, t, nearest))
          touching.add(near.triangle[t], nearest);
      });
    return touching.contacts();
  }
};

template <class NormalLaw>
constexpr bool kTakesAllRegisters<AddGroundForces<NormalLaw>> = true;

} // namespace LAPILLI_BACKEND
} // namespace lapilli
