/// The same terrain in every kind of data gives the same surface, and bad data one sentence.
#include "SurfaceResults.h"

#include <vtkAppendFilter.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkPolyDataNormals.h>
#include <vtkRectilinearGrid.h>
#include <vtkShortArray.h>
#include <vtkSphereSource.h>
#include <vtkStringArray.h>
#include <vtkStripper.h>
#include <vtkStructuredGrid.h>
#include <vtkTable.h>
#include <vtkTriangleFilter.h>
#include <vtkUniformGrid.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

using namespace surfaces;

namespace
{

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr int nx = 7, ny = 5; // points of the raster
constexpr double x0 = 1000, y0 = 2000, dx = 10, dy = 5;

bool allFaceUp(vtkPolyData* data)
{
  const Triangles triangles = trianglesOf(data);
  return !triangles.empty() && std::all_of(triangles.begin(), triangles.end(),
                                 [](const std::array<Corner, 3>& t)
                                 {
                                   return (t[1][0] - t[0][0]) * (t[2][1] - t[0][1]) -
                                            (t[1][1] - t[0][1]) * (t[2][0] - t[0][0]) >
                                          0;
                                 });
}

vtkSmartPointer<vtkDoubleArray> heights(int n, int m, const char* name)
{
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetName(name);
  for (int j = 0; j < m; ++j)
  {
    for (int i = 0; i < n; ++i)
    {
      array->InsertNextValue(height(i, j));
    }
  }
  return array;
}

vtkSmartPointer<vtkPoints> rasterPoints(const std::function<double(int, int)>& z)
{
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetDataTypeToDouble();
  for (int j = 0; j < ny; ++j)
  {
    for (int i = 0; i < nx; ++i)
    {
      points->InsertNextPoint(x0 + i * dx, y0 + j * dy, z(i, j));
    }
  }
  return points;
}

void insertQuads(const std::function<void(const vtkIdType*)>& insert, bool downward = false)
{
  for (vtkIdType j = 0; j + 1 < ny; ++j)
  {
    for (vtkIdType i = 0; i + 1 < nx; ++i)
    {
      const vtkIdType a = i + nx * j;
      const vtkIdType up[4] = { a, a + 1, a + nx + 1, a + nx };
      const vtkIdType down[4] = { a, a + nx, a + nx + 1, a + 1 };
      insert(downward ? down : up);
    }
  }
}

vtkSmartPointer<vtkPolyData> quads(bool downward = false)
{
  auto data = vtkSmartPointer<vtkPolyData>::New();
  data->SetPoints(rasterPoints(height));
  vtkNew<vtkCellArray> cells;
  insertQuads([&](const vtkIdType* q) { cells->InsertNextCell(4, q); }, downward);
  data->SetPolys(cells);
  return data;
}

vtkSmartPointer<vtkUnstructuredGrid> unstructured(const std::function<double(int, int)>& z)
{
  auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  grid->SetPoints(rasterPoints(z));
  insertQuads([&](const vtkIdType* q) { grid->InsertNextCell(VTK_QUAD, 4, q); });
  return grid;
}

vtkSmartPointer<vtkStructuredGrid> structured()
{
  auto grid = vtkSmartPointer<vtkStructuredGrid>::New();
  grid->SetDimensions(nx, ny, 1);
  grid->SetPoints(rasterPoints(height));
  return grid;
}

template <class Grid = vtkImageData>
vtkSmartPointer<Grid> pointImage()
{
  auto image = vtkSmartPointer<Grid>::New();
  image->SetDimensions(nx, ny, 1);
  image->SetOrigin(x0, y0, 0);
  image->SetSpacing(dx, dy, 1);
  image->GetPointData()->SetScalars(heights(nx, ny, "dem"));
  return image;
}

/// Cells whose centres are the points of the raster, as GDAL's reader gives them.
vtkSmartPointer<vtkUniformGrid> cellImage()
{
  auto image = vtkSmartPointer<vtkUniformGrid>::New();
  image->SetDimensions(nx + 1, ny + 1, 1);
  image->SetOrigin(x0 - dx / 2, y0 - dy / 2, 0);
  image->SetSpacing(dx, dy, 1);
  image->GetCellData()->AddArray(heights(nx, ny, "Elevation"));
  return image;
}

vtkSmartPointer<vtkRectilinearGrid> rectilinear()
{
  auto grid = vtkSmartPointer<vtkRectilinearGrid>::New();
  grid->SetDimensions(nx, ny, 1);
  vtkNew<vtkDoubleArray> x, y, z;
  for (int i = 0; i < nx; ++i)
  {
    x->InsertNextValue(x0 + i * dx);
  }
  for (int j = 0; j < ny; ++j)
  {
    y->InsertNextValue(y0 + j * dy);
  }
  z->InsertNextValue(0);
  grid->SetXCoordinates(x);
  grid->SetYCoordinates(y);
  grid->SetZCoordinates(z);
  grid->GetPointData()->AddArray(heights(nx, ny, "z"));
  return grid;
}

void blankCell(vtkDataSet* data, vtkIdType cell)
{
  vtkUnsignedCharArray* ghosts = data->GetCellGhostArray();
  if (!ghosts)
  {
    vtkNew<vtkUnsignedCharArray> fresh;
    fresh->SetName(vtkDataSetAttributes::GhostArrayName());
    fresh->SetNumberOfTuples(data->GetNumberOfCells());
    fresh->FillValue(0);
    data->GetCellData()->AddArray(fresh);
    ghosts = data->GetCellGhostArray();
  }
  ghosts->SetValue(cell, vtkDataSetAttributes::HIDDENCELL);
}

std::vector<std::pair<std::string, vtkSmartPointer<vtkDataObject>>> everyKind()
{
  std::vector<std::pair<std::string, vtkSmartPointer<vtkDataObject>>> kinds{
    { "quads", quads() },
    { "quads wound downward", quads(true) },
    { "unstructured grid", unstructured(height) },
    { "structured grid", structured() },
    { "image with point heights", pointImage() },
    { "uniform grid with point heights", pointImage<vtkUniformGrid>() },
    { "uniform grid with cell heights", cellImage() },
    { "rectilinear grid", rectilinear() },
  };

  // North-up: the first row is the northernmost.
  auto northUp = pointImage();
  northUp->SetOrigin(x0, y0 + (ny - 1) * dy, 0);
  northUp->SetSpacing(dx, -dy, 1);
  vtkNew<vtkFloatArray> reversed;
  reversed->SetName("dem");
  vtkNew<vtkDoubleArray> reversedDouble;
  reversedDouble->SetName("dem");
  for (int j = ny - 1; j >= 0; --j)
  {
    for (int i = 0; i < nx; ++i)
    {
      reversedDouble->InsertNextValue(height(i, j));
    }
  }
  northUp->GetPointData()->SetScalars(reversedDouble);
  kinds.push_back({ "image from the north down", northUp });

  auto extent = pointImage();
  extent->SetExtent(3, 3 + nx - 1, -2, -2 + ny - 1, 5, 5);
  extent->SetOrigin(x0 - 3 * dx, y0 + 2 * dy, 0);
  kinds.push_back({ "image with an extent", extent });

  // Flat, with heights beside: GIS data that are not raised yet.
  auto flat = unstructured([](int, int) { return 0; });
  flat->GetPointData()->AddArray(heights(nx, ny, "Elevation"));
  kinds.push_back({ "flat unstructured grid", flat });

  vtkNew<vtkMultiBlockDataSet> inner, outer;
  inner->SetBlock(0, quads());
  outer->SetNumberOfBlocks(3);
  outer->SetBlock(0, inner);
  outer->SetBlock(2, vtkSmartPointer<vtkPolyData>::New());
  kinds.push_back({ "nested blocks", outer.Get() });

  vtkNew<vtkPartitionedDataSetCollection> collection;
  collection->SetPartition(0, 0, quads());
  kinds.push_back({ "partitioned collection", collection.Get() });

  vtkNew<vtkUnstructuredGrid> pixels;
  pixels->SetPoints(rasterPoints(height));
  insertQuads(
    [&](const vtkIdType* q)
    {
      const vtkIdType pixel[4] = { q[0], q[1], q[3], q[2] };
      pixels->InsertNextCell(VTK_PIXEL, 4, pixel);
    });
  kinds.push_back({ "pixels", pixels.Get() });
  return kinds;
}

TEST(TerrainSurface, TheSameTerrainInEveryKindOfDataGivesTheSameSurface)
{
  Triangles expected;
  for (const auto& [name, data] : everyKind())
  {
    Result run(data);
    EXPECT_EQ(run.listener.errors.size(), 0u) << name;
    EXPECT_EQ(run.output->GetNumberOfCells(), 2 * (nx - 1) * (ny - 1)) << name;
    EXPECT_EQ(run.output->GetNumberOfPoints(), nx * ny) << name;
    EXPECT_TRUE(allFaceUp(run.output)) << name;
    EXPECT_EQ(run.output->GetPoints()->GetDataType(), VTK_DOUBLE) << name;
    EXPECT_EQ(run.filter->GetSingleValued(), 1) << name;
    EXPECT_EQ(run.filter->GetHoles(), 0) << name;
    EXPECT_EQ(run.filter->GetParts(), 1) << name;
    auto* elevation =
      vtkDoubleArray::SafeDownCast(run.output->GetPointData()->GetArray("elevation"));
    ASSERT_TRUE(elevation) << name;
    for (vtkIdType p = 0; p < run.output->GetNumberOfPoints(); ++p)
    {
      ASSERT_EQ(elevation->GetValue(p), run.output->GetPoint(p)[2]) << name;
    }
    const Triangles found = trianglesOf(run.output);
    expected = expected.empty() ? found : expected;
    EXPECT_EQ(found, expected) << name;
  }
}

TEST(TerrainSurface, StripsGiveTheTrianglesTheyStandFor)
{
  vtkNew<vtkTriangleFilter> triangles;
  triangles->SetInputData(quads());
  vtkNew<vtkStripper> strips;
  strips->SetInputConnection(triangles->GetOutputPort());
  triangles->Update();
  strips->Update();
  ASSERT_GT(strips->GetOutput()->GetNumberOfStrips(), 0);
  Result whole(triangles->GetOutput()), stripped(strips->GetOutput());
  EXPECT_EQ(trianglesOf(stripped.output), trianglesOf(whole.output));
  EXPECT_EQ(stripped.filter->GetFlippedTriangles(), 0);
}

TEST(TerrainSurface, BlankedCellsAreHolesWithoutCliffs)
{
  // An image with heights in cells; the cell in the middle has no data and the worst of values.
  auto image = cellImage();
  const int i = 3, j = 2;
  image->GetCellData()->GetArray("Elevation")->SetComponent(i + nx * j, 0, -32768);
  blankCell(image, i + nx * j);
  Result run(image);
  EXPECT_EQ(run.listener.errors.size(), 0u);
  EXPECT_EQ(run.filter->GetMissingHeights(), 1);
  EXPECT_EQ(run.filter->GetHoles(), 1);
  EXPECT_EQ(run.output->GetNumberOfPoints(), nx * ny - 1);
  // Four squares lose their common corner and become one triangle each.
  EXPECT_EQ(run.output->GetNumberOfCells(), 2 * (nx - 1) * (ny - 1) - 4);
  EXPECT_GT(run.output->GetBounds()[4], 80);
  EXPECT_NE(std::string(run.filter->GetReport()).find("1 height is blanked or not finite"),
    std::string::npos)
    << run.filter->GetReport();
}

TEST(TerrainSurface, BlankedCellsOfAnImageWithPointHeightsAreHoles)
{
  auto image = pointImage<vtkUniformGrid>();
  blankCell(image, 2 + (nx - 1) * 1);
  Result run(image);
  EXPECT_EQ(run.output->GetNumberOfCells(), 2 * (nx - 1) * (ny - 1) - 2);
  EXPECT_EQ(run.filter->GetHoles(), 1);
  EXPECT_EQ(run.filter->GetMissingHeights(), 0);
}

TEST(TerrainSurface, BlankedPointsAndCellsOfGridsAreHoles)
{
  auto grid = structured();
  grid->BlankPoint(3 + nx * 2);
  Result points(grid);
  EXPECT_EQ(points.output->GetNumberOfCells(), 2 * (nx - 1) * (ny - 1) - 8);
  EXPECT_EQ(points.filter->GetHoles(), 1);

  auto cells = unstructured(height);
  blankCell(cells, 2 + (nx - 1) * 1);
  Result blanked(cells);
  EXPECT_EQ(blanked.output->GetNumberOfCells(), 2 * (nx - 1) * (ny - 1) - 2);
  EXPECT_EQ(blanked.filter->GetHoles(), 1);
}

TEST(TerrainSurface, HeightsThatAreNotANumberAreHoles)
{
  auto image = pointImage();
  image->GetPointData()->GetScalars()->SetComponent(3 + nx * 2, 0, nan);
  Result run(image);
  EXPECT_EQ(run.listener.errors.size(), 0u);
  EXPECT_EQ(run.filter->GetMissingHeights(), 1);
  EXPECT_EQ(run.output->GetNumberOfCells(), 2 * (nx - 1) * (ny - 1) - 4);
  EXPECT_EQ(run.filter->GetHoles(), 1);

  auto polygons = quads();
  polygons->GetPoints()->SetPoint(3 + nx * 2, x0, y0, nan);
  Result dropped(polygons);
  EXPECT_EQ(dropped.filter->GetDroppedTriangles(), 4);
  EXPECT_EQ(trianglesOf(dropped.output), trianglesOf(run.output));
  EXPECT_NE(
    std::string(dropped.filter->GetReport()).find("(the first is number 17)"), std::string::npos)
    << dropped.filter->GetReport();
}

TEST(TerrainSurface, TheVerticalScaleMultipliesHeightsOfEveryKind)
{
  for (const auto& [name, data] : everyKind())
  {
    Result run(data, [](auto* filter) { filter->SetVerticalScale(0.3048); });
    double bounds[6];
    run.output->GetBounds(bounds);
    Result plain(data);
    EXPECT_NEAR(bounds[4], 0.3048 * plain.output->GetBounds()[4], 1e-9) << name;
    EXPECT_NEAR(bounds[5], 0.3048 * plain.output->GetBounds()[5], 1e-9) << name;
    EXPECT_EQ(bounds[0], plain.output->GetBounds()[0]) << name;
  }
}

TEST(TerrainSurface, ASurfaceThatHasItsHeightsIsNotRaisedAgainUnlessAsked)
{
  auto data = quads();
  vtkNew<vtkDoubleArray> other;
  other->SetName("Elevation");
  for (int p = 0; p < nx * ny; ++p)
  {
    other->InsertNextValue(-p);
  }
  data->GetPointData()->SetScalars(other);
  const Triangles asItIs = trianglesOf(Result(quads()).output);
  EXPECT_EQ(trianglesOf(Result(data).output), asItIs);
  const auto array = [](auto* filter)
  { filter->SetHeightSource(vtkLapilliTerrainSurface::HEIGHTS_ARRAY); };
  EXPECT_EQ(Result(data, array).output->GetBounds()[4], -(nx * ny - 1));

  auto flat = unstructured([](int, int) { return 12; });
  flat->GetPointData()->AddArray(heights(nx, ny, "Elevation"));
  const auto coordinates = [](auto* filter)
  { filter->SetHeightSource(vtkLapilliTerrainSurface::HEIGHTS_COORDINATES); };
  EXPECT_EQ(Result(flat, coordinates).output->GetBounds()[5], 12);
}

TEST(TerrainSurface, TheArrayIsFoundByNameByCustomOrBecauseItIsTheOnlyOne)
{
  auto image = pointImage();
  vtkNew<vtkIntArray> soil;
  soil->SetName("soil");
  soil->SetNumberOfTuples(nx * ny);
  soil->FillValue(3);
  image->GetPointData()->AddArray(soil);
  const double top = Result(quads()).output->GetBounds()[5];

  EXPECT_EQ(Result(image).output->GetBounds()[5], top); // the active scalars
  EXPECT_EQ(Result(image, [](auto* f) { f->SetElevationArray("soil"); }).output->GetBounds()[5], 3);
  EXPECT_EQ(
    Result(image, [](auto* f) { f->SetElevationArray("(automatic)"); }).output->GetBounds()[5],
    top);

  image->GetPointData()->SetActiveScalars("soil");
  image->GetPointData()->GetArray("dem")->SetName("ELEVATION");
  EXPECT_EQ(Result(image).output->GetBounds()[5], top); // by custom before active

  image->GetPointData()->GetArray("ELEVATION")->SetName("dem");
  image->GetPointData()->SetActiveScalars(nullptr);
  Result unsure(image);
  ASSERT_EQ(unsure.listener.errors.size(), 1u);
  EXPECT_NE(
    unsure.listener.errors[0].find("several arrays that could be heights"), std::string::npos);
  EXPECT_NE(unsure.listener.errors[0].find("'dem', 'soil'"), std::string::npos);
  EXPECT_EQ(unsure.output->GetNumberOfCells(), 0);
  image->GetPointData()->RemoveArray("soil");
  EXPECT_EQ(Result(image).output->GetBounds()[5], top); // the only one
}

TEST(TerrainSurface, CellArraysFollowTheTriangles)
{
  auto data = quads();
  vtkNew<vtkShortArray> number;
  number->SetName("number");
  vtkNew<vtkFloatArray> pair;
  pair->SetName("pair");
  pair->SetNumberOfComponents(2);
  vtkNew<vtkStringArray> name;
  name->SetName("name");
  for (int c = 0; c < data->GetNumberOfCells(); ++c)
  {
    number->InsertNextValue(static_cast<short>(c));
    pair->InsertNextTuple2(c, -c);
    name->InsertNextValue("cell " + std::to_string(c));
  }
  data->GetCellData()->AddArray(number);
  data->GetCellData()->AddArray(pair);
  data->GetCellData()->AddArray(name);
  // Two triangles of a quadrilateral are spoilt.
  data->GetPoints()->SetPoint(0, nan, 0, 0);

  Result run(data);
  vtkCellData* cells = run.output->GetCellData();
  ASSERT_EQ(cells->GetNumberOfArrays(), 3);
  ASSERT_EQ(cells->GetArray("number")->GetDataType(), VTK_SHORT);
  ASSERT_EQ(cells->GetArray("pair")->GetDataType(), VTK_FLOAT);
  vtkNew<vtkIdList> ids;
  for (vtkIdType t = 0; t < run.output->GetNumberOfCells(); ++t)
  {
    // The square that the triangle's centre lies in.
    run.output->GetCellPoints(t, ids);
    double x = 0, y = 0;
    for (int k = 0; k < 3; ++k)
    {
      x += run.output->GetPoint(ids->GetId(k))[0] / 3;
      y += run.output->GetPoint(ids->GetId(k))[1] / 3;
    }
    const int expected =
      static_cast<int>((x - x0) / dx) + (nx - 1) * static_cast<int>((y - y0) / dy);
    EXPECT_EQ(cells->GetArray("number")->GetComponent(t, 0), expected);
    EXPECT_EQ(cells->GetArray("pair")->GetComponent(t, 1), -expected);
    EXPECT_EQ(vtkStringArray::SafeDownCast(cells->GetAbstractArray("name"))->GetValue(t),
      "cell " + std::to_string(expected));
  }
}

TEST(TerrainSurface, ArraysOfSomeBlocksOnlyAreFilledWithNothingOrLeftOutWithANote)
{
  auto first = quads(), second = quads();
  second->GetPoints()->Modified();
  for (vtkIdType p = 0; p < second->GetNumberOfPoints(); ++p)
  {
    double x[3];
    second->GetPoint(p, x);
    second->GetPoints()->SetPoint(p, x[0] + 1000, x[1], x[2]);
  }
  const auto add = [](vtkPolyData* data, const char* name, vtkDataArray* array, double value)
  {
    array->SetName(name);
    array->SetNumberOfTuples(data->GetNumberOfCells());
    array->Fill(value);
    data->GetCellData()->AddArray(array);
  };
  add(first, "friction", vtkSmartPointer<vtkDoubleArray>::New(), 0.7);
  add(first, "heat", vtkSmartPointer<vtkDoubleArray>::New(), 900);
  add(first, "rolling_friction", vtkSmartPointer<vtkIntArray>::New(), 1);
  add(first, "rock", vtkSmartPointer<vtkIntArray>::New(), 4);
  add(first, "both", vtkSmartPointer<vtkIntArray>::New(), 5);
  add(second, "both", vtkSmartPointer<vtkDoubleArray>::New(), 6.5);
  vtkNew<vtkMultiBlockDataSet> blocks;
  blocks->SetBlock(0, first);
  blocks->SetBlock(1, second);

  Result run(blocks);
  vtkCellData* cells = run.output->GetCellData();
  const vtkIdType half = run.output->GetNumberOfCells() / 2;
  ASSERT_TRUE(cells->GetArray("friction"));
  EXPECT_EQ(cells->GetArray("friction")->GetComponent(half - 1, 0), 0.7);
  EXPECT_EQ(
    cells->GetArray("friction")->GetComponent(half, 0), -1); // the simulation's property holds
  ASSERT_TRUE(cells->GetArray("rolling_friction"));          // also of whole numbers
  EXPECT_EQ(cells->GetArray("rolling_friction")->GetComponent(0, 0), 1);
  EXPECT_EQ(cells->GetArray("rolling_friction")->GetComponent(half, 0), -1);
  EXPECT_EQ(cells->GetArray("heat")->GetComponent(half - 1, 0), 900);
  EXPECT_TRUE(std::isnan(cells->GetArray("heat")->GetComponent(half, 0)));
  EXPECT_FALSE(cells->GetArray("rock"));
  EXPECT_EQ(cells->GetArray("both")->GetComponent(0, 0), 5);
  EXPECT_EQ(cells->GetArray("both")->GetComponent(half, 0), 6.5);
  EXPECT_NE(std::string(run.filter->GetReport())
              .find("Cell array 'rock' is not there in all blocks and was left out."),
    std::string::npos)
    << run.filter->GetReport();
  EXPECT_EQ(run.filter->GetParts(), 2);
}

TEST(TerrainSurface, BlocksThatShareAnEdgeBecomeOneSheet)
{
  auto west = quads(), east = quads();
  for (vtkIdType p = 0; p < east->GetNumberOfPoints(); ++p)
  {
    double x[3];
    east->GetPoint(p, x);
    // Mirrored at the eastern edge: the same heights there, wound downward.
    east->GetPoints()->SetPoint(p, 2 * (x0 + (nx - 1) * dx) - x[0], x[1], x[2]);
  }
  vtkNew<vtkMultiBlockDataSet> blocks;
  blocks->SetBlock(0, west);
  blocks->SetBlock(1, east);
  Result run(blocks);
  EXPECT_EQ(run.filter->GetParts(), 1);
  EXPECT_EQ(run.filter->GetMergedPoints(), ny);
  EXPECT_EQ(run.filter->GetFlippedTriangles(), 2 * (nx - 1) * (ny - 1));
  EXPECT_TRUE(allFaceUp(run.output));
}

TEST(TerrainSurface, ClosedBodiesFaceOutwardAndContainersInward)
{
  vtkNew<vtkSphereSource> sphere;
  sphere->SetThetaResolution(24);
  sphere->SetPhiResolution(16);
  sphere->SetCenter(100, 200, -50);
  sphere->SetRadius(10);
  sphere->Update();
  for (const int role : { vtkLapilliTerrainSurface::TERRAIN, vtkLapilliTerrainSurface::OBSTACLE,
         vtkLapilliTerrainSurface::CONTAINER })
  {
    Result run(sphere->GetOutput(), [role](auto* filter) { filter->SetRole(role); });
    EXPECT_EQ(run.filter->GetClosedParts(), 1);
    const Triangles triangles = trianglesOf(run.output);
    for (const auto& t : triangles)
    {
      const double u[3] = { t[1][0] - t[0][0], t[1][1] - t[0][1], t[1][2] - t[0][2] };
      const double v[3] = { t[2][0] - t[0][0], t[2][1] - t[0][1], t[2][2] - t[0][2] };
      const double outward = (u[1] * v[2] - u[2] * v[1]) * (t[0][0] - 100) +
                             (u[2] * v[0] - u[0] * v[2]) * (t[0][1] - 200) +
                             (u[0] * v[1] - u[1] * v[0]) * (t[0][2] + 50);
      ASSERT_EQ(outward > 0, role != vtkLapilliTerrainSurface::CONTAINER);
    }
  }
}

TEST(TerrainSurface, VolumeCellsGiveTheirOuterFaces)
{
  vtkNew<vtkImageData> block;
  block->SetDimensions(4, 3, 3);
  vtkNew<vtkAppendFilter> toUnstructured;
  toUnstructured->SetInputData(block);
  toUnstructured->Update();
  Result run(toUnstructured->GetOutput());
  EXPECT_EQ(run.listener.errors.size(), 0u);
  EXPECT_EQ(run.filter->GetClosedParts(), 1);
  EXPECT_EQ(run.output->GetNumberOfCells(), 2 * 2 * (3 * 2 + 3 * 2 + 2 * 2));
}

TEST(TerrainSurface, AMoebiusBandIsTwoSided)
{
  const int n = 24;
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  const double pi = std::acos(-1.0);
  for (int i = 0; i < n; ++i)
  {
    for (const double s : { -0.3, 0.3 })
    {
      const double a = 2 * pi * i / n, r = 1 + s * std::cos(a / 2);
      points->InsertNextPoint(r * std::cos(a), r * std::sin(a), s * std::sin(a / 2));
    }
  }
  vtkNew<vtkCellArray> cells;
  for (vtkIdType i = 0; i < n; ++i)
  {
    const vtkIdType a = 2 * i, next = 2 * ((i + 1) % n), turned = i + 1 == n ? 1 : 0;
    cells->InsertNextCell({ a, next + turned, next + 1 - turned, a + 1 });
  }
  vtkNew<vtkPolyData> band;
  band->SetPoints(points);
  band->SetPolys(cells);
  Result run(band);
  EXPECT_EQ(run.filter->GetTwoSidedParts(), 1);
  ASSERT_TRUE(run.output->GetCellData()->GetArray("two_sided"));
  EXPECT_EQ(run.output->GetCellData()->GetArray("two_sided")->GetRange()[0], 1);
  EXPECT_FALSE(Result(quads()).output->GetCellData()->HasArray("two_sided"));
}

TEST(TerrainSurface, AnOpenSheetIsTwoSidedAsAnObstacle)
{
  Result run(quads(), [](auto* filter) { filter->SetRole(vtkLapilliTerrainSurface::OBSTACLE); });
  EXPECT_EQ(run.filter->GetTwoSidedParts(), 1);
  EXPECT_TRUE(run.output->GetCellData()->HasArray("two_sided"));
}

TEST(TerrainSurface, AnArrayThatIsNotThereIsRefusedUnlessHeightsAreCoordinates)
{
  Result run(quads(),
    [](auto* filter)
    {
      filter->SetElevationArray("nope");
      filter->SetHeightSource(vtkLapilliTerrainSurface::HEIGHTS_COORDINATES);
    });
  EXPECT_TRUE(run.listener.errors.empty());
  EXPECT_GT(run.output->GetNumberOfCells(), 0);
}

TEST(TerrainSurface, TrianglesWithoutAreaAndDuplicatesAreDroppedAndCounted)
{
  auto data = quads();
  data->GetPolys()->InsertNextCell({ 0, 1, 1 });
  data->GetPolys()->InsertNextCell({ 0, 2, 2 });
  data->GetPolys()->InsertNextCell({ 0, 1, nx + 1, nx });
  Result run(data);
  EXPECT_EQ(run.filter->GetDroppedTriangles(), 4);
  EXPECT_EQ(trianglesOf(run.output), trianglesOf(Result(quads()).output));
  vtkFieldData* fields = run.output->GetFieldData();
  EXPECT_EQ(fields->GetArray("dropped_triangles")->GetComponent(0, 0), 4);
  EXPECT_EQ(fields->GetArray("triangles")->GetComponent(0, 0), 2 * (nx - 1) * (ny - 1));
  EXPECT_EQ(vtkStringArray::SafeDownCast(fields->GetAbstractArray("report"))->GetValue(0),
    run.filter->GetReport());
}

TEST(TerrainSurface, ASecondPassChangesNothing)
{
  for (const auto& [name, data] : everyKind())
  {
    Result once(data);
    Result twice(once.output);
    EXPECT_EQ(trianglesOf(twice.output), trianglesOf(once.output)) << name;
    EXPECT_EQ(twice.filter->GetFlippedTriangles(), 0) << name;
  }
}

TEST(TerrainSurface, BadDataIsOneSentenceAndThePipelineLivesOn)
{
  const auto scale = [](double s)
  { return [s](vtkLapilliTerrainSurface* filter) { filter->SetVerticalScale(s); }; };
  const auto array = [](const char* name)
  { return [name](vtkLapilliTerrainSurface* filter) { filter->SetElevationArray(name); }; };
  vtkNew<vtkPolyData> empty;
  vtkNew<vtkMultiBlockDataSet> emptyBlocks;
  vtkNew<vtkTable> table;
  vtkNew<vtkImageData> bare, volume;
  bare->SetDimensions(4, 4, 1);
  volume->SetDimensions(4, 4, 4);
  auto vectors = pointImage();
  vtkNew<vtkFloatArray> vector;
  vector->SetName("wind");
  vector->SetNumberOfComponents(3);
  vector->SetNumberOfTuples(nx * ny);
  vectors->GetPointData()->AddArray(vector);
  auto line = quads();
  for (vtkIdType p = 0; p < line->GetNumberOfPoints(); ++p)
  {
    line->GetPoints()->SetPoint(p, p, p, 0);
  }
  auto blank = pointImage();
  blank->GetPointData()->GetScalars()->Fill(nan);
  auto shortHeights = pointImage(), shortColours = pointImage();
  shortHeights->GetPointData()->GetScalars()->Resize(3);
  vtkNew<vtkFloatArray> colour;
  colour->SetName("colour");
  colour->SetNumberOfTuples(2);
  shortColours->GetCellData()->AddArray(colour);
  const auto onlyPoints = pipelines::seeds({ { 0, 0, 0 }, { 1, 1, 1 } });

  // Of damaged files.
  auto strayCorner = quads(), negativeCorner = quads();
  strayCorner->GetPolys()->InsertNextCell({ 0, 1, nx * ny });
  negativeCorner->GetPolys()->InsertNextCell({ 0, -1, 2, 3 });
  vtkNew<vtkUnstructuredGrid> fewCorners, strangeType, strayInBody;
  for (vtkUnstructuredGrid* grid : { fewCorners.Get(), strangeType.Get(), strayInBody.Get() })
  {
    grid->SetPoints(quads()->GetPoints());
  }
  const vtkIdType corners[] = { 0, 1, 2, 400 };
  fewCorners->InsertNextCell(VTK_HEXAHEDRON, 3, corners);
  strangeType->InsertNextCell(255, 3, corners);
  strayInBody->InsertNextCell(VTK_TETRA, 4, corners);
  vtkNew<vtkStructuredGrid> fewPoints;
  fewPoints->SetDimensions(nx + 1, ny, 1);
  fewPoints->SetPoints(quads()->GetPoints());
  vtkNew<vtkRectilinearGrid> fewLines;
  fewLines->SetDimensions(nx, ny, 1);
  fewLines->GetPointData()->SetScalars(pointImage()->GetPointData()->GetScalars());

  struct Case
  {
    vtkSmartPointer<vtkDataObject> data;
    std::function<void(vtkLapilliTerrainSurface*)> change;
    const char* text;
  };
  const Case cases[] = {
    { empty.Get(), {},
      "terrain has no triangles left; it must have at least 1: connect a surface" },
    { emptyBlocks.Get(), {}, "terrain has no triangles left; it must have at least 1" },
    { onlyPoints, {}, "terrain has no triangles left; it must have at least 1" },
    { line, {}, "terrain has no triangles left of 48 (" },
    { blank, {}, "terrain has no triangles left (35 heights are blanked or not finite)" },
    { table.Get(), {}, "terrain is of type vtkTable; it must be a surface, a grid or an image" },
    { bare.Get(), {}, "terrain has no array of heights (point arrays: none; cell arrays: none)" },
    { volume.Get(), {},
      "terrain is a volume, an image of 4 x 4 x 4 points; a height field must have 1 layer in z" },
    { quads(), scale(0), "vertical scale is 0; it must be finite and not 0" },
    { quads(), scale(nan), "vertical scale is nan; it must be finite and not 0" },
    { pointImage(), array("DEM"),
      "elevation array is 'DEM'; it must be one of the terrain's (point arrays: 'dem'; cell "
      "arrays: none)" },
    { quads(), array("nope"), "elevation array is 'nope'; it must be one of the terrain's (point" },
    { shortHeights, {},
      "terrain's point array 'dem' has 3 values; it must have 35, one for each point" },
    { shortColours, {},
      "terrain's cell array 'colour' has 2 values; it must have 24, one for each cell" },
    { vectors, array("wind"), "elevation array 'wind' has 3 components; heights have 1" },
    { strayCorner, {}, "terrain has a cell with the corner 35 and 35 points; corners must be" },
    { negativeCorner, {}, "terrain has a cell with the corner -1 and 35 points; corners must be" },
    { strayInBody.Get(), {}, "terrain has a cell with the corner 400 and 35 points" },
    { fewCorners.Get(), {}, "terrain's cell 0 has 3 corners; a vtkHexahedron must have 8" },
    { strangeType.Get(), {}, "terrain has a cell of the unknown type 255" },
    { fewPoints.Get(), {}, "terrain is a structured grid with 35 points and dimensions for 40" },
    { fewLines.Get(), {},
      "terrain is a rectilinear grid with 1 x coordinates and 7 points along that axis" },
  };
  for (const Case& bad : cases)
  {
    Result run(bad.data, bad.change);
    ASSERT_EQ(run.listener.errors.size(), 1u) << bad.text;
    EXPECT_NE(run.listener.errors[0].find(bad.text), std::string::npos)
      << run.listener.errors[0] << "\nhas not: " << bad.text;
    EXPECT_EQ(run.output->GetNumberOfCells(), 0) << bad.text;
    EXPECT_TRUE(run.output->GetPointData()->HasArray("elevation")) << bad.text;
    EXPECT_EQ(run.filter->GetNumberOfTriangles(), 0) << bad.text;

    // Then good data: the same filter works.
    run.listener.clear();
    run.filter->SetVerticalScale(1);
    run.filter->SetElevationArray(nullptr);
    run.filter->SetInputDataObject(quads());
    run.filter->Update();
    EXPECT_EQ(run.listener.errors.size(), 0u) << bad.text;
    EXPECT_EQ(run.filter->GetNumberOfTriangles(), 48) << bad.text;
  }
}

TEST(TerrainSurface, GhostsMayBeNumbersOfAnyType)
{
  auto bytes = quads(), doubles = quads();
  vtkNew<vtkUnsignedCharArray> marks;
  vtkNew<vtkDoubleArray> numbers;
  for (vtkDataArray* array :
    { static_cast<vtkDataArray*>(marks), static_cast<vtkDataArray*>(numbers) })
  {
    array->SetName(vtkDataSetAttributes::GhostArrayName());
    array->SetNumberOfTuples(24);
    array->Fill(0);
    array->SetComponent(7, 0, vtkDataSetAttributes::HIDDENCELL);
  }
  numbers->SetValue(0, nan);
  numbers->SetValue(1, -1);
  numbers->SetValue(2, 1e30);
  bytes->GetCellData()->AddArray(marks);
  doubles->GetCellData()->AddArray(numbers);
  EXPECT_EQ(trianglesOf(Result(bytes).output).size(), 46u);
  EXPECT_EQ(trianglesOf(Result(doubles).output), trianglesOf(Result(bytes).output));
}

TEST(TerrainSurface, AMapInDegreesIsNoticed)
{
  auto degrees = pointImage();
  degrees->SetOrigin(6, 49, 0);
  degrees->SetSpacing(0.01, 0.01, 1);
  EXPECT_NE(std::string(Result(degrees).filter->GetReport()).find("if x and y are degrees"),
    std::string::npos);
  EXPECT_EQ(std::string(Result(quads()).filter->GetReport()).find("degrees"), std::string::npos);
}

TEST(TerrainSurface, AnExtentOrAPieceOfAnotherProcessIsEmpty)
{
  vtkNew<vtkLapilliTerrainSurface> filter;
  pipelines::Listener listener(filter);
  filter->SetInputData(quads());
  filter->UpdatePiece(1, 2, 0);
  EXPECT_EQ(listener.errors.size(), 0u);
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
  EXPECT_TRUE(filter->GetOutput()->GetPointData()->HasArray("elevation"));
  filter->UpdatePiece(0, 2, 0);
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 48);
}

} // namespace
