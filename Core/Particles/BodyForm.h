/// @file
/// What the radius of a particle says of its body, and on which ways the body can go: a solid sphere in
/// space, or a solid disc in a plane, see Dimensions. The one place where the two differ.
///
///   const BodyForm form(parameters.dimensions);
///   const double mass = density * form.volume(radius);
///   velocity += time / mass * form.inPlane(force);
#pragma once

#include "Dimensions.h"
#include "Math/Vec.h"

namespace lapilli
{

/// How much mass a contact point moves across the normal, over that along it, and one over it.
struct ShearRatio
{
  float mass, mobility;
};

class BodyForm
{
public:
  static constexpr double kDepth = 1; ///< [m], of a disc

  BodyForm() = default;
  explicit BodyForm(Dimensions dimensions)
    : across_(dimensions == Dimensions::PlaneYZ   ? 0
              : dimensions == Dimensions::PlaneXZ ? 1
              : dimensions == Dimensions::PlaneXY ? 2
                                                  : kNone)
  {
  }

  HOST_DEVICE bool isDisc() const { return across_ != kNone; }

  /// [m^3]
  HOST_DEVICE double volume(double radius) const
  {
    return isDisc() ? kDepth * M_PI * radius * radius : 4 * M_PI / 3 * radius * radius * radius;
  }
  /// What normal forces press on: of a disc its rim [m^2]. For single precision.
  template <class Real>
  HOST_DEVICE Real surface(const Real& radius) const
  {
    constexpr float kPi = static_cast<float>(M_PI), kDepth = static_cast<float>(BodyForm::kDepth);
    return isDisc() ? 2 * kPi * kDepth * radius : 4 * kPi * radius * radius;
  }
  /// What stands in the way of the air [m^2].
  HOST_DEVICE double crossSection(double radius) const
  {
    return isDisc() ? 2 * kDepth * radius : M_PI * radius * radius;
  }
  /// About the centre [kg m^2].
  HOST_DEVICE double inertia(double mass, double radius) const
  {
    return (isDisc() ? 0.5 : 0.4) * mass * radius * radius;
  }
  /// [1/(kg m^2)]
  template <class Real>
  HOST_DEVICE Real inverseInertia(const Real& inverseMass, const Real& radius) const
  {
    return Real(isDisc() ? 2.0 : 2.5) * inverseMass / (radius * radius);
  }
  /// Of one that rolls about a point of its surface [kg m^2].
  template <class Real>
  HOST_DEVICE Real rollingInertia(const Real& mass, const Real& radius) const
  {
    return (isDisc() ? 1.5f : 1.4f) * mass * radius * radius;
  }
  /// Of a body that can turn.
  HOST_DEVICE ShearRatio shearRatio() const
  {
    return isDisc() ? ShearRatio{ 1.0f / 3.0f, 3.0f } : ShearRatio{ 2.0f / 7.0f, 3.5f };
  }

  /// What the panes leave of a velocity or a force; all of it for spheres.
  template <class T>
  HOST_DEVICE Vec3<T> inPlane(Vec3<T> v) const
  {
    if (isDisc())
      component(v, across_) = 0;
    return v;
  }
  /// What they leave of a spin or a torque.
  template <class T>
  HOST_DEVICE Vec3<T> aboutNormal(Vec3<T> v) const
  {
    if (isDisc())
      component(v, (across_ + 1) % 3) = component(v, (across_ + 2) % 3) = 0;
    return v;
  }
  /// Across the plane; 0 for spheres.
  HOST_DEVICE double outOfPlane(Vec3d v) const { return isDisc() ? component(v, across_) : 0; }

  /// A unit vector across the plane. For discs.
  HOST_DEVICE Vec3d normal() const
  {
    Vec3d normal;
    component(normal, across_) = 1;
    return normal;
  }
  /// Number of the axis across the plane. For discs.
  int axisAcross() const { return across_; }
  /// Whether bodies can move along z.
  HOST_DEVICE bool movesUpright() const { return across_ != 2; }

private:
  static constexpr int kNone = 3;

  template <class T>
  HOST_DEVICE static T& component(Vec3<T>& v, int axis)
  {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
  }

  int across_ = kNone;
};

} // namespace lapilli
