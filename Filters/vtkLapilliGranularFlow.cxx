#include "vtkLapilliGranularFlow.h"

#include "Private/ArrayBridge.h"
#include "Private/ContactArrays.h"
#include "Private/RunDescription.h"
#include "Private/SceneBuilder.h"
#include "Private/Source/SourceNames.h"
#include "Private/TerrainInput.h"

#include "GranularFlow.h"
#include "Report.h"

#include "vtkDataObject.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkStringArray.h"

#include <cmath>
#include <limits>
#include <map>
#include <sstream>
#include <utility>

vtkStandardNewMacro(vtkLapilliGranularFlow);

namespace
{

using lapilli::InvalidInput;

constexpr int terrainPort = 0;
constexpr int sourcesPort = 1;
constexpr int obstaclesPort = 2;
constexpr int shapesPort = 3;

void requirePositive(const char* name, double value, const char* unit)
{
  if (!(std::isfinite(value) && value > 0))
  {
    std::ostringstream text;
    text << name << " is " << value << " " << unit << "; it must be a number > 0";
    throw InvalidInput(text.str());
  }
}

/// @param owner "terrain", "obstacle 1": for messages
/// @param frame of the terrain beside which the data stand, none for the terrain itself
std::vector<lapilli::Surface> surfacesOf(vtkDataObject* data, lapilli::SurfaceRole role,
  const std::string& owner, const lapilli::TerrainFrame& frame, std::vector<std::string>& notes)
{
  lapilli::TerrainOptions options;
  options.role = role;
  options.owner = owner;
  options.terrain = frame;
  lapilli::TerrainInput terrain = lapilli::readTerrain(data, options);
  lapilli::readContactArrays(terrain, owner);
  terrain.surface.name = owner;
  notes.insert(notes.end(), terrain.warnings.begin(), terrain.warnings.end());
  if (terrain.report.droppedTriangles() > 0)
  {
    notes.push_back(owner + ": " + terrain.report.text());
  }
  return lapilli::separateTwoSided(terrain.surface, terrain.twoSided);
}

std::vector<lapilli::Surface> readSurfaces(
  vtkInformationVector* connections, lapilli::SurfaceRole role, lapilli::RunDescription& run)
{
  vtkInformation* info = connections->GetInformationObject(0);
  vtkDataObject* data = info ? vtkDataObject::GetData(info) : nullptr;
  if (!data)
  {
    throw InvalidInput("terrain is not connected; connect a surface with triangles to the input "
                       "Terrain, such as a Terrain Surface");
  }
  std::vector<lapilli::Surface> surfaces = surfacesOf(data, role, "terrain", {}, run.notes);
  run.terrain = { lapilli::localOriginOf(data, "terrain").value_or(lapilli::MapPoint{ 0, 0, 0 }),
    lapilli::mapBounds(surfaces) };
  return surfaces;
}

/// What the field data call an obstacle, else "obstacle 0", …
std::string obstacleName(vtkDataObject* data, int connection)
{
  auto* text = data && data->GetFieldData()
                 ? vtkStringArray::SafeDownCast(data->GetFieldData()->GetAbstractArray("name"))
                 : nullptr;
  return text && text->GetNumberOfValues() > 0 && !text->GetValue(0).empty()
           ? std::string(text->GetValue(0))
           : "obstacle " + std::to_string(connection);
}

void addObstacles(vtkInformationVector* connections, std::vector<lapilli::Surface>& surfaces,
  lapilli::RunDescription& run)
{
  // By the name that arrays get: the engine takes surfaces of one name for one obstacle.
  std::map<std::string, std::pair<int, std::string>> taken{ { "terrain", { -1, "terrain" } } };
  for (int i = 0; i < connections->GetNumberOfInformationObjects(); ++i)
  {
    vtkDataObject* data = vtkDataObject::GetData(connections->GetInformationObject(i));
    const std::string name = obstacleName(data, i);
    const std::string column = lapilli::columnName(name);
    const auto [other, isNew] = taken.emplace(column, std::make_pair(i, name));
    if (!isNew)
    {
      const auto& [connection, otherName] = other->second;
      throw InvalidInput(
        "name of obstacle " + std::to_string(i) + " is '" + name + "', as that of " +
        (connection < 0 ? std::string("the terrain") : "obstacle " + std::to_string(connection)) +
        (otherName == name ? "" : ", '" + otherName + "', in columns: '" + column + "'") +
        "; each must have its own: correct its field data array name");
    }
    for (lapilli::Surface& part : surfacesOf(data, lapilli::SurfaceRole::Obstacle,
           "obstacle " + std::to_string(i), run.terrain, run.notes))
    {
      part.name = name;
      surfaces.push_back(std::move(part));
    }
  }
}

void readSources(vtkInformationVector* connections, vtkInformationVector* shapes,
  const lapilli::SeedDefaults& defaults, const lapilli::TerrainFrame& terrain,
  lapilli::Scene& scene)
{
  std::vector<lapilli::ClumpShape> ownShapes;
  for (int i = 0; i < shapes->GetNumberOfInformationObjects(); ++i)
  {
    ownShapes.push_back(
      lapilli::readShape(vtkDataObject::GetData(shapes->GetInformationObject(i)), i));
  }
  const int count = connections->GetNumberOfInformationObjects();
  if (count == 0)
  {
    throw InvalidInput("no sources are connected; connect points to the input Sources, such as a "
                       "Particle Source");
  }
  lapilli::SourceReader reader(scene, defaults, std::move(ownShapes), terrain);
  for (int i = 0; i < count; ++i)
  {
    reader.add(vtkDataObject::GetData(connections->GetInformationObject(i)), i);
  }
  reader.finish();
  if (scene.seeds.count() == 0 && scene.nozzles.empty())
  {
    std::ostringstream text;
    text << "seeds are 0; " << count << (count == 1 ? " source is" : " sources are")
         << " connected, but without a point: there must be at least one, check Sources";
    throw InvalidInput(text.str());
  }
}

/// The number of a material in a table, which holds real numbers.
std::int32_t materialNumber(double value, std::size_t row, bool mayBeTerrain)
{
  const double least = mayBeTerrain ? lapilli::MaterialPair::kTerrain : 0;
  if (!(value >= least && value <= std::numeric_limits<std::int32_t>::max() &&
        value == std::floor(value)))
  {
    std::ostringstream text;
    text << "material " << value << " in row " << row
         << " of material pairs; it must be a whole number >= 0"
         << (mayBeTerrain ? ", or -1 for the terrain"
                          : " (the terrain, -1, stands in the second column)")
         << ": correct the row";
    throw InvalidInput(text.str());
  }
  return static_cast<std::int32_t>(value);
}

void requireChoice(const char* name, int value, int last, const char* choices)
{
  if (value < 0 || value > last)
  {
    throw InvalidInput(
      std::string(name) + " is " + std::to_string(value) + "; it must be " + choices);
  }
}

/// All but `plannedEnd`, which changes nothing but an estimate.
void hashParameters(const lapilli::GranularFlowParameters& p, lapilli::Hasher& hasher)
{
  for (const double g : p.gravity)
  {
    hasher.value(g);
  }
  for (const double v : { p.restitution, p.friction, p.terrainRestitution, p.terrainFriction,
         p.greatestOverlap, p.greatestSpeed, p.stepsPerContact, p.travelPerStep, p.timeStepLimit,
         p.skin, p.frameInterval, p.restSpeed, p.overlappingSeedsLimit, p.memoryLimit,
         p.rollingFriction, p.cohesion, p.terrainRollingFriction, p.terrainCohesion,
         p.terrainYoungsModulus, p.terrainPoissonsRatio, p.airDensity, p.dragCoefficient,
         p.airViscosity, p.rayleighFraction, p.mapTravel, p.depositPorosity })
  {
    hasher.value(v);
  }
  hasher.value(p.dimensions);
  hasher.value(p.rotation);
  hasher.value(p.contactLaw);
  hasher.value(p.tangentialLaw);
  hasher.value(p.neighborSearch);
  hasher.value(p.dragLaw);
  hasher.value(p.terrainMaps);
  hasher.value(static_cast<std::uint64_t>(p.materialPairs.size()));
  for (const lapilli::MaterialPair& pair : p.materialPairs)
  {
    hasher.value(pair.first);
    hasher.value(pair.second);
    for (const double v : { pair.restitution, pair.friction, pair.rollingFriction, pair.cohesion })
    {
      hasher.value(v);
    }
  }
  hasher.value(static_cast<std::uint64_t>(p.wind.size()));
  for (const lapilli::WindLayer& layer : p.wind)
  {
    for (const double v : { layer.height, layer.velocity[0], layer.velocity[1], layer.velocity[2] })
    {
      hasher.value(v);
    }
  }
}

} // namespace

