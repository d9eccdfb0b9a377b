// Ways through the tree of boxes, against brute force.
#include "Trees.h"

#include "Math/TriangleMeasures.h"
#include "Terrains.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

using namespace lapilli;
using namespace lapilli::cpu;
using namespace lapilli::test;

namespace
{

using Pair = std::pair<Index, Index>;

const double kInfinity = std::numeric_limits<double>::infinity();

Pair ordered(Index a, Index b)
{
  return { std::min(a, b), std::max(a, b) };
}

bool touch(const Sphere& a, const Sphere& b)
{
  const double reach = a.radius + b.radius;
  return squaredLength(a.position - b.position) <= reach * reach;
}

/// Triangles with the tree over their boxes.
class TriangleGrove
{
public:
  explicit TriangleGrove(const Surface& surface, CurveAxes axes = CurveAxes::Auto)
  {
    std::vector<FloatBox> boxes;
    for (std::size_t t = 0; t < surface.triangles.size(); t += 3)
    {
      std::array<Vec3d, 3> corners;
      Box box;
      for (int c = 0; c < 3; ++c)
      {
        const double* p = &surface.points[3 * surface.triangles[t + c]];
        corners[c] = { p[0], p[1], p[2] };
        box += corners[c];
      }
      triangles.push_back(corners);
      boxes.push_back(outwardBox(box));
    }
    buffer_.upload(boxes);
    tree_.build(Executor(1), buffer_, axes);
  }

  double squaredDistanceTo(std::size_t i, const Vec3d& p) const
  {
    const auto& [a, b, c] = triangles[i];
    return squaredLength(p - nearestOnTriangle(p, a, b, c));
  }

  /// Way along a ray, from both sides: T. Möller, B. Trumbore, J. Graphics Tools 2 (1997) 21-28.
  double wayTo(std::size_t i, const Vec3d& origin, const Vec3d& direction) const
  {
    const auto& [a, b, c] = triangles[i];
    const Vec3d ab = b - a, ac = c - a, across = cross(direction, ac);
    const double determinant = dot(ab, across);
    if (determinant == 0)
      return kInfinity;
    const Vec3d from = origin - a;
    const double u = dot(from, across) / determinant;
    const Vec3d up = cross(from, ab);
    const double v = dot(direction, up) / determinant;
    const double t = dot(ac, up) / determinant;
    return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 ? t : kInfinity;
  }

  double nearest(const Vec3d& p, double squaredReach = kInfinity) const
  {
    const BvhView tree = tree_.view();
    const BvhNearest found = tree.nearest(
      p, squaredReach, [&](Index place) { return squaredDistanceTo(tree.order[place], p); });
    return found.place < 0 ? kInfinity : found.value;
  }
  double nearestOfAll(const Vec3d& p) const
  {
    double least = kInfinity;
    for (std::size_t i = 0; i < triangles.size(); ++i)
      least = std::min(least, squaredDistanceTo(i, p));
    return least;
  }

  double firstHit(const Vec3d& origin, const Vec3d& direction, double limit = kInfinity) const
  {
    const BvhView tree = tree_.view();
    const BvhNearest found = tree.firstHit(origin, direction, limit,
      [&](Index place) { return wayTo(tree.order[place], origin, direction); });
    return found.place < 0 ? kInfinity : found.value;
  }
  double firstHitOfAll(const Vec3d& origin, const Vec3d& direction) const
  {
    double least = kInfinity;
    for (std::size_t i = 0; i < triangles.size(); ++i)
      least = std::min(least, wayTo(i, origin, direction));
    return least;
  }

  std::vector<std::array<Vec3d, 3>> triangles;

private:
  Buffer<FloatBox> buffer_;
  LinearBvh tree_;
};

/// How many boxes a way through the tree looks at.
struct CountingMeets
{
  FloatBox box;
  int* looks;
  bool operator()(const FloatBox& other) const
  {
    ++*looks;
    return overlap(box, other);
  }
};

} // namespace

TEST(BvhTraverse, MeetsEachPairOfBoxesExactlyOnce)
{
  for (const TreeScene& scene : hardScenes())
  {
    for (const CurveAxes axes : { CurveAxes::Two, CurveAxes::Three })
    {
      const std::vector<FloatBox> boxes = boxesOf(scene.spheres);
      const Index count = static_cast<Index>(boxes.size());
      const Grove grove(boxes, axes);
      const BvhView tree = grove.tree.view();
      std::vector<Pair> found, expected;
      for (Index place = 0; place < count; ++place)
      {
        Index former = place;
        tree.forEachPairOf(place,
          [&](Index other)
          {
            EXPECT_GT(other, former) << "places ascend";
            former = other;
            found.push_back(ordered(tree.order[place], tree.order[other]));
          });
      }
      for (Index i = 0; i < count; ++i)
        for (Index j = i + 1; j < count; ++j)
          if (overlap(boxes[i], boxes[j]))
            expected.push_back({ i, j });
      std::sort(found.begin(), found.end());
      EXPECT_FALSE(expected.empty()) << scene.name;
      EXPECT_EQ(found, expected) << scene.name;
    }
  }
}

