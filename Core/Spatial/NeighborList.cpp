#include "Spatial/NeighborList.h"

#include "Parallel/Atomic.h"
#include "Parallel/Fill.h"
#include "Spatial/CellSearch.h"
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
    const Index first = call * Lanes::kPerCall;
    KeptRow found[Lanes::kPerCall];
    const Index last = particles - first < Lanes::kPerCall ? particles : first + Lanes::kPerCall;
    if (atomicRead(overfull) < 0)
      search.ofGroup(first, last, found);
    Index i = first;
    while (i < last && !found[i - first].isOverfull())
      ++i;
    if (i < last)
      atomicMaximum(overfull, i);
    Neighbor* chunk = kept + static_cast<Offset>(first / kRowLanes) * keptColumns * kRowLanes;
    for (Index k = 0; k < Lanes::kPerCall; ++k)
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
    const Index first = call * Lanes::kPerCall, chunk = first / kRowLanes;
    const Index columns =
      static_cast<Index>((rows.start[chunk + 1] - rows.start[chunk]) / kRowLanes);
    const Index lane = first % kRowLanes;
    std::uint32_t self[Lanes::kPerCall];
    Index count[Lanes::kPerCall];
    for (Index i = 0; i < Lanes::kPerCall; ++i)
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
      std::uint32_t bits[Lanes::kPerCall];
      for (Index i = 0; i < Lanes::kPerCall; ++i)
        bits[i] = from[i].bits;
      for (Index i = 0; i < Lanes::kPerCall; ++i)
        bits[i] = k < count[i] ? bits[i] : self[i];
      for (Index i = 0; i < Lanes::kPerCall; ++i)
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

/// The entries of touching pairs in the lower particle's row, some at a time: visit(entry, mask of those
/// from there on, particle of the first, what to add for the next).
/// Calls are those of the chunks, then one for each long row.
template <class Visit>
HOST_DEVICE void forEachTouching(const NeighborView& rows, Index call, const Visit& visit)
{
  const auto touching = [&](Offset e, Lanes::Ints own)
  {
    const auto* bits = reinterpret_cast<const std::int32_t*>(rows.neighbor + e);
    // Without its highest bit a touching entry is its index, any other is negative.
    const Lanes::Ints other =
      Lanes::load(bits) ^ Lanes::all(std::numeric_limits<std::int32_t>::min());
    return Lanes::below(own, other);
  };
  const Index callsOfChunks = rows.chunks() * (kRowLanes / Lanes::kPerCall);
  if (call >= callsOfChunks)
  {
    const Index r = call - callsOfChunks;
    const Index i = rows.longParticle[r];
    for (Offset e = rows.longStart[r]; e < rows.longStart[r + 1]; e += Lanes::kCount)
      visit(e, touching(e, Lanes::all(i)), i, 0);
    return;
  }
  const Index first = call * Lanes::kPerCall, chunk = first / kRowLanes;
  for (Offset row = rows.start[chunk]; row < rows.start[chunk + 1]; row += kRowLanes)
    for (Index i = first; i < first + Lanes::kPerCall; i += Lanes::kCount)
    {
      const Offset e = row + i % kRowLanes;
      visit(e, touching(e, Lanes::countFrom(i)), i, 1);
    }
}

Index callsForTouching(const NeighborView& rows)
{
  return rows.chunks() * (kRowLanes / Lanes::kPerCall) + rows.longCount;
}

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

/// Reads rows; writes counts.
struct CountTouching
{
  NeighborView rows;
  Index* counts;
  HOST_DEVICE void operator()(Index call) const
  {
    Index found = 0;
    forEachTouching(
      rows, call, [&](Offset, Lanes::Mask mask, Index, Index) { found += Lanes::count(mask); });
    counts[call] = found;
  }
};

/// Reads rows, start; writes the pairs.
struct GatherTouching
{
  NeighborView rows;
  const Offset* start;
  TouchingPair* pair;
  Vec3f* spring;
  Vec3f* angle;
  HOST_DEVICE void operator()(Index call) const
  {
    Offset next = start[call];
    forEachTouching(rows, call,
      [&](Offset e, Lanes::Mask mask, Index i, Index step)
      {
        Lanes::forEach(mask,
          [&](int k)
          {
            pair[next] = { i + step * k, rows.neighbor[e + k].index() };
            if (rows.spring)
              spring[next] = NeighborView::read(rows.spring, e + k);
            if (rows.angle)
              angle[next] = NeighborView::read(rows.angle, e + k);
            ++next;
          });
      });
  }
};

