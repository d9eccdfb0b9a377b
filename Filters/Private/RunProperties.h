/// @file
/// The properties that every simulation filter has, as plain numbers: what they mean for a run, and what they must be.
#pragma once

#include "FrameGrid.h"
#include "Run.h"

#include <cstddef>
#include <string>

namespace lapilli
{

struct RunProperties
{
  FrameGrid grid;              ///< end and interval of the frames
  double cacheBudget = 0;      ///< [MB], >= 0
  std::string cacheFolder;     ///< empty: the usual one
  double cacheFolderLimit = 0; ///< [MB], >= 0; 0: nothing is kept on disk
  int device = 0;              ///< a DeviceKind
  int threads = 0;             ///< [0, 1024]; 0: all

  /// @throws InvalidInput with name, value, range and remedy of the first that is outside
  void validate() const;

  std::size_t budget() const; ///< [bytes]
  RunSettings settings() const;
  /// The processor by name: a GPU rounds in its own way.
  std::string processor() const;
};

} // namespace lapilli
