/// @file
/// From places and radii to seeds, and what is reported of them.
#pragma once

#include "Math/Random.h"
#include "Math/Vec.h"
#include "Seeding.h"

#include <algorithm>
#include <cmath>

namespace lapilli
{

/// [kg]
inline double massOf(double density, double radius)
{
  return density * 4 / 3 * 3.14159265358979323846 * radius * radius * radius;
}

/// Appends a seed and draws its velocity.
class SeedWriter
{
public:
  SeedWriter(const SeedingParameters& parameters, Seeding& seeding)
    : parameters_(parameters)
    , seeding_(seeding)
    , random_(parameters.randomSeed, RandomStream::Velocities)
    , deviation_(parameters.velocitySpread / std::sqrt(3.0))
  {
    Seeds& seeds = seeding.seeds;
    seeds.positions.reserve(3 * parameters.count);
    seeds.velocities.reserve(3 * parameters.count);
    seeds.radii.reserve(parameters.count);
  }

  void write(const Vec3d& position, double radius)
  {
    write(position, radius, parameters_.sourceId);
  }

  void write(const Vec3d& position, double radius, std::int32_t sourceId)
  {
    Seeds& seeds = seeding_.seeds;
    SeedingReport& report = seeding_.report;
    seeds.positions.insert(seeds.positions.end(), { position.x, position.y, position.z });
    for (int axis = 0; axis < 3; ++axis)
    {
      const double random = deviation_ > 0 ? deviation_ * random_.normal() : 0;
      seeds.velocities.push_back(parameters_.velocity[axis] + random);
    }
    seeds.radii.push_back(radius);
    seeds.densities.push_back(parameters_.density);
    seeds.temperatures.push_back(parameters_.temperature);
    seeds.sourceIds.push_back(sourceId);

    report.smallestRadius = report.placed == 0 ? radius : std::min(report.smallestRadius, radius);
    report.largestRadius = std::max(report.largestRadius, radius);
    report.mass += massOf(parameters_.density, radius);
    ++report.placed;
  }

private:
  const SeedingParameters& parameters_;
  Seeding& seeding_;
  RandomStream random_;
  double deviation_;
};

} // namespace lapilli
