#include "Clumps/Clumps.h"

#include <algorithm>
#include <cmath>

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// Reads clump, traits; writes members.
struct FindMembers
{
  ParticleView particles;
  ClumpView clumps;
  HOST_DEVICE void operator()(Index i) const
  {
    const std::int32_t c = particles.clump[i];
    if (c >= 0)
      clumps.members[clumps.kind[c].firstMember + particles.traits[i].member] = i;
  }
};

/// Writes clump.
struct Renumber
{
  ParticleView particles;
  const std::int32_t* newNumber;
  HOST_DEVICE void operator()(Index i) const
  {
    if (particles.clump[i] >= 0)
      particles.clump[i] = newNumber[particles.clump[i]];
  }
};

} // namespace

Clumps::Clumps(const std::vector<ClumpBody>& bodies)
{
  std::vector<Vec3d> offsets;
  std::vector<Index> first;
  for (const ClumpBody& body : bodies)
  {
    first.push_back(static_cast<Index>(offsets.size()));
    offsets.insert(offsets.end(), body.centers.begin(), body.centers.end());
    shapeCounts_.push_back(static_cast<std::int32_t>(body.centers.size()));
  }
  offset_.upload(offsets);
  firstOffset_.upload(first);
}

ClumpView Clumps::view(const ParticleView& particles) const
{
  if (shapeCounts_.empty())
    return {};
  return { count(), particles.clump, kind_.data(), motion_.data(), members_.data(), offset_.data(),
    firstOffset_.data() };
}

void Clumps::upload(HostClumps clumps)
{
  Index next = 0;
  for (ClumpKind& kind : clumps.kind)
  {
    kind.firstMember = next;
    next += kind.count;
  }
  kind_.upload(clumps.kind);
  motion_.upload(clumps.motion);
  members_.resizeDiscarding(static_cast<std::size_t>(next));
}

void Clumps::append(HostClumps more)
{
  if (more.kind.empty())
    return;
  HostClumps all = download();
  all.kind.insert(all.kind.end(), more.kind.begin(), more.kind.end());
  all.motion.insert(all.motion.end(), more.motion.begin(), more.motion.end());
  upload(std::move(all));
}

void Clumps::findMembers(const Executor& executor, const ParticleView& particles)
{
  if (count() > 0)
    executor.forEach(
      "clumps.findMembers", particles.count, FindMembers{ particles, view(particles) });
}

void Clumps::remove(
  const Executor& executor, const ParticleView& particles, const std::vector<std::int32_t>& lost)
{
  if (lost.empty())
    return;
  const HostClumps all = download();
  std::vector<std::uint8_t> isLost(all.kind.size(), 0);
  for (const std::int32_t c : lost)
    isLost[static_cast<std::size_t>(c)] = 1;
  HostClumps left;
  std::vector<std::int32_t> newNumber(all.kind.size(), -1);
  for (std::size_t c = 0; c < all.kind.size(); ++c)
  {
    if (isLost[c])
      continue;
    newNumber[c] = static_cast<std::int32_t>(left.kind.size());
    left.kind.push_back(all.kind[c]);
    left.motion.push_back(all.motion[c]);
  }
  upload(std::move(left));
  Buffer<std::int32_t> numbers;
  numbers.upload(newNumber);
  executor.forEach("clumps.renumber", particles.count, Renumber{ particles, numbers.data() });
}

double Clumps::bytes() const
{
  return static_cast<double>(
    kind_.bytes() + motion_.bytes() + members_.bytes() + offset_.bytes() + firstOffset_.bytes());
}

void Clumps::save(CheckpointWriter& writer) const
{
  writer.beginSection("clumps", 1);
  writer.array(kind_.download());
  writer.array(motion_.download());
}

void Clumps::restore(CheckpointReader& reader, const HostParticles& particles)
{
  reader.expectSection("clumps", 1);
  HostClumps clumps;
  clumps.kind = reader.array<ClumpKind>(particles.id.size());
  clumps.motion = reader.array<ClumpMotion>(clumps.kind.size());
  bool isSound = clumps.motion.size() == clumps.kind.size();
  std::vector<std::size_t> firstMember{ 0 };
  for (const ClumpKind& kind : clumps.kind)
  {
    isSound = isSound && kind.shape >= 0 &&
              static_cast<std::size_t>(kind.shape) < shapeCounts_.size() &&
              kind.count == shapeCounts_[static_cast<std::size_t>(kind.shape)];
    firstMember.push_back(firstMember.back() + static_cast<std::size_t>(isSound ? kind.count : 0));
  }
  // Every sphere of every clump is there once.
  isSound = isSound && firstMember.back() <= particles.id.size();
  std::vector<std::uint8_t> isSeen(isSound ? firstMember.back() : 0, 0);
  for (std::size_t i = 0; isSound && i < particles.clump.size(); ++i)
  {
    const std::int32_t c = particles.clump[i];
    if (c < 0)
      continue;
    const std::int16_t member = particles.traits[i].member;
    const auto place = static_cast<std::size_t>(c);
    isSound = place < clumps.kind.size() && member >= 0 && member < clumps.kind[place].count &&
              !isSeen[firstMember[place] + static_cast<std::size_t>(member)];
    if (isSound)
      isSeen[firstMember[place] + static_cast<std::size_t>(member)] = 1;
  }
  isSound = isSound && std::find(isSeen.begin(), isSeen.end(), 0) == isSeen.end();
  for (std::size_t c = 0; isSound && c < clumps.kind.size(); ++c)
  {
    const ClumpKind& kind = clumps.kind[c];
    const ClumpMotion& motion = clumps.motion[c];
    isSound = kind.mass > 0 && kind.radius > 0 && kind.inertia.x > 0 && kind.inertia.y > 0 &&
              kind.inertia.z > 0 && std::isfinite(kind.mass) && std::isfinite(kind.radius) &&
              isFinite(kind.inertia) && isFinite(motion.position) && isFinite(motion.velocity) &&
              isFinite(motion.momentum) && std::isfinite(squaredLength(motion.orientation));
  }
  if (!isSound)
    throw InvalidInput("the checkpoint's clumps contradict its particles; compute it anew");
  upload(std::move(clumps));
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
