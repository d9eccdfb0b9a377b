/// @file
/// Particles sorted by the cubic cell they are in, without a table of cells: the scene may be as
/// wide as it likes, and memory goes with the particles alone. For radii that are nearly equal.
///
/// A cell's key holds x, y, z in this order of significance, so that a vertical column of cells is
/// one run of keys. Neighbours of a particle lie in nine such runs.
#pragma once

#include "Math/Box.h"
#include "Particles/State.h"

namespace lapilli
{

/// Cells of one size from a lower corner on.
struct CellGeometry
{
  Vec3d lower;     ///< [m]
  double perMetre; ///< [1/m], cells per metre

  static constexpr int kBits = 21;

  /// Numbered from 1, so that the cell below exists as a number.
  HOST_DEVICE std::uint64_t key(const Vec3d& p) const
  {
    const auto cell = [this](double d) { return static_cast<std::uint64_t>(d * perMetre) + 1; };
    return cell(p.x - lower.x) << (2 * kBits) | cell(p.y - lower.y) << kBits | cell(p.z - lower.z);
  }
};

namespace LAPILLI_BACKEND
{

/// The sorted keys, for kernels.
struct CellGridView
{
  const std::uint64_t* keys;
  Index count;

  /// visit(j) for every particle in the 27 cells around the cell with this key.
  template <class Visit>
  HOST_DEVICE void forEachAround(std::uint64_t key, const Visit& visit) const
  {
    constexpr std::uint64_t x = std::uint64_t(1) << (2 * CellGeometry::kBits);
    constexpr std::uint64_t y = std::uint64_t(1) << CellGeometry::kBits;
    for (int column = 0; column < 9; ++column)
    {
      const std::uint64_t middle = key + (column / 3) * x - x + (column % 3) * y - y;
      for (Index j = lowerBound(middle - 1); j < count && keys[j] <= middle + 1; ++j)
        visit(j);
    }
  }

private:
  HOST_DEVICE Index lowerBound(std::uint64_t key) const
  {
    Index first = 0;
    Index length = count;
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
  /// Finds the order of the particles along the cells.
  /// @param lost     per particle: not 0 moves it behind all others
  /// @param cellSize [m], > 0; made larger where the scene would outgrow the keys
  /// @return how many particles are not lost
  Index sort(const Executor& executor, const ParticleView& particles, const Buffer<std::uint8_t>& lost,
    double cellSize);

  /// order()[new place] = old place.
  const Buffer<Index>& order() const { return order_; }
  CellGridView view() const { return { keys_.data(), survivors_ }; }
  double bytes() const { return static_cast<double>(keys_.bytes() + order_.bytes()); }

private:
  Buffer<std::uint64_t> keys_;
  Buffer<Index> order_;
  Index survivors_ = 0;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
