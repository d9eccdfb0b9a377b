// Bad input of contact laws, materials, air, domains and obstacles: one whole sentence each.
#include "Refusals.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

/// The whole sentence.
void expectRefusal(
  const Scene& scene, const GranularFlowParameters& parameters, const std::string& sentence)
{
  EXPECT_EQ(refusal(scene, parameters), sentence);
}

/// Every pair of the materials 0 and 2.
GranularFlowParameters withPairs()
{
  GranularFlowParameters parameters;
  parameters.materialPairs = { { 0, 0 }, { 0, 2 }, { 2, 2 }, { 0, MaterialPair::kTerrain },
    { 2, MaterialPair::kTerrain } };
  return parameters;
}

Scene withMaterials()
{
  Scene scene = soundScene();
  scene.seeds.materials = { 0, 2 };
  return scene;
}

} // namespace

TEST(GranularInput, ParametersOfContactAndAirOutsideTheirRangeAreNamed)
{
  using P = GranularFlowParameters;
  struct Case
  {
    double P::*field;
    double value;
    std::string sentence;
  };
  for (const Case& c :
    { Case{ &P::rollingFriction, 2.5, "rolling friction is 2.5; it must lie in [0, 2]" },
      Case{
        &P::terrainRollingFriction, -1, "terrain rolling friction is -1; it must lie in [0, 2]" },
      Case{ &P::cohesion, -1, "cohesion is -1; it must lie in [0, infinity) J/m^3" },
      Case{ &P::terrainCohesion, kInfinity,
        "terrain cohesion is inf; it must lie in [0, infinity) J/m^3" },
      Case{ &P::terrainYoungsModulus, -5,
        "terrain Young's modulus is -5; it must lie in [0, infinity) Pa, where 0 is rigid" },
      Case{
        &P::terrainPoissonsRatio, 0.5, "terrain Poisson's ratio is 0.5; it must lie in (-1, 0.5)" },
      Case{ &P::airDensity, -1,
        "air density is -1; it must lie in [0, infinity) kg/m^3, where 0 is no air" },
      Case{ &P::dragCoefficient, 101, "drag coefficient is 101; it must lie in [0, 100]" },
      Case{ &P::airViscosity, 0, "air viscosity is 0; it must lie in (0, infinity) Pa s" },
      Case{ &P::rayleighFraction, 0, "Rayleigh fraction is 0; it must lie in (0, 1]" } })
  {
    EXPECT_EQ(refusalOf(c.field, c.value), c.sentence);
    EXPECT_TRUE(says(refusalOf(c.field, kNaN), { " is nan; it must lie in " }));
  }
}

TEST(GranularInput, CohesionBetweenLinearSpringsIsRefused)
{
  GranularFlowParameters parameters;
  parameters.cohesion = 100;
  expectRefusal(soundScene(), parameters,
    "cohesion of material 0 with material 0 is 100 J/m^3; between linear springs it would only "
    "soften the contact: choose the contact law Hertz-Mindlin, or a cohesion of 0");
  parameters.cohesion = 0;
  parameters.terrainCohesion = 7;
  EXPECT_TRUE(
    says(refusal(soundScene(), parameters), { "material 0 with the terrain is 7 J/m^3" }));
  parameters.contactLaw = ContactLaw::HertzMindlin;
  EXPECT_NO_THROW(createGranularFlow(soundScene(), parameters, kCpu));
}