//------------------------------------------------------------------------------
vtkLapilliGranularFlow::vtkLapilliGranularFlow()
{
  this->SetNumberOfInputPorts(4);
  this->AddOutput(OUTPUT_SURFACE, "terrain");
  this->AddOutput(OUTPUT_TABLE, "history");
}

//------------------------------------------------------------------------------
vtkLapilliGranularFlow::~vtkLapilliGranularFlow() = default;

//------------------------------------------------------------------------------
void vtkLapilliGranularFlow::AddSourceConnection(vtkAlgorithmOutput* source)
{
  this->AddInputConnection(sourcesPort, source);
}

//------------------------------------------------------------------------------
void vtkLapilliGranularFlow::RemoveAllSources()
{
  this->SetInputConnection(sourcesPort, nullptr);
}

//------------------------------------------------------------------------------
void vtkLapilliGranularFlow::AddObstacleConnection(vtkAlgorithmOutput* obstacle)
{
  this->AddInputConnection(obstaclesPort, obstacle);
}

//------------------------------------------------------------------------------
void vtkLapilliGranularFlow::RemoveAllObstacles()
{
  this->SetInputConnection(obstaclesPort, nullptr);
}

//------------------------------------------------------------------------------
void vtkLapilliGranularFlow::AddShapeConnection(vtkAlgorithmOutput* shape)
{
  this->AddInputConnection(shapesPort, shape);
}

