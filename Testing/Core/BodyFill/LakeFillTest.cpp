// Basins of known shape under water, and lakes that would not stay.
#include "Bodies.h"
#include "Compare.h"
#include "Refusals.h"

#include "LakeFill.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace lapilli;
using namespace lapilli::test;

namespace
{

/// A bowl whose depth grows from 40 m at the rim's height, z = 0, to -40 m in the middle: z = r^2 / 100 - 40.
double bowl(double x, double y)
{
  return (x * x + y * y) / 100 - 40;
}

LakeFillParameters at(double level, double spacing, const std::array<double, 2>& place = { 0, 0 })
{
  LakeFillParameters parameters;
  parameters.place = place;
  parameters.level = level;
  parameters.spacing = spacing;
  return parameters;
}

std::string refusal(const Elevation& terrain, const LakeFillParameters& parameters)
{
  const std::string text = messageOf<InvalidInput>([&] { fillLake(terrain, parameters); });
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  return text;
}

double numberBefore(const std::string& text, const std::string& words)
{
  const std::size_t end = text.find(words);
  return std::stod(text.substr(text.rfind(' ', end - 1)));
}

} // namespace

TEST(LakeFill, ABowlHoldsItsVolume)
{
  const double pi = std::acos(-1.0);
  const Elevation terrain(gridTerrain(-80, 80, 160, -80, 80, 160, bowl));
  for (const Lattice lattice : { Lattice::Cubic, Lattice::FaceCentered })
  {
    LakeFillParameters parameters = at(-10, 2);
    parameters.lattice = lattice;
    const LakeFill lake = fillLake(terrain, parameters);
    // A paraboloid of depth d has 50 pi d^2. The terrain's chords lie above it by up to 0.005 m of 15 m mean depth, and
    // the columns sum a smooth function: a thousandth.
    const double exact = 50 * pi * 30 * 30;
    EXPECT_NEAR(lake.report.volume / exact, 1, 1e-3);
    verify(std::string("Lake in a paraboloid, ") +
             (lattice == Lattice::Cubic ? "cubic" : "face-centred") + " lattice: m3",
      shown(exact, 6) + " +/- 0.1 %", shown(lake.report.volume, 6), "50 pi d^2");
    EXPECT_NEAR(lake.report.area / (100 * pi * 30), 1, 0.02); // 5000 columns, 300 at the shore
    EXPECT_NEAR(lake.report.greatestDepth, 30, 0.01);
    // The layer at the level itself stands with half its height above it: 1 m or 0.7 m of 15 m mean depth.
    const bool isCubic = lattice == Lattice::Cubic;
    const double cell = isCubic ? 8 : 8 / std::sqrt(2.0);
    EXPECT_NEAR(static_cast<double>(lake.count()) * cell / exact, 1, isCubic ? 0.08 : 0.055);
    for (std::size_t i = 0; i < lake.positions.size(); i += 3)
    {
      const double* p = &lake.positions[i];
      ASSERT_LE(p[2], -10);
      ASSERT_GE(p[2], bowl(p[0], p[1]) - 1e-9);
    }
  }
}

TEST(LakeFill, PlacesAreThoseOfTheLatticeOfBodies)
{
  const Elevation pyramid(gridTerrain(-100, 100, 2, -100, 100, 2,
    [](double x, double y) { return std::max(std::abs(x), std::abs(y)) - 50; }));
  const LakeFill lake = fillLake(pyramid, at(-20, 3));
  const double pitch = 3 / std::sqrt(2.0);
  std::set<Place> places;
  for (std::size_t i = 0; i < lake.positions.size(); i += 3)
  {
    int sum = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
      const double index = std::round(lake.positions[i + axis] / pitch);
      EXPECT_EQ(lake.positions[i + axis], index * pitch);
      sum += static_cast<int>(index);
    }
    EXPECT_EQ(sum % 2, 0);
    places.insert({ lake.positions[i + 2], lake.positions[i + 1], lake.positions[i] });
  }
  EXPECT_EQ(places.size(), lake.count());
  std::size_t i = 0;
  for (const Place& p : places) // from below, then by y, then by x
    EXPECT_EQ(lake.positions[3 * i++], p[2]);
}

TEST(LakeFill, OnlyTheBasinOfThePlaceIsFilled)
{
  // Two valleys along y with a ridge of -5 m between; walls around.
  const auto valleys = [](double x, double y)
  {
    return std::max(
      { 30 * std::cos(std::acos(-1.0) * x / 50) - 35, std::abs(x) - 70, std::abs(y) - 40 });
  };
  const Elevation terrain(gridTerrain(-100, 100, 200, -80, 80, 160, valleys));
  const LakeFill east = fillLake(terrain, at(-10, 2, { 50, 0 }));
  for (std::size_t i = 0; i < east.positions.size(); i += 3)
    ASSERT_GT(east.positions[i], 0);
  const LakeFill both = fillLake(terrain, at(-4, 2, { 50, 0 }));
  double west = 0;
  for (std::size_t i = 0; i < both.positions.size(); i += 3)
    west = std::min(west, both.positions[i]);
  EXPECT_LT(west, -40);
}

