// The winding number of many triangles at once against the sum over each of them.
#include "Bodies.h"

#include "BodyFill/WindingNumber.h"
#include "Math/TriangleMeasures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace lapilli;
using namespace lapilli::test;

namespace
{

struct Triangles
{
  std::vector<Vec3d> points;
  std::vector<TriangleCorners> corners;

  explicit Triangles(const Surface& surface)
  {
    for (std::size_t p = 0; p < surface.points.size(); p += 3)
      points.push_back({ surface.points[p], surface.points[p + 1], surface.points[p + 2] });
    for (std::size_t c = 0; c < surface.triangles.size(); c += 3)
      corners.push_back({ static_cast<std::uint32_t>(surface.triangles[c]),
        static_cast<std::uint32_t>(surface.triangles[c + 1]),
        static_cast<std::uint32_t>(surface.triangles[c + 2]) });
  }

  double winding(const Vec3d& q) const
  {
    double sum = 0;
    for (const TriangleCorners& c : corners)
      sum += solidAngle(q, points[c[0]], points[c[1]], points[c[2]]);
    return sum / (4 * std::acos(-1.0));
  }
};

Vec3d randomIn(std::mt19937& random, double half)
{
  std::uniform_real_distribution<double> uniform(-half, half);
  const double x = uniform(random), y = uniform(random), z = uniform(random);
  return { x, y, z };
}

} // namespace

TEST(SolidAngle, OfAnOctantIsAnEighthOfAllDirections)
{
  const Vec3d x{ 1, 0, 0 }, y{ 0, 1, 0 }, z{ 0, 0, 1 };
  // Rounding of atan2 alone.
  EXPECT_NEAR(solidAngle({}, x, y, z), std::acos(-1.0) / 2, 1e-15);
  EXPECT_NEAR(solidAngle({}, x, z, y), -std::acos(-1.0) / 2, 1e-15);
  EXPECT_EQ(solidAngle({ 0.2, 0.2, 0 }, { 0, 0, 0 }, x, y), 0);
}

TEST(WindingNumber, IsOneInsideAndZeroOutside)
{
  const Triangles ball(sphere({ 0, 0, 0 }, 1, 4)), ring(torus(2, 0.7, 60, 30));
  const WindingNumber inBall(ball.points, ball.corners), inRing(ring.points, ring.corners);
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i)
  {
    const Vec3d q = randomIn(random, 3);
    const double r = length(q), tube = std::hypot(std::hypot(q.x, q.y) - 2, q.z);
    // The polyhedra are thinner than the shapes by less than a hundredth of their radius. 0.02: the series' error.
    if (std::abs(r - 1) > 0.02)
    {
      EXPECT_NEAR(inBall(q), r < 1 ? 1 : 0, 0.02) << i;
    }
    if (std::abs(tube - 0.7) > 0.05)
    {
      EXPECT_NEAR(inRing(q), tube < 0.7 ? 1 : 0, 0.02) << i;
    }
  }
}

TEST(WindingNumber, IsTheSumOfSolidAnglesForAnySoup)
{
  std::mt19937 random(2);
  const Triangles all(soup(torus(2, 0.7, 40, 20)));
  const WindingNumber coarse(all.points, all.corners, 2), fine(all.points, all.corners, 6);
  double worstCoarse = 0, worstFine = 0;
  for (int i = 0; i < 1000; ++i)
  {
    const Vec3d q = randomIn(random, 4);
    const double exact = all.winding(q);
    worstCoarse = std::max(worstCoarse, std::abs(coarse(q) - exact));
    worstFine = std::max(worstFine, std::abs(fine(q) - exact));
  }
  // A series of two terms at beta = 2: the third is of the order of beta^-3 of a group's share; at 6 it is 27 times less.
  EXPECT_LT(worstCoarse, 0.02);
  EXPECT_LT(worstFine, 0.001);
  EXPECT_GT(worstCoarse, worstFine); // the tree is at work at all
}

TEST(WindingNumber, OfNothingIsZeroAndOfOneTriangleItsAngle)
{
  EXPECT_EQ(WindingNumber({}, {})({ 1, 2, 3 }), 0);
  const std::vector<Vec3d> points = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  EXPECT_NEAR(WindingNumber(points, { { 0, 1, 2 } })({}), 0.125, 1e-15);
}

TEST(TriangleTree, FindsTheNearestAsALoopDoes)
{
  std::mt19937 random(3);
  const Triangles all(torus(2, 0.7, 40, 20));
  const TriangleTree tree(all.points, all.corners);
  for (int i = 0; i < 500; ++i)
  {
    const Vec3d q = randomIn(random, 4);
    double square = 1e300;
    for (const TriangleCorners& c : all.corners)
      square = std::min(square, squaredLength(q - nearestOnTriangle(q, all.points[c[0]],
                                                    all.points[c[1]], all.points[c[2]])));
    EXPECT_EQ(tree.distance(q, 1e150), std::sqrt(square));
    EXPECT_EQ(tree.distance(q, 0.1), std::min(0.1, std::sqrt(square)));
  }
}
