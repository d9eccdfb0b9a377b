#include "vtkLapilliSimulation.h"

#include "Private/AbortedUpdate.h"
#include "Private/FrameOutputs.h"
#include "Private/InputState.h"
#include "Private/Interrupt.h"
#include "Private/LiveView.h"
#include "Private/LocalFrame.h"
#include "Private/MarchMonitor.h"
#include "Private/ProcessLink.h"
#include "Private/RunProperties.h"

#include "vtkDataObject.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <set>
#include <thread>
#include <vector>

namespace
{

using lapilli::InvalidInput;

/// [1/s], of a thread: what a first guess of a run's time reckons with.
constexpr double usualParticleSteps = 1.5e6;

/// That Automatic has taken the CPU stands in the report; most machines have no GPU, and nobody there
/// wants to be warned at every run.
bool isWorthAWarning(const std::string& note)
{
  const lapilli::CudaAvailability cuda = lapilli::cudaAvailability();
  return cuda.usable || cuda.reason.empty() || note.find(cuda.reason) == std::string::npos;
}

std::string joined(const std::vector<std::string>& sentences)
{
  std::string text;
  for (const std::string& s : sentences)
  {
    text += text.empty() ? s : "\n" + s;
  }
  return text;
}

} // namespace

//------------------------------------------------------------------------------
class vtkLapilliSimulation::Internals
{
public:
  vtkTimeStamp PhysicsTime; // touched by PhysicsModified() only
  vtkMTimeType PhysicsTimeRead = 0;
  lapilli::InputState InputsRead;
  bool InputRead = false;

  lapilli::Digest RunDigest{};
  std::unique_ptr<lapilli::Run> Run;
  vtkIdType RunCount = 0;
  std::vector<std::string> NotesToShow; // of a run that has just begun
  std::set<std::string> NotesShown;     // of the run, by the engine; each is told once

  lapilli::LiveView LiveView; // of the run, and gone before it
  lapilli::ProcessLink Processes;
  lapilli::FrameOutputs Outputs;
  lapilli::TerrainFrame Terrain; // of the inputs read last

  lapilli::AbortedUpdate LastAbort;
  bool ComputesAll = false; // at the next update
  bool IsLiveRefusalTold = false;

  lapilli::Report Shown; // of the frame handed out last
  std::string ReportText;

  static vtkIdType FrameAskedFor(
    const lapilli::FrameGrid& grid, vtkInformationVector* outputs, int port)
  {
    using Pipeline = vtkStreamingDemandDrivenPipeline;
    vtkInformation* output = outputs->GetInformationObject(port);
    return output->Has(Pipeline::UPDATE_TIME_STEP())
             ? grid.at(output->Get(Pipeline::UPDATE_TIME_STEP()))
             : 0;
  }

  // Also of the terrain's field data, which the executive passes on.
  static void Empty(vtkInformationVector* outputs)
  {
    for (int port = 0; port < outputs->GetNumberOfInformationObjects(); ++port)
    {
      outputs->GetInformationObject(port)->Get(vtkDataObject::DATA_OBJECT())->Initialize();
    }
  }

  static void SetTime(vtkInformationVector* outputs, double time)
  {
    for (int port = 0; port < outputs->GetNumberOfInformationObjects(); ++port)
    {
      vtkDataObject* output =
        outputs->GetInformationObject(port)->Get(vtkDataObject::DATA_OBJECT());
      output->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), time);
    }
  }

  // The server manager takes an empty text for a failure.
  static const char* TextOrNone(const std::string& text)
  {
    return text.empty() ? "none yet" : text.c_str();
  }
};

//------------------------------------------------------------------------------
vtkLapilliSimulation::vtkLapilliSimulation()
  : Internal(new Internals)
{
  this->Internal->PhysicsTime.Modified();
}

//------------------------------------------------------------------------------
vtkLapilliSimulation::~vtkLapilliSimulation() = default;

//------------------------------------------------------------------------------
void vtkLapilliSimulation::PhysicsModified()
{
  this->Internal->PhysicsTime.Modified();
  this->Modified();
}

