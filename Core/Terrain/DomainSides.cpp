#include "Terrain/DomainSides.h"

#include "Error.h"

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

} // namespace

void checkDomain(const Domain& domain, double largestRadius)
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
    const double narrowest = 8 * largestRadius;
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
