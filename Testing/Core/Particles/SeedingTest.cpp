#include "SeedChecks.h"

#include "Error.h"
#include "Math/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace
{

using namespace lapilli;

using namespace seed_checks;

const double pi = std::acos(-1.0);

SeedingParameters some(SeedShape shape)
{
  SeedingParameters parameters;
  parameters.shape = shape;
  parameters.count = 400;
  parameters.center = { 5000, -300, 77 };
  parameters.normal = { 1, 2, 2 };
  parameters.shapeRadius = shape == SeedShape::Disc ? 16 : 8;
  parameters.lineStart = { 0, 0, 10 };
  parameters.lineEnd = { 300, 400, 10 };
  parameters.boxCorner = { -10, -10, 0 };
  parameters.boxEdges = { { { 16, 12, 0 }, { -6, 8, 0 }, { 0, 0, 9 } } };
  parameters.radius = 0.5;
  return parameters;
}

const SeedShape allShapes[] = { SeedShape::Point, SeedShape::Line, SeedShape::Disc,
  SeedShape::Sphere, SeedShape::Box };

std::string errorOf(const SeedingParameters& parameters)
{
  try
  {
    placeSeeds(parameters);
  }
  catch (const InvalidInput& error)
  {
    return error.what();
  }
  return "accepted";
}

TEST(Random, LogarithmAndExponentialAreThoseOfTheLibraryToAFewBits)
{
  for (double x = 1e-300; x < 1e300; x *= 1.7)
    EXPECT_NEAR(portableLog(x), std::log(x), 4e-16 * std::max(1.0, std::abs(std::log(x)))) << x;
  for (double x = -600; x < 600; x += 0.37)
    EXPECT_NEAR(portableExp(x) / std::exp(x), 1, 2e-15) << x;
}

TEST(Random, TheFirstNumbersNeverChange)
{
  // So that the particles of an old state file come back.
  RandomStream a(1, RandomStream::Radii), b(1, RandomStream::Radii), c(1, RandomStream::Positions);
  const std::uint64_t first = a.bits();
  EXPECT_EQ(first, b.bits());
  EXPECT_NE(first, c.bits());
  EXPECT_EQ(first, 0x26f21c114de32a44u);
  RandomStream d(1, RandomStream::Velocities);
  EXPECT_EQ(d.normal(), -0.29104615815514079);
}

TEST(Random, UniformAndNormalNumbersHaveTheirMoments)
{
  RandomStream random(7, RandomStream::Velocities);
  const int n = 400000;
  double u1 = 0, u2 = 0, n1 = 0, n2 = 0, n4 = 0;
  for (int i = 0; i < n; ++i)
  {
    const double u = random.uniform(), g = random.normal();
    ASSERT_TRUE(u >= 0 && u < 1);
    u1 += u / n;
    u2 += u * u / n;
    n1 += g / n;
    n2 += g * g / n;
    n4 += g * g * g * g / n;
  }
  // Five standard deviations of the means.
  EXPECT_NEAR(u1, 0.5, 5 * std::sqrt(1 / 12.0 / n));
  EXPECT_NEAR(u2, 1 / 3.0, 5 * std::sqrt(4 / 45.0 / n));
  EXPECT_NEAR(n1, 0, 5 * std::sqrt(1.0 / n));
  EXPECT_NEAR(n2, 1, 5 * std::sqrt(2.0 / n));
  EXPECT_NEAR(n4, 3, 5 * std::sqrt(96.0 / n));
}

TEST(Seeding, TheComparisonOfThisTestFindsAnOverlap)
{
  Seeds seeds;
  seeds.add({ 0, 0, 0 }, { 0, 0, 0 }, 1, 1);
  seeds.add({ 1.9, 0, 0 }, { 0, 0, 0 }, 1, 1);
  EXPECT_NEAR(greatestOverlap(seeds), 0.05, 1e-12);
}

TEST(Seeding, NoTwoSeedsOverlapInAnyShapeWithAnyRadii)
{
  for (const SeedShape shape : allShapes)
    for (const RadiusLaw law : { RadiusLaw::Constant, RadiusLaw::Uniform, RadiusLaw::LogNormal })
    {
      SeedingParameters parameters = some(shape);
      parameters.radiusLaw = law;
      const Seeding seeding = placeSeeds(parameters);
      EXPECT_EQ(seeding.seeds.count(), 400u);
      EXPECT_EQ(seeding.report.placed, 400);
      EXPECT_LT(greatestOverlap(seeding.seeds), 0) << int(shape) << ' ' << int(law);
    }
}

TEST(Seeding, NoTwoSeedsOverlapAtMapCoordinates)
{
  for (const SeedShape shape : allShapes)
  {
    SeedingParameters parameters = some(shape);
    parameters.radius = 0.05;
    parameters.shapeRadius /= 8;
    parameters.center = { 600000, 9085000, 2850 };
    parameters.lineStart = { 600000, 9085000, 10 };
    parameters.lineEnd = { 600030, 9085040, 10 };
    parameters.boxCorner = { 600000, 9085000, 10 };
    parameters.boxEdges = { { { 2, 0, 0 }, { 0, 2, 0 }, { 0, 0, 2 } } };
    EXPECT_LT(greatestOverlap(placeSeeds(parameters).seeds), 0) << int(shape);
  }
}

TEST(Seeding, CentresLieInTheShape)
{
  for (const SeedShape shape : allShapes)
  {
    const SeedingParameters parameters = some(shape);
    const Seeds seeds = placeSeeds(parameters).seeds;
    for (std::size_t i = 0; i < seeds.count(); ++i)
    {
      const auto p = position(seeds, i);
      const double x = p[0] - 5000, y = p[1] + 300, z = p[2] - 77;
      const double distance = std::sqrt(x * x + y * y + z * z);
      switch (shape)
      {
        case SeedShape::Point: // 400 half-metre seeds at a fifth of the volume
          EXPECT_LT(distance, 1.3 * std::cbrt(400 * 0.125 / 0.2));
          break;
        case SeedShape::Line:
          EXPECT_NEAR(p[0] * 4 - p[1] * 3, 0, 1e-9);
          EXPECT_GE(p[0], 0);
          EXPECT_LE(p[0], 300);
          EXPECT_EQ(p[2], 10);
          break;
        case SeedShape::Disc:
          EXPECT_LE(distance, 16 * (1 + 1e-12));
          EXPECT_NEAR(x + 2 * y + 2 * z, 0, 1e-9);
          break;
        case SeedShape::Sphere:
          EXPECT_LE(distance, 8 * (1 + 1e-12));
          break;
        case SeedShape::Box:
        {
          const double s = (0.8 * (p[0] + 10) + 0.6 * (p[1] + 10)) / 20;
          const double t = (-0.6 * (p[0] + 10) + 0.8 * (p[1] + 10)) / 10;
          EXPECT_TRUE(s >= -1e-12 && s <= 1 + 1e-12 && t >= -1e-12 && t <= 1 + 1e-12);
          EXPECT_TRUE(p[2] >= 0 && p[2] <= 9);
          break;
        }
        default:
          FAIL() << "a shape of another test";
      }
    }
  }
}

TEST(Seeding, APointIsTheOnlySeedAndTheMiddleOfACluster)
{
  SeedingParameters parameters = some(SeedShape::Point);
  parameters.count = 1;
  EXPECT_EQ(position(placeSeeds(parameters).seeds, 0), parameters.center);
  parameters.count = 50;
  parameters.radiusLaw = RadiusLaw::Uniform;
  const Seeds cluster = placeSeeds(parameters).seeds;
  EXPECT_EQ(position(cluster, 0), parameters.center);
  EXPECT_EQ(cluster.radii[0], *std::max_element(cluster.radii.begin(), cluster.radii.end()));
}

TEST(Seeding, PlacesAreSpreadEvenlyOverTheShape)
{
  SeedingParameters parameters = some(SeedShape::Sphere);
  parameters.shapeRadius = 100;
  parameters.count = 20000;
  parameters.radius = 0.2; // sparse: places are independent
  const Seeds seeds = placeSeeds(parameters).seeds;
  double inner = 0, mean[3] = { 0, 0, 0 };
  for (std::size_t i = 0; i < seeds.count(); ++i)
  {
    const auto p = position(seeds, i);
    const double d[3] = { p[0] - 5000, p[1] + 300, p[2] - 77 };
    inner += d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < 50 * 50;
    for (int axis = 0; axis < 3; ++axis)
      mean[axis] += d[axis] / 20000;
  }
  EXPECT_NEAR(inner / 20000, 1 / 8.0, 5 * std::sqrt(7 / 64.0 / 20000));
  for (const double m : mean)
    EXPECT_NEAR(m, 0, 5 * 100 / std::sqrt(5.0 * 20000)); // variance R^2 / 5 a component
}

TEST(Seeding, TheSameSeedGivesTheSameBitsAndAnotherDoesNot)
{
  for (const SeedShape shape : allShapes)
  {
    SeedingParameters parameters = some(shape);
    parameters.radiusLaw = RadiusLaw::LogNormal;
    parameters.velocitySpread = 3;
    const Seeds a = placeSeeds(parameters).seeds, b = placeSeeds(parameters).seeds;
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.velocities, b.velocities);
    EXPECT_EQ(a.radii, b.radii);
    parameters.randomSeed = 2;
    EXPECT_NE(placeSeeds(parameters).seeds.positions, a.positions);
  }
}

