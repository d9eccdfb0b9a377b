/// @file
/// Elastic spheres after Hertz and Mindlin, with a damping that gives the asked restitution at every
/// speed and never pulls.
///
///   F = 4/3 E* sqrt(R*) d^(3/2) + alpha sqrt(m k_H) d^(1/4) v,   k_H = 4/3 E* sqrt(R*)
///
/// Johnson, Contact Mechanics (1985), 4.2; the form of the damping is that of Tsuji, Tanaka, Ishida,
/// Powder Technol. 71 (1992) 239-250, which makes restitution independent of speed. Their closed form of
/// alpha holds for a contact that may pull; here the force is clamped at zero. With u = d^(5/4) for
/// the overlap, v dv/du is that of a linear spring and dashpot of zeta = alpha/sqrt(5) (Antypov &
/// Elliott, EPL 94 (2011) 50004), and the force vanishes where theirs does: LinearSpring's
/// restitution holds.
///
/// Across the contact: stiffness 8 G* sqrt(R* d) (Mindlin, J. Appl. Mech. 16 (1949) 259). While the
/// contact is being pressed together slip adds to the force that is there; while it opens the force
/// falls with the radius of the contact (Thornton, Cummins, Cleary, Powder Technol. 233 (2013)
/// 30-46), else a cycle of load and slip would make energy.
#pragma once

#include "Contacts/LinearSpring.h"

namespace lapilli
{

/// Restitution of the clamped law. @param damping alpha [-], >= 0
inline double hertzRestitutionOfDamping(double damping)
{
  return restitutionOfDamping(damping / std::sqrt(5.0));
}

/// alpha that gives a restitution. @param restitution (0, 1]
inline double hertzDampingForRestitution(double restitution)
{
  return std::sqrt(5.0) * dampingForRestitution(restitution);
}

struct HertzMindlin
{
  float timeStep; ///< [s], of the step that ends with this force

  static constexpr bool kUsesRadius = true; ///< whether it reads Contact::radius

  /// @param contact see LinearSpring
  template <class Real>
  HOST_DEVICE NormalResponseOf<Real> operator()(
    const ContactOf<Real>& contact, const PairLawOf<Real>& law) const
  {
    // As for LinearSpring; the dashpot grows as d^(1/4) from touch on, so its first value stands for
    // 4/5 of the time since touch.
    const Real sinceTouch = stepsSinceTouch(contact, timeStep);
    const Real weight = select(contact.isNew, 0.5f + 0.8f * sinceTouch, Real(1));
    const Real patch = positiveRoot(contact.radius * contact.overlap); // radius of the contact
    const Real secant = 4.0f / 3.0f * law.youngs * patch;
    const Real damping = law.damping * positiveRoot(contact.normalMass * secant);
    const Real share = dashpotShare(0.5f * timeStep * damping * contact.normalMobility * weight);
    const Real force = (secant * contact.overlap + damping * contact.approach * weight) * share;

    NormalResponseOf<Real> response;
    response.force = larger(force, Real(0));
    response.stiffness = 2 * law.youngs * patch;
    response.shearStiffness = 8 * law.shear * patch;
    // The share of critical damping that it has along the normal.
    response.shearDamping =
      law.damping * positiveRoot(2.0f / 3.0f * contact.shearMass * response.shearStiffness);
    const Real former = contact.overlap - contact.approach * timeStep;
    const TruthOf<Real> isLoaded = (contact.approach > 0) & (former > 0) & !contact.isNew;
    response.springShare =
      select(isLoaded, positiveRoot(former * reciprocal(contact.overlap)), Real(1));
    // Slip under load counts with the mean stiffness of the step, which grew as d^(1/2) from q to 1 of its
    // last value. Slip of the first step counted in full would begin to slide where it should stick.
    const Real q = select(contact.isNew, Real(0), response.springShare);
    response.slipShare = 2.0f / 3.0f * (1 + q + q * q) * reciprocal(1 + q) * sinceTouch;
    response.stiffnessShare = share;
    return response;
  }
};

} // namespace lapilli
