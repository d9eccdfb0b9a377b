/// @file
/// The time contract, line by line, on a model that costs nothing.
#include "CountingSimulation.h"
#include "Pipelines.h"

#include <gtest/gtest.h>

#include <vtkOutputWindow.h>
#include <vtkPolyDataAlgorithm.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>
#include <thread>
#include <unistd.h>

using namespace pipelines;

namespace
{

/// Ten frames of half a second.
vtkSmartPointer<vtkCountingSimulation> shortRun()
{
  auto filter = vtkSmartPointer<vtkCountingSimulation>::New();
  filter->SetFrameInterval(0.5);
  filter->SetEndTime(5);
  return filter;
}

std::vector<std::vector<unsigned char>> playedForward(double cacheBudget = 100)
{
  auto filter = shortRun();
  filter->SetCacheBudget(cacheBudget);
  Listener listener(filter);
  std::vector<std::vector<unsigned char>> frames;
  for (int i = 0; i <= 10; ++i)
  {
    frames.push_back(bits(outputAt(filter, 0.5 * i)));
  }
  EXPECT_TRUE(listener.errors.empty());
  return frames;
}

/// A source whose data are renewed at every request for another time, like a reader of a series.
class vtkTimeVaryingSource : public vtkPolyDataAlgorithm
{
public:
  static vtkTimeVaryingSource* New();
  vtkTypeMacro(vtkTimeVaryingSource, vtkPolyDataAlgorithm);
  int Executions = 0;
  double FirstTime = 3;
  bool AbortsNext = false;
  std::vector<double> Requested;

protected:
  vtkTimeVaryingSource() { this->SetNumberOfInputPorts(0); }
  int RequestInformation(
    vtkInformation*, vtkInformationVector**, vtkInformationVector* outputs) override
  {
    using Pipeline = vtkStreamingDemandDrivenPipeline;
    vtkInformation* info = outputs->GetInformationObject(0);
    const double steps[3] = { this->FirstTime, this->FirstTime + 1, this->FirstTime + 2 };
    const double range[2] = { steps[0], steps[2] };
    info->Set(Pipeline::TIME_STEPS(), steps, 3);
    info->Set(Pipeline::TIME_RANGE(), range, 2);
    return 1;
  }
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector* outputs) override
  {
    vtkInformation* info = outputs->GetInformationObject(0);
    double time = this->FirstTime;
    if (info->Has(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP()))
    {
      time = info->Get(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP());
    }
    this->Requested.push_back(time);
    ++this->Executions;
    if (this->AbortsNext)
    {
      this->AbortsNext = false;
      this->SetAbortOutput(true);
      return 1;
    }
    auto* output = vtkPolyData::GetData(outputs);
    output->ShallowCopy(seeds({ { time, 0, 0 } }));
    output->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), time);
    return 1;
  }
};
vtkStandardNewMacro(vtkTimeVaryingSource);

/// Sets AbortExecute at the n-th progress event.
class Aborter
{
public:
  Aborter(vtkAlgorithm* filter, int atEvent)
    : atEvent_(atEvent)
  {
    vtkNew<vtkCallbackCommand> command;
    command->SetClientData(this);
    command->SetCallback(
      [](vtkObject* caller, unsigned long, void* client, void*)
      {
        auto* self = static_cast<Aborter*>(client);
        if (++self->events == self->atEvent_)
        {
          static_cast<vtkAlgorithm*>(caller)->SetAbortExecuteAndUpdateTime();
        }
      });
    filter->AddObserver(vtkCommand::ProgressEvent, command);
  }
  int events = 0;

private:
  int atEvent_;
};

} // namespace

//------------------------------------------------------------------------------
// Line 1

TEST(TimeContract, ALaterEndIsCheckedAgainstTheMemoryAndStartsNothingAnew)
{
  const auto filter = shortRun();
  filter->Work->longestEnd = 8;
  Listener listener(filter);
  filter->UpdateTimeStep(5);
  filter->SetEndTime(8);
  filter->UpdateTimeStep(8);
  EXPECT_TRUE(listener.errors.empty());
  EXPECT_EQ(dataTime(filter), 8);
  filter->SetEndTime(9);
  filter->UpdateTimeStep(9);
  ASSERT_EQ(listener.errors.size(), 1u);
  EXPECT_TRUE(contains(listener.errors[0], "too long for the memory"));
  filter->SetEndTime(7);
  filter->UpdateTimeStep(7);
  EXPECT_EQ(listener.errors.size(), 1u);
  EXPECT_EQ(filter->GetNumberOfRuns(), 1);
  EXPECT_EQ(filter->Work->creations, 1);
}