//------------------------------------------------------------------------------
void vtkLapilliSimulation::DescribeParticles(vtkInformationVector**, vtkFieldData*) {}

//------------------------------------------------------------------------------
void vtkLapilliSimulation::AddOutput(OutputType type, const char* dataset)
{
  using Kind = lapilli::FrameOutputs::Kind;
  this->Internal->Outputs.add(type == OUTPUT_TABLE ? Kind::Table : Kind::Surface, dataset);
  this->SetNumberOfOutputPorts(this->Internal->Outputs.count());
}

//------------------------------------------------------------------------------
int vtkLapilliSimulation::FillOutputPortInformation(int port, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(),
    this->Internal->Outputs.isTable(port) ? "vtkTable" : "vtkPolyData");
  return 1;
}

//------------------------------------------------------------------------------
int vtkLapilliSimulation::RequestInformation(
  vtkInformation*, vtkInformationVector**, vtkInformationVector* outputs)
{
  const std::vector<double> times = this->Grid().times();
  const double range[2] = { times.front(), times.back() };

  for (int port = 0; port < outputs->GetNumberOfInformationObjects(); ++port)
  {
    using Pipeline = vtkStreamingDemandDrivenPipeline;
    vtkInformation* info = outputs->GetInformationObject(port);
    info->Set(Pipeline::TIME_STEPS(), times.data(), static_cast<int>(times.size()));
    info->Set(Pipeline::TIME_RANGE(), range, 2);
    info->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  }
  return 1;
}

//------------------------------------------------------------------------------
int vtkLapilliSimulation::RequestUpdateExtent(
  vtkInformation*, vtkInformationVector** inputs, vtkInformationVector*)
{
  lapilli::holdInputs(this, inputs);
  return 1;
}

//------------------------------------------------------------------------------
// Returning 0 would let the executive add an error of its own and run the filter at every render.
int vtkLapilliSimulation::RequestData(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  const int port = request->Has(vtkExecutive::FROM_OUTPUT_PORT())
                     ? std::max(0, request->Get(vtkExecutive::FROM_OUTPUT_PORT()))
                     : 0;
  Internals& internal = *this->Internal;
  const vtkIdType index = internal.FrameAskedFor(this->Grid(), outputs, port);
  internal.Processes.begin(index);
  if (!internal.Processes.isSimulating())
  {
    this->Follow(outputs);
    this->DescribeParticles(inputs, vtkPolyData::GetData(outputs)->GetFieldData());
    return 1;
  }

  lapilli::Interrupt interrupt;
  lapilli::Outcome outcome;
  // A flag that stands now belongs to an update before: the executive's last word of that is a progress event, too.
  this->AbortExecute = 0;
  const bool isInputAborted = lapilli::isAnyAborted(this, inputs);
  this->SetAbortOutput(isInputAborted || internal.LastAbort.goesOn(port, index));
  if (this->GetAbortOutput())
  {
    outcome.isAborted = true; // an input is not what it will be, and the executive asks again
  }
  else
  {
    this->Serve(port, inputs, outputs, outcome);
    this->DescribeParticles(inputs, vtkPolyData::GetData(outputs)->GetFieldData());
  }
  if (outcome.isAborted && !isInputAborted)
  {
    internal.LastAbort.add(port, index, lapilli::Interrupt::wasAsked());
  }
  internal.Processes.tell(outcome);
  if (lapilli::Interrupt::wasAsked() && internal.Run)
  {
    internal.LiveView.stop();
    internal.Run->flush(); // whoever gets it may end the process
  }
  interrupt.passOn();
  return 1;
}

//------------------------------------------------------------------------------
struct vtkLapilliSimulation::Shown
{
  vtkIdType Index = 0;
  std::shared_ptr<const lapilli::StoredFrame> Frame; // null after some aborts
  bool IsAborted = false;
};

