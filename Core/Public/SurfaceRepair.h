/// @file
/// Makes a surface fit for simulation: points shared, triangles sound, fronts to the particles.
///
///   SurfaceRepair repair = repairSurface(std::move(raw));
///   for (std::size_t t = 0; t < repair.surface.triangleCount(); ++t)
///     friction[t] = rawFriction[repair.inputTriangle[t]];
///   std::cout << repair.report.text() << '\n';
///
/// What is done, in this order:
///   1. Triangles with a point that is not finite are dropped.
///   2. Points with exactly equal coordinates are merged into the first of them.
///   3. Triangles without area and triangles over the same three points as an earlier one are dropped.
///      Without area: the height over the longest edge is not above 1e-10 of that edge, or not above
///      the rounding of the coordinates.
///   4. Seams between tiles are closed where SeamOptions ask for it: border points of one tile are put onto
///      near border points of another, and border edges divided at border points of another tile that
///      lie on them. Points inside a tile stay where they are, and no two points of a tile become one.
///   5. Points without a triangle are dropped. Holes stay holes.
///   6. Triangles are turned. Inside a component (triangles joined by edges of exactly two triangles)
///      all agree. A component without boundary is turned by the sign of its volume: outward,
///      inward if the role is Container. One with a boundary is turned so that most of its area
///      faces +z (rasters from the north down wind the other way); a component that faces neither up
///      nor down, such as a vertical wall, keeps the winding of most of its area.
///      A component in which no choice agrees (a Moebius band) is two-sided: its triangles are
///      turned to +z one by one.
///   7. An obstacle's component without an inside, such as a wall of one layer, is two-sided too: it stands in
///      the way from either side. If all components are two-sided, the surface has SurfaceSides::Two.
#pragma once

#include "Scene.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lapilli
{

/// What repairSurface() found and did.
struct SurfaceRepairReport
{
  std::int64_t inputPoints = 0;
  std::int64_t inputTriangles = 0;
  std::int64_t points = 0;    ///< kept
  std::int64_t triangles = 0; ///< kept

  std::int64_t nonFinitePoints = 0;      ///< points that are NaN or infinite
  std::int64_t firstNonFinitePoint = -1; ///< number of the first of them, -1 for none
  std::int64_t nonFiniteTriangles = 0;   ///< dropped, because a point is not finite
  std::int64_t mergedPoints = 0;         ///< coincided with an earlier point
  std::int64_t unusedPoints = 0;         ///< finite, distinct, and in no triangle that was kept
  std::int64_t degenerateTriangles = 0;  ///< dropped, without area
  std::int64_t duplicateTriangles = 0;   ///< dropped, same points as an earlier one
  std::int64_t flippedTriangles = 0;     ///< kept, turned
  std::int64_t closedSeams = 0;          ///< pairs of tiles that were joined by what follows
  std::int64_t snappedPoints = 0;        ///< put onto a point of another tile
  std::int64_t dividedEdges = 0;         ///< points of another tile put into border edges
  double largestSnap = 0;                ///< [m], the farthest that a point was put
  double openSeamLength = 0;         ///< [m], of border edges along another tile, not joined to it
  std::int64_t boundaryEdges = 0;    ///< edges of one triangle
  std::int64_t nonManifoldEdges = 0; ///< edges of three triangles or more
  std::int64_t components = 0;       ///< parts joined by edges of two triangles
  std::int64_t closedComponents = 0; ///< of these, without boundary
  std::int64_t nonOrientableComponents = 0; ///< of these, without a consistent side
  std::int64_t twoSidedComponents = 0; ///< of these, with those of obstacles that have no inside
  std::int64_t holes =
    0; ///< closed curves of boundary edges beyond one rim for each open component

  /// One height over each (x, y), of all components together: every triangle faces +z (its normal rises by more
  /// than 1e-9), and no two lie over one place. Proved but for overlaps narrower than 1e-9 of the map's extent;
  /// false also where the sweep over a very ragged border would take too long.
  bool singleValued = false;

  std::int64_t droppedTriangles() const
  {
    return nonFiniteTriangles + degenerateTriangles + duplicateTriangles;
  }

  /// One or two sentences; what is zero is not mentioned.
  std::string text() const;
};

struct SurfaceRepair
{
  Surface surface;
  std::vector<std::uint32_t> inputTriangle; ///< per triangle kept: its number in the input
  std::vector<std::uint32_t> inputPoint;    ///< per point kept: the first input point at this place
  std::vector<std::uint8_t> flipped;        ///< per triangle kept: 1 where it was turned
  std::vector<std::uint8_t> twoSided;       ///< per triangle kept: 1 in two-sided components
  SurfaceRepairReport report;
};

/// How tiles of one surface are joined, beyond points that coincide.
struct SeamOptions
{
  /// First triangle of each tile, ascending from 0. With fewer than two, the components of the surface are its
  /// tiles, for a tolerance that is given.
  std::vector<std::size_t> tiles;

  /// [m] that a border point may be put onto one of another tile, or be away from a border edge that it divides;
  /// never more than half of the shortest border edge at the points. 0: nothing is done. Negative: automatic, a
  /// twentieth of that edge: 1.5 m on a map of 30 m.
  double tolerance = 0;
};

/// An empty surface, or one of which nothing is left, is not an error here; the report tells.
/// @param surface is worked on in place: move it here, and no array of its size is made a second time
/// @throws InvalidInput for a triangle with a point number outside the points
SurfaceRepair repairSurface(Surface surface, const SeamOptions& seams = {});

/// One surface, or two where some triangles are two-sided and some are not: first those with a
/// front, then the others with SurfaceSides::Two.
/// @param twoSided one entry per triangle, as in SurfaceRepair
std::vector<Surface> separateTwoSided(
  const Surface& surface, const std::vector<std::uint8_t>& twoSided);

} // namespace lapilli
