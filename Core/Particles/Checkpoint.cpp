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
    throw InvalidInput("the checkpoint ends after " + std::to_string(bytes_.size()) + " bytes but " +
      std::to_string(count) + " more are needed; compute it anew");
  if (count > 0)
    std::memcpy(target, bytes_.data() + position_, count);
  position_ += count;
}

namespace
{
constexpr std::size_t kNameLength = 32; ///< fixed, so that a foreign file is known before its length is believed
}

void CheckpointWriter::beginSection(const std::string& name, std::uint32_t version)
{
  char padded[kNameLength] = {};
  std::memcpy(padded, name.data(), std::min(name.size(), kNameLength - 1));
  sink_.write(padded, kNameLength);
  value(version);
}

void CheckpointReader::expectSection(const std::string& name, std::uint32_t version)
{
  char padded[kNameLength];
  source_.read(padded, kNameLength);
  padded[kNameLength - 1] = '\0';
  if (name != padded)
    throw InvalidInput("the checkpoint has no section '" + name + "' where one is expected; it comes from something else, compute it anew");
  const auto found = value<std::uint32_t>();
  if (found != version)
    throw InvalidInput("section '" + name + "' of the checkpoint has version " + std::to_string(found) +
      "; this program reads version " + std::to_string(version) + ", compute it anew");
}

std::size_t CheckpointReader::checkedLength(std::uint64_t length, std::uint64_t limit)
{
  if (length > limit)
    throw InvalidInput("the checkpoint announces " + std::to_string(length) + " values where at most " +
      std::to_string(limit) + " make sense; compute it anew");
  return static_cast<std::size_t>(length);
}

} // namespace lapilli
