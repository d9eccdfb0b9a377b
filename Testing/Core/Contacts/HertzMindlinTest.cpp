// Hertz's normal law with its damping, Mindlin's spring across and cohesion, called for one pair.
#include "Contacts/HertzMindlin.h"
#include "Compare.h"
#include "Contacts/ContactForce.h"
#include "Math/Random.h"

#include <initializer_list>

using namespace lapilli;
using namespace lapilli::test;

namespace
{

/// Chung & Ooi 2011, test 1: two glass spheres of 10 mm that meet at 20 m/s.
struct GlassPair
{
  double radius = 0.005; ///< effective [m]
  double mass = 0.5 * 2800 * 4 / 3 * M_PI * 1e-6;
  double youngs = 25e9; ///< effective [Pa]
  double speed = 20;
};

PairLaw elasticLaw(double youngs, double damping = 0)
{
  PairLaw law{};
  law.damping = static_cast<float>(damping);
  law.youngs = static_cast<float>(youngs);
  law.shear = static_cast<float>(0.2 * youngs);
  return law;
}

Contact contactOf(double overlap, double radius, double mass, double approach, bool isNew)
{
  Contact contact{};
  contact.normal = { 0, 0, 1 };
  contact.overlap = static_cast<float>(overlap);
  contact.radius = static_cast<float>(radius);
  contact.setMasses(
    static_cast<float>(mass), static_cast<float>(1 / mass), BodyForm().shearRatio());
  contact.inertia = static_cast<float>(1.4 * mass * radius * radius);
  contact.approach = static_cast<float>(approach);
  contact.isNew = isNew;
  return contact;
}

struct Impact
{
  double overlap = 0, force = 0, time = 0, restitution = 0;
};

/// Velocity Verlet as the solver does it, with the state in double precision.
Impact collide(const GlassPair& pair, const PairLaw& law, double step)
{
  const HertzMindlin normal{ static_cast<float>(step) };
  Impact impact;
  double x = 0, v = pair.speed, force = 0;
  for (int k = 0; k < 10000000; ++k)
  {
    const double half = v - 0.5 * step * force / pair.mass;
    const double next = x + step * half;
    if (next <= 0)
    {
      impact.time += step * x / (x - next);
      impact.restitution = -half / pair.speed;
      return impact;
    }
    x = next;
    impact.time += step;
    force = normal(contactOf(x, pair.radius, pair.mass, half, k == 0), law).force;
    v = half - 0.5 * step * force / pair.mass;
    impact.overlap = std::max(impact.overlap, x);
    impact.force = std::max(impact.force, force);
  }
  return impact;
}

/// Work that a contact takes up across the normal [J] on a cycle from touch to parting in which
/// overlap and slip follow straight lines between corners.
/// @param keepsSpring the rule of the law switched off: the spring across keeps its length
struct Corner
{
  double overlap, slip;
};
double workOfCycle(const std::vector<Corner>& corners, double friction, bool keepsSpring)
{
  constexpr int kSteps = 1000;
  const float step = 1e-6f;
  const PairLaw law = elasticLaw(1e9);
  Vec3f spring;
  double work = 0;
  double former = 0;
  bool isNew = true;
  for (std::size_t c = 1; c < corners.size(); ++c)
  {
    for (int k = 1; k <= kSteps; ++k)
    {
      const double rise = (corners[c].overlap - corners[c - 1].overlap) / kSteps;
      const double way = (corners[c].slip - corners[c - 1].slip) / kSteps;
      const double overlap = corners[c - 1].overlap + k * rise;
      if (overlap <= 0)
        return work + 0.5 * former * way;
      Contact contact = contactOf(overlap, 0.1, 1, rise / step, isNew);
      contact.slip = Vec3d{ way / step, 0, 0 }.to<float>();
      NormalResponse response = HertzMindlin{ step }(contact, law);
      if (keepsSpring)
        response.springShare = 1;
      const Vec3f force =
        CoulombFriction{ static_cast<float>(friction), step }(spring, contact, response);
      work += 0.5 * (former + force.x) * way;
      former = force.x;
      isNew = false;
    }
  }
  return work;
}

} // namespace

TEST(HertzMindlin, ElasticPairFollowsTheClosedForm)
{
  const GlassPair pair;
  const Impact reached = collide(pair, elasticLaw(pair.youngs), 40.3395e-6 / 10000);
  EXPECT_TRUE(agrees(reached.overlap, 274.113e-6, 1e-3));
  EXPECT_TRUE(agrees(reached.force, 10696.9, 1e-3));
  EXPECT_TRUE(agrees(reached.time, 40.3395e-6, 1e-3));
  EXPECT_NEAR(reached.restitution, 1, 1e-5);
  // A modulus 2 % off must show in each of the three.
  const Impact other = collide(pair, elasticLaw(1.02 * pair.youngs), 40.3395e-6 / 10000);
  EXPECT_FALSE(agrees(other.overlap, 274.113e-6, 1e-3));
  EXPECT_FALSE(agrees(other.force, 10696.9, 1e-3));
  EXPECT_FALSE(agrees(other.time, 40.3395e-6, 1e-3));
  verify("Elastic Hertz pair of glass, law alone: overlap, force, contact time",
    "274.113 um, 10.6969 kN, 40.3395 us; 0.1 %",
    shown(1e6 * reached.overlap, 6) + " um, " + shown(1e-3 * reached.force, 6) + " kN, " +
      shown(1e6 * reached.time, 6) + " us",
    "Chung & Ooi 2011, test 1");
}

