/// @file
/// What the files of this folder share of GDAL: handles that close themselves, errors that do not spill over, numbers in
/// messages.
#pragma once

#include <cpl_error.h>
#include <gdal.h>
#include <ogr_srs_api.h>

#include <memory>
#include <sstream>
#include <string>
#include <type_traits>

namespace lapilli
{

using Crs = std::shared_ptr<std::remove_pointer_t<OGRSpatialReferenceH>>;

inline Crs holdCrs(OGRSpatialReferenceH crs)
{
  return Crs(crs, OSRRelease);
}

struct DestroyTransformation
{
  void operator()(void* transformation) const
  {
    OCTDestroyCoordinateTransformation(static_cast<OGRCoordinateTransformationH>(transformation));
  }
};
using CrsTransformation =
  std::unique_ptr<std::remove_pointer_t<OGRCoordinateTransformationH>, DestroyTransformation>;

/// While it lives GDAL prints nothing in this thread.
class GdalErrors
{
public:
  GdalErrors() { CPLPushErrorHandlerEx(keep, this); }
  ~GdalErrors() { CPLPopErrorHandler(); }
  GdalErrors(const GdalErrors&) = delete;
  GdalErrors& operator=(const GdalErrors&) = delete;

  /// " (GDAL: …)" with the first failure, or nothing.
  std::string inBrackets() const
  {
    return failure_.empty() ? failure_ : " (GDAL: " + failure_ + ")";
  }

  /// The first of all, failure or warning, or nothing.
  const std::string& first() const { return first_; }

private:
  static void CPL_STDCALL keep(CPLErr level, CPLErrorNum, const char* text)
  {
    auto* errors = static_cast<GdalErrors*>(CPLGetErrorHandlerUserData());
    const std::string words = text;
    const std::string line = words.substr(0, words.find('\n'));
    if (level >= CE_Warning && errors->first_.empty())
    {
      errors->first_ = line;
    }
    if (level >= CE_Failure && errors->failure_.empty())
    {
      errors->failure_ = line;
    }
  }

  std::string first_, failure_;
};

struct CloseDataset
{
  void operator()(void* dataset) const
  {
    const GdalErrors errors;
    GDALClose(dataset);
  }
};
using GdalDataset = std::unique_ptr<void, CloseDataset>;

/// As in a message: 9 digits.
inline std::string number(double value)
{
  std::ostringstream out;
  out.precision(9);
  out << value;
  return out.str();
}

inline std::string counted(std::int64_t count, const char* one, const char* many)
{
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

} // namespace lapilli
