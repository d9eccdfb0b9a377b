/// @file
/// Which triangles are near each particle, and what each particle's contacts with them remember.
///
/// The tangential spring belongs to a direction of contact, not to a triangle: a sphere that rolls
/// from triangle to triangle keeps it.
#pragma once

#include "Particles/State.h"
#include "Terrain/DeviceSurface.h"
#include "Terrain/TriangleContact.h"

namespace lapilli
{

/// What the contacts of the last step remember; a normal of zero marks a free place.
struct SurfaceMemory
{
  Vec3f normal[MergedContacts::kMost]; ///< from particle to surface
  Vec3f spring[MergedContacts::kMost]; ///< [m], slip
  Vec3f angle[MergedContacts::kMost];  ///< [rad], rolling
  /// How the sphere came to where it is.
  enum Passage : std::uint8_t
  {
    None,
    FromBehind, ///< through the surface from behind: it does not feel it until it has left
    Through ///< its centre went through a two-sided surface, which pushes it back to where it came from
  };
  std::uint8_t passage[MergedContacts::kMost];

  static constexpr float kSame = 0.8f; ///< cosine: a contact is the former one if its direction is

  /// The former contact in this direction, -1 if there was none.
  HOST_DEVICE int find(const Vec3f& direction) const
  {
    int found = -1;
    float best = kSame;
    for (int k = 0; k < MergedContacts::kMost; ++k)
    {
      const float cosine = dot(normal[k], direction);
      if (cosine > best)
      {
        best = cosine;
        found = k;
      }
    }
    return found;
  }

  HOST_DEVICE void take(int to, const SurfaceMemory& former, int from)
  {
    spring[to] = former.spring[from];
    angle[to] = former.angle[from];
    passage[to] = former.passage[from];
  }
};

namespace LAPILLI_BACKEND
{

struct TriangleListView
{
  const Offset* start; ///< count + 1
  const std::int32_t* triangle;
  SurfaceMemory* memory;  ///< per particle
  std::uint8_t* touching; ///< per particle: 1 if memory is in use
  const Index* listed;    ///< the particles that have triangles near
};

class TriangleList
{
public:
  /// All memories empty.
  void reset(const Executor& executor, Index count);

  /// Carries the memories to the new order of the particles. Those that came since then stood behind the others.
  /// @param count how many remain
  void carry(const Executor& executor, const Buffer<Index>& order, Index count);

  /// Lists the triangles whose distance from a sphere is below the skin.
  void build(const Executor& executor, const ParticleView& particles, const DeviceSurface& surface,
    double skin);

  TriangleListView view()
  {
    return { start_.data(), triangle_.data(), memory_.data(), touching_.data(), listed_.data() };
  }
  /// How many particles have triangles near.
  Index listed() const { return static_cast<Index>(listed_.size()); }
  double bytes() const;

  void save(CheckpointWriter& writer) const;
  void restore(CheckpointReader& reader, Index particles);

private:
  Buffer<Index> counts_, listed_;
  Buffer<Offset> start_, listedStart_;
  Buffer<std::int32_t> triangle_;
  Buffer<SurfaceMemory> memory_, formerMemory_;
  Buffer<std::uint8_t> touching_, formerTouching_;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
