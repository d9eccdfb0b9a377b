/// @file
/// Granular Flow in pipelines: inputs, arrays, defaults, bad input. The physics is tested in Core.
#include "Pipelines.h"

#include "vtkLapilliGranularFlow.h"

#include "Device.h"
#include "GranularFlow.h"

#include <gtest/gtest.h>

#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkMath.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkObjectFactory.h>
#include <vtkStringArray.h>
#include <vtkTable.h>
#include <vtkUnstructuredGrid.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>

using namespace pipelines;

namespace
{

const double notANumber = std::numeric_limits<double>::quiet_NaN();

/// A grid of seeds over the plane of 100 m, 5 m apart, so that those of 1 m do not overlap.
std::vector<Position> rocks(int perSide = 3, double z = 3, double low = 40)
{
  std::vector<Position> positions;
  for (int j = 0; j < perSide; ++j)
  {
    for (int i = 0; i < perSide; ++i)
    {
      positions.push_back({ low + 5.0 * i, low + 5.0 * j, z });
    }
  }
  return positions;
}

/// The filter on a plane with nine rocks, each part exchangeable.
struct Pipeline
{
  Pipeline()
  {
    flow->SetInputConnection(0, terrain->GetOutputPort());
    flow->AddSourceConnection(source->GetOutputPort());
    flow->SetDefaultRadius(1);
    flow->SetFrameInterval(0.1);
    flow->SetEndTime(1);
    flow->SetDevice(vtkLapilliSimulation::DEVICE_CPU);
    flow->SetThreads(1);
  }

  vtkSmartPointer<vtkTrivialProducer> terrain = produce(plane());
  vtkSmartPointer<vtkTrivialProducer> source = produce(seeds(rocks()));
  vtkNew<vtkLapilliGranularFlow> flow;
  Listener listener{ flow };
};

double component(vtkPolyData* data, const char* array, vtkIdType i, int c = 0)
{
  return data->GetPointData()->GetArray(array)->GetComponent(i, c);
}

const std::map<std::string, std::pair<int, int>>& promisedArrays()
{
  static const std::map<std::string, std::pair<int, int>> arrays = {
    { "velocity", { VTK_FLOAT, 3 } }, { "angular_velocity", { VTK_FLOAT, 3 } },
    { "pressure", { VTK_FLOAT, 1 } }, { "pressure_max", { VTK_FLOAT, 1 } },
    { "radius", { VTK_FLOAT, 1 } }, { "mass", { VTK_FLOAT, 1 } }, { "density", { VTK_FLOAT, 1 } },
    { "temperature", { VTK_FLOAT, 1 } }, { "kinetic_energy", { VTK_FLOAT, 1 } },
    { "age", { VTK_FLOAT, 1 } }, { "particle_id", { 0, 1 } }, { "source_id", { VTK_INT, 1 } },
    { "at_rest", { VTK_UNSIGNED_CHAR, 1 } }
  };
  return arrays;
}

void expectPromisedArrays(vtkPolyData* output)
{
  vtkPointData* data = output->GetPointData();
  for (const auto& [name, typeAndComponents] : promisedArrays())
  {
    vtkDataArray* array = data->GetArray(name.c_str());
    ASSERT_NE(array, nullptr) << name;
    EXPECT_EQ(array->GetNumberOfComponents(), typeAndComponents.second) << name;
    EXPECT_EQ(array->GetNumberOfTuples(), output->GetNumberOfPoints()) << name;
    if (typeAndComponents.first != 0)
    {
      EXPECT_EQ(array->GetDataType(), typeAndComponents.first) << name;
    }
  }
  EXPECT_EQ(data->GetArray("particle_id")->GetDataTypeSize(), 8);
  EXPECT_EQ(output->GetPoints()->GetDataType(), VTK_DOUBLE);
  EXPECT_EQ(output->GetNumberOfVerts(), output->GetNumberOfPoints());
  ASSERT_NE(data->GetVectors(), nullptr);
  EXPECT_STREQ(data->GetVectors()->GetName(), "velocity");
}

} // namespace

//------------------------------------------------------------------------------
TEST(GranularFlow, RocksFallToTheTerrainAndComeToRest)
{
  Pipeline p;
  p.flow->SetEndTime(6);
  auto start = outputAt(p.flow, 0);
  ASSERT_EQ(start->GetNumberOfPoints(), 9);
  EXPECT_EQ(start->GetPoint(0)[2], 3);
  auto end = outputAt(p.flow, 6);
  ASSERT_EQ(end->GetNumberOfPoints(), 9);
  for (vtkIdType i = 0; i < 9; ++i)
  {
    EXPECT_NEAR(end->GetPoint(i)[2], 1, 0.1) << i; // radius, less the greatest overlap
    EXPECT_EQ(component(end, "at_rest", i), 1) << i;
    EXPECT_GT(component(end, "pressure", i), 0) << i;
    EXPECT_EQ(component(end, "particle_id", i), i);
    EXPECT_NEAR(component(end, "age", i), 6, 1e-5);
    EXPECT_NEAR(component(end, "mass", i), 2600 * 4.0 / 3 * M_PI, 1);
  }
  EXPECT_TRUE(p.listener.errors.empty());
}

TEST(GranularFlow, EveryPromisedArrayIsThereWithItsType)
{
  Pipeline p;
  expectPromisedArrays(outputAt(p.flow, 0));
  expectPromisedArrays(outputAt(p.flow, 0.5));
}

TEST(GranularFlow, ArraysStayWhenTheLastRockHasLeftTheMap)
{
  Pipeline p;
  p.flow->SetDefaultVelocity(300, 0, 50);
  auto output = outputAt(p.flow, 1);
  ASSERT_EQ(output->GetNumberOfPoints(), 0);
  expectPromisedArrays(output);
  EXPECT_EQ(fieldValue(output, "particles"), 0);
  EXPECT_EQ(fieldValue(output, "lost_particles"), 9);
  EXPECT_EQ(fieldValue(output, "lost_left_the_map"), 9);
  EXPECT_TRUE(p.listener.errors.empty());
}

TEST(GranularFlow, DefaultsAreThoseOfTheEngine)
{
  vtkNew<vtkLapilliGranularFlow> flow;
  const lapilli::GranularFlowParameters engine;
  for (std::size_t i = 0; i < 3; ++i)
  {
    EXPECT_EQ(flow->GetGravity()[i], engine.gravity[i]);
  }
  EXPECT_EQ(flow->GetRestitution(), engine.restitution);
  EXPECT_EQ(flow->GetFriction(), engine.friction);
  EXPECT_EQ(flow->GetTerrainRestitution(), engine.terrainRestitution);
  EXPECT_EQ(flow->GetTerrainFriction(), engine.terrainFriction);
  EXPECT_EQ(flow->GetTangentialLaw(), static_cast<int>(engine.tangentialLaw));
  EXPECT_EQ(flow->GetRotation(), static_cast<int>(engine.rotation));
  EXPECT_EQ(flow->GetGreatestOverlap(), engine.greatestOverlap);
  EXPECT_EQ(flow->GetGreatestSpeed(), engine.greatestSpeed);
  EXPECT_EQ(flow->GetStepsPerContact(), engine.stepsPerContact);
  EXPECT_EQ(flow->GetTravelPerStep(), engine.travelPerStep);
  EXPECT_EQ(flow->GetTimeStepLimit(), engine.timeStepLimit);
  EXPECT_EQ(flow->GetSkin(), engine.skin);
  EXPECT_EQ(flow->GetNeighborSearch(), static_cast<int>(engine.neighborSearch));
  EXPECT_EQ(flow->GetDimensions(), static_cast<int>(engine.dimensions));
  EXPECT_EQ(flow->GetFrameInterval(), engine.frameInterval);
  EXPECT_EQ(flow->GetRestSpeed(), engine.restSpeed);
  EXPECT_EQ(flow->GetOverlappingSeedsLimit(), engine.overlappingSeedsLimit);
  EXPECT_EQ(flow->GetMemoryLimit(), engine.memoryLimit);
}

