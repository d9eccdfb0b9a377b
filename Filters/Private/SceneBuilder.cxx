#include "SceneBuilder.h"

#include "ArrayBridge.h"
#include "Hash.h"

#include "Error.h"

#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataArray.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace lapilli
{
namespace
{

template <class... Parts>
[[noreturn]] void refuse(const Parts&... parts)
{
  std::ostringstream text;
  (text << ... << parts);
  throw InvalidInput(text.str());
}

/// One data set with points, and how to call it in a message.
struct PointBlock
{
  vtkPointSet* data;
  std::string name; ///< "source 1", "source 1, block 3"
};

/// A named point array, or null where it is absent.
vtkDataArray* findArray(const PointBlock& block, const char* name, int components)
{
  vtkAbstractArray* any = block.data->GetPointData()->GetAbstractArray(name);
  if (!any)
  {
    return nullptr;
  }
  vtkDataArray* array = vtkDataArray::SafeDownCast(any);
  if (!array)
  {
    refuse(block.name, ": array ", name, " is ", any->GetDataTypeAsString(),
      "; it must hold numbers: rename it or leave it out");
  }
  if (array->GetNumberOfComponents() != components)
  {
    refuse(block.name, ": array ", name, " has ", array->GetNumberOfComponents(),
      " components; it must have ", components, ": rename it or leave it out");
  }
  if (array->GetNumberOfTuples() != block.data->GetNumberOfPoints())
  {
    refuse(block.name, ": array ", name, " has ", array->GetNumberOfTuples(),
      " values; it must have ", block.data->GetNumberOfPoints(),
      ", one for each point: correct it or leave it out");
  }
  return array;
}

/// Refuses the block where a value does not pass: how many, and the first point.
template <class Test>
void checkValues(const PointBlock& block, const std::vector<double>& values, int components,
  const char* what, const char* limit, Test passes)
{
  if (std::all_of(values.begin(), values.end(), passes))
  {
    return;
  }
  const std::size_t points = values.size() / static_cast<std::size_t>(components);
  std::size_t bad = 0;
  std::size_t firstPoint = 0;
  double firstValue = 0;
  for (std::size_t i = 0; i < points; ++i)
  {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i) * components;
    const auto wrong = std::find_if_not(begin, begin + components, passes);
    if (wrong != begin + components && bad++ == 0)
    {
      firstPoint = i;
      firstValue = *wrong;
    }
  }
  refuse(block.name, ": ", what, " of ", bad, " of ", points, " points ", limit,
    ", the first is point ", firstPoint, " with ", firstValue,
    ": remove or correct these points (Threshold, Calculator)");
}

bool isFinite(double v)
{
  return std::isfinite(v);
}

bool isPositive(double v)
{
  return std::isfinite(v) && v > 0;
}

/// Appends an array's values, or the default for each point.
void appendScalars(std::vector<double>& values, const PointBlock& block, const char* name,
  double defaultValue, std::size_t count)
{
  if (vtkDataArray* array = findArray(block, name, 1))
  {
    const std::vector<double> read = readDoubles(array);
    checkValues(block, read, 1, name, "must be > 0", isPositive);
    values.insert(values.end(), read.begin(), read.end());
  }
  else
  {
    values.insert(values.end(), count, defaultValue);
  }
}

void addBlock(Seeds& seeds, const PointBlock& block, int connection, const SeedDefaults& defaults)
{
  const std::vector<double> positions = readPositions(block.data->GetPoints());
  checkValues(block, positions, 3, "coordinates", "are not finite", isFinite);
  const std::size_t count = positions.size() / 3;

  if (vtkDataArray* array = findArray(block, "velocity", 3))
  {
    const std::vector<double> velocities = readDoubles(array);
    checkValues(block, velocities, 3, "velocity", "is not finite", isFinite);
    seeds.velocities.insert(seeds.velocities.end(), velocities.begin(), velocities.end());
  }
  else
  {
    for (std::size_t i = 0; i < count; ++i)
    {
      seeds.velocities.insert(
        seeds.velocities.end(), defaults.velocity.begin(), defaults.velocity.end());
    }
  }
  if (vtkDataArray* array = findArray(block, "source_id", 1))
  {
    const std::vector<std::int32_t> ids = readInt32s(array);
    seeds.sourceIds.insert(seeds.sourceIds.end(), ids.begin(), ids.end());
  }
  else
  {
    seeds.sourceIds.insert(seeds.sourceIds.end(), count, connection);
  }
  appendScalars(seeds.radii, block, "radius", defaults.radius, count);
  appendScalars(seeds.densities, block, "density", defaults.density, count);
  appendScalars(seeds.temperatures, block, "temperature", defaults.temperature, count);
  seeds.positions.insert(seeds.positions.end(), positions.begin(), positions.end());
}

void addLeaf(Seeds& seeds, vtkDataObject* leaf, const std::string& name, int connection,
  const SeedDefaults& defaults)
{
  auto* points = vtkPointSet::SafeDownCast(leaf);
  if (!points)
  {
    refuse(name, " is ", leaf->GetClassName(),
      "; sources must be data with points of their own: use a Particle Source, or extract points "
      "from it (Table To Points, Threshold, Extract Surface)");
  }
  if (points->GetNumberOfPoints() > 0)
  {
    addBlock(seeds, { points, name }, connection, defaults);
  }
}

} // namespace

void addSeeds(Seeds& seeds, vtkDataObject* data, int connection, const SeedDefaults& defaults)
{
  const std::string name = "source " + std::to_string(connection);
  if (auto* composite = vtkCompositeDataSet::SafeDownCast(data))
  {
    auto blocks = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    for (blocks->InitTraversal(); !blocks->IsDoneWithTraversal(); blocks->GoToNextItem())
    {
      addLeaf(seeds, blocks->GetCurrentDataObject(),
        name + ", block " + std::to_string(blocks->GetCurrentFlatIndex()), connection, defaults);
    }
  }
  else if (data)
  {
    addLeaf(seeds, data, name, connection, defaults);
  }
}

double derivedRadius(const Scene& scene)
{
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double low[2] = { infinity, infinity };
  double high[2] = { -infinity, -infinity };
  for (const Surface& surface : scene.surfaces)
  {
    for (std::size_t i = 0; i < surface.pointCount(); ++i)
    {
      for (std::size_t axis = 0; axis < 2; ++axis)
      {
        const double v = surface.points[3 * i + axis];
        low[axis] = std::min(low[axis], v);
        high[axis] = std::max(high[axis], v);
      }
    }
  }
  const double extent = std::max(high[0] - low[0], high[1] - low[1]);
  return extent > 0 ? 0.005 * extent : 0;
}

void hashScene(const Scene& scene, Hasher& hasher)
{
  hasher.value(static_cast<std::uint64_t>(scene.surfaces.size()));
  for (const Surface& surface : scene.surfaces)
  {
    hasher.array(surface.points);
    hasher.array(surface.triangles);
    hasher.value(surface.role);
    hasher.value(surface.sides);
  }
  hasher.array(scene.seeds.positions);
  hasher.array(scene.seeds.velocities);
  hasher.array(scene.seeds.radii);
  hasher.array(scene.seeds.densities);
  hasher.array(scene.seeds.temperatures);
  hasher.array(scene.seeds.sourceIds);
}

} // namespace lapilli
