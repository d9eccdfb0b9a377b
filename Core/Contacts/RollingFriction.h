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

template <class Real>
struct RollingFriction
{
  Real coefficient; ///< mu_r [-], > 0 where a torque is looked for
  float timeStep;   ///< [s]

  static constexpr float kDampingRatio = 0.3f; ///< of critical, as Ai et al. recommend
  /// A step is at most this over the angular frequency of a body that rocks on the spot, so that a
  /// dozen contacts together stay below the 2 at which the integration breaks. Only coefficients near 1
  /// and above, in few steps per contact, come here: their spring is softened.
  static constexpr float kMostPhasePerStep = 0.5f;

  /// @param angle  rolled since the contact began, as far as the spring holds it [rad]; updated
  /// @return torque on a [N m], at most coefficient * radius * response.force
  HOST_DEVICE Vec3<Real> operator()(
    Vec3<Real>& angle, const ContactOf<Real>& contact, const NormalResponseOf<Real>& response) const
  {
    angle = turnedAcross(angle, contact.normal) + Real(timeStep) * contact.rolling;
    const Real lever = coefficient * contact.radius;
    const Real asked = 2.25f * response.stiffness * lever * lever;
    const float phasePerStep = kMostPhasePerStep / timeStep;
    const Real resolved =
      phasePerStep * phasePerStep * contact.inertia / contact.rollingOverSpinning;
    const Real stiffness = smaller(asked, resolved);
    const Real limit = lever * response.force;
    Vec3<Real> torque = stiffness * angle;
    const Real magnitude = length(torque);
    const TruthOf<Real> isPlastic = magnitude > limit;
    torque *= select(isPlastic, limit / magnitude, Real(1));
    angle = choose(isPlastic, (1 / stiffness) * torque, angle);

    const Real damping = 2 * kDampingRatio * squareRoot(contact.inertia * stiffness);
    const Real share =
      dashpotShare(0.5f * contact.rollingOverSpinning * timeStep * damping / contact.inertia);
    const Vec3<Real> damped = torque + (share * damping) * contact.rolling;
    const Real dampedMagnitude = length(damped);
    const Real kept = select(dampedMagnitude > limit, limit / dampedMagnitude, Real(1));
    return choose(isPlastic, torque, kept * damped);
  }
};
template <class Real>
RollingFriction(Real, float) -> RollingFriction<Real>;

} // namespace lapilli
