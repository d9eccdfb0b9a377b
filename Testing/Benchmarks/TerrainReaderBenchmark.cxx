/// @file
/// From a raster file to triangles: an uncompressed GeoTIFF with holes, in metres or in degrees, whole or averaged down.
///
///   TerrainReaderBenchmark --benchmark_filter=metres/1/10
/// Arguments: stride, then millions of cells that come out. The file is in the system's cache; peak is the most memory that
/// the process ever had, so look at it for one case at a time.
#include "vtkLapilliTerrainReader.h"

#include <vtkNew.h>

#include <benchmark/benchmark.h>

#include <gdal.h>
#include <ogr_srs_api.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace
{

std::string write(int columns, int rows, int epsg)
{
  const std::string file =
    (std::filesystem::temp_directory_path() / "lapilli benchmark.tif").string();
  GDALAllRegister();
  char tiled[] = "TILED=YES";
  char* options[] = { tiled, nullptr };
  GDALDatasetH dataset =
    GDALCreate(GDALGetDriverByName("GTiff"), file.c_str(), columns, rows, 1, GDT_Float32, options);
  const bool isInDegrees = epsg == 4326;
  const double cell = isInDegrees ? 1. / 3600 : 10;
  double transform[] = { isInDegrees ? 8. : 500000., cell, 0, isInDegrees ? 48. : 5500000., 0,
    -cell };
  GDALSetGeoTransform(dataset, transform);
  OGRSpatialReferenceH crs = OSRNewSpatialReference(nullptr);
  OSRImportFromEPSG(crs, epsg);
  GDALSetSpatialRef(dataset, crs);
  OSRRelease(crs);
  GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
  GDALSetRasterNoDataValue(band, -9999);
  std::vector<float> line(columns);
  for (int row = 0; row < rows; ++row)
  {
    for (int column = 0; column < columns; ++column)
    {
      const bool isLake = column / 50 % 37 == 3 && row / 40 % 29 == 5;
      line[column] =
        isLake ? -9999
               : static_cast<float>(500 + 300 * std::sin(0.01 * column) * std::cos(0.013 * row) +
                                    20 * std::sin(0.3 * column + 0.2 * row));
    }
    if (GDALRasterIO(band, GF_Write, 0, row, columns, 1, line.data(), columns, 1, GDT_Float32, 0,
          0) != CE_None)
    {
      break;
    }
  }
  GDALClose(dataset);
  return file;
}

void read(benchmark::State& state, int epsg)
{
  const auto stride = static_cast<int>(state.range(0));
  const auto side = static_cast<int>(std::sqrt(1e6 * static_cast<double>(state.range(1)))) * stride;
  const std::string file = write(side, side, epsg);
  vtkIdType triangles = 0;
  for ([[maybe_unused]] auto _ : state)
  {
    vtkNew<vtkLapilliTerrainReader> reader;
    reader->SetFileName(file.c_str());
    reader->SetStride(stride);
    reader->SetMaximumCells(0);
    reader->Update();
    triangles = reader->GetTriangles();
    state.counters["estimated_MiB"] = reader->GetEstimatedMemory();
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MiB"] = static_cast<double>(usage.ru_maxrss) / 1024;
  state.counters["triangles"] = static_cast<double>(triangles);
  state.SetItemsProcessed(state.iterations() * side * side);
  std::filesystem::remove(file);
}

BENCHMARK_CAPTURE(read, metres, 32632)
  ->Args({ 1, 1 })
  ->Args({ 1, 10 })
  ->Args({ 4, 6 })
  ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, degrees, 4326)
  ->Args({ 1, 1 })
  ->Args({ 1, 10 })
  ->Unit(benchmark::kMillisecond);

} // namespace
