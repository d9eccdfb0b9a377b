/// @file
/// Streams of bytes from which a run goes on bit for bit, also in another process.
///
/// A checkpoint is a list of sections, each with a name, a version and a length; every room of the
/// engine writes its own. The reader refuses a section of another name, version or length with one
/// sentence, so a foreign or truncated file is an InvalidInput and never undefined behaviour.
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
    sink_.write(&v, sizeof(T));
  }
  template <class T>
  void array(const std::vector<T>& values)
  {
    value(static_cast<std::uint64_t>(values.size()));
    sink_.write(values.data(), values.size() * sizeof(T));
  }

private:
  ByteSink& sink_;
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
    source_.read(&v, sizeof(T));
    return v;
  }
  /// @param limit the largest length that makes sense here
  /// @throws InvalidInput if the stored length exceeds it
  template <class T>
  std::vector<T> array(std::uint64_t limit)
  {
    std::vector<T> values(checkedLength(value<std::uint64_t>(), limit));
    source_.read(values.data(), values.size() * sizeof(T));
    return values;
  }

private:
  static std::size_t checkedLength(std::uint64_t length, std::uint64_t limit);
  ByteSource& source_;
};

} // namespace lapilli
