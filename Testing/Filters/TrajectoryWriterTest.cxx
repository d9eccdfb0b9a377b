// Trajectories in a netCDF file: what is written comes back, also of particles that come and go; and whatever goes wrong
// leaves no file that looks whole.
#include "CountingSimulation.h"
#include "Pipelines.h"
#include "vtkLapilliTrajectoryWriter.h"

#include <vtkInformationVector.h>
#include <vtkMultiBlockDataSet.h>
#include <vtkObjectFactory.h>

#include <gtest/gtest.h>
#include <vtk_netcdf.h>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

namespace
{

using pipelines::Listener;
using pipelines::Position;

struct Series
{
  std::vector<vtkSmartPointer<vtkDataObject>> frames; ///< at 0, 0.5, 1, … s; null: it fails
  int requests = 0;
  std::function<void()> onRequest;
};

/// Hands out frames that a test has made.
class vtkSeriesSource : public vtkAlgorithm
{
public:
  static vtkSeriesSource* New();
  vtkTypeMacro(vtkSeriesSource, vtkAlgorithm);
  Series Frames;

protected:
  vtkSeriesSource() { this->SetNumberOfInputPorts(0), this->SetNumberOfOutputPorts(1); }

  int FillOutputPortInformation(int, vtkInformation* info) override
  {
    info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkDataObject");
    return 1;
  }

  vtkTypeBool ProcessRequest(
    vtkInformation* request, vtkInformationVector**, vtkInformationVector* outputs) override
  {
    using Pipeline = vtkStreamingDemandDrivenPipeline;
    vtkInformation* output = outputs->GetInformationObject(0);
    if (request->Has(Pipeline::REQUEST_DATA_OBJECT()))
    {
      const auto data = vtkSmartPointer<vtkDataObject>::Take(this->Frames.frames[0]->NewInstance());
      output->Set(vtkDataObject::DATA_OBJECT(), data);
    }
    else if (request->Has(Pipeline::REQUEST_INFORMATION()))
    {
      std::vector<double> times;
      for (std::size_t i = 0; i < this->Frames.frames.size(); ++i)
      {
        times.push_back(0.5 * static_cast<double>(i));
      }
      const double range[2] = { times.front(), times.back() };
      output->Set(Pipeline::TIME_STEPS(), times.data(), static_cast<int>(times.size()));
      output->Set(Pipeline::TIME_RANGE(), range, 2);
      output->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
    }
    else if (request->Has(Pipeline::REQUEST_DATA()))
    {
      ++this->Frames.requests;
      const double time =
        output->Has(Pipeline::UPDATE_TIME_STEP()) ? output->Get(Pipeline::UPDATE_TIME_STEP()) : 0;
      const auto& frame = this->Frames.frames[static_cast<std::size_t>(time / 0.5 + 1e-6)];
      if (this->Frames.onRequest)
      {
        this->Frames.onRequest();
      }
      if (!frame)
      {
        return 0;
      }
      vtkDataObject* data = output->Get(vtkDataObject::DATA_OBJECT());
      data->ShallowCopy(frame);
      data->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), time);
    }
    return 1;
  }
};
vtkStandardNewMacro(vtkSeriesSource);

/// Points with ids; x is 10 id + frame, so that each value tells where it belongs.
vtkSmartPointer<vtkPolyData> frameOf(const std::vector<double>& ids, double frame)
{
  std::vector<Position> positions;
  std::vector<double> velocities, radii;
  for (const double id : ids)
  {
    positions.push_back({ 10 * id + frame, -id, 1e7 + frame });
    velocities.insert(velocities.end(), { id, frame, -1 });
    radii.push_back(id / 8);
  }
  auto data = pipelines::seeds(positions);
  pipelines::addArray(data, "particle_id", 1, ids);
  pipelines::addArray(data, "velocity", 3, velocities);
  pipelines::addArray(data, "radius", 1, radii);
  return data;
}

