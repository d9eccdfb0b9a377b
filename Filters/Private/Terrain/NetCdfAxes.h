/// @file
/// Where a netCDF grid lies, from its coordinate variables. GDAL looks at them only where they carry the attributes of the
/// CF conventions, which grids of older programs (GMT) do not, and takes degrees for no coordinate system.
#pragma once

#include "AffineMap.h"

#include <string>

namespace lapilli
{

struct NetCdfAxes
{
  bool found = false;  ///< both coordinates are there, as variables of one dimension
  bool isEven = false; ///< then the map holds
  AffineMap map;       ///< of cells, rows in the order of the file
  bool isInDegrees = false;
};

/// @param variable its last dimension is x, the one before is y
NetCdfAxes netCdfAxesOf(const std::string& fileName, const std::string& variable);

} // namespace lapilli
