#include "FrameFile.h"

#include "Checkpoint.h"
#include "Error.h"

#include <blosc.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

namespace lapilli
{
namespace
{

constexpr std::uint32_t version = 1; // of all three kinds of file
constexpr std::size_t partBytes = std::size_t(1) << 26;
constexpr std::size_t worthCompressing = 1024; // [bytes]
constexpr std::uint64_t greatestCount = std::uint64_t(1) << 40;

//------------------------------------------------------------------------------
// Compression.

enum Codec : std::uint8_t
{
  Raw = 0,
  Blosc = 1
};

void writePacked(
  CheckpointWriter& writer, const void* data, std::size_t count, std::size_t valueBytes)
{
  writer.value(static_cast<std::uint64_t>(count));
  Bytes packed;
  for (std::size_t first = 0; first < count; first += partBytes)
  {
    const std::size_t size = std::min(partBytes, count - first);
    const auto* part = static_cast<const std::uint8_t*>(data) + first;
    Codec codec = Raw;
    if (size >= worthCompressing)
    {
      packed.resize(size + BLOSC_MAX_OVERHEAD);
      const int length = blosc_compress_ctx(
        1, BLOSC_SHUFFLE, valueBytes, size, part, packed.data(), packed.size(), "lz4", 0, 1);
      if (length > 0 && static_cast<std::size_t>(length) < size - size / 10)
      {
        codec = Blosc;
        packed.resize(static_cast<std::size_t>(length));
      }
    }
    if (codec == Raw)
    {
      packed.assign(part, part + size);
    }
    writer.value(codec);
    writer.array(packed);
  }
}

/// @param values resized to what was packed
template <class T>
void readPacked(CheckpointReader& reader, std::vector<T>& values)
{
  const auto count = reader.value<std::uint64_t>();
  if (count > greatestCount || count % sizeof(T) != 0)
  {
    throw InvalidInput("an array in the file has an impossible length; compute it anew");
  }
  values.clear();
  for (std::uint64_t first = 0; first < count; first += partBytes)
  {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(partBytes, count - first));
    const auto codec = reader.value<Codec>();
    const Bytes packed = reader.array<std::uint8_t>(size);
    std::size_t unpacked = packed.size();
    const bool isWhole =
      codec == Raw || (codec == Blosc && packed.size() >= BLOSC_MIN_HEADER_LENGTH &&
                        blosc_cbuffer_validate(packed.data(), packed.size(), &unpacked) == 0);
    if (!isWhole || unpacked != size)
    {
      throw InvalidInput("an array in the file cannot be unpacked; compute it anew");
    }
    const std::size_t before = values.size();
    values.resize(before + size / sizeof(T)); // not before the bytes for it have been seen
    if (codec == Raw)
    {
      std::copy_n(packed.data(), size, reinterpret_cast<std::uint8_t*>(values.data() + before));
    }
    else if (blosc_decompress_ctx(packed.data(), values.data() + before, size, 2) !=
             static_cast<int>(size))
    {
      throw InvalidInput("an array in the file cannot be unpacked; compute it anew");
    }
  }
}

//------------------------------------------------------------------------------
// One description of each structure serves both directions: an archive is called with every field.

class Saving
{
public:
  explicit Saving(CheckpointWriter& writer)
    : writer_(writer)
  {
  }

  template <class T>
  void number(const T& value)
  {
    writer_.value(value);
  }
  void operator()(const std::string& text)
  {
    writer_.array(std::vector<char>(text.begin(), text.end()));
  }
  template <class T>
  void packed(const std::vector<T>& values)
  {
    writePacked(writer_, values.data(), values.size() * sizeof(T), sizeof(T));
  }
  template <class T>
  std::uint64_t length(const std::vector<T>& list)
  {
    writer_.value(static_cast<std::uint64_t>(list.size()));
    return list.size();
  }
  void values(const Array::Values& values)
  {
    writer_.value(static_cast<std::uint8_t>(values.index()));
    std::visit([this](const auto& held) { this->packed(held); }, values);
  }

private:
  CheckpointWriter& writer_;
};

class Loading
{
public:
  explicit Loading(CheckpointReader& reader)
    : reader_(reader)
  {
  }

