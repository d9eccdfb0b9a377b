#include "TerrainHeights.h"

#include "Error.h"
#include "HiddenCells.h"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkIdList.h>
#include <vtkPointData.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace lapilli
{
namespace
{

bool isCustomaryName(std::string lower)
{
  std::transform(lower.begin(), lower.end(), lower.begin(),
    [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower == "elevation" || lower == "z";
}

std::string namesOf(vtkDataSetAttributes* attributes)
{
  std::string names;
  for (int a = 0; a < attributes->GetNumberOfArrays(); ++a)
  {
    const char* name = attributes->GetAbstractArray(a)->GetName();
    names += std::string(names.empty() ? "" : ", ") + '\'' + (name ? name : "") + '\'';
  }
  return names.empty() ? "none" : names;
}

std::string arraysOf(vtkDataSet* data)
{
  return "point arrays: " + namesOf(data->GetPointData()) +
         "; cell arrays: " + namesOf(data->GetCellData());
}

} // namespace

Heights findNamedHeights(const TerrainOptions& options, vtkDataSet* data)
{
  vtkDataSetAttributes* const places[2] = { data->GetPointData(), data->GetCellData() };
  for (int c = 0; c < 2; ++c)
  {
    for (int a = 0; a < places[c]->GetNumberOfArrays(); ++a)
    {
      vtkDataArray* array = places[c]->GetArray(a);
      const std::string name = array && array->GetName() ? array->GetName() : "";
      const bool asked = !name.empty() && name == options.elevationArray;
      if (asked && array->GetNumberOfComponents() != 1)
      {
        throw InvalidInput("elevation array '" + name + "' has " +
                           std::to_string(array->GetNumberOfComponents()) +
                           " components; heights have 1: choose another array as Elevation Array");
      }
      if (asked || (options.elevationArray.empty() && isCustomaryName(name) &&
                     array->GetNumberOfComponents() == 1))
      {
        return { array, c == 1 };
      }
    }
  }
  return {};
}

void refuseMissingArray(const TerrainOptions& options, vtkDataSet* data)
{
  if (!options.elevationArray.empty())
  {
    throw InvalidInput("elevation array is '" + options.elevationArray +
                       "'; it must be one of the " + options.owner + "'s (" + arraysOf(data) +
                       "): choose another");
  }
}

Heights findHeights(const TerrainOptions& options, vtkDataSet* data)
{
  const Heights named = findNamedHeights(options, data);
  if (named.array)
  {
    return named;
  }
  refuseMissingArray(options, data);
  vtkDataSetAttributes* const places[2] = { data->GetPointData(), data->GetCellData() };
  for (int c = 0; c < 2; ++c)
  {
    vtkDataArray* scalars = places[c]->GetScalars();
    if (scalars && scalars->GetNumberOfComponents() == 1 && scalars->GetName())
    {
      return { scalars, c == 1 };
    }
  }
  Heights only;
  for (int c = 0; c < 2; ++c)
  {
    for (int a = 0; a < places[c]->GetNumberOfArrays(); ++a)
    {
      vtkDataArray* array = places[c]->GetArray(a);
      const bool fits = array && array->GetNumberOfComponents() == 1 && array->GetName() &&
                        std::string(array->GetName()) != vtkDataSetAttributes::GhostArrayName();
      if (fits && only.array)
      {
        throw InvalidInput(options.owner + " has several arrays that could be heights (" +
                           arraysOf(data) + "); choose one as Elevation Array");
      }
      if (fits)
      {
        only = { array, c == 1 };
      }
    }
  }
  if (!only.array)
  {
    throw InvalidInput(options.owner + " has no array of heights (" + arraysOf(data) +
                       "); it must have a point or cell array with 1 component");
  }
  return only;
}

/// Mean of the cells around each point, for data sets whose cells are listed.
std::vector<double> averagedAtPoints(vtkDataSet* data, const std::vector<double>& onCells)
{
  std::vector<double> sum(data->GetNumberOfPoints(), 0), count(sum.size(), 0);
  const std::vector<unsigned char> hidden = hiddenCells(data);
  vtkNew<vtkIdList> corners;
  for (vtkIdType cell = 0; cell < data->GetNumberOfCells(); ++cell)
  {
    if (isHidden(hidden, cell) || !std::isfinite(onCells[cell]))
    {
      continue;
    }
    data->GetCellPoints(cell, corners);
    for (vtkIdType k = 0; k < corners->GetNumberOfIds(); ++k)
    {
      sum[corners->GetId(k)] += onCells[cell];
      count[corners->GetId(k)] += 1;
    }
  }
  for (std::size_t p = 0; p < sum.size(); ++p)
  {
    sum[p] = count[p] > 0 ? sum[p] / count[p] : std::numeric_limits<double>::quiet_NaN();
  }
  return sum;
}

} // namespace lapilli