TEST(Seeding, VelocitiesDoNotChangePlaces)
{
  SeedingParameters parameters = some(SeedShape::Box);
  const Seeds still = placeSeeds(parameters).seeds;
  parameters.velocity = { 1, 2, 3 };
  parameters.velocitySpread = 5;
  const Seeds moving = placeSeeds(parameters).seeds;
  EXPECT_EQ(still.positions, moving.positions);
  EXPECT_EQ(still.radii, moving.radii);
  EXPECT_EQ(still.velocities, std::vector<double>(1200, 0.0));
}

TEST(Seeding, TheSpreadIsTheRootMeanSquareOfTheRandomVelocity)
{
  SeedingParameters parameters = some(SeedShape::Box);
  parameters.count = 100000;
  parameters.radius = 0.01;
  parameters.velocity = { 10, -20, 5 };
  parameters.velocitySpread = 6;
  const Seeds seeds = placeSeeds(parameters).seeds;
  for (int axis = 0; axis < 3; ++axis)
  {
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < seeds.count(); ++i)
    {
      const double d = seeds.velocities[3 * i + axis] - parameters.velocity[axis];
      mean += d / seeds.count();
      square += d * d / seeds.count();
    }
    EXPECT_NEAR(mean, 0, 5 * std::sqrt(12.0 / seeds.count()));
    EXPECT_NEAR(square, 12, 5 * 12 * std::sqrt(2.0 / seeds.count())); // 6^2 / 3
  }
}

