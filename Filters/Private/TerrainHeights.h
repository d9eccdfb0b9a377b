/// @file
/// Which array of a data set holds its heights.
#pragma once

#include "TerrainInput.h"

#include <string>
#include <vector>

class vtkDataArray;
class vtkDataSet;

namespace lapilli
{

struct Heights
{
  vtkDataArray* array = nullptr;
  bool onCells = false;
};

/// The array named by the options or, if they name none, by custom; null if there is none.
Heights findNamedHeights(const TerrainOptions& options, vtkDataSet* data);

/// @throws InvalidInput if the options name an array, for data that do not have it
void refuseMissingArray(const TerrainOptions& options, vtkDataSet* data);

/// That, or the active scalars, or the only array that fits.
/// @throws InvalidInput if none or several do
Heights findHeights(const TerrainOptions& options, vtkDataSet* data);

/// Mean of the cells around each point, not a number where there is none that counts.
std::vector<double> averagedAtPoints(vtkDataSet* data, const std::vector<double>& onCells);

} // namespace lapilli