//------------------------------------------------------------------------------
// Process 0: the request itself, whatever goes wrong.
void vtkLapilliSimulation::Serve(
  int port, vtkInformationVector** inputs, vtkInformationVector* outputs, lapilli::Outcome& outcome)
{
  Internals& internal = *this->Internal;
  const vtkIdType index = internal.FrameAskedFor(this->Grid(), outputs, port);
  try
  {
    this->Properties().validate();
    this->UpdateRun(inputs);
    const bool isLive = this->Live && internal.Processes.isAlone();
    const Shown shown = isLive ? this->ShowLive(index) : this->March(index);
    outcome.isAborted = shown.IsAborted;
    outcome.time = internal.Run->time(shown.Index);
    outcome.origin = this->OutputOrigin();
    this->HandOut(port, shown, outputs);
    this->TellNotes(shown);
    if (shown.Frame && !internal.Processes.isAlone())
    {
      const auto tableOf = [&internal](std::size_t t) { return internal.Run->table(t); };
      outcome.frame = lapilli::packFrame({}, lapilli::emptied(*shown.Frame, tableOf));
    }
    return;
  }
  catch (const std::bad_alloc&)
  {
    vtkErrorMacro(<< "memory is exhausted; frames may take " << this->CacheBudget
                  << " MB (cache budget): lower it, or use fewer particles or triangles");
  }
  catch (const std::exception& error)
  {
    vtkErrorMacro(<< error.what());
  }
  internal.LiveView.showNothing();
  outcome.time = index > 0 ? this->Grid().time(index) : 0;
  this->HandOutEmpty(nullptr, outcome, outputs);
}

//------------------------------------------------------------------------------
// The other processes: no particles, and the decisions of process 0.
void vtkLapilliSimulation::Follow(vtkInformationVector* outputs)
{
  const auto wantsAbort = [this] { return this->GetAbortExecute() != 0; };
  const std::optional<lapilli::Outcome> outcome = this->Internal->Processes.hear(wantsAbort);
  this->AbortExecute = 0;
  if (!outcome)
  {
    vtkErrorMacro(<< "process 0 has not come to this request: look for what has gone wrong there");
  }
  std::optional<lapilli::StoredFrame> stored;
  try
  {
    if (outcome && !outcome->frame.empty())
    {
      stored = lapilli::unpackFrame({}, outcome->frame);
    }
  }
  catch (const InvalidInput& error)
  {
    vtkErrorMacro(<< "the frame of process 0 cannot be read: " << error.what()
                  << "; all processes must load the same plugin");
  }
  this->HandOutEmpty(stored ? &*stored : nullptr, outcome.value_or(lapilli::Outcome()), outputs);
  if (outcome && outcome->isAborted)
  {
    this->SetAbortOutput(true);
  }
}

//------------------------------------------------------------------------------
lapilli::RunProperties vtkLapilliSimulation::Properties() const
{
  return { this->Grid(), this->CacheBudget, this->CacheFolder, this->CacheFolderLimit, this->Device,
    this->Threads };
}

//------------------------------------------------------------------------------
lapilli::FrameGrid vtkLapilliSimulation::Grid() const
{
  return { this->EndTime, this->FrameInterval };
}

