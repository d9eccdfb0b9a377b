// Which triangles a sphere may touch, by columns and by a tree, against asking all of them.
#include "GranularFlow/GranularFlowPlan.h"
#include "Math/Random.h"
#include "Runs.h"
#include "Terrain/DeviceSurface.h"
#include "Terrains.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace lapilli;
using namespace lapilli::cpu;
using namespace lapilli::test;

namespace
{

class TriangleSearching : public testing::TestWithParam<SearchStructure>
{
};
INSTANTIATE_TEST_SUITE_P(By, TriangleSearching,
  testing::Values(SearchStructure::Columns, SearchStructure::Tree),
  [](const auto& info) { return info.param == SearchStructure::Columns ? "Columns" : "Tree"; });

/// A mesh with its structures on the CPU.
struct Ground
{
  Ground(const Surface& surface, SearchStructure by)
    : mesh(buildSurfaceMesh({ surface }, {}))
    , columns(mesh)
    , device(Executor(1), mesh, columns, by)
  {
  }
  Vec3d somewhere(RandomStream& random, double above) const
  {
    const Box& b = mesh.bounds;
    const auto corner =
      static_cast<std::size_t>(random.uniform(0, static_cast<double>(mesh.points.size()) - 1e-6));
    const double width = b.upper.x - b.lower.x;
    return mesh.points[corner] + Vec3d{ random.uniform(-0.05, 0.05) * width,
      random.uniform(-0.05, 0.05) * width, random.uniform(-above, above) };
  }
  std::vector<std::int32_t> touched(const Sphere& sphere) const
  {
    std::vector<std::int32_t> found;
    for (std::int32_t t = 0; t < static_cast<std::int32_t>(mesh.triangles.size()); ++t)
      if (length(sphere.position - nearestPoint(mesh.view(),
                                     mesh.triangles[static_cast<std::size_t>(t)], sphere.position)
                                     .point) < sphere.radius)
        found.push_back(t);
    return found;
  }

  SurfaceMesh mesh;
  ColumnGrid columns;
  DeviceSurface device;
};

} // namespace

TEST_P(TriangleSearching, FindsTheNearestTriangleOfMaungaWhau)
{
  const Ground ground(maungaWhau(LAPILLI_DATA), GetParam());
  const TriangleSearch search = ground.device.search();
  RandomStream random(1, RandomStream::Positions);
  for (int k = 0; k < 300; ++k)
  {
    const Vec3d p = ground.somewhere(random, 40);
    double nearest = Box::kFar;
    for (std::int32_t t = 0; t < search.mesh.triangleCount; ++t)
      nearest = std::min(nearest, search.distanceTo(t, p));
    double reach = 1e4;
    search.forEachNear(
      p, reach, [&](std::int32_t t) { reach = std::min(reach, search.distanceTo(t, p)); });
    EXPECT_EQ(reach, nearest);
    const double gap = 0.01 * random.uniform();
    if (nearest > gap)
    {
      EXPECT_TRUE(NearTriangles::anyWithin(search, { p, nearest - gap }, gap + 1e-9));
      EXPECT_FALSE(NearTriangles::anyWithin(search, { p, nearest - gap }, gap - 1e-9));
    }
  }
}

/// Spheres of all sizes wander; what is named at each place is what all triangles say.
TEST_P(TriangleSearching, NoContactIsMissedUntilTheMarginIsUsedUp)
{
  struct Case
  {
    Surface surface;
    double radius, step;
  };
  const std::vector<Case> cases{ { maungaWhau(LAPILLI_DATA), 4, 0.2 },
    { maungaWhau(LAPILLI_DATA), 25, 0.7 }, { maungaWhau(LAPILLI_DATA), 120, 1 }, // hundreds at once
    { boxContainer({ 0, 0, 0 }, { 10, 10, 10 }, true, 12), 0.4, 0.03 },
    { cutPlane(Cut::Sliver, 4, 0.7), 0.3, 0.02 }, { planeTerrain(3), 0.2, 0.02 } };
  for (std::size_t c = 0; c < cases.size(); ++c)
  {
    const Ground ground(cases[c].surface, GetParam());
    const TriangleSearch search = ground.device.search();
    RandomStream random(2, RandomStream::Positions);
    int searches = 0, contacts = 0, steps = 0;
    for (int walk = 0; walk < (kSanitized ? 2 : 8); ++walk)
    {
      Sphere sphere{ ground.somewhere(random, 0.8 * cases[c].radius), cases[c].radius };
      NearTriangles near;
      near.find(search, sphere, 0.2 * sphere.radius);
      for (int step = 0; step < 40; ++step, ++steps)
      {
        for (double* x : { &sphere.position.x, &sphere.position.y, &sphere.position.z })
          *x += random.uniform(-1, 1) * cases[c].step;
        if (!near.isFor(sphere))
        {
          near.find(search, sphere, 0.2 * sphere.radius);
          ++searches;
        }
        std::vector<std::int32_t> visited;
        near.forEach(search, sphere, [&](std::int32_t t) { visited.push_back(t); });
        const std::vector<std::int32_t> expected = ground.touched(sphere);
        ASSERT_EQ(visited, expected) << "case " << c << " step " << step;
        contacts += static_cast<int>(visited.size());
      }
    }
    EXPECT_GT(contacts, 0) << c;
    EXPECT_GT(searches, 0) << c;
    if (c == 0)
    {
      EXPECT_LT(searches, steps / 2); // it is a list that lasts
    }
  }
}

