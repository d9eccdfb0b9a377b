/// @file
/// What a model's filter makes of its inputs and properties: all that the base class needs to run it.
#pragma once

#include "Hash.h"
#include "LocalFrame.h"

#include "Simulation.h"

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lapilli
{

/// What can be said before a run is marched.
struct RunEstimate
{
  double memory = 0;        ///< [bytes], of the engine
  double particleSteps = 0; ///< [-], of all frames until the end
};

struct RunDescription
{
  /// A run at t = 0. Called again whenever an engine is needed anew, so it owns what it uses.
  /// @throws InvalidInput, BackendError
  std::function<std::unique_ptr<Simulation>(const Device&)> create;

  /// What a run until a time [s] will take, with all that is emitted until then. Called before the run goes
  /// beyond a time for which it has not yet been asked, also while the engine marches.
  /// @throws InvalidInput if that is more memory than there may be
  std::function<RunEstimate(double)> estimate;

  /// The triangles that a frame's SurfaceField with this name has its values on; called once, when they are
  /// first handed out. Null where a model has no such fields.
  std::function<vtkSmartPointer<vtkPolyData>(const std::string&)> surface;

  /// Model, its version, its parameters and the bytes of its input. The base adds what it owns:
  /// frame interval, backend and pinned times.
  Hasher hasher;

  /// Where the terrain stands; everything else here is on the map.
  TerrainFrame terrain;

  /// What was dropped or chosen while the inputs were read, one sentence each.
  std::vector<std::string> notes;
};

} // namespace lapilli
