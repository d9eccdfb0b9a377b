/// @file
/// All laws of one contact together, for pairs and for the ground.
#pragma once

#include "Contacts/CoulombFriction.h"
#include "Contacts/HertzMindlin.h"
#include "Contacts/LinearSpring.h"
#include "Contacts/RollingFriction.h"

namespace lapilli
{

struct ContactForce
{
  float normal;   ///< [N], positive pushes apart; negative where cohesion holds
  Vec3f friction; ///< [N], on a
  Vec3f rolling;  ///< [N m], on a
};

/// Cohesion by the simplified model of Johnson, Kendall, Roberts: an energy density times the area of the
/// contact, pi R* d after Hertz. The greatest pull of an elastic contact is
/// pi^3 cohesion^3 R*^2 / (12 E*^2). Of a contact that is softer by a share s, so that its modulus is s E*,
/// cohesion is taken times s^(2/3), which leaves that pull as it was.
HOST_DEVICE inline float cohesivePull(
  const Contact& contact, const PairLaw& law, float stiffnessShare)
{
  const float cohesion = law.cohesion * std::cbrt(stiffnessShare * stiffnessShare);
  return cohesion * static_cast<float>(M_PI) * contact.radius * contact.overlap;
}

/// @param spring slip that the contact remembers [m]; updated; null for friction without history
/// @param angle  rolling that it remembers [rad]; updated; null where no pair has rolling friction
template <class NormalLaw>
HOST_DEVICE ContactForce contactForce(const NormalLaw& normalLaw, const PairLaw& law,
  const Contact& contact, Vec3f* spring, Vec3f* angle)
{
  const NormalResponse response = normalLaw(contact, law);
  ContactForce force{};
  force.normal = response.force;
  if (law.cohesion > 0)
    force.normal -= cohesivePull(contact, law, response.stiffnessShare);
  const CoulombFriction friction{ law.friction, normalLaw.timeStep };
  force.friction = spring ? friction(*spring, contact, response) : friction(contact, response);
  if (angle && law.rollingFriction > 0)
    force.rolling =
      RollingFriction{ law.rollingFriction, normalLaw.timeStep }(*angle, contact, response);
  return force;
}

} // namespace lapilli
