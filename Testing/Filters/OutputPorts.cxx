/// @file
/// Several output ports under the time contract, on a model that costs nothing: each may be asked for
/// its own time, tables grow with the run, the triangles are there once.
#include "CountingSimulation.h"
#include "Pipelines.h"

#include "Private/Cache/FrameCache.h"

#include <gtest/gtest.h>

#include <vtkCellData.h>
#include <vtkTable.h>

using namespace pipelines;

namespace
{

constexpr int particles = 0;
constexpr int ground = 1;
constexpr int history = 2;

/// Ten frames of half a second.
vtkSmartPointer<vtkCountingSimulation> shortRun()
{
  auto filter = vtkSmartPointer<vtkCountingSimulation>::New();
  filter->SetFrameInterval(0.5);
  filter->SetEndTime(5);
  return filter;
}

void updatePort(vtkAlgorithm* filter, int port, double time)
{
  filter->UpdateInformation();
  filter->GetOutputInformation(port)->Set(
    vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP(), time);
  filter->Update(port);
}

double timeOf(vtkAlgorithm* filter, int port)
{
  return filter->GetOutputDataObject(port)->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP());
}

double passes(vtkAlgorithm* filter)
{
  auto* data = vtkPolyData::SafeDownCast(filter->GetOutputDataObject(ground));
  return data->GetCellData()->GetArray("passes")->GetTuple1(0);
}

/// Rows of the table; -1 where a row does not hold its number and time.
vtkIdType rows(vtkAlgorithm* filter)
{
  auto* table = vtkTable::SafeDownCast(filter->GetOutputDataObject(history));
  for (vtkIdType i = 0; i < table->GetNumberOfRows(); ++i)
  {
    if (table->GetValueByName(i, "frame").ToInt() != i ||
        table->GetValueByName(i, "time").ToDouble() != 0.5 * static_cast<double>(i))
    {
      return -1;
    }
  }
  return table->GetNumberOfRows();
}

void expectEmptyAndTyped(vtkAlgorithm* filter)
{
  auto* surface = vtkPolyData::SafeDownCast(filter->GetOutputDataObject(ground));
  auto* table = vtkTable::SafeDownCast(filter->GetOutputDataObject(history));
  ASSERT_NE(surface, nullptr);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(surface->GetNumberOfCells(), 0);
  EXPECT_NE(surface->GetCellData()->GetArray("passes"), nullptr);
  EXPECT_EQ(table->GetNumberOfRows(), 0);
  EXPECT_NE(table->GetColumnByName("time"), nullptr);
}

} // namespace

//------------------------------------------------------------------------------
TEST(OutputPorts, EveryPortPublishesTheTimesOfTheRun)
{
  auto filter = shortRun();
  filter->UpdateInformation();
  ASSERT_EQ(filter->GetNumberOfOutputPorts(), 3);
  for (const int port : { particles, ground, history })
  {
    vtkInformation* info = filter->GetOutputInformation(port);
    EXPECT_EQ(info->Length(vtkStreamingDemandDrivenPipeline::TIME_STEPS()), 11);
    EXPECT_EQ(info->Length(vtkStreamingDemandDrivenPipeline::TIME_RANGE()), 2);
  }
}

TEST(OutputPorts, OneRequestFillsAllOfThem)
{
  auto filter = shortRun();
  updatePort(filter, particles, 2);
  EXPECT_EQ(passes(filter), 4);
  EXPECT_EQ(rows(filter), 5);
  for (const int port : { particles, ground, history })
  {
    EXPECT_EQ(timeOf(filter, port), 2);
  }
}

TEST(OutputPorts, EachAloneWillDo)
{
  auto surface = shortRun();
  updatePort(surface, ground, 1.7);
  EXPECT_EQ(timeOf(surface, ground), 1.5);
  EXPECT_EQ(passes(surface), 3);
  auto table = shortRun();
  updatePort(table, history, 3);
  EXPECT_EQ(timeOf(table, history), 3);
  EXPECT_EQ(rows(table), 7);
  EXPECT_EQ(table->Work->steps, 60);
}