TEST(GranularFlow, EveryPhysicsPropertyReachesTheEngine)
{
  // Each of them changes the bits of a scene with contacts between rocks and with the terrain.
  Pipeline p;
  p.source->SetOutput(seeds({ { 50, 50, 1.2 }, { 50.9, 50, 3.1 }, { 49, 50.5, 5.2 } }));
  p.flow->SetDefaultVelocity(1, 0, 0);
  const auto before = bits(outputAt(p.flow, 1));
  const auto differs =
    [&](const char* name, const std::function<void()>& change, const std::function<void()>& back)
  {
    change();
    EXPECT_NE(bits(outputAt(p.flow, 1)), before) << name;
    back();
    EXPECT_EQ(bits(outputAt(p.flow, 1)), before) << name << " back";
    EXPECT_TRUE(p.listener.errors.empty()) << name << ": " << p.listener.errors.front();
  };
  vtkLapilliGranularFlow* f = p.flow;
  differs(
    "gravity", [f] { f->SetGravity(0, 0, -3.7); }, [f] { f->SetGravity(0, 0, -9.81); });
  differs(
    "restitution", [f] { f->SetRestitution(0.9); }, [f] { f->SetRestitution(0.4); });
  differs(
    "friction", [f] { f->SetFriction(0); }, [f] { f->SetFriction(0.5); });
  differs(
    "terrain restitution", [f] { f->SetTerrainRestitution(0.8); },
    [f] { f->SetTerrainRestitution(0.4); });
  differs(
    "terrain friction", [f] { f->SetTerrainFriction(0); }, [f] { f->SetTerrainFriction(0.6); });
  differs(
    "rotation", [f] { f->SetRotation(1); }, [f] { f->SetRotation(0); });
  differs(
    "overlap", [f] { f->SetGreatestOverlap(0.03); }, [f] { f->SetGreatestOverlap(0.1); });
  differs(
    "speed", [f] { f->SetGreatestSpeed(40); }, [f] { f->SetGreatestSpeed(0); });
  differs(
    "steps", [f] { f->SetStepsPerContact(31); }, [f] { f->SetStepsPerContact(20); });
  differs(
    "step limit", [f] { f->SetTimeStepLimit(1e-4); }, [f] { f->SetTimeStepLimit(0); });
  differs(
    "rest speed", [f] { f->SetRestSpeed(100); }, [f] { f->SetRestSpeed(0.05); });
  differs(
    "radius", [f] { f->SetDefaultRadius(0.9); }, [f] { f->SetDefaultRadius(1); });
  differs(
    "density", [f] { f->SetDefaultDensity(900); }, [f] { f->SetDefaultDensity(2600); });
  differs(
    "temperature", [f] { f->SetDefaultTemperature(900); },
    [f] { f->SetDefaultTemperature(293.15); });
  differs(
    "velocity", [f] { f->SetDefaultVelocity(0, 1, 0); }, [f] { f->SetDefaultVelocity(1, 0, 0); });
}

TEST(GranularFlow, InAPlaneRocksAreDiscsThatStayInIt)
{
  Pipeline p;
  p.source->SetOutput(seeds({ { 50, 50, 1.2 }, { 50.9, 50, 3.1 }, { 49, 50, 5.2 } }));
  p.flow->SetDefaultVelocity(1, 0, 0);
  p.flow->SetGravity(0, 3, -9.81);
  outputAt(p.flow, 1);
  p.flow->SetDimensions(vtkLapilliGranularFlow::DIMENSIONS_PLANE_XZ);
  auto output = outputAt(p.flow, 1);
  ASSERT_TRUE(p.listener.errors.empty()) << p.listener.errors.front();
  EXPECT_TRUE(p.listener.warnings.empty()) << p.listener.warnings.front();
  EXPECT_EQ(p.flow->GetNumberOfRuns(), 2);
  EXPECT_TRUE(contains(p.flow->GetReport(), "3 discs of 1 m depth in the plane XZ at y = 50 m"))
    << p.flow->GetReport();
  ASSERT_EQ(output->GetNumberOfPoints(), 3);
  for (vtkIdType i = 0; i < 3; ++i)
  {
    EXPECT_EQ(output->GetPoint(i)[1], 50);
    EXPECT_EQ(component(output, "velocity", i, 1), 0);
    EXPECT_NE(component(output, "angular_velocity", i, 1), 0);
    EXPECT_NEAR(component(output, "mass", i), 2600 * vtkMath::Pi(), 0.01);
  }
  // Another plane is another run: there these seeds do not lie in one.
  p.flow->SetDimensions(vtkLapilliGranularFlow::DIMENSIONS_PLANE_XY);
  outputAt(p.flow, 1);
  ASSERT_EQ(p.listener.errors.size(), 1u);
  EXPECT_TRUE(contains(p.listener.errors[0], "seed 1 lies at (50.9, 50, 3.1) m"))
    << p.listener.errors[0];
}

TEST(GranularFlow, AnyOrderOfRequestsGivesTheSameBitsWithContactsAndEviction)
{
  const auto prepare = [](Pipeline& p)
  {
    std::vector<Position> positions;
    for (int i = 0; i < 60; ++i) // a loose column that collapses
    {
      positions.push_back({ 50 + 1.3 * (i % 2), 50 + 1.3 * (i / 2 % 2), 2 + 1.1 * (i / 4) });
    }
    p.source->SetOutput(seeds(positions));
    p.flow->SetDefaultRadius(0.5);
    p.flow->SetEndTime(2);
  };
  Pipeline forward;
  prepare(forward);
  std::vector<std::vector<unsigned char>> expected;
  for (int i = 0; i <= 20; ++i)
  {
    expected.push_back(bits(outputAt(forward.flow, 0.1 * i)));
  }
  ASSERT_TRUE(forward.listener.errors.empty()) << forward.listener.errors.front();

  Pipeline jumping;
  prepare(jumping);
  jumping.flow->SetCacheBudget(0.2); // a few frames and checkpoints
  for (const int i : { 20, 3, 17, 9, 0, 12, 11, 20, 1 })
  {
    EXPECT_EQ(bits(outputAt(jumping.flow, 0.1 * i)), expected[static_cast<std::size_t>(i)])
      << "frame " << i;
    EXPECT_LE(jumping.flow->GetCacheUsed(), 0.2);
  }
  EXPECT_EQ(jumping.flow->GetNumberOfRuns(), 1);
}

TEST(GranularFlow, ItsReportStandsInTheFieldData)
{
  Pipeline p;
  auto output = outputAt(p.flow, 0.3);
  EXPECT_NEAR(fieldValue(output, "time"), 0.3, 1e-12);
  EXPECT_GT(fieldValue(output, "steps"), 0);
  EXPECT_GT(fieldValue(output, "time_step"), 0);
  const double mass = 9 * 2600 * 4.0 / 3 * M_PI;
  EXPECT_NEAR(fieldValue(output, "mass"), mass, 1e-5 * mass);
  EXPECT_NEAR(
    fieldValue(output, "kinetic_energy"), 0.5 * mass * std::pow(9.81 * 0.3, 2), 0.01 * mass);
  auto* model = vtkStringArray::SafeDownCast(output->GetFieldData()->GetAbstractArray("model"));
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->GetValue(0), "Granular Flow");
  EXPECT_GT(p.flow->GetEstimatedMemory(), 0);
  EXPECT_TRUE(contains(p.flow->GetDeviceUsed(), "CPU")) << p.flow->GetDeviceUsed();
}

