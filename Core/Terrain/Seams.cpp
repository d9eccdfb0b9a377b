#include "Terrain/Seams.h"

#include "Terrain/BorderPoints.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace lapilli
{
namespace
{

using Number = RepairMesh::Number;
using TilePairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// Fraction of the shortest border edge at a point that it may be moved by: automatically, and at most. Beyond half
/// an edge it would be nearer to another point.
constexpr double automaticFraction = 0.05, greatestFraction = 0.5;

double reachOf(const BorderPoints::Point& point, double tolerance)
{
  return tolerance < 0 ? automaticFraction * point.shortest
                       : std::min(tolerance, greatestFraction * point.shortest);
}

std::vector<Number> borderEdges(const RepairMesh& mesh)
{
  std::vector<Number> edges;
  for (std::size_t h = 0; h < mesh.partner.size(); ++h)
  {
    if (mesh.partner[h] == RepairMesh::kBoundary)
    {
      edges.push_back(static_cast<Number>(h));
    }
  }
  return edges;
}

void addPairs(TilePairs& pairs, const std::vector<Number>& some, const std::vector<Number>& others)
{
  for (const Number a : some)
  {
    for (const Number b : others)
    {
      if (a != b)
      {
        pairs.emplace(std::min(a, b), std::max(a, b));
      }
    }
  }
}

/// Border points that become one: the first of them stays.
struct Cluster
{
  std::vector<std::size_t> members; ///< ascending
  std::vector<Number> tiles;        ///< of all members
};

/// Joins what is near, nearest first, and never two points of one tile.
std::vector<Cluster> findClusters(BorderPoints& border, double tolerance)
{
  double largest = 0;
  for (std::size_t i = 0; i < border.count(); ++i)
  {
    largest = std::max(largest, reachOf(border[i], tolerance));
  }
  border.bin(largest);
  struct Candidate
  {
    double distance;
    std::size_t a, b;
    bool operator<(const Candidate& other) const
    {
      return std::tie(distance, a, b) < std::tie(other.distance, other.a, other.b);
    }
  };
  const auto areNear = [&](std::size_t a, std::size_t b)
  {
    return length(border[a].place - border[b].place) <=
           std::min(reachOf(border[a], tolerance), reachOf(border[b], tolerance));
  };
  std::vector<Candidate> candidates;
  for (std::size_t a = 0; a < border.count(); ++a)
  {
    border.forEachNear(border[a].place, reachOf(border[a], tolerance),
      [&](std::size_t b)
      {
        if (a < b && areNear(a, b) && !border[a].sharesTileWith(border[b]))
        {
          candidates.push_back({ length(border[a].place - border[b].place), a, b });
        }
      });
  }
  std::sort(candidates.begin(), candidates.end());

  std::vector<Cluster> clusters(border.count());
  std::vector<std::size_t> clusterOf(border.count());
  std::iota(clusterOf.begin(), clusterOf.end(), std::size_t(0));
  for (std::size_t i = 0; i < border.count(); ++i)
  {
    clusters[i] = { { i }, border[i].tiles };
  }
  for (const Candidate& candidate : candidates)
  {
    std::size_t low = clusterOf[candidate.a], high = clusterOf[candidate.b];
    if (clusters[low].members.front() > clusters[high].members.front())
    {
      std::swap(low, high);
    }
    Cluster &to = clusters[low], &from = clusters[high];
    std::vector<Number> shared;
    std::set_intersection(to.tiles.begin(), to.tiles.end(), from.tiles.begin(), from.tiles.end(),
      std::back_inserter(shared));
    const bool allNear = std::all_of(from.members.begin(), from.members.end(),
      [&](std::size_t member) { return areNear(to.members.front(), member); });
    if (low == high || !shared.empty() || !allNear)
    {
      continue;
    }
    for (const std::size_t member : from.members)
    {
      clusterOf[member] = low;
      to.members.push_back(member);
    }
    to.tiles.insert(to.tiles.end(), from.tiles.begin(), from.tiles.end());
    std::sort(to.tiles.begin(), to.tiles.end());
    from = {};
  }
  return clusters;
}

/// Puts the points of each cluster onto its first. @return whether there was any
bool snapPoints(RepairMesh& mesh, const std::vector<Number>& edges,
  const std::vector<std::uint32_t>& tileOf, double tolerance, SeamCounts& counts, TilePairs& pairs)
{
  BorderPoints border(mesh, edges, tileOf);
  std::vector<std::pair<Number, Number>> moves; // from, to; by the first
  for (const Cluster& cluster : findClusters(border, tolerance))
  {
    for (std::size_t m = 1; m < cluster.members.size(); ++m)
    {
      const BorderPoints::Point &to = border[cluster.members.front()],
                                &from = border[cluster.members[m]];
      moves.emplace_back(from.number, to.number);
      counts.largestSnap = std::max(counts.largestSnap, length(from.place - to.place));
      addPairs(pairs, to.tiles, from.tiles);
    }
  }
  counts.snapped = static_cast<std::int64_t>(moves.size());
  if (moves.empty())
  {
    return false;
  }
  std::vector<Number> target(mesh.points);
  std::iota(target.begin(), target.end(), Number(0));
  for (const auto& [from, to] : moves)
  {
    target[from] = to;
  }
  for (Number& corner : mesh.corners)
  {
    corner = target[corner];
  }
  return true;
}

/// Where a border edge has a point of another tile.
struct Division
{
  Number halfEdge;
  double along; ///< (0, 1)
  Number point;

  bool operator<(const Division& b) const
  {
    return std::tie(halfEdge, along, point) < std::tie(b.halfEdge, b.along, b.point);
  }
};

std::vector<Division> findDivisions(const RepairMesh& mesh, const std::vector<Number>& edges,
  const std::vector<std::uint32_t>& tileOf, double tolerance, TilePairs& pairs)
{
  BorderPoints border(mesh, edges, tileOf);
  double sum = 0, reach = 0;
  for (const Number h : edges)
  {
    sum += length(mesh.point(mesh.end(h)) - mesh.point(mesh.start(h)));
  }
  for (std::size_t i = 0; i < border.count(); ++i)
  {
    reach = std::max(reach, reachOf(border[i], tolerance));
  }
  const double size = std::max(reach, sum / static_cast<double>(edges.size()));
  border.bin(size);

  std::vector<Division> divisions;
  for (const Number h : edges)
  {
    const Number tile = tileOf[mesh.sourceOf(h / 3)];
    const Vec3d a = mesh.point(mesh.start(h)), along = mesh.point(mesh.end(h)) - a;
    const double squared = dot(along, along);
    const double steps = std::ceil(std::sqrt(squared) / size);
    const std::size_t former = divisions.size();
    for (double step = 0; step < steps; ++step)
    {
      const Vec3d middle = a + ((step + 0.5) / steps) * along;
      border.forEachNear(middle, reach + 0.5 * size,
        [&](std::size_t i)
        {
          const BorderPoints::Point& point = border[i];
          const double t = dot(point.place - a, along) / squared;
          // Its own ends, and points that belong to this tile already, are no division.
          if (t <= 0 || t >= 1 || point.isOf(tile) ||
              length(point.place - (a + t * along)) > reachOf(point, tolerance))
          {
            return;
          }
          divisions.push_back({ h, t, point.number });
          addPairs(pairs, { tile }, point.tiles);
        });
    }
    std::sort(divisions.begin() + static_cast<std::ptrdiff_t>(former), divisions.end());
  }
  divisions.erase(std::unique(divisions.begin(), divisions.end(),
                    [](const Division& a, const Division& b)
                    { return a.halfEdge == b.halfEdge && a.point == b.point; }),
    divisions.end());
  return divisions;
}

/// The triangles that one becomes: at each division a cut to the opposite corner.
std::vector<std::array<Number, 3>> cutTriangle(
  const RepairMesh& mesh, std::size_t triangle, const Division* begin, const Division* end)
{
  std::vector<std::array<Number, 3>> cut{ { mesh.corners[3 * triangle],
    mesh.corners[3 * triangle + 1], mesh.corners[3 * triangle + 2] } };
  for (const Division* d = begin; d != end; ++d)
  {
    const bool isFirst = d == begin || d->halfEdge != (d - 1)->halfEdge;
    const Number from = isFirst ? mesh.start(d->halfEdge) : (d - 1)->point;
    const Number to = mesh.end(d->halfEdge);
    for (std::size_t i = 0; i < cut.size(); ++i)
    {
      int k = 0;
      while (k < 3 && !(cut[i][k] == from && cut[i][(k + 1) % 3] == to))
      {
        ++k;
      }
      if (k < 3)
      {
        const Number opposite = cut[i][(k + 2) % 3];
        if (opposite == d->point)
        {
          break; // of a sliver, divided there from its other side
        }
        cut[i] = { from, d->point, opposite };
        cut.push_back({ d->point, to, opposite });
        break;
      }
    }
  }
  return cut;
}

/// Divides border edges; the parts of a triangle stand where it stood.
void divide(RepairMesh& mesh, const std::vector<Division>& divisions)
{
  std::vector<Number> corners, source;
  corners.reserve(mesh.corners.size() + 3 * divisions.size());
  source.reserve(mesh.triangles() + divisions.size());
  const Division *next = divisions.data(), *const last = next + divisions.size();
  for (std::size_t t = 0; t < mesh.triangles(); ++t)
  {
    const Division* const begin = next;
    while (next != last && next->halfEdge / 3 == t)
    {
      ++next;
    }
    for (const std::array<Number, 3>& part : cutTriangle(mesh, t, begin, next))
    {
      corners.insert(corners.end(), part.begin(), part.end());
      source.push_back(static_cast<Number>(mesh.sourceOf(t)));
    }
  }
  mesh.corners = std::move(corners);
  mesh.source = std::move(source);
}

/// Drops triangles that have one corner twice. @return how many
std::int64_t dropFlattened(RepairMesh& mesh)
{
  std::vector<std::uint8_t> keep(mesh.triangles());
  for (std::size_t t = 0; t < keep.size(); ++t)
  {
    const Number* c = &mesh.corners[3 * t];
    keep[t] = c[0] != c[1] && c[1] != c[2] && c[2] != c[0];
  }
  const std::int64_t flattened = std::count(keep.begin(), keep.end(), std::uint8_t(0));
  if (flattened > 0)
  {
    mesh.keepOnly(keep);
  }
  return flattened;
}

/// Length of border edges with a border point of another tile nearer to their middle than they are long.
double openLength(const RepairMesh& mesh, const std::vector<Number>& edges,
  const std::vector<std::uint32_t>& tileOf)
{
  BorderPoints border(mesh, edges, tileOf);
  double sum = 0, open = 0;
  for (const Number h : edges)
  {
    sum += length(mesh.point(mesh.end(h)) - mesh.point(mesh.start(h)));
  }
  border.bin(sum / static_cast<double>(edges.size()));
  for (const Number h : edges)
  {
    const Number tile = tileOf[mesh.sourceOf(h / 3)];
    const Vec3d a = mesh.point(mesh.start(h)), b = mesh.point(mesh.end(h));
    const double size = length(b - a), mean = sum / static_cast<double>(edges.size());
    bool isNear = false;
    border.forEachNear(0.5 * (a + b), std::min(size, 2 * mean),
      [&](std::size_t i)
      { isNear |= !border[i].isOf(tile) && length(border[i].place - 0.5 * (a + b)) < size; });
    open += isNear ? size : 0;
  }
  return open;
}

} // namespace

SeamCounts closeSeams(RepairMesh& mesh, EdgeCounts& edgeCounts,
  const std::vector<std::uint32_t>& tileOf, double tolerance)
{
  SeamCounts counts;
  const auto pairAgain = [&]
  {
    counts.flattened += dropFlattened(mesh);
    const std::int64_t former = edgeCounts.duplicateTriangles;
    edgeCounts = pairEdges(mesh);
    edgeCounts.duplicateTriangles += former;
    return borderEdges(mesh);
  };
  TilePairs pairs;
  std::vector<Number> edges = borderEdges(mesh);
  if (edges.empty())
  {
    return counts;
  }
  if (snapPoints(mesh, edges, tileOf, tolerance, counts, pairs))
  {
    edges = pairAgain();
  }
  const std::vector<Division> divisions =
    edges.empty() ? std::vector<Division>() : findDivisions(mesh, edges, tileOf, tolerance, pairs);
  if (!divisions.empty())
  {
    divide(mesh, divisions);
    edges = pairAgain();
    counts.split = static_cast<std::int64_t>(divisions.size());
  }
  counts.closed = static_cast<std::int64_t>(pairs.size());
  counts.openLength = edges.empty() ? 0 : openLength(mesh, edges, tileOf);
  return counts;
}

} // namespace lapilli
