/// @file
/// Random places on triangles, equally likely per area of what can be seen from above.
#pragma once

#include "Elevation.h"
#include "Math/Random.h"
#include "Math/Vec.h"
#include "Seeding.h"

#include <vector>

namespace lapilli
{

/// The triangles as a surface that seeds can be let down onto.
Surface surfaceOf(const SeedGeometry& geometry);

class SeedSurface
{
public:
  /// @throws InvalidInput without area
  explicit SeedSurface(const SeedGeometry& geometry);

  Vec3d origin() const { return origin_; } ///< [m], the low corner
  Vec3d extent() const { return extent_; } ///< [m]

  /// Relative to the origin.
  /// @throws InvalidInput where nothing can be seen from above: walls alone
  Vec3d place(RandomStream& random) const;

private:
  bool isSeenFromAbove(const Vec3d& place) const;

  Vec3d origin_, extent_;
  std::vector<Vec3d> corners_;    ///< [m], relative to the origin, three a triangle
  std::vector<double> areaUntil_; ///< [m^2], of the triangles up to and with each
  Elevation heights_;
};

} // namespace lapilli
