// The normal law, called for one pair.
#include "Contacts/LinearSpring.h"
#include "Compare.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

/// Restitution of x'' = -omega0^2 x - 2 zeta omega0 x' with the force cut at zero, by the classical
/// Runge-Kutta method in steps so small that its own error does not count. omega0 = 1.
double integratedRestitution(double zeta)
{
  const double h = 1e-4;
  double x = 0, v = 1;
  const auto pull = [&](double overlap, double speed) { return -overlap - 2 * zeta * speed; };
  for (int step = 0; step < 10000000; ++step)
  {
    const double a1 = pull(x, v);
    if (a1 >= 0 && step > 0)
      return -v;
    const double x2 = x + h / 2 * v, v2 = v + h / 2 * a1, a2 = pull(x2, v2);
    const double x3 = x + h / 2 * v2, v3 = v + h / 2 * a2, a3 = pull(x3, v3);
    const double x4 = x + h * v3, v4 = v + h * a3, a4 = pull(x4, v4);
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return -1;
}

/// A contact of a sphere along the normal alone.
Contact contactOf(float overlap, float mass, float approach, bool isNew)
{
  Contact contact{};
  contact.normal = { 0, 0, 1 };
  contact.overlap = overlap;
  contact.radius = 1;
  contact.setMasses(mass, 1 / mass, BodyForm().shearRatio());
  contact.approach = approach;
  contact.isNew = isNew;
  return contact;
}

PairLaw lawOf(float damping)
{
  PairLaw law{};
  law.damping = damping;
  return law;
}

double dampingRatio(double stiffness, double damping, double reducedMass)
{
  return damping / (2 * std::sqrt(stiffness * reducedMass));
}

} // namespace

TEST(LinearSpring, RestitutionOfTheDampingFollowsTheFormula)
{
  // exp[-(zeta/s)(pi - atan2(2 zeta s, s^2 - zeta^2))], as published; loses digits towards zeta = 1.
  for (double zeta = 0.01; zeta < 0.995; zeta += 0.01)
  {
    const double s = std::sqrt(1 - zeta * zeta);
    const double published =
      std::exp(-zeta / s * (M_PI - std::atan2(2 * zeta * s, s * s - zeta * zeta)));
    EXPECT_TRUE(agrees(restitutionOfDamping(zeta), published, 1e-12)) << "zeta " << zeta;
  }
  EXPECT_NEAR(restitutionOfDamping(0), 1, 1e-15);
}

TEST(LinearSpring, RestitutionOfTheDampingIsThatOfAFineIntegration)
{
  double worst = 0;
  for (const double zeta : { 0.02, 0.1, 0.3, 0.6, 0.9, 0.999, 1.0, 1.001, 1.5, 3.0 })
  {
    const double exact = integratedRestitution(zeta);
    // The last step of the integration may overshoot the end of the contact: h zeta relative.
    EXPECT_TRUE(agrees(restitutionOfDamping(zeta), exact, 2e-4)) << "zeta " << zeta;
    worst = std::max(worst, std::abs(restitutionOfDamping(zeta) / exact - 1));
  }
  verify("Restitution of the clamped spring-dashpot against a fine integration",
    "equal, 2e-4 relative", shown(worst, 2) + " relative", "closed form; Schwager & Poeschel 2007");
}

TEST(LinearSpring, RestitutionOfTheReferenceContactsComesOut)
{
  // Unit masses: disc-disc has the reduced mass 1/2, discs against a wall 1.
  const double disc = restitutionOfDamping(dampingRatio(10000, 50, 0.5));
  const double wall = restitutionOfDamping(dampingRatio(10000, 50, 1));
  const double airfoil = restitutionOfDamping(dampingRatio(50000, 50, 1));
  EXPECT_NEAR(disc, 0.4008, 5e-5); // four digits are given
  EXPECT_NEAR(wall, 0.5063, 5e-5);
  EXPECT_NEAR(airfoil, 0.7202, 5e-5);
  verify("Clamped restitution of stiffness 10,000 and 50,000, damping 50", "0.4008, 0.5063, 0.7202",
    shown(disc) + ", " + shown(wall) + ", " + shown(airfoil),
    "computed from the clamped closed form");
}

TEST(LinearSpring, DampingIsTheInverseOfRestitution)
{
  for (const double e : { 1.0, 0.999, 0.9, 0.5, 0.2, 0.1354, 0.1353, 0.1, 0.01, 1e-6 })
    EXPECT_TRUE(agrees(restitutionOfDamping(dampingForRestitution(e)), e, 1e-9)) << "e " << e;
  EXPECT_LT(dampingForRestitution(1), 1e-15);
}

TEST(LinearSpring, NeverPulls)
{
  for (const float zeta : { 0.0f, 0.3f, 1.0f, 5.0f, 500.0f })
  {
    for (const float step : { 0.0f, 1e-5f, 1e-3f })
    {
      const LinearSpring law{ 100, step };
      for (float overlap = 1e-7f; overlap < 1; overlap *= 10)
        for (float approach : { -1000.0f, -1.0f, -1e-3f, 0.0f, 1e-3f, 1.0f, 1000.0f })
          for (bool isNew : { false, true })
            EXPECT_GE(law(contactOf(overlap, 2, approach, isNew), lawOf(zeta)).force, 0)
              << zeta << " " << step << " " << overlap << " " << approach;
    }
  }
}

TEST(LinearSpring, GrowsWithOverlapAndMass)
{
  const LinearSpring law{ 100, 1e-4f };
  const float one = law(contactOf(0.01f, 1, 0, false), lawOf(0)).force;
  EXPECT_FLOAT_EQ(one, 100 * 100 * 0.01f);
  EXPECT_FLOAT_EQ(law(contactOf(0.02f, 1, 0, false), lawOf(0)).force, 2 * one);
  EXPECT_FLOAT_EQ(law(contactOf(0.01f, 3, 0, false), lawOf(0)).force, 3 * one);
}