TEST(GranularInput, MaterialsOutOfRangeAreRefused)
{
  EXPECT_NO_THROW(createGranularFlow(withMaterials(), withPairs(), kCpu));
  const auto refusalOfMaterial = [](const Material& material)
  {
    Scene scene = withMaterials();
    scene.materials = { material };
    return refusal(scene, withPairs());
  };
  EXPECT_EQ(refusalOfMaterial({ 2, 0, 0.25 }),
    "Young's modulus of material 2 is 0; it must be finite and above 0");
  EXPECT_EQ(refusalOfMaterial({ 2, kNaN, 0.25 }),
    "Young's modulus of material 2 is nan; it must be finite and above 0");
  EXPECT_EQ(refusalOfMaterial({ 2, 1e9, 0.5 }),
    "Poisson's ratio of material 2 is 0.5; it must lie in (-1, 0.5)");
  EXPECT_EQ(refusalOfMaterial({ 2, 1e9, kNaN }),
    "Poisson's ratio of material 2 is nan; it must lie in (-1, 0.5)");
  EXPECT_EQ(
    refusalOfMaterial({ -3, 1e9, 0.2 }), "number of a material is -3; it must be 0 or above");
  Scene scene = withMaterials();
  scene.materials = { { 2, 1e9, 0.2 }, { 2, 2e9, 0.2 } };
  expectRefusal(
    scene, withPairs(), "material 2 is given twice; give each material a number of its own");
  scene = withMaterials();
  scene.seeds.materials = { 0, -2 };
  expectRefusal(scene, withPairs(), "material of a source is -2; it must be 0 or above");
  for (const std::size_t length : { 1, 3 })
  {
    scene.seeds.materials.assign(length, 0);
    EXPECT_TRUE(says(refusal(scene), { "array 'material'", std::to_string(length), "2 seeds" }));
  }
}

TEST(GranularInput, PairsMissingDoubleOrOutOfRangeAreRefused)
{
  GranularFlowParameters parameters = withPairs();
  parameters.materialPairs.erase(parameters.materialPairs.begin() + 1);
  expectRefusal(withMaterials(), parameters,
    "the table of materials misses material 0 with material 2; add a row for it, or empty the "
    "table");
  parameters = withPairs();
  parameters.materialPairs.pop_back();
  expectRefusal(withMaterials(), parameters,
    "the table of materials misses material 2 with the terrain; add a row for it, or empty the "
    "table");
  parameters = withPairs();
  parameters.materialPairs.push_back({ 2, 0 });
  expectRefusal(withMaterials(), parameters,
    "the table of materials gives material 0 with material 2 twice; remove one of the rows");
  parameters = withPairs();
  parameters.materialPairs.push_back({ MaterialPair::kTerrain, MaterialPair::kTerrain });
  expectRefusal(
    withMaterials(), parameters, "a pair of the terrain with itself is given; remove it");
  parameters = withPairs();
  parameters.materialPairs.push_back({ -2, 0 });
  expectRefusal(withMaterials(), parameters,
    "material of a pair is -2; it must be 0 or above, or -1 for the terrain");

  const auto refusalOfPair = [](double MaterialPair::*field, double value)
  {
    GranularFlowParameters bad = withPairs();
    bad.contactLaw = ContactLaw::HertzMindlin;
    bad.materialPairs[1].*field = value;
    return refusal(withMaterials(), bad);
  };
  const std::string of = " of material 0 with material 2 is ";
  EXPECT_EQ(
    refusalOfPair(&MaterialPair::restitution, 0), "restitution" + of + "0; it must lie in (0, 1]");
  EXPECT_EQ(refusalOfPair(&MaterialPair::restitution, kNaN),
    "restitution" + of + "nan; it must lie in (0, 1]");
  EXPECT_EQ(
    refusalOfPair(&MaterialPair::friction, 11), "friction" + of + "11; it must lie in [0, 10]");
  EXPECT_EQ(refusalOfPair(&MaterialPair::rollingFriction, -0.1),
    "rolling friction" + of + "-0.1; it must lie in [0, 2]");
  EXPECT_EQ(refusalOfPair(&MaterialPair::cohesion, kInfinity),
    "cohesion" + of + "inf; it must be finite and not negative");
}

