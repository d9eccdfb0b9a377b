#include "Checkpoint.h"

#include "Error.h"

#include <algorithm>
#include <cstring>

namespace lapilli
{

void MemorySink::write(const void* source, std::size_t count)
{
  const auto* first = static_cast<const std::uint8_t*>(source);
  bytes.insert(bytes.end(), first, first + count);
}

void MemorySource::read(void* target, std::size_t count)
{
  if (count > bytes_.size() - position_)
    throw InvalidInput("the checkpoint ends after " + std::to_string(bytes_.size()) +
                       " bytes but " + std::to_string(count) + " more are needed; compute it anew");
  if (count > 0)
    std::memcpy(target, bytes_.data() + position_, count);
  position_ += count;
}

void Checksum::add(const void* bytes, std::size_t count)
{
  constexpr std::uint64_t kPrime = 1099511628211ull;
  const auto* next = static_cast<const unsigned char*>(bytes);
  for (; count >= 8; count -= 8, next += 8)
  {
    std::uint64_t word;
    std::memcpy(&word, next, 8);
    value_ = (value_ ^ word) * kPrime;
  }
  for (; count > 0; --count, ++next)
    value_ = (value_ ^ *next) * kPrime;
}

namespace
{
constexpr std::size_t kNameLength =
  32; ///< fixed, so that a foreign file is known before its length is believed
}

void CheckpointWriter::beginSection(const std::string& name, std::uint32_t version)
{
  char padded[kNameLength] = {};
  std::memcpy(padded, name.data(), std::min(name.size(), kNameLength - 1));
  write(padded, kNameLength);
  value(version);
}

void CheckpointWriter::write(const void* bytes, std::size_t count)
{
  sink_.write(bytes, count);
  sum_.add(bytes, count);
}

void CheckpointWriter::end()
{
  const std::uint64_t sum = sum_.value();
  sink_.write(&sum, sizeof(sum));
}

void CheckpointReader::read(void* bytes, std::size_t count)
{
  source_.read(bytes, count);
  sum_.add(bytes, count);
}

void CheckpointReader::expectEnd()
{
  std::uint64_t sum = 0;
  source_.read(&sum, sizeof(sum));
  if (sum != sum_.value())
    throw InvalidInput("the checkpoint is damaged, its checksum does not fit; compute it anew");
}

void CheckpointReader::expectSection(const std::string& name, std::uint32_t version)
{
  char padded[kNameLength];
  read(padded, kNameLength);
  padded[kNameLength - 1] = '\0';
  if (name != padded)
    throw InvalidInput("the checkpoint has no section '" + name +
                       "' where one is expected; it comes from something else, compute it anew");
  const auto found = value<std::uint32_t>();
  if (found != version)
    throw InvalidInput("section '" + name + "' of the checkpoint has version " +
                       std::to_string(found) + "; this program reads version " +
                       std::to_string(version) + ", compute it anew");
}

std::size_t CheckpointReader::checkedLength(std::uint64_t length, std::uint64_t limit)
{
  if (length > limit)
    throw InvalidInput("the checkpoint announces " + std::to_string(length) +
                       " values where at most " + std::to_string(limit) +
                       " make sense; compute it anew");
  return static_cast<std::size_t>(length);
}

} // namespace lapilli
