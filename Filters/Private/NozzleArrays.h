/// @file
/// Point arrays that make a point a nozzle.
///
/// A point is a nozzle where the block has `emission_rate` or `emission_pulses`, unless its `emission_rate_unit`
/// is -1. All other arrays are optional:
///   emission_rate [1/s] or [kg/s]; emission_start [s], 0; emission_stop [s], infinity;
///   emission_speed [m/s], the length of velocity;
///   emission_pulses: instead of these four, any number of pulses, four components each: start, stop, rate, speed.
///     Unused ones have the stop 0 or a start that is not a number;
///   emission_rate_unit: -1 a seed, 0 particles per second, 1 kilograms per second, 0;
///   emission_direction [3], that of velocity, else up; emission_opening_radius [m], 0; emission_spread [degrees], 0;
///   emission_opening_normal [3], 0, 0, 0: that of the disc in which centres start; 0, 0, 0 is the direction;
///   emission_radius_law: 0 constant, 1 uniform, 2 log-normal, with emission_radius_parameters [5]: radius,
///     smallest, largest, median [m], spread [-]; without them the point's radius;
///   emission_turn [2]: of so many nozzles that take turns (the second) which one this is (the first, from 0); 0, 1;
///   random_seed: the nozzle's number, the same for all that take turns.
/// Points that follow one another and differ in nothing but rate, start, stop and speed are the pulses of one nozzle.
#pragma once

#include "PointArrays.h"

#include "Scene.h"

#include <array>
#include <cstdint>
#include <vector>

namespace lapilli
{

class NozzleArrays
{
public:
  /// @throws InvalidInput for arrays of a wrong kind, and values out of range
  explicit NozzleArrays(const PointBlock& block);

  bool isNozzle(std::size_t point) const;

  /// Appends the point's nozzle, or its pulses to the nozzle of the point before.
  /// @param nozzle with what seeds have too: position, density, temperature, source, material, shape, radius
  /// @param velocity [m/s] of the point
  void add(std::vector<Nozzle>& nozzles, std::size_t point, Nozzle nozzle,
    const std::array<double, 3>& velocity);

private:
  std::vector<double> read(const char* name, int components) const;
  std::vector<std::int64_t> readWhole(const char* name, int components) const;
  std::vector<Pulse> pulsesOf(std::size_t point, double speed) const;

  const PointBlock& block_;
  std::vector<double> rates_, starts_, stops_, speeds_, pulses_, units_, directions_, openings_,
    normals_, spreads_, laws_, radii_;
  std::vector<std::int64_t> seeds_, turns_;
  std::size_t pulseComponents_ = 0;
  std::size_t lastPoint_ = 0; ///< of the last nozzle, plus 1
};

} // namespace lapilli
