/// @file
/// How large particles are.
#pragma once

namespace lapilli
{

enum class RadiusLaw
{
  Constant, ///< `radius`
  Uniform,  ///< equally likely between `smallestRadius` and `largestRadius`, by number
  LogNormal ///< the logarithm is normal, by number; drawn again outside the cut-offs
};

struct RadiusDistribution
{
  RadiusLaw radiusLaw = RadiusLaw::Constant;
  double radius = 0.5;         ///< [m], > 0, of Constant
  double smallestRadius = 0.3; ///< [m], > 0, of Uniform
  double largestRadius = 0.7;  ///< [m], >= smallestRadius, of Uniform
  double medianRadius = 0.5;   ///< [m], > 0, of LogNormal
  /// exp of the standard deviation of ln(radius), of LogNormal, [1, 5]. Cut-offs: radii outside
  /// [median / spread^3, median spread^3], 0.27 % of all, are drawn again.
  double radiusSpread = 1.3;

  double smallest() const; ///< [m], the cut-off below
  double largest() const;  ///< [m], the cut-off above

  /// @throws InvalidInput with name, value and range of the first field that is outside; fields
  ///         that the law does not use are not looked at
  void validateRadii() const;
};

} // namespace lapilli
