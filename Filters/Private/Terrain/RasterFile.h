/// @file
/// One band of heights in a raster file of any format that GDAL reads.
///
///   RasterFile file({ "dem.tif" });
///   std::vector<double> heights = file.read({ 0, 0, 4, file.columns() / 4, file.rows() / 4 }, progress).heights;
#pragma once

#include "AffineMap.h"
#include "Gdal.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lapilli
{

enum class HeightUnit
{
  OfFile, ///< as the file says, metres if it does not
  Metre,
  Foot,        ///< 0.3048 m
  UsSurveyFoot ///< 1200/3937 m
};

struct RasterSelection
{
  std::string fileName; ///< UTF-8; also what GDAL knows as names of other places, such as /vsizip/…
  std::string subdataset; ///< of files with several, such as netCDF's variables; empty: found
  int band = 1;           ///< from 1
  int sourceEpsg = 0;     ///< overrides the file's coordinate system; 0: the file's
  HeightUnit unit = HeightUnit::OfFile;
  std::array<double, 2> heightRange{ -1e5, 1e5 }; ///< [m], heights beyond count as no data
};

/// Blocks of stride x stride cells, the first at a cell of the file.
struct RasterWindow
{
  std::int64_t column = 0, row = 0; ///< of the file
  std::int64_t stride = 1;
  std::int64_t columns = 0, rows = 0; ///< blocks
};

struct RasterSamples
{
  std::vector<double> heights;  ///< [m], row after row; NaN where there are none
  std::int64_t beyondRange = 0; ///< heights outside the range, of the file's cells
  double firstBeyond = 0;       ///< [m]
  std::int64_t notFinite =
    0; ///< NaN or infinite, of the file's cells, without those that are its no-data value
  std::int64_t suspicious =
    0; ///< exactly -9999, -32768 or -32767 in a file that declares no no-data value
  bool usedOverview = false;
};

class RasterFile
{
public:
  /// @throws InvalidInput with a sentence for the user
  explicit RasterFile(const RasterSelection& selection);

  std::int64_t columns() const { return columns_; }
  std::int64_t rows() const { return rows_; }
  const AffineMap& map() const { return map_; } ///< to the file's coordinates
  bool hasMap() const { return hasMap_; }       ///< else cells count as 1 m
  const Crs& crs() const { return crs_; }       ///< null: none
  double bytesPerCell() const { return bytesPerCell_; }

  /// Gives back what GDAL keeps of the file in memory; nothing can be read afterwards.
  void close();

  /// "dem.tif: band 1 of 1 (GeoTIFF, Int16), 95 x 90 cells"
  const std::string& description() const { return description_; }
  const std::vector<std::string>& notes() const { return notes_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// Means of blocks, over the heights that are there; missing where they are fewer than half of a block.
  /// @param goOn called with a fraction of 0 to 1; false stops
  /// @throws InvalidInput where the file ends too early, Cancelled
  RasterSamples read(const RasterWindow& window, const std::function<bool(double)>& goOn) const;

private:
  void open();
  void openSubdataset();
  void findMap();
  void findMapOfNetCdf();
  void findCrs();
  void findUnit();
  void describe();
  [[noreturn]] void refuse(const std::string& sentence) const;

  RasterSelection selection_;
  GdalDataset dataset_;
  std::string openedName_; ///< GDAL's name, of a data set inside the file too
  GDALRasterBandH band_ = nullptr;
  std::int64_t columns_ = 0, rows_ = 0;
  AffineMap map_;
  bool hasMap_ = false;
  Crs crs_;
  double scale_ = 1, offset_ = 0; ///< [m] = scale times the stored number plus offset
  double bytesPerCell_ = 0;
  std::string description_;
  std::vector<std::string> notes_, warnings_;
};

/// Whether GDAL knows the file's format.
bool isRaster(const std::string& fileName);

} // namespace lapilli
