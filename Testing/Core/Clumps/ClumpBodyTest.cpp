#include "Clumps/ClumpBody.h"

#include "ClumpShapes.h"
#include "Compare.h"
#include "Error.h"
#include "Math/Random.h"

#include <algorithm>
#include <limits>

namespace
{

using namespace lapilli;
using test::agrees;

const double pi = std::acos(-1.0);
const double unitVolume = 4 * pi / 3;
const double allowed = 2e-4;

ClumpShape spheres(const std::vector<std::array<double, 4>>& list)
{
  ClumpShape shape;
  shape.name = "pebble";
  for (const auto& s : list)
  {
    shape.centers.insert(shape.centers.end(), { s[0], s[1], s[2] });
    shape.radii.push_back(s[3]);
  }
  return shape;
}

/// An irregular one, of overlapping spheres.
ClumpShape lump()
{
  return spheres({ { 0, 0, 0, 1 }, { 1.1, 0.2, -0.3, 0.8 }, { -0.4, 1.3, 0.5, 0.6 },
    { 0.3, 0.1, 1.4, 0.9 }, { -1.2, -0.6, -0.5, 0.5 } });
}

/// Scaled, turned and moved.
ClumpShape moved(ClumpShape shape, double scale, const Quatd& turn, const Vec3d& by)
{
  for (std::size_t i = 0; i < shape.count(); ++i)
  {
    double* c = &shape.centers[3 * i];
    const Vec3d p = scale * rotate(turn, Vec3d{ c[0], c[1], c[2] }) + by;
    c[0] = p.x;
    c[1] = p.y;
    c[2] = p.z;
    shape.radii[i] *= scale;
  }
  return shape;
}

std::array<double, 3> sorted(const Vec3d& v)
{
  std::array<double, 3> a{ v.x, v.y, v.z };
  std::sort(a.begin(), a.end());
  return a;
}

double volume(const ClumpBody& body)
{
  return unitVolume / std::pow(body.scale, 3);
}

std::string refusal(const ClumpShape& shape)
{
  try
  {
    makeClumpBody(shape);
  }
  catch (const InvalidInput& error)
  {
    return error.what();
  }
  return "accepted";
}

TEST(ClumpBody, SingleSphere)
{
  const ClumpBody body = makeClumpBody(spheres({ { 5, -7, 11, 3 } }));
  ASSERT_EQ(1u, body.radii.size());
  EXPECT_TRUE(agrees(body.inertia, Vec3d{ 0.4, 0.4, 0.4 }, allowed, 0.4));
  EXPECT_TRUE(agrees(body.radii[0], 1, allowed));
  EXPECT_TRUE(agrees(body.scale, 1. / 3, allowed));
  EXPECT_TRUE(agrees(body.centers[0], Vec3d{}, 1e-9, 1));
  EXPECT_TRUE(agrees(body.centerOfMass, Vec3d{ 5, -7, 11 }, 1e-9, 1));
  EXPECT_TRUE(agrees(body.boundingRadius, 1, allowed));
  EXPECT_TRUE(agrees(body.greatestMobility, 1, 1e-9));
  EXPECT_DOUBLE_EQ(1, body.principalAxes.w);
}

/// Two unit spheres d apart are two equal pieces, each a ball cut by a plane d/2 from its center.
/// All integrals along the line between them are of polynomials.
TEST(ClumpBody, TwoOverlappingSpheres)
{
  for (const double d : { 0.1, 0.7, 1.3, 1.9, 2.0 })
  {
    const double c = d / 2;
    // Integrals from -c to 1 of (1 - u^2)^2 and (1 - u^2) (u + c)^2.
    const auto f = [](double u) { return u - 2 * u * u * u / 3 + std::pow(u, 5) / 5; };
    const auto g = [c](double u)
    {
      return c * c * u + c * u * u + (1 - c * c) * u * u * u / 3 - c * std::pow(u, 4) / 2 -
             std::pow(u, 5) / 5;
    };
    const double v = 2 * unitVolume - pi * (4 + d) * (2 - d) * (2 - d) / 12;
    const double along = pi * (f(1) - f(-c)) / v;
    const double across = along / 2 + 2 * pi * (g(1) - g(-c)) / v;

    for (const Quatd& turn :
      { Quatd{}, about({ 0, 0, 1 }, pi / 2), about({ 0, 1, 0 }, pi / 2), about({ 1, 2, -1 }, 1.1) })
    {
      SCOPED_TRACE(d);
      const ClumpBody body = makeClumpBody(
        moved(spheres({ { -c, 0, 0, 1 }, { c, 0, 0, 1 } }), 1, turn, { 0.3, 0.1, -0.2 }));
      EXPECT_TRUE(agrees(volume(body), v, allowed));
      const auto moments = sorted((1 / (body.scale * body.scale)) * body.inertia);
      EXPECT_TRUE(agrees(moments[0], along, allowed));
      EXPECT_TRUE(agrees(moments[1], across, allowed));
      EXPECT_TRUE(agrees(moments[2], across, allowed));
      EXPECT_TRUE(agrees(body.centerOfMass, Vec3d{ 0.3, 0.1, -0.2 }, 1e-4, 1));
    }
  }
}

TEST(ClumpBody, DisjointSpheresByParallelAxes)
{
  const ClumpShape shape =
    spheres({ { 0, 0, 0, 1 }, { 3, 0, 0, 0.5 }, { 0, 4, 0, 0.8 }, { 0, 0, 5, 0.2 } });
  double v = 0, xx[3][3] = {};
  Vec3d mean;
  for (std::size_t i = 0; i < shape.count(); ++i)
  {
    const double m = unitVolume * std::pow(shape.radii[i], 3);
    v += m;
    mean += m * Vec3d{ shape.centers[3 * i], shape.centers[3 * i + 1], shape.centers[3 * i + 2] };
  }
  mean *= 1 / v;
  for (std::size_t i = 0; i < shape.count(); ++i)
  {
    const double r = shape.radii[i], m = unitVolume * r * r * r / v;
    const double d[3] = { shape.centers[3 * i] - mean.x, shape.centers[3 * i + 1] - mean.y,
      shape.centers[3 * i + 2] - mean.z };
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        xx[a][b] += m * (d[a] * d[b] + (a == b ? r * r / 5 : 0));
  }
  const ClumpBody body = makeClumpBody(shape);
  EXPECT_TRUE(agrees(volume(body), v, allowed));
  EXPECT_TRUE(agrees(body.centerOfMass, mean, 1e-4, 1));
  // The tensor itself, from the principal moments and axes.
  const double s = 1 / (body.scale * body.scale);
  const Vec3d axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  const double trace = xx[0][0] + xx[1][1] + xx[2][2];
  for (int a = 0; a < 3; ++a)
  {
    const Vec3d p = rotate(body.principalAxes, axes[a]);
    const Vec3d l = rotateBack(body.principalAxes,
      s * Vec3d{ body.inertia.x * p.x, body.inertia.y * p.y, body.inertia.z * p.z });
    const Vec3d expected = trace * axes[a] - Vec3d{ xx[0][a], xx[1][a], xx[2][a] };
    EXPECT_TRUE(agrees(l, expected, allowed, trace));
  }
}

TEST(ClumpBody, DisjointSpheresFarApart)
{
  // A speck far away weighs little and turns much.
  const double r = 0.01, d = 1000, m = r * r * r / (1 + r * r * r);
  const ClumpBody body = makeClumpBody(spheres({ { 0, 0, 0, 1 }, { d, 0, 0, r } }));
  const auto moments = sorted((1 / (body.scale * body.scale)) * body.inertia);
  EXPECT_TRUE(agrees(moments[0], 0.4 * (1 - m) + 0.4 * m * r * r, allowed));
  EXPECT_TRUE(agrees(moments[1], moments[2], 1e-12));
  EXPECT_TRUE(agrees(moments[2], moments[0] + m * (1 - m) * d * d, allowed));
}

TEST(ClumpBody, SphereInsideAnotherCountsNothing)
{
  const ClumpBody body = makeClumpBody(spheres({ { 0, 0, 0, 1 }, { 0.2, 0.1, 0, 0.5 } }));
  EXPECT_TRUE(agrees(volume(body), unitVolume, allowed));
  EXPECT_TRUE(agrees(body.inertia, Vec3d{ 0.4, 0.4, 0.4 }, allowed, 0.4));
  EXPECT_TRUE(agrees(body.greatestMobility, 1, 1e-3));
}

TEST(ClumpBody, StandardShapesHaveTheirSymmetries)
{
  const ClumpBody cube = makeClumpBody(standardShape("cube"));
  const ClumpBody tetrapod = makeClumpBody(standardShape("tetrapod"));
  for (const ClumpBody* body : { &cube, &tetrapod })
  {
    EXPECT_TRUE(agrees(body->inertia.x, body->inertia.y, allowed));
    EXPECT_TRUE(agrees(body->inertia.y, body->inertia.z, allowed));
    EXPECT_DOUBLE_EQ(1, body->principalAxes.w);
    EXPECT_GT(body->inertia.x, 0.4); // the sphere has the least
  }
  const ClumpBody disc = makeClumpBody(standardShape("disc"));
  EXPECT_TRUE(agrees(disc.inertia.x, disc.inertia.y, allowed));
  EXPECT_GT(disc.inertia.z, 1.5 * disc.inertia.x);
  EXPECT_DOUBLE_EQ(1, disc.principalAxes.w);
  const ClumpBody bar = makeClumpBody(standardShape("bar"));
  EXPECT_TRUE(agrees(bar.inertia.y, bar.inertia.z, allowed));
  EXPECT_LT(bar.inertia.x, 0.3 * bar.inertia.y);
  EXPECT_DOUBLE_EQ(1, bar.principalAxes.w);
}

TEST(ClumpBody, StandardShapesHaveTheirProportions)
{
  EXPECT_EQ((std::vector<std::string>{ "disc", "bar", "cube", "tetrapod" }), standardShapeNames());
  for (const std::string& name : standardShapeNames())
  {
    SCOPED_TRACE(name);
    const ClumpShape shape = standardShape(name);
    EXPECT_EQ(name, shape.name);
    EXPECT_LE(shape.count(), 27u);
    const ClumpBody body = makeClumpBody(shape);
    Vec3d upper{ -9, -9, -9 };
    for (std::size_t i = 0; i < body.radii.size(); ++i)
      upper = { std::max(upper.x, body.centers[i].x + body.radii[i]),
        std::max(upper.y, body.centers[i].y + body.radii[i]),
        std::max(upper.z, body.centers[i].z + body.radii[i]) };
    const double expected = name == "disc" ? 3 : name == "bar" ? 4 : 1;
    EXPECT_TRUE(agrees(upper.x / upper.z, expected, 0.01));
    EXPECT_GT(body.greatestMobility, 1);
    EXPECT_GT(body.boundingRadius, 1);
  }
  EXPECT_THROW(standardShape("ball"), InvalidInput);
  try
  {
    standardShape("ball");
  }
  catch (const InvalidInput& error)
  {
    EXPECT_STREQ("the shape is 'ball'; it must be one of disc, bar, cube, tetrapod", error.what());
  }
}

/// Rays down on a face from outside: how deep its dimples are, in edges.
TEST(ClumpBody, CubeHasFlatFaces)
{
  const ClumpShape cube = standardShape("cube");
  double deepest = 0;
  for (double x = -0.6; x < 0.61; x += 0.05)
    for (double y = -0.6; y < 0.61; y += 0.05)
    {
      double top = -1;
      for (std::size_t i = 0; i < cube.count(); ++i)
      {
        const double dx = x - cube.centers[3 * i], dy = y - cube.centers[3 * i + 1];
        const double left = cube.radii[i] * cube.radii[i] - dx * dx - dy * dy;
        if (left >= 0)
          top = std::max(top, cube.centers[3 * i + 2] + std::sqrt(left));
      }
      EXPECT_LE(top, 1 + 1e-12);
      deepest = std::max(deepest, (1 - top) / 2);
    }
  EXPECT_LT(deepest, 1. / 12);
}

TEST(ClumpBody, MobilityOfADumbbell)
{
  // Two spheres 2 c apart, disjoint: the arm is c at most, across; the moments by parallel axes.
  const double c = 1.5;
  const ClumpBody body = makeClumpBody(spheres({ { -c, 0, 0, 1 }, { c, 0, 0, 1 } }));
  EXPECT_TRUE(agrees(body.greatestMobility, 1 + c * c / (0.4 + c * c), 1e-3));
}

TEST(ClumpBody, ScaleAndPlaceDoNotCount)
{
  const ClumpBody a = makeClumpBody(lump());
  for (const double scale : { 1e-6, 0.03, 1.0, 700.0, 1e9 })
  {
    const ClumpBody b = makeClumpBody(moved(lump(), scale, Quatd{}, scale * Vec3d{ 30, -20, 10 }));
    EXPECT_TRUE(agrees(b.inertia, a.inertia, 1e-5, 1));
    EXPECT_TRUE(agrees(b.greatestMobility, a.greatestMobility, 1e-4));
    for (std::size_t i = 0; i < a.radii.size(); ++i)
    {
      EXPECT_TRUE(agrees(b.radii[i], a.radii[i], 1e-5));
      EXPECT_TRUE(agrees(b.centers[i], a.centers[i], 1e-4, 1));
    }
  }
}

TEST(ClumpBody, OrientationDoesNotCount)
{
  const ClumpBody a = makeClumpBody(lump());
  RandomStream random(3, RandomStream::Positions);
  for (int k = 0; k < 10; ++k)
  {
    const double u1 = random.uniform(), u2 = random.uniform(), u3 = random.uniform();
    const Quatd turn = uniformOrientation(u1, u2, u3);
    const ClumpShape shape = moved(lump(), 1, turn, {});
    const ClumpBody b = makeClumpBody(shape);
    EXPECT_TRUE(agrees(b.scale, a.scale, allowed));
    const auto p = sorted(a.inertia), q = sorted(b.inertia);
    for (int i = 0; i < 3; ++i)
      EXPECT_TRUE(agrees(q[i], p[i], allowed));
    EXPECT_TRUE(agrees(b.greatestMobility, a.greatestMobility, 0.02));
    // The principal frame is the shape's, turned back: a rotation, never a mirror.
    for (std::size_t i = 0; i < b.radii.size(); ++i)
    {
      const Vec3d own{ shape.centers[3 * i], shape.centers[3 * i + 1], shape.centers[3 * i + 2] };
      EXPECT_TRUE(agrees(
        rotateBack(b.principalAxes, b.centers[i]), b.scale * (own - b.centerOfMass), 1e-12, 1));
    }
    EXPECT_NEAR(1, squaredLength(b.principalAxes), 1e-14);
  }
}

TEST(ClumpBody, EqualMomentsOfATurnedShape)
{
  // A bar along any direction: its own axis holds the smallest moment and the centers lie on it.
  RandomStream random(5, RandomStream::Positions);
  for (int k = 0; k < 10; ++k)
  {
    const double u1 = random.uniform(), u2 = random.uniform(), u3 = random.uniform();
    const ClumpBody b =
      makeClumpBody(moved(standardShape("bar"), 1, uniformOrientation(u1, u2, u3), {}));
    const auto m = sorted(b.inertia);
    EXPECT_EQ(m[1], m[2]);
    const Vec3d end = normalized(b.centers[0]);
    const double along =
      end.x * end.x * b.inertia.x + end.y * end.y * b.inertia.y + end.z * end.z * b.inertia.z;
    EXPECT_TRUE(agrees(along, m[0], 1e-4));
  }
}

TEST(ClumpBody, Refusals)
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ("shape 'pebble' has no spheres; it must have 1 to 1000", refusal(spheres({})));

