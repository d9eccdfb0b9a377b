/// Terrain Reader on rasters that are written here through GDAL, and on real ones: LAPILLI_SHARED_DATA names the folder of
/// those that are not part of the project.

#include "Rasters.h"

#include "vtkLapilliTerrainSurface.h"

#include <vtkCellData.h>
#include <vtkImageData.h>
#include <vtkUniformGrid.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <tuple>

namespace
{

using namespace rasters;

// ------------------------------------------------------------------------------ what is in a band

TEST(TerrainReader, LeavesHolesWithoutCliffs)
{
  const Folder folder;
  Raster raster;
  raster.noData = -9999;
  raster.bands = { [](int column, int row)
    { return (column == 3 && row == 2) || (column == 0 && row == 0) ? -9999. : 200; } };
  const auto reader = readerOf(raster.write(folder.file("dem.tif")));
  reader->Update();
  vtkPolyData* data = trianglesOf(reader);
  EXPECT_EQ(data->GetNumberOfPoints(), 46);
  EXPECT_EQ(data->GetNumberOfCells(), 70 - 4 - 1); // squares with a missing corner keep one
  double bounds[6];
  data->GetBounds(bounds);
  EXPECT_EQ(bounds[4], 200);
  EXPECT_EQ(countField(data, "no_data"), 2);
  EXPECT_EQ(reader->GetNoDataCells(), 2);
  EXPECT_DOUBLE_EQ(reader->GetValidArea(), 46 * 100);
  EXPECT_DOUBLE_EQ(reader->GetMeshArea(), 65 * 50);
}

TEST(TerrainReader, HonoursMaskBands)
{
  const Folder folder;
  Raster raster;
  raster.finish = [](GDALDatasetH dataset)
  {
    GDALCreateDatasetMaskBand(dataset, GMF_PER_DATASET);
    std::vector<unsigned char> mask(48, 255);
    mask[2 * 8 + 3] = 0;
    EXPECT_EQ(GDALRasterIO(GDALGetMaskBand(GDALGetRasterBand(dataset, 1)), GF_Write, 0, 0, 8, 6,
                mask.data(), 8, 6, GDT_Byte, 0, 0),
      CE_None);
  };
  const auto reader = readerOf(raster.write(folder.file("dem.tif")));
  reader->Update();
  EXPECT_EQ(reader->GetNoDataCells(), 1);
  EXPECT_TRUE(std::isnan(heightAt(trianglesOf(reader), 500035, 5500035)));
}

TEST(TerrainReader, HonoursScaleOffsetAndUnit)
{
  const Folder folder;
  Raster raster;
  raster.type = GDT_Int16;
  raster.scale = 0.1;
  raster.offset = 1000;
  raster.unit = "ft";
  const std::string file = raster.write(folder.file("dem.tif"));
  const auto reader = readerOf(file);
  reader->Update();
  EXPECT_NEAR(heightAt(trianglesOf(reader), 500005, 5500055), 0.3048 * (1000 + 10), 1e-9);
  EXPECT_TRUE(says(reader->GetReport(), { "0.3048", "0.1", "1000" }));
  reader->SetHeightUnit(vtkLapilliTerrainReader::METRE);
  reader->Update();
  EXPECT_NEAR(heightAt(trianglesOf(reader), 500005, 5500055), 1010, 1e-9);
  reader->SetHeightUnit(vtkLapilliTerrainReader::US_SURVEY_FOOT);
  reader->Update();
  EXPECT_NEAR(heightAt(trianglesOf(reader), 500005, 5500055), 1010 * 1200. / 3937, 1e-9);
}

TEST(TerrainReader, TakesTheUnitOfHeightsFromACompoundSystem)
{
  const Folder folder;
  Raster raster;
  raster.finish = [](GDALDatasetH dataset)
  {
    OGRSpatialReferenceH crs = OSRNewSpatialReference(nullptr);
    EXPECT_EQ(OSRSetFromUserInput(crs, "EPSG:26910+6360"), OGRERR_NONE); // NAVD88 in US survey feet
    GDALSetSpatialRef(dataset, crs);
    OSRRelease(crs);
  };
  const auto reader = readerOf(raster.write(folder.file("dem.tif")));
  reader->Update();
  EXPECT_NEAR(heightAt(trianglesOf(reader), 500005, 5500055), 100 * 1200. / 3937, 1e-4)
    << reader->GetReport();
}

TEST(TerrainReader, WarnsOfAnUnknownUnitAndOfPictures)
{
  const Folder folder;
  Raster raster;
  raster.unit = "furlong";
  const auto reader = readerOf(raster.write(folder.file("dem.tif")));
  pipelines::Listener listener(reader);
  reader->Update();
  ASSERT_EQ(listener.warnings.size(), 1u);
  EXPECT_TRUE(says(listener.warnings[0], { "furlong", "metres", "Height Unit" }));

  Raster picture;
  picture.type = GDT_Byte;
  picture.bands.resize(3, picture.bands[0]);
  const auto second =
    readerOf(picture.write(folder.file("photo.tif"), "GTiff", { "PHOTOMETRIC=RGB" }));
  pipelines::Listener other(second);
  second->Update();
  ASSERT_EQ(other.warnings.size(), 1u);
  EXPECT_TRUE(says(other.warnings[0], { "picture", "Red", "Band" }));
}

TEST(TerrainReader, ReadsTheBandThatIsAsked)
{
  const Folder folder;
  Raster raster;
  raster.bands.push_back([](int column, int row) { return 7. * column + row; });
  const auto reader = readerOf(raster.write(folder.file("dem.tif")));
  reader->SetBand(2);
  reader->Update();
  std::swap(raster.bands[0], raster.bands[1]);
  expectAllHeights(trianglesOf(reader), raster);
}

TEST(TerrainReader, TakesAbsurdHeightsForHolesAndSaysSo)
{
  const Folder folder;
  Raster raster;
  raster.bands = { [](int column, int row)
    {
      return column == 2 && row == 2   ? 1e30
             : column == 5 && row == 2 ? kNaN
             : column == 2 && row == 4 ? -kInfinity
                                       : 10;
    } };
  const auto reader = readerOf(raster.write(folder.file("dem.tif")));
  pipelines::Listener listener(reader);
  reader->Update();
  EXPECT_EQ(listener.errors.size(), 0u);
  ASSERT_EQ(listener.warnings.size(), 1u);
  EXPECT_TRUE(says(listener.warnings[0], { "1 height", "HeightRange", "e+30" }));
  EXPECT_TRUE(says(reader->GetReport(), { "2 numbers that are not finite" }));
  EXPECT_EQ(reader->GetNoDataCells(), 3);
  EXPECT_EQ(countField(trianglesOf(reader), "beyond_range"), 1);
  double bounds[6];
  trianglesOf(reader)->GetBounds(bounds);
  EXPECT_EQ(bounds[4], 10);
  EXPECT_EQ(bounds[5], 10);
}

TEST(TerrainReader, PointsAtNoDataThatTheFileDoesNotDeclare)
{
  const Folder folder;
  Raster raster;
  raster.bands = { [](int column, int row) { return column == 2 && row == 2 ? -9999. : 10; } };
  const auto reader = readerOf(raster.write(folder.file("dem.tif")));
  pipelines::Listener listener(reader);
  reader->Update();
  ASSERT_EQ(listener.warnings.size(), 1u);
  EXPECT_TRUE(says(listener.warnings[0], { "1 height", "-9999", "HeightRange" }));
  reader->SetHeightRange(-500, 9000);
  reader->Update();
  EXPECT_EQ(reader->GetNoDataCells(), 1);
  double bounds[6];
  trianglesOf(reader)->GetBounds(bounds);
  EXPECT_EQ(bounds[4], 10);
}

// ------------------------------------------------------------------------------------- the map

TEST(TerrainReader, HonoursFlippedAndTurnedRasters)
{
  const double c = 10 * std::cos(0.5), s = 10 * std::sin(0.5);
  for (const std::array<double, 6>& transform :
    std::vector<std::array<double, 6>>{ { 500000, 10, 0, 5500000, 0, 10 }, // from the south up
      { 500080, -10, 0, 5500060, 0, -10 },                                 // from the east
      { 500080, -10, 0, 5500000, 0, 10 },                                  // both
      { 500000, 0, 10, 5500000, 10, 0 },                                   // rows for columns
      { 500000, 0, -10, 5500000, 10, 0 },                                  // turned to the left
      { 500000, c, s, 5500000, s, -c },                                    // turned by 0.5
      { 500000, -c, -s, 5500000, -s, c },                                  // and half a turn more
      { 500000, 10, 3, 5500000, 1, -12 } })                                // sheared
  {
    SCOPED_TRACE(testing::PrintToString(transform));
    const Folder folder;
    Raster raster;
    raster.transform = transform;
    const auto reader = readerOf(raster.write(folder.file("dem.tif")));
    reader->Update();
    expectAllHeights(trianglesOf(reader), raster);
  }
}

TEST(TerrainReader, GivesAHeightFieldOfTheSameTerrain)
{
  const double c = 10 * std::cos(0.5), s = 10 * std::sin(0.5);
  for (const std::array<double, 6>& transform : std::vector<std::array<double, 6>>{
         { 500000, 10, 0, 5500060, 0, -10 }, { 500000, c, s, 5500000, s, -c } })
  {
    const Folder folder;
    Raster raster;
    raster.transform = transform;
    raster.noData = 0;
    raster.bands = { [](int column, int row)
      { return column == 3 && row == 2 ? 0 : 100. + column * column + 3 * row; } };
    const auto reader = readerOf(raster.write(folder.file("dem.tif")));
    reader->Update();
    vtkNew<vtkPolyData> triangles;
    triangles->ShallowCopy(trianglesOf(reader));

    reader->SetOutput(vtkLapilliTerrainReader::HEIGHT_FIELD);
    vtkNew<vtkLapilliTerrainSurface> surface;
    surface->SetInputConnection(reader->GetOutputPort());
    surface->Update();
    auto* image = vtkImageData::SafeDownCast(reader->GetOutputDataObject(0));
    ASSERT_TRUE(image);
    EXPECT_EQ(image->GetDimensions()[0], 8);
    EXPECT_EQ(image->GetDimensions()[1], 6);
    EXPECT_EQ(countField(image, "epsg"), 32632);
    EXPECT_EQ(surface->GetMissingHeights(), 1);
    vtkPolyData* same = surface->GetOutput();
    ASSERT_EQ(same->GetNumberOfPoints(), triangles->GetNumberOfPoints());
    ASSERT_EQ(same->GetNumberOfCells(), triangles->GetNumberOfCells());
    for (vtkIdType p = 0; p < same->GetNumberOfPoints(); ++p)
    {
      for (int axis = 0; axis < 3; ++axis)
      {
        EXPECT_NEAR(same->GetPoint(p)[axis], triangles->GetPoint(p)[axis], 1e-8);
      }
    }
  }
}

TEST(TerrainReader, HandsOutLocalCoordinates)
{
  const Folder folder;
  const std::string file = Raster().write(folder.file("map.tif"));
  for (const int output :
    { vtkLapilliTerrainReader::TRIANGLES, vtkLapilliTerrainReader::HEIGHT_FIELD })
  {
    const auto map = readerOf(file), local = readerOf(file);
    map->SetOutput(output);
    local->SetOutput(output);
    local->LocalCoordinatesOn();
    map->Update();
    local->Update();
    auto* onMap = vtkDataSet::SafeDownCast(map->GetOutputDataObject(0));
    auto* near = vtkDataSet::SafeDownCast(local->GetOutputDataObject(0));
    ASSERT_GT(onMap->GetNumberOfPoints(), 0);
    ASSERT_EQ(near->GetNumberOfPoints(), onMap->GetNumberOfPoints());
    ASSERT_TRUE(onMap->GetFieldData()->HasArray("local_origin"));
    EXPECT_EQ(onMap->GetFieldData()->GetArray("local_origin")->GetRange()[1], 0);
    ASSERT_TRUE(near->GetFieldData()->HasArray("local_origin"));
    double origin[3];
    near->GetFieldData()->GetArray("local_origin")->GetTuple(0, origin);
    EXPECT_EQ(origin[0], 500'000);
    EXPECT_EQ(origin[1], 5'500'000);
    EXPECT_EQ(origin[2], 0);
    for (vtkIdType p = 0; p < near->GetNumberOfPoints(); ++p)
    {
      double x[3], y[3];
      onMap->GetPoint(p, x);
      near->GetPoint(p, y);
      for (int axis = 0; axis < 3; ++axis)
      {
        ASSERT_EQ(y[axis] + origin[axis], x[axis]) << p;
      }
    }
  }
}

TEST(TerrainReader, RefusesAnImageOfShearedCells)
{
  const Folder folder;
  Raster raster;
  raster.transform = { 500000, 10, 3, 5500000, 1, -12 };
  const auto reader = readerOf(raster.write(folder.file("dem.tif")));
  pipelines::Listener listener(reader);
  reader->SetOutput(vtkLapilliTerrainReader::HEIGHT_FIELD);
  reader->Update();
  ASSERT_EQ(listener.errors.size(), 1u);
  EXPECT_TRUE(says(listener.errors[0], { "right angles", "Triangles" }));
}

/// Heights that are a plane in degrees, in an area of 0.2 degrees.
Raster inDegrees(double west, double north)
{
  Raster raster;
  raster.columns = raster.rows = 40;
  raster.epsg = 4326;
  raster.type = GDT_Float64;
  raster.transform = { west, 0.005, 0, north, 0, -0.005 };
  raster.bands = { [](int column, int row) { return 100. + 10 * column + 20 * row; } };
  return raster;
}

/// Largest difference of heights to those of inDegrees() [m], and how many points there are.
double offFromPlane(vtkPolyData* data, int epsg, const Raster& raster, double first = 100)
{
  OGRSpatialReferenceH from = OSRNewSpatialReference(nullptr), to = OSRNewSpatialReference(nullptr);
  OSRImportFromEPSG(from, epsg);
  OSRImportFromEPSG(to, 4326);
  OSRSetAxisMappingStrategy(from, OAMS_TRADITIONAL_GIS_ORDER);
  OSRSetAxisMappingStrategy(to, OAMS_TRADITIONAL_GIS_ORDER);
  OGRCoordinateTransformationH change = OCTNewCoordinateTransformation(from, to);
  double worst = 0;
  const auto& t = raster.transform;
  for (vtkIdType p = 0; p < data->GetNumberOfPoints(); ++p)
  {
    double place[3];
    data->GetPoint(p, place);
    double x = place[0], y = place[1], z = 0;
    EXPECT_TRUE(OCTTransform(change, 1, &x, &y, &z));
    const double column = (x - t[0]) / t[1] - 0.5, row = (y - t[3]) / t[5] - 0.5;
    if (column > 0 && row > 0 && column < raster.columns - 1 && row < raster.rows - 1)
    {
      worst = std::max(worst, std::abs(place[2] - (first + 10 * column + 20 * row)));
    }
  }
  OCTDestroyCoordinateTransformation(change);
  OSRRelease(from);
  OSRRelease(to);
  return worst;
}

TEST(TerrainReader, TurnsDegreesIntoTheZoneOfItsMiddle)
{
  for (const auto& [west, north, epsg] :
    std::vector<std::tuple<double, double, int>>{ { 10.1, 46.2, 32632 }, { -72.4, -33.1, 32718 },
      { 179.9, 10, 32601 }, { 190, 60, 32602 }, { 20, 88, 32661 }, { 20, -84, 32761 } })
  {
    SCOPED_TRACE(epsg);
    const Folder folder;
    const Raster raster = inDegrees(west, north);
    const auto reader = readerOf(raster.write(folder.file("dem.tif")));
    pipelines::Listener listener(reader);
    reader->Update();
    ASSERT_EQ(listener.errors, std::vector<std::string>());
    vtkPolyData* data = trianglesOf(reader);
    EXPECT_EQ(countField(data, "epsg"), epsg);
    EXPECT_EQ(reader->GetEPSG(), epsg);
    // Near the poles cells are needles, which become few square ones.
    const bool isPolar = epsg > 32660 && epsg != 32718;
    EXPECT_GT(data->GetNumberOfPoints(), isPolar ? 100 : 800);
    EXPECT_TRUE(facesUp(data));
    // 0.5 m are a fortieth of a cell; where needles become squares GDAL's kernels take an eighth.
    EXPECT_LT(offFromPlane(data, epsg, raster), isPolar ? 3 : 0.5);
    EXPECT_TRUE(
      says(reader->GetReport(), { "Re-projected", std::to_string(epsg), "bilinear", "cells of" }));
    EXPECT_TRUE(says(textField(data, "crs"), { "WGS 84" }));
  }
}

TEST(TerrainReader, TakesTheTargetSystemThatIsAsked)
{
  const Folder folder;
  const Raster raster = inDegrees(10.1, 46.2);
  const auto reader = readerOf(raster.write(folder.file("dem.tif")));
  reader->SetTargetEPSG(3035); // Europe, equal areas
  reader->Update();
  EXPECT_EQ(countField(trianglesOf(reader), "epsg"), 3035);
  EXPECT_LT(offFromPlane(trianglesOf(reader), 3035, raster), 0.5);
  reader->SetTargetEPSG(32633);
  reader->Update();
  EXPECT_EQ(reader->GetEPSG(), 32633);
  EXPECT_LT(offFromPlane(trianglesOf(reader), 32633, raster), 0.5);
}

TEST(TerrainReader, WarnsOfDegreesWithoutASystem)
{
  const Folder folder;
  Raster raster = inDegrees(10.1, 46.2);
  raster.epsg = 0;
  const auto reader = readerOf(raster.write(folder.file("dem.asc"), "AAIGrid"));
  pipelines::Listener listener(reader);
  reader->Update();
  ASSERT_EQ(listener.warnings.size(), 1u);
  EXPECT_TRUE(says(listener.warnings[0], { "degrees", "SourceEPSG", "4326" }));
  listener.clear();
  reader->SetSourceEPSG(4326);
  reader->Update();
  EXPECT_EQ(listener.warnings.size(), 0u);
  EXPECT_EQ(reader->GetEPSG(), 32632);

  Raster table; // a model in a laboratory: 20 cm of sand on 2 m
  table.epsg = 0;
  table.transform = { 0, 0.25, 0, 1.5, 0, -0.25 };
  table.bands = { [](int column, int) { return 0.02 * column; } };
  const auto second = readerOf(table.write(folder.file("table.tif")));
  pipelines::Listener other(second);
  second->Update();
  EXPECT_EQ(other.warnings, std::vector<std::string>());
}

TEST(TerrainReader, TurnsFeetOfTheMapIntoMetres)
{
  const Folder folder;
  Raster raster;
  raster.epsg = 2263; // New York, US survey feet
  raster.transform = { 980000, 100, 0, 200600, 0, -100 };
  const auto reader = readerOf(raster.write(folder.file("dem.tif")));
  pipelines::Listener listener(reader);
  reader->Update();
  EXPECT_EQ(listener.warnings, std::vector<std::string>());
  constexpr double foot = 1200. / 3937;
  double bounds[6];
  trianglesOf(reader)->GetBounds(bounds);
  EXPECT_NEAR(bounds[0], foot * 980050, 1e-6);
  EXPECT_NEAR(bounds[3], foot * 200550, 1e-6);
  EXPECT_EQ(bounds[4], 100); // heights are in metres if nobody says otherwise
  EXPECT_TRUE(says(reader->GetReport(), { "0.3048006" }));
  EXPECT_TRUE(says(textField(trianglesOf(reader), "crs"), { "metre" }));
}

TEST(TerrainReader, WarnsWhereLengthsOnTheMapAreWrong)
{
  const Folder folder;
  Raster raster;
  raster.epsg = 3857;
  raster.transform = { 890000, 10, 0, 6446275 + 60, 0, -10 }; // at 50 degrees north
  const auto reader = readerOf(raster.write(folder.file("dem.tif")));
  pipelines::Listener listener(reader);
  reader->Update();
  ASSERT_EQ(listener.warnings.size(), 1u);
  EXPECT_TRUE(says(listener.warnings[0], { "1.55", "ground", "TargetEPSG" }));
}

TEST(TerrainReader, TakesARasterWithoutAPlaceAsMetres)
{
  const Folder folder;
  Raster raster;
  raster.hasTransform = false;
  raster.epsg = 0;
  const auto reader = readerOf(raster.write(folder.file("dem.tif")));
  pipelines::Listener listener(reader);
  reader->Update();
  ASSERT_EQ(listener.warnings.size(), 1u);
  EXPECT_TRUE(says(listener.warnings[0], { "1 m", "geotransform" }));
  EXPECT_EQ(heightAt(trianglesOf(reader), 0.5, 5.5), 100); // its first row is the northern one
}

// ----------------------------------------------------------------------- resolution, parts, holes

TEST(TerrainReader, AveragesSquares)
{
  const Folder folder;
  Raster raster;
  raster.noData = -1;
  raster.columns = 9; // one is left over
  raster.bands = { [](int column, int row)
    {
      return column < 3 && row < 2 && !(column == 2 && row == 1) ? -1 : 100. + 2 * column + 3 * row;
    } };
  const auto reader = readerOf(raster.write(folder.file("dem.tif")));
  reader->SetStride(2);
  reader->Update();
  vtkPolyData* data = trianglesOf(reader);
  EXPECT_EQ(reader->GetOutputSize()[0], 4);
  EXPECT_EQ(reader->GetOutputSize()[1], 3);
  EXPECT_EQ(reader->GetCellSize()[0], 20);
  EXPECT_EQ(
    data->GetNumberOfPoints(), 11); // the first square has no data at all, the second three of four
  EXPECT_TRUE(std::isnan(heightAt(data, 500010, 5500050)));
  EXPECT_NEAR(heightAt(data, 500030, 5500050), (106 + 107 + 109) / 3., 1e-3);
  EXPECT_NEAR(heightAt(data, 500070, 5500010), 100 + 2 * 6.5 + 3 * 4.5, 1e-4);
  EXPECT_TRUE(says(reader->GetReport(), { "2 x 2 cells" }));
}

TEST(TerrainReader, KeepsToTheGreatestNumberOfCells)
{
  const Folder folder;
  Raster raster;
  raster.columns = 100;
  raster.rows = 70;
  const std::string file = raster.write(folder.file("dem.tif"));
  for (const int most : { 7000, 6999, 1000, 100, 20 })
  {
    const auto reader = readerOf(file);
    reader->SetMaximumCells(most);
    reader->Update();
    const int* size = reader->GetOutputSize();
    EXPECT_LE(size[0] * size[1], most);
    EXPECT_GT(4 * size[0] * size[1] + 60, most);
    EXPECT_EQ(
      std::string(reader->GetReport()).find("MaximumCells") == std::string::npos, most == 7000);
    EXPECT_TRUE(facesUp(trianglesOf(reader)));
  }
}

TEST(TerrainReader, ReadsFromOverviews)
{
  const Folder folder;
  Raster raster;
  raster.columns = 512;
  raster.rows = 256;
  const std::string file = raster.write(folder.file("dem.tif"));
  const auto plain = readerOf(file);
  plain->SetStride(8);
  plain->Update();
  vtkNew<vtkPolyData> expected;
  expected->DeepCopy(trianglesOf(plain));

  GDALDatasetH dataset = GDALOpen(file.c_str(), GA_Update);
  int factors[] = { 2, 4 };
  ASSERT_EQ(
    GDALBuildOverviews(dataset, "AVERAGE", 2, factors, 0, nullptr, nullptr, nullptr), CE_None);
  GDALClose(dataset);
  const auto reader = readerOf(file);
  reader->SetStride(8);
  reader->Update();
  EXPECT_TRUE(says(reader->GetReport(), { "overview" }));
  vtkPolyData* data = trianglesOf(reader);
  ASSERT_EQ(data->GetNumberOfPoints(), expected->GetNumberOfPoints());
  for (vtkIdType p = 0; p < data->GetNumberOfPoints(); ++p)
  {
    EXPECT_NEAR(data->GetPoint(p)[2], expected->GetPoint(p)[2], 1e-3);
    EXPECT_EQ(data->GetPoint(p)[0], expected->GetPoint(p)[0]);
    EXPECT_EQ(data->GetPoint(p)[1], expected->GetPoint(p)[1]);
  }
}

TEST(TerrainReader, ReadsAPartWithTheSameHeights)
{
  const double c = 10 * std::cos(0.5), s = 10 * std::sin(0.5);
  for (const std::array<double, 6>& transform : std::vector<std::array<double, 6>>{
         { 500000, 10, 0, 5500060, 0, -10 }, { 500080, -10, 0, 5500000, 0, 10 },
         { 500000, 0, 10, 5500000, 10, 0 }, { 500000, c, s, 5500000, s, -c } })
  {
    SCOPED_TRACE(testing::PrintToString(transform));
    const Folder folder;
    Raster raster;
    raster.columns = 40;
    raster.rows = 30;
    raster.transform = transform;
    const auto reader = readerOf(raster.write(folder.file("dem.tif")));
    reader->Update();
    vtkNew<vtkPolyData> all;
    all->DeepCopy(trianglesOf(reader));
    double box[6];
    all->GetBounds(box);
    const double x0 = box[0] + 0.3 * (box[1] - box[0]), x1 = box[0] + 0.7 * (box[1] - box[0]);
    const double y0 = box[2] + 0.3 * (box[3] - box[2]), y1 = box[2] + 0.7 * (box[3] - box[2]);
    reader->ClipOn();
    reader->SetClipBox(x0, x1, y0, y1);
    reader->Update();
    vtkPolyData* part = trianglesOf(reader);
    vtkIdType inside = 0;
    for (vtkIdType p = 0; p < all->GetNumberOfPoints(); ++p)
    {
      const double* place = all->GetPoint(p);
      if (place[0] >= x0 && place[0] <= x1 && place[1] >= y0 && place[1] <= y1)
      {
        ++inside;
      }
    }
    EXPECT_LE(part->GetNumberOfPoints(), inside);
    EXPECT_GE(part->GetNumberOfPoints(), inside - 4); // tips of a turned grid have no square
    for (vtkIdType p = 0; p < part->GetNumberOfPoints(); ++p)
    {
      double place[3];
      part->GetPoint(p, place);
      EXPECT_EQ(heightAt(all, place[0], place[1], 1e-6), place[2]);
    }
  }
}

TEST(TerrainReader, ClipsDegreesInMetresAndInDegrees)
{
  const Folder folder;
  const Raster raster = inDegrees(10.1, 46.2);
  const auto reader = readerOf(raster.write(folder.file("dem.tif")));
  reader->Update();
  vtkNew<vtkPolyData> all;
  all->DeepCopy(trianglesOf(reader));
  double box[6];
  all->GetBounds(box);
  const double x = (box[0] + box[1]) / 2, y = (box[2] + box[3]) / 2;
  reader->ClipOn();
  reader->SetClipBox(x - 3000, x + 3000, y - 2000, y + 2000);
  reader->Update();
  vtkPolyData* part = trianglesOf(reader);
  ASSERT_GT(part->GetNumberOfPoints(), 30);
  for (vtkIdType p = 0; p < part->GetNumberOfPoints(); ++p)
  {
    double place[3];
    part->GetPoint(p, place);
    EXPECT_LE(std::abs(place[0] - x), 3000);
    EXPECT_NEAR(heightAt(all, place[0], place[1], 1e-3), place[2], 1); // the same cells
  }

  reader->SetClipCoordinates(vtkLapilliTerrainReader::FILE_COORDINATES);
  reader->SetClipBox(10.15, 10.2, 46.1, 46.15);
  reader->Update();
  EXPECT_TRUE(says(reader->GetReport(), { "EPSG:32632" }));
  EXPECT_NEAR(reader->GetValidArea(), 3.86e3 * 5.56e3, 0.05 * 3.86e3 * 5.56e3);
  Raster inside = raster; // its edge has neighbours on one side only
  inside.columns = inside.rows = 8;
  inside.transform[0] = 10.155;
  inside.transform[3] = 46.145;
  inside.bands = {};
  EXPECT_LT(offFromPlane(trianglesOf(reader), 32632, inside, 100 + 10 * 11 + 20 * 11), 0.5);
}

TEST(TerrainReader, CutsAPartOutOfTheWholeEarth)
{
  const Folder folder;
  Raster raster;
  raster.columns = 720;
  raster.rows = 360;
  raster.epsg = 4326;
  raster.transform = { 0, 0.5, 0, 90, 0, -0.5 }; // from Greenwich to the east
  raster.bands = { [](int column, int row) { return column + 10. * row; } };
  const auto reader = readerOf(raster.write(folder.file("earth.tif")));
  pipelines::Listener listener(reader);
  reader->SetClipCoordinates(vtkLapilliTerrainReader::FILE_COORDINATES);
  reader->ClipOn();
  reader->SetClipBox(288, 292, -36, -32); // the Andes
  reader->Update();
  EXPECT_EQ(listener.errors, std::vector<std::string>());
  EXPECT_EQ(reader->GetEPSG(), 32719);
  EXPECT_NEAR(reader->GetValidArea() / 1e6, 4 * 92.4 * 4 * 110.9, 0.03 * 4 * 92.4 * 4 * 110.9);
  reader->SetClipBox(300, 370, -36, -32);
  reader->Update();
  ASSERT_EQ(listener.errors.size(), 1u);
  EXPECT_TRUE(says(listener.errors[0], { "60 x 4", "40" }));
  listener.clear();
  reader->ClipOff();
  reader->SetTargetEPSG(6933); // equal areas
  reader->Update();
  EXPECT_EQ(listener.errors, std::vector<std::string>());
  ASSERT_EQ(listener.warnings.size(), 1u); // of lengths
  EXPECT_NEAR(reader->GetValidArea() / 1e6, 510e6, 5e6);
}

TEST(TerrainReader, FillsEnclosedHolesAlone)
{
  const Folder folder;
  Raster raster;
  raster.noData = -9999;
  raster.columns = raster.rows = 20;
  raster.bands = { [](int column, int row)
    {
      const bool lake = column >= 8 && column < 11 && row >= 8 && row < 11;
      const bool sea = column > 15;
      return lake || sea ? -9999. : 50;
    } };
  const auto reader = readerOf(raster.write(folder.file("dem.tif")));
  reader->FillHolesOn();
  reader->Update();
  EXPECT_EQ(reader->GetNoDataCells(), 9 + 4 * 20);
  EXPECT_EQ(reader->GetFilledCells(), 9);
  EXPECT_EQ(trianglesOf(reader)->GetNumberOfPoints(), 16 * 20);
  EXPECT_NEAR(heightAt(trianglesOf(reader), 500095, 5500060 - 95), 50, 1e-4);
  EXPECT_DOUBLE_EQ(reader->GetValidArea(), 100 * (400 - 89)); // without what is filled
  reader->SetFillDistance(1);
  reader->Update();
  EXPECT_EQ(reader->GetFilledCells(), 8); // its middle is 2 away
}

TEST(TerrainReader, RefusesWhatDoesNotFitBeforeItIsRead)
{
  const Folder folder;
  const std::string file = folder.file("large.tif");
  GDALAllRegister();
  char sparse[] = "SPARSE_OK=TRUE", tiled[] = "TILED=YES";
  char* options[] = { sparse, tiled, nullptr };
  GDALDatasetH dataset =
    GDALCreate(GDALGetDriverByName("GTiff"), file.c_str(), 100000, 100000, 1, GDT_Float32, options);
  double transform[] = { 500000, 1, 0, 5500000, 0, -1 };
  GDALSetGeoTransform(dataset, transform);
  GDALClose(dataset);
  const auto reader = readerOf(file);
  pipelines::Listener listener(reader);
  reader->SetMaximumCells(0);
  reader->UpdateInformation();
  EXPECT_EQ(reader->GetOutputSize()[0], 100000);
  EXPECT_GT(reader->GetEstimatedMemory(), 1e6); // 1e10 cells of 112 bytes
  EXPECT_LT(reader->GetEstimatedMemory(), 2e6);
  reader->Update();
  ASSERT_EQ(listener.errors.size(), 1u);
  EXPECT_TRUE(says(listener.errors[0], { "100000 x 100000", "MiB", "Stride", "Clip" }));
  listener.clear();
  reader->SetStride(1000);
  reader->SetMemoryLimit(0.5);
  reader->Update();
  ASSERT_EQ(listener.errors.size(), 1u);
  EXPECT_TRUE(says(listener.errors[0], { "100 x 100", "MemoryLimit is 1 MiB" }));
}

TEST(TerrainReader, StopsWhereItIsTold)
{
  const Folder folder;
  Raster raster;
  raster.columns = 2000;
  raster.rows = 2000;
  const auto reader = readerOf(raster.write(folder.file("dem.tif")));
  pipelines::Listener listener(reader);
  vtkNew<vtkCallbackCommand> stop;
  stop->SetCallback([](vtkObject* caller, unsigned long, void*, void*)
    { static_cast<vtkAlgorithm*>(caller)->SetAbortExecute(1); });
  const unsigned long observer = reader->AddObserver(vtkCommand::ProgressEvent, stop);
  reader->Update();
  EXPECT_EQ(trianglesOf(reader)->GetNumberOfCells(), 0);
  reader->RemoveObserver(observer);
  reader->SetAbortExecute(0);
  reader->Update();
  EXPECT_EQ(trianglesOf(reader)->GetNumberOfCells(), 2 * 1999 * 1999);
  EXPECT_EQ(listener.errors.size(), 0u);
}

// ------------------------------------------------------------------------------------- real files

TEST(TerrainReader, GivesMaungaWhauAsTerrainSurfaceDoes)
{
  const auto reader = readerOf(std::string(LAPILLI_DATA) + "/maunga_whau.tif");
  reader->Update();
  vtkPolyData* data = trianglesOf(reader);
  ASSERT_EQ(data->GetNumberOfPoints(), 87 * 61);

  // As GDAL's reader in ParaView gives it: heights in the cells of a uniform grid, from the south up.
  vtkNew<vtkUniformGrid> grid;
  grid->SetDimensions(88, 62, 1);
  grid->SetSpacing(10, 10, 1);
  vtkNew<vtkDoubleArray> heights;
  heights->SetName("Elevation");
  heights->DeepCopy(data->GetPointData()->GetArray("elevation"));
  heights->SetName("Elevation");
  grid->GetCellData()->AddArray(heights);
  vtkNew<vtkLapilliTerrainSurface> surface;
  surface->SetInputData(grid);
  surface->Update();
  EXPECT_EQ(pipelines::bits(surface->GetOutput()), pipelines::bits(data));
  ASSERT_EQ(surface->GetOutput()->GetNumberOfCells(), data->GetNumberOfCells());
  for (vtkIdType t = 0; t < data->GetNumberOfCells(); ++t)
  {
    vtkIdType count;
    const vtkIdType *ids, *same;
    data->GetCellPoints(t, count, ids);
    surface->GetOutput()->GetCellPoints(t, count, same);
    EXPECT_TRUE(std::equal(ids, ids + 3, same)) << t;
  }

  const auto text = readerOf(std::string(LAPILLI_DATA) + "/maunga_whau.asc");
  text->Update();
  EXPECT_EQ(pipelines::bits(trianglesOf(text)), pipelines::bits(data));
}

TEST(TerrainReader, LuxembourgOpensInMetres)
{
  const char* folder = std::getenv("LAPILLI_SHARED_DATA");
  const std::string file = std::string(folder ? folder : "") + "/luxembourg_lonlat_nodata.tif";
  if (!folder || !std::filesystem::exists(file))
  {
    GTEST_SKIP() << "set LAPILLI_SHARED_DATA to the folder with this file to run the case";
  }
  const auto reader = readerOf(file);
  pipelines::Listener listener(reader);
  reader->Update();
  EXPECT_EQ(listener.errors.size() + listener.warnings.size(), 0u);
  EXPECT_EQ(reader->GetEPSG(), 32632);
  EXPECT_EQ(reader->GetNoDataCells(), 3942); // counted with GDAL
  // 2,563.6 km2: the sum of the valid cells' areas on the ellipsoid.
  EXPECT_NEAR(reader->GetValidArea() / 1e6, 2563.6, 0.003 * 2563.6);
  // For the README's verification table.
  std::printf("VERIFY|Luxembourg from degrees: km2 of cells with heights (of the mesh)|2563.6 +/- "
              "0.3 %%|%.1f (%.1f)|cells' areas on the "
              "ellipsoid\n",
    reader->GetValidArea() / 1e6, reader->GetMeshArea() / 1e6);
  EXPECT_LT(reader->GetMeshArea(), reader->GetValidArea()); // it ends at the centres
  EXPECT_GT(reader->GetMeshArea(), 0.95 * reader->GetValidArea());
  double bounds[6];
  trianglesOf(reader)->GetBounds(bounds);
  EXPECT_GE(bounds[4], 141);
  EXPECT_LE(bounds[5], 547);
  EXPECT_TRUE(facesUp(trianglesOf(reader)));
}

} // namespace
