#include "BodySeeds.h"

#include "../FieldArrays.h"
#include "../PointArrays.h"

#include "LakeFill.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace lapilli
{
namespace
{

struct LatticeSize
{
  double spacing, clearance; ///< [m]
};

LatticeSize latticeSize(const SeedingParameters& parameters, const BodySeedParameters& body)
{
  constexpr double gap = 1e-6; // the rounding of map coordinates must not make them overlap
  const double largest = parameters.largest() * body.extent;
  if (!(body.spacing >= 0 && std::isfinite(body.spacing)))
  {
    refuseInput("spacing is ", body.spacing,
      " m; it must be finite and not negative: 0 is twice the largest radius");
  }
  if (body.spacing > 0 && 2 * largest > body.spacing)
  {
    refuseInput("largest radius is ", largest, " m; it must be at most ", 0.5 * body.spacing,
      " m, half the spacing of ", body.spacing,
      " m, so that none overlap: choose smaller radii, or a spacing of 0, which is twice the "
      "largest radius");
  }
  if (body.clearance && !(*body.clearance >= 0 && std::isfinite(*body.clearance)))
  {
    refuseInput("clearance is ", *body.clearance, " m; it must be finite and not negative");
  }
  return { body.spacing > 0 ? body.spacing : 2 * largest * (1 + gap),
    body.clearance.value_or(largest) };
}

/// [m^3] of the lattice, per place.
double cellVolume(double spacing, Lattice lattice)
{
  return spacing * spacing * spacing / (lattice == Lattice::FaceCentered ? std::sqrt(2.0) : 1);
}

} // namespace

FilledBody BodySeeds::total() const
{
  FilledBody all;
  for (const FilledBody& body : bodies)
  {
    all.particles += body.particles;
    all.volume += body.volume;
    all.meshVolume += body.meshVolume;
    all.leakArea += body.leakArea;
  }
  return all;
}

BodySeeds seedsInBodies(const std::vector<Body>& bodies, const SeedingParameters& parameters,
  const BodySeedParameters& body)
{
  const auto last =
    static_cast<std::int64_t>(parameters.sourceId) + static_cast<std::int64_t>(bodies.size()) - 1;
  if (last > std::numeric_limits<std::int32_t>::max())
  {
    refuseInput("source id of the last of ", bodies.size(), " bodies is ", last,
      "; it must be at most ", std::numeric_limits<std::int32_t>::max(),
      ": choose a smaller Source Id");
  }
  const LatticeSize size = latticeSize(parameters, body);
  BodyFillParameters fillParameters;
  fillParameters.spacing = size.spacing;
  fillParameters.lattice = body.lattice;
  fillParameters.clearance = size.clearance;
  fillParameters.level = body.level;
  BodyFill fill = fillBodies(bodies, fillParameters);

  std::vector<std::int32_t> sourceIds = std::move(fill.body);
  for (std::int32_t& id : sourceIds)
  {
    id += parameters.sourceId;
  }
  BodySeeds result;
  result.seeding = seedsAt(parameters, fill.positions, sourceIds);
  result.text = result.seeding.report.text();
  constexpr std::size_t mostInWords = 5;
  for (std::size_t b = 0; b < fill.reports.size(); ++b)
  {
    const BodyReport& report = fill.reports[b];
    result.bodies.push_back(
      { report.name, parameters.sourceId + static_cast<std::int32_t>(b), report.particles,
        report.volume, report.volumeToLevel.value_or(report.meshVolume), report.leakArea });
    if (b < mostInWords)
    {
      result.text += ' ' + report.text();
    }
  }
  if (fill.reports.size() > mostInWords)
  {
    const FilledBody all = result.total();
    std::ostringstream text;
    text << " And so on: " << fill.reports.size() << " bodies in all, " << all.volume
         << " m^3 filled of " << all.meshVolume << " m^3.";
    result.text += text.str();
  }
  return result;
}

BodySeeds seedsInLake(
  const Elevation* terrain, const SeedingParameters& parameters, const BodySeedParameters& lake)
{
  if (!terrain)
  {
    refuseInput("terrain is missing; the shape Lake must have it: connect a surface to the input "
                "Terrain, such as a "
                "Terrain Surface");
  }
  const LatticeSize size = latticeSize(parameters, lake);
  LakeFillParameters fillParameters;
  fillParameters.place = lake.lakePlace;
  fillParameters.level = lake.level.value_or(fillParameters.level);
  fillParameters.spacing = size.spacing;
  fillParameters.lattice = lake.lattice;
  fillParameters.clearance = size.clearance;
  const LakeFill fill = fillLake(*terrain, fillParameters);
  BodySeeds result;
  result.seeding = seedsAt(
    parameters, fill.positions, std::vector<std::int32_t>(fill.count(), parameters.sourceId));
  const LakeReport& report = fill.report;
  const double filled = static_cast<double>(report.particles + report.nearSurface) *
                        cellVolume(size.spacing, lake.lattice);
  result.bodies.push_back(
    { "lake", parameters.sourceId, report.particles, filled, report.volume, 0 });
  result.text = result.seeding.report.text() + ' ' + report.text();
  return result;
}

void writeBodyTable(const std::vector<FilledBody>& bodies, vtkFieldData* fields)
{
  SourceNames names;
  vtkNew<vtkTypeInt64Array> counts;
  counts->SetName("body_particles");
  const auto addColumn = [&](const char* name, double FilledBody::*value)
  {
    vtkNew<vtkDoubleArray> array;
    array->SetName(name);
    for (const FilledBody& body : bodies)
    {
      array->InsertNextValue(body.*value);
    }
    fields->AddArray(array);
  };
  for (const FilledBody& body : bodies)
  {
    names.emplace_back(body.sourceId, body.name);
    counts->InsertNextValue(body.particles);
  }
  writeSourceNames(names, "body_source_id", "body_name", fields);
  fields->AddArray(counts);
  addColumn("body_volume", &FilledBody::volume);
  addColumn("body_mesh_volume", &FilledBody::meshVolume);
  addColumn("body_leak_area", &FilledBody::leakArea);
}

} // namespace lapilli
