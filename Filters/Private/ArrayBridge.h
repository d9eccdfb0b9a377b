/// @file
/// Arrays across the border, in bulk: no virtual call per value (Debian's VTK is not optimised).
///
///   toPolyData(frame.pointSet("particles"), output);      // engine -> VTK
///   std::vector<double> radii = readDoubles(array);        // VTK -> engine, any numeric type
#pragma once

#include "Frame.h"

#include <vtkSmartPointer.h>

#include <cstdint>
#include <vector>

class vtkDataArray;
class vtkPoints;
class vtkPolyData;
class vtkTable;

namespace lapilli
{

struct Surface;

/// One VTK array of the same type, name, units and number of components.
vtkSmartPointer<vtkDataArray> toVtk(const Array& array);

/// Double points, one vertex cell each, and all arrays as point data; `velocity` becomes the active vectors
/// and the active scalars, by whose magnitude a view colours.
void toPolyData(const PointSet& points, vtkPolyData* output);

/// Triangles of several surfaces, one after another, on double points.
vtkSmartPointer<vtkPolyData> toPolyData(const std::vector<const Surface*>& surfaces);

/// The arrays of a field on these triangles as cell data; nothing where it has none.
void addCellArrays(const SurfaceField& field, vtkPolyData* output);

/// The first rows of a table.
void toTable(const Table& table, std::size_t rows, vtkTable* output);

/// All values, tuple after tuple, of an array of any numeric type and memory layout.
std::vector<double> readDoubles(vtkDataArray* array);
std::vector<std::int64_t> readInt64s(vtkDataArray* array);

/// x y z per point.
std::vector<double> readPositions(vtkPoints* points);

} // namespace lapilli
