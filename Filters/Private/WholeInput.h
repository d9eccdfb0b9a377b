/// @file
/// Work that one process does for all: the first asks for the whole input, the others for
/// nothing, and hand out nothing.
#pragma once

#include <vtkInformation.h>
#include <vtkStreamingDemandDrivenPipeline.h>

namespace lapilli
{

/// Whether the pipeline asks this process for the first piece.
inline bool isFirstPiece(vtkInformation* output)
{
  return !output->Has(vtkStreamingDemandDrivenPipeline::UPDATE_PIECE_NUMBER()) ||
         output->Get(vtkStreamingDemandDrivenPipeline::UPDATE_PIECE_NUMBER()) == 0;
}

/// In RequestUpdateExtent: the first process wants all pieces of an input.
inline void requestWholeInput(vtkInformation* input, vtkInformation* output)
{
  if (isFirstPiece(output))
  {
    using Pipeline = vtkStreamingDemandDrivenPipeline;
    if (input->Has(Pipeline::WHOLE_EXTENT()))
    {
      input->Set(Pipeline::UPDATE_EXTENT(), input->Get(Pipeline::WHOLE_EXTENT()), 6);
    }
    input->Set(Pipeline::UPDATE_PIECE_NUMBER(), 0);
    input->Set(Pipeline::UPDATE_NUMBER_OF_PIECES(), 1);
    input->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), 0);
  }
}

} // namespace lapilli
