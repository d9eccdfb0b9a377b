// The friction law, called for one pair.
#include "Contacts/CoulombFriction.h"
#include "Compare.h"
#include "Contacts/LinearSpring.h"
#include "Math/Random.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

Vec3f randomVector(RandomStream& random, double size)
{
  return Vec3d{ random.uniform(-size, size), random.uniform(-size, size),
    random.uniform(-size, size) }
    .to<float>();
}

/// A contact of mass 1 that slips, of a sphere that can turn.
Contact slippingContact(const Vec3f& normal, const Vec3f& slip)
{
  Contact contact{};
  contact.normal = normal;
  contact.overlap = 0.01f;
  contact.radius = 1;
  contact.setMasses(1, 1, BodyForm().shearRatio());
  contact.slip = slip;
  return contact;
}

/// What a linear spring of this frequency and damping ratio answers.
NormalResponse responseOf(float frequency, float zeta, float normalForce)
{
  const float stiffness = frequency * frequency;
  return { normalForce, stiffness, LinearSpring::kShearOverNormalStiffness * stiffness,
    zeta * frequency, 1 };
}

} // namespace

TEST(CoulombFriction, StaysInsideTheCone)
{
  RandomStream random(1, RandomStream::Positions);
  for (int k = 0; k < 20000; ++k)
  {
    const float mu = static_cast<float>(random.uniform(0, 2));
    const float zeta = static_cast<float>(random.uniform(0, 3));
    const CoulombFriction law{ mu, 1e-3f };
    const Vec3f normal = normalized(randomVector(random, 1));
    Vec3f slip = randomVector(random, 10);
    slip -= dot(slip, normal) * normal;
    Vec3f spring = randomVector(random, 0.1);
    const float normalForce = static_cast<float>(random.uniform(0, 1000));
    const Vec3f force =
      law(spring, slippingContact(normal, slip), responseOf(100, zeta, normalForce));
    EXPECT_LE(length(force), mu * normalForce * 1.000001f); // round-off of one division
    // What is kept must not leave the tangential plane.
    EXPECT_LE(std::abs(dot(force, normal)), 1e-5f * (length(force) + 1));
  }
}

TEST(CoulombFriction, WithoutNormalForceIsNothing)
{
  const CoulombFriction law{ 0.5f, 1e-3f };
  Vec3f spring{ 0.1f, 0, 0 };
  const Vec3f force =
    law(spring, slippingContact({ 0, 0, 1 }, { 1, 0, 0 }), responseOf(100, 0.3f, 0));
  EXPECT_EQ(length(force), 0);
}

TEST(CoulombFriction, OfZeroCoefficientIsNothingAndForgets)
{
  const CoulombFriction law{ 0.0f, 1e-3f };
  Vec3f spring;
  for (int k = 0; k < 10; ++k)
    EXPECT_EQ(
      length(law(spring, slippingContact({ 0, 0, 1 }, { 1, 0, 0 }), responseOf(100, 0, 10))), 0);
  EXPECT_EQ(length(spring), 0);
}

TEST(CoulombFriction, IsMirroredWithThePairToTheBit)
{
  RandomStream random(2, RandomStream::Positions);
  for (int k = 0; k < 2000; ++k)
  {
    const CoulombFriction law{ 0.4f, 1e-3f };
    const Vec3f normal = normalized(randomVector(random, 1));
    const Vec3f slip = randomVector(random, 1);
    const Vec3f start = randomVector(random, 0.01);
    Vec3f spring = start, mirrored = -start;
    const Vec3f force = law(spring, slippingContact(normal, slip), responseOf(300, 0.3f, 100));
    const Vec3f opposite =
      law(mirrored, slippingContact(-normal, -slip), responseOf(300, 0.3f, 100));
    EXPECT_EQ(squaredLength(force + opposite), 0);
    EXPECT_EQ(squaredLength(spring + mirrored), 0);
  }
}

TEST(CoulombFriction, WithoutHistoryIsTheDashpotWithinTheCone)
{
  const CoulombFriction law{ 0.3f, 1e-6f }; // a step far below the dashpot's time
  const auto friction = [&law](const Vec3f& slip) {
    return law(slippingContact({ 0, 0, -1 }, slip), responseOf(100, 0.25f, 50));
  };
  for (const float speed : { 1e-6f, -0.1f, 0.5f })
  {
    const Vec3f force = friction({ speed, 0, 0 });
    EXPECT_TRUE(agrees(force.x, 25 * speed, 1e-4)) << speed; // zeta omega m
    EXPECT_EQ(squaredLength(friction({ -speed, 0, 0 }) + force), 0);
  }
  EXPECT_EQ(length(friction({})), 0);
  EXPECT_FLOAT_EQ(friction({ 0, 7, 0 }).y, 15);
  EXPECT_FLOAT_EQ(friction({ 0, -0.61f, 0 }).y, -15);
  EXPECT_EQ(length(law(slippingContact({ 0, 0, -1 }, { 1, 0, 0 }), responseOf(100, 0.25f, 0))), 0);
}

TEST(CoulombFriction, SpringKeepsItsLengthWhenTheContactTurns)
{
  const CoulombFriction law{ 10.0f, 1e-3f };
  Vec3f spring{ 0.001f, 0, 0 };
  for (int k = 0; k <= 90; ++k)
  {
    const float angle = static_cast<float>(k * M_PI / 180);
    const Vec3f normal{ std::sin(angle), 0, -std::cos(angle) };
    law(spring, slippingContact(normal, {}), responseOf(100, 0, 1e6f));
    EXPECT_NEAR(length(spring), 0.001f, 1e-8f);
  }
  // Turned with the contact: what pointed along x points along z.
  EXPECT_NEAR(spring.z, 0.001f, 1e-6f);
}

TEST(CoulombFriction, OfASlidingContactIsTheCoefficientTimesTheNormalForce)
{
  const CoulombFriction law{ 0.3f, 1e-4f };
  Vec3f spring, force;
  for (int k = 0; k < 1000; ++k)
    force = law(spring, slippingContact({ 0, 0, -1 }, { -2, 0, 0 }), responseOf(1000, 0.3f, 50));
  EXPECT_FLOAT_EQ(force.x, -15); // along the slip of b, with which a is carried
  // Stops sliding: the spring left over must not push beyond the cone or jump.
  const Vec3f held = law(spring, slippingContact({ 0, 0, -1 }, {}), responseOf(1000, 0.3f, 50));
  EXPECT_LE(length(held), 15 * 1.000001f);
}

TEST(CoulombFriction, SettlesASlidingSphereAtAnyDamping)
{
  // A body with the tangential response of a sphere (7/2 of its inverse mass) comes to rest on the
  // spring instead of rattling, also where the restitution is nearly zero.
  for (const float zeta : { 0.0f, 0.3f, 1.0f, 5.0f, 50.0f, 500.0f })
  {
    const float frequency = 100, step = 3.14159f / frequency / 20;
    const CoulombFriction law{ 0.5f, step };
    Vec3f spring;
    double speed = -1, slipWorst = 0;
    for (int k = 0; k < 4000; ++k)
    {
      const Vec3f force =
        law(spring, slippingContact({ 0, 0, -1 }, { static_cast<float>(-speed), 0, 0 }),
          responseOf(frequency, zeta, 100));
      speed += 3.5 * step * force.x;
      if (k > 3000)
        slipWorst = std::max(slipWorst, std::abs(speed));
    }
    // Undamped it swings with the elastic speed; damped it must have stopped.
    EXPECT_LT(slipWorst, zeta > 0 ? 1e-3 : 1.01) << "zeta " << zeta;
  }
}
