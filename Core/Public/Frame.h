/// @file
/// The state of a simulation at one time, as named datasets of named arrays: points, fields on the
/// triangles of a surface, tables.
///
///   Frame frame;
///   simulation->read(frame);
///   const Array& velocity = frame.pointSet("particles").array("velocity");
///   const std::vector<float>& values = velocity.as<float>();  // 3 per particle
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace lapilli
{

/// One named array: `components` values per point, point after point.
struct Array
{
  using Values = std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>,
    std::vector<std::int64_t>, std::vector<std::uint8_t>>;

  std::string name;
  int components = 1;
  std::string unit; ///< SI, as in "m/s"; empty for pure numbers
  Values values;

  template <class T>
  const std::vector<T>& as() const
  {
    return std::get<std::vector<T>>(values);
  }
};

/// Points in the coordinates of the input, each with the same arrays, ordered by particle_id.
struct PointSet
{
  std::string name;
  std::vector<double> positions; ///< [m], x y z per point
  std::vector<Array> arrays;

  std::size_t count() const { return positions.size() / 3; }

  /// @throws InvalidInput if there is no such array
  const Array& array(const std::string& arrayName) const;
};

/// Arrays with one value per triangle of the scene's surfaces of one role, surface after surface.
struct SurfaceField
{
  std::string name;
  std::vector<Array> arrays;

  /// @throws InvalidInput if there is no such array
  const Array& array(const std::string& arrayName) const;
};

/// Columns of equal length, a row for each frame from the first to this one.
struct Table
{
  std::string name;
  std::vector<Array> columns;

  std::size_t rows() const;
  /// @throws InvalidInput if there is no such column
  const Array& column(const std::string& columnName) const;
};

struct Frame
{
  double time = 0; ///< [s]
  std::vector<PointSet> pointSets;
  std::vector<SurfaceField> surfaceFields;
  std::vector<Table> tables;

  /// @throws InvalidInput if there is no such dataset
  const PointSet& pointSet(const std::string& pointSetName) const;
  const SurfaceField& surfaceField(const std::string& surfaceFieldName) const;
  const Table& table(const std::string& tableName) const;

  std::size_t bytes() const; ///< memory of all arrays
};

} // namespace lapilli
