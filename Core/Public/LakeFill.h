/// @file
/// Fills a basin of the terrain up to a level: a lake, water or lava.
///
///   LakeFillParameters parameters;
///   parameters.place = { 1200, 3400 };  // a point of the map in the basin
///   parameters.level = 905;             // [m]
///   LakeFill lake = fillLake(Elevation(terrain), parameters);
///
/// The places are those of the lattice of fillBodies() (see BodyFill.h) above the highest surface and
/// not above the level, in the columns of the lattice that are connected with the column
/// nearest to the place: from neighbour to neighbour along x and y over ground below the level.
/// Rims narrower than the lattice's pitch may thus be overlooked. Where water would run off the map or
/// into a hole the lake is refused. The level that would just stay is found by a flood from the place
/// in the order of heights: Barnes, Lehman, Mulla, Computers & Geosciences 62 (2014) 117-127.
#pragma once

#include "BodyFill.h"
#include "Elevation.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lapilli
{

struct LakeFillParameters
{
  std::array<double, 2> place{ 0, 0 }; ///< [m] x y, a point of the map inside the lake
  double level = 0;                    ///< [m] height of its surface; centres are not above it
  double spacing = 10;                 ///< [m] > 0, distance of nearest neighbours
  Lattice lattice = Lattice::FaceCentered;
  double clearance = 0; ///< [m] >= 0, centres keep this distance from the terrain

  /// @throws InvalidInput with name, value and range of the first field that is outside
  void validate() const;
};

struct LakeReport
{
  std::int64_t particles = 0;
  std::int64_t nearSurface = 0; ///< in the lake, but nearer to the terrain than the clearance
  double volume = 0;            ///< [m^3] sum over the columns of depth times area
  double area = 0;              ///< [m^2] of the columns under water
  double greatestDepth = 0;     ///< [m] of a column

  std::string text() const; ///< one or two sentences
};

struct LakeFill
{
  std::vector<double> positions; ///< [m] x y z per place; z, y, x ascending
  LakeReport report;

  std::size_t count() const { return positions.size() / 3; }
};

/// @throws InvalidInput for values outside their range, a place beside the terrain or above the
///         level, a lake that runs off the map or into a hole (with the place where it does and the
///         highest level that stays), one without a lattice place, and more places than memory
LakeFill fillLake(const Elevation& terrain, const LakeFillParameters& parameters);

} // namespace lapilli
