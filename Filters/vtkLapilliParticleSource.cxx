#include "vtkLapilliParticleSource.h"

#include "ClumpShapes.h"
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
#include "vtkMath.h"
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
#include <cmath>
#include <exception>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>

namespace
{

/// What makes points nozzles, one entry a point; empty for seeds.
struct Emission
{
  int unit = -1;
  std::vector<lapilli::Pulse> pulses;
  std::array<double, 3> direction{ 0, 0, 1 };
  double openingRadius = 0;                       // [m]
  std::array<double, 3> openingNormal{ 0, 0, 0 }; // 0: the direction
  double spread = 0;                              // [degrees]
  std::vector<std::int64_t> turns;                // two a point
  std::int64_t randomSeed = 0;
};

} // namespace

struct vtkLapilliParticleSource::Private
{
  lapilli::SeedingReport Report;
  std::int64_t Nozzles = 0;
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

  std::string MoveToMiddle(
    const vtkLapilliParticleSource& source, lapilli::SeedingParameters& parameters) const;
  static std::vector<lapilli::Pulse> PulsesOf(const vtkLapilliParticleSource& source);
  static lapilli::Seeds NozzlesOf(
    const lapilli::Seeds& places, const lapilli::SeedingParameters& parameters, Emission& emission);
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

template <class VtkArray, class T>
void addIntegers(
  vtkFieldData* to, const char* name, const std::vector<T>& values, int components = 1)
{
  vtkNew<VtkArray> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(static_cast<vtkIdType>(values.size()) / components);
  std::copy(values.begin(), values.end(), array->GetPointer(0));
  to->AddArray(array);
}

/// What all points have in common.
struct Common
{
  int material = 0;
  double youngsModulus = 5e9, poissonsRatio = 0.25; // [Pa], [-]
  int shape = 0;
  lapilli::RadiusDistribution radii;
};

void writeSeeds(
  const lapilli::Seeds& seeds, const Common& common, const Emission& emission, vtkPolyData* output)
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
  addIntegers<vtkIntArray>(arrays, "source_id", seeds.sourceIds);

  const std::size_t n = seeds.count();
  const auto same = [&](const char* name, double value)
  { addReals(arrays, name, std::vector<double>(n, value), 1); };
  const auto sameInteger = [&](const char* name, int value)
  { addIntegers<vtkIntArray>(arrays, name, std::vector<int>(n, value)); };
  sameInteger("material", common.material);
  same("youngs_modulus", common.youngsModulus);
  same("poissons_ratio", common.poissonsRatio);
  sameInteger("shape", common.shape);

  // Of seeds too: an Append keeps only the arrays that all its inputs have.
  sameInteger("emission_rate_unit", emission.unit);
  const auto ofPulse = [&](const char* name, double lapilli::Pulse::*value)
  {
    std::vector<double> values(n, 0);
    for (std::size_t i = 0; i < n && !emission.pulses.empty(); ++i)
    {
      values[i] = emission.pulses[i % emission.pulses.size()].*value;
    }
    addReals(arrays, name, values, 1);
  };
  ofPulse("emission_rate", &lapilli::Pulse::rate);
  ofPulse("emission_start", &lapilli::Pulse::start);
  ofPulse("emission_stop", &lapilli::Pulse::stop);
  ofPulse("emission_speed", &lapilli::Pulse::speed);
  std::vector<double> directions, normals, parameters;
  directions.reserve(3 * n);
  normals.reserve(3 * n);
  parameters.reserve(5 * n);
  const lapilli::RadiusDistribution& r = common.radii;
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
  addIntegers<vtkTypeInt64Array>(arrays, "emission_turn",
    emission.turns.empty() ? std::vector<std::int64_t>(2 * n, 0) : emission.turns, 2);
  addIntegers<vtkTypeInt64Array>(
    arrays, "random_seed", std::vector<std::int64_t>(n, emission.randomSeed));

