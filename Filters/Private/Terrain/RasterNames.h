/// @file
/// What names mean: of files, of units, of the data sets inside a file.
#pragma once

#include <gdal.h>

#include <optional>
#include <string>
#include <vector>

namespace lapilli
{

/// Why a file cannot be opened, as far as the file system tells; empty if it may be a raster.
std::string faultOfFile(const std::string& name);

/// What GDAL calls "m", "US survey foot", … [m]; none if it is not known.
std::optional<double> metresOf(const std::string& unit);

/// GDAL's names of the data sets inside a file, such as NETCDF:"file.nc":z
std::vector<std::string> subdatasetsOf(GDALDatasetH dataset);

/// The name of a variable in such a name: z
std::string shortName(const std::string& subdataset);

bool isUsualForHeights(const std::string& variable);

} // namespace lapilli
