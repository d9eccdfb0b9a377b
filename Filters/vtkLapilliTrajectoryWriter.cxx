#include "vtkLapilliTrajectoryWriter.h"

#include "Error.h"
#include "Private/ArrayBridge.h"
#include "Private/LocalFrame.h"
#include "Private/PointArrays.h"
#include "Private/TrajectoryFile.h"

#include "vtkCommunicator.h"
#include "vtkDataObject.h"
#include "vtkErrorCode.h"
#include "vtkExecutive.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkSmartPointer.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkStringArray.h"
#include "vtkVersion.h"

#include <chrono>
#include <cmath>
#include <ctime>
#include <exception>
#include <optional>
#include <vector>

namespace
{

using Pipeline = vtkStreamingDemandDrivenPipeline;

enum Outcome
{
  GOES_ON,
  RUN_HAS_ENDED, ///< the input brought no later time than before: the run diverged there
  FAILED
};

std::string fieldText(vtkDataObject* data, const char* name)
{
  auto* text = vtkStringArray::SafeDownCast(data->GetFieldData()->GetAbstractArray(name));
  return text && text->GetNumberOfValues() > 0 ? text->GetValue(0) : std::string();
}

std::string now()
{
  const std::time_t seconds =
    std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// @param use called with the values, whatever their type, tuple after tuple
template <class Use>
void withValues(vtkDataArray* array, Use use)
{
  if (array->HasStandardMemoryLayout() && array->GetDataType() != VTK_BIT)
  {
    switch (array->GetDataType())
    {
      vtkTemplateMacro(use(static_cast<const VTK_TT*>(array->GetVoidPointer(0))));
    }
  }
  else
  {
    use(lapilli::readDoubles(array).data());
  }
}

std::string componentName(vtkDataArray* array, int component)
{
  const int count = array->GetNumberOfComponents();
  if (count == 1)
  {
    return "";
  }
  if (array->HasAComponentName() && array->GetComponentName(component))
  {
    return array->GetComponentName(component);
  }
  return count == 3 ? std::string(1, "xyz"[component]) : std::to_string(component);
}

std::vector<std::int64_t> idsOf(const lapilli::PointBlock& block, const std::string& name)
{
  vtkDataArray* array = lapilli::findPointArray(block, name.c_str(), 1);
  if (!array)
  {
    lapilli::refuseInput(block.name, " has no point array ", name,
      "; trajectories need the same number for a particle at all times: set IdArray to its name");
  }
  if (array->GetDataType() == VTK_FLOAT || array->GetDataType() == VTK_DOUBLE)
  {
    constexpr double most = 9007199254740992; // 2^53: above it doubles leave numbers out
    lapilli::checkValues(block, lapilli::readDoubles(array), 1, name.c_str(),
      "is not a whole number", [](double v) { return std::abs(v) <= most && v == std::floor(v); });
  }
  return lapilli::readInt64s(array);
}

std::vector<std::int32_t> spheresOf(const lapilli::PointBlock& block)
{
  const auto numbers = lapilli::readInt64s(lapilli::findPointArray(block, "clump_sphere", 1));
  return { numbers.begin(), numbers.end() };
}

} // namespace

class vtkLapilliTrajectoryWriter::Internals
{
public:
  std::optional<lapilli::TrajectoryFile> File; ///< of the first process, while it is written
  std::optional<double> RequestedTime;
  std::optional<double> LastTime; ///< of the last frame in the file
  std::size_t Frames = 0;         ///< in the file
  int IsExecuted = 0;             ///< 1: the pipeline came through to here
  int Outcome = GOES_ON;          ///< of the first process, and the same in all
  lapilli::TrajectoryFile::About About;

