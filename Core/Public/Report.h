/// @file
/// What a run tells about itself: for the panel, the field data of a frame and the printed summary.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace lapilli
{

/// Particles that are no longer simulated, by reason.
struct Loss
{
  std::string reason; ///< "left the map", "fell into a hole", …
  std::int64_t count = 0;
  double mass = 0;                       ///< [kg]
  std::vector<std::int64_t> firstIds;    ///< particle_id of the first few, at most 10
  std::array<double, 3> firstPosition{}; ///< [m], where the first of them was, in input coordinates
};

/// Words as a part of the name of an array, in the field data as in the history: blanks, slashes, commas and what
/// else of ASCII is no letter or digit becomes '_', letters beyond ASCII (UTF-8) stay.
/// "left the map" -> "left_the_map"
std::string columnName(const std::string& words);

/// What the particles exert on an obstacle or a wall of the domain. Its arrays are NAME_force, NAME_greatest_force and
/// NAME_impulse, where NAME is columnName(name).
struct ObstacleForce
{
  std::string name;
  std::array<double, 3> force{};   ///< [N], averaged since the last frame
  double greatestForce = 0;        ///< [N], greatest magnitude in one step since the last frame
  std::array<double, 3> impulse{}; ///< [N s], since the start
};

struct Report
{
  std::string model;   ///< "Granular Flow"
  std::string version; ///< of the project
  std::string device;  ///< "CPU, 2 threads"

  double time = 0;               ///< [s]
  std::int64_t steps = 0;        ///< since the start of the run
  double timeStep = 0;           ///< [s], the last one
  double smallestTimeStep = 0;   ///< [s]
  std::string timeStepLimitedBy; ///< "contact time", "radius over speed", "given limit", …
  std::int64_t neighborBuilds = 0;
  std::string
    neighborSearch; ///< how neighbours are found, and why so; empty if nobody looks for them

  std::int64_t particles = 0; ///< simulated now
  std::string particleForm;   ///< "discs of 1 m depth in the plane XZ at y = 3 m"; empty in space
  double mass = 0;            ///< [kg], simulated now
  double massIn = 0;          ///< [kg], since the start, with what was emitted
  std::int64_t particlesAtRest = 0; ///< below the rest speed since the last frame
  double massAtRest = 0;            ///< [kg]
  std::int64_t emitted = 0;         ///< particles that came out of nozzles
  double massEmitted = 0;           ///< [kg]
  std::int64_t waiting = 0;         ///< due, but without room at their nozzle
  std::vector<Loss> losses;         ///< fixed order, zero counts included
  double kineticEnergy = 0;         ///< [J], translation
  double rotationalEnergy = 0;      ///< [J]
  double potentialEnergy = 0;       ///< [J], gravity, zero at the lowest point of the terrain
  std::array<double, 3> momentum{}; ///< [kg m/s]
  std::array<double, 3>
    supportForce{}; ///< [N], what terrain exerts on the particles, averaged since the last frame
  std::vector<ObstacleForce> obstacles; ///< in the order of the scene, then the walls of the domain
  double greatestSpeed = 0;             ///< [m/s], now
  double frontDistance =
    0; ///< [m], greatest horizontal way of any particle from the sources' middle
  double greatestOverlap = 0; ///< [-], overlap over the smaller radius, since the start
  double memory = 0;          ///< [bytes], held by the engine

  std::vector<std::string> notes; ///< one sentence each: what was repaired, dropped or chosen

  /// Several lines of text, as printed at the end of a run.
  std::string summary() const;
};

} // namespace lapilli
