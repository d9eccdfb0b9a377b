/// @file
/// Lines with bends, one after another, as one path; and places along it without overlap.
#pragma once

#include "Math/Random.h"
#include "Math/Vec.h"
#include "Seeding.h"

#include <cstdint>
#include <vector>

namespace lapilli
{

class SeedPath
{
public:
  /// @param onMap lines count by their length on the map, x and y, and places have no height of their own: for
  ///              those that are let down onto a terrain, where neighbours on a slope are then farther apart
  /// @throws InvalidInput for Lines without a length
  SeedPath(const SeedingParameters& parameters, bool onMap);

  Vec3d origin() const { return origin_; }              ///< [m]
  Vec3d extent() const { return extent_; }              ///< [m]
  double length() const { return lengthUntil_.back(); } ///< [m]

  /// At a distance [m] along the path, relative to the origin.
  Vec3d at(double distance) const;

  bool isStraight() const { return from_.size() == 1; }

private:
  void add(const Vec3d& from, const Vec3d& to);

  Vec3d origin_, extent_;
  std::vector<Vec3d> from_, along_; ///< [m], of each segment: its beginning and the way to its end
  std::vector<double> lengthUntil_; ///< [m], up to the end of each segment
};

/// Free places along a path, relative to its origin, for `radii`, which are shuffled: the room that the seeds leave is cut
/// by sorted random numbers, which makes all arrangements of hard rods equally likely
/// (Tonks, Phys. Rev. 50 (1936) 955). Round a bend, and where lines meet, seeds at that distance along the path may
/// be nearer to one another: there the seed and all that come after it move on until it is free, and where the last
/// then has no place the room is cut to a smaller share.
/// Where they do not fit `fitting` says how many do, and the result is empty, or spread evenly if they may overlap.
std::vector<Vec3d> placesAlongPath(const SeedPath& path, Crowding crowding,
  std::vector<double>& radii, RandomStream& random, std::int64_t& fitting);

} // namespace lapilli
