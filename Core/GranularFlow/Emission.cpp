#include "GranularFlow/Emission.h"

#include "Terrain/TriangleContact.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// Overlaps below this part of a radius are rounding.
constexpr double kTolerance = 1e-6;

/// Places that are tried for one particle at one moment.
constexpr int kAttempts = 16;

/// Reads the spheres of each candidate; writes blocked.
struct FindBlocked
{
  NearSpheres present;
  SurfaceMeshView mesh;
  ColumnGridView columns;
  DomainSides domain;
  const Sphere* spheres;
  const Index* first; ///< of each candidate
  std::uint8_t* blocked;

  HOST_DEVICE void operator()(Index c) const
  {
    bool isBlocked = false;
    for (Index k = first[c]; k < first[c + 1]; ++k)
      isBlocked = isBlocked || meetsSphere(spheres[k]) || meetsSurface(spheres[k]);
    blocked[c] = isBlocked ? 1 : 0;
  }

private:
  HOST_DEVICE bool meetsSphere(const Sphere& sphere) const
  {
    bool meets = false;
    present.forEachNear(sphere.position,
      [&](Index j, const Vec3d& way)
      {
        const double reach =
          sphere.radius + present.spheres.sphere[j].radius - kTolerance * sphere.radius;
        meets = meets || squaredLength(way) < reach * reach;
      });
    return meets;
  }
  HOST_DEVICE bool meetsSurface(const Sphere& sphere) const
  {
    const MergedContacts contacts = touchSurface(
      mesh, sphere.position, sphere.radius,
      [&](const auto& visit)
      { columns.forEachNear(sphere.position.x, sphere.position.y, sphere.radius, visit); },
      AsItLies{});
    for (int k = 0; k < contacts.count; ++k)
      if (contacts.depth(k) > kTolerance * sphere.radius)
        return true;
    return domain.isBehindWall(sphere.position, 0);
  }
};

} // namespace

Emission::Candidate Emission::candidate(const EmissionScene& scene, int n, int attempt) const
{
  const Nozzle& nozzle = emitter_.nozzle(n);
  const EmittedParticle due = emitter_.head(n, attempt);
  // Who was due by the last look found no room then, and leaves now.
  const double birth = due.dueTime <= lastTime_ ? scene.time : due.dueTime;
  const double flown = scene.time - birth, kicked = scene.kickTime - birth;
  NewBody body;
  body.id = 0; // is known when it has found room
  body.position = scene.domain.space.wrap(
    due.position + flown * due.velocity + (0.5 * flown * flown) * scene.gravity);
  body.velocity = due.velocity + kicked * scene.gravity;
  body.radius = due.radius;
  body.birth = birth;
  body.density = nozzle.density;
  body.temperature = nozzle.temperature;
  body.sourceId = nozzle.sourceId;
  body.material = nozzle.material;
  body.shape = nozzle.shape;
  // By nozzle and number there, beyond the numbers of particles.
  body.orientation =
    plan_.orientationOf(nozzle.shape, ((std::int64_t(n) + 1) << 40) + emitter_.emitted(n));
  // What has flown off the map since it was due is lost like others; what began there never was.
  const bool isAtFault = places_.faultAt(scene.domain.space.wrap(due.position)) != nullptr ||
                         places_.isBuried(body.position);
  return { n, body, isAtFault };
}

std::vector<std::uint8_t> Emission::findBlocked(
  const EmissionScene& scene, const std::vector<Candidate>& candidates)
{
  NewBodies asBodies(plan_, 0);
  std::vector<Index> first{ 0 };
  for (const Candidate& candidate : candidates)
  {
    asBodies.add(candidate.body);
    first.push_back(static_cast<Index>(asBodies.particles.sphere.size()));
  }
  spheres_.upload(asBodies.particles.sphere);
  first_.upload(first);
  blocked_.resizeDiscarding(candidates.size());
  scene.executor.forEach("emission.findBlocked", static_cast<Index>(candidates.size()),
    FindBlocked{ scene.present, scene.surface.mesh(), scene.surface.columns(), scene.domain,
      spheres_.data(), first_.data(), blocked_.data() });
  return blocked_.download();
}

