/// @file
/// An interrupt from the keyboard (SIGINT, Ctrl-C) while a run is marched ends the march at its next step, as an abort
/// does, and reaches whom it was meant for after that: a script sees its KeyboardInterrupt, a process that does not
/// handle it ends.
#pragma once

#include <csignal>

namespace lapilli
{

/// Catches the first interrupt as long as it lives; a second one ends the process. One at a time.
class Interrupt
{
public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  static bool wasAsked();

  /// Puts the former handler back and, where there was an interrupt, passes it on.
  void passOn();

private:
  struct sigaction former_;
  bool isCaught_ = false;
};

} // namespace lapilli
