#include "RasterFile.h"

#include "BlockReader.h"
#include "Error.h"
#include "NetCdfAxes.h"
#include "RasterCrs.h"
#include "RasterNames.h"

#include <cpl_conv.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <optional>

namespace lapilli
{
namespace
{

void registerDrivers()
{
  static std::once_flag once;
  std::call_once(once,
    []
    {
      const GdalErrors errors; // of drivers that lack a library
      GDALAllRegister();
    });
}

GdalDataset openRaster(const std::string& name)
{
  return GdalDataset(GDALOpenEx(name.c_str(),
    GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, nullptr, nullptr, nullptr));
}

} // namespace

bool isRaster(const std::string& fileName)
{
  registerDrivers();
  const GdalErrors errors;
  return GDALIdentifyDriverEx(fileName.c_str(), GDAL_OF_RASTER, nullptr, nullptr) != nullptr;
}

RasterFile::RasterFile(const RasterSelection& selection)
  : selection_(selection)
{
  registerDrivers();
  this->open();
  const GdalErrors errors;
  this->findMap();
  this->findCrs();
  this->findUnit();
  this->describe();
  if (!errors.first().empty())
  {
    notes_.push_back("GDAL says: " + errors.first() + (errors.first().back() == '.' ? "" : "."));
  }
}

void RasterFile::close()
{
  band_ = nullptr;
  dataset_.reset();
}

void RasterFile::refuse(const std::string& sentence) const
{
  throw InvalidInput("raster '" + selection_.fileName + "' " + sentence);
}

void RasterFile::open()
{
  if (selection_.fileName.empty())
  {
    throw InvalidInput("File Name is empty; it must name a raster: choose a file");
  }
  GdalErrors errors;
  openedName_ = selection_.fileName;
  dataset_ = openRaster(openedName_);
  if (!dataset_)
  {
    const std::string fault = faultOfFile(selection_.fileName);
    this->refuse(!fault.empty()
                   ? fault
                   : "is not one that GDAL " + std::string(GDALVersionInfo("RELEASE_NAME")) +
                       " reads" + errors.inBrackets() +
                       ": the file may be damaged or of another kind, copy it again or "
                       "convert it to GeoTIFF");
  }
  this->openSubdataset();

  const int bands = GDALGetRasterCount(dataset_.get());
  if (bands == 0)
  {
    this->refuse("has 0 bands; it must have 1 or more: choose a file with heights");
  }
  if (selection_.band < 1 || selection_.band > bands)
  {
    this->refuse("has " + counted(bands, "band", "bands") + ", Band is " +
                 std::to_string(selection_.band) + "; it must be from 1 to " +
                 std::to_string(bands));
  }
  band_ = GDALGetRasterBand(dataset_.get(), selection_.band);
  columns_ = GDALGetRasterXSize(dataset_.get());
  rows_ = GDALGetRasterYSize(dataset_.get());
  if (columns_ < 2 || rows_ < 2)
  {
    this->refuse("has " + counted(columns_, "column", "columns") + " and " +
                 counted(rows_, "row", "rows") +
                 "; a surface needs 2 of each: choose a larger raster");
  }
  const GDALDataType type = GDALGetRasterDataType(band_);
  if (GDALDataTypeIsComplex(type))
  {
    this->refuse("has complex numbers (" + std::string(GDALGetDataTypeName(type)) + ") in band " +
                 std::to_string(selection_.band) +
                 "; heights must be real: choose another band, or convert it");
  }
  bytesPerCell_ = GDALGetDataTypeSizeBytes(type);
}

void RasterFile::openSubdataset()
{
  const std::vector<std::string> all = subdatasetsOf(dataset_.get());
  const std::string& asked = selection_.subdataset;
  if (asked.empty() && (GDALGetRasterCount(dataset_.get()) > 0 || all.empty()))
  {
    return;
  }
  std::string names, chosen;
  for (const std::string& name : all)
  {
    const std::string variable = shortName(name);
    names += (names.empty() ? "" : ", ") + variable;
    const bool fits = asked.empty() ? all.size() == 1 || isUsualForHeights(variable)
                                    : asked == variable || asked == name;
    chosen = chosen.empty() && fits ? name : chosen;
  }
  if (all.empty())
  {
    this->refuse("has no data sets inside, Subdataset is '" + asked + "': leave it empty");
  }
  if (chosen.empty())
  {
    this->refuse("has " + counted(static_cast<std::int64_t>(all.size()), "data set", "data sets") +
                 " inside (" + names + "), " +
                 (asked.empty() ? "none with a name that is usual for heights"
                                : "none is called '" + asked + "'") +
                 ": name one of them in Subdataset");
  }
  GdalErrors errors;
  openedName_ = chosen;
  dataset_ = openRaster(chosen);
  if (!dataset_)
  {
    this->refuse("has the data set " + shortName(chosen) + ", which cannot be read" +
                 errors.inBrackets() + ": name another in Subdataset");
  }
  notes_.push_back(
    "Data set " + shortName(chosen) + (all.size() > 1 ? " of " + names : std::string()) + ".");
}

void RasterFile::findMap()
{
  hasMap_ = GDALGetGeoTransform(dataset_.get(), map_.c.data()) == CE_None;
  if (!hasMap_ && GDALGetGCPCount(dataset_.get()) >= 3)
  {
    hasMap_ = GDALGCPsToGeoTransform(GDALGetGCPCount(dataset_.get()), GDALGetGCPs(dataset_.get()),
                map_.c.data(), TRUE) != 0;
    if (hasMap_)
    {
      notes_.push_back("The place on the map is fitted to " +
                       std::to_string(GDALGetGCPCount(dataset_.get())) + " control points.");
    }
  }
  if (std::string(GDALGetDriverShortName(GDALGetDatasetDriver(dataset_.get()))) == "netCDF")
  {
    this->findMapOfNetCdf();
  }
  if (hasMap_ && !map_.isSound())
  {
    this->refuse("has a geotransform that maps its cells to a line or a point (cell " +
                 number(map_.columnLength()) + " x " + number(map_.rowLength()) +
                 "); cells must have an area: give the file another, as with gdal_edit -a_ullr");
  }
  constexpr double farthest = 1e9; // [the map's unit]; feet around the Earth and more
  for (const double column : { 0.0, static_cast<double>(columns_) })
  {
    for (const double row : { 0.0, static_cast<double>(rows_) })
    {
      const MapPlace corner = map_.place(column, row);
      if (hasMap_ && !(std::abs(corner.x) <= farthest && std::abs(corner.y) <= farthest))
      {
        this->refuse("has a corner at " + number(corner.x) + ", " + number(corner.y) +
                     " on the map; it must lie within " + number(farthest) +
                     ": give the file another geotransform, as with gdal_edit -a_ullr");
      }
    }
  }
  if (!hasMap_)
  {
    map_.c = { 0, 1, 0, static_cast<double>(rows_), 0, -1 };
    warnings_.push_back(
      "The raster does not say where it lies: cells are taken as 1 m x 1 m; give the file a "
      "geotransform, as with gdal_edit -a_ullr, if they are not.");
  }
}

void RasterFile::findMapOfNetCdf()
{
  const char* variable = GDALGetMetadataItem(band_, "NETCDF_VARNAME", nullptr);
  const bool hasCrs = GDALGetSpatialRef(dataset_.get()) != nullptr;
  if (!variable || (hasMap_ && hasCrs))
  {
    return;
  }
  const NetCdfAxes axes = netCdfAxesOf(selection_.fileName, variable);
  if (!hasMap_ && axes.found && !axes.isEven)
  {
    this->refuse(
      "has coordinates that are not evenly spaced; a raster needs even steps: put it on an "
      "even grid, as with gmt surface or cdo remapbil");
  }
  if (!hasMap_ && axes.found)
  {
    // GDAL may have turned the rows, or not: it did not know.
    const GdalErrors errors;
    const char* option = "GDAL_NETCDF_BOTTOMUP";
    CPLSetThreadLocalConfigOption(option, "NO");
    dataset_ = openRaster(openedName_);
    CPLSetThreadLocalConfigOption(option, nullptr);
    band_ = dataset_ ? GDALGetRasterBand(dataset_.get(), selection_.band) : nullptr;
    if (!band_)
    {
      this->refuse("cannot be opened twice: copy it to a disk of this computer");
    }
    map_ = axes.map;
    hasMap_ = true;
    notes_.push_back("Its place is that of its coordinate variables.");
  }
  if (!hasCrs && axes.isInDegrees)
  {
    crs_ = crsOfEpsg("", 4326);
    notes_.push_back("Coordinates are in degrees, taken as WGS 84.");
  }
}

void RasterFile::findCrs()
{
  if (selection_.sourceEpsg != 0)
  {
    crs_ = crsOfEpsg("SourceEPSG", selection_.sourceEpsg);
    return;
  }
  OGRSpatialReferenceH crs = GDALGetSpatialRef(dataset_.get());
  if (!crs)
  {
    crs = GDALGetGCPSpatialRef(dataset_.get());
  }
  if (crs && OSRGetName(crs)) // else there is one, but nothing in it
  {
    crs_ = holdCrs(OSRClone(crs));
  }
}

void RasterFile::findUnit()
{
  int hasScale = 0, hasOffset = 0;
  const double scale = GDALGetRasterScale(band_, &hasScale);
  const double offset = GDALGetRasterOffset(band_, &hasOffset);
  scale_ = hasScale ? scale : 1;
  offset_ = hasOffset ? offset : 0;
  if (!std::isfinite(scale_) || !std::isfinite(offset_) || scale_ == 0)
  {
    this->refuse("has a scale of " + number(scale_) + " and an offset of " + number(offset_) +
                 "; they must be finite, the scale not 0: correct them, as with gdal_edit -scale");
  }
  if (scale_ != 1 || offset_ != 0)
  {
    notes_.push_back(
      "Stored numbers are multiplied by " + number(scale_) + ", plus " + number(offset_) + ".");
  }

  std::string name = GDALGetRasterUnitType(band_);
  double metres = 1;
  if (selection_.unit != HeightUnit::OfFile)
  {
    metres = selection_.unit == HeightUnit::Metre  ? 1
             : selection_.unit == HeightUnit::Foot ? 0.3048
                                                   : 1200. / 3937;
    name = "as asked";
  }
  else if (name.empty() && crs_ && OSRIsCompound(crs_.get()))
  {
    char* vertical = nullptr;
    metres = OSRGetTargetLinearUnits(crs_.get(), "VERT_CS", &vertical);
    name = vertical ? vertical : "";
  }
  else if (!name.empty())
  {
    const std::optional<double> known = metresOf(name);
    if (!known)
    {
      warnings_.push_back("Heights have the unit '" + name +
                          "', which is not known: they are taken as metres; choose a Height Unit.");
    }
    metres = known.value_or(1);
  }
  if (metres != 1)
  {
    notes_.push_back(
      "Heights in feet or another unit (" + name + ") are multiplied by " + number(metres) + ".");
  }
  scale_ *= metres;
  offset_ *= metres;
  if (crs_)
  {
    crs_ = flattened(crs_); // what is above is read; the rest looks at the map alone
  }
}

void RasterFile::describe()
{
  const std::filesystem::path path = std::filesystem::u8path(selection_.fileName);
  description_ = path.filename().u8string() + ": band " + std::to_string(selection_.band) + " of " +
                 std::to_string(GDALGetRasterCount(dataset_.get())) + " (" +
                 GDALGetDriverShortName(GDALGetDatasetDriver(dataset_.get())) + ", " +
                 GDALGetDataTypeName(GDALGetRasterDataType(band_)) + "), " +
                 std::to_string(columns_) + " x " + std::to_string(rows_) + " cells";
  switch (GDALGetRasterColorInterpretation(band_))
  {
    case GCI_RedBand:
    case GCI_GreenBand:
    case GCI_BlueBand:
    case GCI_AlphaBand:
    case GCI_PaletteIndex:
      warnings_.push_back("Band " + std::to_string(selection_.band) +
                          " holds the colours of a picture (" +
                          GDALGetColorInterpretationName(GDALGetRasterColorInterpretation(band_)) +
                          "), which are no heights: choose another file or Band.");
      break;
    default:
      break;
  }
}

RasterSamples RasterFile::read(
  const RasterWindow& window, const std::function<bool(double)>& goOn) const
{
  RasterSamples samples;
  GDALRasterBandH band = band_;
  std::int64_t factor = 1; // the file's cells in one of the overview
  for (int i = 0; i < GDALGetOverviewCount(band_); ++i)
  {
    const GDALRasterBandH overview = GDALGetOverview(band_, i);
    const std::int64_t width = overview ? GDALGetRasterBandXSize(overview) : 0;
    const std::int64_t f = width > 0 ? (columns_ + width / 2) / width : 1;
    if (f > factor && window.stride % f == 0 && width == (columns_ + f - 1) / f &&
        GDALGetRasterBandYSize(overview) == (rows_ + f - 1) / f)
    {
      band = overview;
      factor = f;
      samples.usedOverview = true;
    }
  }
  const std::int64_t stride = window.stride / factor;
  BlockReader reader(band, stride, window.columns);
  const bool declaresNoData = reader.declaresNoData();
  const double low = selection_.heightRange[0], high = selection_.heightRange[1];
  const auto use = [&](double& value)
  {
    if (!std::isfinite(value))
    {
      ++samples.notFinite;
      return false;
    }
    samples.suspicious += !declaresNoData && (value == -9999 || value == -32768 || value == -32767);
    value = scale_ * value + offset_;
    if (value >= low && value <= high)
    {
      return true;
    }
    samples.firstBeyond = samples.beyondRange++ == 0 ? value : samples.firstBeyond;
    return false;
  };

  samples.heights.resize(window.columns * window.rows);
  // 64 MB at most, and whole blocks of the usual tiled files.
  const std::int64_t rowsAtOnce =
    std::clamp<std::int64_t>((8 << 20) / (window.columns * stride), 1, 256);
  const std::int64_t together = std::max<std::int64_t>(rowsAtOnce / stride, 1);
  GdalErrors errors;
  for (std::int64_t row = 0; row < window.rows; row += together)
  {
    if (!goOn(static_cast<double>(row) / static_cast<double>(window.rows)))
    {
      throw Cancelled("the reading was stopped");
    }
    const std::int64_t rows = std::min(together, window.rows - row);
    if (!reader.load(window.column / factor, window.row / factor + row * stride, rows))
    {
      this->refuse("cannot be read at row " + std::to_string(window.row + row * window.stride) +
                   " of " + std::to_string(rows_) + errors.inBrackets() +
                   ": the file is damaged or cut off, copy or download it again");
    }
    reader.average(rows, samples.heights.data() + row * window.columns, use);
  }
  return samples;
}

} // namespace lapilli
