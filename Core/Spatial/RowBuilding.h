/// @file
/// One row while it is searched, for the kernels of NeighborList.
#pragma once

#include "Math/Lanes.h"
#include "Spatial/HeapSort.h"
#include "Spatial/NeighborList.h"

#include <cstring>
#include <limits>

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// Counts what is found, and keeps it as long as it fits into a chunk.
class KeptRow
{
public:
  HOST_DEVICE Index count() const { return count_; }
  HOST_DEVICE bool isOverfull() const { return count_ > NeighborList::kMostInRow; }

  HOST_DEVICE void add(Index j, float remoteness)
  {
    if (count_ < kLongRow)
    {
      index_[count_] = j;
      remoteness_[count_] = remoteness;
    }
    ++count_;
  }
  HOST_DEVICE void add(IntLanes j, FloatLanes remoteness, std::uint32_t found)
  {
    const Index next = count_ < kLongRow ? count_ : kLongRow;
    storeCompressed(index_ + next, j, found);
    storeCompressed(remoteness_ + next, remoteness, found);
    count_ += countBits(found);
  }

  /// Writes the row into a column of a chunk, the nearest first.
  HOST_DEVICE void sortInto(Neighbor* column) const
  {
    if (count_ <= kLongRow / 2)
      sortInto<kLongRow / 2>(column);
    else
      sortInto<kLongRow>(column);
  }

private:
  template <int kMost>
  HOST_DEVICE void sortInto(Neighbor* column) const
  {
    // Ranks by comparison of each with each, without a branch. The lowest bits tell equals apart.
    std::int32_t key[kMost], rank[kMost];
    for (int k = 0; k < kMost; ++k)
    {
      std::int32_t bits;
      std::memcpy(&bits, remoteness_ + k, sizeof(bits));
      const std::int32_t ordered = bits ^ ((bits >> 31) & std::numeric_limits<std::int32_t>::max());
      key[k] = k < count_ ? (ordered & ~(kMost - 1)) | k : std::numeric_limits<std::int32_t>::max();
    }
    constexpr int kParts = kMost / kLanes;
    IntLanes keys[kParts], ranks[kParts];
    for (int part = 0; part < kParts; ++part)
    {
      keys[part] = loadLanes(key + part * kLanes);
      ranks[part] = 0;
    }
    for (int k = 0; k < count_; ++k)
      for (int part = 0; part < kParts; ++part)
        ranks[part] = ranks[part] + onesWhere(IntLanes(key[k]) < keys[part]);
    for (int part = 0; part < kParts; ++part)
      storeLanes(rank + part * kLanes, ranks[part]);
    for (int k = 0; k < count_; ++k)
      column[rank[k] * kRowLanes] = { static_cast<std::uint32_t>(index_[k]) };
  }

  Index count_ = 0;
  Index index_[kLongRow + kLanes];
  float remoteness_[kLongRow + kLanes];
};

/// Writes what is found into a long row.
class LongRow
{
public:
  HOST_DEVICE explicit LongRow(Neighbor* entries)
    : entries_(entries)
  {
  }
  HOST_DEVICE bool isOverfull() const { return false; }
  HOST_DEVICE void add(Index j, float) { entries_[count_++] = { static_cast<std::uint32_t>(j) }; }
  HOST_DEVICE void add(IntLanes j, FloatLanes, std::uint32_t found)
  {
    const EachLane<Index, IntLanes> each(j);
    forEachBit(found, [&](int k) { add(each[k], 0); });
  }
  HOST_DEVICE Index count() const { return count_; }

private:
  Neighbor* entries_;
  Index count_ = 0;
};

/// The order of a long row.
struct IsNearer
{
  PairRule rule;
  Index i;
  HOST_DEVICE bool operator()(Neighbor a, Neighbor b) const
  {
    const float ofA = rule.remoteness(i, a.index()), ofB = rule.remoteness(i, b.index());
    return ofA < ofB || (ofA == ofB && a.index() < b.index());
  }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