/// A file of netCDF, as its own library reads it.
class NetcdfFile
{
public:
  explicit NetcdfFile(const std::string& name)
  {
    EXPECT_EQ(nc_open(name.c_str(), NC_NOWRITE, &this->id), NC_NOERR) << name;
  }
  ~NetcdfFile() { nc_close(this->id); }

  std::size_t length(const char* dimension) const
  {
    int which = -1;
    std::size_t result = 0;
    EXPECT_EQ(nc_inq_dimid(this->id, dimension, &which), NC_NOERR) << dimension;
    EXPECT_EQ(nc_inq_dimlen(this->id, which, &result), NC_NOERR) << dimension;
    return result;
  }

  bool has(const char* variable) const
  {
    int which = -1;
    return nc_inq_varid(this->id, variable, &which) == NC_NOERR;
  }

  std::vector<double> values(const char* variable) const
  {
    int which = -1, dimension = -1;
    std::size_t count = 0;
    EXPECT_EQ(nc_inq_varid(this->id, variable, &which), NC_NOERR) << variable;
    EXPECT_EQ(nc_inq_vardimid(this->id, which, &dimension), NC_NOERR) << variable;
    EXPECT_EQ(nc_inq_dimlen(this->id, dimension, &count), NC_NOERR) << variable;
    std::vector<double> result(count);
    EXPECT_EQ(nc_get_var_double(this->id, which, result.data()), NC_NOERR) << variable;
    return result;
  }

  std::string text(const char* variable, const char* attribute) const
  {
    int which = NC_GLOBAL;
    std::size_t length = 0;
    if (variable && nc_inq_varid(this->id, variable, &which) != NC_NOERR)
    {
      return "no such variable";
    }
    if (nc_inq_attlen(this->id, which, attribute, &length) != NC_NOERR)
    {
      return "";
    }
    std::string result(length, ' ');
    EXPECT_EQ(nc_get_att_text(this->id, which, attribute, result.data()), NC_NOERR) << attribute;
    return result;
  }

  int id = -1;
};

class TrajectoryWriter : public testing::Test
{
protected:
  TrajectoryWriter()
  {
    std::string pattern = (std::filesystem::temp_directory_path() / "trajectories-XXXXXX").string();
    this->folder = mkdtemp(pattern.data());
    this->file = (this->folder / "rocks.nc").string();
    this->writer->SetInputConnection(this->source->GetOutputPort());
    this->writer->SetFileName(this->file.c_str());
  }
  ~TrajectoryWriter() override { std::filesystem::remove_all(this->folder); }

  std::size_t filesLeft() const
  {
    return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(this->folder), {}));
  }

  /// The writer refuses with one error that says these words, and leaves nothing.
  void expectRefusal(const std::vector<std::string>& words)
  {
    this->said.clear();
    EXPECT_EQ(this->writer->Write(), 0);
    ASSERT_EQ(this->said.errors.size(), 1u);
    for (const std::string& word : words)
    {
      EXPECT_TRUE(pipelines::contains(this->said.errors[0], word)) << this->said.errors[0];
    }
    EXPECT_EQ(this->filesLeft(), 0u);
  }

  std::filesystem::path folder;
  std::string file;
  vtkNew<vtkSeriesSource> source;
  vtkNew<vtkLapilliTrajectoryWriter> writer;
  Listener said{ this->writer };
  Listener saidUpstream{ this->source };
};

