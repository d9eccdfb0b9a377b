#include "Terrain/EdgePairing.h"

#include "Terrain/Buckets.h"

#include <algorithm>

namespace lapilli
{
namespace
{

using Number = RepairMesh::Number;

/// A half-edge among those with the same lower point.
struct Spoke
{
  Number upper;    ///< the higher of its two points
  Number opposite; ///< third corner of its triangle
  Number halfEdge;

  bool operator<(const Spoke& b) const
  {
    return upper != b.upper         ? upper < b.upper
           : opposite != b.opposite ? opposite < b.opposite
                                    : halfEdge < b.halfEdge;
  }
};

/// A vertex has half a dozen spokes, for which nothing beats insertion; the tip of a fan may have a million.
void sortSpokes(Spoke* spokes, std::size_t count)
{
  if (count > 32)
  {
    std::sort(spokes, spokes + count);
    return;
  }
  for (std::size_t i = 1; i < count; ++i)
  {
    const Spoke spoke = spokes[i];
    std::size_t at = i;
    for (; at > 0 && spoke < spokes[at - 1]; --at)
    {
      spokes[at] = spokes[at - 1];
    }
    spokes[at] = spoke;
  }
}

/// Partners of the half-edges of one edge, each of another triangle.
void setPartners(RepairMesh& mesh, const Spoke* spokes, std::size_t count, EdgeCounts& counts)
{
  if (count == 2)
  {
    mesh.partner[spokes[0].halfEdge] = spokes[1].halfEdge;
    mesh.partner[spokes[1].halfEdge] = spokes[0].halfEdge;
    return;
  }
  for (std::size_t s = 0; s < count; ++s)
  {
    mesh.partner[spokes[s].halfEdge] = count == 1 ? RepairMesh::kBoundary : RepairMesh::kNone;
  }
  ++(count == 1 ? counts.boundary : counts.nonManifold);
}

/// Pairs the half-edges with one lower point, each of whose triangles counts once: the earliest of those over the
/// same three points stays, at all three edges.
void pairSpokes(RepairMesh& mesh, Spoke* spokes, std::size_t count, std::vector<std::uint8_t>& keep,
  EdgeCounts& counts)
{
  sortSpokes(spokes, count);
  for (std::size_t first = 0; first < count;)
  {
    const Number upper = spokes[first].upper;
    std::size_t end = first + 1, kept = end;
    for (; end < count && spokes[end].upper == upper; ++end)
    {
      if (spokes[end].opposite != spokes[kept - 1].opposite)
      {
        spokes[kept++] = spokes[end];
      }
      else if (spokes[end].opposite > upper) // told by one of its edges, by one thread
      {
        keep[spokes[end].halfEdge / 3] = 0;
        ++counts.duplicateTriangles;
      }
    }
    setPartners(mesh, spokes + first, kept - first, counts);
    first = end;
  }
}

/// The partners by the numbers that triangles have once the others are gone.
void dropTriangles(RepairMesh& mesh, const std::vector<std::uint8_t>& keep)
{
  std::vector<Number> number(keep.size());
  Number kept = 0;
  for (std::size_t t = 0; t < keep.size(); ++t)
  {
    number[t] = kept;
    kept += keep[t];
  }
  std::vector<Number> partner;
  partner.reserve(3 * static_cast<std::size_t>(kept));
  for (std::size_t h = 0; h < mesh.partner.size(); ++h)
  {
    if (keep[h / 3])
    {
      const Number p = mesh.partner[h];
      partner.push_back(mesh.hasPartner(h) ? 3 * number[p / 3] + p % 3 : p);
    }
  }
  mesh.keepOnly(keep);
  mesh.partner = std::move(partner);
}

} // namespace

EdgeCounts pairEdges(RepairMesh& mesh)
{
  // A bucket is a range of lower points, the spokes of which stay in the cache.
  std::size_t shift = 12;
  while (mesh.points >> shift > 1000)
  {
    ++shift;
  }
  const std::size_t range = std::size_t(1) << shift;
  const auto lowerOf = [&](std::size_t h) { return std::min(mesh.start(h), mesh.end(h)); };
  const Buckets byLower(mesh.corners.size(), (mesh.points >> shift) + 1,
    [&](std::size_t h) { return lowerOf(h) >> shift; });

  resizeLarge(mesh.partner, mesh.corners.size());
  std::vector<std::uint8_t> keep(mesh.triangles(), 1);
  std::vector<EdgeCounts> parts(byLower.count());
  forEachHostBlock(byLower.count(), 16,
    [&](std::size_t firstBucket, std::size_t lastBucket)
    {
      std::vector<std::uint32_t>
        at;                      // of each lower point: its first spoke, then the next free place
      std::vector<Spoke> spokes; // kept from bucket to bucket: memory that is new is slow
      for (std::size_t b = firstBucket; b < lastBucket; ++b)
      {
        const Number *begin = byLower.order.data() + byLower.begin[b],
                     *end = byLower.order.data() + byLower.begin[b + 1];
        at.assign(range + 1, 0);
        for (const Number* h = begin; h != end; ++h)
        {
          ++at[(lowerOf(*h) & (range - 1)) + 1];
        }
        for (std::size_t p = 0; p < range; ++p)
        {
          at[p + 1] += at[p];
        }
        spokes.resize(static_cast<std::size_t>(end - begin));
        for (const Number* h = begin; h != end; ++h)
        {
          const Number a = mesh.start(*h), z = mesh.end(*h);
          spokes[at[std::min(a, z) & (range - 1)]++] = { std::max(a, z), mesh.opposite(*h), *h };
        }
        for (std::size_t p = 0, first = 0; p < range; first = at[p++])
        {
          pairSpokes(mesh, spokes.data() + first, at[p] - first, keep, parts[b]);
        }
      }
    });

  EdgeCounts counts;
  for (const EdgeCounts& part : parts)
  {
    counts.boundary += part.boundary;
    counts.nonManifold += part.nonManifold;
    counts.duplicateTriangles += part.duplicateTriangles;
  }
  if (counts.duplicateTriangles > 0)
  {
    dropTriangles(mesh, keep);
  }
  return counts;
}

} // namespace lapilli
