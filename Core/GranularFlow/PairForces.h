/// @file
/// Forces of all contacts between particles, as many at a time as there are lanes.
#pragma once

#include "Clumps/Clumps.h"
#include "Contacts/ContactForce.h"
#include "GranularFlow/StepControl.h"
#include "Math/Lanes.h"
#include "Particles/State.h"
#include "Spatial/NeighborList.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// Particles of which one stands in each lane.
struct ParticleLanes
{
  Vec3<DoubleLanes> position; ///< [m]
  DoubleLanes radius;         ///< [m]
  Vec3<FloatLanes> velocity;  ///< [m/s]
  Vec3<FloatLanes> spin;      ///< [rad/s]
  FloatLanes mass;            ///< [kg]
  FloatLanes material;        ///< the bits of Motion::material

  /// @param at at(lane) the particle's place
  template <class At>
  HOST_DEVICE void loadPlaces(const ParticleView& particles, const At& at)
  {
    DoubleLanes row[4];
    loadFourDoubles([&](int lane) { return &particles.sphere[at(lane)].position.x; }, row);
    position = { row[0], row[1], row[2] };
    radius = row[3];
  }
  template <class At>
  HOST_DEVICE void loadMotions(const ParticleView& particles, const At& at)
  {
    FloatLanes row[8];
    loadEightFloats([&](int lane) { return &particles.motion[at(lane)].velocity.x; }, row);
    velocity = { row[0], row[1], row[2] };
    mass = row[3];
    spin = { row[4], row[5], row[6] };
    material = row[7];
  }
};

/// What contacts do to the particles of the lanes together.
struct ContactLoad
{
  Vec3<DoubleLanes> force{ 0.0, 0.0, 0.0 };  ///< [N]
  Vec3<DoubleLanes> torque{ 0.0, 0.0, 0.0 }; ///< [N m]
  FloatLanes normalForces = 0.0f;            ///< [N], their sum
  FloatLanes greatestOverlap = 0.0f;         ///< [m]
};

/// A pair is computed in both of its rows, each time with the row's own particle as a. All is odd in the
/// exchange of the two, so that force and history agree to the bit.
/// Reads sphere, motion, id; updates the rows.
template <class NormalLaw>
struct PairForces
{
  ParticleView particles;
  NeighborView rows;
  NormalLaw normalLaw;
  PairLaws laws;
  ClumpView clumps;
  bool turns;       ///< whether bodies can rotate
  ShearRatio shear; ///< of bodies that turn, or do not
  Periodicity space;

  /// The same in a step of a given length [s].
  HOST_DEVICE PairForces during(double timeStep) const
  {
    PairForces same = *this;
    same.normalLaw.timeStep = static_cast<float>(timeStep);
    return same;
  }

