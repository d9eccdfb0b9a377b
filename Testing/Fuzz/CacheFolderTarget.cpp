// A cache folder in which anything may lie: the names of its files and what is in them.
#include "Target.h"

#include "Error.h"
#include "Private/Cache/DiskCache.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace lapilli
{
namespace
{

namespace fs = std::filesystem;

const Digest run{ 1, 2 };
constexpr const char* folderOfRun = "lapilli-v1-00000000000000010000000000000002";
constexpr std::size_t mostFiles = 6;

/// Where the folder is made anew for each input; in memory where the system has such a place.
const fs::path& cacheFolder()
{
  static const fs::path folder =
    (fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path()) /
    ("lapilli-fuzz-" + std::to_string(::getpid()));
  return folder;
}

/// What is left of the input, taken bit by bit.
class Input
{
public:
  Input(const std::uint8_t* data, std::size_t size)
    : next_(data)
    , left_(size)
  {
  }
  bool isEmpty() const { return left_ == 0; }
  std::uint8_t byte() { return left_ == 0 ? 0 : (--left_, *next_++); }
  std::string text(std::size_t length)
  {
    const std::size_t size = std::min(length, left_);
    std::string text(reinterpret_cast<const char*>(next_), size);
    next_ += size;
    left_ -= size;
    return text;
  }

private:
  const std::uint8_t* next_;
  std::size_t left_;
};

bool isFileName(const std::string& name)
{
  return !name.empty() && name != "." && name != ".." && name.size() < 200 &&
         name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
}

/// One file as part of a seed: its place, its name and what is in it.
void addFile(Bytes& seed, bool inOtherRun, const std::string& name, const Bytes& content)
{
  seed.push_back(inOtherRun ? 1 : 0);
  seed.push_back(static_cast<std::uint8_t>(name.size()));
  seed.insert(seed.end(), name.begin(), name.end());
  seed.push_back(static_cast<std::uint8_t>(content.size() & 255));
  seed.push_back(static_cast<std::uint8_t>(content.size() >> 8));
  seed.insert(seed.end(), content.begin(), content.end());
}

void writeFiles(Input& input, const fs::path& folder)
{
  for (std::size_t k = 0; k < mostFiles && !input.isEmpty(); ++k)
  {
    const bool inOtherRun = (input.byte() & 1) != 0;
    const std::string name = input.text(input.byte());
    const std::size_t low = input.byte();
    const std::string content = input.text(low + 256u * input.byte());
    if (isFileName(name))
    {
      const fs::path where =
        inOtherRun ? folder / ("lapilli-v1-" + std::string(32, 'a')) : folder / folderOfRun;
      std::ofstream(where / name, std::ios::binary) << content;
    }
  }
}

StoredFrame someFrame()
{
  StoredFrame stored;
  stored.frame.time = 1;
  stored.frame.pointSets = { { "particles", { 1, 2, 3 }, {} } };
  stored.frame.tables = { { "history", {} } };
  stored.tableRows = { 1 };
  return stored;
}

Table someTable(std::size_t rows)
{
  return { "history", { { "time", 1, "s", std::vector<double>(rows, 0.5) } } };
}

void use(const fs::path& folder, std::uint64_t limit)
{
  DiskCache cache(folder.string(), limit, std::size_t(1) << 20, run);
  const std::vector<Table> tables = cache.takeTables();
  for (std::int64_t index = 0; index < 4; ++index)
    cache.frame(index, tables);
  for (std::int64_t index = cache.checkpointAtOrBefore(INT64_MAX); index >= 0;
       index = cache.checkpointAtOrBefore(INT64_MAX))
    if (cache.checkpoint(index))
      break;
  const std::vector<Table> more{ someTable(2) };
  if (tables.empty())
    cache.keepFrame(1, std::make_shared<const StoredFrame>(someFrame()), more);
  cache.keepCheckpoint(2, std::make_shared<const Bytes>(Bytes(20, 1)));
  cache.bytes();
  cache.takeNotes();
}

} // namespace

std::vector<Bytes> fuzz::seeds()
{
  const auto frame = [](std::int64_t index) { return packFrame({ run, index }, someFrame()); };
  const auto checkpoint = [](std::int64_t index) {
    return packCheckpoint({ run, index }, Bytes(30, 7));
  };
  const Bytes rows = packRows({ run, 1 }, { { 0 }, { someTable(1) } });

  Bytes whole{ 200 };
  addFile(whole, false, "frame-00000001", frame(1));
  addFile(whole, false, "checkpoint-00000003", checkpoint(3));
  addFile(whole, false, "rows", rows);
  Bytes strange{ 2 };
  addFile(strange, false, "frame-99999999", frame(0));
  addFile(strange, false, "checkpoint-999999999999", checkpoint(1));
  addFile(strange, true, "frame-00000000", frame(0));
  addFile(strange, false, "frame-00000002.part17-1", {});
  addFile(strange, false, "rows", Bytes(9, 1));
  return { Bytes{}, whole, strange };
}

} // namespace lapilli

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace lapilli;
  Input input(data, size);
  const fs::path& folder = cacheFolder();
  fs::create_directories(folder / folderOfRun);
  fs::create_directories(folder / ("lapilli-v1-" + std::string(32, 'a')));
  const std::uint64_t limit = std::uint64_t(input.byte()) << 16;
  writeFiles(input, folder);
  use(folder, limit);
  fs::remove_all(folder);
  return 0;
}
