#include "FrameOutputs.h"

#include "ArrayBridge.h"
#include "ReportFields.h"

#include <vtkInformationVector.h>
#include <vtkTable.h>

#include <algorithm>
#include <utility>

namespace lapilli
{

bool FrameOutputs::isTable(int port) const
{
  return port > 0 && ports_[static_cast<std::size_t>(port) - 1].kind == Kind::Table;
}

void FrameOutputs::startRun(SurfaceOf surfaceOf)
{
  surfaceOf_ = std::move(surfaceOf);
  surfaces_.clear();
}

vtkSmartPointer<vtkPolyData> FrameOutputs::surface(const std::string& field)
{
  const auto [place, isNew] = surfaces_.try_emplace(field);
  if (isNew && surfaceOf_)
  {
    place->second = surfaceOf_(field);
  }
  return place->second;
}

void FrameOutputs::show(
  const StoredFrame& stored, const TableOf& tableOf, vtkInformationVector* outputs)
{
  this->fill(
    stored, tableOf, [this](const std::string& field) { return this->surface(field); }, outputs);
}

void FrameOutputs::showEmpty(const StoredFrame& stored, vtkInformationVector* outputs)
{
  const auto tableOf = [&stored](std::size_t number) { return stored.frame.tables[number]; };
  const auto noTriangles = [](const std::string&)
  { return toPolyData(std::vector<const Surface*>()); };
  this->fill(stored, tableOf, noTriangles, outputs);
}

void FrameOutputs::fill(const StoredFrame& stored, const TableOf& tableOf,
  const SurfaceOf& surfaceOf, vtkInformationVector* outputs) const
{
  const Frame& frame = stored.frame;
  auto* particles = vtkPolyData::GetData(outputs);
  toPolyData(frame.pointSets.front(), particles);
  addReport(stored.report, particles->GetFieldData());
  for (std::size_t i = 0; i < ports_.size(); ++i)
  {
    const Port& port = ports_[i];
    const int number = static_cast<int>(i) + 1;
    if (port.kind == Kind::Surface)
    {
      auto* output = vtkPolyData::GetData(outputs, number);
      if (const auto triangles = surfaceOf(port.dataset))
      {
        output->ShallowCopy(triangles);
      }
      for (const SurfaceField& field : frame.surfaceFields)
      {
        if (field.name == port.dataset)
        {
          addCellArrays(field, output);
        }
      }
      continue;
    }
    for (std::size_t t = 0; t < frame.tables.size(); ++t)
    {
      if (frame.tables[t].name == port.dataset)
      {
        toTable(tableOf(t), stored.tableRows[t], vtkTable::GetData(outputs, number));
      }
    }
  }
}

StoredFrame emptied(const StoredFrame& stored, const FrameOutputs::TableOf& tableOf)
{
  const auto empty = [](std::vector<Array>& arrays)
  {
    for (Array& array : arrays)
    {
      std::visit([](auto& values) { values.clear(); }, array.values);
    }
  };
  StoredFrame result;
  result.report = stored.report;
  result.frame.time = stored.frame.time;
  result.frame.pointSets = stored.frame.pointSets;
  result.frame.surfaceFields = stored.frame.surfaceFields;
  for (PointSet& points : result.frame.pointSets)
  {
    points.positions.clear();
    empty(points.arrays);
  }
  for (SurfaceField& field : result.frame.surfaceFields)
  {
    empty(field.arrays);
  }
  for (std::size_t t = 0; t < stored.frame.tables.size(); ++t)
  {
    result.frame.tables.push_back(tableOf(t));
    empty(result.frame.tables.back().columns);
  }
  result.tableRows.assign(result.frame.tables.size(), 0);
  return result;
}

} // namespace lapilli
