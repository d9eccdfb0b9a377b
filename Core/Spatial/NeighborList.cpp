#include "Spatial/NeighborList.h"

#include "Parallel/Atomic.h"
#include "Spatial/CellSearch.h"
#include "Spatial/ReachAhead.h"
#include "Spatial/RowBuilding.h"
#include "Spatial/TreeSearch.h"

#include <algorithm>

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// What one pass over the chunks tells.
struct RowTotals
{
  Index unkept = 0; ///< rows to be searched again
  Index longRows = 0;
  Index longest = 0, longestOf = 0; ///< a row's entries and particle
  HOST_DEVICE RowTotals& operator+=(const RowTotals& b)
  {
    unkept += b.unkept;
    longRows += b.longRows;
    longestOf = b.longest > longest ? b.longestOf : longestOf;
    longest = b.longest > longest ? b.longest : longest;
    return *this;
  }
};

namespace
{

/// Reads spheres; writes the count of each row, and the row itself where it is short enough.
template <class Search>
struct FindNeighbors
{
  Search search;
  Index* counts;
  Neighbor* kept;
  Index keptColumns;
  Index* overfull; ///< the last particle with too many neighbours, -1 for none
  Index particles;
  HOST_DEVICE void operator()(Index call) const
  {
    // All are found before any is sorted: a row that was just written cannot be read at once.
    const Index first = call * kLanesPerCall;
    KeptRow found[kLanesPerCall];
    const Index last = particles - first < kLanesPerCall ? particles : first + kLanesPerCall;
    if (atomicRead(overfull) < 0)
      search.ofGroup(first, last, found);
    Index i = first;
    while (i < last && !found[i - first].isOverfull())
      ++i;
    if (i < last)
      atomicMaximum(overfull, i);
    Neighbor* chunk = kept + static_cast<Offset>(first / kRowLanes) * keptColumns * kRowLanes;
    for (Index k = 0; k < kLanesPerCall; ++k)
    {
      counts[first + k] = found[k].count();
      if (found[k].count() <= keptColumns)
        found[k].sortInto(chunk + (first + k) % kRowLanes);
    }
  }
};

/// Writes longRow, longParticle, longLength, longSize; sets the counts of long rows to 0.
struct NumberLongRows
{
  const Offset* first;
  Index* count;
  Index* longRow;
  Index* longParticle;
  Index* longLength;
  Index* longSize;
  HOST_DEVICE void operator()(Index chunk) const
  {
    Index r = static_cast<Index>(first[chunk]);
    for (Index i = chunk * kRowLanes; i < (chunk + 1) * kRowLanes; ++i)
    {
      if (count[i] <= kLongRow)
        continue;
      longRow[i] = r;
      longParticle[r] = i;
      longLength[r] = count[i];
      longSize[r] = (count[i] + kRowLanes - 1) / kRowLanes * kRowLanes;
      count[i] = 0;
      ++r;
    }
  }
};

/// Writes longStart.
struct MoveBehindChunks
{
  Offset chunksEnd;
  Offset* longStart;
  HOST_DEVICE void operator()(Index r) const { longStart[r] += chunksEnd; }
};

/// Reads counts and rows that were kept; writes the chunks but for the rows that were not.
struct FillChunk
{
  NeighborView rows;
  const Neighbor* kept;
  Index keptColumns;
  HOST_DEVICE void operator()(Index call) const
  {
    const Index first = call * kLanesPerCall, chunk = first / kRowLanes;
    const Index columns =
      static_cast<Index>((rows.start[chunk + 1] - rows.start[chunk]) / kRowLanes);
    const Index lane = first % kRowLanes;
    std::uint32_t self[kLanesPerCall];
    Index count[kLanesPerCall];
    for (Index i = 0; i < kLanesPerCall; ++i)
    {
      const Index last = rows.particles - 1;
      self[i] = static_cast<std::uint32_t>(first + i < last ? first + i : last);
      count[i] = rows.count[first + i] <= keptColumns ? rows.count[first + i] : 0;
    }
    for (Index k = 0; k < columns; ++k)
    {
      // Where there is nothing to take, what is read means nothing and may be anything that is there.
      const Index column = k < keptColumns ? k : 0;
      const Neighbor* from =
        kept + (static_cast<Offset>(chunk) * keptColumns + column) * kRowLanes + lane;
      Neighbor* to = rows.neighbor + rows.start[chunk] + static_cast<Offset>(k) * kRowLanes + lane;
      std::uint32_t bits[kLanesPerCall];
      for (Index i = 0; i < kLanesPerCall; ++i)
        bits[i] = from[i].bits;
      for (Index i = 0; i < kLanesPerCall; ++i)
        bits[i] = k < count[i] ? bits[i] : self[i];
      for (Index i = 0; i < kLanesPerCall; ++i)
        to[i].bits = bits[i];
    }
  }
};

/// Reads spheres; writes the rows of chunks that were not kept.
template <class Search>
struct FillUnkept
{
  Search search;
  NeighborView rows;
  Index keptColumns;
  HOST_DEVICE void operator()(Index i) const
  {
    if (rows.count[i] <= keptColumns)
      return;
    KeptRow row;
    search(i, row);
    row.sortInto(rows.neighbor + rows.row(i).first);
  }
};

/// Reads spheres; writes the long rows.
template <class Search>
struct FillLongRow
{
  Search search;
  PairRule rule;
  NeighborView rows;
  HOST_DEVICE void operator()(Index r) const
  {
    const Index i = rows.longParticle[r];
    Neighbor* entries = rows.neighbor + rows.longStart[r];
    LongRow row(entries);
    search(i, row);
    heapSort(entries, row.count(), IsNearer{ rule, i });
    for (Offset k = row.count(); k < rows.longStart[r + 1] - rows.longStart[r]; ++k)
      entries[k] = { static_cast<std::uint32_t>(i) };
  }
};

/// Writes places, the inverse of order.
struct InvertOrder
{
  const Index* order;
  Index* places;
  HOST_DEVICE void operator()(Index i) const { places[order[i]] = i; }
};

/// Reads counts; writes longRow, the width of each chunk and how many of its rows are long.
struct MeasureChunk
{
  Index keptColumns;
  const Index* count;
  Index* longRow;
  Index* width;
  Index* chunkLong;
  HOST_DEVICE RowTotals operator()(Index chunk) const
  {
    RowTotals totals;
    Index widest = 0;
    for (Index i = chunk * kRowLanes; i < (chunk + 1) * kRowLanes; ++i)
    {
      longRow[i] = -1;
      const bool isLong = count[i] > kLongRow;
      totals.longRows += isLong ? 1 : 0;
      totals.unkept += !isLong && count[i] > keptColumns ? 1 : 0;
      widest = !isLong && count[i] > widest ? count[i] : widest;
      totals.longestOf = count[i] > totals.longest ? i : totals.longestOf;
      totals.longest = count[i] > totals.longest ? count[i] : totals.longest;
    }
    width[chunk] = widest * kRowLanes;
    chunkLong[chunk] = totals.longRows;
    return totals;
  }
};

} // namespace

