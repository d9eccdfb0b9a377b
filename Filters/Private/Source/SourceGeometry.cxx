#include "SourceGeometry.h"

#include "../ArrayBridge.h"
#include "../ArrayCopy.h"
#include "../CellCorners.h"
#include "../HiddenCells.h"
#include "../PointArrays.h"
#include "../TerrainInput.h"

#include <vtkCellArray.h>
#include <vtkCellType.h>
#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <utility>

namespace lapilli
{
namespace
{

/// Collects segments of all blocks.
class SegmentCollector
{
public:
  explicit SegmentCollector(SeedShape shape)
    : isArea_(shape == SeedShape::MapArea)
  {
  }

  void add(vtkDataObject* data)
  {
    if (auto* composite = vtkCompositeDataSet::SafeDownCast(data))
    {
      const auto leaf = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
      for (leaf->InitTraversal(); !leaf->IsDoneWithTraversal(); leaf->GoToNextItem())
      {
        this->add(leaf->GetCurrentDataObject());
      }
    }
    else if (auto* polygons = vtkPolyData::SafeDownCast(data))
    {
      this->addPolygons(polygons);
    }
    else if (auto* grid = vtkUnstructuredGrid::SafeDownCast(data))
    {
      this->addGrid(grid);
    }
    else if (data)
    {
      refuseInput("geometry is ", data->GetClassName(),
        "; it must be polygonal data or an unstructured grid with ",
        isArea_ ? "polygons or closed lines" : "lines",
        ": extract them from it (Extract Surface, Contour, Slice)");
    }
  }

  SeedGeometry geometry;

private:
  void addPolygons(vtkPolyData* data)
  {
    const std::int64_t first = this->addPoints(data);
    const auto cornersOf = [data](vtkCellArray* cells)
    { return CellCorners("geometry", cells, data->GetNumberOfPoints()); };
    const CellCorners lines = cornersOf(data->GetLines()), polygons = cornersOf(data->GetPolys()),
                      strips = cornersOf(data->GetStrips());
    const bool hasPolygons = polygons.count() + strips.count() > 0;
    // Cells are numbered vertices first, then lines, polygons, strips.
    const std::vector<unsigned char> hidden = hiddenCells(data);
    auto number = static_cast<std::int64_t>(data->GetNumberOfVerts());
    for (std::size_t c = 0; c < lines.count(); ++c, ++number)
    {
      if (!(isArea_ && hasPolygons) && !isHidden(hidden, number))
      {
        this->addLine(lines, c, first);
      }
    }
    for (std::size_t c = 0; c < polygons.count() && isArea_; ++c, ++number)
    {
      if (!isHidden(hidden, number))
      {
        this->addRing(polygons, c, first);
      }
    }
    for (std::size_t c = 0; c < strips.count() && isArea_; ++c, ++number)
    {
      if (!isHidden(hidden, number))
      {
        this->addStrip(strips, c, first);
      }
    }
  }

  void addGrid(vtkUnstructuredGrid* data)
  {
    const std::int64_t first = this->addPoints(data);
    const CellCorners cells("geometry", data->GetCells(), data->GetNumberOfPoints());
    const std::vector<unsigned char> types = copyValues<unsigned char>(data->GetCellTypesArray());
    const std::vector<unsigned char> hidden = hiddenCells(data);
    const std::size_t count = std::min(cells.count(), types.size());
    bool hasPolygons = false;
    for (std::size_t c = 0; c < count && isArea_; ++c)
    {
      if (!isHidden(hidden, static_cast<std::int64_t>(c)))
      {
        hasPolygons = this->addFlatCell(types[c], cells, c, first) || hasPolygons;
      }
    }
    for (std::size_t c = 0; c < count && !hasPolygons; ++c)
    {
      if ((types[c] == VTK_LINE || types[c] == VTK_POLY_LINE) &&
          !isHidden(hidden, static_cast<std::int64_t>(c)))
      {
        this->addLine(cells, c, first);
      }
    }
  }