  template <class T>
  void number(T& value)
  {
    value = reader_.value<T>();
  }
  void operator()(std::string& text)
  {
    const auto letters = reader_.array<char>(1 << 20);
    text.assign(letters.begin(), letters.end());
  }
  template <class T>
  void packed(std::vector<T>& values)
  {
    readPacked(reader_, values);
  }
  template <class T>
  std::uint64_t length(std::vector<T>& list)
  {
    const auto count = reader_.value<std::uint64_t>();
    if (count > 100000)
    {
      throw InvalidInput("a list in the file has an impossible length; compute it anew");
    }
    list.resize(static_cast<std::size_t>(count));
    return count;
  }
  void values(Array::Values& values)
  {
    switch (reader_.value<std::uint8_t>())
    {
      case 0:
        return this->packed(values.emplace<0>());
      case 1:
        return this->packed(values.emplace<1>());
      case 2:
        return this->packed(values.emplace<2>());
      case 3:
        return this->packed(values.emplace<3>());
      case 4:
        return this->packed(values.emplace<4>());
      default:
        throw InvalidInput("an array in the file has an unknown type; compute it anew");
    }
  }

private:
  CheckpointReader& reader_;
};
static_assert(std::variant_size_v<Array::Values> == 5, "Loading::values() knows five types");

/// Calls the archive with each of several fields.
template <class Archive, class... Fields>
void all(Archive& archive, Fields&... fields);

template <class Archive, class Field>
void one(Archive& archive, Field& field);

// `Struct` is the structure itself where it is loaded, and constant where it is saved.

template <class Archive, class Struct>
void describeArray(Archive& archive, Struct& array)
{
  all(archive, array.name, array.components, array.unit);
  archive.values(array.values);
}

template <class Archive, class Struct>
void describePoints(Archive& archive, Struct& points)
{
  archive(points.name);
  archive.packed(points.positions);
  one(archive, points.arrays);
}

template <class Archive, class Struct>
void describeLoss(Archive& archive, Struct& loss)
{
  all(archive, loss.reason, loss.count, loss.mass, loss.firstIds, loss.firstPosition);
}

template <class Archive, class Struct>
void describeObstacle(Archive& archive, Struct& obstacle)
{
  all(archive, obstacle.name, obstacle.force, obstacle.greatestForce, obstacle.impulse);
}

template <class Archive, class Struct>
void describeReport(Archive& archive, Struct& r)
{
  all(archive, r.model, r.version, r.device, r.time, r.steps, r.timeStep, r.smallestTimeStep,
    r.timeStepLimitedBy, r.neighborBuilds, r.particles, r.mass, r.massIn, r.particlesAtRest,
    r.massAtRest, r.emitted, r.massEmitted, r.waiting, r.losses, r.kineticEnergy,
    r.rotationalEnergy, r.potentialEnergy, r.momentum, r.supportForce, r.obstacles, r.greatestSpeed,
    r.frontDistance, r.greatestOverlap, r.memory, r.notes);
}

template <class Archive, class Struct>
void describeStored(Archive& archive, Struct& stored)
{
  all(archive, stored.frame.time, stored.frame.pointSets, stored.frame.surfaceFields,
    stored.frame.tables, stored.tableRows);
  describeReport(archive, stored.report);
}

template <class T>
struct IsVector : std::false_type
{
};
template <class T>
struct IsVector<std::vector<T>> : std::true_type
{
};

template <class Archive, class Field>
void one(Archive& archive, Field& field)
{
  using Type = std::remove_const_t<Field>;
  if constexpr (std::is_same_v<Type, std::string>)
  {
    archive(field);
  }
  else if constexpr (IsVector<Type>::value)
  {
    archive.length(field);
    for (auto& item : field)
    {
      one(archive, item);
    }
  }
  else if constexpr (std::is_same_v<Type, Array>)
  {
    describeArray(archive, field);
  }
  else if constexpr (std::is_same_v<Type, PointSet>)
  {
    describePoints(archive, field);
  }
  else if constexpr (std::is_same_v<Type, SurfaceField>)
  {
    all(archive, field.name, field.arrays);
  }
  else if constexpr (std::is_same_v<Type, Table>)
  {
    all(archive, field.name, field.columns);
  }
  else if constexpr (std::is_same_v<Type, Loss>)
  {
    describeLoss(archive, field);
  }
  else if constexpr (std::is_same_v<Type, ObstacleForce>)
  {
    describeObstacle(archive, field);
  }
  else
  {
    archive.number(field);
  }
}

template <class Archive, class... Fields>
void all(Archive& archive, Fields&... fields)
{
  (one(archive, fields), ...);
}

//------------------------------------------------------------------------------
// A record: name and version, length of what follows, what follows, its checksum. The sum is looked at before
// anything is believed.

constexpr const char* frameName = "lapilli frame";
constexpr const char* checkpointName = "lapilli checkpoint";
constexpr const char* rowsName = "lapilli rows";

constexpr std::size_t headBytes = 32 + sizeof(std::uint32_t) + sizeof(std::uint64_t);

std::uint64_t sumOf(const Bytes& bytes, std::size_t first, std::size_t end)
{
  Checksum sum;
  sum.add(bytes.data() + first, end - first);
  return sum.value();
}

/// @param content called with a writer that stands behind the key
template <class Content>
Bytes packRecord(const char* name, const FileKey& key, const Content& content)
{
  MemorySink sink;
  CheckpointWriter writer(sink);
  writer.beginSection(name, version);
  writer.value(std::uint64_t(0));
  writer.value(key.run);
  writer.value(key.index);
  content(writer);
  const std::uint64_t length = sink.bytes.size() - headBytes;
  std::memcpy(sink.bytes.data() + headBytes - sizeof(length), &length, sizeof(length));
  const std::uint64_t sum = sumOf(sink.bytes, headBytes, sink.bytes.size());
  sink.write(&sum, sizeof(sum));
  return std::move(sink.bytes);
}

/// A record that is whole, and the reader behind its key.
class OpenRecord
{
public:
  /// @param first where it begins
  OpenRecord(const char* name, const Digest& run, const Bytes& bytes, std::size_t first)
    : source_(bytes, first, bytes.size())
    , reader_(source_)
  {
    reader_.expectSection(name, version);
    const auto length = reader_.value<std::uint64_t>();
    const std::size_t left = bytes.size() - first - headBytes;
    if (left < sizeof(std::uint64_t) || length > left - sizeof(std::uint64_t))
    {
      throw InvalidInput("the file is cut short; compute it anew");
    }
    end_ = first + headBytes + static_cast<std::size_t>(length);
    std::uint64_t sum = 0;
    std::memcpy(&sum, bytes.data() + end_, sizeof(sum));
    if (sum != sumOf(bytes, first + headBytes, end_))
    {
      throw InvalidInput("the file is damaged, its checksum does not fit; compute it anew");
    }
    if (reader_.value<Digest>() != run)
    {
      throw InvalidInput("the file belongs to another run; compute it anew");
    }
    index_ = reader_.value<std::int64_t>();
  }