//------------------------------------------------------------------------------
// Looks again where something may have changed, and starts anew only where the hash differs.
void vtkLapilliSimulation::UpdateRun(vtkInformationVector** inputs)
{
  Internals& internal = *this->Internal;
  lapilli::InputState inputsNow(this, inputs);
  const lapilli::RunProperties properties = this->Properties();
  const lapilli::RunSettings settings = properties.settings();
  const bool lookAgain = !internal.Run || !internal.InputRead ||
                         internal.PhysicsTime.GetMTime() != internal.PhysicsTimeRead ||
                         inputsNow != internal.InputsRead;
  if (lookAgain)
  {
    internal.InputRead = false; // until nothing below has thrown
    lapilli::RunDescription description;
    this->DescribeRun(inputs, description);
    description.hasher.value(this->FrameInterval);
    // The folder may hold the work of another engine or of another processor.
    description.hasher.text(properties.processor());
    description.hasher.text(lapilli::engineIdentity());
    for (const std::uint64_t half : inputsNow.times())
    {
      description.hasher.value(half);
    }
    const lapilli::Digest digest = description.hasher.digest();
    const lapilli::TerrainFrame terrain = description.terrain;
    if (!internal.Run || digest != internal.RunDigest)
    {
      // The frames of the run before stay until the new one stands: a slip that is corrected costs nothing.
      internal.LiveView.stop();
      if (internal.Run)
      {
        internal.Run->releaseEngine();
      }
      std::vector<std::string> notes = description.notes;
      auto surfaceOf = description.surface;
      auto run =
        std::make_unique<lapilli::Run>(std::move(description), this->FrameInterval, digest);
      run->setEnd(this->EndTime);
      run->setBudget(properties.budget());
      run->use(settings);
      lapilli::SilentMonitor silent;
      const auto start = run->frame(0, silent);
      std::copy_if(start->report.notes.begin(), start->report.notes.end(),
        std::back_inserter(notes), isWorthAWarning);
      internal.NotesToShow = std::move(notes);
      internal.NotesShown = { start->report.notes.begin(), start->report.notes.end() };
      internal.Run = std::move(run);
      internal.RunDigest = digest;
      internal.Outputs.startRun(std::move(surfaceOf));
      ++internal.RunCount;
    }
    internal.Terrain = terrain;
    internal.PhysicsTimeRead = internal.PhysicsTime.GetMTime();
    internal.InputsRead = std::move(inputsNow);
    internal.InputRead = true;
  }
  internal.Run->setEnd(this->EndTime);
  internal.Run->setBudget(properties.budget());
  if (!this->Live || settings != internal.Run->settings())
  {
    internal.LiveView.stop();
    internal.Run->use(settings);
  }

  if (!internal.NotesToShow.empty())
  {
    vtkWarningMacro(<< joined(internal.NotesToShow));
    internal.NotesToShow.clear();
  }
}

//------------------------------------------------------------------------------
vtkLapilliSimulation::Shown vtkLapilliSimulation::March(vtkIdType index)
{
  Internals& internal = *this->Internal;
  lapilli::Run& run = *internal.Run;
  Shown shown;
  shown.Index = index;
  const vtkIdType last = std::exchange(internal.ComputesAll, false) ? this->Grid().last() : index;
  lapilli::MarchMonitor monitor(this, internal.Processes, run.time(last));
  try
  {
    try
    {
      run.frame(last, monitor);
      shown.Frame = run.frame(index, monitor);
    }
    catch (const lapilli::Diverged& error)
    {
      vtkErrorMacro(<< error.what());
      shown.Index = std::min<vtkIdType>(index, *run.lastGoodFrame());
      shown.Frame = run.frame(shown.Index, monitor);
    }
  }
  catch (const lapilli::Cancelled&)
  {
    // The executive empties the output, passes the mark on and asks again at the next update.
    this->SetAbortOutput(true);
    this->AbortExecute = 0;
    shown.IsAborted = true;
    shown.Index = run.position();
    shown.Frame = run.heldFrame(shown.Index);
  }
  this->SetProgressText(nullptr);
  return shown;
}

//------------------------------------------------------------------------------
vtkLapilliSimulation::Shown vtkLapilliSimulation::ShowLive(vtkIdType index)
{
  Internals& internal = *this->Internal;
  const auto newest = internal.LiveView.show(*internal.Run, index, this->Grid().last());
  if (!newest)
  {
    return this->March(index);
  }
  internal.ComputesAll = false; // it does anyway
  return { static_cast<vtkIdType>(newest->first), newest->second, false };
}

//------------------------------------------------------------------------------
bool vtkLapilliSimulation::GetNeedsUpdate()
{
  Internals& internal = *this->Internal;
  // Also while Live is off: it may be switched on for the next request.
  const bool hasMore = internal.LiveView.hasMore(this->Live ? internal.Run.get() : nullptr);
  if (hasMore)
  {
    this->Modified(); // the window marks its own side only
  }
  return hasMore;
}

