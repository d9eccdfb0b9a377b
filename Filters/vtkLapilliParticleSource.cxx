#include "vtkLapilliParticleSource.h"

#include "Error.h"
#include "Private/FieldArrays.h"
#include "Private/LocalFrame.h"
#include "Private/PointArrays.h"
#include "Private/Source/BodySeeds.h"
#include "Private/Source/SourceGeometry.h"
#include "Private/Source/SourceGround.h"
#include "Private/Source/SourceNozzles.h"
#include "Private/Source/SourcePoints.h"
#include "Private/WholeInput.h"
#include "Seeding.h"

#include "vtkAlgorithmOutput.h"
#include "vtkDataObject.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"
#include "vtkTransform.h"

#include <cmath>
#include <exception>
#include <sstream>
#include <string>

struct vtkLapilliParticleSource::Private
{
  lapilli::SeedingReport Report;
  std::int64_t Nozzles = 0;
  std::string Text;
  std::vector<lapilli::FilledBody> Bodies;
  lapilli::FilledBody AllBodies;
  lapilli::SourceGround Ground;
  lapilli::TerrainFrame Frame; // of the coordinates of properties and output
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

vtkDataObject* inputOf(vtkInformationVector* connections)
{
  vtkInformation* input = connections->GetInformationObject(0);
  return input ? vtkDataObject::GetData(input) : nullptr;
}

} // namespace

vtkStandardNewMacro(vtkLapilliParticleSource);

