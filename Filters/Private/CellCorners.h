/// @file
/// The cells of a polygonal data set or an unstructured grid as flat arrays, checked.
#pragma once

#include "ArrayCopy.h"

#include <vtkType.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

class vtkCellArray;

namespace lapilli
{

class CellCorners
{
public:
  /// @param cells  null is none; must outlive this
  /// @param points how many points there are
  /// @throws InvalidInput for corners that are no points, as damaged files have them
  CellCorners(const std::string& owner, vtkCellArray* cells, std::int64_t points);

  std::size_t count() const { return offsets_.size() == 0 ? 0 : offsets_.size() - 1; }
  const vtkTypeInt64* begin(std::size_t cell) const { return corners_.begin() + offsets_[cell]; }
  std::size_t size(std::size_t cell) const
  {
    return static_cast<std::size_t>(offsets_[cell + 1] - offsets_[cell]);
  }

  /// Corners of all cells.
  std::size_t cornerCount() const
  {
    return count() == 0 ? 0 : static_cast<std::size_t>(offsets_[count()] - offsets_[0]);
  }

  /// Every cell has three corners: those of all stand one after another from begin(0).
  bool areTriangles() const { return triangles_; }

private:
  ArrayValues<vtkTypeInt64> offsets_, corners_;
  bool triangles_ = false;
};

/// @param types of the cells
/// @throws InvalidInput for cells of unknown types, or with too few corners for their type
void checkTypes(
  const std::string& owner, const std::vector<unsigned char>& types, const CellCorners& cells);

} // namespace lapilli
