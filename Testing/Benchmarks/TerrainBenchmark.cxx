/// @file
/// From files to what simulations act on: a GeoTIFF with holes, in metres or in degrees, whole or averaged down;
/// the same as the surface of a scene and as the engine's mesh; an STL file of triangles in any order.
///
///   TerrainBenchmark --benchmark_filter=read/metres/1/10 --benchmark_format=csv
/// Arguments: stride, then millions of cells that come out; of STL files millions of triangles. The files are in the
/// system's cache. Counters in seconds are the median over the repeats of one run; peak is the most memory that the
/// process had since the file was written.
#include "Private/TerrainInput.h"
#include "Terrain/ColumnGrid.h"
#include "Terrain/DeviceSurface.h"
#include "Terrain/SurfaceMesh.h"
#include "vtkLapilliTerrainReader.h"

#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkSTLReader.h>

#include <benchmark/benchmark.h>

#include <gdal.h>
#include <ogr_srs_api.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <malloc.h>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace
{

/// Seconds of named stages, over the repeats.
class Stages
{
public:
  template <class Body>
  void time(const std::string& name, const Body& body)
  {
    const auto start = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    seconds_[name].push_back(passed.count());
  }

  void report(benchmark::State& state)
  {
    for (auto& [name, times] : seconds_)
    {
      std::sort(times.begin(), times.end());
      state.counters[name + "_s"] = times[times.size() / 2];
    }
  }

private:
  std::map<std::string, std::vector<double>> seconds_;
};

/// The most memory since the last call of forget() [MiB]. Linux forgets it on request; elsewhere it is 0.
struct PeakMemory
{
  static void forget()
  {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;
  }
  static double mebibytes()
  {
    std::ifstream status("/proc/self/status");
    std::string word;
    double kibibytes = 0;
    while (status >> word)
    {
      if (word == "VmHWM:")
      {
        status >> kibibytes;
      }
    }
    return kibibytes / 1024;
  }
};

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
  PeakMemory::forget();
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
  state.counters["peak_MiB"] = PeakMemory::mebibytes();
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

/// What a scene gets: the surface is moved, the reader's output is there as in a pipeline.
void toScene(benchmark::State& state)
{
  const auto side = static_cast<int>(std::sqrt(1e6 * static_cast<double>(state.range(0))));
  const std::string file = write(side, side, 32632);
  Stages stages;
  PeakMemory::forget();
  for ([[maybe_unused]] auto _ : state)
  {
    vtkNew<vtkLapilliTerrainReader> reader;
    reader->SetFileName(file.c_str());
    reader->SetMaximumCells(0);
    stages.time("reader", [&] { reader->Update(); });
    std::vector<lapilli::Surface> surfaces;
    stages.time("surface",
      [&]
      {
        lapilli::TerrainInput terrain = lapilli::readTerrain(reader->GetOutputDataObject(0));
        surfaces.push_back(std::move(terrain.surface));
      });
    state.counters["triangles"] = static_cast<double>(surfaces[0].triangleCount());
  }
  state.counters["peak_MiB"] = PeakMemory::mebibytes();
  stages.report(state);
  std::filesystem::remove(file);
}
BENCHMARK(toScene)->Arg(1)->Arg(10)->Unit(benchmark::kMillisecond);

/// What the engine makes of it: neighbours, columns, and their copy on the device.
void toEngine(benchmark::State& state)
{
  const auto side = static_cast<int>(std::sqrt(1e6 * static_cast<double>(state.range(0))));
  const std::string file = write(side, side, 32632);
  Stages stages;
  PeakMemory::forget();
  for ([[maybe_unused]] auto _ : state)
  {
    std::vector<lapilli::Surface> surfaces;
    {
      vtkNew<vtkLapilliTerrainReader> reader;
      reader->SetFileName(file.c_str());
      reader->SetMaximumCells(0);
      reader->Update();
      surfaces.push_back(lapilli::readTerrain(reader->GetOutputDataObject(0)).surface);
    }
    PeakMemory::forget();
    lapilli::SurfaceMesh mesh;
    stages.time("mesh", [&] { mesh = lapilli::buildSurfaceMesh(surfaces, { 5e5, 5.4e6, 0 }); });
    state.counters["mesh_peak_MiB"] = PeakMemory::mebibytes();
    surfaces.clear();
    lapilli::ColumnGrid columns;
    stages.time("columns", [&] { columns = lapilli::ColumnGrid(mesh); });
    stages.time("upload", [&] { const lapilli::cpu::DeviceSurface device(mesh, columns); });
    state.counters["triangles"] = static_cast<double>(mesh.triangles.size());
    state.counters["peak_MiB"] = PeakMemory::mebibytes();
  }
  stages.report(state);
  std::filesystem::remove(file);
}
BENCHMARK(toEngine)->Arg(1)->Arg(10)->Unit(benchmark::kMillisecond);

/// A binary STL file of a rough sheet, its triangles in any order.
std::string writeStl(int side)
{
  const std::string file =
    (std::filesystem::temp_directory_path() / "lapilli benchmark.stl").string();
  std::vector<std::int32_t> order(2 * static_cast<std::size_t>(side) * side);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  std::ofstream out(file, std::ios::binary);
  const std::string header(80, ' ');
  const auto count = static_cast<std::uint32_t>(order.size());
  out.write(header.data(), 80);
  out.write(reinterpret_cast<const char*>(&count), 4);
  for (const std::int32_t t : order)
  {
    const int i = t / 2 % side, j = t / 2 / side;
    const int corners[2][3][2] = { { { i, j }, { i + 1, j }, { i + 1, j + 1 } },
      { { i, j }, { i + 1, j + 1 }, { i, j + 1 } } };
    float values[12] = { 0, 0, 1 };
    for (int k = 0; k < 3; ++k)
    {
      const auto x = static_cast<float>(corners[t % 2][k][0]);
      const auto y = static_cast<float>(corners[t % 2][k][1]);
      values[3 + 3 * k] = 10 * x;
      values[4 + 3 * k] = 10 * y;
      values[5 + 3 * k] = 100 * std::sin(0.05f * x) * std::cos(0.07f * y);
    }
    char facet[50] = {};
    std::memcpy(facet, values, sizeof values);
    out.write(facet, sizeof facet);
  }
  return file;
}

void stl(benchmark::State& state)
{
  const auto side = static_cast<int>(std::sqrt(0.5e6 * static_cast<double>(state.range(0))));
  const std::string file = writeStl(side);
  Stages stages;
  PeakMemory::forget();
  for ([[maybe_unused]] auto _ : state)
  {
    vtkNew<vtkSTLReader> reader;
    reader->SetFileName(file.c_str());
    reader->SetMerging(state.range(1) != 0);
    stages.time("reader", [&] { reader->Update(); });
    stages.time("surface",
      [&]
      {
        const lapilli::TerrainInput terrain = lapilli::readTerrain(reader->GetOutputDataObject(0));
        state.counters["triangles"] = static_cast<double>(terrain.surface.triangleCount());
      });
  }
  state.counters["peak_MiB"] = PeakMemory::mebibytes();
  stages.report(state);
  std::filesystem::remove(file);
}
BENCHMARK(stl)
  ->ArgNames({ "millions", "merging" })
  ->Args({ 1, 0 })
  ->Args({ 1, 1 })
  ->Unit(benchmark::kMillisecond);

} // namespace
