/// @file
/// What single cells of a terrain have instead of the properties: the cell arrays restitution,
/// friction and rolling_friction.
#pragma once

#include "TerrainInput.h"

#include <string>

namespace lapilli
{

/// Whether a cell array holds one of these values: blocks without it have Surface::kNotGiven.
bool isContactArray(const std::string& name);

/// From the terrain's cell data to its surface.
/// @param owner "terrain", "obstacle 1": for messages
/// @throws InvalidInput for arrays of a wrong kind and values that are neither in range nor Surface::kNotGiven
void readContactArrays(TerrainInput& terrain, const std::string& owner);

} // namespace lapilli
