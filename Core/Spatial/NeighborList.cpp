#include "Spatial/NeighborList.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

HOST_DEVICE bool areNear(const Sphere& a, const Sphere& b, double skin)
{
  const double reach = a.radius + b.radius + skin;
  return squaredLength(b.position - a.position) < reach * reach;
}

/// Reads sphere; writes counts.
struct CountNeighbors
{
  SphereView spheres;
  CellGridView cells;
  double skin;
  Index* counts;
  HOST_DEVICE void operator()(Index i) const
  {
    const Sphere sphere = spheres.sphere[i];
    Index found = 0;
    cells.forEachAround(cells.keys[i],
      [&](Index j) { found += j != i && areNear(sphere, spheres.sphere[j], skin) ? 1 : 0; });
    counts[i] = found;
  }
};

/// Reads sphere, start; writes the rows.
struct FillNeighbors
{
  SphereView spheres;
  CellGridView cells;
  double skin;
  NeighborView rows;
  HOST_DEVICE void operator()(Index i) const
  {
    const Sphere sphere = spheres.sphere[i];
    Offset next = rows.start[i];
    cells.forEachAround(cells.keys[i],
      [&](Index j)
      {
        if (j != i && areNear(sphere, spheres.sphere[j], skin))
          rows.neighbor[next++] = { static_cast<std::uint32_t>(j) };
      });
  }
};

/// Writes places, the inverse of order.
struct InvertOrder
{
  const Index* order;
  Index* places;
  HOST_DEVICE void operator()(Index i) const { places[order[i]] = i; }
};

/// Reads the former rows, places; writes spring and the touching bit of the new rows.
struct CarrySprings
{
  const Index* order;
  const Index* places;
  Index survivors;
  NeighborView former;
  NeighborView rows;
  HOST_DEVICE void operator()(Index i) const
  {
    const Index old = order[i];
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
          rows.spring[e] = former.spring[f];
        }
      }
    }
  }
};

} // namespace

void NeighborList::build(
  const Executor& executor, const SphereView& spheres, const CellGrid& cells, double skin)
{
  const Index count = spheres.count;
  start_.swap(formerStart_);
  neighbor_.swap(formerNeighbor_);
  spring_.swap(formerSpring_);

  counts_.resizeDiscarding(count);
  executor.forEach(
    "neighbors.count", count, CountNeighbors{ spheres, cells.view(), skin, counts_.data() });
  const Offset total = executor.exclusiveScan("neighbors.scan", counts_, start_);
  neighbor_.resizeDiscarding(total);
  spring_.resizeDiscarding(total);
  executor.forEach("neighbors.fill", count, FillNeighbors{ spheres, cells.view(), skin, view() });

  if (formerStart_.size() == 0)
    return;
  const Index formerCount = static_cast<Index>(formerStart_.size()) - 1;
  LAPILLI_ASSERT(formerCount == static_cast<Index>(cells.order().size()));
  places_.resizeDiscarding(formerCount);
  executor.forEach(
    "neighbors.invertOrder", formerCount, InvertOrder{ cells.order().data(), places_.data() });
  const NeighborView former{ formerStart_.data(), formerNeighbor_.data(), formerSpring_.data() };
  executor.forEach("neighbors.carrySprings", count,
    CarrySprings{ cells.order().data(), places_.data(), count, former, view() });
}

double NeighborList::bytes() const
{
  return static_cast<double>(counts_.bytes() + places_.bytes() + start_.bytes() +
                             formerStart_.bytes() + neighbor_.bytes() + formerNeighbor_.bytes() +
                             spring_.bytes() + formerSpring_.bytes());
}

void NeighborList::save(CheckpointWriter& writer) const
{
  const std::vector<Offset> start = start_.download();
  const std::vector<Neighbor> neighbor = neighbor_.download();
  const std::vector<Vec3f> spring = spring_.download();
  std::vector<Offset> touchingStart(start.size(), 0);
  std::vector<Neighbor> touching;
  std::vector<Vec3f> touchingSpring;
  for (std::size_t i = 0; i + 1 < start.size(); ++i)
  {
    for (Offset e = start[i]; e < start[i + 1]; ++e)
    {
      if (neighbor[e].touching())
      {
        touching.push_back(neighbor[e]);
        touchingSpring.push_back(spring[e]);
      }
    }
    touchingStart[i + 1] = static_cast<Offset>(touching.size());
  }
  writer.beginSection("neighbors", 1);
  writer.array(touchingStart);
  writer.array(touching);
  writer.array(touchingSpring);
}

void NeighborList::restore(CheckpointReader& reader, Index particles)
{
  constexpr std::uint64_t kEntriesAtMost = std::uint64_t(1) << 40;
  reader.expectSection("neighbors", 1);
  const auto start = reader.array<Offset>(static_cast<std::uint64_t>(particles) + 1);
  const auto touching = reader.array<Neighbor>(kEntriesAtMost);
  const auto spring = reader.array<Vec3f>(touching.size());
  bool sound = start.size() == static_cast<std::size_t>(particles) + 1 && start.front() == 0 &&
               start.back() == static_cast<Offset>(touching.size()) &&
               spring.size() == touching.size();
  for (std::size_t i = 0; sound && i + 1 < start.size(); ++i)
    sound = start[i] <= start[i + 1];
  for (std::size_t e = 0; sound && e < touching.size(); ++e)
    sound = touching[e].index() < particles;
  if (!sound)
    throw InvalidInput("the checkpoint's list of contacts contradicts itself; compute it anew");
  start_.upload(start);
  neighbor_.upload(touching);
  spring_.upload(spring);
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
