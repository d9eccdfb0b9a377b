#include "GridMesh.h"

#include "Triangulate.h"

#include <algorithm>
#include <cmath>

namespace lapilli
{

GridMesh::GridMesh(const TerrainGrid& grid)
  : grid_(grid)
  , point_(grid.heights.size(), -1)
{
  const std::int64_t nx = grid.columns;
  for (std::int64_t row = 0; row + 1 < grid.rows; ++row)
  {
    const double* low = grid.heights.data() + row * nx;
    std::int64_t* used = point_.data() + row * nx;
    for (std::int64_t i = 0; i + 1 < nx; ++i)
    {
      const std::int64_t square[4] = { i, i + 1, i + 1 + nx, i + nx };
      int found = 0;
      for (const std::int64_t s : square)
      {
        found += !std::isnan(low[s]);
      }
      if (found < 3)
      {
        continue;
      }
      triangleCount_ += found - 2;
      for (const std::int64_t s : square)
      {
        used[s] = std::isnan(low[s]) ? -1 : 0;
      }
    }
  }
  for (std::int64_t& point : point_)
  {
    if (point == 0)
    {
      point = pointCount_++;
    }
  }
}

void GridMesh::writePoints(double* xyz, double* heights) const
{
  for (std::int64_t row = 0; row < grid_.rows; ++row)
  {
    for (std::int64_t column = 0; column < grid_.columns; ++column)
    {
      const std::int64_t cell = row * grid_.columns + column;
      if (point_[cell] < 0)
      {
        continue;
      }
      const MapPlace place =
        grid_.map.place(static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5);
      *xyz++ = place.x;
      *xyz++ = place.y;
      *xyz++ = grid_.heights[cell];
      *heights++ = grid_.heights[cell];
    }
  }
}

template <class PointNumber>
void GridMesh::writeTriangles(PointNumber* corners) const
{
  const std::int64_t nx = grid_.columns;
  const std::array<double, 6>& c = grid_.map.c;
  // Relative to the square's first corner, so that the diagonals do not depend on where the map lies.
  double places[12] = { 0, 0, 0, c[1], c[4], 0, c[1] + c[2], c[4] + c[5], 0, c[2], c[5], 0 };
  for (std::int64_t row = 0; row + 1 < grid_.rows; ++row)
  {
    for (std::int64_t i = row * nx; i + 1 < (row + 1) * nx; ++i)
    {
      const std::int64_t square[4] = { i, i + 1, i + 1 + nx, i + nx };
      std::int64_t p[4];
      int found = 0;
      for (const std::int64_t s : square)
      {
        if (!std::isnan(grid_.heights[s]))
        {
          places[3 * found + 2] = grid_.heights[s];
          p[found++] = point_[s];
        }
      }
      if (found == 4)
      {
        const int s = splitsAtFirstCorner(places) ? 0 : 1;
        for (const std::int64_t corner :
          { p[s], p[s + 1], p[s + 2], p[s], p[s + 2], p[(s + 3) % 4] })
        {
          *corners++ = corner;
        }
      }
      else if (found == 3)
      {
        corners = std::copy_n(p, 3, corners);
      }
    }
  }
}

template void GridMesh::writeTriangles(long*) const;
template void GridMesh::writeTriangles(long long*) const;

} // namespace lapilli
