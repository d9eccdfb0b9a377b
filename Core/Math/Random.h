/// @file
/// Random numbers that are the same on every platform, compiler and library.
///
/// The distributions of the C++ standard library are not: each library draws them in its own way,
/// and logarithms differ in their last bit. What stands here uses integers and the operations
/// that IEEE 754 rounds exactly (+ - * / sqrt) alone.
///
///   RandomStream random(seed, RandomStream::Positions);
///   const double x = random.uniform(-1, 1);
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace lapilli
{

/// Natural logarithm of a positive, normal number, to a few units in the last place.
inline double portableLog(double x)
{
  int exponent = 0;
  double m = std::frexp(x, &exponent); // exact; m in [1/2, 1)
  if (m < 0.70710678118654752)
  {
    m *= 2;
    --exponent;
  }
  // ln m = 2 artanh((m - 1) / (m + 1)), |s| < 0.172: 12 terms reach 1e-18.
  const double s = (m - 1) / (m + 1);
  const double q = s * s;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2)
  {
    sum = sum * q + 1.0 / k;
  }
  return 2 * s * sum + exponent * 0.69314718055994531;
}

/// Exponential function for |x| < 700, to a few units in the last place.
inline double portableExp(double x)
{
  const double n = std::floor(x / 0.69314718055994531 + 0.5);
  // ln 2 in two parts (Cody & Waite): the first has trailing zeros, so n times it is exact.
  const double r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
  double sum = 1;
  for (int k = 16; k >= 1; --k)
  {
    sum = 1 + r / k * sum;
  }
  return std::ldexp(sum, static_cast<int>(n));
}

/// A sequence of random numbers: splitmix64.
/// Steele, Lea, Flood, OOPSLA 2014, doi:10.1145/2660193.2660195. Period 2^64.
class RandomStream
{
public:
  /// What a sequence is for: each purpose has its own, so that a change of one property
  /// (a velocity) leaves what another decides (positions) as it was.
  enum Purpose : std::uint64_t
  {
    Radii = 1,
    Positions = 2,
    Velocities = 3,
    EmittedRadii = 4,
    EmittedPlaces = 5,
    Orientations = 6
  };

  RandomStream(std::uint64_t seed, Purpose purpose)
    : state_(mix(mix(seed + 0x9e3779b97f4a7c15u) + purpose * 0xd1342543de82ef95u))
  {
  }

  /// One of many sequences, each told by a few numbers: drawn from at random, without those before it.
  RandomStream(std::uint64_t seed, Purpose purpose, std::initializer_list<std::uint64_t> which)
    : RandomStream(seed, purpose)
  {
    for (const std::uint64_t number : which)
      state_ = mix(state_ + number * 0x9e3779b97f4a7c15u + 0xd1342543de82ef95u);
  }

  std::uint64_t bits()
  {
    state_ += 0x9e3779b97f4a7c15u;
    return mix(state_);
  }

  /// In [0, 1), all multiples of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  /// In [from, to].
  double uniform(double from, double to) { return from + (to - from) * uniform(); }

  /// In 0 … count - 1; the bias is below count / 2^53.
  std::uint64_t below(std::uint64_t count)
  {
    return static_cast<std::uint64_t>(uniform() * static_cast<double>(count));
  }

  /// Mean 0, standard deviation 1: the polar method of Marsaglia & Bray, SIAM Review 6 (1964)
  /// 260-264.
  double normal()
  {
    if (hasSpare_)
    {
      hasSpare_ = false;
      return spare_;
    }
    double u, v, s;
    do
    {
      u = uniform(-1, 1);
      v = uniform(-1, 1);
      s = u * u + v * v;
    } while (s >= 1 || s < 1e-300);
    const double factor = std::sqrt(-2 * portableLog(s) / s);
    spare_ = v * factor;
    hasSpare_ = true;
    return u * factor;
  }

private:
  static std::uint64_t mix(std::uint64_t z)
  {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
  double spare_ = 0;
  bool hasSpare_ = false;
};

} // namespace lapilli