vtkLapilliParticleSource::vtkLapilliParticleSource()
  : Internal(new Private)
{
  this->SetNumberOfInputPorts(2);
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

void vtkLapilliParticleSource::SetGeometryConnection(vtkAlgorithmOutput* geometry)
{
  this->SetInputConnection(1, geometry);
}

void vtkLapilliParticleSource::SetGeometryConnection(int, vtkAlgorithmOutput* geometry)
{
  this->SetInputConnection(1, geometry);
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
  for (int port = 0; port < this->GetNumberOfInputPorts(); ++port)
  {
    if (vtkInformation* input = inputs[port]->GetInformationObject(0))
    {
      lapilli::requestWholeInput(input, outputs->GetInformationObject(0));
    }
  }
  return 1;
}

void vtkLapilliParticleSource::AddPulse(double start, double stop, double rate, double speed)
{
  this->Pulses.insert(this->Pulses.end(), { start, stop, rate, speed });
  this->Modified();
}

void vtkLapilliParticleSource::RemoveAllPulses()
{
  if (!this->Pulses.empty())
  {
    this->Pulses.clear();
    this->Modified();
  }
}

int vtkLapilliParticleSource::GetNumberOfPulses()
{
  return static_cast<int>(this->Pulses.size() / 4);
}

int vtkLapilliParticleSource::RequestData(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  Private& internal = *this->Internal;
  internal.Report = lapilli::SeedingReport();
  internal.Nozzles = 0;
  internal.Text.clear();
  internal.Bodies.clear();
  internal.AllBodies = lapilli::FilledBody();
  vtkPolyData* output = vtkPolyData::GetData(outputs);
  lapilli::writeSourcePoints({}, {}, {}, output); // arrays are there whatever happens
  if (!lapilli::isFirstPiece(outputs->GetInformationObject(0)))
  {
    return 1;
  }
  try
  {
    const lapilli::SeedingParameters parameters = this->Parameters();
    parameters.validateParticles(); // before anything large is read
    const lapilli::CommonArrays common = this->CommonOf(parameters);
    this->FindFrame(inputs);
    lapilli::EmissionArrays emission;
    if (this->Mode == EMISSION)
    {
      emission = this->EmissionOf(parameters);
    }
    const lapilli::Seeding seeding = this->Shape >= BODIES
                                       ? this->Fill(inputs, parameters)
                                       : this->Place(inputs, parameters, emission);
    lapilli::writeSourcePoints(seeding.seeds, common, emission, output);
    lapilli::moveOrigin(output, { 0, 0, 0 }, internal.Frame.origin);
    this->WriteReport(seeding.report, output);
  }
  catch (const std::exception& error)
  {
    // Not 0: the executive would add a second error that says nothing.
    vtkErrorMacro(<< error.what());
  }
  return 1;
}

lapilli::SeedingParameters vtkLapilliParticleSource::Parameters() const
{
  lapilli::SeedingParameters parameters;
  if (this->Shape < BODIES)
  {
    parameters.shape = static_cast<lapilli::SeedShape>(this->Shape);
  }
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
  return parameters;
}

// Of the terrain, else of the geometry.
void vtkLapilliParticleSource::FindFrame(vtkInformationVector** inputs)
{
  vtkDataObject* terrain = inputOf(inputs[0]);
  this->Internal->Frame = terrain ? lapilli::frameOf(terrain, "terrain")
                                  : lapilli::frameOf(inputOf(inputs[1]), "geometry");
}

lapilli::CommonArrays vtkLapilliParticleSource::CommonOf(
  const lapilli::SeedingParameters& parameters) const
{
  if (this->Material < 0)
  {
    lapilli::refuseInput(
      "material is ", this->Material, "; it must be a number >= 0 (-1 is the terrain's)");
  }
  if (!(std::isfinite(this->YoungsModulus) && this->YoungsModulus > 0))
  {
    lapilli::refuseInput(
      "Young's modulus is ", this->YoungsModulus, " Pa; it must be a number > 0");
  }
  if (!(this->PoissonsRatio > -1 && this->PoissonsRatio < 0.5))
  {
    lapilli::refuseInput("Poisson's ratio is ", this->PoissonsRatio, "; it must lie in (-1, 0.5)");
  }
  if (this->BlockShape < 0)
  {
    lapilli::refuseInput("block shape is ", this->BlockShape,
      "; it must be >= 0: 0 sphere, 1 disc, 2 bar, 3 cube, 4 tetrapod, from 5 on own shapes");
  }
  return { this->Material, this->YoungsModulus, this->PoissonsRatio, this->BlockShape, parameters };
}

lapilli::EmissionArrays vtkLapilliParticleSource::EmissionOf(
  const lapilli::SeedingParameters& parameters) const
{
  lapilli::EmissionArrays emission;
  emission.unit = this->RateUnit;
  emission.randomSeed = this->RandomSeed;
  std::vector<lapilli::Pulse> pulses;
  for (std::size_t i = 0; i + 4 <= this->Pulses.size(); i += 4)
  {
    const double* row = &this->Pulses[i];
    pulses.push_back({ row[0], row[1], row[2], row[3] });
  }
  const bool isTable = !pulses.empty();
  if (!isTable)
  {
    pulses.push_back({ this->Start, this->Stop, this->Rate, this->Speed });
  }
  emission.pulses = lapilli::checkedPulses(std::move(pulses), isTable);
  if (!(this->Spread >= 0 && this->Spread <= 90))
  {
    lapilli::refuseInput("spread is ", this->Spread, " degrees; it must lie in [0, 90]");
  }
  emission.spread = this->Spread;
  emission.direction = toArray(this->Direction);
  if (!std::isfinite(this->Direction[0]) || !std::isfinite(this->Direction[1]) ||
      !std::isfinite(this->Direction[2]))
  {
    lapilli::refuseInput("direction is (", this->Direction[0], ", ", this->Direction[1], ", ",
      this->Direction[2],
      "); it must be finite, of any length: (0, 0, 0) is the disc's normal, or up");
  }
  if (emission.direction == std::array<double, 3>{ 0, 0, 0 })
  {
    emission.direction = this->Shape == DISC ? parameters.normal : std::array<double, 3>{ 0, 0, 1 };
  }
  if (this->Shape == DISC)
  {
    emission.openingRadius = this->DiscRadius;
    emission.openingNormal = parameters.normal;
  }
  return emission;
}

lapilli::Seeding vtkLapilliParticleSource::Place(vtkInformationVector** inputs,
  lapilli::SeedingParameters parameters, lapilli::EmissionArrays& emission)
{
  Private& internal = *this->Internal;
  std::string moved;
  if (this->Shape <= BOX)
  {
    parameters.validate(); // before a terrain is read
    internal.Ground.read(inputOf(inputs[0]));
    moved = internal.Ground.moveToMiddle(parameters);
    for (auto* place :
      { &parameters.center, &parameters.lineStart, &parameters.lineEnd, &parameters.boxCorner })
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        (*place)[axis] += internal.Frame.origin[axis];
      }
    }
  }
  else
  {
    parameters.geometry =
      lapilli::readSeedGeometry(inputOf(inputs[1]), parameters.shape, internal.Frame);
    parameters.validate();
    internal.Ground.read(inputOf(inputs[0]));
  }
  const bool isEmission = this->Mode == EMISSION;
  const lapilli::Elevation* ground = this->DropOntoTerrain ? internal.Ground.elevation() : nullptr;
  const lapilli::SeedingParameters places =
    isEmission ? this->PlacesOfNozzles(parameters) : parameters;
  lapilli::Seeding seeding = lapilli::placeSeeds(places, ground);
  if (seeding.report.placed == 0)
  {
    lapilli::refuseInput("number of ", isEmission ? "nozzles" : "seeds",
      " over the terrain is 0 of ", seeding.report.asked,
      "; at least 1 must lie over it: move the shape to ", internal.Ground.extentText());
  }
  if (!isEmission)
  {
    internal.Text = seeding.report.text() + moved;
    return seeding;
  }
  if (ground && emission.openingRadius > 0)
  {
    double* x = seeding.seeds.positions.data();
    x[2] = lapilli::clearHeight(*ground, { x[0], x[1], x[2] }, parameters.normal,
      emission.openingRadius, places.radius, x[2]);
  }
  internal.Text = lapilli::nozzleReport(seeding.report, emission) + moved;
  seeding.seeds = lapilli::nozzlesAt(seeding.seeds, parameters, emission);
  return seeding;
}