TEST(OutputPorts, WhicheverIsAskedHasTheTimeItWasAskedFor)
{
  auto filter = shortRun();
  // Also where a port comes back to the time it was asked for before another moved on, and where two are asked for the
  // same time one after the other.
  for (const auto& [port, time] :
    std::vector<std::pair<int, double>>{ { particles, 0.5 }, { ground, 4 }, { particles, 0.5 },
      { ground, 4 }, { history, 4 }, { particles, 0 }, { history, 0 }, { particles, 0.5 },
      { ground, 0.5 }, { history, 0.5 }, { history, 4 }, { ground, 0.5 }, { history, 4 } })
  {
    updatePort(filter, port, time);
    EXPECT_EQ(timeOf(filter, port), time) << port;
    EXPECT_EQ(passes(filter), 2 * time) << port;
    EXPECT_EQ(rows(filter), 1 + 2 * time) << port;
  }
  EXPECT_EQ(filter->Work->steps, 80);
  EXPECT_EQ(filter->GetNumberOfRuns(), 1);
}

TEST(OutputPorts, ThreeRequestsForOneTimeAreOneExecution)
{
  auto filter = shortRun();
  int executions = 0;
  vtkNew<vtkCallbackCommand> command;
  command->SetClientData(&executions);
  command->SetCallback(
    [](vtkObject*, unsigned long, void* count, void*) { ++*static_cast<int*>(count); });
  for (const double time : { 0.0, 0.5, 1.0 })
  {
    for (const int port : { particles, ground, history })
    {
      updatePort(filter, port, time);
    }
    if (time == 0)
    {
      filter->AddObserver(vtkCommand::StartEvent, command);
    }
  }
  EXPECT_EQ(executions, 2);
}

TEST(OutputPorts, AnOldRequestOfAnotherPortDoesNotMarchANewRun)
{
  auto filter = shortRun();
  updatePort(filter, ground, 5);
  updatePort(filter, particles, 0);
  filter->SetRate(3.8);
  const std::int64_t before = filter->Work->steps;
  updatePort(filter, particles, 0.5);
  EXPECT_EQ(filter->Work->steps - before, 10);
  updatePort(filter, ground, 5); // and yet gets what it asks for
  EXPECT_EQ(timeOf(filter, ground), 5);
  EXPECT_EQ(passes(filter), 10);
  updatePort(filter, particles, 0.5);
  EXPECT_EQ(timeOf(filter, particles), 0.5);
}

TEST(OutputPorts, TheTableIsThePrefixWhateverTheOrderOfRequests)
{
  for (const double budget : { 100.0, 0.01, 0.0 })
  {
    auto filter = shortRun();
    filter->SetCacheBudget(budget);
    for (const int i : { 7, 2, 10, 0, 3, 9, 9, 1, 8, 4, 6, 5, 10, 0, 7 })
    {
      updatePort(filter, history, 0.5 * i);
      EXPECT_EQ(rows(filter), i + 1) << "frame " << i << ", budget " << budget;
    }
    EXPECT_EQ(filter->GetNumberOfRuns(), 1);
  }
}

TEST(OutputPorts, TheTrianglesAreBuiltOnceARunAndShared)
{
  auto filter = shortRun();
  updatePort(filter, ground, 1);
  auto* output = vtkPolyData::SafeDownCast(filter->GetOutputDataObject(ground));
  vtkPoints* points = output->GetPoints();
  updatePort(filter, ground, 2);
  EXPECT_EQ(output->GetPoints(), points);
  EXPECT_EQ(output->GetNumberOfCells(), 1);
  EXPECT_EQ(filter->Work->surfacesBuilt, 1);
  filter->SetRate(3.8);
  updatePort(filter, ground, 2);
  EXPECT_EQ(filter->Work->surfacesBuilt, 2);
}

