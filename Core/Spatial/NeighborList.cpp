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
    const SphereView& spheres = near.spheres;
    const Sphere sphere = spheres.sphere[i];
    const auto meet = [&](Index j, const Vec3d& way)
    {
      const double reach = sphere.radius + spheres.sphere[j].radius + skin;
      if (canMeet(i, j) && squaredLength(way) < reach * reach)
        visit(j);
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

/// Reads sphere, start; writes the rows.
struct FillNeighbors
{
  NearPairs pairs;
  NeighborView rows;
  HOST_DEVICE void operator()(Index i) const
  {
    Offset next = rows.start[i];
    pairs.forEachNear(
      i, [&](Index j) { rows.neighbor[next++] = { static_cast<std::uint32_t>(j) }; });
  }
};

/// Writes places, the inverse of order.
struct InvertOrder
{
  const Index* order;
  Index* places;
  HOST_DEVICE void operator()(Index i) const { places[order[i]] = i; }
};

/// Reads the former rows, places; writes histories and the touching bit of the new rows.
struct CarryHistories
{
  const Index* order;
  const Index* places;
  Index survivors;
  Index formerCount;
  NeighborView former;
  NeighborView rows;
  HOST_DEVICE void operator()(Index i) const
  {
    const Index old = order[i];
    if (old >= formerCount)
      return;
    for (Offset f = former.start[old]; f < former.start[old + 1]; ++f)
    {
      if (!former.neighbor[f].touching())
        continue;
      const Index j = places[former.neighbor[f].index()];
      if (j >= survivors)
        continue;
      for (Offset e = rows.start[i]; e < rows.start[i + 1]; ++e)
      {
        if (rows.neighbor[e].index() == j)
        {
          rows.neighbor[e].bits |= Neighbor::kTouching;
          if (rows.spring)
            rows.spring[e] = former.spring[f];
          if (rows.angle)
            rows.angle[e] = former.angle[f];
        }
      }
    }
  }
};

} // namespace

void NeighborList::build(const Executor& executor, const SphereView& spheres, const CellGrid& cells,
  double skin, const Periodicity& space)
{
  const Index count = spheres.count;
  start_.swap(formerStart_);
  neighbor_.swap(formerNeighbor_);
  spring_.swap(formerSpring_);
  angle_.swap(formerAngle_);

  counts_.resizeDiscarding(count);
  const NearPairs pairs{ { spheres, cells.view(), space }, skin };
  executor.forEach("neighbors.count", count, CountNeighbors{ pairs, counts_.data() });
  const Offset total = executor.exclusiveScan("neighbors.scan", counts_, start_);
  neighbor_.resizeDiscarding(total);
  if (memory_.slips)
    spring_.resizeDiscarding(total);
  if (memory_.rolls)
    angle_.resizeDiscarding(total);
  executor.forEach("neighbors.fill", count, FillNeighbors{ pairs, view() });

  if (formerStart_.size() == 0)
    return;
  const Index formerCount = static_cast<Index>(formerStart_.size()) - 1;
  const Index sorted = static_cast<Index>(cells.order().size());
  LAPILLI_ASSERT(formerCount <= sorted);
  places_.resizeDiscarding(sorted);
  executor.forEach(
    "neighbors.invertOrder", sorted, InvertOrder{ cells.order().data(), places_.data() });
  const NeighborView former{ formerStart_.data(), formerNeighbor_.data(), formerSpring_.data(),
    formerAngle_.data() };
  executor.forEach("neighbors.carryHistories", count,
    CarryHistories{ cells.order().data(), places_.data(), count, formerCount, former, view() });
}

double NeighborList::bytes() const
{
  return static_cast<double>(counts_.bytes() + places_.bytes() + start_.bytes() +
                             formerStart_.bytes() + neighbor_.bytes() + formerNeighbor_.bytes() +
                             spring_.bytes() + formerSpring_.bytes() + angle_.bytes() +
                             formerAngle_.bytes());
}

void NeighborList::save(CheckpointWriter& writer) const
{
  const std::vector<Offset> start = start_.download();
  const std::vector<Neighbor> neighbor = neighbor_.download();
  const std::vector<Vec3f> spring = spring_.download(), angle = angle_.download();
  std::vector<Offset> touchingStart(start.size(), 0);
  std::vector<Neighbor> touching;
  std::vector<Vec3f> touchingSpring, touchingAngle;
  for (std::size_t i = 0; i + 1 < start.size(); ++i)
  {
    for (Offset e = start[i]; e < start[i + 1]; ++e)
    {
      if (neighbor[e].touching())
      {
        touching.push_back(neighbor[e]);
        if (memory_.slips)
          touchingSpring.push_back(spring[e]);
        if (memory_.rolls)
          touchingAngle.push_back(angle[e]);
      }
    }
    touchingStart[i + 1] = static_cast<Offset>(touching.size());
  }
  writer.beginSection("neighbors", 2);
  writer.array(touchingStart);
  writer.array(touching);
  writer.array(touchingSpring);
  writer.array(touchingAngle);
}

void NeighborList::restore(CheckpointReader& reader, Index particles)
{
  constexpr std::uint64_t kEntriesAtMost = std::uint64_t(1) << 40;
  reader.expectSection("neighbors", 2);
  const auto start = reader.array<Offset>(static_cast<std::uint64_t>(particles) + 1);
  const auto touching = reader.array<Neighbor>(kEntriesAtMost);
  const auto spring = reader.array<Vec3f>(touching.size());
  const auto angle = reader.array<Vec3f>(touching.size());
  bool sound = start.size() == static_cast<std::size_t>(particles) + 1 && start.front() == 0 &&
               start.back() == static_cast<Offset>(touching.size()) &&
               spring.size() == (memory_.slips ? touching.size() : 0) &&
               angle.size() == (memory_.rolls ? touching.size() : 0);
  for (std::size_t i = 0; sound && i + 1 < start.size(); ++i)
    sound = start[i] <= start[i + 1];
  for (std::size_t e = 0; sound && e < touching.size(); ++e)
    sound = touching[e].index() < particles;
  if (!sound)
    throw InvalidInput("the checkpoint's list of contacts contradicts itself; compute it anew");
  start_.upload(start);
  neighbor_.upload(touching);
  spring_.upload(spring);
  angle_.upload(angle);
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
