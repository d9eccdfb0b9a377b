#include "Spatial/LinearBvh.h"

#include "Parallel/Atomic.h"
#include "Parallel/CacheHints.h"

#include <limits>
#include <sstream>
#include <string>

namespace lapilli
{
namespace LAPILLI_BACKEND
{
namespace
{

/// What one look at boxes tells: the box around all, and which is unsound first.
struct BoxSurvey
{
  static constexpr float kFar = std::numeric_limits<float>::infinity();
  static constexpr Index kNone = std::numeric_limits<Index>::max();

  FloatBox scene{ { kFar, kFar, kFar }, { -kFar, -kFar, -kFar } };
  Index unsound = kNone;

  HOST_DEVICE BoxSurvey& operator+=(const BoxSurvey& b)
  {
    scene = joined(scene, b.scene);
    unsound = unsound < b.unsound ? unsound : b.unsound;
    return *this;
  }
};

/// Reads boxes.
struct SurveyBoxes
{
  const FloatBox* boxes;
  HOST_DEVICE BoxSurvey operator()(Index i) const
  {
    BoxSurvey survey;
    survey.scene = boxes[i];
    survey.unsound = isSound(boxes[i]) ? survey.unsound : i;
    return survey;
  }
};

/// Reads boxes; writes keys, order.
struct MakeKeys
{
  const FloatBox* boxes;
  MortonCells cells;
  std::uint32_t* keys;
  Index* order;
  HOST_DEVICE void operator()(Index first, Index end) const
  {
    // Numbers in rows of their own, so that the host's compiler makes vectors of the arithmetic.
    float x[kRange], y[kRange], z[kRange];
    for (Index i = first; i < end; ++i)
    {
      const Vec3f place = cells.cellsTo(middleOf(boxes[i]));
      x[i - first] = place.x;
      y[i - first] = place.y;
      z[i - first] = place.z;
    }
    const float* const a = cells.left == 0 ? y : x;
    const float* const b = cells.left == 2 ? y : z;
    if (cells.left == MortonCells::kNone)
      for (Index i = first; i < end; ++i)
        keys[i] = MortonCells::keyOfThree(x[i - first], y[i - first], z[i - first]);
    else
      for (Index i = first; i < end; ++i)
        keys[i] = MortonCells::keyOfTwo(a[i - first], b[i - first]);
    for (Index i = first; i < end; ++i)
      order[i] = i;
  }
};

/// Reads sorted keys.
/// @return how many of some neighbours are equal
struct CountEqualKeys
{
  const std::uint32_t* keys;
  HOST_DEVICE Index operator()(Index i) const { return keys[i] == keys[i + 1] ? 1 : 0; }
};

/// Reads boxes; writes keys within cells, order.
struct MakeFineKeys
{
  const FloatBox* boxes;
  MortonCells cells;
  std::uint32_t* keys;
  Index* order;
  HOST_DEVICE void operator()(Index i) const
  {
    keys[i] = cells.fineKey(middleOf(boxes[i]));
    order[i] = i;
  }
};

/// Reads boxes, order; writes keys in that order.
struct MakeKeysInOrder
{
  const FloatBox* boxes;
  MortonCells cells;
  const Index* order;
  std::uint32_t* keys;
  HOST_DEVICE void operator()(Index place) const
  {
    keys[place] = cells.key(middleOf(boxes[order[place]]));
  }
};

struct LetNobodyWait
{
  BvhNode* nodes;
  HOST_DEVICE void operator()(Index i) const { nodes[i].waiting = BvhNode::kNobody; }
};

struct Number
{
  Index* order;
  HOST_DEVICE void operator()(Index i) const { order[i] = i; }
};

/// So many leaves ahead a box is asked for, whose place in memory nobody can guess.
constexpr Index kAhead = 16;

/// A finished part of the tree.
struct Subtree
{
  FloatBox box;
  Index link; ///< as in BvhNode
  Index first, last;
};

/// Finished left halves whose right halves are still to come, in a row of leaves that one thread goes along. Each
/// belongs to another node above the next leaf, of which there are not more than 64: see BvhView.
struct LeftHalves
{
  Subtree halves[kRange > 1 ? 64 : 1];
  int size = 0;

