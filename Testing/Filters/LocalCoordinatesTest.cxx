/// @file
/// Local coordinates and the way back: the same bits, and the same simulation from either.
#include "Pipelines.h"

#include "vtkLapilliGranularFlow.h"
#include "vtkLapilliLocalCoordinates.h"
#include "vtkLapilliParticleSource.h"
#include "vtkLapilliTerrainSurface.h"

#include <gtest/gtest.h>

#include <vtkCompositeDataSet.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkRectilinearGrid.h>
#include <vtkTable.h>

#include <cmath>
#include <limits>

using namespace pipelines;

namespace
{

// Tambora's place on its map, and the whole kilometres that the middle of a terrain of 100 m there comes to.
constexpr double east = 604'300, north = 9'085'700;
const Position origin{ 604'000, 9'085'000, 0 };

void shift(vtkPolyData* data, const Position& by)
{
  double* x = static_cast<double*>(data->GetPoints()->GetVoidPointer(0));
  for (vtkIdType i = 0; i < 3 * data->GetNumberOfPoints(); ++i)
  {
    x[i] += by[static_cast<std::size_t>(i % 3)];
  }
}

/// A tilted sheet and rocks above it, with coordinates that are multiples of 1/1024 m.
vtkSmartPointer<vtkPolyData> slope(const Position& at)
{
  auto data = plane(100, 0, 4);
  double* x = static_cast<double*>(data->GetPoints()->GetVoidPointer(0));
  for (vtkIdType p = 0; p < data->GetNumberOfPoints(); ++p)
  {
    x[3 * p + 2] = 0.5 * x[3 * p];
  }
  shift(data, at);
  return data;
}

vtkSmartPointer<vtkPolyData> rocks(const Position& at)
{
  auto data = seeds({ { 50, 50, 40 }, { 53.125, 51, 44 }, { 40.5, 20.25, 35 } });
  shift(data, at);
  return data;
}

void mark(vtkDataObject* data, const std::vector<double>& values)
{
  vtkNew<vtkDoubleArray> array;
  array->SetName("local_origin");
  array->SetNumberOfComponents(static_cast<int>(values.size()));
  array->InsertNextTuple(values.data());
  data->GetFieldData()->AddArray(array);
}

Position originOf(vtkDataObject* data)
{
  vtkDataArray* array = data->GetFieldData()->GetArray("local_origin");
  Position result{ 0, 0, 0 };
  if (array)
  {
    array->GetTuple(0, result.data());
  }
  return result;
}

vtkSmartPointer<vtkDataObject> through(vtkDataObject* data, int direction)
{
  const auto source = produce(data);
  vtkNew<vtkLapilliLocalCoordinates> filter;
  Listener listener(filter);
  filter->SetInputConnection(source->GetOutputPort());
  filter->SetDirection(direction);
  filter->Update();
  EXPECT_TRUE(listener.errors.empty()) << listener.errors.front();
  EXPECT_TRUE(listener.warnings.empty()) << listener.warnings.front();
  return filter->GetOutputDataObject(0);
}

vtkSmartPointer<vtkDataObject> local(vtkDataObject* data)
{
  return through(data, vtkLapilliLocalCoordinates::TO_LOCAL);
}

vtkSmartPointer<vtkDataObject> onMap(vtkDataObject* data)
{
  return through(data, vtkLapilliLocalCoordinates::TO_MAP);
}

struct Flow
{
  Flow(vtkDataObject* terrain, vtkDataObject* sources)
    : terrain_(produce(terrain))
    , sources_(produce(sources))
  {
    filter->SetInputConnection(0, terrain_->GetOutputPort());
    filter->AddSourceConnection(sources_->GetOutputPort());
    filter->SetEndTime(2);
    filter->SetFrameInterval(0.5);
    filter->SetThreads(1);
    filter->SetDefaultRadius(1);
  }

  vtkNew<vtkLapilliGranularFlow> filter;

private:
  vtkSmartPointer<vtkTrivialProducer> terrain_, sources_;
};

std::vector<unsigned char> bitsOnMap(vtkLapilliGranularFlow* flow)
{
  const auto output = outputAt(flow, 2);
  EXPECT_EQ(output->GetNumberOfPoints(), 3);
  return bits(vtkPolyData::SafeDownCast(onMap(output)));
}

} // namespace

TEST(LocalCoordinates, ThereAndBackIsTheSameBits)
{
  auto terrain = slope({ east + 0.123, north + 0.456, 0 });
  const auto before = bits(terrain);
  const auto there = local(terrain);
  EXPECT_EQ(originOf(there), origin);
  double bounds[6];
  vtkPolyData::SafeDownCast(there)->GetBounds(bounds);
  EXPECT_NEAR(bounds[0], 300.123, 1e-9); // the step of doubles near 604,000
  EXPECT_NEAR(bounds[2], 700.456, 2e-9); // and near 9,085,000
  EXPECT_DOUBLE_EQ(bounds[5], 50);

  const auto back = onMap(there);
  EXPECT_EQ(bits(vtkPolyData::SafeDownCast(back)), before);
  EXPECT_TRUE(back->GetFieldData()->HasArray("local_origin"))
    << "it does not say that it is on the map";
  EXPECT_EQ(originOf(back), (Position{ 0, 0, 0 }));
  EXPECT_EQ(bits(terrain), before) << "the input was changed";
  EXPECT_EQ(bits(vtkPolyData::SafeDownCast(local(there))), bits(vtkPolyData::SafeDownCast(there)))
    << "what is local stays where it is";
}

TEST(LocalCoordinates, MovesPointsOfSinglePrecisionAsFarAsTheyWereRight)
{
  auto terrain = slope({ east, north, 0 });
  vtkNew<vtkPoints> single;
  single->SetDataTypeToFloat();
  single->DeepCopy(terrain->GetPoints());
  terrain->SetPoints(single);
  const auto moved = local(terrain);
  const auto* points = vtkPolyData::SafeDownCast(moved);
  double first[3];
  const_cast<vtkPolyData*>(points)->GetPoint(0, first);
  EXPECT_EQ(first[0], 300);
  EXPECT_EQ(first[1], 700);
  EXPECT_EQ(const_cast<vtkPolyData*>(points)->GetPoints()->GetDataType(), VTK_DOUBLE);
}

TEST(LocalCoordinates, MovesImagesGridsAndNestedBlocksToOneOrigin)
{
  vtkNew<vtkImageData> image;
  image->SetDimensions(11, 11, 1);
  image->SetOrigin(east, north, 0);
  image->SetSpacing(10, 10, 1);
  vtkNew<vtkRectilinearGrid> grid;
  grid->SetDimensions(2, 2, 1);
  const auto line = [](double from, double to)
  {
    auto array = vtkSmartPointer<vtkFloatArray>::New();
    array->InsertNextValue(static_cast<float>(from));
    if (to > from)
    {
      array->InsertNextValue(static_cast<float>(to));
    }
    return array;
  };
  grid->SetXCoordinates(line(604'000, 604'900));
  grid->SetYCoordinates(line(9'085'000, 9'085'800));
  grid->SetZCoordinates(line(7, 7));
  vtkNew<vtkMultiBlockDataSet> inner, outer;
  inner->SetBlock(0, image);
  inner->SetBlock(2, grid);
  outer->SetBlock(0, slope({ east + 3000, north, 0 }));
  outer->SetBlock(1, inner);
  outer->GetMetaData(0u)->Set(vtkCompositeDataSet::NAME(), "far");

  const auto there = local(outer);
  auto* tree = vtkMultiBlockDataSet::SafeDownCast(there);
  ASSERT_TRUE(tree);
  // The middle of all: x from 604,000 to 607,400 m, y from 9,085,000 to 9,085,800 m.
  const Position found = originOf(tree);
  EXPECT_EQ(found, (Position{ 605'000, 9'085'000, 0 }));
  EXPECT_STREQ(tree->GetMetaData(0u)->Get(vtkCompositeDataSet::NAME()), "far");
  auto* sheet = vtkPolyData::SafeDownCast(tree->GetBlock(0));
  auto* rest = vtkMultiBlockDataSet::SafeDownCast(tree->GetBlock(1));
  ASSERT_TRUE(sheet && rest);
  EXPECT_DOUBLE_EQ(sheet->GetBounds()[0], east + 3000 - 605'000);
  EXPECT_DOUBLE_EQ(vtkImageData::SafeDownCast(rest->GetBlock(0))->GetOrigin()[0], east - 605'000);
  EXPECT_EQ(rest->GetBlock(1), nullptr);
  auto* moved = vtkRectilinearGrid::SafeDownCast(rest->GetBlock(2));
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->GetXCoordinates()->GetTuple1(0), -1000);
  EXPECT_EQ(moved->GetYCoordinates()->GetTuple1(1), 800);
  EXPECT_EQ(moved->GetZCoordinates()->GetTuple1(0), 7);
  EXPECT_EQ(originOf(sheet), found);

  const auto back = onMap(there);
  auto* backRest =
    vtkMultiBlockDataSet::SafeDownCast(vtkMultiBlockDataSet::SafeDownCast(back)->GetBlock(1));
  EXPECT_EQ(vtkImageData::SafeDownCast(backRest->GetBlock(0))->GetOrigin()[1], north);
  EXPECT_EQ(
    vtkRectilinearGrid::SafeDownCast(backRest->GetBlock(2))->GetXCoordinates()->GetTuple1(1),
    604'900);
}

TEST(LocalCoordinates, KeepsItsOriginWhileParticlesTravel)
{
  auto data = rocks({ east, north, 0 });
  const auto source = produce(data);
  vtkNew<vtkLapilliLocalCoordinates> filter;
  filter->SetInputConnection(source->GetOutputPort());
  filter->Update();
  const Position before = originOf(filter->GetOutputDataObject(0));
  const auto move = [&](double by)
  {
    shift(data, { by, 0, 0 });
    data->GetPoints()->Modified();
    data->Modified();
    source->Modified();
    filter->Update();
    return originOf(filter->GetOutputDataObject(0));
  };
  EXPECT_EQ(move(50'000), before);
  EXPECT_EQ(move(100'000), (Position{ 754'000, 9'085'000, 0 })) << "farther than 100 km";
}

TEST(LocalCoordinates, TakesTheOriginThatIsGiven)
{
  const auto source = produce(slope({ east, north, 0 }));
  vtkNew<vtkLapilliLocalCoordinates> filter;
  Listener listener(filter);
  filter->SetInputConnection(source->GetOutputPort());
  filter->SetAutomaticOrigin(false);
  filter->SetOrigin(600'000, 9'000'000, 100);
  filter->Update();
  EXPECT_EQ(vtkPolyData::SafeDownCast(filter->GetOutputDataObject(0))->GetBounds()[4], -100);
  EXPECT_EQ(filter->GetOriginUsed()[1], 9'000'000);

  filter->SetOrigin(600'000, std::numeric_limits<double>::quiet_NaN(), 0);
  filter->Update();
  ASSERT_EQ(listener.errors.size(), 1u);
  EXPECT_TRUE(contains(listener.errors[0], "origin is (600000, nan, 0); it must be three finite"))
    << listener.errors[0];
}

TEST(LocalCoordinates, RefusesOriginsThatAreNone)
{
  for (const std::vector<double>& wrong : { std::vector<double>{ 1, 2 },
         std::vector<double>{ 1, std::numeric_limits<double>::infinity(), 0 } })
  {
    auto terrain = slope({ 0, 0, 0 });
    mark(terrain, wrong);
    const auto source = produce(terrain);
    vtkNew<vtkLapilliLocalCoordinates> filter;
    Listener listener(filter);
    filter->SetInputConnection(source->GetOutputPort());
    filter->Update();
    ASSERT_EQ(listener.errors.size(), 1u);
    EXPECT_TRUE(contains(listener.errors[0], "local_origin are (1, ")) << listener.errors[0];
    EXPECT_TRUE(contains(listener.errors[0], "three finite numbers")) << listener.errors[0];
  }
  vtkNew<vtkMultiBlockDataSet> blocks;
  for (unsigned int b = 0; b < 2; ++b)
  {
    auto terrain = slope({ 0, 0, 0 });
    mark(terrain, { 1000.0 * b, 0, 0 });
    blocks->SetBlock(b, terrain);
  }
  Flow flow(blocks, rocks({ 0, 0, 0 }));
  Listener listener(flow.filter);
  flow.filter->Update();
  ASSERT_EQ(listener.errors.size(), 1u);
  EXPECT_TRUE(contains(listener.errors[0], "terrain has blocks with different origins"))
    << listener.errors[0];
}

TEST(LocalCoordinates, OfBlocksCountBeforeThoseOfTheWhole)
{
  // Group Datasets gives the whole the field data of its first input.
  vtkNew<vtkMultiBlockDataSet> group;
  auto west = slope({ east, north, 0 });
  mark(west, { 0, 0, 0 });
  group->SetBlock(0, local(slope({ east + 100, north, 0 })));
  group->SetBlock(1, west);
  mark(group, { origin[0], origin[1], 0 });
  const auto source = produce(group);
  vtkNew<vtkLapilliTerrainSurface> surface;
  Listener listener(surface);
  surface->SetInputConnection(source->GetOutputPort());
  surface->Update();
  ASSERT_EQ(listener.errors.size(), 1u);
  EXPECT_TRUE(contains(listener.errors[0], "different origins")) << listener.errors[0];
  EXPECT_TRUE(contains(listener.errors[0], "before they are grouped")) << listener.errors[0];

  // One that says nothing goes with the others.
  group->SetBlock(1, slope({ east - origin[0], north - origin[1], 0 }));
  source->Modified();
  listener.clear();
  surface->Update();
  EXPECT_TRUE(listener.errors.empty()) << listener.errors.front();
  EXPECT_DOUBLE_EQ(surface->GetOutput()->GetBounds()[0], east - origin[0]);
  EXPECT_EQ(originOf(surface->GetOutput()), origin);
}

TEST(LocalCoordinates, PassesOnWhatHasNoCoordinates)
{
  vtkNew<vtkTable> table;
  const auto source = produce(table);
  vtkNew<vtkLapilliLocalCoordinates> filter;
  Listener listener(filter);
  filter->SetInputConnection(source->GetOutputPort());
  filter->Update();
  EXPECT_TRUE(vtkTable::SafeDownCast(filter->GetOutputDataObject(0)));
  EXPECT_TRUE(listener.errors.empty());
  ASSERT_EQ(listener.warnings.size(), 1u);
  EXPECT_TRUE(contains(listener.warnings[0], "vtkTable")) << listener.warnings[0];
}

TEST(LocalCoordinates, LeadToTheSameParticlesAsTheMap)
{
  const auto terrain = slope({ east, north, 0 });
  const auto sources = rocks({ east, north, 0 });
  Flow map(terrain, sources);
  const auto expected = bitsOnMap(map.filter);

  Flow localTerrain(local(terrain), local(sources));
  EXPECT_EQ(bitsOnMap(localTerrain.filter), expected);
  EXPECT_EQ(originOf(localTerrain.filter->GetOutputDataObject(0)), origin);

  Flow localSources(terrain, local(sources));
  EXPECT_EQ(bitsOnMap(localSources.filter), expected);
  EXPECT_EQ(originOf(localSources.filter->GetOutputDataObject(0)), (Position{ 0, 0, 0 }));

  // Points that have come back to the map say so, and others do not say where they stand, but lie over the terrain there.
  Flow backOnMap(local(terrain), onMap(local(sources)));
  EXPECT_EQ(bitsOnMap(backOnMap.filter), expected);
  Flow foreign(local(terrain), sources);
  EXPECT_EQ(bitsOnMap(foreign.filter), expected);

  // Points that were made beside the local terrain in the view, and do not say where they stand.
  Flow unmarked(local(terrain), rocks({ east - origin[0], north - origin[1], 0 }));
  EXPECT_EQ(bitsOnMap(unmarked.filter), expected);
}

TEST(LocalCoordinates, PassThroughATerrainSurface)
{
  const auto terrain = slope({ east, north, 0 });
  const auto sources = rocks({ east, north, 0 });
  Flow map(terrain, sources);
  const auto expected = bitsOnMap(map.filter);
  using Surface = vtkLapilliTerrainSurface;
  const auto surfaceOf = [](vtkDataObject* data, int coordinates)
  {
    const auto source = produce(data);
    vtkNew<vtkLapilliTerrainSurface> filter;
    filter->SetInputConnection(source->GetOutputPort());
    filter->SetCoordinates(coordinates);
    filter->Update();
    auto copy = vtkSmartPointer<vtkPolyData>::New();
    copy->ShallowCopy(filter->GetOutput());
    return copy;
  };
  const Position none{ 0, 0, 0 };
  const struct
  {
    vtkSmartPointer<vtkDataObject> input;
    int coordinates;
    Position origin;
  } cases[] = { { terrain, Surface::COORDINATES_AS_INPUT, none },
    { terrain, Surface::COORDINATES_LOCAL, origin },
    { local(terrain), Surface::COORDINATES_AS_INPUT, origin },
    { local(terrain), Surface::COORDINATES_LOCAL, origin },
    { local(terrain), Surface::COORDINATES_MAP, none } };
  for (const auto& c : cases)
  {
    const auto surface = surfaceOf(c.input, c.coordinates);
    EXPECT_EQ(originOf(surface), c.origin) << c.coordinates;
    EXPECT_EQ(surface->GetBounds()[0], east - c.origin[0]) << c.coordinates;
    Flow same(surface, local(sources));
    EXPECT_EQ(bitsOnMap(same.filter), expected) << c.coordinates;
  }
}

TEST(LocalCoordinates, OfTheOutputStartNoOtherRun)
{
  Flow flow(slope({ east, north, 0 }), rocks({ east, north, 0 }));
  const auto expected = bitsOnMap(flow.filter);
  flow.filter->SetCoordinates(vtkLapilliGranularFlow::COORDINATES_LOCAL);
  EXPECT_EQ(bitsOnMap(flow.filter), expected);
  EXPECT_EQ(flow.filter->GetNumberOfRuns(), 1);
  for (int port = 0; port < 2; ++port)
  {
    auto* output = vtkPolyData::SafeDownCast(flow.filter->GetOutputDataObject(port));
    EXPECT_EQ(originOf(output), origin) << port;
    EXPECT_LT(output->GetBounds()[1], 1000) << port;
    EXPECT_GT(output->GetBounds()[2], 0) << port;
  }
  flow.filter->SetCoordinates(vtkLapilliGranularFlow::COORDINATES_MAP);
  flow.filter->UpdateTimeStep(2);
  EXPECT_GT(
    vtkPolyData::SafeDownCast(flow.filter->GetOutputDataObject(1))->GetBounds()[0], 604'000);
  EXPECT_EQ(flow.filter->GetNumberOfRuns(), 1);
}

TEST(LocalCoordinates, HoldForSourcesMadeOnEitherTerrain)
{
  const auto terrain = slope({ east, north, 0 });
  const auto near = local(terrain);
  const auto sourceOn = [](vtkDataObject* ground, double x, double y, vtkDataObject* geometry)
  {
    const auto producer = produce(ground);
    vtkNew<vtkLapilliParticleSource> source;
    Listener listener(source);
    source->SetTerrainConnection(producer->GetOutputPort());
    source->SetShape(vtkLapilliParticleSource::DISC);
    source->SetDiscCenter(x + 50, y + 50, 0);
    source->SetDiscRadius(20);
    source->SetNumberOfSeeds(3);
    const auto body = produce(geometry);
    if (geometry)
    {
      source->SetGeometryConnection(body->GetOutputPort());
      source->SetShape(vtkLapilliParticleSource::SURFACE);
    }
    source->Update();
    EXPECT_TRUE(listener.errors.empty()) << listener.errors.front();
    auto copy = vtkSmartPointer<vtkPolyData>::New();
    copy->ShallowCopy(source->GetOutput());
    return copy;
  };
  for (const bool hasGeometry : { false, true })
  {
    vtkDataObject* geometry =
      hasGeometry ? terrain.Get() : nullptr; // of a file, which does not say that it is on the map
    const auto made = sourceOn(terrain, east, north, geometry);
    const auto madeNear = sourceOn(near, east - origin[0], north - origin[1], geometry);
    EXPECT_EQ(originOf(made), (Position{ 0, 0, 0 }));
    EXPECT_EQ(originOf(madeNear), origin);
    Flow map(terrain, made);
    const auto expected = bitsOnMap(map.filter);
    for (const auto& ground : { vtkSmartPointer<vtkDataObject>(terrain), near })
    {
      for (const auto& sources : { made, madeNear })
      {
        Flow flow(ground, sources);
        EXPECT_EQ(bitsOnMap(flow.filter), expected);
      }
    }
  }
}

TEST(LocalCoordinates, OfTheTerrainHoldForTheDomainToo)
{
  const auto bounds = [](double x, double y, vtkDataObject* terrain, vtkDataObject* sources)
  {
    Flow flow(terrain, sources);
    flow.filter->SetDomain(true);
    flow.filter->SetDomainLower(x - 10, y - 10, -10);
    flow.filter->SetDomainUpper(x + 60, y + 110, 200);
    return bitsOnMap(flow.filter);
  };
  const auto terrain = slope({ east, north, 0 });
  const auto sources = rocks({ east, north, 0 });
  EXPECT_EQ(bounds(east - origin[0], north - origin[1], local(terrain), local(sources)),
    bounds(east, north, terrain, sources));
}
