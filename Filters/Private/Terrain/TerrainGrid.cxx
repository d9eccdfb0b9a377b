#include "TerrainGrid.h"

#include <algorithm>

namespace lapilli
{

void TerrainGrid::setUpright()
{
  double* data = heights.data();
  const std::int64_t filledRows = heights.empty() ? 0 : rows;
  if (map.c[1] < 0)
  {
    for (std::int64_t row = 0; row < filledRows; ++row)
    {
      std::reverse(data + row * columns, data + (row + 1) * columns);
    }
    const MapPlace last = map.place(static_cast<double>(columns), 0);
    map.c = { last.x, -map.c[1], map.c[2], last.y, -map.c[4], map.c[5] };
  }
  if (map.determinant() < 0)
  {
    for (std::int64_t row = 0; row < filledRows / 2; ++row)
    {
      std::swap_ranges(
        data + row * columns, data + (row + 1) * columns, data + (rows - 1 - row) * columns);
    }
    const MapPlace last = map.place(0, static_cast<double>(rows));
    map.c = { last.x, map.c[1], -map.c[2], last.y, map.c[4], -map.c[5] };
  }
}

} // namespace lapilli
