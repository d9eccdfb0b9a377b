#include "GranularFlow/Bodies.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

void NewBodies::add(const NewBody& body)
{
  const double mass = body.density * plan_.form.volume(body.radius);
  Traits traits;
  traits.birth = body.birth;
  traits.temperature = static_cast<float>(body.temperature);
  traits.density = static_cast<float>(body.density);
  traits.sourceId = body.sourceId;
  traits.sourceSlot = plan_.maps.slotOf(body.sourceId);
  traits.material = plan_.materials.placeOf(body.material);
  const auto addSphere = [&](const Vec3d& center, double radius, double share, std::int32_t clump)
  {
    particles.sphere.push_back({ center, radius });
    particles.velocity.push_back(body.velocity);
    particles.spin.push_back({});
    particles.mass.push_back(share);
    particles.id.push_back(body.id);
    particles.traits.push_back(traits);
    particles.clump.push_back(clump);
  };
  if (body.shape < 0)
  {
    addSphere(body.position, body.radius, mass, -1);
    return;
  }
  const ClumpBody& shape = plan_.bodies[static_cast<std::size_t>(body.shape)];
  const std::size_t count = shape.centers.size();
  traits.members = static_cast<std::int16_t>(count);
  for (std::size_t k = 0; k < count; ++k)
  {
    traits.member = static_cast<std::int16_t>(k);
    addSphere(body.position + rotate(body.orientation, body.radius * shape.centers[k]),
      body.radius * shape.radii[k], mass / static_cast<double>(count), nextClump_);
  }
  clumps.kind.push_back({ mass, body.radius, (mass * body.radius * body.radius) * shape.inertia,
    body.shape, 0, static_cast<std::int32_t>(count), 0 });
  clumps.motion.push_back({ body.position, body.velocity, {}, body.orientation });
  ++nextClump_;
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
