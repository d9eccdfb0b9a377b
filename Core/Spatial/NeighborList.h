/// @file
/// Who is near whom: one row per particle, with the history of each pair that touches.
///
/// Rows are full: a pair stands in both rows, each with its own copy of the history; contact laws
/// are evaluated with the lower id first, so both copies agree to the bit. Rows hold all pairs whose
/// gap is below the skin, and stay valid until a particle has moved by half of it (Verlet, Phys.
/// Rev. 159 (1967) 98). Built by count, scan, fill.
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

struct NeighborView
{
  const Offset* start; ///< count + 1
  Neighbor* neighbor;
  Vec3f* spring; ///< [m], slip; defined where touching; null for friction without history
  Vec3f* angle;  ///< [rad], rolling; null where there is no rolling friction

  HOST_DEVICE void forget(Offset entry) const
  {
    if (spring)
      spring[entry] = {};
    if (angle)
      angle[entry] = {};
  }
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

  NeighborView view() { return { start_.data(), neighbor_.data(), spring_.data(), angle_.data() }; }
  Offset pairEntries() const { return static_cast<Offset>(neighbor_.size()); }
  double bytes() const;

  /// Only the pairs that touch, as the next build() needs no others.
  void save(CheckpointWriter& writer) const;
  void restore(CheckpointReader& reader, Index particles);

private:
  Buffer<Index> counts_, places_;
  Buffer<Offset> start_, formerStart_;
  Buffer<Neighbor> neighbor_, formerNeighbor_;
  Buffer<Vec3f> spring_, formerSpring_; ///< empty unless memory_.slips
  Buffer<Vec3f> angle_, formerAngle_;   ///< empty unless memory_.rolls
  PairMemory memory_;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