TEST(Seeding, RadiiFollowTheirLaws)
{
  SeedingParameters parameters = some(SeedShape::Box);
  parameters.count = 100000;
  parameters.boxEdges = { { { 1000, 0, 0 }, { 0, 1000, 0 }, { 0, 0, 1000 } } };
  const auto radiiOf = [&] { return placeSeeds(parameters).seeds.radii; };

  for (const double r : radiiOf())
    ASSERT_EQ(r, 0.5);

  parameters.radiusLaw = RadiusLaw::Uniform;
  parameters.smallestRadius = 0.2;
  parameters.largestRadius = 1.0;
  double mean = 0, below = 0;
  for (const double r : radiiOf())
  {
    ASSERT_TRUE(r >= 0.2 && r <= 1.0);
    mean += r / 100000;
    below += r < 0.4;
  }
  EXPECT_NEAR(mean, 0.6, 5 * 0.8 / std::sqrt(12.0 * 100000));
  EXPECT_NEAR(below / 100000, 0.25, 5 * std::sqrt(0.1875 / 100000));

  parameters.radiusLaw = RadiusLaw::LogNormal;
  parameters.medianRadius = 0.4;
  parameters.radiusSpread = 1.5;
  double logMean = 0, logSquare = 0;
  for (const double r : radiiOf())
  {
    ASSERT_TRUE(
      r >= 0.4 / std::pow(1.5, 3) * (1 - 1e-12) && r <= 0.4 * std::pow(1.5, 3) * (1 + 1e-12));
    const double deviation = std::log(r / 0.4) / std::log(1.5);
    logMean += deviation / 100000;
    logSquare += deviation * deviation / 100000;
  }
  EXPECT_NEAR(logMean, 0, 5 / std::sqrt(100000.0));
  EXPECT_NEAR(logSquare, 0.97334, 5 * 1.35 / std::sqrt(100000.0)); // normal, cut at 3 deviations
}

