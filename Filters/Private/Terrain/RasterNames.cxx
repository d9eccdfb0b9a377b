#include "RasterNames.h"

#include <cpl_string.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <utility>

namespace lapilli
{
namespace
{

std::string lowerCase(std::string text)
{
  std::transform(text.begin(), text.end(), text.begin(),
    [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

} // namespace

std::string faultOfFile(const std::string& name)
{
  if (name.compare(0, 4, "/vsi") == 0)
  {
    return "";
  }
  std::error_code error;
  const std::filesystem::path path = std::filesystem::u8path(name);
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
  {
    return "does not exist: check the path";
  }
  if (std::filesystem::is_regular_file(status))
  {
    if (std::filesystem::file_size(path, error) == 0 && !error)
    {
      return "is empty: copy or download it again";
    }
    if (!std::ifstream(path))
    {
      return "cannot be read: ask for the permission to read it";
    }
  }
  return "";
}

std::optional<double> metresOf(const std::string& unit)
{
  const std::string name = lowerCase(unit);
  for (const auto& [metres, names] : std::vector<std::pair<double, std::vector<const char*>>>{
         { 1, { "m", "metre", "meter", "metres", "meters" } },
         { 0.3048, { "ft", "foot", "feet", "international foot", "foot (international)" } },
         { 1200. / 3937, { "us-ft", "ftus", "us survey foot", "us survey feet", "u.s. survey foot",
                           "sft", "foot_us" } },
         { 1000, { "km", "kilometre", "kilometer", "kilometers", "kilometres" } },
         { 0.1, { "dm", "decimetre", "decimeter", "decimeters" } },
         { 0.01, { "cm", "centimetre", "centimeter", "centimeters" } },
         { 0.001, { "mm", "millimetre", "millimeter", "millimeters" } } })
  {
    if (std::find(names.begin(), names.end(), name) != names.end())
    {
      return metres;
    }
  }
  return {};
}

std::string shortName(const std::string& subdataset)
{
  const std::string name = subdataset.substr(subdataset.rfind(':') + 1);
  return name.substr(std::min(name.size(), name.find_first_not_of('/')));
}

std::vector<std::string> subdatasetsOf(GDALDatasetH dataset)
{
  std::vector<std::string> names;
  char** list = GDALGetMetadata(dataset, "SUBDATASETS");
  for (int i = 1;; ++i)
  {
    const char* name =
      CSLFetchNameValue(list, ("SUBDATASET_" + std::to_string(i) + "_NAME").c_str());
    if (!name)
    {
      return names;
    }
    names.emplace_back(name);
  }
}

bool isUsualForHeights(const std::string& variable)
{
  const std::string name = lowerCase(variable);
  for (const char* usual :
    { "z", "elevation", "elev", "height", "altitude", "topo", "topography", "dem", "band1" })
  {
    if (name == usual)
    {
      return true;
    }
  }
  return false;
}

} // namespace lapilli
