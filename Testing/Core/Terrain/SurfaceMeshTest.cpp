// What the mesh knows of edges, corners, rims and holes; where spheres meet triangles; which triangles are
// near; who is over the map.
#include "Compare.h"
#include "Error.h"
#include "Math/Random.h"
#include "Terrain/Coverage.h"
#include "Terrain/TriangleContact.h"
#include "Terrains.h"

#include <algorithm>
#include <set>
#include <vector>

using namespace lapilli;
using namespace lapilli::test;

namespace
{

SurfaceMesh meshOf(const Surface& surface, const Vec3d& origin = {})
{
  return buildSurfaceMesh({ surface }, origin);
}

/// All contacts of a sphere, with all triangles asked.
MergedContacts touchAll(const SurfaceMesh& mesh, const Vec3d& center, double radius)
{
  return touchSurface(
    mesh.view(), center, radius,
    [&](const auto& visit)
    {
      for (std::int32_t t = 0; t < static_cast<std::int32_t>(mesh.triangles.size()); ++t)
        visit(t);
    },
    AsItLies{});
}

/// Squared distance to a triangle by brute force: the best of the face's foot, if inside, and the three edges.
double squaredDistance(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p)
{
  const auto toSegment = [&](const Vec3d& from, const Vec3d& to)
  {
    const Vec3d along = to - from;
    const double s = std::clamp(dot(p - from, along) / squaredLength(along), 0.0, 1.0);
    return squaredLength(p - (from + s * along));
  };
  double best = std::min({ toSegment(a, b), toSegment(b, c), toSegment(c, a) });
  const Vec3d n = cross(b - a, c - a);
  const Vec3d foot = p - (dot(p - a, n) / squaredLength(n)) * n;
  if (dot(cross(b - a, foot - a), n) >= 0 && dot(cross(c - b, foot - b), n) >= 0 &&
      dot(cross(a - c, foot - c), n) >= 0)
    best = std::min(best, squaredLength(p - foot));
  return best;
}

Surface holedPlane()
{
  return gridTerrain(-10, 10, 20, -10, 10, 20, flat,
    [](double x, double y) { return std::abs(x) > 2 || std::abs(y) > 2; });
}

} // namespace

TEST(SurfaceMesh, EveryEdgeAndCornerIsOwnedOnce)
{
  const SurfaceMesh mesh =
    meshOf(gridTerrain(0, 5, 5, 0, 4, 4, [](double x, double y) { return 0.1 * x * y; }));
  std::set<std::pair<std::int32_t, std::int32_t>> edges;
  std::set<std::int32_t> corners;
  int owned = 0, ownedCorners = 0, rims = 0;
  for (const MeshTriangle& triangle : mesh.triangles)
  {
    EXPECT_NEAR(length(triangle.normal), 1, 1e-15);
    EXPECT_GT(triangle.normal.z, 0);
    for (int k = 0; k < 3; ++k)
    {
      const std::int32_t a = triangle.corner[k], b = triangle.corner[(k + 1) % 3];
      edges.insert({ std::min(a, b), std::max(a, b) });
      corners.insert(a);
      owned += triangle.ownsEdge >> k & 1;
      ownedCorners += triangle.ownsCorner >> k & 1;
      rims += triangle.rimEdge >> k & 1;
    }
  }
  EXPECT_EQ(owned, static_cast<int>(edges.size()));
  EXPECT_EQ(ownedCorners, static_cast<int>(corners.size()));
  EXPECT_EQ(rims, 18);
  EXPECT_EQ(mesh.rim.size(), 18u);
  for (const RimEdge& rim : mesh.rim)
    EXPECT_EQ(rim.isHole, 0);
}

TEST(SurfaceMesh, RimOfAHoleIsKnownFromThatOfTheMap)
{
  const SurfaceMesh mesh = meshOf(holedPlane());
  int outer = 0, hole = 0;
  for (const RimEdge& rim : mesh.rim)
  {
    const bool inside = std::max(std::abs(rim.from.x), std::abs(rim.from.y)) < 5;
    EXPECT_EQ(rim.isHole, inside ? 1 : 0);
    (inside ? hole : outer) += 1;
  }
  EXPECT_EQ(outer, 80);
  EXPECT_EQ(hole, 16);
}

TEST(SurfaceMesh, TrianglesWithoutAreaTakeNoPart)
{
  Surface surface = planeTerrain(1);
  surface.triangles.insert(surface.triangles.end(), { 0, 0, 1, 1, 2, 1 });
  EXPECT_EQ(meshOf(surface).triangles.size(), 2u);
}

