/// @file
/// Particles sorted by the cubic cell they are in, without a table of all cells: the scene may be as
/// wide as it likes, and memory goes with the particles alone. For radii that are nearly equal.
///
/// A cell's key holds x, y, z in this order of significance, so that a vertical column of cells is
/// one run of keys. Neighbours of a particle lie in nine such runs.
#pragma once

#include "Math/Box.h"
#include "Math/Periodicity.h"
#include "Math/Sphere.h"
#include "Parallel/Executor.h"

namespace lapilli
{

/// Spheres in memory of a backend.
struct SphereView
{
  Index count;
  const Sphere* sphere;
  /// Per sphere the rigid body it is a part of, -1 for none; null where there are no bodies. Spheres
  /// of one body are never a pair.
  const std::int32_t* body = nullptr;
};

/// Cells of one size from a lower corner on. Numbered from 1, so that the cell below exists as a
/// number.
struct CellGeometry
{
  Vec3d lower;     ///< [m]
  double perMetre; ///< [1/m], cells per metre
  Vec3d size;      ///< [m], of the box around all particles

  static constexpr int kBits = 21;
  static constexpr std::uint64_t kX = std::uint64_t(1) << (2 * kBits);
  static constexpr std::uint64_t kY = std::uint64_t(1) << kBits;

  HOST_DEVICE std::uint64_t key(const Vec3d& p) const
  {
    return number(p.x - lower.x) * kX + number(p.y - lower.y) * kY + number(p.z - lower.z);
  }
  HOST_DEVICE std::uint64_t number(double d) const
  {
    return static_cast<std::uint64_t>(d * perMetre) + 1;
  }

  /// Whether a particle may be within a cell's width of p.
  HOST_DEVICE bool isNear(const Vec3d& p) const
  {
    const Vec3d d = p - lower;
    const double width = 1 / perMetre;
    return d.x >= -width && d.y >= -width && d.z >= -width && d.x <= size.x + width &&
           d.y <= size.y + width && d.z <= size.z + width;
  }
  /// The key of p, or of the cell nearest to it if p lies beside all particles.
  HOST_DEVICE std::uint64_t nearestKey(const Vec3d& p) const
  {
    const auto within = [](double v, double limit) { return v < 0 ? 0 : v > limit ? limit : v; };
    const Vec3d d = p - lower;
    return key(lower + Vec3d{ within(d.x, size.x), within(d.y, size.y), within(d.z, size.z) });
  }
};

/// Where each vertical column of cells begins in the sorted keys. Empty where the scene is so wide
/// that the table would outgrow the particles.
struct ColumnTable
{
  const std::int32_t* start = nullptr; ///< nx * ny + 1
  std::int32_t nx = 0, ny = 0;         ///< columns, with an empty one on each side

  HOST_DEVICE std::int64_t column(std::uint64_t key) const
  {
    return static_cast<std::int64_t>(key / CellGeometry::kX) * ny +
           static_cast<std::int64_t>(key / CellGeometry::kY % CellGeometry::kY);
  }
};

namespace LAPILLI_BACKEND
{

/// The sorted keys, for kernels.
struct CellGridView
{
  const std::uint64_t* keys;
  Index count;
  ColumnTable table;
  CellGeometry geometry;

  /// visit(j) for every particle in the 27 cells around the cell with this key.
  template <class Visit>
  HOST_DEVICE void forEachAround(std::uint64_t key, const Visit& visit) const
  {
    for (int side = 0; side < 9; ++side)
    {
      const std::uint64_t middle = key + (side / 3) * CellGeometry::kX - CellGeometry::kX +
                                   (side % 3) * CellGeometry::kY - CellGeometry::kY;
      Index first = 0, last = count;
      if (table.nx > 0)
      {
        const std::int64_t column = table.column(middle);
        first = table.start[column];
        last = table.start[column + 1];
      }
      for (Index j = lowerBound(middle - 1, first, last); j < last && keys[j] <= middle + 1; ++j)
        visit(j);
    }
  }

private:
  HOST_DEVICE Index lowerBound(std::uint64_t key, Index first, Index last) const
  {
    Index length = last - first;
    while (length > 0)
    {
      const Index half = length / 2;
      const bool below = keys[first + half] < key;
      first += below ? half + 1 : 0;
      length = below ? length - half - 1 : half;
    }
    return first;
  }
};

class CellGrid
{
public:
  /// Finds the order of the spheres along the cells.
  /// @param lost     per sphere: not 0 moves it behind all others
  /// @param cellSize [m], > 0; made larger where the scene would outgrow the keys
  /// @param space    where it repeats, cells hold the images in its box
  /// @return how many spheres are not lost
  Index sort(const Executor& executor, const SphereView& spheres, const Buffer<std::uint8_t>& lost,
    double cellSize, const Periodicity& space);

  /// order()[new place] = old place.
  const Buffer<Index>& order() const { return order_; }
  CellGridView view() const { return { keys_.data(), survivors_, table_, geometry_ }; }
  double bytes() const
  {
    return static_cast<double>(keys_.bytes() + order_.bytes() + columnStart_.bytes());
  }

private:
  void tabulateColumns(const Executor& executor);

  Buffer<std::uint64_t> keys_;
  Buffer<Index> order_;
  Buffer<std::int32_t> columnStart_;
  ColumnTable table_;
  CellGeometry geometry_{};
  Index survivors_ = 0;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