TEST(TimeContract, StepsAndRangeArePublishedBeforeAnythingIsComputed)
{
  auto filter = shortRun();
  filter->UpdateInformation();
  vtkInformation* info = filter->GetOutputInformation(0);
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  ASSERT_EQ(info->Length(Pipeline::TIME_STEPS()), 11);
  for (int i = 0; i <= 10; ++i)
  {
    EXPECT_DOUBLE_EQ(info->Get(Pipeline::TIME_STEPS())[i], 0.5 * i);
  }
  ASSERT_EQ(info->Length(Pipeline::TIME_RANGE()), 2);
  EXPECT_DOUBLE_EQ(info->Get(Pipeline::TIME_RANGE())[0], 0);
  EXPECT_DOUBLE_EQ(info->Get(Pipeline::TIME_RANGE())[1], 5);
  EXPECT_EQ(filter->Work->creations, 0);
}

TEST(TimeContract, AnEndTimeBetweenTwoFramesEndsAtTheEarlier)
{
  auto filter = shortRun();
  filter->SetFrameInterval(0.1); // 0.3 / 0.1 is 2.9999999999999996
  for (const auto& [endTime, steps] : { std::pair{ 0.3, 4 }, { 0.39, 4 }, { 0.0, 1 }, { 0.05, 1 } })
  {
    filter->SetEndTime(endTime);
    filter->UpdateInformation();
    EXPECT_EQ(
      filter->GetOutputInformation(0)->Length(vtkStreamingDemandDrivenPipeline::TIME_STEPS()),
      steps)
      << "end time " << endTime;
  }
}

//------------------------------------------------------------------------------
// Line 2

TEST(TimeContract, ARequestWithoutTimeMeansTheFirstStep)
{
  auto filter = shortRun();
  filter->Update();
  EXPECT_EQ(dataTime(filter), 0);
  EXPECT_EQ(filter->Work->steps, 0);
  EXPECT_EQ(vtkPolyData::SafeDownCast(filter->GetOutputDataObject(0))->GetNumberOfPoints(), 100);
}

TEST(TimeContract, OffGridTimesSnapToTheStepBeforeAndOutOfRangeOnesClamp)
{
  auto filter = shortRun();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<double, double>> requestedAndGiven = { { 0.74, 0.5 }, { 0.9999, 0.5 },
    { 1.0 - 0.4e-9 * 0.5, 1.0 }, { 1.0 - 1e-8, 0.5 }, { 1.0, 1.0 }, { 1.0 + 1e-12, 1.0 },
    { -3.0, 0.0 }, { 7.3, 5.0 }, { infinity, 5.0 }, { -infinity, 0.0 } };
  for (const auto& [requested, given] : requestedAndGiven)
  {
    auto output = outputAt(filter, requested);
    EXPECT_EQ(dataTime(filter), given) << "requested " << requested;
    EXPECT_NEAR(fieldValue(output, "time"), given, 1e-12) << "requested " << requested;
  }
}

TEST(TimeContract, TheSameFrameHasTheSameBitsHoweverItIsAsked)
{
  auto filter = shortRun();
  const auto exact = bits(outputAt(filter, 1.5));
  EXPECT_EQ(bits(outputAt(filter, 1.7)), exact);
  EXPECT_NE(bits(outputAt(filter, 2.0)), exact); // the comparison can fail
}

//------------------------------------------------------------------------------
// Line 3

TEST(TimeContract, ApplyComputesTheFirstFrameAndPlayOneIntervalARequest)
{
  auto filter = shortRun();
  filter->UpdateTimeStep(0);
  EXPECT_EQ(filter->Work->steps, 0);
  for (int i = 1; i <= 4; ++i)
  {
    filter->UpdateTimeStep(0.5 * i);
    EXPECT_EQ(filter->Work->steps, 10 * i);
  }
  filter->UpdateTimeStep(0.5); // in memory
  EXPECT_EQ(filter->Work->steps, 40);
  EXPECT_EQ(filter->Work->creations, 1);
}

TEST(TimeContract, ProgressComesWithEveryStepAndGrows)
{
  auto filter = shortRun();
  filter->UpdateTimeStep(0);
  std::vector<double> progress;
  vtkNew<vtkCallbackCommand> command;
  command->SetClientData(&progress);
  command->SetCallback([](vtkObject*, unsigned long, void* client, void* value)
    { static_cast<std::vector<double>*>(client)->push_back(*static_cast<double*>(value)); });
  filter->AddObserver(vtkCommand::ProgressEvent, command);
  filter->UpdateTimeStep(5);
  EXPECT_GE(progress.size(), 100u); // one a step, and those of the executive
  for (std::size_t i = 1; i < progress.size(); ++i)
  {
    EXPECT_GE(progress[i], progress[i - 1]);
    EXPECT_LE(progress[i], 1);
  }
}