TEST_F(TrajectoryWriter, HoldsParticlesThatComeAndGoInAnyOrder)
{
  // 7 goes and comes back, 3 is lost, 12 and 5 come later, nobody is there at the end.
  const std::vector<std::vector<double>> ids{ { 3, 7 }, { 7, 12, 3 }, { 12 }, { 5, 12, 7 }, {} };
  for (std::size_t i = 0; i < ids.size(); ++i)
  {
    this->source->Frames.frames.push_back(frameOf(ids[i], static_cast<double>(i)));
  }
  ASSERT_EQ(this->writer->Write(), 1);
  EXPECT_TRUE(this->said.errors.empty());
  EXPECT_EQ(this->filesLeft(), 1u);

  const NetcdfFile back(this->file);
  EXPECT_EQ(back.length("trajectory"), 4u);
  EXPECT_EQ(back.length("frame"), 5u);
  ASSERT_EQ(back.length("obs"), 9u);
  const auto index = back.values("trajectoryIndex"), id = back.values("particle_id"),
             time = back.values("time"), x = back.values("x"), y = back.values("y"),
             z = back.values("z"), vx = back.values("velocity_x"), vy = back.values("velocity_y"),
             vz = back.values("velocity_z"), radius = back.values("radius"),
             start = back.values("frame_start"), frameTime = back.values("frame_time");
  std::size_t row = 0;
  for (std::size_t i = 0; i < ids.size(); ++i)
  {
    const auto frame = static_cast<double>(i);
    EXPECT_EQ(start[i], static_cast<double>(row));
    EXPECT_EQ(frameTime[i], 0.5 * frame);
    for (const double expected : ids[i])
    {
      ASSERT_LT(index[row], 4);
      EXPECT_EQ(id[static_cast<std::size_t>(index[row])], expected);
      EXPECT_EQ(time[row], 0.5 * frame);
      EXPECT_EQ(x[row], 10 * expected + frame);
      EXPECT_EQ(y[row], -expected);
      EXPECT_EQ(z[row], 1e7 + frame);
      EXPECT_EQ(vx[row], expected);
      EXPECT_EQ(vy[row], frame);
      EXPECT_EQ(vz[row], -1);
      EXPECT_EQ(radius[row], expected / 8);
      ++row;
    }
  }
}

