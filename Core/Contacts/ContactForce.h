/// @file
/// All laws of one contact together, for pairs and for the ground.
#pragma once

#include "Contacts/CoulombFriction.h"
#include "Contacts/HertzMindlin.h"
#include "Contacts/LinearSpring.h"
#include "Contacts/RollingFriction.h"

#include <type_traits>

namespace lapilli
{

template <class Real>
struct ContactForceOf
{
  Real normal;         ///< [N], positive pushes apart; negative where cohesion holds
  Vec3<Real> friction; ///< [N], on a
  Vec3<Real> rolling;  ///< [N m], on a
};
using ContactForce = ContactForceOf<float>;

/// Cohesion by the simplified model of Johnson, Kendall, Roberts: an energy density times the area of the
/// contact, pi R* d after Hertz. The greatest pull of an elastic contact is
/// pi^3 cohesion^3 R*^2 / (12 E*^2). Of a contact that is softer by a share s, so that its modulus is s E*,
/// cohesion is taken times s^(2/3), which leaves that pull as it was.
template <class Real>
HOST_DEVICE Real cohesivePull(
  const ContactOf<Real>& contact, const PairLawOf<Real>& law, const Real& stiffnessShare)
{
  const Real cohesion = law.cohesion * cubeRoot(stiffnessShare * stiffnessShare);
  return cohesion * static_cast<float>(M_PI) * contact.radius * contact.overlap;
}

/// @param spring slip that the contact remembers [m]; updated; null for friction without history
/// @param angle  rolling that it remembers [rad]; updated; null where no pair has rolling friction
template <class Real, class NormalLaw>
HOST_DEVICE ContactForceOf<Real> contactForce(const NormalLaw& normalLaw,
  const PairLawOf<Real>& law, const ContactOf<Real>& contact,
  std::common_type_t<Vec3<Real>>* spring, std::common_type_t<Vec3<Real>>* angle)
{
  const NormalResponseOf<Real> response = normalLaw(contact, law);
  ContactForceOf<Real> force{};
  force.normal = response.force;
  if (any(law.cohesion > 0))
    force.normal -= cohesivePull(contact, law, response.stiffnessShare);
  const CoulombFriction friction{ law.friction, normalLaw.timeStep };
  force.friction = spring ? friction(*spring, contact, response) : friction(contact, response);
  if (angle && any(law.rollingFriction > 0))
  {
    const RollingFriction rolling{ law.rollingFriction, normalLaw.timeStep };
    const Vec3<Real> none{};
    Vec3<Real> rolled = *angle;
    const Vec3<Real> torque = rolling(rolled, contact, response);
    force.rolling = choose(law.rollingFriction > 0, torque, none);
    *angle = choose(law.rollingFriction > 0, rolled, *angle);
  }
  return force;
}

} // namespace lapilli