  CheckpointReader& reader() { return reader_; }
  std::int64_t index() const { return index_; } ///< of the frame that it says it belongs to
  std::size_t next() const { return end_ + sizeof(std::uint64_t); } ///< where the next begins

private:
  MemorySource source_;
  CheckpointReader reader_;
  std::size_t end_ = 0;
  std::int64_t index_ = 0;
};

/// The one record of a file.
class OpenFile : public OpenRecord
{
public:
  OpenFile(const char* name, const FileKey& key, const Bytes& bytes)
    : OpenRecord(name, key.run, bytes, 0)
  {
    if (this->index() != key.index || this->next() != bytes.size())
    {
      throw InvalidInput("the file belongs to another frame; compute it anew");
    }
  }
};

void appendRows(Table& table, const Table& rows)
{
  for (std::size_t c = 0; c < table.columns.size(); ++c)
  {
    std::visit(
      [&](auto& values)
      {
        const auto& added = std::get<std::decay_t<decltype(values)>>(rows.columns[c].values);
        values.insert(values.end(), added.begin(), added.end());
      },
      table.columns[c].values);
  }
}

/// Whether all columns are as long as the first.
bool isRectangular(const Table& table)
{
  const std::size_t rows = table.rows();
  return std::all_of(table.columns.begin(), table.columns.end(),
    [rows](const Array& column)
    {
      const std::size_t size =
        std::visit([](const auto& values) { return values.size(); }, column.values);
      return column.components >= 1 && column.components <= 9 &&
             size == rows * static_cast<std::size_t>(column.components);
    });
}

bool haveTheSameColumns(const Table& a, const Table& b)
{
  return std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(),
    [](const Array& x, const Array& y)
    {
      return x.name == y.name && x.components == y.components &&
             x.values.index() == y.values.index();
    });
}

} // namespace

