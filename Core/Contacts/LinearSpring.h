/// @file
/// Normal force of a linear spring and dashpot that gives the asked restitution and never pulls.
///
/// Cundall & Strack, Geotechnique 29 (1979) 47-65. The contact ends where the force would turn to a
/// pull, not where the overlap does; restitution then depends on the damping ratio zeta as
///
///   e = exp(-2 phi cot phi),   phi = arccos zeta                          (zeta < 1)
///   e = exp(-2 u coth u),      u = arcosh zeta                            (zeta > 1)
///
/// which is exp[-(zeta/s)(pi - atan2(2 zeta s, s^2 - zeta^2))], s = sqrt(1 - zeta^2), of Schwager &
/// Poeschel, Granular Matter 9 (2007) 465-469, written without the cancellation.
#pragma once

#include "Contacts/Contact.h"
#include "Contacts/PairLaw.h"

#include <cmath>

namespace lapilli
{

/// Restitution of the clamped linear spring-dashpot. @param dampingRatio zeta [-], >= 0
inline double restitutionOfDamping(double dampingRatio)
{
  if (dampingRatio < 1)
  {
    const double phi = std::acos(dampingRatio);
    return phi < 1e-6 ? std::exp(-2.0) : std::exp(-2 * phi / std::tan(phi));
  }
  const double u = std::acosh(dampingRatio);
  return u < 1e-6 ? std::exp(-2.0) : std::exp(-2 * u / std::tanh(u));
}

/// Damping ratio zeta that gives a restitution; the inverse of restitutionOfDamping() by bisection.
/// @param restitution (0, 1]
inline double dampingForRestitution(double restitution)
{
  double low = 0, high = 1;
  while (restitutionOfDamping(high) > restitution)
    high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-16 * high; ++i)
  {
    const double middle = 0.5 * (low + high);
    (restitutionOfDamping(middle) > restitution ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

struct LinearSpring
{
  float frequency; ///< omega0 [1/s], of every pair: stiffness = mass omega0^2
  float timeStep;  ///< [s], of the step that ends with this force

  static constexpr bool kUsesRadius = false; ///< whether it reads Contact::radius
  /// A sphere oscillates across the contact as fast as it does along it.
  static constexpr float kShearOverNormalStiffness = 2.0f / 7.0f;
  float shearOverNormalStiffness = kShearOverNormalStiffness; ///< 1/3 does the same for discs

  /// @param contact with the approach speed at the middle of the step. The speed at its end, which
  ///   the dashpot needs, is that minus half a step of this very force: solved for the force, which
  ///   keeps velocity Verlet of second order and the dashpot stable at any damping.
  template <class Real>
  HOST_DEVICE NormalResponseOf<Real> operator()(
    const ContactOf<Real>& contact, const PairLawOf<Real>& law) const
  {
    // The dashpot acts at once at first touch, which lies anywhere within the step. In that step
    // the trapezoidal rule of the integrator would count the time before touch as well: with the
    // touch a part of a step ago, this first value stands for that part + half a step, not for a
    // whole one. Without the weight the restitution scatters by several percent with the phase.
    const Real sinceTouch = stepsSinceTouch(contact, timeStep);
    const Real weight = select(contact.isNew, 0.5f + sinceTouch, Real(1));
    const Real stiffness = contact.mass * (frequency * frequency);
    const Real damping = law.damping * (2 * frequency) * contact.meanMass;
    const Real share = dashpotShare(0.5f * timeStep * damping * contact.normalMobility * weight);
    const Real force = (stiffness * contact.overlap + damping * contact.approach * weight) * share;
    return { larger(force, Real(0)), stiffness, shearOverNormalStiffness * stiffness,
      0.5f * damping, 1, sinceTouch };
  }
};

} // namespace lapilli