TEST(LakeFill, ALakeThatRunsOffNamesPlaceAndHighestLevel)
{
  // A notch in the rim, at x = 70, down to -12 m.
  const auto notched = [](double x, double y)
  { return x > 30 && std::abs(y) < 8 ? std::min(bowl(x, y), -12.0) : bowl(x, y); };
  const Elevation terrain(gridTerrain(-70, 70, 140, -70, 70, 140, notched));
  const std::string text = refusal(terrain, at(-10, 2));
  EXPECT_TRUE(
    says(text, { "level -10 m", "runs off the terrain", "(70.7", "highest level", "-12" }));
  const double stays = numberBefore(text, " m: lower it");
  EXPECT_NEAR(stays, -12, 0.02);
  EXPECT_GT(fillLake(terrain, at(stays, 2)).count(), 100u);
  // A slope has no basin, whatever the level.
  const Elevation slope(
    gridTerrain(-70, 70, 14, -70, 70, 14, [](double x, double) { return 0.3 * x; }));
  for (const double level : { 0.5, 5., 100. })
    EXPECT_TRUE(says(refusal(slope, at(level, 2)), { "no basin", "(0, 0)", "any level" })) << level;
  // A hole in the floor holds nothing.
  const Elevation pierced(gridTerrain(-70, 70, 140, -70, 70, 140, bowl,
    [](double x, double y) { return std::hypot(x - 20, y) > 4; }));
  const std::string hole = refusal(pierced, at(-10, 2));
  EXPECT_TRUE(says(hole, { "hole", "highest level" }));
  EXPECT_NEAR(
    numberBefore(hole, " m: lower it"), bowl(16, 0), 0.7); // a column of 1.4 m on a slope of 0.32
}

TEST(LakeFill, CentresKeepTheirClearance)
{
  const Elevation terrain(gridTerrain(-80, 80, 40, -80, 80, 40, bowl));
  LakeFillParameters parameters = at(-10, 3);
  const LakeFill all = fillLake(terrain, parameters);
  parameters.clearance = 2.5;
  const LakeFill clear = fillLake(terrain, parameters);
  EXPECT_EQ(clear.report.particles + clear.report.nearSurface, all.report.particles);
  EXPECT_GT(clear.report.nearSurface, 100);
  for (std::size_t i = 0; i < clear.positions.size(); i += 3)
    ASSERT_EQ(
      terrain.distance({ clear.positions[i], clear.positions[i + 1], clear.positions[i + 2] }, 2.5),
      2.5);
  EXPECT_TRUE(says(clear.report.text(), { "particles", "m^3", "too near" }));
}

TEST(LakeFill, BadInputIsRefused)
{
  const Elevation terrain(gridTerrain(-80, 80, 40, -80, 80, 40, bowl));
  EXPECT_TRUE(says(refusal(terrain, at(-50, 2)), { "level is -50 m", "-40 m", "raise" }));
  EXPECT_TRUE(says(refusal(terrain, at(-10, 2, { 500, 0 })), { "(500, 0)", "no terrain", "move" }));
  EXPECT_TRUE(says(refusal(terrain, at(-10, 2, { kNaN, 0 })), { "place is (nan, 0)", "finite" }));
  for (const double bad : { kNaN, kInfinity, 1e300 })
  {
    EXPECT_TRUE(says(refusal(terrain, at(bad, 2)), { "level is", "finite" }));
  }
  for (const double bad : { 0.0, -2.0, kNaN })
  {
    EXPECT_TRUE(says(refusal(terrain, at(-10, bad)), { "spacing is", "above 0" }));
  }
  EXPECT_TRUE(says(refusal(terrain, at(-10, 1e-12)), { "spacing is 1e-12 m", "at least" }));
  EXPECT_TRUE(
    says(refusal(terrain, at(-10, 1e5, { 30, 30 })), { "spacing is 100000 m", "smaller" }));
  LakeFillParameters parameters = at(-10, 8);
  parameters.clearance = 100;
  EXPECT_TRUE(says(refusal(terrain, parameters), { "clearance", "100 m", "smaller" }));
  EXPECT_TRUE(says(refusal(Elevation(Surface{}), at(-10, 2)), { "no terrain" }));
}
