#include "Spatial/NeighborList.h"

#include "Spatial/NearSpheres.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// Which spheres come nearer to one another than the skin.
struct NearPairs
{
  NearSpheres near;
  double skin;

  /// visit(j) for every sphere near sphere i, once.
  template <class Visit>
  HOST_DEVICE void forEachNear(Index i, const Visit& visit) const
  {
    forEachNearWithGap(i, [&](Index j, float) { visit(j); });
  }

  /// visit(j, g), g the larger the wider the gap between the two, over their radii.
  template <class Visit>
  HOST_DEVICE void forEachNearWithGap(Index i, const Visit& visit) const
  {
    const SphereView& spheres = near.spheres;
    const Sphere sphere = spheres.sphere[i];
    const auto meet = [&](Index j, const Vec3d& way)
    {
      const double reach = sphere.radius + spheres.sphere[j].radius + skin;
      const double squared = squaredLength(way), limit = reach * reach;
      if (squared < limit && canMeet(i, j))
        visit(j, static_cast<float>(squared / limit));
    };
    if (near.space.any())
      near.forEachNear(sphere.position, meet);
    else // its own cell is known
      near.cells.forEachAround(near.cells.keys[i],
        [&](Index j) { meet(j, spheres.sphere[j].position - sphere.position); });
  }

private:
  HOST_DEVICE bool canMeet(Index i, Index j) const
  {
    const std::int32_t* body = near.spheres.body;
    return j != i && (!body || body[i] < 0 || body[i] != body[j]);
  }
};

/// Reads sphere; writes counts.
struct CountNeighbors
{
  NearPairs pairs;
  Index* counts;
  HOST_DEVICE void operator()(Index i) const
  {
    Index found = 0;
    pairs.forEachNear(i, [&](Index) { ++found; });
    counts[i] = found;
  }
};

/// Reads counts; writes flags, 1 where a row is long.
struct MarkLong
{
  const Index* counts;
  Index* flags;
  HOST_DEVICE void operator()(Index i) const { flags[i] = counts[i] > kLongRow ? 1 : 0; }
};

/// Reads counts, numbers (how many long rows come before); writes longRow, longParticle and the size of each long row;
/// takes long rows out of counts.
struct SetLongApart
{
  const Offset* numbers;
  Index* counts;
  Index* longRow;
  Index* longParticle;
  Index* sizes;
  HOST_DEVICE void operator()(Index i) const
  {
    longRow[i] = -1;
    if (counts[i] <= kLongRow)
      return;
    const auto number = static_cast<Index>(numbers[i]);
    longRow[i] = number;
    longParticle[number] = i;
    sizes[number] = (counts[i] + kRowLanes - 1) / kRowLanes * kRowLanes;
    counts[i] = 0;
  }
};

/// Reads counts; writes the size of each chunk.
struct SizeChunks
{
  const Index* counts;
  Index particles;
  Index* sizes;
  HOST_DEVICE void operator()(Index chunk) const
  {
    Index longest = 0;
    for (Index lane = 0; lane < kRowLanes; ++lane)
    {
      const Index i = chunk * kRowLanes + lane;
      if (i < particles && counts[i] > longest)
        longest = counts[i];
    }
    sizes[chunk] = longest * kRowLanes;
  }
};

/// Writes values, moved by an offset.
struct MoveBy
{
  Offset by;
  Offset* values;
  HOST_DEVICE void operator()(Index i) const { values[i] += by; }
};

/// Reads sphere, start; writes the rows of a chunk's particle, and of lanes behind the last.
struct FillRows
{
  NearPairs pairs;
  NeighborView rows;
  HOST_DEVICE void operator()(Index i) const
  {
    const SphereView& spheres = pairs.near.spheres;
    const Offset first = rows.start[i / kRowLanes] + i % kRowLanes;
    const Offset end = rows.start[i / kRowLanes + 1];
    Index found = 0;
    if (i < spheres.count && rows.count[i] > 0)
    {
      // The nearest first: the ends of a chunk's rows then do not touch, and a kernel passes them by.
      Index nearest[kLongRow];
      float gap[kLongRow];
      pairs.forEachNearWithGap(i,
        [&](Index j, float of)
        {
          Index at = found++;
          for (; at > 0 && of < gap[at - 1]; --at)
          {
            gap[at] = gap[at - 1];
            nearest[at] = nearest[at - 1];
          }
          gap[at] = of;
          nearest[at] = j;
        });
      for (Index k = 0; k < found; ++k)
        rows.neighbor[first + k * static_cast<Offset>(kRowLanes)] = { static_cast<std::uint32_t>(
          nearest[k]) };
    }
    const Index self = i < spheres.count ? i : spheres.count - 1;
    for (Offset e = first + found * static_cast<Offset>(kRowLanes); e < end; e += kRowLanes)
      rows.neighbor[e] = { static_cast<std::uint32_t>(self) };
  }
};

