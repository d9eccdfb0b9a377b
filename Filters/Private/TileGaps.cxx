#include "TileGaps.h"

#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

namespace lapilli
{
namespace
{

struct Tile
{
  std::array<double, 6> bounds;
  double cell; ///< [m]
};

/// From the end of one to the beginning of the other along an axis; below zero where they overlap.
double between(const Tile& a, const Tile& b, std::size_t axis)
{
  return std::max(
    a.bounds[2 * axis] - b.bounds[2 * axis + 1], b.bounds[2 * axis] - a.bounds[2 * axis + 1]);
}

} // namespace

std::string tileGapWarning(vtkDataObject* data, const std::string& owner)
{
  auto* composite = vtkCompositeDataSet::SafeDownCast(data);
  if (!composite)
  {
    return {};
  }
  constexpr std::size_t most = 1000;
  std::vector<Tile> tiles;
  auto blocks = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
  for (blocks->InitTraversal(); !blocks->IsDoneWithTraversal() && tiles.size() < most;
       blocks->GoToNextItem())
  {
    auto* sheet = vtkPolyData::SafeDownCast(blocks->GetCurrentDataObject());
    vtkDataArray* cell = sheet ? sheet->GetFieldData()->GetArray("cell_size") : nullptr;
    if (cell && cell->GetNumberOfValues() > 0 && sheet->GetNumberOfPoints() > 0)
    {
      Tile tile;
      sheet->GetBounds(tile.bounds.data());
      tile.cell = cell->GetComponent(0, 0);
      tiles.push_back(tile);
    }
  }
  for (std::size_t i = 0; i < tiles.size(); ++i)
  {
    for (std::size_t j = 0; j < i; ++j)
    {
      const double across[2] = { between(tiles[i], tiles[j], 0), between(tiles[i], tiles[j], 1) };
      const double gap = std::max(across[0], across[1]);
      const double cell = std::max(tiles[i].cell, tiles[j].cell);
      // Beside one another, not corner to corner.
      if (gap > 0.5 * cell && gap < 1.5 * cell && std::min(across[0], across[1]) < 0)
      {
        std::ostringstream text;
        text << owner << " has tiles of Terrain Reader that end one cell, " << gap
             << " m, apart, and rocks fall between them: choose its Output Height Field, with "
                "which such gaps "
                "are filled, or tiles that overlap by a cell";
        return text.str();
      }
    }
  }
  return {};
}

} // namespace lapilli