TEST(GranularFlow, TheTimeIsGuessedBeforeTheFirstFrameIsComputed)
{
  Pipeline p;
  p.flow->SetThreads(1);
  p.flow->SetEndTime(10);
  outputAt(p.flow, 0);
  const double ofTen = p.flow->GetEstimatedTimeLeft();
  EXPECT_GT(ofTen, 0);
  EXPECT_LT(ofTen, 60); // nine rocks
  p.flow->SetEndTime(20);
  outputAt(p.flow, 0);
  EXPECT_NEAR(p.flow->GetEstimatedTimeLeft(), 2 * ofTen, 0.01 * ofTen);
}

TEST(GranularFlow, AutomaticWithoutAGpuRunsOnTheCpuWithoutAWarning)
{
  Pipeline p;
  p.flow->SetDevice(vtkLapilliSimulation::DEVICE_AUTO);
  outputAt(p.flow, 0.1);
  EXPECT_TRUE(p.listener.errors.empty());
  EXPECT_TRUE(p.listener.warnings.empty()) << p.listener.warnings.front();
  if (!lapilli::cudaAvailability().usable)
  {
    EXPECT_TRUE(contains(p.flow->GetDeviceUsed(), "CPU"));
    EXPECT_TRUE(contains(p.flow->GetReport(), lapilli::cudaAvailability().reason));
  }
}

//------------------------------------------------------------------------------
TEST(Terrain, TheSameRocksFallOnAnImageOfHeightsAndOnItsTriangles)
{
  Pipeline triangles;
  triangles.flow->SetEndTime(2);
  const auto expected = outputAt(triangles.flow, 2);

  vtkNew<vtkImageData> image; // heights at the points of the same plane
  image->SetDimensions(5, 5, 1);
  image->SetSpacing(25, 25, 1);
  vtkNew<vtkFloatArray> heights;
  heights->SetName("Elevation");
  heights->SetNumberOfTuples(25);
  heights->FillValue(0);
  image->GetPointData()->SetScalars(heights);
  Pipeline raster;
  raster.flow->SetEndTime(2);
  raster.terrain->SetOutput(image);
  auto output = outputAt(raster.flow, 2);
  ASSERT_TRUE(raster.listener.errors.empty()) << raster.listener.errors.front();
  ASSERT_EQ(output->GetNumberOfPoints(), 9);
  for (vtkIdType i = 0; i < 9; ++i)
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      EXPECT_NEAR(output->GetPoint(i)[axis], expected->GetPoint(i)[axis], 1e-3) << i;
    }
  }
}

TEST(Terrain, BlocksMakeOneTerrain)
{
  Pipeline p;
  auto east = plane();
  for (vtkIdType i = 0; i < east->GetNumberOfPoints(); ++i)
  {
    double x[3];
    east->GetPoint(i, x);
    east->GetPoints()->SetPoint(i, x[0] + 100, x[1], x[2]);
  }
  vtkNew<vtkMultiBlockDataSet> blocks;
  blocks->SetBlock(0, plane());
  blocks->SetBlock(1, east);
  p.terrain->SetOutput(blocks);
  p.source->SetOutput(seeds({ { 50, 50, 1.2 }, { 100, 50, 1.2 }, { 150, 50, 1.2 } }));
  auto output = outputAt(p.flow, 1);
  ASSERT_EQ(output->GetNumberOfPoints(), 3);
  EXPECT_NEAR(output->GetPoint(1)[2], 1, 0.1); // the seam carries
  EXPECT_TRUE(p.listener.errors.empty());
}

TEST(Terrain, BesideAnObstacleNothingIsLost)
{
  Pipeline p;
  p.flow->SetDefaultVelocity(300, 0, 50);
  p.flow->SetTerrainRole(vtkLapilliGranularFlow::ROLE_OBSTACLE);
  EXPECT_EQ(outputAt(p.flow, 1)->GetNumberOfPoints(), 9);
  p.flow->SetTerrainRole(vtkLapilliGranularFlow::ROLE_TERRAIN);
  EXPECT_EQ(outputAt(p.flow, 1)->GetNumberOfPoints(), 0);
  EXPECT_TRUE(p.listener.errors.empty());
}

//------------------------------------------------------------------------------
TEST(Sources, ArraysOverrideTheDefaultsPointByPoint)
{
  Pipeline p;
  auto points = seeds({ { 40, 50, 5 }, { 60, 50, 5 } });
  addArray(points, "velocity", 3, { 1, 2, 3, -1, -2, -3 });
  addArray(points, "radius", 1, { 0.5, 1.5 });
  addArray(points, "density", 1, { 1000, 3000 });
  addArray(points, "temperature", 1, { 300, 1300 });
  addArray(points, "source_id", 1, { 41, 42 });
  p.source->SetOutput(points);
  auto output = outputAt(p.flow, 0);
  ASSERT_EQ(output->GetNumberOfPoints(), 2);
  EXPECT_EQ(component(output, "velocity", 1, 1), -2);
  EXPECT_EQ(component(output, "radius", 0), 0.5);
  EXPECT_EQ(component(output, "radius", 1), 1.5);
  EXPECT_EQ(component(output, "density", 1), 3000);
  EXPECT_EQ(component(output, "temperature", 1), 1300);
  EXPECT_EQ(component(output, "source_id", 0), 41);
  EXPECT_EQ(component(output, "source_id", 1), 42);
}

TEST(Sources, WithoutArraysTheDefaultsHold)
{
  Pipeline p;
  p.flow->SetDefaultVelocity(1, 2, 3);
  p.flow->SetDefaultDensity(900);
  p.flow->SetDefaultTemperature(1273);
  auto output = outputAt(p.flow, 0);
  EXPECT_EQ(component(output, "velocity", 4, 2), 3);
  EXPECT_EQ(component(output, "radius", 4), 1);
  EXPECT_EQ(component(output, "density", 4), 900);
  EXPECT_EQ(component(output, "temperature", 4), 1273);
  EXPECT_EQ(component(output, "source_id", 4), 0);

  p.flow->SetDefaultRadius(0); // from the plane of 100 m
  EXPECT_FLOAT_EQ(static_cast<float>(component(outputAt(p.flow, 0), "radius", 4)), 0.5f);
}

TEST(Sources, SeveralConnectionsAreNumberedAndKeepTheirOwnArrays)
{
  Pipeline p;
  auto heavy = seeds(rocks(2, 10, 20));
  addArray(heavy, "density", 1, { 5000, 5000, 5000, 5000 });
  auto second = produce(heavy);
  vtkNew<vtkUnstructuredGrid> grid; // any data with points
  grid->SetPoints(seeds(rocks(1, 10, 80))->GetPoints());
  auto third = produce(grid);
  p.flow->AddSourceConnection(second->GetOutputPort());
  p.flow->AddSourceConnection(third->GetOutputPort());
  auto output = outputAt(p.flow, 0);
  ASSERT_EQ(output->GetNumberOfPoints(), 9 + 4 + 1);
  for (vtkIdType i = 0; i < 14; ++i)
  {
    EXPECT_EQ(component(output, "source_id", i), i < 9 ? 0 : i < 13 ? 1 : 2) << i;
    EXPECT_EQ(component(output, "density", i), i < 9 || i == 13 ? 2600 : 5000) << i;
  }

  p.flow->RemoveAllSources();
  p.flow->AddSourceConnection(second->GetOutputPort());
  EXPECT_EQ(outputAt(p.flow, 0)->GetNumberOfPoints(), 4);
  EXPECT_TRUE(p.listener.errors.empty());
}

