#include "Terrain/DomainSides.h"

#include "Error.h"

#include <limits>
#include <numeric>
#include <sstream>

namespace lapilli
{
namespace
{

constexpr const char* kAxes[3] = { "x", "y", "z" };

/// "wall x lower" for side 0 of x.
std::string sideName(const char* kind, int axis, int end)
{
  return std::string(kind) + " " + kAxes[axis] + (end == 0 ? " lower" : " upper");
}

DomainSide side(const Domain& domain, int axis, int end)
{
  return domain.sides[static_cast<std::size_t>(2 * axis + end)];
}

double* component(Vec3d& v, int axis)
{
  return axis == 0 ? &v.x : axis == 1 ? &v.y : &v.z;
}

/// From where to where the parts of a surface reach along an axis [m]; points that triangles join are of one part.
struct Interval
{
  double lower = std::numeric_limits<double>::infinity();
  double upper = -std::numeric_limits<double>::infinity();
};

/// By point, the number of a point of its part.
std::vector<std::int64_t> partsOf(const Surface& surface)
{
  std::vector<std::int64_t> part(surface.pointCount());
  std::iota(part.begin(), part.end(), std::int64_t(0));
  const auto root = [&](std::int64_t p)
  {
    while (part[p] != p)
      p = part[p] = part[part[p]];
    return p;
  };
  for (std::size_t corner = 0; corner < surface.triangles.size(); ++corner)
    part[root(surface.triangles[corner])] = root(surface.triangles[corner - corner % 3]);
  for (std::int64_t& p : part)
    p = root(p);
  return part;
}

} // namespace

void checkObstaclesInPeriodicSpace(
  const Domain& domain, const std::vector<Surface>& surfaces, double reach)
{
  if (!domain.used)
    return;
  for (const Surface& surface : surfaces)
  {
    if (surface.role != SurfaceRole::Obstacle)
      continue;
    const std::vector<std::int64_t> part = partsOf(surface);
    for (int axis = 0; axis < 3; ++axis)
    {
      if (side(domain, axis, 0) != DomainSide::Periodic)
        continue;
      std::vector<Interval> intervals(part.size());
      for (const std::int64_t corner : surface.triangles)
      {
        Interval& interval = intervals[part[corner]];
        const double x = surface.points[3 * corner + axis];
        interval.lower = std::min(interval.lower, x);
        interval.upper = std::max(interval.upper, x);
      }
      const double lower = domain.lower[axis], upper = domain.upper[axis];
      for (const Interval& interval : intervals)
      {
        const bool isInside = interval.lower >= lower + reach && interval.upper <= upper - reach;
        const bool isAcross = interval.lower <= lower - reach && interval.upper >= upper + reach;
        if (isInside || isAcross || interval.lower > interval.upper)
          continue;
        std::ostringstream text;
        text.precision(10);
        text << (surface.name.empty() ? "an obstacle" : "obstacle '" + surface.name + "'")
             << " reaches from " << interval.lower << " to " << interval.upper << " m along "
             << kAxes[axis] << ", where the domain is periodic from " << lower << " to " << upper
             << " m; obstacles are not repeated, so it must lie between " << lower + reach
             << " and " << upper - reach << " m, or reach beyond " << lower - reach << " and "
             << upper + reach << " m: move it or the domain";
        throw InvalidInput(text.str());
      }
    }
  }
}

void checkDomain(const Domain& domain, double largestExtent, double largestRadius)
{
  if (!domain.used)
    return;
  for (int axis = 0; axis < 3; ++axis)
  {
    const double lower = domain.lower[axis], upper = domain.upper[axis];
    std::ostringstream text;
    text.precision(10);
    if (!(lower < upper) || !std::isfinite(lower) || !std::isfinite(upper))
    {
      text << "the domain reaches from " << lower << " to " << upper << " m along " << kAxes[axis]
           << "; both must be finite and the first the smaller: correct the corners of the domain";
      throw InvalidInput(text.str());
    }
    const bool periodic[2] = { side(domain, axis, 0) == DomainSide::Periodic,
      side(domain, axis, 1) == DomainSide::Periodic };
    if (periodic[0] != periodic[1])
      throw InvalidInput(sideName("side", axis, periodic[0] ? 0 : 1) +
                         " of the domain is periodic and its opposite is not; make both periodic, "
                         "or neither");
    const bool betweenWalls =
      side(domain, axis, 0) == DomainSide::Wall && side(domain, axis, 1) == DomainSide::Wall;
    if (betweenWalls && upper - lower < 2 * largestRadius * (1 - 1e-6))
    {
      text << "the domain is " << upper - lower << " m wide along " << kAxes[axis]
           << ", between walls; it must be at least " << 2 * largestRadius
           << " m wide, the largest diameter: widen it or use smaller particles";
      throw InvalidInput(text.str());
    }
    const double narrowest = 8 * largestExtent;
    if (periodic[0] && !(upper - lower > narrowest))
    {
      text << "the domain is " << upper - lower << " m wide along " << kAxes[axis]
           << ", where it is periodic; it must be wider than " << narrowest
           << " m, four of the largest diameters: widen it or use smaller particles";
      throw InvalidInput(text.str());
    }
  }
}

DomainSides sidesOf(const Domain& domain, const Vec3d& origin)
{
  DomainSides sides;
  if (!domain.used)
    return sides;
  const Vec3d lower = Vec3d{ domain.lower[0], domain.lower[1], domain.lower[2] } - origin;
  const Vec3d upper = Vec3d{ domain.upper[0], domain.upper[1], domain.upper[2] } - origin;
  sides.space.lower = lower;
  for (int axis = 0; axis < 3; ++axis)
  {
    Vec3d from = lower, to = upper;
    const double ends[2] = { *component(from, axis), *component(to, axis) };
    if (side(domain, axis, 0) == DomainSide::Periodic)
      *component(sides.space.length, axis) = ends[1] - ends[0];
    for (int end = 0; end < 2; ++end)
    {
      const DomainSide kind = side(domain, axis, end);
      if (kind == DomainSide::Open)
        *component(end == 0 ? sides.box.lower : sides.box.upper, axis) = ends[end];
      if (kind == DomainSide::Wall)
        *component(end == 0 ? sides.walls.lower : sides.walls.upper, axis) = ends[end];
    }
  }
  return sides;
}

std::vector<Surface> wallsOf(const Domain& domain, double margin)
{
  std::vector<Surface> walls;
  if (!domain.used)
    return walls;
  for (int axis = 0; axis < 3; ++axis)
  {
    for (int end = 0; end < 2; ++end)
    {
      if (side(domain, axis, end) != DomainSide::Wall)
        continue;
      Surface wall;
      wall.role = SurfaceRole::Obstacle;
      wall.name = sideName("wall", axis, end);
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      for (int corner = 0; corner < 4; ++corner)
      {
        std::array<double, 3> p{};
        p[axis] = end == 0 ? domain.lower[axis] : domain.upper[axis];
        p[u] = corner == 1 || corner == 2 ? domain.upper[u] + margin : domain.lower[u] - margin;
        p[v] = corner >= 2 ? domain.upper[v] + margin : domain.lower[v] - margin;
        wall.points.insert(wall.points.end(), p.begin(), p.end());
      }
      // Counter-clockwise seen from inside: u, v, axis is a right-handed system.
      if (end == 0)
        wall.triangles = { 0, 1, 2, 0, 2, 3 };
      else
        wall.triangles = { 0, 2, 1, 0, 3, 2 };
      walls.push_back(std::move(wall));
    }
  }
  return walls;
}

} // namespace lapilli
