/// @file
/// The Table "history": what the report says at the end of each frame, a row a frame.
#pragma once

#include "Checkpoint.h"
#include "Frame.h"
#include "Report.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lapilli
{

/// @throws InvalidInput with one sentence where obstacles or walls would have a column in common, or one with the
///         columns support_force
void checkObstacleNames(
  const std::vector<std::string>& obstacles, const std::vector<std::string>& walls);

class History
{
public:
  /// Appends a row; the reports of a run name the same losses in the same order.
  void add(const Report& report);

  std::size_t rows() const { return rows_; }
  Table table() const;

  void save(CheckpointWriter& writer) const;
  /// @param rows of the time that is restored
  void restore(CheckpointReader& reader, std::size_t rows);

private:
  struct Column
  {
    std::string name, unit;
    std::vector<std::int64_t> counts; ///< of a column of whole numbers,
    std::vector<double> values;       ///< else this one
    bool isCount = false;
  };
  Column& column(std::size_t& next, const std::string& name, const char* unit, bool isCount);

  std::size_t rows_ = 0;
  std::vector<Column> columns_;
};

} // namespace lapilli
