/// @file
/// The points of a Particle Source with all their arrays, seeds and nozzles alike; the list stands in
/// vtkLapilliParticleSource.h.
#pragma once

#include "Scene.h"

#include <array>
#include <cstdint>
#include <vector>

class vtkPolyData;

namespace lapilli
{

/// What makes points nozzles.
struct EmissionArrays
{
  int unit = -1;             ///< -1 seeds, else a RateUnit
  std::vector<Pulse> pulses; ///< of each nozzle; points take them in turn
  std::array<double, 3> direction{ 0, 0, 1 };
  double openingRadius = 0;                       ///< [m]
  std::array<double, 3> openingNormal{ 0, 0, 0 }; ///< 0: the direction
  double spread = 0;                              ///< [degrees]
  std::vector<std::int64_t> turns;                ///< two a point
  std::int64_t randomSeed = 0;
};

/// What all points have in common.
struct CommonArrays
{
  int material = 0;
  double youngsModulus = 5e9;  ///< [Pa]
  double poissonsRatio = 0.25; ///< [-]
  int shape = 0;
  RadiusDistribution radii;
};

/// Vertices on double points.
void writeSourcePoints(const Seeds& seeds, const CommonArrays& common,
  const EmissionArrays& emission, vtkPolyData* output);

} // namespace lapilli