//------------------------------------------------------------------------------
void vtkLapilliGranularFlow::RemoveAllShapes()
{
  this->SetInputConnection(shapesPort, nullptr);
}

//------------------------------------------------------------------------------
void vtkLapilliGranularFlow::AddMaterialPair(double first, double second, double restitution,
  double friction, double rollingFriction, double cohesion)
{
  this->MaterialPairs.insert(
    this->MaterialPairs.end(), { first, second, restitution, friction, rollingFriction, cohesion });
  this->PhysicsModified();
}

//------------------------------------------------------------------------------
void vtkLapilliGranularFlow::RemoveAllMaterialPairs()
{
  if (!this->MaterialPairs.empty())
  {
    this->MaterialPairs.clear();
    this->PhysicsModified();
  }
}

//------------------------------------------------------------------------------
int vtkLapilliGranularFlow::GetNumberOfMaterialPairs()
{
  return static_cast<int>(this->MaterialPairs.size() / 6);
}

//------------------------------------------------------------------------------
void vtkLapilliGranularFlow::AddWind(double height, double x, double y, double z)
{
  this->Wind.insert(this->Wind.end(), { height, x, y, z });
  this->PhysicsModified();
}

//------------------------------------------------------------------------------
void vtkLapilliGranularFlow::RemoveAllWind()
{
  if (!this->Wind.empty())
  {
    this->Wind.clear();
    this->PhysicsModified();
  }
}

//------------------------------------------------------------------------------
int vtkLapilliGranularFlow::GetNumberOfWindLayers()
{
  return static_cast<int>(this->Wind.size() / 4);
}

//------------------------------------------------------------------------------
// All ports are optional and open to the executive, so that what is missing or of a wrong type is
// told in one sentence by DescribeRun and not by the executive.
int vtkLapilliGranularFlow::FillInputPortInformation(int port, vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  if (port != terrainPort)
  {
    info->Set(vtkAlgorithm::INPUT_IS_REPEATABLE(), 1);
  }
  return 1;
}

