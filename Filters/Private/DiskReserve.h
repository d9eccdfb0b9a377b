/// @file
/// Disk space that is held, as a file, until it is needed, so that a library that does not survive a full disk never meets one.
///
///   DiskReserve reserve("rocks.nc.reserve");
///   reserve.hold(32 << 20);           // for what the library still has to write when it closes its file
///   if (reserve.makeRoom(bytes) == 0) // for what it shall write now
///     …
///   reserve.release();                // and now it may close
///
/// Between makeRoom() and the writing another process may take the room.
#pragma once

#include <cstddef>
#include <string>

namespace lapilli
{

class DiskReserve
{
public:
  /// @param name of a file on that disk; it is never seen
  explicit DiskReserve(const std::string& name);
  ~DiskReserve();
  DiskReserve(const DiskReserve&) = delete;
  DiskReserve& operator=(const DiskReserve&) = delete;

  int hold(std::size_t bytes);     ///< so much more; errno, or 0
  int makeRoom(std::size_t bytes); ///< so much is free; errno, or 0
  void release();

private:
  int allocate(std::size_t bytes);

  int file_;
  int openError_; ///< errno, or 0
  std::size_t bytes_ = 0;
};

} // namespace lapilli
