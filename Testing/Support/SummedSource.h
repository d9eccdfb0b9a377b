/// @file
/// Bytes of a checkpoint without their checksum, which is added as they are read: what is wrong in them is then for
/// the engine's rooms to find.
#pragma once

#include "Checkpoint.h"
#include "Error.h"

#include <cstring>
#include <utility>
#include <vector>

namespace lapilli
{
namespace test
{

class SummedSource : public ByteSource
{
public:
  explicit SummedSource(std::vector<std::uint8_t> bytes)
    : bytes_(std::move(bytes))
  {
  }
  void read(void* target, std::size_t count) override
  {
    const std::size_t left = bytes_.size() - position_;
    const std::uint64_t sum = sum_.value();
    if (left == 0 && count == sizeof(sum))
    {
      std::memcpy(target, &sum, sizeof(sum));
      return;
    }
    if (count > left)
      throw InvalidInput("the bytes end");
    if (count > 0)
      std::memcpy(target, bytes_.data() + position_, count);
    sum_.add(target, count);
    position_ += count;
  }

private:
  std::vector<std::uint8_t> bytes_;
  std::size_t position_ = 0;
  Checksum sum_;
};

} // namespace test
} // namespace lapilli
