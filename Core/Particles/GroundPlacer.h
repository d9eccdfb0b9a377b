/// @file
/// Lets seeds down onto a terrain, on free ground, else on one another.
#pragma once

#include "Elevation.h"
#include "Particles/SeedRegion.h"
#include "Particles/SeedWriter.h"
#include "Particles/SpherePacking.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace lapilli
{

/// Places tried for a seed on a terrain before it is stacked on others; on ground where less than
/// `scarce` of the places were free of late, fewer.
inline constexpr int triesOnGround = 12;
inline constexpr int triesOnFullGround = 2;
inline constexpr double scarce = 0.1;

/// Lets seeds down onto the terrain one after another.
class GroundPlacer
{
public:
  /// @param area of the map that the seeds share [m^2]
  GroundPlacer(const Elevation& terrain, const std::vector<double>& radii, const SeedRegion& region,
    double area, Crowding crowding)
    : terrain_(terrain)
    , crowding_(crowding)
    , packing_(radii, { region.extent.x, region.extent.y, heightOfStacks(radii, area) })
    , origin_(region.origin)
  {
  }

  /// @param place place(i) gives the i-th place to try, relative to the shape's origin; its height
  ///              does not matter
  template <class Place>
  void put(double radius, const Place& place, int tries, SeedWriter& writer, SeedingReport& report)
  {
    const int limit = freeShare_ < scarce ? std::min(tries, triesOnFullGround) : tries;
    Vec3d onGround[triesOnFullGround]; // the first places, for a stack
    int grounds = 0;
    for (int i = 0; i < limit; ++i)
    {
      const std::optional<Vec3d> at = restAt(place(i), radius);
      const bool free = at && packing_.isFree(*at, radius);
      freeShare_ += (free - freeShare_) / 256;
      if (free)
      {
        accept(*at, radius, writer);
        return;
      }
      if (at && grounds < triesOnFullGround)
      {
        onGround[grounds++] = *at;
      }
      if (!at && i == 0) // trying on would crowd the part of the shape that is over terrain
      {
        ++report.besideTerrain;
        return;
      }
    }
    if (crowding_ == Crowding::Overlap)
    {
      // Not into the packing, where it would only be found behind those in its way.
      ++report.crowded;
      writer.write(origin_ + onGround[0], radius);
      return;
    }
    ++report.stacked;
    Vec3d best;
    double leastClimb = -1;
    for (int i = 0; i < grounds; ++i)
    {
      const double z = packing_.lowestFreeHeight(onGround[i], radius);
      if (leastClimb < 0 || z - onGround[i].z < leastClimb)
      {
        leastClimb = z - onGround[i].z;
        best = { onGround[i].x, onGround[i].y, z };
      }
    }
    accept(best, radius, writer);
  }

private:
  static double heightOfStacks(const std::vector<double>& radii, double area)
  {
    double volume = 0;
    for (const double r : radii)
    {
      volume += 8 * r * r * r;
    }
    return volume / area;
  }

  std::optional<Vec3d> restAt(const Vec3d& at, double radius) const
  {
    const std::optional<double> z =
      terrain_.restingHeight(origin_.x + at.x, origin_.y + at.y, radius * (1 + SpherePacking::gap));
    return z ? std::optional<Vec3d>(Vec3d{ at.x, at.y, *z - origin_.z }) : std::nullopt;
  }

  void accept(const Vec3d& at, double radius, SeedWriter& writer)
  {
    packing_.add(at, radius);
    writer.write(origin_ + at, radius);
  }

  const Elevation& terrain_;
  Crowding crowding_;
  SpherePacking packing_;
  Vec3d origin_;
  double freeShare_ = 1; ///< [-], of the places tried, over some hundreds of them
};

} // namespace lapilli
