// Cell grid and neighbour list against brute force, on the CPU's kernels.
#include "Spatial/NeighborList.h"

#include "Math/Random.h"
#include "Particles/State.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

using namespace lapilli;
using namespace lapilli::cpu;

namespace
{

using Pair = std::pair<std::int64_t, std::int64_t>;

/// Particles with their lists, as the solver keeps them.
class Crowd
{
public:
  Crowd(const std::vector<Sphere>& spheres, int threads, const Periodicity& space = {})
    : executor_(threads)
    , space_(space)
  {
    HostParticles particles;
    particles.sphere = spheres;
    particles.velocity.resize(spheres.size());
    particles.spin.resize(spheres.size());
    particles.mass.assign(spheres.size(), 1);
    for (std::size_t i = 0; i < spheres.size(); ++i)
      particles.id.push_back(static_cast<std::int64_t>(i));
    state_.upload(particles);
  }

  /// @param lost by id
  void list(double skin, const std::set<std::int64_t>& lost = {})
  {
    const Executor::ThreadScope scope(executor_);
    const std::vector<std::int64_t> ids = state_.download().id;
    std::vector<std::uint8_t> flags;
    double largest = 0;
    for (const Sphere& sphere : state_.download().sphere)
      largest = std::max(largest, sphere.radius);
    for (const std::int64_t id : ids)
      flags.push_back(lost.count(id) ? 1 : 0);
    Buffer<std::uint8_t> lostBuffer;
    lostBuffer.upload(flags);
    const Index survivors =
      cells_.sort(executor_, state_.view().spheres(), lostBuffer, 2 * largest + skin, space_);
    EXPECT_EQ(survivors, static_cast<Index>(ids.size() - lost.size()));
    state_.reorder(executor_, cells_.order());
    state_.truncate(survivors);
    neighbors_.build(executor_, state_.view().spheres(), cells_, skin, space_);
  }

  /// Every entry of every row as (id of the row, id of the neighbour).
  std::vector<Pair> entries()
  {
    const NeighborView rows = neighbors_.view();
    const std::vector<std::int64_t> ids = state_.download().id;
    std::vector<Pair> found;
    for (Index i = 0; i < state_.count(); ++i)
      for (Index k = 0; k < rows.row(i).count; ++k)
        found.push_back({ ids[i], ids[rows.neighbor[rows.row(i)[k]].index()] });
    std::sort(found.begin(), found.end());
    return found;
  }