TEST(GranularInput, WindUnsortedOrNotFiniteIsRefused)
{
  GranularFlowParameters parameters;
  parameters.wind = { { 10, { 1, 0, 0 } }, { 5, { 2, 0, 0 } } };
  expectRefusal(soundScene(), parameters,
    "height of wind layer 1 is 5 m, after one of 10 m; sort the wind's table by ascending height");
  parameters.wind[1].height = 10;
  EXPECT_TRUE(says(refusal(soundScene(), parameters), { "layer 1 is 10 m, after one of 10 m" }));
  parameters.wind[1].height = kNaN;
  expectRefusal(soundScene(), parameters,
    "height of wind layer 1 is nan; it must lie in the finite numbers [m]");
  parameters.wind = { { 10, { 1, kInfinity, 0 } } };
  expectRefusal(soundScene(), parameters,
    "velocity of wind layer 0 is inf; it must lie in the finite numbers [m/s]");
}

TEST(GranularInput, ArraysOnTrianglesOfWrongLengthOrRangeAreRefused)
{
  Scene scene = soundScene();
  scene.surfaces[0].friction = { 0.5 };
  expectRefusal(scene, {},
    "array friction of surface 0 has 1 values; it must have one for each of the 2 triangles");
  scene.surfaces[0].name = "slope";
  const auto expect = [&](const char* name, const std::string& shownValue, const std::string& range)
  {
    expectRefusal(scene, {},
      std::string("array ") + name + " of surface 'slope' is " + shownValue +
        " on triangle 1; it must lie in " + range +
        ": correct it, or use -1 to leave the pair's value");
  };
  scene.surfaces[0].friction = { 0.5, kNaN };
  expect("friction", "nan", "[0, 10]");
  scene.surfaces[0].friction = { 0.5, -0.5 };
  expect("friction", "-0.5", "[0, 10]");
  scene.surfaces[0].friction = { 0.5, Surface::kNotGiven };
  EXPECT_NO_THROW(createGranularFlow(scene, {}, kCpu));
  scene.surfaces[0].restitution = { 1, 0 };
  expect("restitution", "0", "(0, 1]");
  scene.surfaces[0].restitution.clear();
  scene.surfaces[0].rollingFriction = { 0, 3 };
  expect("rolling_friction", "3", "[0, 2]");
}

TEST(GranularInput, DomainsThatCannotBeAreRefused)
{
  Scene scene = soundScene();
  scene.domain.used = true;
  scene.domain.lower = { -10, -10, -5 };
  scene.domain.upper = { 10, 10, 20 };
  EXPECT_NO_THROW(createGranularFlow(scene, {}, kCpu));
  scene.domain.upper[1] = -10;
  expectRefusal(scene, {},
    "the domain reaches from -10 to -10 m along y; both must be finite and the first the smaller: "
    "correct the corners of the domain");
  scene.domain.upper[1] = kNaN;
  EXPECT_TRUE(says(refusal(scene), { "from -10 to nan m along y" }));
  scene.domain.upper[1] = 10;
  scene.domain.sides[0] = DomainSide::Periodic;
  expectRefusal(scene, {},
    "side x lower of the domain is periodic and its opposite is not; make both periodic, or "
    "neither");
  scene.domain.sides[0] = DomainSide::Open;
  scene.domain.sides[3] = DomainSide::Periodic;
  EXPECT_TRUE(says(refusal(scene), { "side y upper of the domain is periodic" }));
  scene.domain.sides[2] = DomainSide::Periodic;
  EXPECT_NO_THROW(createGranularFlow(scene, {}, kCpu));
  scene.domain.lower[1] = -1;
  scene.domain.upper[1] = 3;
  expectRefusal(scene, {},
    "the domain is 4 m wide along y, where it is periodic; it must be wider than 4 m, four of the "
    "largest diameters: widen it or use smaller particles");
}

