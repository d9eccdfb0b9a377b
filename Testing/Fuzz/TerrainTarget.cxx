// Terrains of every type of data, with every fault, read to a surface.
#include "Target.h"

#include "DataSets.h"

#include "Error.h"
#include "Private/ContactArrays.h"
#include "Private/TerrainInput.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkIdList.h>
#include <vtkImageData.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>
#include <vtkUniformGrid.h>
#include <vtkUnstructuredGrid.h>

#include <cmath>
#include <random>

namespace lapilli
{
namespace
{

using fuzz::Bytes;
using fuzz::Choices;
using DataObject = vtkSmartPointer<vtkDataObject>;

void addArraysTo(Choices& choices, vtkDataSet* data, vtkIdType points, vtkIdType cells)
{
  fuzz::addArrays(choices, data->GetPointData(), points,
    { { "Elevation", 1 }, { "z", 1 }, { "height", 1 }, { "velocity", 3 }, { "vtkGhostType", 1 } });
  fuzz::addArrays(choices, data->GetCellData(), cells,
    { { "elevation", 1 }, { "friction", 1 }, { "restitution", 1 }, { "rolling_friction", 1 },
      { "geology", 2 }, { "vtkGhostType", 1 } });
}

/// A corner, at times of a point that does not exist.
vtkIdType corner(Choices& choices, vtkIdType points)
{
  const vtkIdType any = choices.byte();
  return any > 250 ? any - 253 : points > 0 ? any % points : 0;
}

void fillCells(Choices& choices, vtkCellArray* cells, vtkIdType points)
{
  for (int k = choices.upTo(6); k > 0; --k)
  {
    vtkNew<vtkIdList> corners;
    for (int size = choices.among({ 3, 4, 3, 5, 0, 1, 2, 8 }); size > 0; --size)
      corners->InsertNextId(corner(choices, points));
    cells->InsertNextCell(corners);
  }
}

DataObject polygons(Choices& choices)
{
  vtkNew<vtkPolyData> data;
  const int points = choices.upTo(12);
  if (!choices.rarely(40))
    data->SetPoints(fuzz::somePoints(choices, points));
  vtkNew<vtkCellArray> polys, strips, verts;
  fillCells(choices, polys, points);
  data->SetPolys(polys);
  if (choices.rarely(4))
  {
    fillCells(choices, strips, points);
    data->SetStrips(strips);
  }
  if (choices.rarely(8))
  {
    fillCells(choices, verts, points);
    data->SetVerts(verts);
  }
  const vtkIdType cells =
    polys->GetNumberOfCells() + strips->GetNumberOfCells() + verts->GetNumberOfCells();
  addArraysTo(choices, data, points, cells);
  return data;
}

DataObject unstructured(Choices& choices)
{
  vtkNew<vtkUnstructuredGrid> data;
  const int points = choices.upTo(12);
  data->SetPoints(fuzz::somePoints(choices, points));
  const int cells = choices.upTo(6);
  const bool areFlat = choices.flag();
  for (int k = 0; k < cells; ++k)
  {
    const int type =
      areFlat ? choices.among({ VTK_TRIANGLE, VTK_QUAD, VTK_PIXEL, VTK_POLYGON, VTK_TRIANGLE_STRIP,
                  VTK_VERTEX, VTK_LINE, VTK_EMPTY_CELL })
              : choices.among({ VTK_TETRA, VTK_VOXEL, VTK_HEXAHEDRON, VTK_WEDGE, VTK_PYRAMID,
                  VTK_QUADRATIC_TRIANGLE, VTK_TRIANGLE, VTK_QUADRATIC_TETRA });
    vtkNew<vtkIdList> corners;
    const int usual = type == VTK_TRIANGLE || type == VTK_TRIANGLE_STRIP    ? 3
                      : type == VTK_HEXAHEDRON || type == VTK_VOXEL         ? 8
                      : type == VTK_WEDGE || type == VTK_QUADRATIC_TRIANGLE ? 6
                      : type == VTK_PYRAMID                                 ? 5
                      : type == VTK_QUADRATIC_TETRA                         ? 10
                                                                            : 4;
    for (int size = choices.rarely(16) ? choices.upTo(9) : usual; size > 0; --size)
      corners->InsertNextId(corner(choices, points));
    data->InsertNextCell(type, corners);
  }
  addArraysTo(choices, data, points, cells);
  return data;
}

void chooseDimensions(Choices& choices, int (&dimensions)[3])
{
  for (int& n : dimensions)
    n = choices.upTo(5);
  if (!choices.rarely(4))
    dimensions[choices.upTo(2)] = 1;
}

vtkIdType pointsOf(const int (&n)[3])
{
  return static_cast<vtkIdType>(n[0]) * n[1] * n[2];
}

vtkIdType cellsOf(const int (&n)[3])
{
  vtkIdType cells = 1;
  for (const int k : n)
    cells *= std::max(k - 1, 1);
  return pointsOf(n) > 0 ? cells : 0;
}

DataObject image(Choices& choices)
{
  const auto data = choices.rarely(4)
                      ? vtkSmartPointer<vtkImageData>(vtkSmartPointer<vtkUniformGrid>::New())
                      : vtkSmartPointer<vtkImageData>::New();
  int n[3];
  chooseDimensions(choices, n);
  const int first = choices.rarely(4) ? choices.byte() - 128 : 0;
  data->SetExtent(first, first + n[0] - 1, first, first + n[1] - 1, 0, n[2] - 1);
  if (choices.rarely(3))
    data->SetSpacing(choices.number(), choices.number(), choices.number());
  if (choices.rarely(3))
    data->SetOrigin(choices.number(), choices.number(), choices.number());
  if (choices.rarely(6))
    data->SetDirectionMatrix(0, choices.number(), 0, choices.number(), 0, 0, 0, 0, 1);
  addArraysTo(choices, data, pointsOf(n), cellsOf(n));
  return data;
}

DataObject rectilinear(Choices& choices)
{
  vtkNew<vtkRectilinearGrid> data;
  int n[3];
  chooseDimensions(choices, n);
  data->SetDimensions(n);
  for (int axis = 0; axis < 3; ++axis)
  {
    const auto line = fuzz::emptyArray(choices);
    line->SetNumberOfTuples(choices.rarely(16) ? choices.upTo(6) : n[axis]);
    for (vtkIdType i = 0; i < line->GetNumberOfTuples(); ++i)
      line->SetComponent(i, 0,
        fuzz::fitting(line, static_cast<double>(i) + (choices.rarely(4) ? choices.number() : 0)));
    axis == 0   ? data->SetXCoordinates(line)
    : axis == 1 ? data->SetYCoordinates(line)
                : data->SetZCoordinates(line);
  }
  addArraysTo(choices, data, pointsOf(n), cellsOf(n));
  return data;
}

DataObject structured(Choices& choices)
{
  vtkNew<vtkStructuredGrid> data;
  int n[3];
  chooseDimensions(choices, n);
  data->SetDimensions(n);
  const vtkIdType points = choices.rarely(16) ? choices.upTo(12) : pointsOf(n);
  data->SetPoints(fuzz::somePoints(choices, points));
  addArraysTo(choices, data, points, cellsOf(n));
  return data;
}

DataObject dataSet(Choices& choices)
{
  switch (choices.upTo(5))
  {
    case 0:
      return polygons(choices);
    case 1:
      return unstructured(choices);
    case 2:
      return image(choices);
    case 3:
      return rectilinear(choices);
    case 4:
      return structured(choices);
    default:
    {
      vtkNew<vtkMultiBlockDataSet> blocks;
      for (unsigned k = 0; k < 3 && !choices.isEmpty(); ++k)
        blocks->SetBlock(k, choices.rarely(6) ? nullptr : dataSet(choices).Get());
      return blocks;
    }
  }
}

/// What a terrain is for the engine.
void requireSound(const TerrainInput& terrain)
{
  const Surface& surface = terrain.surface;
  const auto points = static_cast<std::int64_t>(surface.pointCount());
  fuzz::require(surface.triangleCount() > 0, "a terrain has triangles");
  fuzz::require(surface.points.size() % 3 == 0 && surface.triangles.size() % 3 == 0 &&
                  terrain.twoSided.size() == surface.triangleCount(),
    "points and triangles are whole");
  for (const double x : surface.points)
    fuzz::require(std::isfinite(x), "points of a terrain are finite");
  for (const std::int64_t p : surface.triangles)
    fuzz::require(p >= 0 && p < points, "corners of triangles are points");
  const auto triangles = static_cast<vtkIdType>(surface.triangleCount());
  for (int a = 0; a < terrain.cellData->GetNumberOfArrays(); ++a)
    fuzz::require(terrain.cellData->GetAbstractArray(a)->GetNumberOfTuples() == triangles,
      "every cell array has a tuple for each triangle");
}

} // namespace

/// Random choices: among bytes that mean choices there are no better beginnings.
std::vector<Bytes> fuzz::seeds()
{
  std::mt19937 random(3);
  std::vector<Bytes> seeds;
  for (std::uint8_t kind = 0; kind < 6; ++kind)
    for (const std::size_t size : { 40, 400 })
    {
      Bytes seed(size);
      for (std::uint8_t& byte : seed)
        byte = static_cast<std::uint8_t>(random());
      seed[3] = kind;
      seeds.push_back(std::move(seed));
    }
  return seeds;
}

} // namespace lapilli

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace lapilli;
  fuzz::Choices choices(data, size);
  TerrainOptions options;
  options.elevationArray = choices.among({ "", "", "", "height", "z", "geology" });
  options.heightSource = choices.among({ HeightSource::Automatic, HeightSource::Automatic,
    HeightSource::Array, HeightSource::Coordinates });
  options.verticalScale = choices.rarely(6) ? choices.number() : 1;
  try
  {
    const auto input = dataSet(choices);
    options.seamTolerance = choices.rarely(3) ? choices.number() : -1;
    TerrainInput terrain = readTerrain(input, options);
    requireSound(terrain);
    readContactArrays(terrain, "terrain");
    terrain.surfaces();
  }
  catch (const InvalidInput&)
  {
  }
  return 0;
}
