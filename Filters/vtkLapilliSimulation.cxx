#include "vtkLapilliSimulation.h"

#include "Private/ArrayBridge.h"
#include "Private/MarchMonitor.h"
#include "Private/ReportFields.h"
#include "Private/Run.h"

#include "vtkAlgorithmOutput.h"
#include "vtkDataObject.h"
#include "vtkDemandDrivenPipeline.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkTable.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <iterator>
#include <map>
#include <new>
#include <set>
#include <sstream>
#include <tuple>
#include <vector>

namespace
{

using lapilli::InvalidInput;

constexpr double greatestFrameCount = 1e6;

template <class... Parts>
std::string sentence(const Parts&... parts)
{
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

/// Index of the last frame of a run, 0 where the properties make no sense (RequestData says so).
vtkIdType lastFrameIndex(double endTime, double frameInterval)
{
  const double intervals = std::floor(endTime / frameInterval + 1e-9);
  return intervals > 0 && intervals <= greatestFrameCount ? static_cast<vtkIdType>(intervals) : 0;
}

/// The last frame at or before a time; within 1e-9 of the interval counts as at it.
vtkIdType frameIndexAt(double time, double frameInterval, vtkIdType lastFrame)
{
  const double index = std::floor(time / frameInterval + 1e-9);
  if (!(index > 0)) // also not a number
  {
    return 0;
  }
  return index < static_cast<double>(lastFrame) ? static_cast<vtkIdType>(index) : lastFrame;
}

/// The time at which a time-dependent input is held.
struct PinnedTime
{
  bool given = false;
  double time = 0; ///< [s]
};

PinnedTime firstTimeOf(vtkInformation* input)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  for (auto* key : { Pipeline::TIME_STEPS(), Pipeline::TIME_RANGE() })
  {
    if (input->Has(key) && input->Length(key) > 0)
    {
      return { true, input->Get(key)[0] };
    }
  }
  return {};
}

bool isSimulatingProcess()
{
  auto* controller = vtkMultiProcessController::GetGlobalController();
  return !controller || controller->GetLocalProcessId() == 0;
}

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
  /// One connection as it was when the inputs were last read.
  using Connection = std::tuple<const void*, int, int, vtkMTimeType, bool, double>;

  vtkTimeStamp PhysicsTime; // touched by PhysicsModified() only
  vtkMTimeType PhysicsTimeRead = 0;
  std::vector<Connection> ConnectionsRead;
  bool InputRead = false;

  lapilli::Digest RunDigest{};
  std::unique_ptr<lapilli::Run> Run;
  vtkIdType RunCount = 0;
  std::vector<std::string> NotesToShow; // of a run that has just begun
  std::set<std::string> NotesShown;     // of the run, by the engine; each is told once

  struct Output
  {
    OutputType Type;
    std::string Dataset;
  };
  std::vector<Output> Outputs; // from port 1 on

  /// The triangles of a field, built once a run.
  vtkPolyData* Surface(const std::string& field)
  {
    const auto [place, isNew] = this->Surfaces.try_emplace(field);
    if (isNew && this->SurfaceOf)
    {
      place->second = this->SurfaceOf(field);
    }
    return place->second;
  }
  std::function<vtkSmartPointer<vtkPolyData>(const std::string&)> SurfaceOf;
  std::map<std::string, vtkSmartPointer<vtkPolyData>> Surfaces;

  lapilli::Report Shown; // of the frame handed out last
  std::string ReportText;

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
void vtkLapilliSimulation::AddOutput(OutputType type, const char* dataset)
{
  this->Internal->Outputs.push_back({ type, dataset });
  this->SetNumberOfOutputPorts(1 + static_cast<int>(this->Internal->Outputs.size()));
}

//------------------------------------------------------------------------------
int vtkLapilliSimulation::FillOutputPortInformation(int port, vtkInformation* info)
{
  const bool isTable =
    port > 0 && this->Internal->Outputs[static_cast<std::size_t>(port) - 1].Type == OUTPUT_TABLE;
  info->Set(vtkDataObject::DATA_TYPE_NAME(), isTable ? "vtkTable" : "vtkPolyData");
  return 1;
}

//------------------------------------------------------------------------------
int vtkLapilliSimulation::RequestInformation(
  vtkInformation*, vtkInformationVector**, vtkInformationVector* outputs)
{
  const vtkIdType last = lastFrameIndex(this->EndTime, this->FrameInterval);
  std::vector<double> times(static_cast<std::size_t>(last) + 1);
  for (vtkIdType i = 1; i <= last; ++i)
  {
    times[static_cast<std::size_t>(i)] = static_cast<double>(i) * this->FrameInterval;
  }
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
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  for (int port = 0; port < this->GetNumberOfInputPorts(); ++port)
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
      // The whole input on every process: a run is not yet divided. The executive has already turned
      // the piece that was asked of this filter into an extent of structured inputs.
      if (input->Has(Pipeline::WHOLE_EXTENT()))
      {
        input->Set(Pipeline::UPDATE_EXTENT(), input->Get(Pipeline::WHOLE_EXTENT()), 6);
      }
      input->Set(Pipeline::UPDATE_PIECE_NUMBER(), 0);
      input->Set(Pipeline::UPDATE_NUMBER_OF_PIECES(), 1);
      input->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), 0);
    }
  }
  return 1;
}

