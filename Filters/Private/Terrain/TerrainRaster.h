/// @file
/// From a raster file to a terrain in metres.
///
///   TerrainRaster raster(options);      // opens the file and plans; no height is read
///   raster.checkMemory();
///   raster.read([](double) { return true; });
///   GridMesh mesh(raster.grid());
#pragma once

#include "RasterFile.h"
#include "RasterPlan.h"
#include "TerrainGrid.h"

#include <functional>
#include <string>

namespace lapilli
{

struct TerrainRasterOptions
{
  RasterSelection selection;
  RasterWish wish;
  int fillDistance = 100; ///< [cells], >= 1, where wish.fillsHoles
  double memoryLimit = 0; ///< [bytes], 0: what the machine has free
};

class TerrainRaster
{
public:
  /// @throws InvalidInput with a sentence for the user
  explicit TerrainRaster(const TerrainRasterOptions& options);

  /// @throws InvalidInput
  void checkMemory() const { lapilli::checkMemory(plan_, options_.memoryLimit); }

  /// @param goOn called with a fraction of 0 to 1; false stops
  /// @throws InvalidInput, Cancelled
  void read(const std::function<bool(double)>& goOn);

  const RasterFile& file() const { return file_; }
  const RasterPlan& plan() const { return plan_; }
  const TerrainGrid& grid() const { return grid_; }    ///< upright; without heights before read()
  std::int64_t noDataCells() const { return noData_; } ///< of those that were read
  std::int64_t beyondRange() const { return beyond_; } ///< of the file's cells
  std::int64_t filledCells() const { return filled_; }
  double validArea() const; ///< [m2], of cells with a height that are not filled
  std::vector<std::string> warnings() const;
  std::string report() const; ///< sentences, without the warnings

private:
  void refuseWithoutHeights(const RasterSamples& samples) const;
  void maskBeyondBox();
  void look(); ///< for lowest, highest, valid cells

  TerrainRasterOptions options_;
  RasterFile file_;
  RasterPlan plan_;
  TerrainGrid grid_;
  std::int64_t noData_ = 0, beyond_ = 0, filled_ = 0, valid_ = 0;
  double lowest_ = 0, highest_ = 0;
  bool isRead_ = false;
  std::vector<std::string> notes_, warnings_; ///< of reading
};

} // namespace lapilli
