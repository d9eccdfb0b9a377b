/// @file
/// The lattice of BodyFill.h, and which of its places lie in a body, as runs along the rows of the lattice.
#pragma once

#include "BodyFill/BodySurface.h"

#include <cstdint>
#include <vector>

namespace lapilli
{

/// Rows run along x and are numbered (j, k) along y and z. Place m of a row stands at x = pitch m, in a
/// face-centred lattice at x = pitch (2 m + (j + k) mod 2).
struct RowLattice
{
  double pitch; ///< [m]
  bool isFaceCentered;
  double cellVolume; ///< [m^3] per place

  RowLattice(Lattice lattice, double spacing);

  double step() const
  {
    return isFaceCentered ? 2 * pitch : pitch;
  } ///< [m] from place to place of a row
  std::int64_t parity(std::int64_t j, std::int64_t k) const
  {
    return isFaceCentered ? (j + k) & 1 : 0;
  }
  /// Where place m of a row with this parity stands [m].
  double x(std::int64_t m, std::int64_t parity) const
  {
    return static_cast<double>(isFaceCentered ? 2 * m + parity : m) * pitch;
  }
  double across(std::int64_t index) const
  {
    return static_cast<double>(index) * pitch;
  } ///< y or z [m]

  std::int64_t firstAcross(double from) const; ///< the first index with across(index) >= from
  std::int64_t firstAlong(double from, std::int64_t parity) const; ///< as well, with x
};

/// Places [first, last) of a row.
struct Run
{
  std::int64_t first, last;
};

/// Adds a run behind the others; an empty one does nothing, one that follows on the last makes it longer.
void append(std::vector<Run>& runs, std::int64_t first, std::int64_t last);

/// Rows that a thread takes at once.
constexpr std::size_t kRowsAtOnce = 256;

/// Runs per row; none overlap, and they ascend.
class LatticeRows
{
public:
  LatticeRows() = default;

  /// A row for each j in [j0, j1) and k in [k0, k1), none where a range is empty.
  LatticeRows(std::int64_t j0, std::int64_t j1, std::int64_t k0, std::int64_t k1);

  std::int64_t j0() const { return j0_; }
  std::int64_t k0() const { return k0_; }
  std::int32_t rowCount() const { return static_cast<std::int32_t>(nj_ * nk_); }
  std::int64_t j(std::int32_t row) const { return j0_ + row % nj_; }
  std::int64_t k(std::int32_t row) const { return k0_ + row / nj_; }
  /// -1 beside the rows
  std::int32_t rowAt(std::int64_t j, std::int64_t k) const;

  const Run* begin(std::int32_t row) const { return runs_.data() + start_[row]; }
  const Run* end(std::int32_t row) const { return runs_.data() + start_[row + 1]; }
  std::int64_t placeCount() const;

  /// Takes over the runs of all rows.
  void set(const std::vector<std::vector<Run>>& runs);

private:
  std::int64_t j0_ = 0, k0_ = 0, nj_ = 0, nk_ = 0;
  std::vector<std::int64_t> start_{ 0 };
  std::vector<Run> runs_;
};

/// How many rows cross a body, up to the level if there is one; as a number that may be too large to be counted.
double rowsAcross(
  const BodySurface& body, const RowLattice& lattice, const BodyFillParameters& parameters);

/// The places inside a body and not above the level. The winding number of the triangles and their fans is a whole
/// number that changes where the row crosses one of them; where it crosses is computed for edges from their lower
/// to their higher point, so that triangles with a common edge agree to the bit and no row slips between.
/// Then the fans' winding number is taken off.
LatticeRows placesInside(
  const BodySurface& body, const RowLattice& lattice, const BodyFillParameters& parameters);

} // namespace lapilli
