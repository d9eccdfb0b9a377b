#include "NetCdfAxes.h"

#include "Gdal.h"

#include <cmath>
#include <memory>
#include <vector>

namespace lapilli
{
namespace
{

template <class Handle, void (*Release)(Handle)>
struct Releaser
{
  void operator()(std::remove_pointer_t<Handle>* handle) const { Release(handle); }
};

template <class Handle, void (*Release)(Handle)>
using Held = std::unique_ptr<std::remove_pointer_t<Handle>, Releaser<Handle, Release>>;

using Group = Held<GDALGroupH, GDALGroupRelease>;
using Array = Held<GDALMDArrayH, GDALMDArrayRelease>;
using Type = Held<GDALExtendedDataTypeH, GDALExtendedDataTypeRelease>;

struct Axis
{
  std::vector<double> values;
  std::string unit;

  double step() const
  {
    return (values.back() - values.front()) / static_cast<double>(values.size() - 1);
  }

  bool isEven() const
  {
    constexpr double rounding = 0.02; // of a step: coordinates may be of single precision
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      const double expected = values[0] + static_cast<double>(i) * step();
      if (!(std::abs(values[i] - expected) <= rounding * std::abs(step())))
      {
        return false;
      }
    }
    return true;
  }
};

Axis read(GDALDimensionH dimension)
{
  Axis axis;
  const Array variable(GDALDimensionGetIndexingVariable(dimension));
  const std::size_t count = GDALDimensionGetSize(dimension);
  if (!variable || GDALMDArrayGetDimensionCount(variable.get()) != 1 || count < 2)
  {
    return axis;
  }
  axis.values.resize(count);
  const Type type(GDALExtendedDataTypeCreate(GDT_Float64));
  const GUInt64 start = 0;
  if (!GDALMDArrayRead(variable.get(), &start, &count, nullptr, nullptr, type.get(),
        axis.values.data(), nullptr, 0))
  {
    axis.values.clear();
  }
  const char* unit = GDALMDArrayGetUnit(variable.get());
  axis.unit = unit ? unit : "";
  return axis;
}

} // namespace

NetCdfAxes netCdfAxesOf(const std::string& fileName, const std::string& variable)
{
  NetCdfAxes axes;
  const GdalErrors errors;
  const GdalDataset dataset(
    GDALOpenEx(fileName.c_str(), GDAL_OF_MULTIDIM_RASTER, nullptr, nullptr, nullptr));
  const Group root(dataset ? GDALDatasetGetRootGroup(dataset.get()) : nullptr);
  const Array array(root ? GDALGroupOpenMDArray(root.get(), variable.c_str(), nullptr) : nullptr);
  std::size_t count = 0;
  GDALDimensionH* dimensions = array ? GDALMDArrayGetDimensions(array.get(), &count) : nullptr;
  if (count >= 2)
  {
    const Axis x = read(dimensions[count - 1]), y = read(dimensions[count - 2]);
    axes.found = !x.values.empty() && !y.values.empty();
    axes.isEven = axes.found && x.isEven() && y.isEven();
    if (axes.isEven)
    {
      axes.map.c = { x.values[0] - x.step() / 2, x.step(), 0, y.values[0] - y.step() / 2, 0,
        y.step() };
    }
    axes.isInDegrees = x.unit.rfind("degree", 0) == 0 && y.unit.rfind("degree", 0) == 0;
  }
  if (dimensions)
  {
    GDALReleaseDimensions(dimensions, count);
  }
  return axes;
}

} // namespace lapilli
