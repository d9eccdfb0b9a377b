/// @file
/// Finds the seeds that can take part and sets them down without overlaps.
#pragma once

#include "GranularFlow/GranularFlowPlan.h"

namespace lapilli
{

/// Checks every value of the seeds, and that there is something to simulate.
/// @throws InvalidInput with count, first seed, value and remedy
void checkSeeds(const Scene& scene, const BodyForm& form);

/// Drops seeds outside the domain or the map or below the terrain into the losses of the plan, lifts those that
/// reach into the terrain, and pushes overlapping ones apart. Writes placedIds, placedAt, losses, notes.
/// @throws InvalidInput if two seeds coincide, too many overlap, or they cannot be pushed apart
void placeSeeds(GranularFlowPlan& plan, const Domain& domain);

} // namespace lapilli
