#include "Terrain/TriangleList.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// Writes counts: 1 for a sphere that can touch the surface by moving through the margin.
struct FindListed
{
  ParticleView particles;
  TriangleSearch search;
  double margin;
  Index* counts;
  HOST_DEVICE void operator()(Index i) const
  {
    counts[i] = NearTriangles::anyWithin(search, particles.sphere[i], margin) ? 1 : 0;
  }
};

/// What was known of the particles in their former order.
struct FormerMemory
{
  const Index* order;
  Index count;
  const Offset* place;
  const SurfaceMemory* memory;
  const std::uint8_t* touching;
};

/// Reads sphere, the former memories; writes listed, near, memory, touching.
struct FillListed
{
  ParticleView particles;
  TriangleSearch search;
  double margin;
  const Offset* place;
  FormerMemory former;
  Index* listed;
  NearTriangles* near;
  SurfaceMemory* memory;
  std::uint8_t* touching;
  HOST_DEVICE void operator()(Index i) const
  {
    const Offset k = place[i];
    if (place[i + 1] == k)
      return; // touches nothing
    listed[k] = i;
    near[k].find(search, particles.sphere[i], margin);
    touching[k] = 0;
    const Index old = former.order[i];
    if (old >= former.count)
      return;
    const Offset from = former.place[old];
    if (former.place[old + 1] == from)
      return;
    touching[k] = former.touching[from];
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
  memory_.resizeDiscarding(0);
  touching_.resizeDiscarding(0);
}

void TriangleList::build(const Executor& executor, const ParticleView& particles,
  const DeviceSurface& surface, const Buffer<Index>& order, double skin)
{
  const Index count = particles.count;
  place_.swap(formerPlace_);
  memory_.swap(formerMemory_);
  touching_.swap(formerTouching_);

  // Particles come back here before they have moved by half a skin; the square of the way is rounded.
  constexpr double rounding = 1e-5;
  widest_ = 0.5 * skin * (1 + rounding);
  counts_.resizeDiscarding(count);
  executor.forEach("triangles.findListed", count,
    FindListed{ particles, surface.search(), widest_, counts_.data() });
  const Offset total = executor.exclusiveScan("triangles.scanListed", counts_, place_);
  listed_.resizeDiscarding(total);
  near_.resizeDiscarding(total);
  memory_.resizeDiscarding(total);
  touching_.resizeDiscarding(total);
  executor.forEach("triangles.fillListed", count,
    FillListed{ particles, surface.search(), widest_, place_.data(),
      { order.data(), static_cast<Index>(formerPlace_.size()) - 1, formerPlace_.data(),
        formerMemory_.data(), formerTouching_.data() },
      listed_.data(), near_.data(), memory_.data(), touching_.data() });
}

double TriangleList::bytes() const
{
  return static_cast<double>(counts_.bytes() + listed_.bytes() + place_.bytes() +
                             formerPlace_.bytes() + near_.bytes() + memory_.bytes() +
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
  listed_.upload(listed);
  touching_.upload(touches);
  memory_.upload(memory);
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