TEST(TimeContract, AnAbortKeepsWhatWasComputedAndTheNextUpdateGoesOn)
{
  auto filter = shortRun();
  const auto expected = playedForward();
  Listener listener(filter);
  filter->UpdateTimeStep(0);
  Aborter aborter(filter, 37); // in the middle of the fourth interval, or close to it
  filter->UpdateTimeStep(5);
  const std::int64_t stepsAtAbort = filter->Work->steps;
  EXPECT_GT(stepsAtAbort, 30);
  EXPECT_LT(stepsAtAbort, 40);
  EXPECT_EQ(filter->GetAbortExecute(), 0); // else the next march would end at its first step

  const auto last = bits(outputAt(filter, 5));
  EXPECT_EQ(last, expected[10]);
  EXPECT_EQ(filter->Work->steps, 100); // nothing twice
  EXPECT_EQ(filter->Work->creations, 1);
  EXPECT_EQ(filter->GetNumberOfRuns(), 1);
  EXPECT_TRUE(listener.errors.empty());
  EXPECT_EQ(bits(outputAt(filter, 1)), expected[2]); // kept from before the abort
  EXPECT_EQ(filter->Work->steps, 100);
}

TEST(TimeContract, AnAbortByTheFlagAloneIsObeyedToo)
{
  auto filter = shortRun();
  filter->UpdateTimeStep(0);
  vtkNew<vtkCallbackCommand> command;
  command->SetCallback(
    [](vtkObject* caller, unsigned long, void*, void* progress)
    {
      auto* counting = static_cast<vtkCountingSimulation*>(caller);
      if (counting->Work->steps == 15 &&
          *static_cast<double*>(progress) < 1) // not the executive's last word
      {
        counting->AbortExecute = 1;
      }
    });
  const auto tag = filter->AddObserver(vtkCommand::ProgressEvent, command);
  filter->UpdateTimeStep(5);
  EXPECT_EQ(filter->Work->steps, 15);
  filter->RemoveObserver(tag);
  filter->UpdateTimeStep(1);
  EXPECT_EQ(filter->Work->steps, 20);
  EXPECT_EQ(dataTime(filter), 1);
}

namespace interrupts
{
volatile std::sig_atomic_t seen = 0;
void handle(int)
{
  ++seen;
}
} // namespace interrupts

TEST(TimeContract, AnInterruptFromTheKeyboardIsAnAbortAndReachesItsHandler)
{
  auto filter = shortRun();
  filter->UpdateTimeStep(0);
  interrupts::seen = 0;
  const auto before = std::signal(SIGINT, interrupts::handle);
  vtkNew<vtkCallbackCommand> command;
  command->SetCallback(
    [](vtkObject* caller, unsigned long, void*, void* progress)
    {
      auto* counting = static_cast<vtkCountingSimulation*>(caller);
      if (counting->Work->steps == 15 && *static_cast<double*>(progress) < 1)
      {
        std::raise(SIGINT);
        EXPECT_EQ(interrupts::seen, 0); // not yet
      }
    });
  const auto tag = filter->AddObserver(vtkCommand::ProgressEvent, command);
  filter->UpdateTimeStep(5);
  EXPECT_EQ(filter->Work->steps, 15);
  EXPECT_EQ(interrupts::seen, 1);
  filter->RemoveObserver(tag);

  std::raise(SIGINT); // outside a march it goes where it always went
  EXPECT_EQ(interrupts::seen, 2);
  filter->UpdateTimeStep(5);
  EXPECT_EQ(dataTime(filter), 5);
  EXPECT_EQ(filter->Work->steps, 100); // nothing twice
  EXPECT_EQ(std::signal(SIGINT, before), interrupts::handle);
}

TEST(TimeContract, AnInterruptEndsAWholeSeriesAndNotWhatComesAfterIt)
{
  auto filter = shortRun();
  filter->UpdateTimeStep(0);
  const auto before = std::signal(SIGINT, interrupts::handle);
  vtkNew<vtkCallbackCommand> command;
  command->SetCallback(
    [](vtkObject* caller, unsigned long, void*, void* progress)
    {
      auto* counting = static_cast<vtkCountingSimulation*>(caller);
      if (counting->Work->steps == 15 && *static_cast<double*>(progress) < 1)
      {
        std::raise(SIGINT);
      }
    });
  const auto tag = filter->AddObserver(vtkCommand::ProgressEvent, command);
  for (int i = 2; i <= 10; ++i) // a writer of a series
  {
    filter->UpdateTimeStep(0.5 * i);
    EXPECT_EQ(filter->Work->steps, 15) << i;
  }
  filter->RemoveObserver(tag);
  std::signal(SIGINT, before);
  std::this_thread::sleep_for(std::chrono::milliseconds(300)); // the script has noticed
  filter->UpdateTimeStep(4);
  EXPECT_EQ(dataTime(filter), 4);
  EXPECT_EQ(filter->Work->steps, 80);
}

