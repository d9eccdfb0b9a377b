#include "SourcePoints.h"

#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeInt64Array.h>

#include <algorithm>

namespace lapilli
{
namespace
{

template <class VtkArray, class T>
void addArray(vtkFieldData* to, const char* name, const std::vector<T>& values, int components = 1)
{
  vtkNew<VtkArray> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(static_cast<vtkIdType>(values.size()) / components);
  std::copy(values.begin(), values.end(), array->GetPointer(0));
  to->AddArray(array);
}

void addReals(vtkFieldData* to, const char* name, const std::vector<double>& values, int components)
{
  addArray<vtkDoubleArray>(to, name, values, components);
}

} // namespace

void writeSourcePoints(const Seeds& seeds, const CommonArrays& common,
  const EmissionArrays& emission, vtkPolyData* output)
{
  const auto count = static_cast<vtkIdType>(seeds.count());
  vtkNew<vtkDoubleArray> positions;
  positions->SetNumberOfComponents(3);
  positions->SetNumberOfTuples(count);
  std::copy(seeds.positions.begin(), seeds.positions.end(), positions->GetPointer(0));
  vtkNew<vtkPoints> points;
  points->SetData(positions);
  output->SetPoints(points);

  vtkNew<vtkTypeInt64Array> offsets, numbers;
  offsets->SetNumberOfTuples(count + 1);
  numbers->SetNumberOfTuples(count);
  for (vtkIdType i = 0; i < count; ++i)
  {
    offsets->GetPointer(0)[i] = i;
    numbers->GetPointer(0)[i] = i;
  }
  offsets->GetPointer(0)[count] = count;
  vtkNew<vtkCellArray> vertices;
  vertices->SetData(offsets, numbers);
  output->SetVerts(vertices);

  vtkPointData* arrays = output->GetPointData();
  addReals(arrays, "velocity", seeds.velocities, 3);
  addReals(arrays, "radius", seeds.radii, 1);
  addReals(arrays, "density", seeds.densities, 1);
  addReals(arrays, "temperature", seeds.temperatures, 1);
  addArray<vtkIntArray>(arrays, "source_id", seeds.sourceIds);

  const std::size_t n = seeds.count();
  const auto same = [&](const char* name, double value)
  { addReals(arrays, name, std::vector<double>(n, value), 1); };
  const auto sameInteger = [&](const char* name, int value)
  { addArray<vtkIntArray>(arrays, name, std::vector<int>(n, value)); };
  sameInteger("material", common.material);
  same("youngs_modulus", common.youngsModulus);
  same("poissons_ratio", common.poissonsRatio);
  sameInteger("shape", common.shape);

  // Of seeds too: an Append keeps only the arrays that all its inputs have.
  sameInteger("emission_rate_unit", emission.unit);
  const auto ofPulse = [&](const char* name, double Pulse::*value)
  {
    std::vector<double> values(n, 0);
    for (std::size_t i = 0; i < n && !emission.pulses.empty(); ++i)
    {
      values[i] = emission.pulses[i % emission.pulses.size()].*value;
    }
    addReals(arrays, name, values, 1);
  };
  ofPulse("emission_rate", &Pulse::rate);
  ofPulse("emission_start", &Pulse::start);
  ofPulse("emission_stop", &Pulse::stop);
  ofPulse("emission_speed", &Pulse::speed);
  std::vector<double> directions, normals, parameters;
  directions.reserve(3 * n);
  normals.reserve(3 * n);
  parameters.reserve(5 * n);
  const RadiusDistribution& r = common.radii;
  for (std::size_t i = 0; i < n; ++i)
  {
    directions.insert(directions.end(), emission.direction.begin(), emission.direction.end());
    normals.insert(normals.end(), emission.openingNormal.begin(), emission.openingNormal.end());
    parameters.insert(parameters.end(),
      { r.radius, r.smallestRadius, r.largestRadius, r.medianRadius, r.radiusSpread });
  }
  addReals(arrays, "emission_direction", directions, 3);
  same("emission_opening_radius", emission.openingRadius);
  addReals(arrays, "emission_opening_normal", normals, 3);
  same("emission_spread", emission.spread);
  sameInteger("emission_radius_law", static_cast<int>(r.radiusLaw));
  addReals(arrays, "emission_radius_parameters", parameters, 5);
  addArray<vtkTypeInt64Array>(arrays, "emission_turn",
    emission.turns.empty() ? std::vector<std::int64_t>(2 * n, 0) : emission.turns, 2);
  addArray<vtkTypeInt64Array>(
    arrays, "random_seed", std::vector<std::int64_t>(n, emission.randomSeed));

  arrays->SetActiveScalars("radius");
  arrays->SetActiveVectors("velocity");
}

} // namespace lapilli
