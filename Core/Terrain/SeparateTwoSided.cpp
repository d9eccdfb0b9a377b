#include "SurfaceRepair.h"

#include <algorithm>

namespace lapilli
{

std::vector<Surface> separateTwoSided(
  const Surface& surface, const std::vector<std::uint8_t>& twoSided)
{
  if (std::find(twoSided.begin(), twoSided.end(), twoSided.empty() ? 0 : !twoSided[0]) ==
      twoSided.end())
  {
    return { surface };
  }
  std::vector<Surface> parts(2, surface);
  for (int side = 0; side < 2; ++side)
  {
    Surface& part = parts[side];
    part.sides = side == 0 ? surface.sides : SurfaceSides::Two;
    part.triangles.clear();
    part.points.clear();
    for (auto* values : { &part.restitution, &part.friction, &part.rollingFriction })
    {
      std::size_t kept = 0;
      for (std::size_t t = 0; t < values->size(); ++t)
      {
        if (twoSided[t] == side)
        {
          (*values)[kept++] = (*values)[t];
        }
      }
      values->resize(kept);
    }
    std::vector<std::int64_t> number(surface.pointCount(), -1);
    for (std::size_t corner = 0; corner < surface.triangles.size(); ++corner)
    {
      if (twoSided[corner / 3] != side)
      {
        continue;
      }
      const std::int64_t point = surface.triangles[corner];
      if (number[point] < 0)
      {
        number[point] = static_cast<std::int64_t>(part.pointCount());
        const double* x = &surface.points[3 * point];
        part.points.insert(part.points.end(), x, x + 3);
      }
      part.triangles.push_back(number[point]);
    }
  }
  return parts;
}

} // namespace lapilli
