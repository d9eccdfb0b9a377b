/// @file
/// The counting engine as a filter, for the laws of the base class.
#pragma once

#include "CountingEngine.h"

#include "Private/ArrayBridge.h"
#include "Private/RunDescription.h"
#include "vtkLapilliSimulation.h"

#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkObjectFactory.h>
#include <vtkPointSet.h>

#include <memory>

class vtkCountingSimulation : public vtkLapilliSimulation
{
public:
  static vtkCountingSimulation* New();
  vtkTypeMacro(vtkCountingSimulation, vtkLapilliSimulation);

  vtkLapilliSetPhysicsMacro(Rate, double);
  vtkLapilliSetPhysicsMacro(Unhashed, double); ///< touches the timestamp, changes nothing

  std::shared_ptr<CountingWork> Work = std::make_shared<CountingWork>();

protected:
  vtkCountingSimulation()
  {
    this->SetNumberOfInputPorts(1);
    this->AddOutput(OUTPUT_SURFACE, "ground");
    this->AddOutput(OUTPUT_TABLE, "log");
  }

  int FillInputPortInformation(int, vtkInformation* info) override
  {
    info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
    info->Set(vtkAlgorithm::INPUT_IS_REPEATABLE(), 1);
    return 1;
  }

  void DescribeRun(vtkInformationVector** inputs, lapilli::RunDescription& run) override
  {
    ++this->Work->described;
    if (!(this->Rate > 0))
    {
      throw lapilli::InvalidInput("rate is bad; it must be > 0");
    }
    run.hasher.text("Counting");
    run.hasher.value(this->Rate);
    for (int i = 0; i < inputs[0]->GetNumberOfInformationObjects(); ++i)
    {
      auto* points = vtkPointSet::GetData(inputs[0], i);
      run.hasher.value(points->GetNumberOfPoints());
      for (vtkIdType p = 0; p < points->GetNumberOfPoints(); ++p)
      {
        run.hasher.value(points->GetPoint(p)[0]);
      }
    }
    const auto work = this->Work;
    const double frameInterval = this->FrameInterval;
    const double rate = this->Rate;
    run.create = [work, frameInterval, rate](const lapilli::Device&)
    { return std::make_unique<CountingEngine>(work, frameInterval, rate); };
    run.surface = [work](const std::string& field)
    {
      ++work->surfacesBuilt;
      return field == "ground" ? lapilli::toPolyData({ &work->ground }) : nullptr;
    };
    run.estimate = [work](double end)
    {
      if (end > work->longestEnd)
      {
        throw lapilli::InvalidInput("the run is too long for the memory");
      }
      return lapilli::RunEstimate{ 3e6, 0 };
    };
  }

  void DescribeLayout(lapilli::Frame& frame) override
  {
    auto work = std::make_shared<CountingWork>();
    CountingEngine(work, 1, 1).read(frame);
  }

  double Rate = 3.9;
  double Unhashed = 0;
};
