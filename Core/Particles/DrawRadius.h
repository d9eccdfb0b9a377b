/// @file
/// One radius of a distribution.
#pragma once

#include "Math/Random.h"
#include "RadiusDistribution.h"

namespace lapilli
{

double drawRadius(const RadiusDistribution& distribution, RandomStream& random); ///< [m]

} // namespace lapilli