TEST(Sources, CompositeDataAreReadBlockByBlock)
{
  Pipeline p;
  vtkNew<vtkMultiBlockDataSet> inner;
  inner->SetBlock(0, seeds(rocks(1, 10, 20)));
  inner->SetBlock(1, seeds({})); // empty blocks are passed over
  vtkNew<vtkMultiBlockDataSet> outer;
  outer->SetBlock(0, seeds(rocks(2, 10, 60)));
  outer->SetBlock(2, inner);
  p.source->SetOutput(outer);
  auto output = outputAt(p.flow, 0);
  EXPECT_EQ(output->GetNumberOfPoints(), 5);
  EXPECT_TRUE(p.listener.errors.empty());

  auto bad = seeds(rocks(1, 10, 20));
  addArray(bad, "velocity", 2, { 1, 2 });
  inner->SetBlock(1, bad);
  outer->Modified();
  outputAt(p.flow, 0);
  ASSERT_EQ(p.listener.errors.size(), 1u);
  EXPECT_TRUE(contains(p.listener.errors[0], "block")) << p.listener.errors[0];
  EXPECT_TRUE(contains(p.listener.errors[0], "2 components")) << p.listener.errors[0];
}

TEST(Sources, AnyNumericTypeIsRead)
{
  Pipeline p;
  auto points = seeds({ { 40, 50, 5 }, { 60, 50, 5 } });
  vtkNew<vtkIntArray> radius;
  radius->SetName("radius");
  radius->InsertNextValue(1);
  radius->InsertNextValue(2);
  points->GetPointData()->AddArray(radius);
  vtkNew<vtkFloatArray> source;
  source->SetName("source_id");
  source->InsertNextValue(5);
  source->InsertNextValue(6);
  points->GetPointData()->AddArray(source);
  p.source->SetOutput(points);
  auto output = outputAt(p.flow, 0);
  EXPECT_EQ(component(output, "radius", 1), 2);
  EXPECT_EQ(component(output, "source_id", 1), 6);
}

TEST(Sources, SeedsOutsideTheMapOrBelowItAreCountedAndWarnedOfOnce)
{
  Pipeline p;
  auto positions = rocks();
  positions.push_back({ 500, 50, 5 });
  positions.push_back({ 50, 70, -20 });
  p.source->SetOutput(seeds(positions));
  for (int i = 0; i <= 5; ++i)
  {
    EXPECT_EQ(outputAt(p.flow, 0.1 * i)->GetNumberOfPoints(), 9);
  }
  auto output = outputAt(p.flow, 0.5);
  EXPECT_EQ(fieldValue(output, "lost_were_placed_outside_the_map"), 1);
  EXPECT_EQ(fieldValue(output, "lost_were_placed_below_the_terrain"), 1);
  ASSERT_EQ(p.listener.warnings.size(), 1u);
  EXPECT_TRUE(contains(p.listener.warnings[0], "1 of 11 seeds")) << p.listener.warnings[0];
  EXPECT_TRUE(contains(p.listener.warnings[0], "seed 9")) << p.listener.warnings[0];
  EXPECT_TRUE(contains(p.listener.warnings[0], "seed 10")) << p.listener.warnings[0];
  EXPECT_TRUE(p.listener.errors.empty());
}

TEST(Sources, AFewOverlappingSeedsArePushedApartWithAWarning)
{
  Pipeline p;
  auto positions = rocks();
  positions.push_back(positions.front());
  positions.back()[0] += 0.7; // the radii are 1 m
  p.source->SetOutput(seeds(positions));
  auto output = outputAt(p.flow, 0);
  EXPECT_EQ(output->GetNumberOfPoints(), 10);
  ASSERT_EQ(p.listener.warnings.size(), 1u);
  EXPECT_TRUE(contains(p.listener.warnings[0], "pushed apart")) << p.listener.warnings[0];
  double distance2 = 0;
  for (int axis = 0; axis < 3; ++axis)
  {
    distance2 += std::pow(output->GetPoint(0)[axis] - output->GetPoint(9)[axis], 2);
  }
  EXPECT_GE(std::sqrt(distance2), 2 * 0.999);
}

