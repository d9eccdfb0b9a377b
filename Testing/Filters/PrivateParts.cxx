/// @file
/// Hash, frame cache and array bridge, without a pipeline.
#include "Pipelines.h"

#include "Private/ArrayBridge.h"
#include "Private/Cache/FrameCache.h"
#include "Private/Hash.h"

#include <gtest/gtest.h>

#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkIntArray.h>
#include <vtkSOADataArrayTemplate.h>
#include <vtkShortArray.h>

#include <set>

namespace
{

lapilli::Digest digestOf(const std::vector<std::uint8_t>& bytes)
{
  lapilli::Hasher hasher;
  hasher.bytes(bytes.data(), bytes.size());
  return hasher.digest();
}

lapilli::SharedBytes bytesOf(std::size_t size)
{
  return std::make_shared<const std::vector<std::uint8_t>>(size);
}

lapilli::StoredFrame frameOf(std::size_t values)
{
  lapilli::StoredFrame stored;
  lapilli::PointSet points;
  points.positions.resize(3 * values);
  stored.frame.pointSets.push_back(points);
  return stored;
}

} // namespace

//------------------------------------------------------------------------------
TEST(Hash, EveryBitAndTheLengthCount)
{
  std::set<lapilli::Digest> digests;
  std::vector<std::uint8_t> bytes(67, 0);
  digests.insert(digestOf(bytes));
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit)
  {
    auto changed = bytes;
    changed[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    digests.insert(digestOf(changed));
  }
  for (std::size_t length = 0; length < bytes.size(); ++length)
  {
    digests.insert(digestOf(std::vector<std::uint8_t>(length, 0)));
  }
  EXPECT_EQ(digests.size(), 1 + 8 * bytes.size() + bytes.size());
  EXPECT_EQ(digestOf(bytes), digestOf(bytes));
}

TEST(Hash, BothHalvesDifferInAboutHalfTheirBitsAfterOneFlip)
{
  std::vector<std::uint8_t> bytes(4096, 7);
  const auto before = digestOf(bytes);
  bytes[2000] ^= 1;
  const auto after = digestOf(bytes);
  for (std::size_t half = 0; half < 2; ++half)
  {
    const int flipped = __builtin_popcountll(before[half] ^ after[half]);
    EXPECT_GT(flipped, 12);
    EXPECT_LT(flipped, 52);
  }
}

TEST(Hash, OrderOfWordsAndBordersOfArraysCount)
{
  const auto of = [](const std::vector<double>& a, const std::vector<double>& b)
  {
    lapilli::Hasher hasher;
    hasher.array(a);
    hasher.array(b);
    return hasher.digest();
  };
  EXPECT_NE(of({ 1, 2 }, { 3 }), of({ 2, 1 }, { 3 }));
  EXPECT_NE(of({ 1, 2 }, { 3 }), of({ 1 }, { 2, 3 }));
  EXPECT_NE(of({ 0.0 }, {}), of({ -0.0 }, {}));
  EXPECT_EQ(of({ 1, 2 }, { 3 }), of({ 1, 2 }, { 3 }));
}

//------------------------------------------------------------------------------
TEST(FrameCache, TheLeastRecentlyUsedFrameGoesFirstAndTheLastStoredStays)
{
  lapilli::FrameCache cache;
  cache.store(0, frameOf(1000));
  const std::size_t one = cache.bytes();
  cache.setBudget(3 * one);
  cache.store(1, frameOf(1000));
  cache.store(2, frameOf(1000));
  EXPECT_NE(cache.find(0), nullptr); // used: now 1 is the oldest
  cache.store(3, frameOf(1000));
  EXPECT_EQ(cache.find(1), nullptr);
  EXPECT_NE(cache.find(0), nullptr);
  EXPECT_EQ(cache.frameCount(), 3u);
  EXPECT_LE(cache.bytes(), 3 * one);

  cache.setBudget(0);
  EXPECT_EQ(cache.frameCount(), 1u);
  cache.store(9, frameOf(5000));
  EXPECT_NE(cache.find(9), nullptr);
  EXPECT_EQ(cache.frameCount(), 1u);
}

