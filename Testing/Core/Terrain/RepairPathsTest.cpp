/// One surface, however its points are ordered and however many threads work: the same repair.
#include "Parallel/Executor.h"
#include "Sheets.h"
#include "SurfaceRepair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace
{

using namespace lapilli;
using namespace sheets;

/// A sheet with holes, triangles turned at random, some twice there and some without area.
Surface damagedSheet(int n)
{
  Surface surface = sheet(n, n, rough);
  Surface damaged = surface;
  damaged.triangles.clear();
  std::mt19937 random(1);
  for (std::size_t t = 0; t < surface.triangleCount(); ++t)
  {
    std::array<std::int64_t, 3> c{ surface.triangles[3 * t], surface.triangles[3 * t + 1],
      surface.triangles[3 * t + 2] };
    const unsigned dice = random() % 100;
    if (dice < 3)
      continue;
    if (dice < 50)
      std::swap(c[1], c[2]);
    addTriangle(damaged, c[0], c[1], c[2]);
    if (dice < 6)
      addTriangle(damaged, c[2], c[1], c[0]);
    if (dice < 9)
      addTriangle(damaged, c[2], c[2], c[0]);
  }
  return damaged;
}

/// The same triangles on points in any order, each of its own or shared.
Surface shuffledPoints(const Surface& surface, bool shared)
{
  Surface shuffled = surface;
  if (!shared)
  {
    shuffled.points.clear();
    for (std::int64_t& corner : shuffled.triangles)
    {
      const double* x = &surface.points[3 * corner];
      corner = static_cast<std::int64_t>(shuffled.pointCount());
      addPoint(shuffled, x[0], x[1], x[2]);
    }
    return shuffled;
  }
  std::vector<std::int64_t> to(surface.pointCount());
  std::iota(to.begin(), to.end(), 0);
  std::shuffle(to.begin(), to.end(), std::mt19937(2));
  for (std::size_t p = 0; p < to.size(); ++p)
    std::copy_n(&surface.points[3 * p], 3, &shuffled.points[3 * to[p]]);
  for (std::int64_t& corner : shuffled.triangles)
    corner = to[corner];
  return shuffled;
}

std::vector<double> coordinates(const Surface& surface)
{
  std::vector<double> all;
  for (const std::int64_t corner : surface.triangles)
    all.insert(all.end(), &surface.points[3 * corner], &surface.points[3 * corner] + 3);
  return all;
}

TEST(RepairPaths, TheProofForRastersGivesWhatMergingGives)
{
  // 40,401 points in rows are told to be distinct by their order alone; in any other they are hashed.
  const Surface raster = damagedSheet(200);
  const SurfaceRepair proved = repairSurface(raster);
  ASSERT_GT(proved.report.duplicateTriangles, 1000);
  ASSERT_GT(proved.report.degenerateTriangles, 1000);
  ASSERT_GT(proved.report.flippedTriangles, 10000);
  for (const bool shared : { true, false })
  {
    const SurfaceRepair merged = repairSurface(shuffledPoints(raster, shared));
    EXPECT_EQ(merged.inputTriangle, proved.inputTriangle);
    EXPECT_EQ(merged.flipped, proved.flipped);
    EXPECT_EQ(coordinates(merged.surface), coordinates(proved.surface));
    EXPECT_EQ(merged.report.boundaryEdges, proved.report.boundaryEdges);
    EXPECT_EQ(merged.report.holes, proved.report.holes);
    EXPECT_EQ(merged.report.components, proved.report.components);
    EXPECT_EQ(merged.report.singleValued, proved.report.singleValued);
    EXPECT_EQ(merged.report.mergedPoints > 0, !shared);
  }
}

TEST(RepairPaths, EdgesAndDuplicatesAreThoseOfACount)
{
  // Few points, so that triangles coincide and edges have many.
  for (unsigned seed = 0; seed < 20; ++seed)
  {
    std::mt19937 random(seed);
    Surface in;
    for (int p = 0; p < 9; ++p)
      addPoint(in, random() % 1000, random() % 1000, random() % 1000);
    std::set<std::set<std::int64_t>> triangles;
    std::map<std::set<std::int64_t>, int> edges;
    std::int64_t duplicates = 0;
    for (int t = 0; t < 60; ++t)
    {
      const std::int64_t a = random() % 9, b = (a + 1 + random() % 4) % 9,
                         c = (b + 1 + random() % 3) % 9;
      if (a == c)
        continue;
      addTriangle(in, a, b, c);
      if (!triangles.insert({ a, b, c }).second)
      {
        ++duplicates;
        continue;
      }
      for (const std::set<std::int64_t>& edge :
        { std::set<std::int64_t>{ a, b }, { b, c }, { c, a } })
        ++edges[edge];
    }
    const auto with = [&](const std::function<bool(int)>& test)
    {
      return std::count_if(
        edges.begin(), edges.end(), [&](const auto& edge) { return test(edge.second); });
    };
    const SurfaceRepairReport report = repairSurface(in).report;
    ASSERT_EQ(report.degenerateTriangles, 0) << seed;
    EXPECT_EQ(report.duplicateTriangles, duplicates) << seed;
    EXPECT_EQ(report.boundaryEdges, with([](int n) { return n == 1; })) << seed;
    EXPECT_EQ(report.nonManifoldEdges, with([](int n) { return n > 2; })) << seed;
  }
}

TEST(RepairPaths, ManyPartsInAnyOrderAreTurnedEachByItself)
{
  // 2,500 closed bodies, their triangles mixed: every one faces outward, so volumes add up.
  Surface in;
  for (int body = 0; body < 2500; ++body)
    append(in, cube(2.0 * body, 1));
  std::vector<std::size_t> order(in.triangleCount());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random(3);
  std::shuffle(order.begin(), order.end(), random);
  Surface mixed = in;
  for (std::size_t t = 0; t < order.size(); ++t)
  {
    std::copy_n(&in.triangles[3 * order[t]], 3, &mixed.triangles[3 * t]);
    if (random() % 2)
      std::swap(mixed.triangles[3 * t], mixed.triangles[3 * t + 1]);
  }
  const SurfaceRepair repair = repairSurface(mixed);
  EXPECT_EQ(repair.report.components, 2500);
  EXPECT_EQ(repair.report.closedComponents, 2500);
  double volume = 0;
  for (std::size_t t = 0; t < repair.surface.triangleCount(); ++t)
  {
    const double* a = &repair.surface.points[3 * repair.surface.triangles[3 * t]];
    const double* b = &repair.surface.points[3 * repair.surface.triangles[3 * t + 1]];
    const double* c = &repair.surface.points[3 * repair.surface.triangles[3 * t + 2]];
    volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                a[2] * (b[0] * c[1] - b[1] * c[0])) /
              6;
  }
  EXPECT_NEAR(volume, 2500, 1e-3); // of sums of terms up to 1e11, rounded in the 16th digit
}

TEST(RepairThreads, OneThreadAndTwoGiveTheSameBits)
{
  const Surface soup = shuffledPoints(damagedSheet(300), false); // several blocks of every loop
  std::vector<SurfaceRepair> repairs;
  for (const int threads : { 1, 2 })
  {
    const cpu::Executor executor(threads);
    const cpu::Executor::ThreadScope scope(executor);
    repairs.push_back(repairSurface(soup));
  }
  EXPECT_EQ(repairs[0].surface.points, repairs[1].surface.points);
  EXPECT_EQ(repairs[0].surface.triangles, repairs[1].surface.triangles);
  EXPECT_EQ(repairs[0].inputPoint, repairs[1].inputPoint);
  EXPECT_EQ(repairs[0].report.text(), repairs[1].report.text());
}

} // namespace
