#include "Frame.h"

#include "Error.h"

namespace lapilli
{

namespace
{

/// The one with this name. @throws InvalidInput if there is none
template <class T>
const T& find(const std::vector<T>& candidates, const std::string& name, const std::string& owner,
  const char* kind)
{
  for (const T& candidate : candidates)
    if (candidate.name == name)
      return candidate;
  throw InvalidInput(owner + " has no " + kind + " '" + name + "'");
}

std::size_t bytesOf(const std::vector<Array>& arrays)
{
  std::size_t total = 0;
  for (const Array& array : arrays)
    total += std::visit(
      [](const auto& values) { return values.size() * sizeof(values[0]); }, array.values);
  return total;
}

} // namespace

const Array& PointSet::array(const std::string& arrayName) const
{
  return find(arrays, arrayName, "point set '" + name + "'", "array");
}

const Array& SurfaceField::array(const std::string& arrayName) const
{
  return find(arrays, arrayName, "surface field '" + name + "'", "array");
}

std::size_t Table::rows() const
{
  return columns.empty()
           ? 0
           : std::visit([](const auto& values) { return values.size(); }, columns.front().values);
}

const Array& Table::column(const std::string& columnName) const
{
  return find(columns, columnName, "table '" + name + "'", "column");
}

const PointSet& Frame::pointSet(const std::string& pointSetName) const
{
  return find(pointSets, pointSetName, "the frame", "point set");
}

const SurfaceField& Frame::surfaceField(const std::string& surfaceFieldName) const
{
  return find(surfaceFields, surfaceFieldName, "the frame", "surface field");
}

const Table& Frame::table(const std::string& tableName) const
{
  return find(tables, tableName, "the frame", "table");
}

std::size_t Frame::bytes() const
{
  std::size_t total = 0;
  for (const PointSet& points : pointSets)
    total += points.positions.size() * sizeof(double) + bytesOf(points.arrays);
  for (const SurfaceField& field : surfaceFields)
    total += bytesOf(field.arrays);
  for (const Table& table : tables)
    total += bytesOf(table.columns);
  return total;
}

} // namespace lapilli