  /// Adds the contacts of `own` with the neighbours of entries first … first + kLanes - 1.
  /// @param at     at(lane) the place of the own particle
  /// @param active lanes that have an entry
  template <class At>
  HOST_DEVICE void add(const ParticleLanes& own, const At& at, Offset first, TruthLanes active,
    ContactLoad& load) const
  {
    std::int32_t* const bits = reinterpret_cast<std::int32_t*>(rows.neighbor + first);
    const IntLanes entries = loadLanes(bits);
    const Neighbor* const entry = rows.neighbor + first;
    const auto other = [entry](int lane) { return entry[lane].index(); };
    ParticleLanes b;
    b.loadPlaces(particles, other);
    Vec3<DoubleLanes> way = b.position - own.position;
    if (space.any())
      way = space.nearest(way);
    const DoubleLanes squared = squaredLength(way);
    const DoubleLanes reach = own.radius + b.radius;
    // The overlap is (reach^2 - distance^2) / (reach + distance): all that cancels is exact in double.
    const FloatLanes depth = toFloat(reach * reach - squared);
    const TruthLanes touches = active & (depth > 0.0f);

    const TruthLanes touched = active & (entries < IntLanes(0));
    if (any((touches & !touched) | (touched & !touches)))
      storeLanes(
        bits, select(touches, entries | IntLanes(static_cast<std::int32_t>(Neighbor::kTouching)),
                entries & IntLanes(static_cast<std::int32_t>(~Neighbor::kTouching))));
    if (!any(touches))
      return;

    b.loadMotions(particles, other);
    ContactOf<FloatLanes> contact;
    contact.radius = contact.inertia = 0.0f; // where no law asks for them
    const FloatLanes squaredDistance = toFloat(squared);
    const TruthLanes coincide = touches & !(squaredDistance > 0.0f);
    const FloatLanes inverseDistance = inverseSquareRoot(squaredDistance);
    contact.normal = inverseDistance * toFloat(way);
    FloatLanes distance = squaredDistance * inverseDistance;
    if (any(coincide))
    {
      const FloatLanes upward = ofEachLane<float>([&](int lane)
        { return particles.id[at(lane)] < particles.id[other(lane)] ? 1.0f : -1.0f; });
      const FloatLanes none = 0.0f;
      contact.normal = choose(coincide,
        particles.form.movesUpright() ? Vec3<FloatLanes>{ none, none, upward }
                                      : Vec3<FloatLanes>{ none, upward, none },
        contact.normal);
      distance = select(coincide, FloatLanes(0.0f), distance);
    }
    contact.overlap = depth * reciprocal(toFloat(reach) + distance);
    contact.isNew = touches & !touched;

    const FloatLanes radiusA = toFloat(own.radius), radiusB = toFloat(b.radius);
    const FloatLanes armA = radiusA - 0.5f * contact.overlap;
    const FloatLanes armB = radiusB - 0.5f * contact.overlap;
    const FloatLanes product = own.mass * b.mass, sum = own.mass + b.mass;
    contact.setMasses(product * reciprocal(sum), sum * reciprocal(product), shear);
    if (particles.hasClumps)
      setMobility(contact, at, other, touches, armA, armB);
    const Vec3<FloatLanes> relative = b.velocity - own.velocity;
    contact.approach = -dot(relative, contact.normal);
    contact.slip = relative + contact.approach * contact.normal -
                   cross(armA * own.spin + armB * b.spin, contact.normal);
    if (rows.angle)
    {
      const FloatLanes rollingA = particles.form.rollingInertia(own.mass, radiusA);
      const FloatLanes rollingB = particles.form.rollingInertia(b.mass, radiusB);
      contact.inertia = rollingA * rollingB / (rollingA + rollingB);
      const Vec3<FloatLanes> spins = b.spin - own.spin;
      contact.rolling = spins - dot(spins, contact.normal) * contact.normal;
    }

    Vec3<FloatLanes> spring{ 0.0f, 0.0f, 0.0f }, angle{ 0.0f, 0.0f, 0.0f };
    if (rows.spring)
      spring = remembered(rows.spring, first, touches & touched);
    if (rows.angle)
      angle = remembered(rows.angle, first, touches & touched);
    const PairLawOf<FloatLanes> law = lawsBetween(at, other, touches);
    if (NormalLaw::kUsesRadius || rows.angle || any(law.cohesion > 0.0f))
      contact.radius = radiusA * radiusB * reciprocal(radiusA + radiusB);
    const ContactForceOf<FloatLanes> acting = contactForce(
      normalLaw, law, contact, rows.spring ? &spring : nullptr, rows.angle ? &angle : nullptr);
    if (rows.spring)
      remember(rows.spring, first, spring);
    if (rows.angle)
      remember(rows.angle, first, angle);

    const Vec3<FloatLanes> nothing{ 0.0f, 0.0f, 0.0f };
    load.force +=
      toDouble(choose(touches, acting.friction - acting.normal * contact.normal, nothing));
    load.torque += toDouble(
      choose(touches, armA * cross(contact.normal, acting.friction) + acting.rolling, nothing));
    load.normalForces += select(touches, acting.normal, FloatLanes(0.0f));
    load.greatestOverlap =
      larger(load.greatestOverlap, select(touches, contact.overlap, FloatLanes(0.0f)));
  }

private:
  HOST_DEVICE static Vec3<FloatLanes> remembered(
    const float* history, Offset entry, TruthLanes known)
  {
    const float* const from = history + NeighborView::historyOf(entry);
    const FloatLanes none = 0.0f;
    return { select(known, loadLanes(from), none), select(known, loadLanes(from + kRowLanes), none),
      select(known, loadLanes(from + 2 * kRowLanes), none) };
  }
  /// What pairs that do not touch remember is never read.
  HOST_DEVICE static void remember(float* history, Offset entry, const Vec3<FloatLanes>& v)
  {
    float* const to = history + NeighborView::historyOf(entry);
    storeLanes(to, v.x);
    storeLanes(to + kRowLanes, v.y);
    storeLanes(to + 2 * kRowLanes, v.z);
  }

