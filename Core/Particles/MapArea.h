/// @file
/// Random places inside polygons of the map, equally likely everywhere.
///
/// Inside is where a ray crosses an odd number of their edges (even-odd rule): a ring in a ring is a hole, one in that
/// is inside again, and polygons side by side are one. Rings may touch or cross themselves.
#pragma once

#include "Math/Random.h"
#include "Math/Vec.h"
#include "Seeding.h"

#include <cstdint>
#include <vector>

namespace lapilli
{

class MapArea
{
public:
  /// @throws InvalidInput for edges that are no closed rings, and without area
  explicit MapArea(const SeedGeometry& geometry);

  Vec3d origin() const
  {
    return origin_;
  } ///< [m], the middle; its height is the mean of the corners'
  Vec3d extent() const { return { size_.x, size_.y, 0 }; } ///< [m]

  /// Relative to the origin.
  /// @throws InvalidInput where nothing is inside, as of two equal polygons
  Vec3d place(RandomStream& random) const;

private:
  struct Edge
  {
    double x0, y0, x1, y1; ///< [m], relative to the origin
  };

  /// A rectangle of the map with the edges in it, and a place in it of which is known whether it is inside.
  struct Cell
  {
    double x, y, width, height; ///< [m], low corner and size
    double knownX, knownY;
    bool isKnownInside;
    std::vector<std::int32_t> edges;

    double area() const { return width * height; }
  };

  void addEdges(const SeedGeometry& geometry);
  void divide();
  Cell part(const Cell& whole, int column, int row) const;
  bool isInside(const Cell& cell, double x, double y) const;

  Vec3d origin_, size_;
  std::vector<Edge> edges_;
  std::vector<Cell> cells_;       ///< all that may be inside, side by side
  std::vector<double> areaUntil_; ///< [m^2], of the cells up to and with each
};

} // namespace lapilli
