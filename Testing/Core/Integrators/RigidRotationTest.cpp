#include "Integrators/RigidRotation.h"

#include "Compare.h"
#include "Math/Random.h"

#include <algorithm>
#include <vector>

namespace
{

using namespace lapilli;
using test::agrees;

const double pi = std::acos(-1.0);
const Vec3d unequal{ 0.7, 1.1, 1.6 };

Vec3d over(const Vec3d& a, const Vec3d& b)
{
  return { a.x / b.x, a.y / b.y, a.z / b.z };
}

double energy(const Quatd& q, const Vec3d& momentum, const Vec3d& inertia)
{
  return 0.5 * dot(momentum, spinOf(q, momentum, inertia));
}

/// Distance of two orientations, q and -q being the same.
double apart(const Quatd& a, const Quatd& b)
{
  const Quatd c = conjugate(a) * b;
  return 2 * std::sqrt(c.x * c.x + c.y * c.y + c.z * c.z);
}

/// Euler's equations by Runge and Kutta's fourth order, in the body's frame.
struct Euler
{
  Quatd q;
  Vec3d momentum; ///< along the principal axes

  struct Rate
  {
    Quatd q;
    Vec3d momentum;
  };
  Rate rate(const Vec3d& inertia) const
  {
    const Vec3d w = over(momentum, inertia);
    const Quatd p = q * Quatd{ 0, w.x, w.y, w.z };
    return { { 0.5 * p.w, 0.5 * p.x, 0.5 * p.y, 0.5 * p.z }, cross(momentum, w) };
  }
  Euler moved(const Rate& r, double dt) const
  {
    return { { q.w + dt * r.q.w, q.x + dt * r.q.x, q.y + dt * r.q.y, q.z + dt * r.q.z },
      momentum + dt * r.momentum };
  }
  void step(const Vec3d& inertia, double dt)
  {
    const Rate a = rate(inertia);
    const Rate b = moved(a, dt / 2).rate(inertia);
    const Rate c = moved(b, dt / 2).rate(inertia);
    const Rate d = moved(c, dt).rate(inertia);
    *this = moved(a, dt / 6).moved(b, dt / 3).moved(c, dt / 3).moved(d, dt / 6);
  }
};

const Quatd start = about({ 1, -2, 0.5 }, 0.8);
const Vec3d momentum{ 0.9, -0.6, 1.2 };

Quatd drifted(double time, int steps)
{
  Quatd q = start;
  for (int i = 0; i < steps; ++i)
    driftRotation(q, momentum, unequal, time / steps);
  return q;
}

TEST(Quaternion, TurnsVectorsRightHanded)
{
  const Quatd q = about({ 0, 0, 3 }, pi / 2);
  EXPECT_TRUE(agrees(rotate(q, Vec3d{ 1, 0, 0 }), Vec3d{ 0, 1, 0 }, 1e-15, 1));
  EXPECT_TRUE(agrees(rotateBack(q, Vec3d{ 0, 1, 0 }), Vec3d{ 1, 0, 0 }, 1e-15, 1));
  // The product turns by its right factor first.
  const Quatd p = about({ 1, 0, 0 }, pi / 2) * q;
  EXPECT_TRUE(agrees(rotate(p, Vec3d{ 1, 0, 0 }), Vec3d{ 0, 0, 1 }, 1e-15, 1));
  EXPECT_TRUE(agrees(apart(p * conjugate(p), Quatd{}), 0, 1e-15, 1));
  EXPECT_DOUBLE_EQ(1, normalised(Quatd{ 0, 0, 0, 0 }).w);
  EXPECT_DOUBLE_EQ(1, about({ 0, 0, 0 }, 1).w);
  EXPECT_TRUE(agrees(squaredLength(normalised({ 3, -4, 12, 84 })), 1, 1e-15));
}

TEST(Quaternion, CircleAgreesWithTheLibrary)
{
  for (int i = 0; i < 1000; ++i)
  {
    double c, s;
    onCircle(i / 1000.0, c, s);
    EXPECT_NEAR(std::cos(2 * pi * i / 1000), c, 2e-15);
    EXPECT_NEAR(std::sin(2 * pi * i / 1000), s, 2e-15);
  }
}

/// Every axis of the body points in all directions equally often, and the angles of the turns
/// follow (1 - cos a) / pi, whose mean is pi/2 + 2/pi.
TEST(Quaternion, OrientationsAreUniform)
{
  RandomStream random(7, RandomStream::Positions);
  const int n = 100000;
  Vec3d mean[3], square[3];
  double angle = 0;
  for (int i = 0; i < n; ++i)
  {
    const double u1 = random.uniform(0, 1), u2 = random.uniform(0, 1), u3 = random.uniform(0, 1);
    const Quatd q = uniformOrientation(u1, u2, u3);
    ASSERT_NEAR(1, squaredLength(q), 1e-14);
    angle += 2 * std::acos(std::min(1.0, std::abs(q.w)));
    const Vec3d axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int k = 0; k < 3; ++k)
    {
      const Vec3d a = rotate(q, axes[k]);
      mean[k] += a;
      square[k] += Vec3d{ a.x * a.x, a.y * a.y, a.z * a.z };
    }
  }
  // Five standard deviations: 0.577 and 0.298 over the root of n.
  for (int k = 0; k < 3; ++k)
  {
    EXPECT_TRUE(agrees((1.0 / n) * mean[k], Vec3d{}, 0.011, 1));
    EXPECT_TRUE(agrees((1.0 / n) * square[k], Vec3d{ 1. / 3, 1. / 3, 1. / 3 }, 0.006, 1));
  }
  EXPECT_NEAR(pi / 2 + 2 / pi, angle / n, 0.011);
}