//------------------------------------------------------------------------------
namespace
{

struct BadCase
{
  const char* name;
  std::vector<std::string> parts; ///< of the sentence: what, value, limit
  std::function<void(Pipeline&)> spoil;
};

vtkSmartPointer<vtkPolyData> rocksWith(
  const char* array, int components, double value, vtkIdType at = 5)
{
  auto points = seeds(rocks());
  std::vector<double> values(static_cast<std::size_t>(9 * components), 1);
  values[static_cast<std::size_t>(at * components)] = value;
  addArray(points, array, components, values);
  return points;
}

vtkSmartPointer<vtkDataObject> rocksWithTextAsRadius()
{
  auto points = seeds(rocks());
  vtkNew<vtkStringArray> text;
  text->SetName("radius");
  for (int i = 0; i < 9; ++i)
  {
    text->InsertNextValue("big");
  }
  points->GetPointData()->AddArray(text);
  return points;
}

vtkSmartPointer<vtkDataObject> rocksWithTwoRadii()
{
  auto points = seeds(rocks());
  vtkNew<vtkDoubleArray> radius;
  radius->SetName("radius");
  radius->InsertNextValue(1);
  radius->InsertNextValue(2);
  points->GetPointData()->AddArray(radius);
  return points;
}

vtkSmartPointer<vtkDataObject> imageOfPoints()
{
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(3, 3, 3);
  return image;
}

std::vector<Position> rocksWithTwoNotANumber()
{
  auto positions = rocks();
  positions[4][1] = notANumber;
  positions[7][2] = std::numeric_limits<double>::infinity();
  return positions;
}

std::vector<BadCase> badCases()
{
  using P = Pipeline&;
  return {
    { "no terrain", { "terrain is not connected" },
      [](P p) { p.flow->SetInputConnection(0, nullptr); } },
    { "terrain without triangles", { "triangle" },
      [](P p) { p.terrain->SetOutput(seeds(rocks())); } },
    { "empty terrain", { "triangle" },
      [](P p) { p.terrain->SetOutput(vtkSmartPointer<vtkPolyData>::New()); } },
    { "no sources", { "no sources are connected" }, [](P p) { p.flow->RemoveAllSources(); } },
    { "sources without points", { "seeds are 0", "at least one" },
      [](P p) { p.source->SetOutput(seeds({})); } },
    { "image as source", { "source 0", "vtkImageData", "points of their own" },
      [](P p) { p.source->SetOutput(imageOfPoints()); } },
    { "table as source", { "source 0", "vtkTable" },
      [](P p) { p.source->SetOutput(vtkSmartPointer<vtkTable>::New()); } },
    { "coordinates", { "source 0", "2 of 9", "point 4", "not finite" },
      [](P p) { p.source->SetOutput(seeds(rocksWithTwoNotANumber())); } },
    { "velocity with one component", { "array velocity has 1 components", "must have 3" },
      [](P p) { p.source->SetOutput(rocksWith("velocity", 1, 1)); } },
    { "radius with three components", { "array radius has 3 components", "must have 1" },
      [](P p) { p.source->SetOutput(rocksWith("radius", 3, 1)); } },
    { "source_id with two components", { "array source_id has 2 components" },
      [](P p) { p.source->SetOutput(rocksWith("source_id", 2, 1)); } },
    { "radius as text", { "array radius", "must hold numbers" },
      [](P p) { p.source->SetOutput(rocksWithTextAsRadius()); } },
    { "two radii for nine points",
      { "source 0", "array radius has 2 values", "must have 9, one for each point" },
      [](P p) { p.source->SetOutput(rocksWithTwoRadii()); } },
    { "velocity not a number", { "velocity of 1 of 9", "point 5" },
      [](P p) { p.source->SetOutput(rocksWith("velocity", 3, notANumber)); } },
    { "radius zero", { "radius of 1 of 9", "must be > 0", "point 5 with 0" },
      [](P p) { p.source->SetOutput(rocksWith("radius", 1, 0)); } },
    { "radius negative", { "radius of 1 of 9", "must be > 0", "-2" },
      [](P p) { p.source->SetOutput(rocksWith("radius", 1, -2)); } },
    { "radius larger than the terrain", { "radius", "200" },
      [](P p) { p.source->SetOutput(rocksWith("radius", 1, 200)); } },
    { "density negative", { "density of 1 of 9", "-1" },
      [](P p) { p.source->SetOutput(rocksWith("density", 1, -1)); } },
    { "temperature not a number", { "temperature of 1 of 9", "nan" },
      [](P p) { p.source->SetOutput(rocksWith("temperature", 1, notANumber)); } },
    { "default radius", { "default radius is -1" }, [](P p) { p.flow->SetDefaultRadius(-1); } },
    { "default density", { "default density is 0" }, [](P p) { p.flow->SetDefaultDensity(0); } },
    { "default temperature", { "default temperature is -5" },
      [](P p) { p.flow->SetDefaultTemperature(-5); } },
    { "default velocity", { "default velocity" },
      [](P p) { p.flow->SetDefaultVelocity(0, notANumber, 0); } },
    { "all seeds outside", { "9 seeds" },
      [](P p) { p.source->SetOutput(seeds(rocks(3, 3, 1000))); } },
    { "all seeds below", { "9 seeds" }, [](P p) { p.source->SetOutput(seeds(rocks(3, -30))); } },
    { "two seeds at one place", { "seeds 0 and 1", "(50, 50, 5)", "remove" },
      [](P p) {
        p.source->SetOutput(seeds({ { 50, 50, 5 }, { 50, 50, 5 } }));
      } },
    { "many overlapping seeds", { "2 of 2 seeds overlap", "0.5", "smaller radii" },
      [](P p) {
        p.source->SetOutput(seeds({ { 50, 50, 5 }, { 50.2, 50, 5 } }));
      } },
    { "restitution zero", { "estitution is 0", "(0, 1]" }, [](P p) { p.flow->SetRestitution(0); } },
    { "restitution above one", { "estitution is 1.2", "(0, 1]" },
      [](P p) { p.flow->SetRestitution(1.2); } },
    { "restitution not a number", { "estitution" },
      [](P p) { p.flow->SetRestitution(notANumber); } },
    { "terrain restitution", { "1.2", "(0, 1]" }, [](P p) { p.flow->SetTerrainRestitution(1.2); } },
    { "friction negative", { "riction is -0.1" }, [](P p) { p.flow->SetFriction(-0.1); } },
    { "terrain friction", { "-0.1" }, [](P p) { p.flow->SetTerrainFriction(-0.1); } },
    { "gravity", { "ravity" }, [](P p) { p.flow->SetGravity(0, 0, notANumber); } },
    { "greatest overlap", { "0.9", "0.3" }, [](P p) { p.flow->SetGreatestOverlap(0.9); } },
    { "greatest speed", { "-3" }, [](P p) { p.flow->SetGreatestSpeed(-3); } },
    { "steps per contact", { "2", "8" }, [](P p) { p.flow->SetStepsPerContact(2); } },
    { "travel per step", { "0.9", "0.5" }, [](P p) { p.flow->SetTravelPerStep(0.9); } },
    { "time step limit", { "-1" }, [](P p) { p.flow->SetTimeStepLimit(-1); } },
    { "skin", { "kin is -1" }, [](P p) { p.flow->SetSkin(-1); } },
    { "rest speed", { "-1" }, [](P p) { p.flow->SetRestSpeed(-1); } },
    { "overlapping seeds limit", { "2" }, [](P p) { p.flow->SetOverlappingSeedsLimit(2); } },
    { "memory limit below zero", { "memory limit is -1 MB", "[0, infinity) MB" },
      [](P p) { p.flow->SetMemoryLimit(-1); } },
    { "memory limit", { "9 particles need", "memory limit" },
      [](P p) { p.flow->SetMemoryLimit(0.001); } },
    { "rotation", { "rotation is 7", "0 (free)" }, [](P p) { p.flow->SetRotation(7); } },
    { "terrain role", { "terrain role is 7", "0 (terrain)" },
      [](P p) { p.flow->SetTerrainRole(7); } },
    { "end time", { "end time is -1" }, [](P p) { p.flow->SetEndTime(-1); } },
    { "frame interval", { "frame interval is -0.1" }, [](P p) { p.flow->SetFrameInterval(-0.1); } },
    { "threads", { "threads is -3" }, [](P p) { p.flow->SetThreads(-3); } },
  };
}

/// Everything as the constructor of Pipeline and the filter leave it.
void correct(Pipeline& p)
{
  p.terrain->SetOutput(plane());
  p.source->SetOutput(seeds(rocks()));
  p.flow->SetInputConnection(0, p.terrain->GetOutputPort());
  p.flow->RemoveAllSources();
  p.flow->AddSourceConnection(p.source->GetOutputPort());
  vtkNew<vtkLapilliGranularFlow> fresh;
  p.flow->SetDefaultRadius(1);
  p.flow->SetDefaultDensity(fresh->GetDefaultDensity());
  p.flow->SetDefaultTemperature(fresh->GetDefaultTemperature());
  p.flow->SetDefaultVelocity(fresh->GetDefaultVelocity());
  p.flow->SetGravity(fresh->GetGravity());
  p.flow->SetRestitution(fresh->GetRestitution());
  p.flow->SetFriction(fresh->GetFriction());
  p.flow->SetTerrainRestitution(fresh->GetTerrainRestitution());
  p.flow->SetTerrainFriction(fresh->GetTerrainFriction());
  p.flow->SetRotation(fresh->GetRotation());
  p.flow->SetTerrainRole(fresh->GetTerrainRole());
  p.flow->SetGreatestOverlap(fresh->GetGreatestOverlap());
  p.flow->SetGreatestSpeed(fresh->GetGreatestSpeed());
  p.flow->SetStepsPerContact(fresh->GetStepsPerContact());
  p.flow->SetTravelPerStep(fresh->GetTravelPerStep());
  p.flow->SetTimeStepLimit(fresh->GetTimeStepLimit());
  p.flow->SetSkin(fresh->GetSkin());
  p.flow->SetRestSpeed(fresh->GetRestSpeed());
  p.flow->SetOverlappingSeedsLimit(fresh->GetOverlappingSeedsLimit());
  p.flow->SetMemoryLimit(fresh->GetMemoryLimit());
  p.flow->SetEndTime(1);
  p.flow->SetFrameInterval(0.1);
  p.flow->SetThreads(1);
  p.flow->SetDevice(vtkLapilliSimulation::DEVICE_CPU);
}

} // namespace

