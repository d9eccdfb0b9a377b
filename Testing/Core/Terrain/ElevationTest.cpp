#include "Elevation.h"
#include "Error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace
{

using namespace lapilli;

/// (n + 1)^2 points `spacing` apart from (x0, y0), two triangles a square.
Surface relief(
  int n, double spacing, double x0, double y0, const std::function<double(double, double)>& z)
{
  Surface surface;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i)
      surface.points.insert(
        surface.points.end(), { x0 + i * spacing, y0 + j * spacing, z(i * spacing, j * spacing) });
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
    {
      const std::int64_t a = i + (n + 1) * j;
      for (const std::int64_t corner : { a, a + 1, a + n + 2, a, a + n + 2, a + n + 1 })
        surface.triangles.push_back(corner);
    }
  return surface;
}

double rough(double x, double y)
{
  return 3 * std::sin(0.9 * x) * std::cos(0.7 * y) + std::abs(std::sin(5 * x + 3 * y));
}

void append(Surface& surface, const Surface& other)
{
  const std::int64_t offset = static_cast<std::int64_t>(surface.pointCount());
  surface.points.insert(surface.points.end(), other.points.begin(), other.points.end());
  for (const std::int64_t corner : other.triangles)
    surface.triangles.push_back(corner + offset);
}

TEST(Elevation, APlaneHasItsHeightAndNormalEverywhere)
{
  for (const double shift : { 0.0, 9085000.0 })
  {
    const Elevation elevation(
      relief(10, 1, shift, shift, [](double x, double y) { return 100 + 0.5 * x - 0.25 * y; }));
    const double norm = std::sqrt(1 + 0.25 + 0.0625);
    for (double x = 0; x <= 10; x += 0.37)
      for (double y = 0; y <= 10; y += 0.41)
      {
        const auto hit = elevation.highest(shift + x, shift + y);
        ASSERT_TRUE(hit) << x << ' ' << y;
        EXPECT_NEAR(hit->z, 100 + 0.5 * x - 0.25 * y, shift == 0 ? 1e-12 : 1e-8);
        EXPECT_NEAR(hit->normal[0], -0.5 / norm, 1e-9);
        EXPECT_NEAR(hit->normal[1], 0.25 / norm, 1e-9);
        EXPECT_NEAR(hit->normal[2], 1 / norm, 1e-9);
      }
  }
}

TEST(Elevation, NoPlaceFallsBetweenTriangles)
{
  const int n = 40;
  const double spacing = 0.1; // not a binary fraction
  const Elevation elevation(relief(n, spacing, 0.3, 0.7, rough));
  for (int i = 1; i < 4 * n; ++i) // the rim is left to the next test
    for (int j = 1; j < 4 * n; ++j)
    {
      // Edges, diagonals and points among them.
      const double x = 0.3 + spacing * i / 4.0, y = 0.7 + spacing * j / 4.0;
      ASSERT_TRUE(elevation.highest(x, y)) << i << ' ' << j;
    }
}

TEST(Elevation, BesideTheMapAndOverHolesThereIsNothing)
{
  Surface surface = relief(4, 1, 0, 0, rough);
  surface.triangles.erase(
    surface.triangles.begin() + 6 * 5, surface.triangles.begin() + 6 * 6); // square (1, 1)
  const Elevation elevation(surface);
  EXPECT_TRUE(elevation.highest(0, 0));
  EXPECT_TRUE(elevation.highest(4, 4));
  EXPECT_FALSE(elevation.highest(-1e-9, 2));
  EXPECT_FALSE(elevation.highest(2, 4 + 1e-9));
  EXPECT_FALSE(elevation.highest(1000, -1e9));
  EXPECT_FALSE(elevation.highest(1.5, 1.5));
  EXPECT_FALSE(elevation.restingHeight(1.5, 1.5, 3));
  EXPECT_TRUE(elevation.highest(2.5, 1.5));
}

TEST(Elevation, ThePointsOfTheSurfaceHaveTheirOwnHeights)
{
  const Surface surface = relief(8, 0.1, 0.3, 0.7, rough);
  const Elevation elevation(surface);
  for (std::size_t p = 0; p < surface.pointCount(); ++p)
  {
    const auto hit = elevation.highest(surface.points[3 * p], surface.points[3 * p + 1]);
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->z, surface.points[3 * p + 2], 1e-12);
  }
}

TEST(Elevation, OfSeveralSheetsTheOneAskedForIsFound)
{
  Surface surface = relief(2, 1, 0, 0, [](double, double) { return 5; });
  append(surface, relief(2, 1, 0, 0, [](double, double) { return -7; }));
  append(surface, relief(2, 1, 0, 0, [](double, double) { return 1; }));
  const Elevation elevation(surface);
  EXPECT_EQ(elevation.highest(0.6, 0.7)->z, 5);
  EXPECT_EQ(elevation.highest(0.6, 0.7)->triangle, 0 + 1);
  EXPECT_EQ(elevation.highestBelow(0.6, 0.7, 4.9)->z, 1);
  EXPECT_EQ(elevation.highestBelow(0.6, 0.7, 1)->z, 1);
  EXPECT_EQ(elevation.highestBelow(0.6, 0.7, 0.9)->z, -7);
  EXPECT_EQ(elevation.highestBelow(0.6, 0.7, 0.9)->triangle, 8 + 1);
  EXPECT_FALSE(elevation.highestBelow(0.6, 0.7, -7.1));
  EXPECT_EQ(elevation.lowestAbove(0.6, 0.7, -8)->z, -7);
  EXPECT_EQ(elevation.lowestAbove(0.6, 0.7, 1.1)->z, 5);
  EXPECT_FALSE(elevation.lowestAbove(0.6, 0.7, 5.1));
}