TEST(Seeding, DensityTemperatureAndSourceAreCarriedAndTheMassReported)
{
  SeedingParameters parameters = some(SeedShape::Disc);
  parameters.density = 1000;
  parameters.temperature = 900;
  parameters.sourceId = 7;
  const Seeding seeding = placeSeeds(parameters);
  EXPECT_EQ(seeding.seeds.densities, std::vector<double>(400, 1000.0));
  EXPECT_EQ(seeding.seeds.temperatures, std::vector<double>(400, 900.0));
  EXPECT_EQ(seeding.seeds.sourceIds, std::vector<std::int32_t>(400, 7));
  EXPECT_NEAR(seeding.report.mass, 400 * 1000 * pi / 6, 1e-6);
}

TEST(Seeding, AShapeThatIsTooFullSaysHowManyFoundAPlace)
{
  for (const SeedShape shape :
    { SeedShape::Line, SeedShape::Disc, SeedShape::Sphere, SeedShape::Box })
  {
    SeedingParameters parameters = some(shape);
    parameters.count = 3000;
    const std::string text = errorOf(parameters);
    EXPECT_NE(text.find("is too full: "), std::string::npos) << text;
    EXPECT_NE(
      text.find(" of 3000 seeds found a place without overlap; make the "), std::string::npos);
    const long placed = std::stol(text.substr(text.find("full: ") + 6));
    EXPECT_GT(placed, 300) << text;
    EXPECT_LT(placed, 3000) << text;
  }
}

TEST(Seeding, ShapesTakeWhatIsPromised)
{
  SeedingParameters box = some(SeedShape::Box); // 29 % of a large box by volume
  box.boxEdges = { { { 40, 0, 0 }, { 0, 40, 0 }, { 0, 0, 40 } } };
  box.count = static_cast<std::int64_t>(0.29 * 40 * 40 * 40 / (pi / 6));
  EXPECT_EQ(placeSeeds(box).report.placed, box.count);
  SeedingParameters disc = some(SeedShape::Disc); // 45 % of a disc by area
  disc.shapeRadius = 50;
  disc.count = static_cast<std::int64_t>(0.45 * 2500 / 0.25);
  EXPECT_EQ(placeSeeds(disc).report.placed, disc.count);
  SeedingParameters line = some(SeedShape::Line); // all of a line, from centre to centre
  line.count = 500;
  EXPECT_EQ(placeSeeds(line).report.placed, 500);
  line.count = 502;
  EXPECT_EQ(errorOf(line).substr(0, 45), "the line is too full: 500 of 502 seeds found ");
}

