/// @file
/// New particles of a run, single spheres and clumps, as the arrays that State and Clumps take over.
#pragma once

#include "Clumps/Clumps.h"
#include "GranularFlow/GranularFlowPlan.h"

namespace lapilli
{

/// One that comes into a run.
struct NewBody
{
  std::int64_t id;
  Vec3d position, velocity;        ///< [m], local, and [m/s]
  double radius;                   ///< [m], of the sphere of its volume
  double birth;                    ///< [s]
  double density;                  ///< [kg/m^3]
  double temperature;              ///< [K]
  std::int32_t sourceId, material; ///< as given
  std::int32_t shape;              ///< -1 for a sphere
  Quatd orientation;               ///< of a clump: principal axes -> map
};

namespace LAPILLI_BACKEND
{

class NewBodies
{
public:
  /// @param clumps how many the run has already
  NewBodies(const GranularFlowPlan& plan, Index clumps)
    : plan_(plan)
    , nextClump_(clumps)
  {
  }

  void add(const NewBody& body);

  HostParticles particles;
  HostClumps clumps;

private:
  const GranularFlowPlan& plan_;
  Index nextClump_;
};

} // namespace LAPILLI_BACKEND
} // namespace lapilli
