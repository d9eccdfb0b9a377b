/// @file
/// Who is near whom: one row per particle, with the history of each pair that touches.
///
/// Rows are full: a pair stands in both rows, each with its own copy of the history, one the opposite of
/// the other. Rows hold all pairs whose gap is below the skin, and stay valid until a particle has moved
/// by half of it (Verlet, Phys. Rev. 159 (1967) 98). Built by count, scan, fill; the count keeps what it
/// finds, so that few rows are searched twice.
#pragma once

#include "Checkpoint.h"
#include "Error.h"
#include "Spatial/NeighborRows.h"
#include "Spatial/PairHistory.h"
#include "Spatial/SphereIndex.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

struct RowTotals;

/// More neighbours than can be counted or listed: particles lie within one another.
class RowExploded : public Diverged
{
public:
  RowExploded(Index particle, const Vec3d& position, const std::string& predicate);
  Index particle() const { return particle_; }                ///< its place in the list
  const std::string& predicate() const { return predicate_; } ///< "has more than …; check …"

private:
  Index particle_;
  std::string predicate_;
};

class NeighborList
{
public:
  static constexpr Index kMostInRow = 1 << 20;
  static constexpr Offset kMostEntries = Offset(1) << 31;

  /// @param mostEntries of all rows together
  explicit NeighborList(PairMemory memory = {}, Offset mostEntries = kMostEntries)
    : memory_(memory)
    , mostEntries_(mostEntries)
    , history_(memory)
  {
  }

  /// Counts the contacts of each particle at the last step, before particles are put into another order.
  /// @param particles all that are there: those that came since have none
  void countContacts(const Executor& executor, Index particles, Buffer<Index>& counts);

  /// Lists the pairs of the sorted spheres and takes over the histories of the former list. Spheres that
  /// came since then stood behind the others before they were sorted.
  /// @param index sorted or located from these spheres; if sorted, the spheres are in that order now
  /// @param space where it repeats, pairs are those of the nearest images; twice the reach of the
  ///   largest pair, skin included, must fit into its box
  /// @throws RowExploded where a row has more than kMostInRow neighbours (it names one such, which depends
  ///   on threads) or all together have more entries than they may (it names the longest)
  void build(const Executor& executor, const SphereView& spheres, const SphereIndex& index,
    double skin, const Periodicity& space);

  NeighborView view() const;
  /// Entries in memory, spare ones included.
  Offset entries() const { return static_cast<Offset>(neighbor_.size()); }
  double bytes() const;

  /// Only the pairs that touch, as the next build() needs no others.
  void save(CheckpointWriter& writer) const;
  void restore(CheckpointReader& reader, Index particles);

private:
  template <class Search>
  void buildBy(const Executor& executor, const Search& search, const PairRule& rule);
  RowTotals measure(const Executor& executor, Index particles);
  void numberLongRows(const Executor& executor, Index particles, Index longRows, Offset first);
  void noteHistory(const Executor& executor);
  void carryHistory(const Executor& executor, const PairRule& rule, const SphereIndex& index);

  PairMemory memory_;
  Offset mostEntries_;
  Index particles_ = 0;
  Index longCount_ = 0;
  Index ahead_ = 0;        ///< see reachAhead()
  Index keptColumns_ = 16; ///< entries of a row that are kept while it is counted
  bool hasNoted_ = false;  ///< history_ is that of rows which are still to be made

  Buffer<Index> count_, longRow_;
  Buffer<Index> width_, chunkLong_; ///< by chunk: entries; how many rows are long
  Buffer<Offset> start_, chunkLongStart_;
  Buffer<Index> longParticle_, longLength_, longSize_;
  Buffer<Offset> longStart_;
  Buffer<Neighbor> neighbor_;
  Buffer<float> spring_; ///< and before that the room where rows wait while they are counted
  Buffer<float> angle_;
  Buffer<Index> overfull_; ///< one number
  PairHistory history_;
  Buffer<Index> places_;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