TEST(TimeContract, AFlagThatIsSetAfterTheMarchStopsNothing)
{
  auto filter = shortRun();
  filter->UpdateTimeStep(0);
  vtkNew<vtkCallbackCommand>
    command; // also at the executive's last progress event, after the march
  command->SetCallback(
    [](vtkObject* caller, unsigned long, void*, void*)
    {
      auto* counting = static_cast<vtkCountingSimulation*>(caller);
      if (counting->Work->steps % 10 == 5)
      {
        counting->SetAbortExecute(1);
      }
    });
  filter->AddObserver(vtkCommand::ProgressEvent, command);
  for (const int steps : { 5, 15, 25 })
  {
    filter->UpdateTimeStep(5);
    EXPECT_EQ(filter->Work->steps, steps);
  }
}

TEST(TimeContract, AfterAnAbortAnEarlierFrameIsComputedWithTheSameBits)
{
  const auto expected = playedForward();
  auto filter = shortRun();
  filter->SetCacheBudget(0); // frame 1 is gone when it is asked for
  filter->UpdateTimeStep(0);
  Aborter aborter(filter, 37);
  filter->UpdateTimeStep(5);
  EXPECT_EQ(bits(outputAt(filter, 0.5)), expected[1]);
  EXPECT_EQ(bits(outputAt(filter, 5)), expected[10]);
}

TEST(TimeContract, AnAbortedInputIsNoErrorAndIsAskedAgain)
{
  auto filter = shortRun();
  auto source = vtkSmartPointer<vtkTimeVaryingSource>::New();
  filter->SetInputConnection(source->GetOutputPort());
  Listener listener(filter);
  source->AbortsNext = true;
  filter->UpdateTimeStep(1);
  EXPECT_EQ(filter->Work->described, 0);
  EXPECT_EQ(outputAt(filter, 1)->GetNumberOfPoints(), 100);
  EXPECT_EQ(filter->Work->described, 1);
  EXPECT_TRUE(listener.errors.empty());
}

TEST(TimeContract, ALongMarchIsAnnouncedWithAnEstimate)
{
  auto filter = shortRun();
  filter->Work->secondsPerStep = 0.02;
  filter->Work->stepsPerFrame = 200; // 40 s, if it were not aborted
  filter->UpdateTimeStep(0);

  struct Heard
  {
    vtkAlgorithm* filter;
    std::string text;
  } heard{ filter, {} };
  vtkNew<vtkCallbackCommand> command;
  command->SetClientData(&heard);
  command->SetCallback(
    [](vtkObject*, unsigned long, void* client, void* text)
    {
      auto* h = static_cast<Heard*>(client);
      h->text += static_cast<const char*>(text);
      h->filter->SetAbortExecuteAndUpdateTime();
    });
  const auto tag = vtkOutputWindow::GetInstance()->AddObserver(vtkCommand::MessageEvent, command);
  const auto start = std::chrono::steady_clock::now();
  filter->UpdateTimeStep(5);
  const double wall =
    std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  vtkOutputWindow::GetInstance()->RemoveObserver(tag);

  EXPECT_TRUE(contains(heard.text, "takes about")) << heard.text;
  EXPECT_LT(wall, 5);
}

TEST(TimeContract, AShortMarchIsNotAnnounced)
{
  auto filter = shortRun();
  filter->Work->secondsPerStep = 0.012;
  bool heard = false;
  vtkNew<vtkCallbackCommand> command;
  command->SetClientData(&heard);
  command->SetCallback(
    [](vtkObject*, unsigned long, void* client, void*) { *static_cast<bool*>(client) = true; });
  const auto tag = vtkOutputWindow::GetInstance()->AddObserver(vtkCommand::MessageEvent, command);
  Listener listener(filter);
  filter->UpdateTimeStep(5); // 1.2 s
  vtkOutputWindow::GetInstance()->RemoveObserver(tag);
  EXPECT_FALSE(heard);
}

//------------------------------------------------------------------------------
// Line 4, and the cache

TEST(TimeContract, AnyOrderOfRequestsGivesTheBitsOfPlayingForward)
{
  const auto expected = playedForward();
  for (const double budget : { 100.0, 0.02, 0.0 }) // all frames fit, a few, one
  {
    auto filter = shortRun();
    filter->SetCacheBudget(budget);
    for (const int i : { 7, 2, 10, 0, 3, 9, 9, 1, 8, 4, 6, 5, 10, 0, 7 })
    {
      EXPECT_EQ(bits(outputAt(filter, 0.5 * i)), expected[static_cast<std::size_t>(i)])
        << "frame " << i << ", budget " << budget;
    }
    EXPECT_EQ(filter->GetNumberOfRuns(), 1);
  }
}