  std::vector<Pair> bruteForce(double skin)
  {
    const HostParticles particles = state_.download();
    std::vector<Pair> found;
    for (std::size_t i = 0; i < particles.id.size(); ++i)
    {
      for (std::size_t j = 0; j < particles.id.size(); ++j)
      {
        const double reach = particles.sphere[i].radius + particles.sphere[j].radius + skin;
        const Vec3d way =
          space_.nearest(particles.sphere[j].position - particles.sphere[i].position);
        if (i != j && squaredLength(way) < reach * reach)
          found.push_back({ particles.id[i], particles.id[j] });
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  NeighborList& neighbors() { return neighbors_; }
  State& state() { return state_; }

private:
  Executor executor_;
  Periodicity space_;
  State state_;
  CellGrid cells_;
  NeighborList neighbors_;
};

std::vector<Sphere> randomSpheres(int count, const Vec3d& middle, const Vec3d& size,
  double smallest, double largest, std::uint64_t seed)
{
  RandomStream random(seed, RandomStream::Positions);
  std::vector<Sphere> spheres;
  for (int i = 0; i < count; ++i)
  {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    spheres.push_back(
      { middle + Vec3d{ x * size.x, y * size.y, z * size.z }, random.uniform(smallest, largest) });
  }
  return spheres;
}

} // namespace

// A third of the spheres stands outside the box, as parts of rigid bodies do.
TEST(NeighborList, IsThatOfBruteForceInSpaceThatRepeats)
{
  const Vec3d middle{ 3, -2, 5 }, half{ 6, 4, 5 };
  const std::vector<Sphere> spheres = randomSpheres(3000, middle, 1.1 * half, 0.2, 0.5, 7);
  for (const Vec3d& axes : { Vec3d{ 1, 0, 0 }, Vec3d{ 0, 1, 1 }, Vec3d{ 1, 1, 1 } })
  {
    const Vec3d length{ 2 * half.x * axes.x, 2 * half.y * axes.y, 2 * half.z * axes.z };
    Crowd crowd(spheres, 2, { middle - half, length });
    crowd.list(0.3);
    const std::vector<Pair> found = crowd.entries();
    EXPECT_EQ(found, crowd.bruteForce(0.3));
    Crowd unbounded(spheres, 2);
    unbounded.list(0.3);
    EXPECT_LT(unbounded.entries().size(), found.size()) << "nothing reached across the sides";
  }
}

TEST(NeighborList, IsThatOfBruteForce)
{
  // Cubes, sheets, columns and lines, far from the origin too, equal and mixed radii.
  std::uint64_t seed = 1;
  for (const Vec3d& size : { Vec3d{ 6, 6, 6 }, Vec3d{ 30, 30, 0 }, Vec3d{ 0, 0, 200 },
         Vec3d{ 200, 0, 0 }, Vec3d{ 0, 200, 0 }, Vec3d{ 1e5, 1e5, 1e5 }, Vec3d{ 0.1, 0.1, 0.1 } })
  {
    for (const Vec3d& middle : { Vec3d{}, Vec3d{ -20000, 20000, 3000 } })
    {
      for (const double smallest : { 0.5, 0.17 })
      {
        for (const double skin : { 0.005, 0.2, 2.0 })
        {
          Crowd crowd(randomSpheres(300, middle, size, smallest, 0.5, ++seed), 1);
          crowd.list(skin);
          EXPECT_EQ(crowd.entries(), crowd.bruteForce(skin))
            << size.x << " " << smallest << " " << skin;
        }
      }
    }
  }
}

TEST(NeighborList, OfSpheresOnTheBordersOfCellsMissesNone)
{
  // A lattice with exactly the size of a cell, and one a rounding away.
  for (const double off : { 0.0, 1e-15, -1e-15 })
  {
    std::vector<Sphere> spheres;
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j)
        for (int k = 0; k < 5; ++k)
          spheres.push_back({ { (1.2 + off) * i, (1.2 + off) * j, (1.2 + off) * k }, 0.5 });
    Crowd crowd(spheres, 1);
    crowd.list(0.2);
    EXPECT_EQ(crowd.entries(), crowd.bruteForce(0.2));
    crowd.list(0.21);
    EXPECT_EQ(crowd.entries(), crowd.bruteForce(0.21));
  }
}

TEST(NeighborList, OfNoneOneAndTwo)
{
  Crowd none({}, 1);
  none.list(0.1);
  EXPECT_TRUE(none.entries().empty());
  Crowd one({ { { 1, 2, 3 }, 0.5 } }, 1);
  one.list(0.1);
  EXPECT_TRUE(one.entries().empty());
  Crowd two({ { { 1, 2, 3 }, 0.5 }, { { 1, 2, 4.05 }, 0.5 } }, 1);
  two.list(0.1);
  EXPECT_EQ(two.entries(), (std::vector<Pair>{ { 0, 1 }, { 1, 0 } }));
  two.list(0.1, { 0 });
  EXPECT_TRUE(two.entries().empty());
  EXPECT_EQ(two.state().download().id, std::vector<std::int64_t>{ 1 });
  two.list(0.1, { 1 });
  EXPECT_EQ(two.state().count(), 0);
  two.list(0.1);
  EXPECT_TRUE(two.entries().empty());
}

TEST(NeighborList, AllCoincidentAreAllNeighbours)
{
  Crowd crowd(std::vector<Sphere>(40, { { 5, 5, 5 }, 0.5 }), 1);
  crowd.list(0.1);
  EXPECT_EQ(crowd.entries().size(), 40u * 39u);
}

TEST(NeighborList, LosesThoseThatAreLost)
{
  Crowd crowd(randomSpheres(500, {}, { 5, 5, 5 }, 0.3, 0.5, 77), 1);
  crowd.list(0.2);
  std::set<std::int64_t> lost;
  for (std::int64_t id = 0; id < 500; id += 7)
    lost.insert(id);
  crowd.list(0.2, lost);
  EXPECT_EQ(crowd.entries(), crowd.bruteForce(0.2));
  for (const std::int64_t id : crowd.state().download().id)
    EXPECT_EQ(lost.count(id), 0u);
}

TEST(NeighborList, SpringsFollowTheirPairsThroughReorderAndRemoval)
{
  Crowd crowd(randomSpheres(400, {}, { 4, 4, 4 }, 0.3, 0.5, 78), 1);
  crowd.list(0.2);
  // Mark every second pair as touching, with a spring that names it.
  const auto springOf = [](std::int64_t a, std::int64_t b)
  {
    return (a < b ? 1.0f : -1.0f) *
           Vec3f{ static_cast<float>(std::min(a, b)), static_cast<float>(std::max(a, b)), 0.5f };
  };
  const auto touches = [](std::int64_t a, std::int64_t b) { return (a + b) % 2 == 0; };
  {
    const NeighborView rows = crowd.neighbors().view();
    const std::vector<std::int64_t> ids = crowd.state().download().id;
    for (Index i = 0; i < crowd.state().count(); ++i)
    {
      for (Index k = 0; k < rows.row(i).count; ++k)
      {
        const Offset e = rows.row(i)[k];
        const std::int64_t other = ids[rows.neighbor[e].index()];
        if (touches(ids[i], other))
        {
          rows.neighbor[e].bits |= Neighbor::kTouching;
          NeighborView::write(rows.spring, e, springOf(ids[i], other));
        }
      }
    }
  }
  // Stir: other places, other order, some gone. Pairs that are still listed keep their spring.
  const std::vector<Pair> before = crowd.entries();
  HostParticles stirred = crowd.state().download();
  RandomStream random(79, RandomStream::Positions);
  for (Sphere& sphere : stirred.sphere)
    sphere.position +=
      Vec3d{ random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), random.uniform(-8, -7) };
  crowd.state().upload(stirred);
  std::set<std::int64_t> lost;
  for (std::int64_t id = 3; id < 400; id += 11)
    lost.insert(id);
  crowd.list(0.2, lost);
  const NeighborView rows = crowd.neighbors().view();
  const std::vector<std::int64_t> ids = crowd.state().download().id;
  std::size_t carried = 0;
  for (Index i = 0; i < crowd.state().count(); ++i)
  {
    for (Index k = 0; k < rows.row(i).count; ++k)
    {
      const Offset e = rows.row(i)[k];
      const std::int64_t other = ids[rows.neighbor[e].index()];
      const bool was = std::binary_search(before.begin(), before.end(), Pair{ ids[i], other });
      EXPECT_EQ(rows.neighbor[e].touching(), was && touches(ids[i], other));
      if (rows.neighbor[e].touching())
      {
        EXPECT_EQ(squaredLength(NeighborView::read(rows.spring, e) - springOf(ids[i], other)), 0);
        ++carried;
      }
    }
  }
  EXPECT_GT(carried, 100u);
}

TEST(NeighborThreads, DoNotChangeTheRows)
{
  const std::vector<Sphere> spheres = randomSpheres(20000, {}, { 20, 20, 20 }, 0.3, 0.5, 80);
  std::vector<std::vector<std::uint32_t>> rows;
  for (const int threads : { 1, 2, 3 })
  {
    Crowd crowd(spheres, threads);
    crowd.list(0.2);
    const NeighborView view = crowd.neighbors().view();
    std::vector<std::uint32_t> bits;
    for (Offset e = 0; e < crowd.neighbors().entries(); ++e)
      bits.push_back(view.neighbor[e].bits);
    rows.push_back(bits);
  }
  EXPECT_FALSE(rows[0].empty());
  EXPECT_EQ(rows[1], rows[0]);
  EXPECT_EQ(rows[2], rows[0]);
}
