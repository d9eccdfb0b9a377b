/// @file
/// How far behind a particle in memory the last of its neighbours lies. Particles are worked on in order: what
/// lies there is about to be read for the first time, and caches can be told (Parallel/CacheHints.h).
#pragma once

#include "Parallel/Executor.h"
#include "Spatial/NeighborRows.h"

#include <cmath>

namespace lapilli
{
namespace LAPILLI_BACKEND
{

/// How many chunks reach how far, by half octaves of places.
struct ReachCounts
{
  static constexpr int kBins = 64;
  Index count[kBins] = {};

  HOST_DEVICE ReachCounts& operator+=(const ReachCounts& b)
  {
    for (int bin = 0; bin < kBins; ++bin)
      count[bin] += b.count[bin];
    return *this;
  }
};

/// Reads rows of one in so many chunks.
struct CountReach
{
  static constexpr Index kEvery = 16;
  NeighborView rows;
  HOST_DEVICE ReachCounts operator()(Index sample) const
  {
    const Index chunk = sample * kEvery, first = chunk * kRowLanes;
    Index reach = 1;
    for (Offset e = rows.start[chunk]; e < rows.start[chunk + 1]; ++e)
    {
      const Index ahead = rows.neighbor[e].index() - first;
      reach = ahead > reach ? ahead : reach;
    }
    ReachCounts counts;
    ++counts.count[static_cast<int>(2 * std::log2(static_cast<float>(reach)))];
    return counts;
  }
};

/// @return places behind the first of a chunk beyond which nearly no neighbour lies; 0 where reading ahead is of no use
inline Index reachAhead(const Executor& executor, const NeighborView& rows)
{
  constexpr Index kTime = 256; // places, until what was asked for is there
  constexpr double kNearlyAll = 0.95;
  if (!isHostMemory())
    return 0;
  const Index samples = (rows.chunks() + CountReach::kEvery - 1) / CountReach::kEvery;
  const ReachCounts counts =
    executor.sum<ReachCounts>("neighbors.reachAhead", samples, CountReach{ rows });
  Index bin = 0;
  for (double within = counts.count[0]; within < kNearlyAll * samples;)
    within += counts.count[++bin];
  const double ahead = std::exp2(0.5 * (bin + 1)) + kTime;
  return ahead < 0.5 * rows.particles ? static_cast<Index>(ahead) : 0;
}

} // namespace LAPILLI_BACKEND
} // namespace lapilli