TEST(TimeContract, TwoHundredRandomSequencesGiveTheBitsOfPlayingForward)
{
  const auto expected = playedForward();
  std::mt19937 random(4);
  const auto below = [&random](int n)
  { return static_cast<int>(random() % static_cast<unsigned int>(n)); };
  const double budgets[] = { 100.0, 0.02, 0.01, 0.0 };
  for (int sequence = 0; sequence < 200; ++sequence)
  {
    auto filter = shortRun();
    filter->SetCacheBudget(budgets[below(4)]);
    Listener listener(filter);
    for (int request = 0; request < 12; ++request)
    {
      const int index = below(11);
      switch (below(6))
      {
        case 0:
          filter->SetCacheBudget(budgets[below(4)]);
          break;
        case 1:
          filter->SetThreads(below(4));
          break;
        case 2: // shorter and longer again: the beginning is kept
          filter->SetEndTime(0.5 * index);
          filter->UpdateTimeStep(5);
          ASSERT_EQ(dataTime(filter), 0.5 * index);
          filter->SetEndTime(5);
          break;
        case 3: // aborted somewhere on the way, or not at all
        {
          Aborter aborter(filter, 1 + below(60));
          filter->UpdateTimeStep(0.5 * index);
          filter->RemoveAllObservers();
          filter->AbortExecute = 0;
          break;
        }
        default:
          break;
      }
      ASSERT_EQ(bits(outputAt(filter, 0.5 * index)), expected[static_cast<std::size_t>(index)])
        << "sequence " << sequence << ", request " << request << ", frame " << index;
    }
    EXPECT_EQ(filter->GetNumberOfRuns(), 1);
    EXPECT_TRUE(listener.errors.empty());
  }
}

TEST(TimeContract, NumbersOfTheReportDoNotDependOnTheOrderEither)
{
  auto filter = shortRun();
  filter->SetCacheBudget(0);
  outputAt(filter, 5);
  for (const int i : { 3, 9, 1 })
  {
    EXPECT_EQ(fieldValue(outputAt(filter, 0.5 * i), "steps"), 10 * i);
  }
}

TEST(FrameBudget, TheCacheStaysWithinItsBudgetAndEvictedFramesComeBackFromACheckpoint)
{
  auto filter = shortRun();
  filter->SetEndTime(50); // 100 frames of about 4.6 kB, checkpoints of 0.8 kB
  const double budget = 0.05;
  filter->SetCacheBudget(budget);
  std::vector<std::vector<unsigned char>> expected;
  for (int i = 0; i <= 100; ++i)
  {
    expected.push_back(bits(outputAt(filter, 0.5 * i)));
    EXPECT_LE(filter->GetCacheUsed(), budget) << "frame " << i;
  }
  EXPECT_GT(filter->GetCacheUsed(), 0.5 * budget); // and makes use of it

  const std::int64_t before = filter->Work->steps;
  EXPECT_EQ(bits(outputAt(filter, 0.5 * 57)), expected[57]);
  const auto recomputed = filter->Work->steps - before;
  EXPECT_GT(recomputed, 0); // it had been evicted
  EXPECT_LT(recomputed, 20 * 10);
  EXPECT_GT(filter->Work->restores, 0);
  EXPECT_EQ(filter->Work->creations, 1);

  // The way back to the end costs no more than from the frontier.
  const std::int64_t beforeEnd = filter->Work->steps;
  filter->SetEndTime(50.5);
  outputAt(filter, 50.5);
  EXPECT_EQ(filter->Work->steps - beforeEnd, 10);
}

TEST(FrameBudget, TenThousandFramesTakeNoMoreMemoryThanAThousand)
{
  const auto residentMegabytes = []
  {
    std::ifstream file("/proc/self/statm");
    double pages = 0;
    file >> pages >> pages;
    return pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) * 1e-6;
  };
  vtkNew<vtkCountingSimulation> filter;
  filter->Work->stepsPerFrame = 1;
  filter->SetFrameInterval(0.5);
  filter->SetEndTime(5000);
  filter->SetCacheBudget(4);
  double beforeTheRest = 0;
  for (int i = 0; i <= 10000; ++i)
  {
    filter->UpdateTimeStep(0.5 * i);
    beforeTheRest = i == 1000 ? residentMegabytes() : beforeTheRest;
  }
  EXPECT_EQ(dataTime(filter), 5000);
  EXPECT_LE(filter->GetCacheUsed(), 4);
  // All frames would be 60 MB.
  EXPECT_LT(residentMegabytes() - beforeTheRest, 4);
}

