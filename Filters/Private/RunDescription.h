/// @file
/// What a model's filter makes of its inputs and properties: all that the base class needs to run it.
#pragma once

#include "Hash.h"

#include "Simulation.h"

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lapilli
{

struct RunDescription
{
  /// A run at t = 0. Called again whenever an engine is needed anew, so it owns what it uses.
  /// @throws InvalidInput, BackendError
  std::function<std::unique_ptr<Simulation>(const Device&)> create;

  /// [bytes] that a run until a time [s] will take, with all that is emitted until then. Called before the run goes
  /// beyond a time for which it has not yet been asked.
  /// @throws InvalidInput if that is more than there may be
  std::function<double(double)> estimateMemory;

  /// The triangles that a frame's SurfaceField with this name has its values on; called once, when they are
  /// first handed out. Null where a model has no such fields.
  std::function<vtkSmartPointer<vtkPolyData>(const std::string&)> surface;

  /// Model, its version, its parameters and the bytes of its input. The base adds what it owns:
  /// frame interval, backend and pinned times.
  Hasher hasher;

  /// What was dropped or chosen while the inputs were read, one sentence each.
  std::vector<std::string> notes;
};

} // namespace lapilli
