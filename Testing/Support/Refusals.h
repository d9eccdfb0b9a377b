/// @file
/// Bad input of Granular Flow: what it is refused with.
#pragma once

#include "Runs.h"
#include "Terrains.h"

#include <limits>

namespace lapilli
{
namespace test
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline Scene soundScene()
{
  Scene scene;
  scene.surfaces.push_back(planeTerrain(20));
  scene.seeds.add({ 0, 0, 1 }, { 0, 0, 0 }, 0.5, 2600);
  scene.seeds.add({ 3, 0, 1 }, { 0, 0, 0 }, 0.5, 2600);
  return scene;
}

const Device kCpu{ DeviceKind::Cpu, 1 };

inline std::string refusal(const Scene& scene, const GranularFlowParameters& parameters = {})
{
  const std::string text =
    messageOf<InvalidInput>([&] { createGranularFlow(scene, parameters, kCpu); });
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  return text;
}

/// All of the words stand in the text.
inline testing::AssertionResult says(const std::string& text, const std::vector<std::string>& words)
{
  for (const std::string& word : words)
    if (text.find(word) == std::string::npos)
      return testing::AssertionFailure() << "'" << word << "' is missing in: " << text;
  return testing::AssertionSuccess();
}

template <class Field>
std::string refusalOf(Field GranularFlowParameters::*field, double value)
{
  GranularFlowParameters parameters;
  parameters.*field = value;
  return refusal(soundScene(), parameters);
}

} // namespace test
} // namespace lapilli