  HOST_DEVICE void push(const Subtree& half) { halves[size++] = half; }
  HOST_DEVICE const Subtree& pop() { return halves[--size]; }
};

/// Reads boxes, order, keys; writes nodes, root.
///
/// A subtree of the leaves first … last hangs below node first - 1 as its right half or node last as its left one: where the
/// keys on both sides of the gap between two leaves agree in more bits. Halves that one range of leaves holds
/// are joined at once; others meet at their node, by an exchange that orders what was written before it.
struct JoinSubtrees
{
  const FloatBox* boxes;
  const Index* order;
  const std::uint32_t* keys;
  Index count;
  BvhNode* nodes;
  Index* root;

  HOST_DEVICE void operator()(Index first, Index end) const
  {
    LeftHalves ours;
    for (Index place = first; place < end; ++place)
    {
      if (place + kAhead < count)
        prefetch(boxes[order[place + kAhead]]);
      climb({ boxes[order[place]], ~place, place, place }, ours, end);
    }
    while (ours.size > 0)
    {
      Subtree subtree = ours.pop();
      if (meet(subtree, true))
        climb(subtree, ours, first);
    }
  }

private:
  /// Joins a subtree with its other half as long as that is finished.
  /// @param end a left half whose right one begins before this leaf waits in ours
  HOST_DEVICE void climb(Subtree subtree, LeftHalves& ours, Index end) const
  {
    while (subtree.first > 0 || subtree.last < count - 1)
    {
      const bool isLeft = hangsLeft(subtree);
      if (isLeft && subtree.last + 1 < end)
      {
        ours.push(subtree);
        return;
      }
      if (!isLeft && ours.size > 0)
        subtree = join(ours.pop(), subtree);
      else if (!meet(subtree, isLeft))
        return;
    }
    *root = subtree.link;
  }

  HOST_DEVICE bool hangsLeft(const Subtree& subtree) const
  {
    return subtree.first == 0 ||
           (subtree.last < count - 1 && difference(subtree.last) < difference(subtree.first - 1));
  }

  /// How much the keys of leaves i and i + 1 differ: their indices stand behind them as lower digits. Of two
  /// gaps beside a subtree never both have the same highest bit.
  HOST_DEVICE std::uint64_t difference(Index i) const
  {
    return static_cast<std::uint64_t>(keys[i] ^ keys[i + 1]) << 32 |
           static_cast<std::uint32_t>(i ^ (i + 1));
  }

  HOST_DEVICE Subtree join(const Subtree& left, const Subtree& right) const
  {
    const Index number = left.last;
    nodes[number] = { left.box, right.box, left.link, right.link, right.last, BvhNode::kNobody };
    return { joined(left.box, right.box), number, left.first, right.last };
  }