//------------------------------------------------------------------------------
Bytes packFrame(const FileKey& key, const StoredFrame& stored)
{
  return packRecord(frameName, key,
    [&](CheckpointWriter& writer)
    {
      Saving archive(writer);
      describeStored(archive, stored);
    });
}

StoredFrame unpackFrame(const FileKey& key, const Bytes& bytes)
{
  OpenFile file(frameName, key, bytes);
  StoredFrame stored;
  Loading archive(file.reader());
  describeStored(archive, stored);
  return stored;
}

Bytes packCheckpoint(const FileKey& key, const Bytes& state)
{
  return packRecord(checkpointName, key,
    [&](CheckpointWriter& writer)
    { writePacked(writer, state.data(), state.size(), sizeof(double)); });
}

Bytes unpackCheckpoint(const FileKey& key, const Bytes& bytes)
{
  OpenFile file(checkpointName, key, bytes);
  Bytes state;
  readPacked(file.reader(), state);
  return state;
}

//------------------------------------------------------------------------------
Bytes packRows(const FileKey& key, const RowsRecord& rows)
{
  return packRecord(rowsName, key,
    [&](CheckpointWriter& writer)
    {
      Saving archive(writer);
      all(archive, rows.firstRow, rows.tables);
    });
}

bool unpackRows(const Digest& run, const Bytes& bytes, std::vector<Table>& tables)
{
  for (std::size_t first = 0; first < bytes.size();)
  {
    RowsRecord record;
    try
    {
      OpenRecord open(rowsName, run, bytes, first);
      Loading archive(open.reader());
      all(archive, record.firstRow, record.tables);
      first = open.next();
    }
    catch (const InvalidInput&)
    {
      return false;
    }
    if (!std::all_of(record.tables.begin(), record.tables.end(), isRectangular))
    {
      return false;
    }
    tables.resize(std::max(tables.size(), record.tables.size()));
    for (std::size_t t = 0; t < std::min(record.tables.size(), record.firstRow.size()); ++t)
    {
      Table& table = tables[t];
      const Table& more = record.tables[t];
      const std::size_t held = table.rows(), begin = record.firstRow[t];
      if (table.columns.empty() && begin == 0)
      {
        table = more;
      }
      else if (begin <= held && begin + more.rows() > held && haveTheSameColumns(table, more))
      {
        appendRows(table, rowsOf(more, held - begin, more.rows()));
      }
    }
  }
  return true;
}

Table rowsOf(const Table& table, std::size_t from, std::size_t to)
{
  Table rows{ table.name, {} };
  for (const Array& column : table.columns)
  {
    Array part{ column.name, column.components, column.unit, {} };
    std::visit(
      [&](const auto& values)
      {
        const auto width = static_cast<std::ptrdiff_t>(column.components);
        part.values =
          std::decay_t<decltype(values)>(values.begin() + width * static_cast<std::ptrdiff_t>(from),
            values.begin() + width * static_cast<std::ptrdiff_t>(to));
      },
      column.values);
    rows.columns.push_back(std::move(part));
  }
  return rows;
}

} // namespace lapilli
