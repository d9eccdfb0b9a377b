/// @file
/// Granular Flow: spheres that collide with one another and with terrain, by the discrete element
/// method (Cundall & Strack, Geotechnique 29 (1979) 47-65): rockfalls, talus, dry avalanches.
///
///   GranularFlowParameters parameters;
///   parameters.restitution = 0.4;
///   auto simulation = createGranularFlow(scene, parameters, Device{});
///
/// Datasets of a frame: one PointSet "particles" with the arrays
///   velocity [m/s, 3], angular_velocity [rad/s, 3], pressure [Pa], pressure_max [Pa],
///   radius [m], mass [kg], density [kg/m^3], temperature [K], kinetic_energy [J], age [s] (float);
///   particle_id (int64), source_id (int32), at_rest (uint8).
///
/// `pressure` is the sum of the normal contact forces over the sphere's surface, sum F / (4 pi r^2),
/// at this instant; `pressure_max` is its greatest value since the last frame (contacts last
/// milliseconds, so the instant is mostly zero). `kinetic_energy` is that of translation and
/// rotation. `at_rest` is 1 where the speed of the surface, |v| + r |omega|, has stayed below
/// `restSpeed` since the last frame.
#pragma once

#include "Device.h"
#include "Scene.h"
#include "Simulation.h"

#include <array>
#include <memory>

namespace lapilli
{

enum class Rotation
{
  Free,  ///< spheres spin
  Locked ///< spheres slide without spinning, as a block does
};

struct GranularFlowParameters
{
  std::array<double, 3> gravity{ 0, 0, -9.81 }; ///< [m/s^2], each finite

  double restitution = 0.4;        ///< between particles, rebound over impact speed, (0, 1]
  double friction = 0.5;           ///< between particles, Coulomb's coefficient, [0, 10]
  double terrainRestitution = 0.4; ///< against the terrain, (0, 1]
  double terrainFriction = 0.6;    ///< against the terrain, [0, 10]
  Rotation rotation = Rotation::Free;

  /// Stiffness follows from the overlap that is tolerated at the greatest speed. [1e-4, 0.3], as a
  /// fraction of the smallest radius. A smaller overlap costs proportionally more steps.
  double greatestOverlap = 0.1;
  /// [m/s], >= 0; relative speed of the hardest impact. 0: from the seeds' speeds and the drop
  /// from the highest seed to the lowest point of the terrain.
  double greatestSpeed = 0;

  double stepsPerContact = 20; ///< time steps during one binary collision, [8, 1000]
  double travelPerStep =
    0.1; ///< a step moves no particle by more than this fraction of the smallest radius, (0, 0.5]
  double timeStepLimit = 0; ///< [s], >= 0; an upper limit to the step, 0 for none
  /// Neighbours are listed up to this fraction of the smallest radius beyond contact: [0.01, 4], or
  /// 0 to be chosen by the greatest speed each time. It changes the speed of a run, not its physics.
  double skin = 0;

  double frameInterval = 0.1; ///< [s], > 0; the grid of times that steps land on
  double restSpeed = 0.05;    ///< [m/s], >= 0; see at_rest

  /// Seeds that overlap others are pushed apart if they are at most this fraction of all, else the
  /// run is refused. [0, 1]
  double overlappingSeedsLimit = 0.5;
  double memoryLimit =
    0; ///< [bytes], >= 0; refuse runs estimated above it; 0 = what the machine has free

  /// @throws InvalidInput with name, value and range of the first field that is outside
  void validate() const;
};

/// What can be said before a run: the numbers that follow from the parameters and the scene.
struct GranularFlowEstimate
{
  double greatestSpeed = 0; ///< [m/s], given or derived
  double contactTime = 0;   ///< [s], duration of a binary collision
  double timeStep = 0;      ///< [s]
  std::string timeStepLimitedBy;
  double memory = 0; ///< [bytes]
};

/// @throws InvalidInput as createGranularFlow()
GranularFlowEstimate estimateGranularFlow(
  const Scene& scene, const GranularFlowParameters& parameters);

/// Checks all input, places the particles and returns the run at t = 0.
/// Seeds below the terrain or outside its map are not simulated; the report counts and lists them.
/// @throws InvalidInput, BackendError
std::unique_ptr<Simulation> createGranularFlow(
  const Scene& scene, const GranularFlowParameters& parameters, const Device& device);

} // namespace lapilli
