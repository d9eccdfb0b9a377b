/// @file
/// Whether nozzles have room where they stand.
#pragma once

#include "GranularFlow/GranularFlowPlan.h"

namespace lapilli
{

/// Writes nozzleHasRoom, and a note, one for a source, where part of an opening is of no use, or a
/// nozzle can let nothing out because it stands in a surface.
/// @throws InvalidInput for a nozzle outside the map or the domain, below the terrain or in an
///         obstacle, and for an opening nine tenths of which are
void checkNozzlePlaces(GranularFlowPlan& plan);

} // namespace lapilli
