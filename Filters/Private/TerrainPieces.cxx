#include "TerrainPieces.h"

#include "ArrayCopy.h"
#include "Error.h"
#include "Triangulate.h"

#include <vtkCell.h>
#include <vtkCellArray.h>
#include <vtkCellTypes.h>
#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkDataSetSurfaceFilter.h>
#include <vtkGenericCell.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

namespace lapilli
{
namespace
{

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Which points or cells are blanked, or refined by a finer block; empty if none is marked.
std::vector<unsigned char> hiddenFlags(vtkDataSetAttributes* attributes, unsigned char mask)
{
  auto* ghosts = vtkDataArray::SafeDownCast(
    attributes->GetAbstractArray(vtkDataSetAttributes::GhostArrayName()));
  if (auto* bytes = vtkUnsignedCharArray::SafeDownCast(ghosts))
  {
    std::vector<unsigned char> flags = copyValues<unsigned char>(bytes);
    for (unsigned char& flag : flags)
    {
      flag &= mask;
    }
    return flags;
  }
  // Of scripts and calculators, which make numbers of any type.
  const std::vector<double> numbers = copyValues<double>(ghosts);
  std::vector<unsigned char> flags(numbers.size(), 0);
  for (std::size_t i = 0; i < numbers.size(); ++i)
  {
    flags[i] =
      numbers[i] >= 0 && numbers[i] <= 255 ? static_cast<unsigned char>(numbers[i]) & mask : 0;
  }
  return flags;
}

std::vector<unsigned char> hiddenPoints(vtkDataSet* data)
{
  return hiddenFlags(data->GetPointData(), vtkDataSetAttributes::HIDDENPOINT);
}

std::vector<unsigned char> hiddenCells(vtkDataSet* data)
{
  return hiddenFlags(
    data->GetCellData(), vtkDataSetAttributes::HIDDENCELL | vtkDataSetAttributes::REFINEDCELL);
}

bool isHidden(const std::vector<unsigned char>& flags, std::int64_t i)
{
  return !flags.empty() && flags[i] != 0;
}

bool isCustomaryName(std::string lower)
{
  std::transform(lower.begin(), lower.end(), lower.begin(),
    [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower == "elevation" || lower == "z";
}

std::string namesOf(vtkDataSetAttributes* attributes)
{
  std::string names;
  for (int a = 0; a < attributes->GetNumberOfArrays(); ++a)
  {
    const char* name = attributes->GetAbstractArray(a)->GetName();
    names += std::string(names.empty() ? "" : ", ") + '\'' + (name ? name : "") + '\'';
  }
  return names.empty() ? "none" : names;
}

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

std::string arraysOf(vtkDataSet* data)
{
  return "point arrays: " + namesOf(data->GetPointData()) +
         "; cell arrays: " + namesOf(data->GetCellData());
}

/// Corners of a raster on the map: lines of constant i and j, each with its place.
struct MapGrid
{
  int dimensions[3] = { 0, 0, 0 }; ///< points
  Surface* surface = nullptr;

  double origin[2] = { 0, 0 }, stepI[2] = { 0, 0 }, stepJ[2] = { 0, 0 }; ///< of images
  std::vector<double> x, y;                                              ///< of rectilinear grids

  /// Place of point (i, j), or between points: i and j in half steps.
  void place(double i, double j, double* xy) const
  {
    if (x.empty())
    {
      xy[0] = origin[0] + i * stepI[0] + j * stepJ[0];
      xy[1] = origin[1] + i * stepI[1] + j * stepJ[1];
      return;
    }
    xy[0] = between(x, i);
    xy[1] = between(y, j);
  }

  static double between(const std::vector<double>& line, double i)
  {
    const auto low = static_cast<std::size_t>(i);
    return i == static_cast<double>(low) ? line[low] : 0.5 * (line[low] + line[low + 1]);
  }
};

MapGrid mapGridOf(const std::string& owner, vtkDataSet* data)
{
  MapGrid grid;
  if (auto* rectilinear = vtkRectilinearGrid::SafeDownCast(data))
  {
    rectilinear->GetDimensions(grid.dimensions);
    grid.x = copyValues<double>(rectilinear->GetXCoordinates());
    grid.y = copyValues<double>(rectilinear->GetYCoordinates());
    const std::size_t lines[2] = { grid.x.size(), grid.y.size() };
    for (int axis = 0; axis < 2; ++axis)
    {
      if (lines[axis] != static_cast<std::size_t>(grid.dimensions[axis]))
      {
        throw InvalidInput(owner + " is a rectilinear grid with " + std::to_string(lines[axis]) +
                           (axis == 0 ? " x" : " y") + " coordinates and " +
                           std::to_string(grid.dimensions[axis]) +
                           " points along that axis; it must have one for each: write it anew");
      }
    }
    return grid;
  }
  auto* image = static_cast<vtkImageData*>(data);
  image->GetDimensions(grid.dimensions);
  const int* extent = image->GetExtent();
  const double* spacing = image->GetSpacing();
  const double* direction = image->GetDirectionMatrix()->GetData();
  for (int axis = 0; axis < 2; ++axis)
  {
    grid.stepI[axis] = direction[3 * axis] * spacing[0];
    grid.stepJ[axis] = direction[3 * axis + 1] * spacing[1];
    grid.origin[axis] = image->GetOrigin()[axis] + extent[0] * grid.stepI[axis] +
                        extent[2] * grid.stepJ[axis] +
                        extent[4] * direction[3 * axis + 2] * spacing[2];
  }
  return grid;
}

std::string kindOf(vtkDataObject* data)
{
  return vtkRectilinearGrid::SafeDownCast(data) ? "a rectilinear grid" : "an image";
}

/// Cells of a polygonal data set or an unstructured grid.
struct CellCorners
{
  std::vector<std::int64_t> offsets, corners;

  /// @throws InvalidInput for corners that are no points, as damaged files have them
  CellCorners(const std::string& owner, vtkCellArray* cells, vtkIdType points)
  {
    if (cells && cells->GetNumberOfCells() > 0)
    {
      offsets = copyValues<std::int64_t>(cells->GetOffsetsArray());
      corners = copyValues<std::int64_t>(cells->GetConnectivityArray());
    }
    const auto isPoint = [points](std::int64_t p) { return p >= 0 && p < points; };
    const auto wrong = std::find_if_not(corners.begin(), corners.end(), isPoint);
    if (wrong != corners.end())
    {
      throw InvalidInput(owner + " has a cell with the corner " + std::to_string(*wrong) + " and " +
                         std::to_string(points) +
                         " points; corners must be numbers of points, from 0: the file is damaged, "
                         "write it anew");
    }
    const bool isAscending = std::is_sorted(offsets.begin(), offsets.end());
    if (!offsets.empty() && (!isAscending || offsets.front() < 0 ||
                              offsets.back() > static_cast<std::int64_t>(corners.size())))
    {
      throw InvalidInput(
        owner + " has cells that overlap or lack corners: the file is damaged, write it anew");
    }
  }

  std::size_t count() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  const std::int64_t* begin(std::size_t cell) const { return corners.data() + offsets[cell]; }
  std::size_t size(std::size_t cell) const
  {
    return static_cast<std::size_t>(offsets[cell + 1] - offsets[cell]);
  }
};

bool touchesHidden(
  const std::vector<unsigned char>& hidden, const std::int64_t* corners, std::size_t count)
{
  return !hidden.empty() &&
         std::any_of(corners, corners + count, [&](std::int64_t p) { return hidden[p] != 0; });
}

/// @throws InvalidInput for cells of unknown types, or with too few corners for their type
void checkTypes(
  const std::string& owner, const std::vector<unsigned char>& types, const CellCorners& cells)
{
  std::array<std::int64_t, 256> corners;
  corners.fill(-1);
  for (std::size_t c = 0; c < types.size(); ++c)
  {
    const unsigned char type = types[c];
    if (corners[type] < 0)
    {
      const auto cell = vtkSmartPointer<vtkCell>::Take(vtkGenericCell::InstantiateCell(type));
      if (!cell)
      {
        throw InvalidInput(owner + " has a cell of the unknown type " + std::to_string(type) +
                           ": the file is damaged, write it anew");
      }
      // Of the types without a number of their own that is 0.
      corners[type] = cell->GetNumberOfPoints();
    }
    if (c >= cells.count() || static_cast<std::int64_t>(cells.size(c)) < corners[type])
    {
      throw InvalidInput(owner + "'s cell " + std::to_string(c) + " has " +
                         std::to_string(c < cells.count() ? cells.size(c) : 0) + " corners; a " +
                         vtkCellTypes::GetClassNameFromTypeId(type) + " must have " +
                         std::to_string(corners[type]) + ": the file is damaged, write it anew");
    }
  }
}

/// Mean of the cells around each point, for data sets whose cells are listed.
std::vector<double> averagedAtPoints(vtkDataSet* data, const std::vector<double>& onCells)
{
  std::vector<double> sum(data->GetNumberOfPoints(), 0), count(sum.size(), 0);
  const std::vector<unsigned char> hidden = hiddenCells(data);
  vtkNew<vtkIdList> corners;
  for (vtkIdType cell = 0; cell < data->GetNumberOfCells(); ++cell)
  {
    if (isHidden(hidden, cell) || !std::isfinite(onCells[cell]))
    {
      continue;
    }
    data->GetCellPoints(cell, corners);
    for (vtkIdType k = 0; k < corners->GetNumberOfIds(); ++k)
    {
      sum[corners->GetId(k)] += onCells[cell];
      count[corners->GetId(k)] += 1;
    }
  }
  for (std::size_t p = 0; p < sum.size(); ++p)
  {
    sum[p] = count[p] > 0 ? sum[p] / count[p] : nan;
  }
  return sum;
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

  blocks.push_back({ set->GetCellData(), cell.size() });
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

TerrainPieces::Heights TerrainPieces::findNamedHeights(vtkDataSet* data) const
{
  vtkDataSetAttributes* const places[2] = { data->GetPointData(), data->GetCellData() };
  for (int c = 0; c < 2; ++c)
  {
    for (int a = 0; a < places[c]->GetNumberOfArrays(); ++a)
    {
      vtkDataArray* array = places[c]->GetArray(a);
      const std::string name = array && array->GetName() ? array->GetName() : "";
      const bool asked = !name.empty() && name == options_.elevationArray;
      if (asked && array->GetNumberOfComponents() != 1)
      {
        throw InvalidInput("elevation array '" + name + "' has " +
                           std::to_string(array->GetNumberOfComponents()) +
                           " components; heights have 1: choose another array as Elevation Array");
      }
      if (asked || (options_.elevationArray.empty() && isCustomaryName(name) &&
                     array->GetNumberOfComponents() == 1))
      {
        return { array, c == 1 };
      }
    }
  }
  return {};
}

void TerrainPieces::refuseMissingArray(vtkDataSet* data) const
{
  if (!options_.elevationArray.empty())
  {
    throw InvalidInput("elevation array is '" + options_.elevationArray +
                       "'; it must be one of the " + options_.owner + "'s (" + arraysOf(data) +
                       "): choose another");
  }
}

TerrainPieces::Heights TerrainPieces::findHeights(vtkDataSet* data) const
{
  const Heights named = this->findNamedHeights(data);
  if (named.array)
  {
    return named;
  }
  this->refuseMissingArray(data);
  vtkDataSetAttributes* const places[2] = { data->GetPointData(), data->GetCellData() };
  for (int c = 0; c < 2; ++c)
  {
    vtkDataArray* scalars = places[c]->GetScalars();
    if (scalars && scalars->GetNumberOfComponents() == 1 && scalars->GetName())
    {
      return { scalars, c == 1 };
    }
  }
  Heights only;
  for (int c = 0; c < 2; ++c)
  {
    for (int a = 0; a < places[c]->GetNumberOfArrays(); ++a)
    {
      vtkDataArray* array = places[c]->GetArray(a);
      const bool fits = array && array->GetNumberOfComponents() == 1 && array->GetName() &&
                        std::string(array->GetName()) != vtkDataSetAttributes::GhostArrayName();
      if (fits && only.array)
      {
        throw InvalidInput(options_.owner + " has several arrays that could be heights (" +
                           arraysOf(data) + "); choose one as Elevation Array");
      }
      if (fits)
      {
        only = { array, c == 1 };
      }
    }
  }
  if (!only.array)
  {
    throw InvalidInput(options_.owner + " has no array of heights (" + arraysOf(data) +
                       "); it must have a point or cell array with 1 component");
  }
  return only;
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

void TerrainPieces::addHeightField(vtkDataSet* data)
{
  const MapGrid grid = mapGridOf(options_.owner, data);
  if (grid.dimensions[2] != 1)
  {
    throw InvalidInput(
      options_.owner + " is a volume, " + kindOf(data) + " of " +
      std::to_string(grid.dimensions[0]) + " x " + std::to_string(grid.dimensions[1]) + " x " +
      std::to_string(grid.dimensions[2]) +
      " points; a height field must have 1 layer in z: use a Slice or a Contour of it");
  }
  const Heights heights = this->findHeights(data);
  this->noteHeights(heights);

  // Samples: the points, or the cells' centres.
  const std::int64_t nx = grid.dimensions[0] - heights.onCells;
  const std::int64_t ny = grid.dimensions[1] - heights.onCells;
  const std::vector<double> values = copyValues<double>(heights.array);
  const std::vector<unsigned char> hiddenCell = hiddenCells(data);
  const std::vector<unsigned char> hiddenSample = heights.onCells ? hiddenCell : hiddenPoints(data);
  std::vector<std::int64_t> number(values.size(), -1);
  const double offset = heights.onCells ? 0.5 : 0;
  surface.points.reserve(surface.points.size() + 3 * values.size());
  for (std::int64_t j = 0; j < ny; ++j)
  {
    for (std::int64_t i = 0; i < nx; ++i)
    {
      const std::int64_t sample = i + nx * j;
      if (isHidden(hiddenSample, sample) || !std::isfinite(values[sample]))
      {
        ++missingHeights;
        continue;
      }
      double xy[2];
      grid.place(static_cast<double>(i) + offset, static_cast<double>(j) + offset, xy);
      number[sample] = static_cast<std::int64_t>(surface.pointCount());
      surface.points.insert(
        surface.points.end(), { xy[0], xy[1], options_.verticalScale * values[sample] });
    }
  }

  for (std::int64_t j = 0; j + 1 < ny; ++j)
  {
    for (std::int64_t i = 0; i + 1 < nx; ++i)
    {
      const std::int64_t sample = i + nx * j; // also the cell, if the samples are cells
      const std::int64_t cellNumber = heights.onCells ? sample : i + (nx - 1) * j;
      if (!heights.onCells && isHidden(hiddenCell, cellNumber))
      {
        continue;
      }
      std::int64_t corners[4];
      std::size_t count = 0;
      for (const std::int64_t s : { sample, sample + 1, sample + nx + 1, sample + nx })
      {
        corners[count] = number[s];
        count += number[s] >= 0;
      }
      this->addCell(corners, count, 0, cellNumber);
    }
  }
}

std::int64_t TerrainPieces::addPoints(vtkDataSet* data, vtkPoints* points)
{
  const auto first = static_cast<std::int64_t>(surface.pointCount());
  std::vector<double> xyz = copyValues<double>(points ? points->GetData() : nullptr);
  const std::size_t count = xyz.size() / 3;

  bool flat = true;
  for (std::size_t p = 1; flat && p < count; ++p)
  {
    flat = xyz[3 * p + 2] == xyz[2];
  }
  Heights heights;
  if (options_.heightSource == HeightSource::Array)
  {
    heights = this->findHeights(data);
  }
  else if (options_.heightSource == HeightSource::Automatic)
  {
    heights = this->findNamedHeights(data);
    if (!heights.array)
    {
      this->refuseMissingArray(data);
    }
    if (!flat)
    {
      heights = {};
    }
  }
  std::vector<double> values;
  if (heights.array)
  {
    this->noteHeights(heights);
    values = copyValues<double>(heights.array);
    values = heights.onCells ? averagedAtPoints(data, values) : values;
  }
  for (std::size_t p = 0; p < count; ++p)
  {
    xyz[3 * p + 2] = options_.verticalScale * (values.empty() ? xyz[3 * p + 2] : values[p]);
  }
  surface.points.insert(surface.points.end(), xyz.begin(), xyz.end());
  return first;
}

void TerrainPieces::addCell(
  const std::int64_t* corners, std::size_t count, std::int64_t firstPoint, std::int64_t cellNumber)
{
  shifted_.assign(corners, corners + count);
  for (std::int64_t& corner : shifted_)
  {
    corner += firstPoint;
  }
  triangulatePolygon(surface.points, shifted_.data(), count, surface.triangles);
  cell.resize(surface.triangleCount(), cellNumber);
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
  for (std::size_t c = 0; c < polygons.count(); ++c, ++number)
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
  const std::int64_t* corners, std::size_t count, std::int64_t firstPoint, std::int64_t cellNumber)
{
  for (std::size_t k = 0; k + 2 < count; ++k)
  {
    const std::size_t turn = k % 2; // every other triangle of a strip winds the other way
    const std::int64_t triangle[3] = { corners[k], corners[k + 1 + turn], corners[k + 2 - turn] };
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
      const std::int64_t corners[4] = { a, a + 1, a + n + 1, a + n };
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
    const std::int64_t* corners = cells.begin(c);
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
      const std::int64_t around[4] = { corners[0], corners[1], corners[3], corners[2] };
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