TEST(Elevation, HitsCarryTheNumbersOfTheSurfaceAlsoAfterTrianglesWithoutArea)
{
  Surface surface = relief(2, 1, 0, 0, rough);
  surface.triangles.insert(surface.triangles.begin(), { 0, 0, 1 });
  const Elevation elevation(surface);
  EXPECT_EQ(elevation.highest(0.7, 0.3)->triangle, 1);
  EXPECT_EQ(elevation.highest(0.3, 0.7)->triangle, 2);
}

TEST(Elevation, ASphereRestsOnAPlaneByItsNormalNotByTheVertical)
{
  for (const double slope : { 0.0, 0.5, 2.0, 10.0 })
  {
    const Elevation elevation(relief(20, 1, 0, 0, [&](double x, double) { return slope * x; }));
    const auto z = elevation.restingHeight(10.2, 9.7, 1.5);
    ASSERT_TRUE(z);
    EXPECT_NEAR(*z, slope * 10.2 + 1.5 * std::sqrt(1 + slope * slope), 1e-9) << slope;
  }
}

TEST(Elevation, ASphereRestsInAValleyOnBothSidesAndOnARidgeOnTheEdge)
{
  // x = 8 is a line of the grid.
  const Elevation valley(relief(16, 1, 0, 0, [](double x, double) { return std::abs(x - 8); }));
  EXPECT_NEAR(*valley.restingHeight(8, 7.3, 2), 2 * std::sqrt(2.0), 1e-12);
  const Elevation ridge(relief(16, 1, 0, 0, [](double x, double) { return -std::abs(x - 8); }));
  EXPECT_NEAR(*ridge.restingHeight(8, 7.3, 2), 2, 1e-12);
  EXPECT_NEAR(*ridge.restingHeight(8.5, 7.3, 2), std::sqrt(4 - 0.25), 1e-12);
}

TEST(Elevation, ASphereThatRestsTouchesAndNothingIsInside)
{
  const Surface surface = relief(30, 0.5, 100, 200, rough);
  const Elevation elevation(surface);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> inside(0, 15), size(0.01, 3);
  for (int i = 0; i < 2000; ++i)
  {
    const double x = 100 + inside(random), y = 200 + inside(random), radius = size(random);
    const auto z = elevation.restingHeight(x, y, radius);
    ASSERT_TRUE(z);
    EXPECT_NEAR(elevation.distance({ x, y, *z }, 10), radius, 1e-9)
      << x << ' ' << y << ' ' << radius;
    EXPECT_GE(*z, elevation.highest(x, y)->z + radius - 1e-9);
    // Lower, it is nearer: the height is the first that touches.
    EXPECT_LT(elevation.distance({ x, y, *z - 1e-3 * radius }, 10), radius);
  }
}

TEST(Elevation, DistanceAgreesWithSearchOverFinePointsOfTheSurface)
{
  const Surface surface = relief(6, 1, 0, 0, rough);
  const Elevation elevation(surface);
  const int fine = 60;
  for (const auto& p : { std::array<double, 3>{ 2.2, 3.1, 6 },
         std::array<double, 3>{ 4.4, 1.3, -5 }, std::array<double, 3>{ -2, 3, 1 } })
  {
    double nearest = 1e9;
    for (std::size_t t = 0; t < surface.triangleCount(); ++t)
      for (int i = 0; i <= fine; ++i)
        for (int j = 0; i + j <= fine; ++j)
        {
          double square = 0;
          for (int axis = 0; axis < 3; ++axis)
          {
            const auto corner = [&](int k)
            { return surface.points[3 * surface.triangles[3 * t + k] + axis]; };
            const double q =
              corner(0) + (corner(1) - corner(0)) * i / fine + (corner(2) - corner(0)) * j / fine;
            square += (q - p[axis]) * (q - p[axis]);
          }
          nearest = std::min(nearest, std::sqrt(square));
        }
    EXPECT_NEAR(elevation.distance(p, 20), nearest, 2e-3);
    EXPECT_LE(elevation.distance(p, 20), nearest + 1e-12);
  }
  EXPECT_EQ(elevation.distance({ 3, 3, 100 }, 5), 5);
}

TEST(Elevation, AnEmptySurfaceHasNoHeights)
{
  const Elevation elevation{ Surface{} };
  EXPECT_FALSE(elevation.highest(0, 0));
  EXPECT_FALSE(elevation.restingHeight(0, 0, 1));
  EXPECT_EQ(elevation.distance({ 0, 0, 0 }, 3), 3);
}

TEST(Elevation, CoordinatesThatAreNotFiniteAreRefused)
{
  Surface surface = relief(2, 1, 0, 0, rough);
  surface.points[5] = std::nan("");
  EXPECT_THROW(Elevation{ surface }, InvalidInput);
}

} // namespace
