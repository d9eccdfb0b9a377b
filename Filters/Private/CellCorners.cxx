#include "CellCorners.h"

#include "Error.h"

#include <vtkCell.h>
#include <vtkCellArray.h>
#include <vtkCellTypes.h>
#include <vtkGenericCell.h>
#include <vtkSmartPointer.h>

#include <algorithm>
#include <array>

namespace lapilli
{

CellCorners::CellCorners(const std::string& owner, vtkCellArray* cells, std::int64_t points)
{
  if (!cells || cells->GetNumberOfCells() == 0)
  {
    return;
  }
  offsets_ = ArrayValues<vtkTypeInt64>(cells->GetOffsetsArray());
  corners_ = ArrayValues<vtkTypeInt64>(cells->GetConnectivityArray());
  const auto isPoint = [points](std::int64_t p) { return p >= 0 && p < points; };
  const vtkTypeInt64* wrong = std::find_if_not(corners_.begin(), corners_.end(), isPoint);
  if (wrong != corners_.end())
  {
    throw InvalidInput(owner + " has a cell with the corner " + std::to_string(*wrong) + " and " +
                       std::to_string(points) +
                       " points; corners must be numbers of points, from 0: the file is damaged, "
                       "write it anew");
  }
  if (!std::is_sorted(offsets_.begin(), offsets_.end()) || offsets_[0] < 0 ||
      offsets_[count()] > static_cast<std::int64_t>(corners_.size()))
  {
    throw InvalidInput(
      owner + " has cells that overlap or lack corners: the file is damaged, write it anew");
  }
  triangles_ = std::adjacent_find(offsets_.begin(), offsets_.end(),
                 [](std::int64_t a, std::int64_t b) { return b - a != 3; }) == offsets_.end();
}

/// @throws InvalidInput for cells of unknown types, or with too few corners for their type
void checkTypes(
  const std::string& owner, const std::vector<unsigned char>& types, const CellCorners& cells)
{
  std::array<std::int64_t, 256> corners;
  corners.fill(-1);
  for (std::size_t c = 0; c < types.size(); ++c)
  {
    const unsigned char type = types[c];
    if (corners[type] < 0)
    {
      const auto cell = vtkSmartPointer<vtkCell>::Take(vtkGenericCell::InstantiateCell(type));
      if (!cell)
      {
        throw InvalidInput(owner + " has a cell of the unknown type " + std::to_string(type) +
                           ": the file is damaged, write it anew");
      }
      // Of the types without a number of their own that is 0.
      corners[type] = cell->GetNumberOfPoints();
    }
    if (c >= cells.count() || static_cast<std::int64_t>(cells.size(c)) < corners[type])
    {
      throw InvalidInput(owner + "'s cell " + std::to_string(c) + " has " +
                         std::to_string(c < cells.count() ? cells.size(c) : 0) + " corners; a " +
                         vtkCellTypes::GetClassNameFromTypeId(type) + " must have " +
                         std::to_string(corners[type]) + ": the file is damaged, write it anew");
    }
  }
}

} // namespace lapilli
