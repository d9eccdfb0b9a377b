// Surfaces, lines and map areas from data with every fault, and seeds on them.
#include "Target.h"

#include "DataSets.h"

#include "Error.h"
#include "Private/Source/BodySeeds.h"
#include "Private/Source/SourceGeometry.h"

#include <vtkCellArray.h>
#include <vtkCellType.h>
#include <vtkIdList.h>
#include <vtkImageData.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

#include <cmath>

namespace lapilli
{
namespace
{

using fuzz::Bytes;
using fuzz::Choices;
using DataObject = vtkSmartPointer<vtkDataObject>;

/// Corners of a cell, at times of points that do not exist; some come back to where they began.
void chooseCorners(Choices& choices, vtkIdType points, vtkIdList* corners)
{
  corners->Reset();
  const bool isLoop = choices.flag();
  for (int size = choices.among({ 3, 4, 2, 5, 0, 1, 7 }); size > 0; --size)
  {
    const vtkIdType any = choices.byte();
    corners->InsertNextId(any > 250 ? any - 253 : points > 0 ? any % points : 0);
  }
  if (isLoop && corners->GetNumberOfIds() > 0)
    corners->InsertNextId(corners->GetId(0));
}

void fillCells(Choices& choices, vtkCellArray* cells, vtkIdType points)
{
  vtkNew<vtkIdList> corners;
  for (int k = choices.upTo(5); k > 0; --k)
  {
    chooseCorners(choices, points, corners);
    cells->InsertNextCell(corners);
  }
}

DataObject cellsOfAllKinds(Choices& choices)
{
  const int points = choices.upTo(10);
  if (choices.flag())
  {
    vtkNew<vtkPolyData> data;
    if (!choices.rarely(30))
      data->SetPoints(fuzz::somePoints(choices, points));
    vtkNew<vtkCellArray> lines, polygons, strips;
    fillCells(choices, lines, points);
    data->SetLines(lines);
    if (choices.flag())
    {
      fillCells(choices, polygons, points);
      data->SetPolys(polygons);
    }
    if (choices.rarely(4))
    {
      fillCells(choices, strips, points);
      data->SetStrips(strips);
    }
    return data;
  }
  vtkNew<vtkUnstructuredGrid> data;
  data->SetPoints(fuzz::somePoints(choices, points));
  vtkNew<vtkIdList> corners;
  for (int k = choices.upTo(6); k > 0; --k)
  {
    chooseCorners(choices, points, corners);
    data->InsertNextCell(choices.among({ VTK_LINE, VTK_POLY_LINE, VTK_TRIANGLE, VTK_QUAD,
                           VTK_POLYGON, VTK_PIXEL, VTK_TRIANGLE_STRIP, VTK_VERTEX, VTK_TETRA }),
      corners);
  }
  return data;
}

DataObject dataSet(Choices& choices)
{
  switch (choices.byte() % 12)
  {
    case 0:
      return vtkSmartPointer<vtkImageData>::New();
    case 1:
      return nullptr;
    case 2:
    {
      vtkNew<vtkMultiBlockDataSet> blocks;
      for (unsigned k = 0; k < 3 && !choices.isEmpty(); ++k)
        blocks->SetBlock(k, dataSet(choices));
      return blocks;
    }
    default:
      return cellsOfAllKinds(choices);
  }
}

Surface plain()
{
  Surface surface;
  surface.points = { -40, -40, 0, 40, -40, 0, 40, 40, 0, -40, 40, 1 };
  surface.triangles = { 0, 1, 2, 0, 2, 3 };
  return surface;
}

void placeSomeSeeds(Choices& choices)
{
  SeedingParameters parameters;
  parameters.shape = choices.among({ SeedShape::Surface, SeedShape::Lines, SeedShape::MapArea });
  parameters.count = choices.upTo(20);
  parameters.crowding = choices.flag() ? Crowding::Apart : Crowding::Overlap;
  parameters.radius = choices.flag() ? 0.1 : choices.number();
  const bool isDropped = choices.flag();
  const TerrainFrame terrainFrame{ { choices.rarely(8) ? 1e6 : 0, 0, 0 }, { 0, 100, 0, 100 } };
  const DataObject data = dataSet(choices);
  parameters.geometry = readSeedGeometry(data, parameters.shape, terrainFrame);
  const Elevation terrain(plain());
  const Seeding seeding = placeSeeds(parameters, isDropped ? &terrain : nullptr);
  fuzz::require(seeding.report.placed + seeding.report.besideTerrain == parameters.count,
    "each seed is placed, or counted as beside the terrain");
  for (const double x : seeding.seeds.positions)
    fuzz::require(std::isfinite(x), "places are finite");
}

} // namespace

std::vector<Bytes> fuzz::seeds()
{
  return randomSeeds(80, 160, 200, 17);
}

} // namespace lapilli

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace lapilli;
  fuzz::Choices choices(data, size);
  try
  {
    if (choices.byte() % 4 != 0)
      placeSomeSeeds(choices);
    else
      readBodies(dataSet(choices), {});
  }
  catch (const InvalidInput&)
  {
  }
  return 0;
}
