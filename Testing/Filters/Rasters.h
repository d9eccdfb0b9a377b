/// @file
/// What the tests of Terrain Reader share: rasters that are written through GDAL, and looks at what is read.
#pragma once

#include "Pipelines.h"

#include "vtkLapilliTerrainReader.h"

#include <vtkStringArray.h>
#include <vtkTypeInt64Array.h>

#include <gdal.h>
#include <ogr_srs_api.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <unistd.h>
#include <vector>

namespace rasters
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A folder for the files of one case, deleted after it.
class Folder
{
public:
  Folder()
    : path_(std::filesystem::temp_directory_path() /
            ("lapilli reader " + std::to_string(getpid()) + " " + std::to_string(++count)))
  {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

private:
  static inline int count = 0;
  std::filesystem::path path_;
};

/// A raster of 8 x 6 cells of 10 m in UTM zone 32 north, from the north down, whose heights tell column and row.
struct Raster
{
  int columns = 8, rows = 6;
  std::array<double, 6> transform{ 500000, 10, 0, 5500060, 0, -10 };
  bool hasTransform = true;
  int epsg = 32632; ///< 0: none
  GDALDataType type = GDT_Float32;
  std::vector<std::function<double(int, int)>> bands{ [](int column, int row)
    { return 100. + 2 * column + 3 * row; } };
  double noData = kNaN; ///< NaN: none
  double scale = 1, offset = 0;
  std::string unit;

  /// What every band needs of GDAL beyond its numbers.
  std::function<void(GDALDatasetH)> finish = [](GDALDatasetH) {};

  std::string write(const std::string& file, const char* format = "GTiff",
    const std::vector<const char*>& options = {}) const
  {
    GDALAllRegister();
    GDALDatasetH memory = GDALCreate(
      GDALGetDriverByName("MEM"), "", columns, rows, static_cast<int>(bands.size()), type, nullptr);
    auto c = transform;
    if (hasTransform)
    {
      GDALSetGeoTransform(memory, c.data());
    }
    if (epsg != 0)
    {
      OGRSpatialReferenceH crs = OSRNewSpatialReference(nullptr);
      OSRImportFromEPSG(crs, epsg);
      OSRSetAxisMappingStrategy(crs, OAMS_TRADITIONAL_GIS_ORDER);
      GDALSetSpatialRef(memory, crs);
      OSRRelease(crs);
    }
    for (std::size_t b = 0; b < bands.size(); ++b)
    {
      std::vector<double> values;
      for (int row = 0; row < rows; ++row)
      {
        for (int column = 0; column < columns; ++column)
        {
          values.push_back(bands[b](column, row));
        }
      }
      GDALRasterBandH band = GDALGetRasterBand(memory, static_cast<int>(b) + 1);
      EXPECT_EQ(GDALRasterIO(band, GF_Write, 0, 0, columns, rows, values.data(), columns, rows,
                  GDT_Float64, 0, 0),
        CE_None);
      if (!std::isnan(noData))
      {
        GDALSetRasterNoDataValue(band, noData);
      }
      if (scale != 1 || offset != 0)
      {
        GDALSetRasterScale(band, scale);
        GDALSetRasterOffset(band, offset);
      }
      if (!unit.empty())
      {
        GDALSetRasterUnitType(band, unit.c_str());
      }
    }
    finish(memory);
    std::vector<char*> list;
    for (const char* option : options)
    {
      list.push_back(const_cast<char*>(option));
    }
    list.push_back(nullptr);
    GDALDatasetH written = GDALCreateCopy(
      GDALGetDriverByName(format), file.c_str(), memory, FALSE, list.data(), nullptr, nullptr);
    EXPECT_TRUE(written) << format;
    if (written)
    {
      GDALClose(written);
    }
    GDALClose(memory);
    return file;
  }
};

inline vtkNew<vtkLapilliTerrainReader> readerOf(const std::string& file)
{
  vtkNew<vtkLapilliTerrainReader> reader;
  reader->SetFileName(file.c_str());
  return reader;
}

inline vtkPolyData* trianglesOf(vtkLapilliTerrainReader* reader)
{
  return vtkPolyData::SafeDownCast(reader->GetOutputDataObject(0));
}

/// Height of the point nearest to a place; NaN where the nearest is farther off than `within` [m].
inline double heightAt(vtkPolyData* data, double x, double y, double within = 1e-3)
{
  double height = kNaN, least = within;
  for (vtkIdType p = 0; p < data->GetNumberOfPoints(); ++p)
  {
    double place[3];
    data->GetPoint(p, place);
    const double away = std::hypot(place[0] - x, place[1] - y);
    if (away <= least)
    {
      least = away;
      height = place[2];
    }
  }
  return height;
}

inline bool facesUp(vtkPolyData* data)
{
  for (vtkIdType t = 0; t < data->GetNumberOfCells(); ++t)
  {
    vtkIdType count;
    const vtkIdType* ids;
    data->GetCellPoints(t, count, ids);
    double a[3], b[3], c[3];
    data->GetPoint(ids[0], a);
    data->GetPoint(ids[1], b);
    data->GetPoint(ids[2], c);
    if (!((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0))
    {
      return false;
    }
  }
  return data->GetNumberOfCells() > 0;
}

inline std::int64_t countField(vtkDataObject* data, const char* name)
{
  auto* array = vtkTypeInt64Array::SafeDownCast(data->GetFieldData()->GetArray(name));
  return array ? array->GetValue(0) : -1;
}

inline std::string textField(vtkDataObject* data, const char* name)
{
  auto* array = vtkStringArray::SafeDownCast(data->GetFieldData()->GetAbstractArray(name));
  return array ? array->GetValue(0) : "(none)";
}

inline testing::AssertionResult says(const std::string& text, const std::vector<std::string>& words)
{
  for (const std::string& word : words)
  {
    if (text.find(word) == std::string::npos)
    {
      return testing::AssertionFailure() << "'" << word << "' is missing in: " << text;
    }
  }
  return testing::AssertionSuccess();
}

/// Every cell of a Raster at its place, with the height that it was written with.
inline void expectAllHeights(vtkPolyData* data, const Raster& raster)
{
  ASSERT_TRUE(data);
  EXPECT_EQ(data->GetNumberOfPoints(), raster.columns * raster.rows);
  EXPECT_EQ(data->GetNumberOfCells(), 2 * (raster.columns - 1) * (raster.rows - 1));
  EXPECT_TRUE(facesUp(data));
  EXPECT_EQ(data->GetPoints()->GetDataType(), VTK_DOUBLE);
  vtkDataArray* elevation = data->GetPointData()->GetArray("elevation");
  ASSERT_TRUE(elevation);
  for (vtkIdType p = 0; p < data->GetNumberOfPoints(); ++p)
  {
    EXPECT_EQ(elevation->GetComponent(p, 0), data->GetPoint(p)[2]);
  }
  const auto& t = raster.transform;
  for (int row = 0; row < raster.rows; ++row)
  {
    for (int column = 0; column < raster.columns; ++column)
    {
      const double x = t[0] + (column + 0.5) * t[1] + (row + 0.5) * t[2];
      const double y = t[3] + (column + 0.5) * t[4] + (row + 0.5) * t[5];
      EXPECT_NEAR(heightAt(data, x, y), raster.bands[0](column, row), 1e-3) << column << ' ' << row;
    }
  }
}

/// A file that a driver of GDAL writes.
struct Format
{
  const char* driver;
  const char* file;
  GDALDataType type;
};

/// For the names of the tests.
inline void PrintTo(const Format& format, std::ostream* out)
{
  *out << format.driver << ' ' << format.file;
}

} // namespace rasters
