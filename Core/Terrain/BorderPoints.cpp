#include "Terrain/BorderPoints.h"

#include <algorithm>
#include <cmath>

namespace lapilli
{

bool BorderPoints::Point::isOf(std::uint32_t tile) const
{
  return std::binary_search(tiles.begin(), tiles.end(), tile);
}

bool BorderPoints::Point::sharesTileWith(const Point& other) const
{
  return std::any_of(
    tiles.begin(), tiles.end(), [&other](std::uint32_t tile) { return other.isOf(tile); });
}

BorderPoints::BorderPoints(const RepairMesh& mesh, const std::vector<std::uint32_t>& edges,
  const std::vector<std::uint32_t>& tileOf)
{
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t h : edges)
  {
    numbers.insert(numbers.end(), { mesh.start(h), mesh.end(h) });
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  points_.resize(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
  {
    points_[i].number = numbers[i];
    points_[i].place = mesh.point(numbers[i]);
    points_[i].shortest = HUGE_VAL;
  }
  for (const std::uint32_t h : edges)
  {
    const double size = length(mesh.point(mesh.end(h)) - mesh.point(mesh.start(h)));
    const std::uint32_t tile = tileOf[mesh.sourceOf(h / 3)];
    for (const std::uint32_t number : { mesh.start(h), mesh.end(h) })
    {
      Point& point = points_[this->find(number)];
      point.shortest = std::min(point.shortest, size);
      const auto at = std::lower_bound(point.tiles.begin(), point.tiles.end(), tile);
      if (at == point.tiles.end() || *at != tile)
      {
        point.tiles.insert(at, tile);
      }
    }
  }
}

std::size_t BorderPoints::find(std::uint32_t number) const
{
  return static_cast<std::size_t>(
    std::lower_bound(points_.begin(), points_.end(), number,
      [](const Point& point, std::uint32_t n) { return point.number < n; }) -
    points_.begin());
}

void BorderPoints::bin(double size)
{
  size_ = size;
  origin_ = points_.empty() ? Vec3d{} : points_.front().place;
  bins_.clear();
  bins_.reserve(points_.size());
  next_.assign(points_.size(), RepairMesh::kNone);
  for (std::size_t i = points_.size(); i-- > 0;)
  {
    std::int64_t cell[3];
    this->cellOf(points_[i].place, cell);
    const auto [bin, isNew] =
      bins_.emplace(keyOf(cell[0], cell[1], cell[2]), static_cast<std::uint32_t>(i));
    if (!isNew)
    {
      next_[i] = bin->second;
      bin->second = static_cast<std::uint32_t>(i);
    }
  }
}

void BorderPoints::cellOf(const Vec3d& place, std::int64_t* cell) const
{
  const Vec3d local = place - origin_;
  const double axes[3] = { local.x, local.y, local.z };
  for (int axis = 0; axis < 3; ++axis)
  {
    cell[axis] = static_cast<std::int64_t>(std::clamp(std::floor(axes[axis] / size_), -4e18, 4e18));
  }
}

} // namespace lapilli
