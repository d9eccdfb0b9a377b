/// @file
/// The particles of a run as structure of arrays.
///
/// What is integrated is double: positions, velocities, spins. Kernels that meet many pairs read
/// the compact float copy in `motion`. Arrays are in spatial order, which changes when neighbours
/// are listed anew; `id` says who is who.
#pragma once

#include "Checkpoint.h"
#include "Math/Vec.h"
#include "Parallel/Executor.h"
#include "Particles/BodyForm.h"
#include "Spatial/SphereView.h"

namespace lapilli
{

/// How a sphere moves at the middle of the step, for contact forces.
struct alignas(32) Motion
{
  Vec3f velocity;        ///< [m/s]
  float mass;            ///< [kg]
  Vec3f spin;            ///< [rad/s]
  std::int32_t material; ///< row of PairLaws
};

/// What a particle is and where it came from; it never changes.
struct Traits
{
  double birth = 0;            ///< [s], when it came into the run
  float temperature = 293.15f; ///< [K]
  float density = 2600;        ///< [kg/m^3]
  std::int32_t sourceId = 0;   ///< as given
  std::int32_t sourceSlot = 0; ///< place of sourceId among the source ids of the scene
  std::int32_t material = 0;   ///< place of its material among the materials of the scene
  std::int16_t member = 0;     ///< which sphere of its clump it is, 0 for a single sphere
  std::int16_t members = 1;    ///< how many spheres its clump has, 1 for a single sphere
};

namespace LAPILLI_BACKEND
{

struct ParticleView
{
  Index count;
  Sphere* sphere;
  Motion* motion;
  Vec3d* velocity;     ///< [m/s]
  Vec3d* spin;         ///< [rad/s]
  double* mass;        ///< [kg]; of a sphere of a clump its even share
  double* inverseMass; ///< [1/kg]
  Vec3d* force;    ///< [N], of contacts; sums of many pairs, so that momentum is kept to round-off
  Vec3d* torque;   ///< [N m]
  float* pressure; ///< [Pa]
  std::uint8_t*
    loaded; ///< whether force, torque and pressure hold a part of this step's load, and of whom
  float* pressureMax;    ///< [Pa], greatest since the last frame
  float* surfaceSpeed;   ///< [m/s], greatest |v| + r |omega| since the last frame
  Vec3d* supportImpulse; ///< [N s], from terrain since the last frame
  std::int64_t* id;      ///< particle_id, one for all spheres of a clump
  const Traits* traits;
  std::int32_t* clump; ///< number of the clump, -1 for a single sphere
  bool hasClumps;
  BodyForm form;

  static constexpr std::uint8_t kByGround = 1, kByLongRow = 2; ///< of `loaded`

  HOST_DEVICE SphereView spheres() const { return { count, sphere, hasClumps ? clump : nullptr }; }
  HOST_DEVICE bool isPart(Index i) const { return hasClumps && clump[i] >= 0; }

  /// Since the last frame. What rests is slow and has touched something: at the top of its way a stone in
  /// the air is slow too.
  HOST_DEVICE bool isSlow(Index i, double restSpeed) const { return surfaceSpeed[i] < restSpeed; }
  HOST_DEVICE bool hasTouched(Index i) const { return pressureMax[i] > 0 || pressure[i] != 0; }
};

/// Particles on the host, in the same order as on the device.
struct HostParticles
{
  std::vector<Sphere> sphere;
  std::vector<Vec3d> velocity, spin;
  std::vector<double> mass;
  std::vector<Vec3d> force, torque;
  std::vector<float> pressure, pressureMax, surfaceSpeed;
  std::vector<Vec3d> supportImpulse;
  std::vector<std::int64_t> id;
  std::vector<Traits> traits;
  std::vector<std::int32_t> clump;

  /// Places by id, and the spheres of one clump in their order.
  std::vector<std::size_t> inOrderOfIds() const;
  /// 1 where a particle rests, see ParticleView::isSlow(); the spheres of a clump rest together.
  std::vector<std::uint8_t> resting(double restSpeed) const;

  /// Whether particle i has finite numbers throughout, and a radius, mass and density above 0.
  bool isSound(std::size_t i) const;
};

/// Where particles will be and how they will move, see State::takeNext().
struct NextPlaces
{
  Sphere* sphere;
  Motion* motion;
  /// More than the caches hold is touched before these are read: they are better not kept there.
  bool pastCaches;
};

class State
{
public:
  /// @param hasClumps whether particles may be parts of clumps
  /// @param form      of those that are not
  explicit State(bool hasClumps = false, const BodyForm& form = {})
    : hasClumps_(hasClumps)
    , form_(form)
  {
  }

  /// Forces, pressures, impulses, traits and clumps may be left empty and then have their defaults.
  void upload(HostParticles particles);
  /// More particles, behind the others.
  void append(HostParticles particles);
  HostParticles download() const { return download(0, count_); }
  HostParticles download(Index first, Index count) const;

  ParticleView view() const;
  Index count() const { return count_; }

  /// Room for places and motions that are computed while others still read the present ones.
  NextPlaces next();
  /// Makes what was written to next() the present.
  void takeNext();

  /// particle i becomes what order[i] was.
  void reorder(const Executor& executor, const Buffer<Index>& order);

  /// Forgets the particles from `count` on.
  void truncate(Index count);

  /// Sets what is gathered between frames to zero.
  void resetAccumulators(const Executor& executor);

  double bytes() const;

  void save(CheckpointWriter& writer) const;
  /// @param limit the largest count that makes sense
  void restore(CheckpointReader& reader, std::uint64_t limit);

private:
  template <class Put>
  void take(HostParticles particles, const Put& put); ///< put(buffer, values) for every array
  template <class Visit>
  void forEachArray(const Visit& visit); ///< visit(buffer) for what is carried

  Index count_ = 0;
  Buffer<Sphere> sphere_;
  Buffer<Motion> motion_; ///< follows from the rest at each step, so not part of a checkpoint
  Buffer<Vec3d> velocity_, spin_, supportImpulse_;
  Buffer<double> mass_, inverseMass_;
  Buffer<Vec3d> force_, torque_;
  Buffer<float> pressure_, pressureMax_, surfaceSpeed_;
  Buffer<std::uint8_t> loaded_; ///< set whenever lists are made, so not carried
  Buffer<std::int64_t> id_;
  Buffer<Traits> traits_;
  Buffer<std::int32_t> clump_;
  bool hasClumps_;
  BodyForm form_;

  Buffer<Sphere> nextSphere_;
  Buffer<Motion> nextMotion_; ///< and where what is brought into another order waits
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