lapilli::Seeding vtkLapilliParticleSource::Fill(
  vtkInformationVector** inputs, const lapilli::SeedingParameters& parameters)
{
  Private& internal = *this->Internal;
  if (this->Mode == EMISSION)
  {
    lapilli::refuseInput(
      "mode is Emission; the shapes Bodies and Lake must have the mode Seeds at the start: "
      "choose it, or nozzles on a Surface, along Lines or in a Map Area");
  }
  lapilli::BodySeedParameters body;
  body.spacing = this->Spacing;
  body.lattice = static_cast<lapilli::Lattice>(this->Lattice);
  body.extent = lapilli::extentOfBlock(this->BlockShape);
  if (!this->KeepInside)
  {
    body.clearance = this->Clearance;
  }
  if (this->UseFillLevel || this->Shape == LAKE)
  {
    body.level = this->FillLevel + internal.Frame.origin[2];
  }
  lapilli::BodySeeds seeds;
  std::string moved;
  if (this->Shape == LAKE)
  {
    internal.Ground.read(inputOf(inputs[0]));
    lapilli::SeedingParameters place;
    place.shape = lapilli::SeedShape::Point;
    place.center = toArray(this->LakePoint);
    moved = internal.Ground.moveToMiddle(place);
    body.lakePlace = { place.center[0] + internal.Frame.origin[0],
      place.center[1] + internal.Frame.origin[1] };
    seeds = lapilli::seedsInLake(internal.Ground.elevation(), parameters, body);
  }
  else
  {
    seeds = lapilli::seedsInBodies(
      lapilli::readBodies(inputOf(inputs[1]), internal.Frame), parameters, body);
  }
  internal.Text = seeds.text + moved;
  internal.AllBodies = seeds.total();
  internal.Bodies = std::move(seeds.bodies);
  return std::move(seeds.seeding);
}