  /// Puts a half into its node. If the other half is there the subtree becomes that of the node.
  HOST_DEVICE bool meet(Subtree& half, bool isLeft) const
  {
    const Index number = isLeft ? half.last : half.first - 1;
    BvhNode& node = nodes[number];
    (isLeft ? node.leftBox : node.rightBox) = half.box;
    (isLeft ? node.left : node.right) = half.link;
    const Index other = exchangeInOrder(&node.waiting, isLeft ? half.first : half.last);
    if (other == BvhNode::kNobody)
      return false;
    node.waiting = BvhNode::kNobody;
    (isLeft ? half.last : half.first) = other;
    node.last = half.last;
    half.link = number;
    half.box = joined(node.leftBox, node.rightBox);
    return true;
  }
};

/// The tree of one leaf.
struct PutLeaf
{
  const FloatBox* boxes;
  BvhNode* nodes;
  Index* root;
  HOST_DEVICE void operator()(Index) const
  {
    nodes[0] = { boxes[0], boxes[0], ~Index(0), ~Index(0), 0, BvhNode::kNobody };
    *root = 0;
  }
};

[[noreturn]] void throwUnsound(Index number, Index count, const FloatBox& box)
{
  std::ostringstream text;
  text << "box " << number << " of " << count << " (numbered from 0) reaches from (" << box.lower.x
       << ", " << box.lower.y << ", " << box.lower.z << ") to (" << box.upper.x << ", "
       << box.upper.y << ", " << box.upper.z
       << "); coordinates must be finite, below 3.4e38 m, and lower ones not above upper ones";
  throw InvalidInput(text.str());
}

} // namespace

void LinearBvh::build(const Executor& executor, const Buffer<FloatBox>& boxes, CurveAxes axes)
{
  count_ = 0;
  const FloatBox scene = surveyed(executor, boxes);
  const Index count = static_cast<Index>(boxes.size());
  keys_.resizeDiscarding(count);
  order_.resizeDiscarding(count);
  nodes_.resizeDiscarding(count);
  root_.resizeDiscarding(1);
  const MortonCells cells(scene, axes);
  executor.forEachRange(
    "bvh.makeKeys", count, MakeKeys{ boxes.data(), cells, keys_.data(), order_.data() });
  executor.sortByKey("bvh.sort", keys_, order_);
  const auto equal = executor.sum<Index>(
    "bvh.countEqualKeys", count > 0 ? count - 1 : 0, CountEqualKeys{ keys_.data() });
  if (equal > kEqualKeys * count)
    sortFiner(executor, boxes, cells);
  if (count > atRest_)
  {
    executor.forEach("bvh.letNobodyWait", count, LetNobodyWait{ nodes_.data() });
    atRest_ = count;
  }
  count_ = count;
  join(executor, boxes);
}

/// A stable sort by the finer keys and then by the others.
void LinearBvh::sortFiner(
  const Executor& executor, const Buffer<FloatBox>& boxes, const MortonCells& cells)
{
  const auto count = static_cast<Index>(boxes.size());
  executor.forEach(
    "bvh.makeFineKeys", count, MakeFineKeys{ boxes.data(), cells, keys_.data(), order_.data() });
  executor.sortByKey("bvh.sortByFineKeys", keys_, order_);
  executor.forEach("bvh.makeKeysInOrder", count,
    MakeKeysInOrder{ boxes.data(), cells, order_.data(), keys_.data() });
  executor.sortByKey("bvh.sortAgain", keys_, order_);
}

void LinearBvh::refit(const Executor& executor, const Buffer<FloatBox>& boxes)
{
  if (static_cast<Index>(boxes.size()) != count_)
    throw InvalidInput("a tree of " + std::to_string(count_) + " boxes cannot take " +
                       std::to_string(boxes.size()) + "; build it anew");
  surveyed(executor, boxes);
  join(executor, boxes);
}

void LinearBvh::renumber(const Executor& executor)
{
  executor.forEach("bvh.renumber", count_, Number{ order_.data() });
}

FloatBox LinearBvh::surveyed(const Executor& executor, const Buffer<FloatBox>& boxes)
{
  const Index count = static_cast<Index>(boxes.size());
  const BoxSurvey survey =
    executor.merged<BoxSurvey>("bvh.surveyBoxes", count, SurveyBoxes{ boxes.data() });
  if (survey.unsound != BoxSurvey::kNone)
    throwUnsound(survey.unsound, count, boxes.download(survey.unsound, 1).front());
  return survey.scene;
}

void LinearBvh::join(const Executor& executor, const Buffer<FloatBox>& boxes)
{
  if (count_ == 1)
    executor.forEach("bvh.putLeaf", 1, PutLeaf{ boxes.data(), nodes_.data(), root_.data() });
  else
    executor.forEachRange("bvh.join", count_,
      JoinSubtrees{
        boxes.data(), order_.data(), keys_.data(), count_, nodes_.data(), root_.data() });
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