TEST(GranularInput, WallsThatLeaveTheParticlesNoRoomAreRefused)
{
  Scene scene = soundScene();
  scene.domain.used = true;
  scene.domain.lower = { -10, -0.2, -5 };
  scene.domain.upper = { 10, 0.7, 20 };
  EXPECT_NO_THROW(createGranularFlow(scene, {}, kCpu));
  scene.domain.sides[2] = DomainSide::Wall;
  EXPECT_NO_THROW(createGranularFlow(scene, {}, kCpu));
  scene.domain.sides[3] = DomainSide::Wall;
  expectRefusal(scene, {},
    "the domain is 0.9 m wide along y, between walls; it must be at least 1 m wide, the largest "
    "diameter: widen it or use smaller particles");
  scene.domain.upper[1] = 0.8;
  EXPECT_NO_THROW(createGranularFlow(scene, {}, kCpu));
}

TEST(GranularInput, SeedsOutsideTheDomainAreToldSo)
{
  Scene scene = soundScene();
  scene.domain.used = true;
  scene.domain.lower = { 5, -5, -5 };
  scene.domain.upper = { 9, 5, 20 };
  expectRefusal(scene, {},
    "all 2 seeds lie outside the domain, which reaches from (5, -5, -5) to (9, 5, 20) m, first at "
    "(0, 0, 1); place the source in it, or enlarge the domain");
  scene.domain.lower[0] = 2;
  const Report report = createGranularFlow(scene, {}, kCpu)->report();
  ASSERT_FALSE(report.notes.empty());
  EXPECT_EQ(report.notes[0],
    "1 of 2 seeds were placed outside the domain, (2, -5, -5) to (9, 5, 20) m, and take no part, "
    "first seed 0 at (0, 0, 1); move them into it, or enlarge the domain");
  scene.domain.lower[0] = 5;
  scene.seeds.positions[2] = -3; // below, and outside too
  scene.seeds.positions[3] = 6;
  scene.seeds.positions[5] = -3;
  EXPECT_TRUE(says(refusal(scene),
    { "all 2 seeds lie outside the terrain's map or below it, or outside the domain, which" }));
}

TEST(GranularInput, ObstaclesAcrossPeriodicSidesAreRefused)
{
  Scene scene = soundScene();
  scene.domain.used = true;
  scene.domain.lower = { -10, -10, -5 };
  scene.domain.upper = { 10, 10, 20 };
  Surface block = boxContainer({ 6, -1, -1 }, { 8, 1, 3 }, false);
  block.role = SurfaceRole::Obstacle;
  block.name = "block";
  const auto at = [&](double x) { scene.surfaces[1] = moved(block, x, 0, 0); };
  scene.surfaces.push_back(block);
  at(3);
  EXPECT_NO_THROW(createGranularFlow(scene, {}, kCpu)); // open sides
  scene.domain.sides[0] = scene.domain.sides[1] = DomainSide::Periodic;
  expectRefusal(scene, {},
    "obstacle 'block' reaches from 9 to 11 m along x, where the domain is periodic from -10 to 10 "
    "m; obstacles are not repeated, so it must lie between -9.125 and 9.125 m, or reach beyond "
    "-10.875 and 10.875 m: move it or the domain");
  at(1.5);
  EXPECT_TRUE(says(refusal(scene), { "'block' reaches from 7.5 to 9.5 m along x" }));
  at(20);
  EXPECT_TRUE(says(refusal(scene), { "'block' reaches from 26 to 28 m along x" }));
  at(1);
  EXPECT_NO_THROW(createGranularFlow(scene, {}, kCpu));
  // A second part of it, and a bar through all of the domain.
  Surface bar = boxContainer({ -12, 5, -1 }, { 12, 6, 3 }, false);
  for (const std::int64_t corner : bar.triangles)
    scene.surfaces[1].triangles.push_back(
      corner + static_cast<std::int64_t>(scene.surfaces[1].pointCount()));
  scene.surfaces[1].points.insert(
    scene.surfaces[1].points.end(), bar.points.begin(), bar.points.end());
  EXPECT_NO_THROW(createGranularFlow(scene, {}, kCpu));
  scene.domain.sides[2] = scene.domain.sides[3] = DomainSide::Periodic;
  EXPECT_NO_THROW(createGranularFlow(scene, {}, kCpu));
  scene.domain.upper[1] = 6.5;
  EXPECT_TRUE(says(refusal(scene), { "from 5 to 6 m along y, where", "periodic from -10 to 6.5" }));
}

