/// @file
/// Cell arrays of several blocks, carried to the triangles that were made of their cells.
#pragma once

#include "TerrainPieces.h"

#include <vtkCellData.h>
#include <vtkSmartPointer.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lapilli
{

/// @param kept   per triangle of the result: its number among the pieces' triangles, ascending
/// @param notes  receives a sentence for every array that is left out
vtkSmartPointer<vtkCellData> carryCellArrays(const TerrainPieces& pieces,
  const std::vector<std::uint32_t>& kept, std::vector<std::string>& notes);

} // namespace lapilli
