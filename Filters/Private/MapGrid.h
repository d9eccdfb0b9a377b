/// @file
/// Where the samples of a raster are on the map.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

class vtkDataSet;

namespace lapilli
{

/// Corners of a raster on the map: lines of constant i and j, each with its place.
struct MapGrid
{
  int dimensions[3] = { 0, 0, 0 }; ///< points

  double origin[2] = { 0, 0 }, stepI[2] = { 0, 0 }, stepJ[2] = { 0, 0 }; ///< of images
  std::vector<double> x, y;                                              ///< of rectilinear grids

  /// Place of point (i, j), or between points: i and j in half steps.
  void place(double i, double j, double* xy) const
  {
    if (x.empty())
    {
      xy[0] = origin[0] + i * stepI[0] + j * stepJ[0];
      xy[1] = origin[1] + i * stepI[1] + j * stepJ[1];
      return;
    }
    xy[0] = between(x, i);
    xy[1] = between(y, j);
  }

  static double between(const std::vector<double>& line, double i)
  {
    const auto low = static_cast<std::size_t>(i);
    return i == static_cast<double>(low) ? line[low] : 0.5 * (line[low] + line[low + 1]);
  }
};

/// Of an image or a rectilinear grid.
/// @param owner what messages call it
/// @throws InvalidInput for a rectilinear grid whose coordinates are not as many as its points
MapGrid mapGridOf(const std::string& owner, vtkDataSet* data);

} // namespace lapilli
