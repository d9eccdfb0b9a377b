#include "vtkLapilliParticleSource.h"

#include "Error.h"
#include "Private/TerrainInput.h"
#include "Private/WholeInput.h"
#include "Seeding.h"

#include "vtkAlgorithmOutput.h"
#include "vtkCellArray.h"
#include "vtkDataObject.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkIntArray.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkStringArray.h"
#include "vtkTransform.h"
#include "vtkTypeInt64Array.h"
#include "vtkWeakPointer.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <sstream>
#include <string>

struct vtkLapilliParticleSource::Private
{
  lapilli::SeedingReport Report;
  std::string Text;

  // The terrain's heights, kept while neither the object nor its time of modification changes.
  vtkWeakPointer<vtkDataObject> Terrain;
  vtkMTimeType TerrainTime = 0;
  std::optional<lapilli::Elevation> Elevation;
  double Low[2] = { 0, 0 }, High[2] = { 0, 0 }; // of the terrain's map [m]

  const lapilli::Elevation* ElevationOf(vtkDataObject* terrain)
  {
    if (!terrain)
    {
      return nullptr;
    }
    if (!this->Elevation || terrain != this->Terrain || terrain->GetMTime() != this->TerrainTime)
    {
      this->Elevation.reset();
      const lapilli::Surface surface = lapilli::readTerrain(terrain).surface;
      for (int axis = 0; axis < 2; ++axis)
      {
        this->Low[axis] = this->High[axis] = surface.points[axis];
        for (std::size_t p = 0; p < surface.pointCount(); ++p)
        {
          this->Low[axis] = std::min(this->Low[axis], surface.points[3 * p + axis]);
          this->High[axis] = std::max(this->High[axis], surface.points[3 * p + axis]);
        }
      }
      this->Elevation.emplace(surface);
      this->Terrain = terrain;
      this->TerrainTime = terrain->GetMTime();
    }
    return &*this->Elevation;
  }
};

namespace
{

std::array<double, 3> toArray(const double values[3])
{
  return { values[0], values[1], values[2] };
}

/// Edges of ParaView's box widget: a unit box that is stretched, then turned about y, x and z.
std::array<std::array<double, 3>, 3> edgesOfBox(const double rotation[3], const double scale[3])
{
  vtkNew<vtkTransform> turn;
  turn->RotateZ(rotation[2]);
  turn->RotateX(rotation[0]);
  turn->RotateY(rotation[1]);
  std::array<std::array<double, 3>, 3> edges;
  for (int axis = 0; axis < 3; ++axis)
  {
    double edge[3] = { 0, 0, 0 };
    edge[axis] = scale[axis];
    turn->TransformVector(edge, edge);
    edges[axis] = toArray(edge);
  }
  return edges;
}

void addReals(vtkFieldData* to, const char* name, const std::vector<double>& values, int components)
{
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(static_cast<vtkIdType>(values.size()) / components);
  std::copy(values.begin(), values.end(), array->GetPointer(0));
  to->AddArray(array);
}

void addCount(vtkFieldData* fields, const char* name, std::int64_t count)
{
  vtkNew<vtkTypeInt64Array> array;
  array->SetName(name);
  array->SetNumberOfTuples(1);
  array->SetValue(0, count);
  fields->AddArray(array);
}

void writeSeeds(const lapilli::Seeds& seeds, vtkPolyData* output)
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
  vtkNew<vtkIntArray> sourceIds;
  sourceIds->SetName("source_id");
  sourceIds->SetNumberOfTuples(count);
  std::copy(seeds.sourceIds.begin(), seeds.sourceIds.end(), sourceIds->GetPointer(0));
  arrays->AddArray(sourceIds);
  arrays->SetActiveScalars("radius");
  arrays->SetActiveVectors("velocity");
}

} // namespace

vtkStandardNewMacro(vtkLapilliParticleSource);

vtkLapilliParticleSource::vtkLapilliParticleSource()
  : Internal(new Private)
{
  this->SetNumberOfInputPorts(1);
}

vtkLapilliParticleSource::~vtkLapilliParticleSource() = default;

void vtkLapilliParticleSource::SetTerrainConnection(vtkAlgorithmOutput* terrain)
{
  this->SetInputConnection(0, terrain);
}

void vtkLapilliParticleSource::SetTerrainConnection(int, vtkAlgorithmOutput* terrain)
{
  this->SetInputConnection(0, terrain);
}

int vtkLapilliParticleSource::FillInputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  return 1;
}

int vtkLapilliParticleSource::RequestUpdateExtent(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  if (vtkInformation* input = inputs[0]->GetInformationObject(0))
  {
    lapilli::requestWholeInput(input, outputs->GetInformationObject(0));
  }
  return 1;
}

