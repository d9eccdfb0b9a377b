/// @file
/// Equal spheres packed densely, for benchmarks.
#pragma once

#include "Math/Random.h"
#include "Particles/State.h"

#include <cmath>

namespace lapilli
{

/// A body-centred lattice, whose cells hold two, stirred. At rest, of mass 1 kg.
/// @param diameter [m]
/// @param fraction of space that they fill, overlaps counted twice
inline cpu::HostParticles packedSpheres(Index count, double diameter, double fraction)
{
  const int side = static_cast<int>(std::cbrt(count / 2));
  const double cell = diameter * std::cbrt(2 * M_PI / 6 / fraction);
  RandomStream random(1, RandomStream::Positions);
  const auto shift = [&] { return random.uniform(-0.08, 0.08) * diameter; };
  cpu::HostParticles particles;
  for (Index i = 0; i < count; ++i)
  {
    const int n = i / 2;
    const double off = i % 2 * 0.5;
    const Vec3d place{ n % side + off, n / side % side + off, n / side / side + off };
    const double x = shift(), y = shift(), z = shift();
    particles.sphere.push_back({ cell * place + Vec3d{ x, y, z }, diameter / 2 });
    particles.id.push_back(i);
  }
  particles.velocity.resize(particles.sphere.size());
  particles.spin.resize(particles.sphere.size());
  particles.mass.assign(particles.sphere.size(), 1);
  return particles;
}

} // namespace lapilli
