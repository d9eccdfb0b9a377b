/// @file
/// The points on the borders of a mesh, which tiles each belongs to, and which are near.
#pragma once

#include "Terrain/RepairMesh.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lapilli
{

class BorderPoints
{
public:
  struct Point
  {
    std::uint32_t number = 0;         ///< in the mesh
    std::vector<std::uint32_t> tiles; ///< ascending
    double shortest = 0;              ///< [m], of the border edges that meet in it
    Vec3d place;

    bool sharesTileWith(const Point& other) const;
    bool isOf(std::uint32_t tile) const;
  };

  /// @param edges  half-edges on the border
  /// @param tileOf per triangle of the input
  BorderPoints(const RepairMesh& mesh, const std::vector<std::uint32_t>& edges,
    const std::vector<std::uint32_t>& tileOf);

  std::size_t count() const { return points_.size(); }
  const Point& operator[](std::size_t i) const { return points_[i]; }
  /// Which of them is a point of the mesh, which must be one.
  std::size_t find(std::uint32_t number) const;

  /// Bins them in cubes of this size [m], for forEachNear().
  void bin(double size);
  /// visit(i) for those in a cube within `reach` of a place, and perhaps others.
  template <class Visit>
  void forEachNear(const Vec3d& place, double reach, const Visit& visit) const
  {
    std::int64_t low[3], high[3];
    this->cellOf(place - Vec3d{ reach, reach, reach }, low);
    this->cellOf(place + Vec3d{ reach, reach, reach }, high);
    for (std::int64_t i = low[0]; i <= high[0]; ++i)
    {
      for (std::int64_t j = low[1]; j <= high[1]; ++j)
      {
        for (std::int64_t k = low[2]; k <= high[2]; ++k)
        {
          const auto bin = bins_.find(keyOf(i, j, k));
          if (bin == bins_.end())
          {
            continue;
          }
          for (std::uint32_t p = bin->second; p != RepairMesh::kNone; p = next_[p])
          {
            visit(p);
          }
        }
      }
    }
  }

private:
  void cellOf(const Vec3d& place, std::int64_t* cell) const;
  /// Cubes far apart may share one: whoever is visited is looked at anyway.
  static std::uint64_t keyOf(std::int64_t i, std::int64_t j, std::int64_t k)
  {
    return static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u ^
           static_cast<std::uint64_t>(j) * 0xbf58476d1ce4e5b9u ^
           static_cast<std::uint64_t>(k) * 0x94d049bb133111ebu;
  }

  std::vector<Point> points_; ///< by number
  double size_ = 1;
  Vec3d origin_;
  std::unordered_map<std::uint64_t, std::uint32_t> bins_; ///< the first of a list
  std::vector<std::uint32_t> next_;
};

} // namespace lapilli
