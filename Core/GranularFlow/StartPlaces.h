/// @file
/// Where a particle may start: over the terrain and above it, in the domain, outside of closed obstacles.
///
///   const StartPlaces places(plan);
///   if (const char* fault = places.faultAt(p))
///     throw InvalidInput(std::string("the seed lies ") + fault);
#pragma once

#include "GranularFlow/GranularFlowPlan.h"

#include <cstdint>
#include <vector>

namespace lapilli
{

class StartPlaces
{
public:
  explicit StartPlaces(const GranularFlowPlan& plan);

  /// What is wrong with a centre, "outside the terrain's map"; null where it may start.
  const char* faultAt(const Vec3d& p) const;

  /// Whether a centre is below the terrain or within an obstacle.
  bool isBuried(const Vec3d& p) const;

  /// The obstacle that holds a point, -1 for none.
  std::int32_t obstacleAround(const Vec3d& p) const;

  /// How far a sphere reaches into surfaces [m], 0 where it has room.
  double depthInSurface(const Vec3d& p, double radius) const;

private:
  const GranularFlowPlan& plan_;
  std::vector<bool>
    closed_; ///< by surface: those without a rim have an inside; an obstacle may have several surfaces
};

} // namespace lapilli