  arrays->SetActiveScalars("radius");
  arrays->SetActiveVectors("velocity");
}

template <class... Parts>
[[noreturn]] void refuse(const Parts&... parts)
{
  std::ostringstream text;
  (text << ... << parts);
  throw lapilli::InvalidInput(text.str());
}

/// Unit vector along a direction of any length: its square need not be a number.
std::array<double, 3> unitAlong(const std::array<double, 3>& direction)
{
  const double greatest =
    std::max({ std::abs(direction[0]), std::abs(direction[1]), std::abs(direction[2]) });
  std::array<double, 3> v{ direction[0] / greatest, direction[1] / greatest,
    direction[2] / greatest };
  const double length = std::hypot(v[0], v[1], v[2]);
  return { v[0] / length, v[1] / length, v[2] / length };
}

/// Radius of what holds a whole particle, in radii. The simulation's own shapes are not known here.
double extentOf(int blockShape)
{
  const std::vector<std::string> names = lapilli::standardShapeNames();
  return blockShape < 1 || blockShape > static_cast<int>(names.size())
           ? 1
           : lapilli::boundingRadiusOf(
               lapilli::standardShape(names[static_cast<std::size_t>(blockShape) - 1]));
}

/// The height at which a disc is clear of the ground by a radius everywhere; that of its centre at least.
double clearHeight(const lapilli::Elevation& terrain, const std::array<double, 3>& center,
  const std::array<double, 3>& normal, double discRadius, double radius, double fallback)
{
  const std::array<double, 3> n = unitAlong(normal);
  const std::array<double, 3> axis =
    std::abs(n[2]) < 0.9 ? std::array<double, 3>{ 0, 0, 1 } : std::array<double, 3>{ 1, 0, 0 };
  std::array<double, 3> u{ axis[1] * n[2] - axis[2] * n[1], axis[2] * n[0] - axis[0] * n[2],
    axis[0] * n[1] - axis[1] * n[0] };
  const double size = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  u = { u[0] / size, u[1] / size, u[2] / size };
  const std::array<double, 3> v{ n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2],
    n[0] * u[1] - n[1] * u[0] };
  constexpr int rings = 8, spokes = 32;
  double height = fallback;
  for (int ring = 1; ring <= rings; ++ring)
  {
    for (int spoke = 0; spoke < spokes; ++spoke)
    {
      const double angle = 2 * vtkMath::Pi() * spoke / spokes;
      const double a = discRadius * ring / rings * std::cos(angle),
                   b = discRadius * ring / rings * std::sin(angle);
      const auto rest = terrain.restingHeight(
        center[0] + a * u[0] + b * v[0], center[1] + a * u[1] + b * v[1], radius);
      if (rest)
      {
        height = std::max(height, *rest - (a * u[2] + b * v[2]));
      }
    }
  }
  return height;
}

} // namespace

vtkStandardNewMacro(vtkLapilliParticleSource);

// A shape that was left where it came stands at the origin, which maps seldom contain. In the window the terrain is
// often chosen after the source was made, so no default of the panel can know its middle.
std::string vtkLapilliParticleSource::Private::MoveToMiddle(
  const vtkLapilliParticleSource& source, lapilli::SeedingParameters& parameters) const
{
  const lapilli::SeedingParameters defaults;
  std::array<double, 3> middle = parameters.center;
  bool isDefault = middle == std::array<double, 3>{ 0, 0, 0 };
  if (source.Shape == LINE)
  {
    isDefault =
      parameters.lineStart == defaults.lineStart && parameters.lineEnd == defaults.lineEnd;
    middle = { 50, 0, 0 };
  }
  else if (source.Shape == BOX)
  {
    isDefault = parameters.boxCorner == defaults.boxCorner;
    middle = parameters.boxCorner;
    for (const auto& edge : parameters.boxEdges)
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        middle[axis] += 0.5 * edge[axis];
      }
    }
  }
  const bool isOver = middle[0] > this->Low[0] && middle[0] < this->High[0] &&
                      middle[1] > this->Low[1] && middle[1] < this->High[1];
  if (!isDefault || isOver)
  {
    return {};
  }
  const double x = 0.5 * (this->Low[0] + this->High[0]), y = 0.5 * (this->Low[1] + this->High[1]);
  const auto ground = this->Elevation->highest(x, y);
  const std::array<double, 3> shift{ x - middle[0], y - middle[1],
    ground ? ground->z - middle[2] : 0 };
  for (auto* point :
    { &parameters.center, &parameters.lineStart, &parameters.lineEnd, &parameters.boxCorner })
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      (*point)[axis] += shift[axis];
    }
  }
  std::ostringstream text;
  text.precision(9);
  text << " The shape was left at the origin, beside the terrain, and was moved to its middle, x "
       << x << ", y " << y << ".";
  return text.str();
}