int vtkLapilliParticleSource::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  this->Internal->Report = lapilli::SeedingReport();
  this->Internal->Text.clear();
  vtkPolyData* output = vtkPolyData::GetData(outputs);
  writeSeeds(lapilli::Seeds(), output); // arrays are there whatever happens
  if (!lapilli::isFirstPiece(outputs->GetInformationObject(0)))
  {
    return 1;
  }
  try
  {
    lapilli::SeedingParameters parameters;
    parameters.shape = static_cast<lapilli::SeedShape>(this->Shape);
    parameters.count = this->NumberOfSeeds;
    parameters.center = toArray(this->Shape == POINT  ? this->Point
                                : this->Shape == DISC ? this->DiscCenter
                                                      : this->SphereCenter);
    parameters.normal = toArray(this->DiscNormal);
    parameters.shapeRadius = this->Shape == DISC ? this->DiscRadius : this->SphereRadius;
    parameters.lineStart = toArray(this->LineStart);
    parameters.lineEnd = toArray(this->LineEnd);
    parameters.boxCorner = toArray(this->BoxPosition);
    parameters.boxEdges = edgesOfBox(this->BoxRotation, this->BoxScale);
    parameters.radiusLaw = static_cast<lapilli::RadiusLaw>(this->RadiusLaw);
    parameters.radius = this->Radius;
    parameters.smallestRadius = this->SmallestRadius;
    parameters.largestRadius = this->LargestRadius;
    parameters.medianRadius = this->MedianRadius;
    parameters.radiusSpread = this->RadiusSpread;
    parameters.density = this->Density;
    parameters.temperature = this->Temperature;
    parameters.velocity = toArray(this->Velocity);
    parameters.velocitySpread = this->VelocitySpread;
    parameters.sourceId = this->SourceId;
    parameters.randomSeed = static_cast<std::uint64_t>(this->RandomSeed);
    parameters.validate(); // before a terrain is read

    vtkDataObject* terrain =
      this->DropOntoTerrain ? vtkDataObject::GetData(inputs[0]->GetInformationObject(0)) : nullptr;
    const lapilli::Seeding seeding =
      lapilli::placeSeeds(parameters, this->Internal->ElevationOf(terrain));
    if (seeding.report.placed == 0)
    {
      std::ostringstream message;
      message.precision(9);
      message << "number of seeds over the terrain is 0 of " << seeding.report.asked
              << "; at least 1 must lie over it: move the shape to x from "
              << this->Internal->Low[0] << " to " << this->Internal->High[0] << " and y from "
              << this->Internal->Low[1] << " to " << this->Internal->High[1];
      throw lapilli::InvalidInput(message.str());
    }
    this->Internal->Report = seeding.report;
    this->Internal->Text = seeding.report.text();

    writeSeeds(seeding.seeds, output);
    vtkFieldData* fields = output->GetFieldData();
    vtkNew<vtkStringArray> text;
    text->SetName("report");
    text->InsertNextValue(this->Internal->Text);
    fields->AddArray(text);
    addCount(fields, "seeds", seeding.report.placed);
    addCount(fields, "beside_terrain", seeding.report.besideTerrain);
    addCount(fields, "stacked", seeding.report.stacked);
    addCount(fields, "random_seed", this->RandomSeed);
    addReals(fields, "mass", { seeding.report.mass }, 1);
  }
  catch (const std::exception& error)
  {
    // Not 0: the executive would add a second error that says nothing.
    vtkErrorMacro(<< error.what());
  }
  return 1;
}

vtkIdType vtkLapilliParticleSource::GetSeedsPlaced()
{
  return this->Internal->Report.placed;
}

vtkIdType vtkLapilliParticleSource::GetSeedsBesideTerrain()
{
  return this->Internal->Report.besideTerrain;
}

vtkIdType vtkLapilliParticleSource::GetSeedsStacked()
{
  return this->Internal->Report.stacked;
}

double vtkLapilliParticleSource::GetMass()
{
  return this->Internal->Report.mass;
}

const char* vtkLapilliParticleSource::GetReport()
{
  return this->Internal->Text.c_str();
}

void vtkLapilliParticleSource::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  const auto vector = [](const double v[3])
  {
    return "(" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) +
           ")";
  };
  os << indent << "DropOntoTerrain: " << this->DropOntoTerrain << '\n'
     << indent << "Shape: " << this->Shape << '\n'
     << indent << "NumberOfSeeds: " << this->NumberOfSeeds << '\n'
     << indent << "Point: " << vector(this->Point) << '\n'
     << indent << "LineStart: " << vector(this->LineStart) << '\n'
     << indent << "LineEnd: " << vector(this->LineEnd) << '\n'
     << indent << "DiscCenter: " << vector(this->DiscCenter) << '\n'
     << indent << "DiscNormal: " << vector(this->DiscNormal) << '\n'
     << indent << "DiscRadius: " << this->DiscRadius << '\n'
     << indent << "SphereCenter: " << vector(this->SphereCenter) << '\n'
     << indent << "SphereRadius: " << this->SphereRadius << '\n'
     << indent << "BoxPosition: " << vector(this->BoxPosition) << '\n'
     << indent << "BoxRotation: " << vector(this->BoxRotation) << '\n'
     << indent << "BoxScale: " << vector(this->BoxScale) << '\n'
     << indent << "RadiusLaw: " << this->RadiusLaw << '\n'
     << indent << "Radius: " << this->Radius << '\n'
     << indent << "SmallestRadius: " << this->SmallestRadius << '\n'
     << indent << "LargestRadius: " << this->LargestRadius << '\n'
     << indent << "MedianRadius: " << this->MedianRadius << '\n'
     << indent << "RadiusSpread: " << this->RadiusSpread << '\n'
     << indent << "Density: " << this->Density << '\n'
     << indent << "Temperature: " << this->Temperature << '\n'
     << indent << "Velocity: " << vector(this->Velocity) << '\n'
     << indent << "VelocitySpread: " << this->VelocitySpread << '\n'
     << indent << "SourceId: " << this->SourceId << '\n'
     << indent << "RandomSeed: " << this->RandomSeed << '\n'
     << indent << "Report: " << this->Internal->Text << '\n';
}
