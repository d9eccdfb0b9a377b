// The files of a cache folder: frames, checkpoints and rows of tables.
#include "Target.h"

#include "Checkpoint.h"
#include "Error.h"
#include "Private/Cache/FrameFile.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace lapilli
{
namespace
{

enum Kind : std::uint8_t
{
  FrameKind,
  CheckpointKind,
  RowsKind,
  TwoRowsKind, ///< two records one behind the other; the second byte says where the second begins
  AsItIs,      ///< head and checksum are the fuzzer's too
  Kinds
};

constexpr const char* names[] = { "lapilli frame", "lapilli checkpoint", "lapilli rows",
  "lapilli rows" };
const FileKey key{ { 1, 2 }, 3 };

/// Name, version and length of what follows: the key, the content and the checksum of both.
constexpr std::size_t nameBytes = 32;
constexpr std::size_t headBytes = nameBytes + 4 + 8;

template <class T>
void append(Bytes& bytes, const T& value)
{
  const auto* first = reinterpret_cast<const std::uint8_t*>(&value);
  bytes.insert(bytes.end(), first, first + sizeof(T));
}

Bytes recordAround(const char* name, const std::uint8_t* content, std::size_t size)
{
  Bytes bytes(nameBytes, 0);
  std::memcpy(bytes.data(), name, std::strlen(name));
  append(bytes, std::uint32_t(1));
  append(bytes, static_cast<std::uint64_t>(sizeof(FileKey) + size));
  append(bytes, key);
  bytes.insert(bytes.end(), content, content + size);
  Checksum sum;
  sum.add(bytes.data() + headBytes, bytes.size() - headBytes);
  append(bytes, sum.value());
  return bytes;
}

Bytes asSeed(Kind kind, const Bytes& record)
{
  Bytes seed{ kind };
  const auto first = static_cast<std::ptrdiff_t>(headBytes + sizeof(FileKey));
  seed.insert(seed.end(), record.begin() + first, record.end() - 8);
  return seed;
}

bool isWhole(const std::vector<Array>& arrays, std::size_t tuples)
{
  return std::all_of(arrays.begin(), arrays.end(),
    [tuples](const Array& array)
    {
      const std::size_t size =
        std::visit([](const auto& values) { return values.size(); }, array.values);
      return array.components > 0 && size == tuples * static_cast<std::size_t>(array.components);
    });
}

/// What those who hand frames out rely on.
void requireSound(const StoredFrame& stored)
{
  for (const PointSet& points : stored.frame.pointSets)
    fuzz::require(points.positions.size() % 3 == 0 && isWhole(points.arrays, points.count()),
      "every array of a frame has a tuple for each point");
  fuzz::require(stored.tableRows.size() == stored.frame.tables.size(),
    "a frame knows how many rows each of its tables has");
}

void requireSound(const std::vector<Table>& tables)
{
  for (const Table& table : tables)
  {
    fuzz::require(isWhole(table.columns, table.rows()), "the columns of a table are equally long");
    rowsOf(table, table.rows() / 2, table.rows());
  }
}

Array array(const char* name, int components, Array::Values values)
{
  return { name, components, "m", std::move(values) };
}

StoredFrame someFrame(std::size_t points)
{
  StoredFrame stored;
  stored.frame.time = 1.5;
  PointSet set;
  set.name = "particles";
  set.positions.assign(3 * points, 0.25);
  set.arrays = { array("velocity", 3, std::vector<float>(3 * points, 1)),
    array("particle_id", 1, std::vector<std::int64_t>(points, 7)),
    array("source_id", 1, std::vector<std::int32_t>(points)),
    array("at_rest", 1, std::vector<std::uint8_t>(points)) };
  stored.frame.pointSets = { set };
  stored.frame.surfaceFields = { { "terrain", { array("passes", 1, std::vector<float>(2)) } } };
  stored.frame.tables = { { "history", {} } };
  stored.tableRows = { 4 };
  stored.report.model = "Granular Flow";
  stored.report.losses = { {} };
  stored.report.obstacles = { { "wall", {}, 1, {} } };
  stored.report.notes = { "a note" };
  return stored;
}

RowsRecord someRows(std::uint64_t first, std::size_t rows)
{
  return { { first }, { { "history", { array("time", 1, std::vector<double>(rows, 0.5)),
                                       array("steps", 1, std::vector<std::int64_t>(rows, 2)),
                                       array("momentum", 3, std::vector<double>(3 * rows)) } } } };
}

} // namespace

std::vector<Bytes> fuzz::seeds()
{
  std::vector<Bytes> seeds;
  for (const std::size_t points : { std::size_t(0), std::size_t(1), std::size_t(200) })
    seeds.push_back(asSeed(FrameKind, packFrame(key, someFrame(points))));
  seeds.push_back(asSeed(CheckpointKind, packCheckpoint(key, Bytes(20, 3))));
  seeds.push_back(asSeed(CheckpointKind, packCheckpoint(key, Bytes(5000, 3))));
  Bytes one = asSeed(RowsKind, packRows(key, someRows(0, 3)));
  seeds.push_back(one);
  seeds.push_back(asSeed(RowsKind, packRows(key, someRows(0, 200))));
  Bytes two{ TwoRowsKind, 127 };
  two.insert(two.end(), one.begin() + 1, one.end());
  two.insert(two.end(), one.begin() + 1, one.end());
  seeds.push_back(two);
  for (const Bytes& whole : { packFrame(key, someFrame(1)), packRows(key, someRows(0, 3)) })
  {
    Bytes seed{ AsItIs };
    seed.insert(seed.end(), whole.begin(), whole.end());
    seeds.push_back(std::move(seed));
  }
  return seeds;
}

} // namespace lapilli

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  using namespace lapilli;
  if (size < 2)
    return 0;
  const auto kind = static_cast<Kind>(*data++ % Kinds);
  --size;
  Bytes bytes;
  if (kind == AsItIs)
  {
    bytes.assign(data, data + size);
  }
  else if (kind == TwoRowsKind)
  {
    const std::size_t first = (size - 1) * *data / 254;
    const std::size_t cut = std::min(first, size - 1);
    bytes = recordAround(names[kind], data + 1, cut);
    const Bytes second = recordAround(names[kind], data + 1 + cut, size - 1 - cut);
    bytes.insert(bytes.end(), second.begin(), second.end());
  }
  else
  {
    bytes = recordAround(names[kind], data, size);
  }

  const auto refuses = [](const auto& read)
  {
    try
    {
      read();
    }
    catch (const InvalidInput&)
    {
    }
  };
  if (kind == FrameKind || kind == AsItIs)
    refuses([&] { requireSound(unpackFrame(key, bytes)); });
  if (kind == CheckpointKind || kind == AsItIs)
    refuses([&] { unpackCheckpoint(key, bytes); });
  if (kind == RowsKind || kind == TwoRowsKind || kind == AsItIs)
  {
    std::vector<Table> tables;
    fuzz::require(unpackRows(key.run, bytes, tables) <= bytes.size(), "whole records are bytes");
    requireSound(tables);
  }
  return 0;
}
