#include "MarchMonitor.h"

#include "Interrupt.h"
#include "ProcessLink.h"

#include <vtkAlgorithm.h>
#include <vtkOutputWindow.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace lapilli
{
namespace
{

constexpr double textEvery = 0.5;      // [s], wall
constexpr double measuredAtLeast = 1;  // [s], wall, before an estimate is worth telling
constexpr double announcedBeyond = 10; // [s], wall

} // namespace

MarchMonitor::MarchMonitor(vtkAlgorithm* filter, ProcessLink& processes, double target)
  : filter_(filter)
  , processes_(processes)
  , target_(target)
{
}

bool MarchMonitor::onStep(double time, std::int64_t)
{
  if (!begun_)
  {
    // Measured from here on: the first step lists all neighbours and says little about the others.
    begun_ = true;
    begin_ = time;
    start_ = Clock::now();
  }
  const double whole = target_ - begin_;
  const double done = whole > 0 ? std::clamp((time - begin_) / whole, 0.0, 1.0) : 1;
  this->tell(time, done);
  filter_->UpdateProgress(done);
  return !filter_->CheckAbort() && !filter_->GetAbortExecute() && !processes_.isAbortAsked() &&
         !Interrupt::wasAsked();
}

void MarchMonitor::tell(double time, double done)
{
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  if (elapsed < nextText_ || done <= 0)
  {
    return;
  }
  nextText_ = elapsed + textEvery;
  const double toGo = elapsed * (1 - done) / done;
  std::ostringstream progress;
  progress << "Simulated " << time << " of " << target_ << " s, about " << std::ceil(toGo)
           << " s to go";
  filter_->SetProgressText(progress.str().c_str());

  if (!announced_ && elapsed >= measuredAtLeast && elapsed + toGo > announcedBeyond)
  {
    announced_ = true;
    std::ostringstream text;
    text << filter_->GetClassName() << ": computing up to t = " << target_ << " s takes about "
         << std::ceil(elapsed + toGo)
         << " s. Abort keeps what has been computed; the next request goes on from there.\n";
    vtkOutputWindow::GetInstance()->DisplayText(text.str().c_str());
  }
}

} // namespace lapilli
