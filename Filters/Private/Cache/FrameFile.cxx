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

constexpr std::uint32_t version = 2;                    // of all three kinds of file
constexpr std::size_t partBytes = std::size_t(1) << 26; // of an array, compressed at a time
constexpr int threads = 2;                              // that compress and unpack
constexpr std::size_t worthCompressing = 1024;          // [bytes]

//------------------------------------------------------------------------------
class Writer
{
public:
  explicit Writer(Bytes& bytes)
    : bytes_(bytes)
  {
  }
  void raw(const void* data, std::size_t count)
  {
    const auto* first = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), first, first + count);
  }
  template <class T>
  void value(const T& value)
  {
    static_assert(std::is_trivially_copyable_v<T>, "its bytes are written");
    this->raw(&value, sizeof(T));
  }
  void length(std::size_t count) { this->value(static_cast<std::uint64_t>(count)); }

  /// Room for what is compressed before it is written.
  std::uint8_t* scratch(std::size_t count)
  {
    scratch_.resize(std::max(scratch_.size(), count));
    return scratch_.data();
  }

private:
  Bytes& bytes_;
  Bytes scratch_;
};

class Reader
{
public:
  Reader(const std::uint8_t* next, const std::uint8_t* end)
    : next_(next)
    , end_(end)
  {
  }
  std::size_t left() const { return static_cast<std::size_t>(end_ - next_); }
  const std::uint8_t* raw(std::size_t count)
  {
    if (count > this->left())
    {
      throw InvalidInput("the file is cut short; compute it anew");
    }
    const std::uint8_t* found = next_;
    next_ += count;
    return found;
  }
  template <class T>
  T value()
  {
    static_assert(std::is_trivially_copyable_v<T>, "its bytes are read");
    T value;
    std::memcpy(&value, this->raw(sizeof(T)), sizeof(T));
    return value;
  }
  /// @param most the greatest that makes sense
  std::size_t length(std::uint64_t most)
  {
    const auto count = this->value<std::uint64_t>();
    if (count > most)
    {
      throw InvalidInput("the file has a length that is impossible; compute it anew");
    }
    return static_cast<std::size_t>(count);
  }

private:
  const std::uint8_t* next_;
  const std::uint8_t* end_;
};

//------------------------------------------------------------------------------
// Compression.

enum Codec : std::uint8_t
{
  Raw = 0,
  Blosc = 1
};

void writePacked(Writer& writer, const void* data, std::size_t count, std::size_t valueBytes)
{
  writer.length(count);
  for (std::size_t first = 0; first < count; first += partBytes)
  {
    const std::size_t size = std::min(partBytes, count - first);
    const auto* part = static_cast<const std::uint8_t*>(data) + first;
    std::uint8_t* packed = writer.scratch(size + BLOSC_MAX_OVERHEAD);
    const int length = size < worthCompressing
                         ? 0
                         : blosc_compress_ctx(1, BLOSC_SHUFFLE, valueBytes, size, part, packed,
                             size + BLOSC_MAX_OVERHEAD, "lz4", 0, threads);
    const bool isShorter = length > 0 && static_cast<std::size_t>(length) < size - size / 10;
    const std::size_t bytes = isShorter ? static_cast<std::size_t>(length) : size;
    writer.value(isShorter ? Blosc : Raw);
    writer.length(bytes);
    writer.raw(isShorter ? packed : part, bytes);
  }
}

