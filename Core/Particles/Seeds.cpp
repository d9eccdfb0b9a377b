#include "Scene.h"

namespace lapilli
{

void Seeds::add(const std::array<double, 3>& position, const std::array<double, 3>& velocity,
  double radius, double density, double temperature, std::int32_t sourceId)
{
  positions.insert(positions.end(), position.begin(), position.end());
  velocities.insert(velocities.end(), velocity.begin(), velocity.end());
  radii.push_back(radius);
  densities.push_back(density);
  temperatures.push_back(temperature);
  sourceIds.push_back(sourceId);
}

} // namespace lapilli
