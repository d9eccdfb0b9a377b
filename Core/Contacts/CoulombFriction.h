/// @file
/// Friction of a tangential spring and dashpot within Coulomb's cone.
///
/// Cundall & Strack, Geotechnique 29 (1979) 47-65, with the spring turned into the tangential plane
/// as in Luding, Granular Matter 10 (2008) 235-246, eqs. 17-18. The spring alone is held inside the cone,
/// and a sliding contact sticks again when the spring does; the dashpot adds what the cone leaves it.
/// Luding's eq. 21 takes the dashpot's part out of the spring, which with strong dashpots lets a
/// decelerating contact slide at less than Coulomb's force; a spring that takes it over instead would
/// let a slide go on for as long as the steps are short. Stiffness and damping come from the normal law.
#pragma once

#include "Contacts/Contact.h"

namespace lapilli
{

template <class Real>
struct CoulombFriction
{
  Real coefficient; ///< mu [-], >= 0
  float timeStep;   ///< [s]

  /// @param spring the slip accumulated since the contact began [m]; updated
  /// @return force on a [N], at most coefficient * response.force
  HOST_DEVICE Vec3<Real> operator()(Vec3<Real>& spring, const ContactOf<Real>& contact,
    const NormalResponseOf<Real>& response) const
  {
    spring = response.springShare * turnedAcross(spring, contact.normal) +
             (response.slipShare * timeStep) * contact.slip;
    const Real share =
      dashpotShare(0.5f * timeStep * response.shearDamping * reciprocal(contact.shearMass));
    Vec3<Real> force =
      share * (response.shearStiffness * spring + response.shearDamping * contact.slip);
    const Real magnitude = length(force);
    const Real limit = coefficient * response.force;
    const TruthOf<Real> slides = magnitude > limit;
    if (any(slides))
    {
      force *= select(slides, limit * reciprocal(magnitude), Real(1));
      const Real held = response.shearStiffness * length(spring);
      spring *= select(slides & (held > limit), limit * reciprocal(held), Real(1));
    }
    return force;
  }

  /// The dashpot alone: friction without history, under which what lies on a slope creeps.
  HOST_DEVICE Vec3<Real> withoutMemory(
    const ContactOf<Real>& contact, const NormalResponseOf<Real>& response) const
  {
    const Real share =
      dashpotShare(0.5f * timeStep * response.shearDamping * reciprocal(contact.shearMass));
    Vec3<Real> force = (share * response.shearDamping) * contact.slip;
    const Real magnitude = length(force);
    const Real limit = coefficient * response.force;
    force *= select(magnitude > limit, limit * reciprocal(magnitude), Real(1));
    return force;
  }
};
template <class Real>
CoulombFriction(Real, float) -> CoulombFriction<Real>;

} // namespace lapilli
