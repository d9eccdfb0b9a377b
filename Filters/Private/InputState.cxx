#include "InputState.h"

#include <vtkAlgorithm.h>
#include <vtkAlgorithmOutput.h>
#include <vtkDemandDrivenPipeline.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkStreamingDemandDrivenPipeline.h>

namespace lapilli
{
namespace
{

using Pipeline = vtkStreamingDemandDrivenPipeline;

/// The time at which a time-dependent input is held.
struct PinnedTime
{
  bool given = false;
  double time = 0; ///< [s]
};

PinnedTime firstTimeOf(vtkInformation* input)
{
  for (auto* key : { Pipeline::TIME_STEPS(), Pipeline::TIME_RANGE() })
  {
    if (input->Has(key) && input->Length(key) > 0)
    {
      return { true, input->Get(key)[0] };
    }
  }
  return {};
}

} // namespace

void holdInputs(vtkAlgorithm* filter, vtkInformationVector** inputs)
{
  for (int port = 0; port < filter->GetNumberOfInputPorts(); ++port)
  {
    for (int i = 0; i < inputs[port]->GetNumberOfInformationObjects(); ++i)
    {
      vtkInformation* input = inputs[port]->GetInformationObject(i);
      const PinnedTime pinned = firstTimeOf(input);
      if (pinned.given)
      {
        input->Set(Pipeline::UPDATE_TIME_STEP(), pinned.time);
      }
      else
      {
        input->Remove(Pipeline::UPDATE_TIME_STEP());
      }
      // The executive has already turned the piece that was asked of this filter into an extent of structured inputs.
      if (input->Has(Pipeline::WHOLE_EXTENT()))
      {
        input->Set(Pipeline::UPDATE_EXTENT(), input->Get(Pipeline::WHOLE_EXTENT()), 6);
      }
      input->Set(Pipeline::UPDATE_PIECE_NUMBER(), 0);
      input->Set(Pipeline::UPDATE_NUMBER_OF_PIECES(), 1);
      input->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), 0);
    }
  }
}

bool isAnyAborted(vtkAlgorithm* filter, vtkInformationVector** inputs)
{
  for (int port = 0; port < filter->GetNumberOfInputPorts(); ++port)
  {
    for (int i = 0; i < inputs[port]->GetNumberOfInformationObjects(); ++i)
    {
      if (inputs[port]->GetInformationObject(i)->Get(vtkAlgorithm::ABORTED()))
      {
        return true;
      }
    }
  }
  return false;
}

InputState::InputState(vtkAlgorithm* filter, vtkInformationVector** inputs)
{
  for (int port = 0; port < filter->GetNumberOfInputPorts(); ++port)
  {
    for (int i = 0; i < inputs[port]->GetNumberOfInformationObjects(); ++i)
    {
      // The pipeline's time, never that of the data: a time-dependent neighbour renews its data at every
      // request of another consumer.
      auto* producer = vtkDemandDrivenPipeline::SafeDownCast(filter->GetInputExecutive(port, i));
      vtkMTimeType time = 0;
      if (producer)
      {
        producer->UpdatePipelineMTime();
        time = producer->GetPipelineMTime();
      }
      const PinnedTime pinned = firstTimeOf(inputs[port]->GetInformationObject(i));
      connections_.emplace_back(producer, port, filter->GetInputConnection(port, i)->GetIndex(),
        time, pinned.given, pinned.time);
    }
  }
}

Digest InputState::times() const
{
  Hasher hasher;
  for (const auto& [producer, port, output, modified, isHeld, time] : connections_)
  {
    hasher.value(isHeld);
    hasher.value(time);
  }
  return hasher.digest();
}

} // namespace lapilli
