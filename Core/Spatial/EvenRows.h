/// @file
/// Puts particles whose rows are about as long side by side: those of a chunk are worked on together, up to the
/// longest row (Kreutzer et al., SIAM J. Sci. Comput. 36 (2014) C401, "SELL-C-sigma").
#pragma once

#include "Parallel/Buffer.h"

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// Sorts one window of an order by the lengths of rows. Windows are small, so that what lies near stays near.
struct EvenWindow
{
  static constexpr Index kSize = 256;
  static constexpr Index kLongest = 31; ///< longer ones count as such

  const Index* length; ///< of each particle's row, by its place before the order
  Index count;         ///< of particles
  Index* order;        ///< order[slot] = former place; slots become places
  Index* place;        ///< receives the place of each slot's particle

  HOST_DEVICE void operator()(Index window) const
  {
    const Index first = window * kSize, last = count - first < kSize ? count : first + kSize;
    Index next[kLongest + 1] = {};
    for (Index slot = first; slot < last; ++slot)
      ++next[lengthOf(order[slot])]; // how many, and then where they go
    Index begin = first;
    for (Index& start : next)
    {
      const Index these = start;
      start = begin;
      begin += these;
    }
    Index former[kSize];
    for (Index slot = first; slot < last; ++slot)
    {
      former[slot - first] = order[slot];
      place[slot] = next[lengthOf(order[slot])]++;
    }
    for (Index slot = first; slot < last; ++slot)
      order[place[slot]] = former[slot - first];
  }

private:
  HOST_DEVICE Index lengthOf(Index particle) const
  {
    return length[particle] < kLongest ? length[particle] : kLongest;
  }
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
