#include "Particles/MapArea.h"

#include "Particles/JoinedLines.h"
#include "Particles/Refuse.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace lapilli
{
namespace
{

/// Where an edge crosses the line y = const between two x, or with its coordinates exchanged the other way round. Each edge has
/// its lower end and not its upper, so that a chain of edges crosses once where two of them meet.
bool crosses(double y, double from, double to, double x0, double y0, double x1, double y1)
{
  if ((y0 <= y) == (y1 <= y))
  {
    return false;
  }
  const double x = x0 + (y - y0) / (y1 - y0) * (x1 - x0);
  return std::min(from, to) <= x && x < std::max(from, to);
}

} // namespace

MapArea::MapArea(const SeedGeometry& geometry)
{
  Vec3d low{ INFINITY, INFINITY, 0 }, high{ -INFINITY, -INFINITY, 0 };
  double height = 0;
  for (const std::int64_t p : geometry.segments)
  {
    const double* x = &geometry.points[3 * static_cast<std::size_t>(p)];
    low = { std::min(low.x, x[0]), std::min(low.y, x[1]), 0 };
    high = { std::max(high.x, x[0]), std::max(high.y, x[1]), 0 };
    height += x[2] / static_cast<double>(geometry.segments.size());
  }
  origin_ = { 0.5 * (low.x + high.x), 0.5 * (low.y + high.y), height };
  size_ = high - low;
  addEdges(geometry);
  if (edges_.empty() || !(size_.x * size_.y > 0))
  {
    refuse("area of the polygons on the map", "0 m^2",
      "be above 0: connect polygons that have an area seen from above");
  }
  divide();
}

// Edges that are there an even number of times bound nothing: between two triangles of one area, for instance.
void MapArea::addEdges(const SeedGeometry& geometry)
{
  const std::vector<std::int64_t> shared = sharedPoints(geometry.points, true);
  std::vector<std::pair<std::int64_t, std::int64_t>> edges;
  edges.reserve(geometry.segments.size() / 2);
  for (std::size_t s = 0; s + 1 < geometry.segments.size(); s += 2)
  {
    const std::int64_t a = shared[geometry.segments[s]], b = shared[geometry.segments[s + 1]];
    if (a != b)
    {
      edges.emplace_back(std::min(a, b), std::max(a, b));
    }
  }
  std::sort(edges.begin(), edges.end());
  std::vector<std::int32_t> endsAt(shared.size(), 0);
  for (std::size_t first = 0, last = 0; first < edges.size(); first = last)
  {
    while (last < edges.size() && edges[last] == edges[first])
    {
      ++last;
    }
    if ((last - first) % 2 == 0)
    {
      continue;
    }
    const auto [a, b] = edges[first];
    ++endsAt[a];
    ++endsAt[b];
    const double *from = &geometry.points[3 * static_cast<std::size_t>(a)],
                 *to = &geometry.points[3 * static_cast<std::size_t>(b)];
    edges_.push_back(
      { from[0] - origin_.x, from[1] - origin_.y, to[0] - origin_.x, to[1] - origin_.y });
  }
  const auto isLoose = [](std::int32_t count) { return count % 2 != 0; };
  const auto loose = std::find_if(endsAt.begin(), endsAt.end(), isLoose);
  if (loose != endsAt.end())
  {
    const double* x = &geometry.points[3 * static_cast<std::size_t>(loose - endsAt.begin())];
    refuse("number of loose ends of the lines around the map area",
      std::to_string(std::count_if(endsAt.begin(), endsAt.end(), isLoose)),
      "be 0: close the line that ends at x " + number(x[0]) + ", y " + number(x[1]) +
        ", or choose the shape Lines");
  }
}

// Cells with edges are quartered until most of the area is in cells without.
void MapArea::divide()
{
  // A little larger than all edges, so that its corner is beside them.
  constexpr double larger = 1.001;
  Cell whole;
  whole.width = larger * size_.x;
  whole.height = larger * size_.y;
  whole.x = whole.knownX = -0.5 * whole.width;
  whole.y = whole.knownY = -0.5 * whole.height;
  whole.isKnownInside = false;
  whole.edges.resize(edges_.size());
  std::iota(whole.edges.begin(), whole.edges.end(), 0);

  std::vector<Cell> mixed;
  mixed.push_back(std::move(whole));
  double inside = 0, unsure = INFINITY; // [m^2]
  const std::size_t most = 20'000 + 8 * edges_.size();
  for (int level = 0; level < 30 && unsure > 0.1 * inside && mixed.size() < most; ++level)
  {
    std::vector<Cell> smaller;
    unsure = 0;
    for (const Cell& cell : mixed)
    {
      for (int quarter = 0; quarter < 4; ++quarter)
      {
        Cell next = part(cell, quarter % 2, quarter / 2);
        if (!next.edges.empty())
        {
          unsure += next.area();
          smaller.push_back(std::move(next));
        }
        else if (next.isKnownInside)
        {
          inside += next.area();
          cells_.push_back(std::move(next));
        }
      }
    }
    mixed = std::move(smaller);
  }
  std::move(mixed.begin(), mixed.end(), std::back_inserter(cells_));
  double area = 0;
  for (const Cell& cell : cells_)
  {
    area += cell.area();
    areaUntil_.push_back(area);
  }
}

MapArea::Cell MapArea::part(const Cell& whole, int column, int row) const
{
  Cell cell;
  cell.width = 0.5 * whole.width;
  cell.height = 0.5 * whole.height;
  cell.x = whole.x + column * cell.width;
  cell.y = whole.y + row * cell.height;
  // Not in the middle, where corners of regular polygons are.
  cell.knownX = cell.x + 0.5077130498172 * cell.width;
  cell.knownY = cell.y + 0.4918723047193 * cell.height;
  cell.isKnownInside = isInside(whole, cell.knownX, cell.knownY);
  const double middleX = cell.x + 0.5 * cell.width, middleY = cell.y + 0.5 * cell.height;
  constexpr double larger = 0.5 * (1 + 1e-9); // an edge too many does no harm
  const double halfX = larger * cell.width, halfY = larger * cell.height;
  for (const std::int32_t e : whole.edges)
  {
    const Edge& edge = edges_[e];
    const double x0 = edge.x0 - middleX, y0 = edge.y0 - middleY, dx = edge.x1 - edge.x0,
                 dy = edge.y1 - edge.y0;
    // Apart along x, along y, or along the direction at right angles to the edge.
    const bool isApart = std::min(x0, x0 + dx) > halfX || std::max(x0, x0 + dx) < -halfX ||
                         std::min(y0, y0 + dy) > halfY || std::max(y0, y0 + dy) < -halfY ||
                         std::abs(x0 * dy - y0 * dx) > halfX * std::abs(dy) + halfY * std::abs(dx);
    if (!isApart)
    {
      cell.edges.push_back(e);
    }
  }
  return cell;
}

// Along x, then along y, from what is known: both stay in the cell.
bool MapArea::isInside(const Cell& cell, double x, double y) const
{
  bool inside = cell.isKnownInside;
  for (const std::int32_t e : cell.edges)
  {
    const Edge& edge = edges_[e];
    inside ^= crosses(cell.knownY, cell.knownX, x, edge.x0, edge.y0, edge.x1, edge.y1);
    inside ^= crosses(x, cell.knownY, y, edge.y0, edge.x0, edge.y1, edge.x1);
  }
  return inside;
}

Vec3d MapArea::place(RandomStream& random) const
{
  constexpr int mostTries = 100'000;
  for (int i = 0; i < mostTries && !cells_.empty(); ++i)
  {
    const double at = random.uniform() * areaUntil_.back();
    const auto found = std::upper_bound(areaUntil_.begin(), areaUntil_.end(), at);
    const auto c = std::min<std::ptrdiff_t>(
      found - areaUntil_.begin(), static_cast<std::ptrdiff_t>(cells_.size()) - 1);
    const Cell& cell = cells_[static_cast<std::size_t>(c)];
    const double x = cell.x + random.uniform() * cell.width,
                 y = cell.y + random.uniform() * cell.height;
    if (cell.edges.empty() || isInside(cell, x, y))
    {
      return { x, y, 0 };
    }
  }
  refuse("area of the polygons on the map", "0 m^2",
    "be above 0: connect polygons that have an area seen from above, each of them once");
}

} // namespace lapilli
