// Neighbour lists by cells and by trees against brute force, on the CPU's kernels.
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
  Crowd(NeighborSearch by, const std::vector<Sphere>& spheres, int threads,
    const Periodicity& space = {}, PairMemory memory = {}, CurveAxes axes = CurveAxes::Auto)
    : executor_(threads)
    , space_(space)
    , index_(by, axes)
    , neighbors_(memory)
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
  /// @param even rows of like lengths side by side
  void list(double skin, const std::set<std::int64_t>& lost = {}, bool even = false)
  {
    const Executor::ThreadScope scope(executor_);
    const std::vector<std::int64_t> ids = state_.download().id;
    std::vector<std::uint8_t> flags;
    for (const std::int64_t id : ids)
      flags.push_back(lost.count(id) ? 1 : 0);
    Buffer<std::uint8_t> lostBuffer;
    lostBuffer.upload(flags);
    Buffer<Index> contacts;
    neighbors_.countContacts(executor_, state_.count(), contacts);
    const Index survivors =
      index_.sort(executor_, state_.view().spheres(), lostBuffer, largestRadius(), skin, space_);
    EXPECT_EQ(survivors, static_cast<Index>(ids.size() - lost.size()));
    if (even)
      index_.evenRows(executor_, contacts);
    state_.reorder(executor_, index_.order());
    state_.truncate(survivors);
    neighbors_.build(executor_, state_.view().spheres(), index_, skin, space_);
  }

  /// The same, but leaves the particles in the order in which they are.
  void listInPlace(double skin)
  {
    const Executor::ThreadScope scope(executor_);
    index_.locate(executor_, state_.view().spheres(), largestRadius(), skin, space_);
    neighbors_.build(executor_, state_.view().spheres(), index_, skin, space_);
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
  const SphereIndex& index() const { return index_; }
  State& state() { return state_; }

  /// Displaces each particle by at most so much along each axis.
  void stir(double most, std::uint64_t seed)
  {
    HostParticles stirred = state_.download();
    RandomStream random(seed, RandomStream::Positions);
    for (Sphere& sphere : stirred.sphere)
      sphere.position += Vec3d{ random.uniform(-most, most), random.uniform(-most, most),
        random.uniform(-most, most) };
    state_.upload(stirred);
  }

private:
  double largestRadius() const
  {
    double largest = 0;
    for (const Sphere& sphere : state_.download().sphere)
      largest = std::max(largest, static_cast<double>(sphere.radius));
    return largest;
  }

  Executor executor_;
  Periodicity space_;
  State state_;
  SphereIndex index_;
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

class NeighborLists : public testing::TestWithParam<NeighborSearch>
{
};
class NeighborThreads : public NeighborLists
{
};
const auto kSearches = testing::Values(NeighborSearch::Cells, NeighborSearch::Tree);
std::string nameOf(const testing::TestParamInfo<NeighborSearch>& info)
{
  return info.param == NeighborSearch::Cells ? "Cells" : "Tree";
}
INSTANTIATE_TEST_SUITE_P(By, NeighborLists, kSearches, nameOf);
INSTANTIATE_TEST_SUITE_P(By, NeighborThreads, kSearches, nameOf);

// A third of the spheres stands outside the box, as parts of rigid bodies do.
TEST_P(NeighborLists, IsThatOfBruteForceInSpaceThatRepeats)
{
  const Vec3d middle{ 3, -2, 5 }, half{ 6, 4, 5 };
  const std::vector<Sphere> spheres = randomSpheres(3000, middle, 1.1 * half, 0.2, 0.5, 7);
  for (const Vec3d& axes : { Vec3d{ 1, 0, 0 }, Vec3d{ 0, 1, 1 }, Vec3d{ 1, 1, 1 } })
  {
    const Vec3d length{ 2 * half.x * axes.x, 2 * half.y * axes.y, 2 * half.z * axes.z };
    Crowd crowd(GetParam(), spheres, 2, { middle - half, length });
    crowd.list(0.3);
    const std::vector<Pair> found = crowd.entries();
    EXPECT_EQ(found, crowd.bruteForce(0.3));
    Crowd unbounded(GetParam(), spheres, 2);
    unbounded.list(0.3);
    EXPECT_LT(unbounded.entries().size(), found.size()) << "nothing reached across the sides";
  }
}

TEST_P(NeighborLists, IsThatOfBruteForce)
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
          Crowd crowd(GetParam(), randomSpheres(300, middle, size, smallest, 0.5, ++seed), 1);
          crowd.list(skin);
          EXPECT_EQ(crowd.entries(), crowd.bruteForce(skin))
            << size.x << " " << smallest << " " << skin;
        }
      }
    }
  }
}

