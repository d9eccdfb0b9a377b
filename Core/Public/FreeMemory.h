/// @file
/// What the machine has free.
#pragma once

namespace lapilli
{

/// Memory that a process may take without pushing others out [bytes]: Linux' MemAvailable, else
/// the whole of the machine's memory.
double availableMemory();

} // namespace lapilli
