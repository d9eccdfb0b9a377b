/// @file
/// An array of ours as a raster of GDAL, without a copy.
#pragma once

#include "Error.h"
#include "Gdal.h"

#include <cstdint>
#include <cstdio>

namespace lapilli
{

inline GDALDataType gdalTypeOf(const double*)
{
  return GDT_Float64;
}

inline GDALDataType gdalTypeOf(const std::uint8_t*)
{
  return GDT_Byte;
}

/// A raster with a size, but no values.
inline GdalDataset emptyRaster(std::int64_t columns, std::int64_t rows)
{
  GdalErrors errors;
  GdalDataset raster(GDALCreate(GDALGetDriverByName("MEM"), "", static_cast<int>(columns),
    static_cast<int>(rows), 0, GDT_Byte, nullptr));
  if (!raster)
  {
    throw Error("GDAL did not make a raster of " + std::to_string(columns) + " x " +
                std::to_string(rows) + " cells in memory" + errors.inBrackets());
  }
  return raster;
}

/// @param values row after row; they must outlive the raster
template <class T>
GdalDataset memoryRaster(std::int64_t columns, std::int64_t rows, T* values)
{
  GdalDataset raster = emptyRaster(columns, rows);
  char pointer[64];
  std::snprintf(pointer, sizeof pointer, "DATAPOINTER=%p", static_cast<void*>(values));
  char* options[] = { pointer, nullptr };
  GdalErrors errors;
  if (GDALAddBand(raster.get(), gdalTypeOf(values), options) != CE_None)
  {
    throw Error("GDAL did not take an array for a raster" + errors.inBrackets());
  }
  return raster;
}

} // namespace lapilli
