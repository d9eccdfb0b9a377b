// Pairs of materials and values on single triangles; at the origin and 20 km away.
#include "Compare.h"
#include "Runs.h"
#include "Terrains.h"

using namespace lapilli;
using namespace lapilli::test;

namespace
{

constexpr double kRadius = 0.5;
constexpr std::int32_t kTerrain = MaterialPair::kTerrain;

GranularFlowParameters twoMaterials(ContactLaw law)
{
  GranularFlowParameters parameters;
  parameters.contactLaw = law;
  parameters.gravity = { 0, 0, 0 };
  parameters.greatestSpeed = 10;
  parameters.rayleighFraction = 1;
  parameters.stepsPerContact = 60;
  parameters.frameInterval = 0.1;
  // Numbers with gaps, rows in no order, the terrain first in one of them.
  parameters.materialPairs = { { 7, 3, 0.6, 0, 0, 0 }, { kTerrain, 7, 0.9, 0.2, 0, 0 },
    { 3, 3, 0.5, 0, 0, 0 }, { 3, kTerrain, 0.3, 0.5, 0, 0 }, { 7, 7, 0.8, 0, 0, 0 } };
  return parameters;
}

Scene planeScene(double away)
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(away + 60));
  return scene;
}

} // namespace

class GranularMaterials : public OnEveryDevice
{
};
LAPILLI_ON_EVERY_DEVICE(GranularMaterials);

TEST_P(GranularMaterials, BounceOffOnePlaneAndOneAnotherAsTheirPairsSay)
{
  for (const ContactLaw law : { ContactLaw::LinearSpring, ContactLaw::HertzMindlin })
  {
    for (const double away : { 0.0, kFar })
    {
      Scene scene = planeScene(away);
      scene.seeds.add({ away - 5, away, 0.7 }, { 0, 0, -5 }, kRadius, 2600); // 3 on the plane
      scene.seeds.add({ away + 5, away, 0.7 }, { 0, 0, -5 }, kRadius, 2600); // 7 on the plane
      for (const double y : { 10.0, 20.0, 30.0 })
      {
        scene.seeds.add({ away - 1, away + y, 9 }, { 2.5, 0, 0 }, kRadius, 2600);
        scene.seeds.add({ away + 1, away + y, 9 }, { -2.5, 0, 0 }, kRadius, 2600);
      }
      scene.seeds.materials = { 3, 7, 3, 3, 3, 7, 7, 7 };
      auto run = march(scene, twoMaterials(law), device(), 0.6);
      const Snapshot now(*run);
      const auto apart = [&](std::size_t i)
      { return (now.velocity(i + 1).x - now.velocity(i).x) / 5; };
      EXPECT_TRUE(agrees(now.velocity(0).z / 5, 0.3, 0.015)) << away;
      EXPECT_TRUE(agrees(now.velocity(1).z / 5, 0.9, 0.015)) << away;
      EXPECT_TRUE(agrees(apart(2), 0.5, 0.015)) << away;
      EXPECT_TRUE(agrees(apart(4), 0.6, 0.015)) << away;
      EXPECT_TRUE(agrees(apart(6), 0.8, 0.015)) << away;
      verify(
        std::string("Two materials: restitution 0.3, 0.9 on a plane, 0.5, 0.6, 0.8 among them, ") +
          (law == ContactLaw::HertzMindlin ? "Hertz" : "linear") + awayName(away),
        "as asked, 1.5 %",
        shown(now.velocity(0).z / 5) + ", " + shown(now.velocity(1).z / 5) + ", " +
          shown(apart(2)) + ", " + shown(apart(4)) + ", " + shown(apart(6)),
        "parameter");
    }
  }
}

TEST_P(GranularMaterials, SlideAsTheirPairWithTheTerrainSays)
{
  for (const ContactLaw law : { ContactLaw::LinearSpring, ContactLaw::HertzMindlin })
  {
    for (const double away : { 0.0, kFar })
    {
      GranularFlowParameters parameters = twoMaterials(law);
      parameters.gravity = { 0, 0, -9.81 };
      parameters.rotation = Rotation::Locked;
      Scene scene = planeScene(away);
      scene.seeds.add({ away, away, kRadius }, { 8, 0, 0 }, kRadius, 2600);
      scene.seeds.add({ away, away + 5, kRadius }, { 8, 0, 0 }, kRadius, 2600);
      scene.seeds.materials = { 3, 7 };
      auto run = march(scene, parameters, device(), 0.2);
      const Snapshot early(*run);
      advance(*run, 1.2);
      const Snapshot late(*run);
      EXPECT_TRUE(agrees(early.velocity(0).x - late.velocity(0).x, 0.5 * 9.81, 5e-3)) << away;
      EXPECT_TRUE(agrees(early.velocity(1).x - late.velocity(1).x, 0.2 * 9.81, 5e-3)) << away;
    }
  }
}