TEST(HertzMindlin, DampingOfTheReferenceRestitutionsComesOut)
{
  const double half = hertzDampingForRestitution(0.5), most = hertzDampingForRestitution(0.9);
  EXPECT_NEAR(half, 0.57081, 5e-6); // as many digits as are given
  EXPECT_NEAR(most, 0.076619, 5e-7);
  // Tsuji's closed form is that of a contact that may pull.
  const auto tsuji = [](double e)
  { return -std::sqrt(5.0) * std::log(e) / std::hypot(std::log(e), M_PI); };
  EXPECT_NEAR(hertzRestitutionOfDamping(tsuji(0.5)), 0.550, 5e-4);
  EXPECT_NEAR(hertzRestitutionOfDamping(tsuji(0.9)), 0.902, 5e-4);
  verify("Hertz damping alpha for e 0.5 and 0.9, never pulling", "0.57081, 0.076619",
    shown(half, 5) + ", " + shown(most, 5), "computed from the clamped motion");
}

TEST(HertzMindlin, DampingIsTheInverseOfRestitution)
{
  double worst = 0;
  for (const double e : { 1.0, 0.9999, 0.999, 0.99, 0.9, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01,
         0.005, 0.001, 1e-6 })
  {
    const double back = hertzRestitutionOfDamping(hertzDampingForRestitution(e));
    EXPECT_TRUE(agrees(back, e, 1e-6)) << e;
    worst = std::max(worst, std::abs(back / e - 1));
  }
  EXPECT_LT(hertzDampingForRestitution(1), 1e-15);
  double former = 0;
  for (double e = 0.99; e > 0.001; e -= 0.03)
  {
    EXPECT_GT(hertzDampingForRestitution(e), former) << e;
    former = hertzDampingForRestitution(e);
  }
  verify("Hertz restitution from its own damping, e 1e-6 to 1", "equal, 1e-6 relative",
    shown(worst, 2) + " relative", "inverse function");
}

TEST(HertzMindlin, RestitutionIsThatOfAFineIntegrationAtEverySpeed)
{
  double worst = 0;
  for (const double e : { 0.02, 0.1, 0.5, 0.9, 1.0 })
  {
    const PairLaw law = elasticLaw(GlassPair{}.youngs, hertzDampingForRestitution(e));
    for (const double speed : { 0.02, 1.0, 100.0 })
    {
      GlassPair pair;
      pair.speed = speed;
      const double time = 40.3395e-6 * std::pow(20 / speed, 0.2);
      const double reached = collide(pair, law, time / 20000).restitution;
      EXPECT_NEAR(reached, e, 2e-4) << e << " at " << speed; // of the step's own order
      worst = std::max(worst, std::abs(reached - e));
    }
  }
  verify("Hertz restitution 0.02 to 1 at 0.02, 1, 100 m/s, 20,000 steps a contact",
    "as asked, 2e-4", shown(worst, 2) + " off", "parameter");
}

TEST(HertzMindlin, NeverPulls)
{
  for (const float damping : { 0.0f, 0.5f, 5.0f, 500.0f })
    for (const float step : { 0.0f, 1e-7f, 1e-5f, 1e-3f })
      for (float overlap = 1e-9f; overlap < 0.1f; overlap *= 10)
        for (const float approach : { -1000.0f, -1.0f, -1e-3f, 0.0f, 1e-3f, 1.0f, 1000.0f })
          for (const bool isNew : { false, true })
          {
            const NormalResponse response = HertzMindlin{ step }(
              contactOf(overlap, 0.1, 1, approach, isNew), elasticLaw(1e9, damping));
            EXPECT_GE(response.force, 0);
            EXPECT_TRUE(std::isfinite(response.force));
            EXPECT_GE(response.springShare, 0);
            EXPECT_LE(response.springShare, 1);
          }
}

TEST(HertzMindlin, GrowsAsTheFormulasSay)
{
  const HertzMindlin law{ 1e-6f };
  const PairLaw elastic = elasticLaw(1e9);
  const NormalResponse one = law(contactOf(1e-4, 0.1, 1, 0, false), elastic);
  EXPECT_TRUE(agrees(one.force, 4.0 / 3 * 1e9 * std::sqrt(0.1) * 1e-6, 1e-6));
  EXPECT_TRUE(agrees(one.stiffness, 2 * 1e9 * std::sqrt(0.1 * 1e-4), 1e-6)); // dF/dd
  EXPECT_TRUE(agrees(one.shearStiffness, 8 * 0.2e9 * std::sqrt(0.1 * 1e-4), 1e-6));
  const NormalResponse four = law(contactOf(4e-4, 0.1, 1, 0, false), elastic);
  EXPECT_TRUE(agrees(four.force, 8 * one.force, 1e-6));
  // Heavier bodies do not change the elastic force.
  EXPECT_EQ(law(contactOf(1e-4, 0.1, 7, 0, false), elastic).force, one.force);
}

