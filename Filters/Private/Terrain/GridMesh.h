/// @file
/// From heights on a grid to triangles.
#pragma once

#include "TerrainGrid.h"

namespace lapilli
{

/// The raster's triangles, to be written into arrays of the caller. Heights stand at the centres of cells; a square
/// of four gives two triangles, one with a missing corner gives one. Points without a triangle are left out.
class GridMesh
{
public:
  /// @param grid must be upright, and outlive the mesh
  explicit GridMesh(const TerrainGrid& grid);

  std::int64_t pointCount() const { return pointCount_; }
  std::int64_t triangleCount() const { return triangleCount_; }
  double mapArea() const { return 0.5 * static_cast<double>(triangleCount_) * grid_.cellArea(); }

  void writePoints(double* xyz, double* heights) const;
  /// @param corners three point numbers per triangle, counter-clockwise from above; of long or long long
  template <class PointNumber>
  void writeTriangles(PointNumber* corners) const;

private:
  const TerrainGrid& grid_;
  std::vector<std::int64_t> point_; ///< per cell: number of its point, -1 for none
  std::int64_t pointCount_ = 0, triangleCount_ = 0;
};

} // namespace lapilli
