/// @file
/// What of a raster is read, at which resolution, and where it comes to lie: decided before any height is read.
#pragma once

#include "RasterCrs.h"
#include "RasterFile.h"
#include "TerrainGrid.h"

#include <string>
#include <vector>

namespace lapilli
{

enum class ClipCoordinates
{
  Output, ///< those of the terrain [m]
  File    ///< those of the file
};

struct RasterWish
{
  int targetEpsg = 0; ///< 0: the file's own system in metres, the zone of UTM if it is in degrees
  bool clip = false;
  ClipCoordinates clipCoordinates = ClipCoordinates::Output;
  MapBox clipBox{ 0, 1, 0, 1 };
  std::int64_t stride = 1;       ///< cells of the file along each side of one that is read, >= 1
  std::int64_t maximumCells = 0; ///< the stride grows until they are no more; 0: any number
  bool fillsHoles = false;       ///< counts for memory
  bool makesTriangles = true;    ///< counts for memory
};

struct RasterPlan
{
  RasterWindow window;
  TerrainGrid read;   ///< in the file's coordinates, heights empty
  TerrainGrid output; ///< in metres, heights empty
  Crs crs;            ///< of the output; null: none
  bool warps = false;
  bool masks = false; ///< cells outside the box remain in a turned grid, and are taken out
  MapBox box{};       ///< for that, in output coordinates
  double memory = 0;  ///< [bytes], at the peak
  std::vector<std::string> notes, warnings;
};

/// @throws InvalidInput with a sentence for the user
RasterPlan planRaster(const RasterFile& file, const RasterWish& wish);

/// @param limit [bytes], 0: what the machine has free
/// @throws InvalidInput
void checkMemory(const RasterPlan& plan, double limit);

} // namespace lapilli
