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
  const Index* place;
  const NearTriangles* near; ///< null where none are known
  const SurfaceMemory* memory;
  const std::uint8_t* touching;

  /// The former k of particle i, -1 if it was not listed.
  HOST_DEVICE Index of(Index i) const
  {
    const Index old = order ? order[i] : i;
    return old < count && place[old + 1] > place[old] ? place[old] : -1;
  }
};

/// Writes how many are listed: 1 for a sphere that can touch the surface by moving through the margin, 0 behind the
/// last sphere.
struct FindListed
{
  ParticleView particles;
  TriangleSearch search;
  double margin;
  FormerLists former;
  Index* listed;
  HOST_DEVICE void operator()(Index i) const
  {
    if (i == particles.count)
    {
      listed[i] = 0;
      return;
    }
    const Sphere sphere = particles.sphere[i];
    const Index from = former.near ? former.of(i) : -1;
    const bool isNear = from >= 0 && former.near[from].isFor(sphere)
                          ? former.near[from].mayReach(sphere, margin)
                          : NearTriangles::anyWithin(search, sphere, margin);
    listed[i] = isNear ? 1 : 0;
  }
};

/// Reads sphere, the former lists; writes listed, near, memory, touching.
struct FillListed
{
  ParticleView particles;
  TriangleSearch search;
  double margin;
  const Index* place;
  FormerLists former;
  Index* listed;
  NearTriangles* near;
  SurfaceMemory* memory;
  std::uint8_t* touching;
  HOST_DEVICE void operator()(Index i) const
  {
    const Index k = place[i];
    if (place[i + 1] == k)
      return; // touches nothing
    const Sphere sphere = particles.sphere[i];
    const Index from = former.of(i);
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

void TriangleList::reset(Index count)
{
  place_.upload(std::vector<Index>(static_cast<std::size_t>(count) + 1, 0));
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
  place_.resizeDiscarding(static_cast<std::size_t>(count) + 1);
  executor.forEach("triangles.findListed", count + 1,
    FindListed{ particles, surface.search(), widest_, former, place_.data() });
  executor.exclusiveScan("triangles.scanListed", place_);
  const Index total = place_.download(static_cast<std::size_t>(count), 1).front();
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
  return static_cast<double>(listed_.bytes() + place_.bytes() + formerPlace_.bytes() +
                             near_.bytes() + formerNear_.bytes() + memory_.bytes() +
                             formerMemory_.bytes() + touching_.bytes() + formerTouching_.bytes());
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
  std::vector<Index> place{ 0 };
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
    place.push_back(static_cast<Index>(listed.size()));
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
