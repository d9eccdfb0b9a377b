/// @file
/// Polygons to triangles, in a way that depends on the corners' places only: the same terrain gives the
/// same triangles whatever kind of data it comes in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lapilli
{

/// Whether a quadrilateral is split from its first to its third corner, else from its second to its fourth: along
/// the shorter diagonal, or the only one inside if it is concave. Of equal diagonals the one from the corner with the
/// least x, then y, then z is taken. A corner that is not finite is cut off.
/// @param corners x y z of each, one after another
bool splitsAtFirstCorner(const double (&corners)[12]);

/// Appends two triangles with the winding of the quadrilateral, split as above.
/// @param points x y z per point
/// @param corners four point numbers
void triangulateQuadrilateral(const std::vector<double>& points, const std::int64_t* corners,
  std::vector<std::int64_t>& triangles);

/// Appends count - 2 triangles of a simple polygon, which may be concave and need not be exactly
/// flat: ears are clipped in the plane that faces it best (Meisters, Am. Math. Mon. 82 (1975)
/// 648-651). Fewer than three corners give nothing; four are split as above.
void triangulatePolygon(const std::vector<double>& points, const std::int64_t* corners,
  std::size_t count, std::vector<std::int64_t>& triangles);

} // namespace lapilli