TEST(FrameBudget, ASmallerBudgetEvictsAtOnceAndNeverRestarts)
{
  auto filter = shortRun();
  outputAt(filter, 5);
  const double full = filter->GetCacheUsed();
  filter->SetCacheBudget(full / 3);
  outputAt(filter, 5);
  EXPECT_LE(filter->GetCacheUsed(), full / 3);
  EXPECT_EQ(filter->Work->steps, 100);
  EXPECT_EQ(filter->GetNumberOfRuns(), 1);
}

//------------------------------------------------------------------------------
// Line 6

TEST(Restart, OutputPropertiesNeverRestart)
{
  auto filter = shortRun();
  const auto before = bits(outputAt(filter, 2));
  filter->SetCacheBudget(7);
  filter->SetThreads(2);
  filter->SetEndTime(20);
  EXPECT_EQ(bits(outputAt(filter, 2)), before);
  filter->SetEndTime(1); // shorter: a part
  outputAt(filter, 9);
  EXPECT_EQ(dataTime(filter), 1);
  filter->SetEndTime(3); // longer again: goes on
  outputAt(filter, 3);
  EXPECT_EQ(filter->Work->steps, 60);
  EXPECT_EQ(filter->GetNumberOfRuns(), 1);
  EXPECT_EQ(filter->Work->described, 1); // nor are the inputs read again
}

TEST(Restart, OtherThreadsGoOnFromTheStateReached)
{
  const auto expected = playedForward();
  auto filter = shortRun();
  outputAt(filter, 2);
  filter->SetThreads(3);
  EXPECT_EQ(bits(outputAt(filter, 2.5)), expected[5]);
  EXPECT_EQ(filter->Work->steps, 50);
  EXPECT_EQ(filter->Work->creations, 2);
  EXPECT_EQ(filter->GetNumberOfRuns(), 1);
}

TEST(Restart, APhysicsPropertyRestartsOnlyIfTheHashDiffers)
{
  auto filter = shortRun();
  outputAt(filter, 2);
  filter->SetRate(3.8);
  filter->SetRate(3.9); // and back
  outputAt(filter, 2);
  EXPECT_EQ(filter->GetNumberOfRuns(), 1);
  EXPECT_EQ(filter->Work->described, 2); // looked again

  filter->SetUnhashed(1);
  outputAt(filter, 2);
  EXPECT_EQ(filter->GetNumberOfRuns(), 1);

  filter->Modified(); // no physics: not even looked at
  outputAt(filter, 2.5);
  EXPECT_EQ(filter->Work->described, 3);

  filter->SetRate(3.7);
  outputAt(filter, 2);
  EXPECT_EQ(filter->GetNumberOfRuns(), 2);
  filter->SetFrameInterval(0.25);
  outputAt(filter, 2);
  EXPECT_EQ(filter->GetNumberOfRuns(), 3);
}

TEST(Restart, ChangedInputBytesRestartAndUnchangedOnesDoNot)
{
  auto filter = shortRun();
  auto input = seeds({ { 1, 0, 0 } });
  auto producer = produce(input);
  filter->SetInputConnection(producer->GetOutputPort());
  outputAt(filter, 1);
  EXPECT_EQ(filter->Work->described, 1);

  input->Modified(); // the same bytes
  outputAt(filter, 1);
  EXPECT_EQ(filter->Work->described, 2);
  EXPECT_EQ(filter->GetNumberOfRuns(), 1);

  input->GetPoints()->SetPoint(0, 2, 0, 0);
  input->GetPoints()->Modified();
  outputAt(filter, 1);
  EXPECT_EQ(filter->GetNumberOfRuns(), 2);

  auto other = produce(seeds({ { 2, 0, 0 } })); // another connection, the same bytes
  filter->SetInputConnection(other->GetOutputPort());
  outputAt(filter, 1);
  EXPECT_EQ(filter->GetNumberOfRuns(), 2);

  filter->AddInputConnection(producer->GetOutputPort());
  outputAt(filter, 1);
  EXPECT_EQ(filter->GetNumberOfRuns(), 3);
}

TEST(Restart, ATimeVaryingInputIsHeldAtItsFirstStepAlsoWhileItIsShownAtOtherTimes)
{
  auto filter = shortRun();
  auto source = vtkSmartPointer<vtkTimeVaryingSource>::New();
  filter->SetInputConnection(source->GetOutputPort());
  for (int i = 0; i <= 10; ++i)
  {
    source->UpdateTimeStep(3 + 0.2 * i); // as a view would
    outputAt(filter, 0.5 * i);
  }
  EXPECT_EQ(filter->GetNumberOfRuns(), 1);
  EXPECT_EQ(filter->Work->described, 1);
  EXPECT_EQ(filter->Work->steps, 100);

  source->FirstTime = 4; // another pinned time: another run
  source->Modified();
  outputAt(filter, 5);
  EXPECT_EQ(filter->GetNumberOfRuns(), 2);
}

