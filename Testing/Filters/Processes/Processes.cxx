/// @file
/// A simulation in an MPI job: process 0 simulates, all take its decisions, and none waits for ever. Every case runs in all
/// processes at once.
#include "../CountingSimulation.h"
#include "../Pipelines.h"

#include <gtest/gtest.h>

#include <vtkCellData.h>
#include <vtkFieldData.h>
#include <vtkMPIController.h>
#include <vtkTable.h>

#include <chrono>

using namespace pipelines;

namespace
{

vtkMPIController* controller()
{
  return vtkMPIController::SafeDownCast(vtkMultiProcessController::GetGlobalController());
}

int process()
{
  return controller()->GetLocalProcessId();
}

int lastProcess()
{
  return controller()->GetNumberOfProcesses() - 1;
}

long long sumOverProcesses(long long value)
{
  long long sum = 0;
  controller()->AllReduce(&value, &sum, 1, vtkCommunicator::SUM_OP);
  return sum;
}

/// Ten frames of half a second.
vtkSmartPointer<vtkCountingSimulation> shortRun()
{
  auto filter = vtkSmartPointer<vtkCountingSimulation>::New();
  filter->SetFrameInterval(0.5);
  filter->SetEndTime(5);
  return filter;
}

/// Names, types and components of all arrays.
std::string layoutOf(vtkFieldData* arrays)
{
  std::string layout;
  for (int i = 0; i < arrays->GetNumberOfArrays(); ++i)
  {
    vtkAbstractArray* array = arrays->GetAbstractArray(i);
    layout += std::string(array->GetName()) + " " + array->GetDataTypeAsString() + " " +
              std::to_string(array->GetNumberOfComponents()) + "\n";
  }
  return layout;
}

std::string layoutOf(vtkAlgorithm* filter)
{
  auto* particles = vtkPolyData::SafeDownCast(filter->GetOutputDataObject(0));
  auto* ground = vtkPolyData::SafeDownCast(filter->GetOutputDataObject(1));
  auto* table = vtkTable::SafeDownCast(filter->GetOutputDataObject(2));
  return layoutOf(particles->GetPointData()) + "field\n" + layoutOf(particles->GetFieldData()) +
         "cells\n" + layoutOf(ground->GetCellData()) + "rows\n" + layoutOf(table->GetRowData());
}

void expectTheSameInAllProcesses(std::string text)
{
  int length = static_cast<int>(text.size());
  controller()->Broadcast(&length, 1, 0);
  std::vector<char> first(text.begin(), text.end());
  first.resize(static_cast<std::size_t>(length));
  controller()->Broadcast(first.data(), length, 0);
  EXPECT_EQ(text, std::string(first.begin(), first.end())) << "process " << process();
}

/// Stops the march at a step, in one process.
class AborterIn
{
public:
  AborterIn(int where, vtkCountingSimulation* filter)
  {
    if (process() == where && where == 0)
    {
      vtkNew<vtkCallbackCommand> command;
      command->SetCallback(
        [](vtkObject* caller, unsigned long, void*, void* progress)
        {
          auto* counting = static_cast<vtkCountingSimulation*>(caller);
          const bool isLastWord = *static_cast<double*>(progress) == 1; // of the executive
          if (counting->Work->steps == 37 && !isLastWord)
          {
            counting->SetAbortExecuteAndUpdateTime();
          }
        });
      filter->AddObserver(vtkCommand::ProgressEvent, command);
    }
    else if (process() == where)
    {
      filter->SetAbortExecuteAndUpdateTime();
    }
  }
};

class vtkFailingSource : public vtkPolyDataAlgorithm
{
public:
  static vtkFailingSource* New();
  vtkTypeMacro(vtkFailingSource, vtkPolyDataAlgorithm);
  bool Fails = false;

protected:
  vtkFailingSource() { this->SetNumberOfInputPorts(0); }
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector* outputs) override
  {
    vtkPolyData::GetData(outputs)->ShallowCopy(seeds({ { 1, 0, 0 } }));
    return this->Fails ? 0 : 1;
  }
};
vtkStandardNewMacro(vtkFailingSource);

/// One source of which that of one process fails at first.
void expectNobodyWaitsForEver(int failing)
{
  vtkNew<vtkFailingSource> source;
  source->Fails = process() == failing;
  auto filter = shortRun();
  filter->SetInputConnection(source->GetOutputPort());
  Listener listener(filter);
  Listener quiet(source);
  filter->UpdateTimeStep(1);
  EXPECT_EQ(filter->GetOutput()->GetNumberOfPoints(), process() == 0 && failing != 0 ? 100 : 0);
  EXPECT_EQ(listener.errors.size(), process() == failing || failing != 0 ? 0u : 1u);

  source->Fails = false;
  source->Modified();
  filter->UpdateTimeStep(2);
  EXPECT_EQ(dataTime(filter), 2);
  EXPECT_EQ(sumOverProcesses(filter->GetOutput()->GetNumberOfPoints()), 100);
}

} // namespace

