/// @file
/// The generalised winding number of a set of triangles: their solid angles seen from a point, over 4 pi. Of a closed
/// surface with its fronts outward it is 1 inside and 0 outside; of an open one it falls off smoothly through
/// the holes.
/// A. Jacobson, L. Kavan, O. Sorkine-Hornung, ACM Trans. Graph. 32(4) (2013) 33.
///
/// Triangles that are far away count together, as the first two terms of a series about their middle:
/// G. Barill, N. Dickson, R. Schmidt, D. Levin, A. Jacobson, ACM Trans. Graph. 37(4) (2018) 43.
#pragma once

#include "BodyFill/TriangleTree.h"

namespace lapilli
{

class WindingNumber
{
public:
  WindingNumber() = default;

  /// @param accuracy beta of the paper, > 1: a group counts as one from this many of its radii away. Measured on spheres and
  ///                 rings the error is at most 0.05 at 2, the paper's choice, and 0.01 at 3.
  WindingNumber(const std::vector<Vec3d>& points, const std::vector<TriangleCorners>& triangles,
    double accuracy = 3);

  double operator()(const Vec3d& q) const;

  const TriangleTree& tree() const { return tree_; }

private:
  /// A group of triangles as seen from far away.
  struct Group
  {
    Vec3d middle; ///< [m] weighted by area
    double reach; ///< [m] square of beta times the distance of the farthest corner
    Vec3d area;   ///< [m^2] sum of area times normal
    Vec3d moment
      [3]; ///< [m^3] rows: sum of area times normal (x, y, z) times (middle of triangle - middle)
  };

  TriangleTree tree_;
  std::vector<Group> groups_; ///< per node
};

} // namespace lapilli