std::vector<lapilli::Pulse> vtkLapilliParticleSource::Private::PulsesOf(
  const vtkLapilliParticleSource& source)
{
  std::vector<lapilli::Pulse> pulses;
  const std::vector<double>& rows = source.Pulses;
  for (std::size_t i = 0; i + 4 <= rows.size(); i += 4)
  {
    pulses.push_back({ rows[i], rows[i + 1], rows[i + 2], rows[i + 3] });
  }
  const bool isTable = !pulses.empty();
  if (!isTable)
  {
    pulses.push_back({ source.Start, source.Stop, source.Rate, source.Speed });
  }
  std::stable_sort(pulses.begin(), pulses.end(),
    [](const lapilli::Pulse& a, const lapilli::Pulse& b) { return a.start < b.start; });
  const char* where = isTable ? "a pulse's " : "";
  for (std::size_t i = 0; i < pulses.size(); ++i)
  {
    const lapilli::Pulse& p = pulses[i];
    if (!(std::isfinite(p.start) && p.start >= 0))
    {
      refuse(where, "start is ", p.start, " s; it must be a number >= 0");
    }
    if (!(p.stop > p.start))
    {
      refuse(where, "stop is ", p.stop, " s; it must be later than the start, ", p.start, " s");
    }
    if (!(std::isfinite(p.rate) && p.rate >= 0))
    {
      refuse(where, "rate is ", p.rate,
        "; it must be a number >= 0, in particles or kilograms per second");
    }
    if (!(std::isfinite(p.speed) && p.speed >= 0))
    {
      refuse(where, "speed is ", p.speed, " m/s; it must be a number >= 0");
    }
    if (i > 0 && p.start < pulses[i - 1].stop)
    {
      refuse("a pulse lasts until ", pulses[i - 1].stop, " s and another starts at ", p.start,
        " s; pulses must not overlap: shorten one");
    }
  }
  return pulses;
}