  bool addFlatCell(
    unsigned char type, const CellCorners& cells, std::size_t cell, std::int64_t first)
  {
    switch (type)
    {
      case VTK_TRIANGLE:
      case VTK_QUAD:
      case VTK_POLYGON:
        this->addRing(cells, cell, first);
        return true;
      case VTK_TRIANGLE_STRIP:
        this->addStrip(cells, cell, first);
        return true;
      case VTK_PIXEL: // row by row
        if (cells.size(cell) == 4)
        {
          const vtkTypeInt64* p = cells.begin(cell);
          for (const auto& [a, b] : { std::pair(0, 1), { 1, 3 }, { 3, 2 }, { 2, 0 } })
          {
            this->addSegment(first, p[a], p[b]);
          }
        }
        return true;
      default:
        return false;
    }
  }

  std::int64_t addPoints(vtkPointSet* data)
  {
    const auto first = static_cast<std::int64_t>(geometry.points.size() / 3);
    if (data->GetPoints())
    {
      const std::vector<double> points = readPositions(data->GetPoints());
      geometry.points.insert(geometry.points.end(), points.begin(), points.end());
    }
    return first;
  }

  void addLine(const CellCorners& cells, std::size_t cell, std::int64_t first)
  {
    const vtkTypeInt64* p = cells.begin(cell);
    for (std::size_t k = 0; k + 1 < cells.size(cell); ++k)
    {
      this->addSegment(first, p[k], p[k + 1]);
    }
  }

  void addRing(const CellCorners& cells, std::size_t cell, std::int64_t first)
  {
    this->addLine(cells, cell, first);
    if (cells.size(cell) > 0)
    {
      const vtkTypeInt64* p = cells.begin(cell);
      this->addSegment(first, p[cells.size(cell) - 1], p[0]);
    }
  }

  void addStrip(const CellCorners& cells, std::size_t cell, std::int64_t first)
  {
    const vtkTypeInt64* p = cells.begin(cell);
    for (std::size_t k = 0; k + 2 < cells.size(cell); ++k)
    {
      this->addSegment(first, p[k], p[k + 1]);
      this->addSegment(first, p[k + 1], p[k + 2]);
      this->addSegment(first, p[k + 2], p[k]);
    }
  }

  void addSegment(std::int64_t first, std::int64_t from, std::int64_t to)
  {
    geometry.segments.push_back(first + from);
    geometry.segments.push_back(first + to);
  }

  bool isArea_;
};

} // namespace

void shift(std::vector<double>& points, const MapPoint& by)
{
  for (std::size_t i = 0; i < points.size() && by != MapPoint{ 0, 0, 0 }; ++i)
  {
    points[i] += by[i % 3];
  }
}

void requireGeometry(vtkDataObject* data, const char* shape, const char* what)
{
  if (!data)
  {
    refuseInput("geometry is missing; the shape ", shape, " must have it: connect ", what,
      " to the input Geometry");
  }
}

std::shared_ptr<const SeedGeometry> readSeedGeometry(
  vtkDataObject* data, SeedShape shape, const TerrainFrame& terrain)
{
  auto geometry = std::make_shared<SeedGeometry>();
  if (shape == SeedShape::Surface)
  {
    requireGeometry(data, "Surface", "a surface");
    TerrainOptions options;
    options.owner = "geometry";
    options.terrain = terrain;
    Surface surface = readTerrain(data, options).surface;
    geometry->points = std::move(surface.points);
    geometry->triangles = std::move(surface.triangles);
    return geometry;
  }
  const bool isArea = shape == SeedShape::MapArea;
  requireGeometry(
    data, isArea ? "Map Area" : "Lines", isArea ? "polygons or closed lines" : "lines");
  SegmentCollector collector(shape);
  collector.add(data);
  if (collector.geometry.segments.empty())
  {
    refuseInput("geometry has 0 ", isArea ? "polygons and lines" : "lines",
      "; there must be at least 1: connect ",
      isArea ? "polygons or closed lines" : "lines, such as a Poly Line Source or a Slice",
      ", or choose another shape");
  }
  *geometry = std::move(collector.geometry);
  shift(geometry->points, originBeside(data, "geometry", terrain));
  return geometry;
}

} // namespace lapilli
