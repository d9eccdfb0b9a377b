// A gas of elastic discs in a closed box: its equation of state.
#include "Compare.h"
#include "Math/Random.h"
#include "Planes.h"

#include <cmath>

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kRadius = 0.002;
constexpr double kDensity = 1000;
constexpr double kMass = kDensity * M_PI * kRadius * kRadius;
constexpr double kSpeed = 1; ///< [m/s], root mean square along an axis: k T = m kSpeed^2

double henderson(double fraction)
{
  return (1 + fraction * fraction / 8) / ((1 - fraction) * (1 - fraction));
}

/// A mean and its standard error, from blocks that know nothing of one another.
struct Mean
{
  double sum = 0, squares = 0;
  int count = 0;
  void add(double value)
  {
    sum += value;
    squares += value * value;
    ++count;
  }
  double value() const { return sum / count; }
  double error() const
  {
    return std::sqrt(std::max(0.0, squares / count - value() * value()) / (count - 1));
  }
};

/// A lattice of discs in a square box, with Maxwellian velocities.
Scene gas(int side, double fraction)
{
  Scene scene;
  const double distance = kRadius * std::sqrt(M_PI / fraction), length = side * distance;
  scene.domain =
    planeDomain(kPlaneXY, { 0, 0 }, { length, length }, DomainSide::Wall, DomainSide::Wall);
  RandomStream random(3, RandomStream::Positions);
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i)
    {
      // Box and Muller, Annals of Mathematical Statistics 29 (1958) 610.
      const double speed = kSpeed * std::sqrt(-2 * std::log(1 - random.uniform()));
      const double angle = 2 * M_PI * random.uniform();
      addDisc(scene, kPlaneXY, { (i + 0.5) * distance, (j + 0.5) * distance },
        { speed * std::cos(angle), speed * std::sin(angle) }, kRadius, kDensity);
    }
  return scene;
}

struct State
{
  Mean ofContacts;   ///< P A / (N k T), by the stress of the discs
  Mean ofWalls;      ///< the same by the forces of the walls
  double fourth = 0; ///< <v^4> / <v^2>^2 at the end
};

State measure(int side, double fraction, int frames, const Device& device)
{
  const Scene scene = gas(side, fraction);
  GranularFlowParameters parameters = ofDiscs(kPlaneXY, 0);
  parameters.restitution = parameters.terrainRestitution = 1;
  parameters.friction = parameters.terrainFriction = 0;
  // sqrt(pi k T / (2 k)) / d = sqrt(pi) / 2 * x * kSpeed / greatestSpeed for overlaps of x radii.
  parameters.greatestSpeed = 4 * kSpeed;
  parameters.greatestOverlap = 0.02;
  EXPECT_LE(std::sqrt(M_PI) / 2 * parameters.greatestOverlap / 4, 0.005);
  parameters.stepsPerContact = 12;
  parameters.frameInterval = 0.1 * kRadius / kSpeed;
  const auto run = createGranularFlow(scene, parameters, device);
  const int settling = 80;
  advance(*run, settling * parameters.frameInterval);
  const double before = run->report().kineticEnergy;
  const double length = scene.domain.upper[0];
  const double count = static_cast<double>(side) * side;
  constexpr int kBlocks = 10;
  State state;
  int frame = settling;
  for (int block = 0; block < kBlocks; ++block)
  {
    double ofContacts = 0, ofWalls = 0;
    for (int k = 0; k < frames / kBlocks; ++k)
    {
      advance(*run, ++frame * parameters.frameInterval);
      const Report report = run->report();
      const double temperature = report.kineticEnergy / count; // k T
      const Snapshot now(*run);
      double pressure = 0;
      for (const float p : now.points.array("pressure").as<float>())
        pressure += p;
      ofContacts += 1 + M_PI * kRadius * kRadius * pressure / (count * temperature);
      double force = 0;
      for (const ObstacleForce& wall : report.obstacles)
        force += std::abs(wall.force[0] + wall.force[1]) / 4;
      ofWalls += force * length / (count * temperature);
    }
    state.ofContacts.add(ofContacts / (frames / kBlocks));
    state.ofWalls.add(ofWalls / (frames / kBlocks));
  }
  EXPECT_TRUE(agrees(run->report().kineticEnergy, before, 0.01));
  const Snapshot end(*run);
  double second = 0, fourth = 0;
  for (std::size_t i = 0; i < end.count(); ++i)
  {
    const double squared = squaredLength(end.velocity(i));
    second += squared / count;
    fourth += squared * squared / count;
  }
  state.fourth = fourth / (second * second);
  return state;
}

} // namespace

class DiscGas : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(DiscGas);

TEST_P(DiscGas, FullPressureIsThatOfHenderson)
{
  for (const double fraction : { 0.1, 0.2, 0.3 })
  {
    const State state = measure(101, fraction, 300, device());
    const double expected = henderson(fraction);
    EXPECT_TRUE(agrees(state.ofContacts.value(), expected, 0.02)) << state.ofContacts.error();
    // Far fewer discs touch a wall than one another.
    EXPECT_LT(state.ofWalls.error(), 0.05 * expected);
    EXPECT_TRUE(
      agrees(state.ofWalls.value(), expected, 0.02 * expected + 3 * state.ofWalls.error(), 1));
    // Of a Maxwellian in two dimensions 2, with a standard error of sqrt(20 / N).
    EXPECT_TRUE(agrees(state.fourth, 2, 4 * std::sqrt(20.0 / (101 * 101)), 1));
    verify("Gas of 10,201 elastic discs, area fraction " + shown(fraction, 1) + ": P A / (N k T)",
      shown(expected, 5) + ", 2 %",
      shown(state.ofContacts.value(), 5) + " +/- " + shown(state.ofContacts.error(), 2) +
        ", by the walls " + shown(state.ofWalls.value(), 4) + " +/- " +
        shown(state.ofWalls.error(), 2),
      "Henderson, Mol. Phys. 30 (1975) 971");
  }
}

// The same in seconds, with fewer discs in a box in which walls count more.
TEST_P(DiscGas, PressureRisesWithTheAreaFraction)
{
  for (const double fraction : { 0.1, 0.3 })
    EXPECT_TRUE(
      agrees(measure(24, fraction, 200, device()).ofContacts.value(), henderson(fraction), 0.08));
}