/// @param values resized to what was packed
template <class T>
void readPacked(Reader& reader, std::vector<T>& values)
{
  // Blosc's best is a few bytes for a block of 2 MB of zeros.
  const std::size_t count = reader.length((std::uint64_t(1) << 20) * reader.left());
  if (count % sizeof(T) != 0)
  {
    throw InvalidInput("an array in the file has an impossible length; compute it anew");
  }
  values.clear();
  for (std::size_t first = 0; first < count; first += partBytes)
  {
    const std::size_t size = std::min(partBytes, count - first);
    const auto codec = reader.value<Codec>();
    const std::size_t packedSize = reader.length(size);
    const std::uint8_t* packed = reader.raw(packedSize);
    std::size_t unpacked = packedSize;
    const bool isWhole =
      codec == Raw || (codec == Blosc && packedSize >= BLOSC_MIN_HEADER_LENGTH &&
                        blosc_cbuffer_validate(packed, packedSize, &unpacked) == 0);
    if (!isWhole || unpacked != size)
    {
      throw InvalidInput("an array in the file cannot be unpacked; compute it anew");
    }
    const std::size_t before = values.size();
    values.resize(before + size / sizeof(T)); // not before the bytes for it have been seen
    if (codec == Raw)
    {
      std::memcpy(values.data() + before, packed, size);
    }
    else if (blosc_decompress_ctx(packed, values.data() + before, size, threads) !=
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
  explicit Saving(Writer& writer)
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
    writer_.length(text.size());
    writer_.raw(text.data(), text.size());
  }
  template <class T>
  void packed(const std::vector<T>& values)
  {
    writePacked(writer_, values.data(), values.size() * sizeof(T), sizeof(T));
  }
  template <class T>
  void length(const std::vector<T>& list)
  {
    writer_.length(list.size());
  }
  void values(const Array::Values& values)
  {
    writer_.value(static_cast<std::uint8_t>(values.index()));
    std::visit([this](const auto& held) { this->packed(held); }, values);
  }

private:
  Writer& writer_;
};

class Loading
{
public:
  explicit Loading(Reader& reader)
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
    const std::size_t size = reader_.length(reader_.left());
    text.assign(reinterpret_cast<const char*>(reader_.raw(size)), size);
  }
  template <class T>
  void packed(std::vector<T>& values)
  {
    readPacked(reader_, values);
  }
  template <class T>
  void length(std::vector<T>& list)
  {
    list.resize(reader_.length(std::min<std::size_t>(reader_.left(), 1 << 20)));
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
  Reader& reader_;
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
    r.timeStepLimitedBy, r.neighborBuilds, r.neighborSearch, r.particles, r.particleForm, r.mass,
    r.massIn, r.particlesAtRest, r.massAtRest, r.emitted, r.massEmitted, r.waiting, r.losses,
    r.kineticEnergy, r.rotationalEnergy, r.potentialEnergy, r.momentum, r.supportForce, r.obstacles,
    r.greatestSpeed, r.frontDistance, r.greatestOverlap, r.memory, r.notes);
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

constexpr std::size_t nameBytes = 32;
constexpr std::size_t headBytes = nameBytes + sizeof(std::uint32_t) + sizeof(std::uint64_t);

std::uint64_t sumOf(const std::uint8_t* first, std::size_t count)
{
  Checksum sum;
  sum.add(first, count);
  return sum.value();
}

/// @param unpacked how many bytes go in, about
/// @param content  called with a writer that stands behind the key
template <class Content>
Bytes packRecord(const char* name, const FileKey& key, std::size_t unpacked, const Content& content)
{
  Bytes bytes;
  bytes.reserve(unpacked + 4096); // what is not used is never touched
  Writer writer(bytes);
  char padded[nameBytes] = {};
  std::strncpy(padded, name, nameBytes - 1);
  writer.raw(padded, nameBytes);
  writer.value(version);
  writer.length(0);
  writer.value(key);
  content(writer);
  const std::uint64_t length = bytes.size() - headBytes;
  std::memcpy(bytes.data() + headBytes - sizeof(length), &length, sizeof(length));
  writer.value(sumOf(bytes.data() + headBytes, bytes.size() - headBytes));
  return bytes;
}

/// A record that is whole, and the reader behind its key.
class OpenRecord
{
public:
  /// @param first where it begins
  OpenRecord(const char* name, const Digest& run, const Bytes& bytes, std::size_t first)
    : reader_(bytes.data() + first, bytes.data() + bytes.size())
  {
    const auto* found = reinterpret_cast<const char*>(reader_.raw(nameBytes));
    if (std::strncmp(found, name, nameBytes) != 0)
    {
      throw InvalidInput(std::string("the file is no '") + name + "'; compute it anew");
    }
    const auto itsVersion = reader_.value<std::uint32_t>();
    if (itsVersion != version)
    {
      throw InvalidInput("the file has version " + std::to_string(itsVersion) +
                         " of its format, not " + std::to_string(version) + "; compute it anew");
    }
    const std::size_t length = reader_.length(reader_.left());
    const std::uint8_t* content = reader_.raw(length);
    if (reader_.value<std::uint64_t>() != sumOf(content, length))
    {
      throw InvalidInput("the file is damaged, its checksum does not fit; compute it anew");
    }
    next_ = bytes.size() - reader_.left();
    reader_ = Reader(content, content + length);
    const auto key = reader_.value<FileKey>();
    if (key.run != run)
    {
      throw InvalidInput("the file belongs to another run; compute it anew");
    }
    index_ = key.index;
  }

  Reader& reader() { return reader_; }
  std::int64_t index() const { return index_; } ///< of the frame that it says it belongs to
  std::size_t next() const { return next_; }    ///< where the next begins

private:
  Reader reader_;
  std::size_t next_ = 0;
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

std::size_t sizeOf(const Array& array)
{
  return std::visit([](const auto& values) { return values.size(); }, array.values);
}

/// Whether each array has so many tuples.
bool areWhole(const std::vector<Array>& arrays, std::size_t tuples)
{
  return std::all_of(arrays.begin(), arrays.end(),
    [tuples](const Array& array)
    {
      return array.components >= 1 && array.components <= 9 &&
             sizeOf(array) == tuples * static_cast<std::size_t>(array.components);
    });
}

/// Whether all arrays have as many tuples as the first.
bool areEquallyLong(const std::vector<Array>& arrays)
{
  return arrays.empty() ||
         (arrays.front().components >= 1 &&
           areWhole(
             arrays, sizeOf(arrays.front()) / static_cast<std::size_t>(arrays.front().components)));
}

/// Whether all columns are as long as the first, which has one component.
bool isRectangular(const Table& table)
{
  return areWhole(table.columns, table.rows());
}

/// Whether what uses the frame may rely on its lengths. How many triangles a surface has it knows itself.
bool isSound(const StoredFrame& stored)
{
  const Frame& frame = stored.frame;
  return stored.tableRows.size() == frame.tables.size() &&
         std::all_of(frame.tables.begin(), frame.tables.end(), isRectangular) &&
         std::all_of(frame.pointSets.begin(), frame.pointSets.end(),
           [](const PointSet& points) {
             return points.positions.size() % 3 == 0 && areWhole(points.arrays, points.count());
           }) &&
         std::all_of(frame.surfaceFields.begin(), frame.surfaceFields.end(),
           [](const SurfaceField& field) { return areEquallyLong(field.arrays); });
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
  return packRecord(frameName, key, stored.frame.bytes(),
    [&](Writer& writer)
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
  if (file.reader().left() != 0 || !isSound(stored))
  {
    throw InvalidInput("the file's arrays contradict one another; compute it anew");
  }
  return stored;
}

Bytes packCheckpoint(const FileKey& key, const Bytes& state)
{
  return packRecord(checkpointName, key, state.size(),
    [&](Writer& writer) { writePacked(writer, state.data(), state.size(), sizeof(double)); });
}

Bytes unpackCheckpoint(const FileKey& key, const Bytes& bytes)
{
  OpenFile file(checkpointName, key, bytes);
  Bytes state;
  readPacked(file.reader(), state);
  if (file.reader().left() != 0)
  {
    throw InvalidInput("the file goes on behind its end; compute it anew");
  }
  return state;
}

//------------------------------------------------------------------------------
Bytes packRows(const FileKey& key, const RowsRecord& rows)
{
  return packRecord(rowsName, key, 0,
    [&](Writer& writer)
    {
      Saving archive(writer);
      all(archive, rows.firstRow, rows.tables);
    });
}

std::size_t unpackRows(const Digest& run, const Bytes& bytes, std::vector<Table>& tables)
{
  std::size_t whole = 0;
  while (whole < bytes.size())
  {
    RowsRecord record;
    std::size_t next = 0;
    try
    {
      OpenRecord open(rowsName, run, bytes, whole);
      Loading archive(open.reader());
      all(archive, record.firstRow, record.tables);
      next = open.next();
    }
    catch (const InvalidInput&)
    {
      break;
    }
    if (!std::all_of(record.tables.begin(), record.tables.end(), isRectangular))
    {
      break;
    }
    whole = next;
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
  return whole;
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