TEST(Seeding, ADroppedSeedRestsOnTheGroundOrOnOthersAndTouchesNoTerrain)
{
  for (const double shift : { 0.0, 9085000.0 })
  {
    const Surface ground = relief(
      60, 5, shift, shift, [shift](double x, double y) { return hills(x - shift, y - shift); });
    const Elevation elevation(ground);
    for (const SeedShape shape : allShapes)
      for (const RadiusLaw law : { RadiusLaw::Constant, RadiusLaw::LogNormal })
      {
        SeedingParameters parameters = some(shape);
        parameters.radiusLaw = law;
        parameters.center = { shift + 150, shift + 150, 5000 }; // far above: only x and y count
        parameters.lineStart = { shift + 20, shift + 30, -900 };
        parameters.lineEnd = { shift + 280, shift + 270, 900 };
        parameters.boxCorner = { shift + 100, shift + 100, 0 };
        parameters.count = 600;
        const Seeding seeding = placeSeeds(parameters, &elevation);
        EXPECT_EQ(seeding.report.placed, 600);
        EXPECT_EQ(seeding.report.besideTerrain, 0);
        EXPECT_LT(greatestOverlap(seeding.seeds), 0) << int(shape) << ' ' << int(law);
        std::int64_t onGround = 0;
        for (std::size_t i = 0; i < seeding.seeds.count(); ++i)
        {
          const double r = seeding.seeds.radii[i];
          const double distance = elevation.distance(position(seeding.seeds, i), 10 * r);
          EXPECT_GE(distance, r) << int(shape) << ' ' << i;
          onGround += distance < r * (1 + 1e-5);
        }
        EXPECT_EQ(onGround, 600 - seeding.report.stacked) << int(shape);
        EXPECT_GT(onGround, 60) << int(shape);
      }
  }
}

TEST(Seeding, WhereTheGroundIsTakenSeedsAreStacked)
{
  const Elevation elevation(relief(4, 10, -20, -20, [](double, double) { return 3; }));
  SeedingParameters parameters = some(SeedShape::Disc);
  parameters.center = { 0, 0, 0 };
  parameters.normal = { 0, 0, 1 };
  parameters.shapeRadius = 3;
  parameters.count = 500; // a layer takes some 20
  const Seeding seeding = placeSeeds(parameters, &elevation);
  EXPECT_EQ(seeding.report.placed, 500);
  EXPECT_GT(seeding.report.stacked, 450);
  EXPECT_LT(greatestOverlap(seeding.seeds), 0);
  double highest = 0;
  for (std::size_t i = 0; i < 500; ++i)
    highest = std::max(highest, position(seeding.seeds, i)[2]);
  EXPECT_LT(highest, 100); // a heap, not a tower: some 25 layers of at most 1 m, loosely
}

TEST(Seeding, WhatMayOverlapIsNeitherStackedNorRefused)
{
  const Elevation elevation(relief(4, 10, -20, -20, [](double, double) { return 3; }));
  for (const SeedShape shape : { SeedShape::Line, SeedShape::Disc, SeedShape::Box })
  {
    for (const Elevation* terrain : { static_cast<const Elevation*>(nullptr), &elevation })
    {
      SeedingParameters parameters;
      parameters.shape = shape;
      parameters.center = { 0, 0, 0 };
      parameters.normal = { 0, 0, 1 };
      parameters.shapeRadius = 2;
      parameters.lineEnd = { 4, 0, 0 };
      parameters.boxEdges = { { { 2, 0, 0 }, { 0, 2, 0 }, { 0, 0, 2 } } };
      parameters.radius = 0.25;
      parameters.count = 2000;
      parameters.crowding = Crowding::Overlap;
      const Seeding seeding = placeSeeds(parameters, terrain);
      EXPECT_EQ(seeding.report.placed, 2000);
      EXPECT_EQ(seeding.report.stacked, 0);
      EXPECT_GT(seeding.report.crowded, 1000);
      EXPECT_NE(seeding.report.text().find("overlap others"), std::string::npos);
      for (std::size_t i = 0; terrain && i < 2000; ++i)
        EXPECT_NEAR(position(seeding.seeds, i)[2], 3.25, 1e-5) << i;
      // Where there is room they keep apart.
      parameters.count = 4;
      EXPECT_EQ(placeSeeds(parameters, terrain).report.crowded, 0);
    }
  }
}

