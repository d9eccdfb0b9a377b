#include "Terrain/SingleSheet.h"

#include <algorithm>
#include <cmath>

namespace lapilli
{
namespace
{

/// A border edge seen from above, from its lower to its upper end.
struct BorderEdge
{
  double lowX, lowY, highX, highY;
  int winding; ///< what is added to the winding number by passing it towards +x

  double xAt(double y) const { return lowX + (highX - lowX) * ((y - lowY) / (highY - lowY)); }
};

std::vector<BorderEdge> edgesFromAbove(const RepairMesh& mesh,
  const std::vector<std::uint32_t>& border, const std::vector<std::uint8_t>& flipped)
{
  std::vector<BorderEdge> edges;
  for (const std::uint32_t h : border)
  {
    Vec3d a = mesh.point(mesh.start(h)), b = mesh.point(mesh.end(h));
    if (flipped[h / 3])
    {
      std::swap(a, b);
    }
    // What a border edge encloses is to its left: beyond it, seen along x, if it runs down.
    if (a.y > b.y)
    {
      edges.push_back({ b.x, b.y, a.x, a.y, 1 });
    }
    else if (a.y < b.y)
    {
      edges.push_back({ a.x, a.y, b.x, b.y, -1 });
    }
  }
  std::sort(edges.begin(), edges.end(),
    [](const BorderEdge& a, const BorderEdge& b) { return a.lowY < b.lowY; });
  return edges;
}

/// Where an edge crosses the lower end, the middle and the upper end of a strip.
struct Crossing
{
  double low, middle, high;
  int winding;
};

/// @param tolerance [m], of x
bool isCoveredOnce(std::vector<Crossing>& strip, double tolerance)
{
  std::sort(strip.begin(), strip.end(),
    [](const Crossing& a, const Crossing& b) { return a.middle < b.middle; });
  int winding = 0;
  for (std::size_t i = 0; i < strip.size(); ++i)
  {
    winding += strip[i].winding;
    if (i + 1 == strip.size())
    {
      break;
    }
    const Crossing& next = strip[i + 1];
    const bool crosses =
      strip[i].low > next.low + tolerance || strip[i].high > next.high + tolerance;
    if (crosses || (winding > 1 && next.middle - strip[i].middle > tolerance))
    {
      return false;
    }
  }
  return true;
}

} // namespace

bool isSingleSheet(const RepairMesh& mesh, const std::vector<std::uint32_t>& border,
  const std::vector<std::uint8_t>& flipped)
{
  const std::vector<BorderEdge> edges = edgesFromAbove(mesh, border, flipped);
  std::vector<double> levels;
  double largest = 0, lowX = HUGE_VAL, highX = -HUGE_VAL;
  for (const BorderEdge& edge : edges)
  {
    levels.insert(levels.end(), { edge.lowY, edge.highY });
    for (const double x : { edge.lowX, edge.highX })
    {
      lowX = std::min(lowX, x);
      highX = std::max(highX, x);
      largest = std::max(largest, std::abs(x));
    }
  }
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  const double tolerance = 1e-9 * (highX - lowX) + 1e-15 * largest;

  double budget = 1e8; // edges looked at
  std::vector<BorderEdge> active;
  std::vector<Crossing> strip;
  std::size_t next = 0;
  for (std::size_t l = 0; l + 1 < levels.size(); ++l)
  {
    const double low = levels[l], high = levels[l + 1], middle = low + 0.5 * (high - low);
    active.erase(std::remove_if(active.begin(), active.end(),
                   [low](const BorderEdge& edge) { return edge.highY <= low; }),
      active.end());
    for (; next < edges.size() && edges[next].lowY <= low; ++next)
    {
      active.push_back(edges[next]);
    }
    budget -= static_cast<double>(active.size());
    if (budget < 0)
    {
      return false;
    }
    strip.clear();
    for (const BorderEdge& edge : active)
    {
      strip.push_back({ edge.xAt(low), edge.xAt(middle), edge.xAt(high), edge.winding });
    }
    if (!isCoveredOnce(strip, tolerance))
    {
      return false;
    }
  }
  return true;
}

} // namespace lapilli