TEST_F(TrajectoryWriter, PutsLocalCoordinatesBackOnTheMap)
{
  auto frame = frameOf({ 1, 2 }, 0);
  vtkNew<vtkDoubleArray> origin;
  origin->SetName("local_origin");
  origin->SetNumberOfComponents(3);
  origin->InsertNextTuple3(604'000, 9'085'000, 0);
  frame->GetFieldData()->AddArray(origin);
  this->source->Frames.frames = { frame };
  ASSERT_EQ(this->writer->Write(), 1);
  const NetcdfFile back(this->file);
  EXPECT_EQ(back.values("x"), (std::vector<double>{ 604'010, 604'020 }));
  EXPECT_EQ(back.values("y"), (std::vector<double>{ 9'084'999, 9'084'998 }));
  EXPECT_EQ(back.values("z"), (std::vector<double>{ 1e7, 1e7 }));
}

TEST_F(TrajectoryWriter, FollowsTheConventions)
{
  auto frame = frameOf({ 1, 2 }, 0);
  frame->GetPointData()->GetArray("radius")->GetInformation()->Set(
    vtkDataArray::UNITS_LABEL(), "m");
  pipelines::addArray(frame, "x", 1, { 4, 5 });                // taken by the coordinate
  pipelines::addArray(frame, "2nd speed (fast)", 1, { 6, 7 }); // not a name for CF
  this->source->Frames.frames = { frame };
  this->writer->SetReferenceTime("2026-02-03T04:05:06Z");
  this->writer->SetTitle("A slope");
  ASSERT_EQ(this->writer->Write(), 1);

  const NetcdfFile back(this->file);
  EXPECT_EQ(back.text(nullptr, "Conventions"), "CF-1.9");
  EXPECT_EQ(back.text(nullptr, "featureType"), "trajectory");
  EXPECT_EQ(back.text(nullptr, "title"), "A slope");
  EXPECT_TRUE(pipelines::contains(back.text(nullptr, "history"), "Lapilli"));
  EXPECT_EQ(back.text("trajectoryIndex", "instance_dimension"), "trajectory");
  EXPECT_EQ(back.text("particle_id", "cf_role"), "trajectory_id");
  EXPECT_EQ(back.text("time", "units"), "seconds since 2026-02-03T04:05:06Z");
  EXPECT_EQ(back.text("time", "standard_name"), "time");
  EXPECT_EQ(back.text("z", "positive"), "up");
  EXPECT_EQ(back.text("z", "units"), "m");
  EXPECT_EQ(back.text("radius", "units"), "m");
  EXPECT_EQ(back.text("radius", "coordinates"), "time x y z");
  EXPECT_EQ(back.text("velocity_x", "units"), "") << "nobody has said it";
  EXPECT_EQ(back.values("x"), (std::vector<double>{ 10, 20 }));
  EXPECT_EQ(back.values("x_"), (std::vector<double>{ 4, 5 }));
  EXPECT_EQ(back.values("array_2nd_speed__fast_"), (std::vector<double>{ 6, 7 }));
}

TEST_F(TrajectoryWriter, GivesEachSphereOfABlockATrajectory)
{
  auto frame = frameOf({ 4, 4, 9 }, 0);
  pipelines::addArray(frame, "clump_sphere", 1, { 0, 1, 0 });
  this->source->Frames.frames = { frame, frame };
  ASSERT_EQ(this->writer->Write(), 1);
  const NetcdfFile back(this->file);
  EXPECT_EQ(back.values("particle_id"), (std::vector<double>{ 4, 4, 9 }));
  EXPECT_EQ(back.values("clump_sphere"), (std::vector<double>{ 0, 1, 0 }));
  EXPECT_EQ(back.values("trajectoryIndex"), (std::vector<double>{ 0, 1, 2, 0, 1, 2 }));
  EXPECT_EQ(back.text("particle_id", "cf_role"), "");
  EXPECT_EQ(back.text("trajectory_id", "cf_role"), "trajectory_id");
}

TEST_F(TrajectoryWriter, FillsWhereAnArrayIsMissing)
{
  auto first = frameOf({ 1 }, 0), second = frameOf({ 1 }, 1);
  first->GetPointData()->RemoveArray("radius");
  second->GetPointData()->RemoveArray("velocity");
  this->source->Frames.frames = { first, second, frameOf({ 1 }, 2) };
  ASSERT_EQ(this->writer->Write(), 1);
  const NetcdfFile back(this->file);
  const auto radius = back.values("radius"), speed = back.values("velocity_y");
  ASSERT_EQ(radius.size(), 3u);
  EXPECT_TRUE(std::isnan(radius[0]));
  EXPECT_EQ(radius[1], 0.125);
  EXPECT_EQ(radius[2], 0.125);
  EXPECT_EQ(speed[0], 0);
  EXPECT_TRUE(std::isnan(speed[1]));
  EXPECT_EQ(speed[2], 2);
}

TEST_F(TrajectoryWriter, TakesBlocksAndTheTimeThatIsAskedFor)
{
  vtkNew<vtkMultiBlockDataSet> blocks;
  blocks->SetBlock(0, frameOf({ 8 }, 0));
  blocks->SetBlock(2, frameOf({ 2, 6 }, 0));
  this->source->Frames.frames = { blocks, blocks, blocks };
  this->writer->WriteTimeStepsOff();
  this->writer->UpdateInformation();
  this->writer->GetInputInformation(0, 0)->Set(
    vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP(), 0.5);
  ASSERT_EQ(this->writer->Write(), 1);
  const NetcdfFile back(this->file);
  EXPECT_EQ(back.values("time"), (std::vector<double>{ 0.5, 0.5, 0.5 }));
  EXPECT_EQ(back.values("particle_id"), (std::vector<double>{ 8, 2, 6 }));
  EXPECT_EQ(back.values("x"), (std::vector<double>{ 80, 20, 60 }));
}

TEST_F(TrajectoryWriter, HoldsFramesLargerThanItsBlocks)
{
  std::vector<double> ids(1200000); // above the 2^20 rows that are packed at once
  for (std::size_t i = 0; i < ids.size(); ++i)
  {
    ids[i] = static_cast<double>(ids.size() - i);
  }
  this->source->Frames.frames = { frameOf(ids, 0), frameOf({ 5 }, 1) };
  ASSERT_EQ(this->writer->Write(), 1);
  const NetcdfFile back(this->file);
  const auto x = back.values("x"), vx = back.values("velocity_x"),
             index = back.values("trajectoryIndex");
  ASSERT_EQ(x.size(), ids.size() + 1);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < ids.size(); ++i)
  {
    wrong += x[i] != 10 * ids[i] || vx[i] != ids[i] || index[i] != static_cast<double>(i);
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(x.back(), 51);
  EXPECT_EQ(index.back(), static_cast<double>(ids.size() - 5));
}

TEST_F(TrajectoryWriter, RefusesPointsWithoutIds)
{
  auto frame = frameOf({ 1, 2 }, 0);
  frame->GetPointData()->RemoveArray("particle_id");
  this->source->Frames.frames = { frame };
  this->expectRefusal({ "no point array particle_id", "IdArray" });
}

TEST_F(TrajectoryWriter, RefusesARunWithoutPoints)
{
  this->source->Frames.frames = { frameOf({}, 0), frameOf({}, 1) };
  this->expectRefusal({ "rocks.nc was not written", "no points at any of 2 times" });
}

TEST_F(TrajectoryWriter, RefusesIdsThatAreThereTwiceOrBroken)
{
  this->source->Frames.frames = { frameOf({ 1, 2 }, 0), frameOf({ 1, 2, 1 }, 1) };
  this->expectRefusal({ "particle 1", "twice", "0.5 s" });
  this->source->Frames.frames = { frameOf({ 1, 2.5 }, 0) };
  this->source->Modified();
  this->expectRefusal({ "particle_id", "whole number", "2.5" });
}

TEST_F(TrajectoryWriter, RefusesWhatItCannotUse)
{
  this->source->Frames.frames = { frameOf({ 1 }, 0) };
  this->writer->SetReferenceTime("yesterday");
  this->expectRefusal({ "ReferenceTime", "yesterday", "2026-02-03" });
  this->writer->SetReferenceTime("2026-02-03");
  this->writer->SetFileName((this->folder / "no" / "rocks.nc").c_str());
  this->expectRefusal({ "rocks.nc", "folder" });
  this->writer->SetFileName("");
  this->expectRefusal({ "FileName is empty" });
}

TEST_F(TrajectoryWriter, LeavesWhatWasThereWhenItIsStopped)
{
  std::ofstream(this->file) << "yesterday's work";
  for (int i = 0; i < 5; ++i)
  {
    this->source->Frames.frames.push_back(frameOf({ 1, 2 }, i));
  }
  this->source->Frames.onRequest = [this]
  {
    if (this->source->Frames.requests == 3)
    {
      this->writer->SetAbortExecute(1);
    }
  };
  EXPECT_EQ(this->writer->Write(), 0);
  ASSERT_EQ(this->said.errors.size(), 1u);
  EXPECT_TRUE(pipelines::contains(this->said.errors[0], "after 2 frames")) << this->said.errors[0];
  EXPECT_EQ(this->source->Frames.requests, 3);
  EXPECT_EQ(this->filesLeft(), 1u);
  std::string line;
  std::getline(std::ifstream(this->file), line);
  EXPECT_EQ(line, "yesterday's work");

  this->writer->SetAbortExecute(0);
  this->source->Modified();
  this->source->Frames.onRequest = {};
  EXPECT_EQ(this->writer->Write(), 1) << "an abort must not last";
  EXPECT_EQ(NetcdfFile(this->file).length("frame"), 5u);
}

TEST_F(TrajectoryWriter, LeavesNothingWhenTheRunIsStopped)
{
  vtkNew<vtkCountingSimulation> run;
  run->SetEndTime(1);
  run->SetFrameInterval(0.1);
  run->Work->secondsPerStep = 0.01; // progress comes at intervals of time
  vtkNew<vtkCallbackCommand> stop;
  stop->SetClientData(run);
  stop->SetCallback(
    [](vtkObject*, unsigned long, void* client, void*)
    {
      auto* simulation = static_cast<vtkCountingSimulation*>(client);
      if (simulation->Work->steps > 35)
      {
        simulation->SetAbortExecute(1);
      }
    });
  run->AddObserver(vtkCommand::ProgressEvent, stop);
  this->writer->SetInputConnection(run->GetOutputPort());
  this->said.clear();
  EXPECT_EQ(this->writer->Write(), 0);
  ASSERT_EQ(this->said.errors.size(), 1u);
  EXPECT_TRUE(pipelines::contains(this->said.errors[0], "was not written")) << this->said.errors[0];
  EXPECT_LT(run->Work->steps, 100);
  EXPECT_EQ(this->filesLeft(), 0u);
}

TEST_F(TrajectoryWriter, EndsWhereItsInputFails)
{
  this->source->Frames.frames = { frameOf({ 1 }, 0), nullptr, frameOf({ 1 }, 2) };
  this->expectRefusal({ "rocks.nc was not written", "after 1 frames" });
}

TEST_F(TrajectoryWriter, LeavesNothingOnAFullDisk)
{
  // A disk of our own, that nobody but this process sees. A crash when the process ends fails the test, too.
  if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("none", this->folder.c_str(), "tmpfs", 0, "size=128m") != 0)
  {
    GTEST_SKIP() << "only root may mount a small disk";
  }
  const std::filesystem::path disk = this->folder;
  const std::string ballast = (disk / "ballast").string();
  this->folder = disk / "data";
  std::filesystem::create_directory(this->folder);
  this->file = (this->folder / "rocks.nc").string();
  this->writer->SetFileName(this->file.c_str());

  std::vector<double> ids(200000);
  for (std::size_t i = 0; i < ids.size(); ++i)
  {
    ids[i] = static_cast<double>(i);
  }
  this->source->Frames.frames = { frameOf(ids, 0), frameOf(ids, 1), frameOf(ids, 2) };
  this->writer->SetCompressionLevel(0);
  ASSERT_EQ(this->writer->Write(), 1);
  const auto whole = std::filesystem::file_size(this->file);
  std::filesystem::remove(this->file);
  const auto room = std::filesystem::space(disk).available;
  ASSERT_GT(whole, 30u << 20);

  // From a disk on which nothing fits to one on which only the last rows do not.
  for (std::uintmax_t left = 0; left < whole; left += whole / 20)
  {
    SCOPED_TRACE(std::to_string(left) + " bytes are left");
    const int filler = open(ballast.c_str(), O_CREAT | O_RDWR, 0600);
    ASSERT_EQ(posix_fallocate(filler, 0, static_cast<off_t>(room - left)), 0);
    close(filler);
    this->expectRefusal({ "rocks.nc was not written", "MB are free in", "free space" });
    std::filesystem::remove(ballast);
    EXPECT_EQ(std::filesystem::space(disk).available, room) << "a file that is still open";
  }
  EXPECT_EQ(this->writer->Write(), 1) << "and then it works again";
  EXPECT_EQ(NetcdfFile(this->file).length("obs"), 3 * ids.size());
  EXPECT_EQ(umount2(disk.c_str(), MNT_DETACH), 0);
  std::filesystem::remove(disk);
}

TEST_F(TrajectoryWriter, HoldsTheGoodFramesOfARunThatDiverges)
{
  vtkNew<vtkCountingSimulation> run;
  run->SetEndTime(1);
  run->SetFrameInterval(0.1);
  run->Work->divergesAt = 0.45;
  this->writer->SetInputConnection(run->GetOutputPort());
  Listener upstream(run);
  EXPECT_EQ(this->writer->Write(), 1);
  EXPECT_EQ(upstream.errors.size(), 1u);
  EXPECT_TRUE(this->said.errors.empty());
  ASSERT_EQ(this->said.warnings.size(), 1u);
  EXPECT_TRUE(pipelines::contains(this->said.warnings[0], "ends at t = 0.4 s"))
    << this->said.warnings[0];
  const NetcdfFile back(this->file);
  EXPECT_EQ(back.length("frame"), 5u);
  EXPECT_EQ(back.length("obs"), 5 * run->Work->particles);
  EXPECT_EQ(back.text("velocity_x", "units"), "m/s") << "the unit came from the engine";
  EXPECT_TRUE(pipelines::contains(back.text(nullptr, "source"), "Counting"));
}

} // namespace
