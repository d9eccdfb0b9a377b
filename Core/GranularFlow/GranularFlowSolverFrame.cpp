#include "GranularFlow/GranularFlowSolver.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

Index GranularFlowSolver::mapSlots() const
{
  return plan_->parameters.terrainMaps && plan_->maps.places > 0
           ? static_cast<Index>(plan_->maps.slotCount())
           : 0;
}

/// At the end of a step, where a particle may have moved far enough, and at the end of each frame: so
/// a run that begins at a frame samples as one that came through it.
bool GranularFlowSolver::samplesMaps(bool endsFrame)
{
  now_.unmappedTravel += now_.greatestSpeed * now_.timeStep;
  return maps_.used() &&
         (endsFrame || now_.unmappedTravel >= plan_->parameters.mapTravel * plan_->smallestRadius);
}

void GranularFlowSolver::writeMaps()
{
  now_.unmappedTravel = 0;
  MappedBodies bodies;
  const Index count = maps_.used() ? clumps_.count() : 0;
  if (count > 0)
  {
    mappedSphere_.resizeDiscarding(count);
    mappedSpeed_.resizeDiscarding(count);
    mappedEnergy_.resizeDiscarding(count);
    executor_.forEach("granular.describeForMaps", count,
      DescribeForMaps{ clumps(), mappedSphere_.data(), mappedSpeed_.data(), mappedEnergy_.data() });
    bodies = { particles().clump, mappedSphere_.data(), mappedSpeed_.data(), mappedEnergy_.data() };
  }
  maps_.sample(executor_, particles(), surface_, now_.time, bodies);
}

void GranularFlowSolver::read(Frame& frame) const
{
  const HostParticles particles = state_.download();
  const std::size_t n = particles.id.size();
  const std::vector<std::size_t> byId = particles.inOrderOfIds();
  const HostClumps clumps = clumps_.download();

  PointSet points;
  points.name = "particles";
  points.positions.resize(3 * n);
  const auto add =
    [&](const char* name, const char* unit, int components, auto zero, const auto& value)
  {
    std::vector<decltype(zero)> values(n * components);
    for (std::size_t k = 0; k < n; ++k)
      value(byId[k], &values[k * components]);
    points.arrays.push_back({ name, components, unit, std::move(values) });
  };
  for (std::size_t k = 0; k < n; ++k)
  {
    const Vec3d p = particles.sphere[byId[k]].position + plan_->origin;
    points.positions[3 * k] = p.x;
    points.positions[3 * k + 1] = p.y;
    points.positions[3 * k + 2] = p.z;
  }
  const auto store = [](const Vec3d& v, auto* out)
  {
    out[0] = static_cast<float>(v.x);
    out[1] = static_cast<float>(v.y);
    out[2] = static_cast<float>(v.z);
  };
  const auto narrow = [](double v) { return static_cast<float>(v); };
  add("velocity", "m/s", 3, 0.0f,
    [&](std::size_t i, float* out) { store(particles.velocity[i], out); });
  add("angular_velocity", "rad/s", 3, 0.0f,
    [&](std::size_t i, float* out) { store(particles.spin[i], out); });
  add("pressure", "Pa", 1, 0.0f, [&](std::size_t i, float* out) { *out = particles.pressure[i]; });
  add("pressure_max", "Pa", 1, 0.0f,
    [&](std::size_t i, float* out) { *out = particles.pressureMax[i]; });
  add("radius", "m", 1, 0.0f,
    [&](std::size_t i, float* out) { *out = narrow(particles.sphere[i].radius); });
  add("mass", "kg", 1, 0.0f, [&](std::size_t i, float* out) { *out = narrow(particles.mass[i]); });
  add("density", "kg/m^3", 1, 0.0f,
    [&](std::size_t i, float* out) { *out = particles.traits[i].density; });
  add("temperature", "K", 1, 0.0f,
    [&](std::size_t i, float* out) { *out = particles.traits[i].temperature; });
  add("kinetic_energy", "J", 1, 0.0f,
    [&](std::size_t i, float* out)
    {
      const std::int32_t c = particles.clump[i];
      const double m = particles.mass[i];
      const double energy =
        c < 0 ? 0.5 * m * squaredLength(particles.velocity[i]) +
                  0.5 * plan_->form.inertia(m, particles.sphere[i].radius) *
                    squaredLength(particles.spin[i])
              : kineticEnergyOf(clumps.kind[c], clumps.motion[c]) / particles.traits[i].members;
      *out = narrow(energy);
    });
  add("age", "s", 1, 0.0f,
    [&](std::size_t i, float* out) { *out = narrow(now_.time - particles.traits[i].birth); });
  add("particle_id", "", 1, std::int64_t(0),
    [&](std::size_t i, std::int64_t* out) { *out = particles.id[i]; });
  add("source_id", "", 1, std::int32_t(0),
    [&](std::size_t i, std::int32_t* out) { *out = particles.traits[i].sourceId; });
  const std::vector<std::uint8_t> resting = particles.resting(plan_->parameters.restSpeed);
  add("at_rest", "", 1, std::uint8_t(0),
    [&](std::size_t i, std::uint8_t* out) { *out = resting[i]; });
  if (!plan_->bodies.empty())
  {
    add("clump_sphere", "", 1, std::int32_t(0),
      [&](std::size_t i, std::int32_t* out) { *out = particles.traits[i].member; });
    add("orientation", "", 4, 0.0f,
      [&](std::size_t i, float* out)
      {
        const std::int32_t c = particles.clump[i];
        const Quatd q =
          c < 0 ? Quatd{}
                : plan_->givenOrientation(clumps.kind[c].shape, clumps.motion[c].orientation);
        out[0] = narrow(q.w);
        out[1] = narrow(q.x);
        out[2] = narrow(q.y);
        out[3] = narrow(q.z);
      });
  }
  frame.time = now_.time;
  frame.pointSets.assign(1, std::move(points));
  frame.surfaceFields.assign(
    1, maps_.field(plan_->maps, particles, byId, resting, plan_->parameters.depositPorosity));
  frame.tables.assign(1, history_.table());
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
