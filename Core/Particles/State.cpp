#include "Particles/State.h"

#include "Parallel/CacheHints.h"
#include "Particles/Gather.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// Writes pressureMax, surfaceSpeed, supportImpulse.
struct ResetAccumulators
{
  ParticleView particles;
  HOST_DEVICE void operator()(Index i) const
  {
    particles.pressureMax[i] = 0;
    particles.surfaceSpeed[i] = 0;
    particles.supportImpulse[i] = {};
  }
};

} // namespace

std::vector<std::size_t> HostParticles::inOrderOfIds() const
{
  std::vector<std::size_t> order(id.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(),
    [this](std::size_t a, std::size_t b)
    { return id[a] != id[b] ? id[a] < id[b] : traits[a].member < traits[b].member; });
  return order;
}

std::vector<std::uint8_t> HostParticles::resting(double restSpeed) const
{
  struct Body
  {
    bool isSlow = true, hasTouched = false;
  };
  const std::size_t n = sphere.size();
  std::vector<Body> clumps;
  std::vector<std::uint8_t> rests(n);
  const auto isPart = [this](std::size_t i) { return !clump.empty() && clump[i] >= 0; };
  for (std::size_t i = 0; i < n; ++i)
  {
    const Body body{ surfaceSpeed[i]<restSpeed, pressureMax[i]> 0 || pressure[i] != 0 };
    rests[i] = body.isSlow && body.hasTouched;
    if (isPart(i))
    {
      const auto number = static_cast<std::size_t>(clump[i]);
      if (number >= clumps.size())
        clumps.resize(number + 1);
      clumps[number].isSlow = clumps[number].isSlow && body.isSlow;
      clumps[number].hasTouched = clumps[number].hasTouched || body.hasTouched;
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    if (isPart(i))
      rests[i] = clumps[clump[i]].isSlow && clumps[clump[i]].hasTouched;
  return rests;
}

bool HostParticles::isSound(std::size_t i) const
{
  const auto isAboveZero = [](double v) { return v > 0 && std::isfinite(v); };
  return isFinite(sphere[i].position) && isAboveZero(sphere[i].radius) && isFinite(velocity[i]) &&
         isFinite(spin[i]) && isAboveZero(mass[i]) && isFinite(force[i]) && isFinite(torque[i]) &&
         std::isfinite(pressure[i]) && std::isfinite(pressureMax[i]) &&
         std::isfinite(surfaceSpeed[i]) && isFinite(supportImpulse[i]) &&
         std::isfinite(traits[i].birth) && std::isfinite(traits[i].temperature) &&
         isAboveZero(traits[i].density) && traits[i].members > 0;
}

template <class Visit>
void State::forEachArray(const Visit& visit)
{
  visit(sphere_);
  visit(motion_);
  visit(velocity_);
  visit(spin_);
  visit(supportImpulse_);
  visit(mass_);
  visit(inverseMass_);
  visit(force_);
  visit(torque_);
  visit(pressure_);
  visit(pressureMax_);
  visit(surfaceSpeed_);
  visit(id_);
  visit(traits_);
  visit(clump_);
}

template <class Put>
void State::take(HostParticles particles, const Put& put)
{
  const std::size_t n = particles.sphere.size();
  particles.force.resize(n);
  particles.torque.resize(n);
  particles.pressure.resize(n);
  particles.pressureMax.resize(n);
  particles.surfaceSpeed.resize(n);
  particles.supportImpulse.resize(n);
  particles.traits.resize(n);
  particles.clump.resize(n, -1);
  std::vector<Motion> motion(n);
  std::vector<double> inverseMass(n);
  for (std::size_t i = 0; i < n; ++i)
  {
    const double mass = particles.mass[i];
    motion[i] = { particles.velocity[i].to<float>(),
      static_cast<float>(mass * particles.traits[i].members), particles.spin[i].to<float>(),
      particles.traits[i].material };
    inverseMass[i] = 1 / mass;
  }
  put(sphere_, particles.sphere);
  put(motion_, motion);
  put(inverseMass_, inverseMass);
  put(velocity_, particles.velocity);
  put(spin_, particles.spin);
  put(supportImpulse_, particles.supportImpulse);
  put(mass_, particles.mass);
  put(force_, particles.force);
  put(torque_, particles.torque);
  put(pressure_, particles.pressure);
  put(pressureMax_, particles.pressureMax);
  put(surfaceSpeed_, particles.surfaceSpeed);
  put(id_, particles.id);
  put(traits_, particles.traits);
  put(clump_, particles.clump);
  count_ = static_cast<Index>(sphere_.size());
  loaded_.resizeDiscarding(count_);
}

void State::upload(HostParticles particles)
{
  take(std::move(particles), [](auto& buffer, const auto& values) { buffer.upload(values); });
}

void State::append(HostParticles particles)
{
  take(std::move(particles), [](auto& buffer, const auto& values) { buffer.append(values); });
}

HostParticles State::download(Index first, Index count) const
{
  HostParticles particles;
  particles.sphere = sphere_.download(first, count);
  particles.velocity = velocity_.download(first, count);
  particles.spin = spin_.download(first, count);
  particles.supportImpulse = supportImpulse_.download(first, count);
  particles.mass = mass_.download(first, count);
  particles.force = force_.download(first, count);
  particles.torque = torque_.download(first, count);
  particles.pressure = pressure_.download(first, count);
  particles.pressureMax = pressureMax_.download(first, count);
  particles.surfaceSpeed = surfaceSpeed_.download(first, count);
  particles.id = id_.download(first, count);
  particles.traits = traits_.download(first, count);
  particles.clump = clump_.download(first, count);
  return particles;
}

ParticleView State::view() const
{
  return { count_, sphere_.data(), motion_.data(), velocity_.data(), spin_.data(), mass_.data(),
    inverseMass_.data(), force_.data(), torque_.data(), pressure_.data(), loaded_.data(),
    pressureMax_.data(), surfaceSpeed_.data(), supportImpulse_.data(), id_.data(), traits_.data(),
    clump_.data(), hasClumps_, form_ };
}

NextPlaces State::next()
{
  nextSphere_.resizeDiscarding(count_);
  nextMotion_.resizeDiscarding(count_);
  constexpr std::size_t kTouched = 2 * (sizeof(Sphere) + sizeof(Motion) + sizeof(Vec3d));
  const bool pastCaches = static_cast<std::size_t>(count_) * kTouched > lastCacheBytes();
  return { nextSphere_.data(), nextMotion_.data(), pastCaches };
}

void State::takeNext()
{
  sphere_.swap(nextSphere_);
  motion_.swap(nextMotion_);
}

namespace
{
struct ReorderArray
{
  const Executor& executor;
  const Buffer<Index>& order;
  Buffer<Motion>& room;
  template <class T>
  void operator()(Buffer<T>& buffer) const
  {
    static_assert(sizeof(T) <= sizeof(Motion) && alignof(T) <= alignof(Motion), "it has to fit");
    const auto count = static_cast<Index>(order.size());
    auto* const waiting = reinterpret_cast<T*>(room.data());
    executor.forEach("state.reorder", count, Gather<T>{ order.data(), buffer.data(), waiting });
    executor.forEach("state.putBack", count, Copy<T>{ waiting, buffer.data() });
  }
};
struct TruncateArray
{
  Index count;
  template <class T>
  void operator()(Buffer<T>& buffer) const
  {
    buffer.shrink(count);
  }
};
} // namespace

void State::reorder(const Executor& executor, const Buffer<Index>& order)
{
  LAPILLI_ASSERT(static_cast<Index>(order.size()) == count_);
  nextMotion_.resizeDiscarding(count_);
  forEachArray(ReorderArray{ executor, order, nextMotion_ });
}

void State::truncate(Index count)
{
  forEachArray(TruncateArray{ count });
  count_ = count;
}

void State::resetAccumulators(const Executor& executor)
{
  executor.forEach("state.resetAccumulators", count_, ResetAccumulators{ view() });
}

double State::bytes() const
{
  return static_cast<double>(sphere_.bytes() + motion_.bytes() + velocity_.bytes() + spin_.bytes() +
                             supportImpulse_.bytes() + mass_.bytes() + inverseMass_.bytes() +
                             force_.bytes() + torque_.bytes() + pressure_.bytes() +
                             pressureMax_.bytes() + surfaceSpeed_.bytes() + id_.bytes() +
                             traits_.bytes() + clump_.bytes() + loaded_.bytes() +
                             nextSphere_.bytes() + nextMotion_.bytes());
}

void State::save(CheckpointWriter& writer) const
{
  const HostParticles particles = download();
  writer.beginSection("particles", 3);
  writer.array(particles.sphere);
  writer.array(particles.velocity);
  writer.array(particles.spin);
  writer.array(particles.mass);
  writer.array(particles.force);
  writer.array(particles.torque);
  writer.array(particles.pressure);
  writer.array(particles.pressureMax);
  writer.array(particles.surfaceSpeed);
  writer.array(particles.supportImpulse);
  writer.array(particles.id);
  writer.array(particles.traits);
  writer.array(particles.clump);
}

void State::restore(CheckpointReader& reader, std::uint64_t limit)
{
  reader.expectSection("particles", 3);
  HostParticles particles;
  particles.sphere = reader.array<Sphere>(limit);
  const std::uint64_t count = particles.sphere.size();
  const auto matching = [&](auto& values)
  {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    values = reader.array<Value>(count);
    if (values.size() != count)
      throw InvalidInput("the checkpoint holds arrays of different lengths; compute it anew");
  };
  matching(particles.velocity);
  matching(particles.spin);
  matching(particles.mass);
  matching(particles.force);
  matching(particles.torque);
  matching(particles.pressure);
  matching(particles.pressureMax);
  matching(particles.surfaceSpeed);
  matching(particles.supportImpulse);
  matching(particles.id);
  matching(particles.traits);
  matching(particles.clump);
  for (std::size_t i = 0; i < count; ++i)
    if (!particles.isSound(i))
      throw InvalidInput(
        "the checkpoint holds particles without a place, a speed, a size or a mass; "
        "compute it anew");
  upload(std::move(particles));
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
