/// @file
/// Runs in a process of their own, started by tests: the test executable as its own child.
#pragma once

#include "GranularFlow.h"

#include <string>

namespace lapilli
{
namespace test
{

/// A rain of spheres of three sizes on Maunga Whau with a hole in it: they collide, leave the map at its
/// edges and fall into the hole. A thousand steps to `repeatTime()`.
/// @param count about how many
Scene repeatScene(int count);
GranularFlowParameters repeatParameters();
double repeatTime();

/// What stays the same, in one line: a hash of all arrays, steps, builds, losses.
std::string fingerprint(const Simulation& run);

/// Modes of the executable, after "--child":
///   repeat COUNT THREADS  runs repeatScene and prints the device and the fingerprint
///   resume COUNT FILE     restores repeatScene from a file, goes on to repeatTime() and prints the same
int runChild(int argc, char** argv);

/// Starts this executable with arguments, after an optional command such as "taskset -c 0".
/// @return its standard output
std::string runInChild(const std::string& before, const std::string& arguments);

} // namespace test
} // namespace lapilli
