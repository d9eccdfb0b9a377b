/// A raster cut into tiles is the raster again; exaggerated heights are a warning; no input is too odd or too large.
#include "SurfaceResults.h"

#include "vtkLapilliGranularFlow.h"

#include <vtkCellData.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkTypeInt64Array.h>
#include <vtkUniformGrid.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

using namespace surfaces;

namespace
{

bool isBlank(int i, int j)
{
  return (i == 5 && j == 2) || (i == 7 && j == 5) || (i == 8 && j == 6);
}

/// Columns i0 … i1 - 1 and rows j0 … j1 - 1 of a raster of 8 m x 4 m cells.
vtkSmartPointer<vtkImageData> tile(
  int i0, int i1, int j0, int j1, bool onCells, bool blanks = false)
{
  auto image = vtkSmartPointer<vtkUniformGrid>::New();
  image->SetOrigin(1024 + 8 * i0, 2048 + 4 * j0, 0);
  image->SetSpacing(8, 4, 1);
  image->SetDimensions(i1 - i0 + onCells, j1 - j0 + onCells, 1);
  vtkNew<vtkDoubleArray> heights;
  heights->SetName("Elevation");
  vtkNew<vtkIntArray> column;
  column->SetName("column");
  for (int j = j0; j < j1; ++j)
  {
    for (int i = i0; i < i1; ++i)
    {
      heights->InsertNextValue(
        blanks && isBlank(i, j) ? std::numeric_limits<double>::quiet_NaN() : height(i, j));
      column->InsertNextValue(i);
    }
  }
  auto* attributes =
    onCells ? static_cast<vtkDataSetAttributes*>(image->GetCellData()) : image->GetPointData();
  attributes->AddArray(heights);
  if (onCells)
  {
    attributes->AddArray(column);
  }
  return image;
}

vtkSmartPointer<vtkMultiBlockDataSet> blocksOf(
  const std::vector<vtkSmartPointer<vtkImageData>>& tiles)
{
  auto blocks = vtkSmartPointer<vtkMultiBlockDataSet>::New();
  for (const auto& t : tiles)
  {
    blocks->SetBlock(blocks->GetNumberOfBlocks(), t);
  }
  return blocks;
}

/// 3 x 2 tiles of unequal size of a raster of 12 x 9 samples.
vtkSmartPointer<vtkMultiBlockDataSet> cut(bool onCells, bool blanks)
{
  std::vector<vtkSmartPointer<vtkImageData>> tiles;
  const int columns[] = { 0, 6, 7, 12 }, rows[] = { 0, 6, 9 };
  for (int b = 0; b < 2; ++b)
  {
    for (int a = 0; a < 3; ++a)
    {
      tiles.push_back(tile(columns[a], columns[a + 1], rows[b], rows[b + 1], onCells, blanks));
    }
  }
  return blocksOf(tiles);
}

TEST(TerrainTiles, OfASingleRowOrColumnOfPointsKeepTheirCells)
{
  for (const bool isColumn : { true, false })
  {
    vtkNew<vtkMultiBlockDataSet> tiles;
    const auto thin = [&](int at)
    { return isColumn ? tile(at, at + 1, 0, 9, false) : tile(0, 9, at, at + 1, false); };
    for (int at = 0; at < 3; ++at)
    {
      const auto image = thin(at);
      vtkNew<vtkIntArray> cells;
      cells->SetName("cell");
      for (vtkIdType c = 0; c < image->GetNumberOfCells(); ++c)
      {
        cells->InsertNextValue(static_cast<int>(c));
      }
      image->GetCellData()->AddArray(cells);
      tiles->SetBlock(static_cast<unsigned int>(at), image);
    }
    const Result result(tiles);
    ASSERT_TRUE(result.listener.errors.empty()) << result.listener.errors[0];
    EXPECT_EQ(result.output->GetNumberOfCells(), 2 * 2 * 8);
    auto* cells = vtkIntArray::SafeDownCast(result.output->GetCellData()->GetArray("cell"));
    ASSERT_TRUE(cells);
    EXPECT_EQ(cells->GetRange()[0], 0);
    EXPECT_EQ(cells->GetRange()[1], 7);
  }
}

TEST(TerrainTiles, ThatOverlapAreNotTurnedOver)
{
  int told = 0;
  for (const double x : { 70., 70.4, 75., 90., 95. })
  {
    for (const double z : { 0., 0.1, 0.3, 0.45, 0.6 })
    {
      auto other = pipelines::plane(100, z, 10);
      for (vtkIdType p = 0; p < other->GetNumberOfPoints(); ++p)
      {
        double at[3];
        other->GetPoint(p, at);
        other->GetPoints()->SetPoint(p, at[0] + x, at[1], at[2]);
      }
      vtkNew<vtkMultiBlockDataSet> tiles;
      tiles->SetBlock(0, pipelines::plane(100, 0, 10));
      tiles->SetBlock(1, other);
      const Result result(tiles);
      ASSERT_TRUE(result.listener.errors.empty());
      const Triangles triangles = trianglesOf(result.output);
      EXPECT_GE(triangles.size(), 340u); // of 400, of which two tiles may have 60 in common
      for (const auto& t : triangles)
      {
        EXPECT_GT(
          (t[1][0] - t[0][0]) * (t[2][1] - t[0][1]), (t[1][1] - t[0][1]) * (t[2][0] - t[0][0]))
          << x << ", " << z;
      }
      for (const std::string& warning : result.listener.warnings)
      {
        EXPECT_TRUE(pipelines::contains(warning, "overlap")) << warning;
        EXPECT_TRUE(pipelines::contains(warning, "left open")) << warning;
        ++told;
      }
    }
  }
  EXPECT_GT(told, 10); // else nothing was tried
}

TEST(TerrainTiles, ThatTheReaderHasTriangulatedOneCellApartAreAWarning)
{
  const auto sheet = [](double x)
  {
    auto data = pipelines::plane(100, 5, 10); // cells of 10 m
    for (vtkIdType p = 0; p < data->GetNumberOfPoints(); ++p)
    {
      double at[3];
      data->GetPoint(p, at);
      data->GetPoints()->SetPoint(p, at[0] + x, at[1], at[2]);
    }
    vtkNew<vtkDoubleArray> cell;
    cell->SetName("cell_size");
    cell->SetNumberOfComponents(2);
    cell->InsertNextTuple2(10, 10);
    data->GetFieldData()->AddArray(cell);
    return data;
  };
  for (const double gap : { 10., 0., -10., 30. })
  {
    vtkNew<vtkMultiBlockDataSet> tiles;
    tiles->SetBlock(0, sheet(0));
    tiles->SetBlock(1, sheet(100 + gap));
    const Result result(tiles);
    ASSERT_EQ(result.listener.warnings.size(), gap == 10 ? 1u : 0u) << gap;
    if (gap == 10)
    {
      EXPECT_TRUE(pipelines::contains(result.listener.warnings[0], "one cell, 10 m, apart"))
        << result.listener.warnings[0];
    }
  }
}

TEST(TerrainTiles, GapsOfOneCellAreFilledAsTheWholeRasterHasThem)
{
  for (const bool onCells : { true, false })
  {
    for (const bool blanks : { false, true })
    {
      Result whole(tile(0, 12, 0, 9, onCells, blanks)), tiled(cut(onCells, blanks));
      EXPECT_EQ(trianglesOf(tiled.output), trianglesOf(whole.output)) << onCells << blanks;
      EXPECT_EQ(tiled.filter->GetParts(), 1);
      EXPECT_EQ(tiled.filter->GetSingleValued(), 1);
      EXPECT_EQ(tiled.filter->GetHoles(), whole.filter->GetHoles());
      EXPECT_GE(tiled.filter->GetClosedSeams(), 7); // pairs side by side, and across corners
      EXPECT_NE(std::string(tiled.filter->GetReport()).find("Gaps of one cell"), std::string::npos);
    }
  }
}

TEST(TerrainTiles, WithToleranceZeroGapsStay)
{
  Result run(cut(true, false), [](vtkLapilliTerrainSurface* f) { f->SetSeamTolerance(0); });
  EXPECT_EQ(run.filter->GetParts(), 4); // two of the six tiles are one cell wide and give nothing
  EXPECT_EQ(run.filter->GetClosedSeams(), 0);
}

TEST(TerrainTiles, CellArraysGoOnAcrossTheGaps)
{
  Result run(cut(true, false));
  auto* column = vtkIntArray::SafeDownCast(run.output->GetCellData()->GetArray("column"));
  ASSERT_TRUE(column);
  ASSERT_EQ(column->GetNumberOfTuples(), run.output->GetNumberOfCells());
  for (vtkIdType t = 0; t < run.output->GetNumberOfCells(); ++t)
  {
    vtkNew<vtkIdList> ids;
    run.output->GetCellPoints(t, ids);
    double least = 1e300, x[3];
    for (int k = 0; k < 3; ++k)
    {
      run.output->GetPoint(ids->GetId(k), x);
      least = std::min(least, x[0]);
    }
    EXPECT_EQ(column->GetValue(t), (least - 1028) / 8) << t; // of the cell at the first corner
  }
}

TEST(TerrainTiles, OtherSpacingOrPlaceIsNoGapOfOneCell)
{
  for (const int change : { 0, 1, 2 })
  {
    auto east = tile(6, 12, 0, 9, true);
    if (change == 0)
    {
      east->SetSpacing(9, 4, 1);
    }
    else
    {
      east->SetOrigin(east->GetOrigin()[0] + (change == 1 ? 8 : 0.7), 2048, 0);
    }
    Result run(blocksOf({ tile(0, 6, 0, 9, true), east }));
    EXPECT_EQ(run.filter->GetParts(), 2) << change;
    EXPECT_EQ(run.filter->GetClosedSeams(), 0);
  }
}

TEST(TerrainTiles, TenThousandBlocksAreMergedInSeconds)
{
  std::vector<vtkSmartPointer<vtkImageData>> tiles;
  for (int k = 0; k < 10000; ++k)
  {
    const int i = 3 * (k % 100), j = 3 * (k / 100);
    tiles.push_back(k % 53 == 7 ? vtkSmartPointer<vtkImageData>::New() // empty
                                : tile(i, i + 3, j, j + 3, true));
  }
  Result run(blocksOf(tiles));
  EXPECT_EQ(run.listener.errors.size(), 0u);
  EXPECT_EQ(run.filter->GetParts(), 1);
  EXPECT_EQ(run.filter->GetSingleValued(), 1);
}

TEST(TerrainTiles, TheFieldDataNamesAllThatWasFound)
{
  Result run(cut(true, false));
  vtkFieldData* fields = run.output->GetFieldData();
  const auto count = [&](const char* name)
  {
    auto* array = vtkTypeInt64Array::SafeDownCast(fields->GetAbstractArray(name));
    return array ? array->GetValue(0) : -1;
  };
  EXPECT_EQ(count("closed_seams"), run.filter->GetClosedSeams());
  EXPECT_EQ(count("boundary_edges"), 2 * (11 + 8));
  EXPECT_EQ(run.filter->GetBoundaryEdges(), 2 * (11 + 8));
  for (const char* name : { "degenerate_triangles", "duplicate_triangles", "snapped_points" })
  {
    EXPECT_EQ(count(name), 0) << name;
  }
  for (const char* name : { "largest_snap", "open_seam_length" })
  {
    EXPECT_TRUE(fields->GetArray(name)) << name;
  }
  EXPECT_NE(std::string(run.filter->GetReport()).find("38 boundary edges"), std::string::npos);
}

/// A surface with its array elevation, whose z is a multiple of it.
vtkSmartPointer<vtkPolyData> warped(double factor, double shift = 0)
{
  Result raster(tile(0, 12, 0, 9, false));
  auto surface = vtkSmartPointer<vtkPolyData>::New();
  surface->DeepCopy(raster.output);
  for (vtkIdType p = 0; p < surface->GetNumberOfPoints(); ++p)
  {
    double x[3];
    surface->GetPoint(p, x);
    surface->GetPoints()->SetPoint(p, x[0], x[1], factor * x[2] + shift);
  }
  return surface;
}

TEST(Exaggeration, IsAWarningThatNamesTheFactor)
{
  for (const double factor : { 1.0, 3.0, 1.5, -2.0, 0.3048, 1 / 0.3048 })
  {
    const bool isWarped = factor == 3 || factor == 1.5 || factor == -2;
    Result run(warped(factor, 20));
    EXPECT_EQ(run.listener.warnings.size(), isWarped ? 1u : 0u) << factor;
    run.filter->Update();
    EXPECT_EQ(run.listener.warnings.size(), isWarped ? 1u : 0u) << factor; // nothing has changed
    const bool reported =
      std::string(run.filter->GetReport()).find("times its array 'elevation'") != std::string::npos;
    EXPECT_EQ(reported, isWarped) << factor;
  }
  const std::string warning = Result(warped(3)).listener.warnings.at(0);
  EXPECT_NE(
    warning.find("The heights of the terrain are 3 times its array 'elevation'"), std::string::npos)
    << warning;
}

TEST(Exaggeration, IsFoundFromCellsTooAndNotFromAnotherArray)
{
  auto surface = warped(3);
  vtkNew<vtkDoubleArray> mean, other;
  mean->SetName("Elevation");
  for (vtkIdType c = 0; c < surface->GetNumberOfCells(); ++c)
  {
    vtkNew<vtkIdList> ids;
    surface->GetCellPoints(c, ids);
    double z = 0, x[3];
    for (int k = 0; k < 3; ++k)
    {
      surface->GetPoint(ids->GetId(k), x);
      z += x[2] / 9;
    }
    mean->InsertNextValue(z);
  }
  surface->GetPointData()->Initialize();
  surface->GetCellData()->AddArray(mean);
  EXPECT_EQ(Result(surface).listener.warnings.size(), 1u);

  auto unrelated = warped(1);
  unrelated->GetPointData()->Initialize();
  other->SetName("z");
  for (vtkIdType p = 0; p < unrelated->GetNumberOfPoints(); ++p)
  {
    other->InsertNextValue(static_cast<double>(p * p % 17));
  }
  unrelated->GetPointData()->AddArray(other);
  EXPECT_EQ(Result(unrelated).listener.warnings.size(), 0u);
}

TEST(Exaggeration, AVerticalScaleThatIsNoUnitWarnsOnceAChange)
{
  Result run(tile(0, 12, 0, 9, false));
  std::size_t warnings = 0;
  for (const double scale : { 1.0, 3.0, 0.3048, 0.3048006096, 1 / 0.3048, -1.0, 0.01, 1.5 })
  {
    run.filter->SetVerticalScale(scale);
    run.filter->Update();
    run.filter->Update();
    warnings += scale == 3 || scale == 1.5;
    EXPECT_EQ(run.listener.warnings.size(), warnings) << scale;
  }
}

TEST(Exaggeration, ReachesThoseWhoConnectTheTerrainToGranularFlow)
{
  vtkNew<vtkPolyData> seeds;
  vtkNew<vtkPoints> points;
  points->InsertNextPoint(1060, 2060, 400);
  seeds->SetPoints(points);
  for (const double factor : { 1.0, 3.0 })
  {
    vtkNew<vtkLapilliGranularFlow> flow;
    pipelines::Listener listener(flow);
    flow->SetInputDataObject(0, warped(factor));
    flow->SetInputDataObject(1, seeds);
    flow->Update();
    const bool warned = std::any_of(listener.warnings.begin(), listener.warnings.end(),
      [](const std::string& w) { return w.find("3 times its array") != std::string::npos; });
    EXPECT_EQ(warned, factor == 3);
    EXPECT_TRUE(listener.errors.empty());
  }
}

TEST(TerrainFaults, HeightsThatAreNoHeightsAreOneSentence)
{
  for (const double wrong : { 1e30, -3.4028235e38, 1e9 })
  {
    auto image = tile(0, 12, 0, 9, true);
    image->GetCellData()->GetArray("Elevation")->SetTuple1(7, wrong);
    Result run(image);
    ASSERT_EQ(run.listener.errors.size(), 1u) << wrong;
    EXPECT_NE(
      run.listener.errors[0].find("coordinates must be within 1e+08 m of 0"), std::string::npos)
      << run.listener.errors[0];
    EXPECT_EQ(run.output->GetNumberOfCells(), 0);
  }
}

TEST(TerrainFaults, OneRowOrColumnIsOneSentence)
{
  for (const bool onCells : { true, false })
  {
    for (const auto& image : { tile(0, 12, 0, 1, onCells), tile(0, 1, 0, 9, onCells) })
    {
      Result run(image);
      EXPECT_EQ(run.listener.errors.size(), 1u);
      EXPECT_EQ(run.output->GetNumberOfCells(), 0);
    }
  }
}

TEST(TerrainFaults, ASeamToleranceThatIsNoNumberIsRefused)
{
  Result run(cut(true, false), [](vtkLapilliTerrainSurface* f)
    { f->SetSeamTolerance(std::numeric_limits<double>::quiet_NaN()); });
  ASSERT_EQ(run.listener.errors.size(), 1u);
  EXPECT_NE(run.listener.errors[0].find("seam tolerance"), std::string::npos);
}

TEST(TerrainFaults, APolygonOfAHundredThousandCornersIsTriangulated)
{
  // A star, so that half of its corners are reflex.
  constexpr int count = 100000;
  vtkNew<vtkPolyData> star;
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkCellArray> polygons;
  polygons->InsertNextCell(count);
  for (int i = 0; i < count; ++i)
  {
    const double a = 2 * M_PI * i / count, r = i % 2 ? 1000 : 999.99;
    points->InsertNextPoint(r * std::cos(a), r * std::sin(a), 0.1 * std::cos(3 * a));
    polygons->InsertCellPoint(i);
  }
  star->SetPoints(points);
  star->SetPolys(polygons);
  Result run(star);
  EXPECT_EQ(run.listener.errors.size(), 0u);
  EXPECT_EQ(run.filter->GetNumberOfTriangles(), count - 2);
  EXPECT_EQ(run.filter->GetBoundaryEdges(), count);
  EXPECT_EQ(run.filter->GetParts(), 1);
}

} // namespace