TEST(TriangleContact, NearestPointIsThatOfBruteForce)
{
  RandomStream random(1, RandomStream::Positions);
  for (int k = 0; k < 20000; ++k)
  {
    // Also flat and needle-like ones, and 20 km away.
    const double far = k % 3 == 0 ? 20000 : 0, thin = std::pow(10, -random.uniform(0, 4));
    Surface surface;
    for (int corner = 0; corner < 3; ++corner)
    {
      surface.points.push_back(far + random.uniform(-1, 1));
      surface.points.push_back(far + random.uniform(-1, 1) * thin);
      surface.points.push_back(random.uniform(-1, 1) * thin);
    }
    surface.triangles = { 0, 1, 2 };
    const SurfaceMesh mesh = meshOf(surface);
    if (mesh.triangles.empty())
      continue;
    const Vec3d p{ far + random.uniform(-2, 2), far + random.uniform(-2, 2),
      random.uniform(-2, 2) };
    const NearestPoint nearest = nearestPoint(mesh.view(), mesh.triangles[0], p);
    const double expected =
      std::sqrt(squaredDistance(mesh.points[0], mesh.points[1], mesh.points[2], p));
    EXPECT_NEAR(length(p - nearest.point), expected, 1e-7)
      << k << " thin " << thin; // 4e-12 over 1e-4
  }
}

TEST(TriangleContact, APlaneHasOneContactHoweverItIsCut)
{
  RandomStream random(2, RandomStream::Positions);
  for (const Cut cut : { Cut::Coarse, Cut::Fine, Cut::Sliver })
  {
    for (const double far : { 0.0, 20000.0 })
    {
      Surface surface = moved(cutPlane(cut, 2, 0.4), far, -far, 0);
      const SurfaceMesh mesh = meshOf(surface);
      for (int k = 0; k < (cut == Cut::Coarse ? 5000 : 500); ++k)
      {
        // Above a face, or exactly above an edge or a corner.
        Vec3d p{ far + random.uniform(-1, 1), -far + random.uniform(-1, 1), 0 };
        const MeshTriangle& triangle = mesh.triangles[random.below(mesh.triangles.size())];
        if (k % 3 == 1)
          p = mesh.points[triangle.corner[0]];
        if (k % 3 == 2)
          p =
            mesh.points[triangle.corner[0]] +
            random.uniform() * (mesh.points[triangle.corner[1]] - mesh.points[triangle.corner[0]]);
        if (std::max(std::abs(p.x - far), std::abs(p.y + far)) > 1)
          continue;
        const double depth = random.uniform(1e-6, 0.2);
        p.z = 0.5 - depth;
        const MergedContacts contacts = touchAll(mesh, p, 0.5);
        ASSERT_EQ(contacts.count, 1) << nameOf(cut) << " " << k;
        EXPECT_NEAR(contacts.depth(0), depth, 1e-9) << nameOf(cut) << " " << k;
        EXPECT_TRUE(agrees(contacts.outward(0), Vec3d{ 0, 0, 1 }, 1e-6, 1))
          << nameOf(cut) << " " << k;
        p.z = 0.5 + 1e-6;
        EXPECT_EQ(touchAll(mesh, p, 0.5).count, 0);
        // Behind: pushed back to the front by the radius and the distance.
        p.z = -depth;
        const MergedContacts behind = touchAll(mesh, p, 0.5);
        ASSERT_EQ(behind.count, 1) << nameOf(cut) << " " << k;
        EXPECT_NEAR(behind.depth(0), 0.5 + depth, 1e-9);
        EXPECT_TRUE(agrees(behind.outward(0), Vec3d{ 0, 0, 1 }, 1e-5, 1))
          << nameOf(cut) << " " << k;
      }
    }
  }
}

