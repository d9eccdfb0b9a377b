/// @file
/// What the tests of filters share: small terrains and seeds, errors counted, outputs at a time.
#pragma once

#include <vtkAlgorithm.h>
#include <vtkCallbackCommand.h>
#include <vtkCellArray.h>
#include <vtkCommand.h>
#include <vtkDataArray.h>
#include <vtkDataObject.h>
#include <vtkDoubleArray.h>
#include <vtkExecutive.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkTrivialProducer.h>

#include <array>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

namespace pipelines
{

/// Keeps what an object and its executive say, so that nothing is printed and everything is counted.
class Listener
{
public:
  explicit Listener(vtkAlgorithm* algorithm)
  {
    for (auto* object :
      { static_cast<vtkObject*>(algorithm), static_cast<vtkObject*>(algorithm->GetExecutive()) })
    {
      this->listen(object, vtkCommand::ErrorEvent, this->errors);
      this->listen(object, vtkCommand::WarningEvent, this->warnings);
    }
  }

  std::vector<std::string> errors;
  std::vector<std::string> warnings;

  void clear()
  {
    this->errors.clear();
    this->warnings.clear();
  }

private:
  void listen(vtkObject* object, unsigned long event, std::vector<std::string>& texts)
  {
    vtkNew<vtkCallbackCommand> command;
    command->SetClientData(&texts);
    command->SetCallback(
      [](vtkObject*, unsigned long, void* client, void* text) {
        static_cast<std::vector<std::string>*>(client)->emplace_back(
          static_cast<const char*>(text));
      });
    object->AddObserver(event, command);
  }
};

/// A square sheet at height z, low corner at the origin, its front up: two triangles a cell.
inline vtkSmartPointer<vtkPolyData> plane(double size = 100, double z = 0, int cells = 4)
{
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (int j = 0; j <= cells; ++j)
  {
    for (int i = 0; i <= cells; ++i)
    {
      points->InsertNextPoint(size * i / cells, size * j / cells, z);
    }
  }
  vtkNew<vtkCellArray> triangles;
  for (vtkIdType j = 0; j < cells; ++j)
  {
    for (vtkIdType i = 0; i < cells; ++i)
    {
      const vtkIdType a = j * (cells + 1) + i;
      const vtkIdType c = a + cells + 1;
      triangles->InsertNextCell({ a, a + 1, c + 1 });
      triangles->InsertNextCell({ a, c + 1, c });
    }
  }
  auto result = vtkSmartPointer<vtkPolyData>::New();
  result->SetPoints(points);
  result->SetPolys(triangles);
  return result;
}

using Position = std::array<double, 3>;

inline vtkSmartPointer<vtkPolyData> seeds(const std::vector<Position>& positions)
{
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (const Position& p : positions)
  {
    points->InsertNextPoint(p.data());
  }
  auto result = vtkSmartPointer<vtkPolyData>::New();
  result->SetPoints(points);
  return result;
}

/// Adds a point array; values tuple after tuple.
inline void addArray(
  vtkPolyData* data, const char* name, int components, const std::vector<double>& values)
{
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  for (const double v : values)
  {
    array->InsertNextValue(v);
  }
  data->GetPointData()->AddArray(array);
}

inline vtkSmartPointer<vtkTrivialProducer> produce(vtkDataObject* data)
{
  auto producer = vtkSmartPointer<vtkTrivialProducer>::New();
  producer->SetOutput(data);
  return producer;
}

/// All bytes of a frame: positions and every point array, with their names.
inline std::vector<unsigned char> bits(vtkPolyData* data)
{
  std::vector<unsigned char> result;
  const auto append = [&result](const void* from, std::size_t count)
  {
    const auto* bytes = static_cast<const unsigned char*>(from);
    result.insert(result.end(), bytes, bytes + count);
  };
  const auto appendArray = [&append](vtkDataArray* array)
  {
    append(array->GetVoidPointer(0),
      static_cast<std::size_t>(array->GetNumberOfValues() * array->GetDataTypeSize()));
  };
  if (data->GetPoints())
  {
    appendArray(data->GetPoints()->GetData());
  }
  for (int i = 0; i < data->GetPointData()->GetNumberOfArrays(); ++i)
  {
    vtkDataArray* array = data->GetPointData()->GetArray(i);
    append(array->GetName(), std::strlen(array->GetName()));
    appendArray(array);
  }
  return result;
}

/// Updates to a time and returns a copy of the output.
inline vtkSmartPointer<vtkPolyData> outputAt(vtkAlgorithm* filter, double time)
{
  filter->UpdateTimeStep(time);
  auto copy = vtkSmartPointer<vtkPolyData>::New();
  copy->ShallowCopy(filter->GetOutputDataObject(0));
  return copy;
}

/// DATA_TIME_STEP of the output; -1 where it is not set.
inline double dataTime(vtkAlgorithm* filter)
{
  vtkInformation* info = filter->GetOutputDataObject(0)->GetInformation();
  return info->Has(vtkDataObject::DATA_TIME_STEP()) ? info->Get(vtkDataObject::DATA_TIME_STEP())
                                                    : -1;
}

inline double fieldValue(vtkDataObject* data, const char* name)
{
  vtkDataArray* array = data->GetFieldData()->GetArray(name);
  return array ? array->GetTuple1(0) : -1;
}

inline bool contains(const std::string& text, const std::string& part)
{
  return text.find(part) != std::string::npos;
}

} // namespace pipelines
