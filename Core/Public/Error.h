/// @file
/// Exceptions of the engine. Every message gives name, value, limit and remedy:
/// "restitution is 1.2; it must lie in (0, 1]".
///
///   try { simulation->advanceTo(1.0, monitor); }
///   catch (const lapilli::Error& error) { std::cerr << error.what() << '\n'; }
#pragma once

#include <stdexcept>
#include <string>

namespace lapilli
{

/// Base of all exceptions that leave Core.
class Error : public std::runtime_error
{
public:
  using std::runtime_error::runtime_error;
};

/// The caller's mistake: a wrong value, size or missing array.
class InvalidInput : public Error
{
public:
  using Error::Error;
};

/// The device failed or is absent; the text holds the label of the stage.
class BackendError : public Error
{
public:
  using Error::Error;
};

/// Nature's mistake: a particle's state is no longer a number. The simulation that threw it
/// must not be advanced further; frames read before stay valid.
class Diverged : public Error
{
public:
  using Error::Error;
};

/// The Monitor asked to stop. The simulation stands at a whole step and may go on with advanceTo().
class Cancelled : public Error
{
public:
  using Error::Error;
};

} // namespace lapilli