TEST(GranularBadInput, EachIsOneSentenceWithEmptyOutputAndThePipelineRecovers)
{
  Pipeline reference;
  const auto expected = bits(outputAt(reference.flow, 0.2));
  for (const BadCase& c : badCases())
  {
    SCOPED_TRACE(c.name);
    for (const bool fromTheStart : { true, false })
    {
      Pipeline p;
      if (!fromTheStart)
      {
        outputAt(p.flow, 0.1); // a run is there when the slip happens
      }
      c.spoil(p);
      auto output = outputAt(p.flow, 0.2);
      ASSERT_EQ(p.listener.errors.size(), 1u)
        << (p.listener.errors.empty() ? "" : p.listener.errors[0]);
      const std::string error = p.listener.errors[0];
      for (const std::string& part : c.parts)
      {
        EXPECT_TRUE(contains(error, part)) << "\"" << part << "\" is not in: " << error;
      }
      EXPECT_EQ(output->GetNumberOfPoints(), 0);
      expectPromisedArrays(output);

      p.flow->UpdateTimeStep(0.2); // the same request is not told twice
      EXPECT_EQ(p.listener.errors.size(), 1u);

      correct(p);
      EXPECT_EQ(bits(outputAt(p.flow, 0.2)), expected);
      EXPECT_EQ(p.listener.errors.size(), 1u) << p.listener.errors.back();
    }
  }
}

TEST(GranularBadInput, CudaWithoutADeviceSaysWhy)
{
  const lapilli::CudaAvailability cuda = lapilli::cudaAvailability();
  Pipeline p;
  p.flow->SetDevice(vtkLapilliSimulation::DEVICE_CUDA);
  auto output = outputAt(p.flow, 0.1);
  if (cuda.usable)
  {
    EXPECT_TRUE(p.listener.errors.empty());
    EXPECT_EQ(output->GetNumberOfPoints(), 9);
    return;
  }
  ASSERT_EQ(p.listener.errors.size(), 1u);
  EXPECT_TRUE(contains(p.listener.errors[0], cuda.reason)) << p.listener.errors[0];
  expectPromisedArrays(output);
  correct(p);
  EXPECT_EQ(outputAt(p.flow, 0.1)->GetNumberOfPoints(), 9);
}

TEST(GranularBadInput, TerrainPointsThatAreNotANumberAreDroppedWithAWarning)
{
  Pipeline p;
  auto terrain = plane();
  terrain->GetPoints()->SetPoint(0, notANumber, 0, 0); // a corner
  p.terrain->SetOutput(terrain);
  auto output = outputAt(p.flow, 0.1);
  EXPECT_EQ(output->GetNumberOfPoints(), 9);
  EXPECT_TRUE(p.listener.errors.empty());
  ASSERT_EQ(p.listener.warnings.size(), 1u);
  EXPECT_TRUE(contains(p.listener.warnings[0], "terrain")) << p.listener.warnings[0];
}

TEST(GranularBadInput, ADivergenceNamesTimeStepParticleAndAdviceAndKeepsItsFrames)
{
  Pipeline p;
  p.flow->SetGravity(0, 0, 1e200); // up, and out of a container nothing is lost
  p.flow->SetTerrainRole(vtkLapilliGranularFlow::ROLE_CONTAINER);
  p.flow->SetGreatestSpeed(10);
  auto output = outputAt(p.flow, 1);
  ASSERT_EQ(p.listener.errors.size(), 1u);
  for (const char* part : { "time", "step", "particle", "check" })
  {
    EXPECT_TRUE(contains(p.listener.errors[0], part)) << p.listener.errors[0];
  }
  EXPECT_EQ(output->GetNumberOfPoints(), 9); // the frame at t = 0
  EXPECT_EQ(dataTime(p.flow), 0);
  correct(p);
  outputAt(p.flow, 1);
  EXPECT_EQ(p.listener.errors.size(), 1u);
}

TEST(GranularBadInput, ContactsThatAreTooSoftAreWarnedOfOnce)
{
  Pipeline p;
  p.flow->SetGreatestSpeed(0.1);
  p.flow->SetDefaultVelocity(0, 0, -30);
  for (const double time : { 0., 0.1, 0.2, 0.5, 0.3, 0.6 })
  {
    outputAt(p.flow, time);
  }
  EXPECT_TRUE(p.listener.errors.empty());
  ASSERT_EQ(p.listener.warnings.size(), 1u);
  EXPECT_TRUE(contains(p.listener.warnings[0], "contacts are too soft")) << p.listener.warnings[0];
}

TEST(GranularFlow, WhatIsUnusualIsWarnedOfOnceAndMoonGravityIsNot)
{
  Pipeline p;
  p.flow->SetGravity(0, 0, -1.62);
  outputAt(p.flow, 0.1);
  EXPECT_TRUE(p.listener.warnings.empty());

  p.flow->SetDefaultDensity(2.6); // g/cm^3
  for (const double time : { 0., 0.2, 0.1 })
  {
    outputAt(p.flow, time);
    EXPECT_TRUE(contains(p.flow->GetReport(), "density of a rock is 2.6")) << p.flow->GetReport();
  }
  EXPECT_TRUE(p.listener.errors.empty());
  ASSERT_EQ(p.listener.warnings.size(), 1u);
  EXPECT_TRUE(contains(p.listener.warnings[0], "density of a rock is 2.6 kg/m^3, below the usual"))
    << p.listener.warnings[0];
}

//------------------------------------------------------------------------------
// Obstacles, tables, domain, and the other ports

TEST(GranularFlow, EveryPropertyOfTheContactModelStartsAnotherRunAndEndTimeDoesNot)
{
  Pipeline p;
  vtkLapilliGranularFlow* f = p.flow;
  outputAt(f, 0);
  f->SetEndTime(7);
  outputAt(f, 0);
  ASSERT_EQ(f->GetNumberOfRuns(), 1);
  const std::vector<std::pair<const char*, std::function<void()>>> changes = {
    { "contact law", [f] { f->SetContactLaw(1); } },
    { "tangential law", [f] { f->SetTangentialLaw(1); } },
    { "rolling friction", [f] { f->SetRollingFriction(0.1); } },
    { "cohesion", [f] { f->SetCohesion(10); } },
    { "terrain rolling friction", [f] { f->SetTerrainRollingFriction(0.1); } },
    { "terrain cohesion", [f] { f->SetTerrainCohesion(10); } },
    { "terrain modulus", [f] { f->SetTerrainYoungsModulus(1e8); } },
    { "terrain ratio", [f] { f->SetTerrainPoissonsRatio(0.3); } },
    { "modulus", [f] { f->SetDefaultYoungsModulus(1e8); } },
    { "ratio", [f] { f->SetDefaultPoissonsRatio(0.3); } },
    { "air", [f] { f->SetAirDensity(1.2); } },
    { "drag law", [f] { f->SetDragLaw(1); } },
    { "viscosity", [f] { f->SetAirViscosity(2e-5); } },
    { "drag", [f] { f->SetDragCoefficient(0.5); } },
    { "wind", [f] { f->AddWind(0, 5, 0, 0); } },
    { "Rayleigh", [f] { f->SetRayleighFraction(0.3); } },
    { "map travel", [f] { f->SetMapTravel(2); } },
    { "porosity", [f] { f->SetDepositPorosity(0.3); } },
    { "maps", [f] { f->SetTerrainMaps(false); } },
    { "pairs",
      [f]
      {
        f->AddMaterialPair(0, 0, 0.5, 0.5, 0, 0);
        f->AddMaterialPair(0, -1, 0.5, 0.5, 0, 0);
      } },
    { "domain",
      [f]
      {
        f->SetDomainUpper(100, 100, 50);
        f->SetDomain(true);
      } },
    { "corner", [f] { f->SetDomainLower(0, 0, -5); } },
    { "wall", [f] { f->SetZUpper(1); } },
    { "periodic",
      [f]
      {
        f->SetXLower(2);
        f->SetXUpper(2);
      } },
  };
  vtkIdType runs = 1;
  for (const auto& [name, change] : changes)
  {
    change();
    outputAt(f, 0);
    EXPECT_EQ(f->GetNumberOfRuns(), ++runs) << name;
    ASSERT_TRUE(p.listener.errors.empty()) << name << ": " << p.listener.errors.front();
  }
  f->RemoveAllWind(); // as the panel does when it pushes a table
  f->AddWind(0, 5, 0, 0);
  outputAt(f, 0);
  EXPECT_EQ(f->GetNumberOfRuns(), runs);
}

