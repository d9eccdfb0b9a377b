#include "Sheets.h"

#include "SurfaceRepair.h"

#include "Error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace
{

using namespace lapilli;
using namespace sheets;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The cube [0, 1]^3, outward.
Surface cube()
{
  return sheets::cube(0, 1);
}

/// A band of 2 n triangles with a half twist (a Moebius band) or with none.
Surface band(int n, int halfTwists)
{
  const double pi = std::acos(-1.0);
  Surface surface;
  for (int i = 0; i < n; ++i)
    for (const double s : { -0.3, 0.3 })
    {
      const double a = 2 * pi * i / n, twist = halfTwists * a / 2;
      const double r = 1 + s * std::cos(twist);
      addPoint(surface, r * std::cos(a), r * std::sin(a), s * std::sin(twist));
    }
  for (int i = 0; i < n; ++i)
  {
    const std::int64_t a = 2 * i, b = a + 1;
    std::int64_t c = 2 * ((i + 1) % n), d = c + 1;
    if (i + 1 == n && halfTwists % 2 == 1)
      std::swap(c, d);
    addTriangle(surface, a, c, b);
    addTriangle(surface, b, c, d);
  }
  return surface;
}

void flip(Surface& surface, std::size_t triangle)
{
  std::swap(surface.triangles[3 * triangle + 1], surface.triangles[3 * triangle + 2]);
}

/// z of the normal, twice the area on the map.
double facing(const Surface& surface, std::size_t triangle)
{
  const double* a = &surface.points[3 * surface.triangles[3 * triangle]];
  const double* b = &surface.points[3 * surface.triangles[3 * triangle + 1]];
  const double* c = &surface.points[3 * surface.triangles[3 * triangle + 2]];
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

double volume(const Surface& surface)
{
  double sum = 0;
  for (std::size_t t = 0; t < surface.triangleCount(); ++t)
  {
    const double* a = &surface.points[3 * surface.triangles[3 * t]];
    const double* b = &surface.points[3 * surface.triangles[3 * t + 1]];
    const double* c = &surface.points[3 * surface.triangles[3 * t + 2]];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

bool allFaceUp(const Surface& surface)
{
  for (std::size_t t = 0; t < surface.triangleCount(); ++t)
    if (!(facing(surface, t) > 0))
      return false;
  return surface.triangleCount() > 0;
}

/// Every edge of two triangles is run along once in each direction.
bool consistent(const Surface& surface)
{
  std::vector<std::pair<std::int64_t, std::int64_t>> edges;
  for (std::size_t c = 0; c < surface.triangles.size(); ++c)
    edges.push_back({ surface.triangles[c], surface.triangles[c % 3 == 2 ? c - 2 : c + 1] });
  std::sort(edges.begin(), edges.end());
  return std::adjacent_find(edges.begin(), edges.end()) == edges.end();
}

TEST(SurfaceRepair, ASoundSheetIsUnchanged)
{
  const Surface in = sheet(5, 4, rough);
  const SurfaceRepair repair = repairSurface(in);
  EXPECT_EQ(repair.surface.points, in.points);
  EXPECT_EQ(repair.surface.triangles, in.triangles);
  EXPECT_EQ(repair.report.flippedTriangles, 0);
  EXPECT_EQ(repair.report.droppedTriangles(), 0);
  EXPECT_EQ(repair.report.boundaryEdges, 2 * (5 + 4));
  EXPECT_EQ(repair.report.components, 1);
  EXPECT_EQ(repair.report.holes, 0);
  EXPECT_TRUE(repair.report.singleValued);
}

TEST(SurfaceRepair, ARasterThatWindsDownwardIsTurnedUp)
{
  Surface in = sheet(5, 4, rough);
  for (std::size_t t = 0; t < in.triangleCount(); ++t)
    flip(in, t);
  ASSERT_FALSE(allFaceUp(in));
  const SurfaceRepair repair = repairSurface(in);
  EXPECT_TRUE(allFaceUp(repair.surface));
  EXPECT_EQ(repair.report.flippedTriangles, 40);
  EXPECT_TRUE(repair.report.singleValued);
}

TEST(SurfaceRepair, MixedWindingIsMadeConsistent)
{
  Surface in = sheet(5, 4, rough);
  for (std::size_t t = 0; t < in.triangleCount(); t += 3)
    flip(in, t);
  ASSERT_FALSE(consistent(in));
  const SurfaceRepair repair = repairSurface(in);
  EXPECT_TRUE(allFaceUp(repair.surface));
  EXPECT_TRUE(consistent(repair.surface));
  EXPECT_EQ(repair.report.flippedTriangles, 14);
  EXPECT_EQ(repair.flipped[0], 1);
  EXPECT_EQ(repair.flipped[1], 0);
}

TEST(SurfaceRepair, EveryTriangleHavingItsOwnPointsIsMergedToOneSheet)
{
  const Surface sound = sheet(5, 4, rough);
  Surface soup;
  for (const std::int64_t corner : sound.triangles)
  {
    const double* p = &sound.points[3 * corner];
    addTriangle(soup, 0, 0, 0);
    soup.triangles.resize(soup.triangles.size() - 3);
    soup.triangles.push_back(static_cast<std::int64_t>(soup.pointCount()));
    addPoint(soup, p[0], p[1], p[2]);
  }
  ASSERT_EQ(soup.pointCount(), 120u);
  const SurfaceRepair repair = repairSurface(soup);
  EXPECT_EQ(repair.surface.pointCount(), 30u);
  EXPECT_EQ(repair.report.mergedPoints, 90);
  EXPECT_EQ(repair.report.components, 1);
  EXPECT_EQ(repair.report.boundaryEdges, 18);
}

TEST(SurfaceRepair, NegativeZeroIsTheSamePlaceAsZero)
{
  Surface in;
  addPoint(in, 0, 0, 0);
  addPoint(in, 1, 0, 0);
  addPoint(in, 0, 1, 0);
  addPoint(in, -0.0, -0.0, 0);
  addPoint(in, -1, 0, 0);
  addTriangle(in, 0, 1, 2);
  addTriangle(in, 3, 2, 4);
  const SurfaceRepair repair = repairSurface(in);
  EXPECT_EQ(repair.report.mergedPoints, 1);
  EXPECT_EQ(repair.report.components, 1);
}

TEST(SurfaceRepair, PointsThatDifferByOneBitStayApart)
{
  Surface in;
  addPoint(in, 1, 0, 0);
  addPoint(in, 2, 0, 0);
  addPoint(in, 1, 1, 0);
  addPoint(in, std::nextafter(1.0, 2.0), 0, 0);
  addTriangle(in, 0, 1, 2);
  addTriangle(in, 3, 1, 2);
  const SurfaceRepair repair = repairSurface(in);
  EXPECT_EQ(repair.report.mergedPoints, 0);
  EXPECT_EQ(repair.report.duplicateTriangles, 0);
}

TEST(SurfaceRepair, TrianglesWithoutAreaAreDroppedAtAnyScaleAndDistance)
{
  for (const double size : { 1e-3, 1.0, 1e4 })
    for (const double shift : { 0.0, 9085000.0 })
    {
      Surface in;
      addPoint(in, shift, shift, 0);
      addPoint(in, shift + size, shift + size, size);
      addPoint(in, shift + 2 * size, shift + 2 * size, 2 * size); // in line with the first two
      addPoint(in, shift + size, shift, 0);
      addTriangle(in, 0, 1, 2);
      addTriangle(in, 0, 0, 1);
      addTriangle(in, 3, 3, 3);
      addTriangle(in, 0, 3, 1);
      const SurfaceRepair repair = repairSurface(in);
      EXPECT_EQ(repair.report.degenerateTriangles, 3) << size << ' ' << shift;
      ASSERT_EQ(repair.inputTriangle, std::vector<std::uint32_t>({ 3 })) << size << ' ' << shift;
      EXPECT_EQ(repair.inputPoint, std::vector<std::uint32_t>({ 0, 1, 3 }));
    }
}

TEST(SurfaceRepair, ASmallTriangleIsNoDegenerateOne)
{
  Surface in;
  addPoint(in, 0, 0, 0);
  addPoint(in, 1e-6, 0, 0);
  addPoint(in, 0, 1e-6, 0);
  addPoint(in, 1, 0, 0);
  addPoint(in, 0.5, 1e-6, 0); // a needle: height a millionth of its length
  addTriangle(in, 0, 1, 2);
  addTriangle(in, 0, 3, 4);
  EXPECT_EQ(repairSurface(in).report.triangles, 2);
}

TEST(SurfaceRepair, PointsThatAreNotFiniteAreCountedAndTheFirstNamed)
{
  Surface in = sheet(2, 2, rough);
  in.points[3 * 4 + 2] = nan;                                     // the middle: six triangles
  in.points[3 * 7 + 1] = std::numeric_limits<double>::infinity(); // three, one of them new
  const SurfaceRepair repair = repairSurface(in);
  EXPECT_EQ(repair.report.nonFinitePoints, 2);
  EXPECT_EQ(repair.report.firstNonFinitePoint, 4);
  EXPECT_EQ(repair.report.nonFiniteTriangles, 7);
  EXPECT_EQ(repair.report.triangles, 1);
  EXPECT_NE(repair.report.text().find("2 points that are not finite (the first is number 4)"),
    std::string::npos)
    << repair.report.text();
}

TEST(SurfaceRepair, DuplicatesAreDroppedWhateverTheirWinding)
{
  Surface in = sheet(2, 2, rough);
  addTriangle(in, in.triangles[1], in.triangles[2], in.triangles[0]);
  addTriangle(in, in.triangles[0], in.triangles[2], in.triangles[1]);
  const SurfaceRepair repair = repairSurface(in);
  EXPECT_EQ(repair.report.duplicateTriangles, 2);
  EXPECT_EQ(repair.surface.triangles, sheet(2, 2, rough).triangles);
  EXPECT_EQ(repair.report.nonManifoldEdges, 0);
}

TEST(SurfaceRepair, UnusedPointsAreDroppedAndTheMapsLeadBack)
{
  Surface in = sheet(3, 3, rough);
  in.points.insert(in.points.begin(), { 7, 7, 7 });
  for (std::int64_t& corner : in.triangles)
    ++corner;
  in.triangles.erase(in.triangles.begin(), in.triangles.begin() + 6); // the first square
  const SurfaceRepair repair = repairSurface(in);
  EXPECT_EQ(repair.report.unusedPoints, 2);
  ASSERT_EQ(repair.inputPoint.size(), repair.surface.pointCount());
  ASSERT_EQ(repair.inputTriangle.size(), repair.surface.triangleCount());
  for (std::size_t p = 0; p < repair.inputPoint.size(); ++p)
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_EQ(repair.surface.points[3 * p + axis], in.points[3 * repair.inputPoint[p] + axis]);
  for (std::size_t t = 0; t < repair.inputTriangle.size(); ++t)
    EXPECT_EQ(repair.inputPoint[repair.surface.triangles[3 * t]],
      in.triangles[3 * repair.inputTriangle[t]]);
}

/// The sheet of 6 x 6 squares without some of them.
Surface sheetWithout(const std::vector<std::pair<int, int>>& squares)
{
  const Surface whole = sheet(6, 6, rough);
  Surface rest = whole;
  rest.triangles.clear();
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 6; ++i)
      if (std::find(squares.begin(), squares.end(), std::pair<int, int>(i, j)) == squares.end())
      {
        const auto first = whole.triangles.begin() + 6 * (i + 6 * j);
        rest.triangles.insert(rest.triangles.end(), first, first + 6);
      }
  return rest;
}

TEST(SurfaceRepair, HolesStayAndAreCounted)
{
  const SurfaceRepair repair =
    repairSurface(sheetWithout({ { 1, 1 }, { 3, 1 }, { 4, 4 }, { 4, 3 }, { 0, 5 } }));
  EXPECT_EQ(repair.report.triangles, 2 * (36 - 5));
  EXPECT_EQ(repair.report.holes, 3); // (4, 3) and (4, 4) are one; (0, 5) is a notch in the rim
  EXPECT_EQ(repair.report.components, 1);
  EXPECT_TRUE(repair.report.singleValued);
}

TEST(SurfaceRepair, HolesThatTouchInAPointCountAsOne)
{
  EXPECT_EQ(repairSurface(sheetWithout({ { 1, 1 }, { 2, 2 } })).report.holes, 1);
  EXPECT_EQ(repairSurface(sheetWithout({ { 1, 1 }, { 2, 3 } })).report.holes, 2);
}

TEST(SurfaceRepair, AClosedBodyFacesOutwardAndAContainerInward)
{
  for (const SurfaceRole role :
    { SurfaceRole::Terrain, SurfaceRole::Obstacle, SurfaceRole::Container })
    for (const bool turned : { false, true })
    {
      Surface in = cube();
      in.role = role;
      for (std::size_t t = 0; t < in.triangleCount(); ++t)
        if (turned || t == 5)
          flip(in, t);
      for (double& x : in.points)
        x += 1e5;
      const SurfaceRepair repair = repairSurface(in);
      Surface out = repair.surface;
      for (double& x : out.points)
        x -= 1e5;
      EXPECT_NEAR(volume(out), role == SurfaceRole::Container ? -1 : 1, 1e-9);
      EXPECT_TRUE(consistent(out));
      EXPECT_EQ(repair.report.closedComponents, 1);
      EXPECT_EQ(repair.report.boundaryEdges, 0);
      EXPECT_FALSE(repair.report.singleValued);
    }
}

TEST(SurfaceRepair, ACliffThatOverhangsFollowsTheSheetAcrossItsEdges)
{
  // A profile that goes up and back: floor, overhang, roof; the overhang's true front faces down.
  const double profile[5][2] = { { 0, 0 }, { 3, 0 }, { 2, 2 }, { 5, 2.5 }, { 9, 2.5 } };
  Surface in;
  for (int j = 0; j < 3; ++j)
    for (const auto& p : profile)
      addPoint(in, p[0], j, p[1]);
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 4; ++i)
    {
      const std::int64_t a = i + 5 * j;
      addTriangle(in, a, a + 1, a + 6);
      addTriangle(in, a, a + 6, a + 5);
    }
  Surface turned = in;
  for (std::size_t t = 0; t < turned.triangleCount(); t += 2)
    flip(turned, t);
  const SurfaceRepair repair = repairSurface(turned);
  EXPECT_EQ(repair.surface.triangles, in.triangles);
  EXPECT_LT(facing(repair.surface, 2), 0);
  EXPECT_FALSE(repair.report.singleValued);
  EXPECT_EQ(repair.report.nonOrientableComponents, 0);
}

TEST(SurfaceRepair, AVerticalWallKeepsItsWinding)
{
  Surface in;
  for (const double x : { 0.0, 1.0, 2.0 })
    for (const double z : { 0.0, 1.0 })
      addPoint(in, x, 0, z);
  addTriangle(in, 0, 2, 3);
  addTriangle(in, 0, 3, 1);
  addTriangle(in, 2, 4, 5);
  addTriangle(in, 2, 3, 5); // the other way round
  const SurfaceRepair repair = repairSurface(in);
  EXPECT_EQ(repair.flipped, std::vector<std::uint8_t>({ 0, 0, 0, 1 }));
}

TEST(SurfaceRepair, EachPartIsTurnedByItself)
{
  Surface in = sheet(2, 2, rough);
  const Surface below = sheet(2, 2, [](double x, double y) { return rough(x, y) - 50; });
  const std::int64_t offset = static_cast<std::int64_t>(in.pointCount());
  in.points.insert(in.points.end(), below.points.begin(), below.points.end());
  for (std::size_t t = 0; t < below.triangleCount(); ++t) // wound downward
    addTriangle(in, below.triangles[3 * t] + offset, below.triangles[3 * t + 2] + offset,
      below.triangles[3 * t + 1] + offset);
  const SurfaceRepair repair = repairSurface(in);
  EXPECT_EQ(repair.report.components, 2);
  EXPECT_EQ(repair.report.flippedTriangles, 8);
  EXPECT_TRUE(allFaceUp(repair.surface));
}

TEST(SurfaceRepair, AMoebiusBandIsTwoSidedAndAPlainBandIsNot)
{
  const SurfaceRepair moebius = repairSurface(band(24, 1));
  EXPECT_EQ(moebius.report.nonOrientableComponents, 1);
  EXPECT_EQ(moebius.surface.sides, SurfaceSides::Two);
  EXPECT_EQ(moebius.twoSided, std::vector<std::uint8_t>(48, 1));
  EXPECT_FALSE(moebius.report.singleValued);

  for (const int halfTwists : { 0, 2 })
  {
    const SurfaceRepair plain = repairSurface(band(24, halfTwists));
    EXPECT_EQ(plain.report.nonOrientableComponents, 0) << halfTwists;
    EXPECT_EQ(plain.surface.sides, SurfaceSides::One);
    EXPECT_TRUE(consistent(plain.surface));
  }
}

TEST(SurfaceRepair, ObstaclesWithoutAnInsideAreTwoSided)
{
  // A cube and a sheet apart from it; a cube without its top.
  for (const SurfaceRole role :
    { SurfaceRole::Terrain, SurfaceRole::Container, SurfaceRole::Obstacle })
  {
    const std::uint8_t sheets = role == SurfaceRole::Obstacle;
    Surface in = cube();
    in.role = role;
    Surface open = in;
    open.triangles.resize(open.triangles.size() - 6);
    const SurfaceRepair tub = repairSurface(open);
    EXPECT_EQ(tub.twoSided, std::vector<std::uint8_t>(10, sheets));
    EXPECT_EQ(tub.surface.sides, sheets ? SurfaceSides::Two : SurfaceSides::One);
    EXPECT_TRUE(consistent(tub.surface));

    const Surface beside = sheet(2, 2, rough);
    const auto offset = static_cast<std::int64_t>(in.pointCount());
    for (const double x : beside.points)
      in.points.push_back(x + 10);
    for (const std::int64_t corner : beside.triangles)
      in.triangles.push_back(corner + offset);
    const SurfaceRepair both = repairSurface(in);
    EXPECT_EQ(std::count(both.twoSided.begin(), both.twoSided.end(), 1), 8 * sheets);
    EXPECT_EQ(both.twoSided[0], 0);
    EXPECT_EQ(both.surface.sides, SurfaceSides::One);
    EXPECT_EQ(both.report.twoSidedComponents, sheets);
    EXPECT_EQ(both.report.nonOrientableComponents, 0);
    EXPECT_EQ(both.report.text().find("open part in the way") != std::string::npos, sheets == 1);
    EXPECT_EQ(separateTwoSided(both.surface, both.twoSided).size(), 1u + sheets);
  }
}

TEST(SurfaceRepair, TwoSidedPartsCanBeSeparated)
{
  Surface in = sheet(2, 2, rough);
  const Surface twisted = band(24, 1);
  const std::int64_t offset = static_cast<std::int64_t>(in.pointCount());
  for (const double x : twisted.points)
    in.points.push_back(x + 10);
  for (const std::int64_t corner : twisted.triangles)
    in.triangles.push_back(corner + offset);
  const SurfaceRepair repair = repairSurface(in);
  EXPECT_EQ(repair.surface.sides, SurfaceSides::One);
  const std::vector<Surface> parts = separateTwoSided(repair.surface, repair.twoSided);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].triangleCount(), 8u);
  EXPECT_EQ(parts[0].sides, SurfaceSides::One);
  EXPECT_EQ(parts[0].pointCount(), 9u);
  EXPECT_EQ(parts[1].triangleCount(), 48u);
  EXPECT_EQ(parts[1].sides, SurfaceSides::Two);
  EXPECT_EQ(separateTwoSided(parts[0], std::vector<std::uint8_t>(8, 0)).size(), 1u);
}

