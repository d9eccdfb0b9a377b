#include "vtkLapilliGranularFlow.h"

#include "Private/RunDescription.h"
#include "Private/SceneBuilder.h"
#include "Private/TerrainInput.h"

#include "GranularFlow.h"

#include "vtkDataObject.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"

#include <cmath>
#include <sstream>
#include <utility>

vtkStandardNewMacro(vtkLapilliGranularFlow);

namespace
{

using lapilli::InvalidInput;

constexpr int terrainPort = 0;
constexpr int sourcesPort = 1;

void requirePositive(const char* name, double value, const char* unit)
{
  if (!(std::isfinite(value) && value > 0))
  {
    std::ostringstream text;
    text << name << " is " << value << " " << unit << "; it must be a number > 0";
    throw InvalidInput(text.str());
  }
}

std::vector<lapilli::Surface> readSurfaces(
  vtkInformationVector* connections, lapilli::SurfaceRole role, std::vector<std::string>& notes)
{
  vtkInformation* info = connections->GetInformationObject(0);
  vtkDataObject* data = info ? vtkDataObject::GetData(info) : nullptr;
  if (!data)
  {
    throw InvalidInput("terrain is not connected; connect a surface with triangles to the input "
                       "Terrain, such as a Terrain Surface");
  }
  lapilli::TerrainOptions options;
  options.role = role;
  const lapilli::TerrainInput terrain = lapilli::readTerrain(data, options);
  if (terrain.report.droppedTriangles() > 0)
  {
    notes.push_back("terrain: " + terrain.report.text());
  }
  return lapilli::separateTwoSided(terrain.surface, terrain.twoSided);
}

void readSources(
  vtkInformationVector* connections, const lapilli::SeedDefaults& defaults, lapilli::Seeds& seeds)
{
  const int count = connections->GetNumberOfInformationObjects();
  if (count == 0)
  {
    throw InvalidInput("no sources are connected; connect points to the input Sources, such as a "
                       "Particle Source");
  }
  for (int i = 0; i < count; ++i)
  {
    lapilli::addSeeds(
      seeds, vtkDataObject::GetData(connections->GetInformationObject(i)), i, defaults);
  }
  if (seeds.count() == 0)
  {
    std::ostringstream text;
    text << "seeds are 0; " << count << (count == 1 ? " source is" : " sources are")
         << " connected, but without a point: there must be at least one, check Sources";
    throw InvalidInput(text.str());
  }
}

void hashParameters(const lapilli::GranularFlowParameters& p, lapilli::Hasher& hasher)
{
  for (const double g : p.gravity)
  {
    hasher.value(g);
  }
  for (const double v : { p.restitution, p.friction, p.terrainRestitution, p.terrainFriction,
         p.greatestOverlap, p.greatestSpeed, p.stepsPerContact, p.travelPerStep, p.timeStepLimit,
         p.skin, p.frameInterval, p.restSpeed, p.overlappingSeedsLimit, p.memoryLimit })
  {
    hasher.value(v);
  }
  hasher.value(p.rotation);
}

} // namespace

//------------------------------------------------------------------------------
vtkLapilliGranularFlow::vtkLapilliGranularFlow()
{
  this->SetNumberOfInputPorts(2);
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
// Both ports are optional and open to the executive, so that what is missing or of a wrong type is
// told in one sentence by DescribeRun and not by the executive.
int vtkLapilliGranularFlow::FillInputPortInformation(int port, vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  if (port == sourcesPort)
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

  lapilli::GranularFlowParameters parameters;
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
  parameters.frameInterval = this->FrameInterval;
  parameters.restSpeed = this->RestSpeed;
  parameters.overlappingSeedsLimit = this->OverlappingSeedsLimit;
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
  scene->surfaces = readSurfaces(
    inputs[terrainPort], static_cast<lapilli::SurfaceRole>(this->TerrainRole), run.notes);

  lapilli::SeedDefaults defaults;
  defaults.velocity = { this->DefaultVelocity[0], this->DefaultVelocity[1],
    this->DefaultVelocity[2] };
  defaults.radius = this->DefaultRadius == 0 ? lapilli::derivedRadius(*scene) : this->DefaultRadius;
  defaults.density = this->DefaultDensity;
  defaults.temperature = this->DefaultTemperature;
  requirePositive("default radius", defaults.radius, "m (0 derives it from the terrain)");
  requirePositive("default density", defaults.density, "kg/m^3");
  requirePositive("default temperature", defaults.temperature, "K");
  for (const double v : defaults.velocity)
  {
    if (!std::isfinite(v))
    {
      throw InvalidInput("default velocity is not finite; each component must be a number in m/s");
    }
  }
  readSources(inputs[sourcesPort], defaults, scene->seeds);

  run.hasher.text("Granular Flow " LAPILLI_VERSION);
  hashParameters(parameters, run.hasher);
  lapilli::hashScene(*scene, run.hasher);
  run.create = [scene, parameters](const lapilli::Device& device)
  { return lapilli::createGranularFlow(*scene, parameters, device); };
  run.estimateMemory = [scene, parameters]
  { return lapilli::estimateGranularFlow(*scene, parameters).memory; };
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
}
