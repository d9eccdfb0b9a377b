/// @file
/// Launches that are made again and again, and when a recording of them may stand for them.
///
///   struct Key { const void* memory; Index count; std::int64_t allocations; bool operator==(const Key&) const; };
///   Repeated<Key> batch;
///   batch.run(key, [&] { executor.forEach(…); … });
#pragma once

#include "Parallel/LaunchGraph.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// How a sequence of launches was enqueued.
enum class Enqueued
{
  Plainly,
  Recorded, ///< newly, and launched
  Again     ///< launched without a look at the sequence
};

/// @tparam Key   all that the launches depend on: kernels' arguments, counts, which memory
/// @tparam Graph LaunchGraph, or a test's
template <class Key, class Graph = LaunchGraph>
class Repeated
{
public:
  /// Enqueues launches. The first time with a key plainly: many never come again, and whatever memory they take is there
  /// for the second time, when they are recorded.
  /// @param enqueue makes the launches; it may be called twice, if it cannot be recorded
  template <class Enqueue>
  Enqueued run(const Key& key, const Enqueue& enqueue)
  {
    const bool isSame = isKnown_ && key == key_;
    if (isSame && isRecorded_)
    {
      graph_.launch();
      return Enqueued::Again;
    }
    key_ = key;
    isKnown_ = true;
    isRecorded_ = isSame && isPossible_ && graph_.record(enqueue);
    if (isRecorded_)
    {
      graph_.launch();
      return Enqueued::Recorded;
    }
    isPossible_ = isPossible_ && !isSame;
    enqueue();
    return Enqueued::Plainly;
  }

private:
  Graph graph_;
  Key key_{};
  bool isKnown_ = false;    ///< whether there is a key
  bool isRecorded_ = false; ///< whether the graph is for it
  bool isPossible_ = true;  ///< false after a recording that failed
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
