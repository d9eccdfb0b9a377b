#include "Parallel/RadixSort.h"

#include "LargePages.h"

#include <omp.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstring>
#include <new>

namespace lapilli
{
namespace
{

constexpr int kDigitBits = 11;
constexpr std::size_t kBuckets = std::size_t(1) << kDigitBits;
/// So many pairs are sorted by one thread in its cache: 256 KiB, and as many to move them to.
constexpr std::size_t kLocal = 32768;
/// What buckets shall hold when pairs are dealt.
constexpr std::size_t kBucketSize = 8192;
constexpr std::size_t kSmallest = 48; ///< fewer are sorted by insertion
/// Pairs of a bucket that are written at once: two lines, as the processor fetches them.
constexpr std::size_t kBatch = 16;

/// A key above its value in one word: one line of a bucket is open, not two.
using Pair = std::uint64_t;

std::uint32_t keyOf(Pair pair)
{
  return static_cast<std::uint32_t>(pair >> 32);
}

/// Keys and values as they come and go.
struct Columns
{
  std::uint32_t* keys;
  std::int32_t* values;

  Columns from(std::size_t first) const { return { keys + first, values + first }; }
  std::uint32_t key(std::size_t i) const { return keys[i]; }
  Pair get(std::size_t i) const
  {
    return Pair(keys[i]) << 32 | static_cast<std::uint32_t>(values[i]);
  }
  void put(std::size_t i, Pair pair) const
  {
    keys[i] = keyOf(pair);
    values[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(pair));
  }
};

struct Pairs
{
  Pair* pairs;

  Pairs from(std::size_t first) const { return { pairs + first }; }
  std::uint32_t key(std::size_t i) const { return keyOf(pairs[i]); }
  Pair get(std::size_t i) const { return pairs[i]; }
  void put(std::size_t i, Pair pair) const { pairs[i] = pair; }
};

struct Digit
{
  int shift;
  int bits; ///< 1 to kDigitBits

  std::size_t buckets() const { return std::size_t(1) << bits; }
  std::uint32_t operator()(std::uint32_t key) const
  {
    return key >> shift & ((std::uint32_t(1) << bits) - 1);
  }
};

/// Where keys differ: from bit `lowest` on `width` bits.
struct Varying
{
  explicit Varying(std::uint32_t bits)
    : lowest(bits ? __builtin_ctz(bits) : 0)
    , width(bits ? 32 - __builtin_clz(bits) - lowest : 0)
  {
  }
  int lowest, width;
};

/// What one thread has for itself.
struct Bench
{
  alignas(64) Pair scratch[kLocal];
  alignas(64) Pair open[kBuckets][kBatch]; ///< the ends of the buckets
  std::uint32_t next[kBuckets];            ///< where a bucket goes on
  std::uint32_t closed[kBuckets];          ///< up to where a bucket's pairs are written
  std::uint32_t sizes[kBuckets];           ///< of the part of this thread; the others read them
  std::uint32_t differing;                 ///< bits, in the part of this thread
};

/// Writes a batch past the caches: it is read again only when they have been filled by others.
void writeBatch(Pair* target, const Pair* batch)
{
#if defined(__SSE2__)
  for (std::size_t i = 0; i < kBatch; i += 2)
    _mm_stream_si128(reinterpret_cast<__m128i*>(target + i),
      _mm_load_si128(reinterpret_cast<const __m128i*>(batch + i)));
#else
  std::memcpy(target, batch, kBatch * sizeof(Pair));
#endif
}

void endBatches()
{
#if defined(__SSE2__)
  _mm_sfence(); // the others may read after the next barrier
#endif
}

/// Sorts what fits into one thread's cache, from the lowest digit on.
class LocalSort
{
public:
  explicit LocalSort(Bench& bench)
    : bench_(bench)
  {
  }