// A point for each pulse of each nozzle; the rates become those of one nozzle.
lapilli::Seeds vtkLapilliParticleSource::Private::NozzlesOf(
  const lapilli::Seeds& places, const lapilli::SeedingParameters& parameters, Emission& emission)
{
  std::vector<lapilli::Pulse>& pulses = emission.pulses;
  const std::array<double, 3> direction = unitAlong(emission.direction);
  const double radius = parameters.radiusLaw == lapilli::RadiusLaw::Constant ? parameters.radius
                        : parameters.radiusLaw == lapilli::RadiusLaw::Uniform
                          ? 0.5 * (parameters.smallestRadius + parameters.largestRadius)
                          : parameters.medianRadius;
  lapilli::Seeds nozzles;
  const auto count = static_cast<std::int64_t>(places.count());
  for (lapilli::Pulse& pulse : pulses)
  {
    pulse.rate /= static_cast<double>(count);
  }
  // Neighbours along a line come far apart in the order of turns.
  auto step = static_cast<std::int64_t>(0.618033988749895 * static_cast<double>(count)) + 1;
  while (std::gcd(step, count) != 1)
  {
    ++step;
  }
  for (std::size_t i = 0; i < places.count(); ++i)
  {
    const std::int64_t turn = static_cast<std::int64_t>(i) * step % count;
    for (const lapilli::Pulse& pulse : pulses)
    {
      const double* x = &places.positions[3 * i];
      nozzles.add({ x[0], x[1], x[2] },
        { direction[0] * pulse.speed, direction[1] * pulse.speed, direction[2] * pulse.speed },
        radius, parameters.density, parameters.temperature, parameters.sourceId);
      emission.turns.insert(emission.turns.end(), { turn, count });
    }
  }
  return nozzles;
}

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
  this->Internal->Report = lapilli::SeedingReport();
  this->Internal->Nozzles = 0;
  this->Internal->Text.clear();
  vtkPolyData* output = vtkPolyData::GetData(outputs);
  writeSeeds(lapilli::Seeds(), Common(), Emission(), output); // arrays are there whatever happens
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
    Common common;
    common.material = this->Material;
    common.youngsModulus = this->YoungsModulus;
    common.poissonsRatio = this->PoissonsRatio;
    common.shape = this->BlockShape;
    common.radii = parameters;
    this->CheckMaterial();

    vtkInformation* input = inputs[0]->GetInformationObject(0);
    vtkDataObject* data = input ? vtkDataObject::GetData(input) : nullptr;
    const lapilli::Elevation* terrain = this->Internal->ElevationOf(data);
    std::string moved;
    if (terrain)
    {
      moved = this->Internal->MoveToMiddle(*this, parameters);
    }
    const lapilli::Elevation* ground = this->DropOntoTerrain ? terrain : nullptr;

    Emission emission;
    lapilli::SeedingParameters places = parameters; // of seeds, or of nozzles
    if (this->Mode == EMISSION)
    {
      emission.unit = this->RateUnit;
      emission.randomSeed = this->RandomSeed;
      emission.pulses = this->Internal->PulsesOf(*this);
      if (!(this->Spread >= 0 && this->Spread <= 90))
      {
        refuse("spread is ", this->Spread, " degrees; it must lie in [0, 90]");
      }
      emission.spread = this->Spread;
      emission.direction = toArray(this->Direction);
      if (!std::isfinite(this->Direction[0]) || !std::isfinite(this->Direction[1]) ||
          !std::isfinite(this->Direction[2]))
      {
        refuse("direction is (", this->Direction[0], ", ", this->Direction[1], ", ",
          this->Direction[2],
          "); it must be finite, of any length: (0, 0, 0) is the disc's normal, or up");
      }
      if (emission.direction == std::array<double, 3>{ 0, 0, 0 })
      {
        emission.direction =
          this->Shape == DISC ? parameters.normal : std::array<double, 3>{ 0, 0, 1 };
      }
      // As far apart as the largest particles, so that none is in the way of its neighbour.
      places.radiusLaw = lapilli::RadiusLaw::Constant;
      places.radius = parameters.largest() * extentOf(this->BlockShape);
      places.count = this->NumberOfNozzles;
      places.crowding = lapilli::Crowding::Overlap;
      places.velocitySpread = 0;
      if (this->Shape == POINT || this->Shape == DISC)
      {
        places.shape = lapilli::SeedShape::Point;
        places.count = 1;
        if (this->Shape == DISC)
        {
          emission.openingRadius = this->DiscRadius;
          emission.openingNormal = parameters.normal;
        }
      }
      else if (this->NumberOfNozzles < 1)
      {
        refuse("number of nozzles is ", this->NumberOfNozzles, "; it must be at least 1");
      }
    }
    lapilli::Seeding seeding = lapilli::placeSeeds(places, ground);
    if (seeding.report.placed == 0)
    {
      std::ostringstream message;
      message.precision(9);
      message << "number of " << (this->Mode == EMISSION ? "nozzles" : "seeds")
              << " over the terrain is 0 of " << seeding.report.asked
              << "; at least 1 must lie over it: move the shape to x from "
              << this->Internal->Low[0] << " to " << this->Internal->High[0] << " and y from "
              << this->Internal->Low[1] << " to " << this->Internal->High[1];
      throw lapilli::InvalidInput(message.str());
    }

    vtkFieldData* fields = output->GetFieldData();
    if (this->Mode == EMISSION)
    {
      if (ground && emission.openingRadius > 0)
      {
        double& z = seeding.seeds.positions[2];
        z = clearHeight(*ground, { seeding.seeds.positions[0], seeding.seeds.positions[1], z },
          parameters.normal, emission.openingRadius, places.radius, z);
      }
      const lapilli::Seeds nozzles = this->Internal->NozzlesOf(seeding.seeds, parameters, emission);
      this->Internal->Nozzles = seeding.report.placed;
      std::ostringstream text;
      text << seeding.report.placed << (seeding.report.placed == 1 ? " nozzle" : " nozzles")
           << (seeding.report.placed > 1 ? ", together" : "");
      for (const lapilli::Pulse& pulse : emission.pulses)
      {
        text << (&pulse == &emission.pulses.front() ? " " : "; ")
             << pulse.rate * static_cast<double>(seeding.report.placed)
             << (emission.unit == KILOGRAMS_PER_SECOND ? " kg/s" : " particles per second")
             << " from " << pulse.start << " s to " << pulse.stop << " s at " << pulse.speed
             << " m/s";
      }
      text << '.';
      if (seeding.report.besideTerrain > 0)
      {
        text << ' ' << seeding.report.besideTerrain << " of " << seeding.report.asked
             << " lie beside the terrain or over a hole and were left out.";
      }
      if (seeding.report.crowded > 0)
      {
        text
          << ' ' << seeding.report.crowded
          << " lie nearer to others than their particles are wide, which may have to wait for one "
             "another.";
      }
      this->Internal->Text = text.str() + moved;
      writeSeeds(nozzles, common, emission, output);
    }
    else
    {
      this->Internal->Report = seeding.report;
      this->Internal->Text = seeding.report.text() + moved;
      writeSeeds(seeding.seeds, common, emission, output);
    }
    const lapilli::SeedingReport& report = this->Internal->Report;
    vtkNew<vtkStringArray> text;
    text->SetName("report");
    text->InsertNextValue(this->Internal->Text);
    fields->AddArray(text);
    addCount(fields, "seeds", report.placed);
    addCount(fields, "nozzles", this->Internal->Nozzles);
    addCount(fields, "beside_terrain", seeding.report.besideTerrain);
    addCount(fields, "stacked", report.stacked);
    addCount(fields, "random_seed", this->RandomSeed);
    addReals(fields, "mass", { report.mass }, 1);
  }
  catch (const std::exception& error)
  {
    // Not 0: the executive would add a second error that says nothing.
    vtkErrorMacro(<< error.what());
  }
  return 1;
}

void vtkLapilliParticleSource::CheckMaterial()
{
  if (this->Material < 0)
  {
    refuse("material is ", this->Material, "; it must be a number >= 0 (-1 is the terrain's)");
  }
  if (!(std::isfinite(this->YoungsModulus) && this->YoungsModulus > 0))
  {
    refuse("Young's modulus is ", this->YoungsModulus, " Pa; it must be a number > 0");
  }
  if (!(this->PoissonsRatio > -1 && this->PoissonsRatio < 0.5))
  {
    refuse("Poisson's ratio is ", this->PoissonsRatio, "; it must lie in (-1, 0.5)");
  }
  if (this->BlockShape < 0)
  {
    refuse("block shape is ", this->BlockShape,
      "; it must be >= 0: 0 sphere, 1 disc, 2 bar, 3 cube, 4 tetrapod, from 5 on own shapes");
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