RowExploded::RowExploded(Index particle, const Vec3d& position, const std::string& predicate)
  : Diverged("particle " + std::to_string(particle) + " of the list, at (" +
             std::to_string(position.x) + ", " + std::to_string(position.y) + ", " +
             std::to_string(position.z) + ") m, " + predicate)
  , particle_(particle)
  , predicate_(predicate)
{
}

void NeighborList::build(const Executor& executor, const SphereView& spheres,
  const SphereIndex& index, double skin, const Periodicity& space)
{
  noteHistory(executor);
  hasNoted_ = false;
  const PairRule rule{ spheres, space, skin };
  const NearSpheres near = index.near(spheres, space);
  if (index.byTree())
    buildBy(executor, TreeSearch{ near, rule }, rule);
  else
    buildBy(executor, CellSearch{ near, rule }, rule);
  carryHistory(executor, rule, index);
}

template <class Search>
void NeighborList::buildBy(const Executor& executor, const Search& search, const PairRule& rule)
{
  const Index particles = rule.spheres.count;
  const Index chunks = (particles + kRowLanes - 1) / kRowLanes;
  const std::size_t lanes = static_cast<std::size_t>(chunks) * kRowLanes;
  particles_ = particles;
  count_.resizeDiscarding(lanes);
  longRow_.resizeDiscarding(lanes);
  overfull_.upload({ -1 });

  static_assert(sizeof(Neighbor) == sizeof(float), "rows wait where springs will be");
  spring_.resizeDiscarding(lanes * static_cast<std::size_t>(keptColumns_));
  auto* const kept = reinterpret_cast<Neighbor*>(spring_.data());
  const Index keptColumns = keptColumns_;
  executor.forEach("neighbors.find", chunks * (kRowLanes / kLanesPerCall),
    FindNeighbors<Search>{ search, count_.data(), kept, keptColumns, overfull_.data(), particles });

  const auto refuse = [&](Index i, const std::string& what)
  {
    auto sphere = Sphere{};
    copyToHost(&sphere, rule.spheres.sphere + i, sizeof(sphere));
    throw RowExploded(i, sphere.position, what + "; check where particles start, and radii");
  };
  const Index overfull = overfull_.download()[0];
  if (overfull >= 0)
    refuse(overfull, "has more than " + std::to_string(kMostInRow) + " neighbours");

  const RowTotals totals = measure(executor, particles);
  const Offset ofChunks = executor.exclusiveScan("neighbors.scan", width_, start_);
  numberLongRows(executor, particles, totals.longRows, ofChunks);
  const Offset all = totals.longRows > 0
                       ? longStart_.download(static_cast<std::size_t>(totals.longRows), 1)[0]
                       : ofChunks;
  if (all > mostEntries_)
    refuse(totals.longestOf, "has " + std::to_string(totals.longest) +
                               " neighbours, and all particles together more than " +
                               std::to_string(mostEntries_));

  const auto entries = static_cast<std::size_t>(all);
  neighbor_.resizeDiscarding(entries);
  Buffer<float> waiting; // holds what is in it until the rows are filled
  const std::size_t springs = memory_.slips ? 3 * entries : 0;
  if (springs * sizeof(float) > spring_.bytes())
    waiting.swap(spring_);
  spring_.resizeDiscarding(springs);
  angle_.resizeDiscarding(memory_.rolls ? 3 * entries : 0);

  executor.forEach(
    "neighbors.fill", chunks * (kRowLanes / kLanesPerCall), FillChunk{ view(), kept, keptColumns });
  if (totals.unkept > 0)
    executor.forEach(
      "neighbors.fillUnkept", particles, FillUnkept<Search>{ search, view(), keptColumns });
  executor.forEach(
    "neighbors.fillLong", totals.longRows, FillLongRow<Search>{ search, rule, view() });
  keptColumns_ = totals.unkept > particles / 8 ? kLongRow : kLongRow / 2;
  ahead_ = reachAhead(executor, view());
}

