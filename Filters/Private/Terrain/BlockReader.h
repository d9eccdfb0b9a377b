/// @file
/// Squares of a raster's cells, averaged.
#pragma once

#include <gdal.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace lapilli
{

/// Reads rows of blocks and puts each block's mean in its place.
class BlockReader
{
public:
  BlockReader(GDALRasterBandH band, std::int64_t stride, std::int64_t columns)
    : band_(band)
    , mask_(GDALGetMaskFlags(band) == GMF_ALL_VALID ? nullptr : GDALGetMaskBand(band))
    , stride_(stride)
    , columns_(columns)
  {
  }

  bool declaresNoData() const { return mask_ != nullptr; }

  /// @return whether GDAL could read them
  bool load(std::int64_t column, std::int64_t row, std::int64_t rows)
  {
    const std::int64_t width = stride_ * columns_, height = stride_ * rows;
    values_.resize(width * height);
    const auto get = [&](GDALRasterBandH from, void* to, GDALDataType type)
    {
      return GDALRasterIO(from, GF_Read, static_cast<int>(column), static_cast<int>(row),
               static_cast<int>(width), static_cast<int>(height), to, static_cast<int>(width),
               static_cast<int>(height), type, 0, 0) == CE_None;
    };
    if (!get(band_, values_.data(), GDT_Float64))
    {
      return false;
    }
    valid_.resize(mask_ ? values_.size() : 0);
    return !mask_ || get(mask_, valid_.data(), GDT_Byte);
  }

  /// Calls use(value) for every value of the file that is there; it tells whether the value counts.
  template <class Use>
  void average(std::int64_t rows, double* means, Use use)
  {
    const std::int64_t width = stride_ * columns_;
    sums_.assign(columns_, 0);
    counts_.assign(columns_, 0);
    for (std::int64_t row = 0; row < rows; ++row)
    {
      std::fill(sums_.begin(), sums_.end(), 0);
      std::fill(counts_.begin(), counts_.end(), 0);
      for (std::int64_t line = row * stride_; line < (row + 1) * stride_; ++line)
      {
        for (std::int64_t column = 0, at = line * width; column < columns_; ++column)
        {
          for (const std::int64_t end = at + stride_; at < end; ++at)
          {
            double value = values_[at];
            if ((!mask_ || valid_[at] >= 128) && use(value))
            {
              sums_[column] += value;
              ++counts_[column];
            }
          }
        }
      }
      for (std::int64_t column = 0; column < columns_; ++column)
      {
        *means++ = 2 * counts_[column] >= stride_ * stride_
                     ? sums_[column] / static_cast<double>(counts_[column])
                     : std::numeric_limits<double>::quiet_NaN();
      }
    }
  }

private:
  GDALRasterBandH band_, mask_;
  std::int64_t stride_, columns_;
  std::vector<double> values_, sums_;
  std::vector<std::uint8_t> valid_;
  std::vector<std::int64_t> counts_;
};

} // namespace lapilli
