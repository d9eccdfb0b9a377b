#include "HeightFactor.h"

#include "TerrainHeights.h"

#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkIdList.h>
#include <vtkNew.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>
#include <vector>

namespace lapilli
{
namespace
{

/// Feet (international and US survey), yards, fathoms, decimetres, centimetres, millimetres and kilometres, to metres or from
/// them.
bool isUnit(double factor)
{
  constexpr double units[] = { 1, 0.3048, 1200.0 / 3937, 0.9144, 1.8288, 0.1, 0.01, 0.001,
    1 / 0.3048, 3937.0 / 1200, 1 / 0.9144, 1 / 1.8288, 1000 };
  return std::any_of(std::begin(units), std::end(units),
    [factor](double unit) { return std::abs(std::abs(factor) - unit) <= 1e-6 * unit; });
}

struct Samples
{
  std::vector<double> heights, values; ///< z of the data, and what the array says
};

Samples sample(vtkDataSet* data, const Heights& heights)
{
  Samples samples;
  constexpr vtkIdType most = 100000;
  const vtkIdType count = heights.array->GetNumberOfTuples();
  const vtkIdType step = count / most + 1;
  vtkNew<vtkIdList> corners;
  for (vtkIdType i = 0; i < count; i += step)
  {
    double z = 0, point[3];
    if (heights.onCells)
    {
      data->GetCellPoints(i, corners);
      for (vtkIdType k = 0; k < corners->GetNumberOfIds(); ++k)
      {
        data->GetPoint(corners->GetId(k), point);
        z += point[2] / static_cast<double>(corners->GetNumberOfIds());
      }
    }
    else
    {
      data->GetPoint(i, point);
      z = point[2];
    }
    const double value = heights.array->GetTuple1(i);
    if (std::isfinite(z) && std::isfinite(value))
    {
      samples.heights.push_back(z);
      samples.values.push_back(value);
    }
  }
  return samples;
}

double meanOf(const std::vector<double>& values)
{
  double sum = 0;
  for (const double v : values)
  {
    sum += v;
  }
  return sum / static_cast<double>(values.size());
}

/// [m], as precise as a factor is worth.
std::string inWords(double number)
{
  std::ostringstream text;
  text.precision(4);
  text << number;
  return text.str();
}

} // namespace

std::string describeHeightFactor(const std::string& owner, vtkDataSet* data)
{
  const Heights heights = findNamedHeights({}, data);
  if (!heights.array)
  {
    return {};
  }
  const Samples samples = sample(data, heights);
  if (samples.heights.size() < 3)
  {
    return {};
  }
  const double meanZ = meanOf(samples.heights), meanE = meanOf(samples.values);
  double zz = 0, ze = 0, ee = 0;
  for (std::size_t i = 0; i < samples.heights.size(); ++i)
  {
    const double z = samples.heights[i] - meanZ, e = samples.values[i] - meanE;
    zz += z * z;
    ze += z * e;
    ee += e * e;
  }
  // ze^2 / (zz ee) is the share of the spread that the line explains.
  const double left = heights.onCells ? 0.05 : 0.001, away = heights.onCells ? 0.1 : 0.01;
  if (!(zz > 0 && ee > 0) || !(zz - ze * ze / ee <= left * left * zz))
  {
    return {};
  }
  const double factor = ze / ee;
  const auto [least, greatest] = std::minmax_element(samples.values.begin(), samples.values.end());
  if (*least == 0 && *greatest == 1)
  {
    return {}; // a share of the height, as from the filter Elevation
  }
  if (std::abs(factor - 1) <= away || isUnit(factor))
  {
    return {};
  }
  return "The heights of the " + owner + " are " + inWords(factor) + " times its array '" +
         heights.array->GetName() +
         "': if it was exaggerated for the eye (Warp By Scalar, Transform), connect it as it was "
         "before, "
         "or set Height Source to Array in a Terrain Surface; what is simulated acts on these "
         "heights.";
}

std::string describeVerticalScale(const std::string& owner, double scale)
{
  if (isUnit(scale))
  {
    return {};
  }
  return "Vertical Scale is " + inWords(scale) + ": the heights of the " + owner + " become " +
         inWords(scale) +
         " times what they are; set it to 1, or to what turns their unit into metres (0.3048 for "
         "feet), "
         "before something is simulated on them.";
}

} // namespace lapilli