RowTotals NeighborList::measure(const Executor& executor, Index particles)
{
  const Index chunks = (particles + kRowLanes - 1) / kRowLanes;
  width_.resizeDiscarding(chunks);
  chunkLong_.resizeDiscarding(chunks);
  return executor.sum<RowTotals>("neighbors.measure", chunks,
    MeasureChunk{ keptColumns_, count_.data(), longRow_.data(), width_.data(), chunkLong_.data() });
}

/// @param first where they begin
void NeighborList::numberLongRows(
  const Executor& executor, Index particles, Index longRows, Offset first)
{
  longCount_ = longRows;
  longParticle_.resizeDiscarding(longRows);
  longLength_.resizeDiscarding(longRows);
  longSize_.resizeDiscarding(longRows);
  if (longRows == 0)
    return;
  executor.exclusiveScan("neighbors.scanLong", chunkLong_, chunkLongStart_);
  executor.forEach("neighbors.numberLong", (particles + kRowLanes - 1) / kRowLanes,
    NumberLongRows{ chunkLongStart_.data(), count_.data(), longRow_.data(), longParticle_.data(),
      longLength_.data(), longSize_.data() });
  executor.exclusiveScan("neighbors.scanLongRows", longSize_, longStart_);
  executor.forEach(
    "neighbors.moveLong", longRows + 1, MoveBehindChunks{ first, longStart_.data() });
}

void NeighborList::noteHistory(const Executor& executor)
{
  if (!hasNoted_)
    history_.note(executor, view());
  hasNoted_ = true;
}

void NeighborList::countContacts(const Executor& executor, Index particles, Buffer<Index>& counts)
{
  noteHistory(executor);
  history_.count(executor, particles, counts);
}

void NeighborList::carryHistory(
  const Executor& executor, const PairRule& rule, const SphereIndex& index)
{
  NewPlaces places{};
  if (index.reorders())
  {
    const auto sorted = static_cast<Index>(index.order().size());
    places_.resizeDiscarding(static_cast<std::size_t>(sorted));
    executor.forEach(
      "neighbors.invertOrder", sorted, InvertOrder{ index.order().data(), places_.data() });
    places = { index.order().data(), places_.data() };
  }
  history_.carryInto(executor, rule, places, view());
}

NeighborView NeighborList::view() const
{
  return { particles_, start_.data(), count_.data(), neighbor_.data(),
    memory_.slips ? spring_.data() : nullptr, memory_.rolls ? angle_.data() : nullptr, longCount_,
    longParticle_.data(), longStart_.data(), longLength_.data(), longRow_.data(), ahead_ };
}

double NeighborList::bytes() const
{
  return static_cast<double>(
    count_.bytes() + longRow_.bytes() + width_.bytes() + chunkLong_.bytes() + start_.bytes() +
    chunkLongStart_.bytes() + longParticle_.bytes() + longLength_.bytes() + longSize_.bytes() +
    longStart_.bytes() + neighbor_.bytes() + spring_.bytes() + angle_.bytes() + overfull_.bytes() +
    history_.bytes() + places_.bytes());
}

void NeighborList::save(CheckpointWriter& writer) const
{
  if (hasNoted_)
    return history_.save(writer);
  PairHistory history(memory_);
  history.note(Executor(0), view());
  history.save(writer);
}

void NeighborList::restore(CheckpointReader& reader, Index particles)
{
  history_.restore(reader, particles);
  particles_ = 0;
  longCount_ = 0;
  hasNoted_ = true;
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
