#include "DiskReserve.h"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace lapilli
{

DiskReserve::DiskReserve(const std::string& name)
  : file_(open(name.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600))
  , openError_(file_ < 0 ? errno : 0)
{
  unlink(name.c_str()); // the space stays until it is closed, also by a process that is killed
}

DiskReserve::~DiskReserve()
{
  release();
}

int DiskReserve::hold(std::size_t bytes)
{
  const int error = allocate(bytes_ + bytes);
  if (error == 0)
  {
    bytes_ += bytes;
  }
  return error;
}

int DiskReserve::makeRoom(std::size_t bytes)
{
  const int error = allocate(bytes_ + bytes);
  return error == 0 && ftruncate(file_, static_cast<off_t>(bytes_)) != 0 ? errno : error;
}

int DiskReserve::allocate(std::size_t bytes)
{
  if (file_ < 0)
  {
    return openError_;
  }
  if (fallocate(file_, 0, 0, static_cast<off_t>(bytes)) == 0)
  {
    return 0;
  }
  if (errno != EOPNOTSUPP)
  {
    return errno;
  }
  // Network file systems: nothing can be held, but looked at.
  struct statvfs system
  {
  };
  return fstatvfs(file_, &system) == 0 &&
             static_cast<std::uintmax_t>(system.f_bavail) * system.f_frsize < bytes
           ? ENOSPC
           : 0;
}

void DiskReserve::release()
{
  if (file_ >= 0)
  {
    close(file_);
    file_ = -1;
  }
}

} // namespace lapilli
