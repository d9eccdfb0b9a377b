#include "CheckpointPlan.h"

#include <algorithm>
#include <iterator>

namespace lapilli
{

CheckpointPlan::Indices CheckpointPlan::add(
  std::int64_t index, std::size_t bytes, std::size_t share)
{
  if (sizes_.emplace(index, bytes).second)
  {
    bytes_ += bytes;
  }
  return this->thin(share);
}

CheckpointPlan::Indices CheckpointPlan::addFrontier(
  std::int64_t index, std::size_t bytes, std::size_t share)
{
  Indices gone;
  const std::int64_t before = frontier_;
  frontier_ = index;
  if (before >= 0 && before != index && before % stride_ != 0 && this->holds(before))
  {
    this->erase(before);
    gone.push_back(before);
  }
  const Indices thinned = this->add(index, bytes, share);
  gone.insert(gone.end(), thinned.begin(), thinned.end());
  return gone;
}

CheckpointPlan::Indices CheckpointPlan::thin(std::size_t share)
{
  Indices gone;
  // First by place, then frontier and start.
  while (bytes_ > share && sizes_.size() > 2)
  {
    stride_ *= 2;
    for (auto next = sizes_.begin(); next != sizes_.end();)
    {
      const std::int64_t index = (next++)->first;
      if (index % stride_ != 0 && index != frontier_)
      {
        this->erase(index);
        gone.push_back(index);
      }
    }
  }
  while (bytes_ > share && !sizes_.empty())
  {
    gone.push_back(sizes_.begin()->first);
    this->erase(gone.back());
  }
  return gone;
}

void CheckpointPlan::erase(std::int64_t index)
{
  const auto found = sizes_.find(index);
  if (found != sizes_.end())
  {
    bytes_ -= found->second;
    sizes_.erase(found);
  }
}

void CheckpointPlan::adopt(const std::map<std::int64_t, std::size_t>& sizes)
{
  sizes_ = sizes;
  bytes_ = 0;
  for (const auto& [index, bytes] : sizes_)
  {
    bytes_ += bytes;
  }
  frontier_ = sizes_.empty() ? -1 : sizes_.rbegin()->first;
  const auto fits = [this](std::int64_t stride)
  {
    return std::all_of(sizes_.begin(), sizes_.end(),
      [&](const auto& entry) { return entry.first % stride == 0 || entry.first == frontier_; });
  };
  stride_ = firstStride;
  while (sizes_.size() > 2 && fits(2 * stride_))
  {
    stride_ *= 2;
  }
}

std::int64_t CheckpointPlan::atOrBefore(std::int64_t index) const
{
  const auto next = sizes_.upper_bound(index);
  return next == sizes_.begin() ? -1 : std::prev(next)->first;
}

} // namespace lapilli
