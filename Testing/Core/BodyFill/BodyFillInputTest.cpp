// What Body Fill is refused with: one sentence with name, value, limit and remedy.
#include "Bodies.h"
#include "Refusals.h"

#include "BodyFill.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace lapilli;
using namespace lapilli::test;

namespace
{

const Surface kCube = box({ -1, -1, -1 }, { 1, 1, 1 });

BodyFillParameters spaced(double spacing)
{
  BodyFillParameters parameters;
  parameters.spacing = spacing;
  return parameters;
}

std::string refusal(const std::vector<Body>& bodies, const BodyFillParameters& parameters)
{
  const std::string text = messageOf<InvalidInput>([&] { fillBodies(bodies, parameters); });
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  return text;
}

std::string refusal(const Surface& surface, const BodyFillParameters& parameters = spaced(0.1))
{
  return refusal(std::vector<Body>{ { surface, "chamber" } }, parameters);
}

} // namespace

TEST(BodyFillInput, ParametersAreChecked)
{
  for (const double bad : { 0.0, -1.0, kNaN, kInfinity })
  {
    EXPECT_TRUE(says(refusal(kCube, spaced(bad)), { "spacing is", "above 0" }));
  }
  BodyFillParameters parameters = spaced(0.1);
  parameters.clearance = -0.1;
  EXPECT_TRUE(says(refusal(kCube, parameters), { "clearance is -0.1 m", "not negative" }));
  parameters = spaced(0.1);
  parameters.level = kNaN;
  EXPECT_TRUE(says(refusal(kCube, parameters), { "level is nan m", "finite" }));
  parameters.level = -3;
  EXPECT_TRUE(says(refusal(kCube, parameters), { "level is -3 m", "-1 m", "raise" }));
  parameters = spaced(0.1);
  parameters.largestLeak = -1;
  EXPECT_TRUE(says(refusal(kCube, parameters), { "largest leak is -1", "not negative" }));
  EXPECT_TRUE(says(refusal(std::vector<Body>{}, spaced(0.1)), { "no body", "give" }));
}

TEST(BodyFillInput, BodiesWithoutVolumeAreRefused)
{
  EXPECT_TRUE(says(refusal(Surface{}), { "chamber", "no triangles" }));
  // All in one place, on a line, on a sheet, on a sheet folded onto itself.
  for (const Place& extent : { Place{ 0, 0, 0 }, Place{ 1, 0, 0 }, Place{ 1, 1, 0 } })
  {
    EXPECT_TRUE(says(refusal(box({ 0, 0, 0 }, extent)), { "chamber", "no volume", "closed" }));
  }
  Surface triangle = withoutTriangle(kCube, 0);
  triangle.triangles.resize(3);
  EXPECT_TRUE(says(refusal(triangle), { "chamber", "no volume" }));
  Surface tiny = kCube;
  for (double& x : tiny.points)
    x *= 1e-200;
  EXPECT_TRUE(says(refusal(tiny), { "chamber", "no volume" }));
}

TEST(BodyFillInput, PointsMustHaveAPlace)
{
  for (const double bad : { kNaN, kInfinity, 1e13, -1e300 })
  {
    Surface surface = kCube;
    surface.points[3 * 5 + 1] = bad;
    EXPECT_TRUE(says(refusal(surface), { "point 5", "chamber", "finite", "1e+12 m" }));
  }
  Surface surface = kCube;
  surface.triangles[7] = 8;
  EXPECT_TRUE(says(refusal(surface), { "chamber", "point 8", "[0, 7]" }));
  // Points of no triangle do not matter.
  surface = kCube;
  addPoint(surface, { kNaN, 0, 0 });
  EXPECT_GT(fillBodies({ { surface, "" } }, spaced(0.3)).count(), 0u);
}

