#include "SourceGround.h"

#include "../TerrainInput.h"

#include <algorithm>
#include <sstream>

namespace lapilli
{

void SourceGround::read(vtkDataObject* terrain)
{
  if (!terrain)
  {
    elevation_.reset();
    return;
  }
  if (elevation_ && terrain == terrain_ && terrain->GetMTime() == time_)
  {
    return;
  }
  elevation_.reset();
  const TerrainInput input = readTerrain(terrain);
  const Surface& surface = input.surface;
  origin_ = input.origin;
  for (std::size_t axis = 0; axis < 2; ++axis)
  {
    low_[axis] = high_[axis] = surface.points[axis];
    for (std::size_t p = 0; p < surface.pointCount(); ++p)
    {
      low_[axis] = std::min(low_[axis], surface.points[3 * p + axis]);
      high_[axis] = std::max(high_[axis], surface.points[3 * p + axis]);
    }
    low_[axis] -= origin_[axis];
    high_[axis] -= origin_[axis];
  }
  elevation_.emplace(surface);
  terrain_ = terrain;
  time_ = terrain->GetMTime();
}

std::string SourceGround::moveToMiddle(SeedingParameters& parameters) const
{
  const SeedingParameters defaults;
  std::array<double, 3> middle = parameters.center;
  bool isDefault = false;
  switch (parameters.shape)
  {
    case SeedShape::Line:
      isDefault =
        parameters.lineStart == defaults.lineStart && parameters.lineEnd == defaults.lineEnd;
      middle = { 50, 0, 0 };
      break;
    case SeedShape::Box:
      isDefault = parameters.boxCorner == defaults.boxCorner;
      middle = parameters.boxCorner;
      for (const auto& edge : parameters.boxEdges)
      {
        for (std::size_t axis = 0; axis < 3; ++axis)
        {
          middle[axis] += 0.5 * edge[axis];
        }
      }
      break;
    default:
      isDefault = middle == std::array<double, 3>{ 0, 0, 0 };
  }
  const bool isOver =
    middle[0] > low_[0] && middle[0] < high_[0] && middle[1] > low_[1] && middle[1] < high_[1];
  if (!elevation_ || !isDefault || isOver)
  {
    return {};
  }
  const double x = 0.5 * (low_[0] + high_[0]), y = 0.5 * (low_[1] + high_[1]);
  const auto ground = elevation_->highest(x + origin_[0], y + origin_[1]);
  const std::array<double, 3> shift{ x - middle[0], y - middle[1],
    ground ? ground->z - origin_[2] - middle[2] : 0 };
  for (auto* point :
    { &parameters.center, &parameters.lineStart, &parameters.lineEnd, &parameters.boxCorner })
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      (*point)[axis] += shift[axis];
    }
  }
  std::ostringstream text;
  text.precision(9);
  text << " The shape was left at the origin, beside the terrain, and was moved to its middle, x "
       << x << ", y " << y << ".";
  return text.str();
}

std::string SourceGround::extentText() const
{
  std::ostringstream text;
  text.precision(9);
  text << "x from " << low_[0] << " to " << high_[0] << " and y from " << low_[1] << " to "
       << high_[1];
  return text.str();
}

} // namespace lapilli
