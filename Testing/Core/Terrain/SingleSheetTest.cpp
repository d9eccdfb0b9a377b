/// One height over each place of the map, of all parts together.
#include "Sheets.h"
#include "SurfaceRepair.h"

#include <gtest/gtest.h>

#include <random>

namespace
{

using namespace lapilli;
using namespace sheets;

bool isSingle(const Surface& surface)
{
  return repairSurface(surface).report.singleValued;
}

/// A ramp that rises while it winds around an axis.
Surface ramp(double turns)
{
  Surface surface;
  const int steps = static_cast<int>(24 * turns);
  for (int i = 0; i <= steps; ++i)
    for (const double r : { 1.0, 2.0 })
    {
      const double a = 2 * M_PI * i / 24;
      addPoint(surface, r * std::cos(a), r * std::sin(a), 0.1 * i);
    }
  for (std::int64_t i = 0; i < steps; ++i)
  {
    addTriangle(surface, 2 * i, 2 * i + 1, 2 * i + 3);
    addTriangle(surface, 2 * i, 2 * i + 3, 2 * i + 2);
  }
  return surface;
}

TEST(SingleSheet, PartsBesideOneAnotherAreSingleValuedAndAboveOneAnotherNot)
{
  for (const double x : { 12.0, 10.0, 9.5, 0.0, -3.0 })
  {
    Surface in = sheet(10, 10, rough);
    append(in, sheet(
                 10, 10, [](double a, double b) { return 50 + rough(a, b); }, 1, x, 0.3));
    EXPECT_EQ(isSingle(in), x >= 10) << x;
  }
}

TEST(SingleSheet, ASmallPartOverTheMiddleIsSeen)
{
  Surface in = sheet(10, 10, rough);
  append(in, sheet(
               1, 1, [](double, double) { return 9; }, 0.1, 4.45, 5.21));
  EXPECT_FALSE(isSingle(in));
}

TEST(SingleSheet, ARampIsUntilItPassesOverItself)
{
  EXPECT_TRUE(isSingle(ramp(0.9)));
  EXPECT_FALSE(isSingle(ramp(1.2)));
}

TEST(SingleSheet, APartInAHoleOfAnotherIsSingleValued)
{
  Surface in = sheet(6, 6, rough);
  Surface holed = in;
  holed.triangles.clear();
  for (std::size_t t = 0; t < in.triangleCount(); ++t)
    if (t / 2 != 14 && t / 2 != 15)
      holed.triangles.insert(
        holed.triangles.end(), in.triangles.begin() + 3 * t, in.triangles.begin() + 3 * t + 3);
  EXPECT_TRUE(isSingle(holed));
  append(holed, sheet(
                  1, 1, [](double, double) { return 9; }, 0.5, 2.2, 2.2));
  EXPECT_TRUE(isSingle(holed)); // squares (2, 2) and (3, 2) are open
  append(holed, sheet(
                  1, 1, [](double, double) { return 9; }, 0.5, 3.8, 2.2));
  EXPECT_FALSE(isSingle(holed));
}

TEST(SingleSheet, FarFromTheOriginAndTurnedItIsTheSame)
{
  for (const double x : { 10.0, 9.5 })
  {
    Surface in = sheet(10, 10, rough);
    append(in, sheet(10, 10, rough, 1, x, 0.3));
    for (std::size_t i = 0; i < in.points.size(); i += 3)
    {
      const double a = in.points[i], b = in.points[i + 1];
      in.points[i] = 5e5 + 0.8 * a - 0.6 * b;
      in.points[i + 1] = 9085000 + 0.6 * a + 0.8 * b;
    }
    EXPECT_EQ(isSingle(in), x == 10) << x;
  }
}

/// Floor, vertical cliff, overhang, roof.
Surface cliff(bool overhangs)
{
  const double profile[6][2] = { { 0, 0 }, { 3, 0 }, { 3, 2 }, { overhangs ? 2.0 : 3.5, 3 },
    { 5, 3.5 }, { 9, 3.5 } };
  Surface surface;
  for (int j = 0; j < 5; ++j)
    for (const auto& p : profile)
      addPoint(surface, p[0], j, p[1]);
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 5; ++i)
    {
      const std::int64_t a = i + 6 * j;
      addTriangle(surface, a, a + 1, a + 7);
      addTriangle(surface, a, a + 7, a + 6);
    }
  return surface;
}

TEST(SingleSheet, CliffsAndOverhangsAreNotAndTheirWindingIsThatOfTheSheet)
{
  for (const bool overhangs : { false, true })
    for (unsigned seed = 0; seed < 10; ++seed)
    {
      const Surface sound = cliff(overhangs);
      Surface in = sound;
      std::mt19937 random(seed);
      for (std::size_t t = 0; t < in.triangleCount(); ++t)
        if (random() % 2)
          std::swap(in.triangles[3 * t + 1], in.triangles[3 * t + 2]);
      const SurfaceRepair repair = repairSurface(in);
      EXPECT_EQ(repair.surface.triangles, sound.triangles) << seed;
      EXPECT_FALSE(repair.report.singleValued);
      EXPECT_EQ(repair.report.components, 1);
    }
}

TEST(SingleSheet, BodiesInBodiesAndPartsThatTouchInAPointAreTurnedOneByOne)
{
  Surface in = cube(0, 10);
  append(in, cube(2, 3));  // a block in a block
  append(in, cube(10, 4)); // that touches the first in a corner
  const Surface sound = in;
  std::mt19937 random(1);
  for (std::size_t t = 0; t < in.triangleCount(); ++t)
    if (random() % 2)
      std::swap(in.triangles[3 * t + 1], in.triangles[3 * t + 2]);
  const SurfaceRepair repair = repairSurface(in);
  EXPECT_EQ(repair.report.components, 3);
  EXPECT_EQ(repair.report.closedComponents, 3);
  EXPECT_EQ(repair.report.mergedPoints, 1);
  EXPECT_FALSE(repair.report.singleValued);
  double out = 0; // all face outward, so that volumes add up
  for (std::size_t t = 0; t < repair.surface.triangleCount(); ++t)
  {
    const double* a = &repair.surface.points[3 * repair.surface.triangles[3 * t]];
    const double* b = &repair.surface.points[3 * repair.surface.triangles[3 * t + 1]];
    const double* c = &repair.surface.points[3 * repair.surface.triangles[3 * t + 2]];
    out += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
             a[2] * (b[0] * c[1] - b[1] * c[0])) /
           6;
  }
  EXPECT_NEAR(out, 1000 + 27 + 64, 1e-9); // sums of terms up to 3000
}

} // namespace