/// Reads sphere, longStart; writes a long row.
struct FillLongRows
{
  NearPairs pairs;
  NeighborView rows;
  HOST_DEVICE void operator()(Index r) const
  {
    const Index i = rows.longParticle[r];
    Offset next = rows.longStart[r];
    pairs.forEachNear(
      i, [&](Index j) { rows.neighbor[next++] = { static_cast<std::uint32_t>(j) }; });
    for (; next < rows.longStart[r + 1]; ++next)
      rows.neighbor[next] = { static_cast<std::uint32_t>(i) };
  }
};

/// Reads the rows; writes counts, how many neighbours touch.
struct CountTouching
{
  NeighborView rows;
  Index* counts;
  HOST_DEVICE void operator()(Index i) const
  {
    Index touching = 0;
    rows.forEachEntry(i, [&](Offset e) { touching += rows.neighbor[e].touching() ? 1 : 0; });
    counts[i] = touching;
  }
};

/// Reads the rows, start; writes the touching pairs of a particle.
struct PackTouching
{
  NeighborView rows;
  const Offset* start;
  Index* neighbor;
  Vec3f* spring;
  Vec3f* angle;
  HOST_DEVICE void operator()(Index i) const
  {
    Offset next = start[i];
    rows.forEachEntry(i,
      [&](Offset e)
      {
        if (!rows.neighbor[e].touching())
          return;
        neighbor[next] = rows.neighbor[e].index();
        if (spring)
          spring[next] = historyAt(rows.spring, e);
        if (angle)
          angle[next] = historyAt(rows.angle, e);
        ++next;
      });
  }

private:
  HOST_DEVICE static Vec3f historyAt(const float* history, Offset entry)
  {
    const float* const from = history + NeighborView::historyOf(entry);
    return { from[0], from[kRowLanes], from[2 * kRowLanes] };
  }
};

/// Writes places, the inverse of order.
struct InvertOrder
{
  const Index* order;
  Index* places;
  HOST_DEVICE void operator()(Index i) const { places[order[i]] = i; }
};

/// Reads the former pairs, places; writes histories and the touching bit of the new rows.
struct CarryHistories
{
  const Index* order;
  const Index* places;
  Index survivors;
  Index formerCount;
  TouchingView former;
  NeighborView rows;
  HOST_DEVICE void operator()(Index i) const
  {
    const Index old = order[i];
    if (old >= formerCount)
      return;
    for (Offset f = former.start[old]; f < former.start[old + 1]; ++f)
    {
      const Index j = places[former.neighbor[f]];
      if (j >= survivors)
        continue;
      rows.forEachEntry(i,
        [&](Offset e)
        {
          if (rows.neighbor[e].index() != j)
            return;
          rows.neighbor[e].bits |= Neighbor::kTouching;
          if (rows.spring)
            remember(rows.spring, e, former.spring[f]);
          if (rows.angle)
            remember(rows.angle, e, former.angle[f]);
        });
    }
  }

private:
  HOST_DEVICE static void remember(float* history, Offset entry, const Vec3f& v)
  {
    float* const to = history + NeighborView::historyOf(entry);
    to[0] = v.x;
    to[kRowLanes] = v.y;
    to[2 * kRowLanes] = v.z;
  }
};

} // namespace

void NeighborList::build(const Executor& executor, const SphereView& spheres, const CellGrid& cells,
  double skin, const Periodicity& space)
{
  const Index count = spheres.count;
  if (start_.size() > 0)
    pack(executor, scratch_, former_);

  const NearPairs pairs{ { spheres, cells.view(), space }, skin };
  counts_.resizeDiscarding(count);
  executor.forEach("neighbors.count", count, CountNeighbors{ pairs, counts_.data() });
  layOut(executor, count);
  const Index chunks = (count + kRowLanes - 1) / kRowLanes;
  executor.forEach("neighbors.fill", chunks * kRowLanes, FillRows{ pairs, view() });
  executor.forEach(
    "neighbors.fillLong", static_cast<Index>(longParticle_.size()), FillLongRows{ pairs, view() });

  if (former_.start.size() == 0)
    return;
  const Index sorted = static_cast<Index>(cells.order().size());
  LAPILLI_ASSERT(former_.count() <= sorted);
  scratch_.resizeDiscarding(sorted);
  executor.forEach(
    "neighbors.invertOrder", sorted, InvertOrder{ cells.order().data(), scratch_.data() });
  executor.forEach("neighbors.carryHistories", count,
    CarryHistories{
      cells.order().data(), scratch_.data(), count, former_.count(), former_.view(), view() });
}

