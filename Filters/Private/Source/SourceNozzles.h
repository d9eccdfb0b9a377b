/// @file
/// From the places of nozzles to points that emit: pulses, turns, the clearance of an opening.
#pragma once

#include "SourcePoints.h"

#include "Elevation.h"
#include "Seeding.h"

#include <string>

namespace lapilli
{

/// Sorted by their start.
/// @param isTable whether messages speak of a pulse in a table
/// @throws InvalidInput for values out of range, and pulses that overlap
std::vector<Pulse> checkedPulses(std::vector<Pulse> pulses, bool isTable);

/// A point for each pulse of each nozzle. The rates of the pulses become those of one nozzle, and the turns are filled in.
/// @param places      where the nozzles are
/// @param parameters  of the particles
Seeds nozzlesAt(const Seeds& places, const SeedingParameters& parameters, EmissionArrays& emission);

/// What was placed, in words.
/// @param emission with the rates of all nozzles together
std::string nozzleReport(const SeedingReport& placed, const EmissionArrays& emission);

/// Radius of what holds a whole particle, in radii: 1 for a sphere, and for the simulation's own shapes, which are
/// not known here.
double extentOfBlock(int blockShape);

/// The height of its centre at which a disc is clear of the ground by a radius everywhere; `least` or above [m].
double clearHeight(const Elevation& terrain, const std::array<double, 3>& center,
  const std::array<double, 3>& normal, double discRadius, double radius, double least);

} // namespace lapilli
