// libFuzzer inserts and erases bytes, which displaces all that follows in formats made of lengths and values. Every
// other mutation is of a few bytes where they stand.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t capacity);

extern "C" std::size_t LLVMFuzzerCustomMutator(
  std::uint8_t* data, std::size_t size, std::size_t capacity, unsigned seed)
{
  std::minstd_rand random(seed);
  constexpr std::size_t widths[] = { 1, 2, 4, 8, 24 };
  const std::size_t width = std::min(size, widths[random() % 5]);
  if (width == 0 || random() % 2 == 0)
    return LLVMFuzzerMutate(data, size, capacity);
  for (std::size_t changes = 1 + random() % 3; changes > 0; --changes)
    LLVMFuzzerMutate(data + random() % (size - width + 1), width, width);
  return size;
}
