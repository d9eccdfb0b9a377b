// Seeds, nozzles, materials and shapes from point data, with tables of materials and wind, up to a run's first steps.
#include "Target.h"

#include "DataSets.h"

#include "GranularFlow.h"
#include "Private/SceneBuilder.h"

#include <vtkImageData.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkStructuredGrid.h>
#include <vtkUnstructuredGrid.h>

#include <random>

namespace lapilli
{
namespace
{

using fuzz::Bytes;
using fuzz::Choices;
using DataObject = vtkSmartPointer<vtkDataObject>;

template <class Type>
DataObject points(Choices& choices, int count, bool isShape)
{
  vtkNew<Type> data;
  data->SetPoints(fuzz::somePoints(choices, count));
  if (isShape)
  {
    fuzz::addArrays(choices, data->GetPointData(), count, { { "radius", 1 } });
    return data;
  }
  fuzz::addArrays(choices, data->GetPointData(), count,
    { { "velocity", 3 }, { "radius", 1 }, { "density", 1 }, { "temperature", 1 },
      { "source_id", 1 }, { "material", 1 }, { "youngs_modulus", 1 }, { "poissons_ratio", 1 },
      { "shape", 1 } });
  if (choices.flag())
    fuzz::addArray(choices, data->GetPointData(),
      choices.flag() ? "emission_rate" : "emission_pulses", count, choices.flag() ? 1 : 4);
  fuzz::addArrays(choices, data->GetPointData(), count,
    { { "emission_start", 1 }, { "emission_stop", 1 }, { "emission_speed", 1 },
      { "emission_pulses", 8 }, { "emission_rate_unit", 1 }, { "emission_direction", 3 },
      { "emission_opening_radius", 1 }, { "emission_opening_normal", 3 }, { "emission_spread", 1 },
      { "emission_radius_law", 1 }, { "emission_radius_parameters", 5 }, { "emission_turn", 2 },
      { "random_seed", 1 }, { "emission_rate", 1 } });
  return data;
}

DataObject dataSet(Choices& choices, bool isShape)
{
  const int count = choices.upTo(5);
  switch (choices.byte() % 12)
  {
    case 0:
      return DataObject(vtkSmartPointer<vtkImageData>::New());
    case 1:
      return points<vtkStructuredGrid>(choices, count, isShape);
    case 2:
      return points<vtkUnstructuredGrid>(choices, count, isShape);
    case 3:
    {
      vtkNew<vtkMultiBlockDataSet> blocks;
      for (unsigned k = 0; k < 2 && !choices.isEmpty(); ++k)
        blocks->SetBlock(k, dataSet(choices, isShape));
      return blocks;
    }
    default:
      return points<vtkPolyData>(choices, count, isShape);
  }
}

Surface plain()
{
  Surface surface;
  surface.points = { -40, -40, 0, 40, -40, 0, 40, 40, 0, -40, 40, 1 };
  surface.triangles = { 0, 1, 2, 0, 2, 3 };
  return surface;
}

GranularFlowParameters parameters(Choices& choices)
{
  GranularFlowParameters p;
  p.frameInterval = 0.01;
  p.memoryLimit = 1e8;
  p.plannedEnd = 0.02;
  p.overlappingSeedsLimit = 1;
  if (choices.flag())
    p.contactLaw = ContactLaw::HertzMindlin;
  if (choices.rarely(3))
    for (int k = choices.upTo(4); k > 0; --k)
      p.materialPairs.push_back({ choices.upTo(3) - 1, choices.upTo(3) - 1, choices.number(),
        choices.number(), choices.number(), choices.number() });
  if (choices.rarely(3))
  {
    p.airDensity = choices.number();
    p.dragLaw = choices.flag() ? DragLaw::SchillerNaumann : DragLaw::ConstantCoefficient;
    for (int k = choices.upTo(4); k > 0; --k)
      p.wind.push_back(
        { choices.number(), { choices.number(), choices.number(), choices.number() } });
  }
  double* const others[] = { &p.gravity[2], &p.restitution, &p.friction, &p.rollingFriction,
    &p.cohesion, &p.terrainRestitution, &p.terrainFriction, &p.terrainYoungsModulus,
    &p.greatestOverlap, &p.greatestSpeed, &p.dragCoefficient, &p.airViscosity, &p.stepsPerContact,
    &p.rayleighFraction, &p.travelPerStep, &p.timeStepLimit, &p.skin, &p.restSpeed, &p.mapTravel,
    &p.depositPorosity };
  for (int k = choices.upTo(3); k > 0; --k)
    *others[choices.byte() % (sizeof(others) / sizeof(*others))] = choices.number();
  return p;
}

void chooseDomain(Choices& choices, Domain& domain)
{
  domain.used = true;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    domain.lower[axis] = choices.rarely(6) ? choices.number() : -50;
    domain.upper[axis] = choices.rarely(6) ? choices.number() : 50;
  }
  for (DomainSide& side : domain.sides)
    side = choices.among({ DomainSide::Open, DomainSide::Wall, DomainSide::Periodic });
}

class FewSteps : public Monitor
{
public:
  bool onStep(double, std::int64_t) override { return --left_ > 0; }

private:
  int left_ = 8;
};

void run(Choices& choices)
{
  Scene scene;
  const GranularFlowParameters chosen = parameters(choices);
  if (choices.flag())
    scene.surfaces.push_back(plain());
  if (choices.rarely(4))
    chooseDomain(choices, scene.domain);
  std::vector<ClumpShape> shapes;
  if (choices.rarely(4))
    shapes.push_back(readShape(dataSet(choices, true), 0));
  SourceReader reader(scene, {}, std::move(shapes));
  for (int connection = 0; connection < 2 && !choices.isEmpty(); ++connection)
    reader.add(dataSet(choices, false), connection);
  reader.finish();
  estimateGranularFlow(scene, chosen);
  const auto simulation = createGranularFlow(scene, chosen, { DeviceKind::Cpu, 1 });
  Frame frame;
  simulation->read(frame);
  FewSteps monitor;
  simulation->advanceTo(chosen.frameInterval, monitor);
  simulation->read(frame);
  simulation->report();
}

} // namespace

std::vector<Bytes> fuzz::seeds()
{
  std::mt19937 random(5);
  std::vector<Bytes> seeds;
  for (int k = 0; k < 24; ++k)
  {
    Bytes seed(60 + 20 * static_cast<std::size_t>(k));
    for (std::uint8_t& byte : seed)
      byte = static_cast<std::uint8_t>(random() % 150); // numbers that make sense, no faults
    seeds.push_back(std::move(seed));
  }
  return seeds;
}

} // namespace lapilli

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace lapilli;
  fuzz::Choices choices(data, size);
  try
  {
    run(choices);
  }
  catch (const InvalidInput&)
  {
  }
  catch (const Cancelled&)
  {
  }
  catch (const Diverged&) // of speeds and moduli without measure
  {
  }
  return 0;
}
