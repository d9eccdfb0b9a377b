#include "Particles/SpherePacking.h"

#include <algorithm>
#include <cmath>

namespace lapilli
{

int SpherePacking::levelOf(double radius)
{
  return std::ilogb(radius);
}

SpherePacking::SpherePacking(const std::vector<double>& radii, const Vec3d& extent)
{
  if (radii.empty())
  {
    return;
  }
  spheres_.reserve(radii.size());
  const auto [least, greatest] = std::minmax_element(radii.begin(), radii.end());
  lowestLevel_ = levelOf(*least);
  levels_.resize(levelOf(*greatest) - lowestLevel_ + 1);
  std::vector<std::int64_t> spheres(levels_.size(), 0);
  for (const double radius : radii)
  {
    const int level = levelOf(radius) - lowestLevel_;
    levels_[level].largest = std::max(levels_[level].largest, radius);
    ++spheres[level];
  }

  for (std::size_t l = 0; l < levels_.size(); ++l)
  {
    Level& level = levels_[l];
    if (spheres[l] == 0)
    {
      continue;
    }
    // A cell holds two touching centres at most, and the table about one sphere per two cells.
    level.perMetre = 1 / (2 * level.largest);
    const double wanted[3] = { extent.x * level.perMetre, extent.y * level.perMetre,
      extent.z * level.perMetre };
    std::int64_t cells = 1;
    while (cells < 2 * spheres[l] + 64)
    {
      int axis = 0;
      for (int a = 1; a < 3; ++a)
      {
        if (wanted[a] / level.count[a] > wanted[axis] / level.count[axis])
        {
          axis = a;
        }
      }
      level.count[axis] *= 2;
      cells *= 2;
    }
    level.first.assign(cells, -1);
  }
}

std::int64_t SpherePacking::Level::cellAt(double x) const
{
  // So far away that whole numbers end all fall together.
  constexpr double most = static_cast<double>(std::int64_t(1) << 60);
  return static_cast<std::int64_t>(std::clamp(std::floor(x * perMetre), -most, most));
}

template <class Visit>
void SpherePacking::forEachNear(const Vec3d& center, double radius, const Visit& visit) const
{
  for (const Level& level : levels_)
  {
    if (level.first.empty())
    {
      continue;
    }
    const double reach = (radius + level.largest) * (1 + 2 * gap);
    const double x[3] = { center.x, center.y, center.z };
    std::int64_t from[3], to[3];
    for (int a = 0; a < 3; ++a)
    {
      from[a] = level.cellAt(x[a] - reach);
      to[a] = level.cellAt(x[a] + reach);
      to[a] = std::min(to[a], from[a] + level.count[a] - 1); // once around the torus is enough
    }
    const std::int64_t* n = level.count;
    for (std::int64_t k = from[2]; k <= to[2]; ++k)
    {
      for (std::int64_t j = from[1]; j <= to[1]; ++j)
      {
        const std::int64_t row = ((k & (n[2] - 1)) * n[1] + (j & (n[1] - 1))) * n[0];
        for (std::int64_t i = from[0]; i <= to[0]; ++i)
        {
          for (std::int32_t s = level.first[row + (i & (n[0] - 1))]; s >= 0; s = spheres_[s].next)
          {
            if (!visit(spheres_[s]))
            {
              return;
            }
          }
        }
      }
    }
  }
}

bool SpherePacking::isFree(const Vec3d& center, double radius) const
{
  bool free = true;
  forEachNear(center, radius,
    [&](const Sphere& other)
    {
      const double apart = (radius + other.radius) * (1 + gap);
      free = squaredLength(center - other.center) >= apart * apart;
      return free;
    });
  return free;
}

double SpherePacking::lowestFreeHeight(const Vec3d& center, double radius) const
{
  Vec3d at = center;
  for (bool moved = true; moved;)
  {
    moved = false;
    double top = at.z;
    forEachNear(at, radius,
      [&](const Sphere& other)
      {
        const double dx = at.x - other.center.x, dy = at.y - other.center.y;
        const double touching = (radius + other.radius) * (1 + gap);
        if (squaredLength(at - other.center) < touching * touching)
        {
          // Twice the gap, so that what is free now stays free in spite of rounding.
          const double apart = (radius + other.radius) * (1 + 2 * gap);
          top = std::max(top, other.center.z + std::sqrt(apart * apart - dx * dx - dy * dy));
          moved = true;
        }
        return true;
      });
    // Spheres so small that rounding swallows a step upward would else be climbed for ever.
    at.z = moved && !(top > at.z) ? std::nextafter(at.z, INFINITY) : top;
  }
  return at.z;
}

void SpherePacking::add(const Vec3d& center, double radius)
{
  Level& level = levels_[levelOf(radius) - lowestLevel_];
  const auto cell = [&](double x, int axis) { return level.cellAt(x) & (level.count[axis] - 1); };
  const std::int64_t index =
    (cell(center.z, 2) * level.count[1] + cell(center.y, 1)) * level.count[0] + cell(center.x, 0);
  spheres_.push_back({ center, radius, level.first[index] });
  level.first[index] = static_cast<std::int32_t>(spheres_.size() - 1);
}

} // namespace lapilli