TEST(OutputPorts, AfterABadPropertyTheyAreEmptyAndTypedAndComeBack)
{
  auto filter = shortRun();
  Listener listener(filter);
  updatePort(filter, particles, 1);
  updatePort(filter, ground, 1);
  filter->SetRate(-1);
  updatePort(filter, particles, 1.5);
  expectEmptyAndTyped(filter);
  updatePort(filter, ground, 1.5); // the same fault is told once
  EXPECT_EQ(listener.errors.size(), 1u);
  filter->SetRate(3.9);
  updatePort(filter, ground, 1);
  EXPECT_EQ(passes(filter), 2);
  updatePort(filter, history, 1);
  EXPECT_EQ(rows(filter), 3);
  EXPECT_EQ(filter->GetNumberOfRuns(), 1);
}

TEST(OutputPorts, AnAbortReachesThePortsThatAreAskedNext)
{
  auto filter = shortRun();
  updatePort(filter, particles, 0);
  vtkNew<vtkCallbackCommand> command;
  command->SetCallback(
    [](vtkObject* caller, unsigned long, void*, void* progress)
    {
      auto* counting = static_cast<vtkCountingSimulation*>(caller);
      if (counting->Work->steps == 15 && *static_cast<double*>(progress) < 1)
      {
        counting->SetAbortExecuteAndUpdateTime();
      }
    });
  const auto tag = filter->AddObserver(vtkCommand::ProgressEvent, command);
  for (const int port : { particles, ground, history }) // one update of ParaView's proxy
  {
    updatePort(filter, port, 5);
    EXPECT_EQ(filter->Work->steps, 15) << port;
  }
  filter->RemoveObserver(tag);
  updatePort(filter, particles, 5); // the next one
  EXPECT_EQ(timeOf(filter, particles), 5);
  EXPECT_EQ(filter->Work->steps, 100);
  updatePort(filter, ground, 5);
  EXPECT_EQ(passes(filter), 10);
}

TEST(OutputPorts, ADivergenceIsToldOnceToAllPorts)
{
  auto filter = shortRun();
  filter->Work->divergesAt = 2.2;
  Listener listener(filter);
  for (const int port : { particles, ground, history })
  {
    updatePort(filter, port, 5);
    EXPECT_EQ(timeOf(filter, port), 2) << port;
  }
  EXPECT_EQ(rows(filter), 5);
  EXPECT_EQ(listener.errors.size(), 1u);
  updatePort(filter, ground, 1);
  EXPECT_EQ(passes(filter), 2);
}

//------------------------------------------------------------------------------
TEST(FrameCache, RowsOfTablesAreKeptOnceAndCounted)
{
  const auto frameWithRows = [](std::size_t count)
  {
    lapilli::StoredFrame stored;
    lapilli::Table table;
    table.name = "log";
    table.columns = { { "time", 1, "s", std::vector<double>(count) } };
    stored.frame.tables = { table };
    return stored;
  };
  lapilli::FrameCache cache;
  const std::size_t count = 1000;
  for (std::size_t i = 1; i <= count; ++i)
  {
    cache.store(static_cast<std::int64_t>(i), frameWithRows(i));
  }
  EXPECT_LE(cache.bytes(), count * (sizeof(lapilli::StoredFrame) + sizeof(double)));
  EXPECT_GE(cache.bytes(), count * sizeof(double));
  EXPECT_EQ(cache.table(0).rows(), count);
  const auto early = cache.find(7);
  EXPECT_EQ(early->tableRows.at(0), 7u);
  EXPECT_TRUE(early->frame.tables.at(0).columns.empty());
  cache.store(5000, frameWithRows(3)); // a short one does not shorten it
  EXPECT_EQ(cache.table(0).rows(), count);
}
