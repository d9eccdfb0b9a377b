/// @file
/// Frames, rows of tables and checkpoints as bytes for files, and back.
///
/// Each has a name, a version, a length and a checksum, so a foreign, truncated or damaged file is an
/// InvalidInput, and tells the run and the frame it belongs to. Arrays are compressed by Blosc (Alted,
/// Computing in Science & Engineering 12 (2010) 16-20): bytes of equal weight together, then LZ4, where
/// that saves a tenth. What is read back has the bits that were written.
#pragma once

#include "FrameCache.h"

#include "Private/Hash.h"

#include <cstdint>
#include <vector>

namespace lapilli
{

using Bytes = std::vector<std::uint8_t>;

/// Whose bytes they are.
struct FileKey
{
  Digest run{};
  std::int64_t index = 0; ///< of the frame
};

Bytes packFrame(const FileKey& key, const StoredFrame& stored);
/// @throws InvalidInput for anything but what packFrame() made with this key
StoredFrame unpackFrame(const FileKey& key, const Bytes& bytes);

Bytes packCheckpoint(const FileKey& key, const Bytes& state);
/// @throws InvalidInput
Bytes unpackCheckpoint(const FileKey& key, const Bytes& bytes);

/// The rows of all tables that a frame has added to those of the frames before it. Records stand one behind
/// the other in a file that grows.
struct RowsRecord
{
  std::vector<std::uint64_t> firstRow; ///< of each table
  std::vector<Table> tables;           ///< with these rows alone
};

/// @param key index: the frame with which the rows came
Bytes packRows(const FileKey& key, const RowsRecord& rows);

/// Appends the rows of all whole records to the tables, each row once, as long as none is missing.
/// @return how many bytes were whole records of this run
std::size_t unpackRows(const Digest& run, const Bytes& bytes, std::vector<Table>& tables);

/// Rows [from, to) of a table.
Table rowsOf(const Table& table, std::size_t from, std::size_t to);

} // namespace lapilli
