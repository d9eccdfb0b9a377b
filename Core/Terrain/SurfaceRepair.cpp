#include "SurfaceRepair.h"

#include "Error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

namespace lapilli
{
namespace
{

using Index = std::uint32_t;
constexpr Index none = std::numeric_limits<Index>::max();

using Vector = std::array<double, 3>;

Vector difference(const double* a, const double* b)
{
  return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

Vector cross(const Vector& a, const Vector& b)
{
  return { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
}

double dot(const Vector& a, const Vector& b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// A triangle whose height over its longest edge is not above this fraction of the edge has no area.
constexpr double flatness = 1e-10;

void checkInput(const Surface& surface)
{
  const auto points = static_cast<std::int64_t>(surface.pointCount());
  if (surface.points.size() % 3 != 0 || surface.triangles.size() % 3 != 0)
  {
    throw InvalidInput("surface has " + std::to_string(surface.points.size()) +
                       " coordinates and " + std::to_string(surface.triangles.size()) +
                       " corners; both must be multiples of 3");
  }
  if (surface.pointCount() >= none || surface.triangles.size() >= none)
  {
    throw InvalidInput(
      "surface has " + std::to_string(points) + " points and " +
      std::to_string(surface.triangleCount()) +
      " triangles; at most 4.29e9 points and 1.43e9 triangles can be handled: decimate it");
  }
  for (std::size_t corner = 0; corner < surface.triangles.size(); ++corner)
  {
    if (surface.triangles[corner] < 0 || surface.triangles[corner] >= points)
    {
      throw InvalidInput("triangle " + std::to_string(corner / 3) + " has point " +
                         std::to_string(surface.triangles[corner]) + "; it must lie in [0, " +
                         std::to_string(points - 1) + "]");
    }
  }
}

/// For each point the first point at the same place, `none` where it is not finite.
/// Open addressing over the bits of the coordinates.
class PointMerger
{
public:
  explicit PointMerger(const std::vector<double>& coordinates)
    : coordinates_(coordinates)
  {
    std::size_t capacity = 16;
    while (capacity < coordinates.size() / 3 * 2)
    {
      capacity *= 2;
    }
    slots_.assign(capacity, none);
  }

  Index firstAtPlaceOf(Index point)
  {
    const double* p = &coordinates_[3 * std::size_t(point)];
    for (std::size_t slot = hash(p) & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1))
    {
      if (slots_[slot] == none)
      {
        slots_[slot] = point;
        return point;
      }
      const double* q = &coordinates_[3 * std::size_t(slots_[slot])];
      if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2])
      {
        return slots_[slot];
      }
    }
  }

private:
  static std::uint64_t hash(const double* p)
  {
    std::uint64_t h = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
      const double value = p[axis] + 0.0; // -0 and 0 are one place
      std::uint64_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      // Finaliser of splitmix64: Steele, Lea, Flood, OOPSLA 2014, doi:10.1145/2660193.2660195.
      h = (h ^ bits) + 0x9e3779b97f4a7c15u;
      h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
      h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
      h ^= h >> 31;
    }
    return h;
  }

  const std::vector<double>& coordinates_;
  std::vector<Index> slots_;
};

/// Half-edges are numbered 3 t + k, from corner k of triangle t to corner k + 1.
struct Mesh
{
  const std::vector<double>* coordinates;
  std::vector<Index> corners; ///< three input points per triangle, merged
  std::vector<Index> source;  ///< input triangle
  std::vector<Index>
    partner; ///< per half-edge: the other of its edge where there are two; `none` else
  std::vector<std::uint8_t> onBoundary; ///< per half-edge: the only one of its edge

  std::size_t triangles() const { return source.size(); }
  const double* point(Index p) const { return &(*coordinates)[3 * std::size_t(p)]; }
  const double* corner(std::size_t triangle, int k) const
  {
    return point(corners[3 * triangle + k]);
  }
  Index start(Index halfEdge) const { return corners[halfEdge]; }
  Index end(Index halfEdge) const { return corners[next(halfEdge)]; }
  static Index next(Index halfEdge) { return halfEdge % 3 == 2 ? halfEdge - 2 : halfEdge + 1; }

