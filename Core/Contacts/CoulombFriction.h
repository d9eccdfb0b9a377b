/// @file
/// Friction of a tangential spring and dashpot, or of the dashpot alone, within Coulomb's cone.
///
/// Cundall & Strack, Geotechnique 29 (1979) 47-65, with the spring turned into the tangential plane
/// as in Luding, Granular Matter 10 (2008) 235-246, eqs. 17-18. The spring alone is held inside the cone,
/// and a sliding contact sticks again when the spring does; the dashpot adds what the cone leaves it.
/// Luding's eq. 21 takes the dashpot's part out of the spring, which with strong dashpots lets a
/// decelerating contact slide at less than Coulomb's force; a spring that takes it over instead would
/// let a slide go on for as long as the steps are short. Stiffness and damping come from the normal law.
///
/// Without the spring the dashpot is alone within the cone (Brilliantov et al., Phys. Rev. E 53 (1996)
/// 5382-5392; Silbert et al., Phys. Rev. E 64 (2001) 051302, with k_t = 0): nothing to remember, but a
/// contact under a steady force creeps at that force over the damping.
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
    Vec3<Real> force = shareOf(contact, response) *
                       (response.shearStiffness * spring + response.shearDamping * contact.slip);
    const Real squared = squaredLength(force);
    const Real limit = coefficient * response.force;
    const TruthOf<Real> slides = squared > limit * limit;
    if (any(slides))
    {
      force *= select(slides, limit * inverseSquareRoot(squared), Real(1));
      const Vec3<Real> holding = response.shearStiffness * spring;
      const Real held = squaredLength(holding);
      spring *= select(slides & (held > limit * limit), limit * inverseSquareRoot(held), Real(1));
    }
    return force;
  }

  /// Without history. @return force on a [N], at most coefficient * response.force
  HOST_DEVICE Vec3<Real> operator()(
    const ContactOf<Real>& contact, const NormalResponseOf<Real>& response) const
  {
    Vec3<Real> force = (shareOf(contact, response) * response.shearDamping) * contact.slip;
    const Real squared = squaredLength(force);
    const Real limit = coefficient * response.force;
    force *= select(squared > limit * limit, limit * inverseSquareRoot(squared), Real(1));
    return force;
  }

private:
  HOST_DEVICE Real shareOf(
    const ContactOf<Real>& contact, const NormalResponseOf<Real>& response) const
  {
    return dashpotShare(0.5f * timeStep * response.shearDamping * contact.shearMobility);
  }
};
template <class Real>
CoulombFriction(Real, float) -> CoulombFriction<Real>;

} // namespace lapilli
