/// @file
/// How the rows of a neighbour list lie in memory, for kernels.
///
/// kRowLanes particles share a chunk: the first entries of their rows stand side by side, then the second
/// ones, up to the longest row of the chunk, so that as many pairs are computed at once. A row longer
/// than kLongRow stands apart, behind the chunks, lest one large sphere lengthen its chunk. Entries that
/// touch, or are nearest, come first when a row is built.
#pragma once

#include "Math/Vec.h"
#include "Parallel/Buffer.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

constexpr Index kRowLanes = kLanesSideBySide; ///< particles that share a chunk of rows
constexpr Index kLongRow = 32;                ///< entries of the longest row within a chunk

/// A neighbour's place, and in the highest bit whether the pair touched at the last step.
struct Neighbor
{
  std::uint32_t bits;

  static constexpr std::uint32_t kTouching = 1u << 31;

  HOST_DEVICE Index index() const { return static_cast<Index>(bits & ~kTouching); }
  HOST_DEVICE bool touching() const { return (bits & kTouching) != 0; }
};

/// The entries of one row: entry k is first + k * stride.
struct RowSpan
{
  Offset first;
  Index stride;
  Index count;

  HOST_DEVICE Offset operator[](Index k) const { return first + static_cast<Offset>(k) * stride; }
};

struct NeighborView
{
  Index particles;
  /// By chunk, one more than there are, multiples of kRowLanes. Entry k of particle i stands at
  /// start[i / kRowLanes] + k * kRowLanes + i % kRowLanes.
  const Offset* start;
  /// Entries of each particle's row, 0 where the row is long. For whole chunks, as is longRow.
  const Index* count;
  /// Entries that are not in use hold the particle itself, or another that exists where there is none,
  /// not touching.
  Neighbor* neighbor;
  /// Histories of the pairs that touch, as seen from the row's particle: those of a pair's two copies
  /// are opposite. See historyOf().
  float* spring; ///< [m], slip; null where contacts have no history
  float* angle;  ///< [rad], rolling; null where there is no rolling friction

  Index longCount;
  const Index* longParticle; ///< whose long rows they are
  const Offset* longStart; ///< longCount + 1, multiples of kRowLanes; a row ends with spare entries
  const Index* longLength; ///< entries in use
  const Index* longRow;    ///< of each particle, -1 for none

  Index ahead = 0; ///< see reachAhead()

  HOST_DEVICE Index chunks() const { return (particles + kRowLanes - 1) / kRowLanes; }

  HOST_DEVICE RowSpan row(Index i) const
  {
    const Index r = longRow[i];
    if (r >= 0)
      return { longStart[r], 1, longLength[r] };
    return { start[i / kRowLanes] + i % kRowLanes, kRowLanes, count[i] };
  }

  /// Where the first component of an entry's history stands; the others kRowLanes and 2 kRowLanes further.
  HOST_DEVICE static Offset historyOf(Offset entry)
  {
    return entry / kRowLanes * (3 * kRowLanes) + entry % kRowLanes;
  }
  HOST_DEVICE static Vec3f read(const float* history, Offset entry)
  {
    const float* x = history + historyOf(entry);
    return { x[0], x[kRowLanes], x[2 * kRowLanes] };
  }
  HOST_DEVICE static void write(float* history, Offset entry, const Vec3f& value)
  {
    float* x = history + historyOf(entry);
    x[0] = value.x;
    x[kRowLanes] = value.y;
    x[2 * kRowLanes] = value.z;
  }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