  /// @param source is overwritten unless it is the target
  template <class Source>
  void sort(const Source& source, const Columns& target, std::size_t count) const
  {
    if (count <= kSmallest)
    {
      insert(source, target, count);
      return;
    }
    std::uint32_t differing = 0;
    for (std::size_t i = 1; i < count; ++i)
      differing |= source.key(i) ^ source.key(0);
    const Varying varying(differing);
    // Few pairs are not worth many buckets.
    const int widest = count < kBuckets ? 8 : kDigitBits;
    const int passes = varying.width > 0 ? (varying.width + widest - 1) / widest : 1;
    const int bits = std::max(1, (varying.width + passes - 1) / passes);
    const auto digit = [&](int pass) { return Digit{ varying.lowest + pass * bits, bits }; };
    const Pairs scratch{ bench_.scratch };
    switch (passes)
    {
      case 1:
        move(source, scratch, count, digit(0));
        copy(scratch, target, count);
        break;
      case 2:
        move(source, scratch, count, digit(0));
        move(scratch, target, count, digit(1));
        break;
      case 3:
        move(source, scratch, count, digit(0));
        move(scratch, source, count, digit(1));
        move(source, scratch, count, digit(2));
        copy(scratch, target, count);
        break;
      default: // four digits of 8 bits
        move(source, scratch, count, digit(0));
        move(scratch, source, count, digit(1));
        move(source, scratch, count, digit(2));
        move(scratch, target, count, digit(3));
    }
  }

private:
  template <class Source>
  void insert(const Source& source, const Columns& target, std::size_t count) const
  {
    Pair* const sorted = bench_.scratch;
    for (std::size_t i = 0; i < count; ++i)
    {
      const Pair pair = source.get(i);
      std::size_t place = i;
      for (; place > 0 && keyOf(sorted[place - 1]) > keyOf(pair); --place)
        sorted[place] = sorted[place - 1];
      sorted[place] = pair;
    }
    copy(Pairs{ sorted }, target, count);
  }

  template <class Source, class Target>
  void move(const Source& source, const Target& target, std::size_t count, const Digit& digit) const
  {
    std::uint32_t* const next = bench_.next;
    std::fill(next, next + digit.buckets(), 0);
    for (std::size_t i = 0; i < count; ++i)
      ++next[digit(source.key(i))];
    std::uint32_t before = 0;
    for (std::size_t bucket = 0; bucket < digit.buckets(); ++bucket)
    {
      const std::uint32_t size = next[bucket];
      next[bucket] = before;
      before += size;
    }
    for (std::size_t i = 0; i < count; ++i)
    {
      const Pair pair = source.get(i);
      target.put(next[digit(keyOf(pair))]++, pair);
    }
  }

  static void copy(const Pairs& source, const Columns& target, std::size_t count)
  {
    for (std::size_t i = 0; i < count; ++i)
      target.put(i, source.get(i));
  }

  Bench& bench_;
};

/// One thread of a team that sorts together: all call the same with the same arguments.
class Worker
{
public:
  Worker(Bench* benches, const Columns& columns, Pair* first, Pair* second)
    : thread_(omp_get_thread_num())
    , threads_(omp_get_num_threads())
    , benches_(benches)
    , bench_(benches[thread_])
    , columns_(columns)
    , arrays_{ first, second }
  {
  }

  /// Sorts the pairs of places offset … offset + count - 1 into the columns.
  /// @param source those pairs, in the columns or the array that is not `into`
  /// @param into   the array of pairs that they go through
  template <class Source>
  void sort(const Source& source, std::size_t offset, std::size_t count, int into) const
  {
    const Varying varying(differingBits(source, count));
    if (varying.width == 0)
    {
      copy(source, columns_.from(offset), count);
      return;
    }
    int bits = 1;
    while (bits < std::min(varying.width, kDigitBits) && (kBucketSize << bits) < count)
      ++bits;
    const Digit digit{ varying.lowest + varying.width - bits, bits };
    std::uint32_t starts[kBuckets + 1];
    deal(source, offset, count, digit, into, starts);

    const int buckets = static_cast<int>(digit.buckets());
#pragma omp for schedule(dynamic, 4)
    for (int bucket = 0; bucket < buckets; ++bucket)
    {
      const std::size_t first = starts[bucket], size = starts[bucket + 1] - first;
      if (size > 0 && size <= kLocal)
        LocalSort(bench_).sort(Pairs{ arrays_[into] + first }, columns_.from(first), size);
    }
    for (int bucket = 0; bucket < buckets; ++bucket)
    {
      const std::size_t first = starts[bucket], size = starts[bucket + 1] - first;
      const Pairs pairs{ arrays_[into] + first };
      if (size > kLocal && bits < varying.width)
        sort(pairs, first, size, 1 - into);
      else if (size > kLocal) // one key
        copy(pairs, columns_.from(first), size);
    }
  }

private:
  std::size_t begin(std::size_t count) const
  {
    return count * thread_ / threads_;
  }
  std::size_t end(std::size_t count) const
  {
    return count * (thread_ + 1) / threads_;
  }