TEST(GranularFlow, TerrainMapsStandOnTheTrianglesOfTheTerrain)
{
  Pipeline p;
  auto wall = produce(plane(10, 20, 1));
  p.flow->AddObstacleConnection(wall->GetOutputPort());
  outputAt(p.flow, 0.2);
  auto* maps = vtkPolyData::SafeDownCast(p.flow->GetOutputDataObject(1));
  ASSERT_NE(maps, nullptr);
  EXPECT_EQ(maps->GetNumberOfCells(), 32); // of the terrain alone
  double bounds[6];
  maps->GetBounds(bounds);
  EXPECT_EQ(bounds[1], 100);
  EXPECT_EQ(bounds[5], 0);
  ASSERT_NE(vtkTable::SafeDownCast(p.flow->GetOutputDataObject(2)), nullptr);
  EXPECT_TRUE(p.listener.errors.empty());
}

TEST(GranularFlow, ObstaclesRestartTheRunByShapeAndName)
{
  Pipeline p;
  outputAt(p.flow, 0);
  auto body = plane(10, 20, 1);
  auto wall = produce(body);
  p.flow->AddObstacleConnection(wall->GetOutputPort());
  outputAt(p.flow, 0);
  EXPECT_EQ(p.flow->GetNumberOfRuns(), 2);
  vtkNew<vtkStringArray> name;
  name->SetName("name");
  name->InsertNextValue("gallery");
  body->GetFieldData()->AddArray(name);
  body->Modified();
  outputAt(p.flow, 0);
  EXPECT_EQ(p.flow->GetNumberOfRuns(), 3);
  p.flow->RemoveAllObstacles();
  outputAt(p.flow, 0);
  EXPECT_EQ(p.flow->GetNumberOfRuns(), 4);
  EXPECT_TRUE(p.listener.errors.empty());
}

namespace
{

void call(vtkPolyData* obstacle, const char* text)
{
  vtkNew<vtkStringArray> name;
  name->SetName("name");
  name->InsertNextValue(text);
  obstacle->GetFieldData()->AddArray(name);
}

/// Adds triangles or quadrilaterals, corners by their places.
void addCell(vtkPolyData* data, const std::vector<Position>& corners)
{
  std::vector<vtkIdType> ids;
  for (const Position& p : corners)
  {
    ids.push_back(data->GetPoints()->InsertNextPoint(p.data()));
  }
  data->GetPolys()->InsertNextCell(static_cast<vtkIdType>(ids.size()), ids.data());
}

vtkSmartPointer<vtkPolyData> noCells()
{
  auto data = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  data->SetPoints(points);
  vtkNew<vtkCellArray> cells;
  data->SetPolys(cells);
  return data;
}

/// As Linear Extrusion makes it of a line: an upright strip along y at x, without a front.
vtkSmartPointer<vtkPolyData> extrudedLine(double x)
{
  auto wall = noCells();
  addCell(wall, { { x, 10, -1 }, { x, 90, -1 }, { x, 90, 9 }, { x, 10, 9 } });
  return wall;
}

/// A closed box and, 30 m off along x, a Moebius band.
vtkSmartPointer<vtkPolyData> boxAndBand(double x, double y)
{
  auto data = noCells();
  const auto at = [&](int i, int j, int k) {
    return Position{ x - 2 + 4 * i, y - 2 + 4 * j, -1.0 + 3 * k };
  };
  for (const int side : { 0, 1 })
  {
    addCell(data, { at(side, 0, 0), at(side, 1, 0), at(side, 1, 1), at(side, 0, 1) });
    addCell(data, { at(0, side, 0), at(1, side, 0), at(1, side, 1), at(0, side, 1) });
    addCell(data, { at(0, 0, side), at(1, 0, side), at(1, 1, side), at(0, 1, side) });
  }
  const int n = 24;
  const auto edge = [&](int i, double s)
  {
    const double a = 2 * vtkMath::Pi() * i / n, r = 6 + s * std::cos(a / 2);
    return i == n
             ? Position{ x + 36 - s, y, 4 } // the first, turned over
             : Position{ x + 30 + r * std::cos(a), y + r * std::sin(a), 4 + s * std::sin(a / 2) };
  };
  for (int i = 0; i < n; ++i)
  {
    addCell(data, { edge(i, -2), edge(i, 2), edge(i + 1, 2) });
    addCell(data, { edge(i, -2), edge(i + 1, 2), edge(i + 1, -2) });
  }
  return data;
}

vtkDataArray* columnOf(vtkLapilliGranularFlow* flow, const std::string& name)
{
  auto* table = vtkTable::SafeDownCast(flow->GetOutputDataObject(2));
  return table ? vtkDataArray::SafeDownCast(table->GetColumnByName(name.c_str())) : nullptr;
}

double lastOf(vtkLapilliGranularFlow* flow, const std::string& name)
{
  vtkDataArray* column = columnOf(flow, name);
  return column ? column->GetTuple1(column->GetNumberOfTuples() - 1) : notANumber;
}

} // namespace

TEST(GranularFlow, ObstaclesHaveTheSameNamesInHistoryAndFieldData)
{
  Pipeline p;
  auto body = plane(100, 1, 1);
  call(body, "M\u00e4uer/1, x");
  auto slab = produce(body);
  p.flow->AddObstacleConnection(slab->GetOutputPort());
  auto output = outputAt(p.flow, 1);
  ASSERT_TRUE(p.listener.errors.empty()) << p.listener.errors[0];
  const std::string name = "M\u00e4uer_1__x";
  vtkFieldData* fields = output->GetFieldData();
  for (const char* what : { "_force", "_impulse" })
  {
    vtkDataArray* vector = fields->GetArray((name + what).c_str());
    ASSERT_NE(vector, nullptr) << what;
    ASSERT_EQ(vector->GetNumberOfComponents(), 3);
    for (int c = 0; c < 3; ++c)
    {
      const std::string axis = std::string("_") + "xyz"[c];
      EXPECT_EQ(vector->GetComponent(0, c), lastOf(p.flow, name + what + axis)) << what << axis;
    }
  }
  EXPECT_LT(fields->GetArray((name + "_impulse").c_str())->GetComponent(0, 2), 0);
  EXPECT_EQ(fieldValue(output, (name + "_greatest_force").c_str()),
    lastOf(p.flow, name + "_greatest_force"));
}