//------------------------------------------------------------------------------
int vtkLapilliSimulation::RequestData(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  if (this->GetAbortOutput())
  {
    return 1; // an input was aborted: it is not what it will be, and the executive asks again
  }
  const int port = request->Has(vtkExecutive::FROM_OUTPUT_PORT())
                     ? std::max(0, request->Get(vtkExecutive::FROM_OUTPUT_PORT()))
                     : 0;

  // Returning 0 would let the executive add an error of its own and run the filter at every render.
  try
  {
    if (isSimulatingProcess())
    {
      this->CheckProperties();
      this->UpdateRun(inputs);
      this->March(port, outputs);
      return 1;
    }
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
  const vtkIdType index = this->FrameAskedFor(outputs->GetInformationObject(port));
  this->HandOutLayout(outputs, index > 0 ? static_cast<double>(index) * this->FrameInterval : 0);
  return 1;
}

//------------------------------------------------------------------------------
vtkIdType vtkLapilliSimulation::FrameAskedFor(vtkInformation* output)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  const vtkIdType last = lastFrameIndex(this->EndTime, this->FrameInterval);
  return output->Has(Pipeline::UPDATE_TIME_STEP())
           ? frameIndexAt(output->Get(Pipeline::UPDATE_TIME_STEP()), this->FrameInterval, last)
           : 0;
}

//------------------------------------------------------------------------------
// What the base owns; the rest is checked by the engine.
void vtkLapilliSimulation::CheckProperties()
{
  if (!(std::isfinite(this->EndTime) && this->EndTime >= 0))
  {
    throw InvalidInput(sentence("end time is ", this->EndTime,
      " s; it must be a number >= 0: choose when the run ends, in seconds"));
  }
  if (!(std::isfinite(this->FrameInterval) && this->FrameInterval > 0))
  {
    throw InvalidInput(sentence("frame interval is ", this->FrameInterval,
      " s; it must be a number > 0: choose the time between two frames, in seconds"));
  }
  if (this->EndTime / this->FrameInterval > greatestFrameCount)
  {
    throw InvalidInput(sentence("end time over frame interval is ",
      this->EndTime / this->FrameInterval, " frames; it must be at most ", greatestFrameCount,
      ": choose a longer frame interval or an earlier end time"));
  }
  if (!(this->CacheBudget >= 0))
  {
    throw InvalidInput(sentence("cache budget is ", this->CacheBudget,
      " MB; it must be >= 0: choose how much memory the frames may take"));
  }
  if (!(this->CacheFolderLimit >= 0))
  {
    throw InvalidInput(sentence("cache folder limit is ", this->CacheFolderLimit,
      " MB; it must be >= 0: choose how much disk space the frames of all runs may take"));
  }
  if (this->Device < DEVICE_AUTO || this->Device > DEVICE_CUDA)
  {
    throw InvalidInput(
      sentence("device is ", this->Device, "; it must be 0 (automatic), 1 (CPU) or 2 (CUDA)"));
  }
  if (this->Threads < 0 || this->Threads > 1024)
  {
    throw InvalidInput(sentence("threads is ", this->Threads,
      "; it must lie in [0, 1024]: 0 takes as many as the machine offers"));
  }
}

