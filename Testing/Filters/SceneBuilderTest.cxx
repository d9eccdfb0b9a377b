/// @file
/// What users' points become in a scene: seeds, nozzles, materials, shapes; and what is refused.
#include "Pipelines.h"

#include "Private/ContactArrays.h"
#include "Private/Hash.h"
#include "Private/SceneBuilder.h"
#include "vtkLapilliParticleSource.h"

#include "ClumpShapes.h"
#include "Error.h"

#include <gtest/gtest.h>

#include <vtkAppendPolyData.h>
#include <vtkBitArray.h>
#include <vtkCellData.h>
#include <vtkIntArray.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkStringArray.h>

#include <cmath>
#include <functional>
#include <limits>

using namespace pipelines;

namespace
{

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

lapilli::Scene sceneOf(
  const std::vector<vtkDataObject*>& sources, std::vector<lapilli::ClumpShape> ownShapes = {})
{
  lapilli::Scene scene;
  lapilli::SourceReader reader(scene, lapilli::SeedDefaults(), std::move(ownShapes));
  for (std::size_t i = 0; i < sources.size(); ++i)
  {
    reader.add(sources[i], static_cast<int>(i));
  }
  reader.finish();
  return scene;
}

std::string refusal(const std::function<void()>& body)
{
  try
  {
    body();
  }
  catch (const lapilli::InvalidInput& error)
  {
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

void expectParts(const std::string& text, const std::vector<std::string>& parts)
{
  for (const std::string& part : parts)
  {
    EXPECT_TRUE(contains(text, part)) << "\"" << part << "\" is not in: " << text;
  }
}

vtkSmartPointer<vtkPolyData> twoPoints()
{
  return seeds({ { 1, 2, 3 }, { 4, 5, 6 } });
}

vtkSmartPointer<vtkPolyData> emitted(const std::function<void(vtkLapilliParticleSource*)>& change)
{
  vtkNew<vtkLapilliParticleSource> source;
  Listener listener(source);
  source->SetMode(vtkLapilliParticleSource::EMISSION);
  change(source);
  source->Update();
  EXPECT_TRUE(listener.errors.empty()) << listener.errors.front();
  auto copy = vtkSmartPointer<vtkPolyData>::New();
  copy->DeepCopy(source->GetOutput());
  return copy;
}

lapilli::Digest digestOf(const lapilli::Scene& scene)
{
  lapilli::Hasher hasher;
  lapilli::hashScene(scene, hasher);
  return hasher.digest();
}

} // namespace

//------------------------------------------------------------------------------
TEST(SourceReader, SourceIdsAreWholeNumbers)
{
  for (const double id : { notANumber, 1e12, 1.7, -1e300 })
  {
    auto points = twoPoints();
    addArray(points, "source_id", 1, { 3, id });
    expectParts(refusal([&] { sceneOf({ points }); }), { "source_id", "point 1", "whole number" });
  }
  auto points = twoPoints();
  addArray(points, "source_id", 1, { -7, 2147483647 });
  EXPECT_EQ(sceneOf({ points }).seeds.sourceIds, (std::vector<std::int32_t>{ -7, 2147483647 }));
}

TEST(SourceReader, ArraysOfBitsAreRead)
{
  auto points = twoPoints();
  vtkNew<vtkBitArray> shapes;
  shapes->SetName("shape");
  shapes->InsertNextValue(0);
  shapes->InsertNextValue(1);
  points->GetPointData()->AddArray(shapes);
  EXPECT_EQ(sceneOf({ points }).seeds.shapes, (std::vector<std::int32_t>{ -1, 0 }));
}

//------------------------------------------------------------------------------
TEST(Nozzles, SimpleArraysByHandWillDo)
{
  auto points = twoPoints();
  addArray(points, "emission_rate", 1, { 5, 7 });
  addArray(points, "emission_start", 1, { 1, 2 });
  addArray(points, "emission_stop", 1, { 3, 4 });
  addArray(points, "velocity", 3, { 0, 3, 4, 0, 0, 0 });
  const lapilli::Scene scene = sceneOf({ points });
  EXPECT_EQ(scene.seeds.count(), 0u);
  ASSERT_EQ(scene.nozzles.size(), 2u);
  const lapilli::Nozzle& n = scene.nozzles[0];
  EXPECT_EQ(n.position, (std::array<double, 3>{ 1, 2, 3 }));
  EXPECT_EQ(n.direction, (std::array<double, 3>{ 0, 3, 4 }));
  ASSERT_EQ(n.pulses.size(), 1u);
  EXPECT_EQ(n.pulses[0].start, 1);
  EXPECT_EQ(n.pulses[0].stop, 3);
  EXPECT_EQ(n.pulses[0].rate, 5);
  EXPECT_EQ(n.pulses[0].speed, 5);
  EXPECT_EQ(n.radii.radius, 1);
  EXPECT_EQ(scene.nozzles[1].direction, (std::array<double, 3>{ 0, 0, 1 }));
  EXPECT_EQ(scene.nozzles[1].pulses[0].speed, 0);
  EXPECT_NE(n.randomSeed, scene.nozzles[1].randomSeed);
}

TEST(Nozzles, ARateAloneIsForever)
{
  auto points = twoPoints();
  addArray(points, "emission_rate", 1, { 5, 7 });
  const lapilli::Scene scene = sceneOf({ points });
  ASSERT_EQ(scene.nozzles.size(), 2u);
  EXPECT_EQ(scene.nozzles[0].pulses[0].start, 0);
  EXPECT_TRUE(std::isinf(scene.nozzles[0].pulses[0].stop));
}

TEST(Nozzles, PulsesOfFixedWidthAreReadAndSorted)
{
  auto points = twoPoints();
  addArray(points, "emission_pulses", 12,
    { 5, 6, 10, 1, 1, 2, 20, 2, 0, 0, 0, 0, notANumber, notANumber, notANumber, notANumber, 3, 4,
      30, 3, notANumber, 9, 9, 9 });
  const lapilli::Scene scene = sceneOf({ points });
  ASSERT_EQ(scene.nozzles.size(), 2u);
  ASSERT_EQ(scene.nozzles[0].pulses.size(), 2u);
  EXPECT_EQ(scene.nozzles[0].pulses[0].rate, 20);
  EXPECT_EQ(scene.nozzles[0].pulses[1].start, 5);
  ASSERT_EQ(scene.nozzles[1].pulses.size(), 1u);
  EXPECT_EQ(scene.nozzles[1].pulses[0].speed, 3);
}

TEST(Nozzles, WhatParticleSourcePutsOutIsReadAsItWasMeant)
{
  auto data = emitted(
    [](auto* s)
    {
      s->SetShape(vtkLapilliParticleSource::DISC);
      s->SetDiscCenter(10, 20, 30);
      s->SetDiscRadius(4);
      s->SetDiscNormal(1, 0, 0);
      s->SetSpread(15);
      s->SetRateUnit(vtkLapilliParticleSource::KILOGRAMS_PER_SECOND);
      s->SetRadiusLaw(vtkLapilliParticleSource::LOG_NORMAL);
      s->SetMedianRadius(0.2);
      s->SetRadiusSpread(1.5);
      s->SetRandomSeed(9);
      s->SetSourceId(3);
      s->SetMaterial(2);
      s->SetYoungsModulus(1e9);
      s->AddPulse(8, 9, 40, 6);
      s->AddPulse(1, 2, 10, 5);
      s->AddPulse(2, 4, 20, 7);
    });
  EXPECT_EQ(data->GetNumberOfPoints(), 3); // a point a pulse
  const lapilli::Scene scene = sceneOf({ data });
  ASSERT_EQ(scene.nozzles.size(), 1u);
  const lapilli::Nozzle& n = scene.nozzles[0];
  EXPECT_EQ(n.position, (std::array<double, 3>{ 10, 20, 30 }));
  EXPECT_EQ(n.direction, (std::array<double, 3>{ 1, 0, 0 }));
  EXPECT_EQ(n.openingRadius, 4);
  EXPECT_EQ(n.openingNormal, (std::array<double, 3>{ 1, 0, 0 }));
  EXPECT_EQ(n.spread, 15);
  EXPECT_EQ(n.rateUnit, lapilli::RateUnit::KilogramsPerSecond);
  EXPECT_EQ(n.radii.radiusLaw, lapilli::RadiusLaw::LogNormal);
  EXPECT_EQ(n.radii.medianRadius, 0.2);
  EXPECT_EQ(n.radii.radiusSpread, 1.5);
  EXPECT_EQ(n.randomSeed, 9u);
  EXPECT_EQ(n.sourceId, 3);
  EXPECT_EQ(n.material, 2);
  ASSERT_EQ(n.pulses.size(), 3u);
  EXPECT_EQ(n.pulses[0].start, 1);
  EXPECT_EQ(n.pulses[2].rate, 40);
  EXPECT_EQ(n.pulses[1].speed, 7);
  ASSERT_EQ(scene.materials.size(), 1u);
  EXPECT_EQ(scene.materials[0].number, 2);
  EXPECT_EQ(scene.materials[0].youngsModulus, 1e9);
}

TEST(Nozzles, ThoseOfALineShareTheRate)
{
  const lapilli::Scene scene = sceneOf({ emitted(
    [](auto* s)
    {
      s->SetShape(vtkLapilliParticleSource::LINE);
      s->SetNumberOfNozzles(5);
      s->SetRate(20);
      s->SetDirection(0, 0, 2);
    }) });
  ASSERT_EQ(scene.nozzles.size(), 5u);
  for (const lapilli::Nozzle& n : scene.nozzles)
  {
    EXPECT_EQ(n.pulses[0].rate, 4);
    EXPECT_EQ(n.openingRadius, 0);
  }
  // Each has its turn in the particles of the source, which have one sequence of radii.
  std::vector<int> turns(5, 0);
  for (const lapilli::Nozzle& n : scene.nozzles)
  {
    EXPECT_EQ(n.turns, 5);
    ++turns.at(static_cast<std::size_t>(n.turn));
    EXPECT_EQ(n.randomSeed, scene.nozzles[0].randomSeed);
  }
  EXPECT_EQ(turns, std::vector<int>(5, 1));
}

TEST(Nozzles, AppendedSourcesEmitBothAndSeedsStaySeeds)
{
  auto first = emitted([](auto* s) { s->SetRate(3); });
  auto second = emitted(
    [](auto* s)
    {
      s->SetDiscCenter(500, 0, 0);
      s->AddPulse(0, 1, 5, 2);
      s->AddPulse(4, 5, 6, 2);
    });
  vtkNew<vtkLapilliParticleSource> rocks;
  rocks->SetNumberOfSeeds(20);
  vtkNew<vtkAppendPolyData> append;
  append->AddInputData(first);
  append->AddInputData(second);
  append->AddInputConnection(rocks->GetOutputPort());
  append->Update();
  const lapilli::Scene scene = sceneOf({ append->GetOutput() });
  EXPECT_EQ(scene.seeds.count(), 20u);
  ASSERT_EQ(scene.nozzles.size(), 2u);
  EXPECT_EQ(scene.nozzles[0].pulses[0].rate, 3);
  EXPECT_EQ(scene.nozzles[1].pulses.size(), 2u);
}

TEST(Nozzles, FaultsAreOneSentence)
{
  struct Fault
  {
    std::vector<std::string> parts;
    std::function<void(vtkPolyData*)> spoil;
  };
  const std::vector<Fault> faults = {
    { { "emission_start", "neither emission_rate" },
      [](auto* p) {
        addArray(p, "emission_start", 1, { 0, 1 });
      } },
    { { "emission_rate_unit 1", "point 1" },
      [](auto* p) {
        addArray(p, "emission_rate_unit", 1, { -1, 1 });
      } },
    { { "emission_rate_unit of 1 of 2", "with 7" },
      [](auto* p) {
        addArray(p, "emission_rate_unit", 1, { -1, 7 });
      } },
    { { "emission_turn of point 1 is (3, 3)", "from 0" },
      [](auto* p)
      {
        addArray(p, "emission_rate", 1, { 1, 1 });
        addArray(p, "emission_turn", 2, { 0, 1, 3, 3 });
      } },
    { { "random_seed of 1 of 2", "whole number", "1e+30" },
      [](auto* p)
      {
        addArray(p, "emission_rate", 1, { 1, 1 });
        addArray(p, "random_seed", 1, { 3, 1e30 });
      } },
    { { "emission_turn of 1 of 2", "whole number", "nan" },
      [](auto* p)
      {
        addArray(p, "emission_rate", 1, { 1, 1 });
        addArray(p, "emission_turn", 2, { 0, 1, notANumber, 1 });
      } },
    { { "emission_rate of 1 of 2", "with -3" },
      [](auto* p) {
        addArray(p, "emission_rate", 1, { 1, -3 });
      } },
    { { "emission_rate of 1 of 2", "nan" },
      [](auto* p) {
        addArray(p, "emission_rate", 1, { notANumber, 3 });
      } },
    { { "array emission_rate has 2 components", "must have 1" },
      [](auto* p) {
        addArray(p, "emission_rate", 2, { 1, 3, 1, 3 });
      } },
    { { "point 1", "from 5 s to 2 s" },
      [](auto* p)
      {
        addArray(p, "emission_rate", 1, { 1, 1 });
        addArray(p, "emission_start", 1, { 0, 5 });
        addArray(p, "emission_stop", 1, { 2, 2 });
      } },
    { { "emission_pulses has 6 components", "four for each pulse" },
      [](auto* p) { addArray(p, "emission_pulses", 6, std::vector<double>(12, 1)); } },
    { { "point 1", "until 3 s", "from 2 s", "overlap" },
      [](auto* p) {
        addArray(p, "emission_pulses", 8, { 0, 1, 1, 1, 0, 0, 0, 0, 0, 3, 1, 1, 2, 4, 1, 1 });
      } },
    { { "point 1", "none of its emission_pulses" },
      [](auto* p) {
        addArray(p, "emission_pulses", 4, { 0, 1, 1, 1, 0, 0, 0, 0 });
      } },
    { { "emission_direction of point 0", "(0, 0, 0)" },
      [](auto* p)
      {
        addArray(p, "emission_rate", 1, { 1, 1 });
        addArray(p, "emission_direction", 3, { 0, 0, 0, 1, 0, 0 });
      } },
    { { "emission_spread of 1 of 2", "[0, 90]", "with 91" },
      [](auto* p)
      {
        addArray(p, "emission_rate", 1, { 1, 1 });
        addArray(p, "emission_spread", 1, { 0, 91 });
      } },
    { { "emission_radius_law", "not emission_radius_parameters" },
      [](auto* p)
      {
        addArray(p, "emission_rate", 1, { 1, 1 });
        addArray(p, "emission_radius_law", 1, { 0, 1 });
      } },
    { { "point 1", "emits, but its", "-1" },
      [](auto* p)
      {
        addArray(p, "emission_rate", 1, { 1, 1 });
        addArray(p, "emission_radius_law", 1, { 0, 0 });
        addArray(p, "emission_radius_parameters", 5, { 1, 1, 1, 1, 1, -1, 1, 1, 1, 1 });
      } },
  };
  for (const Fault& fault : faults)
  {
    auto points = twoPoints();
    fault.spoil(points);
    expectParts(refusal([&] { sceneOf({ points }); }), fault.parts);
  }
}

TEST(ParticleSource, FaultsOfEmissionAndMaterialAreOneSentence)
{
  struct Fault
  {
    std::vector<std::string> parts;
    void (*spoil)(vtkLapilliParticleSource*);
  };
  const std::vector<Fault> faults = {
    { { "rate is -1", ">= 0" }, [](auto* s) { s->SetRate(-1); } },
    { { "start is -1 s" }, [](auto* s) { s->SetStart(-1); } },
    { { "stop is 3 s", "later than the start, 5 s" },
      [](auto* s)
      {
        s->SetStart(5);
        s->SetStop(3);
      } },
    { { "speed is -2 m/s" }, [](auto* s) { s->SetSpeed(-2); } },
    { { "spread is 91 degrees", "[0, 90]" }, [](auto* s) { s->SetSpread(91); } },
    { { "direction is", "finite" }, [](auto* s) { s->SetDirection(0, notANumber, 0); } },
    { { "number of nozzles is 0" },
      [](auto* s)
      {
        s->SetShape(vtkLapilliParticleSource::LINE);
        s->SetNumberOfNozzles(0);
      } },
    { { "until 4 s", "starts at 3 s", "overlap" },
      [](auto* s)
      {
        s->AddPulse(0, 4, 1, 1);
        s->AddPulse(3, 5, 1, 1);
      } },
    { { "a pulse's rate is nan" }, [](auto* s) { s->AddPulse(0, 4, notANumber, 1); } },
    { { "material is -1" }, [](auto* s) { s->SetMaterial(-1); } },
    { { "Young's modulus is 0 Pa" }, [](auto* s) { s->SetYoungsModulus(0); } },
    { { "Poisson's ratio is 0.5", "(-1, 0.5)" }, [](auto* s) { s->SetPoissonsRatio(0.5); } },
    { { "block shape is -1" }, [](auto* s) { s->SetBlockShape(-1); } },
  };
  for (const Fault& fault : faults)
  {
    vtkNew<vtkLapilliParticleSource> source;
    Listener listener(source);
    source->SetMode(vtkLapilliParticleSource::EMISSION);
    fault.spoil(source);
    source->Update();
    ASSERT_EQ(listener.errors.size(), 1u) << fault.parts[0];
    expectParts(listener.errors[0], fault.parts);
    EXPECT_EQ(source->GetOutput()->GetNumberOfPoints(), 0);
    EXPECT_NE(source->GetOutput()->GetPointData()->GetArray("emission_rate"), nullptr);
  }
}

TEST(ParticleSource, AShapeLeftAtTheOriginMovesToTheMiddleOfATerrainElsewhere)
{
  auto terrain = plane(100, 7);
  for (vtkIdType i = 0; i < terrain->GetNumberOfPoints(); ++i)
  {
    double x[3];
    terrain->GetPoint(i, x);
    terrain->GetPoints()->SetPoint(i, x[0] + 500000, x[1] + 5800000, x[2]);
  }
  auto producer = produce(terrain);
  for (int shape = vtkLapilliParticleSource::POINT; shape <= vtkLapilliParticleSource::BOX; ++shape)
  {
    for (const bool drop : { true, false })
    {
      vtkNew<vtkLapilliParticleSource> source;
      Listener listener(source);
      source->SetTerrainConnection(producer->GetOutputPort());
      source->SetDropOntoTerrain(drop);
      source->SetShape(shape);
      source->SetNumberOfSeeds(20);
      source->Update();
      ASSERT_TRUE(listener.errors.empty()) << listener.errors[0];
      double middle[3] = { 0, 0, 0 };
      for (vtkIdType i = 0; i < source->GetOutput()->GetNumberOfPoints(); ++i)
      {
        for (int axis = 0; axis < 3; ++axis)
        {
          middle[axis] += source->GetOutput()->GetPoint(i)[axis] / 20;
        }
      }
      EXPECT_NEAR(middle[0], 500050, 25) << shape;
      EXPECT_NEAR(middle[1], 5800050, 25) << shape;
      EXPECT_NEAR(middle[2], 7, 6) << shape;
      EXPECT_TRUE(contains(source->GetReport(), "moved to its middle")) << source->GetReport();
    }
  }
  vtkNew<vtkLapilliParticleSource> placed; // what was put somewhere stays there
  placed->SetTerrainConnection(producer->GetOutputPort());
  placed->SetDiscCenter(500010, 5800010, 0);
  placed->SetDiscRadius(5);
  placed->SetNumberOfSeeds(1);
  placed->Update();
  EXPECT_NEAR(placed->GetOutput()->GetPoint(0)[0], 500010, 5);
}

TEST(ParticleSource, ANozzleOnASlopeIsClearOfTheGround)
{
  auto terrain = plane(100, 0);
  for (vtkIdType i = 0; i < terrain->GetNumberOfPoints(); ++i)
  {
    double x[3];
    terrain->GetPoint(i, x);
    terrain->GetPoints()->SetPoint(i, x[0], x[1], 0.5 * x[0]);
  }
  auto producer = produce(terrain);
  vtkNew<vtkLapilliParticleSource> source;
  source->SetMode(vtkLapilliParticleSource::EMISSION);
  source->SetTerrainConnection(producer->GetOutputPort());
  source->SetDiscCenter(50, 50, 0);
  source->SetDiscRadius(10);
  source->Update();
  ASSERT_EQ(source->GetOutput()->GetNumberOfPoints(), 1);
  EXPECT_EQ(source->GetNozzlesPlaced(), 1);
  EXPECT_NEAR(source->GetOutput()->GetPoint(0)[2], 0.5 * 60 + 0.5 * std::sqrt(1.25), 0.1);
}

TEST(ParticleSource, ANozzleOfBlocksIsClearOfTheGroundInAnyOrientation)
{
  auto producer = produce(plane(100, 0));
  double height[2];
  for (const int shape : { 0, 2 })
  {
    vtkNew<vtkLapilliParticleSource> source;
    source->SetMode(vtkLapilliParticleSource::EMISSION);
    source->SetTerrainConnection(producer->GetOutputPort());
    source->SetShape(vtkLapilliParticleSource::POINT);
    source->SetPoint(50, 50, 0);
    source->SetBlockShape(shape);
    source->Update();
    height[shape / 2] = source->GetOutput()->GetPoint(0)[2];
  }
  const double extent = lapilli::boundingRadiusOf(lapilli::standardShape("bar"));
  EXPECT_GT(extent, 1.5);
  EXPECT_NEAR(height[0], 0.5, 1e-5);
  EXPECT_NEAR(height[1], 0.5 * extent, 1e-5);
}

TEST(ParticleSource, ManyNozzlesOnALineStandOnTheGroundAndTheReportTellsOfIt)
{
  auto producer = produce(plane(100, 0));
  for (const bool onTerrain : { true, false })
  {
    vtkNew<vtkLapilliParticleSource> source;
    Listener listener(source);
    source->SetMode(vtkLapilliParticleSource::EMISSION);
    source->SetTerrainConnection(onTerrain ? producer->GetOutputPort() : nullptr);
    source->SetShape(vtkLapilliParticleSource::LINE);
    source->SetLineStart(40, 50, 0);
    source->SetLineEnd(50, 50, 0);
    source->SetNumberOfNozzles(1000);
    source->SetRadius(0.2);
    source->Update();
    EXPECT_EQ(listener.errors.size(), 0u);
    ASSERT_EQ(source->GetOutput()->GetNumberOfPoints(), 1000);
    EXPECT_NEAR(source->GetOutput()->GetBounds()[5], onTerrain ? 0.2 : 0, 1e-5);
    EXPECT_NE(std::string(source->GetReport()).find("nearer to others"), std::string::npos);
    source->SetNumberOfNozzles(10);
    source->Update();
    EXPECT_EQ(std::string(source->GetReport()).find("nearer to others"), std::string::npos);
    // Nor is a box that is full of them refused.
    source->SetShape(vtkLapilliParticleSource::BOX);
    source->SetBoxPosition(40, 40, 0);
    source->SetBoxScale(2, 2, 2);
    source->SetNumberOfNozzles(3000);
    source->Update();
    EXPECT_EQ(listener.errors.size(), 0u);
    EXPECT_EQ(source->GetOutput()->GetNumberOfPoints(), 3000);
    EXPECT_NE(std::string(source->GetReport()).find("nearer to others"), std::string::npos);
  }
}

TEST(ParticleSource, TheOpeningIsTheDiscWhateverTheDirection)
{
  // Also one whose square is no number.
  for (const std::array<double, 3>& way :
    { std::array<double, 3>{ 1, 0, 0 }, { 1e308, 1e308, 0 }, { 0, 0, 1e-200 } })
  {
    const lapilli::Scene scene = sceneOf({ emitted(
      [&](auto* s)
      {
        s->SetDiscNormal(0, 0, 1e-200);
        s->SetDirection(way[0], way[1], way[2]);
        s->SetSpeed(3);
      }) });
    ASSERT_EQ(scene.nozzles.size(), 1u);
    EXPECT_EQ(scene.nozzles[0].direction, way);
    EXPECT_EQ(scene.nozzles[0].openingNormal, (std::array<double, 3>{ 0, 0, 1e-200 }));
  }
  auto data = emitted([](auto* s) { s->SetDirection(1e308, 1e308, 0); });
  vtkDataArray* velocity = data->GetPointData()->GetArray("velocity");
  EXPECT_NEAR(velocity->GetComponent(0, 0), 10 * std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(velocity->GetComponent(0, 1), 10 * std::sqrt(0.5), 1e-12);
}

//------------------------------------------------------------------------------
TEST(Materials, NumbersAndModuliComeFromTheSources)
{
  auto first = twoPoints(), second = twoPoints();
  addArray(second, "material", 1, { 3, 0 });
  addArray(second, "youngs_modulus", 1, { 1e8, 5e9 });
  addArray(second, "poissons_ratio", 1, { 0.3, 0.25 });
  const lapilli::Scene scene = sceneOf({ first, second });
  EXPECT_EQ(scene.seeds.materials, (std::vector<std::int32_t>{ 0, 0, 3, 0 }));
  ASSERT_EQ(scene.materials.size(), 2u);
  EXPECT_EQ(scene.materials[1].number, 3);
  EXPECT_EQ(scene.materials[1].youngsModulus, 1e8);
  EXPECT_EQ(scene.materials[1].poissonsRatio, 0.3);
  EXPECT_TRUE(sceneOf({ first }).seeds.materials.empty());
}

TEST(Materials, OneNumberHasOneModulus)
{
  auto first = twoPoints(), second = twoPoints();
  addArray(second, "youngs_modulus", 1, { 5e9, 1e8 });
  expectParts(refusal(
                [&] {
                  sceneOf({ first, second });
                }),
    { "material 0", "5e+09 Pa", "source 0, point 0", "1e+08 Pa", "source 1, point 1",
      "different material numbers" });
}

TEST(Materials, ValuesOutOfRangeAreRefused)
{
  const auto with = [](const char* name, double value)
  {
    auto points = twoPoints();
    addArray(points, name, 1, { 1, value });
    return refusal([&] { sceneOf({ points }); });
  };
  expectParts(with("material", -1), { "material of 1 of 2", "with -1" });
  expectParts(with("material", 0.5), { "material of 1 of 2", "whole number", "with 0.5" });
  expectParts(with("youngs_modulus", 0), { "youngs_modulus of 1 of 2", "> 0" });
  expectParts(with("shape", -2), { "shape of 1 of 2", "with -2" });
  expectParts(with("shape", 5),
    { "shape of point 1 is 5", "at most 4", "0 connections of the input Shapes" });
  auto points = twoPoints();
  addArray(points, "poissons_ratio", 1, { 0.2, 0.5 });
  expectParts(refusal([&] { sceneOf({ points }); }), { "poissons_ratio of 1 of 2", "0.5" });
}

TEST(Shapes, OnlyThoseInUseAreInTheScene)
{
  auto own = seeds({ { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 } });
  addArray(own, "radius", 1, { 1, 1.5, 1 });
  const lapilli::ClumpShape shape = lapilli::readShape(own, 1);
  EXPECT_EQ(shape.count(), 3u);
  EXPECT_EQ(shape.radii[1], 1.5);
  auto points = seeds({ { 0, 0, 0 }, { 9, 0, 0 }, { 18, 0, 0 }, { 27, 0, 0 } });
  addArray(points, "shape", 1, { 6, 0, 2, 6 });
  const lapilli::Scene scene = sceneOf({ points }, { lapilli::ClumpShape(), shape });
  ASSERT_EQ(scene.shapes.size(), 2u);
  EXPECT_EQ(scene.shapes[0].name, "bar");
  EXPECT_EQ(scene.shapes[1].name, "own 1");
  EXPECT_EQ(scene.seeds.shapes, (std::vector<std::int32_t>{ 1, -1, 0, 1 }));
  const lapilli::Scene spheres = sceneOf({ twoPoints() }, { shape });
  EXPECT_TRUE(spheres.shapes.empty());
  EXPECT_TRUE(spheres.seeds.shapes.empty());
}

TEST(Shapes, FaultsAreOneSentence)
{
  expectParts(
    refusal([] { lapilli::readShape(twoPoints(), 2); }), { "shape 2", "no point array radius" });
  auto bad = twoPoints();
  addArray(bad, "radius", 1, { 1, 0 });
  expectParts(
    refusal([&] { lapilli::readShape(bad, 0); }), { "shape 0", "radius of 1 of 2", "> 0" });
  expectParts(
    refusal([] { lapilli::readShape(seeds({}), 0); }), { "shape 0 has 0 spheres", "1 to 1000" });
}

//------------------------------------------------------------------------------
namespace
{

vtkSmartPointer<vtkPolyData> planeWith(const char* name, int components, double value)
{
  auto terrain = plane(100, 0, 1); // two triangles
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(2);
  array->Fill(0.5);
  array->SetComponent(1, 0, value);
  terrain->GetCellData()->AddArray(array);
  return terrain;
}

lapilli::Surface contactsOf(vtkDataObject* data)
{
  lapilli::TerrainInput terrain = lapilli::readTerrain(data);
  lapilli::readContactArrays(terrain, "terrain");
  return terrain.surface;
}

} // namespace

TEST(ContactArrays, CellsGiveTheirValuesToTheirTriangles)
{
  auto terrain = planeWith("friction", 1, 0.9);
  const lapilli::Surface surface = contactsOf(terrain);
  EXPECT_EQ(surface.friction, (std::vector<double>{ 0.5, 0.9 }));
  EXPECT_TRUE(surface.restitution.empty());
  EXPECT_EQ(
    contactsOf(planeWith("restitution", 1, -1)).restitution[1], lapilli::Surface::kNotGiven);
  EXPECT_EQ(contactsOf(planeWith("rolling_friction", 1, 0)).rollingFriction[1], 0);
}

TEST(ContactArrays, BlocksWithoutTheArrayLeaveTheProperty)
{
  auto second = plane(100, 0, 1);
  for (vtkIdType i = 0; i < second->GetNumberOfPoints(); ++i)
  {
    double x[3];
    second->GetPoint(i, x);
    second->GetPoints()->SetPoint(i, x[0] + 100, x[1], x[2]);
  }
  vtkNew<vtkMultiBlockDataSet> blocks;
  blocks->SetBlock(0, planeWith("friction", 1, 0.9));
  blocks->SetBlock(1, second);
  EXPECT_EQ(contactsOf(blocks).friction, (std::vector<double>{ 0.5, 0.9, -1, -1 }));
}

TEST(ContactArrays, FaultsAreOneSentence)
{
  const auto fault = [](vtkDataObject* data) { return refusal([&] { contactsOf(data); }); };
  expectParts(fault(planeWith("restitution", 1, 0)),
    { "terrain's cell array 'restitution'", "1 of 2", "0 at triangle 1", "(0, 1]", "-1" });
  expectParts(fault(planeWith("friction", 1, notANumber)), { "'friction'", "nan" });
  expectParts(fault(planeWith("friction", 1, 11)), { "11", "[0, 10]" });
  expectParts(fault(planeWith("rolling_friction", 1, 5)), { "'rolling_friction'", "5", "[0, 2]" });
  expectParts(
    fault(planeWith("rolling_friction", 2, 0.1)), { "'rolling_friction'", "2 components" });
  auto shorter = plane(100, 0, 1);
  vtkNew<vtkDoubleArray> one;
  one->SetName("friction");
  one->InsertNextValue(0.5);
  shorter->GetCellData()->AddArray(one);
  expectParts(fault(shorter), { "'friction'", "1 values", "must have 2" });
  auto text = plane(100, 0, 1);
  vtkNew<vtkStringArray> words;
  words->SetName("friction");
  words->InsertNextValue("rough");
  words->InsertNextValue("smooth");
  text->GetCellData()->AddArray(words);
  expectParts(fault(text), { "'friction'", "string", "one number for each cell" });
}

TEST(SceneHash, EveryPartCounts)
{
  lapilli::Scene scene;
  scene.surfaces.emplace_back();
  scene.nozzles.emplace_back();
  scene.nozzles[0].pulses.emplace_back();
  scene.materials.emplace_back();
  scene.shapes.push_back({ "bar", { 0, 0, 0 }, { 1 } });
  scene.domain.used = true;
  const std::vector<std::function<void(lapilli::Scene&)>> changes = {
    [](auto& s) { s.surfaces[0].name = "wall"; },
    [](auto& s) { s.surfaces[0].restitution = { 0.3 }; },
    [](auto& s) { s.surfaces[0].friction = { 0.3 }; },
    [](auto& s) { s.surfaces[0].rollingFriction = { 0.3 }; },
    [](auto& s) { s.seeds.materials = { 1 }; },
    [](auto& s) { s.seeds.shapes = { 0 }; },
    [](auto& s) { s.nozzles[0].position[1] = 1; },
    [](auto& s) { s.nozzles[0].direction[1] = 1; },
    [](auto& s) { s.nozzles[0].openingRadius = 1; },
    [](auto& s) { s.nozzles[0].openingNormal[1] = 1; },
    [](auto& s) { s.nozzles[0].spread = 1; },
    [](auto& s) { s.nozzles[0].rateUnit = lapilli::RateUnit::KilogramsPerSecond; },
    [](auto& s) { s.nozzles[0].radii.radius = 2; },
    [](auto& s) { s.nozzles[0].randomSeed = 5; },
    [](auto& s) { s.nozzles[0].turns = 5; },
    [](auto& s) { s.nozzles[0].material = 5; },
    [](auto& s) { s.nozzles[0].shape = 0; },
    [](auto& s) { s.nozzles[0].pulses[0].rate = 5; },
    [](auto& s) { s.nozzles[0].pulses[0].stop = 5; },
    [](auto& s) { s.materials[0].youngsModulus = 5; },
    [](auto& s) { s.materials[0].number = 5; },
    [](auto& s) { s.shapes[0].radii[0] = 5; },
    [](auto& s) { s.domain.upper[2] = 5; },
    [](auto& s) { s.domain.sides[3] = lapilli::DomainSide::Wall; },
    [](auto& s) { s.domain.used = false; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i)
  {
    lapilli::Scene other = scene;
    changes[i](other);
    EXPECT_NE(digestOf(other), digestOf(scene)) << "change " << i;
  }
}