  /// Normal times twice the area.
  Vector areaVector(std::size_t t) const
  {
    return cross(difference(corner(t, 1), corner(t, 0)), difference(corner(t, 2), corner(t, 0)));
  }
};

bool hasArea(const Mesh& mesh, const Index* corners, double rounding)
{
  const double* a = mesh.point(corners[0]);
  const Vector ab = difference(mesh.point(corners[1]), a);
  const Vector ac = difference(mesh.point(corners[2]), a);
  const Vector bc = difference(mesh.point(corners[2]), mesh.point(corners[1]));
  const double longest = std::sqrt(std::max({ dot(ab, ab), dot(ac, ac), dot(bc, bc) }));
  const Vector normal = cross(ab, ac);
  const double height = longest > 0 ? std::sqrt(dot(normal, normal)) / longest : 0;
  return height > std::max(flatness * longest, rounding);
}

/// Items 0 … n-1 in buckets: those of bucket b are order[begin[b]] … order[begin[b + 1] - 1].
struct Buckets
{
  std::vector<Index> begin;
  std::vector<Index> order;

  template <class BucketOf>
  Buckets(std::size_t buckets, std::size_t items, BucketOf bucketOf)
    : begin(buckets + 1, 0)
    , order(items)
  {
    for (std::size_t i = 0; i < items; ++i)
    {
      ++begin[bucketOf(static_cast<Index>(i)) + 1];
    }
    for (std::size_t b = 0; b < buckets; ++b)
    {
      begin[b + 1] += begin[b];
    }
    std::vector<Index> at(begin.begin(), begin.end() - 1);
    for (std::size_t i = 0; i < items; ++i)
    {
      order[at[bucketOf(static_cast<Index>(i))]++] = static_cast<Index>(i);
    }
  }
};

/// Keeps the triangles that are finite and have area.
Mesh soundTriangles(const Surface& surface, SurfaceRepairReport& report)
{
  Mesh mesh;
  mesh.coordinates = &surface.points;
  const std::size_t points = surface.pointCount();

  PointMerger merger(surface.points);
  std::vector<Index> first(points);
  double largest = 0;
  for (std::size_t p = 0; p < points; ++p)
  {
    const double* x = mesh.point(static_cast<Index>(p));
    const double size = std::max({ std::abs(x[0]), std::abs(x[1]), std::abs(x[2]) });
    if (!(std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2])))
    {
      first[p] = none;
      report.firstNonFinitePoint =
        report.nonFinitePoints++ == 0 ? static_cast<std::int64_t>(p) : report.firstNonFinitePoint;
      continue;
    }
    largest = std::max(largest, size);
    first[p] = merger.firstAtPlaceOf(static_cast<Index>(p));
    report.mergedPoints += first[p] != p;
  }

  const double rounding = 4 * std::numeric_limits<double>::epsilon() * largest; // [m]
  mesh.corners.reserve(surface.triangles.size());
  mesh.source.reserve(surface.triangleCount());
  for (std::size_t t = 0; t < surface.triangleCount(); ++t)
  {
    const std::int64_t* in = &surface.triangles[3 * t];
    const Index corners[3] = { first[in[0]], first[in[1]], first[in[2]] };
    if (corners[0] == none || corners[1] == none || corners[2] == none)
    {
      ++report.nonFiniteTriangles;
    }
    else if (!hasArea(mesh, corners, rounding))
    {
      ++report.degenerateTriangles;
    }
    else
    {
      mesh.corners.insert(mesh.corners.end(), corners, corners + 3);
      mesh.source.push_back(static_cast<Index>(t));
    }
  }
  return mesh;
}

/// Drops triangles over the same points as an earlier one, whatever their winding.
void dropDuplicates(Mesh& mesh, SurfaceRepairReport& report)
{
  std::vector<std::array<Index, 3>> sorted(mesh.triangles());
  for (std::size_t t = 0; t < mesh.triangles(); ++t)
  {
    std::copy_n(&mesh.corners[3 * t], 3, sorted[t].begin());
    std::sort(sorted[t].begin(), sorted[t].end());
  }
  Buckets byLowest(
    mesh.coordinates->size() / 3, mesh.triangles(), [&](Index t) { return sorted[t][0]; });

  std::vector<std::uint8_t> keep(mesh.triangles(), 1);
  for (std::size_t b = 0; b + 1 < byLowest.begin.size(); ++b)
  {
    const auto begin = byLowest.order.begin() + byLowest.begin[b];
    const auto end = byLowest.order.begin() + byLowest.begin[b + 1];
    std::sort(begin, end,
      [&](Index s, Index t) { return sorted[s] != sorted[t] ? sorted[s] < sorted[t] : s < t; });
    for (auto i = begin; i != end && i + 1 != end; ++i)
    {
      if (sorted[*i] == sorted[*(i + 1)])
      {
        keep[*(i + 1)] = 0;
        ++report.duplicateTriangles;
      }
    }
  }
  if (report.duplicateTriangles == 0)
  {
    return;
  }
  std::size_t kept = 0;
  for (std::size_t t = 0; t < keep.size(); ++t)
  {
    if (keep[t])
    {
      std::copy_n(&mesh.corners[3 * t], 3, &mesh.corners[3 * kept]);
      mesh.source[kept++] = mesh.source[t];
    }
  }
  mesh.corners.resize(3 * kept);
  mesh.source.resize(kept);
}

