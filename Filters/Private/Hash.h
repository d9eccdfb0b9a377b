/// @file
/// Tells runs apart: 128 bits over model, parameters and input, at the speed of memory.
///
///   Hasher hasher;
///   hasher.text("Granular Flow");
///   hasher.value(restitution);
///   hasher.array(surface.points);
///   if (hasher.digest() != previous) { /* another run */ }
///
/// Two lanes of multiply, rotate and add as in xxHash (Collet, github.com/Cyan4973/xxHash), each with
/// the finaliser of MurmurHash3 (Appleby). Not cryptographic: input is trusted not to collide on purpose.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace lapilli
{

using Digest = std::array<std::uint64_t, 2>;

class Hasher
{
public:
  void bytes(const void* data, std::size_t count);

  /// Plain numbers and enumerations; a structure could hash its padding.
  template <class T>
  void value(T v)
  {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "hash fields one by one");
    this->bytes(&v, sizeof(T));
  }

  /// The length counts too: ("ab", "c") and ("a", "bc") differ.
  template <class T>
  void array(const std::vector<T>& values)
  {
    static_assert(std::is_arithmetic_v<T>, "hash fields one by one");
    this->value(static_cast<std::uint64_t>(values.size()));
    this->bytes(values.data(), values.size() * sizeof(T));
  }
  void text(const std::string& s)
  {
    this->value(static_cast<std::uint64_t>(s.size()));
    this->bytes(s.data(), s.size());
  }

  Digest digest() const;

private:
  void word(std::uint64_t w);

  std::uint64_t first_ = 0x9e3779b97f4a7c15u;
  std::uint64_t second_ = 0xc2b2ae3d27d4eb4fu;
  std::uint64_t length_ = 0;
};

} // namespace lapilli