TEST(FrameCache, CheckpointsThinOutEvenlyAndKeepStartAndFrontier)
{
  lapilli::FrameCache cache;
  const std::size_t size = 1000;
  cache.setBudget(4 * 10 * size); // ten checkpoints
  std::vector<std::int64_t> wanted;
  for (std::int64_t i = 0; i <= 1000; ++i)
  {
    if (cache.wantsCheckpoint(i))
    {
      cache.storeCheckpoint(i, bytesOf(size));
      wanted.push_back(i);
    }
    EXPECT_LE(cache.bytes(), 10 * size);
  }
  EXPECT_EQ(cache.checkpointAtOrBefore(7).index, 0);
  std::int64_t widest = 0;
  for (std::int64_t i = 0; i <= 1000; ++i)
  {
    widest = std::max(widest, i - cache.checkpointAtOrBefore(i).index);
  }
  EXPECT_LE(widest, 128); // 1000 frames over ten, rounded up to the next power of two times eight
  EXPECT_GE(cache.checkpointCount(), 5u);

  cache.storeFrontier(997, bytesOf(size));
  EXPECT_EQ(cache.checkpointAtOrBefore(999).index, 997);
  cache.storeFrontier(500, bytesOf(size)); // the run has been farther
  EXPECT_EQ(cache.checkpointAtOrBefore(999).index, 997);
  cache.storeFrontier(1001, bytesOf(size));
  EXPECT_NE(cache.checkpointAtOrBefore(999).index, 997);
  EXPECT_EQ(cache.checkpointAtOrBefore(2000).index, 1001);
}

TEST(FrameCache, WithoutRoomThereIsNoCheckpoint)
{
  lapilli::FrameCache cache;
  cache.setBudget(100);
  cache.storeCheckpoint(0, bytesOf(1000));
  EXPECT_EQ(cache.checkpointAtOrBefore(5).index, -1);
  EXPECT_EQ(cache.bytes(), 0u);
}

//------------------------------------------------------------------------------
TEST(ArrayBridge, EveryTypeOfTheEngineArrivesWithItsValues)
{
  lapilli::PointSet points;
  points.name = "particles";
  points.positions = { 1e7 + 0.25, 2, 3, 4, 5, 6 };
  points.arrays = { { "velocity", 3, "m/s", std::vector<float>{ 1, 2, 3, 4, 5, 6 } },
    { "time", 1, "s", std::vector<double>{ 0.1, 0.2 } },
    { "source_id", 1, "", std::vector<std::int32_t>{ -1, 2 } },
    { "particle_id", 1, "", std::vector<std::int64_t>{ 1ll << 40, 7 } },
    { "at_rest", 1, "", std::vector<std::uint8_t>{ 0, 1 } } };
  vtkNew<vtkPolyData> output;
  lapilli::toPolyData(points, output);
  ASSERT_EQ(output->GetNumberOfPoints(), 2);
  EXPECT_EQ(output->GetPoint(0)[0], 1e7 + 0.25); // not a float
  EXPECT_EQ(output->GetNumberOfVerts(), 2);
  EXPECT_EQ(output->GetNumberOfCells(), 2);
  EXPECT_EQ(output->GetCell(1)->GetPointId(0), 1);
  vtkPointData* data = output->GetPointData();
  EXPECT_EQ(data->GetArray("velocity")->GetComponent(1, 2), 6);
  EXPECT_EQ(data->GetArray("velocity")->GetDataType(), VTK_FLOAT);
  EXPECT_EQ(data->GetArray("time")->GetTuple1(1), 0.2);
  EXPECT_EQ(data->GetArray("source_id")->GetTuple1(0), -1);
  EXPECT_EQ(data->GetArray("particle_id")->GetTuple1(0), std::pow(2.0, 40));
  EXPECT_EQ(data->GetArray("particle_id")->GetDataTypeSize(), 8);
  EXPECT_EQ(data->GetArray("at_rest")->GetTuple1(1), 1);
}

TEST(ArrayBridge, AnyNumericTypeAndLayoutIsRead)
{
  vtkNew<vtkShortArray> shorts;
  vtkNew<vtkFloatArray> floats;
  vtkNew<vtkSOADataArrayTemplate<double>> columns;
  for (vtkDataArray* array : { static_cast<vtkDataArray*>(shorts),
         static_cast<vtkDataArray*>(floats), static_cast<vtkDataArray*>(columns) })
  {
    array->SetNumberOfComponents(3);
    array->SetNumberOfTuples(2);
    for (int i = 0; i < 6; ++i)
    {
      array->SetComponent(i / 3, i % 3, i - 2);
    }
    EXPECT_EQ(lapilli::readDoubles(array), (std::vector<double>{ -2, -1, 0, 1, 2, 3 }));
    EXPECT_EQ(lapilli::readInt64s(array), (std::vector<std::int64_t>{ -2, -1, 0, 1, 2, 3 }));
  }
  vtkNew<vtkFloatArray> empty;
  EXPECT_TRUE(lapilli::readDoubles(empty).empty());
  EXPECT_TRUE(lapilli::readPositions(nullptr).empty());
}