//------------------------------------------------------------------------------
vtkMTimeType vtkLapilliSimulation::GetMTime()
{
  if (this->Live && this->Internal->LiveView.isBehind())
  {
    this->MTime.Modified(); // without the event: whoever hears it may ask again
  }
  return this->Superclass::GetMTime();
}

//------------------------------------------------------------------------------
void vtkLapilliSimulation::ComputeAllFrames()
{
  this->Internal->ComputesAll = true;
  this->Modified();
}

//------------------------------------------------------------------------------
void vtkLapilliSimulation::HandOut(int port, const Shown& shown, vtkInformationVector* outputs)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  Internals& internal = *this->Internal;
  vtkInformation* asked = outputs->GetInformationObject(port);
  // All ports go along: the executive has emptied them all, and takes what one was asked for as the
  // request of all. Theirs from before must not stay, or it would not ask again when that comes anew.
  for (int other = 0; other < this->GetNumberOfOutputPorts(); ++other)
  {
    vtkInformation* info = outputs->GetInformationObject(other);
    if (other != port && info->Has(Pipeline::UPDATE_TIME_STEP()))
    {
      info->Set(Pipeline::UPDATE_TIME_STEP(),
        asked->Has(Pipeline::UPDATE_TIME_STEP()) ? asked->Get(Pipeline::UPDATE_TIME_STEP()) : 0);
    }
  }
  Internals::Empty(outputs);
  if (shown.Frame)
  {
    const auto tableOf = [&internal](std::size_t t) { return internal.Run->table(t); };
    internal.Outputs.show(*shown.Frame, tableOf, outputs);
    for (int each = 0; each < this->GetNumberOfOutputPorts(); ++each)
    {
      if (auto* points = vtkPolyData::GetData(outputs, each))
      {
        lapilli::moveOrigin(points, { 0, 0, 0 }, this->OutputOrigin());
      }
    }
  }
  Internals::SetTime(outputs, internal.Run->time(shown.Index));
}

//------------------------------------------------------------------------------
std::array<double, 3> vtkLapilliSimulation::OutputOrigin() const
{
  const lapilli::TerrainFrame& terrain = this->Internal->Terrain;
  return lapilli::outputOrigin(
    static_cast<lapilli::Coordinates>(this->Coordinates), terrain.origin, terrain.bounds.data());
}

//------------------------------------------------------------------------------
/// @param stored without particles; null: there is no run
void vtkLapilliSimulation::HandOutEmpty(const lapilli::StoredFrame* stored,
  const lapilli::Outcome& outcome, vtkInformationVector* outputs)
{
  lapilli::StoredFrame layout;
  if (!stored)
  {
    lapilli::StoredFrame example;
    this->DescribeLayout(example.frame);
    layout = lapilli::emptied(
      example, [&example](std::size_t number) { return example.frame.tables[number]; });
    stored = &layout;
  }
  this->Internal->Shown = stored->report;
  Internals::Empty(outputs);
  this->Internal->Outputs.showEmpty(*stored, outputs);
  for (int port = 0; port < this->GetNumberOfOutputPorts(); ++port)
  {
    if (auto* points = vtkPolyData::GetData(outputs, port))
    {
      lapilli::setLocalOrigin(points, outcome.origin);
    }
  }
  Internals::SetTime(outputs, outcome.time);
}

//------------------------------------------------------------------------------
// What the engine has noticed on the way, and what went wrong on disk; each once.
void vtkLapilliSimulation::TellNotes(const Shown& shown)
{
  Internals& internal = *this->Internal;
  std::vector<std::string> news = internal.Run->takeDiskNotes();
  if (shown.Frame)
  {
    const lapilli::Report& report = shown.Frame->report;
    internal.Shown = report;
    std::copy_if(report.notes.begin(), report.notes.end(), std::back_inserter(news),
      [&internal](const std::string& note) { return internal.NotesShown.insert(note).second; });
  }
  if (this->Live && !internal.Processes.isAlone() && !internal.IsLiveRefusalTold)
  {
    internal.IsLiveRefusalTold = true;
    news.emplace_back("live is for one process, and this job has several: it marches as usual");
  }
  if (!news.empty())
  {
    vtkWarningMacro(<< joined(news));
  }
}

