/// @file
/// The terrain's triangles and columns as a backend reads them.
#pragma once

#include "Parallel/Buffer.h"
#include "Terrain/ColumnGrid.h"
#include "Terrain/SurfaceMesh.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// Mesh and columns must outlive it: the CPU reads them where they are.
class DeviceSurface
{
public:
  DeviceSurface(const SurfaceMesh& mesh, const ColumnGrid& columns)
    : mesh_(mesh.view())
    , columns_(columns.view())
  {
    points_.borrow(mesh.points);
    pointNormals_.borrow(mesh.pointNormals);
    ringStart_.borrow(mesh.ringStart);
    ring_.borrow(mesh.ring);
    triangles_.borrow(mesh.triangles);
    rim_.borrow(mesh.rim);
    columnStart_.borrow(columns.start());
    columnTriangles_.borrow(columns.triangles());
    firstColumn_.borrow(columns.firstColumn());

    mesh_.points = points_.data();
    mesh_.pointNormals = pointNormals_.data();
    mesh_.ringStart = ringStart_.data();
    mesh_.ring = ring_.data();
    mesh_.triangles = triangles_.data();
    mesh_.rim = rim_.data();
    columns_.start = columnStart_.data();
    columns_.triangles = columnTriangles_.data();
    columns_.firstColumn = firstColumn_.data();
  }

  const SurfaceMeshView& mesh() const { return mesh_; }
  const ColumnGridView& columns() const { return columns_; }

  double bytes() const
  {
    return static_cast<double>(points_.bytes() + pointNormals_.bytes() + ringStart_.bytes() +
                               ring_.bytes() + triangles_.bytes() + rim_.bytes() +
                               columnStart_.bytes() + columnTriangles_.bytes() +
                               firstColumn_.bytes());
  }

private:
  SurfaceMeshView mesh_;
  ColumnGridView columns_;
  Buffer<Vec3d> points_;
  Buffer<Vec3f> pointNormals_;
  Buffer<std::int32_t> ringStart_, ring_;
  Buffer<MeshTriangle> triangles_;
  Buffer<RimEdge> rim_;
  Buffer<std::int64_t> columnStart_;
  Buffer<std::int32_t> columnTriangles_, firstColumn_;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
