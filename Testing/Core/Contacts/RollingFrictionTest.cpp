// The rolling law, called for one pair.
#include "Contacts/RollingFriction.h"
#include "Compare.h"
#include "Math/Random.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

Vec3f randomVector(RandomStream& random, double size)
{
  const double x = random.uniform(-size, size), y = random.uniform(-size, size),
               z = random.uniform(-size, size);
  return Vec3d{ x, y, z }.to<float>();
}

/// A solid sphere of mass 1 and radius 0.5 on the ground.
Contact rollingContact(const Vec3f& normal, const Vec3f& rolling)
{
  Contact contact{};
  contact.normal = normal;
  contact.overlap = 0.001f;
  contact.radius = 0.5f;
  contact.setMasses(1, 1, BodyForm().shearRatio());
  contact.inertia = 1.4f * 0.25f;
  contact.rolling = rolling;
  return contact;
}

NormalResponse responseOf(float force, float stiffness)
{
  return { force, stiffness, 2 * stiffness / 7, 0, 1 };
}

} // namespace

TEST(RollingFriction, StaysWithinItsLimit)
{
  RandomStream random(11, RandomStream::Positions);
  for (int k = 0; k < 20000; ++k)
  {
    const float mu = static_cast<float>(random.uniform(0.001, 2));
    const RollingFriction law{ mu, 1e-3f };
    const Vec3f normal = normalized(randomVector(random, 1));
    Vec3f rolling = randomVector(random, 50);
    rolling -= dot(rolling, normal) * normal;
    Vec3f angle = randomVector(random, 0.1);
    const float force = static_cast<float>(random.uniform(0, 1000));
    const Vec3f torque = law(angle, rollingContact(normal, rolling), responseOf(force, 1e4f));
    EXPECT_LE(length(torque), mu * 0.5f * force * 1.00001f);
    EXPECT_LE(std::abs(dot(torque, normal)), 1e-4f * (length(torque) + 1));
    // The spring alone stays within the limit too: 9/4 k mu^2 R^2.
    EXPECT_LE(2.25f * 1e4f * mu * mu * 0.25f * length(angle), mu * 0.5f * force * 1.0001f + 1e-6f);
  }
}

TEST(RollingFriction, WithoutNormalForceIsNothing)
{
  Vec3f angle{ 0.1f, 0, 0 };
  const Vec3f torque = RollingFriction{ 0.3f, 1e-3f }(
    angle, rollingContact({ 0, 0, -1 }, { 1, 0, 0 }), responseOf(0, 1e4f));
  EXPECT_EQ(length(torque), 0);
  EXPECT_EQ(length(angle), 0);
}

TEST(RollingFriction, IsMirroredWithThePairToTheBit)
{
  RandomStream random(12, RandomStream::Positions);
  for (int k = 0; k < 2000; ++k)
  {
    const RollingFriction law{ 0.3f, 1e-3f };
    const Vec3f normal = normalized(randomVector(random, 1)), rolling = randomVector(random, 1),
                start = randomVector(random, 0.01);
    Vec3f angle = start, mirrored = -start;
    const Vec3f torque = law(angle, rollingContact(normal, rolling), responseOf(100, 1e4f));
    const Vec3f opposite = law(mirrored, rollingContact(-normal, -rolling), responseOf(100, 1e4f));
    EXPECT_EQ(squaredLength(torque + opposite), 0);
    EXPECT_EQ(squaredLength(angle + mirrored), 0);
  }
}

TEST(RollingFriction, StiffnessIsThatOfModelC)
{
  // Turned by a small angle and held: torque k_r theta, k_r = 9/4 k_n mu_r^2 R^2.
  for (const float mu : { 0.05f, 0.3f, 1.0f })
  {
    Vec3f angle{ 1e-4f, 0, 0 };
    const Vec3f torque =
      RollingFriction{ mu, 1e-4f }(angle, rollingContact({ 0, 0, -1 }, {}), responseOf(1e6f, 1e4f));
    EXPECT_TRUE(agrees(torque.x, 2.25 * 1e4 * mu * mu * 0.25 * 1e-4, 1e-5)) << mu;
    EXPECT_FALSE(agrees(torque.x, 3 * 1e4 * mu * mu * 0.25 * 1e-4, 1e-2)) << mu; // model A
  }
}

TEST(RollingFriction, OfARollingContactIsItsLimit)
{
  const RollingFriction law{ 0.2f, 1e-3f };
  Vec3f angle, torque;
  for (int k = 0; k < 1000; ++k)
    torque = law(angle, rollingContact({ 0, 0, -1 }, { 0, -3, 0 }), responseOf(50, 1e4f));
  EXPECT_FLOAT_EQ(torque.y, -0.2f * 0.5f * 50);
  // The angle turns with the normal.
  const float kept = length(angle);
  law(angle, rollingContact(normalized(Vec3f{ 0, 1, -1 }), {}), responseOf(1e6f, 1e4f));
  EXPECT_NEAR(length(angle), kept, 1e-6f);
}

TEST(RollingFriction, SettlesAtEveryStepUpToAnEighthOfTheContact)
{
  // A ball that rolls (7/5 m r^2) and one that spins on the spot (2/5 m r^2): it must come to rest,
  // with the softest and the hardest law.
  const float stiffness = 1e4f; // omega0 = 100
  for (const double perContact : { 8.0, 20.0, 100.0, 1000.0 })
  {
    const double step = M_PI / 100 / perContact;
    for (const float mu : { 0.01f, 0.1f, 0.5f, 2.0f })
    {
      for (const double inertia : { 1.4 * 0.25, 0.4 * 0.25 })
      {
        const RollingFriction law{ mu, static_cast<float>(step) };
        Vec3f angle;
        double spin = 2, torque = 0, last = 0;
        // Rocks at 1.27 mu omega0, damped at 0.3 of critical: 40 periods after it has stopped.
        const double settles = 2 * inertia / (mu * 0.5 * 100) + 40 * 2 * M_PI / (1.27 * mu * 100);
        const int steps = static_cast<int>(settles / step);
        for (int k = 0; k < steps; ++k)
        {
          const double half = spin + 0.5 * step * torque / inertia;
          torque = law(angle, rollingContact({ 0, 0, -1 }, { 0, static_cast<float>(-half), 0 }),
            responseOf(100, stiffness))
                     .y;
          spin = half + 0.5 * step * torque / inertia;
          if (k > steps * 9 / 10)
            last = std::max(last, std::abs(spin));
        }
        EXPECT_LT(last, 2e-3) << perContact << " steps, mu_r " << mu << ", inertia " << inertia;
      }
    }
  }
}
