/// @file
/// The blocks of a terrain, one after another, as raw triangles that remember their cells.
#pragma once

#include "TerrainInput.h"

#include <cstdint>
#include <string>
#include <vector>

class vtkDataArray;
class vtkDataSet;
class vtkPoints;
class vtkPolyData;
class vtkUnstructuredGrid;
class vtkStructuredGrid;

namespace lapilli
{

/// Triangles from `firstTriangle` to that of the next block are cells of `cellData`.
struct TerrainBlock
{
  vtkSmartPointer<vtkCellData> cellData;
  std::size_t firstTriangle;
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
  std::vector<std::int64_t> cell; ///< per triangle: the cell of its block
  std::vector<TerrainBlock> blocks;
  std::int64_t missingHeights = 0;
  std::vector<std::string> notes;

private:
  struct Heights
  {
    vtkDataArray* array = nullptr;
    bool onCells = false;
  };

  void addHeightField(vtkDataSet* grid);
  void addPolygons(vtkPolyData* polygons);
  void addStructuredSheet(vtkStructuredGrid* grid);
  void addUnstructured(vtkUnstructuredGrid* grid);
  void addSurfaceOf(vtkDataSet* volume);

  /// The array named by the options or, if they name none, by custom; null if there is none.
  Heights findNamedHeights(vtkDataSet* data) const;

  /// @throws InvalidInput if the options name an array, for data that do not have it
  void refuseMissingArray(vtkDataSet* data) const;

  /// That, or the active scalars, or the only array that fits.
  /// @throws InvalidInput if none or several do
  Heights findHeights(vtkDataSet* data) const;

  std::int64_t addPoints(vtkDataSet* data, vtkPoints* points);
  void addCell(const std::int64_t* corners, std::size_t count, std::int64_t firstPoint,
    std::int64_t cellNumber);
  void addStrip(const std::int64_t* corners, std::size_t count, std::int64_t firstPoint,
    std::int64_t cellNumber);
  void noteHeights(const Heights& heights);

  TerrainOptions options_;
  std::vector<std::int64_t> shifted_; ///< scratch of addCell
};

} // namespace lapilli
