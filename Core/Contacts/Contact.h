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
/// A pair of particles is evaluated with the lower id as a, from either side, so that both copies
/// of force and history agree to the bit. Against the ground the particle is a and the ground is b.
#pragma once

#include "Math/Vec.h"

namespace lapilli
{

struct Contact
{
  Vec3f normal;  ///< [-], unit
  float overlap; ///< [m], > 0
  float radius;  ///< [m], effective: r_a r_b / (r_a + r_b), or r_a against the ground
  float mass;    ///< [kg], effective: m_a m_b / (m_a + m_b), or m_a against the ground
  /// How much mass the contact point moves along the normal and across it [kg]. For solid spheres mass
  /// and 2/7 mass, mass twice where rotation is locked; less off the centre of a longer body.
  float normalMass, shearMass;
  float inertia;  ///< [kg m^2], effective, of bodies that roll about the contact point
  float approach; ///< [m/s]
  Vec3f slip;     ///< [m/s]
  Vec3f rolling;  ///< [rad/s]
  /// Touched for the first time in the step that ends with this force.
  bool isNew;
};

/// Contact::shearMass over mass of solid spheres that can turn.
constexpr float kShearMassRatio = 2.0f / 7.0f;

/// What a normal law makes of a contact, for the laws across the normal.
struct NormalResponse
{
  float force;          ///< [N], >= 0, without cohesion
  float stiffness;      ///< [N/m], of the spring at this overlap
  float shearStiffness; ///< [N/m], of the spring across
  float shearDamping;   ///< [kg/s], of the dashpot across
  float springShare;    ///< what is left of the spring across from the last step, [0, 1]
  float slipShare = 1;  ///< how much of a step's slip the spring across takes up, [0, 1]
  float stiffnessShare =
    1; ///< how much of the spring's stiffness the dashpot's rule leaves, (0, 1]
};

/// What is left of a dashpot's force when it is taken over a step in which it slows the contact
/// itself down, 2 z being the step over the dashpot's own time. The trapezoidal rule, 1/(1 + z), for
/// the small z of common restitutions, where it is of second order; 1/(2 z), which stops the contact,
/// for large z, where the trapezoidal rule would turn it round. In between the contact is never
/// turned round: 1 + z + z^3/(3 + z^2) >= 2 z. Where other forces hold the contact at rest, it is softer by
/// this share: the rule takes the contact's own force for the only one.
HOST_DEVICE inline float dashpotShare(float z)
{
  return 1 / (1 + z + z * z * z / (3 + z * z));
}

/// How long ago, in steps, the bodies touched that touch for the first time; 1 for all others.
HOST_DEVICE inline float stepsSinceTouch(const Contact& contact, float timeStep)
{
  const float travel = contact.approach * timeStep;
  return contact.isNew && travel > contact.overlap ? contact.overlap / travel : 1;
}

/// A history vector turned into the plane across the normal, its length kept (Luding, Granular Matter
/// 10 (2008) 235-246, eq. 17).
HOST_DEVICE inline Vec3f turnedAcross(Vec3f history, const Vec3f& normal)
{
  const float before = squaredLength(history);
  history -= dot(history, normal) * normal;
  const float after = squaredLength(history);
  if (after > 0)
    history *= std::sqrt(before / after);
  return history;
}

} // namespace lapilli
