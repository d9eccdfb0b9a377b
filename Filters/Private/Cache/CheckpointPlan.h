/// @file
/// Which frames of a run keep a checkpoint, so that they stay evenly spread over the run however long it is.
///
/// They start at every eighth frame; whenever they outgrow their share of the room, every second one goes
/// and the stride doubles. Frame 0 and the frontier (the farthest state reached, kept when the run
/// turns back) outlive the others as long as they fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace lapilli
{

class CheckpointPlan
{
public:
  using Indices = std::vector<std::int64_t>;

  bool holds(std::int64_t index) const { return sizes_.count(index) > 0; }

  /// Whether a checkpoint at this frame would be kept for its place in the run.
  bool wants(std::int64_t index) const { return index % stride_ == 0 && !this->holds(index); }
  /// Whether it would be the frontier: unless the run has been farther.
  bool wantsFrontier(std::int64_t index) const
  {
    return index >= frontier_ || !this->holds(frontier_);
  }

  /// Takes a checkpoint in. @return what goes for it, which may be itself
  Indices add(std::int64_t index, std::size_t bytes, std::size_t share);
  Indices addFrontier(std::int64_t index, std::size_t bytes, std::size_t share);
  /// What goes if all may take no more than this share.
  Indices thin(std::size_t share);
  void erase(std::int64_t index);

  /// Takes in what an earlier process has left, and finds its stride again.
  void adopt(const std::map<std::int64_t, std::size_t>& sizes);

  /// The last one at or before the frame; -1: there is none.
  std::int64_t atOrBefore(std::int64_t index) const;

  std::size_t count() const { return sizes_.size(); }
  std::size_t bytes() const { return bytes_; }

private:
  static constexpr std::int64_t firstStride = 8;

  std::map<std::int64_t, std::size_t> sizes_; ///< [bytes], by frame
  std::size_t bytes_ = 0;
  std::int64_t stride_ = firstStride;
  std::int64_t frontier_ = -1;
};

} // namespace lapilli
