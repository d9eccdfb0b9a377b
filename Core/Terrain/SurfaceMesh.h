/// @file
/// The triangles of a scene with what contact needs to know about their neighbours, in the local
/// coordinates of a run.
#pragma once

#include "Math/Box.h"
#include "Math/Vec.h"
#include "Scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lapilli
{

/// One triangle, in one line of the cache. Edge k runs from corner k to corner k + 1.
struct alignas(64) MeshTriangle
{
  std::int32_t corner[3];
  std::int32_t beyond[3];  ///< the triangle beyond edge k, -1 where not two triangles meet
  std::uint8_t ownsEdge;   ///< bit k: this triangle reports contacts with edge k
  std::uint8_t ownsCorner; ///< bit k: this triangle reports contacts with corner k
  std::uint8_t rimEdge;    ///< bit k: not two triangles meet in edge k
  std::uint8_t rimCorner;  ///< bit k: corner k is the end of such an edge
  std::uint8_t twoSided;   ///< 1: both sides are front
  std::uint8_t role;       ///< SurfaceRole
  std::int32_t surface;    ///< number of its surface in the scene
  std::int32_t object;     ///< number among `objects`, -1 for what is no obstacle and no wall
  Vec3d normal;            ///< unit, towards the front
};

/// An edge of one triangle only: the rim of the map or of a hole.
struct RimEdge
{
  Vec3d from, to;
  std::int32_t isHole; ///< 1 for the rim of a hole
};

/// Raw pointers to the mesh, on host or device.
struct SurfaceMeshView
{
  const Vec3d* points = nullptr;
  const Vec3f* pointNormals = nullptr;     ///< weighted by angle (Baerentzen & Aanaes 2005)
  const std::int32_t* ringStart = nullptr; ///< point -> first entry in `ring`
  const std::int32_t* ring = nullptr;      ///< the points at the other ends of its edges
  const MeshTriangle* triangles = nullptr;
  std::int32_t triangleCount = 0;
  const RimEdge* rim = nullptr;
  std::int32_t rimCount = 0;
  Box terrainBounds;   ///< of the surfaces with the role Terrain; empty without any
  Box containerBounds; ///< of those with the role Container
};

struct SurfaceMesh
{
  std::vector<Vec3d> points;
  std::vector<Vec3f> pointNormals;
  std::vector<std::int32_t> ringStart;
  std::vector<std::int32_t> ring;
  std::vector<MeshTriangle> triangles;
  std::vector<std::int32_t>
    inputs;                 ///< of each its number among all of the scene, surface after surface
  std::vector<RimEdge> rim; ///< of surfaces with the role Terrain
  Box bounds;               ///< of all surfaces
  Box terrainBounds, containerBounds;
  /// Names of the obstacles, then of the walls. Obstacles of one name are one object.
  std::vector<std::string> objects;
  std::int32_t walls = 0; ///< how many of them are walls

  SurfaceMeshView view() const;
};

/// Joins the surfaces of a scene, subtracts the origin and finds edges, rings, rims and holes.
/// @param walls numbered after the surfaces of the scene
/// @throws InvalidInput for point numbers out of range or coordinates that are not finite
SurfaceMesh buildSurfaceMesh(const std::vector<Surface>& surfaces, const Vec3d& origin,
  const std::vector<Surface>& walls = {});

} // namespace lapilli
