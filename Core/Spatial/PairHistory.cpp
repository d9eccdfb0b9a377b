#include "Spatial/PairHistory.h"

#include "Error.h"
#include "Math/Lanes.h"
#include "Parallel/Atomic.h"
#include "Spatial/RowBuilding.h"

#include <algorithm>

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// As many as entries of a list, each pair in two of them.
constexpr std::uint64_t kMostPairs = static_cast<std::uint64_t>(NeighborList::kMostEntries) / 2;

constexpr auto kTouching = static_cast<std::int32_t>(Neighbor::kTouching);

HOST_DEVICE IntLanes loadEntries(const Neighbor* from)
{
  return loadLanes(reinterpret_cast<const std::int32_t*>(from));
}

/// Reads rows; writes the width of each chunk, in entries.
struct MeasureTouching
{
  NeighborView rows;
  Index* width;
  HOST_DEVICE void operator()(Index chunk) const
  {
    Offset last = rows.start[chunk];
    for (Offset e = rows.start[chunk]; e < rows.start[chunk + 1]; e += kLanes)
      if (any(loadEntries(rows.neighbor + e) < IntLanes(0)))
        last = (e / kRowLanes + 1) * kRowLanes;
    width[chunk] = static_cast<Index>(last - rows.start[chunk]);
  }
};

/// Reads rows; writes noted rows.
struct NoteRows
{
  NeighborView rows;
  const Offset* start;
  std::int32_t* other;
  float* spring;
  float* angle;
  HOST_DEVICE void operator()(Index chunk) const
  {
    const Offset from = rows.start[chunk], to = start[chunk], count = start[chunk + 1] - to;
    for (Offset e = 0; e < count; e += kLanes)
    {
      const IntLanes entries = loadEntries(rows.neighbor + from + e);
      storeLanes(other + to + e,
        select(entries < IntLanes(0), entries & IntLanes(~kTouching), IntLanes(-1)));
    }
    if (rows.spring)
      copy(rows.spring, from, spring, to, count);
    if (rows.angle)
      copy(rows.angle, from, angle, to, count);
  }

private:
  HOST_DEVICE static void copy(
    const float* history, Offset from, float* noted, Offset to, Offset entries)
  {
    for (Offset f = 0; f < 3 * entries; f += kLanes)
      storeLanes(noted + 3 * to + f, loadLanes(history + 3 * from + f));
  }
};

/// Reads rows; writes how many entries of a long row touch.
struct CountInLongRow
{
  NeighborView rows;
  Index* counts;
  HOST_DEVICE void operator()(Index r) const
  {
    Index found = 0;
    for (Index k = 0; k < rows.longLength[r]; ++k)
      found += rows.neighbor[rows.longStart[r] + k].touching() ? 1 : 0;
    counts[r] = found;
  }
};

/// Reads rows; writes the pairs of a long row.
struct NoteLongRow
{
  NeighborView rows;
  const Offset* start;
  TouchingPair* pair;
  Vec3f* spring;
  Vec3f* angle;
  HOST_DEVICE void operator()(Index r) const
  {
    Offset next = start[r];
    for (Offset e = rows.longStart[r]; e < rows.longStart[r] + rows.longLength[r]; ++e)
    {
      if (!rows.neighbor[e].touching())
        continue;
      pair[next] = { rows.longParticle[r], rows.neighbor[e].index() };
      if (rows.spring)
        spring[next] = NeighborView::read(rows.spring, e);
      if (rows.angle)
        angle[next] = NeighborView::read(rows.angle, e);
      ++next;
    }
  }
};

/// The noted rows of the particles of some lanes.
struct NotedOfLanes
{
  NotedRows noted;
  NewPlaces places;
  bool isOneLoad; ///< whether they stand side by side
  Offset from[kLanes];
  Index columns[kLanes];
  Index longest = 0;

