/// @file
/// Bytes as a series of choices, from which a target builds its input; zeros where they end.
#pragma once

#include "Target.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <random>
#include <vector>

namespace lapilli
{
namespace fuzz
{

/// Random bytes to begin with, where bytes mean choices and none are better than others.
/// @param most values of the bytes; below 160 numbers make sense
inline std::vector<Bytes> randomSeeds(
  std::size_t count, std::size_t size, unsigned most, unsigned seed)
{
  std::mt19937 random(seed);
  std::vector<Bytes> seeds(count, Bytes(size));
  for (Bytes& bytes : seeds)
  {
    for (std::uint8_t& byte : bytes)
    {
      byte = static_cast<std::uint8_t>(random() % most);
    }
  }
  return seeds;
}

class Choices
{
public:
  Choices(const std::uint8_t* data, std::size_t size)
    : next_(data)
    , left_(size)
  {
  }

  bool isEmpty() const { return left_ == 0; }
  std::uint8_t byte() { return left_ == 0 ? 0 : (--left_, *next_++); }
  bool flag() { return (this->byte() & 1) != 0; }
  /// One time in `often`, and not at all where the bytes have ended.
  bool rarely(unsigned often) { return this->byte() % often == often - 1; }
  /// 0 … most
  int upTo(int most) { return this->byte() % (most + 1); }

  template <class T>
  T among(std::initializer_list<T> all)
  {
    return *(all.begin() + this->byte() % all.size());
  }

  /// Mostly a number that makes sense, at times one that does not.
  double number()
  {
    const std::uint8_t kind = this->byte();
    if (kind < 160)
      return 0.125 * kind;
    if (kind < 200)
      return 0.25 * this->byte() - 32;
    if (kind < 216)
      return std::ldexp(1 + this->byte() / 256.0, this->byte() - 128);
    if (kind < 224)
    {
      double any = 0;
      auto* bytes = reinterpret_cast<std::uint8_t*>(&any);
      for (std::size_t k = 0; k < sizeof(any); ++k)
        bytes[k] = this->byte();
      return any;
    }
    using Limits = std::numeric_limits<double>;
    constexpr double special[] = { -0.0, -1, Limits::quiet_NaN(), Limits::infinity(),
      -Limits::infinity(), Limits::max(), Limits::lowest(), Limits::denorm_min(), Limits::epsilon(),
      2147483647, 2147483648, -2147483649.0, 9.3e18, 1e20, 1e5, 1e-5 };
    return special[kind % 16];
  }

private:
  const std::uint8_t* next_;
  std::size_t left_;
};

} // namespace fuzz
} // namespace lapilli
