#include "RadiusDistribution.h"

#include "Particles/DrawRadius.h"
#include "Particles/Refuse.h"

namespace lapilli
{
namespace
{

constexpr double kCutOff = 3; ///< standard deviations of ln(radius)

}

double RadiusDistribution::smallest() const
{
  switch (radiusLaw)
  {
    case RadiusLaw::Constant:
      return radius;
    case RadiusLaw::Uniform:
      return smallestRadius;
    default:
      return medianRadius / std::pow(radiusSpread, kCutOff);
  }
}

double RadiusDistribution::largest() const
{
  switch (radiusLaw)
  {
    case RadiusLaw::Constant:
      return radius;
    case RadiusLaw::Uniform:
      return largestRadius;
    default:
      return medianRadius * std::pow(radiusSpread, kCutOff);
  }
}

void RadiusDistribution::validateRadii() const
{
  if (radiusLaw == RadiusLaw::Constant)
  {
    requirePositive("radius", radius);
  }
  else if (radiusLaw == RadiusLaw::Uniform)
  {
    requirePositive("smallest radius", smallestRadius);
    if (!(largestRadius >= smallestRadius) || !std::isfinite(largestRadius))
      refuse("largest radius", number(largestRadius),
        "be finite and not below the smallest radius, " + number(smallestRadius));
  }
  else
  {
    requirePositive("median radius", medianRadius);
    if (!(radiusSpread >= 1 && radiusSpread <= 5))
      refuse("spread of the radius", number(radiusSpread), "lie in [1, 5]");
    if (!(smallest() > 0) || !std::isfinite(largest()))
      refuse("median radius", number(medianRadius),
        "give radii above 0 and finite between the cut-offs, " + number(smallest()) + " and " +
          number(largest()) + " m");
  }
}

double drawRadius(const RadiusDistribution& distribution, RandomStream& random)
{
  switch (distribution.radiusLaw)
  {
    case RadiusLaw::Constant:
      return distribution.radius;
    case RadiusLaw::Uniform:
      return random.uniform(distribution.smallestRadius, distribution.largestRadius);
    default:
      break;
  }
  double deviations;
  do
  {
    deviations = random.normal();
  } while (std::abs(deviations) > kCutOff);
  return distribution.medianRadius *
         portableExp(deviations * portableLog(distribution.radiusSpread));
}

} // namespace lapilli
