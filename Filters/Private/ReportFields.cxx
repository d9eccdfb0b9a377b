#include "ReportFields.h"

#include "FieldArrays.h"
#include "Report.h"

#include <string>

namespace lapilli
{

void addReport(const Report& report, vtkFieldData* fields)
{
  addNumber(fields, "time", report.time);
  addCount(fields, "steps", report.steps);
  addNumber(fields, "time_step", report.timeStep);
  addNumber(fields, "smallest_time_step", report.smallestTimeStep);
  addText(fields, "time_step_limited_by", report.timeStepLimitedBy);
  addText(fields, "neighbor_search", report.neighborSearch);
  addCount(fields, "particles", report.particles);
  addNumber(fields, "mass", report.mass);
  addNumber(fields, "mass_in", report.massIn);
  addNumber(fields, "kinetic_energy", report.kineticEnergy);
  addNumber(fields, "rotational_energy", report.rotationalEnergy);
  addNumber(fields, "potential_energy", report.potentialEnergy);
  addVector(fields, "momentum", report.momentum);
  addVector(fields, "support_force", report.supportForce);
  addCount(fields, "particles_at_rest", report.particlesAtRest);
  addNumber(fields, "mass_at_rest", report.massAtRest);
  addCount(fields, "emitted", report.emitted);
  addNumber(fields, "mass_emitted", report.massEmitted);
  addCount(fields, "waiting", report.waiting);
  addNumber(fields, "greatest_speed", report.greatestSpeed);
  addNumber(fields, "front_distance", report.frontDistance);
  addNumber(fields, "greatest_overlap", report.greatestOverlap);
  for (const ObstacleForce& obstacle : report.obstacles)
  {
    const std::string name = columnName(obstacle.name);
    addVector(fields, name + "_force", obstacle.force);
    addNumber(fields, name + "_greatest_force", obstacle.greatestForce);
    addVector(fields, name + "_impulse", obstacle.impulse);
  }

  std::int64_t lost = 0;
  for (const Loss& loss : report.losses)
  {
    lost += loss.count;
    addCount(fields, "lost_" + columnName(loss.reason), loss.count);
  }
  addCount(fields, "lost_particles", lost);

  addText(fields, "model", report.model);
  addText(fields, "version", report.version);
  addText(fields, "device", report.device);
  addText(fields, "report", report.summary());
}

} // namespace lapilli
