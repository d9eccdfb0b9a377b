#include "Terrain/SheetParts.h"

#include "LargePages.h"
#include "Parallel/HostLoop.h"

#include <algorithm>

namespace lapilli
{
namespace
{

using Number = RepairMesh::Number;

/// Disjoint sets in which every member knows whether it is wound against the root, the least of its set:
/// node = 2 * parent + (wound against the parent).
class TurnedSets
{
public:
  explicit TurnedSets(std::size_t count)
  {
    resizeLarge(node_, count);
    for (std::size_t t = 0; t < count; ++t)
    {
      node_[t] = static_cast<Number>(2 * t);
    }
  }

  /// 2 * root + (t is wound against it)
  Number find(Number t)
  {
    Number against = 0;
    for (;;)
    {
      const Number own = node_[t], parent = own >> 1;
      if (parent == t)
      {
        return own ^ against;
      }
      const Number above = node_[parent];
      node_[t] = above ^ (own & 1); // halves the path
      against ^= (own ^ above) & 1;
      t = above >> 1;
    }
  }

  /// @param opposed that a and b are wound against one another
  /// @return false if they are known not to be
  bool join(Number a, Number b, bool opposed)
  {
    const Number ra = this->find(a), rb = this->find(b);
    const Number against = (ra ^ rb ^ Number(opposed)) & 1;
    if (ra >> 1 == rb >> 1)
    {
      return against == 0;
    }
    const Number low = std::min(ra, rb) >> 1, high = std::max(ra, rb) >> 1;
    node_[high] = 2 * low + against;
    return true;
  }

  std::vector<Number>& nodes() { return node_; }

private:
  std::vector<Number> node_;
};

/// Joins across all edges of two triangles. @return triangles at which the sides contradict one another
std::vector<Number> joinAll(const RepairMesh& mesh, TurnedSets& sets)
{
  // First within ranges of triangles, which do not meet, then what runs between ranges.
  const std::size_t count = mesh.triangles(), size = std::size_t(1) << 20;
  struct Range
  {
    std::vector<Number> between, wrong;
  };
  std::vector<Range> ranges((count + size - 1) / size);
  const auto join = [&](Number h, std::vector<Number>& wrong)
  {
    const Number other = mesh.partner[h];
    // Neighbours agree if they run along their edge in opposite directions.
    if (!sets.join(h / 3, other / 3, mesh.start(h) == mesh.start(other)))
    {
      wrong.push_back(h / 3);
    }
  };
  forEachHostBlock(count, size,
    [&](std::size_t begin, std::size_t end)
    {
      Range& range = ranges[begin / size];
      for (std::size_t h = 3 * begin; h < 3 * end; ++h)
      {
        const Number other = mesh.partner[h];
        if (other < RepairMesh::kBoundary && other < h)
        {
          if (other < 3 * begin)
          {
            range.between.push_back(static_cast<Number>(h));
          }
          else
          {
            join(static_cast<Number>(h), range.wrong);
          }
        }
      }
    });
  std::vector<Number> wrong;
  for (Range& range : ranges)
  {
    for (const Number h : range.between)
    {
      join(h, range.wrong);
    }
    wrong.insert(wrong.end(), range.wrong.begin(), range.wrong.end());
  }
  return wrong;
}

/// Triangles part after part.
void sortByPart(SheetParts& parts)
{
  parts.first.assign(parts.count() + 1, 0);
  if (parts.count() <= 1)
  {
    parts.first.back() = static_cast<Number>(parts.count() * parts.part.size());
    return;
  }
  for (const Number part : parts.part)
  {
    ++parts.first[part + 1];
  }
  for (std::size_t p = 0; p < parts.count(); ++p)
  {
    parts.first[p + 1] += parts.first[p];
  }
  std::vector<Number> next(parts.first.begin(), parts.first.end() - 1);
  resizeLarge(parts.order, parts.part.size());
  for (std::size_t t = 0; t < parts.part.size(); ++t)
  {
    parts.order[next[parts.part[t]]++] = static_cast<Number>(t);
  }
}

std::vector<Number> findFreeEdges(const RepairMesh& mesh)
{
  const std::size_t size = RepairMesh::kBlock;
  std::vector<std::vector<Number>> blocks((mesh.partner.size() + size - 1) / size);
  forEachHostBlock(mesh.partner.size(), size,
    [&](std::size_t begin, std::size_t end)
    {
      for (std::size_t h = begin; h < end; ++h)
      {
        if (!mesh.hasPartner(h))
        {
          blocks[begin / size].push_back(static_cast<Number>(h));
        }
      }
    });
  std::vector<Number> all;
  for (const std::vector<Number>& block : blocks)
  {
    all.insert(all.end(), block.begin(), block.end());
  }
  return all;
}

/// Counts closed curves of boundary edges. Around a point the walk passes over its triangles to
/// their other side, so two holes that touch in a point are one curve.
void countRims(const RepairMesh& mesh, SheetParts& parts)
{
  std::vector<std::uint8_t> walked(parts.freeEdges.size(), 0);
  const auto placeOf = [&](std::size_t h)
  {
    return static_cast<std::size_t>(
      std::lower_bound(parts.freeEdges.begin(), parts.freeEdges.end(), h) -
      parts.freeEdges.begin());
  };
  for (std::size_t i = 0; i < parts.freeEdges.size(); ++i)
  {
    const std::size_t begin = parts.freeEdges[i];
    if (mesh.partner[begin] != RepairMesh::kBoundary)
    {
      continue;
    }
    parts.closed[parts.part[begin / 3]] = 0;
    if (walked[i])
    {
      continue;
    }
    ++parts.rims[parts.part[begin / 3]];
    std::size_t border = begin;
    Number pivot = mesh.end(begin);
    for (std::size_t place = i; !walked[place]; place = placeOf(border))
    {
      walked[place] = 1;
      for (;;) // turn around the pivot to the other edge without partner
      {
        const std::size_t ahead = RepairMesh::next(border);
        border =
          mesh.start(ahead) == pivot || mesh.end(ahead) == pivot ? ahead : RepairMesh::next(ahead);
        if (!mesh.hasPartner(border))
        {
          break;
        }
        border = mesh.partner[border];
      }
      pivot = mesh.start(border) == pivot ? mesh.end(border) : mesh.start(border);
    }
  }
}

} // namespace

SheetParts findParts(const RepairMesh& mesh)
{
  SheetParts parts;
  TurnedSets sets(mesh.triangles());
  const std::vector<Number> wrong = joinAll(mesh, sets);

  // A root is the least of its set: whoever comes later finds its parent numbered.
  std::vector<Number>& node = sets.nodes();
  resizeLarge(parts.turned, node.size());
  for (std::size_t t = 0; t < node.size(); ++t)
  {
    const Number parent = node[t] >> 1;
    if (parent == t)
    {
      node[t] = static_cast<Number>(2 * parts.orientable.size());
      parts.orientable.push_back(1);
    }
    else
    {
      node[t] = node[parent] ^ (node[t] & 1);
    }
    parts.turned[t] = node[t] & 1;
  }
  for (Number& n : node)
  {
    n >>= 1;
  }
  parts.part = std::move(node);
  for (const Number t : wrong)
  {
    parts.orientable[parts.part[t]] = 0;
  }
  sortByPart(parts);
  parts.closed.assign(parts.count(), 1);
  parts.rims.assign(parts.count(), 0);
  parts.freeEdges = findFreeEdges(mesh);
  countRims(mesh, parts);
  return parts;
}

} // namespace lapilli