/// Finds the two half-edges of every edge.
void pairEdges(Mesh& mesh, SurfaceRepairReport& report)
{
  const std::size_t halfEdges = mesh.corners.size();
  mesh.partner.assign(halfEdges, none);
  mesh.onBoundary.assign(halfEdges, 0);
  const auto lower = [&](Index h) { return std::min(mesh.start(h), mesh.end(h)); };
  const auto upper = [&](Index h) { return std::max(mesh.start(h), mesh.end(h)); };
  Buckets byLower(mesh.coordinates->size() / 3, halfEdges, lower);

  for (std::size_t b = 0; b + 1 < byLower.begin.size(); ++b)
  {
    const auto begin = byLower.order.begin() + byLower.begin[b];
    const auto end = byLower.order.begin() + byLower.begin[b + 1];
    std::sort(begin, end,
      [&](Index g, Index h) { return upper(g) != upper(h) ? upper(g) < upper(h) : g < h; });
    for (auto i = begin; i != end;)
    {
      auto j = i + 1;
      while (j != end && upper(*j) == upper(*i))
      {
        ++j;
      }
      if (j - i == 1)
      {
        mesh.onBoundary[*i] = 1;
        ++report.boundaryEdges;
      }
      else if (j - i == 2)
      {
        mesh.partner[*i] = *(i + 1);
        mesh.partner[*(i + 1)] = *i;
      }
      else
      {
        ++report.nonManifoldEdges;
      }
      i = j;
    }
  }
}

/// Triangles joined by edges of two triangles, wound alike where that is possible.
struct Component
{
  std::vector<Index> triangles;
  bool orientable = true;
  bool closed = true;
};

/// Walks one component from a triangle; `flip` receives which triangles must be turned to agree
/// with that triangle.
void walkComponent(const Mesh& mesh, Index seed, std::vector<std::uint8_t>& visited,
  std::vector<std::uint8_t>& flip, Component& component)
{
  component.triangles.assign(1, seed);
  component.orientable = component.closed = true;
  visited[seed] = 1;
  for (std::size_t i = 0; i < component.triangles.size(); ++i)
  {
    const Index t = component.triangles[i];
    for (Index h = 3 * t; h < 3 * t + 3; ++h)
    {
      component.closed &= mesh.onBoundary[h] == 0;
      if (mesh.partner[h] == none)
      {
        continue;
      }
      // Neighbours agree if they run along their edge in opposite directions.
      const Index neighbor = mesh.partner[h] / 3;
      const std::uint8_t wanted = flip[t] ^ (mesh.start(h) == mesh.start(mesh.partner[h]));
      if (!visited[neighbor])
      {
        visited[neighbor] = 1;
        flip[neighbor] = wanted;
        component.triangles.push_back(neighbor);
      }
      else if (flip[neighbor] != wanted)
      {
        component.orientable = false;
      }
    }
  }
}

/// Which way a component, wound as `flip` says, faces.
struct Facing
{
  bool hasInside; ///< closed, around a volume
  bool mustTurn;
};

Facing facingOf(const Mesh& mesh, const Component& component, const std::vector<std::uint8_t>& flip,
  SurfaceRole role)
{
  const double* origin = mesh.corner(component.triangles.front(), 0);
  double area = 0, upward = 0, volume = 0, asGiven = 0; // twice, twice, six times, twice
  for (const Index t : component.triangles)
  {
    const Vector normal = mesh.areaVector(t);
    const double sign = flip[t] ? -1 : 1;
    const double size = std::sqrt(dot(normal, normal));
    area += size;
    asGiven += sign * size;
    upward += sign * normal[2];
    volume += sign * dot(normal, difference(mesh.corner(t, 0), origin));
  }
  // What rounding leaves of a sum that should be zero is no direction.
  if (component.closed && std::abs(volume) > 1e-9 * std::pow(area, 1.5))
  {
    return { true, (volume < 0) != (role == SurfaceRole::Container) };
  }
  return { false, std::abs(upward) > 1e-6 * area ? upward < 0 : asGiven < 0 };
}

