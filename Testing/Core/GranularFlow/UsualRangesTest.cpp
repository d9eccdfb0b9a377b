// What is unusual is noted with name, value and range, once, and never refused.
#include "GranularFlow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

using namespace lapilli;

namespace
{

Scene oneRock()
{
  Scene scene;
  scene.seeds.add({ 0, 0, 1 }, { 0, 0, 0 }, 0.5, 2600);
  return scene;
}

struct Change
{
  const char* name;
  double usual;
  double unusual;
  std::function<void(Scene&, GranularFlowParameters&, double)> set;
};

const std::vector<Change>& changes()
{
  static const std::vector<Change> all{
    { "radius of a rock", 50, 51, [](Scene& s, auto&, double v) { s.seeds.radii[0] = v; } },
    { "radius of a rock", 1e-3, 0.9e-3, [](Scene& s, auto&, double v) { s.seeds.radii[0] = v; } },
    { "density of a rock", 300, 299, [](Scene& s, auto&, double v) { s.seeds.densities[0] = v; } },
    { "density of a rock", 8000, 8001,
      [](Scene& s, auto&, double v) { s.seeds.densities[0] = v; } },
    { "temperature of a rock", 1400, 20,
      [](Scene& s, auto&, double v) { s.seeds.temperatures[0] = v; } },
    { "speed of a rock", 600, 1001, [](Scene& s, auto&, double v) { s.seeds.velocities[1] = v; } },
    { "restitution", 0.95, 0.96, [](Scene&, auto& p, double v) { p.restitution = v; } },
    { "restitution of the terrain", 0.05, 0.01,
      [](Scene&, auto& p, double v) { p.terrainRestitution = v; } },
    { "friction", 1.5, 2, [](Scene&, auto& p, double v) { p.friction = v; } },
    { "friction of the terrain", 0.05, 0,
      [](Scene&, auto& p, double v) { p.terrainFriction = v; } },
    { "rolling friction", 0, 1.2, [](Scene&, auto& p, double v) { p.rollingFriction = v; } },
    { "rolling friction of the terrain", 1, 1.2,
      [](Scene&, auto& p, double v) { p.terrainRollingFriction = v; } },
    { "friction of materials 0 and -1", 1, 3,
      [](Scene&, auto& p, double v) {
        p.materialPairs = { { 0, 0, 0.4, 0.5 }, { 0, MaterialPair::kTerrain, 0.4, v } };
      } },
    { "Young's modulus of material 0", 1e11, 5e11,
      [](Scene& s, auto& p, double v)
      {
        s.materials = { { 0, v, 0.25 } };
        p.contactLaw = ContactLaw::HertzMindlin;
      } },
    { "Poisson's ratio of the terrain", 0.45, 0.49,
      [](Scene&, auto& p, double v)
      {
        p.terrainPoissonsRatio = v;
        p.contactLaw = ContactLaw::HertzMindlin;
      } },
    { "Poisson's ratio of material 0", 0, -0.2,
      [](Scene& s, auto& p, double v)
      {
        s.materials = { { 0, 5e9, v } };
        p.contactLaw = ContactLaw::HertzMindlin;
      } },
    { "gravity", 1.62, 98.1,
      [](Scene&, auto& p, double v) {
        p.gravity = { 0, 0, -v };
      } },
    { "gravity", 0.1, 0,
      [](Scene&, auto& p, double v) {
        p.gravity = { 0, 0, -v };
      } },
    { "air density", 1.2, 1000, [](Scene&, auto& p, double v) { p.airDensity = v; } },
    { "drag coefficient", 1, 6,
      [](Scene&, auto& p, double v)
      {
        p.airDensity = 1.2;
        p.dragCoefficient = v;
      } },
    { "air viscosity", 1.8e-5, 1e-3,
      [](Scene&, auto& p, double v)
      {
        p.airDensity = 1.2;
        p.dragLaw = DragLaw::SchillerNaumann;
        p.airViscosity = v;
      } },
    { "wind", 100, 101,
      [](Scene&, auto& p, double v)
      {
        p.airDensity = 1.2;
        p.wind = { { 0, { v, 0, 0 } } };
      } },
    { "Rayleigh fraction", 0.4, 0.5,
      [](Scene&, auto& p, double v)
      {
        p.contactLaw = ContactLaw::HertzMindlin;
        p.rayleighFraction = v;
      } },
    { "steps per contact", 10, 9, [](Scene&, auto& p, double v) { p.stepsPerContact = v; } },
    { "travel per step", 0.25, 0.4, [](Scene&, auto& p, double v) { p.travelPerStep = v; } },
    { "time step limit", 1e-7, 1e-8, [](Scene&, auto& p, double v) { p.timeStepLimit = v; } },
    { "frame interval", 60, 61, [](Scene&, auto& p, double v) { p.frameInterval = v; } },
  };
  return all;
}

std::vector<std::string> notesWith(const Change& change, double value)
{
  Scene scene = oneRock();
  GranularFlowParameters parameters;
  change.set(scene, parameters, value);
  return createGranularFlow(scene, parameters, { DeviceKind::Cpu, 1 })->report().notes;
}

} // namespace

