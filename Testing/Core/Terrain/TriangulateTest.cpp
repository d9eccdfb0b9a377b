#include "Triangulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace
{

using namespace lapilli;
using Numbers = std::vector<std::int64_t>;

/// Triangles as sets of corners: the starting corner does not matter.
std::set<std::set<std::int64_t>> setsOf(const Numbers& triangles)
{
  std::set<std::set<std::int64_t>> sets;
  for (std::size_t t = 0; t < triangles.size(); t += 3)
    sets.insert({ triangles[t], triangles[t + 1], triangles[t + 2] });
  return sets;
}

double areaOf(const std::vector<double>& points, const Numbers& triangles)
{
  double area = 0;
  for (std::size_t t = 0; t < triangles.size(); t += 3)
  {
    const double *a = &points[3 * triangles[t]], *b = &points[3 * triangles[t + 1]],
                 *c = &points[3 * triangles[t + 2]];
    const double twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    EXPECT_GT(twice, 0) << "triangle " << t / 3 << " is turned over or outside";
    area += twice / 2;
  }
  return area;
}

TEST(Triangulate, AHoleJoinedByABridgeStaysOpen)
{
  // As maps are exported: the ring, over the bridge around the hole the other way, and back. With the bridge's corners twice by
  // number, and by place.
  const std::vector<double> points{ 0, 0, 0, 10, 0, 0, 10, 10, 0, 0, 10, 0, 3, 3, 0, 3, 7, 0, 7, 7,
    0, 7, 3, 0, 3, 3, 0, 0, 0, 0 };
  for (const Numbers& corners :
    { Numbers{ 0, 1, 2, 3, 0, 4, 5, 6, 7, 4 }, Numbers{ 0, 1, 2, 3, 9, 4, 5, 6, 7, 8 } })
  {
    for (std::size_t start = 0; start < corners.size(); ++start)
    {
      Numbers turned = corners;
      std::rotate(
        turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(start), turned.end());
      Numbers triangles;
      triangulatePolygon(points, turned.data(), turned.size(), triangles);
      EXPECT_DOUBLE_EQ(areaOf(points, triangles), 84) << start;
    }
  }
}

TEST(Triangulate, AHoleOfManyCornersStaysOpen)
{
  constexpr int n = 200;
  const double pi = std::acos(-1.0);
  std::vector<double> points;
  Numbers corners;
  for (const double radius : { 10., 5. })
    for (int k = 0; k < n; ++k)
    {
      const double angle = 2 * pi * k / n;
      points.insert(points.end(), { radius * std::cos(angle), radius * std::sin(angle), 0 });
    }
  for (int k = 0; k <= n; ++k)
    corners.push_back(k % n);
  for (int k = n; k >= 0; --k)
    corners.push_back(n + k % n);
  Numbers triangles;
  triangulatePolygon(points, corners.data(), corners.size(), triangles);
  const double exact = 0.5 * n * std::sin(2 * pi / n) * (100 - 25);
  EXPECT_NEAR(areaOf(points, triangles), exact, 1e-9);
}

TEST(Triangulate, AQuadrilateralIsSplitAlikeFromEveryCornerAndInBothWindings)
{
  const std::vector<std::vector<double>> quads{
    { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0 },     // a tie
    { 0, 0, 5, 1, 0, 0, 1, 1, 5, 0, 1, 1 },     // 0 2 is shorter
    { 0, 0, 1, 1, 0, 5, 1, 1, 9, 0, 1, 5 },     // 1 3 is shorter
    { 0, 0, 0, 4, 0, 0, 1, 1, 0, 0, 4, 0 },     // concave at 2
    { 7, 7, 2, 8, 7, 2, 8, 8, 2, 7.5, 7.1, 2 }, // concave at 3
  };
  const std::set<std::set<std::int64_t>> at02{ { 0, 1, 2 }, { 0, 2, 3 } },
    at13{ { 0, 1, 3 }, { 1, 2, 3 } };
  const bool first[] = { true, true, false, true, false };
  for (std::size_t q = 0; q < quads.size(); ++q)
    for (int start = 0; start < 4; ++start)
      for (const int step : { 1, 3 })
      {
        Numbers corners, triangles;
        for (int k = 0; k < 4; ++k)
          corners.push_back((start + k * step) % 4);
        triangulateQuadrilateral(quads[q], corners.data(), triangles);
        EXPECT_EQ(setsOf(triangles), first[q] ? at02 : at13) << q << ' ' << start << ' ' << step;
        // The winding of the corners is kept: 0 comes before 1 as in the polygon.
        const auto at = std::find(triangles.begin(), triangles.end(), corners[0]);
        const auto k = (at - triangles.begin()) % 3;
        const std::int64_t next = *(at - k + (k + 1) % 3);
        EXPECT_NE(next, corners[3]);
      }
}

TEST(Triangulate, ACornerThatIsNotFiniteIsCutOff)
{
  for (std::size_t bad = 0; bad < 4; ++bad)
  {
    std::vector<double> points{ 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0 };
    points[3 * bad + 2] = std::numeric_limits<double>::quiet_NaN();
    Numbers triangles;
    const std::int64_t corners[] = { 0, 1, 2, 3 };
    triangulateQuadrilateral(points, corners, triangles);
    EXPECT_EQ(std::count(triangles.begin(), triangles.end(), static_cast<std::int64_t>(bad)), 1);
  }
}

TEST(Triangulate, AConcavePolygonIsCoveredExactly)
{
  // A star with ten corners, and a spiral-like U; areas by the shoelace formula.
  std::vector<std::vector<double>> polygons(2);
  for (int k = 0; k < 10; ++k)
  {
    const double r = k % 2 ? 1 : 3, a = 0.3 + 0.62831853071795862 * k;
    for (const double x : { r * std::cos(a), r * std::sin(a), 0.1 * k })
      polygons[0].push_back(x);
  }
  for (const double x : { 0., 0., 0., 5., 0., 0., 5., 4., 0., 4., 4., 0., 4., 1., 0., 1., 1., 0.,
         1., 4., 0., 0., 4., 0. })
    polygons[1].push_back(x);
  for (const auto& points : polygons)
  {
    const std::size_t n = points.size() / 3;
    double shoelace = 0;
    Numbers corners;
    for (std::size_t k = 0; k < n; ++k)
    {
      const std::size_t l = (k + 1) % n;
      shoelace += (points[3 * k] * points[3 * l + 1] - points[3 * l] * points[3 * k + 1]) / 2;
      corners.push_back(static_cast<std::int64_t>(k));
    }
    Numbers triangles;
    triangulatePolygon(points, corners.data(), n, triangles);
    EXPECT_EQ(triangles.size(), 3 * (n - 2));
    EXPECT_NEAR(areaOf(points, triangles), shoelace, 1e-12);
  }
}

TEST(Triangulate, AVerticalPolygonIsTriangulatedToo)
{
  const std::vector<double> points{ 2, 0, 0, 2, 5, 0, 2, 5, 3, 2, 2, 1, 2, 0, 3 }; // x = 2
  const std::int64_t corners[] = { 0, 1, 2, 3, 4 };
  Numbers triangles;
  triangulatePolygon(points, corners, 5, triangles);
  ASSERT_EQ(triangles.size(), 9u);
  double area = 0;
  for (std::size_t t = 0; t < 9; t += 3)
  {
    const double *a = &points[3 * triangles[t]], *b = &points[3 * triangles[t + 1]],
                 *c = &points[3 * triangles[t + 2]];
    const double twice = (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]);
    EXPECT_GT(twice, 0);
    area += twice / 2;
  }
  EXPECT_NEAR(area, 15 - 5, 1e-12);
}

