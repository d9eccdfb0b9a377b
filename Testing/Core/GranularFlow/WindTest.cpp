// What the wind can do to light grains: contacts are made for its speed.
#include "Compare.h"
#include "Runs.h"
#include "Terrains.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kRadius = 0.005;
constexpr double kWind = 40;

/// Grains of pumice on a flat, upwind of a ramp of 45 degrees.
Scene grainsBeforeARamp(double away)
{
  Scene scene;
  scene.surfaces.push_back(
    moved(gridTerrain(-10, 10, 1, -50, 50, 2, [](double, double y) { return y > 0 ? y : 0; }), away,
      away, 0));
  for (int i = 0; i < 10; ++i)
    scene.seeds.add({ away - 3 + 0.6 * i, away - 5, 1.2 * kRadius }, { 0, 0, 0 }, kRadius, 600);
  return scene;
}

GranularFlowParameters windy(double airDensity)
{
  GranularFlowParameters parameters;
  parameters.airDensity = airDensity;
  parameters.wind = { { 0, { 0, kWind, 0 } } };
  return parameters;
}

} // namespace

class GranularWind : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularWind);

TEST_P(GranularWind, DrivesNoGrainThroughTheTerrain)
{
  for (const double away : { 0.0, 20000.0 })
  {
    auto run = march(grainsBeforeARamp(away), windy(1.2), device(), 1);
    const Report report = run->report();
    EXPECT_EQ(report.particles, 10) << away;
    EXPECT_LT(report.greatestOverlap, 0.1) << away;
    for (std::size_t i = 0; i < 10; ++i)
      EXPECT_GT(Snapshot(*run).position(i).y, away) << "has not reached the ramp";
    verify(std::string("Grains of pumice that a wind of 40 m/s drives against a ramp") +
             awayName(away) + ": lost, greatest overlap",
      "0 of 10, below 0.1 of the radius",
      std::to_string(10 - report.particles) + " of 10, " + shown(report.greatestOverlap, 2),
      "greatest speed with the wind's");
  }
}

// A step is chosen before the speed at the end of the one before it is known.
TEST_P(GranularWind, OfAStormTakesDustAtRestAlongFromOneStepToTheNext)
{
  GranularFlowParameters parameters = windy(1.2);
  parameters.gravity = { 0, 0, 0 };
  parameters.greatestSpeed = 0.1; // so that contacts alone allow long steps
  parameters.frameInterval = 0.001;
  Scene scene;
  scene.domain.used = true;
  scene.domain.lower = { -50, -50, -50 };
  scene.domain.upper = { 50, 50, 50 };
  scene.seeds.add({ 0, 0, 0 }, { 0, 0, 0 }, 1e-6, 100);
  auto run = march(scene, parameters, device(), 0.01);
  EXPECT_TRUE(agrees(Snapshot(*run).velocity(0), Vec3d{ 0, kWind, 0 }, 1e-3, kWind));
}

TEST_P(GranularWind, OfASpeedThatIsGivenTooLowDrivesThemThrough)
{
  GranularFlowParameters soft = windy(1.2);
  soft.greatestSpeed = 0.34;
  EXPECT_LT(march(grainsBeforeARamp(0), soft, device(), 1)->report().particles, 10);
}

TEST(GranularWindEstimate, CountsInTheGreatestSpeedWhereThereIsAir)
{
  const double still = estimateGranularFlow(grainsBeforeARamp(0), windy(0)).greatestSpeed;
  EXPECT_LT(still, 1);
  const double wind = estimateGranularFlow(grainsBeforeARamp(0), windy(1.2)).greatestSpeed;
  EXPECT_TRUE(agrees(wind, std::hypot(kWind, still), 1e-12));
  // Winds that blow against one another meet head-on.
  GranularFlowParameters shear = windy(1.2);
  shear.wind = { { 0, { 0, -30, 0 } }, { 10, { 0, 40, 0 } } };
  EXPECT_TRUE(agrees(
    estimateGranularFlow(grainsBeforeARamp(0), shear).greatestSpeed, std::hypot(70, still), 1e-12));
  // A speed that is given stays.
  shear.greatestSpeed = 5;
  EXPECT_EQ(estimateGranularFlow(grainsBeforeARamp(0), shear).greatestSpeed, 5);
}

TEST_P(GranularWind, WithoutAirIsToldOnce)
{
  GranularFlowParameters parameters;
  parameters.wind = { { 0, { 30, 0, 0 } } };
  Scene scene;
  scene.surfaces.push_back(planeTerrain(10));
  scene.seeds.add({ 0, 0, 1 }, { 0, 0, 0 }, 0.5, 2600);
  const auto notesWith = [&](double density)
  {
    parameters.airDensity = density;
    return createGranularFlow(scene, parameters, device())->report().notes;
  };
  ASSERT_EQ(notesWith(0).size(), 1u);
  EXPECT_NE(notesWith(0)[0].find("wind does nothing"), std::string::npos);
  EXPECT_TRUE(notesWith(1.2).empty());
}
