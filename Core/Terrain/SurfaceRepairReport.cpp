#include "SurfaceRepair.h"

#include <sstream>

namespace lapilli
{

std::string SurfaceRepairReport::text() const
{
  const auto some = [](std::int64_t count, const char* one, const char* many)
  { return std::to_string(count) + ' ' + (count == 1 ? one : many); };
  std::ostringstream out;
  out << some(triangles, "triangle", "triangles") << " on " << some(points, "point", "points")
      << (triangles == 0  ? ""
           : singleValued ? ", a single-valued sheet"
                          : "");
  if (components > 1)
  {
    out << " of " << components << " parts";
  }
  if (closedComponents > 0)
  {
    out << ", " << closedComponents << " closed";
  }
  if (holes > 0)
  {
    out << ", " << some(holes, "hole", "holes");
  }
  if (boundaryEdges > 0)
  {
    out << ", " << some(boundaryEdges, "boundary edge", "boundary edges");
  }
  out << '.';

  std::vector<std::string> done;
  const auto note = [&](std::int64_t count, const char* one, const char* many)
  {
    if (count > 0)
    {
      done.push_back(some(count, one, many));
    }
  };
  note(degenerateTriangles, "triangle without area dropped", "triangles without area dropped");
  note(duplicateTriangles, "duplicate triangle dropped", "duplicate triangles dropped");
  note(mergedPoints, "coincident point merged", "coincident points merged");
  note(closedSeams, "seam between tiles closed", "seams between tiles closed");
  if (snappedPoints > 0)
  {
    std::ostringstream snap;
    snap << some(snappedPoints, "border point", "border points")
         << " put onto one of another tile, by up to " << largestSnap << " m";
    done.push_back(snap.str());
  }
  note(dividedEdges, "point of another tile put into a border edge",
    "points of other tiles put into border edges");
  note(unusedPoints, "unused point dropped", "unused points dropped");
  note(flippedTriangles, "triangle turned over", "triangles turned over");
  note(nonManifoldEdges, "edge shared by more than two triangles",
    "edges shared by more than two triangles");
  note(nonOrientableComponents, "part without a consistent side (treated as two-sided)",
    "parts without a consistent side (treated as two-sided)");
  note(twoSidedComponents - nonOrientableComponents, "open part in the way (two-sided)",
    "open parts in the way (two-sided)");
  if (nonFinitePoints > 0)
  {
    done.push_back(some(nonFinitePoints, "point that is", "points that are") +
                   " not finite (the first is number " + std::to_string(firstNonFinitePoint) +
                   "), with " + some(nonFiniteTriangles, "triangle", "triangles") + " dropped");
  }
  for (std::size_t i = 0; i < done.size(); ++i)
  {
    out << (i == 0 ? " " : ", ") << done[i] << (i + 1 == done.size() ? "." : "");
  }
  if (openSeamLength > 0)
  {
    out << " Seams between tiles are open along " << openSeamLength
        << " m: raise the Seam Tolerance if they are not meant to be.";
  }
  return out.str();
}

} // namespace lapilli
