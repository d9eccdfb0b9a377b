#include "RasterCrs.h"

#include "Error.h"

#include <cpl_conv.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lapilli
{
namespace
{

constexpr double kPi = 3.14159265358979323846;

CrsTransformation transformation(const Crs& from, const Crs& to)
{
  return CrsTransformation(OCTNewCoordinateTransformation(from.get(), to.get()));
}

/// Longitude and latitude on WGS 84 [degrees]; NaN where there are none.
class Geographic
{
public:
  explicit Geographic(const Crs& crs)
    : toDegrees_(transformation(crs, crsOfEpsg("", 4326)))
  {
  }

  MapPlace operator()(MapPlace place) const
  {
    const GdalErrors errors;
    double z = 0;
    if (!toDegrees_ || !OCTTransform(toDegrees_.get(), 1, &place.x, &place.y, &z))
    {
      return { NAN, NAN };
    }
    return place;
  }

private:
  CrsTransformation toDegrees_;
};

/// On a sphere [m].
double groundDistance(MapPlace p, MapPlace q)
{
  constexpr double radius = 6371e3, radian = kPi / 180;
  const double dx = std::sin((q.x - p.x) * radian / 2), dy = std::sin((q.y - p.y) * radian / 2);
  return 2 * radius *
         std::asin(std::sqrt(dy * dy + std::cos(p.y * radian) * std::cos(q.y * radian) * dx * dx));
}

} // namespace

Crs crsOfEpsg(const std::string& property, int code)
{
  GdalErrors errors;
  Crs crs = holdCrs(OSRNewSpatialReference(nullptr));
  if (OSRImportFromEPSG(crs.get(), code) != OGRERR_NONE)
  {
    throw InvalidInput(
      property + " is " + std::to_string(code) +
      ", which is no code of a coordinate system; it must be one of the EPSG's, such as "
      "32632 for UTM zone 32 north, or 0: look it up at epsg.org");
  }
  return flattened(crs);
}

Crs flattened(const Crs& crs)
{
  Crs flat = holdCrs(OSRClone(crs.get()));
  OSRDemoteTo2D(flat.get(), nullptr);
  OSRSetAxisMappingStrategy(flat.get(), OAMS_TRADITIONAL_GIS_ORDER);
  return flat;
}

Crs inMetres(const Crs& crs)
{
  if (linearUnit(crs) == 1)
  {
    return crs;
  }
  Crs metres = holdCrs(OSRClone(crs.get()));
  OSRSetLinearUnitsAndUpdateParameters(metres.get(), "metre", 1);
  return metres;
}

bool isInDegrees(const Crs& crs)
{
  return crs && OSRIsGeographic(crs.get());
}

bool areSame(const Crs& one, const Crs& other)
{
  return OSRIsSame(one.get(), other.get()) != 0;
}

double linearUnit(const Crs& crs)
{
  return crs && !isInDegrees(crs) ? OSRGetLinearUnits(crs.get(), nullptr) : 1;
}

std::string wktOf(const Crs& crs)
{
  if (!crs)
  {
    return "";
  }
  const GdalErrors errors;
  char* text = nullptr;
  const char* const options[] = { "FORMAT=WKT2_2018", nullptr };
  OSRExportToWktEx(crs.get(), &text, options);
  const std::string wkt = text ? text : "";
  CPLFree(text);
  return wkt;
}

int epsgOf(const Crs& crs)
{
  if (!crs)
  {
    return 0;
  }
  const GdalErrors errors;
  const auto codeOf = [](OGRSpatialReferenceH known)
  {
    const char* authority = OSRGetAuthorityName(known, nullptr);
    const char* code = OSRGetAuthorityCode(known, nullptr);
    return authority && code && std::string(authority) == "EPSG" ? std::atoi(code) : 0;
  };
  int code = codeOf(crs.get());
  if (code == 0)
  {
    // Many files, such as Esri's .prj, carry the parameters without the code.
    constexpr int sure = 90; // of 100: the same but for its name
    int count = 0, *confidence = nullptr;
    OGRSpatialReferenceH* matches = OSRFindMatches(crs.get(), nullptr, &count, &confidence);
    code = count > 0 && confidence[0] >= sure ? codeOf(matches[0]) : 0;
    OSRFreeSRSArray(matches);
    CPLFree(confidence);
  }
  return code;
}

std::string nameOf(const Crs& crs)
{
  if (!crs)
  {
    return "no coordinate system";
  }
  const char* name = OSRGetName(crs.get());
  const std::string words = name ? name : "unnamed";
  const int code = epsgOf(crs);
  return code > 0 ? "EPSG:" + std::to_string(code) + " (" + words + ")" : words;
}

std::string lengthUnitOf(const Crs& crs)
{
  if (isInDegrees(crs))
  {
    return "degrees";
  }
  const double unit = linearUnit(crs);
  return unit == 1 ? "m" : "units of " + number(unit) + " m";
}

MapBox transformed(const MapBox& box, const Crs& from, const Crs& to)
{
  GdalErrors errors;
  const CrsTransformation change = transformation(from, to);
  MapBox result{};
  constexpr int pointsPerSide = 21;
  if (!change || !OCTTransformBounds(change.get(), box[0], box[2], box[1], box[3], &result[0],
                   &result[2], &result[1], &result[3], pointsPerSide))
  {
    throw InvalidInput("the box " + number(box[0]) + " to " + number(box[1]) + ", " +
                       number(box[2]) + " to " + number(box[3]) + " in " + nameOf(from) +
                       " has no place in " + nameOf(to) + errors.inBrackets() +
                       ": choose another box or another EPSG code");
  }
  return result;
}

Crs utmOf(MapPlace place, const Crs& crs)
{
  const MapPlace at = Geographic(crs)(place);
  if (!std::isfinite(at.x) || !(std::abs(at.y) <= 90))
  {
    throw InvalidInput(
      "the middle of the raster (" + number(place.x) + ", " + number(place.y) + ") in " +
      nameOf(crs) +
      " is no place on the Earth: correct the file's coordinate system with SourceEPSG");
  }
  constexpr int north = 32600, south = 32700, pole = 61;
  const double longitude = at.x - 360 * std::floor((at.x + 180) / 360);
  const int zone = std::min(static_cast<int>((longitude + 180) / 6) + 1, 60);
  const bool isPolar = at.y > 84 || at.y < -80;
  return crsOfEpsg("", (at.y < 0 ? south : north) + (isPolar ? pole : zone));
}

double mapScale(MapPlace place, const Crs& crs)
{
  if (!crs || isInDegrees(crs) || OSRIsLocal(crs.get()))
  {
    return 1;
  }
  constexpr double metres = 1000;
  const double length = metres / linearUnit(crs);
  const Geographic geographic(crs);
  const MapPlace here = geographic(place);
  double worst = 1;
  for (const MapPlace& aside :
    { MapPlace{ place.x + length, place.y }, MapPlace{ place.x, place.y + length } })
  {
    const double scale = metres / groundDistance(here, geographic(aside));
    if (std::isfinite(scale) && std::abs(std::log(scale)) > std::abs(std::log(worst)))
    {
      worst = scale;
    }
  }
  return worst;
}

} // namespace lapilli
