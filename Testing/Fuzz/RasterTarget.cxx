// Raster files of the formats that users have, with every fault, read to a grid of heights. The first bytes choose what is asked of the file,
// the others are the file; it stays in memory.
#include "Target.h"

#include "Choices.h"

#include "Error.h"
#include "Private/Terrain/GridMesh.h"
#include "Private/Terrain/TerrainRaster.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <ogr_srs_api.h>

#include <cmath>
#include <random>
#include <string>

namespace lapilli
{
namespace
{

using fuzz::Bytes;
using fuzz::Choices;

constexpr std::size_t optionBytes = 24;

struct Format
{
  const char* driver;
  const char* name; ///< of the file
};

/// Of a single file each, which GDAL also writes.
constexpr Format formats[] = { { "GTiff", "a.tif" }, { "AAIGrid", "a.asc" }, { "USGSDEM", "a.dem" },
  { "GSAG", "a.grd" }, { "GSBG", "b.grd" }, { "GS7BG", "c.grd" }, { "BT", "a.bt" },
  { "SIGDEM", "a.sigdem" }, { "XYZ", "a.xyz" }, { "PNG", "a.png" } };

/// Formats that open other files or other machines are none of a file's bytes.
void prepare()
{
  static const bool isDone = []
  {
    CPLSetConfigOption("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR");
    CPLSetConfigOption("GDAL_CACHEMAX", "16");
    CPLSetConfigOption("GDAL_PAM_ENABLED", "NO");
    GDALAllRegister();
    for (const char* name : { "VRT", "WMS", "WCS", "WMTS", "HTTP", "STACIT", "STACTA", "DAAS",
           "PLMOSAIC", "EEDAI", "NGW", "RASTERLITE", "TILEDB", "ZARR", "GTI", "DERIVED", "MRF" })
    {
      if (GDALDriverH driver = GDALGetDriverByName(name))
      {
        GDALDeregisterDriver(driver);
        GDALDestroyDriver(driver);
      }
    }
    return true;
  }();
  (void)isDone;
}

std::string placeOf(const Format& format)
{
  return std::string("/vsimem/") + format.name;
}

GDALDatasetH sample()
{
  constexpr int size = 9;
  GDALDatasetH data =
    GDALCreate(GDALGetDriverByName("MEM"), "", size, size, 1, GDT_Float32, nullptr);
  double transform[6] = { 500000, 10, 0, 5500090, 0, -10 };
  GDALSetGeoTransform(data, transform);
  OGRSpatialReferenceH crs = OSRNewSpatialReference(nullptr);
  OSRImportFromEPSG(crs, 32632);
  OSRSetAxisMappingStrategy(crs, OAMS_TRADITIONAL_GIS_ORDER);
  GDALSetSpatialRef(data, crs);
  OSRRelease(crs);
  std::vector<float> heights;
  for (int i = 0; i < size * size; ++i)
  {
    heights.push_back(static_cast<float>(100 + i % 17));
  }
  const CPLErr failure = GDALRasterIO(GDALGetRasterBand(data, 1), GF_Write, 0, 0, size, size,
    heights.data(), size, size, GDT_Float32, 0, 0);
  fuzz::require(failure == CE_None, "a sample takes its heights");
  return data;
}

Bytes fileOf(const Format& format)
{
  GDALDatasetH data = sample();
  const std::string name = placeOf(format);
  CPLPushErrorHandler(CPLQuietErrorHandler);
  GDALDatasetH written = GDALCreateCopy(
    GDALGetDriverByName(format.driver), name.c_str(), data, FALSE, nullptr, nullptr, nullptr);
  CPLPopErrorHandler();
  if (written)
  {
    GDALClose(written);
  }
  GDALClose(data);
  vsi_l_offset size = 0;
  const GByte* bytes = VSIGetMemFileBuffer(name.c_str(), &size, FALSE);
  Bytes result;
  if (bytes)
  {
    result.assign(bytes, bytes + size);
  }
  VSIUnlink(name.c_str());
  return result;
}

TerrainRasterOptions optionsOf(Choices choices)
{
  TerrainRasterOptions options;
  options.selection.band = choices.rarely(8) ? choices.byte() - 2 : 1;
  options.selection.sourceEpsg = choices.among({ 0, 0, 0, 4326, 32632, 3857, 1, -7 });
  options.selection.unit =
    choices.among({ HeightUnit::OfFile, HeightUnit::OfFile, HeightUnit::Foot });
  options.wish.targetEpsg = choices.among({ 0, 0, 0, 32633, 3857, 4326, 99999 });
  options.wish.stride = choices.among({ 1, 1, 2, 3, 100, 0, -1 });
  options.wish.maximumCells = choices.among({ 1000, 1000, 0, 1, -1 });
  options.wish.fillsHoles = choices.flag();
  options.wish.clip = choices.rarely(4);
  options.wish.clipCoordinates = choices.among({ ClipCoordinates::Output, ClipCoordinates::File });
  for (double& side : options.wish.clipBox)
  {
    side = choices.number();
  }
  options.fillDistance = choices.among({ 100, 1, 3, 0 });
  options.memoryLimit = 2e7;
  return options;
}

void requireSound(const TerrainGrid& grid)
{
  fuzz::require(grid.columns > 0 && grid.rows > 0 &&
                  grid.heights.size() == static_cast<std::size_t>(grid.columns * grid.rows),
    "a grid has a height for each cell");
  for (const double z : grid.heights)
  {
    fuzz::require(std::isnan(z) || std::abs(z) <= 1e5, "heights lie in the range that is asked");
  }
  fuzz::require(grid.map.isSound(), "a grid has a place");
  const GridMesh mesh(grid);
  std::vector<double> points(static_cast<std::size_t>(3 * mesh.pointCount())),
    elevation(static_cast<std::size_t>(mesh.pointCount()));
  std::vector<long long> corners(static_cast<std::size_t>(3 * mesh.triangleCount()));
  mesh.writePoints(points.data(), elevation.data());
  mesh.writeTriangles(corners.data());
  for (const double x : points)
  {
    fuzz::require(std::isfinite(x), "points of the mesh are finite");
  }
  for (const long long p : corners)
  {
    fuzz::require(p >= 0 && p < mesh.pointCount(), "corners of triangles are points");
  }
}

} // namespace

/// Each format as users ask for it, and with any wishes.
std::vector<Bytes> fuzz::seeds()
{
  prepare();
  std::mt19937 random(5);
  std::vector<Bytes> seeds;
  for (std::size_t f = 0; f < std::size(formats); ++f)
  {
    const Bytes file = fileOf(formats[f]);
    for (const bool isUsual : { true, false, false })
    {
      Bytes seed(optionBytes, 0);
      for (std::uint8_t& byte : seed)
      {
        byte = isUsual ? 0 : static_cast<std::uint8_t>(random());
      }
      seed[0] = static_cast<std::uint8_t>(f);
      seed.insert(seed.end(), file.begin(), file.end());
      seeds.push_back(std::move(seed));
    }
  }
  return seeds;
}

} // namespace lapilli

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace lapilli;
  prepare();
  if (size <= optionBytes)
  {
    return 0;
  }
  Choices choices(data, optionBytes);
  const Format& format = formats[choices.byte() % std::size(formats)];
  TerrainRasterOptions options = optionsOf(choices);
  options.selection.fileName = placeOf(format);
  fuzz::Bytes file(data + optionBytes, data + size);
  VSIFCloseL(
    VSIFileFromMemBuffer(options.selection.fileName.c_str(), file.data(), file.size(), FALSE));
  try
  {
    TerrainRaster raster(options);
    raster.checkMemory();
    raster.read([](double) { return true; });
    requireSound(raster.grid());
  }
  catch (const InvalidInput&)
  {
  }
  VSIUnlink(options.selection.fileName.c_str());
  return 0;
}
