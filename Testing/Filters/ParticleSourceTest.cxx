/// Particle Source through the pipeline: arrays, the optional terrain, the box widget's convention, errors.
#include "Pipelines.h"

#include "vtkLapilliParticleSource.h"
#include "vtkLapilliTerrainSurface.h"

#include <vtkImageData.h>
#include <vtkPlaneSource.h>
#include <vtkStringArray.h>
#include <vtkTransform.h>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace
{

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Result
{
  vtkNew<vtkLapilliParticleSource> source;
  pipelines::Listener listener{ source };
  vtkPolyData* output = nullptr;

  explicit Result(const std::function<void(vtkLapilliParticleSource*)>& change = {})
  {
    if (change)
    {
      change(source);
    }
    source->Update();
    output = source->GetOutput();
  }
};

double number(vtkPolyData* data, const char* array, vtkIdType i, int component = 0)
{
  return data->GetPointData()->GetArray(array)->GetComponent(i, component);
}

void expectArrays(vtkPolyData* output)
{
  const struct
  {
    const char* name;
    int type, components;
  } arrays[] = { { "velocity", VTK_DOUBLE, 3 }, { "radius", VTK_DOUBLE, 1 },
    { "density", VTK_DOUBLE, 1 }, { "temperature", VTK_DOUBLE, 1 }, { "source_id", VTK_INT, 1 } };
  for (const auto& expected : arrays)
  {
    vtkDataArray* array = output->GetPointData()->GetArray(expected.name);
    ASSERT_TRUE(array) << expected.name;
    EXPECT_EQ(array->GetDataType(), expected.type) << expected.name;
    EXPECT_EQ(array->GetNumberOfComponents(), expected.components) << expected.name;
    EXPECT_EQ(array->GetNumberOfTuples(), output->GetNumberOfPoints()) << expected.name;
  }
  EXPECT_EQ(output->GetPoints()->GetDataType(), VTK_DOUBLE);
  EXPECT_EQ(output->GetNumberOfVerts(), output->GetNumberOfPoints());
}

TEST(ParticleSource, EveryShapeGivesVerticesWithAllArrays)
{
  for (int shape = vtkLapilliParticleSource::POINT; shape <= vtkLapilliParticleSource::BOX; ++shape)
  {
    Result result(
      [shape](auto* source)
      {
        source->SetShape(shape);
        source->SetNumberOfSeeds(100);
        source->SetRadius(0.2);
        source->SetDensity(1234);
        source->SetTemperature(900);
        source->SetVelocity(1, 2, 3);
        source->SetSourceId(42);
      });
    EXPECT_EQ(result.listener.errors.size(), 0u) << shape;
    ASSERT_EQ(result.output->GetNumberOfPoints(), 100) << shape;
    expectArrays(result.output);
    EXPECT_EQ(number(result.output, "radius", 99), 0.2);
    EXPECT_EQ(number(result.output, "density", 99), 1234);
    EXPECT_EQ(number(result.output, "temperature", 99), 900);
    EXPECT_EQ(number(result.output, "velocity", 99, 2), 3);
    EXPECT_EQ(number(result.output, "source_id", 99), 42);
    EXPECT_EQ(result.source->GetSeedsPlaced(), 100);
    vtkFieldData* fields = result.output->GetFieldData();
    EXPECT_EQ(fields->GetArray("seeds")->GetComponent(0, 0), 100);
    EXPECT_EQ(fields->GetArray("random_seed")->GetComponent(0, 0), 1);
    EXPECT_NEAR(fields->GetArray("mass")->GetComponent(0, 0), result.source->GetMass(), 0);
    EXPECT_EQ(vtkStringArray::SafeDownCast(fields->GetAbstractArray("report"))->GetValue(0),
      result.source->GetReport());
  }
}

TEST(ParticleSource, EachShapeLiesWhereItsPropertiesSay)
{
  const auto bounds = [](const std::function<void(vtkLapilliParticleSource*)>& change)
  {
    Result result(change);
    std::array<double, 6> b;
    result.output->GetBounds(b.data());
    return b;
  };
  using Source = vtkLapilliParticleSource;
  const auto point = bounds(
    [](Source* s)
    {
      s->SetShape(Source::POINT);
      s->SetNumberOfSeeds(1);
      s->SetPoint(1, 2, 3);
    });
  EXPECT_EQ(point, (std::array<double, 6>{ 1, 1, 2, 2, 3, 3 }));
  const auto line = bounds(
    [](Source* s)
    {
      s->SetShape(Source::LINE);
      s->SetLineStart(10, 10, 10);
      s->SetLineEnd(10, 2010, 10);
    });
  EXPECT_EQ(line[0], 10);
  EXPECT_EQ(line[1], 10);
  EXPECT_TRUE(line[2] >= 10 && line[2] < 20 && line[3] > 2000 && line[3] <= 2010);
  const auto disc = bounds(
    [](Source* s)
    {
      s->SetDiscCenter(100, 0, 50);
      s->SetDiscNormal(1, 0, 0);
      s->SetDiscRadius(40);
    });
  EXPECT_NEAR(disc[0], 100, 1e-9);
  EXPECT_NEAR(disc[1], 100, 1e-9);
  EXPECT_NEAR(disc[2], -40, 4);
  EXPECT_NEAR(disc[5], 90, 4);
  const auto sphere = bounds(
    [](Source* s)
    {
      s->SetShape(Source::SPHERE);
      s->SetSphereCenter(0, 0, 500);
      s->SetSphereRadius(30);
    });
  EXPECT_NEAR(sphere[4], 470, 4);
  EXPECT_NEAR(sphere[5], 530, 4);
}

TEST(ParticleSource, TheBoxIsThatOfParaViewsBoxWidget)
{
  // The widget's transform of the unit box: translate, rotate about z, x, y, scale.
  vtkNew<vtkTransform> widget;
  widget->Translate(100, 200, 300);
  widget->RotateZ(30);
  widget->RotateX(20);
  widget->RotateY(10);
  widget->Scale(40, 20, 10);
  Result result(
    [](auto* source)
    {
      source->SetShape(vtkLapilliParticleSource::BOX);
      source->SetBoxPosition(100, 200, 300);
      source->SetBoxRotation(20, 10, 30);
      source->SetBoxScale(40, 20, 10);
    });
  ASSERT_EQ(result.output->GetNumberOfPoints(), 1000);
  double low[3] = { 1, 1, 1 }, high[3] = { 0, 0, 0 };
  for (vtkIdType i = 0; i < 1000; ++i)
  {
    double p[3];
    widget->GetInverse()->TransformPoint(result.output->GetPoint(i), p);
    for (int axis = 0; axis < 3; ++axis)
    {
      low[axis] = std::min(low[axis], p[axis]);
      high[axis] = std::max(high[axis], p[axis]);
    }
  }
  for (int axis = 0; axis < 3; ++axis)
  {
    EXPECT_GE(low[axis], -1e-9);
    EXPECT_LT(low[axis], 0.02);
    EXPECT_GT(high[axis], 0.98);
    EXPECT_LE(high[axis], 1 + 1e-9);
  }
}

TEST(ParticleSource, TheSameRandomSeedGivesTheSameParticles)
{
  const auto positions = [](int seed)
  {
    Result result(
      [seed](auto* source)
      {
        source->SetRandomSeed(seed);
        source->SetRadiusLaw(vtkLapilliParticleSource::LOG_NORMAL);
        source->SetMedianRadius(0.3);
        source->SetVelocitySpread(2);
      });
    std::vector<double> all;
    for (vtkIdType i = 0; i < result.output->GetNumberOfPoints(); ++i)
    {
      for (int axis = 0; axis < 3; ++axis)
      {
        all.push_back(result.output->GetPoint(i)[axis]);
        all.push_back(number(result.output, "velocity", i, axis));
      }
      all.push_back(number(result.output, "radius", i));
    }
    return all;
  };
  EXPECT_EQ(positions(5).size(), 7000u);
  EXPECT_EQ(positions(5), positions(5));
  EXPECT_NE(positions(5), positions(-5));
}

TEST(ParticleSource, ATerrainOnItsInputIsWhatSeedsRestOn)
{
  // A slope of 45 degrees as a surface, and as an image with heights.
  vtkNew<vtkPlaneSource> slope;
  slope->SetOrigin(0, 0, 0);
  slope->SetPoint1(200, 0, 200);
  slope->SetPoint2(0, 200, 0);
  vtkNew<vtkImageData> image;
  image->SetDimensions(21, 21, 1);
  image->SetSpacing(10, 10, 1);
  vtkNew<vtkDoubleArray> heights;
  heights->SetName("z");
  for (int p = 0; p < 21 * 21; ++p)
  {
    heights->InsertNextValue(10 * (p % 21));
  }
  image->GetPointData()->SetScalars(heights);
  const auto producer = pipelines::produce(image);

  for (vtkAlgorithmOutput* terrain : { slope->GetOutputPort(), producer->GetOutputPort() })
  {
    Result result(
      [terrain](auto* source)
      {
        source->SetTerrainConnection(terrain);
        source->SetDiscCenter(100, 100, 7000);
      });
    EXPECT_EQ(result.listener.errors.size(), 0u);
    ASSERT_EQ(result.output->GetNumberOfPoints(), 1000);
    for (vtkIdType i = 0; i < 1000; ++i)
    {
      const double* p = result.output->GetPoint(i);
      ASSERT_GE((p[2] - p[0]) / std::sqrt(2.0), 0.5);
    }
    const double* first = result.output->GetPoint(0);
    EXPECT_NEAR((first[2] - first[0]) / std::sqrt(2.0), 0.5, 1e-5);
  }
}

TEST(ParticleSource, WithoutDroppingTheShapeStaysWhereItIs)
{
  vtkNew<vtkPlaneSource> plane;
  plane->SetOrigin(-10, -10, 0);
  plane->SetPoint1(10, -10, 0);
  plane->SetPoint2(-10, 10, 0);
  Result result(
    [&](auto* source)
    {
      source->SetTerrainConnection(1, plane->GetOutputPort()); // as the server manager calls it
      source->DropOntoTerrainOff();
      source->SetDiscCenter(0, 0, 12);
    });
  EXPECT_EQ(result.output->GetBounds()[4], 12);
  EXPECT_EQ(result.output->GetNumberOfPoints(), 1000);
  result.source->DropOntoTerrainOn();
  result.source->Update();
  EXPECT_EQ(result.source->GetSeedsPlaced() + result.source->GetSeedsBesideTerrain(), 1000);
  // The plane covers 400 of the disc's 2827 m^2.
  EXPECT_NEAR(result.source->GetSeedsPlaced(), 141, 55);
  result.source->SetTerrainConnection(nullptr);
  result.source->Update();
  EXPECT_EQ(result.output->GetNumberOfPoints(), 1000);
}

TEST(ParticleSource, AChangedTerrainMovesTheSeeds)
{
  vtkNew<vtkPlaneSource> plane;
  const auto place = [&](double z)
  {
    plane->SetOrigin(-100, -100, z);
    plane->SetPoint1(100, -100, z);
    plane->SetPoint2(-100, 100, z);
  };
  place(0);
  vtkNew<vtkLapilliTerrainSurface> surface;
  surface->SetInputConnection(plane->GetOutputPort());
  Result result([&](auto* source) { source->SetTerrainConnection(surface->GetOutputPort()); });
  EXPECT_NEAR(result.output->GetPoint(0)[2], 0.5, 1e-5);
  place(30);
  result.source->Update();
  EXPECT_NEAR(result.output->GetPoint(0)[2], 30.5, 1e-5);
}

TEST(ParticleSource, BadInputIsOneSentenceAndThePipelineLivesOn)
{
  using Source = vtkLapilliParticleSource;
  vtkNew<vtkPolyData> empty;
  const auto nothing = pipelines::produce(empty);
  const auto square = pipelines::produce(pipelines::plane(200));
  struct Case
  {
    std::function<void(Source*)> change;
    const char* text;
  };
  const Case cases[] = {
    { [](Source* s) { s->SetNumberOfSeeds(0); },
      "number of seeds is 0; it must lie in [1, 100000000]" },
    { [](Source* s) { s->SetRadius(0); }, "radius is 0; it must be finite and above 0" },
    { [](Source* s) { s->SetRadius(nan); }, "radius is nan; it must be finite and above 0" },
    { [](Source* s) { s->SetDiscNormal(0, 0, 0); },
      "normal of the disc is (0, 0, 0); it must have a direction" },
    { [](Source* s) { s->SetDiscRadius(-3); },
      "radius of the disc is -3; it must be finite and above 0" },
    { [](Source* s) { s->SetDensity(-1); }, "density is -1; it must be finite and above 0" },
    { [](Source* s) { s->SetVelocity(0, nan, 0); }, "velocity is (0, nan, 0); it must be finite" },
    { [](Source* s)
      {
        s->SetRadiusLaw(Source::UNIFORM);
        s->SetSmallestRadius(2);
      },
      "largest radius is 0.7; it must be finite and not below the smallest radius, 2" },
    { [](Source* s) { s->SetDiscRadius(5); },
      "of 1000 seeds found a place without overlap; make the disc larger, or ask for fewer or" },
    { [&](Source* s) { s->SetTerrainConnection(nothing->GetOutputPort()); },
      "terrain has no triangles left; it must have at least 1" },
    { [&](Source* s)
      {
        s->SetTerrainConnection(square->GetOutputPort());
        s->SetDiscCenter(9000, 0, 0);
      },
      "number of seeds over the terrain is 0 of 1000; at least 1 must lie over it: move the shape "
      "to x from 0 to 200 and y from 0 to 200" },
  };
  for (const Case& bad : cases)
  {
    Result result(bad.change);
    ASSERT_EQ(result.listener.errors.size(), 1u) << bad.text;
    EXPECT_NE(result.listener.errors[0].find(bad.text), std::string::npos)
      << result.listener.errors[0] << "\nhas not: " << bad.text;
    EXPECT_EQ(result.output->GetNumberOfPoints(), 0) << bad.text;
    expectArrays(result.output);

    result.listener.clear();
    Source* source = result.source;
    source->SetTerrainConnection(nullptr);
    source->SetShape(Source::POINT);
    source->SetNumberOfSeeds(3);
    source->SetRadiusLaw(Source::CONSTANT);
    source->SetRadius(1);
    source->SetDensity(1);
    source->SetVelocity(0, 0, 0);
    source->Update();
    EXPECT_EQ(result.listener.errors.size(), 0u) << bad.text;
    EXPECT_EQ(result.output->GetNumberOfPoints(), 3) << bad.text;
  }
}

TEST(ParticleSource, AnotherProcessGetsNoSeeds)
{
  vtkNew<vtkLapilliParticleSource> source;
  source->UpdatePiece(1, 2, 0);
  EXPECT_EQ(source->GetOutput()->GetNumberOfPoints(), 0);
  source->UpdatePiece(0, 2, 0);
  EXPECT_EQ(source->GetOutput()->GetNumberOfPoints(), 1000);
}

} // namespace
