/// @file
/// The terrain's triangles, columns and tree as a backend reads them.
#pragma once

#include "Parallel/Buffer.h"
#include "Spatial/LinearBvh.h"
#include "Terrain/TriangleSearch.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// Writes the boxes of triangles.
struct BoxTriangles
{
  SurfaceMeshView mesh;
  FloatBox* boxes;
  HOST_DEVICE void operator()(Index t) const
  {
    Box box;
    for (const std::int32_t corner : mesh.triangles[t].corner)
      box += mesh.points[corner];
    boxes[t] = outwardBox(box);
  }
};

/// Mesh and columns must outlive it: the CPU reads them where they are.
class DeviceSurface
{
public:
  /// @param by Columns or Tree
  DeviceSurface(const Executor& executor, const SurfaceMesh& mesh, const ColumnGrid& columns,
    SearchStructure by)
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
    heights_.borrow(columns.heights());

    mesh_.points = points_.data();
    mesh_.pointNormals = pointNormals_.data();
    mesh_.ringStart = ringStart_.data();
    mesh_.ring = ring_.data();
    mesh_.triangles = triangles_.data();
    mesh_.rim = rim_.data();
    columns_.start = columnStart_.data();
    columns_.triangles = columnTriangles_.data();
    columns_.firstColumn = firstColumn_.data();
    columns_.heights = heights_.data();
    if (by == SearchStructure::Tree)
      buildTree(executor);
  }

  const SurfaceMeshView& mesh() const { return mesh_; }
  const ColumnGridView& columns() const { return columns_; }
  TriangleSearch search() const { return { mesh_, columns_, tree_.view() }; }

  double bytes() const
  {
    return static_cast<double>(points_.bytes() + pointNormals_.bytes() + ringStart_.bytes() +
                               ring_.bytes() + triangles_.bytes() + rim_.bytes() +
                               columnStart_.bytes() + columnTriangles_.bytes() +
                               firstColumn_.bytes() + heights_.bytes()) +
           tree_.bytes();
  }

private:
  void buildTree(const Executor& executor)
  {
    Buffer<FloatBox> boxes;
    boxes.resizeDiscarding(mesh_.triangleCount);
    executor.forEach(
      "surface.boxTriangles", mesh_.triangleCount, BoxTriangles{ mesh_, boxes.data() });
    tree_.build(executor, boxes);
  }

  SurfaceMeshView mesh_;
  ColumnGridView columns_;
  Buffer<Vec3d> points_;
  Buffer<Vec3f> pointNormals_;
  Buffer<std::int32_t> ringStart_, ring_;
  Buffer<MeshTriangle> triangles_;
  Buffer<RimEdge> rim_;
  Buffer<std::int64_t> columnStart_;
  Buffer<std::int32_t> columnTriangles_, firstColumn_;
  Buffer<ColumnHeights> heights_;
  LinearBvh tree_; ///< empty where columns are used
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