TEST(BvhTraverse, KnowsTheBoxesOfItsLeaves)
{
  for (const int count : { 1, 2, 3, 50 })
  {
    const std::vector<FloatBox> all = boxesOf(hardScenes()[1].spheres);
    const std::vector<FloatBox> boxes(all.begin(), all.begin() + count);
    const Grove grove(boxes);
    const BvhView tree = grove.tree.view();
    for (Index place = 0; place < count; ++place)
    {
      const FloatBox box = tree.boxOf(place), &expected = boxes[tree.order[place]];
      EXPECT_EQ(squaredLength(box.lower - expected.lower), 0);
      EXPECT_EQ(squaredLength(box.upper - expected.upper), 0);
    }
  }
}

TEST(BvhTraverse, FindsEachPairOfSpheresThatTouch)
{
  for (const TreeScene& scene : hardScenes())
  {
    if (scene.name == "huge" || scene.name == "tiny")
      continue; // squares are no longer numbers
    const std::vector<Sphere>& spheres = scene.spheres;
    const Index count = static_cast<Index>(spheres.size());
    const Grove grove(boxesOf(spheres));
    const BvhView tree = grove.tree.view();
    std::vector<Pair> behind, within, expected;
    for (Index place = 0; place < count; ++place)
    {
      const Index i = tree.order[place];
      tree.forEachOverlapBehind(place, outwardBox(spheres[i]),
        [&](Index other)
        {
          if (touch(spheres[i], spheres[tree.order[other]]))
            behind.push_back(ordered(i, tree.order[other]));
        });
      tree.forEachWithin(spheres[i].position, spheres[i].radius,
        [&](Index other)
        {
          if (other > place && touch(spheres[i], spheres[tree.order[other]]))
            within.push_back(ordered(i, tree.order[other]));
        });
    }
    for (Index i = 0; i < count; ++i)
      for (Index j = i + 1; j < count; ++j)
        if (touch(spheres[i], spheres[j]))
          expected.push_back({ i, j });
    std::sort(behind.begin(), behind.end());
    std::sort(within.begin(), within.end());
    EXPECT_FALSE(expected.empty()) << scene.name;
    EXPECT_EQ(behind, expected) << scene.name;
    EXPECT_EQ(within, expected) << scene.name;
  }
}

// Spheres in a lattice touch in one point, which rounding must not take away, here and 20 km away.
TEST(BvhTraverse, MissesNoneThatJustTouch)
{
  for (const double far : { 0.0, 2e4, 1e7 })
  {
    const std::vector<Sphere> spheres = spheresAt(1000,
      [&](RandomStream&, int i) {
        return Sphere{ { far + i % 10, far + i / 10 % 10, 0.0 + i / 100 }, 0.5 };
      });
    const Grove grove(boxesOf(spheres));
    const BvhView tree = grove.tree.view();
    int touching = 0;
    for (Index place = 0; place < 1000; ++place)
    {
      const Sphere& sphere = spheres[tree.order[place]];
      tree.forEachOverlapBehind(place, outwardBox(sphere),
        [&](Index other) { touching += touch(sphere, spheres[tree.order[other]]) ? 1 : 0; });
    }
    EXPECT_EQ(touching, 3 * 10 * 10 * 9) << far;
  }
}

TEST(BvhTraverse, FindsWhatHoldsAPoint)
{
  for (const TreeScene& scene : hardScenes())
  {
    const std::vector<FloatBox> boxes = boxesOf(scene.spheres);
    const Grove grove(boxes);
    const BvhView tree = grove.tree.view();
    RandomStream random(4, RandomStream::Positions);
    for (int i = 0; i < 300; ++i)
    {
      // Near spheres, and on the corners of boxes.
      const std::size_t chosen = random.below(boxes.size());
      const Vec3d off{ random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2) };
      const Vec3d p =
        i % 3 == 0 ? boxes[chosen].lower.to<double>() : scene.spheres[chosen].position + off;
      std::vector<Index> found, expected;
      tree.forEachAt(p, [&](Index place) { found.push_back(tree.order[place]); });
      std::sort(found.begin(), found.end());
      for (std::size_t j = 0; j < boxes.size(); ++j)
        if (squaredDistance(boxes[j], p) == 0)
          expected.push_back(static_cast<Index>(j));
      ASSERT_EQ(found, expected) << scene.name;
    }
    tree.forEachAt({ 0, std::nan(""), 0 }, [&](Index) { FAIL() << "not a number is nowhere"; });
  }
}

// A tree that looks at every box would pass every other test.
TEST(BvhTraverse, LooksAtFewBoxes)
{
  const std::vector<FloatBox> boxes = boxesOf(spheresAt(100000,
    [](RandomStream& random, int)
    {
      const double x = random.uniform(0, 80), y = random.uniform(0, 80);
      return Sphere{ { x, y, random.uniform(0, 80) }, 0.5 };
    }));
  const Grove grove(boxes);
  int looks = 0;
  for (Index i = 0; i < 1000; ++i)
    grove.tree.view().forEach(CountingMeets{ boxes[i], &looks }, [](Index) {});
  EXPECT_LT(looks, 1000 * 400); // of 200,000
}