//------------------------------------------------------------------------------
vtkIdType vtkLapilliSimulation::GetNumberOfParticles()
{
  return this->Internal->Shown.particles;
}

//------------------------------------------------------------------------------
vtkIdType vtkLapilliSimulation::GetNumberOfSteps()
{
  return this->Internal->Shown.steps;
}

//------------------------------------------------------------------------------
double vtkLapilliSimulation::GetTimeStep()
{
  return this->Internal->Shown.timeStep;
}

//------------------------------------------------------------------------------
const char* vtkLapilliSimulation::GetTimeStepLimitedBy()
{
  return Internals::TextOrNone(this->Internal->Shown.timeStepLimitedBy);
}

//------------------------------------------------------------------------------
const char* vtkLapilliSimulation::GetDeviceUsed()
{
  return Internals::TextOrNone(this->Internal->Shown.device);
}

//------------------------------------------------------------------------------
const char* vtkLapilliSimulation::GetReport()
{
  this->Internal->ReportText =
    this->Internal->Shown.model.empty() ? std::string() : this->Internal->Shown.summary();
  return Internals::TextOrNone(this->Internal->ReportText);
}

//------------------------------------------------------------------------------
double vtkLapilliSimulation::GetCacheUsed()
{
  const auto& run = this->Internal->Run;
  return run ? static_cast<double>(run->bytes()) * 1e-6 : 0;
}

//------------------------------------------------------------------------------
double vtkLapilliSimulation::GetCacheFolderUsed()
{
  const auto& run = this->Internal->Run;
  return run ? static_cast<double>(run->diskBytes()) * 1e-6 : 0;
}

//------------------------------------------------------------------------------
double vtkLapilliSimulation::GetEstimatedMemory()
{
  const auto& run = this->Internal->Run;
  return run ? run->estimate().memory * 1e-6 : 0;
}

//------------------------------------------------------------------------------
double vtkLapilliSimulation::GetComputedUntil()
{
  const auto& run = this->Internal->Run;
  return run ? run->time(std::max<vtkIdType>(0, run->lastHeld())) : 0;
}

//------------------------------------------------------------------------------
double vtkLapilliSimulation::GetEstimatedTimeLeft()
{
  const auto& run = this->Internal->Run;
  const auto last = static_cast<double>(this->Grid().last());
  if (!run || !(last > 0))
  {
    return 0;
  }
  const double framesLeft = std::max(0.0, last - static_cast<double>(run->lastHeld()));
  if (run->pace() > 0)
  {
    return framesLeft * run->pace();
  }
  const unsigned int threads = this->Threads > 0 ? static_cast<unsigned int>(this->Threads)
                                                 : std::thread::hardware_concurrency();
  return framesLeft / last * run->estimate().particleSteps /
         (usualParticleSteps * std::max(1u, threads));
}

//------------------------------------------------------------------------------
vtkIdType vtkLapilliSimulation::GetNumberOfRuns()
{
  return this->Internal->RunCount;
}

//------------------------------------------------------------------------------
void vtkLapilliSimulation::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "EndTime: " << this->EndTime << " s\n";
  os << indent << "FrameInterval: " << this->FrameInterval << " s\n";
  os << indent << "CacheBudget: " << this->CacheBudget << " MB\n";
  os << indent << "CacheFolder: " << this->CacheFolder << "\n";
  os << indent << "CacheFolderLimit: " << this->CacheFolderLimit << " MB\n";
  os << indent << "Device: " << this->Device << "\n";
  os << indent << "Threads: " << this->Threads << "\n";
  os << indent << "Coordinates: " << this->Coordinates << "\n";
  os << indent << "Live: " << (this->Live ? "on" : "off") << "\n";
  os << indent << "NumberOfRuns: " << this->Internal->RunCount << "\n";
}