TEST(SurfaceRepair, ThreeTrianglesAtAnEdgeAreNonManifold)
{
  Surface in;
  addPoint(in, 0, 0, 0);
  addPoint(in, 1, 0, 0);
  addPoint(in, 0.5, 1, 0);
  addPoint(in, 0.5, -1, 0);
  addPoint(in, 0.5, 0, 1);
  addTriangle(in, 0, 1, 2);
  addTriangle(in, 1, 0, 3);
  addTriangle(in, 0, 1, 4);
  const SurfaceRepair repair = repairSurface(in);
  EXPECT_EQ(repair.report.nonManifoldEdges, 1);
  EXPECT_EQ(repair.report.components, 3);
  EXPECT_EQ(repair.report.triangles, 3);
}

TEST(SurfaceRepair, NothingGivesNothing)
{
  Surface onePoint;
  onePoint.points = { 1, 2, 3 };
  for (const Surface& in : { Surface{}, onePoint })
  {
    const SurfaceRepair repair = repairSurface(in);
    EXPECT_EQ(repair.report.triangles, 0);
    EXPECT_EQ(repair.surface.pointCount(), 0u);
    EXPECT_FALSE(repair.report.singleValued);
    EXPECT_EQ(repair.report.text().substr(0, 23), "0 triangles on 0 points");
  }
}

TEST(SurfaceRepair, APointNumberOutsideIsRefusedByName)
{
  Surface in = sheet(1, 1, rough);
  in.triangles[4] = 4;
  try
  {
    repairSurface(in);
    FAIL() << "accepted";
  }
  catch (const InvalidInput& error)
  {
    EXPECT_STREQ(error.what(), "triangle 1 has point 4; it must lie in [0, 3]");
  }
  in.triangles[4] = -1;
  EXPECT_THROW(repairSurface(in), InvalidInput);
}

TEST(SurfaceRepair, ASecondRepairFindsNothingToDo)
{
  Surface in = sheet(5, 4, rough);
  for (std::size_t t = 0; t < in.triangleCount(); t += 3)
    flip(in, t);
  addTriangle(in, 1, 1, 2);
  const Surface once = repairSurface(in).surface;
  const SurfaceRepair twice = repairSurface(once);
  EXPECT_EQ(twice.surface.points, once.points);
  EXPECT_EQ(twice.surface.triangles, once.triangles);
  EXPECT_EQ(twice.report.flippedTriangles + twice.report.droppedTriangles(), 0);
}

} // namespace