// As far apart as the largest particles, so that none is in the way of its neighbour.
lapilli::SeedingParameters vtkLapilliParticleSource::PlacesOfNozzles(
  const lapilli::SeedingParameters& parameters) const
{
  lapilli::SeedingParameters places = parameters;
  places.radiusLaw = lapilli::RadiusLaw::Constant;
  places.radius = parameters.largest() * lapilli::extentOfBlock(this->BlockShape);
  places.count = this->NumberOfNozzles;
  places.crowding = lapilli::Crowding::Overlap;
  places.velocitySpread = 0;
  if (this->Shape == POINT || this->Shape == DISC)
  {
    places.shape = lapilli::SeedShape::Point;
    places.count = 1;
  }
  else if (this->NumberOfNozzles < 1)
  {
    lapilli::refuseInput("number of nozzles is ", this->NumberOfNozzles, "; it must be at least 1");
  }
  return places;
}

void vtkLapilliParticleSource::WriteReport(
  const lapilli::SeedingReport& placed, vtkPolyData* output)
{
  Private& internal = *this->Internal;
  const bool isEmission = this->Mode == EMISSION;
  internal.Report = isEmission ? lapilli::SeedingReport() : placed;
  internal.Nozzles = isEmission ? placed.placed : 0;
  vtkFieldData* fields = output->GetFieldData();
  lapilli::addText(fields, "report", internal.Text);
  lapilli::addCount(fields, "seeds", internal.Report.placed);
  lapilli::addCount(fields, "nozzles", internal.Nozzles);
  lapilli::addCount(fields, "beside_terrain", placed.besideTerrain);
  lapilli::addCount(fields, "stacked", internal.Report.stacked);
  lapilli::addCount(fields, "random_seed", this->RandomSeed);
  lapilli::addNumber(fields, "mass", internal.Report.mass);
  if (!internal.Bodies.empty())
  {
    lapilli::writeBodyTable(internal.Bodies, fields);
  }
}

vtkIdType vtkLapilliParticleSource::GetSeedsPlaced()
{
  return this->Internal->Report.placed;
}

vtkIdType vtkLapilliParticleSource::GetNozzlesPlaced()
{
  return this->Internal->Nozzles;
}

vtkIdType vtkLapilliParticleSource::GetSeedsBesideTerrain()
{
  return this->Internal->Report.besideTerrain;
}

vtkIdType vtkLapilliParticleSource::GetSeedsStacked()
{
  return this->Internal->Report.stacked;
}

vtkIdType vtkLapilliParticleSource::GetBodiesFilled()
{
  return static_cast<vtkIdType>(this->Internal->Bodies.size());
}

double vtkLapilliParticleSource::GetFilledVolume()
{
  return this->Internal->AllBodies.volume;
}

double vtkLapilliParticleSource::GetBodyVolume()
{
  return this->Internal->AllBodies.meshVolume;
}

double vtkLapilliParticleSource::GetLeakArea()
{
  return this->Internal->AllBodies.leakArea;
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
     << indent << "Spacing: " << this->Spacing << '\n'
     << indent << "Lattice: " << this->Lattice << '\n'
     << indent << "KeepInside: " << this->KeepInside << '\n'
     << indent << "Clearance: " << this->Clearance << '\n'
     << indent << "UseFillLevel: " << this->UseFillLevel << '\n'
     << indent << "FillLevel: " << this->FillLevel << '\n'
     << indent << "LakePoint: " << vector(this->LakePoint) << '\n'
     << indent << "Mode: " << this->Mode << '\n'
     << indent << "NumberOfNozzles: " << this->NumberOfNozzles << '\n'
     << indent << "RateUnit: " << this->RateUnit << '\n'
     << indent << "Rate: " << this->Rate << '\n'
     << indent << "Start: " << this->Start << '\n'
     << indent << "Stop: " << this->Stop << '\n'
     << indent << "Speed: " << this->Speed << '\n'
     << indent << "Spread: " << this->Spread << '\n'
     << indent << "Material: " << this->Material << '\n'
     << indent << "YoungsModulus: " << this->YoungsModulus << '\n'
     << indent << "PoissonsRatio: " << this->PoissonsRatio << '\n'
     << indent << "BlockShape: " << this->BlockShape << '\n'
     << indent << "Direction: " << vector(this->Direction) << '\n'
     << indent << "Pulses: " << this->Pulses.size() / 4 << '\n'
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
