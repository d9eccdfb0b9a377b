/// @file
/// What two materials do to one another, as the kernels read it.
#pragma once

#include "Parallel/HostDevice.h"

#include <cstdint>

namespace lapilli
{

template <class Real>
struct PairLawOf
{
  Real damping;         ///< zeta of LinearSpring, alpha of HertzMindlin [-]
  Real friction;        ///< [-]
  Real rollingFriction; ///< [-]
  Real cohesion;        ///< [J/m^3]
  Real youngs;          ///< E*, 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b [Pa]
  Real shear;           ///< G*, 1/G* = 2 (2 - nu_a)(1 + nu_a)/E_a + the same of b [Pa]

  /// The same law in every lane.
  template <class Lanes>
  HOST_DEVICE PairLawOf<Lanes> to() const
  {
    return { damping, friction, rollingFriction, cohesion, youngs, shear };
  }
};
using PairLaw = PairLawOf<float>;

/// What a triangle has instead of the pair's values; below 0 where it has none.
struct TriangleLaw
{
  float damping, friction, rollingFriction;
};

/// All pairs of materials, and each material against the ground, which stands behind the others.
struct PairLaws
{
  const PairLaw* law;           ///< materials x (materials + 1)
  std::int32_t materials;       ///< numbered from 0
  const TriangleLaw* triangles; ///< by triangle of the mesh, or null

  HOST_DEVICE const PairLaw& between(std::int32_t a, std::int32_t b) const
  {
    return law[a * (materials + 1) + b];
  }
  HOST_DEVICE PairLaw onGround(std::int32_t a, std::int32_t triangle) const
  {
    PairLaw found = between(a, materials);
    if (triangles)
    {
      const TriangleLaw& own = triangles[triangle];
      found.damping = own.damping >= 0 ? own.damping : found.damping;
      found.friction = own.friction >= 0 ? own.friction : found.friction;
      found.rollingFriction =
        own.rollingFriction >= 0 ? own.rollingFriction : found.rollingFriction;
    }
    return found;
  }
};

} // namespace lapilli
