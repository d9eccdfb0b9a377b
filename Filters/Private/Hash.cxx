#include "Hash.h"

#include <cstring>

namespace lapilli
{
namespace
{

std::uint64_t rotate(std::uint64_t v, int bits)
{
  return (v << bits) | (v >> (64 - bits));
}

/// Every bit of the result depends on every bit of v.
std::uint64_t avalanche(std::uint64_t v)
{
  v ^= v >> 33;
  v *= 0xff51afd7ed558ccdu;
  v ^= v >> 33;
  v *= 0xc4ceb9fe1a85ec53u;
  v ^= v >> 33;
  return v;
}

} // namespace

void Hasher::word(std::uint64_t w)
{
  first_ = rotate(first_ + w * 0xc2b2ae3d27d4eb4fu, 31) * 0x9e3779b185ebca87u;
  second_ = rotate(second_ ^ (w * 0x165667b19e3779f9u), 29) * 0x85ebca77c2b2ae63u + first_;
}

void Hasher::bytes(const void* data, std::size_t count)
{
  const auto* at = static_cast<const unsigned char*>(data);
  length_ += count;
  for (; count >= sizeof(std::uint64_t); count -= sizeof(std::uint64_t))
  {
    std::uint64_t w;
    std::memcpy(&w, at, sizeof(w));
    this->word(w);
    at += sizeof(w);
  }
  if (count > 0)
  {
    std::uint64_t w = 0;
    std::memcpy(&w, at, count);
    this->word(w ^ (static_cast<std::uint64_t>(count) << 56));
  }
}

Digest Hasher::digest() const
{
  const std::uint64_t first = avalanche(first_ ^ length_);
  return { first, avalanche(second_ + first) };
}

} // namespace lapilli