TEST(RigidRotation, FollowsEulersEquations)
{
  const double time = 20;
  Euler exact{ start, rotateBack(start, momentum) };
  for (int i = 0; i < 40000; ++i)
    exact.step(unequal, time / 40000);

  const Quatd coarse = drifted(time, 1000), fine = drifted(time, 2000);
  EXPECT_LT(apart(coarse, exact.q), 1e-3);
  EXPECT_TRUE(agrees(apart(coarse, exact.q) / apart(fine, exact.q), 4, 0.02));
  EXPECT_LT(apart(drifted(time, 64000), exact.q), 1e-6);
  EXPECT_TRUE(agrees(rotateBack(drifted(time, 64000), momentum), exact.momentum, 1e-6, 1));
}

TEST(RigidRotation, EnergyErrorIsOfSecondOrderAndBounded)
{
  const double before = energy(start, momentum, unequal);
  const auto worst = [&](double dt, int steps)
  {
    Quatd q = start;
    double error = 0;
    for (int i = 0; i < steps; ++i)
    {
      driftRotation(q, momentum, unequal, dt);
      error = std::max(error, std::abs(energy(q, momentum, unequal) / before - 1));
    }
    return error;
  };
  const double early = worst(0.05, 2000);
  EXPECT_LT(early, 1e-3);
  EXPECT_GT(early, 0);
  EXPECT_TRUE(agrees(worst(0.05, 100000), early, 0.01));
  EXPECT_TRUE(agrees(early / worst(0.025, 4000), 4, 0.02));
}

TEST(RigidRotation, RunsBackward)
{
  Quatd q = start;
  for (int i = 0; i < 1000; ++i)
    driftRotation(q, momentum, unequal, 0.1);
  EXPECT_GT(apart(q, start), 0.1);
  Quatd back = q;
  for (int i = 0; i < 1000; ++i)
    driftRotation(back, momentum, unequal, -0.1);
  EXPECT_LT(apart(back, start), 1e-11);
  back = q;
  for (int i = 0; i < 1000; ++i)
    driftRotation(back, -momentum, unequal, 0.1);
  EXPECT_LT(apart(back, start), 1e-11);
}

TEST(RigidRotation, LengthOfTheQuaternionStays)
{
  Quatd q = start;
  for (int i = 0; i < 100000; ++i)
    driftRotation(q, momentum, unequal, 0.3);
  EXPECT_NEAR(1, squaredLength(q), 1e-15);
}

