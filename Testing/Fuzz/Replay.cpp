// Runs a fuzz target without a fuzzer: REPLAY [--runs N] [--seed N] [--write-seeds FOLDER] [FILE...]
//
// Files are run as they are. Without any, the target's own seeds are, and then mutations of them: the same for
// every seed of the random numbers, so that a failure can be repeated.
#include "Target.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

using lapilli::fuzz::Bytes;

/// Of the sanitizers, where they are.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace
{

Bytes last; ///< what is being run

/// Leaves the bytes that broke the target, to be run again.
void leaveBytes()
{
  std::ofstream("fuzz-failure", std::ios::binary)
    .write(reinterpret_cast<const char*>(last.data()), static_cast<std::streamsize>(last.size()));
  std::fprintf(stderr, "the bytes are in fuzz-failure\n");
}

[[noreturn]] void fail()
{
  try
  {
    if (const std::exception_ptr thrown = std::current_exception())
      std::rethrow_exception(thrown);
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "broken: %s\n", error.what());
  }
  leaveBytes();
  std::_Exit(1);
}

void run(Bytes bytes)
{
  last = std::move(bytes);
  LLVMFuzzerTestOneInput(last.data(), last.size());
}

/// A few of the changes that files suffer: bits, numbers, lengths, cuts, pieces moved.
Bytes mutated(Bytes bytes, std::mt19937_64& random)
{
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (std::size_t changes = 1 + below(4); changes > 0 && !bytes.empty(); --changes)
  {
    const std::size_t at = below(bytes.size());
    const std::size_t left = bytes.size() - at;
    static constexpr std::uint64_t numbers[] = { 0, 1, 255, 0x7fffffff, 0xffffffff, ~0ull >> 1,
      ~0ull, 1ull << 32, 1ull << 40, 0x7ff8000000000000ull, 0x7ff0000000000000ull };
    switch (below(6))
    {
      case 0:
        bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ (1u << below(8)));
        break;
      case 1:
        bytes[at] = static_cast<std::uint8_t>(random());
        break;
      case 2:
      {
        const std::uint64_t number = numbers[below(std::size(numbers))];
        std::memcpy(bytes.data() + at, &number, std::min<std::size_t>(left, 8));
        break;
      }
      case 3:
        bytes.resize(at);
        break;
      case 4:
        bytes.erase(bytes.begin() + static_cast<std::ptrdiff_t>(at),
          bytes.begin() +
            static_cast<std::ptrdiff_t>(at + std::min<std::size_t>(left, 1 + below(16))));
        break;
      default:
      {
        const std::size_t from = below(bytes.size());
        std::memmove(bytes.data() + at, bytes.data() + from,
          std::min({ left, bytes.size() - from, 1 + below(32) }));
      }
    }
  }
  return bytes;
}

Bytes read(const char* name)
{
  std::ifstream file(name, std::ios::binary);
  if (!file)
  {
    std::fprintf(stderr, "cannot read '%s'\n", name);
    std::exit(2);
  }
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

} // namespace

int main(int count, char** arguments)
{
  long runs = 2000;
  std::uint64_t seed = 1;
  const char* folder = nullptr;
  std::vector<Bytes> given;
  for (int k = 1; k < count; ++k)
  {
    const std::string name = arguments[k];
    if (name == "--runs" && k + 1 < count)
      runs = std::atol(arguments[++k]);
    else if (name == "--seed" && k + 1 < count)
      seed = std::strtoull(arguments[++k], nullptr, 10);
    else if (name == "--write-seeds" && k + 1 < count)
      folder = arguments[++k];
    else
      given.push_back(read(arguments[k]));
  }

  std::set_terminate(fail);
  std::signal(SIGABRT, [](int) { fail(); });
  std::signal(SIGSEGV, [](int) { fail(); });
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback(leaveBytes);
  const std::vector<Bytes> seeds = given.empty() ? lapilli::fuzz::seeds() : given;
  if (folder)
  {
    for (std::size_t k = 0; k < seeds.size(); ++k)
      std::ofstream(std::string(folder) + "/seed-" + std::to_string(k), std::ios::binary)
        .write(reinterpret_cast<const char*>(seeds[k].data()),
          static_cast<std::streamsize>(seeds[k].size()));
    return 0;
  }
  for (const Bytes& bytes : seeds)
    run(bytes);
  if (!given.empty())
    runs = 0;
  std::mt19937_64 random(seed);
  for (long k = 0; k < runs; ++k)
    run(mutated(seeds[static_cast<std::size_t>(random() % seeds.size())], random));
  std::printf("%zu inputs and %ld mutations of them\n", seeds.size(), runs);
  return 0;
}
