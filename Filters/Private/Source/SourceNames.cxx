#include "SourceNames.h"

#include "../ArrayBridge.h"

#include <vtkCompositeDataIterator.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataObject.h>
#include <vtkFieldData.h>
#include <vtkInformationVector.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkStringArray.h>

#include <set>

namespace lapilli
{
namespace
{

using SortedNames = std::set<SourceNames::value_type>;

void readNames(vtkFieldData* fields, SortedNames& names)
{
  if (!fields)
  {
    return;
  }
  auto* texts = vtkStringArray::SafeDownCast(fields->GetAbstractArray("body_name"));
  vtkDataArray* ids = fields->GetArray("body_source_id");
  if (!texts || !ids || ids->GetNumberOfComponents() != 1 ||
      ids->GetNumberOfTuples() != texts->GetNumberOfValues())
  {
    return;
  }
  const std::vector<std::int64_t> numbers = readInt64s(ids);
  for (std::size_t i = 0; i < numbers.size(); ++i)
  {
    names.emplace(
      static_cast<std::int32_t>(numbers[i]), texts->GetValue(static_cast<vtkIdType>(i)));
  }
}

} // namespace

void writeSourceNames(
  const SourceNames& names, const char* idArray, const char* nameArray, vtkFieldData* fields)
{
  if (names.empty())
  {
    return;
  }
  vtkNew<vtkIntArray> ids;
  ids->SetName(idArray);
  vtkNew<vtkStringArray> texts;
  texts->SetName(nameArray);
  for (const auto& [id, name] : names)
  {
    ids->InsertNextValue(id);
    texts->InsertNextValue(name);
  }
  fields->AddArray(ids);
  fields->AddArray(texts);
}

void addSourceNames(vtkInformationVector* connections, vtkFieldData* fields)
{
  SortedNames names;
  for (int i = 0; i < connections->GetNumberOfInformationObjects(); ++i)
  {
    vtkDataObject* data = vtkDataObject::GetData(connections->GetInformationObject(i));
    if (data)
    {
      readNames(data->GetFieldData(), names);
    }
    if (auto* composite = vtkCompositeDataSet::SafeDownCast(data))
    {
      const auto leaf = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
      for (leaf->InitTraversal(); !leaf->IsDoneWithTraversal(); leaf->GoToNextItem())
      {
        readNames(leaf->GetCurrentDataObject()->GetFieldData(), names);
      }
    }
  }
  writeSourceNames({ names.begin(), names.end() }, "source_id", "source_name", fields);
}

} // namespace lapilli