/// Curves of boundary edges of a component. Around a point the walk passes over its triangles to
/// their other side, so two holes that touch in a point are one curve.
std::int64_t countBoundaryCurves(
  const Mesh& mesh, const Component& component, std::vector<std::uint8_t>& walked)
{
  std::int64_t curves = 0;
  for (const Index t : component.triangles)
  {
    for (Index h = 3 * t; h < 3 * t + 3; ++h)
    {
      if (!mesh.onBoundary[h] || walked[h])
      {
        continue;
      }
      ++curves;
      Index border = h;
      Index pivot = mesh.end(h);
      while (!walked[border])
      {
        walked[border] = 1;
        Index edge = border; // turn around the pivot to the other edge without partner
        do
        {
          const Index ahead = Mesh::next(edge);
          edge = mesh.start(ahead) == pivot || mesh.end(ahead) == pivot ? ahead : Mesh::next(ahead);
          if (mesh.partner[edge] == none)
          {
            break;
          }
          edge = mesh.partner[edge];
        } while (true);
        border = edge;
        pivot = mesh.start(edge) == pivot ? mesh.end(edge) : mesh.start(edge);
      }
    }
  }
  return curves;
}

/// Decides for every triangle whether it is turned.
void orient(const Mesh& mesh, SurfaceRole role, SurfaceRepair& result)
{
  const std::size_t triangles = mesh.triangles();
  result.flipped.assign(triangles, 0);
  result.twoSided.assign(triangles, 0);
  SurfaceRepairReport& report = result.report;
  report.singleValued = triangles > 0;

  std::vector<std::uint8_t> visited(triangles, 0), walked(mesh.corners.size(), 0);
  Component component;
  for (std::size_t seed = 0; seed < triangles; ++seed)
  {
    if (visited[seed])
    {
      continue;
    }
    walkComponent(mesh, static_cast<Index>(seed), visited, result.flipped, component);
    ++report.components;
    report.closedComponents += component.closed;
    report.nonOrientableComponents += !component.orientable;
    const std::int64_t curves = countBoundaryCurves(mesh, component, walked);
    report.holes += std::max<std::int64_t>(0, curves - 1);

    const Facing facing = facingOf(mesh, component, result.flipped, role);
    const bool turn = component.orientable && facing.mustTurn;
    const bool twoSided =
      !component.orientable || (role == SurfaceRole::Obstacle && !facing.hasInside);
    report.twoSidedComponents += twoSided;
    report.singleValued &= component.orientable;
    for (const Index t : component.triangles)
    {
      const Vector normal = mesh.areaVector(t);
      result.flipped[t] = component.orientable ? result.flipped[t] ^ turn : normal[2] < 0;
      result.twoSided[t] = twoSided;
      report.flippedTriangles += result.flipped[t];
      const double upward = result.flipped[t] ? -normal[2] : normal[2];
      report.singleValued &= upward > 1e-9 * std::sqrt(dot(normal, normal));
    }
  }
}

/// Numbers the points that are used, in the order of the input, and writes the triangles.
void writeSurface(const Surface& input, const Mesh& mesh, SurfaceRepair& result)
{
  std::vector<Index> number(input.pointCount(), none);
  for (const Index corner : mesh.corners)
  {
    number[corner] = 0;
  }
  Surface& surface = result.surface;
  surface.role = input.role;
  const bool allTwoSided = result.report.twoSidedComponents == result.report.components;
  surface.sides = allTwoSided && result.report.components > 0 ? SurfaceSides::Two : input.sides;
  for (std::size_t p = 0; p < number.size(); ++p)
  {
    if (number[p] != none)
    {
      number[p] = static_cast<Index>(result.inputPoint.size());
      result.inputPoint.push_back(static_cast<std::int64_t>(p));
      surface.points.insert(surface.points.end(), &input.points[3 * p], &input.points[3 * p] + 3);
    }
  }
  surface.triangles.resize(mesh.corners.size());
  for (std::size_t t = 0; t < mesh.triangles(); ++t)
  {
    const int second = result.flipped[t] ? 2 : 1;
    surface.triangles[3 * t] = number[mesh.corners[3 * t]];
    surface.triangles[3 * t + 1] = number[mesh.corners[3 * t + second]];
    surface.triangles[3 * t + 2] = number[mesh.corners[3 * t + 3 - second]];
  }
  result.inputTriangle.assign(mesh.source.begin(), mesh.source.end());
}

} // namespace