// As discs lie, with one coordinate in common to the bit: crowded, and so wide that no table holds all cells.
TEST_P(NeighborLists, OfAFlatSceneIsThatOfBruteForce)
{
  std::uint64_t seed = 100;
  for (const Vec3d& size : { Vec3d{ 15, 15, 0 }, Vec3d{ 15, 0, 15 }, Vec3d{ 0, 15, 15 },
         Vec3d{ 3e4, 3e4, 0 }, Vec3d{ 3e4, 0, 3e4 }, Vec3d{ 0, 3e4, 3e4 } })
  {
    const bool isWide = size.x + size.y > 1e4;
    for (const double away : { 0.0, -20000.3 })
    {
      for (const double smallest : { 0.5, 0.05 })
      {
        std::vector<Sphere> spheres =
          randomSpheres(400, { away, away, away }, size, smallest, 0.5, ++seed);
        for (std::size_t i = 0; isWide && i + 1 < spheres.size(); i += 2) // else they are alone
          spheres[i + 1].position = spheres[i].position + (1e-5 / 3) * size;
        Crowd crowd(GetParam(), spheres, 1, {}, {}, CurveAxes::Two);
        crowd.list(0.2);
        EXPECT_EQ(crowd.entries(), crowd.bruteForce(0.2)) << size.x << " " << size.y;
        EXPECT_GT(crowd.entries().size(), 200u);
        if (GetParam() == NeighborSearch::Tree)
          continue;
        // Three runs of three cells: no look into cells beside the plane.
        const CellGridView cells = crowd.index().cells().view();
        EXPECT_EQ(cells.cellStart == nullptr, isWide);
        EXPECT_EQ(cells.geometry.middle, 0u);
        EXPECT_NE(cells.geometry.slow, 0u);
      }
    }
  }
}

TEST_P(NeighborLists, OfSpheresOnTheBordersOfCellsMissesNone)
{
  // A lattice with exactly the size of a cell, and one a rounding away.
  for (const double off : { 0.0, 1e-15, -1e-15 })
  {
    std::vector<Sphere> spheres;
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j)
        for (int k = 0; k < 5; ++k)
          spheres.push_back({ { (1.2 + off) * i, (1.2 + off) * j, (1.2 + off) * k }, 0.5 });
    Crowd crowd(GetParam(), spheres, 1);
    crowd.list(0.2);
    EXPECT_EQ(crowd.entries(), crowd.bruteForce(0.2));
    crowd.list(0.21);
    EXPECT_EQ(crowd.entries(), crowd.bruteForce(0.21));
  }
}