void Emission::takeDue(const EmissionScene& scene, NewBodies& bodies)
{
  // In rounds: the next of every nozzle that has one due and is not blocked.
  std::vector<int> attempts(static_cast<std::size_t>(emitter_.count()), 0);
  std::vector<Sphere> taken; // holds whole particles, of this call
  for (;;)
  {
    std::vector<Candidate> candidates;
    for (int n = 0; n < emitter_.count(); ++n)
      if (emitter_.dueTime(n) <= scene.time && attempts[static_cast<std::size_t>(n)] < kAttempts)
        candidates.push_back(candidate(scene, n, attempts[static_cast<std::size_t>(n)]));
    if (candidates.empty())
      break;
    const std::vector<std::uint8_t> blocked = findBlocked(scene, candidates);
    for (std::size_t k = 0; k < candidates.size(); ++k)
    {
      NewBody& body = candidates[k].body;
      const auto n = static_cast<std::size_t>(candidates[k].nozzle);
      const Sphere whole{ body.position, plan_.extentOf(body.shape) * body.radius };
      const bool hasRoom = !blocked[k] && !candidates[k].isAtFault &&
                           std::none_of(taken.begin(), taken.end(),
                             [&](const Sphere& other)
                             {
                               const double reach = whole.radius + other.radius;
                               const Vec3d way =
                                 scene.domain.space.nearest(other.position - whole.position);
                               return squaredLength(way) < reach * reach * (1 - kTolerance);
                             });
      if (!hasRoom)
      {
        ++attempts[n];
        continue;
      }
      body.id = static_cast<std::int64_t>(plan_.seeds.count()) + emitter_.emitted();
      taken.push_back(whole);
      bodies.add(body);
      emitter_.pop(candidates[k].nozzle);
      attempts[n] = 0;
    }
  }
  for (int n = 0; n < emitter_.count(); ++n)
    if (attempts[static_cast<std::size_t>(n)] >= kAttempts)
      emitter_.noteBlocked(n, scene.time - std::max(lastTime_, emitter_.dueTime(n)));
  lastTime_ = scene.time;
}

void Emission::addNotes(std::vector<std::string>& notes) const
{
  std::map<std::int32_t, std::vector<int>> blocked; // by source
  for (int n = 0; n < emitter_.count(); ++n)
    if (emitter_.blockedTime(n) > 0 && plan_.nozzleHasRoom[static_cast<std::size_t>(n)])
      blocked[emitter_.nozzle(n).sourceId].push_back(n);
  for (const auto& [source, nozzles] : blocked)
  {
    const std::string first = "nozzle " + std::to_string(nozzles.front());
    const std::string which = nozzles.size() == 1
                                ? first + " is"
                                : std::to_string(nozzles.size()) + " nozzles of source " +
                                    std::to_string(source) + ", first " + first + ", are";
    notes.push_back(which +
                    " blocked at times, and the particles wait until there is room; widen the "
                    "opening, raise the speed or lower the rate");
  }
}

std::int64_t Emission::waiting(double time) const
{
  std::int64_t sum = 0;
  for (int n = 0; n < emitter_.count(); ++n)
    sum += emitter_.waiting(n, time);
  return sum;
}

void Emission::save(CheckpointWriter& writer) const
{
  emitter_.save(writer);
  writer.value(lastTime_);
}

void Emission::restore(CheckpointReader& reader)
{
  emitter_.restore(reader);
  lastTime_ = reader.value<double>();
  if (std::isnan(lastTime_))
    throw InvalidInput("the checkpoint does not tell when nozzles emitted last; compute it anew");
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
