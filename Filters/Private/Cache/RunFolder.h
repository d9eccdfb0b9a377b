/// @file
/// The files of one run in a cache folder that several processes may use at once.
///
///   CACHE/lapilli-v1-<digest of the run>/in_use         locked (shared) by every process that uses the run
///                                       /frame-00000012
///                                       /checkpoint-00000008
///                                       /rows            of all tables, grows
///
/// A file is written under another name and renamed, so it is whole or not there, whatever ends the process. What a
/// file of a run holds depends on the run alone: two processes that write the same one write the same bytes. Only
/// removing a whole run needs it for itself, and asks for the lock.
#pragma once

#include "Private/Hash.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace lapilli
{

/// What the file system has refused; a sentence with path and reason.
class DiskError : public std::runtime_error
{
  using std::runtime_error::runtime_error;
};

/// Where runs are kept if no folder is named: LAPILLI_CACHE_FOLDER, else lapilli in XDG_CACHE_HOME, else in ~/.cache;
/// empty where the environment names no place.
std::string usualCacheFolder();

/// With ~/ at its beginning as the user's home.
std::string homeExpanded(const std::string& folder);

class RunFolder
{
public:
  struct Entry
  {
    std::string name;
    std::uint64_t bytes = 0;
  };

  /// Makes the folder if need be, and marks it as in use and as the one used last.
  /// @throws DiskError
  RunFolder(const std::filesystem::path& cache, const Digest& run);
  ~RunFolder();
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// All files but the lock. @throws DiskError
  std::vector<Entry> entries() const;

  /// @throws DiskError
  std::vector<std::uint8_t> read(const std::string& name) const;
  /// Makes the folder anew if somebody has removed it. @throws DiskError
  void write(const std::string& name, const std::vector<std::uint8_t>& bytes);
  /// Adds to the end of a file, all or nothing, one process after the other. @throws DiskError
  void append(const std::string& name, const std::vector<std::uint8_t>& bytes);
  /// Reads a file that is appended to, and cuts off what is not whole.
  /// @param wholeBytes how many bytes of a file's are whole
  /// @return whether all were. @throws DiskError
  bool readWhole(const std::string& name,
    const std::function<std::size_t(const std::vector<std::uint8_t>&)>& wholeBytes);
  /// @return bytes that it took; 0 where there is no such file
  std::uint64_t remove(const std::string& name) noexcept;

  /// Bytes of all runs in the cache folder.
  std::uint64_t cacheBytes() const;
  /// Removes other runs that nobody uses, least recently used first, until all take at most this much.
  /// @return bytes that all runs take afterwards
  std::uint64_t makeRoom(std::uint64_t limit);
  /// [bytes] that the file system has left; all there are where it does not tell.
  std::uint64_t freeSpace() const;

private:
  void open();
  int openToWrite(const std::filesystem::path& path, int flags);

  std::filesystem::path cache_;
  std::filesystem::path path_;
  int lock_ = -1; ///< file descriptor
};

} // namespace lapilli
