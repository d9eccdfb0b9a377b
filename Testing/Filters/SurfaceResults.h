/// @file
/// What the tests of Terrain Surface share: a relief, what the filter hands out, its triangles by coordinates.
#pragma once

#include "Pipelines.h"

#include "vtkLapilliTerrainSurface.h"

#include <vtkIdList.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>

namespace surfaces
{

/// Of point (i, j) of a raster [m]: no three neighbours lie in a line.
inline double height(int i, int j)
{
  return 100 + 7 * std::sin(1.7 * i) + 5 * std::cos(2.3 * j) + ((i * 13 + j * 7) % 5);
}

/// What the filter hands out.
struct Result
{
  vtkNew<vtkLapilliTerrainSurface> filter;
  pipelines::Listener listener{ filter };
  vtkPolyData* output = nullptr;

  explicit Result(
    vtkDataObject* data, const std::function<void(vtkLapilliTerrainSurface*)>& change = {})
  {
    filter->SetInputDataObject(data);
    if (change)
    {
      change(filter);
    }
    filter->Update();
    output = filter->GetOutput();
  }
};

using Corner = std::array<double, 3>;
using Triangles = std::multiset<std::array<Corner, 3>>;

/// The triangles by coordinates, each from its least corner on, so that numbering does not matter.
inline Triangles trianglesOf(vtkPolyData* data)
{
  Triangles all;
  vtkNew<vtkIdList> ids;
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c)
  {
    data->GetCellPoints(c, ids);
    EXPECT_EQ(ids->GetNumberOfIds(), 3);
    std::array<Corner, 3> triangle;
    for (int k = 0; k < 3; ++k)
    {
      data->GetPoint(ids->GetId(k), triangle[k].data());
    }
    std::rotate(
      triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
    all.insert(triangle);
  }
  return all;
}

} // namespace surfaces
