/// @file
/// The output ports of a simulation, filled from a frame: port 0 is its first point set, the others are its surface
/// fields and tables, by name.
#pragma once

#include "Cache/FrameCache.h"

#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

class vtkInformationVector;

namespace lapilli
{

class FrameOutputs
{
public:
  using SurfaceOf = std::function<vtkSmartPointer<vtkPolyData>(const std::string&)>;
  using TableOf = std::function<Table(std::size_t)>;

  enum class Kind
  {
    Surface, ///< vtkPolyData: the triangles and arrays of a SurfaceField
    Table    ///< vtkTable
  };

  /// One more port.
  void add(Kind kind, const std::string& dataset) { ports_.push_back({ kind, dataset }); }
  int count() const { return 1 + static_cast<int>(ports_.size()); }
  bool isTable(int port) const;

  /// Where the triangles of a field come from; asked once for each field.
  void startRun(SurfaceOf surfaceOf);

  /// Fills all ports. @param tableOf a table of the frame, with at least its rows
  void show(const StoredFrame& stored, const TableOf& tableOf, vtkInformationVector* outputs);
  /// @param stored as emptied() makes it
  void showEmpty(const StoredFrame& stored, vtkInformationVector* outputs);

private:
  struct Port
  {
    Kind kind;
    std::string dataset;
  };
  vtkSmartPointer<vtkPolyData> surface(const std::string& field);
  void fill(const StoredFrame& stored, const TableOf& tableOf, const SurfaceOf& surfaceOf,
    vtkInformationVector* outputs) const;

  std::vector<Port> ports_; ///< from port 1 on
  SurfaceOf surfaceOf_;
  std::map<std::string, vtkSmartPointer<vtkPolyData>>
    surfaces_; ///< one set of triangles for all frames
};

/// A frame without points, values and rows, but with all arrays; its tables keep their columns.
StoredFrame emptied(const StoredFrame& stored, const FrameOutputs::TableOf& tableOf);

} // namespace lapilli
