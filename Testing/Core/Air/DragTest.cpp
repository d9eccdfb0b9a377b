// Drag and wind, called for one sphere.
#include "Air/Drag.h"
#include "Compare.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kRadius = 0.05;
constexpr double kMass = 2500 * 4.0 / 3 * M_PI * kRadius * kRadius * kRadius;
const Sphere kSphere{ { 0, 0, 0 }, kRadius };

/// Schiller & Naumann as printed.
double publishedCoefficient(double reynolds)
{
  return reynolds > 1000 ? 0.44 : 24 / reynolds * (1 + 0.15 * std::pow(reynolds, 0.687));
}

Vec3d slowedInSteps(const Air& air, Vec3d velocity, double time, int steps)
{
  for (int k = 0; k < steps; ++k)
    velocity = air.slowed(velocity, kSphere, 1 / kMass, time / steps);
  return velocity;
}

} // namespace

TEST(Drag, CoefficientIsThatOfTheLaw)
{
  Air air;
  air.density = 1.225;
  air.coefficient = 0.7;
  EXPECT_EQ(air.coefficientAt(3, kRadius), 0.7);
  air.law = DragLaw::SchillerNaumann;
  for (const double reynolds : { 1e-6, 0.01, 1.0, 20.0, 999.0, 1001.0, 1e6 })
  {
    const double speed = reynolds * air.viscosity / (2 * kRadius * air.density);
    EXPECT_TRUE(agrees(air.coefficientAt(speed, kRadius), publishedCoefficient(reynolds), 1e-12))
      << reynolds;
  }
  // Stokes: the force is 6 pi eta r v.
  const double slow = 1e-9;
  EXPECT_TRUE(
    agrees(kMass * air.rate(slow, kRadius, 1 / kMass), 6 * M_PI * air.viscosity * kRadius, 1e-3));
  EXPECT_EQ(air.rate(0, kRadius, 1 / kMass), 0);
  EXPECT_FALSE(Air{}.isThere());
}

TEST(Drag, OfAConstantCoefficientFollowsTheClosedFormInSecondOrder)
{
  Air air;
  air.density = 1.225;
  const double speed = 100;
  const double k = 0.5 * air.density * M_PI * kRadius * kRadius / kMass; // [1/m]
  const double time = 2 / (k * speed);
  const double exact = speed / (1 + k * speed * time);
  double error[2];
  for (int level = 0; level < 2; ++level)
    error[level] =
      std::abs(slowedInSteps(air, { 0, -speed, 0 }, time, 100 << level).y + exact) / exact;
  EXPECT_LT(error[0], 1e-4);
  EXPECT_TRUE(agrees(error[0] / error[1], 4, 0.1));
  verify("Drag of a constant coefficient against v/(1 + k v t): error over error at half the step",
    "4, 10 %", shown(error[0] / error[1]), "closed form, second order");
}

TEST(Drag, OfSchillerNaumannIsOfSecondOrder)
{
  Air air;
  air.density = 1.225;
  air.law = DragLaw::SchillerNaumann;
  const double small = 1e-4; // Re below 1000 throughout
  const double mass = 2500 * 4.0 / 3 * M_PI * small * small * small;
  const auto after = [&](int steps)
  {
    Vec3d v{ 10, 0, 0 };
    for (int k = 0; k < steps; ++k)
      v = air.slowed(v, { {}, small }, 1 / mass, 0.3 / steps);
    return v.x;
  };
  // Runge-Kutta of fourth order on the printed law.
  const auto rate = [&](double v)
  {
    return -0.5 * air.density * publishedCoefficient(2 * air.density * v * small / air.viscosity) *
           M_PI * small * small * v * v / mass;
  };
  double exact = 10;
  const double h = 0.3 / 20000;
  for (int k = 0; k < 20000; ++k)
  {
    const double a = rate(exact), b = rate(exact + h / 2 * a), c = rate(exact + h / 2 * b),
                 d = rate(exact + h * c);
    exact += h / 6 * (a + 2 * b + 2 * c + d);
  }
  const double coarse = std::abs(after(100) / exact - 1), fine = std::abs(after(200) / exact - 1);
  EXPECT_LT(coarse, 1e-3);
  EXPECT_TRUE(agrees(coarse / fine, 4, 0.15));
}

TEST(Drag, NeverTurnsAGrainRoundHoweverLongTheStep)
{
  // Dust in a wind: the air's own time is a millionth of the step and less.
  for (const DragLaw law : { DragLaw::ConstantCoefficient, DragLaw::SchillerNaumann })
  {
    const double height[] = { 0 };
    const Vec3d velocity[] = { { 20, -5, 0 } };
    Air air;
    air.density = 1.225;
    air.law = law;
    air.wind = { 1, height, velocity };
    for (const double radius : { 1e-6, 1e-4, 0.01, 1.0 })
    {
      const double mass = 2500 * 4.0 / 3 * M_PI * radius * radius * radius;
      for (const double time : { 1e-6, 1e-2, 1.0, 1e6 })
      {
        Vec3d v{ -30, 0, 7 };
        double former = length(v - velocity[0]);
        for (int k = 0; k < 20; ++k)
        {
          v = air.slowed(v, { {}, radius }, 1 / mass, time);
          const double left = length(v - velocity[0]);
          ASSERT_TRUE(std::isfinite(left));
          EXPECT_LE(left, former * (1 + 1e-15));
          // On the line from where it started to the wind, never beyond.
          EXPECT_GE(dot(v - velocity[0], Vec3d{ -50, 5, 7 }), 0);
          former = left;
        }
        if (radius > 1e-5 || time < 1e-2)
          continue;
        // Viscous drag fades at once; that of a constant coefficient leaves 1/(k t), which steps so long
        // meet within a factor of four.
        const double exact = 1 / (0.5 * air.density * M_PI * radius * radius / mass * 20 * time);
        EXPECT_LT(former, law == DragLaw::SchillerNaumann ? 1e-6 : 4 * exact) << "step " << time;
      }
    }
  }
}

TEST(Drag, WindIsLinearBetweenLayersAndConstantBeyond)
{
  const double height[] = { 10, 20, 40 };
  const Vec3d velocity[] = { { 1, 0, 0 }, { 3, 2, 0 }, { 3, -2, 1 } };
  const WindView wind{ 3, height, velocity };
  const auto same = [](const Vec3d& a, const Vec3d& b) { return length(a - b) < 1e-14; };
  EXPECT_TRUE(same(wind.at(-1e9), velocity[0]));
  EXPECT_TRUE(same(wind.at(10), velocity[0]));
  EXPECT_TRUE(same(wind.at(15), { 2, 1, 0 }));
  EXPECT_TRUE(same(wind.at(20), velocity[1]));
  EXPECT_TRUE(same(wind.at(25), { 3, 1, 0.25 }));
  EXPECT_TRUE(same(wind.at(40), velocity[2]));
  EXPECT_TRUE(same(wind.at(1e9), velocity[2]));
  EXPECT_FALSE(same(wind.at(15), velocity[0]));
  EXPECT_TRUE(same(WindView{}.at(3), {}));
  const WindView one{ 1, height, velocity };
  EXPECT_TRUE(same(one.at(0), velocity[0]));
  EXPECT_TRUE(same(one.at(99), velocity[0]));
}
