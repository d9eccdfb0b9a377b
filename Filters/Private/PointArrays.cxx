#include "PointArrays.h"

#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>

namespace lapilli
{
namespace
{

void useLeaf(
  vtkDataObject* leaf, const std::string& name, const std::function<void(const PointBlock&)>& use)
{
  auto* points = vtkPointSet::SafeDownCast(leaf);
  if (!points)
  {
    refuseInput(name, " is ", leaf->GetClassName(),
      "; sources must be data with points of their own: use a Particle Source, or extract points "
      "from it (Table To Points, Threshold, Extract Surface)");
  }
  if (points->GetNumberOfPoints() > 0)
  {
    use({ points, name });
  }
}

} // namespace

void forEachPointBlock(
  vtkDataObject* data, const std::string& name, const std::function<void(const PointBlock&)>& use)
{
  if (auto* composite = vtkCompositeDataSet::SafeDownCast(data))
  {
    auto blocks = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    for (blocks->InitTraversal(); !blocks->IsDoneWithTraversal(); blocks->GoToNextItem())
    {
      useLeaf(blocks->GetCurrentDataObject(),
        name + ", block " + std::to_string(blocks->GetCurrentFlatIndex()), use);
    }
  }
  else if (data)
  {
    useLeaf(data, name, use);
  }
}

vtkDataArray* findPointArray(const PointBlock& block, const char* name, int components)
{
  vtkAbstractArray* any = block.data->GetPointData()->GetAbstractArray(name);
  if (!any)
  {
    return nullptr;
  }
  vtkDataArray* array = vtkDataArray::SafeDownCast(any);
  if (!array)
  {
    refuseInput(block.name, ": array ", name, " is ", any->GetDataTypeAsString(),
      "; it must hold numbers: rename it or leave it out");
  }
  if (components > 0 && array->GetNumberOfComponents() != components)
  {
    refuseInput(block.name, ": array ", name, " has ", array->GetNumberOfComponents(),
      " components; it must have ", components, ": rename it or leave it out");
  }
  if (array->GetNumberOfTuples() != block.data->GetNumberOfPoints())
  {
    refuseInput(block.name, ": array ", name, " has ", array->GetNumberOfTuples(),
      " values; it must have ", block.data->GetNumberOfPoints(),
      ", one for each point: correct it or leave it out");
  }
  return array;
}

} // namespace lapilli
