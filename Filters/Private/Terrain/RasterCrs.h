/// @file
/// Coordinate reference systems of rasters: which one a terrain in metres gets, and how true its lengths are.
#pragma once

#include "AffineMap.h"
#include "Gdal.h"

#include <array>
#include <string>

namespace lapilli
{

/// x0, x1, y0, y1
using MapBox = std::array<double, 4>;

/// @param property what messages call the code
/// @throws InvalidInput for a code that is not in the EPSG's list
Crs crsOfEpsg(const std::string& property, int code);

/// Without the axis of heights, and with x before y whatever the authority says.
Crs flattened(const Crs& crs);

/// The same projection with x and y in metres.
Crs inMetres(const Crs& crs);

bool isInDegrees(const Crs& crs);
bool areSame(const Crs& one, const Crs& other);
double linearUnit(const Crs& crs);        ///< [m]
std::string wktOf(const Crs& crs);        ///< empty for none
int epsgOf(const Crs& crs);               ///< 0 for none
std::string nameOf(const Crs& crs);       ///< "EPSG:32632 (WGS 84 / UTM zone 32N)"
std::string lengthUnitOf(const Crs& crs); ///< "degrees", "m", …

/// The box around the outline of a box in another system.
/// @throws InvalidInput where it has no place there
MapBox transformed(const MapBox& box, const Crs& from, const Crs& to);

/// The zone of UTM that a place is in, or the polar system, on WGS 84.
Crs utmOf(MapPlace place, const Crs& crs);

/// Lengths on the map over lengths on the ground (a sphere), near a place: the one that is farther from 1 of those
/// along x and along y. 1 where it is not known.
double mapScale(MapPlace place, const Crs& crs);

} // namespace lapilli
