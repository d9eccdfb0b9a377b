/// @file
/// Heights that were exaggerated for the eye: a run on them would be another physics.
#pragma once

#include <string>

class vtkDataSet;

namespace lapilli
{

/// A sentence with the factor and the remedy if the z of the points is a multiple of a point or cell array called
/// Elevation, elevation or z, in any case of letters: z = f e + c by least squares over up to 100,000 points or cells,
/// f away from 1 by more than 1 % (cells 10 %), and what is left within 0.1 % of the spread of z (cells 5 %, as
/// their values are not those of their corners). Else empty. Factors of usual units of length are none.
/// @param owner what the sentence calls the data
std::string describeHeightFactor(const std::string& owner, vtkDataSet* data);

/// The same for a scale that the user gave; empty for 1 and for usual units of length.
std::string describeVerticalScale(const std::string& owner, double scale);

} // namespace lapilli