TEST_P(GranularMaterials, HaveTheirOwnElasticity)
{
  // Against a rigid plane the greatest force grows as E*^(2/5); the contact of a material that is not
  // listed is that of 5 GPa and 0.25.
  GranularFlowParameters parameters;
  parameters.contactLaw = ContactLaw::HertzMindlin;
  parameters.gravity = { 0, 0, 0 };
  parameters.terrainYoungsModulus = 0;
  parameters.terrainRestitution = 1;
  parameters.stepsPerContact = 400;
  parameters.rayleighFraction = 1;
  parameters.frameInterval = 0.1;
  for (const double away : { 0.0, kFar })
  {
    Scene scene = planeScene(away);
    scene.materials = { { 3, 5e8, 0.25 }, { 9, 5e9, 0 } };
    for (int i = 0; i < 3; ++i)
      scene.seeds.add({ away + 3.0 * i, away, 0.6 }, { 0, 0, -2 }, kRadius, 2600);
    scene.seeds.materials = { 0, 3, 9 };
    const Snapshot now(*march(scene, parameters, device(), 0.1));
    const auto force = [&](std::size_t i) { return now.scalar("pressure_max", i) * M_PI; };
    const double mass = 2600 * 4.0 / 3 * M_PI * 0.125;
    for (int i = 0; i < 3; ++i)
    {
      const double youngs = i == 0 ? 5e9 / (1 - 0.0625) : i == 1 ? 5e8 / (1 - 0.0625) : 5e9;
      const double k = 4.0 / 3 * youngs * std::sqrt(kRadius);
      const double expected = k * std::pow(1.25 * mass * 4 / k, 0.6);
      EXPECT_TRUE(agrees(force(i), expected, 1e-3)) << i << awayName(away);
    }
    EXPECT_FALSE(agrees(force(1), force(0), 0.5));
  }
}

TEST_P(GranularMaterials, TrianglesHaveTheirOwnFrictionRestitutionAndRolling)
{
  for (const ContactLaw law : { ContactLaw::LinearSpring, ContactLaw::HertzMindlin })
  {
    for (const double away : { 0.0, kFar })
    {
      GranularFlowParameters parameters;
      parameters.contactLaw = law;
      parameters.rotation = Rotation::Locked;
      parameters.terrainFriction = 0.6;
      parameters.terrainRestitution = 0.5;
      parameters.greatestSpeed = 10;
      parameters.rayleighFraction = 1;
      parameters.stepsPerContact = 60;
      parameters.frameInterval = 0.1;
      // Two strips along x; the southern one is smooth and lively.
      Scene scene;
      scene.surfaces.push_back(
        gridTerrain(-away - 60, away + 60, 1, away - 60, away + 60, 2, flat));
      constexpr double kLeft = Surface::kNotGiven;
      scene.surfaces[0].friction = { 0.2, 0.2, kLeft, kLeft };
      scene.surfaces[0].restitution = { 0.8, 0.8, kLeft, kLeft };
      for (const double y : { -10.0, 10.0 })
      {
        scene.seeds.add({ away, away + y, kRadius }, { 8, 0, 0 }, kRadius, 2600);
        scene.seeds.add({ away, away + 2 * y, kRadius + 0.2 }, { 0, 0, -5 }, kRadius, 2600);
      }
      auto run = march(scene, parameters, device(), 0.2);
      const Snapshot early(*run);
      advance(*run, 1);
      const Snapshot late(*run);
      const auto slowed = [&](std::size_t i)
      { return (early.velocity(i).x - late.velocity(i).x) / (0.8 * 9.81); };
      EXPECT_TRUE(agrees(slowed(0), 0.2, 5e-3)) << away;
      EXPECT_TRUE(agrees(slowed(2), 0.6, 5e-3)) << away;

      parameters.gravity = { 0, 0, 0 };
      const Snapshot bounced(*march(scene, parameters, device(), 0.4));
      EXPECT_TRUE(agrees(bounced.velocity(1).z / 5, 0.8, 0.015)) << away;
      EXPECT_TRUE(agrees(bounced.velocity(3).z / 5, 0.5, 0.015)) << away;
      verify(std::string("Friction 0.2 on half a plane of 0.6, restitution 0.8 on half of 0.5, ") +
               (law == ContactLaw::HertzMindlin ? "Hertz" : "linear") + awayName(away),
        "as asked, 0.5 % and 1.5 %",
        shown(slowed(0)) + ", " + shown(slowed(2)) + "; " + shown(bounced.velocity(1).z / 5) +
          ", " + shown(bounced.velocity(3).z / 5),
        "parameter");

      // Rolling friction given by triangles alone.
      parameters.rotation = Rotation::Free;
      parameters.gravity = { 0, 0, -9.81 };
      scene.surfaces[0].friction.clear();
      scene.surfaces[0].restitution.clear();
      scene.surfaces[0].rollingFriction = { 0.3, 0.3, kLeft, kLeft };
      const Snapshot rolled(*march(scene, parameters, device(), 6));
      EXPECT_LT(length(rolled.velocity(0)), 1e-4);
      EXPECT_TRUE(agrees(rolled.velocity(2).x, 8 * 5.0 / 7, 1e-3));

      // All left to the pair: the same bits as without arrays.
      scene.surfaces[0].rollingFriction = { kLeft, kLeft, kLeft, kLeft };
      const std::uint64_t given = hashOf(*march(scene, parameters, device(), 0.5));
      scene.surfaces[0].rollingFriction.clear();
      EXPECT_EQ(given, hashOf(*march(scene, parameters, device(), 0.5)));
    }
  }
}