TEST(RigidRotation, SphereTurnsByItsSpin)
{
  const Vec3d inertia{ 0.4, 0.4, 0.4 };
  Quatd q = start;
  for (int i = 0; i < 1000; ++i)
    driftRotation(q, momentum, inertia, 1e-3);
  EXPECT_LT(apart(q, about(momentum, length(momentum) / 0.4) * start), 5e-6);
  EXPECT_TRUE(agrees(spinOf(q, momentum, inertia), 2.5 * momentum, 1e-14, 1));
}

TEST(RigidRotation, FastestTurnsAboutOneAxisAreExact)
{
  // Half a radian a step about a principal axis.
  const Vec3d along = rotate(start, Vec3d{ 0, 0, 1.6 });
  Quatd q = start;
  driftRotation(q, along, unequal, 0.5);
  EXPECT_LT(apart(q, about(along, 0.5) * start), 1e-7);
}

TEST(RigidRotation, SymmetricTopPrecesses)
{
  // The axis of symmetry goes round the angular momentum at its length over the moment across.
  double worst = 0;
  for (const double along : { 0.35, 0.7, 1.3 })
  {
    const Vec3d inertia{ 0.8, 0.8, along };
    const double rate = length(momentum) / inertia.x, dt = 0.01 / rate;
    const Vec3d up = normalized(momentum);
    const Vec3d across = normalized(cross(up, Vec3d{ 1, 0, 0 })), third = cross(up, across);
    Quatd q = start;
    const auto angle = [&]
    {
      const Vec3d axis = rotate(q, Vec3d{ 0, 0, 1 });
      return std::atan2(dot(axis, third), dot(axis, across));
    };
    const double tilt = dot(rotate(q, Vec3d{ 0, 0, 1 }), up);
    double turned = 0, last = angle();
    const int steps = 100000;
    for (int i = 0; i < steps; ++i)
    {
      driftRotation(q, momentum, inertia, dt);
      const double now = angle();
      turned += std::remainder(now - last, 2 * pi);
      last = now;
      ASSERT_NEAR(tilt, dot(rotate(q, Vec3d{ 0, 0, 1 }), up), 1e-4);
    }
    worst = std::max(worst, std::abs(turned / (steps * dt) / rate - 1));
  }
  EXPECT_LT(worst, 1e-4);
  test::verify("Torque-free rotation of a clump: symmetric top's precession",
    "angular momentum over moment across, within 1e-4", "within " + test::shown(worst, 2),
    "Landau & Lifshitz, Mechanics (1976), section 33");
}

TEST(RigidRotation, FlipsAboutTheIntermediateAxisWithTheEllipticPeriod)
{
  const Vec3d i = unequal;
  const Vec3d body{ 0.02, 1, 0.03 }; // nearly about the axis that is not stable
  const Vec3d L = rotate(start, body);
  const double squared = squaredLength(L), twice = 2 * energy(start, L, i);
  // Landau & Lifshitz, Mechanics (1976), section 37; written for M^2 > 2 E I2.
  double a = (i.z - i.y) * (squared - twice * i.x);
  double b = (i.y - i.x) * (twice * i.z - squared);
  if (squared < twice * i.y)
    std::swap(a, b);
  // Complete elliptic integral pi / (2 agm(1, k')), k'^2 = 1 - b / a.
  double m = 1, n = std::sqrt(1 - b / a);
  for (int k = 0; k < 60; ++k)
  {
    const double mean = 0.5 * (m + n);
    n = std::sqrt(m * n);
    m = mean;
  }
  const double halfPeriod = pi / m * std::sqrt(i.x * i.y * i.z / a);

  Quatd q = start;
  const double dt = 2e-3;
  std::vector<double> flips;
  double last = body.y;
  for (int k = 1; flips.size() < 6 && k < 1000000; ++k)
  {
    driftRotation(q, L, i, dt);
    const double now = rotateBack(q, L).y;
    if (now * last < 0)
      flips.push_back((k - now / (now - last)) * dt);
    last = now;
  }
  ASSERT_EQ(6u, flips.size());
  for (std::size_t k = 1; k < flips.size(); ++k)
    EXPECT_TRUE(agrees(flips[k] - flips[k - 1], halfPeriod, 2e-4));
}

} // namespace