  template <class Source>
  std::uint32_t differingBits(const Source& source, std::size_t count) const
  {
    std::uint32_t differing = 0;
    const std::uint32_t first = source.key(0);
    for (std::size_t i = begin(count); i < end(count); ++i)
      differing |= source.key(i) ^ first;
    bench_.differing = differing;
#pragma omp barrier
    for (int thread = 0; thread < threads_; ++thread)
      differing |= benches_[thread].differing;
    return differing;
  }

  /// Moves pairs into the order of a digit.
  /// @param starts becomes the first place of each bucket, and the end of the last
  template <class Source>
  void deal(const Source& source, std::size_t offset, std::size_t count, const Digit& digit,
    int into, std::uint32_t* starts) const
  {
    std::uint32_t* const sizes = bench_.sizes;
    std::fill(sizes, sizes + digit.buckets(), 0);
    for (std::size_t i = begin(count); i < end(count); ++i)
      ++sizes[digit(source.key(i))];
#pragma omp barrier
    std::uint32_t* const next = bench_.next;
    std::uint32_t* const closed = bench_.closed;
    std::uint32_t before = static_cast<std::uint32_t>(offset);
    for (std::size_t bucket = 0; bucket < digit.buckets(); ++bucket)
    {
      starts[bucket] = before;
      for (int thread = 0; thread < threads_; ++thread)
      {
        if (thread == thread_)
          next[bucket] = closed[bucket] = before;
        before += benches_[thread].sizes[bucket];
      }
    }
    starts[digit.buckets()] = before;

    Pair* const target = arrays_[into];
    for (std::size_t i = begin(count); i < end(count); ++i)
    {
      const Pair pair = source.get(i);
      const std::uint32_t bucket = digit(keyOf(pair));
      const std::uint32_t place = next[bucket]++;
      bench_.open[bucket][place % kBatch] = pair;
      if (place % kBatch == kBatch - 1)
        close(target, bucket, place + 1);
    }
    for (std::size_t bucket = 0; bucket < digit.buckets(); ++bucket)
      close(target, bucket, next[bucket]);
    endBatches();
#pragma omp barrier
  }

  /// Writes what is open of a bucket, up to a place.
  void close(Pair* target, std::size_t bucket, std::uint32_t end) const
  {
    const Pair* const batch = bench_.open[bucket];
    const std::uint32_t first = bench_.closed[bucket];
    if (end - first == kBatch)
      writeBatch(target + first, batch);
    else
      for (std::uint32_t place = first; place < end; ++place)
        target[place] = batch[place % kBatch];
    bench_.closed[bucket] = end;
  }

  template <class Source>
  void copy(const Source& source, const Columns& target, std::size_t count) const
  {
    for (std::size_t i = begin(count); i < end(count); ++i)
      target.put(i, source.get(i));
  }

  int thread_, threads_;
  Bench* benches_;
  Bench& bench_;
  Columns columns_;
  Pair* arrays_[2];
};

std::size_t roundedToLines(std::size_t bytes)
{
  constexpr std::size_t batch = kBatch * sizeof(Pair);
  return (bytes + batch - 1) / batch * batch;
}

} // namespace

void RadixSort::operator()(std::uint32_t* keys, std::int32_t* values, std::size_t count)
{
  if (count < 2)
    return;
  const bool isLocal = count <= kBucketSize;
  const int threads = isLocal ? 1 : omp_get_max_threads();
  const std::size_t array = isLocal ? 0 : roundedToLines(count * sizeof(Pair));
  const std::size_t needed = roundedToLines(threads * sizeof(Bench)) + 2 * array;
  if (needed > capacity_)
  {
    const std::size_t capacity = roundedToLines(needed + needed / 8); // room to grow slowly
    memory_.reset();
    capacity_ = 0;
    memory_.reset(static_cast<unsigned char*>(std::aligned_alloc(kBatch * sizeof(Pair), capacity)));
    if (!memory_)
      throw std::bad_alloc();
    preferLargePages(memory_.get(), capacity);
    capacity_ = capacity;
  }
  Bench* const benches = reinterpret_cast<Bench*>(memory_.get());
  Pair* const first =
    reinterpret_cast<Pair*>(memory_.get() + roundedToLines(threads * sizeof(Bench)));
  Pair* const second = first + array / sizeof(Pair);
  const Columns columns{ keys, values };
  if (isLocal)
  {
    LocalSort(*benches).sort(columns, columns, count);
    return;
  }
#pragma omp parallel num_threads(threads)
  Worker(benches, columns, first, second).sort(columns, 0, count, 0);
}

} // namespace lapilli
