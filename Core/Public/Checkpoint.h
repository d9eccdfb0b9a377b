/// @file
/// Streams of bytes from which a run goes on bit for bit, also in another process.
///
/// A checkpoint is a list of sections, each with a name, a version and a length; every room of the
/// engine writes its own, and a checksum ends it. The reader refuses a section of another name,
/// version or length and a wrong sum with one sentence, so a foreign, truncated or damaged file is an
/// InvalidInput and never undefined behaviour.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lapilli
{

/// Where the bytes go: memory, a file.
class ByteSink
{
public:
  virtual ~ByteSink() = default;
  virtual void write(const void* bytes, std::size_t count) = 0;
};

/// Where the bytes come from.
class ByteSource
{
public:
  virtual ~ByteSource() = default;
  /// @throws InvalidInput when fewer than count bytes are left
  virtual void read(void* bytes, std::size_t count) = 0;
};

/// Keeps the bytes in memory.
class MemorySink : public ByteSink
{
public:
  void write(const void* bytes, std::size_t count) override;
  std::vector<std::uint8_t> bytes;
};

class MemorySource : public ByteSource
{
public:
  /// The bytes are not copied and must outlive the source.
  explicit MemorySource(const std::vector<std::uint8_t>& bytes)
    : bytes_(bytes)
  {
  }
  void read(void* bytes, std::size_t count) override;

private:
  const std::vector<std::uint8_t>& bytes_;
  std::size_t position_ = 0;
};

/// A sum that every single changed bit changes: FNV-1a over words of eight bytes.
class Checksum
{
public:
  /// Parts of one array may be added one by one if all but the last are whole words.
  void add(const void* bytes, std::size_t count);
  std::uint64_t value() const { return value_; }

private:
  std::uint64_t value_ = 14695981039346656037ull;
};

class CheckpointWriter
{
public:
  explicit CheckpointWriter(ByteSink& sink)
    : sink_(sink)
  {
  }

  void beginSection(const std::string& name, std::uint32_t version);

  /// Plain values and arrays of them; T must be trivially copyable.
  template <class T>
  void value(const T& v)
  {
    write(&v, sizeof(T));
  }
  template <class T>
  void array(const std::vector<T>& values)
  {
    value(static_cast<std::uint64_t>(values.size()));
    write(values.data(), values.size() * sizeof(T));
  }

  /// Writes the checksum of all that was written.
  void end();

private:
  void write(const void* bytes, std::size_t count);
  ByteSink& sink_;
  Checksum sum_;
};

class CheckpointReader
{
public:
  explicit CheckpointReader(ByteSource& source)
    : source_(source)
  {
  }

  /// @throws InvalidInput if the next section has another name or version
  void expectSection(const std::string& name, std::uint32_t version);

  template <class T>
  T value()
  {
    T v;
    read(&v, sizeof(T));
    return v;
  }
  /// @param limit the largest length that makes sense here
  /// @throws InvalidInput if the stored length exceeds it
  template <class T>
  std::vector<T> array(std::uint64_t limit)
  {
    const std::size_t length = checkedLength(value<std::uint64_t>(), limit);
    std::vector<T> values;
    // In parts: a length that is not true meets the end of the bytes before it takes all memory.
    constexpr std::size_t kPart = 1 + (std::size_t(1) << 20) / sizeof(T);
    while (values.size() < length)
    {
      const std::size_t first = values.size();
      values.resize(length - first < kPart ? length : first + kPart);
      read(values.data() + first, (values.size() - first) * sizeof(T));
    }
    return values;
  }

  /// @throws InvalidInput if the checksum that follows is not that of what was read
  void expectEnd();

private:
  static std::size_t checkedLength(std::uint64_t length, std::uint64_t limit);
  void read(void* bytes, std::size_t count);
  ByteSource& source_;
  Checksum sum_;
};

} // namespace lapilli
