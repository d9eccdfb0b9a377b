/// @file
/// Resistance against rolling by an elastic-plastic spring and a dashpot.
///
/// Ai, Chen, Rotter, Ooi, Powder Technol. 206 (2011) 269-282, model C: a torque k_r theta against the
/// angle theta rolled, at most mu_r R* F_n, with k_r = 9/4 k_n mu_r^2 R*^2; a dashpot while it is below that
/// limit, so that a ball comes to rest rather than rocks.
#pragma once

#include "Contacts/Contact.h"

namespace lapilli
{

struct RollingFriction
{
  float coefficient; ///< mu_r [-], > 0
  float timeStep;    ///< [s]

  static constexpr float kDampingRatio = 0.3f; ///< of critical, as Ai et al. recommend
  /// A sphere that spins on the spot has 2/5 of the inertia where one that rolls has 7/5.
  static constexpr float kRollingOverSpinning = 3.5f;
  /// A step is at most this over the angular frequency of a sphere that rocks on the spot, so that a
  /// dozen contacts together stay below the 2 at which the integration breaks. Only coefficients near 1
  /// and above, in few steps per contact, come here: their spring is softened.
  static constexpr float kMostPhasePerStep = 0.5f;

  /// @param angle  rolled since the contact began, as far as the spring holds it [rad]; updated
  /// @return torque on a [N m], at most coefficient * radius * response.force
  HOST_DEVICE Vec3f operator()(
    Vec3f& angle, const Contact& contact, const NormalResponse& response) const
  {
    angle = turnedAcross(angle, contact.normal) + timeStep * contact.rolling;
    const float lever = coefficient * contact.radius;
    const float asked = 2.25f * response.stiffness * lever * lever;
    const float phasePerStep = kMostPhasePerStep / timeStep;
    const float resolved = phasePerStep * phasePerStep * contact.inertia / kRollingOverSpinning;
    const float stiffness = asked < resolved ? asked : resolved;
    const float limit = lever * response.force;
    Vec3f torque = stiffness * angle;
    const float magnitude = length(torque);
    if (magnitude > limit)
    {
      torque *= limit / magnitude;
      angle = (1 / stiffness) * torque;
      return torque;
    }
    const float damping = 2 * kDampingRatio * std::sqrt(contact.inertia * stiffness);
    const float share =
      dashpotShare(0.5f * kRollingOverSpinning * damping / contact.inertia * timeStep);
    torque += share * damping * contact.rolling;
    const float damped = length(torque);
    return damped > limit ? (limit / damped) * torque : torque;
  }
};

} // namespace lapilli