TEST(TriangleSearch, NothingIsNearWhereThereIsNothing)
{
  for (const SearchStructure by : { SearchStructure::Columns, SearchStructure::Tree })
  {
    const SurfaceMesh mesh;
    const ColumnGrid columns(mesh);
    const DeviceSurface device(Executor(1), mesh, columns, by);
    EXPECT_FALSE(NearTriangles::anyWithin(device.search(), { { 0, 0, 0 }, 1 }, 1e9));
  }
}

namespace
{

Scene rain(const Surface& surface, double z)
{
  Scene scene;
  scene.surfaces.push_back(surface);
  RandomStream random(3, RandomStream::Positions);
  for (int k = 0; k < 100; ++k)
    scene.seeds.add({ 0.5 * (k % 10) - 2.25, 0.5 * (k / 10) - 2.25, z },
      { random.uniform(-3, 3), random.uniform(-3, 3), -3 }, 0.2, 2600);
  return scene;
}

bool hasTreeNote(const Scene& scene)
{
  const Report report = createGranularFlow(scene, {}, { DeviceKind::Cpu, 1 })->report();
  return std::any_of(report.notes.begin(), report.notes.end(),
    [](const std::string& note)
    { return note.find("looked for in a tree of boxes") != std::string::npos; });
}

Surface hills()
{
  return gridTerrain(-4, 4, 60, -4, 4, 60,
    [](double x, double y) { return 0.3 * std::sin(2 * x) * std::cos(3 * y); });
}

Surface chamber()
{
  return boxContainer({ -3, -3, 0 }, { 3, 3, 12 }, true, 60);
}

} // namespace

TEST(TriangleSearch, SheetsThatLieAreSearchedByColumnsAndWallsThatStandByATree)
{
  EXPECT_FALSE(hasTreeNote(rain(hills(), 0.6)));
  EXPECT_TRUE(hasTreeNote(rain(chamber(), 0.6)));
  EXPECT_EQ(planGranularFlow(rain(hills(), 0.6), {})->search, SearchStructure::Columns);
  EXPECT_EQ(planGranularFlow(rain(chamber(), 0.6), {})->search, SearchStructure::Tree);
}

TEST(TriangleSearch, BothStructuresGiveTheSameBits)
{
  for (const Surface& surface : { hills(), chamber() })
  {
    std::vector<Snapshot> ends;
    for (const SearchStructure by : { SearchStructure::Columns, SearchStructure::Tree })
    {
      GranularFlowParameters parameters;
      parameters.frameInterval = 0.1;
      const auto plan = planGranularFlow(rain(surface, 0.7), parameters);
      plan->search = by;
      const auto run = cpu::startGranularFlow(plan, 1);
      SilentMonitor monitor;
      run->advanceTo(0.5, monitor);
      EXPECT_GT(run->report().steps, 100);
      ends.emplace_back(*run);
    }
    ASSERT_EQ(ends[0].count(), ends[1].count());
    ASSERT_GT(ends[0].count(), 50u);
    EXPECT_EQ(ends[0].points.positions, ends[1].points.positions);
    bool turns = false;
    for (std::size_t i = 0; i < ends[0].count(); ++i)
      turns = turns || length(ends[0].spin(i)) > 0;
    EXPECT_TRUE(turns); // they have met the ground
  }
}