  /// @param first of the lanes' particles; those from `last` on have no rows
  HOST_DEVICE NotedOfLanes(
    const NotedRows& rows, const NewPlaces& placesOf, Index first, Index last)
    : noted(rows)
    , places(placesOf)
    , isOneLoad(!places.order && first + kLanes <= last && first + kLanes <= noted.particles)
  {
    for (int lane = 0; lane < kLanes; ++lane)
    {
      const Index i = first + lane;
      const Index former = i < last && places.order ? places.order[i] : i;
      const bool known = i < last && former < noted.particles;
      const Index chunk = known ? former / kRowLanes : 0;
      from[lane] = known ? noted.start[chunk] + former % kRowLanes : 0;
      columns[lane] =
        known ? static_cast<Index>((noted.start[chunk + 1] - noted.start[chunk]) / kRowLanes) : 0;
      longest = columns[lane] > longest ? columns[lane] : longest;
    }
  }

  HOST_DEVICE Offset entry(int lane, Index column) const
  {
    return from[lane] + column * static_cast<Offset>(kRowLanes);
  }
  /// Where those are now with whom the particles touched, -1 for none.
  HOST_DEVICE IntLanes others(Index column) const
  {
    if (isOneLoad)
      return loadLanes(noted.other + entry(0, column));
    return ofEachLane<std::int32_t>([&](int lane) { return other(lane, column); });
  }
  HOST_DEVICE std::int32_t other(int lane, Index column) const
  {
    const std::int32_t former = column < columns[lane] ? noted.other[entry(lane, column)] : -1;
    return former >= 0 && places.place ? places.place[former] : former;
  }
  /// A component of a history.
  HOST_DEVICE FloatLanes component(const float* history, Index column, int axis) const
  {
    if (isOneLoad)
      return loadLanes(history + NeighborView::historyOf(entry(0, column)) + axis * kRowLanes);
    return ofEachLane<float>(
      [&](int lane)
      {
        return column < columns[lane]
                 ? history[NeighborView::historyOf(entry(lane, column)) + axis * kRowLanes]
                 : 0.0f;
      });
  }
};

/// Reads noted rows; updates the rows within chunks.
struct CarryInLanes
{
  NotedRows noted;
  NewPlaces places;
  NeighborView rows;

  HOST_DEVICE void operator()(Index call) const
  {
    const Index first = call * kLanes;
    const NotedOfLanes former(noted, places, first, rows.particles);
    for (Index column = 0; column < former.longest; ++column)
      find(former, column, first);
  }

private:
  HOST_DEVICE void find(const NotedOfLanes& former, Index column, Index first) const
  {
    const IntLanes other = former.others(column);
    TruthLanes sought = other > IntLanes(-1);
    const Index chunk = first / kRowLanes;
    for (Offset e = rows.start[chunk] + first % kRowLanes; e < rows.start[chunk + 1] && any(sought);
         e += kRowLanes)
    {
      const IntLanes entries = loadEntries(rows.neighbor + e);
      const TruthLanes found = sought & ((entries & IntLanes(~kTouching)) == other);
      if (!any(found))
        continue;
      sought = sought & !found;
      storeLanes(reinterpret_cast<std::int32_t*>(rows.neighbor + e),
        select(found, entries | IntLanes(kTouching), entries));
      if (rows.spring)
        copy(former, noted.spring, column, rows.spring, e, found);
      if (rows.angle)
        copy(former, noted.angle, column, rows.angle, e, found);
    }
  }
  HOST_DEVICE static void copy(const NotedOfLanes& former, const float* from, Index column,
    float* history, Offset e, const TruthLanes& which)
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      float* const to = history + NeighborView::historyOf(e) + axis * kRowLanes;
      storeLanes(to, select(which, former.component(from, column, axis), loadLanes(to)));
    }
  }
};

/// Sets an entry of particle i, if j is in its row.
struct SetEntry
{
  PairRule rule;
  NeighborView rows;

  HOST_DEVICE void operator()(Index i, Index j, const Vec3f* spring, const Vec3f* angle) const
  {
    const RowSpan row = rows.row(i);
    const Index k = find(row, i, j);
    if (k == row.count || rows.neighbor[row[k]].index() != j)
      return; // they are no longer near
    rows.neighbor[row[k]].bits |= Neighbor::kTouching;
    if (rows.spring)
      NeighborView::write(rows.spring, row[k], *spring);
    if (rows.angle)
      NeighborView::write(rows.angle, row[k], *angle);
  }

private:
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

/// Reads noted rows; updates a long row.
struct CarryIntoLongRow
{
  NotedRows noted;
  NewPlaces places;
  SetEntry setEntry;

