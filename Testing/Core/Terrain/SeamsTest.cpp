/// Tiles that nearly meet become one sheet, and nothing else moves.
#include "Sheets.h"
#include "SurfaceRepair.h"

#include <gtest/gtest.h>

namespace
{

using namespace lapilli;
using namespace sheets;

SeamOptions tiles(std::vector<std::size_t> first, double tolerance = -1)
{
  SeamOptions options;
  options.tiles = std::move(first);
  options.tolerance = tolerance;
  return options;
}

/// Two tiles of 10 x 10 squares of 1 m side by side, the second shifted.
Surface twoTiles(double shift, double lift)
{
  Surface surface = sheet(10, 10, rough);
  Surface second = sheet(10, 10, rough, 1, 10);
  for (std::size_t i = 0; i < second.points.size(); i += 3)
  {
    second.points[i] += shift;
    second.points[i + 2] += lift;
  }
  append(surface, second);
  return surface;
}

TEST(Seams, BorderPointsThatDifferByLittleBecomeOne)
{
  const Surface in = twoTiles(0.01, -0.02);
  const SurfaceRepair repair = repairSurface(in, tiles({ 0, 200 }));
  EXPECT_EQ(repair.report.components, 1);
  EXPECT_EQ(repair.report.boundaryEdges, 2 * (20 + 10));
  EXPECT_EQ(repair.report.closedSeams, 1);
  EXPECT_EQ(repair.report.snappedPoints, 11);
  EXPECT_NEAR(repair.report.largestSnap, std::hypot(0.01, 0.02), 1e-12); // coordinates of 20 m
  EXPECT_EQ(repair.report.openSeamLength, 0);
  EXPECT_TRUE(repair.report.singleValued);
  EXPECT_EQ(repair.report.unusedPoints, 0);
  // What stays is where it was: points kept are points of the input.
  for (std::size_t p = 0; p < repair.inputPoint.size(); ++p)
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_EQ(repair.surface.points[3 * p + axis], in.points[3 * repair.inputPoint[p] + axis]);
  EXPECT_EQ(repair.surface.pointCount(), in.pointCount() - 11);
}

TEST(Seams, APointWithinReachOfBothSidesOfASliverDividesOne)
{
  // Dividing both made triangles with one corner twice, around which the walk along the rims never ended.
  Surface in;
  in.points = { 0, 0, 0, 10, 0, 0, 10, 1, 0, 5, 0.25, 0, 5, 8, 0, 0, 8, 0 };
  in.triangles = { 0, 1, 2, 3, 4, 5 };
  const SurfaceRepair repair = repairSurface(in, tiles({ 0, 1 }, 0.45));
  EXPECT_EQ(repair.surface.triangleCount(), 3u); // the sliver in two
  for (std::size_t t = 0; t < repair.surface.triangleCount(); ++t)
  {
    const std::int64_t* c = &repair.surface.triangles[3 * t];
    EXPECT_TRUE(c[0] != c[1] && c[1] != c[2] && c[2] != c[0]) << t;
  }
}

TEST(Seams, WithToleranceZeroAndForOneTileNothingIsClosed)
{
  const Surface in = twoTiles(0.01, 0);
  for (const SeamOptions& options : { tiles({ 0, 200 }, 0), tiles({ 0 }), tiles({}) })
  {
    const SurfaceRepair repair = repairSurface(in, options);
    EXPECT_EQ(repair.report.components, 2);
    EXPECT_EQ(repair.report.snappedPoints, 0);
  }
  // Parts of one tile, where a tolerance is given.
  EXPECT_EQ(repairSurface(in, tiles({}, 0.02)).report.components, 1);
}

TEST(Seams, WhatIsBeyondTheToleranceStaysOpenAndItsLengthIsSaid)
{
  const Surface in = twoTiles(0, 0.2);
  const SurfaceRepair open = repairSurface(in, tiles({ 0, 200 }));
  EXPECT_EQ(open.report.components, 2);
  EXPECT_EQ(open.report.snappedPoints, 0);
  EXPECT_GT(open.report.openSeamLength, 2 * 10); // both borders, longer than the map is wide
  EXPECT_NE(open.report.text().find("open along"), std::string::npos);
  const SurfaceRepair closed = repairSurface(in, tiles({ 0, 200 }, 0.25));
  EXPECT_EQ(closed.report.components, 1);
  EXPECT_EQ(closed.report.openSeamLength, 0);
}

TEST(Seams, PointsOfOneTileNeverBecomeOne)
{
  // A slit of 1 cm in the first tile, and a tolerance far above it.
  Surface in = sheet(10, 10, rough);
  const std::size_t slit = append(in, sheet(10, 10, rough, 1, 10.01));
  append(in, sheet(10, 10, rough, 1, 20.02));
  const std::size_t third = slit + 200;
  const SurfaceRepair repair = repairSurface(in, tiles({ 0, third }, 0.3));
  EXPECT_EQ(repair.report.components, 2);
  EXPECT_EQ(repair.report.snappedPoints, 11);
}

TEST(Seams, AToleranceWithoutSenseFoldsNothing)
{
  const Surface in = twoTiles(0.01, 0);
  const SurfaceRepair repair = repairSurface(in, tiles({ 0, 200 }, 1e30));
  EXPECT_EQ(repair.report.triangles, 400);
  EXPECT_EQ(repair.report.snappedPoints, 11);
  EXPECT_TRUE(repair.report.singleValued);
}

TEST(Seams, FourTilesMeetInOnePoint)
{
  Surface in;
  std::vector<std::size_t> first;
  for (int k = 0; k < 4; ++k)
    first.push_back(
      append(in, sheet(5, 5, rough, 1, 5 * (k % 2) + 0.005 * k, 5 * (k / 2) - 0.005 * k)));
  const SurfaceRepair repair = repairSurface(in, tiles(first));
  EXPECT_EQ(repair.report.components, 1);
  EXPECT_EQ(repair.report.holes, 0);
  EXPECT_EQ(repair.report.boundaryEdges, 40);
  EXPECT_EQ(repair.surface.pointCount(), 121u);
}

TEST(Seams, SinglePrecisionAtNineMillionMetresIsWithinTheAutomaticTolerance)
{
  // Cells of 30 m; floats there are 1 m apart, and the tiles' origins round differently.
  Surface in;
  std::vector<std::size_t> first;
  for (int k = 0; k < 2; ++k)
  {
    Surface tile = sheet(
      10, 10, [](double x, double) { return 0.1 * x; }, 30, 300 * k);
    for (std::size_t i = 1; i < tile.points.size(); i += 3)
      tile.points[i] = static_cast<float>(9085000.3 + 0.4 * k + tile.points[i]);
    first.push_back(append(in, tile));
  }
  const SurfaceRepair repair = repairSurface(in, tiles(first));
  EXPECT_EQ(repair.report.components, 1);
  EXPECT_GT(repair.report.snappedPoints, 0); // else the case tests nothing
  EXPECT_LE(repair.report.largestSnap, 1.5);
}

TEST(Seams, ATileOfCoarserCellsIsDividedAtTheFinePoints)
{
  const Relief plane = [](double x, double y) { return 0.3 * x + 0.2 * y; };
  // Steps of 1 m beside 2 m, and of 2 m beside 3 m, where neither has all points of the other.
  for (const double fine : { 1.0, 2.0 })
  {
    const double coarse = fine == 1 ? 2 : 3;
    const int n = static_cast<int>(12 / fine), m = static_cast<int>(12 / coarse);
    Surface in = sheet(n, n, plane, fine);
    const std::size_t second = append(in, sheet(m, m, plane, coarse, 12));
    const SurfaceRepair open = repairSurface(in, tiles({ 0, second }, 0));
    EXPECT_EQ(open.report.components, 2);
    const SurfaceRepair repair = repairSurface(in, tiles({ 0, second }));
    EXPECT_EQ(repair.report.components, 1) << fine;
    EXPECT_EQ(repair.report.boundaryEdges, 3 * (n + m)) << fine; // no edge along the seam
    EXPECT_EQ(repair.report.dividedEdges, 6) << fine;
    EXPECT_EQ(repair.report.triangles, 2 * (n * n + m * m) + repair.report.dividedEdges);
    EXPECT_TRUE(repair.report.singleValued);
    EXPECT_TRUE(std::is_sorted(repair.inputTriangle.begin(), repair.inputTriangle.end()));
  }
}

TEST(Seams, ThousandsOfTilesAreMergedInSeconds)
{
  // 10,000 tiles of 3 x 3 squares, each shifted by up to 2 cm.
  Surface in;
  std::vector<std::size_t> first;
  for (int k = 0; k < 10000; ++k)
    first.push_back(
      append(in, sheet(3, 3, rough, 1, 3 * (k % 100) + 0.02 * (k % 7) / 7, 3 * (k / 100))));
  const SurfaceRepair repair = repairSurface(in, tiles(first));
  EXPECT_EQ(repair.report.components, 1);
  EXPECT_EQ(repair.report.boundaryEdges, 4 * 300);
  EXPECT_EQ(repair.surface.pointCount(), 301u * 301u);
}

} // namespace