  template <class At, class Other>
  HOST_DEVICE PairLawOf<FloatLanes> lawsBetween(
    const At& at, const Other& other, TruthLanes touches) const
  {
    if (laws.materials == 1)
      return laws.between(0, 0).template to<FloatLanes>();
    const unsigned lanes = bitsOf(touches);
    const PairLaw* law[kLanes];
    for (int lane = 0; lane < kLanes; ++lane)
      law[lane] = (lanes >> lane & 1) != 0 ? &laws.between(particles.motion[at(lane)].material,
                                               particles.motion[other(lane)].material)
                                           : laws.law;
    const auto each = [&](float PairLaw::*number)
    { return ofEachLane<float>([&](int lane) { return law[lane]->*number; }); };
    return { each(&PairLaw::damping), each(&PairLaw::friction), each(&PairLaw::rollingFriction),
      each(&PairLaw::cohesion), each(&PairLaw::youngs), each(&PairLaw::shear) };
  }

  /// The masses of a contact with a sphere of a clump.
  template <class At, class Other>
  HOST_DEVICE void setMobility(ContactOf<FloatLanes>& contact, const At& at, const Other& other,
    TruthLanes touches, const FloatLanes& armA, const FloatLanes& armB) const
  {
    const unsigned lanes = bitsOf(touches);
    const EachLane<float, FloatLanes> x(contact.normal.x), y(contact.normal.y), z(contact.normal.z),
      a(armA), b(armB);
    EachLane<float, FloatLanes> along(contact.normalMobility), across(contact.shearMobility);
    for (int lane = 0; lane < kLanes; ++lane)
    {
      if (!(lanes >> lane & 1) || !(particles.isPart(at(lane)) || particles.isPart(other(lane))))
        continue;
      const Vec3d normal{ x[lane], y[lane], z[lane] };
      const Mobility ofA =
        clumps.mobility(particles, at(lane), double(a[lane]) * normal, normal, turns);
      const Mobility ofB =
        clumps.mobility(particles, other(lane), -double(b[lane]) * normal, normal, turns);
      along.lane[lane] = ofA.normal + ofB.normal;
      across.lane[lane] = ofA.across + ofB.across;
    }
    contact.setMobility(loadLanes(along.lane), loadLanes(across.lane));
  }
};

/// Sets the load of the pairs of a particle whose row is long, with its neighbours in the lanes.
/// Writes force, torque, pressure (here the sum of normal forces [N]).
/// @return greatest overlap over the radius
template <class NormalLaw>
struct SetLongRowForces
{
  PairForces<NormalLaw> pairs;
  StepTimes step;

  ONE_PIECE HOST_DEVICE float operator()(Index r) const
  {
    if (!step.goesOn())
      return 0;
    const PairForces<NormalLaw> pairs = this->pairs.during(step.ending());
    const NeighborView& rows = pairs.rows;
    const Index i = rows.longParticle[r];
    const auto self = [i](int) { return i; };
    ParticleLanes own;
    own.loadPlaces(pairs.particles, self);
    own.loadMotions(pairs.particles, self);
    ContactLoad load;
    for (Index k = 0; k < rows.longLength[r]; k += kLanes)
      pairs.add(
        own, self, rows.longStart[r] + k, lanesFrom(k) < IntLanes(rows.longLength[r]), load);
    pairs.particles.force[i] = { sumOf(load.force.x), sumOf(load.force.y), sumOf(load.force.z) };
    pairs.particles.torque[i] = { sumOf(load.torque.x), sumOf(load.torque.y),
      sumOf(load.torque.z) };
    pairs.particles.pressure[i] = static_cast<float>(sumOf(toDouble(load.normalForces)));
    return largestLane(load.greatestOverlap / toFloat(own.radius));
  }

private:
  HOST_DEVICE static double sumOf(const DoubleLanes& lanes)
  {
    const EachLane<double, DoubleLanes> each(lanes);
    double sum = 0;
    for (int lane = 0; lane < kLanes; ++lane)
      sum += each[lane];
    return sum;
  }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
