/// @file
/// One run of one model, as Filters see it.
///
///   auto simulation = createGranularFlow(scene, parameters, device);
///   SilentMonitor monitor;
///   for (int frame = 1; frame <= 100; ++frame)
///   {
///     simulation->advanceTo(frame * parameters.frameInterval, monitor);
///     simulation->read(result);
///   }
#pragma once

#include "Checkpoint.h"
#include "Device.h"
#include "Error.h"
#include "Frame.h"
#include "Monitor.h"
#include "Report.h"

namespace lapilli
{

class Simulation
{
public:
  virtual ~Simulation() = default;

  /// Simulated time [s].
  virtual double time() const = 0;

  /// Marches to a time of the frame grid (a whole multiple of the frame interval, not before
  /// time()). Steps land exactly on every time of the grid in between, so the result does not
  /// depend on which of them are asked for.
  /// @throws InvalidInput for a time off the grid or in the past, Cancelled, Diverged, BackendError
  virtual void advanceTo(double time, Monitor& monitor) = 0;

  /// Copies the present state. The datasets and arrays are the same at every time, also with no
  /// particles left.
  virtual void read(Frame& frame) const = 0;

  /// Writes all that the run needs to go on with the same bits. Only at a time of the frame grid.
  /// @throws InvalidInput between two times of the grid (after Cancelled)
  virtual void save(CheckpointWriter& writer) const = 0;

  /// Takes over a state written by save() of a run with the same scene, parameters and backend.
  /// @throws InvalidInput if the bytes come from something else
  virtual void restore(CheckpointReader& reader) = 0;

  virtual Report report() const = 0;
};

} // namespace lapilli