//------------------------------------------------------------------------------
// Looks again where something may have changed, and starts anew only where the hash differs.
void vtkLapilliSimulation::UpdateRun(vtkInformationVector** inputs)
{
  Internals& internal = *this->Internal;
  std::vector<Internals::Connection> connections;
  lapilli::Hasher pinnedTimes;
  for (int port = 0; port < this->GetNumberOfInputPorts(); ++port)
  {
    for (int i = 0; i < inputs[port]->GetNumberOfInformationObjects(); ++i)
    {
      // The pipeline's time, never that of the data: a time-dependent neighbour renews its data at every
      // request of another consumer.
      auto* producer = vtkDemandDrivenPipeline::SafeDownCast(this->GetInputExecutive(port, i));
      vtkMTimeType time = 0;
      if (producer)
      {
        producer->UpdatePipelineMTime();
        time = producer->GetPipelineMTime();
      }
      const PinnedTime pinned = firstTimeOf(inputs[port]->GetInformationObject(i));
      connections.emplace_back(producer, port, this->GetInputConnection(port, i)->GetIndex(), time,
        pinned.given, pinned.time);
      pinnedTimes.value(pinned.given);
      pinnedTimes.value(pinned.time);
    }
  }

  const lapilli::Device device{ static_cast<lapilli::DeviceKind>(this->Device), this->Threads };
  const bool lookAgain = !internal.Run || !internal.InputRead ||
                         internal.PhysicsTime.GetMTime() != internal.PhysicsTimeRead ||
                         connections != internal.ConnectionsRead;
  if (lookAgain)
  {
    internal.InputRead = false; // until nothing below has thrown
    lapilli::RunDescription description;
    this->DescribeRun(inputs, description);
    description.hasher.value(this->FrameInterval);
    description.hasher.value(device.kind == lapilli::DeviceKind::Auto
                               ? (lapilli::cudaAvailability().usable ? lapilli::DeviceKind::Cuda
                                                                     : lapilli::DeviceKind::Cpu)
                               : device.kind);
    description.hasher.text(lapilli::engineIdentity()); // the folder may hold another engine's work
    for (const std::uint64_t half : pinnedTimes.digest())
    {
      description.hasher.value(half);
    }
    const lapilli::Digest digest = description.hasher.digest();
    if (!internal.Run || digest != internal.RunDigest)
    {
      // The frames of the run before stay until the new one stands: a slip that is corrected costs nothing.
      if (internal.Run)
      {
        internal.Run->releaseEngine();
      }
      std::vector<std::string> notes = description.notes;
      auto surfaceOf = description.surface;
      auto run =
        std::make_unique<lapilli::Run>(std::move(description), this->FrameInterval, digest);
      run->setDevice(device);
      run->setEnd(this->EndTime);
      this->UseCaches(*run);
      lapilli::SilentMonitor silent;
      const auto start = run->frame(0, silent);
      std::copy_if(start->report.notes.begin(), start->report.notes.end(),
        std::back_inserter(notes), isWorthAWarning);
      internal.NotesToShow = std::move(notes);
      internal.NotesShown = { start->report.notes.begin(), start->report.notes.end() };
      internal.Run = std::move(run);
      internal.RunDigest = digest;
      internal.SurfaceOf = std::move(surfaceOf);
      internal.Surfaces.clear();
      ++internal.RunCount;
    }
    internal.PhysicsTimeRead = internal.PhysicsTime.GetMTime();
    internal.ConnectionsRead = std::move(connections);
    internal.InputRead = true;
  }
  internal.Run->setDevice(device);
  internal.Run->setEnd(this->EndTime);
  this->UseCaches(*internal.Run);

  if (!internal.NotesToShow.empty())
  {
    vtkWarningMacro(<< joined(internal.NotesToShow));
    internal.NotesToShow.clear();
  }
}

//------------------------------------------------------------------------------
void vtkLapilliSimulation::UseCaches(lapilli::Run& run)
{
  const auto bytes = [](double megabytes) { return std::min(megabytes, 1e9) * 1e6; };
  run.cache().setBudget(static_cast<std::size_t>(bytes(this->CacheBudget)));
  run.setDisk(this->CacheFolder.empty() ? lapilli::usualCacheFolder() : this->CacheFolder,
    static_cast<std::uint64_t>(bytes(this->CacheFolderLimit)));
}

//------------------------------------------------------------------------------
void vtkLapilliSimulation::March(int port, vtkInformationVector* outputs)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  Internals& internal = *this->Internal;
  lapilli::Run& run = *internal.Run;
  vtkInformation* asked = outputs->GetInformationObject(port);
  vtkIdType index = this->FrameAskedFor(asked);
  std::shared_ptr<const lapilli::StoredFrame> stored;
  lapilli::MarchMonitor monitor(this, run.time(index));
  try
  {
    try
    {
      stored = run.frame(index, monitor);
    }
    catch (const lapilli::Diverged& error)
    {
      vtkErrorMacro(<< error.what());
      index = *run.lastGoodFrame();
      stored = run.frame(index, monitor);
    }
  }
  catch (const lapilli::Cancelled&)
  {
    // The executive empties the output, passes the mark on and asks again at the next update. The flag
    // is sticky: left alone it would end the next march at its first step.
    this->SetAbortOutput(true);
    this->AbortExecute = 0;
    index = run.position();
    stored = run.cache().find(index);
  }
  this->SetProgressText(nullptr);

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
    vtkDataObject* output = info->Get(vtkDataObject::DATA_OBJECT());
    output->Initialize(); // also of the terrain's field data, which the executive passes on
    if (stored)
    {
      this->HandOut(other, *stored, outputs);
    }
    output->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), run.time(index));
  }

  if (stored)
  {
    internal.Shown = stored->report;
    std::vector<std::string> news; // what the engine has noticed on the way
    std::copy_if(stored->report.notes.begin(), stored->report.notes.end(), std::back_inserter(news),
      [this](const std::string& note) { return this->Internal->NotesShown.insert(note).second; });
    if (!news.empty())
    {
      vtkWarningMacro(<< joined(news));
    }
  }
  const std::vector<std::string> troubles =
    run.disk() ? run.disk()->takeNotes() : std::vector<std::string>();
  if (!troubles.empty())
  {
    vtkWarningMacro(<< joined(troubles));
  }
}

