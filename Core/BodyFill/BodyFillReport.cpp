#include "BodyFill.h"

#include <sstream>
#include <vector>

namespace lapilli
{

std::string BodyReport::text() const
{
  std::ostringstream out;
  out.precision(6);
  out << name << ": " << particles << (particles == 1 ? " particle" : " particles") << ", "
      << volume << " m^3";
  if (volumeToLevel)
    out << " up to the level (the mesh has " << *volumeToLevel << " m^3 there and " << meshVolume
        << " m^3 in all)";
  else
    out << " (the mesh has " << meshVolume << " m^3)";
  out << '.';

  std::vector<std::string> left;
  if (nearSurface > 0)
    left.push_back(std::to_string(nearSurface) + " too near to the surface");
  if (insideOthers > 0)
    left.push_back(std::to_string(insideOthers) + " in smaller bodies within");
  for (std::size_t i = 0; i < left.size(); ++i)
    out << (i == 0 ? " Places left out: " : ", ") << left[i] << (i + 1 == left.size() ? "." : "");

  std::vector<std::string> found;
  const auto note = [&](std::int64_t count, const char* one, const char* many)
  {
    if (count > 0)
      found.push_back(std::to_string(count) + ' ' + (count == 1 ? one : many));
  };
  if (leakArea > 0)
  {
    std::ostringstream leak;
    leak.precision(4);
    leak << "holes of " << leakArea << " m^2, " << 100 * leakArea / area
         << " % of its area, closed by fans";
    found.push_back(leak.str());
  }
  note(boundaryEdges, "open edge", "open edges");
  note(nonManifoldEdges, "edge of more than two triangles", "edges of more than two triangles");
  note(cavities, "cavity", "cavities");
  note(sheets, "sheet left out", "sheets left out");
  for (std::size_t i = 0; i < found.size(); ++i)
    out << (i == 0 ? " Its surface has " : ", ") << found[i] << (i + 1 == found.size() ? "." : "");
  return out.str();
}

} // namespace lapilli