/// Reads pairs; adds to the counts of both.
struct CountContacts
{
  const TouchingPair* pair;
  Index* counts;
  HOST_DEVICE void operator()(Index p) const
  {
    atomicIncrement(counts + pair[p].a);
    atomicIncrement(counts + pair[p].b);
  }
};

/// Reads the former pairs, places, spheres; writes histories and the touching bit of the new rows.
struct CarryHistory
{
  const TouchingPair* pair;
  const Vec3f* spring;
  const Vec3f* angle;
  const Index* places; ///< null where particles stayed where they were
  PairRule rule;
  NeighborView rows;
  HOST_DEVICE void operator()(Index p) const
  {
    const Index a = places ? places[pair[p].a] : pair[p].a;
    const Index b = places ? places[pair[p].b] : pair[p].b;
    if (a >= rows.particles || b >= rows.particles)
      return;
    remember(a, b, p, 1);
    remember(b, a, p, -1);
  }

private:
  HOST_DEVICE void remember(Index i, Index j, Index p, float sign) const
  {
    const RowSpan row = rows.row(i);
    const Index k = find(row, i, j);
    if (k == row.count || rows.neighbor[row[k]].index() != j)
      return; // they are no longer near
    const Offset e = row[k];
    rows.neighbor[e].bits |= Neighbor::kTouching;
    if (rows.spring)
      NeighborView::write(rows.spring, e, sign * spring[p]);
    if (rows.angle)
      NeighborView::write(rows.angle, e, sign * angle[p]);
  }
  HOST_DEVICE Index find(const RowSpan& row, Index i, Index j) const
  {
    Index k = 0;
    if (row.count <= kLongRow)
    {
      while (k < row.count && rows.neighbor[row[k]].index() != j)
        ++k;
      return k;
    }
    const IsNearer isNearer{ rule, i };
    for (Index length = row.count; length > 0;)
    {
      const Index half = length / 2;
      const bool below = isNearer(rows.neighbor[row[k + half]], { static_cast<std::uint32_t>(j) });
      k += below ? half + 1 : 0;
      length = below ? length - half - 1 : half;
    }
    return k;
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
  noteTouching(executor);
  hasNoted_ = false;
  const PairRule rule{ spheres, space, skin };
  const NearSpheres near = index.near(spheres, space);
  if (index.byTree())
    buildBy(executor, TreeSearch{ near, rule }, rule);
  else
    buildBy(executor, CellSearch{ near, rule }, rule);
  carryHistories(executor, rule, index);
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
  executor.forEach("neighbors.find", chunks * (kRowLanes / Lanes::kPerCall),
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
  if (all > kMostEntries)
    refuse(totals.longestOf, "has " + std::to_string(totals.longest) +
                               " neighbours, and all particles together more than " +
                               std::to_string(kMostEntries));

  const auto entries = static_cast<std::size_t>(all);
  neighbor_.resizeDiscarding(entries);
  Buffer<float> waiting; // holds what is in it until the rows are filled
  const std::size_t springs = memory_.slips ? 3 * entries : 0;
  if (springs * sizeof(float) > spring_.bytes())
    waiting.swap(spring_);
  spring_.resizeDiscarding(springs);
  angle_.resizeDiscarding(memory_.rolls ? 3 * entries : 0);

  executor.forEach("neighbors.fill", chunks * (kRowLanes / Lanes::kPerCall),
    FillChunk{ view(), kept, keptColumns });
  if (totals.unkept > 0)
    executor.forEach(
      "neighbors.fillUnkept", particles, FillUnkept<Search>{ search, view(), keptColumns });
  executor.forEach(
    "neighbors.fillLong", totals.longRows, FillLongRow<Search>{ search, rule, view() });
  keptColumns_ = totals.unkept > particles / 8 ? kLongRow : kLongRow / 2;
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

void NeighborList::noteTouching(const Executor& executor)
{
  if (!hasNoted_)
    gatherTouching(executor, former_);
  hasNoted_ = true;
}

void NeighborList::countContacts(const Executor& executor, Index particles, Buffer<Index>& counts)
{
  noteTouching(executor);
  counts.resizeDiscarding(particles);
  executor.forEach("neighbors.clearCounts", particles, Fill<Index>{ counts.data(), 0 });
  executor.forEach("neighbors.countContacts", static_cast<Index>(former_.pair.size()),
    CountContacts{ former_.pair.data(), counts.data() });
}

void NeighborList::gatherTouching(const Executor& executor, TouchingPairs& pairs) const
{
  const NeighborView rows = view();
  const Index calls = callsForTouching(rows);
  Buffer<Index> counts;
  Buffer<Offset> start;
  counts.resizeDiscarding(calls);
  executor.forEach("neighbors.countTouching", calls, CountTouching{ rows, counts.data() });
  const auto total =
    static_cast<std::size_t>(executor.exclusiveScan("neighbors.scanTouching", counts, start));
  pairs.pair.resizeDiscarding(total);
  pairs.spring.resizeDiscarding(memory_.slips ? total : 0);
  pairs.angle.resizeDiscarding(memory_.rolls ? total : 0);
  executor.forEach("neighbors.gatherTouching", calls,
    GatherTouching{
      rows, start.data(), pairs.pair.data(), pairs.spring.data(), pairs.angle.data() });
}

void NeighborList::carryHistories(
  const Executor& executor, const PairRule& rule, const SphereIndex& index)
{
  const Index* places = nullptr;
  if (index.reorders())
  {
    const auto sorted = static_cast<Index>(index.order().size());
    places_.resizeDiscarding(static_cast<std::size_t>(sorted));
    executor.forEach(
      "neighbors.invertOrder", sorted, InvertOrder{ index.order().data(), places_.data() });
    places = places_.data();
  }
  executor.forEach("neighbors.carryHistories", static_cast<Index>(former_.pair.size()),
    CarryHistory{
      former_.pair.data(), former_.spring.data(), former_.angle.data(), places, rule, view() });
}

NeighborView NeighborList::view() const
{
  return { particles_, start_.data(), count_.data(), neighbor_.data(),
    memory_.slips ? spring_.data() : nullptr, memory_.rolls ? angle_.data() : nullptr, longCount_,
    longParticle_.data(), longStart_.data(), longLength_.data(), longRow_.data() };
}

double NeighborList::bytes() const
{
  return static_cast<double>(
    count_.bytes() + longRow_.bytes() + width_.bytes() + chunkLong_.bytes() + start_.bytes() +
    chunkLongStart_.bytes() + longParticle_.bytes() + longLength_.bytes() + longSize_.bytes() +
    longStart_.bytes() + neighbor_.bytes() + spring_.bytes() + angle_.bytes() + overfull_.bytes() +
    former_.pair.bytes() + former_.spring.bytes() + former_.angle.bytes() + places_.bytes());
}

void NeighborList::save(CheckpointWriter& writer) const
{
  TouchingPairs touching;
  if (!hasNoted_)
    gatherTouching(Executor(0), touching);
  const TouchingPairs& pairs = hasNoted_ ? former_ : touching;
  writer.beginSection("neighbors", 3);
  writer.array(pairs.pair.download());
  writer.array(pairs.spring.download());
  writer.array(pairs.angle.download());
}

void NeighborList::restore(CheckpointReader& reader, Index particles)
{
  reader.expectSection("neighbors", 3);
  const auto pair = reader.array<TouchingPair>(kMostEntries);
  const auto spring = reader.array<Vec3f>(pair.size());
  const auto angle = reader.array<Vec3f>(pair.size());
  const bool sound =
    spring.size() == (memory_.slips ? pair.size() : 0) &&
    angle.size() == (memory_.rolls ? pair.size() : 0) &&
    std::all_of(pair.begin(), pair.end(),
      [&](const TouchingPair& p) { return p.a >= 0 && p.a < p.b && p.b < particles; });
  if (!sound)
    throw InvalidInput("the checkpoint's list of contacts contradicts itself; compute it anew");
  former_.pair.upload(pair);
  former_.spring.upload(spring);
  former_.angle.upload(angle);
  particles_ = 0;
  longCount_ = 0;
  hasNoted_ = true;
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
