/// @file
/// Friction of a tangential spring and dashpot within Coulomb's cone.
///
/// Cundall & Strack, Geotechnique 29 (1979) 47-65, with the spring turned into the tangential plane
/// as in Luding, Granular Matter 10 (2008) 235-246, eqs. 17-18. While sliding the spring alone holds
/// the whole force; Luding's eq. 21 leaves it what the dashpot does not bear, which with strong
/// dashpots lets a decelerating contact slide at less than Coulomb's force. The spring is 2/7 as
/// stiff as the normal one: a sphere then oscillates across the contact as fast as it does along it.
/// The dashpot is half the normal one.
#pragma once

#include "Contacts/Contact.h"

#include <cmath>

namespace lapilli
{

struct CoulombFriction
{
  float frequency;    ///< omega0 of the normal spring [1/s]
  float dampingRatio; ///< zeta of the normal spring [-]
  float coefficient;  ///< mu [-], >= 0
  float timeStep;     ///< [s]
  /// How easily the contact gives way across, over how easily along the normal [-]: 7/2 for solid
  /// spheres, which move and turn, 1 where rotation is locked.
  float mobility = 3.5f;

  static constexpr float kStiffnessRatio = 2.0f / 7.0f;

  /// @param spring      the slip accumulated since the contact began [m]; updated
  /// @param normalForce [N], >= 0
  /// @return force on a [N], at most coefficient * normalForce
  HOST_DEVICE Vec3f operator()(Vec3f& spring, const Contact& contact, float normalForce) const
  {
    // Turn the spring with the contact, keeping its length.
    const float before = squaredLength(spring);
    spring -= dot(spring, contact.normal) * contact.normal;
    const float after = squaredLength(spring);
    if (after > 0)
      spring *= std::sqrt(before / after);
    spring += timeStep * contact.slip;

    const float stiffness = kStiffnessRatio * contact.mass * frequency * frequency;
    const float damping = contact.mass * dampingRatio * frequency;
    const float share = dashpotShare(0.5f * mobility * dampingRatio * frequency * timeStep);
    Vec3f force = share * (stiffness * spring + damping * contact.slip);
    const float magnitude = length(force);
    const float limit = coefficient * normalForce;
    if (magnitude > limit)
    {
      force *= limit / magnitude;
      spring = (1 / stiffness) * force;
    }
    return force;
  }
};

} // namespace lapilli