TEST(BodyFillInput, AnOpenBodyIsRefusedWithAreaAndPlace)
{
  Surface open = kCube;
  open.triangles.erase(open.triangles.begin(), open.triangles.begin() + 6); // the floor
  EXPECT_TRUE(says(refusal(open),
    { "chamber", "is open", "4 m^2", "20 % of its area of 20 m^2", "(0, 0, -1)", "at most 5 %" }));
  // Far away the place is in the coordinates of the map.
  Surface far = open;
  for (std::size_t i = 1; i < far.points.size(); i += 3)
    far.points[i] += 9085000;
  EXPECT_TRUE(says(refusal(far), { "(0, 9085000, -1)" }));
  // Triangles that do not meet by a little are holes all over.
  Surface apart = soup(kCube);
  for (std::size_t i = 0; i < apart.points.size(); ++i)
    apart.points[i] += 1e-9 * static_cast<double>(i);
  EXPECT_TRUE(says(refusal(apart), { "chamber" }));
  // A bowl beside something closed is not left out in silence.
  Surface bowl = sphere({ 20, 0, 0 }, 5, 3);
  std::size_t kept = 0;
  for (std::size_t t = 0; t < bowl.triangleCount(); ++t)
  {
    double top = -10;
    for (int k = 0; k < 3; ++k)
      top = std::max(top, bowl.points[3 * bowl.triangles[3 * t + k] + 2]);
    for (int k = 0; k < 3 && top < 1e-9; ++k)
      bowl.triangles[kept++] = bowl.triangles[3 * t + k];
  }
  bowl.triangles.resize(kept);
  append(bowl, kCube);
  EXPECT_TRUE(says(refusal(bowl), { "chamber", "is open" }));
}

TEST(BodyFillInput, TooFineASpacingNamesOneThatWouldDo)
{
  for (const double spacing : { 1e-4, 1e-7 })
  {
    const std::string text = refusal(kCube, spaced(spacing));
    EXPECT_TRUE(says(text, { "spacing is", "places", "MiB free", "would do" }));
    // Not more than the memory allows, not less by orders of magnitude: a hundred bytes a place, 1 GiB to 1 TiB.
    const std::size_t end = text.rfind(" m would do");
    const double better = std::stod(text.substr(text.rfind(' ', end - 1)));
    EXPECT_GT(better, 5e-4) << text;
    EXPECT_LT(better, 2e-2) << text;
  }
  // Where coordinates do not tell places apart.
  Surface far = kCube;
  for (double& x : far.points)
    x = 9e6 + 1e-4 * x;
  EXPECT_TRUE(says(refusal(far, spaced(1e-6)), { "spacing is 1e-06 m", "at least", "origin" }));
  EXPECT_TRUE(says(refusal(kCube, spaced(1e-300)), { "spacing is 1e-300 m" }));
}

TEST(BodyFillInput, TooWideASpacingNamesOneThatGivesPlaces)
{
  const Surface block = box({ 0.5, 0.5, 0.5 }, { 2.5, 2.5, 2.5 });
  for (const double spacing : { 10.0, 1e6, 1e300 })
  {
    const std::string text = refusal(block, spaced(spacing));
    EXPECT_TRUE(says(text, { "spacing is", "no place", "m gives" }));
    const std::size_t end = text.find(" m gives");
    const double better = std::stod(text.substr(text.rfind(' ', end - 1)));
    EXPECT_GT(fillBodies({ { block, "" } }, spaced(better)).count(), 0u) << text;
    EXPECT_LT(better, 4) << text;
  }
  BodyFillParameters parameters = spaced(0.3);
  parameters.clearance = 1.5;
  const std::string text = refusal(kCube, parameters);
  EXPECT_TRUE(says(text, { "clearance is 1.5 m", "at most 1 m" }));
  parameters.clearance = 1;
  EXPECT_EQ(fillBodies({ { kCube, "" } }, parameters).count(), 1u);
}

TEST(BodyFillInput, OneOfSeveralMayStayEmpty)
{
  const BodyFill fill = fillBodies(
    { { box({ 0.1, 0.1, 0.1 }, { 0.2, 0.2, 0.2 }), "pebble" }, { kCube, "block" } }, spaced(1));
  EXPECT_EQ(fill.reports[0].particles, 0);
  EXPECT_GT(fill.reports[1].particles, 0);
  EXPECT_TRUE(says(fill.reports[0].text(), { "pebble: 0 particles" }));
  EXPECT_TRUE(says(fill.reports[1].text(), { "block: ", "m^3", "the mesh has 8 m^3" }));
}
