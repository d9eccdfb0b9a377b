/// @file
/// Forces between particles.
#pragma once

#include "Clumps/Clumps.h"
#include "Contacts/ContactForce.h"
#include "Math/Periodicity.h"
#include "Particles/State.h"
#include "Spatial/NeighborList.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// Sets forces and torques of all contacts between particles. A pair is computed in both of its
/// rows, with the lower id as a: the same numbers in the same order, so force and history agree.
/// Reads sphere, motion, id; writes force, torque, pressure (here the sum of normal forces [N]), rows.
/// @return greatest overlap over the smaller radius
template <class NormalLaw>
struct SetPairForces
{
  ParticleView particles;
  NeighborView rows;
  NormalLaw normalLaw;
  PairLaws laws;
  ClumpView clumps;
  bool turns; ///< whether bodies can rotate
  Periodicity space;

  HOST_DEVICE float operator()(Index i) const
  {
    const Sphere sphere = particles.sphere[i];
    Vec3d force, torque;
    float normalForces = 0;
    float greatest = 0;
    const bool repeats = space.any();
    const RowSpan row = rows.row(i);
    for (Index k = 0; k < row.count; ++k)
    {
      const Offset e = row[k];
      const Neighbor neighbor = rows.neighbor[e];
      const Index j = neighbor.index();
      const Sphere other = particles.sphere[j];
      Vec3d between = other.position - sphere.position;
      if (repeats)
        between = space.nearest(between);
      const double reach = sphere.radius + other.radius;
      const double squared = squaredLength(between);
      if (squared >= reach * reach)
      {
        if (neighbor.touching())
          rows.neighbor[e] = { static_cast<std::uint32_t>(j) };
        continue;
      }
      const bool isNew = !neighbor.touching();
      rows.neighbor[e] = { static_cast<std::uint32_t>(j) | Neighbor::kTouching };

      const bool isA = particles.id[i] < particles.id[j];
      const float sign = isA ? 1.0f : -1.0f;
      const Motion a = particles.motion[isA ? i : j];
      const Motion b = particles.motion[isA ? j : i];
      const double distance = std::sqrt(squared);
      const double overlap = reach - distance;
      const float radiusA = static_cast<float>(isA ? sphere.radius : other.radius);
      const float radiusB = static_cast<float>(isA ? other.radius : sphere.radius);
      const float armA = static_cast<float>((isA ? sphere.radius : other.radius) - 0.5 * overlap);
      const float armB = static_cast<float>((isA ? other.radius : sphere.radius) - 0.5 * overlap);

      Contact contact;
      contact.normal =
        distance > 0 ? ((isA ? 1 : -1) / distance * between).to<float>() : Vec3f{ 0, 0, 1 };
      contact.overlap = static_cast<float>(overlap);
      contact.isNew = isNew;
      contact.radius = radiusA * radiusB / (radiusA + radiusB);
      contact.mass = a.mass * b.mass / (a.mass + b.mass);
      contact.normalMass = contact.mass;
      contact.shearMass = (turns ? kShearMassRatio : 1) * contact.mass;
      if (particles.isPart(i) || particles.isPart(j))
      {
        const Vec3d direction = contact.normal.to<double>();
        const double toB = isA ? 1 : -1;
        const Mobility ofI =
          clumps.mobility(particles, i, (toB * (isA ? armA : armB)) * direction, direction, turns);
        const Mobility ofJ =
          clumps.mobility(particles, j, (-toB * (isA ? armB : armA)) * direction, direction, turns);
        contact.normalMass = 1 / (ofI.normal + ofJ.normal);
        contact.shearMass = 1 / (ofI.across + ofJ.across);
      }
      const float rollingA = rollingInertia(a.mass, radiusA);
      const float rollingB = rollingInertia(b.mass, radiusB);
      contact.inertia = rollingA * rollingB / (rollingA + rollingB);
      const Vec3f relative = b.velocity - a.velocity;
      contact.approach = -dot(relative, contact.normal);
      contact.slip = relative + contact.approach * contact.normal -
                     cross(armA * a.spin + armB * b.spin, contact.normal);
      const Vec3f spins = b.spin - a.spin;
      contact.rolling = spins - dot(spins, contact.normal) * contact.normal;

      // Histories are kept as seen from the row's particle.
      Vec3f spring, angle;
      if (!isNew && rows.spring)
        spring = sign * NeighborView::read(rows.spring, e);
      if (!isNew && rows.angle)
        angle = sign * NeighborView::read(rows.angle, e);
      const ContactForce acting = contactForce(normalLaw, laws.between(a.material, b.material),
        contact, spring, rows.angle ? &angle : nullptr);
      if (rows.spring)
        NeighborView::write(rows.spring, e, sign * spring);
      if (rows.angle)
        NeighborView::write(rows.angle, e, sign * angle);
      force += (sign * (acting.friction - acting.normal * contact.normal)).to<double>();
      const Vec3f turning =
        (isA ? armA : armB) * cross(contact.normal, acting.friction) + sign * acting.rolling;
      torque += turning.to<double>();
      normalForces += acting.normal;
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

} // namespace LAPILLI_BACKEND
} // namespace lapilli
