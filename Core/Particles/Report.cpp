#include "Report.h"

#include <iomanip>
#include <sstream>

namespace lapilli
{

std::string Report::summary() const
{
  std::ostringstream text;
  text << std::setprecision(5);
  text << model << " " << version << " on " << device << "\n";
  text << "  time              " << time << " s in " << steps << " steps\n";
  text << "  step              " << timeStep << " s, limited by " << timeStepLimitedBy
       << "; smallest " << smallestTimeStep << " s\n";
  text << "  neighbour lists   built " << neighborBuilds << " times\n";
  text << "  particles         " << particles << ", " << mass << " kg of " << massIn << " kg\n";
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
         << obstacle.greatestForce << " N\n";
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
