/// Seeds on the user's own surfaces, lines and map areas.
#include "SeedChecks.h"

#include "Error.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <numeric>
#include <string>

namespace
{

using namespace lapilli;
using namespace seed_checks;

using Point = std::array<double, 3>;

SeedingParameters on(
  SeedShape shape, const SeedGeometry& geometry, std::int64_t count, double radius)
{
  SeedingParameters parameters;
  parameters.shape = shape;
  parameters.geometry = std::make_shared<SeedGeometry>(geometry);
  parameters.count = count;
  parameters.radius = radius;
  return parameters;
}

SeedGeometry triangles(const Surface& surface)
{
  SeedGeometry geometry;
  geometry.points = surface.points;
  geometry.triangles = surface.triangles;
  return geometry;
}

/// Appends a line through points.
void draw(SeedGeometry& geometry, const std::vector<Point>& corners, bool isRing = false)
{
  const auto first = static_cast<std::int64_t>(geometry.points.size() / 3);
  const auto count = static_cast<std::int64_t>(corners.size());
  for (const Point& p : corners)
    geometry.points.insert(geometry.points.end(), p.begin(), p.end());
  for (std::int64_t i = 0; i + 1 < count + isRing; ++i)
    geometry.segments.insert(geometry.segments.end(), { first + i, first + (i + 1) % count });
}

void drawSquare(SeedGeometry& geometry, double x, double y, double size, double z = 0)
{
  draw(geometry, { { x, y, z }, { x + size, y, z }, { x + size, y + size, z }, { x, y + size, z } },
    true);
}

/// Sum over bins of (found - expected)^2 / expected; with n bins of equal chances it has the mean n - 1 and the
/// standard deviation sqrt(2 (n - 1)).
double chiSquare(const std::vector<double>& found, const std::vector<double>& weight)
{
  const double all = std::accumulate(found.begin(), found.end(), 0.0),
               weights = std::accumulate(weight.begin(), weight.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
  {
    const double expected = all * weight[i] / weights;
    sum += (found[i] - expected) * (found[i] - expected) / expected;
  }
  return sum;
}

/// Five standard deviations above the mean: one in some millions of right samplers fails.
double mostChiSquare(std::size_t bins)
{
  const double n = static_cast<double>(bins) - 1;
  return n + 5 * std::sqrt(2 * n);
}

std::string errorOf(const SeedingParameters& parameters, const Elevation* terrain = nullptr)
{
  try
  {
    placeSeeds(parameters, terrain);
  }
  catch (const InvalidInput& error)
  {
    return error.what();
  }
  return "accepted";
}

/// How far a seed's centre is along a line, by the nearest place of its segments; and how far beside it.
struct Along
{
  double distance, beside;
};
Along along(const std::vector<Point>& line, const Point& p)
{
  Along best{ 0, 1e300 };
  double before = 0;
  for (std::size_t i = 0; i + 1 < line.size(); ++i)
  {
    double d[3], w[3], dd = 0, dw = 0;
    for (int a = 0; a < 3; ++a)
    {
      d[a] = line[i + 1][a] - line[i][a];
      w[a] = p[a] - line[i][a];
      dd += d[a] * d[a];
      dw += d[a] * w[a];
    }
    const double t = std::clamp(dw / dd, 0.0, 1.0);
    const double beside = std::hypot(w[0] - t * d[0], w[1] - t * d[1], w[2] - t * d[2]);
    if (beside < best.beside)
      best = { before + t * std::sqrt(dd), beside };
    before += std::sqrt(dd);
  }
  return best;
}

// A floor 80 m wide, then a slope of 60 degrees, on which a square of the map holds twice the area.
double floorAndSlope(double x, double)
{
  return x > 80 ? std::sqrt(3.0) * (x - 80) : 0;
}

TEST(SeedSurface, PlacesAreEquallyLikelyPerAreaOfASlope)
{
  const Surface surface = relief(16, 10, 0, 0, floorAndSlope);
  const Seeding seeding = placeSeeds(
    on(SeedShape::Surface, triangles(surface), 20000, 0.01)); // so small that they are independent
  ASSERT_EQ(seeding.report.placed, 20000);
  std::vector<double> found(256, 0), byArea(256), byMap(256, 1);
  for (std::size_t i = 0; i < seeding.seeds.count(); ++i)
  {
    const Point p = position(seeding.seeds, i);
    // The centre of a sphere on the slope stands a radius from it, over a place nearer to the floor.
    const int column = std::clamp(static_cast<int>(p[0] / 10), 0, 15);
    found[column + 16 * std::clamp(static_cast<int>(p[1] / 10), 0, 15)] += 1;
  }
  for (int bin = 0; bin < 256; ++bin)
    byArea[bin] = bin % 16 < 8 ? 1 : 2;
  EXPECT_LT(chiSquare(found, byArea), mostChiSquare(256));
  EXPECT_GT(chiSquare(found, byMap), 2 * mostChiSquare(256)); // the bound tells them apart
}

TEST(SeedSurface, SeedsRestOnItWithoutOverlap)
{
  for (const double x0 : { 0.0, 9.0e6 })
  {
    const Surface surface = relief(20, 10, x0, 0.5 * x0, hills);
    auto parameters = on(SeedShape::Surface, triangles(surface), 800, 0);
    parameters.radiusLaw = RadiusLaw::Uniform;
    parameters.smallestRadius = 0.5;
    parameters.largestRadius = 2;
    const Seeding seeding = placeSeeds(parameters);
    EXPECT_EQ(seeding.report.placed, 800);
    EXPECT_EQ(seeding.report.besideTerrain, 0);
    EXPECT_EQ(seeding.report.stacked, 0); // they cover a tenth of it
    EXPECT_LE(greatestOverlap(seeding.seeds), 0);
    const Elevation elevation(surface);
    for (std::size_t i = 0; i < seeding.seeds.count(); ++i)
    {
      const double r = seeding.seeds.radii[i];
      // A gap of a millionth of the radius, and the rounding of 9 million metres, 2e-9 m.
      ASSERT_NEAR(elevation.distance(position(seeding.seeds, i), 10), r, 3e-6 * r);
    }
  }
}

TEST(SeedSurface, WhereThereIsNoRoomSeedsAreStacked)
{
  const Surface surface = relief(1, 10, 0, 0, [](double, double) { return 0.0; });
  const Seeding seeding = placeSeeds(on(SeedShape::Surface, triangles(surface), 400, 0.5));
  EXPECT_EQ(seeding.report.placed, 400); // 314 m^2 of discs on 100 m^2
  EXPECT_GT(seeding.report.stacked, 100);
  EXPECT_LE(greatestOverlap(seeding.seeds), 0);
}

TEST(SeedSurface, WallsAndUndersidesHoldNoSeeds)
{
  // A cube of 10 m: only its top can be seen from above.
  SeedGeometry cube;
  for (int p = 0; p < 8; ++p)
    cube.points.insert(cube.points.end(), { 10.0 * (p & 1), 5.0 * (p & 2), 2.5 * (p & 4) });
  cube.triangles = { 0, 1, 3, 0, 3, 2, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6, 0, 2,
    6, 0, 6, 4, 1, 3, 7, 1, 7, 5 };
  const Seeding seeding = placeSeeds(on(SeedShape::Surface, cube, 20, 0.5));
  EXPECT_EQ(seeding.report.placed, 20);
  for (std::size_t i = 0; i < 20; ++i)
    EXPECT_NEAR(position(seeding.seeds, i)[2], 10.5, 1e-5);

  SeedGeometry wall;
  wall.points = { 0, 0, 0, 10, 0, 0, 0, 0, 10 };
  wall.triangles = { 0, 1, 2 };
  EXPECT_EQ(
    errorOf(on(SeedShape::Surface, wall, 20, 0.5))
      .rfind(
        "area of the surface that can be seen from above is 0 of 50 m^2; it must be above 0", 0),
    0u);
}

TEST(SeedSurface, OnATerrainSeedsRestOnThat)
{
  const Surface terrain = relief(20, 10, 0, 0, hills);
  const Surface part = relief(4, 10, 60, 70, [](double, double) { return 500.0; });
  const Elevation elevation(terrain);
  const Seeding seeding = placeSeeds(on(SeedShape::Surface, triangles(part), 100, 0.5), &elevation);
  ASSERT_EQ(seeding.report.placed, 100);
  for (std::size_t i = 0; i < 100; ++i)
  {
    const Point p = position(seeding.seeds, i);
    EXPECT_TRUE(p[0] >= 60 && p[0] <= 100 && p[1] >= 70 && p[1] <= 110);
    EXPECT_NEAR(p[2], *elevation.restingHeight(p[0], p[1], 0.5 * (1 + 1e-6)), 1e-9);
  }
}

const std::vector<Point> zigzag{ { 0, 0, 5 }, { 40, 0, 5 }, { 40, 30, 5 }, { 10, 20, 25 },
  { 60, 18, 5 } };

TEST(SeedLines, AFissureWithBendsKeepsOrderAndGaps)
{
  SeedGeometry fissure;
  draw(fissure, zigzag);
  auto parameters = on(SeedShape::Lines, fissure, 60, 0);
  parameters.radiusLaw = RadiusLaw::Uniform;
  parameters.smallestRadius = 0.2;
  parameters.largestRadius = 1.2;
  const Seeding seeding = placeSeeds(parameters);
  ASSERT_EQ(seeding.report.placed, 60);
  EXPECT_LE(greatestOverlap(seeding.seeds), 0);
  double before = -1e300;
  for (std::size_t i = 0; i < 60; ++i)
  {
    const Along at = along(zigzag, position(seeding.seeds, i));
    EXPECT_LT(at.beside, 1e-9); // rounding at 60 m
    const double apart = i > 0 ? seeding.seeds.radii[i - 1] + seeding.seeds.radii[i] : 0;
    EXPECT_GE(at.distance, before + apart) << i;
    before = at.distance;
  }
}

TEST(SeedLines, PlacesAreEquallyLikelyAlongAllLines)
{
  // 300 m in one line with a bend, 100 m in another; bins of 10 m.
  SeedGeometry lines;
  const std::vector<Point> one{ { 0, 0, 0 }, { 120, 90, 0 }, { 120, 240, 0 } },
    two{ { 500, 0, 0 }, { 500, 0, 100 } };
  draw(lines, one);
  draw(lines, two);
  const Seeding seeding = placeSeeds(on(SeedShape::Lines, lines, 4000, 0.001)); // 2 % of the length
  std::vector<double> found(40, 0), weight(40, 1);
  for (std::size_t i = 0; i < seeding.seeds.count(); ++i)
  {
    const Point p = position(seeding.seeds, i);
    const double s = p[0] > 400 ? 300 + p[2] : along(one, p).distance;
    found[std::clamp(static_cast<int>(s / 10), 0, 39)] += 1;
  }
  EXPECT_LT(chiSquare(found, weight), mostChiSquare(40));
  const std::vector<double> lastHalf{ found.begin() + 30, found.end() };
  EXPECT_NEAR(std::accumulate(lastHalf.begin(), lastHalf.end(), 0.0), 1000, 5 * std::sqrt(750));
}

TEST(SeedLines, SegmentsInAnyOrderAreTheSameLine)
{
  SeedGeometry line, loose;
  draw(line, zigzag);
  // As Slice gives them: each with points of its own, in any order; the first decides the direction.
  for (const std::size_t i : { 0u, 2u, 1u, 3u })
    draw(loose, i == 2 ? std::vector<Point>{ zigzag[3], zigzag[2] }
                       : std::vector<Point>{ zigzag[i], zigzag[i + 1] });
  const Seeds a = placeSeeds(on(SeedShape::Lines, line, 50, 1)).seeds,
              b = placeSeeds(on(SeedShape::Lines, loose, 50, 1)).seeds;
  EXPECT_EQ(a.positions, b.positions);
}

TEST(SeedLines, ALineThatIsNearlyFullIsFilledAndAFullOneRefused)
{
  SeedGeometry ring; // 160 m, with four bends, which ends where it begins
  drawSquare(ring, 9e6, 9e6, 40);
  for (const int count : { 100, 140, 156 })
  {
    const Seeding seeding = placeSeeds(on(SeedShape::Lines, ring, count, 0.5));
    EXPECT_EQ(seeding.report.placed, count);
    // At 9 million metres coordinates are rounded to 2e-9 m.
    EXPECT_LE(greatestOverlap(seeding.seeds), 4e-9) << count;
  }
  EXPECT_NE(errorOf(on(SeedShape::Lines, ring, 161, 0.5))
              .find("of 161 seeds found a place without overlap; make the lines larger"),
    std::string::npos);
  auto nozzles = on(SeedShape::Lines, ring, 400, 0.5);
  nozzles.crowding = Crowding::Overlap;
  EXPECT_EQ(placeSeeds(nozzles).report.crowded, 400);
}

TEST(SeedLines, LetDownOntoATerrainTheyStandOverTheirLine)
{
  const Surface terrain = relief(30, 10, -100, -100, hills);
  const Elevation elevation(terrain);
  SeedGeometry fissure;
  draw(fissure, zigzag);
  const Seeding seeding = placeSeeds(on(SeedShape::Lines, fissure, 60, 0.8), &elevation);
  ASSERT_EQ(seeding.report.placed, 60);
  EXPECT_EQ(seeding.report.stacked, 0);
  EXPECT_LE(greatestOverlap(seeding.seeds), 0);
  std::vector<Point> onMap = zigzag;
  for (Point& p : onMap)
    p[2] = 0;
  for (std::size_t i = 0; i < 60; ++i)
  {
    const Point p = position(seeding.seeds, i);
    EXPECT_LT(along(onMap, { p[0], p[1], 0 }).beside, 1e-9);
    EXPECT_NEAR(p[2], *elevation.restingHeight(p[0], p[1], 0.8 * (1 + 1e-6)), 1e-9);
  }
}

TEST(MapArea, AHoleHoldsNoSeedsAndPlacesAreEquallyLikelyElsewhere)
{
  for (const double x0 : { 0.0, 9.0e6 })
  {
    SeedGeometry area;
    drawSquare(area, x0, x0, 160, 7);
    drawSquare(area, x0 + 40, x0 + 40, 40, 7); // the hole
    drawSquare(area, x0 + 50, x0 + 50, 20, 7); // inside again
    drawSquare(area, x0 + 160, x0, 160, 7);    // beside it, with an edge in common
    const Seeding seeding = placeSeeds(on(SeedShape::MapArea, area, 20000, 0.01));
    ASSERT_EQ(seeding.report.placed, 20000);
    std::vector<double> found(32 * 16, 0), weight(32 * 16, 1); // of 10 m
    for (int j = 4; j < 8; ++j)
      for (int i = 4; i < 8; ++i)
        weight[i + 32 * j] = i >= 5 && i < 7 && j >= 5 && j < 7;
    for (std::size_t i = 0; i < seeding.seeds.count(); ++i)
    {
      const Point p = position(seeding.seeds, i);
      ASSERT_EQ(p[2], 7);
      const int bin = static_cast<int>((p[0] - x0) / 10) + 32 * static_cast<int>((p[1] - x0) / 10);
      ASSERT_TRUE(bin >= 0 && bin < 32 * 16);
      ASSERT_EQ(weight[bin], 1) << p[0] - x0 << ' ' << p[1] - x0;
      found[bin] += 1;
    }
    std::vector<double> open, ones;
    for (int bin = 0; bin < 32 * 16; ++bin)
      if (weight[bin] > 0)
      {
        open.push_back(found[bin]);
        ones.push_back(1);
      }
    EXPECT_LT(chiSquare(open, ones), mostChiSquare(open.size()));
  }
}

TEST(MapArea, ARingOfManyCornersIsFilledAsAnIndependentTestSays)
{
  // A star that crosses itself: r = 60 + 30 cos(7 a), 3000 corners, and the same one turned and smaller.
  SeedGeometry area;
  std::vector<Point> star, inner;
  for (int i = 0; i < 3000; ++i)
  {
    const double a = 2 * std::acos(-1.0) * i / 3000;
    star.push_back({ (60 + 30 * std::cos(7 * a)) * std::cos(2 * a),
      (60 + 30 * std::cos(7 * a)) * std::sin(2 * a), 0 });
    inner.push_back({ 20 * std::cos(a), 20 * std::sin(a), 0 });
  }
  draw(area, star, true);
  draw(area, inner, true);
  const auto crossings = [](const std::vector<Point>& ring, double x, double y)
  {
    int count = 0;
    for (std::size_t i = 0; i < ring.size(); ++i)
    {
      const Point &a = ring[i], &b = ring[(i + 1) % ring.size()];
      if ((a[1] > y) != (b[1] > y) && x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
        ++count;
    }
    return count;
  };
  const Seeding seeding = placeSeeds(on(SeedShape::MapArea, area, 3000, 0.05));
  ASSERT_EQ(seeding.report.placed, 3000);
  for (std::size_t i = 0; i < 3000; ++i)
  {
    const Point p = position(seeding.seeds, i);
    ASSERT_EQ((crossings(star, p[0], p[1]) + crossings(inner, p[0], p[1])) % 2, 1);
  }
}

TEST(MapArea, ManySmallPolygonsOnALargeMapAreAllFilled)
{
  SeedGeometry area; // 900 of 10 m on 60 km: a quarter of a ten thousandth of the map
  for (int i = 0; i < 900; ++i)
    drawSquare(area, 4e5 + 2000.0 * (i % 30), 5e6 + 2000.0 * (i / 30), 10);
  const Seeding seeding = placeSeeds(on(SeedShape::MapArea, area, 9000, 0.05));
  std::vector<double> found(900, 0), weight(900, 1);
  for (std::size_t i = 0; i < seeding.seeds.count(); ++i)
  {
    const Point p = position(seeding.seeds, i);
    const double x = p[0] - 4e5, y = p[1] - 5e6;
    ASSERT_TRUE(std::fmod(x, 2000) <= 10 && std::fmod(y, 2000) <= 10);
    found[static_cast<int>(x / 2000) + 30 * static_cast<int>(y / 2000)] += 1;
  }
  EXPECT_LT(chiSquare(found, weight), mostChiSquare(900));
}

TEST(MapArea, OnATerrainSeedsStandAtItsHeights)
{
  const Surface terrain = relief(30, 10, -100, -100, hills);
  const Elevation elevation(terrain);
  SeedGeometry area;
  draw(area, { { 0, 0, 0 }, { 100, 20, 0 }, { 40, 110, 0 } }, true);
  const Seeding seeding = placeSeeds(on(SeedShape::MapArea, area, 200, 0.5), &elevation);
  ASSERT_EQ(seeding.report.placed, 200);
  EXPECT_LE(greatestOverlap(seeding.seeds), 0);
  for (std::size_t i = 0; i < 200; ++i)
  {
    const Point p = position(seeding.seeds, i);
    EXPECT_NEAR(p[2], *elevation.restingHeight(p[0], p[1], 0.5 * (1 + 1e-6)), 1e-9);
  }
}

TEST(SeedGeometry, BadGeometryIsNamedWithValueAndRemedy)
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  SeedGeometry none, point, open, flat, twice, wrong, notFinite, far, slivers;
  draw(point, { { 1, 1, 0 }, { 1, 1, 0 } });
  draw(open, { { 0, 0, 0 }, { 10, 0, 0 }, { 10, 10, 0 } });
  draw(flat, { { 0, 0, 0 }, { 10, 0, 0 }, { 5, 0, 9 } }, true);
  drawSquare(twice, 0, 0, 10);
  drawSquare(twice, 0, 0, 10);
  wrong.points = { 0, 0, 0 };
  wrong.segments = { 0, 1 };
  draw(notFinite, { { 0, 0, 0 }, { nan, 0, 0 } });
  draw(far, { { 0, 0, 0 }, { 1e13, 0, 0 } });
  SeedGeometry needle;
  needle.points = { 0, 0, 0, 1, 1, 1, 2, 2, 2 };
  needle.triangles = { 0, 1, 2 };
  const struct
  {
    SeedShape shape;
    const SeedGeometry& geometry;
    const char* text;
  } cases[] = {
    { SeedShape::Surface, none, "number of triangles is 0; it must be at least 1" },
    { SeedShape::Lines, none, "number of line segments is 0; it must be at least 1" },
    { SeedShape::Surface, needle, "area of the surface is 0 m^2; it must be finite and above 0" },
    { SeedShape::Lines, point, "length of the lines is 0 m; it must be finite and above 0" },
    { SeedShape::MapArea, point, "area of the polygons on the map is 0 m^2; it must be above 0" },
    { SeedShape::MapArea, open,
      "number of loose ends of the lines around the map area is 2; it must be 0: close the line "
      "that ends at x 0, y 0" },
    { SeedShape::MapArea, flat, "area of the polygons on the map is 0 m^2; it must be above 0" },
    { SeedShape::MapArea, twice, "area of the polygons on the map is 0 m^2; it must be above 0" },
    { SeedShape::Lines, wrong, "point of a cell is 1; it must lie in [0, 0]" },
    { SeedShape::Lines, notFinite, "point of the geometry is (nan, 0, 0); it must be finite" },
    { SeedShape::MapArea, far,
      "point of the geometry is (1e+13, 0, 0); it must lie within 1e+12 m" },
  };
  for (const auto& bad : cases)
    EXPECT_EQ(errorOf(on(bad.shape, bad.geometry, 10, 0.1)).rfind(bad.text, 0), 0u)
      << errorOf(on(bad.shape, bad.geometry, 10, 0.1)) << "\nis not: " << bad.text;
  SeedingParameters missing;
  missing.shape = SeedShape::Surface;
  EXPECT_EQ(
    errorOf(missing), "geometry is missing; it must be given for a surface, lines and a map area");
  SeedGeometry small;
  drawSquare(small, 0, 0, 10);
  EXPECT_NE(errorOf(on(SeedShape::MapArea, small, 100, 1)).find("the map area is too full"),
    std::string::npos);
}

TEST(SeedsAt, GivenPlacesGetRadiiAndSources)
{
  SeedingParameters parameters;
  parameters.radiusLaw = RadiusLaw::Uniform;
  const Seeding seeding = seedsAt(parameters, { 1, 2, 3, 4, 5, 6 }, { 7, 8 });
  EXPECT_EQ(seeding.seeds.positions, (std::vector<double>{ 1, 2, 3, 4, 5, 6 }));
  EXPECT_EQ(seeding.seeds.sourceIds, (std::vector<std::int32_t>{ 7, 8 }));
  EXPECT_NE(seeding.seeds.radii[0], seeding.seeds.radii[1]);
  EXPECT_EQ(seeding.report.placed, 2);
  EXPECT_EQ(seedsAt(parameters, {}, {}).report.placed, 0);
}

} // namespace
