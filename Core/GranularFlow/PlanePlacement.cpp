#include "GranularFlow/PlanePlacement.h"

#include "Error.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace lapilli
{
namespace
{

/// Of a radius, or of a length: what is nearer to the plane lies in it.
constexpr double kTolerance = 1e-6;

constexpr const char* kAxes[3] = { "x", "y", "z" };
constexpr const char* kPlanes[3] = { "YZ", "XZ", "XY" };

class Plane
{
public:
  Plane(int axis, double at)
    : axis_(axis)
    , at_(at)
  {
  }

  /// "plane XZ at y = 3 m"
  std::string name() const
  {
    std::ostringstream text;
    text.precision(10);
    text << "plane " << kPlanes[axis_] << " at " << kAxes[axis_] << " = " << at_ << " m";
    return text.str();
  }

  /// Puts a place into it. @param owner "seed 3" @param radius [m]
  void hold(const std::string& owner, double* place, double radius) const
  {
    if (!(std::abs(place[axis_] - at_) <= kTolerance * radius))
      throw InvalidInput(
        owner + " lies at " + vector(place) + " m, and the discs' " + name() +
        " goes through the first source; put all sources into one plane, or choose "
        "three dimensions");
    place[axis_] = at_;
  }
  /// Turns a direction into it. @param name "velocity of seed 3"
  void level(const std::string& name, double* along) const
  {
    const double length = std::hypot(along[0], along[1], along[2]);
    if (!(std::abs(along[axis_]) <= kTolerance * length))
      throw InvalidInput(name + " is " + vector(along) +
                         "; discs stay in their plane, so its part along " + kAxes[axis_] +
                         " must be 0: turn it into the " + this->name() +
                         ", or choose three dimensions");
    along[axis_] = 0;
  }

private:
  static std::string vector(const double* v)
  {
    std::ostringstream text;
    text.precision(10);
    text << "(" << v[0] << ", " << v[1] << ", " << v[2] << ")";
    return text.str();
  }

  int axis_;
  double at_;
};

void refuseShapes(const GranularFlowPlan& plan)
{
  const auto refuse = [](const std::string& owner)
  {
    throw InvalidInput(owner + " has the shape of a clump, and in a plane all particles are discs; "
                               "give it none (-1), or choose three dimensions");
  };
  for (std::size_t k = 0; k < plan.seeds.shapes.size(); ++k)
    if (plan.seeds.shapes[k] >= 0)
      refuse("seed " + std::to_string(k));
  for (std::size_t n = 0; n < plan.nozzles.size(); ++n)
    if (plan.nozzles[n].shape >= 0)
      refuse("nozzle " + std::to_string(n));
}

} // namespace

void layIntoPlane(GranularFlowPlan& plan, const Domain& domain)
{
  const int axis = plan.form.axisAcross();
  if (domain.used && domain.sides[static_cast<std::size_t>(2 * axis)] == DomainSide::Periodic)
    throw InvalidInput(
      std::string("the domain is periodic along ") + kAxes[axis] +
      ", across the plane of the discs, where nothing moves; leave these sides open, or "
      "choose another plane");
  refuseShapes(plan);
  Seeds& seeds = plan.seeds;
  plan.planeAt = seeds.count() > 0 ? seeds.positions[static_cast<std::size_t>(axis)]
                                   : plan.nozzles.front().position[static_cast<std::size_t>(axis)];
  const Plane plane(axis, plan.planeAt);
  for (std::size_t k = 0; k < seeds.count(); ++k)
  {
    const std::string seed = "seed " + std::to_string(k);
    plane.hold(seed, &seeds.positions[3 * k], seeds.radii[k]);
    plane.level("velocity of " + seed, &seeds.velocities[3 * k]);
  }
  for (std::size_t n = 0; n < plan.nozzles.size(); ++n)
  {
    Nozzle& nozzle = plan.nozzles[n];
    const std::string name = "nozzle " + std::to_string(n);
    plane.hold(name, nozzle.position.data(), nozzle.radii.smallest());
    plane.level("direction of " + name, nozzle.direction.data());
    plane.level("normal of the opening of " + name, nozzle.openingNormal.data());
  }
  plan.particleForm = "discs of 1 m depth in the " + plane.name();
}

} // namespace lapilli
