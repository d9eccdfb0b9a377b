/// @file
/// The inputs of a simulation as the pipeline sees them: whole, held at their first time, and looked at again only where
/// something upstream has changed.
#pragma once

#include "Hash.h"

#include <tuple>
#include <vector>

class vtkAlgorithm;
class vtkInformationVector;

namespace lapilli
{

/// For RequestUpdateExtent: the whole input on every process, as a run is not yet divided, and time-dependent ones at their
/// first time step.
void holdInputs(vtkAlgorithm* filter, vtkInformationVector** inputs);

/// Whether an input was aborted before it was whole.
bool isAnyAborted(vtkAlgorithm* filter, vtkInformationVector** inputs);

class InputState
{
public:
  InputState() = default;
  InputState(vtkAlgorithm* filter, vtkInformationVector** inputs);

  bool operator==(const InputState& other) const { return connections_ == other.connections_; }
  bool operator!=(const InputState& other) const { return !(*this == other); }

  /// Of the times at which they are held.
  Digest times() const;

private:
  /// Producer, port, its output, its pipeline's modified time, whether it is held at a time, which [s].
  using Connection = std::tuple<const void*, int, int, unsigned long long, bool, double>;
  std::vector<Connection> connections_;
};

} // namespace lapilli
