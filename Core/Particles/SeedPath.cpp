#include "Particles/SeedPath.h"

#include "Particles/JoinedLines.h"
#include "Particles/Refuse.h"
#include "Particles/SeedRegion.h"
#include "Particles/SpherePacking.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lapilli
{

SeedPath::SeedPath(const SeedingParameters& parameters, bool onMap)
{
  if (parameters.shape == SeedShape::Line)
  {
    origin_ = vec(parameters.lineStart);
    const Vec3d along = vec(parameters.lineEnd) - origin_;
    extent_ = { std::abs(along.x), std::abs(along.y), std::abs(along.z) };
    add({}, along);
    return;
  }
  const SeedGeometry& geometry = *parameters.geometry;
  const auto point = [&geometry](std::int64_t p) {
    return Vec3d{ geometry.points[3 * p], geometry.points[3 * p + 1], geometry.points[3 * p + 2] };
  };
  const std::vector<std::int64_t> segments = joinedLines(geometry.points, geometry.segments);
  origin_ = point(geometry.segments.front());
  Vec3d low, high;
  for (std::size_t s = 0; s + 1 < segments.size(); s += 2)
  {
    Vec3d ends[2] = { point(segments[s]) - origin_, point(segments[s + 1]) - origin_ };
    for (Vec3d& x : ends)
    {
      x.z = onMap ? 0 : x.z;
      low = { std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z) };
      high = { std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z) };
    }
    if (squaredLength(ends[1] - ends[0]) > 0)
    {
      add(ends[0], ends[1] - ends[0]);
    }
  }
  extent_ = high - low;
  if (from_.empty() || !std::isfinite(length()))
  {
    refuse("length of the lines", number(from_.empty() ? 0 : length()) + " m",
      "be finite and above 0: connect lines with a length");
  }
}

void SeedPath::add(const Vec3d& from, const Vec3d& along)
{
  from_.push_back(from);
  along_.push_back(along);
  lengthUntil_.push_back((lengthUntil_.empty() ? 0 : lengthUntil_.back()) + lapilli::length(along));
}

Vec3d SeedPath::at(double distance) const
{
  const auto found = std::lower_bound(lengthUntil_.begin(), lengthUntil_.end(), distance);
  const auto i = static_cast<std::size_t>(std::min<std::ptrdiff_t>(
    found - lengthUntil_.begin(), lengthUntil_.end() - lengthUntil_.begin() - 1));
  const double before = i > 0 ? lengthUntil_[i - 1] : 0, own = lengthUntil_[i] - before;
  const double share = own > 0 ? (distance - before) / own : 0;
  return from_[i] + share * along_[i];
}

namespace
{

/// Goes along the path and sets down one seed after another.
/// @param before [m], where each would stand on a straight path without room between, and cuts [m], that room
/// @return as many as have a place
std::vector<Vec3d> walk(const SeedPath& path, const std::vector<double>& radii,
  const std::vector<double>& before, const std::vector<double>& cuts, double share)
{
  std::vector<Vec3d> places;
  places.reserve(radii.size());
  SpherePacking packing(radii, path.extent());
  double late = 0;                            // [m], by bends so far
  const double least = 1e-15 * path.length(); // below it rounding swallows a step
  for (std::size_t i = 0; i < radii.size(); ++i)
  {
    const auto distance = [&] { return before[i] + share * cuts[i] + late; };
    // The first steps are for rounding, the last for sharp bends.
    double step = 2 * SpherePacking::gap * radii[i];
    while (distance() <= path.length() && !packing.isFree(path.at(distance()), radii[i]))
    {
      late += std::max(step, least);
      step = std::min(2 * step, radii[i] / 8);
    }
    if (distance() > path.length())
    {
      break;
    }
    places.push_back(path.at(distance()));
    packing.add(places.back(), radii[i]);
  }
  return places;
}

} // namespace

std::vector<Vec3d> placesAlongPath(const SeedPath& path, Crowding crowding,
  std::vector<double>& radii, RandomStream& random, std::int64_t& fitting)
{
  const std::size_t count = radii.size();
  for (std::size_t i = count; i > 1; --i)
  {
    std::swap(radii[i - 1], radii[random.below(i)]);
  }
  std::vector<double> before(count, 0); // [m], by the seeds from the first to each
  fitting = 1;
  for (std::size_t i = 1; i < count; ++i)
  {
    before[i] = before[i - 1] + (radii[i - 1] + radii[i]) * (1 + SpherePacking::gap);
    fitting += before[i] <= path.length();
  }
  std::vector<Vec3d> places;
  const std::vector<double> none(count, 0);
  if (fitting == static_cast<std::int64_t>(count) && !path.isStraight())
  {
    fitting = static_cast<std::int64_t>(walk(path, radii, before, none, 0).size());
  }
  if (fitting < static_cast<std::int64_t>(count))
  {
    for (std::size_t i = 0; i < count && crowding == Crowding::Overlap; ++i)
    {
      const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
      places.push_back(path.at(share * path.length()));
    }
    return places;
  }
  std::vector<double> cuts(count);
  for (double& cut : cuts)
  {
    cut = random.uniform(0, path.length() - before.back());
  }
  std::sort(cuts.begin(), cuts.end());
  if (path.isStraight())
  {
    for (std::size_t i = 0; i < count; ++i)
    {
      places.push_back(path.at(before[i] + cuts[i]));
    }
    return places;
  }
  places = walk(path, radii, before, cuts, 1);
  if (places.size() == count)
  {
    return places;
  }
  double share = 0; // the largest that is known to fit, by halving
  for (double step = 0.5; step > 1e-3; step /= 2)
  {
    share += walk(path, radii, before, cuts, share + step).size() == count ? step : 0;
  }
  return walk(path, radii, before, cuts, share);
}

} // namespace lapilli
