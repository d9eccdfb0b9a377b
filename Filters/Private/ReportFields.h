/// @file
/// What a run tells about itself as field data of one frame; the list stands in vtkLapilliSimulation.h.
#pragma once

class vtkFieldData;

namespace lapilli
{

struct Report;

void addReport(const Report& report, vtkFieldData* fields);

} // namespace lapilli