//------------------------------------------------------------------------------
void vtkLapilliGranularFlow::DescribeRun(
  vtkInformationVector** inputs, lapilli::RunDescription& run)
{
  if (this->TerrainRole < ROLE_TERRAIN || this->TerrainRole > ROLE_OBSTACLE)
  {
    throw InvalidInput("terrain role is " + std::to_string(this->TerrainRole) +
                       "; it must be 0 (terrain), 1 (container) or 2 (obstacle)");
  }
  if (this->Rotation < ROTATION_FREE || this->Rotation > ROTATION_LOCKED)
  {
    throw InvalidInput(
      "rotation is " + std::to_string(this->Rotation) + "; it must be 0 (free) or 1 (locked)");
  }
  requireChoice(
    "dimensions", this->Dimensions, 3, "0 (three), 1 (plane XY), 2 (plane XZ) or 3 (plane YZ)");
  requireChoice("contact law", this->ContactLaw, 1, "0 (linear spring) or 1 (Hertz-Mindlin)");
  requireChoice("tangential law", this->TangentialLaw, 1, "0 (spring) or 1 (dashpot)");
  requireChoice("neighbor search", this->NeighborSearch, 2, "0 (auto), 1 (cells) or 2 (tree)");
  requireChoice("drag law", this->DragLaw, 1, "0 (constant) or 1 (Schiller-Naumann)");

  lapilli::GranularFlowParameters parameters;
  parameters.dimensions = static_cast<lapilli::Dimensions>(this->Dimensions);
  parameters.gravity = { this->Gravity[0], this->Gravity[1], this->Gravity[2] };
  parameters.restitution = this->Restitution;
  parameters.friction = this->Friction;
  parameters.terrainRestitution = this->TerrainRestitution;
  parameters.terrainFriction = this->TerrainFriction;
  parameters.rotation = static_cast<lapilli::Rotation>(this->Rotation);
  parameters.greatestOverlap = this->GreatestOverlap;
  parameters.greatestSpeed = this->GreatestSpeed;
  parameters.stepsPerContact = this->StepsPerContact;
  parameters.travelPerStep = this->TravelPerStep;
  parameters.timeStepLimit = this->TimeStepLimit;
  parameters.skin = this->Skin;
  parameters.neighborSearch = static_cast<lapilli::NeighborSearch>(this->NeighborSearch);
  parameters.frameInterval = this->FrameInterval;
  parameters.restSpeed = this->RestSpeed;
  parameters.overlappingSeedsLimit = this->OverlappingSeedsLimit;
  parameters.rollingFriction = this->RollingFriction;
  parameters.cohesion = this->Cohesion;
  parameters.terrainRollingFriction = this->TerrainRollingFriction;
  parameters.terrainCohesion = this->TerrainCohesion;
  parameters.terrainYoungsModulus = this->TerrainYoungsModulus;
  parameters.terrainPoissonsRatio = this->TerrainPoissonsRatio;
  parameters.airDensity = this->AirDensity;
  parameters.dragCoefficient = this->DragCoefficient;
  parameters.airViscosity = this->AirViscosity;
  parameters.rayleighFraction = this->RayleighFraction;
  parameters.terrainMaps = this->TerrainMaps;
  parameters.mapTravel = this->MapTravel;
  parameters.depositPorosity = this->DepositPorosity;
  parameters.contactLaw = static_cast<lapilli::ContactLaw>(this->ContactLaw);
  parameters.tangentialLaw = static_cast<lapilli::TangentialLaw>(this->TangentialLaw);
  parameters.dragLaw = static_cast<lapilli::DragLaw>(this->DragLaw);
  for (std::size_t i = 0; i + 6 <= this->MaterialPairs.size(); i += 6)
  {
    const double* row = &this->MaterialPairs[i];
    parameters.materialPairs.push_back({ materialNumber(row[0], i / 6, false),
      materialNumber(row[1], i / 6, true), row[2], row[3], row[4], row[5] });
  }
  for (std::size_t i = 0; i + 4 <= this->Wind.size(); i += 4)
  {
    const double* row = &this->Wind[i];
    parameters.wind.push_back({ row[0], { row[1], row[2], row[3] } });
  }
  parameters.plannedEnd = this->EndTime;
  if (!(this->MemoryLimit >= 0 && std::isfinite(this->MemoryLimit)))
  {
    std::ostringstream text;
    text << "memory limit is " << this->MemoryLimit
         << " MB; it must lie in [0, infinity) MB, where 0 is what the machine has free";
    throw InvalidInput(text.str());
  }
  parameters.memoryLimit = this->MemoryLimit * 1e6;
  parameters.validate(); // before the terrain is read, which may take long

  auto scene = std::make_shared<lapilli::Scene>();
  this->DescribeDomain(scene->domain);
  scene->surfaces =
    readSurfaces(inputs[terrainPort], static_cast<lapilli::SurfaceRole>(this->TerrainRole), run);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    scene->domain.lower[axis] += run.terrain.origin[axis];
    scene->domain.upper[axis] += run.terrain.origin[axis];
  }
  // Before obstacles: a tower beside the slope is no reason for larger rocks.
  const double derivedRadius = lapilli::derivedRadius(run.terrain.bounds);
  addObstacles(inputs[obstaclesPort], scene->surfaces, run);

  lapilli::SeedDefaults defaults;
  defaults.velocity = { this->DefaultVelocity[0], this->DefaultVelocity[1],
    this->DefaultVelocity[2] };
  defaults.radius = this->DefaultRadius == 0 ? derivedRadius : this->DefaultRadius;
  defaults.density = this->DefaultDensity;
  defaults.temperature = this->DefaultTemperature;
  requirePositive("default radius", defaults.radius, "m (0 derives it from the terrain)");
  requirePositive("default density", defaults.density, "kg/m^3");
  requirePositive("default temperature", defaults.temperature, "K");
  defaults.youngsModulus = this->DefaultYoungsModulus;
  defaults.poissonsRatio = this->DefaultPoissonsRatio;
  requirePositive("default Young's modulus", defaults.youngsModulus, "Pa");
  if (!(defaults.poissonsRatio > -1 && defaults.poissonsRatio < 0.5))
  {
    std::ostringstream text;
    text << "default Poisson's ratio is " << defaults.poissonsRatio << "; it must lie in (-1, 0.5)";
    throw InvalidInput(text.str());
  }
  for (const double v : defaults.velocity)
  {
    if (!std::isfinite(v))
    {
      throw InvalidInput("default velocity is not finite; each component must be a number in m/s");
    }
  }
  readSources(inputs[sourcesPort], inputs[shapesPort], defaults, run.terrain, *scene);

  run.hasher.text("Granular Flow " LAPILLI_VERSION);
  hashParameters(parameters, run.hasher);
  lapilli::hashScene(*scene, run.hasher);
  run.surface = [scene](const std::string&)
  {
    std::vector<const lapilli::Surface*> terrain;
    for (const lapilli::Surface& surface : scene->surfaces)
    {
      if (surface.role == lapilli::SurfaceRole::Terrain)
      {
        terrain.push_back(&surface);
      }
    }
    return lapilli::toPolyData(terrain);
  };
  run.create = [scene, parameters](const lapilli::Device& device)
  { return lapilli::createGranularFlow(*scene, parameters, device); };
  run.estimate = [scene, parameters](double end)
  {
    lapilli::GranularFlowParameters longer = parameters;
    longer.plannedEnd = end;
    const lapilli::GranularFlowEstimate estimate = lapilli::estimateGranularFlow(*scene, longer);
    return lapilli::RunEstimate{ estimate.memory,
      static_cast<double>(estimate.particles) * end / estimate.timeStep };
  };
}