TEST(Triangulate, FewCornersAndNoAreaAreNoTrouble)
{
  const std::vector<double> line{ 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0 };
  const std::int64_t corners[] = { 0, 1, 2, 3, 4 };
  for (std::size_t count = 0; count <= 5; ++count)
  {
    Numbers triangles;
    triangulatePolygon(line, corners, count, triangles);
    EXPECT_EQ(triangles.size(), count < 3 ? 0 : 3 * (count - 2));
  }
}

TEST(Triangulate, APolygonOfManyCornersIsCoveredExactly)
{
  // A wavy ring cut open, so that it is far from convex, wound either way.
  for (const int corners : { 102, 5000 })
    for (const bool clockwise : { false, true })
    {
      std::vector<double> points;
      std::vector<std::int64_t> polygon, triangles;
      double expected = 0;
      for (int i = 0; i < corners; ++i)
      {
        const int half = corners / 2, k = i < half ? i : corners - 1 - i;
        const double angle = 6 * k / static_cast<double>(half);
        const double r = (i < half ? 10 : 8) + std::sin(7 * angle);
        points.insert(
          points.end(), { r * std::cos(angle), r * std::sin(angle), 0.1 * std::sin(angle) });
        polygon.push_back(clockwise ? corners - 1 - i : i);
      }
      for (std::size_t i = 0; i < polygon.size(); ++i)
      {
        const double* a = &points[3 * polygon[i]];
        const double* b = &points[3 * polygon[(i + 1) % polygon.size()]];
        expected += 0.5 * (a[0] * b[1] - a[1] * b[0]);
      }
      triangulatePolygon(points, polygon.data(), polygon.size(), triangles);
      ASSERT_EQ(triangles.size(), 3u * (corners - 2));
      double sum = 0, sumOfSizes = 0;
      for (std::size_t t = 0; t < triangles.size(); t += 3)
      {
        const double* a = &points[3 * triangles[t]];
        const double* b = &points[3 * triangles[t + 1]];
        const double* c = &points[3 * triangles[t + 2]];
        const double area = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
        sum += area;
        sumOfSizes += std::abs(area);
      }
      // Equal sums: no triangle is turned or lies over another. 5000 terms rounded in the 16th digit.
      EXPECT_NEAR(sum, expected, 1e-10 * std::abs(expected));
      EXPECT_NEAR(sumOfSizes, std::abs(expected), 1e-10 * std::abs(expected));
    }
}

} // namespace