// One far away makes all others fall into a few cells of the curve.
TEST(BvhTraverse, LooksAtFewBoxesBesideOneFarAway)
{
  std::vector<Sphere> spheres = spheresAt(20000,
    [](RandomStream& random, int)
    {
      const double x = random.uniform(0, 40), y = random.uniform(0, 40);
      return Sphere{ { x, y, random.uniform(0, 40) }, 0.5 };
    });
  spheres.push_back({ { 1e5, 0, 0 }, 0.5 });
  const std::vector<FloatBox> boxes = boxesOf(spheres);
  const Grove grove(boxes);
  int looks = 0;
  for (Index i = 0; i < 1000; ++i)
    grove.tree.view().forEach(CountingMeets{ boxes[i], &looks }, [](Index) {});
  EXPECT_LT(looks, 1000 * 400); // of 40,000
}

TEST(BvhTraverse, FindsTheNearestTriangleOfMaungaWhau)
{
  const Surface surface = maungaWhau(LAPILLI_DATA);
  for (const CurveAxes axes : { CurveAxes::Two, CurveAxes::Three })
  {
    const TriangleGrove grove(surface, axes);
    ASSERT_EQ(grove.triangles.size(), 86u * 60u * 2u);
    const Vec3d middle = grove.triangles[86 * 60 + 86].front();
    RandomStream random(5, RandomStream::Positions);
    for (int i = 0; i < 300; ++i)
    {
      const double x = random.uniform(-600, 600), y = random.uniform(-600, 600);
      const Vec3d p = middle + Vec3d{ x, y, random.uniform(-200, 300) };
      const double least = grove.nearestOfAll(p);
      EXPECT_EQ(grove.nearest(p), least);
      EXPECT_EQ(grove.nearest(p, 1.0001 * least), least);
      EXPECT_EQ(grove.nearest(p, 0.9999 * least), kInfinity);
      EXPECT_EQ(grove.nearest(p, least), kInfinity) << "only those that are nearer";
    }
    const Vec3d corner = grove.triangles[777][1];
    EXPECT_EQ(grove.nearest(corner), 0);
    EXPECT_EQ(grove.nearest({ std::nan(""), 0, 0 }), kInfinity);
  }
}

TEST(BvhTraverse, FindsWhatARayMeetsFirstOnMaungaWhau)
{
  const TriangleGrove grove(maungaWhau(LAPILLI_DATA));
  const Vec3d middle = grove.triangles[86 * 60 + 86].front();
  RandomStream random(6, RandomStream::Positions);
  int hits = 0;
  for (int i = 0; i < 600; ++i)
  {
    const double x = random.uniform(-500, 500), y = random.uniform(-400, 400);
    Vec3d origin = middle + Vec3d{ x, y, random.uniform(-100, 200) };
    if (i % 4 == 0) // through corners, on the borders of boxes
      origin = { grove.triangles[17 * i][0].x, grove.triangles[17 * i][0].y, origin.z };
    Vec3d direction{ random.normal(), random.normal(), random.normal() };
    if (i % 2 == 0)
      direction = { 0, 0, i % 8 < 6 ? -2.0 : 0.5 };
    else if (i % 5 == 0)
      direction = { direction.x, -0.0, 0 };
    const double first = grove.firstHitOfAll(origin, direction);
    EXPECT_EQ(grove.firstHit(origin, direction), first) << i;
    if (first < kInfinity)
    {
      ++hits;
      EXPECT_EQ(grove.firstHit(origin, direction, 1.0001 * first), first);
      EXPECT_EQ(grove.firstHit(origin, direction, 0.9999 * first), kInfinity);
    }
  }
  EXPECT_GT(hits, 200);
  EXPECT_LT(hits, 500);
  EXPECT_EQ(grove.firstHit(middle, { std::nan(""), 0, 1 }), kInfinity);
}

TEST(BvhTraverse, OfTreesWithoutAndWithOneLeafNearestAndRay)
{
  const Grove none({});
  const auto value = [](Index) { return 2.0; };
  EXPECT_EQ(none.tree.view().nearest({}, 10, value).place, -1);
  EXPECT_EQ(none.tree.view().firstHit({}, { 0, 0, 1 }, 10, value).place, -1);
  none.tree.view().forEachWithin({}, 1e9, [](Index) { FAIL() << "nothing is there"; });
  const Grove one({ outwardBox(Vec3d{ 0, 0, 2 }, 1) });
  EXPECT_EQ(one.tree.view().nearest({}, 10, value).place, 0);
  EXPECT_EQ(one.tree.view().nearest({}, 1, value).place, -1);
  EXPECT_EQ(one.tree.view().firstHit({}, { 0, 0, 1 }, 10, value).value, 2);
  int found = 0;
  one.tree.view().forEachWithin({}, 1.5, [&](Index) { ++found; });
  one.tree.view().forEachWithin({}, 0.5, [&](Index) { found += 10; });
  one.tree.view().forEachOverlapBehind(
    0, outwardBox(Vec3d{ 0, 0, 2 }, 1), [&](Index) { found += 100; });
  EXPECT_EQ(found, 1);
}
