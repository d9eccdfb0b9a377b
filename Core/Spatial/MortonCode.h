/// @file
/// Places along the Z-curve (G. M. Morton, IBM Ottawa 1966): keys whose order keeps near things together.
///
/// A key is read bit by bit from the highest: each says on which side of the middle of its cell a place is.
/// Cells are cubes (squares), also in a scene that is long or flat, so that halving them halves the scene where
/// it is longest. Equal keys are told apart by their index: T. Karras, HPG 2012, section 4. Where many are equal, as
/// beside a place far from all others, finer keys go on within the cells.
#pragma once

#include "Math/FloatBox.h"

#include <cstdint>

namespace lapilli
{

/// Moves bit k of ten to bit 3 k.
HOST_DEVICE inline std::uint32_t everyThirdBit(std::uint32_t v)
{
  v = (v | v << 16) & 0x030000ffu;
  v = (v | v << 8) & 0x0300f00fu;
  v = (v | v << 4) & 0x030c30c3u;
  v = (v | v << 2) & 0x09249249u;
  return v;
}
/// Moves bit k of sixteen to bit 2 k.
HOST_DEVICE inline std::uint32_t everySecondBit(std::uint32_t v)
{
  v = (v | v << 8) & 0x00ff00ffu;
  v = (v | v << 4) & 0x0f0f0f0fu;
  v = (v | v << 2) & 0x33333333u;
  v = (v | v << 1) & 0x55555555u;
  return v;
}

/// Which axes a curve goes through.
enum class CurveAxes
{
  Auto, ///< two in a scene that is flatter than a cell of the curve through three
  Two,  ///< 16 bits each of the two axes along which the scene is longest
  Three ///< 10 bits each
};

/// The cells of a scene.
struct MortonCells
{
  Vec3f lower{};      ///< [m] corner of the scene
  float perMetre = 0; ///< cells in a metre
  int left = kNone;   ///< the axis that has no bits: 0, 1, 2, or none

  static constexpr int kNone = 3;

  MortonCells() = default;
  /// @param scene box around all places; sound, or inside out where there are none
  HOST_DEVICE MortonCells(const FloatBox& scene, CurveAxes axes)
    : lower(scene.lower)
  {
    const Vec3d size = scene.upper.to<double>() - scene.lower.to<double>();
    int shortest = 2; // of equal axes x and y are kept
    double least = size.z, most = size.z;
    for (int axis = 1; axis >= 0; --axis)
    {
      const double length = axis == 0 ? size.x : size.y;
      shortest = length < least ? axis : shortest;
      least = length < least ? length : least;
      most = length > most ? length : most;
    }
    if (axes == CurveAxes::Two || (axes == CurveAxes::Auto && least * 1024 <= most))
      left = shortest;
    perMetre = static_cast<float>(most > 0 ? (left == kNone ? 1024 : 65536) / most : 0);
  }

  HOST_DEVICE std::uint32_t key(const Vec3f& p) const
  {
    const Vec3f c = cellsTo(p);
    return left == kNone ? keyOfThree(c.x, c.y, c.z)
                         : keyOfTwo(left == 0 ? c.y : c.x, left == 2 ? c.y : c.z);
  }

  /// The key of a place within its own cell, as if that were the scene.
  HOST_DEVICE std::uint32_t fineKey(const Vec3f& p) const
  {
    const float cells = left == kNone ? 1024 : 65536;
    const Vec3f c = cellsTo(p);
    const Vec3f d{ cells * (c.x - std::floor(c.x)), cells * (c.y - std::floor(c.y)),
      cells * (c.z - std::floor(c.z)) };
    return left == kNone ? keyOfThree(d.x, d.y, d.z)
                         : keyOfTwo(left == 0 ? d.y : d.x, left == 2 ? d.y : d.z);
  }

  // The parts of key(), for loops that decide once how many axes there are.

  /// From the corner of the scene to a place, in cells.
  HOST_DEVICE Vec3f cellsTo(const Vec3f& p) const { return perMetre * (p - lower); }
  HOST_DEVICE static std::uint32_t keyOfThree(float x, float y, float z)
  {
    return everyThirdBit(number(x, 1023)) | everyThirdBit(number(y, 1023)) << 1 |
           everyThirdBit(number(z, 1023)) << 2;
  }
  HOST_DEVICE static std::uint32_t keyOfTwo(float x, float y)
  {
    return everySecondBit(number(x, 65535)) | everySecondBit(number(y, 65535)) << 1;
  }

private:
  /// Also of what is not a number: no cell times infinitely many, in a scene like a point.
  HOST_DEVICE static std::uint32_t number(float cells, float last)
  {
    const float above = cells > 0 ? cells : 0;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(above < last ? above : last));
  }
};

} // namespace lapilli