TEST(TriangleContact, EveryPlaceOnAClosedBodyPushesOutwards)
{
  // A cube as an obstacle: faces, edges and corners seen from outside.
  Surface cube = boxContainer({ -1, -1, -1 }, { 1, 1, 1 }, false, 3);
  for (std::size_t t = 0; t < cube.triangles.size(); t += 3)
    std::swap(cube.triangles[t], cube.triangles[t + 1]);
  cube.role = SurfaceRole::Obstacle;
  const SurfaceMesh mesh = meshOf(cube);
  RandomStream random(3, RandomStream::Positions);
  for (int k = 0; k < 5000; ++k)
  {
    const Vec3d p{ random.uniform(-1.6, 1.6), random.uniform(-1.6, 1.6),
      random.uniform(-1.6, 1.6) };
    const Vec3d nearest{ std::clamp(p.x, -1.0, 1.0), std::clamp(p.y, -1.0, 1.0),
      std::clamp(p.z, -1.0, 1.0) };
    const double distance = length(p - nearest);
    if (distance < 1e-3)
      continue; // inside
    const MergedContacts contacts = touchAll(mesh, p, 0.4);
    EXPECT_EQ(contacts.count, distance < 0.4 ? 1 : 0) << p.x << " " << p.y << " " << p.z;
    if (contacts.count == 1)
    {
      EXPECT_NEAR(contacts.depth(0), 0.4 - distance, 1e-9);
      EXPECT_TRUE(agrees(contacts.outward(0), (1 / distance) * (p - nearest), 1e-6, 1));
    }
  }
}

TEST(TriangleContact, ACentreExactlyOnTheSurfaceIsPushedToTheFront)
{
  const SurfaceMesh mesh =
    meshOf(gridTerrain(-10, 10, 20, -10, 10, 20, flat, [](double, double) { return true; }));
  for (const Vec3d& center :
    { Vec3d{ 0.25, 0.5, 0 }, Vec3d{ 0.5, 0, 0 }, Vec3d{ 0, 0, 0 } }) // face, edge, corner
  {
    const MergedContacts contacts = touchAll(mesh, center, 0.3);
    ASSERT_EQ(contacts.count, 1);
    EXPECT_DOUBLE_EQ(contacts.outward(0).z, 1);
    EXPECT_DOUBLE_EQ(contacts.depth(0), 0.3);
  }
}

TEST(TriangleContact, TwoSidedSurfacesPushToTheSideOfTheCentre)
{
  Surface surface = planeTerrain(5);
  surface.sides = SurfaceSides::Two;
  const SurfaceMesh mesh = meshOf(surface);
  for (const double z : { 0.3, -0.3 })
  {
    const MergedContacts contacts = touchAll(mesh, { 0.7, 1, z }, 0.5);
    ASSERT_EQ(contacts.count, 1);
    EXPECT_NEAR(contacts.depth(0), 0.2, 1e-12);
    EXPECT_EQ(contacts.outward(0).z, z > 0 ? 1 : -1);
  }
}

TEST(TriangleContact, ARimPushesAwayFromItselfAlsoFromBelow)
{
  const SurfaceMesh mesh = meshOf(holedPlane());
  for (const double z : { 0.3, 0.0, -0.3 })
  {
    for (const Vec3d& p :
      { Vec3d{ 1.7, 0.4, z }, Vec3d{ 1.7, 1.7, z } }) // beside an edge, in a corner of the hole
    {
      const MergedContacts contacts = touchAll(mesh, p, 0.5);
      ASSERT_GE(contacts.count, 1);
      for (int k = 0; k < contacts.count; ++k)
      {
        EXPECT_LT(contacts.depth(k), 0.5);
        EXPECT_LT(contacts.outward(k).x + contacts.outward(k).y, 0); // towards the hole
      }
    }
  }
}

TEST(TriangleContact, AGrooveHasTwoContactsAndASmoothBendOne)
{
  const auto groove = [](double slope) {
    return gridTerrain(-2, 2, 2, -2, 2, 2, [=](double x, double) { return slope * std::abs(x); });
  };
  EXPECT_EQ(touchAll(meshOf(groove(1)), { 0, 0.3, 0.7 }, 0.5).count, 2);
  EXPECT_EQ(touchAll(meshOf(groove(0.05)), { 0, 0.3, 0.499 }, 0.5).count, 1);
}