TEST_P(NeighborLists, OfNoneOneAndTwo)
{
  Crowd none(GetParam(), {}, 1);
  none.list(0.1);
  EXPECT_TRUE(none.entries().empty());
  Crowd one(GetParam(), { { { 1, 2, 3 }, 0.5 } }, 1);
  one.list(0.1);
  EXPECT_TRUE(one.entries().empty());
  Crowd two(GetParam(), { { { 1, 2, 3 }, 0.5 }, { { 1, 2, 4.05 }, 0.5 } }, 1);
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

TEST_P(NeighborLists, AllCoincidentAreAllNeighbours)
{
  Crowd crowd(GetParam(), std::vector<Sphere>(40, { { 5, 5, 5 }, 0.5 }), 1);
  crowd.list(0.1);
  EXPECT_EQ(crowd.entries().size(), 40u * 39u);
}

TEST_P(NeighborLists, LosesThoseThatAreLost)
{
  Crowd crowd(GetParam(), randomSpheres(500, {}, { 5, 5, 5 }, 0.3, 0.5, 77), 1);
  crowd.list(0.2);
  std::set<std::int64_t> lost;
  for (std::int64_t id = 0; id < 500; id += 7)
    lost.insert(id);
  crowd.list(0.2, lost);
  EXPECT_EQ(crowd.entries(), crowd.bruteForce(0.2));
  for (const std::int64_t id : crowd.state().download().id)
    EXPECT_EQ(lost.count(id), 0u);
}

TEST_P(NeighborLists, SpringsFollowTheirPairsThroughReorderAndRemoval)
{
  Crowd crowd(GetParam(), randomSpheres(400, {}, { 4, 4, 4 }, 0.3, 0.5, 78), 1);
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

namespace
{

/// What a pair of ids remembers, as seen from the first.
Vec3f historyOf(std::int64_t a, std::int64_t b, float kind)
{
  return (a < b ? 1.0f : -1.0f) * Vec3f{ static_cast<float>(std::min(a, b)) + 0.5f,
    static_cast<float>(std::max(a, b)) + 0.5f, kind };
}

/// Lets every pair that overlaps touch and remember its ids.
std::set<Pair> touchAll(NeighborList& neighbors, State& state)
{
  const NeighborView rows = neighbors.view();
  const HostParticles particles = state.download();
  std::set<Pair> touching;
  for (Index i = 0; i < rows.particles; ++i)
  {
    for (Index k = 0; k < rows.row(i).count; ++k)
    {
      const Offset e = rows.row(i)[k];
      const Index j = rows.neighbor[e].index();
      const Sphere &a = particles.sphere[i], &b = particles.sphere[j];
      if (length(b.position - a.position) >= a.radius + b.radius)
        continue;
      touching.insert({ particles.id[i], particles.id[j] });
      rows.neighbor[e].bits |= Neighbor::kTouching;
      if (rows.spring)
        NeighborView::write(rows.spring, e, historyOf(particles.id[i], particles.id[j], 1));
      if (rows.angle)
        NeighborView::write(rows.angle, e, historyOf(particles.id[i], particles.id[j], 2));
    }
  }
  return touching;
}

/// The pairs that touch; each must remember its own ids.
std::set<Pair> touchingPairs(const NeighborList& neighbors, const State& state)
{
  const NeighborView rows = neighbors.view();
  const std::vector<std::int64_t> ids = state.download().id;
  std::set<Pair> touching;
  for (Index i = 0; i < rows.particles; ++i)
  {
    for (Index k = 0; k < rows.row(i).count; ++k)
    {
      const Offset e = rows.row(i)[k];
      if (!rows.neighbor[e].touching())
        continue;
      const Pair pair{ ids[i], ids[rows.neighbor[e].index()] };
      EXPECT_TRUE(touching.insert(pair).second) << "a pair stands twice in a row";
      const auto expectOwn = [&](const float* history, float kind)
      {
        const Vec3f off = NeighborView::read(history, e) - historyOf(pair.first, pair.second, kind);
        EXPECT_EQ(squaredLength(off), 0);
      };
      if (rows.spring)
        expectOwn(rows.spring, 1);
      if (rows.angle)
        expectOwn(rows.angle, 2);
    }
  }
  return touching;
}

/// Small spheres around and upon large ones, 1 to 20, whose rows are long.
std::vector<Sphere> unequalSpheres()
{
  std::vector<Sphere> spheres = randomSpheres(4000, {}, { 3, 3, 1 }, 0.05, 0.06, 90);
  spheres.push_back({ { -1, 0, 0 }, 1 });
  spheres.push_back({ { 0.9, 0.1, 0 }, 1 });
  return spheres;
}

} // namespace

// Single precision alone would miss pairs or invent some: the skin ends at pairs that are a rounding apart.
TEST_P(NeighborLists, IsExactAtTheEndOfTheSkinFarFromTheOrigin)
{
  std::vector<Sphere> spheres;
  const double gap = 0.25;
  for (int i = 0; i < 2000; ++i)
  {
    const double nudge = (i % 5 - 2) * 1e-9;
    const Vec3d place{ -20000 + 3.0 * i, 20000 + 0.1 * (i % 7), 3000 };
    spheres.push_back({ place, 0.5 });
    spheres.push_back({ place + Vec3d{ 0, 1 + gap + nudge, 0 }, 0.5 });
  }
  Crowd crowd(GetParam(), spheres, 1);
  crowd.list(gap);
  const std::vector<Pair> expected = crowd.bruteForce(gap);
  EXPECT_EQ(crowd.entries(), expected);
  EXPECT_GT(expected.size(), 1000u);
  EXPECT_LT(expected.size(), 3000u);
}

TEST_P(NeighborLists, OfUnequalSpheresHasLongRows)
{
  Crowd crowd(GetParam(), unequalSpheres(), 2);
  for (const double skin : { 0.01, 0.1 })
  {
    crowd.list(skin);
    EXPECT_EQ(crowd.neighbors().view().longCount > 1, true);
    EXPECT_EQ(crowd.entries(), crowd.bruteForce(skin));
    crowd.stir(0.02, 91);
    crowd.listInPlace(skin);
    EXPECT_EQ(crowd.entries(), crowd.bruteForce(skin));
  }
}

// Once more with particles that have moved since they were put into order.
TEST_P(NeighborLists, LeavesParticlesWhereTheyAre)
{
  const Vec3d half{ 6, 5, 4 };
  for (const Periodicity& space : { Periodicity{}, Periodicity{ -half, 2.0 * half } })
  {
    Crowd crowd(GetParam(), randomSpheres(2000, {}, half, 0.2, 0.5, 92), 2, space);
    crowd.list(0.2);
    const std::vector<std::int64_t> ids = crowd.state().download().id;
    crowd.stir(1.0, 93);
    crowd.listInPlace(0.3);
    EXPECT_EQ(crowd.state().download().id, ids);
    EXPECT_FALSE(crowd.index().reorders());
    EXPECT_EQ(crowd.entries(), crowd.bruteForce(0.3));
  }
}

// Spheres at two far places leave no room for a table of cells.
TEST(NeighborList, IsTheSameBySortedKeysAsByATable)
{
  const std::vector<Sphere> spheres = randomSpheres(1500, {}, { 5, 5, 5 }, 0.2, 0.5, 94);
  std::vector<Sphere> wide = spheres;
  wide.push_back({ { 3e4, -2e4, 1e4 }, 0.5 });
  Crowd dense(NeighborSearch::Cells, spheres, 1), sparse(NeighborSearch::Cells, wide, 1);
  dense.list(0.2);
  sparse.list(0.2);
  ASSERT_TRUE(dense.index().cells().isDense());
  ASSERT_FALSE(sparse.index().cells().isDense());
  EXPECT_FALSE(dense.entries().empty());
  EXPECT_EQ(dense.entries(), sparse.entries());
  sparse.stir(0.3, 95);
  sparse.listInPlace(0.2);
  EXPECT_EQ(sparse.entries(), sparse.bruteForce(0.2));
}

TEST_P(NeighborLists, HoldsEveryContactUntilTheSkinIsUsedUp)
{
  const double skin = 0.2;
  Crowd crowd(GetParam(), randomSpheres(1500, {}, { 5, 5, 5 }, 0.2, 0.5, 96), 1);
  crowd.list(skin);
  const std::vector<Pair> listed = crowd.entries();
  crowd.stir(0.4999 * skin / std::sqrt(3), 97);
  const std::vector<Pair> touching = crowd.bruteForce(0);
  EXPECT_GT(touching.size(), 500u);
  EXPECT_TRUE(std::includes(listed.begin(), listed.end(), touching.begin(), touching.end()));
}

TEST_P(NeighborLists, SpheresOfOneBodyAreNoPair)
{
  const Executor executor(1);
  const std::vector<Sphere> spheres(4, Sphere{ { 1, 2, 3 }, 0.5 });
  const std::vector<std::int32_t> body{ 7, 7, -1, -1 };
  SphereIndex index(GetParam());
  NeighborList list;
  const SphereView view{ 4, spheres.data(), body.data() };
  index.locate(executor, view, 0.5, 0.1, {});
  list.build(executor, view, index, 0.1, {});
  std::vector<Index> counts;
  for (Index i = 0; i < 4; ++i)
    counts.push_back(list.view().row(i).count);
  EXPECT_EQ(counts, (std::vector<Index>{ 2, 2, 3, 3 }));
}

// What a kernel that computes a column of a chunk at once relies on.
TEST_P(NeighborLists, ChunksArePaddedWithParticlesThatExist)
{
  Crowd crowd(GetParam(), unequalSpheres(), 1);
  crowd.list(0.02);
  touchAll(crowd.neighbors(), crowd.state());
  crowd.stir(0.001, 98);
  crowd.listInPlace(0.02);
  const NeighborView rows = crowd.neighbors().view();
  ASSERT_NE(rows.particles % kRowLanes, 0) << "the last chunk is whole";
  Offset inUse = 0, spare = 0;
  for (Index chunk = 0; chunk < rows.chunks(); ++chunk)
  {
    ASSERT_EQ(rows.start[chunk] % kRowLanes, 0);
    Index longest = 0;
    for (Index lane = 0; lane < kRowLanes; ++lane)
    {
      const Index i = chunk * kRowLanes + lane;
      const Index count = i < rows.particles ? rows.count[i] : 0;
      EXPECT_EQ(rows.count[i], count);
      EXPECT_LE(count, kLongRow);
      longest = std::max(longest, count);
      for (Offset e = rows.start[chunk] + lane, k = 0; e < rows.start[chunk + 1];
           e += kRowLanes, ++k)
      {
        const Neighbor neighbor = rows.neighbor[e];
        ASSERT_LT(neighbor.index(), rows.particles);
        if (k < count)
        {
          EXPECT_NE(neighbor.index(), i);
          ++inUse;
          continue;
        }
        ++spare;
        EXPECT_EQ(neighbor.index(), std::min(i, rows.particles - 1));
        EXPECT_FALSE(neighbor.touching());
      }
    }
    EXPECT_EQ(rows.start[chunk + 1] - rows.start[chunk], Offset(longest) * kRowLanes);
  }
  EXPECT_GT(spare, 0);
  ASSERT_EQ(rows.longStart[0], rows.start[rows.chunks()]);
  for (Index r = 0; r < rows.longCount; ++r)
  {
    const Index i = rows.longParticle[r];
    EXPECT_EQ(rows.longRow[i], r);
    EXPECT_EQ(rows.count[i], 0);
    EXPECT_GT(rows.longLength[r], kLongRow);
    EXPECT_EQ(rows.longStart[r] % kRowLanes, 0);
    for (Offset e = rows.longStart[r]; e < rows.longStart[r + 1]; ++e)
    {
      const bool isSpare = e - rows.longStart[r] >= rows.longLength[r];
      EXPECT_EQ(rows.neighbor[e].index() == i, isSpare);
      EXPECT_FALSE(isSpare && rows.neighbor[e].touching());
      inUse += isSpare ? 0 : 1;
    }
  }
  EXPECT_EQ(rows.longStart[rows.longCount], crowd.neighbors().entries());
  EXPECT_EQ(inUse, static_cast<Offset>(crowd.entries().size()));
}

TEST_P(NeighborLists, RowsBeginWithThePairsThatTouch)
{
  Crowd crowd(GetParam(), unequalSpheres(), 1);
  crowd.list(0.05);
  const NeighborView rows = crowd.neighbors().view();
  const std::vector<Sphere> spheres = crowd.state().download().sphere;
  Index touch = 0;
  for (Index i = 0; i < rows.particles; ++i)
  {
    bool touched = true;
    for (Index k = 0; k < rows.row(i).count; ++k)
    {
      const Sphere& other = spheres[rows.neighbor[rows.row(i)[k]].index()];
      const double gap =
        length(other.position - spheres[i].position) - other.radius - spheres[i].radius;
      if (std::abs(gap) < 1e-5)
        continue; // the order is one of single precision
      EXPECT_TRUE(touched || gap > 0) << i << " " << k;
      touched = gap < 0;
      touch += touched ? 1 : 0;
    }
  }
  EXPECT_GT(touch, 1000);
}

TEST_P(NeighborLists, HistoriesFollowTheirPairsThroughEachKindOfRebuild)
{
  for (const PairMemory& memory : { PairMemory{ true, false }, PairMemory{ true, true },
         PairMemory{ false, true }, PairMemory{ false, false } })
  {
    Crowd crowd(GetParam(), unequalSpheres(), 2, {}, memory);
    crowd.list(0.05);
    EXPECT_EQ(crowd.neighbors().view().spring != nullptr, memory.slips);
    EXPECT_EQ(crowd.neighbors().view().angle != nullptr, memory.rolls);
    std::set<Pair> touching = touchAll(crowd.neighbors(), crowd.state());
    EXPECT_GT(touching.size(), 1000u);
    for (int build = 0; build < 4; ++build)
    {
      crowd.stir(0.005, 100 + static_cast<std::uint64_t>(build));
      build % 2 == 0 ? crowd.listInPlace(0.05) : crowd.list(0.05);
      EXPECT_EQ(touchingPairs(crowd.neighbors(), crowd.state()), touching) << build;
    }
    // A wider skin makes most rows long, and a narrow one short again.
    const auto longRows = [&] { return crowd.neighbors().view().longCount; };
    crowd.listInPlace(0.5);
    EXPECT_GT(longRows(), 3000);
    EXPECT_EQ(touchingPairs(crowd.neighbors(), crowd.state()), touching);
    crowd.list(0.05);
    EXPECT_LT(longRows(), 100);
    EXPECT_EQ(touchingPairs(crowd.neighbors(), crowd.state()), touching);
    crowd.list(0.5);
    EXPECT_EQ(touchingPairs(crowd.neighbors(), crowd.state()), touching);
    crowd.listInPlace(0.05);
    EXPECT_EQ(touchingPairs(crowd.neighbors(), crowd.state()), touching);
    // Those of particles that are lost go with them.
    crowd.list(0.05, { 4000 });
    for (auto pair = touching.begin(); pair != touching.end();)
      pair = pair->first == 4000 || pair->second == 4000 ? touching.erase(pair) : std::next(pair);
    EXPECT_EQ(touchingPairs(crowd.neighbors(), crowd.state()), touching);
    // A pair that parted is forgotten, and stays so when it meets again.
    HostParticles apart = crowd.state().download();
    HostParticles again = apart;
    for (std::size_t i = 0; i < apart.sphere.size(); ++i)
      apart.sphere[i].position.x += 10.0 * static_cast<double>(i);
    crowd.state().upload(apart);
    crowd.listInPlace(0.05);
    crowd.state().upload(again);
    crowd.listInPlace(0.05);
    EXPECT_TRUE(touchingPairs(crowd.neighbors(), crowd.state()).empty());
  }
}

TEST(NeighborList, EvenRowsStandSideBySideWithTheSamePairsAndHistories)
{
  Crowd crowd(NeighborSearch::Cells, randomSpheres(6000, {}, { 5, 5, 5 }, 0.2, 0.4, 97), 2);
  const auto columns = [&]
  {
    // Of pairs that touch: the longest row of each chunk counts.
    const NeighborView rows = crowd.neighbors().view();
    Index sum = 0;
    for (Index chunk = 0; chunk < rows.chunks(); ++chunk)
    {
      Index longest = 0;
      for (Index i = chunk * kRowLanes; i < std::min((chunk + 1) * kRowLanes, rows.particles); ++i)
      {
        Index touching = 0;
        for (Index k = 0; k < rows.row(i).count; ++k)
          touching += rows.neighbor[rows.row(i)[k]].touching() ? 1 : 0;
        longest = std::max(longest, touching);
      }
      sum += longest;
    }
    return sum;
  };
  crowd.list(0.1);
  const std::set<Pair> touching = touchAll(crowd.neighbors(), crowd.state());
  ASSERT_GT(touching.size(), 3000u);
  const Index before = columns();
  const std::set<std::int64_t> lost{ 5, 77, 4000 };
  crowd.list(0.1, lost, true);
  EXPECT_EQ(crowd.entries(), crowd.bruteForce(0.1));
  EXPECT_LT(columns(), 0.8 * before);
  std::set<Pair> left;
  for (const Pair& pair : touching)
    if (lost.count(pair.first) + lost.count(pair.second) == 0)
      left.insert(pair);
  EXPECT_EQ(touchingPairs(crowd.neighbors(), crowd.state()), left); // and that histories are theirs
  crowd.listInPlace(0.1);
  EXPECT_EQ(crowd.entries(), crowd.bruteForce(0.1));
}

// What is asked for ahead of time is just behind the neighbours of nearly all.
TEST_P(NeighborLists, TellsHowFarAheadNeighboursLie)
{
  Crowd crowd(GetParam(), randomSpheres(40000, {}, { 20, 5, 5 }, 0.2, 0.21, 98), 2);
  crowd.list(0.1);
  const NeighborView rows = crowd.neighbors().view();
  std::vector<Index> reach;
  for (Index i = 0; i < rows.particles; i += kRowLanes)
  {
    Index farthest = 1;
    for (Index k = i; k < std::min(i + kRowLanes, rows.particles); ++k)
      for (Index e = 0; e < rows.row(k).count; ++e)
        farthest = std::max(farthest, rows.neighbor[rows.row(k)[e]].index() - i);
    reach.push_back(farthest);
  }
  std::sort(reach.begin(), reach.end());
  const Index most = reach[static_cast<std::size_t>(0.9 * static_cast<double>(reach.size()))];
  if (GetParam() == NeighborSearch::Cells)
  {
    EXPECT_GT(most, 500);
    EXPECT_GE(rows.ahead, most);
    EXPECT_LE(rows.ahead, 2 * most + 256);
  }
  else
    EXPECT_TRUE(rows.ahead == 0 || rows.ahead >= most); // along a curve some always lie far
}

TEST_P(NeighborLists, RefusesARowThatExplodes)
{
  const Index count = NeighborList::kMostInRow + 5;
  const std::vector<Sphere> spheres(static_cast<std::size_t>(count), Sphere{ { 1, 2, 3 }, 0.5 });
  const Executor executor(1);
  const Executor::ThreadScope scope(executor);
  SphereIndex index(GetParam());
  NeighborList list;
  index.locate(executor, { count, spheres.data() }, 0.5, 0.1, {});
  try
  {
    list.build(executor, { count, spheres.data() }, index, 0.1, {});
    FAIL() << "not refused";
  }
  catch (const RowExploded& error)
  {
    EXPECT_EQ(error.particle(), 0);
    EXPECT_NE(std::string(error.what()).find("(1.000000, 2.000000, 3.000000) m"), std::string::npos)
      << error.what();
    EXPECT_NE(std::string(error.what()).find("1048576 neighbours"), std::string::npos);
  }
}

// Each row can be counted, all together cannot be held.
TEST_P(NeighborLists, RefusesMoreEntriesThanItCanHold)
{
  const Index count = 50000;
  std::vector<Sphere> spheres(static_cast<std::size_t>(count), Sphere{ { 1, 2, 3 }, 0.5 });
  spheres.push_back({ { 100, 2, 3 }, 0.5 });
  const SphereView view{ count + 1, spheres.data() };
  const Executor executor(2);
  SphereIndex index(GetParam());
  NeighborList list;
  index.locate(executor, view, 0.5, 0.1, {});
  try
  {
    list.build(executor, view, index, 0.1, {});
    FAIL() << "not refused";
  }
  catch (const RowExploded& error)
  {
    EXPECT_EQ(error.particle(), 0);
    EXPECT_NE(std::string(error.what()).find("49999 neighbours"), std::string::npos)
      << error.what();
  }
}

TEST_P(NeighborThreads, DoNotChangeTheRows)
{
  for (const bool isWide : { false, true })
  {
    std::vector<Sphere> spheres = randomSpheres(20000, {}, { 20, 20, 20 }, 0.3, 0.5, 80);
    spheres.push_back({ {}, 4 }); // a long row
    if (isWide)
      spheres.push_back({ { 1e5, 1e5, 1e5 }, 0.5 });
    std::vector<std::vector<std::uint32_t>> rows;
    std::vector<std::set<Pair>> touching;
    for (const int threads : { 1, 2, 3 })
    {
      Crowd crowd(GetParam(), spheres, threads);
      crowd.list(0.2);
      touchAll(crowd.neighbors(), crowd.state());
      crowd.stir(0.05, 81);
      crowd.listInPlace(0.2);
      EXPECT_EQ(crowd.index().cells().isDense(), GetParam() == NeighborSearch::Cells && !isWide);
      const NeighborView view = crowd.neighbors().view();
      EXPECT_GT(view.longCount, 0);
      std::vector<std::uint32_t> bits;
      for (Offset e = 0; e < crowd.neighbors().entries(); ++e)
        bits.push_back(view.neighbor[e].bits);
      rows.push_back(bits);
      touching.push_back(touchingPairs(crowd.neighbors(), crowd.state()));
    }
    EXPECT_FALSE(rows[0].empty());
    EXPECT_EQ(rows[1], rows[0]);
    EXPECT_EQ(rows[2], rows[0]);
    EXPECT_GT(touching[0].size(), 100u);
    EXPECT_EQ(touching[1], touching[0]);
    EXPECT_EQ(touching[2], touching[0]);
  }
}
