/// @file
/// Puts the sources of a run of discs exactly into their plane.
#pragma once

#include "GranularFlow/GranularFlowPlan.h"

namespace lapilli
{

/// The plane is where the first seed lies, or the first nozzle; all others must be in it up to rounding.
/// Sets planeAt and the plan's seeds and nozzles, and the report's words.
/// @throws InvalidInput with one sentence for seeds and nozzles that lie or move out of the plane or have a shape,
///         and for a domain that repeats across it
void layIntoPlane(GranularFlowPlan& plan, const Domain& domain);

} // namespace lapilli
