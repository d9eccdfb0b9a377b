/// @file
/// The blocks of a terrain, one after another, as raw triangles that remember their cells.
#pragma once

#include "RasterGaps.h"
#include "TerrainInput.h"

#include <cstdint>
#include <vtkType.h>

#include <string>
#include <vector>

class vtkDataSet;
class vtkPoints;
class vtkPolyData;
class vtkUnstructuredGrid;
class vtkStructuredGrid;

namespace lapilli
{

class CellCorners;
struct Heights;

/// Triangles from `firstTriangle` to that of the next block are cells of `cellData`, and points from
/// `firstPoint` its points.
struct TerrainBlock
{
  vtkSmartPointer<vtkCellData> cellData;
  std::size_t firstTriangle, firstPoint;
};

/// Collects triangles; neither points nor triangles are checked or merged here.
class TerrainPieces
{
public:
  explicit TerrainPieces(const TerrainOptions& options)
    : options_(options)
  {
  }

  /// A data set, or composite data with data sets, to any depth. Null is passed over.
  /// @throws InvalidInput for what cannot be a terrain
  void add(vtkDataObject* data);

  Surface surface;
  std::vector<std::uint32_t> cell; ///< per triangle: the cell of its block
  std::vector<TerrainBlock> blocks;
  std::int64_t missingHeights = 0;
  std::vector<std::string> notes, warnings;

  /// Fills the gaps of one cell between tiles of rasters, once all are there. @return between how many pairs of blocks
  std::int64_t fillGaps();

private:
  void addHeightField(vtkDataSet* grid);
  void addPolygons(vtkPolyData* polygons);
  void addStructuredSheet(vtkStructuredGrid* grid);
  void addUnstructured(vtkUnstructuredGrid* grid);
  void addSurfaceOf(vtkDataSet* volume);

  std::int64_t addPoints(vtkDataSet* data, vtkPoints* points);
  void reserve(std::size_t triangles, std::size_t points); ///< that are about to be added
  void addCell(const vtkTypeInt64* corners, std::size_t count, std::int64_t firstPoint,
    std::int64_t cellNumber);
  void addTriangles(const CellCorners& triangles, std::int64_t firstPoint, std::int64_t firstCell);
  void addStrip(const vtkTypeInt64* corners, std::size_t count, std::int64_t firstPoint,
    std::int64_t cellNumber);
  void noteHeights(const Heights& heights);

  TerrainOptions options_;
  RasterGaps gaps_;
  std::vector<std::int64_t> shifted_; ///< scratch of addCell
};

} // namespace lapilli
