/// @file
/// Closes the holes of a surface by fans: triangles from the middle of each boundary curve to its edges.
#pragma once

#include "BodyFill/TriangleTree.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace lapilli
{

/// One closed curve without a point twice, and the fan over it.
struct Fan
{
  std::vector<std::uint32_t> curve; ///< point numbers, in the direction of the surface's triangles
  Vec3d middle;                     ///< [m] of the curve, by length
  double area = 0;                  ///< [m^2]
};

class FanClosing
{
public:
  /// @param points that edges may have; must outlive this
  explicit FanClosing(const std::vector<Vec3d>& points);

  /// The fans over the boundary of a surface.
  /// @param boundary its edges (from, to) as its triangles run along them, as often as more triangles run
  ///                 that way than the other; they form closed curves. Comes back sorted.
  std::vector<Fan> close(std::vector<std::pair<std::uint32_t, std::uint32_t>>& boundary);

private:
  const std::vector<Vec3d>& points_;
  std::vector<std::uint32_t> next_;   ///< per point: its next edge
  std::vector<std::int32_t> onCurve_; ///< per point: its place on the curve that is walked, -1 else
};

/// Six times what a fan adds to the volume about a point, closing the surface.
double sixfoldVolume(const Fan& fan, const std::vector<Vec3d>& points, const Vec3d& about);

} // namespace lapilli