SurfaceRepair repairSurface(const Surface& surface)
{
  checkInput(surface);
  SurfaceRepair result;
  SurfaceRepairReport& report = result.report;
  report.inputPoints = static_cast<std::int64_t>(surface.pointCount());
  report.inputTriangles = static_cast<std::int64_t>(surface.triangleCount());

  Mesh mesh = soundTriangles(surface, report);
  dropDuplicates(mesh, report);
  pairEdges(mesh, report);
  orient(mesh, surface.role, result);
  writeSurface(surface, mesh, result);

  report.points = static_cast<std::int64_t>(result.surface.pointCount());
  report.triangles = static_cast<std::int64_t>(result.surface.triangleCount());
  report.unusedPoints =
    report.inputPoints - report.nonFinitePoints - report.mergedPoints - report.points;
  return result;
}

std::vector<Surface> separateTwoSided(
  const Surface& surface, const std::vector<std::uint8_t>& twoSided)
{
  if (std::find(twoSided.begin(), twoSided.end(), twoSided.empty() ? 0 : !twoSided[0]) ==
      twoSided.end())
  {
    return { surface };
  }
  std::vector<Surface> parts(2, surface);
  for (int side = 0; side < 2; ++side)
  {
    Surface& part = parts[side];
    part.sides = side == 0 ? surface.sides : SurfaceSides::Two;
    part.triangles.clear();
    part.points.clear();
    for (auto* values : { &part.restitution, &part.friction, &part.rollingFriction })
    {
      std::size_t kept = 0;
      for (std::size_t t = 0; t < values->size(); ++t)
      {
        if (twoSided[t] == side)
        {
          (*values)[kept++] = (*values)[t];
        }
      }
      values->resize(kept);
    }
    std::vector<std::int64_t> number(surface.pointCount(), -1);
    for (std::size_t corner = 0; corner < surface.triangles.size(); ++corner)
    {
      if (twoSided[corner / 3] != side)
      {
        continue;
      }
      const std::int64_t point = surface.triangles[corner];
      if (number[point] < 0)
      {
        number[point] = static_cast<std::int64_t>(part.pointCount());
        const double* x = &surface.points[3 * point];
        part.points.insert(part.points.end(), x, x + 3);
      }
      part.triangles.push_back(number[point]);
    }
  }
  return parts;
}

std::string SurfaceRepairReport::text() const
{
  const auto some = [](std::int64_t count, const char* one, const char* many)
  { return std::to_string(count) + ' ' + (count == 1 ? one : many); };
  std::ostringstream out;
  out << some(triangles, "triangle", "triangles") << " on " << some(points, "point", "points")
      << (triangles == 0  ? ""
           : singleValued ? ", a single-valued sheet"
                          : "");
  if (components > 1)
  {
    out << " of " << components << " parts";
  }
  if (closedComponents > 0)
  {
    out << ", " << closedComponents << " closed";
  }
  if (holes > 0)
  {
    out << ", " << some(holes, "hole", "holes");
  }
  out << '.';

  std::vector<std::string> done;
  const auto note = [&](std::int64_t count, const char* one, const char* many)
  {
    if (count > 0)
    {
      done.push_back(some(count, one, many));
    }
  };
  note(degenerateTriangles, "triangle without area dropped", "triangles without area dropped");
  note(duplicateTriangles, "duplicate triangle dropped", "duplicate triangles dropped");
  note(mergedPoints, "coincident point merged", "coincident points merged");
  note(unusedPoints, "unused point dropped", "unused points dropped");
  note(flippedTriangles, "triangle turned over", "triangles turned over");
  note(nonManifoldEdges, "edge shared by more than two triangles",
    "edges shared by more than two triangles");
  note(nonOrientableComponents, "part without a consistent side (treated as two-sided)",
    "parts without a consistent side (treated as two-sided)");
  note(twoSidedComponents - nonOrientableComponents, "open part in the way (two-sided)",
    "open parts in the way (two-sided)");
  if (nonFinitePoints > 0)
  {
    done.push_back(some(nonFinitePoints, "point that is", "points that are") +
                   " not finite (the first is number " + std::to_string(firstNonFinitePoint) +
                   "), with " + some(nonFiniteTriangles, "triangle", "triangles") + " dropped");
  }
  for (std::size_t i = 0; i < done.size(); ++i)
  {
    out << (i == 0 ? " " : ", ") << done[i] << (i + 1 == done.size() ? "." : "");
  }
  return out.str();
}

} // namespace lapilli