//------------------------------------------------------------------------------
void vtkLapilliSimulation::HandOut(
  int port, const lapilli::StoredFrame& stored, vtkInformationVector* outputs)
{
  const lapilli::Frame& frame = stored.frame;
  if (port == 0)
  {
    auto* output = vtkPolyData::GetData(outputs);
    lapilli::toPolyData(frame.pointSets.front(), output);
    lapilli::addReport(stored.report, output->GetFieldData());
    return;
  }
  const Internals::Output& declared = this->Internal->Outputs[static_cast<std::size_t>(port) - 1];
  const auto isIt = [&declared](const auto& dataset) { return dataset.name == declared.Dataset; };
  if (declared.Type == OUTPUT_SURFACE)
  {
    auto* output = vtkPolyData::GetData(outputs, port);
    if (vtkPolyData* surface = this->Internal->Surface(declared.Dataset))
    {
      output->ShallowCopy(surface); // one set of triangles for all frames
    }
    const auto field = std::find_if(frame.surfaceFields.begin(), frame.surfaceFields.end(), isIt);
    if (field != frame.surfaceFields.end())
    {
      lapilli::addCellArrays(*field, output);
    }
    return;
  }
  const auto table = std::find_if(frame.tables.begin(), frame.tables.end(), isIt);
  if (table != frame.tables.end())
  {
    const auto number = static_cast<std::size_t>(table - frame.tables.begin());
    lapilli::toTable(this->Internal->Run->cache().table(number), stored.tableRows[number],
      vtkTable::GetData(outputs, port));
  }
}

//------------------------------------------------------------------------------
void vtkLapilliSimulation::HandOutLayout(vtkInformationVector* outputs, double time)
{
  const auto empty = [](lapilli::Array& array)
  { std::visit([](auto& values) { values.clear(); }, array.values); };
  this->Internal->Shown = lapilli::Report();
  lapilli::Frame frame;
  this->DescribeLayout(frame);
  for (int port = 0; port < this->GetNumberOfOutputPorts(); ++port)
  {
    vtkDataObject* output = outputs->GetInformationObject(port)->Get(vtkDataObject::DATA_OBJECT());
    output->Initialize();
    output->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), time);
  }

  auto* particles = vtkPolyData::GetData(outputs);
  lapilli::PointSet& points = frame.pointSets.front();
  points.positions.clear();
  std::for_each(points.arrays.begin(), points.arrays.end(), empty);
  lapilli::toPolyData(points, particles);
  lapilli::addReport(this->Internal->Shown, particles->GetFieldData());
  for (std::size_t i = 0; i < this->Internal->Outputs.size(); ++i)
  {
    const Internals::Output& declared = this->Internal->Outputs[i];
    vtkDataObject* output =
      outputs->GetInformationObject(static_cast<int>(i) + 1)->Get(vtkDataObject::DATA_OBJECT());
    if (declared.Type == OUTPUT_SURFACE)
    {
      output->ShallowCopy(lapilli::toPolyData(std::vector<const lapilli::Surface*>()));
      output->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), time);
    }
    for (lapilli::SurfaceField& field : frame.surfaceFields)
    {
      if (declared.Type == OUTPUT_SURFACE && field.name == declared.Dataset)
      {
        std::for_each(field.arrays.begin(), field.arrays.end(), empty);
        lapilli::addCellArrays(field, vtkPolyData::SafeDownCast(output));
      }
    }
    for (const lapilli::Table& table : frame.tables)
    {
      if (declared.Type == OUTPUT_TABLE && table.name == declared.Dataset)
      {
        lapilli::toTable(table, 0, vtkTable::SafeDownCast(output));
      }
    }
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
  return run ? static_cast<double>(run->cache().bytes()) * 1e-6 : 0;
}

//------------------------------------------------------------------------------
double vtkLapilliSimulation::GetCacheFolderUsed()
{
  const auto& run = this->Internal->Run;
  return run && run->disk() ? static_cast<double>(run->disk()->bytes()) * 1e-6 : 0;
}

//------------------------------------------------------------------------------
double vtkLapilliSimulation::GetEstimatedMemory()
{
  const auto& run = this->Internal->Run;
  return run ? run->estimatedMemory() * 1e-6 : 0;
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
  os << indent << "NumberOfRuns: " << this->Internal->RunCount << "\n";
}