//------------------------------------------------------------------------------
void vtkLapilliGranularFlow::DescribeDomain(lapilli::Domain& domain)
{
  domain.used = this->Domain;
  const struct
  {
    const char* name;
    int value;
  } sides[6] = { { "x lower", this->XLower }, { "x upper", this->XUpper },
    { "y lower", this->YLower }, { "y upper", this->YUpper }, { "z lower", this->ZLower },
    { "z upper", this->ZUpper } };
  if (!domain.used)
  {
    return;
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    domain.lower[axis] = this->DomainLower[axis];
    domain.upper[axis] = this->DomainUpper[axis];
    const std::string letter(1, static_cast<char>('x' + axis));
    if (!(std::isfinite(domain.lower[axis]) && std::isfinite(domain.upper[axis]) &&
          domain.upper[axis] > domain.lower[axis]))
    {
      std::ostringstream text;
      text << "domain's " << letter << " is from " << domain.lower[axis] << " m to "
           << domain.upper[axis]
           << " m; the upper corner must be above the lower: correct Domain Lower and Domain "
              "Upper, or turn "
              "Domain off";
      throw InvalidInput(text.str());
    }
    for (const std::size_t side : { 2 * axis, 2 * axis + 1 })
    {
      requireChoice(sides[side].name, sides[side].value, 2, "0 (open), 1 (wall) or 2 (periodic)");
      domain.sides[side] = static_cast<lapilli::DomainSide>(sides[side].value);
    }
    if ((sides[2 * axis].value == SIDE_PERIODIC) != (sides[2 * axis + 1].value == SIDE_PERIODIC))
    {
      throw InvalidInput(
        std::string(sides[2 * axis].name) + " is " + std::to_string(sides[2 * axis].value) +
        " and " + sides[2 * axis + 1].name + " is " + std::to_string(sides[2 * axis + 1].value) +
        "; both must be 2 (periodic) or neither: choose the same");
    }
  }
}

