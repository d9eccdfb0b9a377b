// Lanes against the same one by one, whatever number of them the processor has.
#include "Math/Lanes.h"
#include "Math/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace lapilli;
using namespace lapilli::cpu;

namespace
{

/// Numbers that are all different.
template <class T, int count>
struct alignas(64) Records
{
  T number[kLanes * count];
  Records()
  {
    for (int k = 0; k < kLanes * count; ++k)
      number[k] = static_cast<T>(100 + k);
  }
};

template <class T, class Lanes, int count>
void expectRecords(const T* records, const Lanes (&row)[count])
{
  for (int c = 0; c < count; ++c)
  {
    const EachLane<T, Lanes> each(row[c]);
    for (int lane = 0; lane < kLanes; ++lane)
      EXPECT_EQ(each[lane], records[count * lane + c]) << "lane " << lane << ", component " << c;
  }
}

template <class T, int count>
void expectSame(const Records<T, count>& written, const Records<T, count>& given)
{
  EXPECT_TRUE(std::equal(std::begin(written.number), std::end(written.number), given.number));
}

} // namespace

TEST(Lanes, TakeRecordsApartAndPutThemTogether)
{
  const Records<double, 4> places;
  DoubleLanes place[4];
  loadFourDoubles([&](int lane) { return places.number + 4 * lane; }, place);
  expectRecords(places.number, place);
  const Records<float, 8> motions;
  FloatLanes motion[8];
  loadEightFloats([&](int lane) { return motions.number + 8 * lane; }, motion);
  expectRecords(motions.number, motion);
  const Records<double, 3> vectors;
  DoubleLanes vector[3];
  loadRecords(vectors.number, vector);
  expectRecords(vectors.number, vector);

  Records<double, 4> storedPlaces, streamedPlaces;
  Records<float, 8> storedMotions, streamedMotions;
  Records<double, 3> storedVectors;
  std::fill(std::begin(storedPlaces.number), std::end(storedPlaces.number), 0.0);
  std::fill(std::begin(storedMotions.number), std::end(storedMotions.number), 0.0f);
  std::fill(std::begin(storedVectors.number), std::end(storedVectors.number), 0.0);
  streamedPlaces = storedPlaces;
  streamedMotions = storedMotions;
  storeRecords(storedPlaces.number, place);
  storeRecords(storedMotions.number, motion);
  storeRecords(storedVectors.number, vector);
  streamRecords(streamedPlaces.number, place);
  streamRecords(streamedMotions.number, motion);
  expectSame(storedPlaces, places);
  expectSame(storedMotions, motions);
  expectSame(storedVectors, vectors);
  expectSame(streamedPlaces, places);
  expectSame(streamedMotions, motions);
}

TEST(Lanes, ReadRecordsFromAnywhere)
{
  const Records<double, 4> places;
  const auto at = [](int lane) { return (7 * lane + 3) % kLanes; };
  DoubleLanes place[4];
  loadFourDoubles([&](int lane) { return places.number + 4 * at(lane); }, place);
  for (int c = 0; c < 4; ++c)
  {
    const EachLane<double, DoubleLanes> each(place[c]);
    for (int lane = 0; lane < kLanes; ++lane)
      EXPECT_EQ(each[lane], places.number[4 * at(lane) + c]);
  }
}

TEST(Lanes, RootsAndReciprocalsAreWithinTwoUnitsInTheLastPlace)
{
  RandomStream random(1, RandomStream::Positions);
  for (int k = 0; k < 10000; ++k)
  {
    const auto v = static_cast<float>(std::pow(10, random.uniform(-30, 30)));
    const EachLane<float, FloatLanes> one(reciprocal(FloatLanes(v))),
      root(inverseSquareRoot(FloatLanes(v)));
    const double unit = std::ldexp(1, -23);
    EXPECT_NEAR(one[0] * double(v), 1, 2 * unit) << v;
    EXPECT_NEAR(root[0] * std::sqrt(double(v)), 1, 2 * unit) << v;
  }
}

TEST(Lanes, TellTruthsOfEachLane)
{
  const IntLanes numbers = lanesFrom(5);
  for (int k = 4; k <= 5 + kLanes; ++k)
  {
    unsigned below = 0, equal = 0;
    for (int lane = 0; lane < kLanes; ++lane)
    {
      below |= 5 + lane < k ? 1u << lane : 0;
      equal |= 5 + lane == k ? 1u << lane : 0;
    }
    EXPECT_EQ(bitsOf(numbers < IntLanes(k)), below);
    EXPECT_EQ(bitsOf(numbers == IntLanes(k)), equal);
    std::int32_t kept[2 * kLanes] = {};
    storeCompressed(kept, numbers, below);
    for (int lane = 0; 5 + lane < std::min(k, 5 + kLanes); ++lane)
      EXPECT_EQ(kept[lane], 5 + lane);
  }
}
