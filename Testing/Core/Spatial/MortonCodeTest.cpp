// Keys along the Z-curve, and the boxes in single precision that they are made of.
#include "Spatial/MortonCode.h"
#include "Math/Random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace lapilli;

namespace
{

std::uint32_t spread(std::uint32_t v, int bits, int every)
{
  std::uint32_t all = 0;
  for (int bit = 0; bit < bits; ++bit)
    all |= (v >> bit & 1) << (every * bit);
  return all;
}

} // namespace

TEST(MortonCode, BitsStandApart)
{
  for (std::uint32_t v = 0; v < 1024; ++v)
    ASSERT_EQ(everyThirdBit(v), spread(v, 10, 3)) << v;
  for (std::uint32_t v = 0; v < 65536; ++v)
    ASSERT_EQ(everySecondBit(v), spread(v, 16, 2)) << v;
}

TEST(MortonCode, IsThatOfTheCell)
{
  const FloatBox scene{ { -4, 10, 2 }, { 12, 26, 18 } }; // 1024 cells of 1/64 m an axis
  const MortonCells cells(scene, CurveAxes::Auto);
  EXPECT_EQ(cells.key(scene.lower), 0u);
  EXPECT_EQ(cells.key(scene.upper), 0x3fffffffu); // on the border, still in the last cell
  const Vec3f place = scene.lower + (1.0f / 64) * Vec3f{ 5.5f, 1023.5f, 512.5f };
  EXPECT_EQ(
    cells.key(place), spread(5, 10, 3) | spread(1023, 10, 3) << 1 | spread(512, 10, 3) << 2);
  EXPECT_EQ(
    cells.key(middleOf({ place - Vec3f{ 1, 2, 3 }, place + Vec3f{ 1, 2, 3 } })), cells.key(place));
}

TEST(MortonCode, CellsOfALongSceneAreCubes)
{
  const MortonCells cells({ { 0, 0, 0 }, { 1024, 64, 8 } }, CurveAxes::Auto);
  EXPECT_EQ(cells.key({ 3.5f, 60.5f, 7.5f }),
    spread(3, 10, 3) | spread(60, 10, 3) << 1 | spread(7, 10, 3) << 2);
}

TEST(MortonCode, OfAFlatSceneGoesThroughTwoAxes)
{
  const auto flat = [](int axis, CurveAxes axes)
  {
    const Vec3f size{ axis == 0 ? 0.5f : 65536.0f, axis == 1 ? 0.5f : 65536.0f,
      axis == 2 ? 0.5f : 65536.0f };
    return MortonCells({ {}, size }, axes);
  };
  const Vec3f place{ 10000.5f, 20000.5f, 30000.5f };
  EXPECT_EQ(flat(2, CurveAxes::Auto).key(place), spread(10000, 16, 2) | spread(20000, 16, 2) << 1);
  EXPECT_EQ(flat(1, CurveAxes::Auto).key(place), spread(10000, 16, 2) | spread(30000, 16, 2) << 1);
  EXPECT_EQ(flat(0, CurveAxes::Auto).key(place), spread(20000, 16, 2) | spread(30000, 16, 2) << 1);
  EXPECT_EQ(flat(2, CurveAxes::Three).left, MortonCells::kNone);
  EXPECT_EQ(flat(2, CurveAxes::Three).key({ 640, 0, 0 }), spread(10, 10, 3));
  const FloatBox cube{ {}, { 1, 1, 1 } };
  EXPECT_EQ(MortonCells(cube, CurveAxes::Auto).left, MortonCells::kNone);
  EXPECT_EQ(MortonCells(cube, CurveAxes::Two).left, 2); // the map's axes stay
}

TEST(MortonCode, OfScenesWithoutSizeOrWithTooMuchIsSomeKey)
{
  const float greatest = std::numeric_limits<float>::max();
  const float least = std::numeric_limits<float>::denorm_min();
  for (const FloatBox& scene : { FloatBox{ { 3, 3, 3 }, { 3, 3, 3 } },
         FloatBox{ {}, { least, least, least } }, FloatBox{ {}, { 0, 0, least } },
         FloatBox{ { -greatest, -greatest, -greatest }, { greatest, greatest, greatest } } })
  {
    for (const CurveAxes axes : { CurveAxes::Auto, CurveAxes::Two, CurveAxes::Three })
    {
      const MortonCells cells(scene, axes);
      EXPECT_EQ(cells.key(scene.lower), 0u);
      EXPECT_LE(cells.key(scene.lower), cells.key(middleOf(scene)));
      EXPECT_LE(cells.key(middleOf(scene)), cells.key(scene.upper));
    }
  }
}

TEST(FloatBox, HoldsWhatItWasMadeFor)
{
  RandomStream random(1, RandomStream::Positions);
  for (int i = 0; i < 20000; ++i)
  {
    const double x = random.normal() * std::pow(10, random.uniform(-50, 37));
    const double down = roundedDown(x), up = roundedUp(x);
    EXPECT_LT(down, x);
    EXPECT_GT(up, x);
    // Not more than two units in the last place, of 2^-23 at most.
    EXPECT_LE(up - down, 5 * std::abs(x) * 0x1p-23 + 4 * 0x1p-126);
  }
  EXPECT_LT(roundedDown(0), 0);
  EXPECT_GT(roundedUp(-0.0), 0);
}

TEST(FloatBox, OfNoNumbersAndOfTooLargeOnesIsUnsound)
{
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(isSound(outwardBox(Vec3d{ 1, 2, 3 }, 0)));
  EXPECT_TRUE(isSound(outwardBox(Vec3d{ -3e38, 3e38, 0 }, 1)));
  for (const double bad : { infinity, -infinity, 1e39, -1e300, std::nan("") })
  {
    EXPECT_FALSE(isSound(outwardBox(Vec3d{ bad, 0, 0 }, 1))) << bad;
    EXPECT_FALSE(isSound(outwardBox(Vec3d{ 0, bad, 0 }, 1))) << bad;
    EXPECT_FALSE(isSound(outwardBox(Vec3d{ 0, 0, bad }, 1))) << bad;
  }
  EXPECT_FALSE(isSound(outwardBox(Vec3d{}, -1)));
  EXPECT_FALSE(isSound(outwardBox(Box{}))); // empty
}

TEST(FloatBox, DistanceIsThatToTheNearestPoint)
{
  const FloatBox box{ { 1, 2, 3 }, { 2, 4, 6 } };
  EXPECT_EQ(squaredDistance(box, { 1.5, 3, 4 }), 0);
  EXPECT_EQ(squaredDistance(box, { 0, 3, 4 }), 1);
  EXPECT_EQ(squaredDistance(box, { 4, 7, 4 }), 4 + 9);
  EXPECT_EQ(squaredDistance(box, { 0, 0, 8 }), 1 + 4 + 4);
  EXPECT_FALSE(squaredDistance(box, { 1.5, std::nan(""), 4 }) < 1e300);
}
