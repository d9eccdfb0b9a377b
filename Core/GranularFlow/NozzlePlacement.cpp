#include "GranularFlow/NozzlePlacement.h"

#include "Error.h"
#include "GranularFlow/StartPlaces.h"
#include "Particles/Emitter.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace lapilli
{
namespace
{

/// Depths below this part of a radius are rounding; as in Emission.
constexpr double kTolerance = 1e-6;

std::string place(const std::array<double, 3>& p)
{
  std::ostringstream text;
  text.precision(10);
  text << "(" << p[0] << ", " << p[1] << ", " << p[2] << ")";
  return text.str();
}

/// Beyond this part of an opening its particles would find too few places to be due where they are asked for.
constexpr double kMostUnusable = 0.9;

/// What an opening looks like, from places spread evenly over it.
struct Opening
{
  double unusable = 0;         ///< [-], part of it where no particle may start
  const char* fault = nullptr; ///< of the first such place
  double depth = INFINITY; ///< [m], the least by which the largest particle reaches into surfaces
};

/// A sphere that every particle of a nozzle holds, at its largest [m]. The centre of a block may lie outside of
/// its spheres, but not farther from all than it has room beside them.
double radiusFor(const GranularFlowPlan& plan, const Nozzle& nozzle)
{
  const double body =
    nozzle.shape < 0 ? 1 : plan.bodies[static_cast<std::size_t>(nozzle.shape)].smallestRadius;
  return body * nozzle.radii.largest();
}

Opening lookAt(const GranularFlowPlan& plan, const StartPlaces& places, const Nozzle& nozzle)
{
  constexpr int kPlaces = 256;
  const int count = nozzle.openingRadius > 0 ? kPlaces : 1;
  const auto [u, v] = openingOf(nozzle, plan.form);
  const Vec3d center =
    Vec3d{ nozzle.position[0], nozzle.position[1], nozzle.position[2] } - plan.origin;
  const double radius = radiusFor(plan, nozzle);
  Opening opening;
  int unusable = 0;
  for (int k = 0; k < count; ++k)
  {
    // A spiral with equal areas for all (Vogel, Mathematical Biosciences 44 (1979) 179-189); along a slit equal
    // lengths.
    const double angle = plan.form.isDisc() ? 0 : k * M_PI * (3 - std::sqrt(5.0));
    const double part = static_cast<double>(k) / count;
    const double off = nozzle.openingRadius * (plan.form.isDisc() ? 2 * part - 1 : std::sqrt(part));
    const Vec3d p =
      plan.domain.space.wrap(center + off * (std::cos(angle) * u + std::sin(angle) * v));
    if (const char* fault = places.faultAt(p))
    {
      opening.fault = opening.fault ? opening.fault : fault;
      ++unusable;
      continue;
    }
    if (opening.depth > kTolerance * radius)
      opening.depth = std::min(opening.depth, places.depthInSurface(p, radius));
  }
  opening.unusable = static_cast<double>(unusable) / count;
  return opening;
}

/// Nozzles of one source with the same to say about them.
struct Group
{
  std::size_t count = 0, first = 0;
  double greatest = 0;
  const char* fault = nullptr;

  void add(std::size_t n, double value, const char* why = nullptr)
  {
    first = count++ == 0 ? n : first;
    fault = fault ? fault : why;
    greatest = std::max(greatest, value);
  }
};

std::string percent(double part)
{
  return std::to_string(std::clamp(static_cast<int>(std::lround(100 * part)), 1, 99)) + " %";
}

void addNotes(GranularFlowPlan& plan, const std::map<std::int32_t, Group>& cut,
  const std::map<std::int32_t, Group>& stuck)
{
  const auto subject = [&plan](
                         const Group& group, std::int32_t source, const char* one, const char* many)
  {
    std::ostringstream text;
    if (group.count == 1)
      text << "nozzle " << group.first << " at " << place(plan.nozzles[group.first].position)
           << one;
    else
      text << group.count << " nozzles of source " << source << many << ", first nozzle "
           << group.first << " at " << place(plan.nozzles[group.first].position) << ",";
    return text.str();
  };
  for (const auto& [source, group] : cut)
    plan.notes.push_back(subject(group, source, "", "") + " reach" +
                         (group.count == 1 ? "es " : " ") + group.fault + " with " +
                         (group.count == 1 ? "" : "up to ") + percent(group.greatest) +
                         " of the opening, and particles come from the rest alone; narrow the "
                         "opening, or move or raise the nozzle");
  for (const auto& [source, group] : stuck)
  {
    std::ostringstream depth;
    depth << group.greatest;
    plan.notes.push_back(
      subject(group, source, " is blocked by a surface", " are blocked by a surface") +
      ": the largest particles reach up to " + depth.str() +
      " m into it and never have room, and those after them wait; raise the source by " +
      depth.str() + " m or move it away from the surface");
  }
}

} // namespace

void checkNozzlePlaces(GranularFlowPlan& plan)
{
  const StartPlaces places(plan);
  std::map<std::int32_t, Group> cut, stuck; // by source
  plan.nozzleHasRoom.assign(plan.nozzles.size(), 1);
  for (std::size_t n = 0; n < plan.nozzles.size(); ++n)
  {
    const Nozzle& nozzle = plan.nozzles[n];
    const std::string name = "nozzle " + std::to_string(n) + " at " + place(nozzle.position);
    const auto& x = nozzle.position;
    if (const char* fault = places.faultAt(Vec3d{ x[0], x[1], x[2] } - plan.origin))
      throw InvalidInput(name + " lies " + fault + "; move the source");
    const Opening opening = lookAt(plan, places, nozzle);
    if (opening.unusable > kMostUnusable)
    {
      std::ostringstream text;
      text << "opening radius of " << name << " is " << nozzle.openingRadius << " m, and "
           << percent(opening.unusable) << " of the opening lies " << opening.fault
           << "; at most 90 % of it may: narrow the opening, or move or raise the nozzle";
      throw InvalidInput(text.str());
    }
    if (opening.unusable > 0)
      cut[nozzle.sourceId].add(n, opening.unusable, opening.fault);
    if (opening.depth > kTolerance * radiusFor(plan, nozzle))
    {
      plan.nozzleHasRoom[n] = 0;
      stuck[nozzle.sourceId].add(n, opening.depth);
    }
  }
  addNotes(plan, cut, stuck);
}

} // namespace lapilli
