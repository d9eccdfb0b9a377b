/// @file
/// Rigid clumps of spheres in a run. The spheres are particles like all others, to contacts, terrain and
/// output; what moves is the clump, and its spheres with it.
///
///   clumps.append(bodies, more);
///   clumps.findMembers(executor, state.view());      // whenever particles were reordered
///   executor.forEach(…, MoveClump{ clumps.view(), … });
#pragma once

#include "Checkpoint.h"
#include "Clumps/ClumpBody.h"
#include "Integrators/RigidRotation.h"
#include "Particles/State.h"

namespace lapilli
{

/// What a clump is; it never changes.
struct ClumpKind
{
  double mass;         ///< [kg]
  double radius;       ///< [m], of the sphere of its volume
  Vec3d inertia;       ///< [kg m^2], principal moments
  std::int32_t shape;  ///< number of the body
  Index firstMember;   ///< place in `members`
  std::int32_t count;  ///< of its spheres
  std::int32_t unused; ///< makes all bytes defined
};

/// Where a clump is and how it moves.
struct ClumpMotion
{
  Vec3d position;    ///< [m], of the centre of mass, local
  Vec3d velocity;    ///< [m/s]
  Vec3d momentum;    ///< [kg m^2/s], angular, about the centre
  Quatd orientation; ///< principal axes -> map
};

/// Of translation and rotation [J].
HOST_DEVICE inline double kineticEnergyOf(const ClumpKind& kind, const ClumpMotion& motion)
{
  const Vec3d spin = spinOf(motion.orientation, motion.momentum, kind.inertia);
  return 0.5 * kind.mass * squaredLength(motion.velocity) + 0.5 * dot(spin, motion.momentum);
}

struct HostClumps
{
  std::vector<ClumpKind> kind; ///< firstMember is set by append()
  std::vector<ClumpMotion> motion;
};

/// How easily a point of a body gives way [1/kg].
struct Mobility
{
  float normal, across;
};

namespace LAPILLI_BACKEND
{

struct ClumpView
{
  Index count = 0;
  const std::int32_t* ofSphere =
    nullptr; ///< clump of each particle, -1 for none; null without clumps
  const ClumpKind* kind = nullptr;
  ClumpMotion* motion = nullptr;
  Index* members = nullptr;           ///< places of the spheres, clump after clump
  const Vec3d* offset = nullptr;      ///< of the spheres of each shape, in radii, principal frame
  const Index* firstOffset = nullptr; ///< by shape

  /// Forces of the spheres on the whole.
  struct Load
  {
    Vec3d force, torque;
  };
  HOST_DEVICE Load load(const ParticleView& particles, Index c) const
  {
    Load sum;
    for (std::int32_t k = 0; k < kind[c].count; ++k)
    {
      const Index i = members[kind[c].firstMember + k];
      const Vec3d& force = particles.force[i];
      sum.force += force;
      sum.torque +=
        particles.torque[i] + cross(particles.sphere[i].position - motion[c].position, force);
    }
    return sum;
  }

  /// From the centre of a clump to that of its sphere k [m].
  HOST_DEVICE Vec3d arm(Index c, std::int32_t k) const
  {
    return rotate(motion[c].orientation, kind[c].radius * offset[firstOffset[kind[c].shape] + k]);
  }

  /// The sphere of the clump's volume about its centre.
  HOST_DEVICE Sphere sphere(Index c) const { return { motion[c].position, kind[c].radius }; }

  HOST_DEVICE Vec3d spin(Index c) const
  {
    return spinOf(motion[c].orientation, motion[c].momentum, kind[c].inertia);
  }

  /// @param arm from the centre of sphere i to the point
  HOST_DEVICE Mobility mobility(
    const ParticleView& particles, Index i, const Vec3d& arm, const Vec3d& normal, bool turns) const
  {
    const std::int32_t c = ofSphere[i];
    const double inverse = 1 / (c < 0 ? particles.mass[i] : kind[c].mass);
    if (!turns)
      return { static_cast<float>(inverse), static_cast<float>(inverse) };
    if (c < 0)
      return { static_cast<float>(inverse), static_cast<float>(3.5 * inverse) };
    // Of all directions together, and of the normal alone; the rest belongs to the two across it.
    const Vec3d& inertia = kind[c].inertia;
    const Vec3d j{ 1 / inertia.x, 1 / inertia.y, 1 / inertia.z };
    const Quatd& q = motion[c].orientation;
    const Vec3d r = rotateBack(q, particles.sphere[i].position + arm - motion[c].position);
    const Vec3d turn = cross(r, rotateBack(q, normal));
    const double along =
      inverse + turn.x * turn.x * j.x + turn.y * turn.y * j.y + turn.z * turn.z * j.z;
    const double all =
      3 * inverse + r.x * r.x * (j.y + j.z) + r.y * r.y * (j.x + j.z) + r.z * r.z * (j.x + j.y);
    return { static_cast<float>(along), static_cast<float>(0.5 * (all - along)) };
  }
};

class Clumps
{
public:
  Clumps() = default;
  explicit Clumps(const std::vector<ClumpBody>& bodies);

  Index count() const { return static_cast<Index>(kind_.size()); }
  ClumpView view(const ParticleView& particles) const;

  /// New clumps behind the others. Their spheres carry the number count() + k.
  void append(HostClumps more);
  HostClumps download() const { return { kind_.download(), motion_.download() }; }

  /// Finds the spheres' places anew. Reads clump, traits.
  void findMembers(const Executor& executor, const ParticleView& particles);

  /// Forgets clumps and renumbers the others in the particles, which must no longer hold their spheres.
  void remove(
    const Executor& executor, const ParticleView& particles, const std::vector<std::int32_t>& lost);

  double bytes() const;

  void save(CheckpointWriter& writer) const;
  /// @throws InvalidInput if the clumps are not those of the particles
  void restore(CheckpointReader& reader, const HostParticles& particles);

private:
  void upload(HostClumps clumps);

  Buffer<ClumpKind> kind_;
  Buffer<ClumpMotion> motion_;
  Buffer<Index> members_;
  Buffer<Vec3d> offset_;
  Buffer<Index> firstOffset_;
  std::vector<std::int32_t> shapeCounts_; ///< spheres of each shape
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