TEST(Restart, ATimeVaryingInputIsAskedForItsFirstStepOnly)
{
  auto filter = shortRun();
  auto source = vtkSmartPointer<vtkTimeVaryingSource>::New();
  filter->SetInputConnection(source->GetOutputPort());
  for (int i = 0; i <= 10; ++i)
  {
    outputAt(filter, 0.5 * i);
  }
  EXPECT_EQ(source->Requested, std::vector<double>{ 3 });
}

//------------------------------------------------------------------------------
// Line 7

TEST(BadInput, ABadPropertyOfTheBaseIsOneSentenceAndTheFilterLivesOn)
{
  const double notANumber = std::numeric_limits<double>::quiet_NaN();
  struct Case
  {
    const char* part;
    void (*spoil)(vtkCountingSimulation*, double);
    double value;
  };
  const std::vector<Case> cases = {
    { "end time is -1", [](auto* f, double v) { f->SetEndTime(v); }, -1 },
    { "end time is nan", [](auto* f, double v) { f->SetEndTime(v); }, notANumber },
    { "end time over frame interval", [](auto* f, double v) { f->SetEndTime(v); }, 1e12 },
    { "frame interval is 0", [](auto* f, double v) { f->SetFrameInterval(v); }, 0 },
    { "frame interval is -0.1", [](auto* f, double v) { f->SetFrameInterval(v); }, -0.1 },
    { "frame interval is nan", [](auto* f, double v) { f->SetFrameInterval(v); }, notANumber },
    { "cache budget is -2", [](auto* f, double v) { f->SetCacheBudget(v); }, -2 },
    { "threads is 5000", [](auto* f, double v) { f->SetThreads(static_cast<int>(v)); }, 5000 },
    { "device is 9", [](auto* f, double v) { f->SetDevice(static_cast<int>(v)); }, 9 },
    { "rate is bad", [](auto* f, double v) { f->SetRate(v); }, -1 },
  };
  const auto expected = playedForward();
  for (const Case& c : cases)
  {
    auto filter = shortRun();
    Listener listener(filter);
    outputAt(filter, 1);
    ASSERT_TRUE(listener.errors.empty());

    c.spoil(filter, c.value);
    auto output = outputAt(filter, 1.5);
    ASSERT_EQ(listener.errors.size(), 1u) << c.part;
    EXPECT_TRUE(contains(listener.errors[0], c.part)) << listener.errors[0];
    EXPECT_TRUE(contains(listener.errors[0], "must")) << listener.errors[0];
    EXPECT_EQ(output->GetNumberOfPoints(), 0);
    EXPECT_NE(output->GetPointData()->GetArray("velocity"), nullptr) << c.part;
    EXPECT_GE(dataTime(filter), 0) << c.part;

    filter->SetEndTime(5);
    filter->SetFrameInterval(0.5);
    filter->SetCacheBudget(100);
    filter->SetThreads(0);
    filter->SetDevice(vtkLapilliSimulation::DEVICE_AUTO);
    filter->SetRate(3.9);
    EXPECT_EQ(bits(outputAt(filter, 2)), expected[4]) << c.part;
    EXPECT_EQ(listener.errors.size(), 1u) << c.part;
    EXPECT_EQ(filter->GetNumberOfRuns(), 1) << c.part << ": the frames before the slip are lost";
  }
}

TEST(BadInput, ExhaustedMemoryIsASentenceToo)
{
  auto filter = shortRun();
  filter->Work->exhaustsMemoryAt = 1;
  Listener listener(filter);
  outputAt(filter, 2);
  ASSERT_EQ(listener.errors.size(), 1u);
  EXPECT_TRUE(contains(listener.errors[0], "cache budget")) << listener.errors[0];
  filter->Work->exhaustsMemoryAt = -1;
  EXPECT_EQ(bits(outputAt(filter, 2.5)), playedForward()[5]);
  EXPECT_EQ(listener.errors.size(), 1u);
}

