#include "Particles/SeedSurface.h"

#include "Particles/Refuse.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lapilli
{

Surface surfaceOf(const SeedGeometry& geometry)
{
  Surface surface;
  surface.points = geometry.points;
  surface.triangles = geometry.triangles;
  return surface;
}

SeedSurface::SeedSurface(const SeedGeometry& geometry)
  : heights_(surfaceOf(geometry))
{
  const auto point = [&geometry](std::int64_t p) {
    return Vec3d{ geometry.points[3 * p], geometry.points[3 * p + 1], geometry.points[3 * p + 2] };
  };
  Vec3d low{ INFINITY, INFINITY, INFINITY }, high{ -INFINITY, -INFINITY, -INFINITY };
  for (const std::int64_t p : geometry.triangles)
  {
    const Vec3d x = point(p);
    low = { std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z) };
    high = { std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z) };
  }
  origin_ = low;
  extent_ = high - low;
  corners_.reserve(geometry.triangles.size());
  areaUntil_.reserve(geometry.triangles.size() / 3);
  double area = 0;
  for (std::size_t t = 0; t + 2 < geometry.triangles.size(); t += 3)
  {
    Vec3d corner[3];
    for (std::size_t k = 0; k < 3; ++k)
    {
      corner[k] = point(geometry.triangles[t + k]) - origin_;
      corners_.push_back(corner[k]);
    }
    area += 0.5 * length(cross(corner[1] - corner[0], corner[2] - corner[0]));
    areaUntil_.push_back(area);
  }
  if (!(area > 0) || !std::isfinite(area))
  {
    refuse("area of the surface", number(area) + " m^2",
      "be finite and above 0: connect a surface with an area");
  }
}

// Where the place is on the highest sheet, to rounding, which the slope of a steep triangle makes larger.
bool SeedSurface::isSeenFromAbove(const Vec3d& place) const
{
  const auto top = heights_.highest(origin_.x + place.x, origin_.y + place.y);
  return top && top->z - (origin_.z + place.z) <= 1e-6 * length(extent_);
}

Vec3d SeedSurface::place(RandomStream& random) const
{
  constexpr int mostTries =
    100'000; // of a surface whose walls and undersides are 9999 parts of 10,000 one in ten thousand fails
  for (int i = 0; i < mostTries; ++i)
  {
    const double at = random.uniform() * areaUntil_.back();
    const auto found = std::upper_bound(areaUntil_.begin(), areaUntil_.end(), at);
    const auto t = std::min<std::ptrdiff_t>(
      found - areaUntil_.begin(), static_cast<std::ptrdiff_t>(areaUntil_.size()) - 1);
    const Vec3d* corner = &corners_[3 * static_cast<std::size_t>(t)];
    // The unit square, folded onto the triangle.
    double u = random.uniform(), v = random.uniform();
    if (u + v > 1)
    {
      u = 1 - u;
      v = 1 - v;
    }
    const Vec3d place = corner[0] + u * (corner[1] - corner[0]) + v * (corner[2] - corner[0]);
    if (isSeenFromAbove(place))
    {
      return place;
    }
  }
  refuse("area of the surface that can be seen from above",
    "0 of " + number(areaUntil_.back()) + " m^2",
    "be above 0: walls hold no seeds, connect a surface that is not upright");
}

} // namespace lapilli
