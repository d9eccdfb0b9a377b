#include "SourceGeometry.h"

#include "../ArrayBridge.h"
#include "../ArrayCopy.h"
#include "../PointArrays.h"
#include "../TerrainInput.h"

#include <vtkCellArray.h>
#include <vtkCellType.h>
#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkPolyData.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <utility>

namespace lapilli
{
namespace
{

/// Corners of one cell after another.
struct Cells
{
  std::vector<std::int64_t> offsets, corners;

  explicit Cells(vtkCellArray* cells)
  {
    if (cells && cells->GetNumberOfCells() > 0)
    {
      offsets = copyValues<std::int64_t>(cells->GetOffsetsArray());
      corners = copyValues<std::int64_t>(cells->GetConnectivityArray());
    }
    const auto end = static_cast<std::int64_t>(corners.size());
    for (std::size_t c = 0; c < count(); ++c)
    {
      if (offsets[c] < 0 || offsets[c] > offsets[c + 1] || offsets[c + 1] > end)
      {
        refuseInput(
          "geometry has cells that overlap or lack corners: the file is damaged, write it anew");
      }
    }
  }

  std::size_t count() const { return offsets.empty() ? 0 : offsets.size() - 1; }
};

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
    const Cells lines(data->GetLines()), polygons(data->GetPolys()), strips(data->GetStrips());
    const bool hasPolygons = polygons.count() + strips.count() > 0;
    for (std::size_t c = 0; c < polygons.count() && isArea_; ++c)
    {
      this->addRing(polygons, c, first);
    }
    for (std::size_t c = 0; c < strips.count() && isArea_; ++c)
    {
      this->addStrip(strips, c, first);
    }
    for (std::size_t c = 0; c < lines.count() && !(isArea_ && hasPolygons); ++c)
    {
      this->addLine(lines, c, first);
    }
  }

  void addGrid(vtkUnstructuredGrid* data)
  {
    const std::int64_t first = this->addPoints(data);
    const Cells cells(data->GetCells());
    const std::vector<unsigned char> types = copyValues<unsigned char>(data->GetCellTypesArray());
    bool hasPolygons = false;
    for (std::size_t c = 0; c < std::min(cells.count(), types.size()) && isArea_; ++c)
    {
      hasPolygons = this->addFlatCell(types[c], cells, c, first) || hasPolygons;
    }
    for (std::size_t c = 0; c < std::min(cells.count(), types.size()) && !hasPolygons; ++c)
    {
      if (types[c] == VTK_LINE || types[c] == VTK_POLY_LINE)
      {
        this->addLine(cells, c, first);
      }
    }
  }

  bool addFlatCell(unsigned char type, const Cells& cells, std::size_t cell, std::int64_t first)
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
        if (cells.offsets[cell + 1] - cells.offsets[cell] == 4)
        {
          const std::int64_t* p = &cells.corners[cells.offsets[cell]];
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

  void addLine(const Cells& cells, std::size_t cell, std::int64_t first)
  {
    for (std::int64_t k = cells.offsets[cell]; k + 1 < cells.offsets[cell + 1]; ++k)
    {
      this->addSegment(first, cells.corners[k], cells.corners[k + 1]);
    }
  }

  void addRing(const Cells& cells, std::size_t cell, std::int64_t first)
  {
    this->addLine(cells, cell, first);
    const std::int64_t begin = cells.offsets[cell], end = cells.offsets[cell + 1];
    if (end > begin)
    {
      this->addSegment(first, cells.corners[end - 1], cells.corners[begin]);
    }
  }

  void addStrip(const Cells& cells, std::size_t cell, std::int64_t first)
  {
    for (std::int64_t k = cells.offsets[cell]; k + 2 < cells.offsets[cell + 1]; ++k)
    {
      const std::int64_t* p = &cells.corners[k];
      this->addSegment(first, p[0], p[1]);
      this->addSegment(first, p[1], p[2]);
      this->addSegment(first, p[2], p[0]);
    }
  }

  // A number that is no point of its block must not become one of another.
  void addSegment(std::int64_t first, std::int64_t from, std::int64_t to)
  {
    const std::int64_t count = static_cast<std::int64_t>(geometry.points.size() / 3) - first;
    for (const std::int64_t p : { from, to })
    {
      if (p < 0 || p >= count)
      {
        refuseInput("geometry has a cell with the corner ", p, " and ", count,
          " points; corners must be numbers of points, from 0: the file is damaged, write it anew");
      }
    }
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
  vtkDataObject* data, SeedShape shape, const MapPoint& usualOrigin)
{
  auto geometry = std::make_shared<SeedGeometry>();
  if (shape == SeedShape::Surface)
  {
    requireGeometry(data, "Surface", "a surface");
    TerrainOptions options;
    options.owner = "geometry";
    options.usualOrigin = usualOrigin;
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
  shift(geometry->points, localOriginOf(data, "geometry").value_or(usualOrigin));
  return geometry;
}

} // namespace lapilli
