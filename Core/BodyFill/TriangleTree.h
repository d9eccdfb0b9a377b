/// @file
/// Triangles in a binary tree of boxes: the distance to the nearest, and how many a ray crosses.
///
/// Triangles are sorted along a Morton curve through their middles and cut into equal parts: a complete tree, whose
/// nodes need no pointers (node n has the children 2 n and 2 n + 1, the root is 1).
#pragma once

#include "Math/Box.h"
#include "Math/Vec.h"

#include <array>
#include <cstdint>
#include <vector>

namespace lapilli
{

/// Point numbers; counter-clockwise seen from the front.
using TriangleCorners = std::array<std::uint32_t, 3>;

struct PlainTriangle
{
  Vec3d a, b, c; ///< [m]
};

class TriangleTree
{
public:
  TriangleTree() = default;
  TriangleTree(const std::vector<Vec3d>& points, const std::vector<TriangleCorners>& triangles);

  bool empty() const { return triangles_.empty(); }

  /// Distance from a point to the nearest triangle [m], or `reach` if that is farther.
  /// @param slack >= 1: what is returned may be so many times too much, which is found much sooner
  double distance(const Vec3d& p, double reach, double slack = 1) const;

  /// How many triangles a ray crosses, without one of them.
  /// @param direction not zero
  int crossings(const Vec3d& origin, const Vec3d& direction, std::uint32_t without) const;

  // For what is added up over the tree.
  std::uint32_t firstLeaf() const { return leaves_; }
  std::uint32_t begin(std::uint32_t leaf) const { return part(leaf - leaves_); }
  std::uint32_t end(std::uint32_t leaf) const { return part(leaf - leaves_ + 1); }
  const PlainTriangle& triangle(std::uint32_t place) const { return triangles_[place]; }
  const Box& box(std::uint32_t node) const { return boxes_[node]; }

private:
  std::uint32_t part(std::uint64_t leaf) const
  {
    return static_cast<std::uint32_t>(leaf * triangles_.size() / leaves_);
  }

  std::vector<PlainTriangle> triangles_; ///< in the order of the tree
  std::vector<std::uint32_t> number_;    ///< of each in the input
  std::uint32_t leaves_ = 1;
  std::vector<Box> boxes_; ///< per node
};

/// Which places of a row are nearer to the triangles than a limit? The distance changes by no more than the way from place
/// to place, so that most need not be looked at; and where it is far from the limit half of it will do.
class RowDistance
{
public:
  /// @param step from place to place [m]
  RowDistance(const TriangleTree& tree, double limit, double step)
    : tree_(tree)
    , limit_(limit)
    , step_(step)
  {
  }

  struct Answer
  {
    bool isFar;         ///< not nearer than the limit
    std::int64_t alike; ///< so many places from here on, >= 1, are
  };

  /// @param m      number of the place; not below that of the call before
  /// @param most   places that are of interest, from here on
  Answer operator()(const Vec3d& place, std::int64_t m, std::int64_t most);

private:
  static constexpr double kUnknown = 1e150; ///< [m], its square is a number

  const TriangleTree& tree_;
  double limit_, step_;
  double atMost_ = kUnknown; ///< [m] distance from place `known_`
  std::int64_t known_ = 0;
};

} // namespace lapilli
