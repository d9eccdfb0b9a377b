/// @file
/// Who is near whom: one row per particle, with the history of each pair that touches.
///
/// Rows are full: a pair stands in both rows, each with its own copy of the history, as seen from the row's
/// particle: one is minus the other, to the bit, as contact laws are odd. Rows hold all pairs whose gap is
/// below the skin, the nearest first, and stay valid until a particle has moved by half of it (Verlet, Phys. Rev. 159
/// (1967) 98). Built by count, scan, fill.
///
/// Rows of neighbouring particles stand side by side, in chunks of kRowLanes, so that a kernel reads one
/// entry of each with one load.
#pragma once

#include "Checkpoint.h"
#include "Spatial/CellGrid.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// A neighbour's place, and in the highest bit whether the pair touched at the last step.
struct Neighbor
{
  std::uint32_t bits;

  static constexpr std::uint32_t kTouching = 1u << 31;

  HOST_DEVICE Index index() const { return static_cast<Index>(bits & ~kTouching); }
  HOST_DEVICE bool touching() const { return (bits & kTouching) != 0; }
};

/// What pairs that touch remember from step to step.
struct PairMemory
{
  bool slips = true;  ///< how far they slipped, for the spring across
  bool rolls = false; ///< how far they rolled, for rolling friction
};

/// Particles that share a chunk of rows.
constexpr Index kRowLanes = kLanesSideBySide;
/// Longer rows stand apart, so that one large sphere among small ones does not lengthen its chunk.
constexpr Index kLongRow = 32;

struct NeighborView
{
  /// Per chunk, and one more; multiples of kRowLanes. Entry k of particle i stands at
  /// start[i / kRowLanes] + k * kRowLanes + i % kRowLanes.
  const Offset* start;
  const Index* count;        ///< per particle, entries of its row; 0 where it is long
  Neighbor* neighbor;        ///< what fills up a chunk or a long row is the particle itself
  float* spring;             ///< [m], slip, see historyOf(); null for friction without history
  float* angle;              ///< [rad], rolling, the same; null where there is no rolling friction
  Index longCount;           ///< how many rows are long
  const Index* longParticle; ///< whose
  const Offset* longStart;   ///< longCount + 1, multiples of kRowLanes; entries follow one another
  const Index* longRow;      ///< per particle: its number among the long rows, -1 for none

  /// Where the first component of an entry's history stands; the others kRowLanes and 2 kRowLanes further.
  HOST_DEVICE static Offset historyOf(Offset entry)
  {
    return entry / kRowLanes * 3 * kRowLanes + entry % kRowLanes;
  }

  /// visit(entry) for every entry of a particle's row.
  template <class Visit>
  HOST_DEVICE void forEachEntry(Index i, const Visit& visit) const
  {
    if (longRow[i] >= 0)
    {
      for (Offset e = longStart[longRow[i]]; e < longStart[longRow[i] + 1]; ++e)
        if (neighbor[e].index() != i)
          visit(e);
      return;
    }
    const Offset first = start[i / kRowLanes] + i % kRowLanes;
    for (Index k = 0; k < count[i]; ++k)
      visit(first + k * static_cast<Offset>(kRowLanes));
  }
};

/// The pairs that touch, packed: what is kept of a list until the next is made, and on disk.
struct TouchingView
{
  const Offset* start;   ///< count + 1
  const Index* neighbor; ///< its place
  const Vec3f* spring;   ///< [m]
  const Vec3f* angle;    ///< [rad]
};

class NeighborList
{
public:
  explicit NeighborList(PairMemory memory = {})
    : memory_(memory)
  {
  }

  /// Lists the pairs of the sorted spheres and takes over the histories of the former list. Spheres that
  /// came since then stood behind the others before they were sorted.
  /// @param space where it repeats, pairs are those of the nearest images; twice the reach of the
  ///   largest pair, skin included, must fit into its box
  void build(const Executor& executor, const SphereView& spheres, const CellGrid& cells,
    double skin, const Periodicity& space);

  NeighborView view() const
  {
    return { start_.data(), counts_.data(), neighbor_.data(), spring_.data(), angle_.data(),
      static_cast<Index>(longParticle_.size()), longParticle_.data(), longStart_.data(),
      longRow_.data() };
  }
  /// Of all rows, with what fills up chunks.
  Offset entries() const { return static_cast<Offset>(neighbor_.size()); }
  double bytes() const;

  /// Only the pairs that touch, as the next build() needs no others.
  void save(CheckpointWriter& writer) const;
  void restore(CheckpointReader& reader, Index particles);

private:
  /// Puts the pairs that touch into `touching`.
  struct Touching
  {
    Buffer<Offset> start;
    Buffer<Index> neighbor;
    Buffer<Vec3f> spring, angle; ///< empty unless remembered
    TouchingView view() const
    {
      return { start.data(), neighbor.data(), spring.data(), angle.data() };
    }
    Index count() const { return static_cast<Index>(start.size()) - 1; }
  };
  void pack(const Executor& executor, Buffer<Index>& scratch, Touching& touching) const;
  void layOut(const Executor& executor, Index count);

  Buffer<Index> counts_, scratch_, longRow_, longParticle_;
  Buffer<Offset> start_, longStart_, longNumbers_;
  Buffer<Neighbor> neighbor_;
  Buffer<float> spring_, angle_; ///< empty unless memory_ asks for them
  Touching former_;              ///< of a restored list, until the next one is made
  PairMemory memory_;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
