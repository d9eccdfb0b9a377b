#include "TerrainRaster.h"

#include "Error.h"
#include "GridFill.h"
#include "RasterWarp.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lapilli
{
namespace
{

/// Checked before the file is opened.
const TerrainRasterOptions& checked(const TerrainRasterOptions& options)
{
  const auto [low, high] = options.selection.heightRange;
  if (!(low < high))
  {
    throw InvalidInput("HeightRange is " + number(low) + " to " + number(high) +
                       "; the first must be below the second");
  }
  if (options.wish.fillsHoles && options.fillDistance < 1)
  {
    throw InvalidInput(
      "FillDistance is " + std::to_string(options.fillDistance) + "; it must be 1 or more");
  }
  if (!(options.memoryLimit >= 0))
  {
    throw InvalidInput(
      "MemoryLimit is " + number(options.memoryLimit / (1 << 20)) + "; it must be 0 or more");
  }
  return options;
}

std::int64_t countMissing(const std::vector<double>& heights)
{
  return std::count_if(heights.begin(), heights.end(), [](double z) { return std::isnan(z); });
}

/// Coordinates that could be degrees, and a relief that is larger than the map: no terrain in metres is.
bool looksLikeDegrees(const TerrainGrid& grid, double relief)
{
  const MapPlace first = grid.map.place(0, 0);
  const MapPlace last =
    grid.map.place(static_cast<double>(grid.columns), static_cast<double>(grid.rows));
  const double extent = std::max(std::abs(last.x - first.x), std::abs(last.y - first.y));
  const auto isLongitude = [](double x) { return std::abs(x) <= 360; };
  const auto isLatitude = [](double y) { return std::abs(y) <= 90.5; };
  return isLongitude(first.x) && isLongitude(last.x) && isLatitude(first.y) && isLatitude(last.y) &&
         relief > extent;
}

} // namespace

TerrainRaster::TerrainRaster(const TerrainRasterOptions& options)
  : options_(checked(options))
  , file_(options.selection)
  , plan_(planRaster(file_, options.wish))
  , grid_(plan_.output)
{
  grid_.setUpright();
}

void TerrainRaster::read(const std::function<bool(double)>& goOn)
{
  const GdalErrors errors;
  const auto reading = [&](double done) { return goOn((plan_.warps ? 0.5 : 1) * done); };
  RasterSamples samples = file_.read(plan_.window, reading);
  file_.close();
  noData_ = countMissing(samples.heights);
  beyond_ = samples.beyondRange;
  this->refuseWithoutHeights(samples);
  if (samples.usedOverview)
  {
    notes_.push_back("They are taken from an overview in the file.");
  }
  if (samples.notFinite > 0)
  {
    notes_.push_back(counted(samples.notFinite, "number that is", "numbers that are") +
                     " not finite count as no data.");
  }
  if (samples.beyondRange > 0)
  {
    const auto [low, high] = options_.selection.heightRange;
    warnings_.push_back(counted(samples.beyondRange, "height lies", "heights lie") +
                        " outside HeightRange, " + number(low) + " to " + number(high) +
                        " m, the first at " + number(samples.firstBeyond) +
                        " m, and count as no data.");
  }
  if (samples.suspicious > 0)
  {
    warnings_.push_back(counted(samples.suspicious, "height is", "heights are") +
                        " exactly -9999, -32768 or -32767, as no data often are, but the file does "
                        "not say so: set the "
                        "least HeightRange above it if they are no heights.");
  }

  grid_ = plan_.output;
  if (plan_.warps)
  {
    TerrainGrid source = plan_.read;
    source.heights = std::move(samples.heights);
    warp(
      source, file_.crs(), grid_, plan_.crs, [&](double done) { return goOn(0.5 + 0.5 * done); });
  }
  else
  {
    grid_.heights = std::move(samples.heights);
  }
  grid_.setUpright();
  if (plan_.masks)
  {
    this->maskBeyondBox();
  }
  this->look();
  if (options_.wish.fillsHoles)
  {
    filled_ = fillEnclosed(grid_, options_.fillDistance);
  }
  isRead_ = true;
}

void TerrainRaster::refuseWithoutHeights(const RasterSamples& samples) const
{
  const auto cells = static_cast<std::int64_t>(samples.heights.size());
  if (noData_ < cells)
  {
    return;
  }
  const auto [low, high] = options_.selection.heightRange;
  throw InvalidInput(
    "raster '" + options_.selection.fileName + "' has no heights: all of " + std::to_string(cells) +
    " cells that were read have no data" +
    (samples.beyondRange > 0
        ? ", " + std::to_string(samples.beyondRange) + " of the file's lie outside HeightRange, " +
            number(low) + " to " + number(high) + " m, the first at " +
            number(samples.firstBeyond) + " m"
        : std::string()) +
    (samples.notFinite > 0 ? ", " + std::to_string(samples.notFinite) + " are not finite" : "") +
    ": choose another band, a wider HeightRange" + (options_.wish.clip ? ", another ClipBox" : "") +
    " or another file");
}

void TerrainRaster::maskBeyondBox()
{
  const MapBox& box = plan_.box;
  for (std::int64_t row = 0; row < grid_.rows; ++row)
  {
    for (std::int64_t column = 0; column < grid_.columns; ++column)
    {
      const MapPlace p =
        grid_.map.place(static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5);
      if (!(p.x >= box[0] && p.x <= box[1] && p.y >= box[2] && p.y <= box[3]))
      {
        grid_.heights[row * grid_.columns + column] = TerrainGrid::kMissing;
      }
    }
  }
}

void TerrainRaster::look()
{
  lowest_ = INFINITY;
  highest_ = -INFINITY;
  for (const double z : grid_.heights)
  {
    if (!std::isnan(z))
    {
      ++valid_;
      lowest_ = std::min(lowest_, z);
      highest_ = std::max(highest_, z);
    }
  }
  if (valid_ == 0)
  {
    throw InvalidInput("raster '" + options_.selection.fileName +
                       "' has no heights inside the box or after re-projection: enlarge ClipBox, "
                       "or lower Stride");
  }
  if (!file_.crs() && file_.hasMap() && looksLikeDegrees(grid_, highest_ - lowest_))
  {
    warnings_.push_back(
      "The raster has no coordinate system and looks as if it were in degrees (heights from " +
      number(lowest_) + " to " + number(highest_) +
      " m on a map that is smaller than that): it is taken as metres, which makes needles of "
      "hills; set SourceEPSG to "
      "4326 (WGS 84) if it is in degrees.");
  }
}

double TerrainRaster::validArea() const
{
  return static_cast<double>(valid_) * grid_.cellArea();
}

std::vector<std::string> TerrainRaster::warnings() const
{
  std::vector<std::string> all = file_.warnings();
  all.insert(all.end(), plan_.warnings.begin(), plan_.warnings.end());
  all.insert(all.end(), warnings_.begin(), warnings_.end());
  return all;
}

std::string TerrainRaster::report() const
{
  const auto cellOf = [](const AffineMap& map)
  { return number(map.columnLength()) + " x " + number(map.rowLength()); };
  std::string text = file_.description() + " of " + cellOf(file_.map()) + " " +
                     lengthUnitOf(file_.crs()) + ", " + nameOf(file_.crs()) + ".";
  const auto add = [&text](const std::string& sentence) { text += " " + sentence; };
  std::for_each(file_.notes().begin(), file_.notes().end(), add);
  std::for_each(plan_.notes.begin(), plan_.notes.end(), add);
  std::for_each(notes_.begin(), notes_.end(), add);
  if (plan_.warps)
  {
    add("Re-projected to " + nameOf(plan_.crs) +
        (options_.wish.targetEpsg == 0 ? ", found from its middle," : "") +
        " by bilinear resampling.");
  }
  add("Terrain: " + std::to_string(grid_.columns) + " x " + std::to_string(grid_.rows) +
      " cells of " + cellOf(grid_.map) + " m.");
  if (isRead_)
  {
    add("Heights from " + number(lowest_) + " to " + number(highest_) + " m; " +
        counted(noData_, "cell", "cells") + " without data" +
        (options_.wish.fillsHoles ? ", " + std::to_string(filled_) + " filled" : "") + ".");
    add("Area of cells with data " + number(validArea()) + " m2.");
  }
  return text;
}

} // namespace lapilli