//------------------------------------------------------------------------------
void vtkLapilliGranularFlow::DescribeParticles(vtkInformationVector** inputs, vtkFieldData* fields)
{
  lapilli::addSourceNames(inputs[sourcesPort], fields);
}

//------------------------------------------------------------------------------
void vtkLapilliGranularFlow::DescribeLayout(lapilli::Frame& frame)
{
  lapilli::Scene scene;
  scene.seeds.add({ 0, 0, 0 }, { 0, 0, 0 }, 1, 1000);
  lapilli::createGranularFlow(
    scene, lapilli::GranularFlowParameters(), { lapilli::DeviceKind::Cpu, 1 })
    ->read(frame);
}

//------------------------------------------------------------------------------
void vtkLapilliGranularFlow::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "TerrainRole: " << this->TerrainRole << "\n";
  os << indent << "DefaultRadius: " << this->DefaultRadius << " m\n";
  os << indent << "DefaultDensity: " << this->DefaultDensity << " kg/m^3\n";
  os << indent << "Restitution: " << this->Restitution << "\n";
  os << indent << "Friction: " << this->Friction << "\n";
  os << indent << "TerrainRestitution: " << this->TerrainRestitution << "\n";
  os << indent << "TerrainFriction: " << this->TerrainFriction << "\n";
  os << indent << "Rotation: " << this->Rotation << "\n";
  os << indent << "GreatestOverlap: " << this->GreatestOverlap << "\n";
  os << indent << "ContactLaw: " << this->ContactLaw << "\n";
  os << indent << "NeighborSearch: " << this->NeighborSearch << "\n";
  os << indent << "Dimensions: " << this->Dimensions << "\n";
  os << indent << "TangentialLaw: " << this->TangentialLaw << "\n";
  os << indent << "RollingFriction: " << this->RollingFriction << "\n";
  os << indent << "Cohesion: " << this->Cohesion << "\n";
  os << indent << "TerrainRollingFriction: " << this->TerrainRollingFriction << "\n";
  os << indent << "TerrainCohesion: " << this->TerrainCohesion << "\n";
  os << indent << "TerrainYoungsModulus: " << this->TerrainYoungsModulus << "\n";
  os << indent << "TerrainPoissonsRatio: " << this->TerrainPoissonsRatio << "\n";
  os << indent << "DefaultYoungsModulus: " << this->DefaultYoungsModulus << "\n";
  os << indent << "DefaultPoissonsRatio: " << this->DefaultPoissonsRatio << "\n";
  os << indent << "AirDensity: " << this->AirDensity << "\n";
  os << indent << "DragLaw: " << this->DragLaw << "\n";
  os << indent << "DragCoefficient: " << this->DragCoefficient << "\n";
  os << indent << "AirViscosity: " << this->AirViscosity << "\n";
  os << indent << "RayleighFraction: " << this->RayleighFraction << "\n";
  os << indent << "TerrainMaps: " << this->TerrainMaps << "\n";
  os << indent << "MapTravel: " << this->MapTravel << "\n";
  os << indent << "DepositPorosity: " << this->DepositPorosity << "\n";
  os << indent << "Domain: " << this->Domain << "\n";
  os << indent << "XLower: " << this->XLower << "\n";
  os << indent << "XUpper: " << this->XUpper << "\n";
  os << indent << "YLower: " << this->YLower << "\n";
  os << indent << "YUpper: " << this->YUpper << "\n";
  os << indent << "ZLower: " << this->ZLower << "\n";
  os << indent << "ZUpper: " << this->ZUpper << "\n";
  os << indent << "MaterialPairs: " << this->GetNumberOfMaterialPairs() << "\n";
  os << indent << "WindLayers: " << this->GetNumberOfWindLayers() << "\n";
}