  EXPECT_EQ("shape 'pebble' has 1001 spheres; it must have 1 to 1000",
    refusal(spheres(std::vector<std::array<double, 4>>(1001, { 0, 0, 0, 1 }))));

  ClumpShape shape = standardShape("bar");
  shape.radii[3] = -1;
  EXPECT_EQ(
    "sphere 3 of shape 'bar' has a radius of -1; it must be finite and above 0", refusal(shape));
  for (const double radius : { 0.0, nan, infinite })
  {
    shape.radii[3] = radius;
    EXPECT_EQ(0u, refusal(shape).find("sphere 3 of shape 'bar' has a radius of "));
  }

  for (const double x : { nan, infinite })
    for (int axis = 0; axis < 3; ++axis)
    {
      shape = standardShape("bar");
      shape.centers[3 * 4 + axis] = x;
      EXPECT_EQ(0u, refusal(shape).find("sphere 4 of shape 'bar' has its center at ("));
    }

  shape = standardShape("bar");
  shape.centers.pop_back();
  EXPECT_EQ("shape 'bar' has 5 radii and 14 numbers for centers; it must have three of these for "
            "each radius",
    refusal(shape));
  shape.radii.clear();
  EXPECT_EQ(0u, refusal(shape).find("shape 'bar' has 0 radii and 14 numbers"));

  const std::string none = "shape 'pebble' has no volume that can be measured";
  EXPECT_EQ(0u, refusal(spheres({ { 1e300, 0, 0, 1 }, { -1e300, 0, 0, 1 } })).find(none));
  EXPECT_EQ(0u, refusal(spheres({ { 1e200, 0, 0, 1e-200 }, { 0, 0, 0, 1e-200 } })).find(none));
  EXPECT_EQ("accepted", refusal(spheres({ { 0, 0, 0, 1e-200 } })));
}

TEST(ClumpBody, ThousandSpheres)
{
  RandomStream random(9, RandomStream::Positions);
  std::vector<std::array<double, 4>> list;
  for (int i = 0; i < 1000; ++i)
  {
    const double x = random.uniform(-3, 3), y = random.uniform(-3, 3), z = random.uniform(-3, 3);
    list.push_back({ x, y, z, random.uniform(0.1, 1) });
  }
  const ClumpBody body = makeClumpBody(spheres(list));
  EXPECT_EQ(1000u, body.radii.size());
  EXPECT_GT(volume(body), 216);
  EXPECT_LT(volume(body), 512);
}

} // namespace
