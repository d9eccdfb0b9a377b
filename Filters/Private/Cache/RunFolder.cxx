#include "RunFolder.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lapilli
{
namespace
{

namespace fs = std::filesystem;

constexpr const char* lockName = "in_use";
constexpr const char* prefix = "lapilli-v1-";

[[noreturn]] void fail(const std::string& what, const fs::path& path, int error)
{
  throw DiskError(what + " '" + path.string() + "': " + std::generic_category().message(error));
}

std::string nameOf(const Digest& run)
{
  char name[64];
  std::snprintf(name, sizeof(name), "%s%016llx%016llx", prefix,
    static_cast<unsigned long long>(run[0]), static_cast<unsigned long long>(run[1]));
  return name;
}

/// Of this and of earlier versions: what else lies in the cache folder is not ours.
bool isRun(const fs::directory_entry& entry)
{
  const std::string name = entry.path().filename().string();
  std::error_code ignored;
  return name.rfind("lapilli-v", 0) == 0 && name.size() > 33 && name[name.size() - 33] == '-' &&
         name.find_first_not_of("0123456789abcdef", name.size() - 32) == std::string::npos &&
         entry.is_directory(ignored) && !entry.is_symlink(ignored);
}

std::uint64_t bytesIn(const fs::path& folder)
{
  std::uint64_t bytes = 0;
  std::error_code error;
  for (fs::directory_iterator next(folder, error), end; !error && next != end;
       next.increment(error))
  {
    std::error_code ignored;
    const std::uintmax_t size = next->file_size(ignored);
    bytes += ignored ? 0 : size;
  }
  return bytes;
}

struct Descriptor
{
  explicit Descriptor(int number)
    : number(number)
  {
  }
  ~Descriptor()
  {
    if (number >= 0)
    {
      ::close(number);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  const int number;
};

/// Waits until no other process reads or writes it so.
void lockAlone(const Descriptor& file, const fs::path& path)
{
  while (::flock(file.number, LOCK_EX) != 0)
  {
    if (errno != EINTR)
    {
      fail("cannot lock", path, errno);
    }
  }
}

std::vector<std::uint8_t> readAll(const Descriptor& file, const fs::path& path)
{
  struct stat status = {};
  if (::fstat(file.number, &status) != 0)
  {
    fail("cannot read", path, errno);
  }
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(status.st_size));
  for (std::size_t done = 0; done < bytes.size();)
  {
    const ssize_t count = ::read(file.number, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno != EINTR)
    {
      fail("cannot read", path, errno);
    }
    if (count == 0)
    {
      bytes.resize(done); // it has become shorter meanwhile
    }
    done += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  return bytes;
}

/// The room for a new file at once: finding it block after block while writing takes ext4 up to ten times longer. Where
/// that is not possible, writing tells what is wrong.
void reserve([[maybe_unused]] const Descriptor& file, [[maybe_unused]] std::size_t bytes)
{
#ifdef __linux__
  [[maybe_unused]] const int result = ::fallocate(file.number, 0, 0, static_cast<off_t>(bytes));
#endif
}

void writeAll(const Descriptor& file, const fs::path& path, const std::vector<std::uint8_t>& bytes)
{
  for (std::size_t done = 0; done < bytes.size();)
  {
    const ssize_t count = ::write(file.number, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno != EINTR)
    {
      fail("cannot write", path, errno);
    }
    done += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
}

} // namespace

std::string usualCacheFolder()
{
  if (const char* given = std::getenv("LAPILLI_CACHE_FOLDER"))
  {
    return given;
  }
  const char* caches = std::getenv("XDG_CACHE_HOME");
  if (caches && *caches)
  {
    return (fs::path(caches) / "lapilli").string();
  }
  const char* home = std::getenv("HOME");
  return home && *home ? (fs::path(home) / ".cache" / "lapilli").string() : std::string();
}

//------------------------------------------------------------------------------
RunFolder::RunFolder(const fs::path& cache, const Digest& run)
  : cache_(cache)
  , path_(cache / nameOf(run))
{
  this->open();
}

RunFolder::~RunFolder()
{
  if (lock_ >= 0)
  {
    ::futimens(lock_, nullptr); // used last now
    ::close(lock_);
  }
}

void RunFolder::open()
{
  std::error_code error;
  fs::create_directories(path_, error);
  if (error)
  {
    fail("cannot make the folder", path_, error.value());
  }
  const fs::path name = path_ / lockName;
  const int lock = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock < 0)
  {
    fail("cannot write to", name, errno);
  }
  if (::flock(lock, LOCK_SH | LOCK_NB) != 0)
  {
    const int reason = errno;
    ::close(lock);
    fail("cannot lock", name, reason);
  }
  ::futimens(lock, nullptr);
  if (lock_ >= 0)
  {
    ::close(lock_);
  }
  lock_ = lock;
}

std::vector<RunFolder::Entry> RunFolder::entries() const
{
  std::vector<Entry> found;
  std::error_code error;
  for (fs::directory_iterator next(path_, error), end; !error && next != end; next.increment(error))
  {
    std::error_code ignored;
    const std::string name = next->path().filename().string();
    if (name != lockName && next->is_regular_file(ignored))
    {
      const std::uintmax_t size = next->file_size(ignored);
      found.push_back({ name, ignored ? 0 : static_cast<std::uint64_t>(size) });
    }
  }
  if (error)
  {
    fail("cannot list", path_, error.value());
  }
  return found;
}

//------------------------------------------------------------------------------
std::vector<std::uint8_t> RunFolder::read(const std::string& name) const
{
  const fs::path path = path_ / name;
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number < 0)
  {
    fail("cannot read", path, errno);
  }
  return readAll(file, path);
}

void RunFolder::write(const std::string& name, const std::vector<std::uint8_t>& bytes)
{
  // Not that of another filter or process, which may write the same frame at the same time.
  static std::atomic<unsigned> number{ 0 };
  const std::string part =
    name + ".part" + std::to_string(::getpid()) + "-" + std::to_string(++number);
  std::error_code error;
  for (int attempt = 0; attempt < 2; ++attempt)
  {
    try
    {
      const Descriptor file(this->openToWrite(path_ / part, O_TRUNC));
      reserve(file, bytes.size());
      writeAll(file, path_ / part, bytes);
    }
    catch (const DiskError&)
    {
      this->remove(part);
      throw;
    }
    fs::rename(path_ / part, path_ / name, error);
    if (error != std::errc::no_such_file_or_directory)
    {
      break; // else the folder was removed meanwhile, and is made anew
    }
  }
  if (error)
  {
    this->remove(part);
    fail("cannot write", path_ / name, error.value());
  }
}

void RunFolder::append(const std::string& name, const std::vector<std::uint8_t>& bytes)
{
  const fs::path path = path_ / name;
  const Descriptor file(this->openToWrite(path, O_APPEND));
  lockAlone(file, path);
  const off_t before = ::lseek(file.number, 0, SEEK_END);
  try
  {
    writeAll(file, path, bytes);
  }
  catch (const DiskError&)
  {
    if (before >= 0 && ::ftruncate(file.number, before) != 0)
    {
      // Then the next reader cuts it off.
    }
    throw;
  }
}

bool RunFolder::readWhole(const std::string& name,
  const std::function<std::size_t(const std::vector<std::uint8_t>&)>& wholeBytes)
{
  const fs::path path = path_ / name;
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (file.number < 0)
  {
    fail("cannot read", path, errno);
  }
  lockAlone(file, path);
  const std::vector<std::uint8_t> bytes = readAll(file, path);
  const std::size_t whole = wholeBytes(bytes);
  if (whole < bytes.size() && ::ftruncate(file.number, static_cast<off_t>(whole)) != 0)
  {
    fail("cannot write", path, errno);
  }
  return whole == bytes.size();
}

int RunFolder::openToWrite(const fs::path& path, int flags)
{
  const int mode = O_WRONLY | O_CREAT | O_CLOEXEC | flags;
  int number = ::open(path.c_str(), mode, 0666);
  if (number < 0 && errno == ENOENT)
  {
    this->open();
    number = ::open(path.c_str(), mode, 0666);
  }
  if (number < 0)
  {
    fail("cannot write", path, errno);
  }
  return number;
}

std::uint64_t RunFolder::remove(const std::string& name) noexcept
{
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path_ / name, error);
  const bool isGone = !error && fs::remove(path_ / name, error) && !error;
  return isGone ? static_cast<std::uint64_t>(size) : 0;
}

//------------------------------------------------------------------------------
std::uint64_t RunFolder::cacheBytes() const
{
  std::uint64_t bytes = 0;
  std::error_code error;
  for (fs::directory_iterator next(cache_, error), end; !error && next != end;
       next.increment(error))
  {
    bytes += isRun(*next) ? bytesIn(next->path()) : 0;
  }
  return bytes;
}

std::uint64_t RunFolder::makeRoom(std::uint64_t limit)
{
  struct Other
  {
    fs::file_time_type used;
    fs::path path;
    std::uint64_t bytes = 0;
  };
  std::vector<Other> others;
  std::uint64_t all = bytesIn(path_);
  std::error_code error;
  for (fs::directory_iterator next(cache_, error), end; !error && next != end;
       next.increment(error))
  {
    if (isRun(*next) && next->path() != path_)
    {
      std::error_code ignored;
      others.push_back({ fs::last_write_time(next->path() / lockName, ignored), next->path(),
        bytesIn(next->path()) });
      all += others.back().bytes;
    }
  }
  std::sort(
    others.begin(), others.end(), [](const Other& a, const Other& b) { return a.used < b.used; });
  for (const Other& other : others)
  {
    if (all <= limit)
    {
      break;
    }
    const Descriptor lock(
      ::open((other.path / lockName).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (lock.number >= 0 && ::flock(lock.number, LOCK_EX | LOCK_NB) == 0)
    {
      std::error_code ignored;
      fs::remove_all(other.path, ignored);
      all -= ignored ? 0 : other.bytes;
    }
  }
  return all;
}

std::uint64_t RunFolder::freeSpace() const
{
  std::error_code error;
  const fs::space_info space = fs::space(cache_, error);
  return error ? std::numeric_limits<std::uint64_t>::max() : space.available;
}

} // namespace lapilli