TEST(ColumnGrid, NamesEveryTriangleNearOnceAndNoneTwice)
{
  RandomStream random(4, RandomStream::Positions);
  const auto rough = [&](double x, double y) { return std::sin(3 * x) + std::cos(2 * y); };
  std::vector<Surface> surfaces{ planeTerrain(3), gridTerrain(-7, 5, 31, -3, 8, 17, rough),
    cutPlane(Cut::Sliver, 4, 0.7), boxContainer({ -1, -1, -1 }, { 1, 1, 1 }, false, 4),
    gridTerrain(0, 100, 50, 0, 0.1, 1, flat) };
  Surface wall; // has no extent in x
  wall.points = { 0, 0, 0, 0, 1, 0, 0, 0, 1 };
  wall.triangles = { 0, 1, 2 };
  surfaces.push_back(wall);
  for (const Surface& surface : surfaces)
  {
    const SurfaceMesh mesh = meshOf(surface);
    const ColumnGrid grid(mesh);
    for (int k = 0; k < 300; ++k)
    {
      const double x = random.uniform(mesh.bounds.lower.x - 2, mesh.bounds.upper.x + 2);
      const double y = random.uniform(mesh.bounds.lower.y - 2, mesh.bounds.upper.y + 2);
      const double reach = random.uniform(0, 2);
      std::vector<int> visits(mesh.triangles.size(), 0);
      grid.view().forEachNear(x, y, reach, [&](std::int32_t t) { ++visits[t]; });
      for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      {
        Box box;
        for (const std::int32_t corner : mesh.triangles[t].corner)
          box += mesh.points[corner];
        const bool near = box.lower.x <= x + reach && box.upper.x >= x - reach &&
                          box.lower.y <= y + reach && box.upper.y >= y - reach;
        EXPECT_LE(visits[t], 1);
        EXPECT_TRUE(!near || visits[t] == 1) << x << " " << y << " " << reach;
      }
    }
  }
  const ColumnGrid none((SurfaceMesh()));
  none.view().forEachNear(0, 0, 1, [](std::int32_t) { ADD_FAILURE(); });
}

TEST(Coverage, IsTheHeightOnFacesEdgesAndCorners)
{
  const auto slope = [](double x, double y) { return 0.5 * x - 0.25 * y; };
  const SurfaceMesh mesh = meshOf(gridTerrain(-8, 8, 16, -8, 8, 16, slope));
  const ColumnGrid grid(mesh);
  for (double x = -8; x <= 8; x += 0.25)
  {
    for (double y = -8; y <= 8; y += 0.25)
    {
      const VerticalCover cover = coverAt(mesh.view(), grid.view(), x, y);
      ASSERT_TRUE(cover.covered) << x << " " << y;
      EXPECT_NEAR(cover.lowest, slope(x, y), 1e-12);
      EXPECT_NEAR(cover.highest, slope(x, y), 1e-12);
    }
  }
  for (const double beyond : { -8.001, 8.001 })
  {
    EXPECT_FALSE(coverAt(mesh.view(), grid.view(), beyond, 0).covered);
    EXPECT_FALSE(coverAt(mesh.view(), grid.view(), 0, beyond).covered);
  }
}

TEST(Coverage, TellsMapHoleAndDepthApart)
{
  const SurfaceMesh mesh = meshOf(holedPlane());
  const ColumnGrid grid(mesh);
  const auto reason = [&](double x, double y, double z) {
    return lossOf(mesh.view(), grid.view(), { x, y, z }, 0.5);
  };
  EXPECT_EQ(reason(5, 5, 0.5), LossReason::None);
  EXPECT_EQ(reason(5, 5, 100), LossReason::None);
  EXPECT_EQ(reason(10.01, 5, 100), LossReason::LeftTheMap);
  EXPECT_EQ(reason(5, -10.01, 0.5), LossReason::LeftTheMap);
  EXPECT_EQ(reason(0, 0, 0.5), LossReason::None);
  EXPECT_EQ(reason(0, 0, -0.4), LossReason::None);
  EXPECT_EQ(reason(0, 0, -0.6), LossReason::FellIntoAHole);
  EXPECT_EQ(reason(5, 5, -0.4), LossReason::None);
  EXPECT_EQ(reason(5, 5, -0.6), LossReason::WentThrough);
}

TEST(Coverage, WithoutTerrainNothingIsLost)
{
  const SurfaceMesh mesh;
  const ColumnGrid grid(mesh);
  EXPECT_EQ(lossOf(mesh.view(), grid.view(), { 1e9, -1e9, -1e9 }, 0.5), LossReason::None);
}

TEST(Coverage, AMapWithARaggedEdgeLosesWhatFallsBesideIt)
{
  // An L-shaped map: the missing quarter is no hole.
  const SurfaceMesh mesh = meshOf(
    gridTerrain(-4, 4, 8, -4, 4, 8, flat, [](double x, double y) { return x < 0 || y < 0; }));
  const ColumnGrid grid(mesh);
  EXPECT_EQ(lossOf(mesh.view(), grid.view(), { 2, 2, 1 }, 0.5), LossReason::None);
  EXPECT_EQ(lossOf(mesh.view(), grid.view(), { 2, 2, -0.6 }, 0.5), LossReason::LeftTheMap);
}
