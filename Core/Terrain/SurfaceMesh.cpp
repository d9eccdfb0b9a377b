#include "Terrain/SurfaceMesh.h"

#include "Error.h"
#include "LargePages.h"
#include "Terrain/Buckets.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

namespace lapilli
{
namespace
{

/// One side of a triangle, keyed by its two points in ascending order.
struct Side
{
  std::int32_t low, high;
  std::int32_t triangle;
  std::int32_t edge;

  bool sameEdge(const Side& b) const { return low == b.low && high == b.high; }
  bool operator<(const Side& b) const
  {
    return low != b.low ? low < b.low : high != b.high ? high < b.high : triangle < b.triangle;
  }
};

/// @param number of the surface in the scene
/// @param object number of it among the obstacles, -1 for none
/// @param firstInput number of its first triangle among those of the scene
void appendSurface(SurfaceMesh& mesh, const Surface& surface, const Vec3d& origin,
  std::int32_t number, std::int32_t object, std::size_t firstInput)
{
  const std::int32_t firstPoint = static_cast<std::int32_t>(mesh.points.size());
  reserveLarge(mesh.points, mesh.points.size() + surface.pointCount());
  reserveLarge(mesh.triangles, mesh.triangles.size() + surface.triangleCount());
  for (std::size_t i = 0; i < surface.pointCount(); ++i)
  {
    const Vec3d p{ surface.points[3 * i], surface.points[3 * i + 1], surface.points[3 * i + 2] };
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
      throw InvalidInput("terrain point " + std::to_string(i) +
                         " has a coordinate that is not finite; pass the terrain through Terrain "
                         "Surface, which drops such points");
    mesh.points.push_back(p - origin);
  }
  for (std::size_t t = 0; t < surface.triangleCount(); ++t)
  {
    MeshTriangle triangle{};
    for (int k = 0; k < 3; ++k)
    {
      const std::int64_t corner = surface.triangles[3 * t + k];
      if (corner < 0 || corner >= static_cast<std::int64_t>(surface.pointCount()))
        throw InvalidInput("triangle " + std::to_string(t) + " names point " +
                           std::to_string(corner) + "; the surface has points 0 to " +
                           std::to_string(surface.pointCount()) + " - 1");
      triangle.corner[k] = firstPoint + static_cast<std::int32_t>(corner);
    }
    const Vec3d& a = mesh.points[triangle.corner[0]];
    const Vec3d& b = mesh.points[triangle.corner[1]];
    const Vec3d& c = mesh.points[triangle.corner[2]];
    triangle.normal = normalized(cross(b - a, c - a));
    if (squaredLength(triangle.normal) == 0)
      continue; // no area, no contact
    triangle.twoSided = surface.sides == SurfaceSides::Two;
    triangle.role = static_cast<std::uint8_t>(surface.role);
    triangle.surface = number;
    triangle.object = object;
    triangle.input = static_cast<std::int32_t>(firstInput + t);
    mesh.triangles.push_back(triangle);
    for (const Vec3d* corner : { &a, &b, &c })
    {
      mesh.bounds += *corner;
      if (surface.role == SurfaceRole::Terrain)
        mesh.terrainBounds += *corner;
      if (surface.role == SurfaceRole::Container)
        mesh.containerBounds += *corner;
    }
  }
}

/// The number of an obstacle among the objects, new unless another surface has its name; -1 for what is none.
std::int32_t objectOf(const Surface& surface, std::vector<std::string>& objects)
{
  if (surface.role != SurfaceRole::Obstacle)
    return -1;
  const auto same =
    surface.name.empty() ? objects.end() : std::find(objects.begin(), objects.end(), surface.name);
  const auto number = static_cast<std::int32_t>(same - objects.begin());
  if (same == objects.end())
    objects.push_back(
      surface.name.empty() ? "obstacle " + std::to_string(objects.size()) : surface.name);
  return number;
}

std::vector<Side> sortedSides(const SurfaceMesh& mesh)
{
  const auto sideOf = [&mesh](std::size_t s)
  {
    const auto t = static_cast<std::int32_t>(s / 3), k = static_cast<std::int32_t>(s % 3);
    const std::int32_t from = mesh.triangles[t].corner[k];
    const std::int32_t to = mesh.triangles[t].corner[(k + 1) % 3];
    return Side{ std::min(from, to), std::max(from, to), t, k };
  };
  // By ranges of lower points, each of which stays in the cache.
  std::size_t shift = 12;
  while (mesh.points.size() >> shift > 1000)
  {
    ++shift;
  }
  const Buckets byLow(3 * mesh.triangles.size(), (mesh.points.size() >> shift) + 1,
    [&](std::size_t s) { return static_cast<std::size_t>(sideOf(s).low) >> shift; });
  std::vector<Side> sides;
  resizeLarge(sides, byLow.order.size());
  forEachHostBlock(byLow.count(), 1,
    [&](std::size_t b, std::size_t)
    {
      for (std::uint32_t i = byLow.begin[b]; i < byLow.begin[b + 1]; ++i)
      {
        sides[i] = sideOf(byLow.order[i]);
      }
      std::sort(sides.begin() + byLow.begin[b], sides.begin() + byLow.begin[b + 1]);
    });
  return sides;
}

/// In the plane of the triangle, at right angles to its edge, inwards.
Vec3d inwards(const SurfaceMesh& mesh, const Side& side)
{
  const MeshTriangle& triangle = mesh.triangles[side.triangle];
  const Vec3d along =
    mesh.points[triangle.corner[(side.edge + 1) % 3]] - mesh.points[triangle.corner[side.edge]];
  return normalized(cross(triangle.normal, along));
}

/// Sets what each side knows of the triangle beyond it, and which of the two reports the edge.
/// Where three or more triangles meet each keeps the edge as if it were a rim: the contacts that
/// result coincide and are merged as any others are.
void linkEdges(SurfaceMesh& mesh, const std::vector<Side>& sides)
{
  for (std::size_t first = 0; first < sides.size();)
  {
    std::size_t last = first + 1;
    while (last < sides.size() && sides[last].sameEdge(sides[first]))
      ++last;
    const bool joinsTwo = last - first == 2;
    for (std::size_t s = first; s < last; ++s)
    {
      MeshTriangle& triangle = mesh.triangles[sides[s].triangle];
      Vec3d normal = triangle.normal;
      if (joinsTwo)
      {
        const Side& other = sides[s == first ? first + 1 : first];
        triangle.beyondEdge[sides[s].edge] = inwards(mesh, other).to<float>();
        normal += mesh.triangles[other.triangle].normal;
      }
      else
      {
        triangle.rimEdge |= 1 << sides[s].edge;
      }
      triangle.edgeNormal[sides[s].edge] = normal.to<float>();
      if (!joinsTwo || s == first)
        triangle.ownsEdge |= 1 << sides[s].edge;
    }
    first = last;
  }
}

/// The ends of the edges that meet in each point, and the point's own normal.
void buildRings(SurfaceMesh& mesh, const std::vector<Side>& sides)
{
  std::vector<std::int32_t>& start = mesh.ringStart;
  start.assign(mesh.points.size() + 1, 0);
  const auto forEachEdge = [&](auto&& visit)
  {
    for (std::size_t s = 0; s < sides.size(); ++s)
      if (s == 0 || !sides[s].sameEdge(sides[s - 1]))
        visit(sides[s].low, sides[s].high);
  };
  forEachEdge(
    [&](std::int32_t low, std::int32_t high)
    {
      ++start[low + 1];
      ++start[high + 1];
    });
  for (std::size_t p = 0; p < mesh.points.size(); ++p)
    start[p + 1] += start[p];
  mesh.ring.resize(start.back());
  std::vector<std::int32_t> next(start.begin(), start.end() - 1);
  forEachEdge(
    [&](std::int32_t low, std::int32_t high)
    {
      mesh.ring[next[low]++] = high;
      mesh.ring[next[high]++] = low;
    });

  std::vector<Vec3d> normals(mesh.points.size());
  std::vector<std::uint8_t> owned(mesh.points.size(), 0), onRim(mesh.points.size(), 0);
  for (const MeshTriangle& triangle : mesh.triangles)
    for (int k = 0; k < 3; ++k)
      if (triangle.rimEdge >> k & 1)
        onRim[triangle.corner[k]] = onRim[triangle.corner[(k + 1) % 3]] = 1;
  for (MeshTriangle& triangle : mesh.triangles)
  {
    for (int k = 0; k < 3; ++k)
    {
      const std::int32_t p = triangle.corner[k];
      triangle.rimCorner |= onRim[p] << k;
      const Vec3d to1 = normalized(mesh.points[triangle.corner[(k + 1) % 3]] - mesh.points[p]);
      const Vec3d to2 = normalized(mesh.points[triangle.corner[(k + 2) % 3]] - mesh.points[p]);
      normals[p] += std::acos(std::clamp(dot(to1, to2), -1.0, 1.0)) * triangle.normal;
      if (!owned[p])
      {
        owned[p] = 1;
        triangle.ownsCorner |= 1 << k;
      }
    }
  }
  mesh.pointNormals.resize(mesh.points.size());
  for (std::size_t p = 0; p < mesh.points.size(); ++p)
    mesh.pointNormals[p] = normalized(normals[p]).to<float>();
}

/// Representative of a set of points that hang together.
std::int32_t findRoot(std::vector<std::int32_t>& parent, std::int32_t p)
{
  while (parent[p] != p)
    p = parent[p] = parent[parent[p]];
  return p;
}

void join(std::vector<std::int32_t>& parent, std::int32_t a, std::int32_t b)
{
  a = findRoot(parent, a);
  b = findRoot(parent, b);
  parent[std::max(a, b)] = std::min(a, b);
}

/// Collects the rims of the terrain. Of the rims of one connected piece, the one with the widest
/// extent in the plane is the edge of the map; the others are holes.
void findRims(SurfaceMesh& mesh, const std::vector<Side>& sides)
{
  std::vector<std::int32_t> piece(mesh.points.size()), loop(mesh.points.size());
  for (std::size_t p = 0; p < mesh.points.size(); ++p)
    piece[p] = loop[p] = static_cast<std::int32_t>(p);
  for (const Side& side : sides)
    join(piece, side.low, side.high);

  std::vector<Side> rimSides;
  for (std::size_t s = 0; s < sides.size(); ++s)
  {
    const bool alone = (s == 0 || !sides[s].sameEdge(sides[s - 1])) &&
                       (s + 1 == sides.size() || !sides[s].sameEdge(sides[s + 1]));
    if (alone &&
        mesh.triangles[sides[s].triangle].role == static_cast<std::uint8_t>(SurfaceRole::Terrain))
    {
      rimSides.push_back(sides[s]);
      join(loop, sides[s].low, sides[s].high);
    }
  }

  std::unordered_map<std::int32_t, Box> loopBounds;
  for (const Side& side : rimSides)
  {
    Box& box = loopBounds[findRoot(loop, side.low)];
    box += mesh.points[side.low];
    box += mesh.points[side.high];
  }
  const auto extent = [](const Box& box)
  { return (box.upper.x - box.lower.x) + (box.upper.y - box.lower.y); };
  std::unordered_map<std::int32_t, std::int32_t> outerLoop; // piece -> loop
  for (const auto& [root, box] : loopBounds)
  {
    const auto [found, isNew] = outerLoop.try_emplace(findRoot(piece, root), root);
    const double best = extent(loopBounds[found->second]);
    if (!isNew && (extent(box) > best || (extent(box) == best && root < found->second)))
      found->second = root;
  }
  for (const Side& side : rimSides)
  {
    const std::int32_t root = findRoot(loop, side.low);
    const bool isHole = outerLoop[findRoot(piece, root)] != root;
    mesh.rim.push_back({ mesh.points[side.low], mesh.points[side.high], isHole ? 1 : 0 });
  }
}

} // namespace

SurfaceMeshView SurfaceMesh::view() const
{
  SurfaceMeshView v;
  v.points = points.data();
  v.pointNormals = pointNormals.data();
  v.ringStart = ringStart.data();
  v.ring = ring.data();
  v.triangles = triangles.data();
  v.triangleCount = static_cast<std::int32_t>(triangles.size());
  v.rim = rim.data();
  v.rimCount = static_cast<std::int32_t>(rim.size());
  v.terrainBounds = terrainBounds;
  v.containerBounds = containerBounds;
  return v;
}

SurfaceMesh buildSurfaceMesh(
  const std::vector<Surface>& surfaces, const Vec3d& origin, const std::vector<Surface>& walls)
{
  SurfaceMesh mesh;
  std::size_t inputs = 0;
  std::int32_t number = 0;
  const auto append = [&](const Surface& surface, std::int32_t object)
  {
    appendSurface(mesh, surface, origin, number++, object, inputs);
    inputs += surface.triangleCount();
  };
  for (const Surface& surface : surfaces)
    append(surface, objectOf(surface, mesh.objects));
  for (const Surface& wall : walls)
  {
    append(wall, static_cast<std::int32_t>(mesh.objects.size()));
    mesh.objects.push_back(wall.name);
  }
  mesh.walls = static_cast<std::int32_t>(walls.size());
  const std::vector<Side> sides = sortedSides(mesh);
  linkEdges(mesh, sides);
  buildRings(mesh, sides);
  findRims(mesh, sides);
  return mesh;
}

} // namespace lapilli