TEST(GranularFlow, AnExtrudedLineStopsRocksOnBothSides)
{
  for (const double side : { -1.0, 1.0 })
  {
    Pipeline p;
    auto wall = produce(extrudedLine(45));
    p.flow->AddObstacleConnection(wall->GetOutputPort());
    auto rock = produce(seeds({ { 45 + 3 * side, 50, 3 } }));
    p.flow->RemoveAllSources();
    p.flow->AddSourceConnection(rock->GetOutputPort());
    p.flow->SetGravity(0, 0, 0);
    p.flow->SetDefaultVelocity(-20 * side, 0, 0);
    auto output = outputAt(p.flow, 1);
    EXPECT_TRUE(p.listener.errors.empty());
    ASSERT_EQ(output->GetNumberOfPoints(), 1);
    EXPECT_GT(side * (output->GetPoint(0)[0] - 45), 1);
    EXPECT_GT(side * component(output, "velocity", 0), 1);
    EXPECT_LT(side * lastOf(p.flow, "obstacle_0_impulse_x"), -1000);
  }
}

TEST(GranularFlow, ABodyAndABandInOneConnectionAreOneObstacle)
{
  for (const Position place : { Position{ 30, 50, 3 }, Position{ 66, 50, 5.5 } })
  {
    Pipeline p;
    auto both = produce(boxAndBand(30, 50));
    p.flow->AddObstacleConnection(both->GetOutputPort());
    auto rock = produce(seeds({ place }));
    p.flow->RemoveAllSources();
    p.flow->AddSourceConnection(rock->GetOutputPort());
    auto output = outputAt(p.flow, 0.5);
    EXPECT_TRUE(p.listener.errors.empty());
    EXPECT_LT(lastOf(p.flow, "obstacle_0_impulse_z"), -1000) << place[0];
    const std::string report = p.flow->GetReport();
    EXPECT_EQ(report.find("on obstacle 0"), report.rfind("on obstacle 0")) << report;
  }
}

TEST(GranularBadInput, PortsTablesAndDomainAreOneSentenceEach)
{
  using P = Pipeline&;
  auto wall = produce(plane(10, 20, 1));
  auto named = plane(10, 30, 1);
  vtkNew<vtkStringArray> name;
  name->SetName("name");
  name->InsertNextValue("obstacle 0");
  named->GetFieldData()->AddArray(name);
  auto twin = produce(named);
  auto noSurface = produce(seeds(rocks()));
  const auto planeCalled = [](const char* text)
  {
    auto data = plane(10, 40, 1);
    call(data, text);
    return produce(data);
  };
  auto nearly = planeCalled("obstacle_0"), asTerrain = planeCalled("terrain"),
       asSupport = planeCalled("support");
  auto nothing = produce(noCells());
  const std::vector<BadCase> cases = {
    { "contact law", { "contact law is 7", "0 (linear spring)" },
      [](P p) { p.flow->SetContactLaw(7); } },
    { "tangential law", { "tangential law is 2", "0 (spring) or 1 (dashpot)" },
      [](P p) { p.flow->SetTangentialLaw(2); } },
    { "neighbor search", { "neighbor search is 3", "0 (auto), 1 (cells) or 2 (tree)" },
      [](P p) { p.flow->SetNeighborSearch(3); } },
    { "dimensions", { "dimensions is 4", "0 (three), 1 (plane XY), 2 (plane XZ) or 3 (plane YZ)" },
      [](P p) { p.flow->SetDimensions(4); } },
    { "not in one plane", { "seed 3 lies at (", "plane XZ at y = 40 m", "three dimensions" },
      [](P p) { p.flow->SetDimensions(2); } },
    { "law of spheres", { "contact law is Hertz-Mindlin", "linear spring" },
      [](P p)
      {
        p.flow->SetDimensions(1);
        p.flow->SetContactLaw(1);
      } },
    { "drag law", { "drag law is -1", "0 (constant)" }, [](P p) { p.flow->SetDragLaw(-1); } },
    { "modulus", { "default Young's modulus is 0 Pa" },
      [](P p) { p.flow->SetDefaultYoungsModulus(0); } },
    { "ratio", { "default Poisson's ratio is 0.5", "(-1, 0.5)" },
      [](P p) { p.flow->SetDefaultPoissonsRatio(0.5); } },
    { "pair", { "material 0.5 in row 1", "whole number" },
      [](P p)
      {
        p.flow->AddMaterialPair(0, -1, 0.5, 0.5, 0, 0);
        p.flow->AddMaterialPair(0.5, 0, 0.5, 0.5, 0, 0);
      } },
    { "terrain first", { "material -1 in row 0", "second column" },
      [](P p) { p.flow->AddMaterialPair(-1, 0, 0.5, 0.5, 0, 0); } },
    { "no box", { "domain's x is from 0 m to 0 m", "above" },
      [](P p) { p.flow->SetDomain(true); } },
    { "side", { "y upper is 5", "0 (open)" },
      [](P p)
      {
        p.flow->SetDomainUpper(100, 100, 50);
        p.flow->SetDomain(true);
        p.flow->SetYUpper(5);
      } },
    { "half periodic", { "x lower is 2", "x upper is 0", "both" },
      [](P p)
      {
        p.flow->SetDomainUpper(100, 100, 50);
        p.flow->SetDomain(true);
        p.flow->SetXLower(2);
      } },
    { "two of a name", { "name of obstacle 1 is 'obstacle 0'", "as that of obstacle 0" },
      [&](P p)
      {
        p.flow->AddObstacleConnection(wall->GetOutputPort());
        p.flow->AddObstacleConnection(twin->GetOutputPort());
      } },
    { "two of a column",
      { "name of obstacle 1 is 'obstacle_0', as that of obstacle 0, 'obstacle 0', in columns" },
      [&](P p)
      {
        p.flow->AddObstacleConnection(wall->GetOutputPort());
        p.flow->AddObstacleConnection(nearly->GetOutputPort());
      } },
    { "the terrain's name", { "name of obstacle 0 is 'terrain', as that of the terrain" },
      [&](P p) { p.flow->AddObstacleConnection(asTerrain->GetOutputPort()); } },
    { "the support's name", { "obstacle 'support' gives the column support_force" },
      [&](P p) { p.flow->AddObstacleConnection(asSupport->GetOutputPort()); } },
    { "across a periodic side", { "obstacle 'obstacle 0' reaches from 0 to 10 m along x" },
      [&](P p)
      {
        p.flow->SetDomainUpper(100, 100, 50);
        p.flow->SetDomain(true);
        p.flow->SetXLower(2);
        p.flow->SetXUpper(2);
        p.flow->AddObstacleConnection(wall->GetOutputPort());
      } },
    { "obstacle of nothing",
      { "obstacle 0 has no triangles left; it must have at least 1: connect a body or a surface" },
      [&](P p) { p.flow->AddObstacleConnection(nothing->GetOutputPort()); } },
    { "obstacle of points", { "obstacle 0", "triangle" },
      [&](P p) { p.flow->AddObstacleConnection(noSurface->GetOutputPort()); } },
    { "shape without radii", { "shape 0", "no point array radius" },
      [&](P p) { p.flow->AddShapeConnection(noSurface->GetOutputPort()); } },
  };
  for (const BadCase& c : cases)
  {
    SCOPED_TRACE(c.name);
    Pipeline p;
    c.spoil(p);
    auto output = outputAt(p.flow, 0.1);
    ASSERT_EQ(p.listener.errors.size(), 1u);
    for (const std::string& part : c.parts)
    {
      EXPECT_TRUE(contains(p.listener.errors[0], part))
        << "\"" << part << "\" is not in: " << p.listener.errors[0];
    }
    EXPECT_EQ(output->GetNumberOfPoints(), 0);
    expectPromisedArrays(output);
  }
}
