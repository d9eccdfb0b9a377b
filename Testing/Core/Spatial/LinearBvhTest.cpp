// The tree of boxes: its shape, against the definition; refitting, threads, memory and bad boxes.
#include "Trees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace lapilli;
using namespace lapilli::cpu;
using namespace lapilli::test;

namespace
{

bool sameBits(const FloatBox& a, const FloatBox& b)
{
  return std::memcmp(&a, &b, sizeof(FloatBox)) == 0;
}

/// Walks a tree from the root and holds each node against the definition of T. Karras, HPG 2012: a node over
/// leaves first … last splits them where the highest bit changes in which their keys differ.
class TreeCheck
{
public:
  TreeCheck(const BvhView& tree, const std::vector<FloatBox>& boxes, CurveAxes axes)
    : tree_(tree)
    , boxes_(boxes)
  {
    checkAll(axes);
  }

  int depth() const { return depth_; }
  bool isFiner() const { return isFiner_; } ///< keys within cells were asked for

private:
  void checkAll(CurveAxes axes)
  {
    const BvhView& tree = tree_;
    const std::vector<FloatBox>& boxes = boxes_;
    ASSERT_EQ(tree.count, static_cast<Index>(boxes.size()));
    if (boxes.empty())
      return;
    FloatBox scene = boxes.front();
    for (const FloatBox& box : boxes)
      scene = joined(scene, box);
    const MortonCells cells(scene, axes);
    std::vector<Index> order(boxes.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<std::uint32_t> keys;
    for (const FloatBox& box : boxes)
      keys.push_back(cells.key(middleOf(box)));
    std::stable_sort(
      order.begin(), order.end(), [&](Index a, Index b) { return keys[a] < keys[b]; });
    int equal = 0;
    for (std::size_t place = 1; place < order.size(); ++place)
      equal += keys[order[place - 1]] == keys[order[place]] ? 1 : 0;
    isFiner_ = equal > LinearBvh::kEqualKeys * tree.count;
    if (isFiner_)
    {
      std::vector<std::uint32_t> fine;
      for (const FloatBox& box : boxes)
        fine.push_back(cells.fineKey(middleOf(box)));
      std::stable_sort(order.begin(), order.end(),
        [&](Index a, Index b)
        { return std::pair(keys[a], fine[a]) < std::pair(keys[b], fine[b]); });
      ASSERT_TRUE(std::is_permutation(order.begin(), order.end(), tree.order));
    }
    ASSERT_TRUE(std::equal(order.begin(), order.end(), tree.order));
    for (Index place = 0; place < tree.count; ++place)
      digits_.push_back(std::uint64_t(keys[order[place]]) << 32 | std::uint32_t(place));
    if (tree.count == 1)
      return;
    FloatBox all{};
    check(*tree.root, 0, tree.count - 1, 1, all);
    EXPECT_TRUE(sameBits(all, scene));
  }

  void check(Index link, Index first, Index last, int depth, FloatBox& box)
  {
    if (first == last)
    {
      ASSERT_EQ(link, ~first);
      box = boxes_[tree_.order[first]];
      return;
    }
    depth_ = std::max(depth_, depth);
    const std::uint64_t highest = std::uint64_t(1)
                                  << (63 - __builtin_clzll(digits_[first] ^ digits_[last]));
    const Index right = static_cast<Index>(
      std::partition_point(digits_.begin() + first, digits_.begin() + last + 1,
        [&](std::uint64_t digits) { return !((digits ^ digits_[first]) & highest); }) -
      digits_.begin());
    ASSERT_EQ(link, right - 1);
    const BvhNode& node = tree_.nodes[link];
    ASSERT_EQ(node.last, last);
    FloatBox leftBox{}, rightBox{};
    check(node.left, first, right - 1, depth + 1, leftBox);
    if (::testing::Test::HasFatalFailure())
      return;
    check(node.right, right, last, depth + 1, rightBox);
    if (::testing::Test::HasFatalFailure())
      return;
    ASSERT_TRUE(sameBits(node.leftBox, leftBox)) << link;
    ASSERT_TRUE(sameBits(node.rightBox, rightBox)) << link;
    box = joined(leftBox, rightBox);
  }

  const BvhView tree_;
  const std::vector<FloatBox>& boxes_;
  std::vector<std::uint64_t> digits_; ///< the key of a leaf, behind it its place
  int depth_ = 0;
  bool isFiner_ = false;
};

std::vector<FloatBox> randomBoxes(int count, double side)
{
  return boxesOf(spheresAt(count,
    [&](RandomStream& random, int)
    {
      const double x = random.uniform(0, side), y = random.uniform(0, side);
      return Sphere{ { x, y, random.uniform(0, side) }, random.uniform(0.1, 1) };
    }));
}

void expectSameTree(const BvhView& a, const BvhView& b)
{
  ASSERT_EQ(a.count, b.count);
  EXPECT_TRUE(std::equal(a.order, a.order + a.count, b.order));
  EXPECT_EQ(*a.root, *b.root);
  EXPECT_EQ(std::memcmp(a.nodes, b.nodes, (a.count - 1) * sizeof(BvhNode)), 0);
}

template <class Action>
std::string refusal(const Action& action)
{
  try
  {
    action();
  }
  catch (const InvalidInput& error)
  {
    return error.what();
  }
  return "none";
}

} // namespace

// Figure 3 of the paper. Its keys of five bits stand for cells of a curve through two axes: x has bits 0, 2 and 4.
TEST(LinearBvh, IsThatOfKarrasExample)
{
  std::vector<FloatBox> boxes;
  for (const int key : { 0b00001, 0b00010, 0b00100, 0b00101, 0b10011, 0b11000, 0b11001, 0b11110 })
  {
    const float x = (key & 1) + (key >> 1 & 2) + (key >> 2 & 4) + 0.5f;
    const float y = (key >> 1 & 1) + (key >> 2 & 2) + 0.5f;
    // The last one fills the scene up to 8 cells.
    const float half = key == 0b11110 ? 1.5f : 0.5f;
    boxes.push_back({ { x - half, y - half, 0 }, { x + half, y + half, 0 } });
  }
  std::reverse(boxes.begin(), boxes.end());
  const Grove grove(boxes);
  const BvhView tree = grove.tree.view();
  EXPECT_EQ(grove.tree.order().download(), (std::vector<Index>{ 7, 6, 5, 4, 3, 2, 1, 0 }));
  // Left and right by the number of the node, which is that of the last leaf on its left. Karras numbers them
  // 1, 3, 2, 0, 4, 6, 5.
  const std::vector<std::pair<Index, Index>> halves{ { ~0, ~1 }, { 0, 2 }, { ~2, ~3 }, { 1, 4 },
    { ~4, 6 }, { ~5, ~6 }, { 5, ~7 } };
  EXPECT_EQ(*tree.root, 3);
  for (std::size_t i = 0; i < halves.size(); ++i)
  {
    EXPECT_EQ(tree.nodes[i].left, halves[i].first) << i;
    EXPECT_EQ(tree.nodes[i].right, halves[i].second) << i;
  }
  const TreeCheck check(tree, boxes, CurveAxes::Auto);
  EXPECT_EQ(check.depth(), 4);
}

TEST(LinearBvh, OfFewLeaves)
{
  for (int count = 0; count < 70; ++count)
  {
    const std::vector<FloatBox> boxes = randomBoxes(count, 5);
    const Grove grove(boxes);
    TreeCheck(grove.tree.view(), boxes, CurveAxes::Auto);
    std::vector<Index> found;
    const FloatBox everywhere{ { -INFINITY, -INFINITY, -INFINITY },
      { INFINITY, INFINITY, INFINITY } };
    grove.tree.view().forEachOverlap(everywhere, [&](Index place) { found.push_back(place); });
    std::vector<Index> all(count);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(found, all) << count;
  }
}

TEST(LinearBvhThreads, AMillionLeaves)
{
  const std::vector<FloatBox> boxes = randomBoxes(1000003, 100);
  const Grove grove(boxes, CurveAxes::Auto, 2);
  const TreeCheck check(grove.tree.view(), boxes, CurveAxes::Auto);
  EXPECT_LE(check.depth(), 64);
}

TEST(LinearBvh, OfHardScenes)
{
  for (const TreeScene& scene : hardScenes())
  {
    for (const CurveAxes axes : { CurveAxes::Auto, CurveAxes::Two, CurveAxes::Three })
    {
      SCOPED_TRACE(scene.name);
      const std::vector<FloatBox> boxes = boxesOf(scene.spheres);
      const Grove grove(boxes, axes);
      const TreeCheck check(grove.tree.view(), boxes, axes);
      EXPECT_LE(check.depth(), 64);
      if (scene.name == "coincident")
      {
        EXPECT_EQ(check.depth(), 8); // halved by index
      }
      if (scene.name == "cube" || scene.name == "one far outlier")
      {
        EXPECT_EQ(check.isFiner(), scene.name == "one far outlier");
      }
    }
  }
}

// Keys whose highest bits change one after the other, and equal ones at the end of them: as deep as it gets.
TEST(LinearBvh, AsDeepAsCanBeLosesNoLeaf)
{
  std::vector<FloatBox> boxes{ { {}, { 65536, 65536, 0 } } };
  for (int bit = 15; bit >= 0; --bit)
  {
    const float x = static_cast<float>(1 << bit) + 0.5f;
    boxes.push_back({ { x, 0.5f, 0 }, { x, 0.5f, 0 } });
    boxes.push_back({ { 0.5f, x, 0 }, { 0.5f, x, 0 } });
  }
  const FloatBox corner{ { 0.5f, 0.5f, 0 }, { 0.5f, 0.5f, 0 } };
  for (int i = 0; i < 40000; ++i)
    boxes.push_back(corner);
  const Grove grove(boxes);
  const TreeCheck check(grove.tree.view(), boxes, CurveAxes::Auto);
  EXPECT_GE(check.depth(), 32 + 15);
  EXPECT_LE(check.depth(), 64);
  Index found = 0;
  grove.tree.view().forEachOverlap(corner, [&](Index) { ++found; });
  EXPECT_EQ(found, 40001); // and the one around all
  const BvhNearest nearest = grove.tree.view().nearest({ 0, 0, 0 }, 1e9,
    [&](Index place) {
      return squaredDistance(boxes[grove.tree.view().order[place]], Vec3d{ -1, 0, 0 }) + 1;
    });
  EXPECT_EQ(nearest.value, 2);
}

TEST(LinearBvh, RefittedEqualsRebuilt)
{
  const std::vector<FloatBox> boxes = randomBoxes(3000, 20);
  Grove grove(boxes);
  // Boxes that grow around the same middles, in the same scene, keep their keys.
  FloatBox scene = boxes.front();
  for (const FloatBox& box : boxes)
    scene = joined(scene, box);
  std::vector<FloatBox> grown;
  int changed = 0;
  for (const FloatBox& box : boxes)
  {
    const Vec3f by{ 0.125f, 0.0625f, 0.25f };
    const FloatBox larger{ box.lower - by, box.upper + by };
    const bool isWithin = sameBits(joined(larger, scene), scene);
    changed += isWithin ? 1 : 0;
    grown.push_back(isWithin ? larger : box);
  }
  EXPECT_GT(changed, 2000);
  Grove rebuilt(grown);
  ASSERT_TRUE(
    std::equal(grove.tree.view().order, grove.tree.view().order + 3000, rebuilt.tree.view().order));
  grove.boxes.upload(grown);
  grove.tree.refit(grove.executor, grove.boxes);
  expectSameTree(grove.tree.view(), rebuilt.tree.view());
}

TEST(LinearBvh, RefittedToOtherPlacesStillFindsAll)
{
  Grove grove(randomBoxes(500, 10));
  const std::vector<FloatBox> others = boxesOf(hardScenes()[1].spheres);
  const std::vector<FloatBox> boxes(others.begin(), others.begin() + 500);
  grove.boxes.upload(boxes);
  grove.tree.refit(grove.executor, grove.boxes);
  const BvhView tree = grove.tree.view();
  for (const FloatBox& box : boxes)
  {
    std::vector<Index> found, expected;
    tree.forEachOverlap(box, [&](Index place) { found.push_back(tree.order[place]); });
    std::sort(found.begin(), found.end());
    for (Index i = 0; i < 500; ++i)
    {
      if (overlap(box, boxes[i]))
        expected.push_back(i);
    }
    ASSERT_EQ(found, expected);
  }
}

TEST(LinearBvhThreads, DoNotChangeABit)
{
  for (const int count : { 5000, 100003 })
  {
    const std::vector<FloatBox> boxes = randomBoxes(count, 50);
    Grove one(boxes, CurveAxes::Auto, 1);
    for (const int threads : { 2, 3 })
    {
      for (int repeat = 0; repeat < 5; ++repeat)
      {
        Grove more(boxes, CurveAxes::Auto, threads);
        expectSameTree(more.tree.view(), one.tree.view());
        more.tree.refit(more.executor, more.boxes);
        expectSameTree(more.tree.view(), one.tree.view());
      }
    }
  }
}

TEST(LinearBvh, KeepsItsMemoryAndIsReused)
{
  Grove grove(randomBoxes(3000, 20));
  const BvhView first = grove.tree.view();
  const double bytes = grove.tree.bytes();
  for (const int count : { 3000, 10, 2999, 0, 1, 3000 })
  {
    const std::vector<FloatBox> boxes = randomBoxes(count, 15);
    grove.boxes.upload(boxes);
    grove.tree.build(grove.executor, grove.boxes);
    TreeCheck(grove.tree.view(), boxes, CurveAxes::Auto);
    EXPECT_EQ(grove.tree.view().nodes, first.nodes);
    EXPECT_EQ(grove.tree.view().order, first.order);
    EXPECT_EQ(grove.tree.bytes(), bytes);
  }
  const std::vector<FloatBox> more = randomBoxes(20000, 40);
  grove.boxes.upload(more);
  grove.tree.build(grove.executor, grove.boxes);
  TreeCheck(grove.tree.view(), more, CurveAxes::Auto);
}

TEST(LinearBvh, TakesPrimitivesThatWereMovedIntoItsOrder)
{
  std::vector<FloatBox> boxes = randomBoxes(1000, 10);
  Grove grove(boxes);
  const std::vector<BvhNode> nodes(grove.tree.view().nodes, grove.tree.view().nodes + 999);
  std::vector<FloatBox> moved;
  for (const Index primitive : grove.tree.order().download())
    moved.push_back(boxes[primitive]);
  grove.boxes.upload(moved);
  grove.tree.renumber(grove.executor);
  std::vector<Index> places(1000);
  std::iota(places.begin(), places.end(), 0);
  EXPECT_EQ(grove.tree.order().download(), places);
  grove.tree.refit(grove.executor, grove.boxes);
  EXPECT_EQ(std::memcmp(nodes.data(), grove.tree.view().nodes, 999 * sizeof(BvhNode)), 0);
}

TEST(LinearBvh, NamesTheFirstBoxThatIsNone)
{
  const std::vector<FloatBox> good = randomBoxes(5000, 20);
  const float nan = std::nanf("");
  for (const FloatBox& bad : { FloatBox{ { nan, 0, 0 }, { 1, 1, 1 } },
         FloatBox{ { 0, 0, 0 }, { 1, nan, 1 } }, FloatBox{ { 0, 0, -INFINITY }, { 1, 1, 1 } },
         FloatBox{ { 0, 0, 0 }, { INFINITY, 1, 1 } }, FloatBox{ { 0, 2, 0 }, { 1, 1, 1 } } })
  {
    for (const Index number : { 0, 1234, 4999 })
    {
      Grove grove(good);
      std::vector<FloatBox> boxes = good;
      boxes[number] = boxes[4999] = bad;
      grove.boxes.upload(boxes);
      const std::string begin = "box " + std::to_string(number) + " of 5000 ";
      EXPECT_EQ(refusal([&] { grove.tree.refit(grove.executor, grove.boxes); }).find(begin), 0u);
      TreeCheck(grove.tree.view(), good, CurveAxes::Auto); // as it was
      EXPECT_EQ(refusal([&] { grove.tree.build(grove.executor, grove.boxes); }).find(begin), 0u);
      EXPECT_EQ(grove.tree.view().count, 0);
      grove.boxes.upload(good);
      grove.tree.build(grove.executor, grove.boxes);
      TreeCheck(grove.tree.view(), good, CurveAxes::Auto);
    }
  }
}

TEST(LinearBvh, RefusesAnotherNumberOfBoxes)
{
  Grove grove(randomBoxes(10, 5));
  grove.boxes.upload(randomBoxes(11, 5));
  EXPECT_EQ(refusal([&] { grove.tree.refit(grove.executor, grove.boxes); }),
    "a tree of 10 boxes cannot take 11; build it anew");
}
