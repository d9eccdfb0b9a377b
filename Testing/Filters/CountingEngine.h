/// @file
/// A model that costs nothing: particles on a chaotic map, so that any slip in order, restart or checkpoint shows in
/// the bits, and counters of the work that was done.
#pragma once

#include "Scene.h"
#include "Simulation.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <new>
#include <thread>

/// What the engines of one filter have done, and what they shall do. Counted by the thread that marches.
struct CountingWork
{
  std::atomic<int> creations{ 0 };
  std::atomic<int> restores{ 0 };
  int described = 0;
  std::atomic<std::int64_t> steps{ 0 };

  int stepsPerFrame = 10;
  double divergesAt = -1;       ///< [s]; never where negative
  double exhaustsMemoryAt = -1; ///< [s]; never where negative
  double secondsPerStep = 0;    ///< [s], wall
  double longestEnd = 1e9;      ///< [s], for which there is memory
  std::size_t particles = 100;  ///< 0 is allowed
  std::vector<std::string> notes;
  int surfacesBuilt = 0;
  lapilli::Surface ground; ///< one triangle

  CountingWork()
  {
    ground.points = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    ground.triangles = { 0, 1, 2 };
  }
};

class CountingEngine : public lapilli::Simulation
{
public:
  CountingEngine(std::shared_ptr<CountingWork> work, double frameInterval, double rate)
    : work_(std::move(work))
    , frameInterval_(frameInterval)
    , rate_(rate)
    , state_(work_->particles)
  {
    ++work_->creations;
    for (std::size_t i = 0; i < state_.size(); ++i)
    {
      state_[i] = (static_cast<double>(i) + 0.5) / static_cast<double>(state_.size() + 1);
    }
  }

  double time() const override
  {
    return static_cast<double>(frame_) * frameInterval_ +
           substep_ * frameInterval_ / work_->stepsPerFrame;
  }

  void advanceTo(double time, lapilli::Monitor& monitor) override
  {
    const auto target = static_cast<std::int64_t>(std::llround(time / frameInterval_));
    if (std::abs(time - static_cast<double>(target) * frameInterval_) > 1e-9 * frameInterval_ ||
        time < this->time())
    {
      throw lapilli::InvalidInput("time is off the grid or in the past");
    }
    while (frame_ < target)
    {
      for (double& x : state_)
      {
        x = rate_ * x * (1 - x);
      }
      ++steps_;
      ++work_->steps;
      if (++substep_ == work_->stepsPerFrame)
      {
        substep_ = 0;
        ++frame_;
      }
      if (work_->divergesAt >= 0 && this->time() >= work_->divergesAt)
      {
        throw lapilli::Diverged("position of particle 3 is not a number at t = 0.5 s, step 50");
      }
      if (work_->exhaustsMemoryAt >= 0 && this->time() >= work_->exhaustsMemoryAt)
      {
        throw std::bad_alloc();
      }
      if (work_->secondsPerStep > 0)
      {
        std::this_thread::sleep_for(std::chrono::duration<double>(work_->secondsPerStep));
      }
      if (!monitor.onStep(this->time(), steps_))
      {
        throw lapilli::Cancelled("cancelled");
      }
    }
  }

  void read(lapilli::Frame& frame) const override
  {
    lapilli::PointSet points;
    points.name = "particles";
    lapilli::Array velocity{ "velocity", 3, "m/s", std::vector<float>(3 * state_.size()) };
    lapilli::Array id{ "particle_id", 1, "", std::vector<std::int64_t>(state_.size()) };
    for (std::size_t i = 0; i < state_.size(); ++i)
    {
      points.positions.insert(points.positions.end(), { state_[i], static_cast<double>(i), 0.0 });
      std::get<std::vector<float>>(velocity.values)[3 * i] = static_cast<float>(state_[i]);
      std::get<std::vector<std::int64_t>>(id.values)[i] = static_cast<std::int64_t>(i);
    }
    points.arrays = { velocity, id };
    frame.time = this->time();
    frame.pointSets = { points };
    // One triangle and its field; a table with a row for each frame until now.
    lapilli::SurfaceField field;
    field.name = "ground";
    field.arrays = { { "passes", 1, "", std::vector<float>{ static_cast<float>(frame_) } } };
    lapilli::Table table;
    table.name = "log";
    table.columns = { { "time", 1, "s", std::vector<double>() },
      { "frame", 1, "", std::vector<std::int64_t>() } };
    for (std::int64_t i = 0; i <= frame_; ++i)
    {
      std::get<std::vector<double>>(table.columns[0].values)
        .push_back(static_cast<double>(i) * frameInterval_);
      std::get<std::vector<std::int64_t>>(table.columns[1].values).push_back(i);
    }
    frame.surfaceFields = { field };
    frame.tables = { table };
  }

  void save(lapilli::CheckpointWriter& writer) const override
  {
    if (substep_ != 0)
    {
      throw lapilli::InvalidInput("between two frames");
    }
    writer.beginSection("counting", 1);
    writer.value(frame_);
    writer.value(steps_);
    writer.array(state_);
  }

  void restore(lapilli::CheckpointReader& reader) override
  {
    ++work_->restores;
    reader.expectSection("counting", 1);
    frame_ = reader.value<std::int64_t>();
    steps_ = reader.value<std::int64_t>();
    state_ = reader.array<double>(1 << 20);
    substep_ = 0;
  }

  lapilli::Report report() const override
  {
    lapilli::Report report;
    report.model = "Counting";
    report.device = "CPU";
    report.time = this->time();
    report.steps = steps_;
    report.timeStepLimitedBy = "the test";
    report.particles = static_cast<std::int64_t>(state_.size());
    report.losses.push_back({ "left the map", 2, 5.0, { 7, 8 }, {} });
    report.losses.push_back({ "fell into a hole", 1, 5.0, { 9 }, {} });
    report.notes = work_->notes;
    return report;
  }

private:
  std::shared_ptr<CountingWork> work_;
  double frameInterval_;
  double rate_;
  std::vector<double> state_;
  std::int64_t frame_ = 0;
  int substep_ = 0;
  std::int64_t steps_ = 0;
};