  void WriteBlock(
    const lapilli::PointBlock& block, const lapilli::MapPoint& origin, const std::string& idArray);
  void Describe(vtkDataObject* data, const std::string& title);
};

void vtkLapilliTrajectoryWriter::Internals::WriteBlock(
  const lapilli::PointBlock& block, const lapilli::MapPoint& origin, const std::string& idArray)
{
  const bool hasSpheres = lapilli::findPointArray(block, "clump_sphere", 1) != nullptr;
  this->File->beginRows(
    idsOf(block, idArray), hasSpheres ? spheresOf(block) : std::vector<std::int32_t>());
  std::vector<double> positions = lapilli::readPositions(block.data->GetPoints());
  for (std::size_t i = 0; i < positions.size(); ++i)
  {
    positions[i] += origin[i % 3];
  }
  this->File->writePositions(positions.data());

  vtkPointData* arrays = block.data->GetPointData();
  for (int i = 0; i < arrays->GetNumberOfArrays(); ++i)
  {
    vtkDataArray* array = arrays->GetArray(i); // null: not of numbers
    if (!array || !array->GetName() || array->GetName() == idArray ||
        (hasSpheres && array->GetName() == std::string("clump_sphere")))
    {
      continue;
    }
    if (array->GetNumberOfTuples() != block.data->GetNumberOfPoints())
    {
      throw lapilli::InvalidInput(std::string("array '") + array->GetName() + "' has " +
                                  std::to_string(array->GetNumberOfTuples()) + " values for " +
                                  std::to_string(block.data->GetNumberOfPoints()) +
                                  " points; it must have one each: mend or drop it upstream");
    }
    const int count = array->GetNumberOfComponents();
    const char* units =
      array->HasInformation() ? array->GetInformation()->Get(vtkDataArray::UNITS_LABEL()) : nullptr;
    for (int component = 0; component < count; ++component)
    {
      const std::string part = componentName(array, component);
      const std::string name = array->GetName();
      const lapilli::TrajectoryFile::Variable variable{ part.empty() ? name : name + "_" + part,
        units ? units : "", part.empty() ? name : name + ", component " + part };
      withValues(array, [&](const auto* values)
        { this->File->writeRows(variable, values + component, static_cast<std::size_t>(count)); });
    }
  }
}

void vtkLapilliTrajectoryWriter::Internals::Describe(vtkDataObject* data, const std::string& title)
{
  const std::string model = fieldText(data, "model");
  const std::string version = fieldText(data, "version");
  const std::string lapilli = "Lapilli " LAPILLI_VERSION;
  this->About.title =
    !title.empty() ? title : (model.empty() ? "Particles" : model) + ", trajectories";
  this->About.source = model.empty() ? "point data" : model + ", Lapilli " + version;
  this->About.history =
    now() + " trajectories written by " + lapilli + " with VTK " + vtkVersion::GetVTKVersion();
  this->About.comment = fieldText(data, "report");
}

vtkStandardNewMacro(vtkLapilliTrajectoryWriter);

vtkLapilliTrajectoryWriter::vtkLapilliTrajectoryWriter()
  : Internal(new Internals)
{
}

vtkLapilliTrajectoryWriter::~vtkLapilliTrajectoryWriter() = default;

int vtkLapilliTrajectoryWriter::FillInputPortInformation(int, vtkInformation* info)
{
  // Any data object, so that composite data come in one piece and bad types get our own sentence.
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  return 1;
}

vtkTypeBool vtkLapilliTrajectoryWriter::ProcessRequest(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs)
{
  if (request->Has(Pipeline::REQUEST_UPDATE_EXTENT()))
  {
    vtkInformation* input = inputs[0]->GetInformationObject(0);
    if (this->Internal->RequestedTime)
    {
      input->Set(Pipeline::UPDATE_TIME_STEP(), *this->Internal->RequestedTime);
    }
    if (auto* controller = vtkMultiProcessController::GetGlobalController())
    {
      input->Set(Pipeline::UPDATE_PIECE_NUMBER(), controller->GetLocalProcessId());
      input->Set(Pipeline::UPDATE_NUMBER_OF_PIECES(), controller->GetNumberOfProcesses());
      input->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), 0);
    }
    return 1;
  }
  return this->Superclass::ProcessRequest(request, inputs, outputs);
}

int vtkLapilliTrajectoryWriter::RequestData(
  vtkInformation*, vtkInformationVector**, vtkInformationVector*)
{
  this->Internal->IsExecuted = 1; // Write() takes it from here, in all processes together
  return 1;
}

