#include "Terrain/TriangleList.h"

#include <algorithm>

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// What was known of the particles in their former order.
struct FormerLists
{
  const Index* order; ///< null where particles kept their places
  Index count;
  const Offset* place;
  const NearTriangles* near; ///< null where none are known
  const SurfaceMemory* memory;
  const std::uint8_t* touching;

  /// The former k of particle i, -1 if it was not listed.
  HOST_DEVICE Offset of(Index i) const
  {
    const Index old = order ? order[i] : i;
    return old < count && place[old + 1] > place[old] ? place[old] : -1;
  }
};

/// Writes counts: 1 for a sphere that can touch the surface by moving through the margin.
struct FindListed
{
  ParticleView particles;
  TriangleSearch search;
  double margin;
  FormerLists former;
  Index* counts;
  HOST_DEVICE void operator()(Index i) const
  {
    const Sphere sphere = particles.sphere[i];
    const Offset from = former.near ? former.of(i) : -1;
    const bool isNear = from >= 0 && former.near[from].isFor(sphere)
                          ? former.near[from].mayReach(sphere, margin)
                          : NearTriangles::anyWithin(search, sphere, margin);
    counts[i] = isNear ? 1 : 0;
  }
};

/// Reads sphere, the former lists; writes listed, near, memory, touching.
struct FillListed
{
  ParticleView particles;
  TriangleSearch search;
  double margin;
  const Offset* place;
  FormerLists former;
  Index* listed;
  NearTriangles* near;
  SurfaceMemory* memory;
  std::uint8_t* touching;
  HOST_DEVICE void operator()(Index i) const
  {
    const Offset k = place[i];
    if (place[i + 1] == k)
      return; // touches nothing
    const Sphere sphere = particles.sphere[i];
    const Offset from = former.of(i);
    listed[k] = i;
    if (from >= 0 && former.near && former.near[from].isFor(sphere))
      near[k] = former.near[from];
    else
      near[k].find(search, sphere, margin);
    touching[k] = from < 0 ? 0 : former.touching[from];
    for (int c = 0; c < touching[k]; ++c)
      memory[k].touch[c] = former.memory[from].touch[c];
  }
};

} // namespace

void TriangleList::reset(const Executor& executor, Index count)
{
  counts_.upload(std::vector<Index>(static_cast<std::size_t>(count), 0));
  executor.exclusiveScan("triangles.forgetAll", counts_, place_);
  listed_.resizeDiscarding(0);
  near_.resizeDiscarding(0);
  memory_.resizeDiscarding(0);
  touching_.resizeDiscarding(0);
}

void TriangleList::build(const Executor& executor, const ParticleView& particles,
  const DeviceSurface& surface, const Index* order, double skin)
{
  const Index count = particles.count;
  place_.swap(formerPlace_);
  near_.swap(formerNear_);
  memory_.swap(formerMemory_);
  touching_.swap(formerTouching_);

  // Particles come back here before they have moved by half a skin; the square of the way is rounded.
  constexpr double rounding = 1e-5;
  widest_ = 0.5 * skin * (1 + rounding);
  const FormerLists former{ order, static_cast<Index>(formerPlace_.size()) - 1, formerPlace_.data(),
    formerNear_.size() > 0 ? formerNear_.data() : nullptr, formerMemory_.data(),
    formerTouching_.data() };
  counts_.resizeDiscarding(count);
  executor.forEach("triangles.findListed", count,
    FindListed{ particles, surface.search(), widest_, former, counts_.data() });
  const Offset total = executor.exclusiveScan("triangles.scanListed", counts_, place_);
  listed_.resizeDiscarding(total);
  near_.resizeDiscarding(total);
  memory_.resizeDiscarding(total);
  touching_.resizeDiscarding(total);
  executor.forEach("triangles.fillListed", count,
    FillListed{ particles, surface.search(), widest_, place_.data(), former, listed_.data(),
      near_.data(), memory_.data(), touching_.data() });
}

double TriangleList::bytes() const
{
  return static_cast<double>(counts_.bytes() + listed_.bytes() + place_.bytes() +
                             formerPlace_.bytes() + near_.bytes() + formerNear_.bytes() +
                             memory_.bytes() + formerMemory_.bytes() + touching_.bytes() +
                             formerTouching_.bytes());
}

void TriangleList::save(CheckpointWriter& writer) const
{
  const std::vector<Index> listed = listed_.download();
  const std::vector<std::uint8_t> touches = touching_.download();
  const std::vector<SurfaceMemory> memory = memory_.download();
  std::vector<std::uint8_t> touching(place_.size() - 1, 0);
  std::vector<SurfaceTouch> inUse;
  for (std::size_t k = 0; k < listed.size(); ++k)
  {
    touching[static_cast<std::size_t>(listed[k])] = touches[k];
    inUse.insert(inUse.end(), memory[k].touch, memory[k].touch + touches[k]);
  }
  writer.beginSection("terrain contacts", 4);
  writer.array(touching);
  writer.array(inUse);
}

void TriangleList::restore(CheckpointReader& reader, Index particles)
{
  reader.expectSection("terrain contacts", 4);
  const auto touching = reader.array<std::uint8_t>(particles);
  const auto inUse =
    reader.array<SurfaceTouch>(static_cast<std::uint64_t>(particles) * MergedContacts::kMost);
  const InvalidInput contradiction(
    "the checkpoint's terrain contacts contradict themselves; compute it anew");
  if (touching.size() != static_cast<std::size_t>(particles))
    throw contradiction;
  std::vector<Offset> place{ 0 };
  std::vector<Index> listed;
  std::vector<std::uint8_t> touches;
  std::vector<SurfaceMemory> memory;
  std::size_t next = 0;
  for (Index i = 0; i < particles; ++i)
  {
    const std::size_t count = touching[static_cast<std::size_t>(i)];
    if (count > MergedContacts::kMost || count > inUse.size() - next)
      throw contradiction;
    if (count > 0)
    {
      listed.push_back(i);
      touches.push_back(static_cast<std::uint8_t>(count));
      memory.emplace_back();
      std::copy_n(inUse.begin() + static_cast<std::ptrdiff_t>(next), count, memory.back().touch);
      next += count;
    }
    place.push_back(static_cast<Offset>(listed.size()));
  }
  if (next != inUse.size())
    throw contradiction;
  place_.upload(place);
  near_.resizeDiscarding(0);
  listed_.upload(listed);
  touching_.upload(touches);
  memory_.upload(memory);
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
