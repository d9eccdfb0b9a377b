/// @file
/// Local coordinates: data whose points are relative to an origin on the map, which they carry as field data.
///
///   const MapPoint origin = localOriginOf(data).value_or(MapPoint{});  // x_map = x + origin
///   moveOrigin(output, {}, automaticOrigin(output->GetBounds()));      // map -> local
///
/// Views compute in single precision, which steps by 1 m at 9,000,000 m; relative to an origin nearby it
/// steps by less than a millimetre. Origins are whole kilometres, so that the way to local coordinates and back
/// leaves the same bits.
#pragma once

#include <array>
#include <optional>
#include <string>

class vtkDataObject;
class vtkDataSet;
class vtkPointSet;

namespace lapilli
{

using MapPoint = std::array<double, 3>; ///< [m]

constexpr const char* localOriginName = "local_origin";

/// Which coordinates a filter hands out.
enum class Coordinates
{
  AsInput, ///< those of its input, or of its terrain
  Map,
  Local ///< relative to the origin of its input, or to automaticOrigin() where that is on the map
};

/// What the field data say; of composite data what those of their blocks say, which must agree, else their own. Nothing where there is
/// no such array; an origin of zero says that the data are on the map.
/// @param owner what messages call the data, such as "terrain"
/// @throws InvalidInput for an array that is not three finite numbers, and for blocks that differ
std::optional<MapPoint> localOriginOf(vtkDataObject* data, const std::string& owner);

/// x, x, y, y, z, z around all points; empty (low > high) without any.
std::array<double, 6> boundsOf(vtkDataObject* data);

/// Where a terrain stands, beside which other data come in.
struct TerrainFrame
{
  MapPoint origin{ 0, 0, 0 };                 ///< of its local coordinates, zero on the map
  std::array<double, 4> bounds{ 0, 0, 0, 0 }; ///< x, x, y, y on the map
};

TerrainFrame frameOf(vtkDataObject* terrain, const std::string& owner);

/// The origin of data beside a terrain. Those that do not say theirs stand in the coordinates of the terrain, as one sees them, except where
/// they lie beside it so and over it as map coordinates.
MapPoint originBeside(vtkDataObject* data, const std::string& owner, const TerrainFrame& terrain);

/// The middle of the map rounded down to whole kilometres; z = 0, so that heights stay what they are.
/// @param bounds x, x, y, y, …; (0, 0, 0) for bounds of nothing
MapPoint automaticOrigin(const double* bounds);

/// The origin of what a filter hands out.
/// @param own    of its input
/// @param bounds x, x, y, y of its input on the map; only looked at for Coordinates::Local
MapPoint outputOrigin(Coordinates coordinates, const MapPoint& own, const double* bounds);

/// Gives a data set another origin: moves points, images and rectilinear grids by from - to, as copies where they may be shared, and
/// writes the field data.
/// @return false for data that have no coordinates to move; nothing is done then
bool moveOrigin(vtkDataSet* data, const MapPoint& from, const MapPoint& to);

/// Writes the field data, also of an origin of zero: then the data say that they are on the map.
void setLocalOrigin(vtkDataObject* data, const MapPoint& origin);

} // namespace lapilli
