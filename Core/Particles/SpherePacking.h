/// @file
/// Spheres already placed, found again by place.
#pragma once

#include "Math/Vec.h"

#include <cstdint>
#include <vector>

namespace lapilli
{

/// Spheres of any radii in cells, one grid for every factor of two of the radius, so that small
/// ones do not crowd the cells of large ones. A grid is a torus: cell (i, j, k) is stored at its
/// remainders, so space has no border; spheres far away that fall together are told apart by
/// their distance.
class SpherePacking
{
public:
  /// @param radii  all spheres that will come [m]
  /// @param extent of the space that most of them will fill [m]
  SpherePacking(const std::vector<double>& radii, const Vec3d& extent);

  /// Whether a sphere would overlap one that is there.
  bool isFree(const Vec3d& center, double radius) const;

  /// The lowest height from `center.z` up at which the sphere is free, going up along the vertical
  /// over all spheres in the way.
  double lowestFreeHeight(const Vec3d& center, double radius) const;

  void add(const Vec3d& center, double radius);

  /// Neighbours keep this fraction of the sum of their radii as a gap [-]: the rounding of
  /// map coordinates must not make them overlap.
  static constexpr double gap = 1e-6;

private:
  struct Sphere
  {
    Vec3d center;
    double radius;
    std::int32_t next; ///< in the same cell, -1 for none
  };

  struct Level
  {
    double largest = 0;                  ///< [m], largest radius
    double perMetre = 0;                 ///< [1/m], cells per metre
    std::int64_t count[3] = { 1, 1, 1 }; ///< cells along each axis, powers of two
    std::vector<std::int32_t> first;     ///< sphere per cell, -1 for none

    std::int64_t cellAt(double x) const; ///< along an axis, before the remainder
  };

  static int levelOf(double radius);

  /// visit(sphere) for all whose centres may be within radius + their radius of a point, until
  /// it returns false.
  template <class Visit>
  void forEachNear(const Vec3d& center, double radius, const Visit& visit) const;

  int lowestLevel_ = 0;
  std::vector<Level> levels_;
  std::vector<Sphere> spheres_;
};

} // namespace lapilli