TEST(Seeding, StacksOfSeedsTooSmallForTheirHeightComeToAnEnd)
{
  const Elevation elevation(relief(4, 10, -20, -20, [](double, double) { return 1000; }));
  SeedingParameters parameters = some(SeedShape::Disc);
  parameters.center = { 0, 0, 0 };
  parameters.normal = { 0, 0, 1 };
  parameters.shapeRadius = parameters.radius = 1e-8; // gaps are below the rounding of 1000 m
  parameters.count = 100;
  EXPECT_EQ(placeSeeds(parameters, &elevation).report.placed, 100);
}

TEST(Seeding, SeedsWithoutAMassThatIsANumberAreRefused)
{
  SeedingParameters parameters = some(SeedShape::Disc);
  parameters.count = 1;
  parameters.radius = 1e300;
  EXPECT_EQ(errorOf(parameters), "mass of the seeds is inf kg; it must be finite and above 0: "
                                 "choose another radius, 1e+300 m, or density, 2600 kg/m^3");
  parameters.radius = 1e-200;
  EXPECT_EQ(errorOf(parameters).substr(0, 27), "mass of the seeds is 0 kg; ");
  parameters.radiusLaw = RadiusLaw::LogNormal;
  parameters.medianRadius = 1e308;
  parameters.radiusSpread = 5;
  EXPECT_EQ(errorOf(parameters), "median radius is 1e+308; it must give radii above 0 and finite "
                                 "between the cut-offs, 8e+305 and inf m");
}

TEST(Seeding, SeedsBesideTheTerrainAndOverHolesAreCountedAndLeftOut)
{
  Surface ground = relief(10, 10, 0, 0, [](double, double) { return 0; });
  ground.triangles.erase(ground.triangles.begin() + 6 * 55, ground.triangles.begin() + 6 * 56);
  const Elevation elevation(ground); // hole: 50 to 60 both ways
  SeedingParameters parameters = some(SeedShape::Box);
  parameters.boxCorner = { 0, 0, 0 };
  parameters.boxEdges = { { { 200, 0, 0 }, { 0, 100, 0 },
    { 0, 0, 1 } } }; // half of it over the map
  parameters.count = 20000;
  parameters.radius = 0.05;
  const Seeding seeding = placeSeeds(parameters, &elevation);
  EXPECT_EQ(seeding.report.placed + seeding.report.besideTerrain, 20000);
  EXPECT_EQ(seeding.seeds.count(), static_cast<std::size_t>(seeding.report.placed));
  EXPECT_NEAR(seeding.report.placed / 20000.0, 0.495, 5 * 0.5 / std::sqrt(20000.0));
  for (std::size_t i = 0; i < seeding.seeds.count(); ++i)
  {
    const auto p = position(seeding.seeds, i);
    EXPECT_FALSE(p[0] > 50 && p[0] < 60 && p[1] > 50 && p[1] < 60);
    EXPECT_LE(p[0], 100);
  }
  EXPECT_NE(seeding.report.text().find("lie beside the terrain or over a hole"), std::string::npos);
}

TEST(Seeding, NoTerrainAnywhereLeavesNoSeeds)
{
  const Elevation elevation(relief(4, 1, 1000, 1000, hills));
  for (const SeedShape shape : allShapes)
  {
    const Seeding seeding = placeSeeds(some(shape), &elevation);
    EXPECT_EQ(seeding.report.placed, 0);
    EXPECT_EQ(seeding.report.besideTerrain, 400);
  }
}

