/// @file
/// Particles sorted by the cubic cell they are in. For radii that are nearly equal.
///
/// Cells are numbered along one axis, then the next, then the third, so that neighbours of a particle
/// lie in nine runs of three cells. Where there are not many more cells than particles, a table tells
/// where each begins. Where the scene is too wide for it, the sorted numbers are searched: then memory
/// goes with the particles alone.
///
/// Beside the order stand compact copies of the spheres, sorted, for searches that test many at once.
#pragma once

#include "Math/Box.h"
#include "Math/Periodicity.h"
#include "Parallel/Executor.h"
#include "Spatial/SphereView.h"

namespace lapilli
{

/// Cells of one size from a lower corner on. Counted from 1 along each axis, so that the cell below
/// exists as a number.
struct CellGeometry
{
  Vec3d lower;     ///< [m]
  double perMetre; ///< [1/m], cells per metre
  Vec3d size;      ///< [m], of the box around all particles

  /// What a step along each axis adds to a cell's number; 1 along the runs.
  std::uint64_t strideX, strideY, strideZ;
  /// Those of the axes across the runs, the larger first; 0 where there is one cell along the axis.
  std::uint64_t slow, middle;

  /// Along an axis; the first or last cell for what lies beside all particles or is no number.
  HOST_DEVICE std::uint64_t number(double d, double limit) const
  {
    d = d < limit ? d : limit;
    d = d > 0 ? d : 0;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(d * perMetre)) + 1;
  }
  /// The number of p's cell, or of the cell nearest to it.
  HOST_DEVICE std::uint64_t key(const Vec3d& p) const
  {
    const Vec3d d = p - lower;
    return number(d.x, size.x) * strideX + number(d.y, size.y) * strideY +
           number(d.z, size.z) * strideZ;
  }

  /// Whether a particle may be within a cell's width of p.
  HOST_DEVICE bool isNear(const Vec3d& p) const
  {
    const Vec3d d = p - lower;
    const double width = 1 / perMetre;
    return d.x >= -width && d.y >= -width && d.z >= -width && d.x <= size.x + width &&
           d.y <= size.y + width && d.z <= size.z + width;
  }

  HOST_DEVICE double longest() const
  {
    const double xy = size.x > size.y ? size.x : size.y;
    return xy > size.z ? xy : size.z;
  }
};

/// Where each column of cells along the runs begins in the sorted keys. Empty where the scene is so wide that
/// the table would outgrow the particles.
struct ColumnTable
{
  const std::int32_t* start = nullptr; ///< nx * ny + 1
  /// Columns along the slow and the middle axis, with an empty one on each side.
  std::int32_t nx = 0, ny = 0;

  static constexpr int kBits = 21;
  static constexpr std::uint64_t kX = std::uint64_t(1) << (2 * kBits);
  static constexpr std::uint64_t kY = std::uint64_t(1) << kBits;

  HOST_DEVICE std::int64_t column(std::uint64_t key) const
  {
    return static_cast<std::int64_t>(key / kX) * ny + static_cast<std::int64_t>(key / kY % kY);
  }
};

namespace LAPILLI_BACKEND
{

/// The sorted spheres, for kernels. Places among them are slots.
struct CellGridView
{
  Index count;
  /// Of the particle in a slot; null where particles stand in this order. kLanes more may be read.
  const Index* index;
  const Index* cellStart;    ///< by cell, one more than there are; null where keys are searched
  const std::uint64_t* keys; ///< by slot; null where there is a table of cells
  ColumnTable table;
  CellGeometry geometry;
  SphereCopies copies;

  HOST_DEVICE Index particle(Index slot) const { return index ? index[slot] : slot; }

