/// @file
/// One contact between two bodies a and b, and the sign conventions of all contact laws:
///
///   normal         points from a to b
///   overlap        is positive in contact
///   approach       speed at which the gap closes at the middle of the step, positive while it does
///   slip           velocity of b's surface relative to a's at the contact, across the normal
///   rolling        spin of b relative to a's, across the normal
///   normal force   magnitude, positive pushes the bodies apart: on a along -normal, on b along +normal
///   friction       vector of the force on a; on b its opposite
///   rolling torque vector of the torque on a; on b its opposite
///
/// A pair of particles is evaluated from either side with its own particle as a. All laws are odd: with a and b
/// exchanged every vector is the opposite to the bit, every number the same. So both copies of force and
/// history agree, and momentum is kept. Against the ground the particle is a and the ground is b.
///
/// The laws are written for a Real that is a float, or several side by side (Math/Lanes.h).
#pragma once

#include "Math/Select.h"
#include "Math/Vec.h"
#include "Particles/BodyForm.h"

namespace lapilli
{

template <class Real>
struct ContactOf
{
  Vec3<Real> normal; ///< [-], unit
  Real overlap;      ///< [m], > 0
  Real radius;       ///< [m], effective: r_a r_b / (r_a + r_b), or r_a against the ground
  Real mass;         ///< [kg], effective: m_a m_b / (m_a + m_b), or m_a against the ground
  /// How much mass the contact point moves along the normal and across it [kg], and one over it [1/kg], as
  /// setMasses() sets them for solid spheres and discs; less mass off the centre of a longer body.
  Real normalMass, shearMass, normalMobility, shearMobility;
  Real meanMass;      ///< [kg], the geometric mean of mass and normalMass
  Real inertia;       ///< [kg m^2], effective, of bodies that roll about the contact point
  Real approach;      ///< [m/s]
  Vec3<Real> slip;    ///< [m/s]
  Vec3<Real> rolling; ///< [rad/s]
  /// Touched for the first time in the step that ends with this force.
  TruthOf<Real> isNew;
  /// Inertia of a body that rolls about the contact point over that of one that spins on the spot.
  float rollingOverSpinning = 3.5f;

  /// Of spheres or discs. @param inverse 1 / effective [1/kg]
  HOST_DEVICE void setMasses(const Real& effective, const Real& inverse, const ShearRatio& shear)
  {
    mass = normalMass = meanMass = effective;
    normalMobility = inverse;
    shearMass = shear.mass * effective;
    shearMobility = shear.mobility * inverse;
    rollingOverSpinning = shear.mobility;
  }
  /// Of longer bodies, after setMasses().
  HOST_DEVICE void setMobility(const Real& alongNormal, const Real& across)
  {
    normalMobility = alongNormal;
    shearMobility = across;
    normalMass = reciprocal(normalMobility);
    shearMass = reciprocal(shearMobility);
    meanMass = positiveRoot(mass * normalMass);
  }
};
using Contact = ContactOf<float>;

/// Of bodies that cannot turn.
constexpr ShearRatio kWithoutTurning{ 1, 1 };

/// What a normal law makes of a contact, for the laws across the normal.
template <class Real>
struct NormalResponseOf
{
  Real force;              ///< [N], >= 0, without cohesion
  Real stiffness;          ///< [N/m], of the spring at this overlap
  Real shearStiffness;     ///< [N/m], of the spring across
  Real shearDamping;       ///< [kg/s], of the dashpot across
  Real springShare;        ///< what is left of the spring across from the last step, [0, 1]
  Real slipShare = 1;      ///< how much of a step's slip the spring across takes up, [0, 1]
  Real stiffnessShare = 1; ///< how much of the spring's stiffness the dashpot's rule leaves, (0, 1]
};
using NormalResponse = NormalResponseOf<float>;

/// What is left of a dashpot's force when it is taken over a step in which it slows the contact
/// itself down, 2 z being the step over the dashpot's own time. The trapezoidal rule, 1/(1 + z), for
/// the small z of common restitutions, where it is of second order; 1/(2 z), which stops the contact,
/// for large z, where the trapezoidal rule would turn it round. In between the contact is never
/// turned round: 1 + z + z^3/(3 + z^2) >= 2 z. Where other forces hold the contact at rest, it is softer by
/// this share: the rule takes the contact's own force for the only one.
template <class Real>
HOST_DEVICE Real dashpotShare(const Real& z)
{
  const Real square = z * z, a = 3 + square;
  return a * reciprocal(a + z * (a + square));
}

/// How long ago, in steps, the bodies touched that touch for the first time; 1 for all others.
template <class Real>
HOST_DEVICE Real stepsSinceTouch(const ContactOf<Real>& contact, float timeStep)
{
  if (!any(contact.isNew))
    return 1;
  const Real travel = contact.approach * timeStep;
  return select(
    contact.isNew & (travel > contact.overlap), contact.overlap * reciprocal(travel), Real(1));
}

/// A history vector turned into the plane across the normal, its length kept (Luding, Granular Matter
/// 10 (2008) 235-246, eq. 17).
template <class Real>
HOST_DEVICE Vec3<Real> turnedAcross(Vec3<Real> history, const Vec3<Real>& normal)
{
  const Real before = squaredLength(history);
  history -= dot(history, normal) * normal;
  const Real after = squaredLength(history);
  constexpr float kNothing = 1e-30f;
  const Real ratio = before * reciprocal(after);
  history *= select(after > kNothing, positiveRoot(ratio), Real(1));
  return history;
}

} // namespace lapilli
