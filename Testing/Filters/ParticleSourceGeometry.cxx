/// Particle Source on the user's own geometry: surfaces, lines, map areas, bodies, lakes, and what is told of them.
#include "Pipelines.h"

#include "Elevation.h"
#include "vtkLapilliGranularFlow.h"
#include "vtkLapilliParticleSource.h"

#include <vtkAppendPolyData.h>
#include <vtkClipPolyData.h>
#include <vtkCutter.h>
#include <vtkImageData.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkPartitionedDataSet.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkPlane.h>
#include <vtkSphere.h>
#include <vtkSphereSource.h>
#include <vtkStringArray.h>
#include <vtkThreshold.h>
#include <vtkUnstructuredGrid.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

namespace
{

using Source = vtkLapilliParticleSource;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const double pi = std::acos(-1.0);

struct Result
{
  vtkNew<vtkLapilliParticleSource> source;
  pipelines::Listener listener{ source };
  vtkPolyData* output = nullptr;

  explicit Result(const std::function<void(Source*)>& change)
  {
    change(source);
    source->Update();
    output = source->GetOutput();
  }

  vtkIdType count() const { return output->GetNumberOfPoints(); }
  double number(const char* array, vtkIdType i) const
  {
    return output->GetPointData()->GetArray(array)->GetComponent(i, 0);
  }
  double field(const char* array, vtkIdType i = 0) const
  {
    return output->GetFieldData()->GetArray(array)->GetComponent(i, 0);
  }
};

std::vector<std::string> texts(vtkPolyData* data, const char* array)
{
  std::vector<std::string> found;
  auto* strings = vtkStringArray::SafeDownCast(data->GetFieldData()->GetAbstractArray(array));
  for (vtkIdType i = 0; strings && i < strings->GetNumberOfValues(); ++i)
  {
    found.emplace_back(strings->GetValue(i));
  }
  return found;
}

/// The greatest overlap of two spheres [m]; negative if all are apart. Pairs are found along x.
double greatestOverlap(const Result& result)
{
  std::vector<std::array<double, 4>> spheres;
  for (vtkIdType i = 0; i < result.count(); ++i)
  {
    const double* p = result.output->GetPoint(i);
    spheres.push_back({ p[0], p[1], p[2], result.number("radius", i) });
  }
  std::sort(spheres.begin(), spheres.end());
  double widest = 0, greatest = -1e300;
  for (const auto& s : spheres)
  {
    widest = std::max(widest, 2 * s[3]);
  }
  for (std::size_t i = 0; i < spheres.size(); ++i)
  {
    for (std::size_t j = i + 1; j < spheres.size() && spheres[j][0] - spheres[i][0] < widest; ++j)
    {
      const auto &a = spheres[i], &b = spheres[j];
      greatest =
        std::max(greatest, a[3] + b[3] - std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }
  }
  return greatest;
}

double hills(double x, double y)
{
  return 10 * std::sin(0.05 * x) * std::cos(0.04 * y) + 0.2 * x;
}

/// 200 m square in 40 by 40 squares of two triangles.
vtkSmartPointer<vtkPolyData> relief(const std::function<double(double, double)>& height = hills)
{
  auto data = pipelines::plane(200, 0, 40);
  for (vtkIdType p = 0; p < data->GetNumberOfPoints(); ++p)
  {
    double x[3];
    data->GetPoint(p, x);
    data->GetPoints()->SetPoint(p, x[0], x[1], height(x[0], x[1]));
  }
  return data;
}

lapilli::Elevation elevationOf(vtkPolyData* data)
{
  lapilli::Surface surface;
  for (vtkIdType p = 0; p < data->GetNumberOfPoints(); ++p)
  {
    const double* x = data->GetPoint(p);
    surface.points.insert(surface.points.end(), x, x + 3);
  }
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c)
  {
    vtkIdType count;
    const vtkIdType* corners;
    data->GetCellPoints(c, count, corners);
    for (vtkIdType k = 1; k + 1 < count; ++k)
    {
      surface.triangles.insert(surface.triangles.end(), { corners[0], corners[k], corners[k + 1] });
    }
  }
  return lapilli::Elevation(surface);
}

vtkSmartPointer<vtkPolyData> ball(double x, double radius, int resolution = 64)
{
  vtkNew<vtkSphereSource> source;
  source->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  source->SetCenter(x, 0, 0);
  source->SetRadius(radius);
  source->SetThetaResolution(resolution);
  source->SetPhiResolution(resolution);
  source->Update();
  return source->GetOutput();
}

void setBlock(vtkMultiBlockDataSet* blocks, unsigned int b, vtkDataObject* data, const char* name)
{
  blocks->SetBlock(b, data);
  if (name)
  {
    blocks->GetMetaData(b)->Set(vtkCompositeDataSet::NAME(), name);
  }
}

/// Rings or lines as cells of one data set.
vtkSmartPointer<vtkPolyData> lines(
  const std::vector<std::vector<pipelines::Position>>& all, bool isPolygons)
{
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkCellArray> cells;
  for (const auto& line : all)
  {
    cells->InsertNextCell(static_cast<int>(line.size()));
    for (const auto& p : line)
    {
      cells->InsertCellPoint(points->InsertNextPoint(p.data()));
    }
  }
  auto data = vtkSmartPointer<vtkPolyData>::New();
  data->SetPoints(points);
  isPolygons ? data->SetPolys(cells) : data->SetLines(cells);
  return data;
}

std::vector<pipelines::Position> square(double low, double high, double z = 0)
{
  return { { low, low, z }, { high, low, z }, { high, high, z }, { low, high, z } };
}

TEST(ParticleSourceGeometry, ACraterFloorCutOutWithClipHoldsItsSeeds)
{
  const auto terrain = relief();
  vtkNew<vtkSphere> around;
  around->SetCenter(100, 100, hills(100, 100));
  around->SetRadius(40);
  vtkNew<vtkClipPolyData> clip;
  clip->SetInputData(terrain);
  clip->SetClipFunction(around);
  clip->InsideOutOn();
  clip->Update();
  const lapilli::Elevation elevation = elevationOf(clip->GetOutput());
  vtkNew<vtkMultiBlockDataSet> blocks;
  setBlock(blocks, 1, clip->GetOutput(), nullptr);
  const auto producer = pipelines::produce(blocks);
  for (vtkAlgorithmOutput* geometry : { clip->GetOutputPort(), producer->GetOutputPort() })
  {
    Result result(
      [&](Source* s)
      {
        s->SetShape(Source::SURFACE);
        s->SetGeometryConnection(geometry);
        s->SetNumberOfSeeds(500);
      });
    ASSERT_EQ(result.listener.errors.size(), 0u) << result.listener.errors[0];
    ASSERT_EQ(result.count(), 500);
    EXPECT_LE(greatestOverlap(result), 0);
    for (vtkIdType i = 0; i < 500; ++i)
    {
      const double* p = result.output->GetPoint(i);
      // At most the radius of 0.5 m beside the sphere that cuts; clipped points are in single precision, 1e-5 m.
      EXPECT_LT(std::hypot(p[0] - 100, p[1] - 100, p[2] - hills(100, 100)), 40.6);
      EXPECT_NEAR(elevation.distance({ p[0], p[1], p[2] }, 5), 0.5, 2e-5);
    }
    EXPECT_EQ(result.source->GetSeedsStacked(), 0);
  }
}

TEST(ParticleSourceGeometry, OnATerrainTheSurfaceIsOnlyAPlaceOfTheMap)
{
  const auto terrain = pipelines::produce(relief());
  const auto part = pipelines::produce(pipelines::plane(50, 900));
  Result result(
    [&](Source* s)
    {
      s->SetShape(Source::SURFACE);
      s->SetGeometryConnection(2, part->GetOutputPort()); // as the server manager calls it
      s->SetTerrainConnection(terrain->GetOutputPort());
      s->SetNumberOfSeeds(100);
    });
  ASSERT_EQ(result.count(), 100);
  EXPECT_LT(result.output->GetBounds()[5], 30);
  result.source->DropOntoTerrainOff();
  result.source->Update();
  EXPECT_NEAR(result.output->GetBounds()[4], 900.5, 1e-5); // on its own surface then
}

TEST(ParticleSourceGeometry, ASliceThroughTheTerrainIsAFissure)
{
  const auto terrain = relief();
  vtkNew<vtkPlane> plane;
  plane->SetOrigin(77.7, 0, 0);
  plane->SetNormal(1, 0, 0);
  vtkNew<vtkCutter> slice; // single segments, in no order
  slice->SetInputData(terrain);
  slice->SetCutFunction(plane);
  const auto ground = pipelines::produce(terrain);
  for (const bool isDropped : { false, true })
  {
    Result result(
      [&](Source* s)
      {
        s->SetShape(Source::LINES);
        s->SetGeometryConnection(slice->GetOutputPort());
        s->SetTerrainConnection(isDropped ? ground->GetOutputPort() : nullptr);
        s->SetNumberOfSeeds(100);
      });
    ASSERT_EQ(result.listener.errors.size(), 0u) << result.listener.errors[0];
    ASSERT_EQ(result.count(), 100);
    EXPECT_LE(greatestOverlap(result), 0);
    const double direction =
      result.output->GetPoint(99)[1] > result.output->GetPoint(0)[1] ? 1 : -1;
    for (vtkIdType i = 0; i < 100; ++i)
    {
      const pipelines::Position p{ result.output->GetPoint(i)[0], result.output->GetPoint(i)[1] };
      EXPECT_NEAR(p[0], 77.7, 1e-5); // of the slice, in single precision
      EXPECT_TRUE(i == 0 || direction * (p[1] - result.output->GetPoint(i - 1)[1]) > 0) << i;
    }
  }
}

TEST(ParticleSourceGeometry, AMappedPolygonWithAHoleIsDrapedOntoTheTerrain)
{
  const auto terrain = relief();
  const lapilli::Elevation elevation = elevationOf(terrain);
  const auto ground = pipelines::produce(terrain);
  const std::vector<std::vector<pipelines::Position>> rings{ square(20, 180, -5),
    square(80, 120, 40) };
  std::vector<std::vector<pipelines::Position>> closed = rings;
  for (auto& ring : closed)
  {
    ring.push_back(ring.front());
  }
  const auto polygons = pipelines::produce(lines(rings, true)),
             outlines = pipelines::produce(lines(closed, false));
  std::vector<double> heights;
  for (vtkAlgorithm* geometry : { polygons.Get(), outlines.Get() })
  {
    Result result(
      [&](Source* s)
      {
        s->SetShape(Source::MAP_AREA);
        s->SetGeometryConnection(geometry->GetOutputPort());
        s->SetTerrainConnection(ground->GetOutputPort());
      });
    ASSERT_EQ(result.listener.errors.size(), 0u) << result.listener.errors[0];
    ASSERT_EQ(result.count(), 1000);
    EXPECT_LE(greatestOverlap(result), 0);
    int nearHole = 0;
    for (vtkIdType i = 0; i < 1000; ++i)
    {
      const double x = result.output->GetPoint(i)[0], y = result.output->GetPoint(i)[1];
      const double fromMiddle = std::max(std::abs(x - 100), std::abs(y - 100));
      ASSERT_TRUE(fromMiddle <= 80 && fromMiddle >= 20);
      nearHole += fromMiddle < 40;
      // Where a sphere of 0.5 m and a millionth that comes down touches the ground.
      ASSERT_NEAR(
        result.output->GetPoint(i)[2], *elevation.restingHeight(x, y, 0.5 * (1 + 1e-6)), 1e-9);
    }
    EXPECT_EQ(result.source->GetSeedsStacked(), 0);
    // 4800 of 24,000 m^2, give or take five standard deviations.
    EXPECT_NEAR(nearHole, 200, 5 * std::sqrt(160.0));

    result.source->SetTerrainConnection(nullptr);
    result.source->Update();
    EXPECT_NEAR(result.output->GetBounds()[4], 17.5, 1e-9); // mean of -5 and 40
    EXPECT_EQ(result.output->GetBounds()[4], result.output->GetBounds()[5]);
  }
}

TEST(ParticleSourceGeometry, NozzlesStandOnGeometryToo)
{
  const auto fissure =
    pipelines::produce(lines({ { { 0, 0, 3 }, { 30, 0, 3 }, { 30, 40, 3 } } }, false));
  const auto floor = pipelines::produce(pipelines::plane(50, 3));
  const auto area = pipelines::produce(lines({ square(0, 50, 3) }, true));
  const std::pair<int, vtkAlgorithm*> cases[] = { { Source::LINES, fissure },
    { Source::SURFACE, floor }, { Source::MAP_AREA, area } };
  for (const auto& [shape, geometry] : cases)
  {
    Result result(
      [&, shape = shape, geometry = geometry](Source* s)
      {
        s->SetMode(Source::EMISSION);
        s->SetShape(shape);
        s->SetGeometryConnection(geometry->GetOutputPort());
        s->SetNumberOfNozzles(12);
      });
    ASSERT_EQ(result.listener.errors.size(), 0u) << result.listener.errors[0];
    EXPECT_EQ(result.count(), 12);
    EXPECT_EQ(result.source->GetNozzlesPlaced(), 12);
    EXPECT_LE(greatestOverlap(result), 0);
    EXPECT_NEAR(12 * result.number("emission_rate", 0), 10, 1e-12);
    EXPECT_NEAR(result.output->GetBounds()[4], shape == Source::SURFACE ? 3.5 : 3, 1e-5);
  }
}

TEST(ParticleSourceGeometry, ABodyIsFilledAndItsVolumeTold)
{
  const auto mesh = ball(0, 10);
  const auto geometry = pipelines::produce(mesh);
  for (const int lattice : { Source::CUBIC, Source::FACE_CENTERED })
  {
    Result result(
      [&](Source* s)
      {
        s->SetShape(Source::BODIES);
        s->SetGeometryConnection(geometry->GetOutputPort());
        s->SetLattice(lattice);
        s->SetSourceId(5);
      });
    ASSERT_EQ(result.listener.errors.size(), 0u) << result.listener.errors[0];
    EXPECT_LE(greatestOverlap(result), 0);
    // All spheres of 0.5 m are inside the ball, whose faces lie up to 0.03 m within it.
    double farthest = 0;
    for (vtkIdType i = 0; i < result.count(); ++i)
    {
      const double* p = result.output->GetPoint(i);
      farthest = std::max(farthest, std::hypot(p[0], p[1], p[2]) + 0.5);
      ASSERT_EQ(result.number("source_id", i), 5);
    }
    EXPECT_LE(farthest, 10);
    EXPECT_GT(farthest, 9.5);
    // The lattice point count of a ball ten spacings wide is off by less than one in a hundred.
    const double volume = 4 * pi / 3 * 1000;
    EXPECT_NEAR(result.source->GetBodyVolume(), volume, 0.005 * volume); // 64 facets around
    EXPECT_NEAR(result.source->GetFilledVolume(), result.source->GetBodyVolume(), 0.01 * volume);
    EXPECT_EQ(result.source->GetLeakArea(), 0);
    EXPECT_EQ(result.source->GetBodiesFilled(), 1);
    EXPECT_EQ(texts(result.output, "body_name"), std::vector<std::string>{ "body 0" });
    EXPECT_EQ(result.field("body_source_id"), 5);
    EXPECT_EQ(result.field("body_particles"), result.count());
    EXPECT_EQ(result.field("body_volume"), result.source->GetFilledVolume());
    EXPECT_EQ(result.field("body_mesh_volume"), result.source->GetBodyVolume());
    EXPECT_EQ(result.field("body_leak_area"), 0);
    EXPECT_NE(std::string(result.source->GetReport()).find("body 0"), std::string::npos);

    const vtkIdType inside = result.count();
    result.source->KeepInsideOff();
    result.source->Update();
    EXPECT_GT(result.count(), inside); // centres anywhere inside
    result.source->SetClearance(0.5 * (1 - 1e-9));
    result.source->Update();
    EXPECT_EQ(result.count(), inside);

    result.source->UseFillLevelOn();
    result.source->SetFillLevel(0);
    result.source->Update();
    EXPECT_LE(result.output->GetBounds()[5], 0);
    EXPECT_NEAR(result.source->GetBodyVolume(), volume / 2, 0.005 * volume);
    EXPECT_NEAR(
      result.source->GetFilledVolume(), volume / 2, 0.06 * volume); // the layer at 0 counts whole
  }
}

TEST(ParticleSourceGeometry, VolumeCellsThatThresholdHasLeftAreABody)
{
  vtkNew<vtkImageData> image;
  image->SetDimensions(21, 21, 21);
  vtkNew<vtkDoubleArray> values;
  values->SetName("density");
  for (vtkIdType p = 0; p < image->GetNumberOfPoints(); ++p)
  {
    const double* x = image->GetPoint(p);
    values->InsertNextValue(
      std::max({ std::abs(x[0] - 10), std::abs(x[1] - 10), std::abs(x[2] - 10) }));
  }
  image->GetPointData()->SetScalars(values);
  vtkNew<vtkThreshold> threshold;
  threshold->SetInputData(image);
  threshold->SetThresholdFunction(vtkThreshold::THRESHOLD_LOWER);
  threshold->SetLowerThreshold(6); // a cube of 12 m
  Result result(
    [&](Source* s)
    {
      s->SetShape(Source::BODIES);
      s->SetGeometryConnection(threshold->GetOutputPort());
      s->SetRadius(0.4);
      s->SetSpacing(1);
      s->SetLattice(Source::CUBIC);
    });
  ASSERT_EQ(result.listener.errors.size(), 0u) << result.listener.errors[0];
  EXPECT_EQ(result.count(), 11 * 11 * 11); // at 5, 6, … 15 m
  EXPECT_NEAR(result.source->GetBodyVolume(), 1728, 1e-9);
}

vtkSmartPointer<vtkMultiBlockDataSet> chambers()
{
  auto all = vtkSmartPointer<vtkMultiBlockDataSet>::New();
  vtkNew<vtkMultiBlockDataSet> deep;
  setBlock(all, 0, ball(0, 5, 32), "conduit");
  setBlock(all, 1, nullptr, "not there");
  setBlock(all, 2, deep, "deep");
  setBlock(deep, 0, ball(30, 6, 32), "upper");
  vtkNew<vtkPolyData> empty;
  setBlock(deep, 1, empty, "empty");
  setBlock(deep, 2, ball(60, 4, 32), nullptr);
  return all;
}

TEST(ParticleSourceGeometry, SeveralBodiesKeepTheirNamesAndNumbers)
{
  const auto all = chambers();
  const auto geometry = pipelines::produce(all);
  vtkNew<vtkPartitionedDataSetCollection> collection;
  vtkNew<vtkPartitionedDataSet> halves, whole;
  const auto halfOf = [](bool isLower)
  {
    auto half = ball(0, 5, 32);
    vtkNew<vtkPolyData> result;
    vtkNew<vtkCellArray> cells;
    vtkNew<vtkIdList> corners;
    for (vtkIdType c = 0; c < half->GetNumberOfCells(); ++c)
    {
      half->GetCellPoints(c, corners);
      if ((c % 2 == 0) == isLower) // any half of the triangles: together they are closed
      {
        cells->InsertNextCell(corners);
      }
    }
    result->SetPoints(half->GetPoints());
    result->SetPolys(cells);
    return vtkSmartPointer<vtkPolyData>(result);
  };
  halves->SetPartition(0, halfOf(true));
  halves->SetPartition(1, halfOf(false));
  whole->SetPartition(0, ball(30, 6, 32));
  collection->SetPartitionedDataSet(0, halves);
  collection->SetPartitionedDataSet(1, whole);
  collection->GetMetaData(1u)->Set(vtkCompositeDataSet::NAME(), "whole");
  const auto partitions = pipelines::produce(collection);

  const struct
  {
    vtkAlgorithm* geometry;
    std::vector<std::string> names;
    std::vector<double> middles; // x [m]
  } cases[] = { { geometry, { "conduit", "deep/upper", "deep/2" }, { 0, 30, 60 } },
    { partitions, { "body 0", "whole" }, { 0, 30 } } };
  for (const auto& one : cases)
  {
    Result result(
      [&](Source* s)
      {
        s->SetShape(Source::BODIES);
        s->SetGeometryConnection(one.geometry->GetOutputPort());
        s->SetSourceId(100);
      });
    ASSERT_EQ(result.listener.errors.size(), 0u) << result.listener.errors[0];
    EXPECT_EQ(texts(result.output, "body_name"), one.names);
    EXPECT_EQ(result.source->GetBodiesFilled(), static_cast<vtkIdType>(one.names.size()));
    std::vector<double> counted(one.names.size(), 0);
    for (vtkIdType i = 0; i < result.count(); ++i)
    {
      const auto body = static_cast<std::size_t>(result.number("source_id", i) - 100);
      ASSERT_LT(body, one.names.size());
      counted[body] += 1;
      EXPECT_LT(std::abs(result.output->GetPoint(i)[0] - one.middles[body]), 6);
    }
    double volume = 0;
    for (std::size_t b = 0; b < counted.size(); ++b)
    {
      EXPECT_EQ(
        result.field("body_source_id", static_cast<vtkIdType>(b)), 100 + static_cast<double>(b));
      EXPECT_EQ(result.field("body_particles", static_cast<vtkIdType>(b)), counted[b]);
      EXPECT_GT(counted[b], 100);
      volume += result.field("body_volume", static_cast<vtkIdType>(b));
    }
    EXPECT_NEAR(result.source->GetFilledVolume(), volume, 1e-9 * volume);
    EXPECT_LE(greatestOverlap(result), 0);
  }
}

TEST(ParticleSourceGeometry, TheNamesReachGranularFlow)
{
  const auto all = chambers();
  const auto geometry = pipelines::produce(all);
  vtkNew<vtkLapilliParticleSource> bodies, rocks, named;
  bodies->SetShape(Source::BODIES);
  bodies->SetGeometryConnection(geometry->GetOutputPort());
  bodies->SetRadius(1);
  rocks->SetNumberOfSeeds(10);
  rocks->SetDiscCenter(0, 100, 0);
  rocks->SetSourceId(7);
  const auto last = pipelines::produce(ball(-60, 5, 32));
  named->SetShape(Source::BODIES);
  named->SetGeometryConnection(last->GetOutputPort());
  named->SetSourceId(20);
  named->SetRadius(1);
  const auto floor = pipelines::produce(pipelines::plane(400, -50));
  vtkNew<vtkLapilliGranularFlow> flow;
  pipelines::Listener listener(flow);
  flow->SetDevice(vtkLapilliSimulation::DEVICE_CPU);
  flow->SetInputConnection(0, floor->GetOutputPort());
  for (auto* source : { bodies.Get(), rocks.Get(), named.Get() })
  {
    flow->AddInputConnection(1, source->GetOutputPort());
  }
  flow->SetEndTime(0.1);
  flow->UpdateTimeStep(0.1);
  ASSERT_EQ(listener.errors.size(), 0u) << listener.errors[0];
  vtkPolyData* output = flow->GetOutput();
  const std::vector<std::string> names{ "conduit", "deep/upper", "deep/2", "body 0" };
  EXPECT_EQ(texts(output, "source_name"), names);
  vtkDataArray* ids = output->GetFieldData()->GetArray("source_id");
  ASSERT_EQ(ids->GetNumberOfTuples(), 4);
  const double expected[] = { 0, 1, 2, 20 };
  for (vtkIdType i = 0; i < 4; ++i)
  {
    EXPECT_EQ(ids->GetComponent(i, 0), expected[i]);
  }

  // Another name belongs to no particle's motion: no new run.
  all->GetMetaData(0u)->Set(vtkCompositeDataSet::NAME(), "vent");
  all->Modified();
  flow->UpdateTimeStep(0.1);
  EXPECT_EQ(texts(flow->GetOutput(), "source_name")[0], "vent");
  EXPECT_EQ(flow->GetNumberOfRuns(), 1);

  flow->SetInputConnection(1, rocks->GetOutputPort());
  flow->Update();
  EXPECT_FALSE(flow->GetOutput()->GetFieldData()->GetAbstractArray("source_name"));
}

TEST(ParticleSourceGeometry, ALakeFillsItsBasinUpToTheLevel)
{
  // A bowl z = r^2 / 100 around (100, 100): up to z = 25 it holds pi / 2 * 100 * 25^2 m^3.
  const auto bowl = pipelines::produce(relief(
    [](double x, double y) { return ((x - 100) * (x - 100) + (y - 100) * (y - 100)) / 100; }));
  Result result(
    [&](Source* s)
    {
      s->SetShape(Source::LAKE);
      s->SetTerrainConnection(bowl->GetOutputPort());
      s->SetLakePoint(110, 95, 1e5);
      s->SetFillLevel(25);
      s->SetRadius(1);
      s->SetSourceId(3);
    });
  ASSERT_EQ(result.listener.errors.size(), 0u) << result.listener.errors[0];
  const double volume = pi / 2 * 100 * 625;
  // The terrain's squares of 5 m cut the bowl's curve by 0.06 m of 12.5 m, and columns of 1.4 m its rim.
  EXPECT_NEAR(result.source->GetBodyVolume(), volume, 0.01 * volume);
  EXPECT_NEAR(result.source->GetFilledVolume(), volume, 0.06 * volume);
  EXPECT_GT(result.count(), 1000);
  EXPECT_LE(result.output->GetBounds()[5], 25);
  EXPECT_LE(greatestOverlap(result), 0);
  EXPECT_EQ(result.number("source_id", 0), 3);
  EXPECT_EQ(texts(result.output, "body_name"), std::vector<std::string>{ "lake" });

  result.source->SetFillLevel(101); // the map's edges are at 100 m where they are lowest
  result.source->Update();
  ASSERT_EQ(result.listener.errors.size(), 1u);
  EXPECT_EQ(result.count(), 0);
}

/// A copy at other coordinates, which says so where they are local.
vtkSmartPointer<vtkPolyData> moved(
  vtkPolyData* data, const pipelines::Position& by, const pipelines::Position& origin)
{
  auto copy = vtkSmartPointer<vtkPolyData>::New();
  copy->DeepCopy(data);
  for (vtkIdType p = 0; p < copy->GetNumberOfPoints(); ++p)
  {
    const double* x = data->GetPoint(p);
    copy->GetPoints()->SetPoint(p, x[0] + by[0], x[1] + by[1], x[2] + by[2]);
  }
  if (origin != pipelines::Position{ 0, 0, 0 })
  {
    vtkNew<vtkDoubleArray> array;
    array->SetName("local_origin");
    array->SetNumberOfComponents(3);
    array->InsertNextTuple(origin.data());
    copy->GetFieldData()->AddArray(array);
  }
  return copy;
}

TEST(ParticleSourceGeometry, LocalCoordinatesGiveTheSameSeedsToTheBit)
{
  const pipelines::Position origin{ 611000, 9080000, 0 }, none{ 0, 0, 0 };
  const auto hilly = relief(), globe = moved(ball(100, 10, 32), { 0, 100, 50 }, none);
  const auto bowl = relief(
    [](double x, double y) { return ((x - 100) * (x - 100) + (y - 100) * (y - 100)) / 100; });
  const auto fissure = lines({ { { 50, 50, 0 }, { 150, 60, 0 }, { 80, 150, 0 } } }, false);
  const struct
  {
    int shape;
    vtkPolyData *terrain, *geometry;
  } cases[] = { { Source::DISC, hilly, nullptr }, { Source::SURFACE, nullptr, hilly },
    { Source::LINES, hilly, fissure }, { Source::BODIES, nullptr, globe },
    { Source::LAKE, bowl, nullptr } };
  for (const auto& one : cases)
  {
    std::vector<std::vector<double>> onMap;
    // On the map; local; the geometry local and silent about it, beside a local terrain.
    for (const int form : { 0, 1, 2 })
    {
      const pipelines::Position by = form == 0 ? origin : none;
      const pipelines::Position said = form == 0 ? none : origin;
      const auto terrain =
        pipelines::produce(moved(one.terrain ? one.terrain : hilly.Get(), by, said));
      const auto geometry = pipelines::produce(moved(
        one.geometry ? one.geometry : hilly.Get(), by, form == 2 && one.terrain ? none : said));
      Result result(
        [&](Source* s)
        {
          s->SetShape(one.shape);
          s->SetNumberOfSeeds(50);
          s->SetTerrainConnection(one.terrain ? terrain->GetOutputPort() : nullptr);
          s->SetGeometryConnection(one.geometry ? geometry->GetOutputPort() : nullptr);
          s->SetDiscCenter(by[0] + 120, by[1] + 90, 0);
          s->SetLakePoint(by[0] + 110, by[1] + 95, 0);
          s->SetFillLevel(10);
        });
      ASSERT_EQ(result.listener.errors.size(), 0u) << result.listener.errors[0];
      ASSERT_GT(result.count(), 40);
      vtkDataArray* told = result.output->GetFieldData()->GetArray("local_origin");
      ASSERT_TRUE(told);
      ASSERT_EQ(told->GetComponent(0, 0) != 0, form > 0);
      std::vector<double> positions;
      for (vtkIdType i = 0; i < 3 * result.count(); ++i)
      {
        const int axis = static_cast<int>(i % 3);
        positions.push_back(result.output->GetPoint(i / 3)[axis] + told->GetComponent(0, axis));
      }
      onMap.push_back(positions);
    }
    EXPECT_EQ(onMap[1], onMap[0]) << one.shape;
    EXPECT_EQ(onMap[2], onMap[0]) << one.shape;
  }

  // One left at its default stands in the local map already, or is moved to its middle.
  const auto terrain = pipelines::produce(moved(hilly, { 500, 0, 0 }, origin));
  Result result([&](Source* s) { s->SetTerrainConnection(terrain->GetOutputPort()); });
  EXPECT_NE(std::string(result.source->GetReport()).find("moved to its middle, x 600, y 100"),
    std::string::npos)
    << result.source->GetReport();
  EXPECT_NEAR(result.output->GetCenter()[0], 600, 5);
}

TEST(ParticleSourceGeometry, TenThousandBlocksAreReadInSeconds)
{
  vtkNew<vtkMultiBlockDataSet> blocks;
  const auto cube = [](double x, double y)
  {
    auto data =
      lines({ { { x, y, 0 }, { x, y + 1, 0 }, { x + 1, y + 1, 0 }, { x + 1, y, 0 } },
              { { x, y, 1 }, { x + 1, y, 1 }, { x + 1, y + 1, 1 }, { x, y + 1, 1 } },
              { { x, y, 0 }, { x + 1, y, 0 }, { x + 1, y, 1 }, { x, y, 1 } },
              { { x, y + 1, 0 }, { x, y + 1, 1 }, { x + 1, y + 1, 1 }, { x + 1, y + 1, 0 } },
              { { x, y, 0 }, { x, y, 1 }, { x, y + 1, 1 }, { x, y + 1, 0 } },
              { { x + 1, y, 0 }, { x + 1, y + 1, 0 }, { x + 1, y + 1, 1 }, { x + 1, y, 1 } } },
        true);
    return data;
  };
  for (int b = 0; b < 10000; ++b)
  {
    blocks->SetBlock(b, cube(2.0 * (b % 100), 2.0 * (b / 100)));
  }
  const auto geometry = pipelines::produce(blocks);
  Result result(
    [&](Source* s)
    {
      s->SetShape(Source::BODIES);
      s->SetGeometryConnection(geometry->GetOutputPort());
      s->SetRadius(0.1);
      s->SetSpacing(0.5);
    });
  ASSERT_EQ(result.listener.errors.size(), 0u) << result.listener.errors[0];
  EXPECT_EQ(result.source->GetBodiesFilled(), 10000);
  EXPECT_NEAR(result.source->GetBodyVolume(), 10000, 1e-6);
  EXPECT_EQ(texts(result.output, "body_name")[9999], "body 9999");
  EXPECT_LT(std::string(result.source->GetReport()).size(), 3000u);
  result.source->SetShape(Source::MAP_AREA); // all of them as one area of polygons
  result.source->SetNumberOfSeeds(100);
  result.source->Update();
  ASSERT_EQ(
    result.listener.errors.size(), 1u); // tops and bottoms cover one another: nothing is inside
}

TEST(ParticleSourceGeometry, BadGeometryIsOneSentenceAndThePipelineLivesOn)
{
  vtkNew<vtkPolyData> empty;
  vtkNew<vtkMultiBlockDataSet> blocks;
  setBlock(blocks, 3, empty, "empty");
  auto holed = ball(0, 10, 8);
  vtkNew<vtkCellArray> few;
  vtkNew<vtkIdList> corners;
  for (vtkIdType c = 0; c < holed->GetNumberOfCells() / 2; ++c)
  {
    holed->GetCellPoints(c, corners);
    few->InsertNextCell(corners);
  }
  holed->SetPolys(few);
  vtkNew<vtkMultiBlockDataSet> leaking;
  setBlock(leaking, 0, holed, "chamber");
  const auto body = ball(0, 10, 16);
  auto broken = lines({ { { 0, 0, 0 }, { 1, 1, 1 } } }, false);
  vtkNew<vtkCellArray> wrong;
  wrong->InsertNextCell({ 0, 7 });
  broken->SetLines(wrong);
  vtkNew<vtkImageData> image;
  image->SetDimensions(5, 5, 5);
  const auto produce = [](vtkDataObject* data) { return pipelines::produce(data); };
  const auto nothing = produce(empty), noBlocks = produce(blocks), leak = produce(leaking),
             sphere = produce(body), damaged = produce(broken), volume = produce(image),
             open = produce(lines({ { { 0, 0, 0 }, { 9, 0, 0 }, { 9, 9, 0 } } }, false)),
             points = produce(lines({ { { 1, 1, 0 }, { 1, 1, 0 } } }, false)),
             notFinite = produce(lines({ { { 0, 0, 0 }, { 9, nan, 0 } } }, false)),
             ground = produce(pipelines::plane(100)),
             away = produce(lines({ square(500, 600) }, true)),
             sheet = produce(pipelines::plane(50));
  const struct
  {
    int shape;
    vtkAlgorithm* geometry;
    std::function<void(Source*)> change;
    const char* text;
  } cases[] = {
    { Source::SURFACE, nullptr, {},
      "geometry is missing; the shape Surface must have it: connect a surface to the input "
      "Geometry" },
    { Source::LINES, nullptr, {},
      "geometry is missing; the shape Lines must have it: connect lines to the input Geometry" },
    { Source::MAP_AREA, nullptr, {}, "geometry is missing; the shape Map Area must have it" },
    { Source::BODIES, nullptr, {}, "geometry is missing; the shape Bodies must have it" },
    { Source::LAKE, nullptr, {}, "terrain is missing; the shape Lake must have it" },
    { Source::SURFACE, nothing, {}, "geometry has no triangles left; it must have at least 1" },
    { Source::LINES, nothing, {}, "geometry has 0 lines; there must be at least 1" },
    { Source::MAP_AREA, noBlocks, {},
      "geometry has 0 polygons and lines; there must be at least 1" },
    { Source::BODIES, noBlocks, {}, "geometry has 0 bodies; there must be at least 1" },
    { Source::LINES, sphere, {}, "geometry has 0 lines; there must be at least 1" },
    { Source::LINES, volume, {},
      "geometry is vtkImageData; it must be polygonal data or an unstructured grid" },
    { Source::LINES, damaged, {}, "geometry has a cell with the corner 7 and 2 points" },
    { Source::LINES, points, {}, "length of the lines is 0 m; it must be finite and above 0" },
    { Source::LINES, notFinite, {}, "point of the geometry is (9, nan, 0); it must be finite" },
    { Source::LINES, open, [](Source* s) { s->SetNumberOfSeeds(5000); },
      "of 5000 seeds found a place without overlap; make the lines larger" },
    { Source::MAP_AREA, open, {},
      "number of loose ends of the lines around the map area is 2; it must be 0" },
    { Source::MAP_AREA, away, [&](Source* s) { s->SetTerrainConnection(ground->GetOutputPort()); },
      "number of seeds over the terrain is 0 of 1000; at least 1 must lie over it: move the shape "
      "to x from 0 to 100" },
    { Source::BODIES, leak, {}, "chamber" },
    { Source::BODIES, sheet, {}, "body 0" },
    { Source::BODIES, sphere, [](Source* s) { s->SetMode(Source::EMISSION); },
      "mode is Emission; the shapes Bodies and Lake must have the mode Seeds at the start" },
    { Source::BODIES, sphere, [](Source* s) { s->SetSpacing(0.9); },
      "largest radius is 0.5 m; it must be at most 0.45 m, half the spacing of 0.9 m" },
    { Source::BODIES, sphere, [](Source* s) { s->SetSpacing(nan); },
      "spacing is nan m; it must be finite" },
    { Source::BODIES, sphere,
      [](Source* s)
      {
        s->KeepInsideOff();
        s->SetClearance(-1);
      },
      "clearance is -1 m; it must be finite and not negative" },
    { Source::BODIES, sphere, [](Source* s) { s->SetRadius(1e-5); }, "spacing" },
    { Source::BODIES, sphere, [](Source* s) { s->SetRadius(30); }, "clearance is 30 m" },
    { Source::BODIES, sphere,
      [](Source* s)
      {
        s->UseFillLevelOn();
        s->SetFillLevel(-50);
      },
      "level" },
    { Source::BODIES, sphere, [](Source* s) { s->SetFillLevel(nan), s->UseFillLevelOn(); },
      "level" },
    { Source::LAKE, sphere,
      [&](Source* s)
      {
        s->SetTerrainConnection(ground->GetOutputPort()), s->SetFillLevel(5),
          s->SetLakePoint(50, 50, 0);
      },
      "level" },
  };
  for (const auto& bad : cases)
  {
    Result result(
      [&](Source* s)
      {
        s->SetShape(bad.shape);
        s->SetGeometryConnection(bad.geometry ? bad.geometry->GetOutputPort() : nullptr);
        if (bad.change)
        {
          bad.change(s);
        }
      });
    ASSERT_EQ(result.listener.errors.size(), 1u) << bad.text;
    const std::string& told = result.listener.errors[0];
    EXPECT_NE(told.find(bad.text), std::string::npos) << told << "\nhas not: " << bad.text;
    EXPECT_EQ(result.count(), 0) << bad.text;
    EXPECT_EQ(result.source->GetBodiesFilled(), 0) << bad.text;
    result.listener.clear();
    result.source->SetShape(Source::POINT);
    result.source->SetMode(Source::SEEDS);
    result.source->SetNumberOfSeeds(3);
    result.source->SetRadius(1);
    result.source->SetTerrainConnection(nullptr);
    result.source->Update();
    EXPECT_EQ(result.listener.errors.size(), 0u) << bad.text;
    EXPECT_EQ(result.count(), 3) << bad.text;
  }
}

/// A binary STL file.
vtkSmartPointer<vtkPolyData> readStl(const std::filesystem::path& file)
{
  std::ifstream in(file, std::ios::binary);
  in.seekg(80);
  std::uint32_t count = 0;
  in.read(reinterpret_cast<char*>(&count), 4);
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> triangles;
  for (std::uint32_t t = 0; t < count && in; ++t)
  {
    float numbers[12];
    in.read(reinterpret_cast<char*>(numbers), 48);
    in.ignore(2);
    const vtkIdType first = points->GetNumberOfPoints();
    for (int corner = 1; corner < 4; ++corner)
    {
      points->InsertNextPoint(numbers + static_cast<std::ptrdiff_t>(3) * corner);
    }
    triangles->InsertNextCell({ first, first + 1, first + 2 });
  }
  auto data = vtkSmartPointer<vtkPolyData>::New();
  data->SetPoints(points);
  data->SetPolys(triangles);
  return data;
}

TEST(ParticleSourceGeometry, TheChamberOfTamboraIsFilledWhereItIs)
{
  const char* folder = std::getenv("LAPILLI_SHARED_DATA");
  const auto packed = std::filesystem::path(folder ? folder : "") / "tambora_chamber_utm50s.stl.gz";
  if (!folder || !std::filesystem::exists(packed))
  {
    GTEST_SKIP() << "set LAPILLI_SHARED_DATA to the folder with this file to run the case";
  }
  const auto file = std::filesystem::temp_directory_path() /
                    ("lapilli-chamber-" +
                      std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + ".stl");
  ASSERT_EQ(
    std::system(("gzip -dc '" + packed.string() + "' > '" + file.string() + "'").c_str()), 0);
  const auto mesh = readStl(file);
  std::filesystem::remove(file);
  ASSERT_EQ(mesh->GetNumberOfCells(), 64854);
  const auto geometry = pipelines::produce(mesh);
  Result result(
    [&](Source* s)
    {
      s->SetShape(Source::BODIES);
      s->SetGeometryConnection(geometry->GetOutputPort());
      s->SetRadius(400);
    });
  ASSERT_EQ(result.listener.errors.size(), 0u) << result.listener.errors[0];
  EXPECT_GT(result.count(), 1000);
  EXPECT_LE(greatestOverlap(result), 0);
  // Conduits narrower than a few spacings make most of the difference.
  EXPECT_NEAR(result.source->GetFilledVolume(), result.source->GetBodyVolume(),
    0.02 * result.source->GetBodyVolume());
  double low[6], high[6];
  mesh->GetBounds(low);
  result.output->GetBounds(high);
  for (int axis = 0; axis < 3; ++axis)
  {
    EXPECT_GE(high[2 * axis], low[2 * axis]);
    EXPECT_LE(high[2 * axis + 1], low[2 * axis + 1]);
  }
}

} // namespace