  HOST_DEVICE void operator()(Index r) const
  {
    const NeighborView& rows = setEntry.rows;
    const Index i = rows.longParticle[r], former = places.order ? places.order[i] : i;
    if (former >= noted.particles)
      return;
    const Index chunk = former / kRowLanes;
    for (Offset e = noted.start[chunk] + former % kRowLanes; e < noted.start[chunk + 1];
         e += kRowLanes)
    {
      const std::int32_t other = noted.other[e];
      const std::int32_t j = other >= 0 && places.place ? places.place[other] : other;
      if (j < 0 || j >= rows.particles)
        continue;
      const Vec3f spring = rows.spring ? NeighborView::read(noted.spring, e) : Vec3f{};
      const Vec3f angle = rows.angle ? NeighborView::read(noted.angle, e) : Vec3f{};
      setEntry(i, j, &spring, &angle);
    }
  }
};

/// Reads pairs; updates rows.
struct CarryPair
{
  const TouchingPair* pair;
  const Vec3f* spring;
  const Vec3f* angle;
  NewPlaces places;
  SetEntry setEntry;

  HOST_DEVICE void operator()(Index p) const
  {
    const Index i = places.place ? places.place[pair[p].a] : pair[p].a;
    const Index j = places.place ? places.place[pair[p].b] : pair[p].b;
    if (i < setEntry.rows.particles && j < setEntry.rows.particles)
      setEntry(i, j, spring + p, angle + p);
  }
};

/// Reads noted rows; writes counts.
struct CountNoted
{
  NotedRows noted;
  Index* counts;
  HOST_DEVICE void operator()(Index i) const
  {
    Index found = 0;
    if (i < noted.particles)
    {
      const Index chunk = i / kRowLanes;
      for (Offset e = noted.start[chunk] + i % kRowLanes; e < noted.start[chunk + 1];
           e += kRowLanes)
        found += noted.other[e] >= 0 ? 1 : 0;
    }
    counts[i] = found;
  }
};

/// Reads pairs; adds to the counts.
struct CountPair
{
  const TouchingPair* pair;
  Index* counts;
  HOST_DEVICE void operator()(Index p) const { atomicIncrement(counts + pair[p].a); }
};

} // namespace

void PairHistory::note(const Executor& executor, const NeighborView& rows)
{
  particles_ = rows.particles;
  const Index chunks = rows.chunks();
  width_.resizeDiscarding(static_cast<std::size_t>(chunks));
  executor.forEach("history.measure", chunks, MeasureTouching{ rows, width_.data() });
  const auto entries =
    static_cast<std::size_t>(executor.exclusiveScan("history.scan", width_, start_));
  other_.resizeDiscarding(entries);
  spring_.resizeDiscarding(memory_.slips ? 3 * entries : 0);
  angle_.resizeDiscarding(memory_.rolls ? 3 * entries : 0);
  executor.forEach("history.note", chunks,
    NoteRows{ rows, start_.data(), other_.data(), spring_.data(), angle_.data() });

  pairCount_.resizeDiscarding(static_cast<std::size_t>(rows.longCount));
  executor.forEach(
    "history.countInLongRow", rows.longCount, CountInLongRow{ rows, pairCount_.data() });
  const auto pairs =
    static_cast<std::size_t>(executor.exclusiveScan("history.scanPairs", pairCount_, pairStart_));
  pair_.resizeDiscarding(pairs);
  pairSpring_.resizeDiscarding(memory_.slips ? pairs : 0);
  pairAngle_.resizeDiscarding(memory_.rolls ? pairs : 0);
  executor.forEach("history.noteLongRow", rows.longCount,
    NoteLongRow{ rows, pairStart_.data(), pair_.data(), pairSpring_.data(), pairAngle_.data() });
}

