#include "Report.h"

#include <cctype>
#include <iomanip>
#include <sstream>

namespace lapilli
{
namespace
{

/// Bytes of the letter beyond ASCII that begins here, 0 if there is none.
std::size_t lengthBeyondAscii(const std::string& text, std::size_t first)
{
  const auto lead = static_cast<unsigned char>(text[first]);
  if (lead < 0xc2 || lead > 0xf4)
    return 0;
  const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  for (std::size_t k = first + 1; k < first + length; ++k)
    if (k >= text.size() || (static_cast<unsigned char>(text[k]) & 0xc0) != 0x80)
      return 0;
  return length;
}

} // namespace

std::string columnName(const std::string& words)
{
  std::string name;
  for (std::size_t i = 0; i < words.size();)
  {
    const std::size_t length = lengthBeyondAscii(words, i);
    const auto c = static_cast<unsigned char>(words[i]);
    if (length > 0)
      name += words.substr(i, length);
    else
      name += c < 0x80 && std::isalnum(c) != 0 ? words[i] : '_';
    i += length > 0 ? length : 1;
  }
  return name;
}

std::string Report::summary() const
{
  std::ostringstream text;
  text << std::setprecision(5);
  text << model << " " << version << " on " << device << "\n";
  text << "  time              " << time << " s in " << steps << " steps\n";
  if (steps > 0)
    text << "  step              " << timeStep << " s, limited by " << timeStepLimitedBy
         << "; smallest " << smallestTimeStep << " s\n";
  text << "  neighbour lists   built " << neighborBuilds << " times";
  text << (neighborSearch.empty() ? "" : " from ") << neighborSearch << "\n";
  text << "  particles         " << particles << (particleForm.empty() ? "" : " ") << particleForm
       << ", " << mass << " kg of " << massIn << " kg\n";
  text << "  at rest           " << particlesAtRest << ", " << massAtRest << " kg\n";
  if (emitted > 0 || waiting > 0)
  {
    text << "  emitted           " << emitted << ", " << massEmitted << " kg; " << waiting
         << " wait for room\n";
  }
  for (const Loss& loss : losses)
    if (loss.count > 0)
      text << "  lost              " << loss.count << " " << loss.reason << ", " << loss.mass
           << " kg\n";
  text << "  kinetic energy    " << kineticEnergy << " J, rotation " << rotationalEnergy << " J\n";
  text << "  potential energy  " << potentialEnergy << " J\n";
  text << "  momentum          " << momentum[0] << ", " << momentum[1] << ", " << momentum[2]
       << " kg m/s\n";
  for (const ObstacleForce& obstacle : obstacles)
  {
    text << "  force             on " << obstacle.name << " " << obstacle.force[0] << ", "
         << obstacle.force[1] << ", " << obstacle.force[2] << " N, greatest "
         << obstacle.greatestForce << " N, impulse " << obstacle.impulse[0] << ", "
         << obstacle.impulse[1] << ", " << obstacle.impulse[2] << " N s\n";
  }
  text << "  greatest speed    " << greatestSpeed << " m/s\n";
  text << "  front             " << frontDistance << " m from the middle of the sources\n";
  text << "  greatest overlap  " << 100 * greatestOverlap << " % of the smaller radius\n";
  text << "  memory            " << memory / (1 << 20) << " MiB\n";
  for (const std::string& note : notes)
    text << "  note              " << note << "\n";
  return text.str();
}

} // namespace lapilli