TEST(UsualRanges, TheDefaultsAreUsual)
{
  EXPECT_TRUE(unusualIn(oneRock(), {}).empty());
}

TEST(UsualRanges, WhatIsUnusualIsNotedOnceAndRuns)
{
  for (const Change& change : changes())
  {
    for (const std::string& note : notesWith(change, change.usual))
      EXPECT_EQ(note.find("usual"), std::string::npos) << note;
    const std::vector<std::string> notes = notesWith(change, change.unusual);
    ASSERT_EQ(notes.size(), 1u) << change.name << " " << change.unusual;
    EXPECT_EQ(notes[0].rfind(std::string(change.name) + " is ", 0), 0u) << notes[0];
    EXPECT_NE(
      notes[0].find(change.unusual < change.usual ? ", below the usual " : ", above the usual "),
      std::string::npos)
      << notes[0];
  }
}

TEST(UsualRanges, EveryRangeIsLookedAtAndSaysWhatIsOutside)
{
  for (const UsualRange& range : usualGranularFlow())
  {
    bool isTried = false;
    for (const Change& change : changes())
      isTried = isTried || std::string(change.name).rfind(range.name, 0) == 0;
    EXPECT_TRUE(isTried) << range.name;
    EXPECT_LT(range.least, range.greatest) << range.name;
    EXPECT_TRUE(range.least == 0 || *range.below != '\0') << range.name;
    EXPECT_EQ(std::isfinite(range.greatest), *range.above != '\0') << range.name;
    EXPECT_NE(*range.origin, '\0') << range.name;
  }
}

TEST(UsualRanges, WhatARunDoesNotUseIsNotLookedAt)
{
  GranularFlowParameters parameters;
  parameters.terrainYoungsModulus = 1; // linear springs
  parameters.rayleighFraction = 1;
  parameters.dragCoefficient = 50; // no air
  parameters.wind = { { 0, { 500, 0, 0 } } };
  EXPECT_TRUE(unusualIn(oneRock(), parameters).empty());
  parameters.contactLaw = ContactLaw::HertzMindlin;
  parameters.greatestOverlap = 0.3;
  parameters.terrainYoungsModulus = 0; // rigid
  parameters.rayleighFraction = 0.2;
  EXPECT_TRUE(unusualIn(oneRock(), parameters).empty());
  parameters.materialPairs = { { 0, 0, 0.4, 0.5 }, { 0, MaterialPair::kTerrain, 0.4, 0.6 } };
  parameters.restitution = 1; // the pairs hold instead
  EXPECT_TRUE(unusualIn(oneRock(), parameters).empty());
}

TEST(UsualRanges, OfManyRocksTheWorstIsNamed)
{
  Scene scene = oneRock();
  scene.seeds.add({ 5, 0, 1 }, { 0, 0, 0 }, 0.5, 26);
  scene.seeds.add({ 9, 0, 1 }, { 0, 0, 0 }, 0.5, 2.6);
  Nozzle nozzle;
  nozzle.density = 26000;
  scene.nozzles.push_back(nozzle);
  const std::vector<std::string> notes = unusualIn(scene, {});
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0], "density of a rock is 2.6 kg/m^3, below the usual 300 to 8000 kg/m^3: "
                      "lighter than pumice; is it in kg/m^3?");
  EXPECT_EQ(notes[1], "density of a rock is 26000 kg/m^3, above the usual 300 to 8000 kg/m^3: "
                      "heavier than iron; is it in kg/m^3?");
}
