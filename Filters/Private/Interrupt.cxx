#include "Interrupt.h"

namespace lapilli
{
namespace
{

volatile std::sig_atomic_t asked = 0;

void onInterrupt(int)
{
  asked = 1;
}

} // namespace

Interrupt::Interrupt()
{
  asked = 0;
  struct sigaction action = {};
  action.sa_handler = onInterrupt;
  action.sa_flags = SA_RESETHAND | SA_RESTART; // a second one ends the process
  sigemptyset(&action.sa_mask);
  isCaught_ = sigaction(SIGINT, nullptr, &former_) == 0 && former_.sa_handler != SIG_IGN &&
              sigaction(SIGINT, &action, nullptr) == 0;
}

Interrupt::~Interrupt()
{
  if (isCaught_)
  {
    sigaction(SIGINT, &former_, nullptr);
  }
}

bool Interrupt::wasAsked()
{
  return asked != 0;
}

void Interrupt::passOn()
{
  if (isCaught_)
  {
    isCaught_ = false;
    sigaction(SIGINT, &former_, nullptr);
    if (wasAsked())
    {
      asked = 0;
      std::raise(SIGINT);
    }
  }
}

} // namespace lapilli