TEST(Seeding, OfTwoSheetsTheHigherIsTheGround)
{
  Surface both = relief(4, 10, -20, -20, [](double, double) { return 0; });
  const Surface upper = relief(4, 10, -20, -20, [](double, double) { return 30; });
  for (const std::int64_t corner : upper.triangles)
    both.triangles.push_back(corner + 25);
  both.points.insert(both.points.end(), upper.points.begin(), upper.points.end());
  SeedingParameters parameters = some(SeedShape::Point);
  parameters.center = { 1, 2, 10 };
  parameters.count = 1;
  const Elevation elevation(both);
  EXPECT_NEAR(placeSeeds(parameters, &elevation).seeds.positions[2], 30.5, 1e-5);
}

TEST(Seeding, BadParametersAreNamedWithValueAndLimit)
{
  const auto with = [](SeedShape shape, const std::function<void(SeedingParameters&)>& change)
  {
    SeedingParameters parameters = some(shape);
    change(parameters);
    return errorOf(parameters);
  };
  using P = SeedingParameters;
  EXPECT_EQ(with(SeedShape::Disc, [](P& p) { p.count = 0; }),
    "number of seeds is 0; it must lie in [1, 100000000]");
  EXPECT_EQ(with(SeedShape::Disc, [](P& p) { p.radius = -1; }),
    "radius is -1; it must be finite and above 0");
  EXPECT_EQ(with(SeedShape::Disc, [](P& p) { p.radius = std::nan(""); }),
    "radius is nan; it must be finite and above 0");
  EXPECT_EQ(with(SeedShape::Disc, [](P& p) { p.shapeRadius = 0; }),
    "radius of the disc is 0; it must be finite and above 0");
  EXPECT_EQ(with(SeedShape::Disc,
              [](P& p) {
                p.normal = { 0, 0, 0 };
              }),
    "normal of the disc is (0, 0, 0); it must have a direction");
  EXPECT_EQ(with(SeedShape::Sphere, [](P& p) { p.center[1] = INFINITY; }),
    "centre is (5000, inf, 77); it must be finite");
  EXPECT_EQ(with(SeedShape::Sphere, [](P& p) { p.center[1] = -1.5e12; }),
    "centre is (5000, -1.5e+12, 77); it must lie within 1e+12 m");
  EXPECT_EQ(with(SeedShape::Disc, [](P& p) { p.shapeRadius = 1e200; }),
    "radius of the disc is 1e+200; it must be at most 1e+12 m");
  EXPECT_EQ(with(SeedShape::Line, [](P& p) { p.lineEnd[2] = INFINITY; }),
    "end of the line is (300, 400, inf); it must be finite");
  EXPECT_EQ(with(SeedShape::Box, [](P& p) { p.boxEdges[0][0] = INFINITY; }),
    "edge of the box is (inf, 12, 0); it must be finite");
  EXPECT_EQ(with(SeedShape::Disc,
              [](P& p)
              {
                p.radiusLaw = RadiusLaw::Uniform;
                p.largestRadius = 0.1;
              }),
    "largest radius is 0.1; it must be finite and not below the smallest radius, 0.3");
  EXPECT_EQ(with(SeedShape::Disc,
              [](P& p)
              {
                p.radiusLaw = RadiusLaw::LogNormal;
                p.radiusSpread = 0.9;
              }),
    "spread of the radius is 0.9; it must lie in [1, 5]");
  EXPECT_EQ(with(SeedShape::Disc, [](P& p) { p.density = 0; }),
    "density is 0; it must be finite and above 0");
  EXPECT_EQ(with(SeedShape::Disc, [](P& p) { p.temperature = -3; }),
    "temperature is -3; it must be finite and above 0");
  EXPECT_EQ(with(SeedShape::Disc, [](P& p) { p.velocitySpread = -1; }),
    "velocity spread is -1; it must be finite and not negative");
  EXPECT_EQ(with(SeedShape::Point, [](P& p) { p.shapeRadius = -1; }), "accepted"); // not used
}

} // namespace
