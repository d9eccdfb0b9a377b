#include "SurfaceRepair.h"

#include "Error.h"
#include "LargePages.h"
#include "Parallel/HostLoop.h"
#include "Terrain/EdgePairing.h"
#include "Terrain/Orientation.h"
#include "Terrain/PointMerge.h"
#include "Terrain/RepairMesh.h"
#include "Terrain/Seams.h"
#include "Terrain/SheetParts.h"
#include "Terrain/SingleSheet.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>
#include <utility>

namespace lapilli
{
namespace
{

using Number = RepairMesh::Number;
constexpr std::size_t block = RepairMesh::kBlock;

void checkInput(const Surface& surface)
{
  const auto points = static_cast<std::int64_t>(surface.pointCount());
  if (surface.points.size() % 3 != 0 || surface.triangles.size() % 3 != 0)
  {
    throw InvalidInput("surface has " + std::to_string(surface.points.size()) +
                       " coordinates and " + std::to_string(surface.triangles.size()) +
                       " corners; both must be multiples of 3");
  }
  if (surface.pointCount() >= RepairMesh::kBoundary ||
      surface.triangles.size() >= RepairMesh::kBoundary)
  {
    throw InvalidInput(
      "surface has " + std::to_string(points) + " points and " +
      std::to_string(surface.triangleCount()) +
      " triangles; at most 4.29e9 points and 1.43e9 triangles can be handled: decimate it");
  }
  std::atomic<bool> allInside{ true };
  const auto isPoint = [points](std::int64_t corner) { return corner >= 0 && corner < points; };
  const auto at = [&](std::size_t corner)
  { return surface.triangles.begin() + static_cast<std::ptrdiff_t>(corner); };
  forEachHostBlock(surface.triangles.size(), block,
    [&](std::size_t begin, std::size_t end)
    {
      if (!std::all_of(at(begin), at(end), isPoint))
      {
        allInside = false;
      }
    });
  if (!allInside)
  {
    const auto wrong =
      std::find_if_not(surface.triangles.begin(), surface.triangles.end(), isPoint);
    throw InvalidInput("triangle " + std::to_string((wrong - surface.triangles.begin()) / 3) +
                       " has point " + std::to_string(*wrong) + "; it must lie in [0, " +
                       std::to_string(points - 1) + "]");
  }
}

/// A triangle whose height over its longest edge is not above this fraction of the edge has no area.
constexpr double flatness = 1e-10;

bool hasArea(const RepairMesh& mesh, std::size_t t, double rounding)
{
  const Vec3d a = mesh.corner(t, 0), b = mesh.corner(t, 1), c = mesh.corner(t, 2);
  const Vec3d ab = b - a, ac = c - a, bc = c - b;
  const Vec3d normal = cross(ab, ac);
  const double longest = std::max({ dot(ab, ab), dot(ac, ac), dot(bc, bc) }); // squared
  const double area = dot(normal, normal);                                    // twice, squared
  // height = area / longest > limit, without roots: squares of both sides.
  return area > longest * std::max(flatness * flatness * longest, rounding * rounding);
}

/// Keeps the triangles that are finite and have area.
RepairMesh soundTriangles(const Surface& surface, SurfaceRepairReport& report)
{
  const PointMerge merge = mergePoints(surface.points);
  report.nonFinitePoints = merge.nonFinite;
  report.firstNonFinitePoint = merge.firstNonFinite;
  report.mergedPoints = merge.merged;

  RepairMesh mesh;
  mesh.coordinates = surface.points.data();
  mesh.points = surface.pointCount();
  resizeLarge(mesh.corners, surface.triangles.size());
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * merge.largest; // [m]
  std::vector<std::uint8_t> keep(surface.triangleCount());
  std::atomic<std::int64_t> nonFinite{ 0 }, degenerate{ 0 };
  forEachHostBlock(keep.size(), block,
    [&](std::size_t begin, std::size_t end)
    {
      std::int64_t notFinite = 0, flat = 0;
      for (std::size_t t = begin; t < end; ++t)
      {
        Number* corners = &mesh.corners[3 * t];
        for (int k = 0; k < 3; ++k)
        {
          corners[k] = merge.of(static_cast<std::size_t>(surface.triangles[3 * t + k]));
        }
        const bool finite = std::find(corners, corners + 3, RepairMesh::kNone) == corners + 3;
        keep[t] = finite && hasArea(mesh, t, rounding);
        notFinite += !finite;
        flat += finite && !keep[t];
      }
      nonFinite += notFinite;
      degenerate += flat;
    });
  report.nonFiniteTriangles = nonFinite;
  report.degenerateTriangles = degenerate;
  if (report.nonFiniteTriangles + report.degenerateTriangles > 0)
  {
    mesh.keepOnly(keep);
  }
  return mesh;
}

/// Which tile each triangle of the input is of; empty if there are not two.
std::vector<std::uint32_t> tilesOf(
  const RepairMesh& mesh, const SeamOptions& seams, std::size_t triangles)
{
  std::vector<std::uint32_t> tileOf;
  if (seams.tiles.size() > 1)
  {
    tileOf.resize(triangles);
    for (std::size_t tile = 0; tile < seams.tiles.size(); ++tile)
    {
      const std::size_t end = tile + 1 < seams.tiles.size() ? seams.tiles[tile + 1] : triangles;
      std::fill(tileOf.begin() + static_cast<std::ptrdiff_t>(seams.tiles[tile]),
        tileOf.begin() + static_cast<std::ptrdiff_t>(end), static_cast<std::uint32_t>(tile));
    }
  }
  else if (seams.tolerance > 0)
  {
    const SheetParts parts = findParts(mesh);
    tileOf.resize(parts.count() > 1 ? triangles : 0);
    for (std::size_t t = 0; !tileOf.empty() && t < mesh.triangles(); ++t)
    {
      tileOf[mesh.sourceOf(t)] = parts.part[t];
    }
  }
  return tileOf;
}

void closeSeams(
  RepairMesh& mesh, EdgeCounts& edges, const SeamOptions& seams, SurfaceRepairReport& report)
{
  if (seams.tolerance == 0 || edges.boundary == 0)
  {
    return;
  }
  const std::vector<std::uint32_t> tileOf =
    tilesOf(mesh, seams, static_cast<std::size_t>(report.inputTriangles));
  if (tileOf.empty())
  {
    return;
  }
  const SeamCounts counts = closeSeams(mesh, edges, tileOf, seams.tolerance);
  report.closedSeams = counts.closed;
  report.snappedPoints = counts.snapped;
  report.degenerateTriangles += counts.flattened;
  report.dividedEdges = counts.split;
  report.largestSnap = counts.largestSnap;
  report.openSeamLength = counts.openLength;
}

/// Which points have a triangle.
std::vector<std::uint8_t> usedPoints(const RepairMesh& mesh)
{
  std::vector<std::uint8_t> used(mesh.points, 0);
  for (const Number corner : mesh.corners)
  {
    used[corner] = 1;
  }
  return used;
}

/// Numbers the points that are used, in the order of the input, and turns its surface into the result.
void rewriteSurface(Surface& surface, const RepairMesh& mesh, SurfaceRepair& result)
{
  const std::vector<std::uint8_t> used = usedPoints(mesh);
  std::vector<Number> number;
  resizeLarge(number, mesh.points);
  Number kept = 0;
  for (std::size_t p = 0; p < number.size(); ++p)
  {
    number[p] = kept;
    kept += used[p];
  }
  resizeLarge(result.inputPoint, kept);
  for (std::size_t p = 0; p < number.size(); ++p)
  {
    if (used[p])
    {
      result.inputPoint[number[p]] = static_cast<Number>(p);
      std::copy_n(&surface.points[3 * p], 3, &surface.points[3 * std::size_t(number[p])]);
    }
  }
  surface.points.resize(3 * std::size_t(kept));

  surface.triangles.resize(mesh.corners.size());
  resizeLarge(result.inputTriangle, mesh.triangles());
  forEachHostBlock(mesh.triangles(), block,
    [&](std::size_t begin, std::size_t end)
    {
      for (std::size_t t = begin; t < end; ++t)
      {
        const int second = result.flipped[t] ? 2 : 1;
        surface.triangles[3 * t] = number[mesh.corners[3 * t]];
        surface.triangles[3 * t + 1] = number[mesh.corners[3 * t + second]];
        surface.triangles[3 * t + 2] = number[mesh.corners[3 * t + 3 - second]];
        result.inputTriangle[t] = static_cast<Number>(mesh.sourceOf(t));
      }
    });
  const bool allTwoSided = result.report.twoSidedComponents == result.report.components;
  result.surface.role = surface.role;
  result.surface.sides =
    allTwoSided && result.report.components > 0 ? SurfaceSides::Two : surface.sides;
  result.surface.points = std::move(surface.points);
  result.surface.triangles = std::move(surface.triangles);
}

} // namespace

SurfaceRepair repairSurface(Surface surface, const SeamOptions& seams)
{
  checkInput(surface);

  SurfaceRepair result;
  SurfaceRepairReport& report = result.report;
  report.inputPoints = static_cast<std::int64_t>(surface.pointCount());
  report.inputTriangles = static_cast<std::int64_t>(surface.triangleCount());

  RepairMesh mesh = soundTriangles(surface, report);

  EdgeCounts edges = pairEdges(mesh);
  closeSeams(mesh, edges, seams, report);
  report.duplicateTriangles = edges.duplicateTriangles;
  report.boundaryEdges = edges.boundary;
  report.nonManifoldEdges = edges.nonManifold;

  SheetParts parts = findParts(mesh);
  mesh.partner = {};
  report.components = static_cast<std::int64_t>(parts.count());
  for (std::size_t p = 0; p < parts.count(); ++p)
  {
    report.closedComponents += parts.closed[p];
    report.holes += std::max<std::int64_t>(0, parts.rims[p] - 1);
  }

  Orientation orientation = orient(mesh, parts, surface.role);

  report.flippedTriangles = orientation.flippedTriangles;
  report.nonOrientableComponents = orientation.nonOrientableParts;
  report.twoSidedComponents = orientation.twoSidedParts;
  report.singleValued =
    orientation.facesUp && isSingleSheet(mesh, parts.freeEdges, orientation.flipped);
  result.flipped = std::move(orientation.flipped);
  result.twoSided = std::move(orientation.twoSided);
  parts = {};

  rewriteSurface(surface, mesh, result);

  report.points = static_cast<std::int64_t>(result.surface.pointCount());
  report.triangles = static_cast<std::int64_t>(result.surface.triangleCount());
  report.unusedPoints = report.inputPoints - report.nonFinitePoints - report.mergedPoints -
                        report.snappedPoints - report.points;
  return result;
}

} // namespace lapilli