  /// visit(first, last) for runs of slots that hold every particle in the 27 cells around the one with
  /// this key.
  template <class Visit>
  HOST_DEVICE void forEachRun(std::uint64_t key, const Visit& visit) const
  {
    const int slowSides = geometry.slow > 0 ? 1 : 0, middleSides = geometry.middle > 0 ? 1 : 0;
    for (int a = -slowSides; a <= slowSides; ++a)
    {
      for (int b = -middleSides; b <= middleSides; ++b)
      {
        const std::uint64_t cell = key + static_cast<std::uint64_t>(a) * geometry.slow +
                                   static_cast<std::uint64_t>(b) * geometry.middle;
        const Run run = cellStart ? Run{ cellStart[cell - 1], cellStart[cell + 2] } : find(cell);
        visit(run.first, run.last); // called in one place, so that it is inlined
      }
    }
  }

  /// visit(j) for every particle in the 27 cells around the cell with this key.
  template <class Visit>
  HOST_DEVICE void forEachAround(std::uint64_t key, const Visit& visit) const
  {
    forEachRun(key,
      [&](Index first, Index last)
      {
        for (Index slot = first; slot < last; ++slot)
          visit(particle(slot));
      });
  }

private:
  struct Run
  {
    Index first, last;
  };
  HOST_DEVICE Run find(std::uint64_t middle) const
  {
    Run run{ 0, count };
    if (table.nx > 0)
    {
      const std::int64_t column = table.column(middle);
      run = { table.start[column], table.start[column + 1] };
    }
    run.first = lowerBound(middle - 1, run.first, run.last);
    run.last = lowerBound(middle + 2, run.first, run.last);
    return run;
  }
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
  /// Finds the order of the spheres along the cells. The caller must put them into it before the view
  /// is used.
  /// @param lost     per sphere: not 0 moves it behind all others
  /// @param cellSize [m], > 0; made larger where the scene would outgrow the keys
  /// @param space    where it repeats, cells hold the images in its box
  /// @return how many spheres are not lost
  Index sort(const Executor& executor, const SphereView& spheres, const Buffer<std::uint8_t>& lost,
    double cellSize, const Periodicity& space);

  /// Finds which spheres are in which cells and leaves them in the order in which they are. None is lost.
  void locate(
    const Executor& executor, const SphereView& spheres, double cellSize, const Periodicity& space);

  /// Changes the order that was found, within windows, so that spheres with rows of like lengths stand side by side.
  /// @param lengths of the spheres' rows, by their places when they were sorted
  void evenRows(const Executor& executor, const Buffer<Index>& lengths);

  /// Whether the spheres were to be put into order().
  bool reorders() const { return reorders_; }
  /// order()[place] = place among the spheres when they were sorted.
  const Buffer<Index>& order() const { return order_; }
  CellGridView view() const;
  /// Whether there is a table of all cells.
  bool isDense() const { return isDense_; }
  double bytes() const
  {
    return static_cast<double>(keys_.bytes() + order_.bytes() + place_.bytes() + cell_.bytes() +
                               rank_.bytes() + cellStart_.bytes() + columnStart_.bytes() +
                               copies_.bytes());
  }

private:
  void fill(const Executor& executor, const SphereView& spheres, const std::uint8_t* lost,
    double cellSize, const Periodicity& space);
  void sortDense(const Executor& executor, const SphereView& spheres, const std::uint8_t* lost,
    const Periodicity& space, Index cells);
  void sortSparse(const Executor& executor, const SphereView& spheres, const std::uint8_t* lost,
    const Periodicity& space);
  void tabulateColumns(const Executor& executor);
  float* copies(int component) const
  {
    return copies_.data() + static_cast<std::size_t>(component) * copyStride_;
  }

  Buffer<std::uint64_t> keys_;
  Buffer<Index> order_;
  Buffer<Index> place_;       ///< of each slot's sphere, where rows are even
  Buffer<Index> cell_, rank_; ///< of each sphere, while they are sorted
  Buffer<Index> cellStart_;
  Buffer<std::int32_t> columnStart_;
  Buffer<float> copies_;
  std::size_t copyStride_ = 0;
  ColumnTable table_;
  CellGeometry geometry_{};
  Index survivors_ = 0;
  bool isDense_ = false;
  bool reorders_ = true;
  bool hasEvenRows_ = false;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
