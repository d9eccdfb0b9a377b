/// @file
/// Places of a raster's cells on the map, as GDAL's geotransform gives them.
#pragma once

#include <array>
#include <cmath>

namespace lapilli
{

struct MapPlace
{
  double x = 0, y = 0;
};

/// x = c0 + column c1 + row c2, y = c3 + column c4 + row c5. Whole numbers are corners of cells, halves are centres.
struct AffineMap
{
  std::array<double, 6> c{ 0, 1, 0, 0, 0, 1 };

  MapPlace place(double column, double row) const
  {
    return { c[0] + column * c[1] + row * c[2], c[3] + column * c[4] + row * c[5] };
  }

  double determinant() const { return c[1] * c[5] - c[2] * c[4]; }

  /// Column and row of a place.
  MapPlace inverse(double x, double y) const
  {
    const double dx = x - c[0], dy = y - c[3], d = determinant();
    return { (c[5] * dx - c[2] * dy) / d, (c[1] * dy - c[4] * dx) / d };
  }

  double columnLength() const { return std::hypot(c[1], c[4]); }
  double rowLength() const { return std::hypot(c[2], c[5]); }

  /// Sides of cells along the axes of the map, in any direction.
  bool isAlongAxes() const { return (c[2] == 0 && c[4] == 0) || (c[1] == 0 && c[5] == 0); }

  /// Cells at right angles: the raster is an image, perhaps a turned one.
  bool isRectangular() const
  {
    return std::abs(c[1] * c[2] + c[4] * c[5]) <= 1e-9 * columnLength() * rowLength();
  }

  bool isSound() const
  {
    for (const double v : c)
    {
      if (!std::isfinite(v))
      {
        return false;
      }
    }
    return std::abs(determinant()) > 1e-12 * columnLength() * rowLength();
  }

  /// From a cell of which each covers stride x stride, the first at (column, row).
  AffineMap window(double column, double row, double stride) const
  {
    const MapPlace p = place(column, row);
    return { { p.x, stride * c[1], stride * c[2], p.y, stride * c[4], stride * c[5] } };
  }

  AffineMap scaled(double factor) const
  {
    AffineMap result = *this;
    for (double& v : result.c)
    {
      v *= factor;
    }
    return result;
  }
};

} // namespace lapilli
