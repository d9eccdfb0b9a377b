/// @file
/// What pairs that touch remember while their list is made anew.
///
/// The touching entries of a list's rows are noted; when the particles have new rows, perhaps in another
/// order, each row finds its entries again. Both rows of a pair note their own copy.
#pragma once

#include "Checkpoint.h"
#include "Parallel/Executor.h"
#include "Spatial/NeighborRows.h"
#include "Spatial/PairRule.h"

#include <vector>

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// What pairs that touch remember from step to step.
struct PairMemory
{
  bool slips = true;  ///< how far they slipped, for the spring across
  bool rolls = false; ///< how far they rolled, for rolling friction
};

/// The touching entry of a row.
struct TouchingPair
{
  Index a; ///< whose row it is
  Index b;
};

/// The touching entries of the rows within chunks, in their columns: those up to the last in which a pair of the chunk
/// touches.
struct NotedRows
{
  Index particles;
  const Offset* start;       ///< as NeighborView::start
  const std::int32_t* other; ///< the neighbour's place, -1 where the two do not touch
  const float* spring;       ///< as NeighborView::spring, where they touch
  const float* angle;
};

/// Places of particles before and after they were brought into another order; null where they kept theirs.
struct NewPlaces
{
  const Index* order; ///< by new place, the former one
  const Index* place; ///< by former place, the new one
};

class PairHistory
{
public:
  explicit PairHistory(PairMemory memory)
    : memory_(memory)
  {
  }

  void note(const Executor& executor, const NeighborView& rows);

  /// Sets the touching bits and the histories of new rows. A pair that is in none of them is forgotten.
  /// @param rule of the new rows
  void carryInto(const Executor& executor, const PairRule& rule, const NewPlaces& places,
    const NeighborView& rows) const;

  /// How many entries each particle has among what was noted.
  /// @param particles all that are there: those that came since have none
  void count(const Executor& executor, Index particles, Buffer<Index>& counts) const;

  double bytes() const;

  /// Each pair once, a < b, with the history as seen from a.
  void save(CheckpointWriter& writer) const;
  void restore(CheckpointReader& reader, Index particles);

private:
  NotedRows rows() const;

  PairMemory memory_;
  Index particles_ = 0;
  Buffer<Index> width_; ///< by chunk: entries
  Buffer<Offset> start_;
  Buffer<std::int32_t> other_;
  Buffer<float> spring_, angle_; ///< empty unless pairs slip, or roll

  // Those of long rows, and of a checkpoint.
  Buffer<TouchingPair> pair_;
  Buffer<Vec3f> pairSpring_, pairAngle_;
  Buffer<Index> pairCount_; ///< by long row
  Buffer<Offset> pairStart_;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