/// Takes long rows apart and finds where each chunk and each long row begins. Reads counts.
void NeighborList::layOut(const Executor& executor, Index count)
{
  scratch_.resizeDiscarding(count);
  executor.forEach("neighbors.markLong", count, MarkLong{ counts_.data(), scratch_.data() });
  const auto longs =
    static_cast<Index>(executor.exclusiveScan("neighbors.numberLong", scratch_, longNumbers_));
  longRow_.resizeDiscarding(count);
  longParticle_.resizeDiscarding(longs);
  scratch_.resizeDiscarding(longs);
  executor.forEach("neighbors.setLongApart", count,
    SetLongApart{ longNumbers_.data(), counts_.data(), longRow_.data(), longParticle_.data(),
      scratch_.data() });
  const Offset ofLongRows = executor.exclusiveScan("neighbors.scanLong", scratch_, longStart_);

  const Index chunks = (count + kRowLanes - 1) / kRowLanes;
  scratch_.resizeDiscarding(chunks);
  executor.forEach(
    "neighbors.sizeChunks", chunks, SizeChunks{ counts_.data(), count, scratch_.data() });
  const Offset ofChunks = executor.exclusiveScan("neighbors.scan", scratch_, start_);
  executor.forEach("neighbors.moveLong", longs + 1, MoveBy{ ofChunks, longStart_.data() });

  neighbor_.resizeDiscarding(ofChunks + ofLongRows);
  if (memory_.slips)
    spring_.resizeDiscarding(3 * neighbor_.size());
  if (memory_.rolls)
    angle_.resizeDiscarding(3 * neighbor_.size());
}

void NeighborList::pack(const Executor& executor, Buffer<Index>& scratch, Touching& touching) const
{
  const Index count = static_cast<Index>(counts_.size());
  scratch.resizeDiscarding(count);
  executor.forEach("neighbors.countTouching", count, CountTouching{ view(), scratch.data() });
  const Offset total = executor.exclusiveScan("neighbors.scanTouching", scratch, touching.start);
  touching.neighbor.resizeDiscarding(total);
  if (memory_.slips)
    touching.spring.resizeDiscarding(total);
  if (memory_.rolls)
    touching.angle.resizeDiscarding(total);
  executor.forEach("neighbors.packTouching", count,
    PackTouching{ view(), touching.start.data(), touching.neighbor.data(), touching.spring.data(),
      touching.angle.data() });
}

double NeighborList::bytes() const
{
  return static_cast<double>(counts_.bytes() + scratch_.bytes() + longRow_.bytes() +
                             longParticle_.bytes() + start_.bytes() + longStart_.bytes() +
                             longNumbers_.bytes() + neighbor_.bytes() + spring_.bytes() +
                             angle_.bytes() + former_.start.bytes() + former_.neighbor.bytes() +
                             former_.spring.bytes() + former_.angle.bytes());
}

void NeighborList::save(CheckpointWriter& writer) const
{
  Touching packed;
  Buffer<Index> scratch;
  const Executor executor(0);
  const bool hasRows = start_.size() > 0; // else it was restored and has not been used
  if (hasRows)
    pack(executor, scratch, packed);
  const Touching& touching = hasRows ? packed : former_;
  writer.beginSection("neighbors", 3);
  writer.array(touching.start.download());
  writer.array(touching.neighbor.download());
  writer.array(touching.spring.download());
  writer.array(touching.angle.download());
}

void NeighborList::restore(CheckpointReader& reader, Index particles)
{
  constexpr std::uint64_t kEntriesAtMost = std::uint64_t(1) << 40;
  reader.expectSection("neighbors", 3);
  const auto start = reader.array<Offset>(static_cast<std::uint64_t>(particles) + 1);
  const auto touching = reader.array<Index>(kEntriesAtMost);
  const auto spring = reader.array<Vec3f>(touching.size());
  const auto angle = reader.array<Vec3f>(touching.size());
  bool sound = start.size() == static_cast<std::size_t>(particles) + 1 && start.front() == 0 &&
               start.back() == static_cast<Offset>(touching.size()) &&
               spring.size() == (memory_.slips ? touching.size() : 0) &&
               angle.size() == (memory_.rolls ? touching.size() : 0);
  for (std::size_t i = 0; sound && i + 1 < start.size(); ++i)
    sound = start[i] <= start[i + 1];
  for (std::size_t e = 0; sound && e < touching.size(); ++e)
    sound = touching[e] >= 0 && touching[e] < particles;
  if (!sound)
    throw InvalidInput("the checkpoint's list of contacts contradicts itself; compute it anew");
  former_.start.upload(start);
  former_.neighbor.upload(touching);
  former_.spring.upload(spring);
  former_.angle.upload(angle);
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
