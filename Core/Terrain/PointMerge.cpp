#include "Terrain/PointMerge.h"

#include "Terrain/Buckets.h"
#include "Terrain/RepairMesh.h"

#include <cmath>
#include <cstring>

namespace lapilli
{
namespace
{

/// Finiteness and size of the coordinates, and whether the points ascend.
struct Overview
{
  std::int64_t nonFinite = 0, firstNonFinite = -1;
  double largest = 0;
  bool northward = true, southward = true; ///< by y, up or down, and by x where y is equal
};

bool isFinitePoint(const double* p)
{
  return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
}

Overview look(const std::vector<double>& points)
{
  const std::size_t count = points.size() / 3, size = RepairMesh::kBlock;
  std::vector<Overview> parts((count + size - 1) / size);
  forEachHostBlock(count, size,
    [&](std::size_t begin, std::size_t end)
    {
      Overview part;
      for (std::size_t i = begin; i < end; ++i)
      {
        const double* p = &points[3 * i];
        if (!isFinitePoint(p))
        {
          part.firstNonFinite =
            part.nonFinite++ == 0 ? static_cast<std::int64_t>(i) : part.firstNonFinite;
          continue;
        }
        part.largest = std::max({ part.largest, std::abs(p[0]), std::abs(p[1]), std::abs(p[2]) });
        if (i > 0)
        {
          const bool later = p[1] == p[-2] && p[0] > p[-3];
          part.northward &= p[1] > p[-2] || later;
          part.southward &= p[1] < p[-2] || later;
        }
      }
      parts[begin / size] = part;
    });
  Overview all;
  for (const Overview& part : parts)
  {
    all.firstNonFinite = all.nonFinite == 0 ? part.firstNonFinite : all.firstNonFinite;
    all.nonFinite += part.nonFinite;
    all.largest = std::max(all.largest, part.largest);
    all.northward &= part.northward;
    all.southward &= part.southward;
  }
  return all;
}

std::uint64_t hashOf(const double* p)
{
  std::uint64_t h = 0;
  for (int axis = 0; axis < 3; ++axis)
  {
    const double value = p[axis] + 0.0; // -0 and 0 are one place
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    // Finaliser of splitmix64: Steele, Lea, Flood, OOPSLA 2014, doi:10.1145/2660193.2660195.
    h = (h ^ bits) + 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    h ^= h >> 31;
  }
  return h;
}

/// The first points of one bucket, by open addressing.
class FirstPoints
{
public:
  explicit FirstPoints(const std::vector<double>& points)
    : points_(points)
  {
  }

  /// @param items how many points will be asked for
  void clear(std::size_t items)
  {
    std::size_t capacity = 16;
    while (capacity < 2 * items)
    {
      capacity *= 2;
    }
    slots_.assign(capacity, Slot{ 0, RepairMesh::kNone });
  }

  std::uint32_t firstAtPlaceOf(std::uint32_t point, std::uint32_t hash)
  {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t s = hash & mask;; s = (s + 1) & mask)
    {
      if (slots_[s].point == RepairMesh::kNone)
      {
        slots_[s] = { hash, point };
        return point;
      }
      if (slots_[s].hash == hash && samePlace(slots_[s].point, point))
      {
        return slots_[s].point;
      }
    }
  }

private:
  struct Slot
  {
    std::uint32_t hash, point;
  };

  bool samePlace(std::size_t a, std::size_t b) const
  {
    const double *p = &points_[3 * a], *q = &points_[3 * b];
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
  }

  const std::vector<double>& points_;
  std::vector<Slot> slots_;
};

} // namespace

PointMerge mergePoints(const std::vector<double>& points)
{
  const std::size_t count = points.size() / 3;
  const Overview overview = look(points);
  PointMerge merge;
  merge.largest = overview.largest;
  merge.nonFinite = overview.nonFinite;
  merge.firstNonFinite = overview.firstNonFinite;
  if (overview.nonFinite == 0 && (overview.northward || overview.southward))
  {
    return merge; // rows of a raster: in a strict order no two are equal
  }

  // The upper half of the hash chooses the bucket, the lower half the slot.
  std::vector<std::uint32_t> lower(count);
  std::vector<std::uint16_t> bucket(count);
  constexpr std::size_t pointsPerBucket = 1 << 14; // their slots stay in the cache
  std::size_t buckets = 1;
  while (buckets < 2048 && buckets * pointsPerBucket < count)
  {
    buckets *= 2;
  }
  forEachHostBlock(count, RepairMesh::kBlock,
    [&](std::size_t begin, std::size_t end)
    {
      for (std::size_t i = begin; i < end; ++i)
      {
        const std::uint64_t hash = hashOf(&points[3 * i]);
        lower[i] = static_cast<std::uint32_t>(hash);
        bucket[i] = static_cast<std::uint16_t>((hash >> 32) & (buckets - 1));
      }
    });
  const Buckets byPlace(count, buckets, [&](std::size_t i) { return bucket[i]; });
  merge.first.resize(count);
  std::vector<std::int64_t> merged(buckets, 0);
  forEachHostBlock(buckets, 16,
    [&](std::size_t firstBucket, std::size_t lastBucket)
    {
      FirstPoints known(points);
      for (std::size_t b = firstBucket; b < lastBucket; ++b)
      {
        known.clear(byPlace.begin[b + 1] - byPlace.begin[b]);
        for (std::uint32_t i = byPlace.begin[b]; i < byPlace.begin[b + 1]; ++i)
        {
          const std::uint32_t point = byPlace.order[i];
          const bool finite = isFinitePoint(&points[3 * std::size_t(point)]);
          merge.first[point] =
            finite ? known.firstAtPlaceOf(point, lower[point]) : RepairMesh::kNone;
          merged[b] += finite && merge.first[point] != point;
        }
      }
    });
  for (const std::int64_t m : merged)
  {
    merge.merged += m;
  }
  return merge;
}

} // namespace lapilli
