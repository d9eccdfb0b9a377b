/// @file
/// Edges of a repaired surface and the parts that they join.
#pragma once

#include "BodyFill/TriangleTree.h"

#include <cstdint>
#include <vector>

namespace lapilli
{

/// Half-edges are numbered 3 t + k, from corner k of triangle t to corner k + 1.
inline std::uint32_t startOf(const std::vector<TriangleCorners>& triangles, std::uint32_t halfEdge)
{
  return triangles[halfEdge / 3][halfEdge % 3];
}
inline std::uint32_t endOf(const std::vector<TriangleCorners>& triangles, std::uint32_t halfEdge)
{
  return triangles[halfEdge / 3][(halfEdge + 1) % 3 == 0 ? 0 : halfEdge % 3 + 1];
}
/// 1 from the lower to the higher point number, -1 the other way.
inline int senseOf(const std::vector<TriangleCorners>& triangles, std::uint32_t halfEdge)
{
  return startOf(triangles, halfEdge) < endOf(triangles, halfEdge) ? 1 : -1;
}

struct SurfaceParts
{
  std::vector<std::uint32_t> edge;        ///< per half-edge
  std::vector<std::uint32_t> triangles;   ///< per edge: how many meet there
  std::vector<std::uint32_t> firstAtEdge; ///< per edge: a half-edge
  std::vector<std::uint32_t> part; ///< per triangle: joined by edges of exactly two triangles
  std::uint32_t partCount = 0;
  std::vector<std::uint8_t> agrees;  ///< per part: 1 if its triangles wind alike across such edges
  std::int64_t boundaryEdges = 0;    ///< of one triangle
  std::int64_t nonManifoldEdges = 0; ///< of three triangles or more
};

/// [m] of an edge
double lengthOf(std::uint32_t edge, const std::vector<Vec3d>& points,
  const std::vector<TriangleCorners>& triangles, const SurfaceParts& parts);

SurfaceParts findParts(std::size_t points, const std::vector<TriangleCorners>& triangles);

} // namespace lapilli
