/// @file
/// Where a parameter usually lies. What is outside is not refused, for it may be meant: it is noted, once, with what it
/// does to a run, since most of it comes from a slip of the unit or of a decimal.
#pragma once

#include <string>

namespace lapilli
{

struct UsualRange
{
  const char* name;  ///< "restitution", as users read it
  const char* unit;  ///< "m/s", empty for a number
  double least;      ///< as few ends are sharp, the ends themselves are usual
  double greatest;   ///< infinite where more only costs time
  const char* below; ///< what a value below does to the run, as the end of a sentence
  const char* above;
  const char* origin; ///< where the range comes from

  bool holds(double value) const { return value >= least && value <= greatest; }

  /// "restitution is 0.99, above the usual 0.05 to 0.95: rocks hardly come to rest"; for a value that it does not hold.
  /// @param owner what it belongs to, "" for the run itself
  std::string note(double value, const std::string& owner = "") const;
};

} // namespace lapilli
