/// @file
/// Drag of moving or still air on a sphere or a disc: F = -1/2 rho C_d A |v - w| (v - w).
///
/// C_d is given, or follows from the Reynolds number by Schiller & Naumann, Z. Ver. Dtsch. Ing. 77 (1933)
/// 318-320: 24/Re (1 + 0.15 Re^0.687) up to Re 1000, 0.44 above.
#pragma once

#include "GranularFlow.h"
#include "Math/Sphere.h"
#include "Particles/BodyForm.h"

namespace lapilli
{

/// The wind by height, ascending; linear between two heights, constant beyond them.
struct WindView
{
  std::int32_t count = 0;
  const double* height = nullptr;  ///< [m], local
  const Vec3d* velocity = nullptr; ///< [m/s]

  HOST_DEVICE Vec3d at(double z) const
  {
    if (count == 0)
      return {};
    if (z <= height[0])
      return velocity[0];
    for (std::int32_t k = 1; k < count; ++k)
      if (z < height[k])
        return velocity[k - 1] +
               (z - height[k - 1]) / (height[k] - height[k - 1]) * (velocity[k] - velocity[k - 1]);
    return velocity[count - 1];
  }
};

struct Air
{
  double density = 0; ///< [kg/m^3]; 0: no air
  DragLaw law = DragLaw::ConstantCoefficient;
  double coefficient = 1;
  double viscosity = 1.8e-5; ///< [Pa s]
  WindView wind;
  BodyForm form;

  HOST_DEVICE bool isThere() const { return density > 0; }

  HOST_DEVICE double coefficientAt(double speed, double radius) const
  {
    if (law == DragLaw::ConstantCoefficient)
      return coefficient;
    constexpr double kNewton = 1000; // from this Reynolds number on C_d is constant
    const double reynolds = 2 * density * speed * radius / viscosity;
    return reynolds > kNewton ? 0.44 : 24 / reynolds * (1 + 0.15 * std::pow(reynolds, 0.687));
  }

  /// How quickly a difference of velocities fades at this speed [1/s].
  HOST_DEVICE double rate(double speed, double radius, double inverseMass) const
  {
    return speed > 0 ? 0.5 * density * coefficientAt(speed, radius) * form.crossSection(radius) *
                         speed * inverseMass
                     : 0;
  }

  /// The velocity after a time of drag alone: of second order, and never turned round however long the
  /// time, so dust takes the speed of the wind at once.
  HOST_DEVICE Vec3d slowed(
    const Vec3d& velocity, const Sphere& sphere, double inverseMass, double time) const
  {
    const Vec3d air = wind.at(sphere.position.z);
    const Vec3d relative = velocity - air;
    const double speed = length(relative);
    const double early = rate(speed, sphere.radius, inverseMass);
    const double late = rate(speed / (1 + 0.5 * time * early), sphere.radius, inverseMass);
    const double z = time * late;
    return air + (1 / (1 + z * (1 + 0.5 * z))) * relative;
  }
};

} // namespace lapilli