//------------------------------------------------------------------------------
TEST(Processes, HandOutTheSameParticlesOnce)
{
  auto filter = shortRun();
  for (const double time : { 0.0, 2.0, 1.0, 5.0 })
  {
    filter->UpdateTimeStep(time);
    EXPECT_EQ(sumOverProcesses(filter->GetOutput()->GetNumberOfPoints()), 100);
    EXPECT_EQ(filter->GetOutput()->GetNumberOfPoints(), process() == 0 ? 100 : 0);
    EXPECT_EQ(dataTime(filter), time);
    EXPECT_EQ(fieldValue(filter->GetOutput(), "time"), time);
    EXPECT_EQ(fieldValue(filter->GetOutput(), "particles"), 100); // of the run
    expectTheSameInAllProcesses(layoutOf(filter));
  }
  EXPECT_EQ(filter->GetNumberOfRuns(), process() == 0 ? 1 : 0);
}

TEST(Processes, AnAbortOfAnyIsOneOfAll)
{
  for (const int where : { 0, lastProcess() })
  {
    auto filter = shortRun();
    filter->Work->secondsPerStep = 0.002;
    filter->UpdateTimeStep(0);
    {
      const AborterIn aborter(where, filter);
      filter->UpdateTimeStep(5);
      filter->RemoveAllObservers();
    }
    EXPECT_TRUE(filter->GetAbortOutput()) << "process " << process() << ", abort in " << where;
    const std::int64_t steps = filter->Work->steps;
    EXPECT_LT(steps, 100);
    filter->UpdateTimeStep(5);
    EXPECT_FALSE(filter->GetAbortOutput());
    EXPECT_EQ(dataTime(filter), 5);
    EXPECT_EQ(filter->Work->steps, process() == 0 ? 100 : 0); // nothing twice
    EXPECT_EQ(sumOverProcesses(filter->GetOutput()->GetNumberOfPoints()), 100);
  }
}

TEST(Processes, ADivergenceIsToldOnceAndAllShowTheLastGoodFrame)
{
  auto filter = shortRun();
  filter->Work->divergesAt = 3.2;
  Listener listener(filter);
  filter->UpdateTimeStep(5);
  EXPECT_EQ(sumOverProcesses(static_cast<long long>(listener.errors.size())), 1);
  EXPECT_EQ(dataTime(filter), 3);
  filter->UpdateTimeStep(1);
  EXPECT_EQ(dataTime(filter), 1);
}

TEST(Processes, BadInputIsToldOnceAndLeavesEmptyOutput)
{
  auto filter = shortRun();
  filter->SetRate(-1);
  Listener listener(filter);
  filter->UpdateTimeStep(1);
  EXPECT_EQ(sumOverProcesses(static_cast<long long>(listener.errors.size())), 1);
  EXPECT_EQ(sumOverProcesses(filter->GetOutput()->GetNumberOfPoints()), 0);
  expectTheSameInAllProcesses(layoutOf(filter));
  filter->SetRate(3.9);
  filter->UpdateTimeStep(1);
  EXPECT_EQ(sumOverProcesses(filter->GetOutput()->GetNumberOfPoints()), 100);
}

TEST(Processes, AnInputThatFailsInAnotherProcessStopsNobody)
{
  expectNobodyWaitsForEver(lastProcess());
}

TEST(Processes, LiveMarchesAsUsual)
{
  auto filter = shortRun();
  filter->LiveOn();
  Listener listener(filter);
  filter->UpdateTimeStep(5);
  EXPECT_EQ(dataTime(filter), 5);
  EXPECT_FALSE(filter->GetNeedsUpdate());
  EXPECT_EQ(sumOverProcesses(static_cast<long long>(listener.warnings.size())), 1);
}

// The others give up after a minute.
TEST(ProcessesFull, AnInputThatFailsInProcessZeroStopsNobodyForLong)
{
  expectNobodyWaitsForEver(0);
}

//------------------------------------------------------------------------------
int main(int argc, char** argv)
{
  testing::InitGoogleTest(&argc, argv);
  vtkNew<vtkMPIController> mpi;
  mpi->Initialize(&argc, &argv);
  vtkMultiProcessController::SetGlobalController(mpi);
  const int failed = RUN_ALL_TESTS();
  const long long failures = sumOverProcesses(failed);
  vtkMultiProcessController::SetGlobalController(nullptr);
  mpi->Finalize();
  return failures == 0 ? 0 : 1;
}
