/// @file
/// A fuzz target: bytes in, and nothing but an InvalidInput may come of them.
///
/// Each target is one source with the two functions below. It is linked twice: with libFuzzer, which looks for bytes
/// that do harm (Testing/fuzz.sh), and with Replay.cpp, which feeds it seeds and simple mutations of them, so that
/// every build and every compiler runs it for a few seconds.
///
/// Checksums do not stand between the bytes and the reader: a target adds those that fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace lapilli
{
namespace fuzz
{

using Bytes = std::vector<std::uint8_t>;

/// Inputs of every kind that the target knows, to begin with.
std::vector<Bytes> seeds();

/// A promise to the callers of what is being read.
inline void require(bool holds, const char* promise)
{
  if (!holds)
  {
    std::fprintf(stderr, "broken: %s\n", promise);
    std::abort();
  }
}

} // namespace fuzz
} // namespace lapilli
