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
};

} // namespace lapilli