TEST(GranularInput, ObstaclesThatShareAColumnAreRefused)
{
  const auto named = [](const std::vector<std::string>& names)
  {
    Scene scene = soundScene();
    scene.domain.used = true;
    scene.domain.lower = { -10, -10, -5 };
    scene.domain.upper = { 10, 10, 20 };
    scene.domain.sides[0] = DomainSide::Wall;
    for (const std::string& name : names)
    {
      Surface block = boxContainer({ 6, -1, -1 }, { 8, 1, 3 }, false);
      block.role = SurfaceRole::Obstacle;
      block.name = name;
      scene.surfaces.push_back(block);
    }
    return scene;
  };
  const std::string remedy = "; call it otherwise (the field data array name)";
  expectRefusal(named({ "a b", "a_b" }), {},
    "the name of obstacle 'a_b' gives the column a_b_force, which is that of obstacle 'a b'" +
      remedy);
  expectRefusal(named({ "a,b", "a/b" }), {},
    "the name of obstacle 'a/b' gives the column a_b_force, which is that of obstacle 'a,b'" +
      remedy);
  expectRefusal(named({ "support" }), {},
    "the name of obstacle 'support' gives the column support_force, which is that of the force of "
    "all that stands still" +
      remedy);
  expectRefusal(named({ "wall x lower" }), {},
    "the name of obstacle 'wall x lower' gives the column wall_x_lower_force, which is that of the "
    "domain's wall x lower" +
      remedy);
  expectRefusal(named({ "rock", "rock greatest" }), {},
    "the name of obstacle 'rock greatest' gives the column rock_greatest_force, which is that of "
    "obstacle 'rock'" +
      remedy);
  expectRefusal(named({ "obstacle 1", "" }), {},
    "the name of obstacle 'obstacle 1' gives the column obstacle_1_force, which is that of "
    "obstacle 'obstacle 1'" +
      remedy);
  EXPECT_NO_THROW(createGranularFlow(named({ "a", "b", "wall x upper", "greatest" }), {}, kCpu));
}

TEST(GranularInput, SeedsInsideTheBodyOfAnObstacleWithASheetAreRefused)
{
  Scene scene = soundScene();
  Surface block = boxContainer({ 2, -1, 0.25 }, { 4, 1, 3 }, false);
  block.role = SurfaceRole::Obstacle;
  block.name = "block";
  Surface sheet = moved(planeTerrain(1), 7, 0, 2);
  sheet.role = SurfaceRole::Obstacle;
  sheet.name = "block";
  sheet.sides = SurfaceSides::Two;
  scene.surfaces.push_back(block);
  scene.surfaces.push_back(sheet);
  EXPECT_TRUE(says(refusal(scene), { "1 of 2 seeds lie inside an obstacle", "in 'block'" }));
}

TEST(GranularInput, SeedsInsideAClosedObstacleAreRefused)
{
  Scene scene = soundScene();
  Surface block = boxContainer({ 2, -1, 0.25 }, { 4, 1, 3 }, false);
  block.role = SurfaceRole::Obstacle;
  block.name = "block";
  scene.surfaces.push_back(block);
  expectRefusal(scene, {},
    "1 of 2 seeds lie inside an obstacle, first seed 1 at (3, 0, 1) in 'block'; move the source or "
    "the obstacle");
  scene.surfaces[1] = moved(block, 10, 0, 0);
  EXPECT_NO_THROW(createGranularFlow(scene, {}, kCpu));
}