int vtkLapilliTrajectoryWriter::Write()
{
  if (this->GetNumberOfInputConnections(0) < 1)
  {
    vtkErrorMacro("There is no input; connect particles to write.");
    return 0;
  }
  this->SetErrorCode(vtkErrorCode::NoError);
  this->UpdateInformation();
  vtkInformation* input = this->GetInputInformation(0, 0);
  std::vector<std::optional<double>> times(1); // none: the time that the input is at
  if (this->WriteTimeSteps && input->Length(Pipeline::TIME_STEPS()) > 0)
  {
    const double* steps = input->Get(Pipeline::TIME_STEPS());
    times.assign(steps, steps + input->Length(Pipeline::TIME_STEPS()));
  }

  Internals& state = *this->Internal;
  state.LastTime.reset();
  state.Frames = 0;
  state.Outcome = GOES_ON;
  this->OnFirstProcess(
    [&]
    {
      if (this->FileName.empty())
      {
        lapilli::refuseInput("FileName is empty; name a file such as rocks.nc");
      }
      state.File.emplace(this->FileName, this->ReferenceTime, this->CompressionLevel);
    });
  // Not by CONTINUE_EXECUTING: where the input fails, the executive would go on for ever.
  for (std::size_t i = 0; i < times.size() && state.Outcome == GOES_ON; ++i)
  {
    state.RequestedTime = times[i];
    state.IsExecuted = 0;
    this->Modified();
    this->GetExecutive()->Update(-1);
    this->WriteData();
    this->UpdateProgress(static_cast<double>(i + 1) / static_cast<double>(times.size()));
  }
  state.RequestedTime.reset();
  if (state.Outcome != FAILED)
  {
    this->OnFirstProcess(
      [&]
      {
        if (state.File->rows() == 0) // as of a run whose input was refused
        {
          lapilli::refuseInput(this->FileName,
            " was not written: the input has no points at any of ", state.Frames,
            " times; correct what it may have refused, or let it run longer");
        }
        state.File->commit(state.About);
      });
  }
  state.File.reset();
  if (state.Outcome == FAILED)
  {
    this->SetErrorCode(vtkErrorCode::UserError);
  }
  return state.Outcome == FAILED ? 0 : 1;
}

void vtkLapilliTrajectoryWriter::WriteData()
{
  Internals& state = *this->Internal;
  vtkDataObject* input = this->GetInput();
  std::vector<vtkSmartPointer<vtkDataObject>> pieces{ input };
  int isExecuted = state.IsExecuted && !this->CheckAbort();
  auto* controller = vtkMultiProcessController::GetGlobalController();
  if (controller && controller->GetNumberOfProcesses() > 1)
  {
    const int mine = isExecuted;
    controller->AllReduce(&mine, &isExecuted, 1, vtkCommunicator::MIN_OP);
    const vtkIdType sent = isExecuted && controller->GetLocalProcessId() > 0
                             ? input->GetNumberOfElements(vtkDataObject::POINT)
                             : 0;
    vtkIdType received = 0;
    controller->AllReduce(&sent, &received, 1, vtkCommunicator::SUM_OP);
    if (received > 0)
    {
      controller->Gather(input, pieces, 0);
    }
  }
  this->OnFirstProcess(
    [&]
    {
      if (!isExecuted)
      {
        lapilli::refuseInput(this->FileName,
          " was not written: the input was stopped or failed after ", state.Frames,
          " frames; let it finish, then save again");
      }
      vtkInformation* about = input->GetInformation();
      const double time = about->Has(vtkDataObject::DATA_TIME_STEP())
                            ? about->Get(vtkDataObject::DATA_TIME_STEP())
                            : state.RequestedTime.value_or(0);
      if (state.LastTime && time <= *state.LastTime)
      {
        vtkWarningMacro(<< this->FileName << " ends at t = " << *state.LastTime
                        << " s: the input has no later frame.");
        state.Outcome = RUN_HAS_ENDED;
        return;
      }
      state.File->beginFrame(time);
      for (const auto& piece : pieces)
      {
        const lapilli::MapPoint origin =
          lapilli::localOriginOf(piece, "the input").value_or(lapilli::MapPoint{ 0, 0, 0 });
        lapilli::forEachPointBlock(piece, "the input",
          [&](const lapilli::PointBlock& block)
          { state.WriteBlock(block, origin, this->IdArray); });
      }
      state.Describe(input, this->Title);
      state.LastTime = time;
      ++state.Frames;
    });
}

void vtkLapilliTrajectoryWriter::OnFirstProcess(const std::function<void()>& action)
{
  auto* controller = vtkMultiProcessController::GetGlobalController();
  if (!controller || controller->GetLocalProcessId() == 0)
  {
    try
    {
      action();
    }
    catch (const std::exception& error)
    {
      vtkErrorMacro(<< error.what());
      this->Internal->Outcome = FAILED;
      this->Internal->File.reset();
    }
  }
  if (controller && controller->GetNumberOfProcesses() > 1)
  {
    controller->Broadcast(&this->Internal->Outcome, 1, 0);
  }
}

void vtkLapilliTrajectoryWriter::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FileName: " << this->FileName << "\n"
     << indent << "WriteTimeSteps: " << this->WriteTimeSteps << "\n"
     << indent << "IdArray: " << this->IdArray << "\n"
     << indent << "ReferenceTime: " << this->ReferenceTime << "\n"
     << indent << "Title: " << this->Title << "\n"
     << indent << "CompressionLevel: " << this->CompressionLevel << "\n";
}
