/// Terrain Reader on every format that is written here.

#include "Rasters.h"

#include <vtk_netcdf.h>

#include <cstring>

namespace
{

using namespace rasters;

class TerrainReaderFormat : public testing::TestWithParam<Format>
{
};

TEST_P(TerrainReaderFormat, GivesEveryHeightAtItsPlace)
{
  const Folder folder;
  Raster raster;
  raster.type = GetParam().type;
  const std::string file = raster.write(folder.file(GetParam().file), GetParam().driver);
  const auto reader = readerOf(file);
  pipelines::Listener listener(reader);
  EXPECT_TRUE(reader->CanReadFile(file.c_str()));
  reader->Update();
  EXPECT_EQ(listener.errors, std::vector<std::string>());
  expectAllHeights(trianglesOf(reader), raster);
  EXPECT_EQ(countField(trianglesOf(reader), "no_data"), 0);
  const std::string driver = GetParam().driver;
  if (driver == "GTiff" || driver == "AAIGrid" || driver == "netCDF" || driver == "HFA" ||
      driver == "ENVI")
  {
    EXPECT_EQ(countField(trianglesOf(reader), "epsg"),
      32632); // the others know it less well, or not at all
  }
}

INSTANTIATE_TEST_SUITE_P(TerrainReader, TerrainReaderFormat,
  testing::Values(Format{ "GTiff", "dem.tif", GDT_Float32 },
    Format{ "GTiff", "dem.tiff", GDT_Float64 }, Format{ "GTiff", "dem16.tif", GDT_Int16 },
    Format{ "GTiff", "dem8.tif", GDT_Byte }, Format{ "AAIGrid", "dem.asc", GDT_Float32 },
    Format{ "AAIGrid", "integers.asc", GDT_Int32 }, Format{ "netCDF", "dem.nc", GDT_Float32 },
    Format{ "netCDF", "gmt.grd", GDT_Float64 }, Format{ "GSAG", "surfer-text.grd", GDT_Float32 },
    Format{ "GSBG", "surfer6.grd", GDT_Float32 }, Format{ "GS7BG", "surfer7.grd", GDT_Float64 },
    Format{ "HFA", "erdas.img", GDT_Float32 }, Format{ "EHdr", "dem.bil", GDT_Int16 },
    Format{ "EHdr", "dem.flt", GDT_Float32 }, Format{ "ENVI", "envi.img", GDT_Float32 },
    Format{ "BT", "dem.bt", GDT_Int16 }, Format{ "SAGA", "dem.sdat", GDT_Float32 },
    Format{ "RST", "idrisi.rst", GDT_Float32 }, Format{ "ERS", "dem.ers", GDT_Float32 },
    Format{ "PCRaster", "dem.map", GDT_Float32 }, Format{ "SIGDEM", "dem.sigdem", GDT_Float64 },
    Format{ "GPKG", "dem.gpkg", GDT_Int16 }, Format{ "XYZ", "dem.xyz", GDT_Float32 }),
  [](const auto& info)
  {
    std::string name = std::string(info.param.driver) + "_" + info.param.file;
    for (char& letter : name)
    {
      letter = std::isalnum(static_cast<unsigned char>(letter)) ? letter : '_';
    }
    return name;
  });

/// Formats that know degrees alone: 1/1200 of a degree, whole metres.
class TerrainReaderDegrees : public testing::TestWithParam<Format>
{
};

TEST_P(TerrainReaderDegrees, OpensInMetres)
{
  const Folder folder;
  Raster raster;
  raster.columns = raster.rows = 1201;
  raster.epsg = 4326;
  constexpr double cell = 1. / 1200;
  raster.transform = { 8 - cell / 2, cell, 0, 50 + cell / 2, 0, -cell };
  raster.type = GDT_Int16;
  raster.bands = { [](int column, int row) { return 100. + column + row; } };
  const std::string file = raster.write(folder.file(GetParam().file), GetParam().driver);
  const auto reader = readerOf(file);
  pipelines::Listener listener(reader);
  reader->SetMaximumCells(20000);
  reader->Update();
  EXPECT_EQ(listener.errors, std::vector<std::string>());
  EXPECT_EQ(countField(trianglesOf(reader), "epsg"), 32632);
  // 1197 of 1200 cells along each side of a square degree at 49.5 degrees north, 72.39 km x 111.23 km, on which UTM's
  // scale is 0.9997.
  EXPECT_NEAR(reader->GetValidArea() / 1e6, 8007, 0.005 * 8007) << reader->GetReport();
  double bounds[6];
  trianglesOf(reader)->GetBounds(bounds);
  EXPECT_NEAR(bounds[4], 100, 25);
  EXPECT_NEAR(bounds[5], 2500, 25);
}

INSTANTIATE_TEST_SUITE_P(TerrainReader, TerrainReaderDegrees,
  testing::Values(Format{ "SRTMHGT", "N49E008.hgt", GDT_Int16 },
    Format{ "GTiff", "degrees.tif", GDT_Int16 }, Format{ "DTED", "n49.dt1", GDT_Int16 },
    Format{ "netCDF", "degrees.nc", GDT_Int16 }),
  [](const auto& info) { return std::string(info.param.driver); });

TEST(TerrainReader, ReadsAUsgsDem)
{
  const Folder folder;
  Raster raster;
  raster.epsg = 32632;
  raster.type = GDT_Int16;
  raster.columns = raster.rows = 50;
  raster.transform = { 500000, 30, 0, 5501500, 0, -30 };
  const std::string file = raster.write(folder.file("dem.dem"), "USGSDEM");
  const auto reader = readerOf(file);
  pipelines::Listener listener(reader);
  reader->Update();
  EXPECT_EQ(listener.errors, std::vector<std::string>());
  EXPECT_TRUE(facesUp(trianglesOf(reader)));
  // The format's writer has quadrangles of its own, so that the raster is a part of it.
  EXPECT_EQ(
    heightAt(trianglesOf(reader), 500000 + 30 * 20.5, 5501500 - 30 * 10.5, 25), 100 + 40 + 30)
    << reader->GetReport();
}

TEST(TerrainReader, ReadsAVirtualRaster)
{
  const Folder folder;
  const Raster raster;
  raster.write(folder.file("part.tif"));
  GDALDatasetH source = GDALOpen(folder.file("part.tif").c_str(), GA_ReadOnly);
  GDALClose(GDALCreateCopy(GDALGetDriverByName("VRT"), folder.file("all.vrt").c_str(), source,
    FALSE, nullptr, nullptr, nullptr));
  GDALClose(source);
  const auto reader = readerOf(folder.file("all.vrt"));
  reader->Update();
  expectAllHeights(trianglesOf(reader), raster);
}

TEST(TerrainReader, ChoosesTheVariableOfNetCdf)
{
  const Folder folder;
  const std::string file = folder.file("two.nc");
  Raster raster;
  raster.bands.push_back([](int column, int) { return 5. * column; });
  raster.write(file, "netCDF"); // as Band1 and Band2
  const auto reader = readerOf(file);
  pipelines::Listener listener(reader);
  reader->Update();
  EXPECT_EQ(listener.errors, std::vector<std::string>());
  expectAllHeights(trianglesOf(reader), raster);
  reader->SetSubdataset("Band2");
  reader->Update();
  std::swap(raster.bands[0], raster.bands[1]);
  expectAllHeights(trianglesOf(reader), raster);
  reader->SetSubdataset("depth");
  reader->Update();
  ASSERT_EQ(listener.errors.size(), 1u);
  EXPECT_TRUE(says(listener.errors[0], { "Band1, Band2", "depth", "Subdataset" }));
}

/// A grid as older programs write it: coordinates without the attributes that GDAL looks for.
std::string writeNetCdf(const std::string& file, const std::vector<double>& x,
  const std::vector<double>& y, const char* unitX, const char* unitY,
  const std::function<float(double, double)>& height)
{
  int id = 0, dimensions[2], variableX = 0, variableY = 0, variable = 0;
  EXPECT_EQ(nc_create(file.c_str(), NC_CLOBBER, &id), NC_NOERR);
  nc_def_dim(id, "y", y.size(), &dimensions[0]);
  nc_def_dim(id, "x", x.size(), &dimensions[1]);
  nc_def_var(id, "x", NC_DOUBLE, 1, &dimensions[1], &variableX);
  nc_def_var(id, "y", NC_DOUBLE, 1, &dimensions[0], &variableY);
  nc_def_var(id, "z", NC_FLOAT, 2, dimensions, &variable);
  nc_put_att_text(id, variableX, "units", std::strlen(unitX), unitX);
  nc_put_att_text(id, variableY, "units", std::strlen(unitY), unitY);
  nc_enddef(id);
  nc_put_var_double(id, variableX, x.data());
  nc_put_var_double(id, variableY, y.data());
  std::vector<float> heights;
  for (const double b : y)
  {
    for (const double a : x)
    {
      heights.push_back(height(a, b));
    }
  }
  nc_put_var_float(id, variable, heights.data());
  EXPECT_EQ(nc_close(id), NC_NOERR);
  return file;
}

std::vector<double> steps(double first, double step, int count)
{
  std::vector<double> values;
  for (int i = 0; i < count; ++i)
  {
    values.push_back(first + step * i);
  }
  return values;
}

TEST(TerrainReader, TakesThePlaceOfNetCdfFromItsCoordinates)
{
  for (const double step : { 10., -10. }) // from the south up, from the north down
  {
    const Folder folder;
    const std::vector<double> x = steps(500005, 10, 7), y = steps(5500005, step, 5);
    const auto height = [](double a, double b)
    { return static_cast<float>((a - 500000) + 3 * (b - 5500000)); };
    const auto reader = readerOf(writeNetCdf(folder.file("gmt.grd"), x, y, "m", "m", height));
    pipelines::Listener listener(reader);
    reader->Update();
    EXPECT_EQ(listener.errors, std::vector<std::string>());
    EXPECT_EQ(listener.warnings, std::vector<std::string>());
    EXPECT_EQ(trianglesOf(reader)->GetNumberOfPoints(), 35);
    for (const double a : x)
    {
      for (const double b : y)
      {
        EXPECT_EQ(heightAt(trianglesOf(reader), a, b), height(a, b)) << a << ' ' << b;
      }
    }
  }
}

TEST(TerrainReader, KnowsDegreesOfNetCdfByTheirUnits)
{
  const Folder folder;
  const auto height = [](double a, double b)
  { return static_cast<float>(1000 + 1000 * (a - 10) + 2000 * (b - 46)); };
  const auto reader = readerOf(writeNetCdf(folder.file("gmt.grd"), steps(10, 0.01, 40),
    steps(46, 0.01, 30), "degrees_east", "degrees_north", height));
  pipelines::Listener listener(reader);
  reader->Update();
  EXPECT_EQ(listener.warnings, std::vector<std::string>());
  EXPECT_EQ(reader->GetEPSG(), 32632);
  EXPECT_TRUE(says(reader->GetReport(), { "degrees", "WGS 84", "Re-projected" }));
  double bounds[6];
  trianglesOf(reader)->GetBounds(bounds);
  EXPECT_NEAR(bounds[4], 1000, 10);
  EXPECT_NEAR(bounds[5], 1000 + 390 + 580, 20);
}

TEST(TerrainReader, RefusesUnevenCoordinates)
{
  const Folder folder;
  std::vector<double> y = steps(0, 10, 5);
  y[2] += 3;
  const auto reader = readerOf(writeNetCdf(
    folder.file("gmt.grd"), steps(0, 10, 7), y, "m", "m", [](double, double) { return 1.f; }));
  pipelines::Listener listener(reader);
  reader->Update();
  ASSERT_EQ(listener.errors.size(), 1u);
  EXPECT_TRUE(says(listener.errors[0], { "gmt.grd", "evenly", "even grid" }));
}

} // namespace
