#include "Terrain/SurfaceMesh.h"

#include "Error.h"
#include "LargePages.h"
#include "Terrain/Buckets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>

namespace lapilli
{
namespace
{

constexpr std::size_t kBlock = 1 << 14; ///< points or triangles that one thread works on

constexpr std::size_t kNoFault = static_cast<std::size_t>(-1);

/// The lowest number of an item at fault, of those that each block found.
std::size_t firstFault(const std::vector<std::size_t>& faults)
{
  return faults.empty() ? kNoFault : *std::min_element(faults.begin(), faults.end());
}

void appendPoints(SurfaceMesh& mesh, const Surface& surface, const Vec3d& origin)
{
  const std::size_t first = mesh.points.size(), count = surface.pointCount();
  resizeLarge(mesh.points, first + count);
  std::vector<std::size_t> faults((count + kBlock - 1) / kBlock, kNoFault);
  forEachHostBlock(count, kBlock,
    [&](std::size_t begin, std::size_t end)
    {
      for (std::size_t i = begin; i < end; ++i)
      {
        const Vec3d p{ surface.points[3 * i], surface.points[3 * i + 1],
          surface.points[3 * i + 2] };
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
          faults[begin / kBlock] = std::min(faults[begin / kBlock], i);
        mesh.points[first + i] = p - origin;
      }
    });
  if (const std::size_t i = firstFault(faults); i != kNoFault)
    throw InvalidInput("terrain point " + std::to_string(i) +
                       " has a coordinate that is not finite; pass the terrain through Terrain "
                       "Surface, which drops such points");
}

/// Without triangles that have no area, which nothing touches.
void dropEmpty(SurfaceMesh& mesh, std::size_t first)
{
  std::size_t kept = first;
  for (std::size_t t = first; t < mesh.triangles.size(); ++t)
    if (squaredLength(mesh.triangles[t].normal) > 0)
    {
      mesh.inputs[kept] = mesh.inputs[t];
      mesh.triangles[kept++] = mesh.triangles[t];
    }
  mesh.inputs.resize(kept);
  mesh.triangles.resize(kept);
}

/// @param number of the surface in the scene
/// @param object number of it among the obstacles, -1 for none
/// @param firstInput number of its first triangle among those of the scene
void appendSurface(SurfaceMesh& mesh, const Surface& surface, const Vec3d& origin,
  std::int32_t number, std::int32_t object, std::size_t firstInput)
{
  const auto firstPoint = static_cast<std::int32_t>(mesh.points.size());
  appendPoints(mesh, surface, origin);
  const std::size_t first = mesh.triangles.size(), count = surface.triangleCount();
  resizeLarge(mesh.triangles, first + count);
  resizeLarge(mesh.inputs, first + count);
  const std::size_t blocks = (count + kBlock - 1) / kBlock;
  std::vector<std::size_t> faults(blocks, kNoFault), empty(blocks, 0);
  std::vector<Box> boxes(blocks);
  forEachHostBlock(count, kBlock,
    [&](std::size_t begin, std::size_t end)
    {
      const std::size_t block = begin / kBlock;
      for (std::size_t t = begin; t < end; ++t)
      {
        MeshTriangle triangle{};
        const std::int64_t* corners = &surface.triangles[3 * t];
        if (std::any_of(corners, corners + 3,
              [&](std::int64_t corner)
              { return corner < 0 || corner >= static_cast<std::int64_t>(surface.pointCount()); }))
        {
          faults[block] = t;
          return;
        }
        // The lowest point first, wherever the triangle began: the same surface gives the same bits.
        const std::ptrdiff_t lowest = std::min_element(corners, corners + 3) - corners;
        for (int k = 0; k < 3; ++k)
          triangle.corner[k] = firstPoint + static_cast<std::int32_t>(corners[(lowest + k) % 3]);
        const Vec3d& a = mesh.points[triangle.corner[0]];
        const Vec3d& b = mesh.points[triangle.corner[1]];
        const Vec3d& c = mesh.points[triangle.corner[2]];
        triangle.normal = normalized(cross(b - a, c - a));
        triangle.twoSided = surface.sides == SurfaceSides::Two;
        triangle.role = static_cast<std::uint8_t>(surface.role);
        triangle.surface = number;
        triangle.object = object;
        mesh.inputs[first + t] = static_cast<std::int32_t>(firstInput + t);
        mesh.triangles[first + t] = triangle;
        if (squaredLength(triangle.normal) == 0)
          ++empty[block];
        else
          for (const Vec3d* corner : { &a, &b, &c })
            boxes[block] += *corner;
      }
    });
  if (const std::size_t t = firstFault(faults); t != kNoFault)
  {
    const std::int64_t* corners = &surface.triangles[3 * t];
    const std::int64_t corner = *std::find_if(corners, corners + 3,
      [&](std::int64_t c)
      { return c < 0 || c >= static_cast<std::int64_t>(surface.pointCount()); });
    throw InvalidInput("triangle " + std::to_string(t) + " names point " + std::to_string(corner) +
                       "; the surface has points 0 to " + std::to_string(surface.pointCount()) +
                       " - 1");
  }
  if (std::any_of(empty.begin(), empty.end(), [](std::size_t n) { return n > 0; }))
    dropEmpty(mesh, first);
  for (const Box& box : boxes)
  {
    mesh.bounds += box;
    if (surface.role == SurfaceRole::Terrain)
      mesh.terrainBounds += box;
    if (surface.role == SurfaceRole::Container)
      mesh.containerBounds += box;
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

/// Corners 3 t + k of all triangles, sorted by their points, in ranges of points that stay in the cache.
class CornersByPoint
{
public:
  explicit CornersByPoint(const SurfaceMesh& mesh)
    : mesh_(mesh)
    , shift_(shiftFor(mesh.points.size()))
    , buckets_(3 * mesh.triangles.size(), (mesh.points.size() >> shift_) + 1,
        [&](std::size_t corner) { return static_cast<std::size_t>(pointOf(corner)) >> shift_; })
  {
    forEachHostBlock(buckets_.count(), 1,
      [this](std::size_t b, std::size_t)
      {
        std::sort(buckets_.order.begin() + buckets_.begin[b],
          buckets_.order.begin() + buckets_.begin[b + 1],
          [this](std::uint32_t c, std::uint32_t d)
          { return pointOf(c) != pointOf(d) ? pointOf(c) < pointOf(d) : c < d; });
      });
  }

  /// visit(range, point, first, last): the corners at a point, ascending. Points without any are left out;
  /// those of one range come in order, ranges at the same time.
  template <class Visit>
  void forEachPoint(const Visit& visit) const
  {
    forEachHostBlock(buckets_.count(), 1,
      [&](std::size_t b, std::size_t)
      {
        const std::uint32_t* const end = buckets_.order.data() + buckets_.begin[b + 1];
        for (const std::uint32_t* first = buckets_.order.data() + buckets_.begin[b]; first != end;)
        {
          const std::uint32_t* last = first;
          while (last != end && pointOf(*last) == pointOf(*first))
            ++last;
          visit(b, pointOf(*first), first, last);
          first = last;
        }
      });
  }
  std::size_t ranges() const { return buckets_.count(); }

private:
  static std::size_t shiftFor(std::size_t points)
  {
    std::size_t shift = 12;
    while (points >> shift > 1000)
      ++shift;
    return shift;
  }
  std::int32_t pointOf(std::size_t corner) const
  {
    return mesh_.triangles[corner / 3].corner[corner % 3];
  }

  const SurfaceMesh& mesh_;
  std::size_t shift_;
  Buckets buckets_;
};

/// One side of a triangle, at the point with the lower number of its two.
struct Side
{
  std::int32_t low, high;
  std::int32_t triangle;
  std::int32_t edge;
};

/// The sides at a point that is the lower of their two, sorted by the other one, then by triangle.
void sidesAt(const SurfaceMesh& mesh, std::int32_t point, const std::uint32_t* first,
  const std::uint32_t* last, std::vector<Side>& sides)
{
  sides.clear();
  for (; first != last; ++first)
  {
    const auto t = static_cast<std::int32_t>(*first / 3), k = static_cast<std::int32_t>(*first % 3);
    const std::int32_t* corner = mesh.triangles[t].corner;
    const std::int32_t before = (k + 2) % 3;
    if (corner[(k + 1) % 3] > point)
      sides.push_back({ point, corner[(k + 1) % 3], t, k });
    if (corner[before] > point)
      sides.push_back({ point, corner[before], t, before });
  }
  std::sort(sides.begin(), sides.end(),
    [](const Side& a, const Side& b)
    { return a.high != b.high ? a.high < b.high : a.triangle < b.triangle; });
}

/// Sets what lies beyond each side. Where three or more triangles meet each keeps the edge as if it were a rim:
/// the contacts that result coincide and are merged as any others are.
/// @return the sides of one triangle only, by their points
std::vector<Side> linkEdges(SurfaceMesh& mesh, const CornersByPoint& corners)
{
  std::vector<std::vector<Side>> alone(corners.ranges());
  corners.forEachPoint(
    [&](std::size_t range, std::int32_t point, const std::uint32_t* begin, const std::uint32_t* end)
    {
      thread_local std::vector<Side> sides;
      sidesAt(mesh, point, begin, end, sides);
      for (std::size_t first = 0; first < sides.size();)
      {
        std::size_t last = first + 1;
        while (last < sides.size() && sides[last].high == sides[first].high)
          ++last;
        const bool joinsTwo = last - first == 2;
        for (std::size_t s = first; s < last; ++s)
          mesh.triangles[sides[s].triangle].beyond[sides[s].edge] =
            joinsTwo ? sides[s == first ? first + 1 : first].triangle : -1;
        if (last - first == 1)
          alone[range].push_back(sides[first]);
        first = last;
      }
    });
  std::vector<Side> all;
  for (const std::vector<Side>& some : alone)
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

/// The points at the other ends of the edges that meet in a point, ascending.
void endsAround(const SurfaceMesh& mesh, const std::uint32_t* first, const std::uint32_t* last,
  std::vector<std::int32_t>& ends)
{
  ends.clear();
  for (; first != last; ++first)
    for (const std::uint32_t step : { 1, 2 })
      ends.push_back(mesh.triangles[*first / 3].corner[(*first % 3 + step) % 3]);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
}

/// Part of a point's normal: that of a triangle, weighted by its angle there.
Vec3d normalAt(const SurfaceMesh& mesh, std::uint32_t corner)
{
  const MeshTriangle& triangle = mesh.triangles[corner / 3];
  const int k = static_cast<int>(corner % 3);
  const Vec3d& p = mesh.points[triangle.corner[k]];
  const Vec3d to1 = normalized(mesh.points[triangle.corner[(k + 1) % 3]] - p);
  const Vec3d to2 = normalized(mesh.points[triangle.corner[(k + 2) % 3]] - p);
  return std::acos(std::clamp(dot(to1, to2), -1.0, 1.0)) * triangle.normal;
}

/// The ends of the edges that meet in each point, the point's own normal, and what triangles know of their corners.
void buildRings(SurfaceMesh& mesh, const CornersByPoint& corners)
{
  std::vector<std::int32_t>& start = mesh.ringStart;
  resizeLarge(start, mesh.points.size() + 1);
  resizeLarge(mesh.pointNormals, mesh.points.size());
  std::vector<std::uint32_t> owner;
  resizeLarge(owner, mesh.points.size());
  std::vector<std::uint8_t> onRim(mesh.points.size(), 0);
  thread_local std::vector<std::int32_t> ends;
  corners.forEachPoint(
    [&](std::size_t, std::int32_t point, const std::uint32_t* first, const std::uint32_t* last)
    {
      endsAround(mesh, first, last, ends);
      start[point + 1] = static_cast<std::int32_t>(ends.size());
      owner[point] = *first;
      Vec3d normal;
      for (const std::uint32_t* c = first; c != last; ++c)
      {
        const std::int32_t* beyond = mesh.triangles[*c / 3].beyond;
        onRim[point] |= beyond[*c % 3] < 0 || beyond[(*c % 3 + 2) % 3] < 0 ? 1 : 0;
        normal += normalAt(mesh, *c);
      }
      mesh.pointNormals[point] = normalized(normal).to<float>();
    });
  for (std::size_t p = 0; p < mesh.points.size(); ++p)
    start[p + 1] += start[p];
  resizeLarge(mesh.ring, static_cast<std::size_t>(start.back()));
  corners.forEachPoint(
    [&](std::size_t, std::int32_t point, const std::uint32_t* first, const std::uint32_t* last)
    {
      endsAround(mesh, first, last, ends);
      std::copy(ends.begin(), ends.end(), mesh.ring.begin() + start[point]);
    });
  forEachOnHost(mesh.triangles.size(), kBlock,
    [&](std::size_t t)
    {
      MeshTriangle& triangle = mesh.triangles[t];
      for (std::uint32_t k = 0; k < 3; ++k)
      {
        const std::int32_t beyond = triangle.beyond[k];
        triangle.rimEdge |= (beyond < 0) << k;
        triangle.ownsEdge |= (beyond < 0 || static_cast<std::int32_t>(t) < beyond) << k;
        triangle.rimCorner |= onRim[triangle.corner[k]] << k;
        triangle.ownsCorner |= (owner[triangle.corner[k]] == 3 * t + k) << k;
      }
    });
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
/// @param alone the sides of one triangle only
void findRims(SurfaceMesh& mesh, const std::vector<Side>& alone)
{
  std::vector<Side> rimSides;
  std::unordered_map<std::int32_t, std::int32_t> place; // of a point among those on rims
  std::vector<std::int32_t> loop, points;
  const auto placeOf = [&](std::int32_t point)
  {
    const auto [found, isNew] = place.try_emplace(point, static_cast<std::int32_t>(loop.size()));
    if (isNew)
    {
      loop.push_back(found->second);
      points.push_back(point);
    }
    return found->second;
  };
  for (const Side& side : alone)
    if (mesh.triangles[side.triangle].role == static_cast<std::uint8_t>(SurfaceRole::Terrain))
    {
      rimSides.push_back(side);
      const std::int32_t low = placeOf(side.low), high = placeOf(side.high);
      join(loop, low, high);
    }

  std::map<std::int32_t, Box> loopBounds;
  for (const Side& side : rimSides)
  {
    Box& box = loopBounds[findRoot(loop, place[side.low])];
    box += mesh.points[side.low];
    box += mesh.points[side.high];
  }
  // One loop alone is the edge of the map, whatever hangs together.
  std::vector<std::int32_t> piece;
  if (loopBounds.size() > 1)
  {
    piece.resize(mesh.points.size());
    std::iota(piece.begin(), piece.end(), 0);
    for (const MeshTriangle& triangle : mesh.triangles)
    {
      join(piece, triangle.corner[0], triangle.corner[1]);
      join(piece, triangle.corner[0], triangle.corner[2]);
    }
  }
  const auto pieceOf = [&](std::int32_t root)
  { return piece.empty() ? 0 : findRoot(piece, points[static_cast<std::size_t>(root)]); };
  const auto extent = [](const Box& box)
  { return (box.upper.x - box.lower.x) + (box.upper.y - box.lower.y); };
  std::unordered_map<std::int32_t, std::int32_t> outerLoop; // piece -> loop
  for (const auto& [root, box] : loopBounds)
  {
    const auto [found, isNew] = outerLoop.try_emplace(pieceOf(root), root);
    if (!isNew && extent(box) > extent(loopBounds[found->second]))
      found->second = root;
  }
  for (const Side& side : rimSides)
  {
    const std::int32_t root = findRoot(loop, place[side.low]);
    const bool isHole = outerLoop[pieceOf(root)] != root;
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
  std::size_t points = 0, triangles = 0;
  for (const std::vector<Surface>* some : { &surfaces, &walls })
    for (const Surface& surface : *some)
    {
      points += surface.pointCount();
      triangles += surface.triangleCount();
    }
  reserveLarge(mesh.points, points);
  reserveLarge(mesh.triangles, triangles);
  reserveLarge(mesh.inputs, triangles);
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
  const CornersByPoint corners(mesh);
  const std::vector<Side> alone = linkEdges(mesh, corners);
  buildRings(mesh, corners);
  findRims(mesh, alone);
  return mesh;
}

} // namespace lapilli
