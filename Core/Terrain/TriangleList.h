/// @file
/// Which triangles are near each particle, and what each particle's contacts with them remember.
///
/// The tangential spring belongs to a direction of contact, not to a triangle: a sphere that rolls
/// from triangle to triangle keeps it.
#pragma once

#include "Particles/State.h"
#include "Terrain/DeviceSurface.h"
#include "Terrain/TriangleSearch.h"

namespace lapilli
{

/// What one contact of the last step remembers.
struct SurfaceTouch
{
  Vec3f normal; ///< from particle to surface
  /// How the sphere came to where it is.
  enum Passage : std::int32_t
  {
    None,
    FromBehind, ///< through the surface from behind: it does not feel it until it has left
    Through ///< its centre went through a two-sided surface, which pushes it back to where it came from
  };
  Passage passage;
  Vec3f spring; ///< [m], slip; without meaning where friction has no memory
  Vec3f angle;  ///< [rad], rolling; likewise
};

/// What the contacts of a sphere remember.
struct SurfaceMemory
{
  SurfaceTouch touch[MergedContacts::kMost];

  static constexpr float kSame = 0.8f; ///< cosine: a contact is the former one if its direction is

  /// The one of the first `count` contacts in this direction, -1 if there was none.
  HOST_DEVICE int find(const Vec3f& direction, int count) const
  {
    int found = -1;
    float best = kSame;
    for (int k = 0; k < count; ++k)
    {
      const float cosine = dot(touch[k].normal, direction);
      if (cosine > best)
      {
        best = cosine;
        found = k;
      }
    }
    return found;
  }
};

namespace LAPILLI_BACKEND
{

/// Of the particles that are near the surface: k counts those.
struct TriangleListView
{
  TriangleSearch search;
  double widest; ///< [m], the greatest margin of NearTriangles
  Index count;
  const Index* listed;    ///< which they are, ascending
  NearTriangles* near;    ///< per k
  SurfaceMemory* memory;  ///< per k
  std::uint8_t* touching; ///< per k: how many places of the memory are in use

  /// The triangles that a sphere may touch now.
  HOST_DEVICE NearTriangles& nearOf(Index k, const Sphere& sphere) const
  {
    NearTriangles& known = near[k];
    if (!known.isFor(sphere))
    {
      constexpr double growth = 2;
      const double margin = growth * static_cast<double>(known.margin);
      known.find(search, sphere, margin < widest ? margin : widest);
    }
    return known;
  }
};

class TriangleList
{
public:
  /// All memories empty.
  void reset(Index count);

  /// Carries the memories to the new order of the particles and lists those that can reach a triangle while
  /// they move by less than half a skin, with the triangles. Particles that came since then stood behind the others.
  /// @param order order[place] = former place; null where they kept their places
  void build(const Executor& executor, const ParticleView& particles, const DeviceSurface& surface,
    const Index* order, double skin);

  TriangleListView view(const DeviceSurface& surface)
  {
    return { surface.search(), widest_, listed(), listed_.data(), near_.data(), memory_.data(),
      touching_.data() };
  }
  /// How many particles have triangles near.
  Index listed() const { return static_cast<Index>(listed_.size()); }
  double bytes() const;

  void save(CheckpointWriter& writer) const;
  void restore(CheckpointReader& reader, Index particles);

private:
  double widest_ = 0;
  Buffer<Index> listed_;
  /// Of each particle among those listed, and how many these are.
  Buffer<Index> place_, formerPlace_;
  Buffer<NearTriangles> near_, formerNear_;
  Buffer<SurfaceMemory> memory_, formerMemory_;
  Buffer<std::uint8_t> touching_, formerTouching_;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
