#include "Terrain/Orientation.h"

#include "LargePages.h"
#include "Parallel/HostLoop.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lapilli
{
namespace
{

/// Sums over the triangles of a part, or of some of them, wound as `turned` says.
struct FacingSums
{
  double area = 0;    ///< twice
  double upward = 0;  ///< twice the area on the map
  double volume = 0;  ///< six times, about the part's first corner
  double asGiven = 0; ///< twice the area that keeps its winding, less that which does not
};

FacingSums sumFacing(
  const RepairMesh& mesh, const SheetParts& parts, std::size_t begin, std::size_t end, Vec3d origin)
{
  FacingSums sums;
  for (std::size_t place = begin; place < end; ++place)
  {
    const std::size_t t = parts.triangle(place);
    const Vec3d normal = mesh.areaVector(t);
    const double sign = parts.turned[t] ? -1 : 1;
    const double size = std::sqrt(dot(normal, normal));
    sums.area += size;
    sums.asGiven += sign * size;
    sums.upward += sign * normal.z;
    sums.volume += sign * dot(normal, mesh.corner(t, 0) - origin);
  }
  return sums;
}

/// Of every part, over fixed blocks and then in order.
std::vector<FacingSums> sumFacings(const RepairMesh& mesh, const SheetParts& parts)
{
  struct Piece
  {
    std::size_t part, begin, end;
  };
  std::vector<Piece> pieces;
  for (std::size_t p = 0; p < parts.count(); ++p)
  {
    for (std::size_t at = parts.first[p]; at < parts.first[p + 1]; at += RepairMesh::kBlock)
    {
      pieces.push_back(
        { p, at, std::min<std::size_t>(at + RepairMesh::kBlock, parts.first[p + 1]) });
    }
  }
  std::vector<FacingSums> partial(pieces.size()), sums(parts.count());
  forEachHostBlock(pieces.size(), 64,
    [&](std::size_t begin, std::size_t end)
    {
      for (std::size_t i = begin; i < end; ++i)
      {
        const Piece& piece = pieces[i];
        const Vec3d origin = mesh.corner(parts.triangle(parts.first[piece.part]), 0);
        partial[i] = sumFacing(mesh, parts, piece.begin, piece.end, origin);
      }
    });
  for (std::size_t i = 0; i < pieces.size(); ++i)
  {
    FacingSums& sum = sums[pieces[i].part];
    sum.area += partial[i].area;
    sum.upward += partial[i].upward;
    sum.volume += partial[i].volume;
    sum.asGiven += partial[i].asGiven;
  }
  return sums;
}

/// What is done with a part.
struct Decision
{
  bool turn = false;   ///< all of it, as well
  bool upEach = false; ///< no choice agrees: triangle by triangle
  bool twoSided = false;
};

Decision decide(const FacingSums& sums, bool orientable, bool closed, SurfaceRole role)
{
  // What rounding leaves of a sum that should be zero is no direction.
  const bool hasInside = closed && std::abs(sums.volume) > 1e-9 * std::pow(sums.area, 1.5);
  Decision decision;
  decision.upEach = !orientable;
  decision.twoSided = !orientable || (role == SurfaceRole::Obstacle && !hasInside);
  decision.turn = hasInside ? (sums.volume < 0) != (role == SurfaceRole::Container)
                  : std::abs(sums.upward) > 1e-6 * sums.area ? sums.upward < 0
                                                             : sums.asGiven < 0;
  return decision;
}

} // namespace

Orientation orient(const RepairMesh& mesh, SheetParts& parts, SurfaceRole role)
{
  Orientation result;
  const std::vector<FacingSums> sums = sumFacings(mesh, parts);
  std::vector<Decision> decisions(parts.count());
  for (std::size_t p = 0; p < parts.count(); ++p)
  {
    decisions[p] = decide(sums[p], parts.orientable[p] != 0, parts.closed[p] != 0, role);
    result.nonOrientableParts += decisions[p].upEach;
    result.twoSidedParts += decisions[p].twoSided;
  }

  result.flipped = std::move(parts.turned);
  resizeLarge(result.twoSided, mesh.triangles());
  struct Count
  {
    std::int64_t flipped = 0;
    bool facesUp = true;
  };
  std::vector<Count> counts((mesh.triangles() + RepairMesh::kBlock - 1) / RepairMesh::kBlock);
  forEachHostBlock(mesh.triangles(), RepairMesh::kBlock,
    [&](std::size_t begin, std::size_t end)
    {
      Count count;
      for (std::size_t t = begin; t < end; ++t)
      {
        const Decision& decision = decisions[parts.part[t]];
        const Vec3d normal = mesh.areaVector(t);
        const bool flip =
          decision.upEach ? normal.z < 0 : (result.flipped[t] != 0) != decision.turn;
        const double upward = flip ? -normal.z : normal.z;
        result.flipped[t] = flip;
        result.twoSided[t] = decision.twoSided;
        count.flipped += flip;
        count.facesUp &= upward > 1e-9 * std::sqrt(dot(normal, normal));
      }
      counts[begin / RepairMesh::kBlock] = count;
    });
  result.facesUp = !counts.empty() && result.nonOrientableParts == 0;
  for (const Count& count : counts)
  {
    result.flippedTriangles += count.flipped;
    result.facesUp &= count.facesUp;
  }
  return result;
}

} // namespace lapilli
