#include "BodyFill.h"

#include "BodyFill/BodySurface.h"
#include "BodyFill/LatticeRows.h"
#include "BodyFill/PlaceRules.h"
#include "Error.h"
#include "Parallel/HostLoop.h"
#include "Particles/Refuse.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lapilli
{
namespace
{

/// A body on its way to being filled.
struct Filling
{
  BodySurface surface;
  LatticeRows inside;
  LatticeRows taken; ///< of these, the places it is given
};

/// Takes the places of a row that are in `others` out of `runs`; returns how many.
std::int64_t takeAway(std::vector<Run>& runs, const Run* others, const Run* end)
{
  std::int64_t taken = 0;
  std::vector<Run> left;
  for (Run run : runs)
  {
    for (const Run* other = others; other != end && run.first < run.last; ++other)
    {
      const std::int64_t first = std::max(run.first, other->first);
      const std::int64_t last = std::min(run.last, other->last);
      if (first >= last)
        continue;
      if (run.first < first)
        left.push_back({ run.first, first });
      taken += last - first;
      run.first = last;
    }
    if (run.first < run.last)
      left.push_back(run);
  }
  runs.swap(left);
  return taken;
}

/// Takes places nearer to the surface than the clearance out of the runs of a row; returns how many.
std::int64_t keepClear(
  std::vector<Run>& runs, const TriangleTree& tree, const RowPlaces& place, double clearance)
{
  RowDistance distance(tree, clearance, place.step());
  std::int64_t near = 0;
  std::vector<Run> clear;
  for (const Run& run : runs)
  {
    for (std::int64_t m = run.first; m < run.last;)
    {
      const RowDistance::Answer answer = distance(place(m), m, run.last - m);
      if (answer.isFar)
        append(clear, m, m + answer.alike);
      else
        near += answer.alike;
      m += answer.alike;
    }
  }
  runs.swap(clear);
  return near;
}

/// The bodies from the smallest to the largest; of equal ones the first comes first.
std::vector<std::size_t> smallestFirst(const std::vector<BodyReport>& reports)
{
  std::vector<std::size_t> order(reports.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
    [&](std::size_t a, std::size_t b) { return reports[a].meshVolume < reports[b].meshVolume; });
  return order;
}

bool overlap(const BodySurface& a, const BodySurface& b)
{
  const Vec3d shift = b.origin - a.origin;
  const Vec3d lower = b.box.lower + shift, upper = b.box.upper + shift;
  return lower.x <= a.box.upper.x && upper.x >= a.box.lower.x && lower.y <= a.box.upper.y &&
         upper.y >= a.box.lower.y && lower.z <= a.box.upper.z && upper.z >= a.box.lower.z;
}

/// Gives a body its places: those inside that are in no smaller body and keep their clearance.
void takePlaces(Filling& filling, const std::vector<const Filling*>& smaller,
  const RowLattice& lattice, const BodyFillParameters& parameters, BodyReport& report)
{
  const LatticeRows& inside = filling.inside;
  const TriangleTree tree = parameters.clearance > 0
                              ? TriangleTree(filling.surface.points, filling.surface.triangles)
                              : TriangleTree();
  std::vector<std::vector<Run>> runs(inside.rowCount());
  std::vector<std::int64_t> near(runs.size(), 0), others(runs.size(), 0);
  forEachOnHost(inside.rowCount(), kRowsAtOnce,
    [&](std::int32_t row)
    {
      runs[row].assign(inside.begin(row), inside.end(row));
      const std::int64_t j = inside.j(row), k = inside.k(row);
      for (const Filling* other : smaller)
      {
        const std::int32_t same = other->inside.rowAt(j, k);
        if (same >= 0)
          others[row] += takeAway(runs[row], other->inside.begin(same), other->inside.end(same));
      }
      if (parameters.clearance > 0)
        near[row] = keepClear(
          runs[row], tree, RowPlaces(lattice, j, k, filling.surface.origin), parameters.clearance);
    });
  filling.taken = inside;
  filling.taken.set(runs);
  report.particles = filling.taken.placeCount();
  report.nearSurface = std::accumulate(near.begin(), near.end(), std::int64_t(0));
  report.insideOthers = std::accumulate(others.begin(), others.end(), std::int64_t(0));
  report.volume = static_cast<double>(inside.placeCount()) * lattice.cellVolume;
}

void write(const LatticeRows& rows, const RowLattice& lattice, std::int32_t body, BodyFill& result)
{
  for (std::int32_t row = 0; row < rows.rowCount(); ++row)
  {
    const RowPlaces place(lattice, rows.j(row), rows.k(row), {});
    for (const Run* run = rows.begin(row); run != rows.end(row); ++run)
    {
      for (std::int64_t m = run->first; m < run->last; ++m)
      {
        const Vec3d p = place(m);
        result.positions.insert(result.positions.end(), { p.x, p.y, p.z });
        result.body.push_back(body);
      }
    }
  }
}

} // namespace

void BodyFillParameters::validate() const
{
  requirePositive("spacing", spacing);
  if (!(clearance >= 0) || !std::isfinite(clearance))
    refuse("clearance", number(clearance) + " m", "be finite and not negative");
  if (level && !std::isfinite(*level))
    refuse("level", number(*level) + " m", "be finite");
  if (!(largestLeak >= 0) || !std::isfinite(largestLeak))
    refuse("largest leak", number(largestLeak), "be finite and not negative");
}

BodyFill fillBodies(const std::vector<Body>& bodies, const BodyFillParameters& parameters)
{
  parameters.validate();
  if (bodies.empty())
    throw InvalidInput("no body is given; give at least one closed surface");
  BodyFill result;
  result.reports.resize(bodies.size());
  std::vector<Filling> fillings(bodies.size());
  std::vector<const BodySurface*> surfaces;
  for (std::size_t b = 0; b < bodies.size(); ++b)
  {
    BodyReport& report = result.reports[b];
    report.name = bodies[b].name.empty() ? "body " + std::to_string(b) : bodies[b].name;
    fillings[b].surface = prepareBody(bodies[b], parameters, report);
    surfaces.push_back(&fillings[b].surface);
  }
  const RowLattice lattice(parameters.lattice, parameters.spacing);
  requireLevel(surfaces, parameters);
  requireMemory(surfaces, result.reports, parameters);

  for (Filling& filling : fillings)
    filling.inside = placesInside(filling.surface, lattice, parameters);
  std::vector<const Filling*> smaller, overlapping;
  std::int64_t count = 0, inside = 0;
  for (const std::size_t b : smallestFirst(result.reports))
  {
    overlapping.clear();
    for (const Filling* other : smaller)
      if (overlap(other->surface, fillings[b].surface))
        overlapping.push_back(other);
    takePlaces(fillings[b], overlapping, lattice, parameters, result.reports[b]);
    smaller.push_back(&fillings[b]);
    count += result.reports[b].particles;
    inside += fillings[b].inside.placeCount();
  }
  if (inside == 0)
    refuseSpacing(surfaces, parameters);
  if (count == 0)
    refuseClearance(surfaces, parameters);

  result.positions.reserve(3 * static_cast<std::size_t>(count));
  result.body.reserve(static_cast<std::size_t>(count));
  for (std::size_t b = 0; b < fillings.size(); ++b)
    write(fillings[b].taken, lattice, static_cast<std::int32_t>(b), result);
  return result;
}

} // namespace lapilli
