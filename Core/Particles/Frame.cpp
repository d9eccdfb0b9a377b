#include "Frame.h"

#include "Error.h"

namespace lapilli
{

const Array& PointSet::array(const std::string& arrayName) const
{
  for (const Array& candidate : arrays)
    if (candidate.name == arrayName)
      return candidate;
  throw InvalidInput("point set '" + name + "' has no array '" + arrayName + "'");
}

const PointSet& Frame::pointSet(const std::string& pointSetName) const
{
  for (const PointSet& candidate : pointSets)
    if (candidate.name == pointSetName)
      return candidate;
  throw InvalidInput("the frame has no point set '" + pointSetName + "'");
}

std::size_t Frame::bytes() const
{
  std::size_t total = 0;
  for (const PointSet& points : pointSets)
  {
    total += points.positions.size() * sizeof(double);
    for (const Array& array : points.arrays)
      total += std::visit(
        [](const auto& values) { return values.size() * sizeof(values[0]); }, array.values);
  }
  return total;
}

} // namespace lapilli
