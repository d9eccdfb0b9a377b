#include "TerrainPieces.h"

#include "ArrayCopy.h"
#include "CellCorners.h"
#include "Error.h"
#include "HeightFactor.h"
#include "HiddenCells.h"
#include "LargePages.h"
#include "TerrainHeights.h"
#include "Triangulate.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkDataSetSurfaceFilter.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace lapilli
{
namespace
{

/// Pipelines may hand out arrays that are shorter than the data, from a Programmable Filter for instance.
void checkLengths(
  const std::string& owner, vtkDataSetAttributes* attributes, vtkIdType expected, const char* place)
{
  for (int a = 0; a < attributes->GetNumberOfArrays(); ++a)
  {
    vtkAbstractArray* array = attributes->GetAbstractArray(a);
    if (array->GetNumberOfTuples() != expected)
    {
      const char* name = array->GetName();
      throw InvalidInput(owner + "'s " + place + " array '" + (name ? name : "") + "' has " +
                         std::to_string(array->GetNumberOfTuples()) + " values; it must have " +
                         std::to_string(expected) + ", one for each " + place +
                         ": correct the array or leave it out (Pass Arrays)");
    }
  }
}

} // namespace

void TerrainPieces::add(vtkDataObject* data)
{
  if (auto* composite = vtkCompositeDataSet::SafeDownCast(data))
  {
    vtkSmartPointer<vtkCompositeDataIterator> leaf;
    leaf.TakeReference(composite->NewIterator());
    leaf->SkipEmptyNodesOn();
    for (leaf->InitTraversal(); !leaf->IsDoneWithTraversal(); leaf->GoToNextItem())
    {
      this->add(leaf->GetCurrentDataObject());
    }
    return;
  }
  auto* set = vtkDataSet::SafeDownCast(data);
  if (data && !set)
  {
    throw InvalidInput(
      options_.owner + " is of type " + data->GetClassName() +
      "; it must be a surface, a grid or an image with heights: convert it to one of these");
  }
  if (!set || set->GetNumberOfCells() == 0)
  {
    return;
  }
  checkLengths(options_.owner, set->GetPointData(), set->GetNumberOfPoints(), "point");
  checkLengths(options_.owner, set->GetCellData(), set->GetNumberOfCells(), "cell");

  constexpr auto mostCells = std::numeric_limits<std::uint32_t>::max();
  if (set->GetNumberOfCells() > static_cast<vtkIdType>(mostCells))
  {
    throw InvalidInput(options_.owner + " has a block of " +
                       std::to_string(set->GetNumberOfCells()) + " cells; a block may have " +
                       std::to_string(mostCells) + ": decimate it, or cut it into blocks");
  }

  blocks.push_back({ set->GetCellData(), cell.size(), surface.pointCount() });
  if (auto* polygons = vtkPolyData::SafeDownCast(set))
  {
    this->addPolygons(polygons);
  }
  else if (auto* unstructured = vtkUnstructuredGrid::SafeDownCast(set))
  {
    this->addUnstructured(unstructured);
  }
  else if (auto* structured = vtkStructuredGrid::SafeDownCast(set))
  {
    this->addStructuredSheet(structured);
  }
  else if (vtkImageData::SafeDownCast(set) || vtkRectilinearGrid::SafeDownCast(set))
  {
    this->addHeightField(set);
  }
  else
  {
    this->addSurfaceOf(set);
  }
}

void TerrainPieces::noteHeights(const Heights& heights)
{
  const std::string note = "Heights are " + std::string(heights.onCells ? "cell" : "point") +
                           " array '" + heights.array->GetName() + "'.";
  if (std::find(notes.begin(), notes.end(), note) == notes.end())
  {
    notes.push_back(note);
  }
}

std::int64_t TerrainPieces::addPoints(vtkDataSet* data, vtkPoints* points)
{
  const auto first = static_cast<std::int64_t>(surface.pointCount());
  this->reserve(0, points ? static_cast<std::size_t>(points->GetNumberOfPoints()) : 0);
  appendValues(surface.points, points ? points->GetData() : nullptr);
  double* const xyz = surface.points.data() + 3 * first;
  const std::size_t count = surface.pointCount() - static_cast<std::size_t>(first);

  bool flat = true;
  for (std::size_t p = 1; flat && p < count; ++p)
  {
    flat = xyz[3 * p + 2] == xyz[2];
  }
  Heights heights;
  if (options_.heightSource == HeightSource::Array)
  {
    heights = findHeights(options_, data);
  }
  else if (options_.heightSource == HeightSource::Automatic)
  {
    heights = findNamedHeights(options_, data);
    if (!heights.array)
    {
      refuseMissingArray(options_, data);
    }
    if (!flat)
    {
      heights = {};
    }
  }
  if (!heights.array && !flat)
  {
    const std::string factor = describeHeightFactor(options_.owner, data);
    if (!factor.empty() && std::find(warnings.begin(), warnings.end(), factor) == warnings.end())
    {
      warnings.push_back(factor);
    }
  }
  std::vector<double> values;
  if (heights.array)
  {
    this->noteHeights(heights);
    values = copyValues<double>(heights.array);
    values = heights.onCells ? averagedAtPoints(data, values) : values;
  }
  if (!values.empty() || options_.verticalScale != 1)
  {
    for (std::size_t p = 0; p < count; ++p)
    {
      xyz[3 * p + 2] = options_.verticalScale * (values.empty() ? xyz[3 * p + 2] : values[p]);
    }
  }
  return first;
}

void TerrainPieces::reserve(std::size_t triangles, std::size_t points)
{
  if (blocks.size() == 1) // for many, growth by doubling beats a reservation for each
  {
    reserveLarge(surface.points, surface.points.size() + 3 * points);
    reserveLarge(surface.triangles, surface.triangles.size() + 3 * triangles);
    reserveLarge(cell, cell.size() + triangles);
  }
}

void TerrainPieces::addCell(
  const vtkTypeInt64* corners, std::size_t count, std::int64_t firstPoint, std::int64_t cellNumber)
{
  shifted_.assign(corners, corners + count);
  for (std::int64_t& corner : shifted_)
  {
    corner += firstPoint;
  }
  triangulatePolygon(surface.points, shifted_.data(), count, surface.triangles);
  cell.resize(surface.triangleCount(), static_cast<std::uint32_t>(cellNumber));
}

void TerrainPieces::addTriangles(
  const CellCorners& triangles, std::int64_t firstPoint, std::int64_t firstCell)
{
  const std::size_t former = surface.triangles.size(), corners = 3 * triangles.count();
  this->reserve(triangles.count(), 0);
  const vtkTypeInt64* begin = triangles.begin(0);
  surface.triangles.insert(surface.triangles.end(), begin, begin + corners);
  if (firstPoint > 0)
  {
    std::for_each(surface.triangles.begin() + static_cast<std::ptrdiff_t>(former),
      surface.triangles.end(), [firstPoint](std::int64_t& corner) { corner += firstPoint; });
  }
  cell.resize(surface.triangleCount());
  std::iota(cell.begin() + static_cast<std::ptrdiff_t>(former / 3), cell.end(),
    static_cast<std::uint32_t>(firstCell));
}

void TerrainPieces::addPolygons(vtkPolyData* data)
{
  const auto cornersOf = [&](vtkCellArray* cells)
  { return CellCorners(options_.owner, cells, data->GetNumberOfPoints()); };
  const CellCorners polygons = cornersOf(data->GetPolys()), strips = cornersOf(data->GetStrips());
  cornersOf(data->GetVerts()); // VTK follows them for means around points
  cornersOf(data->GetLines());
  const std::int64_t first = this->addPoints(data, data->GetPoints());
  const std::vector<unsigned char> hidden = hiddenCells(data), hiddenPoint = hiddenPoints(data);

  // Cells are numbered vertices first, then lines, polygons, strips.
  std::int64_t number = data->GetNumberOfVerts() + data->GetNumberOfLines();
  const std::size_t corners = polygons.cornerCount(), count = polygons.count();
  this->reserve(corners > 2 * count ? corners - 2 * count : 0, 0);
  const bool asTheyAre = polygons.areTriangles() && hidden.empty() && hiddenPoint.empty();
  if (asTheyAre)
  {
    this->addTriangles(polygons, first, number);
    number += static_cast<std::int64_t>(polygons.count());
  }
  for (std::size_t c = 0; !asTheyAre && c < polygons.count(); ++c, ++number)
  {
    if (!isHidden(hidden, number) &&
        !touchesHidden(hiddenPoint, polygons.begin(c), polygons.size(c)))
    {
      this->addCell(polygons.begin(c), polygons.size(c), first, number);
    }
  }
  for (std::size_t c = 0; c < strips.count(); ++c, ++number)
  {
    if (!isHidden(hidden, number))
    {
      this->addStrip(strips.begin(c), strips.size(c), first, number);
    }
  }
}

void TerrainPieces::addStrip(
  const vtkTypeInt64* corners, std::size_t count, std::int64_t firstPoint, std::int64_t cellNumber)
{
  for (std::size_t k = 0; k + 2 < count; ++k)
  {
    const std::size_t turn = k % 2; // every other triangle of a strip winds the other way
    const vtkTypeInt64 triangle[3] = { corners[k], corners[k + 1 + turn], corners[k + 2 - turn] };
    this->addCell(triangle, 3, firstPoint, cellNumber);
  }
}

void TerrainPieces::addStructuredSheet(vtkStructuredGrid* grid)
{
  int dimensions[3];
  grid->GetDimensions(dimensions);
  const vtkIdType expected = static_cast<vtkIdType>(dimensions[0]) * dimensions[1] * dimensions[2];
  if (grid->GetNumberOfPoints() != expected)
  {
    throw InvalidInput(options_.owner + " is a structured grid with " +
                       std::to_string(grid->GetNumberOfPoints()) + " points and dimensions for " +
                       std::to_string(expected) + "; it must have one for each: write it anew");
  }
  const int layers = std::min({ dimensions[0], dimensions[1], dimensions[2] });
  if (layers > 1)
  {
    this->addSurfaceOf(grid);
    return;
  }
  const std::int64_t first = this->addPoints(grid, grid->GetPoints());
  const std::vector<unsigned char> hidden = hiddenCells(grid), hiddenPoint = hiddenPoints(grid);

  // The axis with one layer of points; n and m points along the two others.
  const int thin = dimensions[2] == 1 ? 2 : dimensions[1] == 1 ? 1 : 0;
  const std::int64_t n = dimensions[thin == 0 ? 1 : 0], m = dimensions[thin == 2 ? 1 : 2];
  for (std::int64_t j = 0; j + 1 < m; ++j)
  {
    for (std::int64_t i = 0; i + 1 < n; ++i)
    {
      const std::int64_t a = i + n * j, number = i + (n - 1) * j;
      const vtkTypeInt64 corners[4] = { a, a + 1, a + n + 1, a + n };
      if (!isHidden(hidden, number) && !touchesHidden(hiddenPoint, corners, 4))
      {
        this->addCell(corners, 4, first, number);
      }
    }
  }
}

void TerrainPieces::addUnstructured(vtkUnstructuredGrid* grid)
{
  const std::vector<unsigned char> types = copyValues<unsigned char>(grid->GetCellTypesArray());
  const CellCorners cells(options_.owner, grid->GetCells(), grid->GetNumberOfPoints());
  checkTypes(options_.owner, types, cells);
  const auto isFlat = [](unsigned char type)
  {
    return type == VTK_TRIANGLE || type == VTK_TRIANGLE_STRIP || type == VTK_POLYGON ||
           type == VTK_PIXEL || type == VTK_QUAD;
  };
  const auto isThin = [](unsigned char type) { return type <= VTK_POLY_LINE; }; // points and lines
  if (!std::all_of(types.begin(), types.end(),
        [&](unsigned char type) { return isFlat(type) || isThin(type); }))
  {
    this->addSurfaceOf(grid);
    return;
  }
  const std::int64_t first = this->addPoints(grid, grid->GetPoints());
  const std::vector<unsigned char> hidden = hiddenCells(grid), hiddenPoint = hiddenPoints(grid);
  for (std::size_t c = 0; c < cells.count(); ++c)
  {
    const auto number = static_cast<std::int64_t>(c);
    const vtkTypeInt64* corners = cells.begin(c);
    if (!isFlat(types[c]) || isHidden(hidden, number) ||
        touchesHidden(hiddenPoint, corners, cells.size(c)))
    {
      continue;
    }
    if (types[c] == VTK_TRIANGLE_STRIP)
    {
      this->addStrip(corners, cells.size(c), first, number);
    }
    else if (types[c] == VTK_PIXEL)
    {
      const vtkTypeInt64 around[4] = { corners[0], corners[1], corners[3], corners[2] };
      this->addCell(around, 4, first, number);
    }
    else
    {
      this->addCell(corners, cells.size(c), first, number);
    }
  }
}

void TerrainPieces::addSurfaceOf(vtkDataSet* data)
{
  vtkNew<vtkDataSetSurfaceFilter> outside;
  outside->SetInputData(data);
  outside->Update();
  vtkPolyData* skin = outside->GetOutput();
  blocks.back().cellData = skin->GetCellData();
  this->addPolygons(skin);
}

} // namespace lapilli
