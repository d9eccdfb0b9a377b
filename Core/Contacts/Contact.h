/// @file
/// One contact between two bodies a and b, and the sign conventions of all contact laws:
///
///   normal         points from a to b
///   overlap        is positive in contact
///   approach       speed at which the gap closes at the middle of the step, positive while it does
///   slip           velocity of b's surface relative to a's at the contact, across the normal
///   normal force   magnitude, positive pushes the bodies apart: on a along -normal, on b along +normal
///   friction       vector of the force on a; on b its opposite
///
/// A pair of particles is evaluated with the lower id as a, from either side, so that both copies
/// of force and history agree to the bit. Against terrain the particle is a and the terrain is b.
#pragma once

#include "Math/Vec.h"

namespace lapilli
{

struct Contact
{
  Vec3f normal;   ///< [-], unit
  float overlap;  ///< [m], > 0
  float mass;     ///< [kg], effective: m_a m_b / (m_a + m_b), or m_a against terrain
  float approach; ///< [m/s]
  Vec3f slip;     ///< [m/s]
  /// Touched for the first time in the step that ends with this force.
  bool isNew;
};

/// What is left of a dashpot's force when it is taken over a step in which it slows the contact
/// itself down, 2 z being the step over the dashpot's own time. The trapezoidal rule, 1/(1 + z), for
/// the small z of common restitutions, where it is of second order; 1/(2 z), which stops the contact,
/// for large z, where the trapezoidal rule would turn it round. In between the contact is never
/// turned round: 1 + z + z^3/(3 + z^2) >= 2 z.
HOST_DEVICE inline float dashpotShare(float z)
{
  return 1 / (1 + z + z * z * z / (3 + z * z));
}

} // namespace lapilli