TEST(BadInput, AfterADivergenceTheFramesUntilThenAreKept)
{
  const auto expected = playedForward();
  for (const double budget : { 100.0, 0.0 }) // kept, or computed again
  {
    auto filter = shortRun();
    filter->SetCacheBudget(budget);
    filter->Work->divergesAt = 2.2; // between frames 4 and 5
    Listener listener(filter);
    auto output = outputAt(filter, 4);
    ASSERT_EQ(listener.errors.size(), 1u);
    EXPECT_TRUE(contains(listener.errors[0], "particle 3")) << listener.errors[0];
    EXPECT_EQ(dataTime(filter), 2);
    EXPECT_EQ(fieldValue(output, "time"), 2);
    EXPECT_EQ(bits(output), expected[4]);

    filter->UpdateTimeStep(4); // the same request is not an error twice
    EXPECT_EQ(listener.errors.size(), 1u);
    EXPECT_EQ(bits(outputAt(filter, 1)), expected[2]);
    EXPECT_EQ(bits(outputAt(filter, 2)), expected[4]);
    EXPECT_EQ(listener.errors.size(), 1u);
    EXPECT_EQ(bits(outputAt(filter, 5)), expected[4]);
    EXPECT_EQ(listener.errors.size(), 2u); // one a request
    EXPECT_EQ(filter->GetNumberOfRuns(), 1);

    filter->Work->divergesAt = -1;
    filter->SetRate(3.8); // a remedy
    outputAt(filter, 5);
    EXPECT_EQ(dataTime(filter), 5);
    EXPECT_EQ(listener.errors.size(), 2u);
  }
}

//------------------------------------------------------------------------------
// What a run tells

TEST(RunReport, NotesAreOneWarningWhenTheRunStartsAndNeverAgain)
{
  auto filter = shortRun();
  filter->Work->notes = { "a note of the engine" };
  Listener listener(filter);
  for (int i = 0; i <= 5; ++i)
  {
    outputAt(filter, 0.5 * i);
  }
  ASSERT_EQ(listener.warnings.size(), 1u);
  EXPECT_TRUE(contains(listener.warnings[0], "a note of the engine"));
  filter->SetRate(3.5);
  outputAt(filter, 2);
  EXPECT_EQ(listener.warnings.size(), 2u);
}

TEST(RunReport, FieldDataAndPanelTellTheSame)
{
  auto filter = shortRun();
  auto output = outputAt(filter, 2);
  EXPECT_EQ(fieldValue(output, "time"), 2);
  EXPECT_EQ(fieldValue(output, "steps"), 40);
  EXPECT_EQ(fieldValue(output, "particles"), 100);
  EXPECT_EQ(fieldValue(output, "lost_particles"), 3);
  EXPECT_EQ(fieldValue(output, "lost_left_the_map"), 2);
  EXPECT_EQ(fieldValue(output, "lost_fell_into_a_hole"), 1);
  for (const char* name : { "time_step", "smallest_time_step", "mass", "mass_in", "kinetic_energy",
         "rotational_energy", "potential_energy", "momentum", "support_force", "greatest_speed",
         "greatest_overlap", "model", "version", "device", "report", "time_step_limited_by" })
  {
    EXPECT_NE(output->GetFieldData()->GetAbstractArray(name), nullptr) << name;
  }
  EXPECT_EQ(filter->GetNumberOfParticles(), 100);
  EXPECT_EQ(filter->GetNumberOfSteps(), 40);
  EXPECT_STREQ(filter->GetTimeStepLimitedBy(), "the test");
  EXPECT_STREQ(filter->GetDeviceUsed(), "CPU");
  EXPECT_DOUBLE_EQ(filter->GetEstimatedMemory(), 3);
  EXPECT_FALSE(std::string(filter->GetReport()).empty());
}

TEST(RunReport, TheTimeLeftIsThatOfTheFramesToCome)
{
  auto filter = shortRun();
  EXPECT_EQ(filter->GetEstimatedTimeLeft(), 0); // nothing is known
  filter->Work->secondsPerStep = 0.002;         // of which a frame has ten
  filter->UpdateTimeStep(0);
  EXPECT_EQ(filter->GetComputedUntil(), 0);
  filter->UpdateTimeStep(3);
  EXPECT_EQ(filter->GetComputedUntil(), 3);
  const double left = filter->GetEstimatedTimeLeft();
  EXPECT_GE(left, 4 * 0.02);
  EXPECT_LE(left, 4); // on however busy a machine
  filter->UpdateTimeStep(1);
  EXPECT_EQ(filter->GetEstimatedTimeLeft(), left); // an earlier frame changes nothing
  filter->UpdateTimeStep(5);
  EXPECT_EQ(filter->GetEstimatedTimeLeft(), 0);
}

TEST(RunReport, AModelWithoutParticlesKeepsItsArrays)
{
  auto filter = shortRun();
  filter->Work->particles = 0;
  auto output = outputAt(filter, 1);
  EXPECT_EQ(output->GetNumberOfPoints(), 0);
  EXPECT_EQ(output->GetNumberOfVerts(), 0);
  ASSERT_NE(output->GetPointData()->GetArray("velocity"), nullptr);
  EXPECT_EQ(output->GetPointData()->GetArray("velocity")->GetNumberOfComponents(), 3);
  ASSERT_NE(output->GetPointData()->GetVectors(), nullptr);
  EXPECT_STREQ(output->GetPointData()->GetVectors()->GetName(), "velocity");
}
