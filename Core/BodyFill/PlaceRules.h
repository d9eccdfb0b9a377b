/// @file
/// What a lattice must fulfil to fill bodies, and the words for where it does not.
#pragma once

#include "BodyFill/LatticeRows.h"

#include <vector>

namespace lapilli
{

/// The places of one row, relative to an origin.
class RowPlaces
{
public:
  RowPlaces(const RowLattice& lattice, std::int64_t j, std::int64_t k, const Vec3d& origin)
    : lattice_(lattice)
    , parity_(lattice.parity(j, k))
    , originX_(origin.x)
    , y_(lattice.across(j) - origin.y)
    , z_(lattice.across(k) - origin.z)
  {
  }
  Vec3d operator()(std::int64_t m) const { return { lattice_.x(m, parity_) - originX_, y_, z_ }; }
  double step() const { return lattice_.step(); } ///< [m]

private:
  const RowLattice& lattice_;
  std::int64_t parity_;
  double originX_, y_, z_; ///< [m]
};

/// @throws InvalidInput if the level is below all bodies
void requireLevel(
  const std::vector<const BodySurface*>& bodies, const BodyFillParameters& parameters);

/// @throws InvalidInput if the places take more memory than is free, or lie too close to be told apart
void requireMemory(const std::vector<const BodySurface*>& bodies,
  const std::vector<BodyReport>& reports, const BodyFillParameters& parameters);

/// For bodies that lie between the places; says which spacing would do.
[[noreturn]] void refuseSpacing(
  const std::vector<const BodySurface*>& bodies, const BodyFillParameters& parameters);

/// For bodies whose places are all too near to their surface; says which clearance would do.
[[noreturn]] void refuseClearance(
  const std::vector<const BodySurface*>& bodies, const BodyFillParameters& parameters);

} // namespace lapilli
