/// @file
/// Names of sources by their source_id, as field data: of one Particle Source, and of all sources of a simulation.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

class vtkFieldData;
class vtkInformationVector;

namespace lapilli
{

using SourceNames = std::vector<std::pair<std::int32_t, std::string>>;

/// Two arrays with a tuple a name: whole numbers and strings. Nothing for no names.
void writeSourceNames(
  const SourceNames& names, const char* idArray, const char* nameArray, vtkFieldData* fields);

/// The arrays body_source_id and body_name of all connections, and of the blocks of composite data, as source_id and
/// source_name: by number, what is there several times once. Arrays of other kinds or lengths are passed over.
void addSourceNames(vtkInformationVector* connections, vtkFieldData* fields);

} // namespace lapilli