void PairHistory::carryInto(const Executor& executor, const PairRule& rule, const NewPlaces& places,
  const NeighborView& rows) const
{
  const NotedRows noted = this->rows();
  const SetEntry setEntry{ rule, rows };
  if (particles_ > 0)
  {
    executor.forEach("history.carryInLanes", rows.chunks() * (kRowLanes / kLanes),
      CarryInLanes{ noted, places, rows });
    executor.forEach(
      "history.carryIntoLongRow", rows.longCount, CarryIntoLongRow{ noted, places, setEntry });
  }
  executor.forEach("history.carryPair", static_cast<Index>(pair_.size()),
    CarryPair{ pair_.data(), pairSpring_.data(), pairAngle_.data(), places, setEntry });
}

void PairHistory::count(const Executor& executor, Index particles, Buffer<Index>& counts) const
{
  counts.resizeDiscarding(static_cast<std::size_t>(particles));
  executor.forEach("history.countNoted", particles, CountNoted{ rows(), counts.data() });
  executor.forEach("history.countPair", static_cast<Index>(pair_.size()),
    CountPair{ pair_.data(), counts.data() });
}

NotedRows PairHistory::rows() const
{
  return { particles_, start_.data(), other_.data(), spring_.data(), angle_.data() };
}

double PairHistory::bytes() const
{
  return static_cast<double>(width_.bytes() + start_.bytes() + other_.bytes() + spring_.bytes() +
                             angle_.bytes() + pair_.bytes() + pairSpring_.bytes() +
                             pairAngle_.bytes() + pairCount_.bytes() + pairStart_.bytes());
}

void PairHistory::save(CheckpointWriter& writer) const
{
  std::vector<TouchingPair> pair;
  std::vector<Vec3f> spring, angle;
  const auto keepOne = [&](TouchingPair touching, const Vec3f& slip, const Vec3f& roll)
  {
    if (touching.a >= touching.b)
      return;
    pair.push_back(touching);
    if (memory_.slips)
      spring.push_back(slip);
    if (memory_.rolls)
      angle.push_back(roll);
  };
  const std::vector<Offset> start = start_.download();
  const std::vector<std::int32_t> other = other_.download();
  const std::vector<float> springs = spring_.download(), angles = angle_.download();
  for (Index i = 0; i < particles_; ++i)
    for (Offset e = start[i / kRowLanes] + i % kRowLanes; e < start[i / kRowLanes + 1];
         e += kRowLanes)
      keepOne({ i, other[e] }, memory_.slips ? NeighborView::read(springs.data(), e) : Vec3f{},
        memory_.rolls ? NeighborView::read(angles.data(), e) : Vec3f{});

  const std::vector<TouchingPair> apart = pair_.download();
  const std::vector<Vec3f> slips = pairSpring_.download(), rolls = pairAngle_.download();
  for (std::size_t p = 0; p < apart.size(); ++p)
    keepOne(apart[p], memory_.slips ? slips[p] : Vec3f{}, memory_.rolls ? rolls[p] : Vec3f{});

  writer.beginSection("neighbors", 3);
  writer.array(pair);
  writer.array(spring);
  writer.array(angle);
}

void PairHistory::restore(CheckpointReader& reader, Index particles)
{
  reader.expectSection("neighbors", 3);
  auto pair = reader.array<TouchingPair>(kMostPairs);
  auto spring = reader.array<Vec3f>(pair.size());
  auto angle = reader.array<Vec3f>(pair.size());
  const bool sound =
    spring.size() == (memory_.slips ? pair.size() : 0) &&
    angle.size() == (memory_.rolls ? pair.size() : 0) &&
    std::all_of(pair.begin(), pair.end(),
      [&](const TouchingPair& p) { return p.a >= 0 && p.a < p.b && p.b < particles; });
  if (!sound)
    throw InvalidInput("the checkpoint's list of contacts contradicts itself; compute it anew");

  // As seen from both.
  const auto mirror = [](auto& values, const auto& mirrored)
  {
    const std::size_t count = values.size();
    values.reserve(2 * count);
    for (std::size_t k = 0; k < count; ++k)
      values.push_back(mirrored(values[k]));
  };
  mirror(pair, [](const TouchingPair& p) { return TouchingPair{ p.b, p.a }; });
  mirror(spring, [](const Vec3f& v) { return -1.0f * v; });
  mirror(angle, [](const Vec3f& v) { return -1.0f * v; });
  particles_ = 0;
  pair_.upload(pair);
  pairSpring_.upload(spring);
  pairAngle_.upload(angle);
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
