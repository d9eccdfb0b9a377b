#include "CellArrays.h"

#include "ArrayCopy.h"
#include "ContactArrays.h"

#include <vtkDataArray.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkStringArray.h>

#include <algorithm>
#include <limits>
#include <set>

namespace lapilli
{
namespace
{

/// The triangles kept of one block: kept[begin] … kept[end - 1].
struct Segment
{
  vtkCellData* arrays;
  std::size_t begin, end;
};

std::vector<Segment> segmentsOf(const TerrainPieces& pieces, const std::vector<std::uint32_t>& kept)
{
  std::vector<Segment> segments;
  std::size_t begin = 0;
  for (std::size_t b = 0; b < pieces.blocks.size(); ++b)
  {
    const std::size_t limit =
      b + 1 < pieces.blocks.size() ? pieces.blocks[b + 1].firstTriangle : pieces.cell.size();
    const auto last = std::lower_bound(kept.begin(), kept.end(), limit);
    const auto end = static_cast<std::size_t>(last - kept.begin());
    if (end > begin)
    {
      segments.push_back({ pieces.blocks[b].cellData, begin, end });
    }
    begin = end;
  }
  return segments;
}

bool isReal(vtkDataArray* array)
{
  return array->GetDataType() == VTK_FLOAT || array->GetDataType() == VTK_DOUBLE;
}

/// Copies the tuples of the triangles' cells from one block's array.
void fill(vtkDataArray* to, vtkDataArray* from, const TerrainPieces& pieces,
  const std::vector<std::uint32_t>& kept, const Segment& segment)
{
  const int components = to->GetNumberOfComponents();
  const auto copy = [&](auto* target, const auto& values)
  {
    for (std::size_t t = segment.begin; t < segment.end; ++t)
    {
      const std::int64_t cell = pieces.cell[kept[t]];
      for (int c = 0; c < components; ++c)
      {
        target[t * components + c] = values[cell * components + c];
      }
    }
  };
  switch (to->GetDataType())
  {
    vtkTemplateMacro(copy(static_cast<VTK_TT*>(to->GetVoidPointer(0)), copyValues<VTK_TT>(from)));
  }
}

/// One array of all segments, or null with the reason in `fault`.
vtkSmartPointer<vtkAbstractArray> join(const std::string& name, const TerrainPieces& pieces,
  const std::vector<std::uint32_t>& kept, const std::vector<Segment>& segments, std::string& fault)
{
  vtkAbstractArray* first = nullptr;
  bool everywhere = true, sameType = true, sameShape = true, real = false;
  for (const Segment& segment : segments)
  {
    vtkAbstractArray* array = segment.arrays->GetAbstractArray(name.c_str());
    everywhere &= array != nullptr;
    if (array)
    {
      first = first ? first : array;
      sameType &= array->GetDataType() == first->GetDataType();
      sameShape &= array->GetNumberOfComponents() == first->GetNumberOfComponents();
      auto* numbers = vtkDataArray::SafeDownCast(array);
      real |= numbers && isReal(numbers);
    }
  }
  auto* numbers = vtkDataArray::SafeDownCast(first);
  if (!sameShape || (!sameType && !numbers))
  {
    fault = "differs between blocks in type or number of components";
    return nullptr;
  }
  const bool isContact = isContactArray(name);
  if (!everywhere && !real && !isContact)
  {
    fault = "is not there in all blocks";
    return nullptr;
  }

  const auto count = static_cast<vtkIdType>(kept.size());
  if (auto* strings = vtkStringArray::SafeDownCast(first))
  {
    vtkNew<vtkStringArray> joined;
    joined->SetName(name.c_str());
    joined->SetNumberOfComponents(strings->GetNumberOfComponents());
    joined->SetNumberOfTuples(count);
    for (const Segment& segment : segments)
    {
      vtkAbstractArray* from = segment.arrays->GetAbstractArray(name.c_str());
      for (std::size_t t = segment.begin; t < segment.end; ++t)
      {
        joined->SetTuple(static_cast<vtkIdType>(t), pieces.cell[kept[t]], from);
      }
    }
    return vtkSmartPointer<vtkAbstractArray>(joined.Get());
  }
  if (!numbers)
  {
    fault = "holds neither numbers nor text";
    return nullptr;
  }

  const int type =
    sameType && (everywhere || !isContact || real) && numbers->GetDataType() != VTK_BIT
      ? numbers->GetDataType()
      : VTK_DOUBLE;
  vtkSmartPointer<vtkDataArray> joined;
  joined.TakeReference(vtkDataArray::CreateDataArray(type));
  joined->SetName(name.c_str());
  joined->SetNumberOfComponents(numbers->GetNumberOfComponents());
  joined->SetNumberOfTuples(count);
  for (int c = 0; c < numbers->GetNumberOfComponents(); ++c)
  {
    if (numbers->GetComponentName(c))
    {
      joined->SetComponentName(c, numbers->GetComponentName(c));
    }
  }
  if (!everywhere)
  {
    joined->Fill(isContact ? Surface::kNotGiven : std::numeric_limits<double>::quiet_NaN());
  }
  for (const Segment& segment : segments)
  {
    if (vtkDataArray* from = segment.arrays->GetArray(name.c_str()))
    {
      fill(joined, from, pieces, kept, segment);
    }
  }
  return joined;
}

} // namespace

vtkSmartPointer<vtkCellData> carryCellArrays(const TerrainPieces& pieces,
  const std::vector<std::uint32_t>& kept, std::vector<std::string>& notes)
{
  const auto result = vtkSmartPointer<vtkCellData>::New();
  const std::vector<Segment> segments = segmentsOf(pieces, kept);
  std::set<std::string> done{ vtkDataSetAttributes::GhostArrayName() };
  for (const Segment& segment : segments)
  {
    for (int a = 0; a < segment.arrays->GetNumberOfArrays(); ++a)
    {
      const char* name = segment.arrays->GetAbstractArray(a)->GetName();
      if (!name || !done.insert(name).second)
      {
        continue;
      }
      std::string fault;
      const vtkSmartPointer<vtkAbstractArray> array = join(name, pieces, kept, segments, fault);
      if (array)
      {
        result->AddArray(array);
      }
      else
      {
        notes.push_back("Cell array '" + std::string(name) + "' " + fault + " and was left out.");
      }
    }
  }
  return result;
}

} // namespace lapilli