TEST(HertzMindlin, CyclesOfLoadAndSlipMakeNoEnergy)
{
  // Slip under little load, back under much: a spring that keeps its length gives more than it took.
  const std::vector<Corner> worst{ { 0, 0 }, { 1e-5, 0 }, { 1e-5, 1e-6 }, { 1e-3, 1e-6 },
    { 1e-3, 0 }, { 0, 0 } };
  const double patch = std::sqrt(0.1 * 1e-5);
  const double taken = 0.5 * 8 * 0.2e9 * patch * 1e-12; // half k s^2 of the first slip
  EXPECT_GT(workOfCycle(worst, 10, false), -1e-3 * taken);
  EXPECT_LT(workOfCycle(worst, 10, true), -5 * taken);

  RandomStream random(5, RandomStream::Positions);
  double lowest = 0, lowestKept = 0;
  for (int cycle = 0; cycle < 300; ++cycle)
  {
    std::vector<Corner> corners{ { 0, 0 } };
    double path = 0;
    for (int c = 0; c < 6; ++c)
    {
      corners.push_back({ random.uniform(1e-5, 1e-3), random.uniform(-1e-5, 1e-5) });
      path += std::abs(corners[c + 1].slip - corners[c].slip);
    }
    corners.push_back({ 0, corners.back().slip });
    const double friction = cycle % 2 ? 10 : random.uniform(0.05, 1);
    const double scale = 8 * 0.2e9 * std::sqrt(0.1 * 1e-3) * path * path;
    lowest = std::min(lowest, workOfCycle(corners, friction, false) / scale);
    lowestKept = std::min(lowestKept, workOfCycle(corners, friction, true) / scale);
  }
  EXPECT_GT(lowest, -1e-5); // steps of a thousandth of each line, squared
  EXPECT_LT(lowestKept, -1e-3);
  verify("Energy made by 300 cycles of load, slip and unload under Hertz-Mindlin, over k s^2",
    "none, 1e-5", shown(std::max(0.0, -lowest), 2),
    "second law; a spring that keeps its length makes " + shown(-lowestKept, 2));
}

TEST(HertzMindlin, FrictionStaysInsideTheCone)
{
  RandomStream random(6, RandomStream::Positions);
  const auto within = [&](double size) { return random.uniform(-size, size); };
  for (int k = 0; k < 20000; ++k)
  {
    const HertzMindlin normal{ 1e-6f };
    PairLaw law = elasticLaw(1e9, random.uniform(0, 3));
    law.friction = static_cast<float>(random.uniform(0, 2));
    law.cohesion = static_cast<float>(random.uniform(0, 1e6));
    Contact contact = contactOf(random.uniform(1e-6, 1e-3), 0.1, 1, within(10), k % 2);
    contact.slip = Vec3d{ within(10), within(10), 0 }.to<float>();
    Vec3f spring = Vec3d{ within(1e-3), within(1e-3), within(1e-3) }.to<float>();
    const ContactForce force = contactForce(normal, law, contact, &spring, nullptr);
    const float pushed = normal(contact, law).force; // cohesion does not add to it
    EXPECT_LE(length(force.friction), law.friction * pushed * 1.00001f + 1e-3f);
    EXPECT_NEAR(force.friction.z, 0, 1e-5f * (length(force.friction) + 1));
  }
}

TEST(Cohesion, PullsOffWithTheClosedForm)
{
  double worst = 0;
  for (const double cohesion : { 1e4, 1e5, 3e6 })
  {
    for (const double radius : { 0.001, 0.1 })
    {
      PairLaw law = elasticLaw(1e9);
      law.cohesion = static_cast<float>(cohesion);
      // Around the overlap of the greatest pull, c^2 pi^2 R / (4 E*^2).
      const double at = cohesion * cohesion * M_PI * M_PI * radius / (4 * 1e18);
      double greatest = 0;
      Vec3f spring;
      for (int k = 1; k <= 4000; ++k)
      {
        const Contact contact = contactOf(at * k / 1000, radius, 1, 0, false);
        greatest = std::max<double>(
          greatest, -contactForce(HertzMindlin{ 1e-6f }, law, contact, &spring, nullptr).normal);
      }
      const double expected =
        std::pow(M_PI, 3) * std::pow(cohesion, 3) * radius * radius / (12 * 1e18);
      EXPECT_TRUE(agrees(greatest, expected, 1e-5)) << cohesion << " " << radius;
      worst = std::max(worst, std::abs(greatest / expected - 1));
    }
  }
  verify("Greatest pull of a cohesive contact", "pi^3 c^3 R^2 / (12 E*^2), 1e-5",
    shown(worst, 2) + " relative", "closed form of the simplified JKR model");
}
